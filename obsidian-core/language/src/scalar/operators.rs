//! The operators of Rust on device values, with a device or a Rust value on either side.

use std::ops;

use super::{BinaryOp, Bits, Exp, Integer, Literal, Number, Scalar, Signed, UnaryOp, lit};

macro_rules! binary {
    ($($bound:ident $trait:ident $method:ident $assign_trait:ident $assign:ident;)*) => {$(
        impl<T: $bound> ops::$trait for Exp<T> {
            type Output = Exp<T>;
            #[track_caller]
            fn $method(self, right: Exp<T>) -> Exp<T> {
                self.binary(op::$trait, right)
            }
        }
        impl<T: $bound> ops::$trait<T> for Exp<T> {
            type Output = Exp<T>;
            #[track_caller]
            fn $method(self, right: T) -> Exp<T> {
                self.binary(op::$trait, lit(right))
            }
        }
        impl<T: $bound> ops::$assign_trait for Exp<T> {
            #[track_caller]
            fn $assign(&mut self, right: Exp<T>) {
                *self = ops::$trait::$method(*self, right);
            }
        }
        impl<T: $bound> ops::$assign_trait<T> for Exp<T> {
            #[track_caller]
            fn $assign(&mut self, right: T) {
                *self = ops::$trait::$method(*self, right);
            }
        }
    )*};
}

/// The operators by the name of their trait.
#[allow(non_upper_case_globals)]
mod op {
    use super::BinaryOp;
    pub const Add: BinaryOp = BinaryOp::Add;
    pub const Sub: BinaryOp = BinaryOp::Sub;
    pub const Mul: BinaryOp = BinaryOp::Mul;
    pub const Div: BinaryOp = BinaryOp::Div;
    pub const Rem: BinaryOp = BinaryOp::Rem;
    pub const BitAnd: BinaryOp = BinaryOp::And;
    pub const BitOr: BinaryOp = BinaryOp::Or;
    pub const BitXor: BinaryOp = BinaryOp::Xor;
    pub const Shl: BinaryOp = BinaryOp::Shl;
    pub const Shr: BinaryOp = BinaryOp::Shr;
}

binary! {
    Number Add add AddAssign add_assign;
    Number Sub sub SubAssign sub_assign;
    Number Mul mul MulAssign mul_assign;
    Number Div div DivAssign div_assign;
    Number Rem rem RemAssign rem_assign;
    Bits BitAnd bitand BitAndAssign bitand_assign;
    Bits BitOr bitor BitOrAssign bitor_assign;
    Bits BitXor bitxor BitXorAssign bitxor_assign;
}

/// References on either side, as Rust's numbers have them: what iterators give.
macro_rules! by_reference {
    ($($bound:ident $trait:ident $method:ident;)*) => {$(
        by_reference!(@ $bound $trait $method [Exp<T>] [&Exp<T>] x y => x, *y);
        by_reference!(@ $bound $trait $method [&Exp<T>] [Exp<T>] x y => *x, y);
        by_reference!(@ $bound $trait $method [&Exp<T>] [&Exp<T>] x y => *x, *y);
        by_reference!(@ $bound $trait $method [&Exp<T>] [T] x y => *x, lit(y));
    )*};
    (@ $bound:ident $trait:ident $method:ident [$left:ty] [$right:ty] $x:ident $y:ident => $to_left:expr, $to_right:expr) => {
        impl<T: $bound> ops::$trait<$right> for $left {
            type Output = Exp<T>;
            #[track_caller]
            fn $method(self, $y: $right) -> Exp<T> {
                let $x = self;
                $to_left.binary(op::$trait, $to_right)
            }
        }
    };
}

by_reference! {
    Number Add add;
    Number Sub sub;
    Number Mul mul;
    Number Div div;
    Number Rem rem;
    Bits BitAnd bitand;
    Bits BitOr bitor;
    Bits BitXor bitxor;
}

macro_rules! totals {
    ($($trait:ident $method:ident $op:tt $empty:ident;)*) => {$(
        impl<T: Number> std::iter::$trait for Exp<T> {
            fn $method<I: Iterator<Item = Self>>(values: I) -> Self {
                values.reduce(|x, y| x $op y).unwrap_or_else(|| lit(T::from_literal(Literal::$empty(T::TYPE))))
            }
        }
        impl<'a, T: Number> std::iter::$trait<&'a Exp<T>> for Exp<T> {
            fn $method<I: Iterator<Item = &'a Self>>(values: I) -> Self {
                std::iter::$trait::$method(values.copied())
            }
        }
    )*};
}

totals! {
    Sum sum + zero;
    Product product * one;
}

macro_rules! shifts {
    ($($trait:ident $method:ident $assign_trait:ident $assign:ident;)*) => {$(
        impl<T: Integer> ops::$trait<Exp<u32>> for Exp<T> {
            type Output = Exp<T>;
            #[track_caller]
            fn $method(self, distance: Exp<u32>) -> Exp<T> {
                self.binary(op::$trait, distance)
            }
        }
        impl<T: Integer> ops::$trait<u32> for Exp<T> {
            type Output = Exp<T>;
            #[track_caller]
            fn $method(self, distance: u32) -> Exp<T> {
                self.binary(op::$trait, lit(distance))
            }
        }
        impl<T: Integer> ops::$trait<u32> for &Exp<T> {
            type Output = Exp<T>;
            #[track_caller]
            fn $method(self, distance: u32) -> Exp<T> {
                ops::$trait::$method(*self, distance)
            }
        }
        impl<T: Integer> ops::$assign_trait<u32> for Exp<T> {
            #[track_caller]
            fn $assign(&mut self, distance: u32) {
                *self = ops::$trait::$method(*self, distance);
            }
        }
    )*};
}

shifts! {
    Shl shl ShlAssign shl_assign;
    Shr shr ShrAssign shr_assign;
}

macro_rules! rust_on_the_left {
    ($($ty:ident: $($trait:ident $method:ident)*;)*) => {$($(
        impl ops::$trait<&Exp<$ty>> for $ty {
            type Output = Exp<$ty>;
            #[track_caller]
            fn $method(self, right: &Exp<$ty>) -> Exp<$ty> {
                lit(self).binary(op::$trait, *right)
            }
        }
        impl ops::$trait<Exp<$ty>> for $ty {
            type Output = Exp<$ty>;
            #[track_caller]
            fn $method(self, right: Exp<$ty>) -> Exp<$ty> {
                lit(self).binary(op::$trait, right)
            }
        }
    )*)*};
}

rust_on_the_left! {
    u8: Add add Sub sub Mul mul Div div Rem rem BitAnd bitand BitOr bitor BitXor bitxor;
    u16: Add add Sub sub Mul mul Div div Rem rem BitAnd bitand BitOr bitor BitXor bitxor;
    u32: Add add Sub sub Mul mul Div div Rem rem BitAnd bitand BitOr bitor BitXor bitxor;
    u64: Add add Sub sub Mul mul Div div Rem rem BitAnd bitand BitOr bitor BitXor bitxor;
    i8: Add add Sub sub Mul mul Div div Rem rem BitAnd bitand BitOr bitor BitXor bitxor;
    i16: Add add Sub sub Mul mul Div div Rem rem BitAnd bitand BitOr bitor BitXor bitxor;
    i32: Add add Sub sub Mul mul Div div Rem rem BitAnd bitand BitOr bitor BitXor bitxor;
    i64: Add add Sub sub Mul mul Div div Rem rem BitAnd bitand BitOr bitor BitXor bitxor;
    f32: Add add Sub sub Mul mul Div div Rem rem;
    f64: Add add Sub sub Mul mul Div div Rem rem;
    bool: BitAnd bitand BitOr bitor BitXor bitxor;
}

impl<T: Signed> ops::Neg for Exp<T> {
    type Output = Exp<T>;
    #[track_caller]
    fn neg(self) -> Exp<T> {
        self.unary(UnaryOp::Neg)
    }
}

impl<T: Bits> ops::Not for Exp<T> {
    type Output = Exp<T>;
    #[track_caller]
    fn not(self) -> Exp<T> {
        self.unary(UnaryOp::Not)
    }
}

impl<T: Signed> ops::Neg for &Exp<T> {
    type Output = Exp<T>;
    #[track_caller]
    fn neg(self) -> Exp<T> {
        -*self
    }
}

impl<T: Bits> ops::Not for &Exp<T> {
    type Output = Exp<T>;
    #[track_caller]
    fn not(self) -> Exp<T> {
        !*self
    }
}

macro_rules! comparisons {
    ($($(#[$doc:meta])* $name:ident $op:ident;)*) => {
        impl<T: Scalar> Exp<T> {$(
            $(#[$doc])*
            #[track_caller]
            #[must_use]
            pub fn $name(self, right: impl Into<Exp<T>>) -> Exp<bool> {
                self.binary(BinaryOp::$op, right.into())
            }
        )*}
    };
}

comparisons! {
    /// Equal, on the device; in a `#[kernels]` module write `==`.
    eq Eq;
    /// Not equal, on the device; in a `#[kernels]` module write `!=`.
    ne Ne;
    /// Less, on the device; in a `#[kernels]` module write `<`.
    lt Lt;
    /// Less or equal, on the device; in a `#[kernels]` module write `<=`.
    le Le;
    /// Greater, on the device; in a `#[kernels]` module write `>`.
    gt Gt;
    /// Greater or equal, on the device; in a `#[kernels]` module write `>=`.
    ge Ge;
}
