//! Operators of folds and scans that divide, loop, assert and read arrays: they are applied to elements and their own results, and to nothing else.

use obsidian_executor::Executor;
use obsidian_rt::arrays::*;
use obsidian_rt::language::{EU32, Exp, Program, Thread, assert_that, lit, pure, seq_until};
use obsidian_rt::prelude::kernels;
use obsidian_rt::{Device, ErrorKind};

fn devices() -> Vec<Device> {
    let mut all = vec![
        Device::cpu(),
        Device::cpu_by_columns(),
        Device::cpu().with_blocks(1),
        Device::simulator(),
    ];
    all.extend(Executor::find().map(|executor| executor.device()));
    all
}

#[kernels]
mod m {
    #[device]
    pub fn gcd(a: u32, b: u32) -> u32 {
        let (mut a, mut b) = (a, b);
        while b != 0 {
            let t = a % b;
            a = b;
            b = t;
        }
        a
    }

    /// The product modulo a number that may be 0.
    #[device]
    pub fn times(a: u32, b: u32) -> u32 {
        assert!(a != 0 && b != 0, "elements are not 0");
        (a as u64 * b as u64 % 1_000_003) as u32
    }

    #[arrays]
    pub fn all(xs: Arr1<EU32>) -> (Arr0<EU32>, Arr0<EU32>, Arr1<EU32>) {
        (
            xs.fold(|a, b| gcd(a, b), 0),
            xs.fold1(|a, b| times(a, b)),
            xs.inclusive_scan(|a, b| gcd(a, b)),
        )
    }

    #[arrays]
    pub fn rows(xs: Arr2<EU32>) -> (Arr1<EU32>, Arr2<EU32>) {
        (
            xs.fold1(|a, b| times(a, b)),
            xs.exclusive_scan(|a, b| times(a, b), 1),
        )
    }
}

fn gcd_of(a: EU32, b: EU32) -> Program<Thread, EU32> {
    let step = |(a, b): (EU32, EU32)| (b, a % b);
    seq_until(step, |(_, b): (EU32, EU32)| b.gt(lit(0)), (a, b)).map(|(a, _)| a)
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn times(a: u32, b: u32) -> u32 {
    (u64::from(a) * u64::from(b) % 1_000_003) as u32
}

/// `f`, which fails for what is no element: all elements are 1 or more.
fn checked(a: EU32, b: EU32) -> Program<Thread, EU32> {
    assert_that(a.ge(lit(1)) & b.ge(lit(1)), "elements are not 0").and_then(move |()| {
        let wide = |x: EU32| -> Exp<u64> { x.cast() };
        pure((wide(a) * wide(b) % 1_000_003u64).cast::<u32>())
    })
}

fn elements(n: usize) -> Vec<u32> {
    (0..n as u32).map(|i| (i * 7919 % 1009 + 1) * 6).collect()
}

/// Scans of numbers, from the left.
fn scanned(xs: &[u32], f: impl Fn(u32, u32) -> u32) -> Vec<u32> {
    let mut last = None;
    let each = xs.iter().map(|x| {
        let next = last.map_or(*x, |last| f(last, *x));
        last = Some(next);
        next
    });
    each.collect()
}

const LENGTHS: [usize; 7] = [255, 256, 1000, 2049, 4097, 8193, 20_000];

#[test]
fn operators_that_loop_and_assert() {
    let program = ArrayProgram::build("folds", |xs: Arr1<EU32>| {
        (
            xs.fold(gcd_of, lit(0)),
            xs.fold1(checked),
            xs.inclusive_scan(checked),
            xs.exclusive_scan(checked, lit(1)),
            xs.inclusive_scan_right(gcd_of),
        )
    });
    let program = program.unwrap();
    for d in devices() {
        let long = match d.name() {
            "cpu" => &LENGTHS[..],
            _ => &LENGTHS[..2],
        };
        for n in (1..=70)
            .step_by(if d.name() == "cpu" { 1 } else { 7 })
            .chain(long.iter().copied())
        {
            let xs = elements(n);
            let (a, b, c, e, g) = program.run(&d, &d.array([n], &xs).unwrap()).unwrap();
            let says = format!("{n} on {}", d.name());
            assert_eq!(
                a.value().unwrap(),
                xs.iter().fold(0, |a, b| gcd(a, *b)),
                "{says}"
            );
            let products = scanned(&xs, times);
            assert_eq!(b.value().unwrap(), products[n - 1], "{says}");
            assert_eq!(c.to_vec().unwrap(), products, "{says}");
            let before: Vec<u32> = [1].into_iter().chain(products).take(n).collect();
            assert_eq!(e.to_vec().unwrap(), before, "{says}");
            let backwards: Vec<u32> = xs.iter().rev().copied().collect();
            let mut behind = scanned(&backwards, gcd);
            behind.reverse();
            assert_eq!(g.to_vec().unwrap(), behind, "{says}");
        }
    }
}

/// Of an operator that reads a table, no index is none of an element: another one would be outside.
#[test]
fn operators_that_read_arrays() {
    let program = ArrayProgram::build("read", |xs: Arr1<EU32>, table: Arr1<EU32>| {
        // `x` modulo 5 plus `y` modulo 5, by the table of the sums of two numbers below 5, which begins at 1.
        let sum = move |x: EU32, y: EU32| table.at((x - 1) * 5 + y - 1);
        (xs.fold1(sum.clone()), xs.inclusive_scan(sum))
    });
    let program = program.unwrap();
    let table: Vec<u32> = (0..25).map(|i| (i / 5 + i % 5) % 5 + 1).collect();
    for d in devices() {
        for n in (1..=70)
            .chain([1000, 5000, 9000])
            .filter(|n| *n < 40 || d.name() == "cpu")
        {
            let xs: Vec<u32> = (0..n as u32).map(|i| i * i % 5 + 1).collect();
            let given = (d.array([n], &xs).unwrap(), d.array([25], &table).unwrap());
            let (sum, sums) = program.run(&d, (&given.0, &given.1)).unwrap();
            let want = scanned(&xs, |x, y| table[((x - 1) * 5 + y - 1) as usize]);
            assert_eq!(sum.value().unwrap(), want[n - 1], "{n} on {}", d.name());
            assert_eq!(sums.to_vec().unwrap(), want, "{n} on {}", d.name());
        }
    }
}

#[test]
fn device_functions_as_operators() {
    for d in devices() {
        for n in (1..=70)
            .chain([300, 9000])
            .filter(|n| *n < 20 || d.name() == "cpu")
        {
            let xs = elements(n);
            let found = m::all::run(&d, &d.array([n], &xs).unwrap()).unwrap();
            let found = (
                found.0.value().unwrap(),
                found.1.value().unwrap(),
                found.2.to_vec().unwrap(),
            );
            let all = xs.iter().fold(0, |a, b| gcd(a, *b));
            assert_eq!(
                found,
                (all, scanned(&xs, times)[n - 1], scanned(&xs, gcd)),
                "{n}"
            );
        }
        for (h, w) in [(1, 1), (3, 31), (40, 5), (2, 70), (5, 300)] {
            let xs = elements(h * w);
            let (folds, scans) = m::rows::run(&d, &d.array([h, w], &xs).unwrap()).unwrap();
            let rows = xs.chunks(w).map(|row| scanned(row, times));
            let want: Vec<u32> = rows.clone().map(|row| row[w - 1]).collect();
            assert_eq!(folds.to_vec().unwrap(), want, "{h} {w} on {}", d.name());
            let want = rows.flat_map(|row| [1].into_iter().chain(row).take(w).collect::<Vec<_>>());
            assert_eq!(scans.to_vec().unwrap(), want.collect::<Vec<_>>(), "{h} {w}");
        }
        // What the fold from the left fails at is an error; nothing else is.
        let zero = d.array([3], &[1u32, 0, 2]).unwrap();
        assert_eq!(
            m::all::run(&d, &zero).err().map(|e| e.kind()),
            Some(ErrorKind::Fault)
        );
    }
}

/// Segments, and what is put into places, use the operator on elements of one segment or place only.
#[test]
fn segments_and_places() {
    let program = ArrayProgram::build("segments", |xs: Arr1<EU32>, at: Arr1<EU32>| {
        let begins = at.map(|x| (x % 3).eq(lit(0)));
        let place = {
            let at = at.clone();
            move |i, _| (lit(true), at.at(i) % 8)
        };
        (
            xs.segmented_inclusive_scan(begins, checked),
            xs.permute(checked, fill(8u32, lit(1)), place),
        )
    });
    let program = program.unwrap();
    for d in devices() {
        for n in [1usize, 2, 33, 300] {
            let xs = elements(n);
            let at: Vec<u32> = (0..n as u32).map(|i| i * 5 % 11).collect();
            let given = (d.array([n], &xs).unwrap(), d.array([n], &at).unwrap());
            let (scans, places) = program.run(&d, (&given.0, &given.1)).unwrap();
            let (mut want, mut all) = (Vec::new(), [1; 8]);
            for i in 0..n {
                want.push(match i == 0 || at[i].is_multiple_of(3) {
                    true => xs[i],
                    false => times(want[i - 1], xs[i]),
                });
                all[at[i] as usize % 8] = times(all[at[i] as usize % 8], xs[i]);
            }
            assert_eq!(scans.to_vec().unwrap(), want, "{n} on {}", d.name());
            assert_eq!(places.to_vec().unwrap(), all, "{n} on {}", d.name());
        }
    }
}

#[test]
fn states_of_eight_arrays() {
    let program = ArrayProgram::build("states", |x: Arr1<EU32>| {
        let one = || unit(lit(1u32));
        let state = (x, one(), one(), one(), one(), one(), one(), (one(), one()));
        let state = power(3u32, state, |(x, a, b, c, d, e, f, (g, h))| {
            let next = zip_with(|x, y| x + y, a.clone(), h.clone());
            (x.map(move |x| x + h.the()), b, c, d, e, f, g, (a, next))
        });
        (state.0, state.7.1)
    });
    let program = program.unwrap();
    for d in [Device::cpu(), Device::simulator()] {
        let (x, last) = program.run(&d, &d.array([2], &[10, 20]).unwrap()).unwrap();
        // 1, 2, 3 are added.
        assert_eq!(
            (x.to_vec().unwrap(), last.value().unwrap()),
            (vec![16, 26], 4)
        );
    }
}

/// A fold reads the first element of a row, where the row has one; whatever else asks for a first element is checked.
#[test]
fn a_first_element_is_only_where_rows_have_one() {
    let program = ArrayProgram::build("first", |m: Arr2<EU32>| {
        let (height, _) = m.shape();
        let folded = m.fold(|_, b| b, lit(1));
        (
            folded.compute(),
            generate(height, move |y| m.at((y, lit(0)))),
        )
    });
    let program = program.unwrap();
    for d in devices() {
        let m = d.array([2, 2], &[1u32, 2, 3, 4]).unwrap();
        let (folded, first) = program.run(&d, &m).unwrap();
        assert_eq!(folded.to_vec().unwrap(), [2, 4]);
        assert_eq!(first.to_vec().unwrap(), [1, 3]);
        let none = d.array([2, 0], &[] as &[u32]).unwrap();
        let (wrong, name) = (program.run(&d, &none), d.name().to_owned());
        let wrong = wrong.and_then(|(_, first)| first.to_vec()).err();
        let wrong = wrong.unwrap_or_else(|| panic!("nothing was noticed on {name}"));
        assert!(
            matches!(wrong.kind(), ErrorKind::Fault | ErrorKind::Requirement),
            "{wrong}"
        );
    }
}
