//! The paper's Mandelbrot program, one block a row, at rows that are chosen from a picture of any size.

use obsidian_rt::prelude::*;

/// Rows of pictures.
#[kernels]
pub mod rows {
    /// One step of the orbit of the point in row `b` and column `t` of a picture of `size` rows and columns.
    pub fn step(size: u32, b: EF32, t: EF32, state: (EF32, EF32, EU32)) -> (EF32, EF32, EU32) {
        let (dp, dq) = (3.2f32 / (lit(size) as f32), 2.4f32 / (lit(size) as f32));
        let (x, y, steps) = state;
        (x * x - y * y + (-2.0f32 + t * dp), 2.0f32 * x * y + (1.2f32 - b * dq), steps + 1)
    }

    /// Is the point still near, and has it steps left?
    pub fn going(state: (EF32, EF32, EU32)) -> EBool {
        let (x, y, steps) = state;
        (x * x + y * y < 4.0f32) & (steps < 512)
    }

    /// The colour of a point.
    pub fn colour(size: u32, b: EF32, t: EF32) -> Program<Thread, EU8> {
        let orbit = seq_until(|s| step(size, b, t, s), going, (lit(0.0f32), lit(0.0f32), lit(1u32)));
        orbit.map(|s| ((s.2 % 16) as u8) * 16)
    }

    /// Every `apart`-th row, from half of that on: `count` of them.
    pub fn some_rows(size: u32, count: u32, apart: u32) -> DPush<Grid, EU8> {
        let row = move |i: EU32| {
            let b = (i * apart + apart / 2) as f32;
            mk_pull(size, |t| exec_thread_value(colour(size, b, t as f32))).as_block()
        };
        mk_pull(lit(count), row).as_grid()
    }
}
