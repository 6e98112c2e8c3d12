//! The value of a specialisation parameter.

use std::fmt;

/// An integer or a boolean of the host, fixed while a kernel is built.
///
/// ```
/// use obsidian_rt::Value;
///
/// assert_eq!(Value::Integer(-3).to_string(), "-3");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Value {
    /// A value of any integer type; all of them fit.
    Integer(i128),
    /// `true` or `false`.
    Boolean(bool),
}

impl Value {
    /// Reads a value as [`Display`](fmt::Display) writes it: decimal digits, with `-` before them
    /// or not, `true` or `false`.
    ///
    /// ```
    /// use obsidian_rt::Value;
    ///
    /// assert_eq!(Value::read("8"), Some(Value::Integer(8)));
    /// assert_eq!(Value::read("true"), Some(Value::Boolean(true)));
    /// assert_eq!(Value::read("+8"), None);
    /// ```
    pub fn read(text: &str) -> Option<Value> {
        match text {
            "true" => Some(Value::Boolean(true)),
            "false" => Some(Value::Boolean(false)),
            // `parse` takes a plus sign too, which nothing writes.
            _ if text.starts_with('+') => None,
            _ => text.parse().ok().map(Value::Integer),
        }
    }

    /// The integer; none for a boolean.
    ///
    /// ```
    /// use obsidian_rt::Value;
    ///
    /// assert_eq!((Value::Integer(8).integer(), Value::Boolean(true).integer()), (Some(8), None));
    /// ```
    pub fn integer(self) -> Option<i128> {
        if let Value::Integer(n) = self {
            Some(n)
        } else {
            None
        }
    }

    /// The boolean; none for an integer.
    ///
    /// ```
    /// use obsidian_rt::Value;
    ///
    /// assert_eq!((Value::Integer(8).boolean(), Value::Boolean(true).boolean()), (None, Some(true)));
    /// ```
    pub fn boolean(self) -> Option<bool> {
        if let Value::Boolean(b) = self {
            Some(b)
        } else {
            None
        }
    }

    /// The value behind the name of its parameter, in the name of a variant.
    pub(super) fn suffix(self) -> String {
        match self {
            Value::Integer(n) if n < 0 => format!("_minus{}", n.unsigned_abs()),
            Value::Integer(n) => n.to_string(),
            Value::Boolean(b) => format!("_{b}"),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Integer(n) => n.fmt(f),
            Value::Boolean(b) => b.fmt(f),
        }
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Value::Boolean(value)
    }
}

macro_rules! integers {
    ($($ty:ident)*) => {$(
        impl From<$ty> for Value {
            fn from(value: $ty) -> Self {
                Value::Integer(value.into())
            }
        }
    )*};
}

integers! { u8 u16 u32 u64 i8 i16 i32 i64 }

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        for value in [
            Value::from(0u32),
            Value::from(i64::MIN),
            Value::from(u64::MAX),
            true.into(),
            false.into(),
        ] {
            assert_eq!(Value::read(&value.to_string()), Some(value));
        }
    }

    #[test]
    fn nothing_else_is_read() {
        for text in [
            "",
            "-",
            "+1",
            "1 ",
            " 1",
            "1.0",
            "True",
            "0x10",
            "1_000",
            "99999999999999999999999999999999999999999",
        ] {
            assert_eq!(Value::read(text), None, "{text:?}");
        }
    }
}
