//! Transposes, step by step: straight, through shared memory, through shared memory with a
//! pitch that avoids bank conflicts, and in registers. No line of it computes an index.
//!
//! | transpose | instructions an element (sm_90) | sectors of 32 bytes, 256 x 320 | bank conflicts |
//! |---|---|---|---|
//! | [`transposes::straight()`] | 11.00 | 92,160 | 0 |
//! | [`transposes::in_tiles()`] | 17.75 | 20,480 | 79,360 |
//! | [`transposes::with_pitch()`] | 18.25 | 20,480 | 0 |
//! | [`transposes::in_whole_tiles()`] | 4.44 | 20,480 | 0 |
//!
//! The last one takes matrices of whole tiles alone, which need no comparisons. It has no barrier either.

use obsidian_rt::prelude::*;

/// The transposes. All but the last one take any number of rows and columns.
#[kernels(built)]
pub mod transposes {
    /// Reads rows and writes columns: neighbouring threads write elements that are far apart.
    #[kernel(threads = 256)]
    pub fn straight(width: EU32, input: DPull<EF32>) -> DPush<Grid, EF32> {
        let matrix = input.in_rows(width);
        matrix
            .cover(32, 32)
            .transpose()
            .as_grid_map(|tile| tile.push::<Block>().transpose())
            .crop(width, matrix.height())
            .flat()
    }

    /// A tile goes through shared memory, so that it is read in rows and written in rows.
    pub fn through(pitch: u32, tile: Pull2<EF32>) -> Program<Block, Push2<Block, EF32>> {
        let stored = compute_pitch(pitch, tile)?;
        pure(stored.transpose().push())
    }

    /// Through shared memory; the lanes of a warp read a column there, which lies in one bank.
    #[kernel(threads = 256)]
    pub fn in_tiles(width: EU32, input: DPull<EF32>) -> DPush<Grid, EF32> {
        let matrix = input.in_rows(width);
        matrix
            .cover(32, 32)
            .transpose()
            .as_grid_map(|tile| exec_block(through(32, tile)))
            .crop(width, matrix.height())
            .flat()
    }

    /// Rows that are 33 elements apart: a column lies in 32 banks.
    #[kernel(threads = 256)]
    pub fn with_pitch(width: EU32, input: DPull<EF32>) -> DPush<Grid, EF32> {
        let matrix = input.in_rows(width);
        matrix
            .cover(32, 32)
            .transpose()
            .as_grid_map(|tile| exec_block(through(33, tile)))
            .crop(width, matrix.height())
            .flat()
    }

    /// Four rows that a thread loads, and the four columns that it stores, each by one access.
    fn by_rows(tile: Pull2<EF32>) -> Program<Thread, Push2<Thread, EF32>> {
        let (a, b) = (hold(tile.row(0))?, hold(tile.row(1))?);
        let (c, d) = (hold(tile.row(2))?, hold(tile.row(3))?);
        let columns = zip(zip(a, b), zip(c, d)).push::<Thread>();
        pure(columns.unpair().unpair().in_rows(4))
    }

    /// In registers: each thread turns a tile of 4 by 4, without shared memory and without a barrier. The matrix is
    /// one of `down` by `across` tiles of 32 by 32, which the launch checks.
    #[kernel(threads = 64)]
    pub fn in_whole_tiles(down: EU32, across: EU32, input: DPull<EF32>) -> DPush<Grid, EF32> {
        input
            .as_2d(down * 32, across * 32)
            .tiles(32, 32)
            .transpose()
            .as_grid_map(|tile| {
                let tiles = tile.tiles(4, 4).transpose();
                tiles.as_block_map(|own| exec_thread(by_rows(own)))
            })
            .flat()
    }
}

/// The transpose of a matrix in rows of `width`: by [`transposes::in_whole_tiles()`] where both sides are multiples
/// of 32, by [`transposes::with_pitch()`] otherwise.
///
/// # Errors
/// What a launch reports.
pub fn transpose(
    device: &Device,
    width: u32,
    matrix: &Buffer<f32>,
) -> obsidian_rt::Result<Buffer<f32>> {
    let height = matrix.len().checked_div(width as usize).unwrap_or(0);
    match u32::try_from(height) {
        Ok(height) if height.is_multiple_of(32) && width.is_multiple_of(32) => {
            transposes::in_whole_tiles::launch(device, height / 32, width / 32, matrix)
        }
        _ => transposes::with_pitch::launch(device, width, matrix),
    }
}

/// The transpose of a matrix in rows of `width`.
pub fn reference(matrix: &[f32], width: usize) -> Vec<f32> {
    let height = matrix.len().checked_div(width).unwrap_or(0);
    (0..width * height)
        .map(|i| matrix[i % height * width + i / height])
        .collect()
}
