//! `tanh`: near 0 `x + x^3 p(x^2)`, elsewhere `1 - 2 / (exp(2|x|) + 1)`, with the sign of `x`.
//!
//! Both are computed and one is chosen. Below 9/16 the first has a correction that is small beside
//! `x`; above, the second subtracts at most a half from 1. In `f64`, `p` is a quotient of two
//! polynomials, because the poles of `tanh` are near, and both formulas share one division. The coefficients
//! of `f32` are made as those of [`exp`](super::exp), those of `f64` by least squares of `p q - tanh`'s
//! own, weighted by the last `q`, until they stay; they are off by 2^-29 and 2^-58.

use super::exp::{exp32, exp64};
use super::wide::{polynomial, select};

/// Below this the first formula is taken.
const NEAR: f64 = 0.5625;

/// The hyperbolic tangent.
#[inline(always)]
pub(super) fn tanh32(x: f32) -> f32 {
    // From here on the result is 1, and `exp` stays far from its limits.
    let size = select(x.abs() > 10.0, 10.0, x.abs());
    let z = size * size;
    let p = polynomial!(z; -3.3333313e-1, 1.3332443e-1, -5.383673e-2, 2.1005271e-2, -6.177371e-3);
    let near = size + size * z * p;
    let far = 1.0 - 2.0 / (exp32(2.0 * size) + 1.0);
    select(size < NEAR as f32, near, far).copysign(x)
}

/// The hyperbolic tangent.
#[inline(always)]
pub(super) fn tanh64(x: f64) -> f64 {
    let size = select(x.abs() > 20.0, 20.0, x.abs());
    let z = size * size;
    let p = polynomial!(z; -0.3333333333333333, -0.020499840020386684, -0.00019922417357797422);
    let q = polynomial!(
        z; 1.0, 0.4614995200611548, 0.02329271864054516, 0.00020658314893227218
    );
    let near = size < NEAR;
    let above = select(near, size * z * p, -2.0);
    let below = select(near, q, exp64(2.0 * size) + 1.0);
    (select(near, size, 1.0) + above / below).copysign(x)
}
