//! The cases: each a kernel of the CPU device and its peers, on inputs that all of them share.
//!
//! Kernels read buffers that lie on the device, and leave their result there, as a program that
//! goes on with it would. Peers read slices; those that need memory for their result are given it,
//! or make it, as their name says.

use std::cell::RefCell;

use obsidian_rt::{Buffer, Device, Element, Result};
use rayon::prelude::*;

use crate::harness::{Candidate, Effort, Row, compare};
use crate::kernels::pairs;
use crate::peers::{self, Number, larger};

/// A group of cases: its name, and a function that runs it and hands each row on.
pub type Group = (
    &'static str,
    fn(&Device, Effort, &mut dyn FnMut(Row)) -> Result<()>,
);

/// All groups.
pub const GROUPS: &[Group] = &[
    ("launch", launches),
    ("sum", sums),
    ("max", maxima),
    ("dot", dots),
    ("saxpy", saxpy),
    ("scan", scans),
    ("histogram", histograms),
    ("mandelbrot", mandelbrots),
    ("transpose", transposes),
    ("matmul", products),
    ("functions", functions),
    ("blackscholes", blackscholes),
    ("sort", sorts),
    ("runs", sorts_of_runs),
    ("memory", memory),
    ("arrays", crate::whole::cases),
    ("algorithms", crate::algorithms::cases),
];

/// One of two sizes: that of the table, or of a check.
fn sizes<'a, T>(effort: Effort, full: &'a [T], quick: &'a [T]) -> &'a [T] {
    if effort.rounds == Effort::QUICK.rounds {
        quick
    } else {
        full
    }
}

const LENGTHS: &[usize] = &[1 << 20, 1 << 24, 1 << 26];
const SHORT: &[usize] = &[10_007];

/// Numbers that look random; the same each time. By the last step of MurmurHash3.
pub(crate) fn numbers(n: usize) -> Vec<u32> {
    let number = |mut x: u32| {
        x = (x ^ (x >> 16)).wrapping_mul(0x85eb_ca6b);
        x = (x ^ (x >> 13)).wrapping_mul(0xc2b2_ae35);
        x ^ (x >> 16)
    };
    (0..n as u32).map(number).collect()
}

/// Numbers from -1 to 1.
pub(crate) fn floats(n: usize) -> Vec<f32> {
    let float = |x: u32| (x >> 8) as f32 / (1 << 23) as f32 - 1.0;
    numbers(n).into_iter().map(float).collect()
}

/// How many elements, as a power of two where it is one.
fn size(n: usize) -> String {
    if n.is_power_of_two() {
        format!("2^{}", n.trailing_zeros())
    } else {
        n.to_string()
    }
}

/// Reduces until one element is left, and copies it back.
fn to_one<T: Element>(
    mut values: Buffer<T>,
    reduce: impl Fn(&Buffer<T>) -> Result<Buffer<T>>,
) -> Result<T> {
    while values.len() > 1 {
        values = reduce(&values)?;
    }
    Ok(values.to_vec()?.first().copied().unwrap_or_default())
}

/// Is a sum of terms from -1 to 1 as close as a sum in another order is?
fn close(found: f32, expected: f64, terms: usize) -> bool {
    (f64::from(found) - expected).abs() <= 1e-5 * terms as f64
}

fn launches(device: &Device, effort: Effort, done: &mut dyn FnMut(Row)) -> Result<()> {
    for &n in sizes(effort, &[32, 2048, 65_536], &[32, 2048]) {
        let x = numbers(n);
        let input = device.upload(&x)?;
        let right = |y: Vec<u32>| y.iter().zip(&x).all(|(y, x)| *y == x.wrapping_mul(2));
        let map = || x.iter().map(|x| x.wrapping_mul(2)).collect();
        done(compare(
            format!("launch, {} blocks of 32", n / 32),
            effort,
            vec![
                Candidate::new(
                    "ours",
                    || pairs::doubled::launch(device, &input),
                    |y| y.is_ok_and(|y| right(y.to_vec().unwrap_or_default())),
                ),
                Candidate::new("collect", map, right),
                Candidate::new("rayon::scope", || rayon::scope(|_| map()), right),
            ],
        ));
    }
    Ok(())
}

/// A reduction of one array by any of the functions.
fn reduction<T: Number + Element>(
    (name, effort): (String, Effort),
    x: &[T],
    (start, f): (T, impl Fn(T, T) -> T + Copy + Sync),
    ours: impl Fn() -> Result<T>,
    right: impl Fn(T) -> bool + Copy,
) -> Row {
    compare(
        name,
        effort,
        vec![
            Candidate::new("ours", ours, |sum: Result<T>| sum.is_ok_and(right)),
            Candidate::new("plain", || peers::fold(x, start, f), |_| true),
            Candidate::new("rayon", || peers::fold_rayon(x, start, f), right),
            Candidate::new("rayon tuned", || peers::fold_tuned(x, start, f), right),
        ],
    )
}

fn sums(device: &Device, effort: Effort, done: &mut dyn FnMut(Row)) -> Result<()> {
    for &n in sizes(effort, LENGTHS, SHORT) {
        let x = numbers(n);
        let (input, sum) = (device.upload(&x)?, peers::fold(&x, 0, u32::plus));
        done(reduction(
            (format!("sum u32 {}", size(n)), effort),
            &x,
            (0, u32::plus),
            || reduction::large_sum(device, &input),
            |found| found == sum,
        ));
        done(reduction(
            (format!("sum u32 {}, together", size(n)), effort),
            &x,
            (0, u32::plus),
            || reduction::large_sum_together(device, &input),
            |found| found == sum,
        ));
        drop(input);
        let x = floats(n);
        let (input, sum) = (device.upload(&x)?, x.iter().map(|x| f64::from(*x)).sum());
        let launch = |x: &Buffer<f32>| pairs::sums::launch(device, x);
        let together = |x: &Buffer<f32>| reduction::together::sums_of_floats::launch(device, x);
        done(reduction(
            (format!("sum f32 {}", size(n)), effort),
            &x,
            (0.0, f32::plus),
            || to_one(launch(&input)?, launch),
            |found| close(found, sum, n),
        ));
        done(reduction(
            (format!("sum f32 {}, together", size(n)), effort),
            &x,
            (0.0, f32::plus),
            || to_one(together(&input)?, together),
            |found| close(found, sum, n),
        ));
    }
    Ok(())
}

fn maxima(device: &Device, effort: Effort, done: &mut dyn FnMut(Row)) -> Result<()> {
    for &n in sizes(effort, LENGTHS, SHORT) {
        let x = numbers(n);
        let (input, max) = (device.upload(&x)?, x.iter().max().copied());
        let launch = |x: &Buffer<u32>| pairs::maxima_u32::launch(device, x);
        done(reduction(
            (format!("max u32 {}", size(n)), effort),
            &x,
            (0, larger),
            || to_one(launch(&input)?, launch),
            |found| Some(found) == max,
        ));
        drop(input);
        let x = floats(n);
        let (input, max) = (device.upload(&x)?, x.iter().copied().fold(-1.0, f32::max));
        let launch = |x: &Buffer<f32>| pairs::maxima_f32::launch(device, x);
        done(reduction(
            (format!("max f32 {}", size(n)), effort),
            &x,
            (-1e30, larger),
            || to_one(launch(&input)?, launch),
            |found| found == max,
        ));
        let launch = |x: &Buffer<f32>| pairs::maxima_together::launch(device, x);
        done(reduction(
            (format!("max f32 {}, together", size(n)), effort),
            &x,
            (-1e30, larger),
            || to_one(launch(&input)?, launch),
            |found| found == max,
        ));
    }
    Ok(())
}

/// A dot product.
fn dot<T: Number + Element>(
    (name, effort): (String, Effort),
    (x, y): (&[T], &[T]),
    ours: impl Fn() -> Result<T>,
    right: impl Fn(T) -> bool + Copy,
) -> Row {
    compare(
        name,
        effort,
        vec![
            Candidate::new("ours", ours, |sum: Result<T>| sum.is_ok_and(right)),
            Candidate::new("plain", || peers::dot(x, y), |_| true),
            Candidate::new("rayon", || peers::dot_rayon(x, y), right),
            Candidate::new("rayon tuned", || peers::dot_tuned(x, y), right),
        ],
    )
}

fn dots(device: &Device, effort: Effort, done: &mut dyn FnMut(Row)) -> Result<()> {
    for &n in sizes(effort, LENGTHS, SHORT) {
        let (x, mut y) = (numbers(n), numbers(n));
        y.reverse();
        let (a, b) = (device.upload(&x)?, device.upload(&y)?);
        let sum = peers::dot(&x, &y);
        done(dot(
            (format!("dot u32 {}", size(n)), effort),
            (&x, &y),
            || {
                to_one(pairs::dots_u32::launch(device, &a, &b)?, |x| {
                    pairs_sums_u32(device, x)
                })
            },
            |found| found == sum,
        ));
        drop((a, b));
        let (x, mut y) = (floats(n), floats(n));
        y.reverse();
        let (a, b) = (device.upload(&x)?, device.upload(&y)?);
        let exact = x.iter().zip(&y).map(|(x, y)| f64::from(*x) * f64::from(*y));
        let sum = exact.sum();
        done(dot(
            (format!("dot f32 {}", size(n)), effort),
            (&x, &y),
            || {
                to_one(pairs::dots_f32::launch(device, &a, &b)?, |x| {
                    pairs::sums::launch(device, x)
                })
            },
            |found| close(found, sum, n),
        ));
    }
    Ok(())
}

fn pairs_sums_u32(device: &Device, x: &Buffer<u32>) -> Result<Buffer<u32>> {
    reduction::reductions::sums_of_runs::launch(device, x)
}

fn saxpy(device: &Device, effort: Effort, done: &mut dyn FnMut(Row)) -> Result<()> {
    const A: f32 = 0.125;
    for &n in sizes(effort, &LENGTHS[..2], SHORT) {
        let (x, y) = (floats(n), floats(n));
        let expected = peers::saxpy_fresh(A, &x, &y);
        let (a, b) = (device.upload(&x)?, device.upload(&y)?);
        let right = |found: Vec<f32>| found == expected;
        let rayon = || peers::saxpy_fresh_rayon(A, &x, &y);
        let place = RefCell::new(y.clone());
        let tuned = || peers::saxpy_tuned(A, &x, &mut place.borrow_mut());
        done(compare(
            format!("saxpy f32 {}, fresh", size(n)),
            effort,
            vec![
                Candidate::new(
                    "ours",
                    || pairs::saxpy::launch(device, A, &a, &b),
                    |sums| sums.is_ok_and(|sums| right(sums.to_vec().unwrap_or_default())),
                ),
                Candidate::new("plain", || peers::saxpy_fresh(A, &x, &y), right),
                Candidate::new("rayon", rayon, right),
                Candidate::new("rayon tuned, in place", tuned, |()| {
                    *place.borrow() == expected
                }),
            ],
        ));
        let (ours, plain) = (RefCell::new(b), RefCell::new(y.clone()));
        let tuned = RefCell::new(y);
        done(compare(
            format!("saxpy f32 {}, in place", size(n)),
            effort,
            vec![
                Candidate::new(
                    "ours",
                    || pairs::saxpy_in_place::launch(device, A, &mut ours.borrow_mut(), &a),
                    |done| done.is_ok() && right(ours.borrow().to_vec().unwrap_or_default()),
                ),
                Candidate::new(
                    "plain",
                    || peers::saxpy(A, &x, &mut plain.borrow_mut()),
                    |()| *plain.borrow() == expected,
                ),
                Candidate::new(
                    "rayon tuned",
                    || peers::saxpy_tuned(A, &x, &mut tuned.borrow_mut()),
                    |()| *tuned.borrow() == expected,
                ),
            ],
        ));
    }
    Ok(())
}

fn scans(device: &Device, effort: Effort, done: &mut dyn FnMut(Row)) -> Result<()> {
    for &n in sizes(effort, &LENGTHS[..2], SHORT) {
        let x = numbers(n);
        let (input, expected) = (device.upload(&x)?, peers::scan(&x));
        let right = |found: Vec<u32>| found == expected;
        let place = RefCell::new(vec![0; n]);
        let tuned = || peers::scan_tuned(&x, &mut place.borrow_mut());
        done(compare(
            format!("scan u32 {}", size(n)),
            effort,
            vec![
                Candidate::new(
                    "ours",
                    || scan::large_scan(device, &input),
                    |sums| sums.is_ok_and(|sums| right(sums.to_vec().unwrap_or_default())),
                ),
                Candidate::new("plain, fresh", || peers::scan(&x), right),
                Candidate::new("rayon tuned", tuned, |()| *place.borrow() == expected),
            ],
        ));
        done(compare(
            format!("scan u32 {}, together", size(n)),
            effort,
            vec![
                Candidate::new(
                    "ours",
                    || scan::large_scan_together(device, &input),
                    |sums| sums.is_ok_and(|sums| right(sums.to_vec().unwrap_or_default())),
                ),
                Candidate::new("plain, fresh", || peers::scan(&x), right),
                Candidate::new("rayon tuned", tuned, |()| *place.borrow() == expected),
            ],
        ));
    }
    Ok(())
}

fn histograms(device: &Device, effort: Effort, done: &mut dyn FnMut(Row)) -> Result<()> {
    for &n in sizes(effort, &LENGTHS[1..2], SHORT) {
        let keys = numbers(n);
        let (input, expected) = (device.upload(&keys)?, peers::histogram(&keys));
        let right = |found: Vec<u32>| found == expected;
        done(compare(
            format!("histogram u32 {}", size(n)),
            effort,
            vec![
                Candidate::new(
                    "ours",
                    || histogram::histogram(device, &input),
                    |bins| bins.is_ok_and(|bins| right(bins.to_vec().unwrap_or_default())),
                ),
                Candidate::new("plain", || peers::histogram(&keys), right),
                Candidate::new("rayon", || peers::histogram_rayon(&keys), right),
            ],
        ));
    }
    Ok(())
}

fn mandelbrots(device: &Device, effort: Effort, done: &mut dyn FnMut(Row)) -> Result<()> {
    for &n in sizes(effort, &[512, 2048], &[40]) {
        let expected = mandelbrot::reference(n, n);
        let right = |found: Vec<u8>| found == expected;
        done(compare(
            format!("mandelbrot {n}"),
            effort,
            vec![
                Candidate::new(
                    "ours",
                    || mandelbrot::pictures::picture::launch(device, n as u32, n as u32),
                    |picture| picture.is_ok_and(|p| right(p.to_vec().unwrap_or_default())),
                ),
                Candidate::new("rayon", || peers::mandelbrot_rayon(n), right),
                Candidate::new("rayon tuned", || peers::mandelbrot_tuned(n), right),
            ],
        ));
    }
    Ok(())
}

fn transposes(device: &Device, effort: Effort, done: &mut dyn FnMut(Row)) -> Result<()> {
    for &n in sizes(effort, &[4096], &[96]) {
        let x = floats(n * n);
        let (input, expected) = (device.upload(&x)?, peers::transpose(&x, n));
        let right = |found: Vec<f32>| found == expected;
        let place = RefCell::new(vec![0.0; n * n]);
        let tuned = || peers::transpose_tuned(&x, n, &mut place.borrow_mut());
        done(compare(
            format!("transpose f32 {n}"),
            effort,
            vec![
                Candidate::new(
                    "ours",
                    || transpose::transposes::in_tiles::launch(device, n as u32, &input),
                    |y| y.is_ok_and(|y| right(y.to_vec().unwrap_or_default())),
                ),
                Candidate::new("plain, fresh", || peers::transpose(&x, n), right),
                Candidate::new("rayon tuned", tuned, |()| *place.borrow() == expected),
            ],
        ));
    }
    Ok(())
}

fn products(device: &Device, effort: Effort, done: &mut dyn FnMut(Row)) -> Result<()> {
    for &n in sizes(effort, &[256, 512, 1024], &[48]) {
        let (a, b) = (matmul::matrix(n * n, 1), matmul::matrix(n * n, 2));
        let (left, right) = (device.upload(&a)?, device.upload(&b)?);
        // In double precision, for some rows.
        let rows = n.min(64);
        let exact = matmul::reference(&a[..rows * n], &b, n, n);
        let close = |found: &[f32]| {
            found.len() == n * n && matmul::error(&found[..rows * n], &exact, n) <= 1.0
        };
        let (first, second) = (
            RefCell::new(vec![0.0; n * n]),
            RefCell::new(vec![0.0; n * n]),
        );
        let peers = || {
            [
                Candidate::new(
                    "rayon",
                    || peers::matmul_rayon(&a, &b, n, &mut first.borrow_mut()),
                    |()| close(&first.borrow()),
                ),
                Candidate::new(
                    "matrixmultiply",
                    || peers::matmul_crate(&a, &b, n, &mut second.borrow_mut()),
                    |()| close(&second.borrow()),
                ),
            ]
        };
        let right_product =
            |y: Result<Buffer<f32>>| y.is_ok_and(|y| close(&y.to_vec().unwrap_or_default()));
        let size = n as u32;
        let ours = || matmul::products::matmul::launch(device, size, size, &left, &right);
        let mut all = vec![Candidate::new("ours", ours, right_product)];
        all.extend(peers());
        done(compare(format!("matmul f32 {n}"), effort, all));
        let ours = || pairs::products::launch(device, size, size, &left, &right);
        let mut all = vec![Candidate::new("ours", ours, right_product)];
        all.extend(peers());
        done(compare(format!("matmul f32 {n}, contract"), effort, all));
    }
    Ok(())
}

/// A function of each element.
fn mapped(
    (name, effort): (String, Effort),
    x: &[f32],
    f: impl Fn(f32) -> f32 + Copy + Send + Sync,
    ours: impl Fn() -> Result<Buffer<f32>>,
) -> Row {
    let expected = peers::map(x, f);
    let near = |(a, b): (&f32, &f32)| (a - b).abs() <= 1e-6 * b.abs();
    let right = |y: &[f32]| y.len() == expected.len() && y.iter().zip(&expected).all(near);
    compare(
        name,
        effort,
        vec![
            Candidate::new("ours", ours, |y: Result<Buffer<f32>>| {
                y.is_ok_and(|y| right(&y.to_vec().unwrap_or_default()))
            }),
            Candidate::new("plain", || peers::map(x, f), |y| right(&y)),
            Candidate::new("rayon", || peers::map_rayon(x, f), |y| right(&y)),
        ],
    )
}

fn functions(device: &Device, effort: Effort, done: &mut dyn FnMut(Row)) -> Result<()> {
    for &n in sizes(effort, &LENGTHS[..1], SHORT) {
        let x: Vec<f32> = floats(n).iter().map(|x| x * 8.0).collect();
        let positive: Vec<f32> = x.iter().map(|x| x.abs() + 0.001).collect();
        let (a, b) = (&device.upload(&x)?, &device.upload(&positive)?);
        let name = |f: &str| (format!("{f} f32 {}", size(n)), effort);
        let power = std::hint::black_box(1.7f32);
        let exps = || pairs::exps::launch(device, a);
        done(mapped(name("exp"), &x, f32::exp, exps));
        let lns = || pairs::lns::launch(device, b);
        done(mapped(name("ln"), &positive, f32::ln, lns));
        let sines = || pairs::sines::launch(device, a);
        done(mapped(name("sin"), &x, f32::sin, sines));
        let tanhs = || pairs::tanhs::launch(device, a);
        done(mapped(name("tanh"), &x, f32::tanh, tanhs));
        let powers = || pairs::powers::launch(device, power, b);
        done(mapped(name("powf"), &positive, |x| x.powf(power), powers));
    }
    Ok(())
}

fn blackscholes(device: &Device, effort: Effort, done: &mut dyn FnMut(Row)) -> Result<()> {
    for &n in sizes(effort, &[1 << 22], &[5000]) {
        let options = blackscholes::options(n);
        let input = (
            &device.upload(&options.0)?,
            &device.upload(&options.1)?,
            &device.upload(&options.2)?,
        );
        let (calls, puts) = peers::prices(&options);
        let near = |a: &[f32], b: &[f32]| {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-4)
        };
        let place = RefCell::new((vec![0.0; n], vec![0.0; n]));
        let tuned = || {
            let (calls, puts) = &mut *place.borrow_mut();
            peers::prices_tuned(&options, calls, puts);
        };
        let right = |c: &[f32], p: &[f32]| near(c, &calls) && near(p, &puts);
        done(compare(
            format!("Black-Scholes f32 {}", size(n)),
            effort,
            vec![
                Candidate::new(
                    "ours",
                    || blackscholes::blackscholes::prices::launch(device, input),
                    |prices| {
                        prices.is_ok_and(|(c, p)| {
                            let vec = |x: &Buffer<f32>| x.to_vec().unwrap_or_default();
                            right(&vec(&c), &vec(&p))
                        })
                    },
                ),
                Candidate::new(
                    "plain, fresh",
                    || peers::prices(&options),
                    |(c, p)| right(&c, &p),
                ),
                Candidate::new("rayon tuned", tuned, |()| {
                    let (c, p) = &*place.borrow();
                    right(c, p)
                }),
            ],
        ));
    }
    Ok(())
}

fn sorts(device: &Device, effort: Effort, done: &mut dyn FnMut(Row)) -> Result<()> {
    for &n in sizes(effort, &[1 << 22], &[4096]) {
        let x = numbers(n);
        let input = device.upload(&x)?;
        let mut expected = x.clone();
        expected.sort_unstable();
        let right = |found: Vec<u32>| found == expected;
        let sorted = |sort: fn(&mut Vec<u32>)| {
            let mut x = x.clone();
            sort(&mut x);
            x
        };
        done(compare(
            format!("sort u32 {}", size(n)),
            effort,
            vec![
                Candidate::new(
                    "ours",
                    || sorting::sort(device, &input),
                    |y| y.is_ok_and(|y| right(y.to_vec().unwrap_or_default())),
                ),
                Candidate::new("sort_unstable", || sorted(|x| x.sort_unstable()), right),
                Candidate::new(
                    "par_sort_unstable",
                    || sorted(|x| x.par_sort_unstable()),
                    right,
                ),
                Candidate::new("par_sort", || sorted(|x| x.par_sort()), right),
            ],
        ));
    }
    Ok(())
}

fn sorts_of_runs(device: &Device, effort: Effort, done: &mut dyn FnMut(Row)) -> Result<()> {
    const RUN: usize = 1024;
    for &n in sizes(effort, &[1 << 22], &[4096]) {
        let x = numbers(n);
        let input = device.upload(&x)?;
        let mut expected = x.clone();
        expected.chunks_mut(RUN).for_each(<[u32]>::sort_unstable);
        let right = |found: Vec<u32>| found == expected;
        let ours = |y: Result<Buffer<u32>>| y.is_ok_and(|y| right(y.to_vec().unwrap_or_default()));
        let sorted = |sort: fn(&mut Vec<u32>)| {
            let mut x = x.clone();
            sort(&mut x);
            x
        };
        done(compare(
            format!("sort u32 {}, runs of {RUN}, together", size(n)),
            effort,
            vec![
                Candidate::new("ours", || pairs::sorted_runs::launch(device, &input), ours),
                Candidate::new(
                    "network",
                    || sorting::networks::sort_runs::launch(device, &input),
                    ours,
                ),
                Candidate::new(
                    "plain",
                    || sorted(|x| x.chunks_mut(RUN).for_each(<[u32]>::sort_unstable)),
                    right,
                ),
                Candidate::new(
                    "rayon",
                    || sorted(|x| x.par_chunks_mut(RUN).for_each(<[u32]>::sort_unstable)),
                    right,
                ),
            ],
        ));
    }
    Ok(())
}

fn memory(device: &Device, effort: Effort, done: &mut dyn FnMut(Row)) -> Result<()> {
    for &n in sizes(effort, &LENGTHS[1..2], SHORT) {
        let x = floats(n);
        let buffer = device.upload(&x)?;
        let right = |found: Vec<f32>| found == x;
        done(compare(
            format!("upload {}", size(n)),
            effort,
            vec![
                Candidate::new(
                    "ours",
                    || device.upload(&x),
                    |y| y.is_ok_and(|y| right(y.to_vec().unwrap_or_default())),
                ),
                Candidate::new("Vec::clone", || x.clone(), right),
            ],
        ));
        done(compare(
            format!("to_vec {}", size(n)),
            effort,
            vec![
                Candidate::new("ours", || buffer.to_vec(), |y| y.is_ok_and(right)),
                Candidate::new("Vec::clone", || x.clone(), right),
            ],
        ));
        let (ours, theirs) = (RefCell::new(vec![0.0; n]), RefCell::new(vec![0.0; n]));
        done(compare(
            format!("copy_to {}", size(n)),
            effort,
            vec![
                Candidate::new(
                    "ours",
                    || buffer.copy_to(&mut ours.borrow_mut()),
                    |done| done.is_ok() && *ours.borrow() == x,
                ),
                Candidate::new(
                    "copy_from_slice",
                    || theirs.borrow_mut().copy_from_slice(&x),
                    |()| *theirs.borrow() == x,
                ),
            ],
        ));
    }
    Ok(())
}
