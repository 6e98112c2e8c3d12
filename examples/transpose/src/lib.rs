//! Transposes, step by step: straight, through shared memory, and through shared memory with a
//! pitch that avoids bank conflicts. No line of it computes an index.

use obsidian_rt::prelude::*;

/// The three transposes, of any number of rows and columns.
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
        let stored = compute2_pitch(pitch, tile)?;
        pure(stored.transpose().push())
    }

    /// Through shared memory; the lanes of a warp read a column there, which lies in one bank.
    #[kernel(threads = 256)]
    pub fn in_tiles(width: EU32, input: DPull<EF32>) -> DPush<Grid, EF32> {
        let matrix = input.in_rows(width);
        matrix
            .cover(32, 32)
            .transpose()
            .as_grid_map(|tile| exec_block2(through(32, tile)))
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
            .as_grid_map(|tile| exec_block2(through(33, tile)))
            .crop(width, matrix.height())
            .flat()
    }
}

/// The transpose of a matrix in rows of `width`.
pub fn reference(matrix: &[f32], width: usize) -> Vec<f32> {
    let height = matrix.len().checked_div(width).unwrap_or(0);
    (0..width * height)
        .map(|i| matrix[i % height * width + i / height])
        .collect()
}
