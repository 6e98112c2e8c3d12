//! The Mandelbrot set: an array whose elements are loops.

use obsidian_rt::prelude::*;

pub use points::*;

/// The program.
#[kernels(built)]
pub mod points {
    /// After how many steps each point of a part of the plane leaves the circle of radius 2, and `limit` for those that do not. The part
    /// begins at `left` and `top`, and has points that are `step` apart.
    #[arrays]
    pub fn escapes(
        height: EU32,
        width: EU32,
        left: EF32,
        top: EF32,
        step: EF32,
        limit: EU32,
    ) -> Arr2<EU32> {
        generate((height, width), |(y, x)| {
            let re = left + x as f32 * step;
            let im = top + y as f32 * step;
            let steps = seq_until(
                |(a, b, n)| (a * a - b * b + re, a * b * 2.0 + im, n + 1),
                |(a, b, n)| (a * a + b * b <= 4.0) & (n < limit),
                (lit(0.0f32), lit(0.0f32), lit(0u32)),
            );
            steps.map(|(_, _, n)| n)
        })
    }
}
