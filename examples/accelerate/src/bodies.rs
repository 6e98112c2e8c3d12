//! Forces between bodies, each with each: n^2 of them, which are stored nowhere.

use obsidian_rt::prelude::*;

pub use gravity::*;

/// The program.
#[kernels(built)]
pub mod gravity {
    /// What pulls at each of some bodies, by each of the others; a body is place and mass.
    #[arrays]
    pub fn accelerations(bodies: Arr1<(EF32, EF32, EF32, EF32)>) -> Arr1<(EF32, EF32, EF32)> {
        let n = bodies.len();
        let pulls = zip_with(pull, bodies.replicate_inner(n), bodies.replicate(n));
        pulls.fold(
            |(a, b, c), (x, y, z)| (a + x, b + y, c + z),
            (0.0, 0.0, 0.0),
        )
    }

    /// Two bodies at one place pull no more than at this distance, squared.
    const SOFTENING: f32 = 1e-3;

    fn pull(
        (x, y, z, _): (EF32, EF32, EF32, EF32),
        (a, b, c, mass): (EF32, EF32, EF32, EF32),
    ) -> (EF32, EF32, EF32) {
        let (dx, dy, dz) = (a - x, b - y, c - z);
        let square = dx * dx + dy * dy + dz * dz + SOFTENING;
        let force = mass / (square * square.sqrt());
        (dx * force, dy * force, dz * force)
    }
}
