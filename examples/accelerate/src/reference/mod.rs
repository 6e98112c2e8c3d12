//! The programs in plain Rust, in double precision where sums are rounded.

mod canny;
mod fluid;

pub use canny::{blurred, edges};
pub use fluid::{Fluid, flowed};

/// [`dot_product`](crate::dot_product()).
pub fn dot_product(xs: &[f32], ys: &[f32]) -> f64 {
    let pairs = xs.iter().zip(ys);
    pairs.map(|(x, y)| f64::from(*x) * f64::from(*y)).sum()
}

/// One option of [`prices`](crate::prices()), by the error function of the series and the continued fraction.
pub fn price(option: (f32, f32, f32)) -> (f64, f64) {
    let (price, strike, years) = (
        f64::from(option.0),
        f64::from(option.1),
        f64::from(option.2),
    );
    let (rate, volatility) = (0.02f64, 0.3f64);
    let spread = volatility * years.sqrt();
    let d1 = ((price / strike).ln() + years * (rate + 0.5 * volatility * volatility)) / spread;
    let d2 = d1 - spread;
    let discounted = strike * (-rate * years).exp();
    let call = price * normal(d1) - discounted * normal(d2);
    let put = discounted * (1.0 - normal(d2)) - price * (1.0 - normal(d1));
    (call, put)
}

/// The normal distribution up to `d`: a sum of steps of Simpson's rule from 0, exact to 10 places.
fn normal(d: f64) -> f64 {
    let density = |x: f64| (-0.5 * x * x).exp() / (2.0 * std::f64::consts::PI).sqrt();
    let (end, steps) = (d.clamp(-12.0, 12.0), 400);
    let h = end / f64::from(steps);
    let inner: f64 = (1..steps)
        .map(|k| {
            let weight = if k % 2 == 1 { 4.0 } else { 2.0 };
            weight * density(f64::from(k) * h)
        })
        .sum();
    0.5 + h / 3.0 * (density(0.0) + inner + density(end))
}

/// [`escapes`](crate::escapes()), in the same precision: the numbers of steps are equal.
pub fn escapes(
    (height, width): (usize, usize),
    (left, top, step): (f32, f32, f32),
    limit: u32,
) -> Vec<u32> {
    let point = |i: usize| {
        let re = left + (i % width) as f32 * step;
        let im = top + (i / width) as f32 * step;
        let (mut a, mut b, mut n) = (0.0f32, 0.0f32, 0);
        while a * a + b * b <= 4.0 && n < limit {
            (a, b, n) = (a * a - b * b + re, a * b * 2.0 + im, n + 1);
        }
        n
    };
    (0..height * width).map(point).collect()
}

/// [`accelerations`](crate::accelerations()).
pub fn accelerations(bodies: &[(f32, f32, f32, f32)]) -> Vec<[f64; 3]> {
    let of_body = |body: &(f32, f32, f32, f32)| {
        let mut sum = [0.0; 3];
        for other in bodies {
            let d = [other.0 - body.0, other.1 - body.1, other.2 - body.2].map(f64::from);
            let square = d.iter().map(|d| d * d).sum::<f64>() + f64::from(1e-3f32);
            let force = f64::from(other.3) / (square * square.sqrt());
            sum.iter_mut().zip(d).for_each(|(sum, d)| *sum += d * force);
        }
        sum
    };
    bodies.iter().map(of_body).collect()
}

/// [`matrix_vector`](crate::matrix_vector()).
pub fn matrix_vector(m: &[f32], v: &[f32]) -> Vec<f64> {
    m.chunks(v.len().max(1))
        .map(|row| dot_product(row, v))
        .collect()
}

/// [`max_and_sum`](crate::max_and_sum()).
pub fn max_and_sum(xs: &[f32]) -> (f32, f64) {
    let max = xs.iter().copied().fold(f32::NAN, f32::max);
    (max, xs.iter().map(|x| f64::from(*x)).sum())
}

/// A matrix in compressed rows times a vector: [`sparse_times_vector`](crate::sparse_times_vector()).
pub fn sparse_times_vector(
    offsets: &[u32],
    columns: &[u32],
    values: &[f32],
    vector: &[f32],
) -> Vec<f64> {
    let mut product = vec![0.0; offsets.len().saturating_sub(1)];
    let mut row = 0;
    for (k, (column, value)) in columns.iter().zip(values).enumerate() {
        while k >= offsets[row + 1] as usize {
            row += 1;
        }
        product[row] += f64::from(*value) * f64::from(vector[*column as usize]);
    }
    product
}
