//! Functions of device values that are made of other operators.
//!
//! Each has one formula for all devices, so its result is the same bits everywhere, and no emitter
//! needs to know it. What a device has an instruction for is an operator
//! ([`UnaryOp`], [`BinaryOp`]) instead.

use super::{AnyExp, BinaryOp, Exp, Float, Integer, Literal, UnaryOp, lit};

/// The smallest and the largest value of an integer type.
fn limits(ty: super::ScalarType) -> [AnyExp; 2] {
    let (low, high) = ty.range().unwrap_or_default();
    [low, high].map(|n| AnyExp::literal(Literal::integer(ty, n).unwrap_or(Literal::zero(ty))))
}

impl AnyExp {
    fn with(self, op: BinaryOp, other: AnyExp) -> AnyExp {
        AnyExp::binary(op, self, other)
    }

    fn is(self, op: BinaryOp, other: AnyExp) -> Exp<bool> {
        let condition = AnyExp::binary(op, self, other);
        condition.typed().unwrap_or_else(Exp::poison)
    }

    fn is_negative(self) -> Exp<bool> {
        self.is(BinaryOp::Lt, AnyExp::literal(Literal::zero(self.ty())))
    }

    /// `1 / x`, of a float.
    pub fn recip(self) -> AnyExp {
        AnyExp::literal(Literal::one(self.ty())).with(BinaryOp::Div, self)
    }

    /// What is left of a float without its integral part.
    pub fn fract(self) -> AnyExp {
        self.with(BinaryOp::Sub, AnyExp::unary(UnaryOp::Trunc, self))
    }

    /// Is a float no number? Only a NaN is not equal to itself.
    pub fn is_nan(self) -> AnyExp {
        self.with(BinaryOp::Ne, self)
    }

    /// A float to the power of a number that is known.
    ///
    /// The powers of two in the exponent are squares of squares, which are multiplied, the lowest
    /// first. Of a negative exponent it is 1 divided by that.
    pub fn powi(self, exponent: i32) -> AnyExp {
        let (mut left, mut square) = (exponent.unsigned_abs(), self);
        let mut product: Option<AnyExp> = None;
        while left > 0 {
            if left % 2 == 1 {
                product = Some(product.map_or(square, |p| p.with(BinaryOp::Mul, square)));
            }
            left /= 2;
            if left > 0 {
                square = square.with(BinaryOp::Mul, square);
            }
        }
        let power = product.unwrap_or_else(|| AnyExp::literal(Literal::one(self.ty())));
        match exponent < 0 {
            true => power.recip(),
            false => power,
        }
    }

    /// An integer with its bits moved towards the top by `distance`; those that leave it come in at
    /// the bottom.
    ///
    /// Shifts take their distance modulo the width, of which 2^32 is a multiple. So `-distance` is
    /// the distance to the other side; where it is 0, both shifts give the value itself.
    pub fn rotate_left(self, distance: Exp<u32>) -> AnyExp {
        let bits = self.cast(self.ty().unsigned());
        let back = (lit(0u32) - distance).any();
        let high = bits.with(BinaryOp::Shl, distance.any());
        let low = bits.with(BinaryOp::Shr, back);
        high.with(BinaryOp::Or, low).cast(self.ty())
    }

    /// The distance of two integers, in the unsigned type of their width, in which it always fits.
    pub fn abs_diff(self, other: AnyExp) -> AnyExp {
        let ty = self.ty().unsigned();
        let low = self.with(BinaryOp::Min, other);
        let high = self.with(BinaryOp::Max, other);
        high.cast(ty).with(BinaryOp::Sub, low.cast(ty))
    }

    /// The remainder that is not negative, of two integers.
    pub fn rem_euclid(self, divisor: AnyExp) -> AnyExp {
        let rest = self.with(BinaryOp::Rem, divisor);
        if !self.ty().is_signed() {
            return rest;
        }
        let size = AnyExp::unary(UnaryOp::Abs, divisor);
        AnyExp::select(rest.is_negative(), rest.with(BinaryOp::Add, size), rest)
    }

    /// The quotient of two integers that goes with [`rem_euclid`](Self::rem_euclid).
    pub fn div_euclid(self, divisor: AnyExp) -> AnyExp {
        let quotient = self.with(BinaryOp::Div, divisor);
        if !self.ty().is_signed() {
            return quotient;
        }
        let one = AnyExp::literal(Literal::one(self.ty()));
        let zero = AnyExp::literal(Literal::zero(self.ty()));
        // By 0 the quotient is 0, as that of `/` is.
        let by_positive = divisor.is(BinaryOp::Gt, zero);
        let sign = AnyExp::select(by_positive, one, AnyExp::unary(UnaryOp::Neg, one));
        let sign = AnyExp::select(divisor.is(BinaryOp::Eq, zero), zero, sign);
        let rest = self.with(BinaryOp::Rem, divisor);
        AnyExp::select(
            rest.is_negative(),
            quotient.with(BinaryOp::Sub, sign),
            quotient,
        )
    }

    /// The sum of two integers, or the limit of the type that it goes beyond.
    pub fn saturating_add(self, other: AnyExp) -> AnyExp {
        if !self.ty().is_signed() {
            // `!y` is what can be added to `y`.
            let room = AnyExp::unary(UnaryOp::Not, other);
            return self.with(BinaryOp::Min, room).with(BinaryOp::Add, other);
        }
        let sum = self.with(BinaryOp::Add, other);
        // It wrapped if both operands have the sign that the sum has not.
        let x = self.with(BinaryOp::Xor, sum);
        let y = other.with(BinaryOp::Xor, sum);
        let wrapped = x.with(BinaryOp::And, y).is_negative();
        AnyExp::select(wrapped, self.limit_of_sign(), sum)
    }

    /// The difference of two integers, or the limit of the type that it goes beyond.
    pub fn saturating_sub(self, other: AnyExp) -> AnyExp {
        if !self.ty().is_signed() {
            return self.with(BinaryOp::Max, other).with(BinaryOp::Sub, other);
        }
        let difference = self.with(BinaryOp::Sub, other);
        // It wrapped if the operands have different signs, and the difference has not the first.
        let x = self.with(BinaryOp::Xor, other);
        let y = self.with(BinaryOp::Xor, difference);
        let wrapped = x.with(BinaryOp::And, y).is_negative();
        AnyExp::select(wrapped, self.limit_of_sign(), difference)
    }

    /// The product of two integers, or the limit of the type that it goes beyond.
    pub fn saturating_mul(self, other: AnyExp) -> AnyExp {
        let ty = self.ty();
        let [low, high] = limits(ty);
        if let Some(wide) = ty.wider() {
            let product = self.cast(wide).with(BinaryOp::Mul, other.cast(wide));
            let above = product.with(BinaryOp::Max, low.cast(wide));
            return above.with(BinaryOp::Min, high.cast(wide)).cast(ty);
        }
        // By 0 the quotient is 0, so the first factor is looked at by itself.
        let product = self.with(BinaryOp::Mul, other);
        let quotient = product.with(BinaryOp::Div, self);
        let zero = AnyExp::literal(Literal::zero(ty));
        let wrapped = self.is(BinaryOp::Ne, zero) & quotient.is(BinaryOp::Ne, other);
        if !ty.is_signed() {
            return AnyExp::select(wrapped, high, product);
        }
        // `-1 * MIN` wraps to `MIN`, and so does the quotient.
        let minus_one = AnyExp::unary(UnaryOp::Neg, AnyExp::literal(Literal::one(ty)));
        let back = self.is(BinaryOp::Eq, minus_one) & other.is(BinaryOp::Eq, low);
        let signs_differ = self.with(BinaryOp::Xor, other).is_negative();
        let limit = AnyExp::select(signs_differ, low, high);
        AnyExp::select(wrapped | back, limit, product)
    }

    /// The limit of the type on the side of a signed integer's sign.
    fn limit_of_sign(self) -> AnyExp {
        let [low, high] = limits(self.ty());
        AnyExp::select(self.is_negative(), low, high)
    }
}

impl<T: Float> Exp<T> {
    /// `1 / self`.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::ArrayProgram, language::*};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EF32>| x.map(|x| x.recip()))?;
    /// let device = Device::cpu();
    /// let x = device.array([2], &[4.0, 0.5])?;
    /// assert_eq!(f.run(&device, &x)?.to_vec()?, [0.25, 2.0]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[must_use]
    pub fn recip(self) -> Self {
        Self::from_any(self.any().recip())
    }

    /// What is left without the integral part, with the sign of `self`.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::ArrayProgram, language::*};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EF32>| x.map(|x| x.fract()))?;
    /// let device = Device::cpu();
    /// let x = device.array([2], &[1.25, -1.25])?;
    /// assert_eq!(f.run(&device, &x)?.to_vec()?, [0.25, -0.25]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[must_use]
    pub fn fract(self) -> Self {
        Self::from_any(self.any().fract())
    }

    /// Is it no number?
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::ArrayProgram, language::*};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EF32>| x.map(|x| select(x.is_nan(), lit(0.0), x)))?;
    /// let device = Device::cpu();
    /// let x = device.array([2], &[1.0, f32::NAN])?;
    /// assert_eq!(f.run(&device, &x)?.to_vec()?, [1.0, 0.0]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[must_use]
    pub fn is_nan(self) -> Exp<bool> {
        Exp::from_any(self.any().is_nan())
    }

    /// To the power of a Rust number, by products of squares in one order on all devices. Each of
    /// its at most `2 * log2(exponent)` products is rounded.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::ArrayProgram, language::*};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EF32>| x.map(|x| x.powi(3)))?;
    /// let device = Device::cpu();
    /// let x = device.array([2], &[2.0, -3.0])?;
    /// assert_eq!(f.run(&device, &x)?.to_vec()?, [8.0, -27.0]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[must_use]
    pub fn powi(self, exponent: i32) -> Self {
        Self::from_any(self.any().powi(exponent))
    }

    /// The bits, as an unsigned integer of the same width. Those of a NaN differ from device to
    /// device.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::ArrayProgram, language::*};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EF32>| x.map(|x| x.to_bits()))?;
    /// let device = Device::cpu();
    /// let x = device.array([1], &[1.0])?;
    /// assert_eq!(f.run(&device, &x)?.to_vec()?, [0x3F80_0000]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[doc(alias = "__float_as_int")]
    #[must_use]
    pub fn to_bits(self) -> Exp<T::Bits> {
        Exp::from_any(AnyExp::unary(UnaryOp::ToBits, self.any()))
    }

    /// The float that has these bits.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::ArrayProgram, language::*};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EU32>| x.map(|x| EF32::from_bits(x)))?;
    /// let device = Device::cpu();
    /// let x = device.array([1], &[0x3F80_0000])?;
    /// assert_eq!(f.run(&device, &x)?.to_vec()?, [1.0]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[doc(alias = "__int_as_float")]
    #[must_use]
    pub fn from_bits(bits: impl Into<Exp<T::Bits>>) -> Self {
        Exp::from_any(AnyExp::unary(UnaryOp::FromBits, bits.into().any()))
    }
}

impl<T: Integer> Exp<T> {
    /// With its bits moved towards the top; those that leave come in at the bottom.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::ArrayProgram, language::*};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EU32>| x.map(|x| x.rotate_left(8)))?;
    /// let device = Device::cpu();
    /// let x = device.array([1], &[0x1200_0034])?;
    /// assert_eq!(f.run(&device, &x)?.to_vec()?, [0x0000_3412]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[must_use]
    pub fn rotate_left(self, distance: impl Into<Exp<u32>>) -> Self {
        Self::from_any(self.any().rotate_left(distance.into()))
    }

    /// With its bits moved towards the bottom; those that leave come in at the top.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::ArrayProgram, language::*};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EU32>| x.map(|x| x.rotate_right(8)))?;
    /// let device = Device::cpu();
    /// let x = device.array([1], &[0x0000_3412])?;
    /// assert_eq!(f.run(&device, &x)?.to_vec()?, [0x1200_0034]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[must_use]
    pub fn rotate_right(self, distance: impl Into<Exp<u32>>) -> Self {
        Self::from_any(self.any().rotate_left(lit(0u32) - distance.into()))
    }

    /// The distance of two numbers, in the unsigned type of their width.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::ArrayProgram, language::*};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EI32>| x.map(|x| x.abs_diff(5)))?;
    /// let device = Device::cpu();
    /// let x = device.array([2], &[3, -7])?;
    /// assert_eq!(f.run(&device, &x)?.to_vec()?, [2_u32, 12]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[must_use]
    pub fn abs_diff(self, other: impl Into<Exp<T>>) -> Exp<T::Unsigned> {
        Exp::from_any(self.any().abs_diff(other.into().any()))
    }

    /// The remainder that is not negative, as Rust's `rem_euclid`: the column that is `i` places from
    /// the first of a ring of `n` is `i.rem_euclid(n)`. By 0 it is `x`, as that of `%` is.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::ArrayProgram, language::*};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EI32>| x.map(|x| x.rem_euclid(4)))?;
    /// let device = Device::cpu();
    /// let x = device.array([3], &[7, -1, -8])?;
    /// assert_eq!(f.run(&device, &x)?.to_vec()?, [3, 3, 0]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[must_use]
    pub fn rem_euclid(self, divisor: impl Into<Exp<T>>) -> Self {
        Self::from_any(self.any().rem_euclid(divisor.into().any()))
    }

    /// The quotient that leaves the remainder [`rem_euclid`](Self::rem_euclid), as Rust's
    /// `div_euclid`. By 0 it is 0, as that of `/` is.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::ArrayProgram, language::*};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EI32>| x.map(|x| x.div_euclid(4)))?;
    /// let device = Device::cpu();
    /// let x = device.array([3], &[7, -1, -8])?;
    /// assert_eq!(f.run(&device, &x)?.to_vec()?, [1, -1, -2]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[must_use]
    pub fn div_euclid(self, divisor: impl Into<Exp<T>>) -> Self {
        Self::from_any(self.any().div_euclid(divisor.into().any()))
    }

    /// The sum, or the limit of the type that it goes beyond.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::ArrayProgram, language::*};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EU32>| x.map(|x| x.saturating_add(10)))?;
    /// let device = Device::cpu();
    /// let x = device.array([2], &[1, u32::MAX])?;
    /// assert_eq!(f.run(&device, &x)?.to_vec()?, [11, u32::MAX]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[must_use]
    pub fn saturating_add(self, other: impl Into<Exp<T>>) -> Self {
        Self::from_any(self.any().saturating_add(other.into().any()))
    }

    /// The difference, or the limit of the type that it goes beyond.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::ArrayProgram, language::*};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EU32>| x.map(|x| x.saturating_sub(10)))?;
    /// let device = Device::cpu();
    /// let x = device.array([2], &[15, 3])?;
    /// assert_eq!(f.run(&device, &x)?.to_vec()?, [5, 0]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[must_use]
    pub fn saturating_sub(self, other: impl Into<Exp<T>>) -> Self {
        Self::from_any(self.any().saturating_sub(other.into().any()))
    }

    /// The product, or the limit of the type that it goes beyond.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::ArrayProgram, language::*};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EI32>| x.map(|x| x.saturating_mul(-2)))?;
    /// let device = Device::cpu();
    /// let x = device.array([2], &[5, i32::MAX])?;
    /// assert_eq!(f.run(&device, &x)?.to_vec()?, [-10, i32::MIN]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[must_use]
    pub fn saturating_mul(self, other: impl Into<Exp<T>>) -> Self {
        Self::from_any(self.any().saturating_mul(other.into().any()))
    }
}

/// Functions of `f32` by the fast instructions of a GPU, which are less exact there. The CPU and the
/// simulator compute the usual functions: `exp`, `ln`, `sin` and `cos` have the same bits on both, and are less than
/// one ulp off.
///
/// The errors are those that NVIDIA states for its intrinsic functions; an ulp is a unit in the last
/// place of the result.
///
/// | function | error on a GPU, at most |
/// |---|---|
/// | [`exp`](fast::exp) | `2 + floor(abs(1.173 * x))` ulp |
/// | [`ln`](fast::ln) | 2^-21.41 for x from 0.5 to 2, otherwise 3 ulp |
/// | [`sin`](fast::sin) | 2^-21.41 for x from -pi to pi, more outside |
/// | [`cos`](fast::cos) | 2^-21.19 for x from -pi to pi, more outside |
/// | [`div`](fast::div) | 2 ulp for `abs(y)` from 2^-126 to 2^126; for larger ones it is 0, or NaN if x is infinite |
pub mod fast {
    use super::{BinaryOp, Exp, UnaryOp};

    macro_rules! functions {
        ($($(#[$doc:meta])* $name:ident $op:ident;)*) => {$(
            $(#[$doc])*
            #[must_use]
            pub fn $name(x: impl Into<Exp<f32>>) -> Exp<f32> {
                x.into().unary(UnaryOp::$op)
            }
        )*};
    }

    functions! {
        /// `e` to the power of `x`; on a GPU at most `2 + floor(abs(1.173 * x))` ulp off.
        ///
        /// ```
        /// use obsidian_rt::{Device, arrays::ArrayProgram, language::*};
        ///
        /// let f = ArrayProgram::build("f", |x: Arr1<EF32>| x.map(|x| fast::exp(x)))?;
        /// let device = Device::cpu();
        /// let x = device.array([1], &[0.0])?;
        /// let result = f.run(&device, &x)?.to_vec()?;
        /// assert!((result[0] - 1.0).abs() < 1e-6);
        /// # Ok::<(), obsidian_rt::Error>(())
        /// ```
        #[doc(alias = "__expf")]
        exp FastExp;
        /// The natural logarithm; on a GPU at most 2^-21.41 off for x from 0.5 to 2, otherwise 3
        /// ulp.
        ///
        /// ```
        /// use obsidian_rt::{Device, arrays::ArrayProgram, language::*};
        ///
        /// let f = ArrayProgram::build("f", |x: Arr1<EF32>| x.map(|x| fast::ln(x)))?;
        /// let device = Device::cpu();
        /// let x = device.array([1], &[1.0])?;
        /// let result = f.run(&device, &x)?.to_vec()?;
        /// assert!((result[0] - 0.0).abs() < 1e-6);
        /// # Ok::<(), obsidian_rt::Error>(())
        /// ```
        ln FastLn;
        /// The sine of radians; on a GPU at most 2^-21.41 off for x from -pi to pi, more outside.
        ///
        /// ```
        /// use obsidian_rt::{Device, arrays::ArrayProgram, language::*};
        ///
        /// let f = ArrayProgram::build("f", |x: Arr1<EF32>| x.map(|x| fast::sin(x)))?;
        /// let device = Device::cpu();
        /// let x = device.array([1], &[0.0])?;
        /// let result = f.run(&device, &x)?.to_vec()?;
        /// assert!((result[0] - 0.0).abs() < 1e-6);
        /// # Ok::<(), obsidian_rt::Error>(())
        /// ```
        sin FastSin;
        /// The cosine of radians; on a GPU at most 2^-21.19 off for x from -pi to pi, more outside.
        ///
        /// ```
        /// use obsidian_rt::{Device, arrays::ArrayProgram, language::*};
        ///
        /// let f = ArrayProgram::build("f", |x: Arr1<EF32>| x.map(|x| fast::cos(x)))?;
        /// let device = Device::cpu();
        /// let x = device.array([1], &[0.0])?;
        /// let result = f.run(&device, &x)?.to_vec()?;
        /// assert!((result[0] - 1.0).abs() < 1e-6);
        /// # Ok::<(), obsidian_rt::Error>(())
        /// ```
        cos FastCos;
    }

    /// `x / y`; on a GPU at most 2 ulp off for `abs(y)` from 2^-126 to 2^126. For larger ones it is
    /// 0, or NaN if `x` is infinite.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::ArrayProgram, language::*};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EF32>| x.map(|x| fast::div(x, 4.0)))?;
    /// let device = Device::cpu();
    /// let x = device.array([1], &[2.0])?;
    /// let result = f.run(&device, &x)?.to_vec()?;
    /// assert!((result[0] - 0.5).abs() < 1e-6);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[doc(alias = "__fdividef")]
    #[must_use]
    pub fn div(x: impl Into<Exp<f32>>, y: impl Into<Exp<f32>>) -> Exp<f32> {
        x.into().binary(BinaryOp::FastDiv, y.into())
    }
}
