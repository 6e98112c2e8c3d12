//! The paper's Table 1: square pictures of five sizes by six numbers of threads, a block for each
//! row.

use mandelbrot::reference_row;
use obsidian_rt::explore::{Candidate, Point, Space, Trial};
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

/// The 30 points.
pub fn space() -> Space {
    Space::new()
        .powers_of_two("size", 256..=4096)
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

/// A picture. A prediction counts some of its rows, in the same distance from each other from the
/// top to the bottom.
///
/// # Errors
/// Where the kernel cannot be built.
pub fn candidate(point: &Point) -> obsidian_rt::Result<Candidate> {
    let size = point.u32("size")?;
    let kernel = kernel(size, point.u32("threads")?)?;
    let value = kernel.kernel().clone();
    Ok(
        Candidate::new().launch(&value, size.into(), move |_, count| {
            let (kernel, count) = (kernel.clone(), count as u32);
            let apart = size / count.max(1);
            let row = |i: u32| {
                reference_row(
                    size as usize,
                    size as usize,
                    (i * apart + apart / 2) as usize,
                )
            };
            let expected: Vec<u8> = (0..count).flat_map(row).collect();
            Ok(Trial::new(
                move |device| kernel.launch(device, (count, apart)),
                move |picture| Ok(picture.to_vec()? == expected),
            ))
        }),
    )
}
