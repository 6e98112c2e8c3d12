//! Array programs of floats whose results are fixed.

use obsidian_rt::prelude::*;

#[kernels]
pub mod whole {
    /// A sum of pieces.
    #[arrays]
    pub fn sum(x: Arr1<EF32>) -> Arr0<EF32> {
        x.sum()
    }

    /// The mean, and the variance of what is left.
    #[arrays]
    pub fn variance(x: Arr1<EF64>) -> Arr0<EF64> {
        let count = x.len() as f64;
        let mean = x.sum().map(|sum| sum / count);
        let squares = x.map(|x| (x - mean.the()) * (x - mean.the()));
        squares.sum().map(|sum| sum / count)
    }

    /// Prefix sums.
    #[arrays]
    pub fn scan(x: Arr1<EF32>) -> Arr1<EF32> {
        x.inclusive_scan(|a, b| a + b)
    }

    /// Softmax of rows.
    #[arrays]
    pub fn softmax(x: Arr2<EF32>) -> Arr2<EF32> {
        let (_, width) = x.shape();
        let powers = zip_with(|x, top| (x - top).exp(), x, x.max().replicate_inner(width));
        zip_with(
            |e, sum| e / sum,
            powers,
            powers.sum().replicate_inner(width),
        )
    }

    /// A matrix times a vector.
    #[arrays]
    pub fn mvm(m: Arr2<EF32>, v: Arr1<EF32>) -> Arr1<EF32> {
        let (height, _) = m.shape();
        zip_with(|a, b| a * b, m, v.replicate(height)).sum()
    }

    /// The Laplace operator with zeros outside.
    #[arrays]
    pub fn laplace(x: Arr3<EF32>) -> Arr3<EF32> {
        x.stencil(Constant(0.0), |w| {
            let planes = w.at((-1, 0, 0)) + w.at((1, 0, 0));
            let rows = w.at((0, -1, 0)) + w.at((0, 1, 0));
            let columns = w.at((0, 0, -1)) + w.at((0, 0, 1));
            planes + rows + columns - w.at((0, 0, 0)) * 6.0
        })
    }

    /// Twenty steps of the heat equation.
    #[arrays]
    pub fn heat(x: Arr1<EF32>) -> Arr1<EF32> {
        power(20, x, |t| {
            t.stencil(Clamp, |w| {
                w.at(0) + 0.25 * (w.at(-1) - 2.0 * w.at(0) + w.at(1))
            })
        })
    }

    /// The price of a call option, by Black and Scholes.
    #[arrays]
    pub fn calls(options: Arr1<(EF32, EF32, EF32)>) -> Arr1<EF32> {
        options.map(|(price, strike, years)| {
            let root = years.sqrt();
            let d1 = ((price / strike).ln() + 0.065 * years) / (0.3 * root);
            let d2 = d1 - 0.3 * root;
            price * normal(d1) - strike * (-0.02 * years).exp() * normal(d2)
        })
    }

    fn normal(d: EF32) -> EF32 {
        let k = 1.0 / (1.0 + 0.2316419 * d.abs());
        let inner = 1.781477937 + k * (-1.821255978 + k * 1.330274429);
        let polynomial = k * (0.31938153 + k * (-0.356563782 + k * inner));
        let tail = 0.39894228 * (-0.5 * d * d).exp() * polynomial;
        select(d > 0.0, 1.0 - tail, tail)
    }

    /// Sums of segments.
    #[arrays]
    pub fn segments(offsets: Arr1<EU32>, x: Arr1<EF32>) -> Arr1<EF32> {
        x.segmented_fold(offsets, |sum, x| sum + x, 0.0)
    }
}
