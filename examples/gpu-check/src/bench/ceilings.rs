//! Kernels that are there to be measured against: the most that a device copies and computes. And
//! one that takes time.

use obsidian_rt::prelude::*;

/// Reading and writing, arithmetic, and waiting.
#[kernels(built)]
pub mod ceilings {
    /// Each element, read and written once.
    #[kernel(threads = 256)]
    pub fn copy(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .chunks(4096, lit(0u32))
            .as_grid_map(|piece| piece.push::<Block>())
            .take(input.len())
    }

    /// A multiplication and an addition, which are not fused, in each of four chains; 16 times.
    pub fn links(state: (EF32, EF32, EF32, EF32, EU32)) -> (EF32, EF32, EF32, EF32, EU32) {
        let (mut a, mut b, mut c, mut d, round) = state;
        for _ in 0..16 {
            a = a * 0.999f32 + 0.001f32;
            b = b * 0.999f32 + 0.001f32;
            c = c * 0.999f32 + 0.001f32;
            d = d * 0.999f32 + 0.001f32;
        }
        (a, b, c, d, round + 1)
    }

    /// Four chains of 1,024 links from an element, added up.
    pub fn chains(x: EF32) -> Program<Thread, EF32> {
        let start = (x, x + 1.0f32, x + 2.0f32, x + 3.0f32, lit(0u32));
        let (a, b, c, d, _) = seq_until(links, |state| state.4 < 64, start)?;
        pure(a + b + c + d)
    }

    /// For each element 8,192 operations that touch no memory.
    #[kernel(threads = 256)]
    pub fn arithmetic(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input.split_up(256).as_grid_map(|piece| {
            piece
                .split_up(1)
                .as_block_map(|x| exec_thread_value(chains(x[0])))
        })
    }

    /// One step after the other, so many: the end of a sequence of numbers that look random.
    #[kernel(threads = 1)]
    pub fn delay(rounds: EU32, seeds: DPull<EU32>) -> DPush<Grid, EU32> {
        let step = |state: (EU32, EU32)| (state.0 * 1_664_525 + 1_013_904_223, state.1 + 1);
        let last = |seed: EU32| {
            seq_until(step, |state| state.1 < rounds, (seed, lit(0u32))).map(|state| state.0)
        };
        seeds.split_up(1).as_grid_map(|seed| {
            seed.split_up(1)
                .as_block_map(|seed| exec_thread_value(last(seed[0])))
        })
    }
}

/// Operations of [`ceilings::arithmetic()`] for an element.
pub const OPERATIONS: u64 = 8 * 1024;

/// What [`ceilings::arithmetic()`] gives for an element.
pub fn reference(x: f32) -> f32 {
    let chain = |start: f32| (0..1024).fold(start, |x, _| x * 0.999 + 0.001);
    chain(x) + chain(x + 1.0) + chain(x + 2.0) + chain(x + 3.0)
}
