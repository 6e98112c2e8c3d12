//! Products of matrices, in two ways.
//!
//! In `matmul`, a block computes a tile of 16 by 16: it goes along a row of tiles of the left matrix and down a
//! column of tiles of the right one, and has two tiles in shared memory at a time. No line of it computes an
//! index. In `in_registers`, a block computes 128 by 128, and each thread holds 64 sums in registers, so that an
//! element in shared memory is read for eight products and not for one.

use obsidian_rt::prelude::*;

/// The product, in tiles.
#[kernels(built)]
pub mod products {
    /// The product of two tiles, which are stored first: each of their elements is read 16 times.
    pub fn of_tiles(left: Pull2<EF32>, right: Pull2<EF32>) -> Program<Block, Pull2<EF32>> {
        let left = compute(left)?;
        let right = compute(right)?;
        let dot = |(y, x): (EU32, EU32)| {
            fold1(
                |a, b| a + b,
                zip_with(|a, b| a * b, left.row(y), right.column(x)),
            )
            .first()
        };
        pure(generate((left.height(), right.width()), dot))
    }

    /// The sum of the products of a row and a column of tiles.
    pub fn of_lines(
        left: DPull<Pull2<EF32>>,
        right: DPull<Pull2<EF32>>,
    ) -> Program<Block, Push2<Block, EF32>> {
        let nothing = generate((16, 16), |(_, _)| lit(0.0f32));
        let sums = accumulate(|a, b| a + b, nothing, zip_with(of_tiles, left, right))?;
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
        let tiles = generate((rows.len(), columns.len()), |(y, x)| {
            exec_block(of_lines(rows[y], columns[x]))
        });
        tiles.as_grid().flat()
    }

    /// The row, in a tile of 128 by 128, of sum `e` of 16,384: thread `e % 256` holds eight rows,
    /// twice four neighbours.
    fn row_of(e: EU32) -> EU32 {
        e / 8192 * 64 + e / 16 % 16 * 4 + e / 2048 % 4
    }

    /// Its column: twice four neighbours, 64 apart, which one load takes.
    fn column_of(e: EU32) -> EU32 {
        e / 1024 % 2 * 64 + e % 16 * 4 + e / 256 % 4
    }

    /// The sums of a tile of 128 by 128, which go on over eight columns of the left matrix and eight
    /// rows of the right one.
    fn more_sums(
        sums: Pull<EF32>,
        left: Pull2<EF32>,
        right: Pull2<EF32>,
    ) -> Program<Block, Pull<EF32>> {
        // By columns, so that one load takes four of their elements.
        let left = compute(left.flat().push().ix_map(|i| i % 8 * 128 + i / 8))?;
        let right = compute(right.flat())?;
        pure(generate(16384, |e| {
            (0u32..8).fold(sums[e], |sum, k| {
                left[row_of(e) + k * 128].mul_add(right[column_of(e) + k * 128], sum)
            })
        }))
    }

    /// A tile of 128 by 128 of a product.
    fn of_bands(
        depth: EU32,
        left: DPull<Pull2<EF32>>,
        right: DPull<Pull2<EF32>>,
    ) -> Program<Block, Push2<Block, EF32>> {
        let zeros: Pull<EF32> = replicate(16384, lit(0.0));
        let sums = tiles_fold(
            iota(depth),
            1,
            zeros,
            |sums, steps| more_sums(sums, left[steps[0]], right[steps[0]]),
            |sums, _| pure(sums),
        )?;
        // The order in which threads hold the sums is one of all places of the tile. The compiler does not
        // prove it, and the simulator checks it.
        let placed = sums
            .push()
            .ix_map(|e| (row_of(e) * 128 + column_of(e)).unchecked().distinct());
        pure(placed.in_rows(128))
    }

    /// The product of a matrix in rows of `inner` elements and one of `inner` rows of `width`: 64 sums a thread,
    /// each in one register. The height and `width` are multiples of 128, and `inner` is one of 8, which the
    /// launch checks.
    #[kernel(threads = 256)]
    pub fn in_registers(
        inner: EU32,
        width: EU32,
        left: DPull<EF32>,
        right: DPull<EF32>,
    ) -> DPush<Grid, EF32> {
        let rows = left.in_rows(inner).tiles(128, 8).rows();
        let columns = right.as_2d(inner, width).tiles(8, 128).columns();
        let tiles = generate((rows.len(), columns.len()), |(y, x)| {
            exec_block(of_bands(inner / 8, rows[y], columns[x]))
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
