//! Algorithms of one call: whole numbers beside plain Rust, floats beside the CPU, bit for bit.
//!
//! Their kernels are compiled when they are first called, so that a GPU needs NVRTC or nvcc for them.

use obsidian_rt::algorithms::{self, Edge};
use obsidian_rt::arrays::{Array, Ix2, Window};
use obsidian_rt::language::{EF32, EU32};
use obsidian_rt::prelude::*;

use super::arrays::{
    Judged, as_on_the_cpu, bits, clamped, flags, floats, lengths, runs, sums_of_runs,
};
use super::data::{numbers, running_sums};
use super::{Check, same};

macro_rules! checks {
    ($($name:ident)*) => {
        &[$(Check { name: concat!("algorithms: ", stringify!($name)), lengths, run: $name }),*]
    };
}

pub(super) const CHECKS: &[Check] = checks! {
    reductions reductions_of_floats reductions_by_closures prefix_sums scans_by_closures scans_of_segments scans_by_key
    selections partitions elements_mapped places matrices histograms sorts sorts_by_key largest searches merges
};

type Pair = (u32, u32);

/// Numbers and their places.
fn numbered(n: usize) -> Vec<Pair> {
    numbers(n).into_iter().zip(0..).collect()
}

/// `x` behind `y` as functions `x -> a x + b` in wrapping arithmetic: associative, and not commutative.
fn behind((a, b): (EU32, EU32), (c, d): (EU32, EU32)) -> (EU32, EU32) {
    (a * c, b * c + d)
}

/// The same in plain Rust.
fn composed((a, b): Pair, (c, d): Pair) -> Pair {
    (a.wrapping_mul(c), b.wrapping_mul(c).wrapping_add(d))
}

fn functions(n: usize) -> Vec<Pair> {
    let one = |x: u32| (x | 1, x >> 3);
    numbers(n).into_iter().map(one).collect()
}

/// For each element, what is in front of it and what is with it, from the beginning or from the last flag.
fn composed_in_segments(of: &[Pair], begins: &[bool], initial: Pair) -> (Vec<Pair>, Vec<Pair>) {
    let (mut with, mut without) = (Vec::new(), Vec::new());
    let mut before: Option<Pair> = None;
    for (f, begins) in of.iter().zip(begins) {
        before = before.filter(|_| !begins);
        without.push(before.map_or(initial, |g| composed(initial, g)));
        before = Some(before.map_or(*f, |g| composed(g, *f)));
        with.extend(before);
    }
    (with, without)
}

/// Is each key the first of a run?
fn begins(keys: &[u32]) -> Vec<bool> {
    (0..keys.len())
        .map(|i| i == 0 || keys[i] != keys[i - 1])
        .collect()
}

fn reductions(device: &Device, n: usize) -> Judged {
    let xs = numbers(n);
    let own = device.upload(&xs)?;
    let first = |extreme: Option<u32>| xs.iter().position(|x| Some(*x) == extreme);
    let (least, most) = (xs.iter().min().copied(), xs.iter().max().copied());
    let sum = xs.iter().copied().fold(0, u32::wrapping_add);
    let dot = xs
        .iter()
        .fold(0, |sum: u32, x| sum.wrapping_add(x.wrapping_mul(*x)));
    same(
        &[
            algorithms::sum(device, &own)?,
            algorithms::dot(device, &own, &own)?,
        ],
        &[sum, dot],
    )?;
    same(
        &[
            algorithms::min(device, &own)?,
            algorithms::max(device, &own)?,
        ],
        &[least, most],
    )?;
    let places = [
        algorithms::arg_min(device, &own)?,
        algorithms::arg_max(device, &own)?,
    ];
    same(&places, &[first(least), first(most)])
}

fn reductions_of_floats(device: &Device, n: usize) -> Judged {
    let xs = floats(n);
    as_on_the_cpu(device, |device| {
        let own = device.upload(&xs)?;
        let sums = [
            algorithms::sum(device, &own)?,
            algorithms::dot(device, &own, &own)?,
        ];
        let extremes = [
            algorithms::min(device, &own)?,
            algorithms::max(device, &own)?,
        ];
        Ok(sums
            .into_iter()
            .chain(extremes.into_iter().flatten())
            .collect())
    })
}

fn reductions_by_closures(device: &Device, n: usize) -> Judged {
    let (of, xs) = (functions(n), numbers(n));
    let all = of.iter().copied().fold((3, 4), composed);
    same(&[algorithms::reduce(device, &of, behind, (3, 4))?], &[all])?;
    let small = xs.iter().filter(|x| **x < 1 << 30).count();
    same(
        &[algorithms::count_if(device, &xs, |x: EU32| x.lt(1 << 30))?],
        &[small],
    )?;
    let bounds = [0, n / 3, n / 3, n / 2, n];
    let offsets = bounds.map(|bound| bound as u32);
    let found = algorithms::segmented_reduce(device, &of, &offsets, behind, (5, 6))?;
    let segments = bounds.windows(2).map(|ends| &of[ends[0]..ends[1]]);
    let want = segments.map(|segment| segment.iter().copied().fold((5, 6), composed));
    same(&found.to_vec()?, &want.collect::<Vec<Pair>>())
}

fn prefix_sums(device: &Device, n: usize) -> Judged {
    let xs = numbers(n);
    let own = device.upload(&xs)?;
    let want = running_sums(&xs);
    same(&algorithms::inclusive_sum(device, &own)?.to_vec()?, &want)?;
    let before: Vec<u32> = [0].into_iter().chain(want).take(n).collect();
    same(&algorithms::exclusive_sum(device, &own)?.to_vec()?, &before)?;
    let xs = floats(n);
    as_on_the_cpu(device, |device| {
        algorithms::inclusive_sum(device, &xs)?.to_vec()
    })
}

fn scans_by_closures(device: &Device, n: usize) -> Judged {
    let of = functions(n);
    let (with, without) = composed_in_segments(&of, &vec![false; n], (3, 4));
    same(
        &algorithms::inclusive_scan(device, &of, behind)?.to_vec()?,
        &with,
    )?;
    same(
        &algorithms::exclusive_scan(device, &of, behind, (3, 4))?.to_vec()?,
        &without,
    )
}

fn scans_of_segments(device: &Device, n: usize) -> Judged {
    let (of, flags) = (functions(n), flags(n));
    let (with, without) = composed_in_segments(&of, &flags, (3, 4));
    let found = algorithms::segmented_inclusive_scan(device, &of, &flags, behind)?;
    same(&found.to_vec()?, &with)?;
    let found = algorithms::segmented_exclusive_scan(device, &of, &flags, behind, (3, 4))?;
    same(&found.to_vec()?, &without)
}

fn scans_by_key(device: &Device, n: usize) -> Judged {
    let (keys, values, of) = (runs(n), numbers(n), functions(n));
    let (found, sums) = algorithms::reduce_by_key(device, &keys, &values, |x, y| x + y)?;
    let want = sums_of_runs(&keys, &values);
    same(&found.to_vec()?, &want.0)?;
    same(&sums.to_vec()?, &want.1)?;
    let (with, without) = composed_in_segments(&of, &begins(&keys), (3, 4));
    let found = algorithms::inclusive_scan_by_key(device, &keys, &of, behind)?;
    same(&found.to_vec()?, &with)?;
    let found = algorithms::exclusive_scan_by_key(device, &keys, &of, behind, (3, 4))?;
    same(&found.to_vec()?, &without)
}

fn selections(device: &Device, n: usize) -> Judged {
    let (xs, flags, mut keys) = (numbers(n), flags(n), runs(n));
    let found = algorithms::copy_if(device, &xs, |x: EU32| x.lt(1 << 30))?;
    let small = xs.iter().copied().filter(|x| *x < 1 << 30);
    same(&found.to_vec()?, &small.collect::<Vec<u32>>())?;
    let found = algorithms::copy_flagged(device, &xs, &flags)?;
    let flagged = xs.iter().zip(&flags).filter(|(_, flag)| **flag);
    same(
        &found.to_vec()?,
        &flagged.map(|(x, _)| *x).collect::<Vec<u32>>(),
    )?;
    let found = algorithms::unique(device, &keys)?;
    keys.dedup();
    same(&found.to_vec()?, &keys)
}

fn partitions(device: &Device, n: usize) -> Judged {
    let xs = numbered(n);
    let (odd, even) = algorithms::partition(device, &xs, |(x, _): (EU32, EU32)| (x & 1).eq(1))?;
    let want: (Vec<Pair>, Vec<Pair>) = xs.into_iter().partition(|(x, _)| x & 1 == 1);
    same(&odd.to_vec()?, &want.0)?;
    same(&even.to_vec()?, &want.1)
}

fn elements_mapped(device: &Device, n: usize) -> Judged {
    let (xs, ys) = (numbers(n), runs(n));
    let found = algorithms::map(device, &xs, |x: EU32| (x >> 5, x * 7))?;
    let want = xs.iter().map(|x| (x >> 5, x.wrapping_mul(7)));
    same(&found.to_vec()?, &want.collect::<Vec<Pair>>())?;
    let found = algorithms::zip_map(device, &xs, &ys, |x: EU32, y: EU32| x ^ (y * 3))?;
    let want = xs.iter().zip(&ys).map(|(x, y)| x ^ y.wrapping_mul(3));
    same(&found.to_vec()?, &want.collect::<Vec<u32>>())
}

fn places(device: &Device, n: usize) -> Judged {
    let (xs, back) = (numbered(n), (0..n as u32).rev().collect::<Vec<u32>>());
    let found = algorithms::gather(device, &back, &xs)?;
    same(
        &found.to_vec()?,
        &xs.iter().rev().copied().collect::<Vec<Pair>>(),
    )?;
    // To every second place, of twice as many.
    let to: Vec<u32> = back.iter().map(|place| 2 * place + 1).collect();
    let mut want = vec![(5, 6); 2 * n];
    let found = algorithms::scatter(device, &xs, &to, &want)?;
    xs.iter()
        .zip(&to)
        .for_each(|(x, place)| want[*place as usize] = *x);
    same(&found.to_vec()?, &want)
}

/// Rows of 37 elements, or of all if there are fewer.
fn matrices(device: &Device, n: usize) -> Judged {
    let width = n.min(37);
    let rows = n / width.max(1);
    let (xs, ys) = (numbers(rows * width), floats(rows * width));
    let turned = algorithms::transpose(device, &device.array([rows, width], &xs)?)?;
    let want = (0..width * rows).map(|i| xs[i % rows * width + i / rows]);
    same(&turned.to_vec()?, &want.collect::<Vec<u32>>())?;
    let m: Array<Ix2, u32> = device.array([rows, width], &xs)?;
    let left = |w: Window<Ix2, EU32>| w.at((0, -1)) + w.at((0, 0)) * 3;
    let found = algorithms::stencil2(device, &m, Edge::Clamp, left)?;
    let want = (0..rows * width).map(|i| {
        let (row, x) = (&xs[i / width * width..][..width], i % width);
        clamped(row, x, -1).wrapping_add(row[x].wrapping_mul(3))
    });
    same(&found.to_vec()?, &want.collect::<Vec<u32>>())?;
    as_on_the_cpu(device, |device| {
        let m = device.array([rows, width], &ys)?;
        let above = |w: Window<Ix2, EF32>| w.at((-1, 0)) + w.at((1, 1));
        algorithms::stencil2(device, &m, Edge::Constant(0.5), above)?.to_vec()
    })
}

/// Counted in bins of a block, in more of them, and where they are.
fn histograms(device: &Device, n: usize) -> Judged {
    for bins in [200, 1000, 100_000] {
        let keys: Vec<u32> = numbers(n).iter().map(|x| (x >> 7) % bins).collect();
        let mut want = vec![0u32; bins as usize];
        keys.iter().for_each(|key| want[*key as usize] += 1);
        same(
            &algorithms::histogram(device, &keys, bins as usize)?.to_vec()?,
            &want,
        )?;
    }
    Ok(())
}

fn sorts(device: &Device, n: usize) -> Judged {
    let (mut xs, mut ys) = (numbers(n), floats(n));
    let found = algorithms::sort(device, &xs)?;
    xs.sort_unstable();
    same(&found.to_vec()?, &xs)?;
    let found = algorithms::sort(device, &ys)?;
    ys.sort_unstable_by(f32::total_cmp);
    same(&bits(&found.to_vec()?), &bits(&ys))
}

fn sorts_by_key(device: &Device, n: usize) -> Judged {
    let mut pairs = numbered(n);
    pairs.iter_mut().for_each(|(key, _)| *key %= 1009);
    let (keys, values): (Vec<u32>, Vec<u32>) = pairs.iter().copied().unzip();
    let (keys, values) = algorithms::sort_by_key(device, &keys, &values)?;
    pairs.sort_by_key(|(key, _)| *key);
    let found = keys.to_vec()?.into_iter().zip(values.to_vec()?);
    same(&found.collect::<Vec<Pair>>(), &pairs)
}

fn largest(device: &Device, n: usize) -> Judged {
    let mut pairs = numbered(n);
    let xs: Vec<u32> = pairs.iter().map(|(x, _)| *x).collect();
    let (found, at) = algorithms::top_k(device, &xs, 100)?;
    pairs.sort_by_key(|(x, i)| (std::cmp::Reverse(*x), *i));
    pairs.truncate(100);
    let found = found.to_vec()?.into_iter().zip(at.to_vec()?);
    same(&found.collect::<Vec<Pair>>(), &pairs)
}

fn searches(device: &Device, n: usize) -> Judged {
    let (sorted, keys) = (runs(n), numbers(n));
    let keys: Vec<u32> = keys.iter().map(|key| key % (n as u32 / 7 + 3)).collect();
    let found = algorithms::lower_bound(device, &sorted, &keys)?;
    let want = keys
        .iter()
        .map(|key| sorted.partition_point(|x| x < key) as u32);
    same(&found.to_vec()?, &want.collect::<Vec<u32>>())?;
    let found = algorithms::upper_bound(device, &sorted, &keys)?;
    let want = keys
        .iter()
        .map(|key| sorted.partition_point(|x| x <= key) as u32);
    same(&found.to_vec()?, &want.collect::<Vec<u32>>())
}

fn merges(device: &Device, n: usize) -> Judged {
    let (first, second) = (runs(n), runs(n / 2 + 1));
    let mut want: Vec<Pair> = first.iter().map(|key| (*key, 1)).collect();
    want.extend(second.iter().map(|key| (*key, 2)));
    want.sort_by_key(|(key, _)| *key);
    let found = algorithms::merge(device, &first, &second)?;
    let keys: Vec<u32> = want.iter().map(|(key, _)| *key).collect();
    same(&found.to_vec()?, &keys)?;
    let (ones, twos) = (vec![1u32; first.len()], vec![2u32; second.len()]);
    let (keys, values) = algorithms::merge_by_key(device, (&first, &ones), (&second, &twos))?;
    let found = keys.to_vec()?.into_iter().zip(values.to_vec()?);
    same(&found.collect::<Vec<Pair>>(), &want)
}
