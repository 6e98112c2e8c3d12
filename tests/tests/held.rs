//! Arrays in registers: `hold`, its layouts, what lanes read of each other, and loops over tiles.

#![allow(missing_docs)]

use obsidian_rt::kernels;
use obsidian_tests::fuzz::verdict::refusals;
use obsidian_tests::{devices, fact, keep, samples};

/// Kernels that hold arrays.
#[kernels]
mod held {
    fn add(a: EU32, b: EU32) -> EU32 {
        a + b
    }

    fn turned(run: Pull<EU32>) -> Program<Warp, Push<Warp, EU32>> {
        let mine = hold(run)?;
        let next = hold(generate(32, |i| mine[(i + 1) % 32] * 3 + mine[i ^ 5]))?;
        pure(generate(32, |i| next[31 - i] + mine[7]).push())
    }

    /// Lanes read each other in four ways.
    #[kernel(threads = 64)]
    pub fn lanes(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|block| {
            block
                .split_up(32)
                .as_block_map(|run| exec_warp(turned(run)))
        })
    }

    fn halves(run: Pull<EU32>) -> Program<Warp, Push<Warp, EU32>> {
        let a = hold(run)?;
        let b = hold(generate(16, |i| a[i] * 31 + a[i + 16]))?;
        let c = hold(generate(8, |i| b[i] * 31 + b[i + 8]))?;
        let d = hold(generate(4, |i| c[i] * 31 + c[i + 4]))?;
        let e = hold(generate(2, |i| d[i] * 31 + d[i + 2]))?;
        pure(generate(1, |i| e[i] * 31 + e[i + 1]).push())
    }

    /// A tree over halves.
    #[kernel(threads = 64)]
    pub fn trees(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|block| {
            block
                .split_up(32)
                .as_block_map(|run| exec_warp(halves(run)))
        })
    }

    fn of_block(run: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let striped = hold(run)?;
        let mine = exchange(Striped, Blocked(8), striped)?;
        let sums = mine.split_up(8).map(|own| fold1(add, own)[0]);
        let before = compute(exclusive_scan(add, lit(0), sums))?;
        let all = hold_as(Blocked(8), generate(2048, |i| mine[i] + before[i / 8]))?;
        let back = exchange(Blocked(8), Striped, all)?;
        pure(back.push())
    }

    /// Neighbours of a thread, there and back.
    #[kernel(threads = 256)]
    pub fn neighbours(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(2048)
            .as_grid_map(|run| exec_block(of_block(run)))
    }

    fn sum_of(piece: Pull<EU32, EU32>) -> Program<Block, Push<Block, EU32>> {
        let zeros: Pull<EU32> = replicate(256, lit(0));
        let sums = tiles_fold(
            piece,
            4096,
            zeros,
            |sums, tile| {
                let own = tile.split_up(16).map(|own| fold1(add, own)[0]);
                pure(zip_with(add, sums, own))
            },
            |sums, rest| {
                let own = |t: EU32| {
                    seq_iterate(
                        (rest.len() + 255 - t) / 256,
                        |k, sum| sum + rest[(k * 256 + t).unchecked()],
                        sums[t],
                    )
                };
                pure(generate(256, |t| exec_thread_value(own(t))).as_block())
            },
        )?;
        pure(reduce(add, sums))
    }

    /// The sum of each 65,536 elements, of any length.
    #[kernel(threads = 256)]
    pub fn sums_of_tiles(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .chunks_len(65536)
            .as_grid_map(|piece| exec_block(sum_of(piece)))
    }

    fn far(run: Pull<EU32>) -> Program<Warp, Push<Warp, EU32>> {
        let mine = hold(run)?;
        let ahead = hold(generate(128, |i| {
            select(i < 91, mine[(i + 37).min(127)], mine[i]) + mine[i ^ 64]
        }))?;
        let behind = generate(96, |i| {
            ahead[i] + ahead[i + 32] * 3 + select(i >= 5, ahead[i - 5], 9)
        });
        pure(append(behind, generate(3, |i| ahead[i + 40])).push())
    }

    /// Several elements a lane, and loops that are not whole warps.
    #[kernel(threads = 96)]
    pub fn rows(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(256)
            .as_grid_map(|block| block.split_up(128).as_block_map(|run| exec_warp(far(run))))
    }

    fn looked_up(run: Pull<(EU32, EF64)>) -> Program<Warp, Push<Warp, EF64>> {
        let mine = hold(run)?;
        let index = |i: EU32| mine[i].0 % 50;
        pure(generate(50, |i| mine[index(i)].1 + mine[index(i) / 2].1).push())
    }

    /// Places that data decide, of pairs, and wide elements.
    #[kernel(threads = 64)]
    pub fn lookups(keys: DPull<EU32>, values: DPull<EF64>) -> DPush<Grid, EF64> {
        zip(keys, values).split_up(50).as_grid_map(|run| {
            exec_block(pure(
                singleton(run).as_block_map(|r| exec_warp(looked_up(r))),
            ))
        })
    }

    fn bytes(run: Pull<EU8>) -> Program<Warp, Push<Warp, EI16>> {
        let mine = hold_as(Blocked(3), run)?;
        let total = |own: Pull<EU8>, i: EU32| {
            (own[0] + own[1] * 3 + own[2] * 5 + mine[(i * 3 + 4) % 60]) as EI16
        };
        let sums = hold(zip_with(total, mine.split_up(3), iota(20)))?;
        pure(generate(20, |i| sums[i] - sums[19 - i]).push())
    }

    /// Runs of three bytes a lane, and small elements.
    #[kernel(threads = 33)]
    pub fn small(input: DPull<EU8>) -> DPush<Grid, EI16> {
        input.split_up(60).as_grid_map(|run| {
            exec_block(pure(singleton(run).as_block_map(|r| exec_warp(bytes(r)))))
        })
    }

    fn searched(run: Pull<EU32>) -> Program<Warp, Push<Warp, EU32>> {
        let mine = hold(run)?;
        let sums = |i: EU32| seq_iterate(5, |k, sum| sum + mine[(i + k * 7) % 32], mine[i]);
        pure(generate(32, |i| exec_thread_value(sums(i))).as_warp())
    }

    /// Lanes read each other in a loop that all of them go through together.
    #[kernel(threads = 32)]
    pub fn in_loops(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(32).as_grid_map(|run| {
            exec_block(pure(
                singleton(run).as_block_map(|r| exec_warp(searched(r))),
            ))
        })
    }

    fn sum_of_runs(run: Pull<EF32>) -> Program<Warp, Push<Warp, EF32>> {
        let ones: Pull<EF32> = replicate(7, lit(1.0));
        let state = tiles_fold(
            run,
            21,
            ones,
            |state, tile| {
                let held = hold(generate(7, |i| state[i] * 0.5 + tile[i * 3]))?;
                pure(generate(7, |i| held[(i + 1) % 7] + tile[i]))
            },
            |state, rest| pure(generate(7, |i| state[6 - i] + rest.len() as EF32)),
        )?;
        pure(state.push())
    }

    /// A state of a warp that is not as long as its lanes are many; each step moves it.
    #[kernel(threads = 64)]
    pub fn moved(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input.split_up(100).as_grid_map(|run| {
            exec_block(pure(
                singleton(run).as_block_map(|r| exec_warp(sum_of_runs(r))),
            ))
        })
    }

    fn asked(run: Pull<EI32>) -> Program<Warp, Push<Warp, EU32>> {
        let some = any(run.map(|x| x > 505))?;
        let every = all(run.map(|x| x > -495))?;
        let odd = ballot(run.map(|x| (x & 1).eq(1)))?;
        let equal = match_any(run.map(|x| x & 3))?;
        let largest = hold(reduce(|a, b| a.max(b), run))?;
        let sum = hold(reduce(|a, b| a + b, run))?;
        pure(
            generate(27, |i| {
                let flags = select(some, lit(1_u32), 0) + select(every, lit(2_u32), 0);
                flags + odd * 4 + equal[i] * 7 + (largest[0] ^ sum[0]) as u32
            })
            .push(),
        )
    }

    /// What all lanes know: votes, masks, and sums by one instruction.
    #[kernel(threads = 64)]
    pub fn votes(input: DPull<EI32>) -> DPush<Grid, EU32> {
        input
            .split_up(54)
            .as_grid_map(|block| block.split_up(27).as_block_map(|run| exec_warp(asked(run))))
    }

    fn asked_by_a_block(run: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let some = any(run.map(|x| x > 1005))?;
        let every = all(run.map(|x| x > 2))?;
        let odd = ballot(run.take(20).map(|x| (x & 1).eq(1)))?;
        let equal = match_any(run.take(9).map(|x| x & 3))?;
        let none = any(run.take(0).map(|x| x > 3))?;
        let nothing = all(run.take(0).map(|x| x > 3))?;
        let flags = |some: EBool, bit: u32| select(some, lit(bit), 0);
        let sum = flags(some, 1) + flags(every, 2) + flags(none, 4) + flags(nothing, 8);
        pure(generate(100, |i| sum + odd * 16 + equal[i % 9]).push())
    }

    /// The same for a block.
    #[kernel(threads = 96)]
    pub fn votes_of_blocks(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(100)
            .as_grid_map(|run| exec_block(asked_by_a_block(run)))
    }

    fn quotients(run: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let a = compute(run)?;
        let c = compute(generate(64, |i| a[63 - i]))?;
        let b = compute(generate(64, |i| {
            let v = a[i] % 8 * 4 + i % 4;
            (v, v / 4)
        }))?;
        pure(generate(64, |i| b[63 - i].0 + b[63 - i].1 * 1000 + c[63 - i]).push())
    }

    /// A quotient of what has been loaded, behind a store in the same place.
    #[kernel(threads = 64)]
    pub fn quotients_of_loads(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(64)
            .as_grid_map(|run| exec_block(quotients(run)))
    }

    fn as_long_as_another(run: Pull<EU32>) -> Program<Warp, Push<Warp, EU32>> {
        let mine = hold(run)?;
        let sums = |i: EU32| {
            seq_iterate(
                mine[i ^ 1] % 8,
                |k, sum| sum + mine[(i + k * 7) % 32],
                lit(0),
            )
        };
        pure(generate(32, |i| exec_thread_value(sums(i))).as_warp())
    }

    /// A loop whose rounds another lane's element says.
    #[kernel(threads = 32)]
    pub fn rounds_of_others(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(32).as_grid_map(|run| {
            exec_block(pure(
                singleton(run).as_block_map(|r| exec_warp(as_long_as_another(r))),
            ))
        })
    }

    fn beyond_the_run(run: Pull<EU32>) -> Program<Warp, Push<Warp, EU32>> {
        let mine = hold_as(Blocked(4), run)?;
        let sums =
            |i: EU32| seq_iterate(8, |j, sum| sum * 3 + mine[((i * 4 + j) ^ 4) % 256], lit(0));
        pure(generate(32, |i| exec_thread_value(sums(i))).as_warp())
    }

    /// Elements behind a lane's own run.
    #[kernel(threads = 64)]
    pub fn runs_of_others(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(256).as_grid_map(|run| {
            exec_block(pure(
                singleton(run).as_block_map(|r| exec_warp(beyond_the_run(r))),
            ))
        })
    }

    fn longer_than_the_state(run: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let zeros: Pull<EU32> = replicate(32, lit(0));
        let sums = tiles_fold(
            run,
            64,
            zeros,
            |s, tile| {
                let all = compute(generate(64, |i| tile[i] + select(i < 32, s[i], 0)))?;
                pure(generate(32, |i| all[i] * 3 + all[i + 32]))
            },
            |s, _| pure(s),
        )?;
        pure(sums.push())
    }

    /// A step with more iterations than the state has elements.
    #[kernel(threads = 64)]
    pub fn long_steps(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(128)
            .as_grid_map(|run| exec_block(longer_than_the_state(run)))
    }

    fn of_thread(run: Pull<EU32>) -> Program<Thread, Push<Thread, EU32>> {
        let mine = hold(run)?;
        let other = hold_as(Blocked(2), generate(6, |i| mine[5 - i] + mine[i]))?;
        pure(other.reverse().push())
    }

    /// A thread's own.
    #[kernel(threads = 31)]
    pub fn threads(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(60).as_grid_map(|run| {
            run.split_up(6)
                .as_block_map(|own| exec_thread(of_thread(own)))
        })
    }

    fn large(run: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let mine = hold(run)?;
        pure(generate(5000, |i| mine[i] * mine[i]).push())
    }

    /// More than 64 words a thread: in shared memory.
    #[kernel(threads = 32)]
    pub fn spilled(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(5000)
            .as_grid_map(|run| exec_block(large(run)))
    }
}

fn each<T, U>(x: &[T], n: usize, f: impl Fn(&[T]) -> Vec<U>) -> Vec<U> {
    x.chunks(n).flat_map(f).collect()
}

fn turned(x: &[u32]) -> Vec<u32> {
    let next: Vec<u32> = (0..32).map(|i| x[(i + 1) % 32] * 3 + x[i ^ 5]).collect();
    (0..32).map(|i| next[31 - i] + x[7]).collect()
}

fn halves(x: &[u32]) -> Vec<u32> {
    let mut list = x.to_vec();
    while list.len() > 1 {
        let (low, high) = list.split_at(list.len() / 2);
        let pairs = low.iter().zip(high);
        list = pairs
            .map(|(a, b)| a.wrapping_mul(31).wrapping_add(*b))
            .collect();
    }
    list
}

fn neighbours(x: &[u32]) -> Vec<u32> {
    let mut before = 0;
    let run = |own: &[u32]| {
        let all: Vec<u32> = own.iter().map(|v| v + before).collect();
        before += own.iter().sum::<u32>();
        all
    };
    x.chunks(8).flat_map(run).collect()
}

fn rows(x: &[u32]) -> Vec<u32> {
    let ahead: Vec<u32> = (0..128)
        .map(|i| if i < 91 { x[i + 37] } else { x[i] } + x[i ^ 64])
        .collect();
    let behind =
        (0..96).map(|i| ahead[i] + ahead[i + 32] * 3 + if i >= 5 { ahead[i - 5] } else { 9 });
    behind.chain(ahead[40..43].iter().copied()).collect()
}

fn lookups(keys: &[u32], values: &[f64]) -> Vec<f64> {
    let of_run = |(keys, values): (&[u32], &[f64])| -> Vec<f64> {
        let at = |i: usize| keys[i] as usize % 50;
        (0..50).map(|i| values[at(i)] + values[at(i) / 2]).collect()
    };
    keys.chunks(50)
        .zip(values.chunks(50))
        .flat_map(of_run)
        .collect()
}

fn small(x: &[u8]) -> Vec<i16> {
    let total = |i: usize| {
        let own = &x[3 * i..];
        let sum = own[0]
            .wrapping_add(own[1].wrapping_mul(3))
            .wrapping_add(own[2].wrapping_mul(5));
        i16::from(sum.wrapping_add(x[(3 * i + 4) % 60]))
    };
    (0..20).map(|i| total(i) - total(19 - i)).collect()
}

fn in_loops(x: &[u32]) -> Vec<u32> {
    let sum = |i: usize| (0..5).fold(x[i], |sum, k| sum + x[(i + k * 7) % 32]);
    (0..32).map(sum).collect()
}

fn moved(x: &[f32]) -> Vec<f32> {
    let mut state = vec![1.0f32; 7];
    for tile in x.chunks(21) {
        state = match tile.len() {
            21 => {
                let held: Vec<f32> = (0..7).map(|i| state[i] * 0.5 + tile[i * 3]).collect();
                (0..7).map(|i| held[(i + 1) % 7] + tile[i]).collect()
            }
            left => (0..7).map(|i| state[6 - i] + left as f32).collect(),
        };
    }
    state
}

fn threads(x: &[u32]) -> Vec<u32> {
    let other: Vec<u32> = (0..6).map(|i| x[5 - i] + x[i]).collect();
    other.into_iter().rev().collect()
}

fn total(x: &[u32]) -> Vec<u32> {
    vec![x.iter().fold(0, |a, b| a.wrapping_add(*b))]
}

fn quotients(x: &[u32]) -> Vec<u32> {
    let b = |i: usize| {
        let v = x[i] % 8 * 4 + i as u32 % 4;
        v + v / 4 * 1000
    };
    (0..64).map(|i| b(63 - i) + x[i]).collect()
}

fn as_long_as_another(x: &[u32]) -> Vec<u32> {
    let sum = |i: usize| {
        (0..x[i ^ 1] as usize % 8)
            .map(|k| x[(i + k * 7) % 32])
            .sum()
    };
    (0..32).map(sum).collect()
}

fn beyond_the_run(x: &[u32]) -> Vec<u32> {
    let sum = |i: usize| {
        (0..8).fold(0u32, |sum, j| {
            sum.wrapping_mul(3).wrapping_add(x[((i * 4 + j) ^ 4) % 256])
        })
    };
    (0..32).map(sum).collect()
}

fn longer_than_the_state(x: &[u32]) -> Vec<u32> {
    x.chunks(64).fold(vec![0u32; 32], |state, tile| {
        (0..32)
            .map(|i| (tile[i] + state[i]) * 3 + tile[i + 32])
            .collect()
    })
}

fact!(quotients_of_what_is_loaded: held::quotients_of_loads[64](x: u32) == each(&x, 64, quotients));
fact!(rounds_that_another_lane_says: held::rounds_of_others[32](x: u32) == each(&x, 32, as_long_as_another));
fact!(elements_behind_the_own_run: held::runs_of_others[256](x: u32) == each(&x, 256, beyond_the_run));
fact!(steps_longer_than_the_state: held::long_steps[128](x: u32) == each(&x, 128, longer_than_the_state));

fn ballot(x: impl IntoIterator<Item = bool>) -> u32 {
    x.into_iter().zip(0..).map(|(x, i)| u32::from(x) << i).sum()
}

fn votes(x: &[i32]) -> Vec<u32> {
    let some = u32::from(x.iter().any(|x| *x > 505));
    let every = u32::from(x.iter().all(|x| *x > -495));
    let odd = ballot(x.iter().map(|x| x & 1 == 1));
    let (largest, sum) = (x.iter().max().unwrap(), x.iter().sum::<i32>());
    let equal = |own: &i32| ballot(x.iter().map(|other| other & 3 == own & 3));
    let of = |own: &i32| {
        let masks = odd.wrapping_mul(4).wrapping_add(equal(own).wrapping_mul(7));
        (some + 2 * every)
            .wrapping_add(masks)
            .wrapping_add((largest ^ sum) as u32)
    };
    x.iter().map(of).collect()
}

fn votes_of_blocks(x: &[u32]) -> Vec<u32> {
    let some = u32::from(x.iter().any(|x| *x > 1005));
    let every = u32::from(x.iter().all(|x| *x > 2));
    let odd = ballot(x[..20].iter().map(|x| x & 1 == 1));
    let equal = |own: usize| ballot(x[..9].iter().map(|other| other & 3 == x[own] & 3));
    (0..100)
        .map(|i| {
            (some + 2 * every + 8)
                .wrapping_add(odd.wrapping_mul(16))
                .wrapping_add(equal(i % 9))
        })
        .collect()
}

fact!(what_all_lanes_know: held::votes[54](x: i32) == each(&x, 27, votes));
fact!(what_all_threads_know: held::votes_of_blocks[100](x: u32) == each(&x, 100, votes_of_blocks));
fact!(lanes_read_each_other: held::lanes[64](x: u32) == each(&x, 32, turned));
fact!(trees_over_halves: held::trees[64](x: u32) == each(&x, 32, halves));
fact!(neighbours_and_back: held::neighbours[2048](x: u32) == each(&x, 2048, neighbours));
fact!(several_a_lane: held::rows[256](x: u32) == each(&x, 128, rows));
fact!(places_that_data_decide: held::lookups[50](k: u32, v: f64) == lookups(&k, &v));
fact!(runs_of_bytes: held::small[60](x: u8) == each(&x, 60, small));
fact!(loops_that_all_lanes_go_through: held::in_loops[32](x: u32) == each(&x, 32, in_loops));
fact!(a_state_that_moves: held::moved[100](x: f32) == each(&x, 100, moved));
fact!(of_a_thread: held::threads[60](x: u32) == each(&x, 6, threads));
fact!(more_than_registers: held::spilled[5000](x: u32) == x.iter().map(|v| v * v).collect::<Vec<_>>());

/// Tiles of arrays of any length, an empty one and those that are shorter than a tile among them.
#[test]
fn sums_of_any_length() {
    use held::sums_of_tiles as kernel;
    keep(&kernel::kernel());
    for (name, device) in devices() {
        for n in [
            0, 1, 255, 256, 257, 4095, 4096, 4097, 65_535, 65_536, 65_537, 70_001, 140_000,
        ] {
            let input = samples::<u32>(n);
            let found = kernel::launch(&device, &device.upload(&input).unwrap()).unwrap();
            let expected: Vec<u32> = input.chunks(65_536).flat_map(total).collect();
            assert_eq!(found.to_vec().unwrap(), expected, "{n} on {name}");
        }
    }
}

/// What the CUDA text says of where arrays are.
#[test]
fn arrays_are_in_registers() {
    for (text, line) in [
        (held::lanes::CUDA, "mine (1), next (1)."),
        (held::trees::CUDA, "a (1), b (1), c (1), d (1), e (1)."),
        (held::rows::CUDA, "mine (4), ahead (4)."),
        (held::small::CUDA, "mine (3), sums (1)."),
        (held::sums_of_tiles::CUDA, "sums (1), sums_2 (1)."),
        (
            held::spilled::CUDA,
            "in shared memory on this number of threads: mine.",
        ),
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    for call in [
        "__any_sync",
        "__all_sync",
        "or_of_lanes(",
        "max_of_lanes(",
        "add_of_lanes(",
    ] {
        assert!(held::votes::CUDA.contains(call), "{call}");
    }
    assert!(!held::trees::CUDA.contains("__syncwarp"));
    assert_eq!(held::trees::CUDA.matches("__shfl_sync").count(), 5);
}

/// Programs of a block or a warp over a run of 64 elements that are refused, and for what.
const WRONG: &[(&str, &str, &str)] = &[
    (
        "Block",
        "let a = hold(run)?; pure(generate(64, |i| a[i ^ 1]).push())",
        "not-own",
    ),
    (
        "Block",
        "let a = hold(run)?; pure(generate(63, |i| a[i + 1]).push())",
        "not-own",
    ),
    (
        "Block",
        "let a = hold(run)?; pure(generate(64, |i| a[0] + i).push())",
        "not-own",
    ),
    (
        "Block",
        "let a = hold_as(Blocked(4), run)?; pure(a.push())",
        "not-own",
    ),
    (
        "Block",
        "let a = hold(run)?; pure(a.split_up(4).map(|r| r[0]).push())",
        "not-own",
    ),
    (
        "Block",
        "let a = hold(run.split_up(4).as_block_map(|r| exec_thread(pure(r.push()))))?; pure(a.push())",
        "not-own",
    ),
    (
        "Block",
        "let a = hold(run.split_up(32).as_block_map(|r| exec_warp(pure(r.push()))))?; pure(a.push())",
        "not-own",
    ),
    (
        "Block",
        "let a = hold_as(Blocked(5), run)?; pure(a.push())",
        "does-not-divide",
    ),
    (
        "Block",
        "let a = hold_as(Blocked(0), run)?; pure(a.push())",
        "empty-pieces",
    ),
    (
        "Block",
        "let a = hold_as(4, run)?; pure(a.push())",
        "wrong-kind",
    ),
    (
        "Block",
        "let a = hold_as(Pitch(33), run)?; pure(a.push())",
        "wrong-kind",
    ),
    (
        "Block",
        "let a = compute_as(Striped, run)?; pure(a.push())",
        "wrong-kind",
    ),
    ("Block", "let a = hold(4)?; pure(run.push())", "wrong-kind"),
    ("Block", "let a = hold()?; pure(run.push())", "wrong-count"),
    ("Block", "hold(run); pure(run.push())", "unused-program"),
    (
        "Block",
        "let a = tiles_fold(run, 0, run, |s, t| pure(s), |s, r| pure(s))?; pure(a.push())",
        "empty-pieces",
    ),
    (
        "Block",
        "let a = tiles_fold(run, 8, run, |s, t| pure(t), |s, r| pure(s))?; pure(a.push())",
        "other-state",
    ),
    (
        "Block",
        "let a = tiles_fold(run, 8, run, |s, t| s, |s, r| pure(s))?; pure(a.push())",
        "wrong-kind",
    ),
    (
        "Block",
        "let a = tiles_fold(run, 8, run, |s, t| pure(s.reverse()), |s, r| pure(s))?; pure(a.push())",
        "not-own",
    ),
    (
        "Warp",
        "let a = ballot(run.map(|x| x > 3))?; pure(generate(64, |i| a).push())",
        "too-many-bits",
    ),
    (
        "Warp",
        "let a = match_any(run)?; pure(a.push())",
        "too-many-bits",
    ),
    ("Warp", "let a = any(run)?; pure(run.push())", "wrong-kind"),
    (
        "Warp",
        "let a = all(run.map(|x| x > 3), run)?; pure(run.push())",
        "wrong-count",
    ),
    (
        "Warp",
        "let a = hold(run)?; pure(generate(64, |i| exec_thread_value(seq_until(|x| x + 1, |x| a[x % 64].eq(0), i))).as_warp())",
        "divergent-collective",
    ),
];

#[test]
fn what_cannot_be_held_is_refused() {
    for (level, code, id) in WRONG {
        let exec = match *level {
            "Warp" => "exec_block(pure(singleton(run).as_block_map(|r| exec_warp(f(r)))))",
            _ => "exec_block(f(run))",
        };
        let text = format!(
            "pub mod m {{ fn f(run: Pull<EU32>) -> Program<{level}, Push<{level}, EU32>> {{ {code} }} \
             #[kernel(threads = 32)] pub fn k(x: DPull<EU32>) -> DPush<Grid, EU32> {{ \
             x.split_up(64).as_grid_map(|run| {exec}) }} }}"
        );
        let list = refusals(&text);
        assert!(list.len() == 1 && list[0].contains(id), "{code}: {list:?}");
    }
}
