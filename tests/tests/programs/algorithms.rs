//! Algorithms of one call by executed text, beside the CPU: the same bits. Texts of theirs are kept for `.ci/cubin`.

use std::fmt::Debug;

use obsidian_executor::Executor;
use obsidian_rt::algorithms::{self, Edge, program};
use obsidian_rt::arrays::{Array, ArrayProgram, Ix1};
use obsidian_rt::language::{EF32, EI32, EU8, EU32, EU64, Exp, select};
use obsidian_rt::{Device, Element, Result};
use obsidian_tests::keep;

/// Lengths: none, one, odd ones, less and more than a piece of a scan, and of a fold.
const LENGTHS: [usize; 6] = [0, 1, 33, 1000, 8193, 66_001];

/// What the text gives as it is executed, and the CPU; both have to be equal. `f` is given a length.
fn agree<T: PartialEq + Debug>(f: impl Fn(&Device, usize) -> Result<T>) {
    let Some(executor) = Executor::find() else {
        return;
    };
    let (cpu, executed) = (Device::cpu(), executor.device());
    for n in LENGTHS {
        let found = f(&executed, n).unwrap();
        assert!(found == f(&cpu, n).unwrap(), "{n} elements");
    }
}

fn integers(n: usize) -> Vec<i32> {
    (0..n).map(|i| (i * 7919 % 10_007) as i32 - 5000).collect()
}

/// Quarters, among them -0 and equal ones.
fn floats(n: usize) -> Vec<f32> {
    integers(n)
        .iter()
        .map(|i| (i % 97) as f32 * -0.25)
        .collect()
}

fn flags(n: usize) -> Vec<bool> {
    integers(n).iter().map(|i| i % 5 == 0).collect()
}

fn bits(floats: Vec<f32>) -> Vec<u32> {
    floats.into_iter().map(f32::to_bits).collect()
}

fn list<T: Element>(array: Array<Ix1, T>) -> Result<Vec<T>> {
    array.to_vec()
}

/// `x` behind `y` as functions `x -> a x + b` in wrapping arithmetic: associative, and not commutative.
fn behind((a, b): (EU32, EU32), (c, d): (EU32, EU32)) -> (EU32, EU32) {
    (a * c, b * c + d)
}

fn functions(n: usize) -> Vec<(u32, u32)> {
    (0..n as u32).map(|i| (i % 7 * 2 + 1, i)).collect()
}

#[test]
fn reductions() {
    agree(|d, n| {
        let (xs, ys) = (integers(n), floats(n));
        Ok((
            algorithms::sum(d, &xs)?,
            algorithms::sum(d, &ys)?.to_bits(),
            algorithms::dot(d, &ys, &ys)?.to_bits(),
            algorithms::min(d, &ys)?.map(f32::to_bits),
            algorithms::max(d, &xs)?,
            algorithms::arg_min(d, &ys)?,
            algorithms::arg_max(d, &xs)?,
            algorithms::reduce(d, &functions(n), behind, (3, 4))?,
            algorithms::count_if(d, &xs, |x: EI32| x.gt(0))?,
        ))
    });
    agree(|d, n| {
        let ends: Vec<u32> = [0, n / 3, n / 3, n / 2, n].map(|end| end as u32).to_vec();
        algorithms::segmented_reduce(d, &functions(n), &ends, behind, (5, 6))?.to_vec()
    });
}

#[test]
fn scans() {
    agree(|d, n| {
        Ok((
            list(algorithms::inclusive_sum(d, &integers(n))?)?,
            bits(list(algorithms::exclusive_sum(d, &floats(n))?)?),
            algorithms::inclusive_scan(d, &functions(n), behind)?.to_vec()?,
            algorithms::exclusive_scan(d, &functions(n), behind, (3, 4))?.to_vec()?,
        ))
    });
    agree(|d, n| {
        let (of, begins) = (functions(n), flags(n));
        Ok((
            algorithms::segmented_inclusive_scan(d, &of, &begins, behind)?.to_vec()?,
            algorithms::segmented_exclusive_scan(d, &of, &begins, behind, (3, 4))?.to_vec()?,
        ))
    });
}

#[test]
fn by_key() {
    agree(|d, n| {
        let keys: Vec<u32> = (0..n as u32).map(|i| i / 3 % 50).collect();
        let of = functions(n);
        let (found, sums) = algorithms::reduce_by_key(d, &keys, &of, behind)?;
        Ok((
            (list(found)?, sums.to_vec()?),
            algorithms::inclusive_scan_by_key(d, &keys, &of, behind)?.to_vec()?,
            algorithms::exclusive_scan_by_key(d, &keys, &of, behind, (1, 2))?.to_vec()?,
        ))
    });
}

#[test]
fn selections() {
    agree(|d, n| {
        let xs = integers(n);
        let (even, odd) = algorithms::partition(d, &xs, |x: EI32| (x & 1).eq(0))?;
        Ok((
            list(algorithms::copy_if(d, &xs, |x: EI32| x.gt(100))?)?,
            list(algorithms::copy_flagged(d, &xs, &flags(n))?)?,
            (list(even)?, list(odd)?),
            bits(list(algorithms::unique(d, &floats(n))?)?),
        ))
    });
}

#[test]
fn elements_and_places() {
    agree(|d, n| {
        let (xs, ys) = (integers(n), floats(n));
        let places: Vec<u32> = (0..n as u32).rev().collect();
        let width = n.min(37);
        let m = d.array([n / width.max(1), width], &ys[..n / width.max(1) * width])?;
        let around = |w: obsidian_rt::arrays::Window<_, EF32>| w.at((-1, 0)) + w.at((0, 1));
        Ok((
            list(algorithms::map(d, &xs, |x: EI32| {
                select(x.lt(0), -x, x * 2)
            })?)?,
            bits(list(algorithms::zip_map(
                d,
                &ys,
                &xs,
                |y: EF32, x: EI32| y * x.cast::<f32>(),
            )?)?),
            list(algorithms::gather(d, &places, &xs)?)?,
            list(algorithms::scatter(d, &xs, &places, &vec![7; n])?)?,
            bits(algorithms::transpose(d, &m)?.to_vec()?),
            bits(algorithms::stencil2(d, &m, Edge::Clamp, around)?.to_vec()?),
            bits(algorithms::stencil2(d, &m, Edge::Constant(0.5), around)?.to_vec()?),
            list(algorithms::histogram(
                d,
                &(0..n as u32).map(|i| i % 997 * i % 200).collect::<Vec<_>>(),
                200,
            )?)?,
        ))
    });
}

#[test]
fn order() {
    agree(|d, n| {
        let (xs, ys) = (integers(n), floats(n));
        let mut sorted = xs.clone();
        sorted.sort_unstable();
        let numbers: Vec<u32> = (0..n as u32).collect();
        let (keys, of) = algorithms::sort_by_key(d, &ys, &numbers)?;
        let (most, at) = algorithms::top_k(d, &ys, n.min(20))?;
        Ok((
            list(algorithms::sort(d, &xs)?)?,
            (bits(list(keys)?), list(of)?),
            (bits(list(most)?), list(at)?),
            list(algorithms::lower_bound(d, &sorted, &xs)?)?,
            list(algorithms::upper_bound(d, &sorted, &xs)?)?,
            list(algorithms::merge(d, &sorted, &sorted)?)?,
        ))
    });
}

fn kept<P, R>(program: Result<ArrayProgram<P, R>>)
where
    P: obsidian_rt::arrays::ArrayParameters,
    R: obsidian_rt::arrays::RunResult,
{
    program.unwrap().kernels().iter().for_each(keep);
}

/// The texts of what the functions run, for types of one, four and eight bytes and for pairs.
#[test]
fn texts() {
    kept(program::map(|x: EF32| x * 2.0));
    kept(program::zip_map(|x: EF32, y: EI32| x * y.cast::<f32>()));
    kept(program::reduce(|x: EF32, y: EF32| x + y));
    kept(program::reduce(|x: EU8, y: EU8| x.max(y)));
    kept(program::reduce(|x: Exp<f64>, y: Exp<f64>| x + y));
    kept(program::reduce(behind));
    kept(program::count_if(|x: EI32| x.gt(0)));
    kept(program::inclusive_scan(|x: EF32, y: EF32| x + y));
    kept(program::inclusive_scan(|x: EU8, y: EU8| x + y));
    kept(program::exclusive_scan(|x: EU64, y: EU64| x + y));
    kept(program::exclusive_scan(behind));
    kept(program::segmented_inclusive_scan(|x: EF32, y: EF32| x + y));
    kept(program::segmented_exclusive_scan(behind));
    kept(program::segmented_reduce(|x: EF32, y: EF32| x + y));
    kept(program::reduce_by_key::<EU32, EF32, _>(|x, y| x + y));
    kept(program::inclusive_scan_by_key::<EU32, EF32, _>(|x, y| {
        x + y
    }));
    kept(program::exclusive_scan_by_key::<EU32, (EU32, EU32), _>(
        behind,
    ));
    kept(program::copy_if(|x: EF32| x.gt(0.0)));
    kept(program::copy_flagged::<EU8>());
    kept(program::partition(|x: EU32| x.gt(5)));
    kept(program::unique::<EU32>());
    kept(program::gather::<Exp<f64>>());
    kept(program::scatter::<EF32>());
    kept(program::transpose::<EF32>());
    kept(program::lower_bound::<f32>());
    kept(program::upper_bound::<u64>());
    kept(program::merge::<f32>());
    kept(program::merge_by_key::<u32, EF32>());
    kept(program::sort::<EF32>());
    kept(program::sort::<EU64>());
    kept(program::sort_by_key::<EU32, EF32>());
    kept(program::top_k::<f32>());
}
