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
        match self {
            ScalarType::Bool => "bool",
            ScalarType::U8 => "u8",
            ScalarType::U16 => "u16",
            ScalarType::U32 => "u32",
            ScalarType::U64 => "u64",
            ScalarType::I8 => "i8",
            ScalarType::I16 => "i16",
            ScalarType::I32 => "i32",
            ScalarType::I64 => "i64",
            ScalarType::F32 => "f32",
            ScalarType::F64 => "f64",
        }
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
        match self {
            ScalarType::Bool | ScalarType::U8 | ScalarType::I8 => 1,
            ScalarType::U16 | ScalarType::I16 => 2,
            ScalarType::U32 | ScalarType::I32 | ScalarType::F32 => 4,
            ScalarType::U64 | ScalarType::I64 | ScalarType::F64 => 8,
        }
    }

    /// Bits of one value: 1 for `bool`.
    ///
    /// ```
    /// use obsidian_rt::ScalarType;
    ///
    /// assert_eq!((ScalarType::Bool.bits(), ScalarType::F64.bits()), (1, 64));
    /// ```
    pub const fn bits(self) -> u32 {
        match self {
            ScalarType::Bool => 1,
            _ => self.bytes() * 8,
        }
    }

    /// Signed or unsigned integers; not `bool`.
    ///
    /// ```
    /// use obsidian_rt::ScalarType;
    ///
    /// assert!(ScalarType::I8.is_integer() && !ScalarType::Bool.is_integer() && !ScalarType::F32.is_integer());
    /// ```
    pub const fn is_integer(self) -> bool {
        !matches!(self, ScalarType::Bool | ScalarType::F32 | ScalarType::F64)
    }

    /// Signed integers.
    ///
    /// ```
    /// use obsidian_rt::ScalarType;
    ///
    /// assert!(ScalarType::I8.is_signed() && !ScalarType::U8.is_signed() && !ScalarType::F32.is_signed());
    /// ```
    pub const fn is_signed(self) -> bool {
        matches!(
            self,
            ScalarType::I8 | ScalarType::I16 | ScalarType::I32 | ScalarType::I64
        )
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
        match self {
            ScalarType::I8 => ScalarType::U8,
            ScalarType::I16 => ScalarType::U16,
            ScalarType::I32 => ScalarType::U32,
            ScalarType::I64 => ScalarType::U64,
            other => other,
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
        match self {
            ScalarType::U8 => Some(ScalarType::U16),
            ScalarType::U16 => Some(ScalarType::U32),
            ScalarType::U32 => Some(ScalarType::U64),
            ScalarType::I8 => Some(ScalarType::I16),
            ScalarType::I16 => Some(ScalarType::I32),
            ScalarType::I32 => Some(ScalarType::I64),
            _ => None,
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
        matches!(self, ScalarType::F32 | ScalarType::F64)
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
        match self {
            ScalarType::F32 | ScalarType::F64 => None,
            _ if self.is_signed() => {
                Some((-(1 << (self.bits() - 1)), (1 << (self.bits() - 1)) - 1))
            }
            _ => Some((0, (1 << self.bits()) - 1)),
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
