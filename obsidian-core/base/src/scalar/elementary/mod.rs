//! The elementary functions that the CPU and the simulator compute: `exp`, `ln`, `sin`, `cos`,
//! `tanh` and `pow` of `f32` and `f64`.
//!
//! They are written here, and not taken from a library of the system, for two reasons. They give the
//! same bits on every machine and with every compiler flag: only operations that IEEE 754 defines
//! are used, one after the other, and nothing is fused. And they have no branches and no calls,
//! so a loop that calls them becomes vectors (only `sin` and `cos` of `f64` call a function for
//! arguments from 2^20 on).
//!
//! The errors are at most these, in units of the last place of the result. `exp`, `ln`, `sin`, `cos` and `tanh` of
//! `f32` were measured on all values (but for signs). The others are what 10^6 to 10^8 random arguments for each
//! range have shown, and a little more; none of them is proved.
//!
//! | function | `f32` | `f64` |
//! |---|---|---|
//! | `exp` | 0.8 | 0.81 |
//! | `ln` | 0.9 | 0.96 |
//! | `sin`, `cos` | 0.9 | 0.84 |
//! | `tanh` | 1.5 | 1.51 |
//! | `pow` | 0.502 | 0.86 |

mod exp;
mod ln;
mod pow;
mod sine;
mod tanh;
mod wide;

#[cfg(test)]
mod tests;

/// The functions, for `f32` and `f64`. Zeros, infinities, NaN and negative numbers have the results
/// that the methods of Rust's floats have.
pub trait Elementary: Copy {
    /// `e` to the power of this.
    fn exp(self) -> Self;
    /// The natural logarithm.
    fn ln(self) -> Self;
    /// The sine of radians.
    fn sin(self) -> Self;
    /// The cosine of radians.
    fn cos(self) -> Self;
    /// The hyperbolic tangent.
    fn tanh(self) -> Self;
    /// To the power of `exponent`.
    fn pow(self, exponent: Self) -> Self;
}

macro_rules! elementary {
    ($ty:ident: $exp:ident $ln:ident $sin:ident $cos:ident $tanh:ident $pow:ident) => {
        impl Elementary for $ty {
            #[inline(always)]
            fn exp(self) -> Self {
                exp::$exp(self)
            }
            #[inline(always)]
            fn ln(self) -> Self {
                ln::$ln(self)
            }
            #[inline(always)]
            fn sin(self) -> Self {
                sine::$sin(self)
            }
            #[inline(always)]
            fn cos(self) -> Self {
                sine::$cos(self)
            }
            #[inline(always)]
            fn tanh(self) -> Self {
                tanh::$tanh(self)
            }
            #[inline(always)]
            fn pow(self, exponent: Self) -> Self {
                pow::$pow(self, exponent)
            }
        }
    };
}

elementary! { f32: exp32 ln32 sin32 cos32 tanh32 pow32 }
elementary! { f64: exp64 ln64 sin64 cos64 tanh64 pow64 }
