//! `obsidian_rt::algorithms` against rayon.

use std::cell::RefCell;

use obsidian_rt::prelude::*;
use obsidian_rt::{Result, algorithms};
use rayon::prelude::*;

use crate::harness::{Candidate, Effort, Row, compare};
use crate::{cases, peers, whole};

/// The cases.
pub fn cases(device: &Device, effort: Effort, done: &mut dyn FnMut(Row)) -> Result<()> {
    let is_quick = effort.rounds == Effort::QUICK.rounds;
    let n = if is_quick { 10_007 } else { 1 << 24 };
    reductions(n, device, effort, done)?;
    scans(n, device, effort, done)?;
    histograms(n, device, effort, done)?;
    selections(n, device, effort, done)?;
    sorts(n, device, effort, done)
}

fn reductions(n: usize, device: &Device, effort: Effort, done: &mut dyn FnMut(Row)) -> Result<()> {
    let (x, y) = (cases::floats(n), {
        let mut y = cases::floats(n);
        y.reverse();
        y
    });
    let (xs, ys) = (device.upload(&x)?, device.upload(&y)?);
    let near = |found: f32, want: f64| (f64::from(found) - want).abs() <= 1e-5 * n as f64;
    let exact: f64 = x.iter().map(|x| f64::from(*x)).sum();
    let right = |found: f32| near(found, exact);
    let plus = |a: f32, b: f32| a + b;
    done(compare(
        format!("sum f32 {n}"),
        effort,
        vec![
            Candidate::new(
                "ours",
                || algorithms::sum(device, &xs),
                |found| found.is_ok_and(right),
            ),
            Candidate::new("rayon", || peers::fold_rayon(&x, 0.0, plus), right),
            Candidate::new("rayon tuned", || peers::fold_tuned(&x, 0.0, plus), right),
            Candidate::new(
                "by a closure",
                || algorithms::reduce(device, &xs, |a, b| a + b, 0.0),
                |found| found.is_ok_and(right),
            ),
        ],
    ));
    let largest = x.iter().copied().fold(f32::MIN, f32::max);
    done(compare(
        format!("max f32 {n}"),
        effort,
        vec![
            Candidate::new(
                "ours",
                || algorithms::max(device, &xs),
                |found| found.is_ok_and(|found| found == Some(largest)),
            ),
            Candidate::new(
                "rayon tuned",
                || peers::fold_tuned(&x, f32::MIN, peers::larger),
                |found| found == largest,
            ),
        ],
    ));
    let exact = x.iter().zip(&y).map(|(x, y)| f64::from(*x) * f64::from(*y));
    let exact: f64 = exact.sum();
    let right = |found: f32| near(found, exact);
    done(compare(
        format!("dot f32 {n}"),
        effort,
        vec![
            Candidate::new(
                "ours",
                || algorithms::dot(device, &xs, &ys),
                |found| found.is_ok_and(right),
            ),
            Candidate::new("rayon", || peers::dot_rayon(&x, &y), right),
            Candidate::new("rayon tuned", || peers::dot_tuned(&x, &y), right),
        ],
    ));
    Ok(())
}

fn scans(n: usize, device: &Device, effort: Effort, done: &mut dyn FnMut(Row)) -> Result<()> {
    let x = cases::numbers(n);
    let xs = device.upload(&x)?;
    let want = peers::scan(&x);
    let (out, place) = (
        RefCell::new(device.zeros::<u32>(n)?),
        RefCell::new(vec![0; n]),
    );
    done(compare(
        format!("inclusive_sum_into u32 {n}"),
        effort,
        vec![
            Candidate::new(
                "ours",
                || algorithms::inclusive_sum_into(device, &xs, &mut *out.borrow_mut()),
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
    Ok(())
}

/// A histogram for each run.
fn counted(keys: &[u32], bins: usize) -> Vec<u32> {
    let run = |run: &[u32]| {
        let mut counts = vec![0; bins];
        run.iter().for_each(|key| counts[*key as usize] += 1);
        counts
    };
    let added = |mut a: Vec<u32>, b: Vec<u32>| {
        a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
        a
    };
    let runs = keys.par_chunks(1 << 16).map(run);
    runs.reduce(|| vec![0; bins], added)
}

fn histograms(n: usize, device: &Device, effort: Effort, done: &mut dyn FnMut(Row)) -> Result<()> {
    for bins in [256, 1000, 100_000] {
        let keys = cases::numbers(n).into_iter().map(|key| key % bins as u32);
        let keys: Vec<u32> = keys.collect();
        let (input, want) = (device.upload(&keys)?, counted(&keys, bins));
        done(compare(
            format!("histogram u32 {n}, {bins} bins"),
            effort,
            vec![
                Candidate::new(
                    "ours",
                    || algorithms::histogram(device, &input, bins),
                    |found| {
                        found.is_ok_and(|found| found.to_vec().is_ok_and(|found| found == want))
                    },
                ),
                Candidate::new("rayon", || counted(&keys, bins), |found| found == want),
            ],
        ));
    }
    Ok(())
}

fn selections(n: usize, device: &Device, effort: Effort, done: &mut dyn FnMut(Row)) -> Result<()> {
    let x = cases::numbers(n);
    let (xs, want) = (device.upload(&x)?, x.iter().copied().filter(|x| x & 3 != 0));
    let want: Vec<u32> = want.collect();
    let flags: Vec<bool> = x.iter().map(|x| x & 3 != 0).collect();
    let flags = device.upload(&flags)?;
    let right = |found: Result<obsidian_rt::arrays::Array<_, u32>>| {
        found.is_ok_and(|found| found.to_vec().is_ok_and(|found| found == want))
    };
    done(compare(
        format!("copy_if u32 {n}, three of four kept"),
        effort,
        vec![
            Candidate::new(
                "ours",
                || algorithms::copy_if(device, &xs, |x| (x & 3).ne(0)),
                right,
            ),
            Candidate::new(
                "by flags",
                || algorithms::copy_flagged(device, &xs, &flags),
                right,
            ),
            Candidate::new(
                "rayon",
                || {
                    let kept = x.par_iter().copied().filter(|x| x & 3 != 0);
                    kept.collect::<Vec<u32>>()
                },
                |found| found == want,
            ),
            Candidate::new(
                "rayon tuned",
                || whole::filter_tuned(&x),
                |found| found == want,
            ),
        ],
    ));
    Ok(())
}

fn sorts(n: usize, device: &Device, effort: Effort, done: &mut dyn FnMut(Row)) -> Result<()> {
    let x = cases::numbers(n);
    let xs = device.upload(&x)?;
    let mut want = x.clone();
    want.par_sort_unstable();
    let (out, place) = (
        RefCell::new(device.zeros::<u32>(n)?),
        RefCell::new(vec![0; n]),
    );
    done(compare(
        format!("sort_into u32 {n}"),
        effort,
        vec![
            Candidate::new(
                "ours",
                || algorithms::sort_into(device, &xs, &mut *out.borrow_mut()),
                |done| done.is_ok() && out.borrow().to_vec().is_ok_and(|found| found == want),
            ),
            Candidate::new(
                "a copy and par_sort_unstable",
                || {
                    let mut place = place.borrow_mut();
                    place.copy_from_slice(&x);
                    place.par_sort_unstable();
                },
                |()| *place.borrow() == want,
            ),
        ],
    ));
    Ok(())
}
