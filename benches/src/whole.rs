//! Array programs: against rayon, and against themselves without fusion.

use obsidian_rt::arrays::{Array, Ix1};
use obsidian_rt::prelude::*;
use std::cell::RefCell;

use rayon::prelude::*;

use crate::harness::{Candidate, Effort, Row, compare};
use crate::peers;

/// The programs, and the same where each operation stores what it gives.
#[kernels]
pub mod programs {
    fn product_of(xs: Arr1<EF32>, ys: Arr1<EF32>) -> Arr0<EF32> {
        zip_with(|x, y| x * y, xs, ys).sum()
    }

    /// The sum of the products.
    #[arrays]
    pub fn dotp(xs: Arr1<EF32>, ys: Arr1<EF32>) -> Arr0<EF32> {
        product_of(xs, ys)
    }

    /// The same, unfused.
    #[arrays(fuse = false, horizontal = false)]
    pub fn dotp_apart(xs: Arr1<EF32>, ys: Arr1<EF32>) -> Arr0<EF32> {
        product_of(xs, ys)
    }

    /// The largest element, and the sum.
    #[arrays]
    pub fn max_sum(xs: Arr1<EF32>) -> (Arr0<EF32>, Arr0<EF32>) {
        (xs.max(), xs.sum())
    }

    /// The sums of all beginnings.
    #[arrays]
    pub fn sums(xs: Arr1<EU32>) -> Arr1<EU32> {
        xs.inclusive_scan(|a, b| a + b)
    }

    /// The numbers that a mask keeps.
    #[arrays]
    pub fn kept(xs: Arr1<EU32>) -> Arr1<EU32> {
        xs.filter(|x| (x & 3) != 0)
    }

    /// A matrix times a vector.
    #[arrays]
    pub fn mvm(m: Arr2<EF32>, v: Arr1<EF32>) -> Arr1<EF32> {
        let (height, _) = m.shape();
        zip_with(|a, b| a * b, m, v.replicate(height)).sum()
    }

    fn steps_of(re: Arr1<EF32>, im: Arr1<EF32>) -> Arr1<EU32> {
        let mut state = zip_with(|x, y| (x, y, x, y, lit(0u32)), re, im);
        for _ in 0..16 {
            state = state.map(|(x, y, cx, cy, n)| {
                let (xx, yy) = (x * x, y * y);
                let inside = xx + yy < 4.0;
                (
                    select(inside, xx - yy + cx, x),
                    select(inside, x * y * 2.0 + cy, y),
                    cx,
                    cy,
                    select(inside, n + 1, n),
                )
            });
        }
        state.map(|(_, _, _, _, n)| n)
    }

    /// Sixteen steps of the Mandelbrot set.
    #[arrays]
    pub fn mandelbrot(re: Arr1<EF32>, im: Arr1<EF32>) -> Arr1<EU32> {
        steps_of(re, im)
    }

    /// The same, unfused.
    #[arrays(fuse = false, horizontal = false)]
    pub fn mandelbrot_apart(re: Arr1<EF32>, im: Arr1<EF32>) -> Arr1<EU32> {
        steps_of(re, im)
    }

    fn pulls_of(bodies: Arr1<(EF32, EF32, EF32)>) -> Arr1<(EF32, EF32)> {
        let n = bodies.len();
        let pulls = zip_with(
            |(x, y, _), (a, b, mass)| {
                let (dx, dy) = (a - x, b - y);
                let square = dx * dx + dy * dy + 0.001;
                let force = mass / (square * square.sqrt());
                (dx * force, dy * force)
            },
            bodies.replicate_inner(n),
            bodies.replicate(n),
        );
        pulls.fold(|(a, b), (x, y)| (a + x, b + y), (0.0, 0.0))
    }

    /// What pulls at each of some bodies in a plane.
    #[arrays]
    pub fn n_body(bodies: Arr1<(EF32, EF32, EF32)>) -> Arr1<(EF32, EF32)> {
        pulls_of(bodies)
    }

    /// The same, unfused.
    #[arrays(fuse = false, horizontal = false)]
    pub fn n_body_apart(bodies: Arr1<(EF32, EF32, EF32)>) -> Arr1<(EF32, EF32)> {
        pulls_of(bodies)
    }
}

fn near(found: f64, want: f64, terms: usize) -> bool {
    (found - want).abs() <= 1e-5 * terms as f64
}

/// The largest and the sum of runs of 2^16, each in 16 lanes.
fn max_sum_tuned(x: &[f32]) -> (f32, f32) {
    let run = |run: &[f32]| {
        let (mut max, mut sum) = ([f32::MIN; 16], [0.0f32; 16]);
        let (lanes, rest) = run.as_chunks::<16>();
        for lane in lanes {
            for (n, x) in lane.iter().enumerate() {
                max[n] = if *x > max[n] { *x } else { max[n] };
                sum[n] += x;
            }
        }
        let all = max.iter().chain(rest).copied();
        (
            all.fold(f32::MIN, f32::max),
            sum.iter().sum::<f32>() + rest.iter().sum::<f32>(),
        )
    };
    let both = |(a, b): (f32, f32), (x, y): (f32, f32)| (a.max(x), b + y);
    x.par_chunks(1 << 16)
        .map(run)
        .reduce(|| (f32::MIN, 0.0), both)
}

/// The cases.
pub fn cases(
    device: &Device,
    effort: Effort,
    done: &mut dyn FnMut(Row),
) -> obsidian_rt::Result<()> {
    let is_quick = effort.rounds == Effort::QUICK.rounds;
    let n = if is_quick { 10_007 } else { 1 << 24 };
    let (x, y) = (crate::cases::floats(n), {
        let mut y = crate::cases::floats(n);
        y.reverse();
        y
    });
    let (xs, ys) = (device.array([n], &x)?, device.array([n], &y)?);
    let exact = x.iter().zip(&y).map(|(x, y)| f64::from(*x) * f64::from(*y));
    let exact: f64 = exact.sum();
    let right = |sum: f32| near(sum.into(), exact, n);
    let value = |found: obsidian_rt::Result<f32>| found.is_ok_and(right);
    done(compare(
        format!("array program: dotp f32 {n}"),
        effort,
        vec![
            Candidate::new(
                "ours",
                || programs::dotp::run(device, &xs, &ys)?.value(),
                value,
            ),
            Candidate::new("rayon", || peers::dot_rayon(&x, &y), right),
            Candidate::new("rayon tuned", || peers::dot_tuned(&x, &y), right),
            Candidate::new(
                "unfused",
                || programs::dotp_apart::run(device, &xs, &ys)?.value(),
                value,
            ),
        ],
    ));
    let sum: f64 = x.iter().map(|x| f64::from(*x)).sum();
    let max = x.iter().copied().fold(f32::MIN, f32::max);
    let both = |found: (f32, f32)| found.0 == max && near(found.1.into(), sum, n);
    let of_pairs = |(a, b): (f32, f32), (x, y): (f32, f32)| (a.max(x), b + y);
    done(compare(
        format!("array program: maxSum f32 {n}"),
        effort,
        vec![
            Candidate::new(
                "ours",
                || {
                    let (max, sum) = programs::max_sum::run(device, &xs)?;
                    obsidian_rt::Result::Ok((max.value()?, sum.value()?))
                },
                |found| found.is_ok_and(both),
            ),
            Candidate::new(
                "rayon",
                || {
                    let pairs = x.par_iter().map(|x| (*x, *x));
                    pairs.reduce(|| (f32::MIN, 0.0), of_pairs)
                },
                both,
            ),
            Candidate::new("rayon tuned", || max_sum_tuned(&x), both),
        ],
    ));
    for (h, w) in [
        (4, 1 << 22),
        (4096, 4096),
        (1 << 14, 1000),
        (1 << 19, 32),
        (1 << 21, 5),
    ] {
        let (h, w) = if is_quick {
            (h.min(70), w.min(70))
        } else {
            (h, w)
        };
        let (m, mut v) = (crate::cases::floats(h * w), crate::cases::floats(w));
        // Products of a number with itself would add up to more than a sum of `f32` holds exactly.
        v.reverse();
        let (matrix, vector) = (device.array([h, w], &m)?, device.array([w], &v)?);
        let exact: Vec<f64> = m
            .chunks(w)
            .map(|row| {
                row.iter()
                    .zip(&v)
                    .map(|(a, b)| f64::from(*a) * f64::from(*b))
                    .sum()
            })
            .collect();
        let right = |found: Vec<f32>| {
            let mut pairs = found.iter().zip(&exact);
            found.len() == h && pairs.all(|(found, want)| near((*found).into(), *want, w))
        };
        let tuned = || {
            let row = |row: &[f32]| {
                let mut lanes = [0.0f32; 16];
                let ((a, a_rest), (b, b_rest)) = (row.as_chunks::<16>(), v.as_chunks::<16>());
                for (a, b) in a.iter().zip(b) {
                    for (lane, (a, b)) in lanes.iter_mut().zip(a.iter().zip(b)) {
                        *lane += a * b;
                    }
                }
                lanes.iter().sum::<f32>() + peers::dot(a_rest, b_rest)
            };
            m.par_chunks(w).map(row).collect::<Vec<f32>>()
        };
        done(compare(
            format!("array program: MVM f32 {h} x {w}"),
            effort,
            vec![
                Candidate::new(
                    "ours",
                    || programs::mvm::run(device, &matrix, &vector),
                    |found| found.is_ok_and(|found| right(found.to_vec().unwrap_or_default())),
                ),
                Candidate::new(
                    "rayon",
                    || {
                        let rows = m.par_chunks(w).map(|row| peers::dot(row, &v));
                        rows.collect::<Vec<f32>>()
                    },
                    |_| true,
                ),
                Candidate::new("rayon tuned", tuned, right),
            ],
        ));
    }
    scans(device, effort, done)?;
    let n = if is_quick { 1000 } else { 1 << 20 };
    let (re, im) = (crate::cases::floats(n), crate::cases::floats(n + 1));
    let (re, im) = (device.array([n], &re)?, device.array([n], &im[1..])?);
    let want = programs::mandelbrot_apart::run(device, &re, &im)?.to_vec()?;
    let right = |found: obsidian_rt::Result<Array<Ix1, u32>>| {
        found.is_ok_and(|found| found.to_vec().unwrap_or_default() == want)
    };
    done(compare(
        format!("array program: mandelbrot, 16 steps, {n}"),
        effort,
        vec![
            Candidate::new(
                "ours",
                || programs::mandelbrot::run(device, &re, &im),
                right,
            ),
            Candidate::new(
                "unfused",
                || programs::mandelbrot_apart::run(device, &re, &im),
                right,
            ),
        ],
    ));
    let n = if is_quick { 100 } else { 2000 };
    let body = |i: usize| ((i % 97) as f32, (i % 89) as f32, 1.0 + (i % 7) as f32);
    let bodies: Vec<_> = (0..n).map(body).collect();
    let bodies = device.array([n], &bodies)?;
    let want = programs::n_body_apart::run(device, &bodies)?.to_vec()?;
    let right = |found: obsidian_rt::Result<Array<Ix1, (f32, f32)>>| {
        found.is_ok_and(|found| found.to_vec().unwrap_or_default() == want)
    };
    done(compare(
        format!("array program: n-body of {n}"),
        effort,
        vec![
            Candidate::new("ours", || programs::n_body::run(device, &bodies), right),
            Candidate::new(
                "unfused",
                || programs::n_body_apart::run(device, &bodies),
                right,
            ),
        ],
    ));
    Ok(())
}

/// Scans, and what keeps some elements.
fn scans(device: &Device, effort: Effort, done: &mut dyn FnMut(Row)) -> obsidian_rt::Result<()> {
    let is_quick = effort.rounds == Effort::QUICK.rounds;
    let n = if is_quick { 10_007 } else { 1 << 24 };
    let x = crate::cases::numbers(n);
    let xs = device.array([n], &x)?;
    let want = peers::scan(&x);
    let place = RefCell::new(vec![0; n]);
    let out = RefCell::new(device.array([n], &vec![0u32; n])?);
    done(compare(
        format!("array program: scan u32 {n}"),
        effort,
        vec![
            Candidate::new(
                "ours",
                || programs::sums::run_into(device, &xs, &mut out.borrow_mut()),
                |done| done.is_ok() && out.borrow().to_vec().is_ok_and(|found| found == want),
            ),
            Candidate::new("plain, fresh", || peers::scan(&x), |found| found == want),
            Candidate::new(
                "rayon tuned",
                || peers::scan_tuned(&x, &mut place.borrow_mut()),
                |()| *place.borrow() == want,
            ),
        ],
    ));
    let want: Vec<u32> = x.iter().copied().filter(|x| x & 3 != 0).collect();
    done(compare(
        format!("array program: filter u32 {n}"),
        effort,
        vec![
            Candidate::new(
                "ours",
                || programs::kept::run(device, &xs),
                |found| found.is_ok_and(|found| found.to_vec().is_ok_and(|found| found == want)),
            ),
            Candidate::new(
                "rayon",
                || {
                    let kept = x.par_iter().copied().filter(|x| x & 3 != 0);
                    kept.collect::<Vec<u32>>()
                },
                |found| found == want,
            ),
            Candidate::new("rayon tuned", || filter_tuned(&x), |found| found == want),
        ],
    ));
    Ok(())
}

/// Runs are counted, and each is then written to its own part.
pub fn filter_tuned(x: &[u32]) -> Vec<u32> {
    const RUN: usize = 1 << 16;
    let is_kept = |x: &u32| x & 3 != 0;
    let counts = x
        .par_chunks(RUN)
        .map(|run| run.iter().filter(|x| is_kept(x)).count());
    let counts: Vec<usize> = counts.collect();
    let mut kept = vec![0; counts.iter().sum()];
    let (mut parts, mut rest) = (Vec::new(), kept.as_mut_slice());
    for count in counts {
        let (part, others) = rest.split_at_mut(count);
        parts.push(part);
        rest = others;
    }
    parts
        .into_par_iter()
        .zip(x.par_chunks(RUN))
        .for_each(|(part, run)| {
            // Each element is written, and only those that are kept are kept: nothing is predicted.
            let mut next = 0;
            for x in run {
                if let Some(place) = part.get_mut(next) {
                    *place = *x;
                }
                next += usize::from(is_kept(x));
            }
        });
    kept
}
