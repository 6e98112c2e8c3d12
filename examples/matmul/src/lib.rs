//! Products of matrices. A block computes a tile of 16 by 16: it goes along a row of tiles of the
//! left matrix and down a column of tiles of the right one, and has two tiles in shared memory at a
//! time. No line of it computes an index.

use obsidian_rt::prelude::*;

/// The product, in tiles.
#[kernels(built)]
pub mod products {
    /// The product of two tiles, which are stored first: each of their elements is read 16 times.
    pub fn of_tiles(left: Pull2<EF32>, right: Pull2<EF32>) -> Program<Block, Pull2<EF32>> {
        let left = compute2(left)?;
        let right = compute2(right)?;
        let dot = |y: EU32, x: EU32| {
            fold1(
                |a, b| a + b,
                zip_with(|a, b| a * b, left.row(y), right.column(x)),
            )
            .first()
        };
        pure(generate2(left.height(), right.width(), dot))
    }

    /// The sum of the products of a row and a column of tiles.
    pub fn of_lines(
        left: DPull<Pull2<EF32>>,
        right: DPull<Pull2<EF32>>,
    ) -> Program<Block, Push2<Block, EF32>> {
        let nothing = generate2(16, 16, |_, _| lit(0.0f32));
        let sums = accumulate2(|a, b| a + b, nothing, zip_with(of_tiles, left, right))?;
        pure(sums.push())
    }

    /// The product of a matrix in rows of `inner` elements and one of `inner` rows of `width`; all
    /// three sizes are multiples of 16, which the launch checks.
    #[kernel(threads = 256)]
    pub fn matmul(
        inner: EU32,
        width: EU32,
        left: DPull<EF32>,
        right: DPull<EF32>,
    ) -> DPush<Grid, EF32> {
        let rows = left.in_rows(inner).tiles(16, 16).rows();
        let columns = right.as_2d(inner, width).tiles(16, 16).columns();
        let tiles = generate2(rows.len(), columns.len(), |y, x| {
            exec_block2(of_lines(rows[y], columns[x]))
        });
        tiles.as_grid().flat()
    }
}

/// The product in double precision, and for each element the sum of the sizes of its terms, of
/// which an error is a part.
pub fn reference(left: &[f32], right: &[f32], inner: usize, width: usize) -> Vec<(f64, f64)> {
    let height = left.len().checked_div(inner).unwrap_or(0);
    let element = |i: usize| {
        let terms = (0..inner).map(|k| {
            f64::from(left[i / width * inner + k]) * f64::from(right[k * width + i % width])
        });
        terms.fold((0.0, 0.0), |(sum, size), term| {
            (sum + term, size + term.abs())
        })
    };
    (0..height * width).map(element).collect()
}

/// The largest error of a product, in units of what rounding every addition may give; up to 1 is
/// right.
pub fn error(found: &[f32], exact: &[(f64, f64)], inner: usize) -> f64 {
    let bound = |size: f64| size * inner as f64 * f64::from(f32::EPSILON) + f64::MIN_POSITIVE;
    found
        .iter()
        .zip(exact)
        .map(|(found, (exact, size))| (f64::from(*found) - exact).abs() / bound(*size))
        .fold(0.0, f64::max)
}

/// A matrix whose elements are no integers, of both signs.
pub fn matrix(elements: usize, seed: usize) -> Vec<f32> {
    (0..elements)
        .map(|i| ((i * 7919 + seed * 104_729) % 2003) as f32 / 700.0 - 1.4)
        .collect()
}
