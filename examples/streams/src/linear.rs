//! A dot product, the maximum and the sum in one pass, and a matrix times a vector.

use obsidian_rt::arrays::{Arr1, Array, ArrayProgram, Ix1, zip_with};
use obsidian_rt::language::EF32;
use obsidian_rt::sequence::{Consumed, Sequence, max, sum};
use obsidian_rt::{Device, Result};

use std::path::Path;

fn products(xs: Arr1<EF32>, ys: Arr1<EF32>) -> Arr1<EF32> {
    zip_with(|x, y| x * y, xs, ys)
}

/// The sum of the products of two files of numbers; the shorter one ends both.
///
/// # Errors
/// A file that cannot be read.
pub fn dot<'s>(xs: &Path, ys: &Path) -> Result<Consumed<'s, f32>> {
    let (xs, ys) = (Sequence::file::<f32>(xs)?, Sequence::file::<f32>(ys)?);
    Ok(xs.zip(ys).through(products).sum())
}

/// The largest number and the sum of a file of numbers, which is read once.
///
/// # Errors
/// A file that cannot be read.
pub fn max_and_sum<'s>(xs: &Path) -> Result<Consumed<'s, (Option<f32>, f32)>> {
    Ok(Sequence::file::<f32>(xs)?.consume((max(), sum())))
}

/// The same of two arrays in memory, as an array program.
///
/// # Errors
/// What the launches report.
pub fn dot_in_memory(device: &Device, xs: &[f32], ys: &[f32]) -> Result<f32> {
    let program = ArrayProgram::build("dot", |xs: Arr1<EF32>, ys: Arr1<EF32>| {
        products(xs, ys).sum()
    })?;
    let (xs, ys) = (device.array([xs.len()], xs)?, device.array([ys.len()], ys)?);
    program.run(device, (&xs, &ys))?.value()
}

/// The product of each row of a file with a vector, which lies on the device of the run.
///
/// # Errors
/// A file that cannot be read, or is no whole number of rows as long as the vector.
pub fn matrix_vector<'s>(
    rows: &Path,
    vector: &'s Array<Ix1, f32>,
) -> Result<Consumed<'s, Array<Ix1, f32>>> {
    let rows = Sequence::file_with::<f32, _>(rows, vector.extents(), Default::default())?;
    let products = rows.each_with(vector, |row, vector| products(row, vector).sum());
    Ok(products.collect())
}
