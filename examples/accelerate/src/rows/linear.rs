//! The rows of the dot product, of a matrix times a vector, and of the maximum and sum.

use accelerate::{dot_product, inputs, matrix_vector, max_and_sum, reference};
use obsidian_rt::prelude::*;

use super::{Result, Row, largest, scale, timed};

/// A dot product.
pub fn dot(device: &Device) -> Result<()> {
    let scale = scale(device);
    let n = 4_000_003 / scale;
    let (x, y) = (
        inputs::floats(8, n, -1.0, 1.0),
        inputs::floats(9, n, -1.0, 1.0),
    );
    let (xs, ys) = (device.array([n], &x)?, device.array([n], &y)?);
    let (run, sum) = timed(|| dot_product::run(device, &xs, &ys)?.value())?;
    let (plain, want) = timed(|| Ok(reference::dot_product(&x, &y)))?;
    let numbers = [n as u64, n as u64];
    let row = Row {
        elements: n,
        numbers: &numbers,
        times: [run, plain],
        error: (f64::from(sum) - want).abs(),
    };
    row.print(dot_product::schedule());
    Ok(())
}

/// A matrix times a vector.
pub fn matrix(device: &Device) -> Result<()> {
    let scale = scale(device);
    let (height, width) = (2_001 / scale.min(8), 1_003 / scale.min(8));
    let (m, v) = (
        inputs::floats(10, height * width, -1.0, 1.0),
        inputs::floats(11, width, -1.0, 1.0),
    );
    let (matrix, vector) = (
        device.array([height, width], &m)?,
        device.array([width], &v)?,
    );
    let (run, found) = timed(|| matrix_vector::run(device, &matrix, &vector)?.to_vec())?;
    let (plain, want) = timed(|| Ok(reference::matrix_vector(&m, &v)))?;
    let errors = found
        .iter()
        .zip(&want)
        .map(|(own, want)| (f64::from(*own) - want).abs());
    let numbers = [height as u64, width as u64, width as u64];
    let row = Row {
        elements: height * width,
        numbers: &numbers,
        times: [run, plain],
        error: largest(errors),
    };
    row.print(matrix_vector::schedule());
    Ok(())
}

/// The largest element and the sum.
pub fn max(device: &Device) -> Result<()> {
    let scale = scale(device);
    let n = 4_000_003 / scale;
    let x = inputs::floats(8, n, -1.0, 1.0);
    let xs = device.array([n], &x)?;
    let (run, (max, sum)) = timed(|| {
        let (max, sum) = max_and_sum::run(device, &xs)?;
        Ok((max.value()?, sum.value()?))
    })?;
    let (plain, want) = timed(|| Ok(reference::max_and_sum(&x)))?;
    assert_eq!(max.to_bits(), want.0.to_bits(), "the largest element");
    let row = Row {
        elements: n,
        numbers: &[n as u64],
        times: [run, plain],
        error: (f64::from(sum) - want.1).abs(),
    };
    row.print(max_and_sum::schedule());
    Ok(())
}
