//! Arrays of three axes: planes of rows of columns, here 2 of 3 of 4.
//!
//! Native build and expansion give one text, and every device gives the reference's result.

use obsidian_rt::prelude::*;
use obsidian_tests::fact;

#[kernels]
mod volumes {
    fn volumes(input: DPull<EU32>, f: impl Fn(Pull3<EU32>) -> Pull3<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(24)
            .as_grid_map(|a| f(a.as_3d(2, 3, 4)).push().flat())
    }

    #[kernel(threads = 32)]
    pub fn same(input: DPull<EU32>) -> DPush<Grid, EU32> {
        volumes(input, |m| m)
    }

    #[kernel(threads = 32)]
    pub fn places(input: DPull<EU32>) -> DPush<Grid, EU32> {
        volumes(input, |m| {
            let places = generate((2, 3, 4), |(z, y, x)| z * 100 + y * 10 + x);
            zip_with(|m, place| m * 1000 + place, m, places)
        })
    }

    #[kernel(threads = 32)]
    pub fn reversed(input: DPull<EU32>) -> DPush<Grid, EU32> {
        volumes(input, |m| {
            let (depth, height, width) = m.shape();
            generate((depth, height, width), |(z, y, x)| {
                m[(depth - 1 - z, height - 1 - y, width - 1 - x)]
            })
        })
    }

    #[kernel(threads = 32)]
    pub fn axes_exchanged(input: DPull<EU32>) -> DPush<Grid, EU32> {
        volumes(input, |m| {
            generate((m.width(), m.depth(), m.height()), |(x, z, y)| {
                m.at((z, y, x))
            })
        })
    }

    #[kernel(threads = 32)]
    pub fn last_planes(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(24)
            .as_grid_map(|a| a.as_3d(2, 3, 4).plane(1).transpose().flat().push())
    }

    #[kernel(threads = 32)]
    pub fn planes_one_after_another(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(24).as_grid_map(|a| {
            let planes = a.push().as_3d(2, 3, 4).map(|x| x + 1).flat();
            let twice = a.as_3d(2, 3, 4).planes();
            append(planes, twice.as_block_map(|p| p.flat().push::<Thread>()))
        })
    }

    #[kernel(threads = 32)]
    pub fn what_both_have(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(24).as_grid_map(|a| {
            let (thin, flat) = (a.as_3d(2, 3, 4).set_size((2, 3, 2)), a.as_3d(4, 2, 3));
            zip_with_shortest(|x, y| x * 1000 + y, thin, flat)
                .flat()
                .push()
        })
    }
}

/// What threads, warps, blocks and the grid do with parts of three axes.
#[kernels]
mod parts {
    fn reversed<L: Compute>(part: Pull3<EU32>) -> Program<L, Push3<L, EU32>> {
        let kept = compute(part)?;
        let (depth, height, width) = kept.shape();
        let reversed = generate((depth, height, width), |(z, y, x)| {
            kept.at((depth - 1 - z, height - 1 - y, width - 1 - x))
        });
        pure(reversed.push())
    }

    /// The planes, each as an array of three axes.
    fn planes(m: Pull3<EU32>) -> Pull3<Pull3<EU32>> {
        generate((m.depth(), 1, 1), |(z, _, _)| {
            generate((1, m.height(), m.width()), |(_, y, x)| m.at((z, y, x)))
        })
    }

    #[kernel(threads = 64)]
    pub fn of_threads(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(24).as_grid_map(|a| {
            planes(a.as_3d(2, 3, 4))
                .as_block_map(|p| exec_thread(reversed(p)))
                .flat()
        })
    }

    #[kernel(threads = 64)]
    pub fn of_warps(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(24).as_grid_map(|a| {
            planes(a.as_3d(2, 3, 4))
                .as_block_map(|p| exec_warp(reversed(p)))
                .flat()
        })
    }

    #[kernel(threads = 64)]
    pub fn of_threads_in_warps(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(24).as_grid_map(|a| {
            let halves = generate((1, 1, 2), |(_, _, half)| {
                generate((2, 3, 2), |(z, y, x)| {
                    a.as_3d(2, 3, 4).at((z, y, half * 2 + x))
                })
            });
            halves
                .as_block_map(|half| planes(half).as_warp_map(|p| exec_thread(reversed(p))))
                .flat()
        })
    }

    #[kernel(threads = 64)]
    pub fn of_one_thread(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(24).as_grid_map(|a| {
            let one = generate((1, 1, 1), |_| a.as_3d(2, 3, 4));
            one.as_block_map(|m| planes(m).as_thread_map(|p| exec(reversed(p))))
                .flat()
        })
    }

    /// A depth that is known at launch.
    #[kernel(threads = 64)]
    pub fn of_blocks(input: DPull<EU32>) -> DPush<Grid, EU32> {
        let m = input.as_3d(input.len() / 12, 3, 4);
        let planes = generate((m.depth(), lit(1), lit(1)), |(z, _, _)| {
            generate((1, 3, 4), |(_, y, x)| m.at((z, y, x)))
        });
        planes.as_grid_map(|p| exec_block(reversed(p))).flat()
    }

    fn sums(m: Pull3<EU32>) -> Program<Block, Push3<Block, EU32>> {
        let rounds = m
            .planes()
            .map(|plane| compute(generate((1, 3, 4), |(_, y, x)| plane.at((y, x)))));
        let sums = accumulate(|x, y| x * 3 + y, replicate((1, 3, 4), lit(1u32)), rounds)?;
        pure(sums.push())
    }

    #[kernel(threads = 64)]
    pub fn accumulated(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(24)
            .as_grid_map(|a| exec_block(sums(a.as_3d(2, 3, 4))).flat())
    }

    fn written(m: Pull3<EU32>) -> Program<Block, Push<Block, EU32>> {
        let kept = new_shared_mutable(24, lit(0u32))?;
        for_all((2, 3, 4), |(z, y, x)| {
            kept.write((x * 3 + y) * 2 + z, m.at((z, y, x)))
        })?;
        pure(kept.push())
    }

    #[kernel(threads = 64)]
    pub fn of_a_loop(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(24)
            .as_grid_map(|a| exec_block(written(a.as_3d(2, 3, 4))))
    }
}

/// Each array of 24 elements by a function from its place in the result and the array.
fn each(x: &[u32], size: usize, f: impl Fn(usize, &[u32]) -> u32) -> Vec<u32> {
    let pieces = x.chunks(24);
    let all = pieces.flat_map(|m| (0..size).map(|i| f(i, m)).collect::<Vec<_>>());
    all.collect()
}

fn planes_reversed(x: &[u32]) -> Vec<u32> {
    each(x, 24, |i, m| m[i / 12 * 12 + 11 - i % 12])
}

fact!(planes_of_a_list: volumes::same[24](x: u32) == x);
fact!(elements_and_their_places: volumes::places[24](x: u32) == each(&x, 24, |i, m| {
    m[i] * 1000 + (i / 12 * 100 + i / 4 % 3 * 10 + i % 4) as u32
}));
fact!(all_axes_reversed: volumes::reversed[24](x: u32) == each(&x, 24, |i, m| m[23 - i]));
fact!(axes_in_another_order: volumes::axes_exchanged[24](x: u32) == each(&x, 24, |i, m| {
    let (x, z, y) = (i / 6, i / 3 % 2, i % 3);
    m[z * 12 + y * 4 + x]
}));
fact!(a_plane_is_a_matrix: volumes::last_planes[24](x: u32) == each(&x, 12, |i, m| m[12 + i % 3 * 4 + i / 3]));
fact!(a_push_array_has_planes: volumes::planes_one_after_another[24](x: u32) == each(&x, 48, |i, m| {
    m[i % 24] + u32::from(i < 24)
}));
fact!(the_shortest_along_each_axis: volumes::what_both_have[24](x: u32) == each(&x, 8, |i, m| {
    let (z, y, x) = (i / 4, i / 2 % 2, i % 2);
    m[z * 12 + y * 4 + x] * 1000 + m[z * 6 + y * 3 + x]
}));

fact!(planes_of_threads: parts::of_threads[24](x: u32) == planes_reversed(&x));
fact!(planes_of_warps: parts::of_warps[24](x: u32) == planes_reversed(&x));
fact!(planes_of_threads_in_warps: parts::of_threads_in_warps[24](x: u32) == each(&x, 24, |i, m| {
    let (z, y, half, x) = (i / 12, i / 4 % 3, i / 2 % 2, i % 2);
    m[z * 12 + (2 - y) * 4 + half * 2 + 1 - x]
}));
fact!(planes_of_one_thread: parts::of_one_thread[24](x: u32) == planes_reversed(&x));
fact!(planes_of_blocks: parts::of_blocks[12](x: u32) == x.chunks(12).flat_map(|p| p.iter().rev().copied()).collect::<Vec<_>>());
fact!(sums_of_planes: parts::accumulated[24](x: u32) == each(&x, 12, |i, m| {
    3u32.wrapping_add(m[i]).wrapping_mul(3).wrapping_add(m[12 + i])
}));
fact!(a_loop_over_three_axes: parts::of_a_loop[24](x: u32) == each(&x, 24, |i, m| {
    let (x, y, z) = (i / 6, i / 2 % 3, i % 2);
    m[z * 12 + y * 4 + x]
}));
