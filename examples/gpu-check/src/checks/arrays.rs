//! Array programs: whole numbers beside plain Rust, floats beside the CPU, bit for bit.

use obsidian_rt::prelude::*;

use super::data::{numbers, running_sums};
use super::{Check, Wrong, same};
use crate::whole;

/// None, one, around words and blocks, around the longest row that is scanned at once, and many.
pub(super) fn lengths() -> Vec<usize> {
    vec![0, 1, 2, 31, 33, 1000, 65_537, (1 << 20) + 1, (1 << 24) + 3]
}

macro_rules! checks {
    ($($name:ident)*) => {
        &[$(Check { name: concat!("arrays: ", stringify!($name)), lengths, run: $name }),*]
    };
}

pub(super) const CHECKS: &[Check] = checks! {
    all_sorted pairs_by_key keys_counted floats_placed beginnings_summed both_ways_scanned segments_scanned small_ones_kept flagged_and_unique
    runs_of_keys_summed all_summed all_folded rows_summed neighbours_mixed rounds_done
};

pub(super) type Judged = Result<(), Wrong>;

/// Floats of both signs, with many digits.
pub(super) fn floats(n: usize) -> Vec<f32> {
    let number = |x: u32| (x >> 8) as f32 / (1 << 23) as f32 - 1.0;
    numbers(n).into_iter().map(number).collect()
}

pub(super) fn flags(n: usize) -> Vec<bool> {
    numbers(n)
        .into_iter()
        .map(|x| x.is_multiple_of(11))
        .collect()
}

/// Keys in runs of several lengths.
pub(crate) fn runs(n: usize) -> Vec<u32> {
    let begins = numbers(n)
        .into_iter()
        .map(|x| u32::from(x.is_multiple_of(8)));
    running_sums(&begins.collect::<Vec<u32>>())
}

pub(super) fn bits(floats: &[f32]) -> Vec<u32> {
    floats.iter().map(|x| x.to_bits()).collect()
}

/// Holds floats to those of the CPU, bit for bit.
pub(super) fn as_on_the_cpu(
    device: &Device,
    run: impl Fn(&Device) -> obsidian_rt::Result<Vec<f32>>,
) -> Judged {
    same(&bits(&run(device)?), &bits(&run(&Device::cpu())?))
}

fn all_sorted(device: &Device, n: usize) -> Judged {
    let mut keys = numbers(n);
    let found = whole::all_sorted::run(device, &device.array([n], &keys)?)?;
    keys.sort_unstable();
    same(&found.to_vec()?, &keys)
}

fn pairs_by_key(device: &Device, n: usize) -> Judged {
    let numbered = numbers(n).into_iter().zip(0u32..);
    let mut pairs: Vec<(u32, u32)> = numbered.map(|(x, i)| ((x % 1009) << 12, i)).collect();
    let found = whole::pairs_by_key::run(device, &device.array([n], &pairs)?)?;
    pairs.sort_by_key(|(key, _)| *key);
    same(&found.to_vec()?, &pairs)
}

fn keys_counted(device: &Device, n: usize) -> Judged {
    let keys = numbers(n);
    let found = whole::keys_counted::run(device, &device.array([n], &keys)?)?;
    let mut bins = vec![0u32; 256];
    keys.iter().for_each(|key| bins[*key as usize % 256] += 1);
    same(&found.to_vec()?, &bins)
}

fn floats_placed(device: &Device, n: usize) -> Judged {
    let (xs, keys) = (floats(n), numbers(n));
    let run = |device: &Device| {
        let (xs, keys) = (device.array([n], &xs)?, device.array([n], &keys)?);
        let (sums, last) = whole::floats_placed::run(device, &xs, &keys)?;
        Ok((sums.to_vec()?, last.to_vec()?))
    };
    let mut want = vec![-1.0f32; 1009];
    for (x, key) in xs.iter().zip(&keys) {
        want[*key as usize % 1009] = *x;
    }
    same(&run(device)?.1, &want)?;
    as_on_the_cpu(device, |device| Ok(run(device)?.0))
}

fn beginnings_summed(device: &Device, n: usize) -> Judged {
    let xs = numbers(n);
    let found = whole::beginnings_summed::run(device, &device.array([n], &xs)?)?;
    same(&found.to_vec()?, &running_sums(&xs))
}

fn both_ways_scanned(device: &Device, n: usize) -> Judged {
    let (xs, own) = (numbers(n), floats(n));
    let run = |device: &Device| {
        let (xs, own) = (device.array([n], &xs)?, device.array([n], &own)?);
        let (behind, mut before, total) = {
            let (behind, before, total) = whole::both_ways_scanned::run(device, &xs, &own)?;
            (behind.to_vec()?, before.to_vec()?, total.value()?)
        };
        before.push(total);
        Ok((behind, before))
    };
    let (mut most, mut want) = (5, vec![0; n]);
    for (x, behind) in xs.iter().zip(&mut want).rev() {
        *behind = most;
        most = most.max(*x);
    }
    same(&run(device)?.0, &want)?;
    as_on_the_cpu(device, |device| Ok(run(device)?.1))
}

fn segments_scanned(device: &Device, n: usize) -> Judged {
    let (xs, flags) = (numbers(n), flags(n));
    let given = (device.array([n], &xs)?, device.array([n], &flags)?);
    let (sums, most) = whole::segments_scanned::run(device, &given.0, &given.1)?;
    let (mut sum, mut largest) = (0u32, 7);
    let one = |(x, begins): (&u32, &bool)| {
        if *begins {
            (sum, largest) = (0, 7);
        }
        let before = largest;
        (sum, largest) = (sum.wrapping_add(*x), largest.max(*x));
        (sum, before)
    };
    let (want, before): (Vec<u32>, Vec<u32>) = xs.iter().zip(&flags).map(one).unzip();
    same(&sums.to_vec()?, &want)?;
    same(&most.to_vec()?, &before)
}

fn small_ones_kept(device: &Device, n: usize) -> Judged {
    let mut xs = numbers(n);
    let found = whole::small_ones_kept::run(device, &device.array([n], &xs)?)?;
    xs.retain(|x| *x < 1 << 31);
    same(&found.to_vec()?, &xs)
}

fn flagged_and_unique(device: &Device, n: usize) -> Judged {
    let (mut xs, flags) = (runs(n), flags(n));
    let given = (device.array([n], &xs)?, device.array([n], &flags)?);
    let (flagged, unique) = whole::flagged_and_unique::run(device, &given.0, &given.1)?;
    let kept = xs.iter().zip(&flags).filter(|(_, flag)| **flag);
    same(
        &flagged.to_vec()?,
        &kept.map(|(x, _)| *x).collect::<Vec<u32>>(),
    )?;
    xs.dedup();
    same(&unique.to_vec()?, &xs)
}

/// The keys and sums of runs of equal keys, in plain Rust.
pub(crate) fn sums_of_runs(keys: &[u32], values: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let (mut found, mut sums) = (Vec::new(), Vec::<u32>::new());
    for (key, value) in keys.iter().zip(values) {
        match sums.last_mut() {
            Some(sum) if found.last() == Some(key) => *sum = sum.wrapping_add(*value),
            _ => {
                found.push(*key);
                sums.push(*value);
            }
        }
    }
    (found, sums)
}

fn runs_of_keys_summed(device: &Device, n: usize) -> Judged {
    let (keys, values) = (runs(n), numbers(n));
    let given = (device.array([n], &keys)?, device.array([n], &values)?);
    let found = whole::runs_of_keys_summed::run(device, &given.0, &given.1)?;
    let want = sums_of_runs(&keys, &values);
    same(&found.0.to_vec()?, &want.0)?;
    same(&found.1.to_vec()?, &want.1)
}

fn all_summed(device: &Device, n: usize) -> Judged {
    let xs = numbers(n);
    let found = whole::all_summed::run(device, &device.array([n], &xs)?)?;
    let want = xs.into_iter().fold(0, u32::wrapping_add);
    same(&[found.value()?], &[want])
}

fn all_folded(device: &Device, n: usize) -> Judged {
    let (xs, own) = (numbers(n), floats(n));
    let run = |device: &Device| {
        let (own, xs) = (device.array([n], &own)?, device.array([n], &xs)?);
        let (sum, maps) = whole::all_folded::run(device, &own, &xs)?;
        Ok((sum.value()?, maps.value()?))
    };
    let want = xs.iter().fold((1u32, 0u32), |(a, b), x| {
        let factor = x | 1;
        (
            a.wrapping_mul(factor),
            b.wrapping_mul(factor).wrapping_add(x >> 3),
        )
    });
    same(&[run(device)?.1], &[want])?;
    as_on_the_cpu(device, |device| Ok(vec![run(device)?.0]))
}

/// Three rows of that length, and one in each row.
fn rows_summed(device: &Device, n: usize) -> Judged {
    let xs = numbers(3 * n);
    let sum = |xs: &[u32]| xs.iter().copied().fold(0, u32::wrapping_add);
    let found = whole::rows_summed::run(device, &device.array([3, n], &xs)?)?;
    same(
        &found.to_vec()?,
        &[0, 1, 2].map(|row| sum(&xs[row * n..][..n])),
    )?;
    let found = whole::rows_summed::run(device, &device.array([n, 3], &xs)?)?;
    same(
        &found.to_vec()?,
        &xs.chunks(3).map(sum).collect::<Vec<u32>>(),
    )
}

/// The element at a place that may be outside, as at the edge.
pub(super) fn clamped(xs: &[u32], i: usize, by: isize) -> u32 {
    let at = i.saturating_add_signed(by).min(xs.len() - 1);
    xs[at]
}

fn neighbours_mixed(device: &Device, n: usize) -> Judged {
    let xs = numbers(n);
    let (far, near) = whole::neighbours_mixed::run(device, &device.array([n], &xs)?)?;
    let around = |i: usize| {
        let centre = xs[i].wrapping_mul(3);
        let left = clamped(&xs, i, -1).wrapping_add(centre);
        left.wrapping_add(clamped(&xs, i, 2))
    };
    let around: Vec<u32> = (0..n).map(around).collect();
    let inside = |i: usize, by: isize| {
        let at = i.checked_add_signed(by);
        at.and_then(|at| around.get(at)).copied().unwrap_or(9)
    };
    let want: Vec<u32> = (0..n).map(|i| inside(i, -3) ^ inside(i, 1)).collect();
    same(&far.to_vec()?, &want)?;
    let beside = |i: usize| xs[(i + n - 1) % n].wrapping_add(xs[(i + 1) % n]);
    same(&near.to_vec()?, &(0..n).map(beside).collect::<Vec<u32>>())
}

fn rounds_done(device: &Device, n: usize) -> Judged {
    let xs = numbers(n);
    let (mixed, halves, steps) = whole::rounds_done::run(device, 5, &device.array([n], &xs)?)?;
    let mut want = xs.clone();
    for _ in 0..5 {
        let one = |i: usize| want[(i + n - 1) % n] ^ (want[(i + 1) % n] >> 1);
        want = (0..n).map(one).collect();
    }
    same(&mixed.to_vec()?, &want)?;
    let (mut own, mut count) = (xs, 0);
    while own.iter().any(|x| *x > 1000) {
        own.iter_mut().for_each(|x| *x /= 2);
        count += 1;
    }
    same(&halves.to_vec()?, &own)?;
    same(&[steps.value()?], &[count])
}
