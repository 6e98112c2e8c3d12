//! Algorithms of one call as work, into results that exist where they can be.
//!
//! Their kernels are compiled by the call that is checked, before the first measurement.

use std::cell::RefCell;
use std::rc::Rc;

use obsidian_rt::Result;
use obsidian_rt::algorithms;
use obsidian_rt::language::EU32;
use obsidian_rt::prelude::*;

use super::arrays::{by_key, kept};
use super::ours::sorts;
use super::work::{Work, rotating};
use crate::checks::data::{numbers, running_sums};
use crate::checks::{Wrong, same};

/// An algorithm that takes numbers and writes some into a result that exists. Judged by the numbers, and the result.
fn into_existing(
    (name, by): (&'static str, &'static str),
    (n, bytes, results): (usize, usize, usize),
    host: impl Fn(usize) -> Vec<u32> + 'static,
    run: fn(&Device, &Buffer<u32>, &mut Buffer<u32>) -> Result<()>,
    judge: impl Fn(&[u32], &[u32]) -> std::result::Result<(), Wrong> + 'static,
) -> Work {
    Work::new((name, by), n, bytes, move |device| {
        let (own, host) = (device.clone(), host(n));
        let result = Rc::new(RefCell::new(device.zeros(results)?));
        rotating(
            4 * n,
            || device.upload(&host),
            move |input: &Buffer<u32>| {
                run(&own, input, &mut result.borrow_mut())?;
                Ok(result.clone())
            },
            |found: &Rc<RefCell<Buffer<u32>>>| judge(&host, &found.borrow().to_vec()?),
        )
    })
}

/// `sum_into`.
pub(super) fn sum(n: usize) -> Work {
    let work = ("reduce", "algorithms: sum_into");
    let run = |device: &Device, xs: &Buffer<u32>, sum: &mut Buffer<u32>| {
        algorithms::sum_into(device, xs, sum)
    };
    into_existing(work, (n, 4 * n, 1), numbers, run, |host, found| {
        same(found, &[host.iter().copied().fold(0, u32::wrapping_add)])
    })
}

/// `inclusive_sum_into`.
pub(super) fn scan(n: usize) -> Work {
    let work = ("scan", "algorithms: inclusive_sum_into");
    let run = |device: &Device, xs: &Buffer<u32>, sums: &mut Buffer<u32>| {
        algorithms::inclusive_sum_into(device, xs, sums)
    };
    into_existing(work, (n, 8 * n, n), numbers, run, |host, found| {
        same(found, &running_sums(host))
    })
}

/// `sort_into`.
pub(super) fn sort(n: usize) -> Work {
    let work = ("sort", "algorithms: sort_into");
    let run = |device: &Device, keys: &Buffer<u32>, sorted: &mut Buffer<u32>| {
        algorithms::sort_into(device, keys, sorted)
    };
    into_existing(work, (n, 8 * n, n), numbers, run, sorts)
}

/// `histogram_into` of numbers below a number of bins.
pub(super) fn histogram(n: usize, work: &'static str, bins: usize) -> Work {
    let work = (work, "algorithms: histogram_into");
    let keys = move |n| numbers(n).iter().map(|x| (x >> 7) % bins as u32).collect();
    let run = |device: &Device, keys: &Buffer<u32>, counts: &mut Buffer<u32>| {
        algorithms::histogram_into(device, keys, counts)
    };
    into_existing(work, (n, 4 * n, bins), keys, run, move |host, found| {
        let mut counts = vec![0u32; bins];
        host.iter().for_each(|key| counts[*key as usize] += 1);
        same(found, &counts)
    })
}

/// `copy_if`, of about half of the elements.
pub(super) fn select(n: usize) -> Work {
    kept("algorithms: copy_if", n, |device, xs| {
        algorithms::copy_if(device, xs, |x: EU32| x.lt(1u32 << 31))
    })
}

/// `reduce_by_key`.
pub(super) fn reduce_by_key(n: usize) -> Work {
    by_key("algorithms: reduce_by_key", n, |device, keys, values| {
        algorithms::reduce_by_key(device, keys, values, |x, y| x + y)
    })
}
