//! Matrices as pictures.

use std::fs::File;
use std::io::{BufWriter, Error};
use std::path::Path;

use crate::syntax::Constant;
use crate::value::Array;

/// The pixels that the longer side of a picture has at least.
const SMALLEST: usize = 256;

/// Writes a matrix as a PNG: from black for its least number to white for its greatest. Elements of small matrices are squares of pixels.
///
/// # Errors
/// If the file cannot be written, or the picture is larger than a PNG can be.
pub fn draw(matrix: &Array, file: &Path) -> Result<(), Error> {
    let [rows, columns] = matrix.shape.as_slice() else {
        return Err(Error::other("a picture is one of a matrix"));
    };
    let values: Vec<f64> = (0..matrix.len())
        .filter_map(|at| matrix.elements.get(at).map(number))
        .collect();
    let scale = (SMALLEST / (*rows).max(*columns).max(1)).max(1);
    let pixels = scaled(&grey(&values), *columns, scale);
    let side = |length: &usize| u32::try_from(length * scale).map_err(Error::other);
    let writer = BufWriter::new(File::create(file)?);
    let mut encoder = png::Encoder::new(writer, side(columns)?, side(rows)?);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::Eight);
    let mut image = encoder.write_header().map_err(Error::other)?;
    image.write_image_data(&pixels).map_err(Error::other)
}

/// The number that is drawn for a value.
fn number(value: Constant) -> f64 {
    match value {
        Constant::Int(n) => f64::from(n),
        Constant::Double(x) => x,
        Constant::Bool(b) => f64::from(b),
        Constant::Char(c) => f64::from(u32::from(c)),
        Constant::Complex(x, y) => x.hypot(y),
    }
}

/// Shades from 0 for the least finite number to 255 for the greatest.
fn grey(values: &[f64]) -> Vec<u8> {
    let finite = || values.iter().copied().filter(|x| x.is_finite());
    let least = finite().fold(f64::INFINITY, f64::min);
    let greatest = finite().fold(f64::NEG_INFINITY, f64::max);
    let range = if greatest > least {
        greatest - least
    } else {
        1.0
    };
    // A cast saturates, and NaN is 0.
    let shade = |x: &f64| ((x - least) / range * 255.0).round() as u8;
    values.iter().map(shade).collect()
}

/// Each pixel as a square.
fn scaled(pixels: &[u8], columns: usize, scale: usize) -> Vec<u8> {
    let wide = |row: &[u8]| {
        let wide = row
            .iter()
            .flat_map(|pixel| std::iter::repeat_n(*pixel, scale));
        wide.collect::<Vec<u8>>()
    };
    let rows = pixels.chunks(columns.max(1)).map(wide);
    rows.flat_map(|row| row.repeat(scale)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shades_go_from_the_least_to_the_greatest() {
        assert_eq!(grey(&[-1.0, 0.0, 1.0, f64::NAN]), [0, 128, 255, 0]);
        assert_eq!(grey(&[7.0, 7.0]), [0, 0]);
    }

    #[test]
    fn elements_are_squares() {
        assert_eq!(scaled(&[1, 2], 2, 2), [1, 1, 2, 2, 1, 1, 2, 2]);
        assert_eq!(scaled(&[1, 2], 1, 2), [1, 1, 1, 1, 2, 2, 2, 2]);
    }
}
