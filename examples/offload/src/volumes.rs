//! Volumes: from projections, and to a picture.

use obsidian_rt::prelude::*;

/// Volumes and pictures: each range gives a voxel or a point.
#[kernels]
pub mod volume {
    /// A picture between its points, 0 outside.
    #[device]
    pub fn between(y: f32, x: f32, size: usize, first: usize, pictures: &[f32]) -> f32 {
        let last = (size - 1) as f32;
        if !(y >= 0.0 && x >= 0.0 && y < last && x < last) {
            return 0.0;
        }
        let (row, column) = (y as usize, x as usize);
        let (down, across) = (y - row as f32, x - column as f32);
        let at = |r: usize, c: usize| pictures[first + (row + r) * size + column + c];
        let above = at(0, 0) * (1.0 - across) + at(0, 1) * across;
        let below = at(1, 0) * (1.0 - across) + at(1, 1) * across;
        above * (1.0 - down) + below * down
    }

    /// A voxel from pictures that were taken from several angles around the axis `z`: what each of them has where the voxel is projected to.
    #[device(range)]
    pub fn project(
        (z, y, x): (usize, usize, usize),
        size: usize,
        cosines: &[f32],
        sines: &[f32],
        pictures: &[f32],
    ) -> f32 {
        let mid = (size - 1) as f32 / 2.0;
        let (dy, dx) = (y as f32 - mid, x as f32 - mid);
        let mut sum = 0.0;
        for (k, cosine) in cosines.iter().enumerate() {
            let across = dx * cosine + dy * sines[k] + mid;
            sum += between(z as f32, across, size, k * size * size, pictures);
        }
        sum
    }

    /// How much light a density takes, and how bright it is.
    #[device]
    pub fn matter(density: u8) -> (f32, f32) {
        match density {
            0..=39 => (0.0, 0.0),
            40..=99 => (0.02, 0.3),
            100..=179 => (0.1, 0.7),
            _ => (0.45, 1.0),
        }
    }

    /// A point of the picture of a cube of densities, along `z`: each ray ends where almost no light is left.
    #[device(range)]
    pub fn render((y, x): (usize, usize), size: usize, cube: &[u8]) -> u8 {
        let (mut light, mut seen, mut z) = (1.0f32, 0.0f32, 0);
        loop {
            if z == size || light < 0.01 {
                break;
            }
            let density = cube[(z * size + y) * size + x];
            z += 1;
            if density < 40 {
                continue;
            }
            let (takes, bright) = matter(density);
            seen += light * takes * bright * (1.0 - 0.5 * z as f32 / size as f32);
            light *= 1.0 - takes;
        }
        (seen * 255.0) as u8
    }
}
