//! What a message says to write is accepted, and does what it says. Functions that look like kernels and are none give no warning, and leave
//! the names of their surroundings alone.

#![allow(missing_docs, clippy::unwrap_used)]
#![deny(warnings, unused)]
use obsidian_rt::prelude::*;

#[kernels]
mod kernels {
    // Helpers with the signatures of kernels: one that a kernel calls, and two that Rust code names.
    pub fn doubled(x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.split_up(64)
            .as_grid_map(|chunk| chunk.map(|x| x * 2).push())
    }

    pub fn tripled(x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.split_up(64)
            .as_grid_map(|chunk| chunk.map(|x| x * 3).push())
    }

    pub(crate) fn total(x: Arr1<EU32>) -> Arr0<EU32> {
        x.sum()
    }

    #[kernel(threads = 64)]
    pub fn twice(x: DPull<EU32>) -> DPush<Grid, EU32> {
        doubled(x)
    }

    fn weighted(chunk: Pull<EU32>, dy: u32) -> EU32 {
        chunk[dy]
    }

    // `as u32` and `as usize`, where a message says so.
    #[kernel(threads = 64)]
    pub fn cast(x: DPull<EU32>) -> DPush<Grid, EU32> {
        let weights = [1_u32, 2, 3];
        let places = vec![0_u32, 1, 2];
        x.split_up(64).as_grid_map(|chunk| {
            let mut sum = chunk[places.len() as u32];
            for dy in 0..3 {
                sum = sum + weights[dy] * weighted(chunk, dy as u32);
            }
            for dy in 0..3 {
                sum = sum + weights[dy as usize] * weighted(chunk, dy);
            }
            chunk
                .take(places.len() as u32)
                .map(|x| x + sum + places.len() as u32)
                .push()
        })
    }

    fn step(sum: EU32, piece: Pull<EU32>) -> Program<Block, (EU32, Push<Block, EU32>)> {
        let sums = compute(inclusive_scan(|x, y| x + y, piece))?;
        pure((sum + sums[3], sums.map(|x| x + sum).push()))
    }

    // A literal as the state that `s_map_accum` begins with.
    #[kernel(threads = 64)]
    pub fn carried(x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.split_up(8)
            .as_grid_map(|x| s_map_accum(|sum, piece| step(sum, piece), 0, x.split_up(4)))
    }

    #[kernel(threads = 64)]
    pub fn pairs(x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.split_up(8).as_grid_map(|x| {
            s_map_accum(
                |(sum, n), piece| {
                    let stored = compute(piece)?;
                    let firsts = stored.map(|x| x + sum * n).push::<Block>();
                    pure(((sum + stored[0], n + 1), firsts))
                },
                (0, 1),
                x.split_up(4),
            )
        })
    }

    // Copies of a literal.
    #[kernel(threads = 64)]
    pub fn copies(x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.split_up(64).as_grid_map(|x| {
            let ones = replicate(64, 1);
            append(replicate(2, 0), zip_with(|x, y| x + y, x, ones)).push()
        })
    }
}

/// A module with the name of a function that is no kernel, which is brought in beside it.
mod tripled {
    pub const FACTOR: u32 = 3;
}
use kernels::*;

#[test]
fn helpers_are_functions_as_before() {
    let device = Device::cpu();
    let x = device.upload(&[tripled::FACTOR; 64]).unwrap();
    let built = TypedKernel::build("tripled", 64, kernels::tripled).unwrap();
    assert_eq!(
        built.launch(&device, &x).unwrap().to_vec().unwrap(),
        [9; 64]
    );
    assert_eq!(
        twice::launch(&device, &x).unwrap().to_vec().unwrap(),
        [6; 64]
    );
    let total = obsidian_rt::arrays::ArrayProgram::build("total", total).unwrap();
    let sum = total.run(&device, &device.array([2], &[1u32, 2]).unwrap());
    assert_eq!(sum.unwrap().value().unwrap(), 3);
}

#[test]
fn casts_as_the_messages_say() {
    for device in [Device::cpu(), Device::simulator()] {
        let x = device.upload(&(0..64).collect::<Vec<u32>>()).unwrap();
        let sum = 3 + 2 * (2 + 2 * 3);
        let result = cast::launch(&device, &x).unwrap().to_vec().unwrap();
        assert_eq!(result, [sum + 3, sum + 4, sum + 5]);
    }
}

#[test]
fn a_state_and_an_element_that_are_literals() {
    for device in [Device::cpu(), Device::simulator()] {
        let x = device.upload(&[1, 1, 1, 1, 2, 2, 2, 2]).unwrap();
        let sums = carried::launch(&device, &x).unwrap().to_vec().unwrap();
        assert_eq!(sums, [1, 2, 3, 4, 6, 8, 10, 12]);
        let pairs = pairs::launch(&device, &x).unwrap().to_vec().unwrap();
        assert_eq!(pairs, [1, 1, 1, 1, 4, 4, 4, 4]);
        let copies = copies::launch(&device, &device.upload(&[4; 64]).unwrap()).unwrap();
        assert_eq!(copies.to_vec().unwrap()[..4], [0, 0, 5, 5]);
    }
}
