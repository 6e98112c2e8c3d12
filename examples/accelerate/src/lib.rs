//! Programs that think in whole arrays: a dot product, option prices, the Mandelbrot set, forces between bodies, a matrix times a vector, and
//! the maximum and sum of one array.
//!
//! | program | kernels | Accelerate's |
//! |---|---|---|
//! | [`dot_product()`] | 1, which reads both arrays once | 1 |
//! | [`prices()`] | 1; a logarithm, a root and three exponentials an option | 1 |
//! | [`escapes()`] | 1, whose elements are loops | 1 |
//! | [`accelerations()`] | 1; no array of n^2 forces | 1 |
//! | [`matrix_vector()`] | 1 | 1 |
//! | [`max_and_sum()`] | 1, in one pass | 2 |
//!
//! A kernel that folds one long row is two launches: blocks fold pieces of it, and one block folds what they give.
//! [`reference`](mod@reference) has the same in plain Rust.

pub mod inputs;
pub mod reference;

use obsidian_rt::prelude::*;

pub use programs::*;

/// The programs: of each, the function itself, and a module with `run`, `run_into` and `schedule`.
#[kernels(built)]
pub mod programs {
    /// The sum of the products of two vectors of equal length.
    #[arrays]
    pub fn dot_product(xs: Arr1<EF32>, ys: Arr1<EF32>) -> Arr0<EF32> {
        zip_with(|x, y| x * y, xs, ys).sum()
    }

    /// What European options are worth, to buy and to sell, by price today, strike price, and years to expiry.
    #[arrays]
    pub fn prices(options: Arr1<(EF32, EF32, EF32)>) -> Arr1<(EF32, EF32)> {
        options.map(call_and_put)
    }

    /// The rate of interest a year.
    const RATE: f32 = 0.02;
    const VOLATILITY: f32 = 0.3;

    fn call_and_put(option: (EF32, EF32, EF32)) -> (EF32, EF32) {
        let (price, _, _) = option;
        let call = price * normal(d1(option)) - discounted(option) * normal(d2(option));
        let sold = 1.0 - normal(d2(option));
        let put = discounted(option) * sold - price * (1.0 - normal(d1(option)));
        (call, put)
    }

    // Written as the formulas are: what is said twice is computed once.
    fn d1((price, strike, years): (EF32, EF32, EF32)) -> EF32 {
        let growth = years * (RATE + 0.5 * VOLATILITY * VOLATILITY);
        ((price / strike).ln() + growth) / (years.sqrt() * VOLATILITY)
    }

    fn d2(option: (EF32, EF32, EF32)) -> EF32 {
        d1(option) - option.2.sqrt() * VOLATILITY
    }

    fn discounted((_, strike, years): (EF32, EF32, EF32)) -> EF32 {
        strike * (years * -RATE).exp()
    }

    /// The normal distribution up to `d`, by the polynomial of Abramowitz and Stegun, 26.2.17.
    fn normal(d: EF32) -> EF32 {
        let k = 1.0 / (d.abs() * 0.231_641_9 + 1.0);
        let terms: [f32; 5] = [
            1.330_274_4,
            -1.821_255_9,
            1.781_477_9,
            -0.356_563_78,
            0.319_381_54,
        ];
        let mut sum = lit(0.0f32);
        for term in terms {
            sum = sum * k + term;
        }
        let tail = sum * k * 0.398_942_3 * (d * d * -0.5).exp();
        select(d > 0.0, 1.0 - tail, tail)
    }

    /// After how many steps each point of a part of the plane leaves the circle of radius 2, and `limit` for those that do not. The part
    /// begins at `left` and `top`, and has points that are `step` apart.
    #[arrays]
    pub fn escapes(
        height: EU32,
        width: EU32,
        left: EF32,
        top: EF32,
        step: EF32,
        limit: EU32,
    ) -> Arr2<EU32> {
        generate((height, width), |(y, x)| {
            let re = left + x as f32 * step;
            let im = top + y as f32 * step;
            let steps = seq_until(
                |(a, b, n)| (a * a - b * b + re, a * b * 2.0 + im, n + 1),
                |(a, b, n)| (a * a + b * b <= 4.0) & (n < limit),
                (lit(0.0f32), lit(0.0f32), lit(0u32)),
            );
            steps.map(|(_, _, n)| n)
        })
    }

    /// What pulls at each of some bodies, by each of the others; a body is place and mass.
    #[arrays]
    pub fn accelerations(bodies: Arr1<(EF32, EF32, EF32, EF32)>) -> Arr1<(EF32, EF32, EF32)> {
        let n = bodies.len();
        let pulls = zip_with(pull, bodies.replicate_inner(n), bodies.replicate(n));
        pulls.fold(
            |(a, b, c), (x, y, z)| (a + x, b + y, c + z),
            (0.0, 0.0, 0.0),
        )
    }

    /// Two bodies at one place pull no more than at this distance, squared.
    const SOFTENING: f32 = 1e-3;

    fn pull(
        (x, y, z, _): (EF32, EF32, EF32, EF32),
        (a, b, c, mass): (EF32, EF32, EF32, EF32),
    ) -> (EF32, EF32, EF32) {
        let (dx, dy, dz) = (a - x, b - y, c - z);
        let square = dx * dx + dy * dy + dz * dz + SOFTENING;
        let force = mass / (square * square.sqrt());
        (dx * force, dy * force, dz * force)
    }

    /// A matrix times a vector with as many elements as the matrix has columns.
    #[arrays]
    pub fn matrix_vector(m: Arr2<EF32>, v: Arr1<EF32>) -> Arr1<EF32> {
        let (height, _) = m.shape();
        zip_with(|a, b| a * b, m, v.replicate(height)).sum()
    }

    /// The largest element, and the sum of all; there must be an element.
    #[arrays]
    pub fn max_and_sum(xs: Arr1<EF32>) -> (Arr0<EF32>, Arr0<EF32>) {
        (xs.max(), xs.sum())
    }
}
