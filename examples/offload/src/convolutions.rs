//! Convolutions of one and two dimensions, and the stencil of seven points in three.

use obsidian_rt::prelude::*;

/// Convolutions: each function gives a point.
#[kernels]
pub mod convolve {
    /// Weights of a row; a point of a picture has the product of two.
    const ROW: [f32; 5] = [0.0625, 0.25, 0.375, 0.25, 0.0625];

    /// One point of a convolution whose border is 0.
    #[device(range)]
    pub fn line(i: usize, weights: &[f32], input: &[f32]) -> f32 {
        let radius = weights.len() / 2;
        let mut sum = 0.0;
        for (k, weight) in weights.iter().enumerate() {
            let at = i + k;
            if at >= radius && at - radius < input.len() {
                sum += weight * input[at - radius];
            }
        }
        sum
    }

    /// A coordinate `i + k - 2`, kept inside of `0..n`.
    #[device]
    pub fn near(i: usize, k: usize, n: usize) -> usize {
        let at = i + k;
        if at < 2 {
            0
        } else if at - 2 < n {
            at - 2
        } else {
            n - 1
        }
    }

    /// 5 x 5 points, with weights from a slice.
    #[device(range)]
    pub fn naive(
        (y, x): (usize, usize),
        height: usize,
        width: usize,
        weights: &[f32],
        input: &[f32],
    ) -> f32 {
        let mut sum = 0.0;
        for dy in 0..5 {
            for dx in 0..5 {
                let at = near(y, dy, height) * width + near(x, dx, width);
                sum += weights[dy * 5 + dx] * input[at];
            }
        }
        sum
    }

    /// 5 x 5 points, with weights that are constants.
    #[device(range)]
    pub fn constant((y, x): (usize, usize), height: usize, width: usize, input: &[f32]) -> f32 {
        let mut sum = 0.0;
        for (dy, down) in ROW.iter().enumerate() {
            for (dx, across) in ROW.iter().enumerate() {
                let at = near(y, dy, height) * width + near(x, dx, width);
                sum += down * across * input[at];
            }
        }
        sum
    }

    /// 5 x 5 points, each row written out.
    #[device(range)]
    pub fn unrolled(
        (y, x): (usize, usize),
        height: usize,
        width: usize,
        weights: &[f32],
        input: &[f32],
    ) -> f32 {
        let mut sum = 0.0;
        for dy in 0..5 {
            let row = near(y, dy, height) * width;
            let at = |k: usize| weights[dy * 5 + k] * input[row + near(x, k, width)];
            sum += at(0);
            sum += at(1);
            sum += at(2);
            sum += at(3);
            sum += at(4);
        }
        sum
    }

    /// 5 x 5 points, each row written out with its weights as numbers.
    #[device(range)]
    pub fn specialised((y, x): (usize, usize), height: usize, width: usize, input: &[f32]) -> f32 {
        let row = |dy: usize| {
            let row = near(y, dy, height) * width;
            let at = |k: usize| input[row + near(x, k, width)];
            0.0625 * (at(0) + at(4)) + 0.25 * (at(1) + at(3)) + 0.375 * at(2)
        };
        0.0625 * (row(0) + row(4)) + 0.25 * (row(1) + row(3)) + 0.375 * row(2)
    }

    /// A point of three dimensions and its six neighbours; the border stays as it is.
    #[device(range)]
    pub fn seven(
        (z, y, x): (usize, usize, usize),
        depth: usize,
        height: usize,
        width: usize,
        input: &[f32],
    ) -> f32 {
        let at = |z: usize, y: usize, x: usize| input[(z * height + y) * width + x];
        let mid = at(z, y, x);
        if z == 0 || y == 0 || x == 0 || z + 1 == depth || y + 1 == height || x + 1 == width {
            return mid;
        }
        let around = at(z - 1, y, x) + at(z + 1, y, x) + at(z, y - 1, x) + at(z, y + 1, x);
        around + at(z, y, x - 1) + at(z, y, x + 1) - 6.0 * mid
    }
}
