//! Radix ranks and stable sorts of 1,000 elements, and counts of numbers.

use crate::prelude::*;

#[kernels]
pub mod m {
    use obsidian_rt::algorithms::blocks::*;

    #[kernel(threads = 100)]
    pub fn rank(x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.split_up(1000).as_grid_map(|piece| {
            let ranks = || {
                let places = block_radix_rank(8, piece)?;
                pure(places.push())
            };
            exec_block(ranks())
        })
    }
    #[kernel(threads = 128)]
    pub fn rank_of_bits(x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.split_up(77).as_grid_map(|piece| {
            let ranks = || {
                let places = block_radix_rank(1, piece.map(|x| x >> 3))?;
                pure(places.push())
            };
            exec_block(ranks())
        })
    }
    /// By the lowest 10 bits of the first field.
    #[kernel(threads = 64)]
    pub fn sorted(x: DPull<(EU32, EF32)>) -> DPush<Grid, (EU32, EF32)> {
        x.split_up(300)
            .as_grid_map(|piece| exec_block(block_radix_sort(10, |x| x.0, piece)))
    }
    #[kernel(threads = 96)]
    pub fn counted(x: DPull<EU32>) -> DPush<Grid, EU32> {
        mk_push(lit(37), |write| {
            distr_par(1, |_| {
                let counts = block_histogram(37, x.map(|x| x % 50))?;
                counts.push_to(|n, bin| write(n, bin))
            })
        })
    }
}

fn places(x: &[u32], digit: impl Fn(u32) -> u32) -> Vec<u32> {
    let mut order: Vec<usize> = (0..x.len()).collect();
    order.sort_by_key(|i| digit(x[*i]));
    let mut places = vec![0; x.len()];
    for (place, i) in order.into_iter().enumerate() {
        places[i] = place as u32;
    }
    places
}

#[test]
fn ranks() {
    hold(
        &m::rank::kernel(),
        m::rank::CUDA,
        [0, 1, 3].map(|n| samples::<u32>(n * 1000)),
        |device, x| m::rank::launch(device, &device.upload(x)?),
        |x: &Vec<u32>| {
            x.chunks(1000)
                .flat_map(|c| places(c, |x| x & 255))
                .collect()
        },
    );
}

#[test]
fn ranks_by_a_bit() {
    hold(
        &m::rank_of_bits::kernel(),
        m::rank_of_bits::CUDA,
        [0, 1, 3].map(|n| samples::<u32>(n * 77)),
        |device, x| m::rank_of_bits::launch(device, &device.upload(x)?),
        |x: &Vec<u32>| {
            x.chunks(77)
                .flat_map(|c| places(c, |x| x >> 3 & 1))
                .collect()
        },
    );
}

#[test]
fn sorts() {
    hold(
        &m::sorted::kernel(),
        m::sorted::CUDA,
        [0, 1, 3].map(|n| (samples::<u32>(n * 300), small(n * 300))),
        |device, (x, y)| m::sorted::launch(device, (&device.upload(x)?, &device.upload(y)?)),
        |(x, y): &(Vec<u32>, Vec<f32>)| {
            let mut all: Vec<(u32, f32)> = x.iter().copied().zip(y.iter().copied()).collect();
            all.chunks_mut(300)
                .for_each(|c| c.sort_by_key(|x| x.0 & 1023));
            all.into_iter().unzip()
        },
    );
}

#[test]
fn counts() {
    hold(
        &m::counted::kernel(),
        m::counted::CUDA,
        SIZES.map(samples::<u32>),
        |device, x| m::counted::launch(device, &device.upload(x)?),
        |x: &Vec<u32>| {
            (0..37)
                .map(|bin| x.iter().filter(|x| *x % 50 == bin).count() as u32)
                .collect()
        },
    );
}
