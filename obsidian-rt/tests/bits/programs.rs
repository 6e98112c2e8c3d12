//! The programs, with inputs that follow from their places, and what they give as bits.

use obsidian_rt::prelude::*;
use obsidian_rt::{Result, algorithms};

use crate::Bits;
use crate::kernels::kernels;
use crate::whole::whole;

/// A program on a device.
pub type Program = fn(&Device) -> Result<Bits>;

/// Numbers from -1 to 1, by SplitMix64 of the seed and the place.
fn floats(count: usize, seed: u64) -> Vec<f32> {
    let float = |i: u64| {
        let mut z = (seed << 32)
            .wrapping_add(i)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 40) as f32 / (1 << 23) as f32 - 1.0
    };
    (1..=count as u64).map(float).collect()
}

/// The bits of floats. All numbers that are none count as one.
fn bits(floats: impl IntoIterator<Item = f32>) -> Result<Bits> {
    let of = |x: f32| {
        if x.is_nan() {
            f32::NAN.to_bits()
        } else {
            x.to_bits()
        }
    };
    Ok(floats.into_iter().map(|x| of(x).into()).collect())
}

/// A buffer of `count` numbers.
fn buffer(device: &Device, count: usize, seed: u64) -> Result<Buffer<f32>> {
    device.upload(&floats(count, seed))
}

/// A kernel of one input, with its length.
macro_rules! of_one {
    ($kernel:ident, $count:expr, $seed:expr) => {
        |d| bits(kernels::$kernel::launch(d, &buffer(d, $count, $seed)?)?.to_vec()?)
    };
}

/// A kernel of a width and an input, with its number of rows.
macro_rules! of_rows {
    ($kernel:ident, $height:expr, $width:expr, $seed:expr) => {
        |d| {
            let x = buffer(d, $height * $width, $seed)?;
            bits(kernels::$kernel::launch(d, $width, &x)?.to_vec()?)
        }
    };
}

/// A product of 48 by 64 and 64 by 32.
fn product(d: &Device) -> Result<Bits> {
    let (a, b) = (buffer(d, 48 * 64, 10)?, buffer(d, 64 * 32, 11)?);
    bits(kernels::product::launch(d, 64, 32, &a, &b)?.to_vec()?)
}

fn normals(d: &Device) -> Result<Bits> {
    let (x, y) = (buffer(d, 1001, 12)?, buffer(d, 1001, 13)?);
    let (left, right) = kernels::normals::launch(d, &x, &y)?;
    bits(left.to_vec()?.into_iter().chain(right.to_vec()?))
}

fn variance(d: &Device) -> Result<Bits> {
    let x: Vec<f64> = floats(3001, 17).into_iter().map(f64::from).collect();
    Ok(vec![
        whole::variance::run(d, &d.array([3001], &x)?)?
            .value()?
            .to_bits(),
    ])
}

fn calls(d: &Device) -> Result<Bits> {
    let (a, b, c) = (floats(777, 24), floats(777, 25), floats(777, 26));
    let options = (0..777).map(|i| (17.5 + 12.5 * a[i], 50.0 + 49.0 * b[i], 5.0 + 4.75 * c[i]));
    let options: Vec<(f32, f32, f32)> = options.collect();
    bits(whole::calls::run(d, &d.array([777], &options)?)?.to_vec()?)
}

/// Segments of 0 to 40 numbers.
fn segments(d: &Device) -> Result<Bits> {
    let offsets: Vec<u32> = std::iter::once(0)
        .chain((0..41).map(|i| i * (i + 1) / 2))
        .collect();
    let (o, x) = (
        d.array([offsets.len()], &offsets)?,
        d.array([820], &floats(820, 27))?,
    );
    bits(whole::segments::run(d, &o, &x)?.to_vec()?)
}

/// Sums of runs of three equal keys.
fn sums_by_key(d: &Device) -> Result<Bits> {
    let keys: Vec<u32> = (0..1000).map(|i| i / 3).collect();
    let (_, sums) = algorithms::reduce_by_key(d, &keys, &floats(1000, 32), |a, b| a + b)?;
    bits(sums.to_vec()?)
}

/// All 30, and their names.
pub fn all() -> Vec<(&'static str, Program)> {
    vec![
        ("kernel/saxpy", |d| {
            let (x, y) = (buffer(d, 1000, 1)?, buffer(d, 1000, 2)?);
            bits(kernels::saxpy::launch(d, 0.1, &x, &y)?.to_vec()?)
        }),
        ("kernel/contracted", |d| {
            let (x, y) = (buffer(d, 1000, 1)?, buffer(d, 1000, 2)?);
            bits(kernels::contracted::launch(d, 0.1, &x, &y)?.to_vec()?)
        }),
        ("kernel/halves", of_one!(halves, 2048, 3)),
        ("kernel/reduced", of_one!(reduced, 960, 4)),
        ("kernel/folded", of_one!(folded, 2048, 5)),
        ("kernel/scanned", of_one!(scanned, 1024, 6)),
        ("kernel/softmax", of_one!(softmax, 1536, 7)),
        ("kernel/rows", of_rows!(rows, 7, 997, 8)),
        ("kernel/smoothed", of_rows!(smoothed, 13, 37, 9)),
        ("kernel/windows", of_rows!(windows, 19, 21, 9)),
        ("kernel/product", product),
        ("kernel/normals", normals),
        ("kernel/orbits", |d| {
            let (x, y) = (buffer(d, 700, 14)?, buffer(d, 700, 15)?);
            bits(kernels::orbits::launch(d, &x, &y)?.to_vec()?)
        }),
        ("arrays/sum", |d| {
            let sum = whole::sum::run(d, &d.array([10_007], &floats(10_007, 16))?)?;
            bits([sum.value()?])
        }),
        ("arrays/variance", variance),
        ("arrays/scan", |d| {
            bits(whole::scan::run(d, &d.array([3001], &floats(3001, 18))?)?.to_vec()?)
        }),
        ("arrays/softmax", |d| {
            bits(whole::softmax::run(d, &d.array([7, 301], &floats(2107, 19))?)?.to_vec()?)
        }),
        ("arrays/mvm", |d| {
            let (m, v) = (
                d.array([9, 333], &floats(2997, 20))?,
                d.array([333], &floats(333, 21))?,
            );
            bits(whole::mvm::run(d, &m, &v)?.to_vec()?)
        }),
        ("arrays/laplace", |d| {
            bits(whole::laplace::run(d, &d.array([7, 8, 9], &floats(504, 22))?)?.to_vec()?)
        }),
        ("arrays/heat", |d| {
            bits(whole::heat::run(d, &d.array([301], &floats(301, 23))?)?.to_vec()?)
        }),
        ("arrays/calls", calls),
        ("arrays/segments", segments),
        ("algorithms/sum", |d| {
            bits([algorithms::sum(d, &floats(4099, 28))?])
        }),
        ("algorithms/dot", |d| {
            bits([algorithms::dot(d, &floats(4099, 28), &floats(4099, 29))?])
        }),
        ("algorithms/inclusive_sum", |d| {
            bits(algorithms::inclusive_sum(d, &floats(2500, 30))?.to_vec()?)
        }),
        ("algorithms/reduce", |d| {
            bits([algorithms::reduce(
                d,
                &floats(999, 31),
                |a, b| (a * a + b * b).sqrt(),
                0.0,
            )?])
        }),
        ("algorithms/reduce_by_key", sums_by_key),
        ("algorithms/map", |d| {
            bits(algorithms::map(d, &floats(1000, 33), |x| x.tanh() + (x * 3.0).sin())?.to_vec()?)
        }),
        ("algorithms/powf", |d| {
            let (x, y) = (floats(1000, 34), floats(1000, 35));
            bits(algorithms::zip_map(d, &x, &y, |x, y| x.abs().powf(y))?.to_vec()?)
        }),
        ("algorithms/exclusive_scan", |d| {
            let scan = algorithms::exclusive_scan(d, &floats(2049, 36), |a, b| a + b, 0.0)?;
            bits(scan.to_vec()?)
        }),
    ]
}
