//! The paper's Table 1: square pictures of five sizes by six numbers of threads, a block for each
//! row.

use mandelbrot::reference_row;
use obsidian_rt::explore::{Candidate, Job, Point, Space};
use obsidian_rt::language::{DPush, EU8, EU32, Grid};
use obsidian_rt::prelude::*;

/// The paper's program, whose blocks are rows.
#[kernels]
pub mod rows {
    use mandelbrot::pictures::going;

    /// One step of the orbit of the point in row `b` and column `t` of a picture of `size` rows and
    /// columns.
    pub fn step(size: u32, b: EF32, t: EF32, state: (EF32, EF32, EU32)) -> (EF32, EF32, EU32) {
        let (dp, dq) = (3.2f32 / (lit(size) as f32), 2.4f32 / (lit(size) as f32));
        let (x, y, steps) = state;
        (
            x * x - y * y + (-2.0f32 + t * dp),
            2.0f32 * x * y + (1.2f32 - b * dq),
            steps + 1,
        )
    }

    /// The colour of a point.
    pub fn colour(size: u32, b: EF32, t: EF32) -> Program<Thread, EU8> {
        let orbit = seq_until(
            |s| step(size, b, t, s),
            going,
            (lit(0.0f32), lit(0.0f32), lit(1u32)),
        );
        orbit.map(|s| ((s.2 % 16) as u8) * 16)
    }

    /// Of a picture of `size` rows and columns, every `apart`-th row, from half of that on: `count`
    /// of them.
    pub fn some_rows(size: u32, count: EU32, apart: EU32) -> DPush<Grid, EU8> {
        let row = move |i: EU32| {
            let b = (i * apart + apart / 2) as f32;
            mk_pull(size, |t| exec_thread_value(colour(size, b, t as f32))).as_block()
        };
        mk_pull(count, row).as_grid()
    }
}

/// The kernel: it is launched with a number of rows, and how far they are apart.
pub type Rows = TypedKernel<(EU32, EU32), DPush<Grid, EU8>>;

/// The 30 points; the size is given.
pub fn space() -> Space {
    Space::new()
        .given("size", [256u32, 512, 1024, 2048, 4096])
        .powers_of_two("threads", 32..=1024)
}

/// The kernel for pictures of a size.
///
/// # Errors
/// Where it cannot be built.
pub fn kernel(size: u32, threads: u32) -> obsidian_rt::Result<Rows> {
    TypedKernel::build("mandelbrot", threads, move |count: EU32, apart: EU32| {
        rows::some_rows(size, count, apart)
    })
}

/// A picture of a size: the colours, row by row.
///
/// # Errors
/// If the space has no size.
pub fn job(key: &Point) -> obsidian_rt::Result<Job<(u32, u32), Vec<u8>>> {
    let size = key.u32("size")?;
    Ok(Job::new((size, 1), move |_| {
        let size = size as usize;
        (0..size)
            .flat_map(|row| reference_row(size, size, row))
            .collect()
    }))
}

/// A picture, a block for each row.
///
/// # Errors
/// Where the kernel cannot be built.
pub fn candidate(point: &Point) -> obsidian_rt::Result<Candidate<(u32, u32), Vec<u8>>> {
    kernel(point.u32("size")?, point.u32("threads")?).map(Candidate::of)
}
