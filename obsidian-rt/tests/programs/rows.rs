//! Rows of lanes: the engine by columns lets a strip end with a row, where indices are divided by the length of one. Lengths around the
//! shortest such row and the longest strip, known ones and those of a run, beside plain Rust, on the CPU and the simulator.

use obsidian_rt::arrays::*;
use obsidian_rt::language::{EU32, lit, select};

use super::in_order::devices;

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
        // Of one row it is known that it has no other row, so that none may be read.
        let known = (h > 1 && w > 1).then(|| {
            let known = ArrayProgram::build("known", move |x: Arr1<EU32>| {
                let all = x.reshape((h, w));
                generate((h, w), move |at| cross(&all, at))
            });
            known.unwrap()
        });
        for device in devices() {
            let shaped = device.array([h as usize, w as usize], &x).unwrap();
            let got = of_a_run.run(&device, &shaped).unwrap().to_vec().unwrap();
            assert!(got == wanted, "{h} x {w} of a run on {device:?}");
            if let Some(known) = &known {
                let flat = device.array([x.len()], &x).unwrap();
                let got = known.run(&device, &flat).unwrap().to_vec().unwrap();
                assert!(got == wanted, "{h} x {w} known on {device:?}");
            }
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

/// Choices in choices, of which each arm reads, and choices whose arms are one value.
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
