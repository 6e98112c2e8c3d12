//! Arrays in registers: `hold`, its layouts, and loops over tiles.

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

    /// The loop over whole tiles is as short as it can be, and loads 64 bytes a thread in each round.
    fn sum_of(piece: Pull<EU32, EU32>) -> Program<Block, Push<Block, EU32>> {
        let zeros: Pull<EU32> = replicate(256, lit(0));
        let folded = tiles_fold(
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
        );
        let sums = unroll(1, folded)?;
        pure(reduce(add, sums))
    }

    /// The sum of each 65,536 elements, of any length.
    #[kernel(threads = 256)]
    pub fn sums_of_tiles(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .chunks_len(65536)
            .as_grid_map(|piece| exec_block(sum_of(piece)))
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

    fn raised(run: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let zeros: Pull<EU32> = replicate(8, lit(0));
        let raise = |s: Pull<EU32>, tile: Pull<EU32>| {
            let largest = compute(reduce(|a, b| a.max(b), zip_with(add, s, tile)))?;
            pure(s.map(|x| x * 3 + largest[0]))
        };
        let sums = tiles_fold(run, 8, zeros, raise, |s, rest| {
            tiles_fold(
                rest,
                2,
                s.reverse().reverse(),
                |u, pair| pure(u.map(|x| x + pair[0] * pair[1])),
                |u, one| pure(u.map(|x| x ^ one[0])),
            )
        })?;
        pure(sums.push())
    }

    /// A step that reduces the state, and a loop over tiles in what is left of another.
    #[kernel(threads = 64)]
    pub fn nested(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(45)
            .as_grid_map(|run| exec_block(raised(run)))
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

fn neighbours(x: &[u32]) -> Vec<u32> {
    let mut before = 0;
    let run = |own: &[u32]| {
        let all: Vec<u32> = own.iter().map(|v| v + before).collect();
        before += own.iter().sum::<u32>();
        all
    };
    x.chunks(8).flat_map(run).collect()
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

fn longer_than_the_state(x: &[u32]) -> Vec<u32> {
    x.chunks(64).fold(vec![0u32; 32], |state, tile| {
        (0..32)
            .map(|i| (tile[i] + state[i]) * 3 + tile[i + 32])
            .collect()
    })
}

fact!(quotients_of_what_is_loaded: held::quotients_of_loads[64](x: u32) == each(&x, 64, quotients));
fact!(steps_longer_than_the_state: held::long_steps[128](x: u32) == each(&x, 128, longer_than_the_state));
fn raised(x: &[u32]) -> Vec<u32> {
    let mut state = [0u32; 8];
    for tile in x.chunks_exact(8) {
        let sums = state.iter().zip(tile).map(|(s, x)| s.wrapping_add(*x));
        let largest = sums.max().unwrap();
        state
            .iter_mut()
            .for_each(|s| *s = s.wrapping_mul(3).wrapping_add(largest));
    }
    let rest = x.chunks_exact(8).remainder().chunks_exact(2);
    let last = rest.remainder()[0];
    let sum: u32 = rest.map(|pair| pair[0] * pair[1]).sum();
    state.iter().map(|s| s.wrapping_add(sum) ^ last).collect()
}

fact!(steps_that_reduce: held::nested[45](x: u32) == each(&x, 45, raised));
fact!(neighbours_and_back: held::neighbours[2048](x: u32) == each(&x, 2048, neighbours));
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
        (held::sums_of_tiles::CUDA, "sums (1), sums_2 (1)."),
        (
            held::spilled::CUDA,
            "in shared memory on this number of threads: mine.",
        ),
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
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
