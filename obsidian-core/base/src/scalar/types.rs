//! The element types of the device.

use std::ops::{Add, Div, Mul, Rem, Sub};

use super::Literal;

/// An element type: what one cell of an array holds.
///
/// ```
/// use obsidian_rt::ScalarType;
///
/// let bytes: u32 = ScalarType::ALL.iter().map(|ty| ty.bytes()).sum();
/// assert_eq!(bytes, 1 + 2 * (1 + 2 + 4 + 8) + 4 + 8);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ScalarType {
    /// One truth value, one byte wide in memory.
    Bool,
    /// Unsigned, 8 bits.
    U8,
    /// Unsigned, 16 bits.
    U16,
    /// Unsigned, 32 bits; also the type of indices and lengths.
    U32,
    /// Unsigned, 64 bits.
    U64,
    /// Signed, 8 bits.
    I8,
    /// Signed, 16 bits.
    I16,
    /// Signed, 32 bits.
    I32,
    /// Signed, 64 bits.
    I64,
    /// IEEE binary32.
    F32,
    /// IEEE binary64.
    F64,
}

/// What kind of values an element type has.
#[doc(hidden)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// Truth values.
    Bool,
    /// Integers from 0 on.
    Unsigned,
    /// Integers in two's complement.
    Signed,
    /// Numbers of IEEE 754.
    Float,
}

/// Does something with the Rust type of an element type that is known only at run time: with that of any, of an integer, or of a float. What is done with
/// the others stands behind the `;`.
#[doc(hidden)]
#[macro_export]
macro_rules! by_type {
    (integers $ty:expr, $name:ident => $body:expr; $rest:expr) => {
        $crate::by_type!(@ $ty, $name, $body; U8 u8, U16 u16, U32 u32, U64 u64, I8 i8, I16 i16, I32 i32, I64 i64; Bool F32 F64 => $rest)
    };
    (floats $ty:expr, $name:ident => $body:expr; $rest:expr) => {
        $crate::by_type!(@ $ty, $name, $body; F32 f32, F64 f64; Bool U8 U16 U32 U64 I8 I16 I32 I64 => $rest)
    };
    (@ $ty:expr, $name:ident, $body:expr; $($variant:ident $own:ident),* $(; $($other:ident)* => $rest:expr)?) => {
        match $ty {
            $($crate::scalar::ScalarType::$variant => {
                type $name = $own;
                $body
            })*
            $($($crate::scalar::ScalarType::$other)|* => $rest,)?
        }
    };
    ($ty:expr, $name:ident => $body:expr) => {
        $crate::by_type!(@ $ty, $name, $body; Bool bool, U8 u8, U16 u16, U32 u32, U64 u64, I8 i8, I16 i16, I32 i32, I64 i64, F32 f32, F64 f64)
    };
}

impl ScalarType {
    /// All of them, in declaration order.
    pub const ALL: [ScalarType; 11] = {
        use ScalarType::*;
        [Bool, U8, U16, U32, U64, I8, I16, I32, I64, F32, F64]
    };

    /// The name in Rust: `bool`, `u8`, .. `f64`.
    ///
    /// ```
    /// assert_eq!(obsidian_rt::ScalarType::F32.name(), "f32");
    /// ```
    pub const fn name(self) -> &'static str {
        self.row().0
    }

    /// What all the others are told by: the name in Rust, the class, and the bits of a value.
    const fn row(self) -> (&'static str, Class, u32) {
        match self {
            ScalarType::Bool => ("bool", Class::Bool, 1),
            ScalarType::U8 => ("u8", Class::Unsigned, 8),
            ScalarType::U16 => ("u16", Class::Unsigned, 16),
            ScalarType::U32 => ("u32", Class::Unsigned, 32),
            ScalarType::U64 => ("u64", Class::Unsigned, 64),
            ScalarType::I8 => ("i8", Class::Signed, 8),
            ScalarType::I16 => ("i16", Class::Signed, 16),
            ScalarType::I32 => ("i32", Class::Signed, 32),
            ScalarType::I64 => ("i64", Class::Signed, 64),
            ScalarType::F32 => ("f32", Class::Float, 32),
            ScalarType::F64 => ("f64", Class::Float, 64),
        }
    }

    /// What kind of values it has.
    #[doc(hidden)]
    pub const fn class(self) -> Class {
        self.row().1
    }

    /// The type of a class with this number of bits, if there is one.
    #[doc(hidden)]
    pub const fn of(class: Class, bits: u32) -> Option<ScalarType> {
        let mut n = 0;
        while n < Self::ALL.len() {
            let ty = Self::ALL[n];
            if ty.is_of(class) && ty.bits() == bits {
                return Some(ty);
            }
            n += 1;
        }
        None
    }

    const fn is_of(self, class: Class) -> bool {
        self.class() as u8 == class as u8
    }

    /// The integer that the bits of a float are; none for other types.
    #[doc(hidden)]
    pub const fn bits_of_float(self) -> Option<ScalarType> {
        match self.is_float() {
            true => Self::of(Class::Unsigned, self.bits()),
            false => None,
        }
    }

    /// The float that has the bits of an unsigned integer, if there is one.
    #[doc(hidden)]
    pub const fn float_of_bits(self) -> Option<ScalarType> {
        match self.is_of(Class::Unsigned) {
            true => Self::of(Class::Float, self.bits()),
            false => None,
        }
    }

    /// Is it this one? As `==`, for constants.
    #[doc(hidden)]
    pub const fn is(self, other: ScalarType) -> bool {
        self as u8 == other as u8
    }

    /// The type with this Rust name.
    ///
    /// ```
    /// use obsidian_rt::ScalarType;
    ///
    /// assert_eq!(ScalarType::from_name("u64"), Some(ScalarType::U64));
    /// assert_eq!(ScalarType::from_name("usize"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|ty| ty.name() == name)
    }

    /// The name of the device value: `EBool`, `EU8`, .. `EF64`.
    ///
    /// ```
    /// assert_eq!(obsidian_rt::ScalarType::Bool.exp_name(), "EBool");
    /// ```
    pub fn exp_name(self) -> String {
        let name = self.name();
        format!("E{}{}", name[..1].to_uppercase(), &name[1..])
    }

    /// Bytes of one element in memory.
    ///
    /// ```
    /// use obsidian_rt::ScalarType;
    ///
    /// assert_eq!((ScalarType::Bool.bytes(), ScalarType::F64.bytes()), (1, 8));
    /// ```
    pub const fn bytes(self) -> u32 {
        self.bits().div_ceil(8)
    }

    /// Bits of one value: 1 for `bool`.
    ///
    /// ```
    /// use obsidian_rt::ScalarType;
    ///
    /// assert_eq!((ScalarType::Bool.bits(), ScalarType::F64.bits()), (1, 64));
    /// ```
    pub const fn bits(self) -> u32 {
        self.row().2
    }

    /// Signed or unsigned integers; not `bool`.
    ///
    /// ```
    /// use obsidian_rt::ScalarType;
    ///
    /// assert!(ScalarType::I8.is_integer() && !ScalarType::Bool.is_integer() && !ScalarType::F32.is_integer());
    /// ```
    pub const fn is_integer(self) -> bool {
        self.is_of(Class::Unsigned) || self.is_of(Class::Signed)
    }

    /// Signed integers.
    ///
    /// ```
    /// use obsidian_rt::ScalarType;
    ///
    /// assert!(ScalarType::I8.is_signed() && !ScalarType::U8.is_signed() && !ScalarType::F32.is_signed());
    /// ```
    pub const fn is_signed(self) -> bool {
        self.is_of(Class::Signed)
    }

    /// The unsigned integer of the width of an integer; other types are their own.
    ///
    /// ```
    /// use obsidian_rt::ScalarType;
    ///
    /// assert_eq!(ScalarType::I16.unsigned(), ScalarType::U16);
    /// assert_eq!(ScalarType::F32.unsigned(), ScalarType::F32);
    /// ```
    pub const fn unsigned(self) -> ScalarType {
        match self.is_signed() {
            true => match Self::of(Class::Unsigned, self.bits()) {
                Some(unsigned) => unsigned,
                None => self,
            },
            false => self,
        }
    }

    /// The integer of twice the width, in which every product fits.
    ///
    /// None for 64 bits, and for other types.
    ///
    /// ```
    /// use obsidian_rt::ScalarType;
    ///
    /// assert_eq!(ScalarType::I16.wider(), Some(ScalarType::I32));
    /// assert_eq!(ScalarType::U64.wider(), None);
    /// assert_eq!(ScalarType::F32.wider(), None);
    /// ```
    pub const fn wider(self) -> Option<ScalarType> {
        match self.is_integer() {
            true => Self::of(self.class(), self.bits() * 2),
            false => None,
        }
    }

    /// `f32` and `f64`.
    ///
    /// ```
    /// use obsidian_rt::ScalarType;
    ///
    /// assert!(ScalarType::F64.is_float() && !ScalarType::U64.is_float());
    /// ```
    pub const fn is_float(self) -> bool {
        self.is_of(Class::Float)
    }

    /// The smallest and the largest value of an integer type, or of 0 and 1 for `bool`.
    ///
    /// ```
    /// use obsidian_rt::ScalarType;
    ///
    /// assert_eq!(ScalarType::I8.range(), Some((-128, 127)));
    /// assert_eq!(ScalarType::F32.range(), None);
    /// ```
    pub const fn range(self) -> Option<(i128, i128)> {
        match self.class() {
            Class::Float => None,
            Class::Signed => Some((-(1 << (self.bits() - 1)), (1 << (self.bits() - 1)) - 1)),
            Class::Bool | Class::Unsigned => Some((0, (1 << self.bits()) - 1)),
        }
    }
}

/// A Rust type that is an element type of the device.
///
/// Sealed: the types are those of [`ScalarType`].
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     fn or<T: Scalar>(condition: EBool, x: Exp<T>, otherwise: Exp<T>) -> Exp<T> {
///         select(condition, x, otherwise)
///     }
///
///     #[kernel(threads = 64)]
///     pub fn positive(x: DPull<EF32>) -> DPush<Grid, EF32> {
///         x.split_up(2).as_grid_map(|x| x.map(|x| or(x > 0.0, x, lit(0f32))).push())
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1.0, -1.0])?;
/// let result = example::positive::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [1.0, 0.0]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an element type of the device",
    note = "the element types are bool, u8 to u64, i8 to i64, f32 and f64"
)]
pub trait Scalar:
    Copy
    + PartialEq
    + Send
    + Sync
    + std::fmt::Debug
    + std::fmt::Display
    + Default
    + sealed::Sealed
    + 'static
{
    /// The type as a value.
    const TYPE: ScalarType;
    /// The bits of a value.
    fn literal(self) -> Literal;
    /// The value with these bits.
    fn from_literal(literal: Literal) -> Self;
}

/// Element types with arithmetic: all but `bool`.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     fn squared<T: Number>(x: Exp<T>) -> Exp<T> {
///         x * x
///     }
///
///     #[kernel(threads = 64)]
///     pub fn squares(x: DPull<EF32>) -> DPush<Grid, EF32> {
///         x.split_up(2).as_grid_map(|x| x.map(|x| squared(x)).push())
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[3.0, -1.0])?;
/// let result = example::squares::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [9.0, 1.0]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no type of numbers of the host",
    label = "`{Self}` is no `f32`, `u32` or the like",
    note = "a parameter `T: Number` is `f32`, `u32` and so on, and the device value of such a number is `Exp<T>`: write `x: Exp<T>`"
)]
pub trait Number:
    Scalar
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Rem<Output = Self>
{
}

/// Element types with bits, shifts and remainders.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     fn parity<T: Integer>(x: Exp<T>, y: Exp<T>) -> Exp<T> {
///         x ^ y
///     }
///
///     #[kernel(threads = 64)]
///     pub fn parities(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(2).as_grid_map(|x| reduce(|a, b| parity(a, b), x))
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[5, 6])?;
/// let result = example::parities::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [3]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub trait Integer: Number {
    /// The unsigned type of the same width.
    type Unsigned: Integer;
}

/// `f32` and `f64`.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     fn length<T: Float>(x: Exp<T>, y: Exp<T>) -> Exp<T> {
///         (x * x + y * y).sqrt()
///     }
///
///     #[kernel(threads = 64)]
///     pub fn lengths(x: DPull<EF32>) -> DPush<Grid, EF32> {
///         x.split_up(2).as_grid_map(|x| x.pair().map(|(x, y)| length(x, y)).push())
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[3.0, 4.0])?;
/// let result = example::lengths::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [5.0]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub trait Float: Number {
    /// The unsigned integer of the same width.
    type Bits: Integer;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! scalars {
    ($($ty:ident $variant:ident $($family:ident)*;)*) => {$(
        impl sealed::Sealed for $ty {}
        impl Scalar for $ty {
            const TYPE: ScalarType = ScalarType::$variant;
            fn literal(self) -> Literal {
                Literal::from(self)
            }
            fn from_literal(literal: Literal) -> Self {
                literal.$ty()
            }
        }
        $(impl $family for $ty {})*
    )*};
}

scalars! {
    bool Bool;
    u8 U8 Number; u16 U16 Number; u32 U32 Number; u64 U64 Number;
    i8 I8 Number; i16 I16 Number; i32 I32 Number; i64 I64 Number;
    f32 F32 Number; f64 F64 Number;
}

macro_rules! families {
    ($family:ident $of:ident: $($ty:ident $other:ident;)*) => {
        $(impl $family for $ty { type $of = $other; })*
    };
}

families! { Integer Unsigned: u8 u8; u16 u16; u32 u32; u64 u64; i8 u8; i16 u16; i32 u32; i64 u64; }
families! { Float Bits: f32 u32; f64 u64; }

/// Element types with `&`, `|`, `^` and `!`: the integers and `bool`.
pub trait Bits: Scalar {}

impl<T: Integer> Bits for T {}
impl Bits for bool {}

/// Element types with negation: signed integers and floats.
pub trait Signed: Number {}

macro_rules! signed {
    ($($ty:ident)*) => { $(impl Signed for $ty {})* };
}

signed!(i8 i16 i32 i64 f32 f64);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_gives_its_type_back() {
        for ty in ScalarType::ALL {
            assert_eq!(ScalarType::from_name(ty.name()), Some(ty));
        }
        assert_eq!(ScalarType::from_name("u128"), None);
    }

    #[test]
    fn ranges_are_those_of_rust() {
        assert_eq!(
            ScalarType::I8.range(),
            Some((i8::MIN.into(), i8::MAX.into()))
        );
        assert_eq!(ScalarType::U64.range(), Some((0, u64::MAX.into())));
        assert_eq!(
            ScalarType::I64.range(),
            Some((i64::MIN.into(), i64::MAX.into()))
        );
        assert_eq!(ScalarType::F32.range(), None);
    }
}
