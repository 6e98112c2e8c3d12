//! A range that is given elements of another type.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[derive(Clone, Copy, Element)]
    pub struct Point {
        pub x: f32,
        pub y: f32,
    }

    #[device(range)]
    pub fn f(i: usize, points: &[Point]) -> f32 {
        points[i].x
    }
}

fn main() -> Result<(), Error> {
    m::f::compute(&Device::cpu(), [1], (&[(1.0f32, 2.0f32)],))?;
    Ok(())
}
