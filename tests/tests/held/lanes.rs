//! What lanes read of each other: held arrays of warps, votes and masks.

#![allow(missing_docs)]

use obsidian_rt::kernels;
use obsidian_tests::fact;

/// Kernels whose lanes read each other.
#[kernels]
mod lanes {
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

    /// Masks under a condition, and for fewer iterations than there are elements.
    fn masks_of<T: Scalar>(n: u32, run: Pull<Exp<T>>) -> Program<Warp, Push<Warp, EU32>> {
        let equal = match_any(run)?;
        pure(generate(n, |i| select((i & 1).eq(0), equal[i], !i)).push())
    }

    fn of_warps<T: Scalar>(n: u32, run: Pull<Exp<T>>) -> Push<Block, EU32> {
        run.split_up(32)
            .as_block_map(|own| exec_warp(masks_of(n, own)))
    }

    #[kernel(threads = 64)]
    pub fn masks_of_words(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(64)
            .as_grid_map(|run| of_warps(32, run.map(|x| (x as u64) % 5 << 40)))
    }

    #[kernel(threads = 64)]
    pub fn masks_of_bytes(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(64)
            .as_grid_map(|run| of_warps(9, run.map(|x| (x % 7) as i8 - 4)))
    }

    #[kernel(threads = 64)]
    pub fn masks_of_booleans(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(64)
            .as_grid_map(|run| of_warps(32, run.map(|x| (x % 3).eq(0))))
    }

    /// Zeros of both signs are equal, and a NaN equals none.
    #[kernel(threads = 64)]
    pub fn masks_of_floats(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|run| {
            of_warps(
                32,
                run.map(|x| {
                    let zero = ((x % 2) as f32 - 0.5) * 0.0;
                    select((x % 3).eq(0), zero / zero, zero)
                }),
            )
        })
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

    fn mirrored(run: Pull<EU32>) -> Program<Warp, Push<Warp, EU32>> {
        let a = hold(run)?;
        let b = hold(run.map(|x| x * 3))?;
        let behind = run.reverse();
        let both = |x: EU32, y: EU32, z: EU32| x + y * 7 + x * y + z;
        pure(zip_with3(both, a.reverse(), b.reverse(), behind).push())
    }

    /// An index that has a name, and means nothing for the lanes that fill up the warp.
    #[kernel(threads = 64)]
    pub fn mirrors(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(20).as_grid_map(|run| {
            exec_block(pure(
                singleton(run).as_block_map(|r| exec_warp(mirrored(r))),
            ))
        })
    }

    fn added_up(run: Pull<EU32>) -> Program<Warp, Push<Warp, EU32>> {
        let sums = to_mutable(run)?;
        seq_for(5, |k| {
            let now = hold(sums.push())?;
            for_all(32, |i| {
                let x = sums.read(i)?;
                sums.write(i, x + now[(i + k) % 32])
            })
        })?;
        pure(sums.push())
    }

    /// An array that is held anew in each round of a loop of the warp.
    #[kernel(threads = 96)]
    pub fn rounds_of_warps(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(128).as_grid_map(|block| {
            block
                .split_up(32)
                .as_block_map(|run| exec_warp(added_up(run)))
        })
    }

    fn of_each_type(run: Pull<EU32>) -> Program<Warp, Push<Warp, EU64>> {
        let integers = run.map(|x| (x as u8, x as u16, x as i8, x as i16, x as i64 - 500));
        let a = hold(integers)?;
        let others = run.map(|x| {
            (
                (x & 1).eq(1),
                x as u64 * 4294967311,
                x as f32 / 3.0,
                x as f64 / 7.0,
            )
        });
        let b = hold(others)?;
        let taken = |i: EU32| {
            let (v, w, x, y, z) = a[(i + 7) % 32];
            let (p, q, r, s) = b[i ^ 9];
            let sum =
                (v as u64) + (w as u64) * 3 + (x as u64) * 5 + (y as u64) * 7 + (z as u64) * 11;
            sum + select(p, lit(13_u64), 17) + q + (r.to_bits() as u64) + s.to_bits()
        };
        pure(generate(32, taken).push())
    }

    /// Elements of all types but `u32` and `i32`.
    #[kernel(threads = 32)]
    pub fn types(input: DPull<EU32>) -> DPush<Grid, EU64> {
        input.split_up(32).as_grid_map(|run| {
            exec_block(pure(
                singleton(run).as_block_map(|r| exec_warp(of_each_type(r))),
            ))
        })
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

fn mirrored(x: &[u32]) -> Vec<u32> {
    let both = |x: &u32| {
        let product = x.wrapping_mul(x.wrapping_mul(3));
        x.wrapping_mul(23).wrapping_add(product)
    };
    x.iter().rev().map(both).collect()
}

fn added_up(x: &[u32]) -> Vec<u32> {
    (0..5).fold(x.to_vec(), |now, k| {
        (0..32)
            .map(|i| now[i].wrapping_add(now[(i + k) % 32]))
            .collect()
    })
}

fn of_each_type(x: &[u32]) -> Vec<u64> {
    let taken = |i: usize| {
        let (a, b) = (x[(i + 7) % 32], x[i ^ 9]);
        let parts = [
            u64::from(a as u8),
            u64::from(a as u16).wrapping_mul(3),
            (a as i8 as u64).wrapping_mul(5),
            (a as i16 as u64).wrapping_mul(7),
            ((i64::from(a) - 500) as u64).wrapping_mul(11),
            if b & 1 == 1 { 13 } else { 17 },
            u64::from(b).wrapping_mul(4_294_967_311),
            u64::from((b as f32 / 3.0).to_bits()),
            (f64::from(b) / 7.0).to_bits(),
        ];
        parts.into_iter().fold(0, u64::wrapping_add)
    };
    (0..32).map(taken).collect()
}

fact!(rounds_that_another_lane_says: lanes::rounds_of_others[32](x: u32) == each(&x, 32, as_long_as_another));
fact!(elements_behind_the_own_run: lanes::runs_of_others[256](x: u32) == each(&x, 256, beyond_the_run));
/// The masks of each 32 elements by a function of what is compared.
fn masks<T: PartialEq>(x: &[u32], n: usize, f: impl Fn(u32) -> T) -> Vec<u32> {
    let of_warp = |run: &[u32]| {
        let own: Vec<T> = run.iter().map(|x| f(*x)).collect();
        let mask = |i: usize| match i % 2 {
            0 => ballot(own.iter().map(|other| *other == own[i])),
            _ => !(i as u32),
        };
        (0..n).map(mask).collect::<Vec<_>>()
    };
    x.chunks(32).flat_map(of_warp).collect()
}

fn float(x: u32) -> f32 {
    let zero = ((x % 2) as f32 - 0.5) * 0.0;
    if x.is_multiple_of(3) { f32::NAN } else { zero }
}

fact!(masks_of_words: lanes::masks_of_words[64](x: u32) == masks(&x, 32, |x| x % 5));
fact!(masks_of_bytes: lanes::masks_of_bytes[64](x: u32) == masks(&x, 9, |x| x % 7));
fact!(masks_of_booleans: lanes::masks_of_booleans[64](x: u32) == masks(&x, 32, |x| x % 3 == 0));
fact!(masks_of_floats: lanes::masks_of_floats[64](x: u32) == masks(&x, 32, float));
fact!(what_all_lanes_know: lanes::votes[54](x: i32) == each(&x, 27, votes));
fact!(what_all_threads_know: lanes::votes_of_blocks[100](x: u32) == each(&x, 100, votes_of_blocks));
fact!(lanes_read_each_other: lanes::lanes[64](x: u32) == each(&x, 32, turned));
fact!(trees_over_halves: lanes::trees[64](x: u32) == each(&x, 32, halves));
fact!(several_a_lane: lanes::rows[256](x: u32) == each(&x, 128, rows));
fact!(places_that_data_decide: lanes::lookups[50](k: u32, v: f64) == lookups(&k, &v));
fact!(runs_of_bytes: lanes::small[60](x: u8) == each(&x, 60, small));
fact!(loops_that_all_lanes_go_through: lanes::in_loops[32](x: u32) == each(&x, 32, in_loops));
fact!(a_state_that_moves: lanes::moved[100](x: f32) == each(&x, 100, moved));
fact!(indices_with_a_name: lanes::mirrors[20](x: u32) == each(&x, 20, mirrored));
fact!(arrays_that_are_held_anew: lanes::rounds_of_warps[128](x: u32) == each(&x, 32, added_up));
fact!(elements_of_each_type: lanes::types[32](x: u32) == each(&x, 32, of_each_type));

/// What the CUDA text says of where arrays are.
#[test]
fn arrays_are_in_registers() {
    for (text, line) in [
        (lanes::lanes::CUDA, "mine (1), next (1)."),
        (lanes::trees::CUDA, "a (1), b (1), c (1), d (1), e (1)."),
        (lanes::rows::CUDA, "mine (4), ahead (4)."),
        (lanes::small::CUDA, "mine (3), sums (1)."),
        (lanes::mirrors::CUDA, "a (1), b (1)."),
        (lanes::rounds_of_warps::CUDA, "now (1)."),
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
        assert!(lanes::votes::CUDA.contains(call), "{call}");
    }
    for (text, calls) in [
        (lanes::masks_of_words::CUDA, 1),
        (lanes::masks_of_bytes::CUDA, 1),
        (lanes::masks_of_booleans::CUDA, 0),
        (lanes::masks_of_floats::CUDA, 0),
    ] {
        let body = &text[text.find("extern").unwrap()..];
        assert_eq!(body.matches("lanes_with(").count(), calls, "{text}");
        let by_shuffles = calls == 0 && !body.contains("lanes_alike(");
        assert_eq!(body.contains("__shfl_sync"), by_shuffles, "{text}");
    }
    // Which lanes have the same boolean is a vote.
    assert!(lanes::masks_of_booleans::CUDA.contains(" = lanes_alike("));
    assert!(!lanes::trees::CUDA.contains("__syncwarp"));
    assert_eq!(lanes::trees::CUDA.matches("__shfl_sync").count(), 5);
}
