//! Edges of a picture, by the method of Canny.
//!
//! 1. Each pixel becomes a shade of grey.
//! 2. A Gaussian blur of 5 by 5 takes away noise: the binomials 1 4 6 4 1, along rows and then along columns.
//! 3. Sobel's operator gives the gradient of each pixel.
//! 4. Non-maximum suppression: of pixels beside each other in the direction of the gradient, only the strongest stays, so that edges are thin.
//! 5. Two thresholds: a pixel above the high one is an edge, and one above the low one may be.
//! 6. Hysteresis: what may be an edge is one if it touches one, and so on until nothing changes. How often that takes, only a run knows.
//!
//! All numbers are whole: shades have 4 bits behind the point, and strengths are squares of the length of a gradient.

use obsidian_rt::prelude::*;

pub use pictures::*;

/// The programs. Each is a function, and a module with `run`, `run_into` and `schedule`.
#[kernels(built)]
pub mod pictures {
    /// A picture of red, green and blue in shades of grey, blurred: 16 for each shade.
    #[arrays]
    pub fn blurred(pixels: Arr2<(EU8, EU8, EU8)>) -> Arr2<EI32> {
        smooth(pixels)
    }

    /// The edges of a picture: 255, and 0 elsewhere. `low` and `high` are thresholds for gradients in shades of grey a pixel.
    #[arrays]
    pub fn edges(pixels: Arr2<(EU8, EU8, EU8)>, low: EU32, high: EU32) -> Arr2<EU8> {
        let thin = thinned(gradients(smooth(pixels)));
        let marked = thin.map(|strength| mark(strength, low, high));
        let (found, _) = awhile(
            (marked, unit(true)),
            |(_, is_changed)| is_changed,
            |(marks, _)| {
                let next = grown(marks);
                (next, zip_with(|a, b| a != b, marks, next).flatten().any())
            },
        );
        found.map(|mark| select(mark == STRONG, lit(255u8), lit(0u8)))
    }

    fn smooth(pixels: Arr2<(EU8, EU8, EU8)>) -> Arr2<EI32> {
        let grey = pixels.map(|(r, g, b)| (r as i32 * 77 + g as i32 * 150 + b as i32 * 29) >> 8);
        let rows = grey.stencil(Clamp, |w| {
            binomial(
                w.at((0, -2)),
                w.at((0, -1)),
                w.at((0, 0)),
                w.at((0, 1)),
                w.at((0, 2)),
            )
        });
        let both = rows.stencil(Clamp, |w| {
            binomial(
                w.at((-2, 0)),
                w.at((-1, 0)),
                w.at((0, 0)),
                w.at((1, 0)),
                w.at((2, 0)),
            )
        });
        both.map(|sum| sum >> 4)
    }

    fn binomial(a: EI32, b: EI32, c: EI32, d: EI32, e: EI32) -> EI32 {
        a + e + (b + d) * 4 + c * 6
    }

    /// The square of the length of each gradient, and its direction: 0 along a row, 1 along a column, 2 and 3 along the diagonals.
    fn gradients(shades: Arr2<EI32>) -> Arr2<(EU32, EU8)> {
        shades.stencil(Clamp, |w| {
            let left = w.at((-1, -1)) + w.at((0, -1)) * 2 + w.at((1, -1));
            let right = w.at((-1, 1)) + w.at((0, 1)) * 2 + w.at((1, 1));
            let above = w.at((-1, -1)) + w.at((-1, 0)) * 2 + w.at((-1, 1));
            let below = w.at((1, -1)) + w.at((1, 0)) * 2 + w.at((1, 1));
            let (dx, dy) = (right - left, below - above);
            // Up to a slope of 2/5, which are 22 degrees, a direction is that of an axis.
            let diagonal = select((dx > 0) == (dy > 0), lit(2u8), lit(3u8));
            let upright = select(dx.abs() * 5 <= dy.abs() * 2, lit(1u8), diagonal);
            let direction = select(dy.abs() * 5 <= dx.abs() * 2, lit(0u8), upright);
            ((dx * dx + dy * dy) as u32, direction)
        })
    }

    /// The strength where no neighbour in the direction of the gradient is stronger, and 0 elsewhere. Of equal neighbours the last one stays.
    fn thinned(gradients: Arr2<(EU32, EU8)>) -> Arr2<EU32> {
        gradients.stencil(Constant((0, 0)), |w| {
            let (strength, direction) = w.at((0, 0));
            let along = |dy, dx| (w.at((-dy, -dx)).0, w.at((dy, dx)).0);
            let ((a, b), (c, d)) = (along(0, 1), along(1, 0));
            let ((e, f), (g, h)) = (along(1, 1), along(1, -1));
            let of = |row, column, falling, rising| {
                select(
                    direction == 0,
                    row,
                    select(
                        direction == 1,
                        column,
                        select(direction == 2, falling, rising),
                    ),
                )
            };
            let (before, behind) = (of(a, c, e, g), of(b, d, f, h));
            select(
                (strength >= before) & (strength > behind),
                strength,
                lit(0u32),
            )
        })
    }

    /// What is no edge, what may be one, and what is one.
    const NONE: u8 = 0;
    const WEAK: u8 = 1;
    const STRONG: u8 = 2;

    /// A step of one shade from pixel to pixel has a gradient of 8 times 16.
    const SHADE: u32 = 128;

    fn mark(strength: EU32, low: EU32, high: EU32) -> EU8 {
        let is_above = |shades: EU32| strength >= shades * shades * (SHADE * SHADE);
        select(
            is_above(high),
            lit(STRONG),
            select(is_above(low), lit(WEAK), lit(NONE)),
        )
    }

    /// Edges, with what may be one and touches one.
    fn grown(marks: Arr2<EU8>) -> Arr2<EU8> {
        marks.stencil(Constant(0), |w| {
            let mut most = w.at((0, 0));
            for dy in [-1, 0, 1] {
                for dx in [-1, 0, 1] {
                    most = most.max(w.at((dy, dx)));
                }
            }
            select(w.at((0, 0)) == WEAK, most, w.at((0, 0)))
        })
    }
}
