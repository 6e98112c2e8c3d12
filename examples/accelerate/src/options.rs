//! Prices of European options by the formula of Black and Scholes.

use obsidian_rt::prelude::*;

pub use black_scholes::*;

/// The program.
#[kernels(built)]
pub mod black_scholes {
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
}
