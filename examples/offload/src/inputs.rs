//! Inputs: the same in every run.

use crate::numbers::compute::{Body, Vector};

/// Numbers between 0 and 1.
#[must_use]
pub fn fractions(seed: u32, count: usize) -> Vec<f32> {
    let mut state = seed.wrapping_mul(2_654_435_769) | 1;
    let next = |_| {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        (state >> 8) as f32 / 16_777_216.0
    };
    (0..count).map(next).collect()
}

/// The numbers 0, 3, .. as a complete search tree of some depth, in the order of its rows.
#[must_use]
pub fn tree(depth: u32) -> Vec<u32> {
    let mut tree = vec![0; (1 << depth) - 1];
    let mut next = 0;
    fill(&mut tree, 0, &mut next);
    tree
}

fn fill(tree: &mut [u32], node: usize, next: &mut u32) {
    if node < tree.len() {
        fill(tree, 2 * node + 1, next);
        tree[node] = *next;
        *next += 3;
        fill(tree, 2 * node + 2, next);
    }
}

/// Bodies at places, and of masses, between 0 and 1.
#[must_use]
pub fn bodies(seed: u32, count: usize) -> Vec<Body> {
    let numbers = fractions(seed, 4 * count);
    let body = |b: &[f32]| Body {
        at: Vector {
            x: b[0],
            y: b[1],
            z: b[2],
        },
        mass: b[3],
    };
    numbers.chunks_exact(4).map(body).collect()
}

/// A cube of densities: two balls, one inside of the other, and a bar.
#[must_use]
pub fn cube(size: usize) -> Vec<u8> {
    let mid = size as f32 / 2.0;
    let point = |n: usize| {
        let (z, y, x) = (n / size / size, n / size % size, n % size);
        let (dz, dy, dx) = (z as f32 - mid, y as f32 - mid, x as f32 - mid);
        let distance = (dz * dz + dy * dy + dx * dx).sqrt() / mid;
        match distance {
            d if d < 0.3 => 220,
            d if d < 0.7 && d > 0.6 => 70,
            _ if dy.abs() < mid / 16.0 => 120,
            _ => 10,
        }
    };
    (0..size * size * size).map(point).collect()
}
