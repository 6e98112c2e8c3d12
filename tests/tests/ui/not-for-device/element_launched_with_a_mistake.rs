//! A mistake in a range that is launched: one error, and none at the launch.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[derive(Clone, Copy, Element)]
    pub struct Point {
        pub x: f32,
        pub y: f32,
    }

    #[device(range)]
    pub fn f(i: usize, points: &[Point]) -> Point {
        points[i].mirrored()
    }
}

fn main() -> Result<(), Error> {
    let points = [m::Point { x: 1.0, y: 2.0 }];
    let once = m::f::compute(&Device::cpu(), [1], (&points,))?;
    let twice = m::f::compute(&Device::cpu(), [1], (&once,))?.to_vec()?;
    assert_eq!(twice[0].x, m::f::compute_host([1], (&points,))?[0].x);
    Ok(())
}
