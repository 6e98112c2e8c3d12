//! Plain Rust functions that give one element each.

use obsidian_rt::prelude::*;

/// The cases as device functions.
#[kernels]
pub mod plain {
    /// The mean of the four neighbours of an inner point. The border stays.
    #[device(range)]
    pub fn jacobi((r, c): (usize, usize), h: usize, w: usize, x: &[f32]) -> f32 {
        let at = |r: usize, c: usize| x[r * w + c];
        if r == 0 || c == 0 || r + 1 == h || c + 1 == w {
            return at(r, c);
        }
        (at(r - 1, c) + at(r + 1, c) + at(r, c - 1) + at(r, c + 1)) * 0.25
    }

    /// The Laplace operator at a point of a cube, with zeros outside.
    #[device(range)]
    pub fn laplace((z, y, x): (usize, usize, usize), n: usize, cube: &[f32]) -> f32 {
        let at = |z: usize, y: usize, x: usize| cube[(z * n + y) * n + x];
        let mut sum = -6.0 * at(z, y, x);
        if z > 0 {
            sum += at(z - 1, y, x);
        }
        if z + 1 < n {
            sum += at(z + 1, y, x);
        }
        if y > 0 {
            sum += at(z, y - 1, x);
        }
        if y + 1 < n {
            sum += at(z, y + 1, x);
        }
        if x > 0 {
            sum += at(z, y, x - 1);
        }
        if x + 1 < n {
            sum += at(z, y, x + 1);
        }
        sum
    }

    /// A cell of the next generation of Conway's Life on a torus.
    #[device(range)]
    pub fn life((r, c): (usize, usize), h: usize, w: usize, x: &[u8]) -> u8 {
        let (up, down) = ((r + h - 1) % h, (r + 1) % h);
        let (left, right) = ((c + w - 1) % w, (c + 1) % w);
        let at = |r: usize, c: usize| x[r * w + c];
        let above = at(up, left) + at(up, c) + at(up, right);
        let below = at(down, left) + at(down, c) + at(down, right);
        let neighbours = above + below + at(r, left) + at(r, right);
        if neighbours == 3 || (neighbours == 2 && at(r, c) == 1) {
            1
        } else {
            0
        }
    }

    /// The steps, at most 256, until a point of the plane leaves the circle of radius 2.
    #[device(range)]
    pub fn mandelbrot((y, x): (usize, usize), height: usize, width: usize) -> u32 {
        let re = -2.0 + x as f32 * (3.2 / width as f32);
        let im = -1.2 + y as f32 * (2.4 / height as f32);
        let (mut a, mut b, mut n) = (0.0f32, 0.0f32, 0u32);
        while a * a + b * b <= 4.0 && n < 256 {
            let next = a * a - b * b + re;
            b = a * b * 2.0 + im;
            a = next;
            n += 1;
        }
        n
    }

    /// A force.
    #[derive(Clone, Copy, Debug, PartialEq, Element)]
    pub struct Force {
        /// Along the first axis.
        pub x: f32,
        /// Along the second.
        pub y: f32,
        /// Along the third.
        pub z: f32,
    }

    /// The force on a body, of bodies of position and mass.
    #[device(range)]
    pub fn force(i: usize, bodies: &[(f32, f32, f32, f32)]) -> Force {
        let (x, y, z, _) = bodies[i];
        let mut sum = Force {
            x: 0.0,
            y: 0.0,
            z: 0.0,
        };
        for j in 0..bodies.len() {
            let (a, b, c, mass) = bodies[j];
            let (dx, dy, dz) = (a - x, b - y, c - z);
            let square = dx * dx + dy * dy + dz * dz + 1e-3;
            let strength = mass / (square * square.sqrt());
            sum.x += dx * strength;
            sum.y += dy * strength;
            sum.z += dz * strength;
        }
        sum
    }

    /// A row of a sparse matrix times a vector.
    #[device(range)]
    pub fn sparse(row: usize, offsets: &[u32], columns: &[u32], values: &[f32], v: &[f32]) -> f32 {
        let mut sum = 0.0;
        for k in offsets[row] as usize..offsets[row + 1] as usize {
            sum += values[k] * v[columns[k] as usize];
        }
        sum
    }

    /// The nearest of `ys`, of 16 coordinates each, to a point of `xs`.
    #[device(range)]
    pub fn nearest(i: usize, xs: &[f32], ys: &[f32]) -> u32 {
        let (mut least, mut at) = (f32::INFINITY, 0u32);
        for j in 0..ys.len() / 16 {
            let mut square = 0.0f32;
            for k in 0..16 {
                let d = xs[i * 16 + k] - ys[j * 16 + k];
                square += d * d;
            }
            if square < least {
                least = square;
                at = j as u32;
            }
        }
        at
    }

    /// A number of the table's row that an id names.
    #[device(range)]
    pub fn embedded((i, k): (usize, usize), width: usize, ids: &[u32], table: &[f32]) -> f32 {
        table[ids[i] as usize * width + k]
    }
}
