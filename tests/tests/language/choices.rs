//! Chains of choices whose arms use the choice before, in some cases alone.

#![allow(missing_docs)]

use obsidian_rt::kernels;

#[kernels]
mod m {
    /// The choice before stands in one arm, and in an arm of the choice in the other.
    #[kernel(threads = 32, k = [4, 8, 16, 32])]
    pub fn two(k: u32, x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.split_up(40).as_grid_map(|run| {
            generate(40, |i| {
                let mut v = run[i];
                for k in 0..k {
                    let (a, b) = (run[(i + k) % 40], run[(i + 3 * k) % 40]);
                    v = select((run[i] >> k & 1) == 1, a + v, select(i >= k, b, v));
                }
                v
            })
            .push()
        })
    }

    /// It stands in three arms, and elements that are there in one of them alone.
    #[kernel(threads = 33, k = [4, 8, 16, 32])]
    pub fn three(k: u32, x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.split_up(40).as_grid_map(|run| {
            generate(40, |i| {
                let mut v = run[i];
                for k in 0..k {
                    v = select(
                        (run[i] >> k & 1) == 1,
                        run[(i + k) % 40] + v,
                        select(i >= k, run[i - k] + v, v % run[i]),
                    );
                }
                v
            })
            .push()
        })
    }

    /// A condition needs the choice before in some cases.
    #[kernel(threads = 32, k = [4, 8, 16, 32])]
    pub fn asked(k: u32, x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.split_up(40).as_grid_map(|run| {
            generate(40, |i| {
                let mut v = run[i];
                for k in 0..k {
                    let (a, b) = (run[(i + k) % 40], run[(i + 3 * k) % 40]);
                    let large = select(i >= k, v, 1) % 5 > 1;
                    v = select((run[i] >> k & 1) == 1, a + v, select(large, b, v + 1));
                }
                v
            })
            .push()
        })
    }

    /// Both uses of a chain are guarded, each by its own condition; without one of them its elements are
    /// not there.
    #[kernel(threads = 32, k = [4, 8, 16, 32])]
    pub fn guarded(k: u32, x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.split_up(40).as_grid_map(|run| {
            generate(40, |i| {
                let mut v = run[i - 1];
                for k in 0..k {
                    v = select(
                        (run[i] >> k & 1) == 1,
                        run[i - 1] + v,
                        select(v % 2 == 0, run[i - 1] ^ v, 9),
                    );
                }
                select(i > 5, v, select(i < 1, 7, v + 1))
            })
            .push()
        })
    }

    /// The condition of the inner choice is made of the choice before as well.
    #[kernel(threads = 64, k = [4, 8, 16, 32])]
    pub fn by_value(k: u32, x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.split_up(40).as_grid_map(|run| {
            generate(40, |i| {
                let mut v = run[i];
                for k in 0..k {
                    let inner = select(v % 3 == 0, run[(i + k) % 40], v + 1);
                    v = select((run[i] >> k & 1) == 1, 7, select(i >= k, inner, v ^ run[i]));
                }
                v
            })
            .push()
        })
    }
}

/// The value for each element of runs of 40, after `k` steps from the element itself.
fn chained(x: &[u32], k: u32, step: impl Fn(&[u32], usize, u32, u32) -> u32) -> Vec<u32> {
    let of = |run: &[u32], i: usize| (0..k).fold(run[i], |v, k| step(run, i, k, v));
    let runs = x.chunks(40);
    runs.flat_map(|run| (0..40).map(|i| of(run, i)).collect::<Vec<_>>())
        .collect()
}

fn two(run: &[u32], i: usize, k: u32, v: u32) -> u32 {
    let at = k as usize;
    match (run[i] >> k & 1 == 1, i >= at) {
        (true, _) => run[(i + at) % 40].wrapping_add(v),
        (false, true) => run[(i + 3 * at) % 40],
        (false, false) => v,
    }
}

fn three(run: &[u32], i: usize, k: u32, v: u32) -> u32 {
    let at = k as usize;
    match (run[i] >> k & 1 == 1, i >= at) {
        (true, _) => run[(i + at) % 40].wrapping_add(v),
        (false, true) => run[i - at].wrapping_add(v),
        (false, false) => v.checked_rem(run[i]).unwrap_or(v),
    }
}

fn by_value(run: &[u32], i: usize, k: u32, v: u32) -> u32 {
    let at = k as usize;
    match (run[i] >> k & 1 == 1, i >= at, v.is_multiple_of(3)) {
        (true, ..) => 7,
        (false, true, true) => run[(i + at) % 40],
        (false, true, false) => v.wrapping_add(1),
        (false, false, _) => v ^ run[i],
    }
}

fn guarded(run: &[u32], i: usize, k: u32) -> u32 {
    if i == 0 {
        return 7;
    }
    let v = (0..k).fold(run[i - 1], |v, k| {
        match (run[i] >> k & 1 == 1, v % 2 == 0) {
            (true, _) => run[i - 1].wrapping_add(v),
            (false, true) => run[i - 1] ^ v,
            (false, false) => 9,
        }
    });
    v.wrapping_add(u32::from(i <= 5))
}

#[test]
fn a_chain_that_is_there_under_two_conditions() -> obsidian_rt::Result<()> {
    let x: Vec<u32> = (0..80u32).map(|i| i.wrapping_mul(0x9e37_79b9)).collect();
    for (variant, k) in m::guarded::variants().iter().zip([4, 8, 16, 32]) {
        let runs = x.chunks(40);
        let runs = runs.flat_map(|run| (0..40).map(move |i| guarded(run, i, k)));
        let expected: Vec<u32> = runs.collect();
        for (words, device) in obsidian_tests::devices() {
            let input = device.upload(&x)?;
            let found = m::guarded::launch_variant(variant, &device, &input)?.to_vec()?;
            assert_eq!(found, expected, "{words}, {k} steps");
        }
    }
    Ok(())
}

fn asked(run: &[u32], i: usize, k: u32, v: u32) -> u32 {
    let at = k as usize;
    let large = (if i >= at { v } else { 1 }) % 5 > 1;
    match (run[i] >> k & 1 == 1, large) {
        (true, _) => run[(i + at) % 40].wrapping_add(v),
        (false, true) => run[(i + 3 * at) % 40],
        (false, false) => v.wrapping_add(1),
    }
}

macro_rules! chains {
    ($($name:ident)*) => {$(
        #[test]
        fn $name() -> obsidian_rt::Result<()> {
            let x: Vec<u32> = (0..120u32)
                .map(|i| i.wrapping_mul(0x9e37_79b9) ^ (i % 7))
                .collect();
            let mut lengths = Vec::new();
            for (variant, k) in m::$name::variants().iter().zip([4, 8, 16, 32]) {
                lengths.push(variant.kernel().cuda().len());
                let expected = chained(&x, k, super::$name);
                for (words, device) in obsidian_tests::devices() {
                    let input = device.upload(&x)?;
                    let found = m::$name::launch_variant(variant, &device, &input)?.to_vec()?;
                    assert_eq!(found, expected, "{words}, {k} steps");
                }
            }
            println!("{}: {lengths:?} bytes of text", stringify!($name));
            let more = |n: usize| lengths[n + 1] - lengths[n];
            // Lines of a deeper list are longer: somewhat more than twice.
            assert!(more(2) < 4 * more(1), "a text that grows faster than its chain: {lengths:?}");
            Ok(())
        }
    )*};
}

mod agree {
    use super::{chained, m};

    chains! { two three by_value asked }
}
