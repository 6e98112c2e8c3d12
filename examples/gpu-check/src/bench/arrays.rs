//! Array programs as work: what the library has in one call.

use obsidian_rt::Result;
use obsidian_rt::arrays::{Array, Ix0, Ix1, Ix2};
use obsidian_rt::prelude::*;

use super::ours::sorts;
use super::work::{Work, rotating};
use crate::checks::arrays::{runs, sums_of_runs};
use crate::checks::data::{numbers, running_sums};
use crate::checks::{Wrong, same};
use crate::whole;

pub(super) type Numbers = Array<Ix1, u32>;

/// A program that takes numbers and gives some, and how it is judged: by the numbers, and the result.
fn of_numbers(
    (name, by): (&'static str, &'static str),
    n: usize,
    bytes: usize,
    run: fn(&Device, &Numbers) -> Result<Numbers>,
    judge: fn(&[u32], &[u32]) -> std::result::Result<(), Wrong>,
) -> Work {
    Work::new((name, by), n, bytes, move |device| {
        let (own, host) = (device.clone(), numbers(n));
        rotating(
            4 * n,
            || device.array([n], &host),
            move |input: &Numbers| run(&own, input),
            |found: &Numbers| judge(&host, &found.to_vec()?),
        )
    })
}

/// A radix sort.
pub(super) fn sort(n: usize) -> Work {
    let run = |device: &Device, keys: &Numbers| whole::all_sorted::run(device, keys);
    of_numbers(("sort", "arrays: all_sorted"), n, 8 * n, run, sorts)
}

/// An inclusive scan.
pub(super) fn scan(n: usize) -> Work {
    let run = |device: &Device, xs: &Numbers| whole::beginnings_summed::run(device, xs);
    let work = ("scan", "arrays: beginnings_summed");
    of_numbers(work, n, 8 * n, run, |host, found| {
        same(found, &running_sums(host))
    })
}

/// A histogram of 256 bins.
pub(super) fn histogram(n: usize) -> Work {
    let run = |device: &Device, keys: &Numbers| whole::keys_counted::run(device, keys);
    let work = ("histogram", "arrays: keys_counted");
    of_numbers(work, n, 4 * n, run, |host, found| {
        let mut bins = vec![0u32; 256];
        host.iter().for_each(|key| bins[*key as usize % 256] += 1);
        same(found, &bins)
    })
}

/// About half of the elements. The run waits for their number, so that work of the host is in the time.
pub(super) fn select(n: usize) -> Work {
    let run = |device: &Device, xs: &Numbers| whole::small_ones_kept::run(device, xs);
    kept("arrays: small_ones_kept", n, run)
}

/// The same by something that keeps what is below 2^31.
pub(super) fn kept(
    by: &'static str,
    n: usize,
    run: fn(&Device, &Numbers) -> Result<Numbers>,
) -> Work {
    of_numbers(("select", by), n, 6 * n, run, |host, found| {
        let kept = host.iter().copied().filter(|x| *x < 1 << 31);
        same(found, &kept.collect::<Vec<u32>>())
    })
}

/// A sum.
pub(super) fn sum(n: usize) -> Work {
    let work = ("reduce", "arrays: all_summed");
    Work::new(work, n, 4 * n, move |device| {
        let (own, host) = (device.clone(), numbers(n));
        let expected = host.iter().copied().fold(0, u32::wrapping_add);
        rotating(
            4 * n,
            || device.array([n], &host),
            move |input: &Numbers| whole::all_summed::run(&own, input),
            |found: &Array<Ix0, u32>| same(&found.to_vec()?, &[expected]),
        )
    })
}

/// The sums of `rows` rows, which together have `elements` elements.
pub(super) fn sum_rows(rows: usize, elements: usize) -> Work {
    let work = ("sum rows", "arrays: rows_summed");
    Work::new(work, rows, 4 * elements, move |device| {
        let (own, width) = (device.clone(), elements / rows);
        let host = numbers(elements);
        let sums = host.chunks(width);
        let sums = sums.map(|row| row.iter().copied().fold(0, u32::wrapping_add));
        let expected: Vec<u32> = sums.collect();
        rotating(
            4 * elements,
            || device.array([rows, width], &host),
            move |m: &Array<Ix2, u32>| whole::rows_summed::run(&own, m),
            |found: &Numbers| same(&found.to_vec()?, &expected),
        )
    })
}

/// The sums of runs of equal keys, eight elements long in the middle. The run waits for their number, as in [`select`].
pub(super) fn reduce_by_key(n: usize) -> Work {
    let run = |device: &Device, keys: &Numbers, values: &Numbers| {
        whole::runs_of_keys_summed::run(device, keys, values)
    };
    by_key("arrays: runs_of_keys_summed", n, run)
}

/// The same by something that takes keys and values.
pub(super) fn by_key(
    by: &'static str,
    n: usize,
    run: fn(&Device, &Numbers, &Numbers) -> Result<(Numbers, Numbers)>,
) -> Work {
    Work::new(("reduce by key", by), n, 9 * n, move |device| {
        let (own, keys, values) = (device.clone(), runs(n), numbers(n));
        let expected = sums_of_runs(&keys, &values);
        rotating(
            8 * n,
            || Ok((device.array([n], &keys)?, device.array([n], &values)?)),
            move |(keys, values): &(Numbers, Numbers)| run(&own, keys, values),
            |found: &(Numbers, Numbers)| {
                same(&found.0.to_vec()?, &expected.0)?;
                same(&found.1.to_vec()?, &expected.1)
            },
        )
    })
}
