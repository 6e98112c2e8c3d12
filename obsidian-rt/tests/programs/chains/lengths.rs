//! Chains of a kind, of any length: the benchmark `programs` has a row for each.

use obsidian_rt::arrays;
use obsidian_rt::arrays::*;
use obsidian_rt::language::{EF32, EU32, lit, select};

/// A kind of chain, and what builds one of a length, and gives the number of its kernels.
pub type Chain = (&'static str, fn(usize) -> obsidian_rt::Result<usize>);

fn vectors(length: usize, link: fn(Arr1<EU32>) -> Arr1<EU32>) -> obsidian_rt::Result<usize> {
    let build = |x: Arr1<EU32>| (0..length).fold(x, |x, _| link(x));
    Ok(ArrayProgram::build("chain", build)?.kernels().len())
}

fn matrices(length: usize, link: fn(Arr2<EF32>) -> Arr2<EF32>) -> obsidian_rt::Result<usize> {
    let build = |x: Arr2<EF32>| (0..length).fold(x, |x, _| link(x));
    Ok(ArrayProgram::build("chain", build)?.kernels().len())
}

fn volumes(length: usize, link: fn(Arr3<EF32>) -> Arr3<EF32>) -> obsidian_rt::Result<usize> {
    let build = |x: Arr3<EF32>| (0..length).fold(x, |x, _| link(x));
    Ok(ArrayProgram::build("chain", build)?.kernels().len())
}

/// From -1 to 1 along each axis.
const NEAR: [i32; 3] = [-1, 0, 1];

pub const CHAINS: &[Chain] = &[
    ("stencils of 3 points", |length| {
        vectors(length, |x| {
            x.stencil(Boundary::Clamp, |w| w.at(-1) + 3 * w.at(0) + w.at(1))
        })
    }),
    ("stencils of 5 points", |length| {
        matrices(length, |x| {
            x.stencil(Boundary::Clamp, |w| {
                let sides = w.at((-1, 0)) + w.at((1, 0)) + w.at((0, -1)) + w.at((0, 1));
                w.at((0, 0)) * 0.5 + sides * 0.125
            })
        })
    }),
    ("stencils of 9 points", |length| {
        matrices(length, |x| {
            x.stencil(Boundary::Wrap, |w| {
                let all = NEAR.iter().flat_map(|y| NEAR.map(|x| (*y, x)));
                all.fold(lit(0.0), |sum, at| sum + w.at(at)) * 0.1
            })
        })
    }),
    ("stencils of 27 points", |length| {
        volumes(length, |x| {
            x.stencil(Boundary::Mirror, |w| {
                let planes = NEAR.iter().flat_map(|z| NEAR.map(|y| (*z, y)));
                let all = planes.flat_map(|(z, y)| NEAR.map(|x| (z, y, x)));
                all.fold(lit(0.0), |sum, at| sum + w.at(at)) * 0.03
            })
        })
    }),
    ("gathers", |length| {
        vectors(length, |x| {
            let n = x.len();
            arrays::gather(x.map(move |x| x % n), x)
        })
    }),
    ("choices", |length| {
        vectors(length, |x| {
            let y = x.rotate(1u32);
            zip_with(|a, b| select((a & 1).eq(lit(0u32)), a + b, b * 3), x, y)
        })
    }),
];
