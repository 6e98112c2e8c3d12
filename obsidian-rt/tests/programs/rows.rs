//! Rows of lanes: the engine by columns lets a strip end with a row, where indices are divided by the length of one. Lengths around the
//! shortest such row and the longest strip, known ones and those of a run, beside plain Rust, on the CPU and the simulator.

use obsidian_rt::Device;
use obsidian_rt::arrays::*;
use obsidian_rt::language::{EU32, lit, select};
use obsidian_rt::prelude::*;

use super::in_order::devices;

#[kernels]
mod effects {
    /// Adds up in front of the quotient that says which row it is, and counts behind it.
    #[kernel(threads = 256)]
    pub fn first(
        sums: MGlobal<EU32>,
        rows: MGlobal<EU32>,
        x: DPull<EU32>,
        w: EU32,
    ) -> Program<Grid, ()> {
        let pieces = x.split_up(256);
        distr_par(pieces.len(), |b| {
            for_all(256, |i| {
                sums.atomic_add(i % 4, pieces[b][i]).void()?;
                rows.atomic_add((b * 256 + i) / w % 16, 1).void()
            })
        })
    }

    /// The same with the quotient in front, and a loop that asks for the rest by another number in each round.
    #[kernel(threads = 256)]
    pub fn last(
        sums: MGlobal<EU32>,
        rows: MGlobal<EU32>,
        x: DPull<EU32>,
        w: EU32,
    ) -> Program<Grid, ()> {
        let pieces = x.split_up(256);
        distr_par(pieces.len(), |b| {
            for_all(256, |i| {
                let n = b * 256 + i;
                let row = n / w % 16;
                let rest = seq_iterate(3, |round, sum| sum + n % (w + round), lit(0u32))?;
                rows.atomic_add(row, rest).void()?;
                sums.atomic_add(i % 4, pieces[b][i]).void()
            })
        })
    }
}

/// Lengths of rows: short ones, those of a strip, and those beside them.
const WIDTHS: [u32; 14] = [
    1, 2, 31, 63, 64, 65, 100, 255, 256, 257, 512, 1_023, 1_024, 1_025,
];

fn numbers(count: u32) -> Vec<u32> {
    (0..count)
        .map(|n| n.wrapping_mul(2_654_435_761) >> 7)
        .collect()
}

/// The four neighbours of an element, those outside being its own, of which some are read only where they are.
fn cross(x: &Arr2<EU32>, (i, j): (EU32, EU32)) -> EU32 {
    let (h, w) = x.shape();
    let own = x.at((i, j));
    let up = select(i.lt(1), own, x.at((i - 1, j)));
    let down = select(i.lt(h - 1), x.at((i + 1, j)), own);
    let left = select(j.eq(0), lit(7u32), x.at((i, j - 1)));
    let right = select(j.ge(w - 1), x.at((i, (j + 1) % w)), x.at((i, j + 1)));
    own * 3 + up * 5 + down * 7 + left * 11 + right * 13
}

fn plain_cross(x: &[u32], h: usize, w: usize) -> Vec<u32> {
    let at = |i: usize, j: usize| x[i * w + j];
    let element = |n: usize| {
        let (i, j) = (n / w, n % w);
        let up = if i == 0 { at(i, j) } else { at(i - 1, j) };
        let down = if i + 1 < h { at(i + 1, j) } else { at(i, j) };
        let left = if j == 0 { 7 } else { at(i, j - 1) };
        let parts = [at(i, j), up, down, left, at(i, (j + 1) % w)];
        let products = parts.into_iter().zip([3u32, 5, 7, 11, 13]);
        products.fold(0u32, |sum, (x, f)| sum.wrapping_add(x.wrapping_mul(f)))
    };
    (0..h * w).map(element).collect()
}

#[test]
fn neighbours_in_rows_of_any_length() {
    let of_a_run = ArrayProgram::build("cross", |x: Arr2<EU32>| {
        let all = x.clone();
        generate(x.shape(), move |at| cross(&all, at))
    })
    .unwrap();
    for (h, w) in WIDTHS.iter().flat_map(|w| [(1, *w), (2, *w), (5, *w)]) {
        let x = numbers(h * w);
        let wanted = plain_cross(&x, h as usize, w as usize);
        let known = ArrayProgram::build("known", move |x: Arr1<EU32>| {
            let all = x.reshape((h, w));
            generate((h, w), move |at| cross(&all, at))
        })
        .unwrap();
        for device in devices() {
            let shaped = device.array([h as usize, w as usize], &x).unwrap();
            let got = of_a_run.run(&device, &shaped).unwrap().to_vec().unwrap();
            assert!(got == wanted, "{h} x {w} of a run on {device:?}");
            let flat = device.array([x.len()], &x).unwrap();
            let got = known.run(&device, &flat).unwrap().to_vec().unwrap();
            assert!(got == wanted, "{h} x {w} known on {device:?}");
        }
    }
}

/// Quotients and rests of numbers that begin anywhere, and begin again at 0, by numbers that a run reads; 0 among them.
#[test]
fn quotients_of_neighbours_by_any_number() {
    let parts = ArrayProgram::build(
        "parts",
        |x: Arr1<EU32>, first: Arr0<EU32>, by: Arr0<EU32>| {
            x.imap(move |i, x| {
                let (first, by) = (first.the(), by.the());
                let at = i + first;
                let rest = select((at % by).lt(5), x + at / by, x * 3);
                (at / by, at % by, rest, select(at.lt(by), lit(1u32), lit(0)))
            })
        },
    )
    .unwrap();
    let n = 3_000;
    let x = numbers(n);
    for device in devices() {
        let input = device.array([n as usize], &x).unwrap();
        for by in [0, 1, 2, 63, 64, 65, 200, 1_024, 1_500, u32::MAX] {
            for first in [0, 1, 63, 1_000, u32::MAX - 1_200, u32::MAX] {
                let number = |x: u32| device.array([], &[x]).unwrap();
                let (of_first, of_by) = (number(first), number(by));
                let got = parts.run(&device, (&input, &of_first, &of_by)).unwrap();
                let got: Vec<(u32, u32, u32, u32)> = got.to_vec().unwrap();
                for (i, x) in (0u32..).zip(&x) {
                    let at = i.wrapping_add(first);
                    let (quotient, rest) = (
                        at.checked_div(by).unwrap_or(0),
                        at.checked_rem(by).unwrap_or(at),
                    );
                    let chosen = match rest < 5 {
                        true => x.wrapping_add(quotient),
                        false => x.wrapping_mul(3),
                    };
                    let wanted = (quotient, rest, chosen, u32::from(at < by));
                    assert_eq!(
                        got[i as usize], wanted,
                        "{i} + {first} by {by} on {device:?}"
                    );
                }
            }
        }
    }
}

/// Choices in choices, of which each arm reads.
#[test]
fn choices_in_rows_are_made_lane_by_lane() {
    let program = ArrayProgram::build(
        "choices",
        |x: Arr2<EU32>, low: Arr0<EU32>, high: Arr0<EU32>| {
            let (all, shape) = (x.clone(), x.shape());
            let last = shape.1 - 1;
            generate(shape, move |(i, j)| {
                let (low, high) = (low.the(), high.the());
                let own = all.at((i, j));
                let inner = select(
                    low.le(j) & j.lt(high),
                    all.at((i, j)) * 2,
                    all.at((i, last - j)),
                );
                let odd = select(
                    (own % 2).eq(1),
                    inner,
                    all.at((i, select(j.gt(high), lit(0u32), j))),
                );
                select(j.lt(low), odd + 1, select(high.le(j), own, odd))
                    + select(j.ge(low), own, own)
            })
        },
    )
    .unwrap();
    for (h, w) in [(3, 70), (2, 64), (2, 300), (1, 1_030), (9, 20)] {
        let x = numbers(h * w);
        for device in devices() {
            let input = device.array([h as usize, w as usize], &x).unwrap();
            for (low, high) in [
                (0, 0),
                (0, w),
                (1, w - 1),
                (w / 2, w / 2 + 1),
                (w, 2),
                (60, 70),
            ] {
                let number = |x: u32| device.array([], &[x]).unwrap();
                let got = program.run(&device, (&input, &number(low), &number(high)));
                let got = got.unwrap().to_vec().unwrap();
                for n in 0..h * w {
                    let (row, j) = (n / w * w, n % w);
                    let at = |j: u32| x[(row + j) as usize];
                    let own = at(j);
                    let inner = match low <= j && j < high {
                        true => own.wrapping_mul(2),
                        false => at(w - 1 - j),
                    };
                    let odd = match own % 2 == 1 {
                        true => inner,
                        false => at(if j > high { 0 } else { j }),
                    };
                    let outer = match (j < low, high <= j) {
                        (true, _) => odd.wrapping_add(1),
                        (false, true) => own,
                        (false, false) => odd,
                    };
                    let wanted = outer.wrapping_add(own);
                    assert_eq!(
                        got[n as usize], wanted,
                        "{h} x {w}, {low} to {high}, {n} on {device:?}"
                    );
                }
            }
        }
    }
}

/// An arm that reads one element for all of its lanes is left out where none of them is there: under flags of a few lanes, of which a range
/// is asked that lies between them.
#[test]
fn an_arm_without_lanes_reads_nothing() {
    let program = ArrayProgram::build(
        "flags",
        |flags: Arr1<EU32>, x: Arr1<EU32>, k: Arr0<EU32>| {
            flags.imap(move |i, flag| {
                let far = x.at(k.the());
                let inner = select((i - 3).lt(5), far, lit(1u32));
                select(flag.eq(1), inner, lit(2))
            })
        },
    )
    .unwrap();
    for device in devices() {
        let mut flags = vec![0u32; 300];
        (flags[0], flags[9], flags[120]) = (1, 1, 1);
        let wanted: Vec<u32> = flags.iter().map(|flag| 2 - flag).collect();
        let flags = device.array([300], &flags).unwrap();
        let (x, k) = (
            device.array([2], &[7, 8]).unwrap(),
            device.array([], &[5]).unwrap(),
        );
        let got = program.run(&device, (&flags, &x, &k)).unwrap();
        assert_eq!(got.to_vec().unwrap(), wanted, "{device:?}");
    }
}

#[test]
fn what_has_an_effect_happens_once() {
    for device in [Device::cpu(), Device::cpu_by_columns(), Device::simulator()] {
        for w in [1, 63, 64, 70, 256, 300, 1_000] {
            let x = numbers(1_024);
            let input = device.upload(&x).unwrap();
            for is_first in [true, false] {
                let (mut sums, mut rows) = (device.zeros(4).unwrap(), device.zeros(16).unwrap());
                match is_first {
                    true => effects::first::launch(&device, &mut sums, &mut rows, &input, w),
                    false => effects::last::launch(&device, &mut sums, &mut rows, &input, w),
                }
                .unwrap();
                let (mut of_sums, mut of_rows) = ([0u32; 4], [0u32; 16]);
                for (n, x) in (0u32..).zip(&x) {
                    let sum = &mut of_sums[n as usize % 4];
                    *sum = sum.wrapping_add(*x);
                    of_rows[(n / w % 16) as usize] += match is_first {
                        true => 1,
                        false => (0..3).map(|round| n % (w + round)).sum(),
                    };
                }
                assert_eq!(sums.to_vec().unwrap(), of_sums, "{w} on {device:?}");
                assert_eq!(rows.to_vec().unwrap(), of_rows, "{w} on {device:?}");
            }
        }
    }
}

/// Where there is one row, its number is known: an arm that is not for it may name a row that there is not, and one that is taken faults.
#[test]
fn the_only_row_has_no_other() {
    let of_one = |reads_above: bool| {
        ArrayProgram::build("one", move |x: Arr1<EU32>| {
            let n = x.len();
            let all = x.reshape((1, n));
            generate((1, n), move |(i, j)| {
                let is_first = if reads_above { lit(false) } else { i.lt(1) };
                select(is_first, all.at((i, j)), all.at((i + 1, j)))
            })
        })
        .unwrap()
    };
    let (guarded, unguarded) = (of_one(false), of_one(true));
    for device in devices() {
        let x = device.array([3], &[5, 6, 7]).unwrap();
        let got = guarded.run(&device, &x).unwrap().to_vec().unwrap();
        assert_eq!(got, [5, 6, 7], "{device:?}");
        let error = unguarded.run(&device, &x).unwrap_err();
        assert_eq!(error.kind(), obsidian_rt::ErrorKind::Fault, "{error}");
        assert!(error.to_string().contains("rows.rs:"), "{error}");
    }
}

#[test]
fn lengths_may_have_a_small_bound() {
    // `min(n, 3)`, `n % 5`, and what is made of them.
    let program = ArrayProgram::build("few", |xs: Arr1<EU32>| {
        let n = xs.len();
        let (least, rest) = (n.min(3), n % 5);
        let front = xs.take(least);
        (
            front.map(|x| x + 1),
            front.sum(),
            xs.drop(n - least).inclusive_scan(|x, y| x + y),
            generate((rest, least), |(i, j)| i * 10 + j),
            xs.take(rest).reverse(),
        )
    })
    .unwrap();
    let filtered = ArrayProgram::build("filtered", |xs: Arr1<EU32>| {
        let n = xs.len();
        (
            xs.take(n.min(7)).filter(|x| (x % 2).eq(0)),
            xs.take(n % 6).sort(),
        )
    })
    .unwrap();
    for device in [Device::cpu(), Device::simulator()] {
        for n in [0u32, 1, 2, 3, 4, 5, 7, 12, 1500] {
            let xs: Vec<u32> = (0..n).map(|i| 1000 - i % 700).collect();
            let array = device.array([xs.len()], &xs).unwrap();
            let (front, sum, scanned, table, reversed) = program.run(&device, &array).unwrap();
            let least = xs.len().min(3);
            let rest = xs.len() % 5;
            let plus: Vec<u32> = xs[..least].iter().map(|x| x + 1).collect();
            assert_eq!(front.to_vec().unwrap(), plus);
            assert_eq!(sum.value().unwrap(), xs[..least].iter().sum::<u32>());
            let mut total = 0;
            let totals: Vec<u32> = xs[xs.len() - least..]
                .iter()
                .map(|x| {
                    total += x;
                    total
                })
                .collect();
            assert_eq!(scanned.to_vec().unwrap(), totals);
            assert_eq!(table.extents(), [rest, least]);
            let cells = (0..rest as u32).flat_map(|i| (0..least as u32).map(move |j| i * 10 + j));
            assert_eq!(table.to_vec().unwrap(), cells.collect::<Vec<_>>());
            let back: Vec<u32> = xs[..rest].iter().rev().copied().collect();
            assert_eq!(reversed.to_vec().unwrap(), back);
            let (even, sorted) = filtered.run(&device, &array).unwrap();
            let evens: Vec<u32> = xs.iter().take(7).copied().filter(|x| x % 2 == 0).collect();
            assert_eq!(even.to_vec().unwrap(), evens);
            let mut some = xs[..xs.len() % 6].to_vec();
            some.sort_unstable();
            assert_eq!(sorted.to_vec().unwrap(), some);
        }
    }
}
