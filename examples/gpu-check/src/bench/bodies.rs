//! The pull of bodies on each other (softened gravity), all pairs of them: the work of the
//! benchmarks that computes much and reads little.

use obsidian_rt::prelude::*;

/// Pulls of bodies, which are places and masses.
#[kernels(built)]
pub mod bodies {
    /// Adds the pull of `other` on `own`.
    pub fn pulled(
        own: (EF32, EF32, EF32, EF32),
        other: (EF32, EF32, EF32, EF32),
        sum: (EF32, EF32, EF32),
    ) -> (EF32, EF32, EF32) {
        let (dx, dy, dz) = (other.0 - own.0, other.1 - own.1, other.2 - own.2);
        let square = dx.mul_add(dx, dy.mul_add(dy, dz.mul_add(dz, lit(1.0e-6f32))));
        let inverse = 1.0f32 / square.sqrt();
        let strength = other.3 * inverse * inverse * inverse;
        (
            dx.mul_add(strength, sum.0),
            dy.mul_add(strength, sum.1),
            dz.mul_add(strength, sum.2),
        )
    }

    /// The pull of a tile of bodies, which is stored first, on each of 256.
    pub fn of_tile(
        own: Pull<(EF32, EF32, EF32, EF32)>,
        tile: Pull<(EF32, EF32, EF32, EF32)>,
    ) -> Program<Block, Pull<(EF32, EF32, EF32)>> {
        let tile = compute(tile)?;
        let zero = lit(0.0f32);
        compute(own.as_block_map(|body| {
            exec_thread_value(seq_iterate(
                256,
                |i, sum| pulled(body, tile[i], sum),
                (zero, zero, zero),
            ))
        }))
    }

    /// The pull of all bodies on each: 256 a block, which goes through all of them in tiles of 256.
    #[kernel(threads = 256)]
    pub fn accelerations(
        bodies: DPull<(EF32, EF32, EF32, EF32)>,
    ) -> DPush<Grid, (EF32, EF32, EF32)> {
        let zero = lit(0.0f32);
        let tiles = bodies.split_up(256);
        let add = |a: (EF32, EF32, EF32), b: (EF32, EF32, EF32)| (a.0 + b.0, a.1 + b.1, a.2 + b.2);
        tiles.as_grid_map(|own| {
            let nothing = replicate(256, (zero, zero, zero));
            exec_block(accumulate(
                add,
                nothing,
                tiles.map(|tile| of_tile(own, tile)),
            ))
        })
    }
}
