//! Floating point: pictures and transposes bit for bit, products and prices as close as rounding
//! allows.

use obsidian_rt::prelude::*;
use transpose::transposes;

use super::{Check, Wrong, any, same};

pub(super) const CHECKS: &[Check] = &[
    Check {
        name: "mandelbrot: picture",
        lengths: widths,
        run: picture,
    },
    Check {
        name: "transpose: straight",
        lengths: widths,
        run: |device, n| turned(device, n, transposes::straight::launch),
    },
    Check {
        name: "transpose: in_tiles",
        lengths: widths,
        run: |device, n| turned(device, n, transposes::in_tiles::launch),
    },
    Check {
        name: "transpose: with_pitch",
        lengths: widths,
        run: |device, n| turned(device, n, transposes::with_pitch::launch),
    },
    Check {
        name: "transpose: transpose",
        lengths: || vec![1, 2, 31, 32, 33, 48, 64, 96, 97, 144, 192],
        run: |device, n| turned(device, n, transpose::transpose),
    },
    Check {
        name: "matmul: matmul",
        lengths: || vec![16, 32, 48, 80, 160],
        run: product,
    },
    Check {
        name: "blackscholes: prices",
        lengths: any,
        run: prices,
    },
];

/// Widths of pictures and matrices, whose heights are about two thirds of them: one, tiles, one
/// more or less, primes.
fn widths() -> Vec<usize> {
    vec![1, 2, 31, 32, 33, 64, 97, 131]
}

fn height(width: usize) -> usize {
    (width * 2).div_ceil(3)
}

fn picture(device: &Device, width: usize) -> Result<(), Wrong> {
    let picture =
        mandelbrot::pictures::picture::launch(device, height(width) as u32, width as u32)?
            .to_vec()?;
    same(&picture, &mandelbrot::reference(height(width), width))
}

type Transpose = fn(&Device, u32, &Buffer<f32>) -> obsidian_rt::Result<Buffer<f32>>;

fn turned(device: &Device, width: usize, launch: Transpose) -> Result<(), Wrong> {
    let matrix: Vec<f32> = (0..width * height(width)).map(|i| i as f32 + 0.5).collect();
    let turned = launch(device, width as u32, &device.upload(&matrix)?)?.to_vec()?;
    same(&turned, &transpose::reference(&matrix, width))
}

/// `n` rows of `n + 16` elements, times as many rows of `n`.
fn product(device: &Device, n: usize) -> Result<(), Wrong> {
    let inner = n + 16;
    let (left, right) = (matmul::matrix(n * inner, 1), matmul::matrix(inner * n, 2));
    let (a, b) = (device.upload(&left)?, device.upload(&right)?);
    let product =
        matmul::products::matmul::launch(device, inner as u32, n as u32, &a, &b)?.to_vec()?;
    let exact = matmul::reference(&left, &right, inner, n);
    same(&[product.len()], &[exact.len()])?;
    let error = matmul::error(&product, &exact, inner);
    if error <= 1.0 {
        Ok(())
    } else {
        Err(Wrong::Result(format!(
            "{error} times the error that rounding allows"
        )))
    }
}

/// Of long inputs the first 2,000 are checked.
fn prices(device: &Device, n: usize) -> Result<(), Wrong> {
    let (price, strike, years) = blackscholes::options(n);
    let (calls, puts) = blackscholes::prices(device, &price, &strike, &years)?;
    prices_are_right((&price, &strike, &years), (&calls, &puts), 2000)
}

/// Prices are within 1e-4 of double precision. The first `most` are looked at, as the reference
/// integrates.
pub(crate) fn prices_are_right(
    (price, strike, years): (&[f32], &[f32], &[f32]),
    (calls, puts): (&[f32], &[f32]),
    most: usize,
) -> Result<(), Wrong> {
    same(&[calls.len(), puts.len()], &[price.len(), price.len()])?;
    for i in 0..price.len().min(most) {
        let (call, put) =
            blackscholes::reference(price[i].into(), strike[i].into(), years[i].into());
        let far = |x: f32, y: f64| (f64::from(x) - y).abs() > 1e-4 || x.is_nan();
        if far(calls[i], call) || far(puts[i], put) {
            return Err(Wrong::Result(format!(
                "option {i} is {} and {}, and it should be {call} and {put}",
                calls[i], puts[i]
            )));
        }
    }
    Ok(())
}
