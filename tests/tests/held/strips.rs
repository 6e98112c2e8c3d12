//! Loops that lanes leave at different times, and loops over rows and columns: on the CPU several lanes
//! go on together there.

#![allow(missing_docs)]

use obsidian_rt::kernels;
use obsidian_tests::fact;

#[kernels]
mod m {
    /// Numbers of steps to 1, of at most 200: `u32`, shifts and products that wrap.
    #[kernel(threads = [32, 33])]
    pub fn collatz(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(64)
            .as_grid_map(|run| run.as_block_map(|x| exec_thread_value(steps(x % 97 + 1))))
    }

    fn steps(start: EU32) -> Program<Thread, EU32> {
        let last = seq_until(
            |(n, steps)| {
                let next = select((n & 1) == 0, n >> 1, n * 3 + 1);
                (next, steps + 1)
            },
            |(n, steps)| (n > 1) & (steps < 200),
            (start, lit(0u32)),
        )?;
        pure(last.1 * 1000 + start)
    }

    /// Two loops one after the other, a value in front of both that is used behind them, and a quotient
    /// that the loops do not change.
    #[kernel(threads = 48)]
    pub fn twice(input: DPull<EF32>, n: EU32) -> DPush<Grid, EF32> {
        input
            .split_up(96)
            .as_grid_map(|run| run.as_block_map(|x| exec_thread_value(halved(x, n))))
    }

    fn halved(x: EF32, n: EU32) -> Program<Thread, EF32> {
        let large = x.abs() + (1000 / n) as f32;
        let small = seq_until(|s| s * 0.5 - 1.0 / (n as f32), |s| s > 1.0, large)?;
        let again = seq_until(|s| s * 1.5 + small, |s| s < large * 2.0, small.abs() + 1.0)?;
        pure(again - small + x)
    }

    /// A state of three types, one of them a condition.
    #[kernel(threads = 16)]
    pub fn alternating(input: DPull<EF64>) -> DPush<Grid, (EF64, EI32)> {
        input
            .split_up(32)
            .as_grid_map(|run| run.as_block_map(|x| exec_thread_value(alternate(x))))
    }

    fn alternate(x: EF64) -> Program<Thread, (EF64, EI32)> {
        let last = seq_until(
            |(y, up, count)| {
                let next = select(up, y * 0.75, -y - 1.0);
                (next, !up, count.max(-3) + 2)
            },
            |(y, up, count)| (y.abs() > 3.0) & (count < 40) | up & (count < 5),
            (x, x > 0.0, lit(-7i32)),
        )?;
        pure((last.0, select(last.1, last.2, -last.2)))
    }

    /// Loops that no lane enters, and one that stays at its first round.
    #[kernel(threads = 32)]
    pub fn never(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(32).as_grid_map(|run| {
            run.as_block_map(|x| {
                exec_thread_value(seq_until(|s| s - 1, |s| (s > x) & (s < -10_000), x + 5))
            })
        })
    }

    /// Any number of elements: the last tile is ragged.
    #[kernel(threads = 64)]
    pub fn ragged(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .chunks(64, 3)
            .as_grid_map(|run| run.as_block_map(|x| exec_thread_value(doubled(x))))
            .take(input.len())
    }

    fn doubled(x: EU32) -> Program<Thread, EU32> {
        seq_until(|s| s * 2 + x % 3, |s| s < 100 + x, 1)
    }

    /// In place, the elements of a block in columns of 8 rows.
    #[kernel(threads = 32)]
    pub fn columns(y: MGlobal<EU32>, x: DPull<EU32>) -> Program<Grid, ()> {
        require(y.len().equals(x.len()));
        distr_par(x.len() / 64, |b| {
            for_all(64, |i| moved(y, b * 64 + i % 8 * 8 + i / 8, x[b * 64 + i]))
        })
    }

    fn moved(y: MGlobal<EU32>, at: EU32, more: EU32) -> Program<Thread, ()> {
        let old = y.read(at)?;
        y.write(at, old * 3 + more)
    }
}

fn until<S: Copy>(start: S, going: impl Fn(S) -> bool, step: impl Fn(S) -> S) -> S {
    let mut state = start;
    while going(state) {
        state = step(state);
    }
    state
}

fn steps(x: u32) -> u32 {
    let start = x % 97 + 1;
    let next = |n: u32| if n & 1 == 0 { n >> 1 } else { n * 3 + 1 };
    let (_, steps) = until(
        (start, 0),
        |(n, s)| n > 1 && s < 200,
        |(n, s)| (next(n), s + 1),
    );
    steps * 1000 + start
}

fn halved(x: f32, n: u32) -> f32 {
    let large = x.abs() + (1000 / n) as f32;
    let small = until(large, |s| s > 1.0, |s| s * 0.5 - 1.0 / n as f32);
    let again = until(small.abs() + 1.0, |s| s < large * 2.0, |s| s * 1.5 + small);
    again - small + x
}

fn alternate(x: f64) -> (f64, i32) {
    let next = |(y, up, count): (f64, bool, i32)| {
        let next = if up { y * 0.75 } else { -y - 1.0 };
        (next, !up, count.max(-3) + 2)
    };
    let going = |(y, up, count): (f64, bool, i32)| y.abs() > 3.0 && count < 40 || up && count < 5;
    let (y, up, count) = until((x, x > 0.0, -7), going, next);
    (y, if up { count } else { -count })
}

fn doubled(x: u32) -> u32 {
    until(1, |s| s < 100 + x, |s| s * 2 + x % 3)
}

fact!(lanes_with_numbers_that_wrap: m::collatz [64] (input: u32)
    == input.iter().copied().map(steps).collect::<Vec<u32>>());
fact!(two_loops_behind_each_other: m::twice [96] (input: f32; 7)
    == input.iter().map(|x| halved(*x, 7)).collect::<Vec<f32>>());
fact!(a_state_of_three_types: m::alternating [32] (input: f64)
    == input.iter().copied().map(alternate).unzip::<f64, i32, Vec<f64>, Vec<i32>>());
fact!(a_loop_that_is_not_entered: m::never [32] (input: i32)
    == input.iter().map(|x| x + 5).collect::<Vec<i32>>());
fact!(the_last_tile_is_ragged: m::ragged [1] (input: u32)
    == input.iter().copied().map(doubled).collect::<Vec<u32>>());

#[test]
fn columns_of_a_block_are_changed_in_place() -> obsidian_rt::Result<()> {
    for (words, device) in obsidian_tests::devices() {
        for length in [0, 64, 640, 64 * 37] {
            let x: Vec<u32> = (0..length).map(|i| i * 7 + 1).collect();
            let start: Vec<u32> = (0..length).map(|i| i ^ 0x55).collect();
            let mut y = device.upload(&start)?;
            m::columns::launch(&device, &mut y, &device.upload(&x)?)?;
            let expected: Vec<u32> = (0..length)
                .map(|at| {
                    let (block, row, column) = (at / 64 * 64, at % 64 % 8, at % 64 / 8);
                    start[at as usize] * 3 + x[(block + row * 8 + column) as usize]
                })
                .collect();
            assert_eq!(y.to_vec()?, expected, "{words}, {length}");
        }
    }
    Ok(())
}
