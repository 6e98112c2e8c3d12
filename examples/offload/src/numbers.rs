//! Prices of options, products of matrices, bodies that attract each other, and searches in a tree.

use obsidian_rt::prelude::*;

/// Numbers: each range gives one result, or the parts of it.
#[kernels]
pub mod compute {
    /// The cumulative distribution of the normal distribution, by a polynomial of degree five (Abramowitz and Stegun, 26.2.17).
    #[device]
    pub fn normal(x: f32) -> f32 {
        let k = 1.0 / (1.0 + 0.231_641_9 * x.abs());
        let poly = 1.781_477_9 + k * (-1.821_256 + k * 1.330_274_4);
        let poly = k * (0.319_381_54 + k * (-0.356_563_78 + k * poly));
        let tail = 0.398_942_3 * (-0.5 * x * x).exp() * poly;
        if x > 0.0 { 1.0 - tail } else { tail }
    }

    /// The prices of a European call and put, by Black and Scholes.
    #[device(range)]
    pub fn options(
        i: usize,
        rate: f32,
        volatility: f32,
        spots: &[f32],
        strikes: &[f32],
        years: &[f32],
    ) -> (f32, f32) {
        let (spot, strike, years) = (spots[i], strikes[i], years[i]);
        let spread = volatility * years.sqrt();
        let drift = (rate + 0.5 * volatility * volatility) * years;
        let d1 = ((spot / strike).ln() + drift) / spread;
        let d2 = d1 - spread;
        let discounted = strike * (-rate * years).exp();
        let call = spot * normal(d1) - discounted * normal(d2);
        let put = discounted * normal(-d2) - spot * normal(-d1);
        (call, put)
    }

    /// An element of the product of two matrices, stored by rows; `n` is the width of the first.
    #[device(range)]
    pub fn product(
        (row, column): (usize, usize),
        n: usize,
        width: usize,
        a: &[f32],
        b: &[f32],
    ) -> f32 {
        let mut sum = 0.0;
        for k in 0..n {
            sum += a[row * n + k] * b[k * width + column];
        }
        sum
    }

    /// A place or an acceleration.
    #[derive(Clone, Copy, Debug, PartialEq, Element)]
    pub struct Vector {
        /// To the right.
        pub x: f32,
        /// Upwards.
        pub y: f32,
        /// To the viewer.
        pub z: f32,
    }

    /// A body; an array of them has four buffers on a device.
    #[derive(Clone, Copy, Debug, PartialEq, Element)]
    pub struct Body {
        /// Its place.
        pub at: Vector,
        /// Its mass.
        pub mass: f32,
    }

    /// The acceleration of a body by all others.
    #[device(range)]
    pub fn pull(i: usize, softening: f32, bodies: &[Body]) -> Vector {
        let Vector { x, y, z } = bodies[i].at;
        let mut sum = Vector {
            x: 0.0,
            y: 0.0,
            z: 0.0,
        };
        for other in bodies {
            let (dx, dy, dz) = (other.at.x - x, other.at.y - y, other.at.z - z);
            let square = dx * dx + dy * dy + dz * dz + softening;
            let pull = other.mass / (square * square.sqrt());
            sum.x += pull * dx;
            sum.y += pull * dy;
            sum.z += pull * dz;
        }
        sum
    }

    /// The depth at which a key stands in a binary search tree, from 1; 0 if it is not there. Behind node `n` come `2n + 1` and `2n + 2`.
    #[device(range)]
    pub fn search(i: usize, tree: &[u32], keys: &[u32]) -> u32 {
        let (key, mut node, mut depth) = (keys[i], 0, 1);
        while node < tree.len() {
            let here = tree[node];
            if here == key {
                return depth;
            }
            node = 2 * node + if key < here { 1 } else { 2 };
            depth += 1;
        }
        0
    }
}
