//! The Mandelbrot set (section 6.1 of the paper), at any height and width, in tiles of 8 by 32
//! points.

use obsidian_rt::prelude::*;

/// The picture.
#[kernels(built)]
pub mod pictures {
    /// One step of a point's orbit, and the number of steps.
    pub fn step(cx: EF32, cy: EF32, state: (EF32, EF32, EU32)) -> (EF32, EF32, EU32) {
        let (x, y, steps) = state;
        (x * x - y * y + cx, 2.0f32 * x * y + cy, steps + 1)
    }

    /// Is the point still near, and has it steps left?
    pub fn going(state: (EF32, EF32, EU32)) -> EBool {
        let (x, y, steps) = state;
        (x * x + y * y < 4.0f32) & (steps < 512)
    }

    /// The colour of a point: the number of its steps, modulo 16, in shades of grey.
    pub fn colour(cx: EF32, cy: EF32) -> Program<Thread, EU8> {
        let last = seq_until(
            |state| step(cx, cy, state),
            going,
            (lit(0.0f32), lit(0.0f32), lit(1u32)),
        )?;
        pure(((last.2 % 16) as u8) * 16)
    }

    /// The part of the plane from -2 to 1.2 and from -1.2 to 1.2, as so many rows of so many
    /// points.
    #[kernel(threads = 256)]
    pub fn picture(height: EU32, width: EU32) -> DPush<Grid, EU8> {
        let (dx, dy) = (3.2f32 / width as f32, 2.4f32 / height as f32);
        let points = generate((height, width), |(y, x)| {
            exec_thread_value(colour(-2.0f32 + x as f32 * dx, 1.2f32 - y as f32 * dy)).as_2d(1, 1)
        });
        points
            .cover(8, 32)
            .as_grid_map(|tile| tile.as_block())
            .crop(height, width)
            .flat()
    }
}

/// The picture in plain Rust.
pub fn reference(height: usize, width: usize) -> Vec<u8> {
    (0..height)
        .flat_map(|row| reference_row(height, width, row))
        .collect()
}

/// One row of the picture in plain Rust.
pub fn reference_row(height: usize, width: usize, row: usize) -> Vec<u8> {
    let (dx, dy) = (3.2f32 / width as f32, 2.4f32 / height as f32);
    let colour = |column: usize| {
        let (cx, cy) = (-2.0f32 + column as f32 * dx, 1.2f32 - row as f32 * dy);
        let (mut x, mut y, mut steps) = (0.0f32, 0.0f32, 1u32);
        while x * x + y * y < 4.0 && steps < 512 {
            (x, y) = (x * x - y * y + cx, 2.0 * x * y + cy);
            steps += 1;
        }
        (steps % 16) as u8 * 16
    };
    (0..width).map(colour).collect()
}
