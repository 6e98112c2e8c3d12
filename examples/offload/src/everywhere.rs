//! One function of plain Rust at all places where it can be called: in a kernel, in a program over whole arrays, for each element of a
//! range, and on the host.

use obsidian_rt::prelude::*;

/// Brightnesses on a curve.
#[kernels]
pub mod tones {
    /// A brightness from 0 to 1, lifted in the shadows and rolled off in the highlights; outside it is clipped.
    #[device]
    pub fn toned(x: f32, shadows: f32) -> f32 {
        if x <= 0.0 {
            return 0.0;
        }
        let mut y = x;
        // Each step halves what is left up to 1.
        let mut left = shadows;
        while left > 0.1 {
            y += left * x * (1.0 - y) * 0.5;
            left *= 0.5;
        }
        if y > 1.0 { 1.0 } else { y }
    }

    /// A kernel: 256 brightnesses by each block.
    #[kernel(threads = 64)]
    pub fn of_kernel(xs: DPull<EF32>, shadows: EF32) -> DPush<Grid, EF32> {
        // A function with a loop is a program of one thread.
        let each = |x: EF32| exec_thread_value(toned(x, shadows));
        xs.split_up(256)
            .as_grid_map(|piece| piece.as_block_map(each))
    }

    /// A program over whole arrays: all brightnesses, and the brightest.
    #[arrays]
    pub fn of_arrays(xs: Arr1<EF32>, shadows: EF32) -> (Arr1<EF32>, Arr0<EF32>) {
        let toned = xs.map(|x| toned(x, shadows));
        (toned, toned.max())
    }

    /// A range: the brightness at each place of a picture.
    #[device(range)]
    pub fn of_range((y, x): (usize, usize), width: usize, shadows: f32, xs: &[f32]) -> f32 {
        toned(xs[y * width + x], shadows)
    }
}
