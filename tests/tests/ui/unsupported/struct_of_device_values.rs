//! A struct of device values.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    pub struct Point {
        x: EF32,
        y: EF32,
    }

    #[kernel]
    pub fn k(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input.split_up(64).as_grid_map(|chunk| chunk.map(|x| Point { x, y: x }.x).push())
    }
}

fn main() {}

// Write `#[derive(Clone, Copy, Element)] pub struct Point { x: f32, y: f32 } #[device] fn first(x: f32) -> f32 { Point { x, y: x }.x }` in place of `pub struct Point { x: EF32, y: EF32, }`.
// Write `chunk.map(|x| first(x)).push()` in place of `chunk.map(|x| Point { x, y: x }.x).push()`.
