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
    /// Each warp puts its piece in order by places and counts.
    #[kernel(threads = 96)]
    pub fn by_warps(x: DPull<EU32>) -> DPush<Grid, (EU32, EU32)> {
        x.split_up(300).as_grid_map(|piece| {
            piece.split_up(100).as_block_map(|run| {
                exec_warp(rank_by_digit(3, run).and_then(|(places, counts)| {
                    let sorted = mk_push(100, |write| for_all(100, |i| write(run[i], places[i])));
                    compute(sorted).map(|sorted| sorted.map(|x| (x, counts[x & 7])).push())
                }))
            })
        })
    }
    /// A thread has a piece of its own.
    #[kernel(threads = 33)]
    pub fn by_threads(x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.split_up(60).as_grid_map(|piece| {
            piece.split_up(12).as_block_map(|run| {
                exec_thread(
                    rank_by_digit(2, run).map(|(places, counts)| append(places, counts).push()),
                )
            })
        })
    }
    /// Ranks of elements, and of what has been put in order by them.
    #[kernel(threads = 1024)]
    pub fn twice(x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.split_up(2500).as_grid_map(|piece| {
            let both = || {
                let (places, counts) = rank_by_digit(8, piece)?;
                let sorted = mk_push(2500, |write| for_all(2500, |i| write(piece[i], places[i])));
                let sorted = compute(sorted)?;
                let (again, others) = rank_by_digit(8, sorted.map(|x| x ^ 85))?;
                let with = |i, place| place * 3 + counts[i % 256] * others[i % 256];
                pure(generate(2500, |i| with(i, again[i])).push())
            };
            exec_block(both())
        })
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

#[test]
fn ranks_of_warps() {
    hold(
        &m::by_warps::kernel(),
        m::by_warps::CUDA,
        [0, 1, 3].map(|n| samples::<u32>(n * 300)),
        |device, x| m::by_warps::launch(device, &device.upload(x)?),
        |x: &Vec<u32>| {
            let mut all = x.clone();
            let mut counts = Vec::new();
            for run in all.chunks_mut(100) {
                run.sort_by_key(|x| x & 7);
                counts.extend(
                    run.iter()
                        .map(|x| run.iter().filter(|y| *y & 7 == x & 7).count() as u32),
                );
            }
            (all, counts)
        },
    );
}

#[test]
fn ranks_of_threads() {
    hold(
        &m::by_threads::kernel(),
        m::by_threads::CUDA,
        [0, 1, 7].map(|n| samples::<u32>(n * 60)),
        |device, x| m::by_threads::launch(device, &device.upload(x)?),
        |x: &Vec<u32>| {
            let each = |run: &[u32]| {
                let counts = (0..4).map(|d| run.iter().filter(|x| *x & 3 == d).count() as u32);
                places(run, |x| x & 3)
                    .into_iter()
                    .chain(counts)
                    .collect::<Vec<_>>()
            };
            x.chunks(12).flat_map(each).collect()
        },
    );
}

#[test]
fn ranks_of_what_has_been_ranked() {
    hold(
        &m::twice::kernel(),
        m::twice::CUDA,
        [0, 1, 2].map(|n| samples::<u32>(n * 2500)),
        |device, x| m::twice::launch(device, &device.upload(x)?),
        |x: &Vec<u32>| {
            let counts =
                |list: &[u32], d: u32| list.iter().filter(|x| *x & 255 == d).count() as u32;
            let each = |run: &[u32]| {
                let mut sorted = run.to_vec();
                sorted.sort_by_key(|x| x & 255);
                let others: Vec<u32> = sorted.iter().map(|x| x ^ 85).collect();
                let again = places(&others, |x| x & 255);
                let with = |(i, place): (u32, u32)| {
                    place * 3 + counts(run, i % 256) * counts(&others, i % 256)
                };
                (0..).zip(again).map(with).collect::<Vec<_>>()
            };
            x.chunks(2500).flat_map(each).collect()
        },
    );
}
