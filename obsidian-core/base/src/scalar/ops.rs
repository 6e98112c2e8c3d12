//! The operators of the element language, and which types have them.

use super::ScalarType;

macro_rules! operators {
    ($(#[$doc:meta])* $enum:ident { $($(#[$variant_doc:meta])* $variant:ident $name:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum $enum { $($(#[$variant_doc])* $variant,)* }
        impl $enum {
            /// All of them, in declaration order.
            pub const ALL: &'static [$enum] = &[$($enum::$variant,)*];
            /// The name in messages and dumps: the operator or method of Rust.
            pub const fn name(self) -> &'static str {
                match self { $($enum::$variant => $name,)* }
            }
        }
    };
}

operators! {
    /// Operators of one operand; the result has the operand's type.
    UnaryOp {
        /// Wrapping negation.
        Neg "-",
        /// Logical negation of `bool`, complement of integers.
        Not "!",
        /// Wrapping absolute value.
        Abs "abs",
        /// -1, 0 or 1 for integers; for floats 1 with the sign of the operand, or NaN.
        Signum "signum",
        /// Square root.
        Sqrt "sqrt",
        /// `1 / sqrt(x)`.
        Rsqrt "rsqrt",
        /// Cube root.
        Cbrt "cbrt",
        /// `e` to the power of `x`.
        Exp "exp",
        /// 2 to the power of `x`.
        Exp2 "exp2",
        /// `e` to the power of `x`, less 1.
        ExpM1 "exp_m1",
        /// Natural logarithm.
        Ln "ln",
        /// Natural logarithm of `1 + x`.
        Ln1p "ln_1p",
        /// Logarithm to base 2.
        Log2 "log2",
        /// Logarithm to base 10.
        Log10 "log10",
        /// Sine of radians.
        Sin "sin",
        /// Cosine of radians.
        Cos "cos",
        /// Tangent of radians.
        Tan "tan",
        /// Arc sine, in radians.
        Asin "asin",
        /// Arc cosine, in radians.
        Acos "acos",
        /// Arc tangent, in radians.
        Atan "atan",
        /// Hyperbolic sine.
        Sinh "sinh",
        /// Hyperbolic cosine.
        Cosh "cosh",
        /// Hyperbolic tangent.
        Tanh "tanh",
        /// Inverse hyperbolic sine.
        Asinh "asinh",
        /// Inverse hyperbolic cosine.
        Acosh "acosh",
        /// Inverse hyperbolic tangent.
        Atanh "atanh",
        /// The error function.
        Erf "erf",
        /// `exp` by the fast instruction of the device.
        FastExp "fast_exp",
        /// `ln` by the fast instruction of the device.
        FastLn "fast_ln",
        /// `sin` by the fast instruction of the device.
        FastSin "fast_sin",
        /// `cos` by the fast instruction of the device.
        FastCos "fast_cos",
        /// The largest integral value that is not above `x`.
        Floor "floor",
        /// The smallest integral value that is not below `x`.
        Ceil "ceil",
        /// The nearest integral value, halves away from zero.
        Round "round",
        /// The integral part.
        Trunc "trunc",
        /// The number of set bits, in the operand's type.
        CountOnes "count_ones",
        /// The number of zero bits from the top, in the operand's type.
        LeadingZeros "leading_zeros",
        /// The number of zero bits from the bottom, in the operand's type.
        TrailingZeros "trailing_zeros",
        /// The bits in opposite order.
        ReverseBits "reverse_bits",
        /// The bits of a float, as an unsigned integer.
        ToBits "to_bits",
        /// The float with the bits of an unsigned integer.
        FromBits "from_bits",
        /// The operand itself; as an index the user vouches that it is inside of its array.
        Trust "unchecked",
        /// The operand itself; as an index the user promises that no other thread has it.
        Distinct "distinct",
    }
}

operators! {
    /// Operators of two operands of one type (a shift's right operand is `u32`).
    BinaryOp {
        /// Wrapping addition.
        Add "+",
        /// Wrapping subtraction.
        Sub "-",
        /// Wrapping multiplication.
        Mul "*",
        /// Division, towards zero for integers; `x / 0` is 0 for integers.
        Div "/",
        /// Remainder with the sign of the left operand; `x % 0` is `x` for integers.
        Rem "%",
        /// Bitwise and; logical and of `bool`, both operands evaluated.
        And "&",
        /// Bitwise or; logical or of `bool`, both operands evaluated.
        Or "|",
        /// Bitwise exclusive or.
        Xor "^",
        /// Shift left; the distance is taken modulo the width.
        Shl "<<",
        /// Shift right, with sign for signed types; the distance is taken modulo the width.
        Shr ">>",
        /// The smaller one; a number rather than a NaN; `-0` below `0`.
        Min "min",
        /// The larger one; a number rather than a NaN; `0` above `-0`.
        Max "max",
        /// `x` to the power of `y`, of floats.
        Pow "powf",
        /// The angle of the point `(y, x)`, in radians: the operands in that order.
        Atan2 "atan2",
        /// The length of the vector `(x, y)`.
        Hypot "hypot",
        /// Division by the fast instruction of the device.
        FastDiv "fast_div",
        /// The magnitude of the left with the sign of the right operand.
        CopySign "copysign",
        /// Equal.
        Eq "==",
        /// Not equal.
        Ne "!=",
        /// Less.
        Lt "<",
        /// Less or equal.
        Le "<=",
        /// Greater.
        Gt ">",
        /// Greater or equal.
        Ge ">=",
    }
}

impl UnaryOp {
    /// Is it a promise about an index, which computes nothing?
    pub const fn is_promise(self) -> bool {
        matches!(self, UnaryOp::Trust | UnaryOp::Distinct)
    }

    /// Is the operator defined for this type?
    pub const fn accepts(self, ty: ScalarType) -> bool {
        use UnaryOp::*;
        match self {
            Neg | Signum => ty.is_signed() || ty.is_float(),
            Abs => ty.is_signed() || ty.is_float(),
            Not => ty.is_integer() || ty.is(ScalarType::Bool),
            CountOnes | LeadingZeros | TrailingZeros | ReverseBits => ty.is_integer(),
            Trust | Distinct => ty.is(ScalarType::U32),
            FastExp | FastLn | FastSin | FastCos => ty.is(ScalarType::F32),
            FromBits => ty.float_of_bits().is_some(),
            _ => ty.is_float(),
        }
    }

    /// The type of the result for an operand of a type.
    pub const fn result(self, operand: ScalarType) -> ScalarType {
        let other = match self {
            UnaryOp::ToBits => operand.bits_of_float(),
            UnaryOp::FromBits => operand.float_of_bits(),
            _ => None,
        };
        match other {
            Some(other) => other,
            None => operand,
        }
    }

    /// Is it written as a method, `x.sqrt()`? Others are operators, or functions of a type or a
    /// module.
    pub const fn is_method(self) -> bool {
        use UnaryOp::*;
        !matches!(
            self,
            Neg | Not | FastExp | FastLn | FastSin | FastCos | FromBits
        )
    }
}

impl BinaryOp {
    /// Is the operator defined for left operands of this type?
    pub const fn accepts(self, ty: ScalarType) -> bool {
        use BinaryOp::*;
        match self {
            Add | Sub | Mul | Div | Rem | Min | Max => !ty.is(ScalarType::Bool),
            And | Or | Xor => ty.is_integer() || ty.is(ScalarType::Bool),
            Shl | Shr => ty.is_integer(),
            Pow | Atan2 | Hypot | CopySign => ty.is_float(),
            FastDiv => ty.is(ScalarType::F32),
            Eq | Ne | Lt | Le | Gt | Ge => true,
        }
    }

    /// Does it give a `bool`, whatever its operands are?
    pub const fn is_comparison(self) -> bool {
        use BinaryOp::*;
        matches!(self, Eq | Ne | Lt | Le | Gt | Ge)
    }

    /// May it stand in a length that a launch computes?
    pub const fn is_of_lengths(self) -> bool {
        use BinaryOp::*;
        matches!(self, Add | Sub | Mul | Div | Rem | Min | Max)
    }

    /// Is the right operand a `u32`, whatever the left is?
    pub const fn is_shift(self) -> bool {
        matches!(self, BinaryOp::Shl | BinaryOp::Shr)
    }

    /// The type of the result for operands of a type.
    pub const fn result(self, operands: ScalarType) -> ScalarType {
        if self.is_comparison() {
            ScalarType::Bool
        } else {
            operands
        }
    }
}
