//! Lanes that go through an input by rows: on the CPU all of them do one row before the next.

#![allow(missing_docs)]

use obsidian_rt::kernels;
use obsidian_tests::fact;

#[kernels]
mod m {
    /// Numbers that wrap; a lane has every 128th of 1,024.
    #[kernel(threads = [128, 33])]
    pub fn sums(input: DPull<EU8>) -> DPush<Grid, EU8> {
        input.split_up(1024).as_grid_map(|run| {
            run.coalesce(8)
                .as_block_map(|own| exec_thread_value(seq_reduce(|a, b| a + b, own)))
        })
    }

    /// What is there stays in some lanes: NaNs and zeros with signs.
    #[kernel(threads = 64)]
    pub fn maxima(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input.split_up(512).as_grid_map(|run| {
            run.coalesce(8)
                .as_block_map(|own| exec_thread_value(seq_reduce(|a, b| a.max(b), own)))
        })
    }

    /// The least element and where it is, in a state of two types.
    #[kernel(threads = 64)]
    pub fn least(input: DPull<EF64>) -> DPush<Grid, (EF64, EU32)> {
        let placed = zip_with(|x, at| (x, at), input, iota(input.len()));
        placed.split_up(256).as_grid_map(|run| {
            run.coalesce(4).as_block_map(|own| {
                exec_thread_value(seq_reduce(
                    |(x, at), (y, other)| (select(y < x, y, x), select(y < x, other, at)),
                    own,
                ))
            })
        })
    }

    /// A condition as the state, and two loops one after the other.
    #[kernel(threads = 96)]
    pub fn parities(input: DPull<EU32>) -> DPush<Grid, (EBool, EU32)> {
        input.split_up(96 * 5).as_grid_map(|run| {
            run.coalesce(5)
                .as_block_map(|own| exec_thread_value(of_lane(own)))
        })
    }

    fn of_lane(own: Pull<EU32>) -> Program<Thread, (EBool, EU32)> {
        let is_odd = seq_reduce(|a, b| a ^ b, own.map(|x| x % 2 == 1))?;
        let sum = seq_reduce(|a, b| a * 3 + b, own.map(|x| select(is_odd, x, x + 1)))?;
        pure((is_odd, sum))
    }

    /// Any number of elements.
    #[kernel(threads = 64)]
    pub fn ragged(input: DPull<EI32>) -> DPush<Grid, EI32> {
        let runs = input.chunks(192, -7);
        runs.as_grid_map(|run| {
            run.coalesce(3)
                .as_block_map(|own| exec_thread_value(seq_reduce(|a, b| a - b, own)))
        })
    }
}

/// What each lane has: every `lanes`th element of each run.
fn lanes<T: Copy, R>(input: &[T], lanes: usize, rows: usize, f: impl Fn(&[T]) -> R) -> Vec<R> {
    let mut results = Vec::new();
    for run in input.chunks(lanes * rows) {
        for lane in 0..lanes {
            let own: Vec<T> = run[lane..].iter().copied().step_by(lanes).collect();
            results.push(f(&own));
        }
    }
    results
}

/// The larger one; a number rather than a NaN; `0` above `-0`.
fn larger(x: f32, y: f32) -> f32 {
    match (x.is_nan(), y.is_nan()) {
        (true, _) => y,
        (_, true) => x,
        _ => match x.total_cmp(&y).is_lt() {
            true => y,
            false => x,
        },
    }
}

fn least(own: &[(f64, u32)]) -> (f64, u32) {
    let mut least = own[0];
    for other in own {
        if other.0 < least.0 {
            least = *other;
        }
    }
    least
}

fn of_lane(own: &[u32]) -> (bool, u32) {
    let is_odd = own.iter().fold(false, |odd, x| odd ^ (x % 2 == 1));
    let of = |x: u32| if is_odd { x } else { x.wrapping_add(1) };
    let sum = own[1..].iter().fold(of(own[0]), |sum, x| {
        sum.wrapping_mul(3).wrapping_add(of(*x))
    });
    (is_odd, sum)
}

fact!(sums_that_wrap: m::sums [1024] (input: u8)
    == lanes(&input, 128, 8, |own| own.iter().fold(0u8, |a, b| a.wrapping_add(*b))));
fact!(maxima_of_floats: m::maxima [512] (input: f32)
    == lanes(&input, 64, 8, |own| own.iter().copied().reduce(larger).unwrap()));
fact!(places_of_the_least: m::least [256] (input: f64) == {
    let placed: Vec<(f64, u32)> = input.iter().copied().zip(0..).collect();
    lanes(&placed, 64, 4, least).into_iter().unzip::<f64, u32, Vec<f64>, Vec<u32>>()
});
fact!(two_loops_and_a_condition: m::parities [480] (input: u32)
    == lanes(&input, 96, 5, of_lane).into_iter().unzip::<bool, u32, Vec<bool>, Vec<u32>>());
fact!(the_last_run_is_ragged: m::ragged [1] (input: i32) == {
    let mut filled = input.to_vec();
    filled.resize(input.len().next_multiple_of(192), -7);
    lanes(&filled, 64, 3, |own| own[1..].iter().fold(own[0], |a, b| a.wrapping_sub(*b)))
});
