//! Prices of European options by the formula of Black and Scholes: a map over arrays of tuples, of
//! any length.

use obsidian_rt::prelude::*;

/// The formula, with the riskless rate 0.02 and the volatility 0.30 a year.
#[kernels(built)]
pub mod blackscholes {
    /// The cumulative normal distribution, by the polynomial 26.2.17 of Abramowitz and Stegun:
    /// 7.5e-8 of error.
    pub fn normal(d: EF32) -> EF32 {
        let k = 1.0 / (1.0 + 0.2316419 * d.abs());
        let poly = k
            * (0.31938153
                + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
        let tail = 0.39894228 * (-0.5 * d * d).exp() * poly;
        select(d > 0.0, 1.0 - tail, tail)
    }

    /// The prices of a call and of a put. What they share is computed once.
    pub fn option(price: EF32, strike: EF32, years: EF32) -> (EF32, EF32) {
        let root = years.sqrt();
        let d1 = ((price / strike).ln() + (0.02 + 0.5 * 0.30 * 0.30) * years) / (0.30 * root);
        let d2 = d1 - 0.30 * root;
        let discounted = strike * (-0.02 * years).exp();
        let call = price * normal(d1) - discounted * normal(d2);
        let put = discounted * (1.0 - normal(d2)) - price * (1.0 - normal(d1));
        (call, put)
    }

    /// Calls and puts for prices, strikes and years.
    #[kernel(threads = 256)]
    pub fn prices(input: DPull<(EF32, EF32, EF32)>) -> DPush<Grid, (EF32, EF32)> {
        let one = lit(1.0f32);
        let pieces = input.chunks(1024, (one, one, one));
        pieces
            .as_grid_map(|piece| {
                piece
                    .map(|(price, strike, years)| option(price, strike, years))
                    .push::<Block>()
            })
            .take(input.len())
    }
}

/// The riskless rate, a year.
pub const RATE: f64 = 0.02;

/// The volatility, a year.
pub const VOLATILITY: f64 = 0.30;

/// The price of a call and of a put in double precision, with the normal distribution by numerical
/// integration.
pub fn reference(price: f64, strike: f64, years: f64) -> (f64, f64) {
    let root = years.sqrt();
    let d1 = ((price / strike).ln() + (RATE + 0.5 * VOLATILITY * VOLATILITY) * years)
        / (VOLATILITY * root);
    let d2 = d1 - VOLATILITY * root;
    let discounted = strike * (-RATE * years).exp();
    let call = price * normal(d1) - discounted * normal(d2);
    (call, call + discounted - price)
}

/// The normal distribution: Simpson's rule over the density from 0 to `d`.
fn normal(d: f64) -> f64 {
    let (steps, d) = (2000, d.clamp(-12.0, 12.0));
    let (h, density) = (d / f64::from(steps), |x: f64| {
        (-0.5 * x * x).exp() / (2.0 * std::f64::consts::PI).sqrt()
    });
    let inner: f64 = (1..steps)
        .map(|i| density(f64::from(i) * h) * if i % 2 == 1 { 4.0 } else { 2.0 })
        .sum();
    0.5 + (density(0.0) + inner + density(d)) * h / 3.0
}

/// `n` options: prices from 5 to 30, strikes from 1 to 100, a quarter of a year to ten years.
pub fn options(n: usize) -> (Vec<f32>, Vec<f32>, Vec<f32>) {
    let fraction = |i: usize, step: usize| ((i * step) % 10_007) as f32 / 10_007.0;
    let column = |step: usize, low: f32, high: f32| {
        (0..n)
            .map(|i| low + (high - low) * fraction(i, step))
            .collect()
    };
    (
        column(7919, 5.0, 30.0),
        column(4801, 1.0, 100.0),
        column(3571, 0.25, 10.0),
    )
}

/// Launches [`blackscholes::prices()`] on vectors.
///
/// # Errors
/// What a launch reports.
pub fn prices(
    device: &Device,
    price: &[f32],
    strike: &[f32],
    years: &[f32],
) -> obsidian_rt::Result<(Vec<f32>, Vec<f32>)> {
    let input = (
        &device.upload(price)?,
        &device.upload(strike)?,
        &device.upload(years)?,
    );
    let (calls, puts) = blackscholes::prices::launch(device, input)?;
    Ok((calls.to_vec()?, puts.to_vec()?))
}
