//! The kernels of the examples as work. Programs of several launches are those of the examples, but
//! for one thing: what lies between two launches is kept until the time is taken.

use blackscholes::blackscholes as options;
use histogram::counting;
use obsidian_rt::Result;
use obsidian_rt::prelude::*;
use reduction::reductions;
use scan::scans;
use transpose::transposes;

use super::ceilings::{OPERATIONS, ceilings, reference};
use super::work::{Work, rotating};
use crate::checks::data::{numbers, running_sums};
use crate::checks::{Wrong, same};

/// The sizes of what is measured.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// Elements to copy, to sum, to scan and to count; multiples of 512.
    pub arrays: &'static [usize],
    /// Widths of square pictures.
    pub pictures: &'static [usize],
    /// Widths of matrices to transpose.
    pub transposes: &'static [usize],
    /// Widths of matrices to multiply; multiples of 16.
    pub products: &'static [usize],
    /// Options to price.
    pub options: usize,
    /// Elements for the ceiling of arithmetic; a multiple of 256.
    pub arithmetic: usize,
}

impl Sizes {
    /// For a GPU.
    pub const FULL: Sizes = Sizes {
        arrays: &[1 << 24, 1 << 28],
        pictures: &[512, 1024, 2048, 4096],
        transposes: &[1 << 12, 1 << 14],
        products: &[1024, 2048, 4096],
        options: 1 << 24,
        arithmetic: 1 << 22,
    };

    /// For everything else, and to see that it works.
    pub const QUICK: Sizes = Sizes {
        arrays: &[1 << 13],
        pictures: &[32],
        transposes: &[64],
        products: &[32],
        options: 2048,
        arithmetic: 512,
    };
}

/// Takes an array, and gives one.
type Map<T> = fn(&Device, &Buffer<T>) -> Result<Buffer<T>>;
/// Counts keys.
type Count = fn(&Device, &mut Buffer<u32>, &Buffer<u32>) -> Result<()>;
/// Takes a width and a matrix.
type Turn = fn(&Device, u32, &Buffer<f32>) -> Result<Buffer<f32>>;

const REDUCTIONS: [(&str, Map<u32>); 8] = [
    ("reduction: large_sum", reductions::sums_of_runs::launch),
    ("reduction: map_red1", reductions::map_red1::launch),
    ("reduction: map_red2", reductions::map_red2::launch),
    ("reduction: map_red3", reductions::map_red3::launch),
    ("reduction: map_red4", reductions::map_red4::launch),
    ("reduction: map_red5", reductions::map_red5::launch),
    ("reduction: map_red6", reductions::map_red6::launch),
    ("reduction: map_red7", reductions::map_red7::launch),
];

const HISTOGRAMS: [(&str, Count); 2] = [
    ("histogram: histogram", counting::histogram::launch),
    (
        "histogram: histogram_direct",
        counting::histogram_direct::launch,
    ),
];

const TRANSPOSES: [(&str, Turn); 3] = [
    ("transpose: straight", transposes::straight::launch),
    ("transpose: in_tiles", transposes::in_tiles::launch),
    ("transpose: with_pitch", transposes::with_pitch::launch),
];

/// All that is measured, the ceilings first.
pub(super) fn works(sizes: &Sizes) -> Vec<Work> {
    let mut works: Vec<Work> = sizes.arrays.iter().map(|&n| copy(n)).collect();
    works.push(arithmetic(sizes.arithmetic));
    for &n in sizes.arrays {
        works.extend(REDUCTIONS.map(|(by, first)| reduce(by, first, n)));
        works.push(scan(n));
        works.extend(HISTOGRAMS.map(|(by, launch)| histogram(by, launch, n)));
    }
    works.extend(sizes.pictures.iter().map(|&width| mandelbrot(width)));
    works.extend(
        sizes
            .transposes
            .iter()
            .flat_map(|&width| TRANSPOSES.map(|(by, launch)| turn(by, launch, width))),
    );
    works.extend(sizes.products.iter().map(|&width| matmul(width)));
    works.push(blackscholes(sizes.options));
    works
}

fn copy(n: usize) -> Work {
    Work::new(("copy", "gpu-check: copy"), n, 8 * n, move |device| {
        let (own, host) = (device.clone(), numbers(n));
        let copied = |copy: &Buffer<u32>| same(&copy.to_vec()?, &host);
        rotating(
            4 * n,
            || device.upload(&host),
            move |input| ceilings::copy::launch(&own, input),
            copied,
        )
    })
}

fn arithmetic(n: usize) -> Work {
    let work = Work::new(
        ("arithmetic", "gpu-check: arithmetic"),
        n,
        8 * n,
        move |device| {
            let own = device.clone();
            let host: Vec<f32> = (0..n).map(|i| (i % 1000) as f32 / 7.0).collect();
            let computed = |found: &Buffer<f32>| {
                let expected: Vec<f32> = host.iter().take(1000).copied().map(reference).collect();
                same(&found.to_vec()?[..expected.len()], &expected)
            };
            rotating(
                4 * n,
                || device.upload(&host),
                move |input| ceilings::arithmetic::launch(&own, input),
                computed,
            )
        },
    );
    work.with_operations(OPERATIONS * n as u64)
}

/// A first launch, and launches of `sums_of_runs` on what it leaves.
fn reduce(by: &'static str, first: Map<u32>, n: usize) -> Work {
    Work::new(("reduce", by), n, 4 * n, move |device| {
        let (own, host) = (device.clone(), numbers(n));
        let sum = move |input: &Buffer<u32>| {
            let mut stages = vec![first(&own, input)?];
            while let Some(last) = stages.last().filter(|last| last.len() > 1) {
                let next = reductions::sums_of_runs::launch(&own, last)?;
                stages.push(next);
            }
            Ok(stages)
        };
        let expected = host.iter().copied().fold(0, u32::wrapping_add);
        let summed = |stages: &Vec<Buffer<u32>>| match stages.last() {
            Some(sum) => same(&sum.to_vec()?, &[expected]),
            None => Err(Wrong::Result("there is no sum".to_owned())),
        };
        rotating(4 * n, || device.upload(&host), sum, summed)
    })
}

fn scan(n: usize) -> Work {
    Work::new(("scan", "scan: large_scan"), n, 8 * n, move |device| {
        let (own, host) = (device.clone(), numbers(n));
        let launch = move |input: &Buffer<u32>| {
            let mut totals = Vec::new();
            scan_keeping(&own, input, &mut totals).map(|sums| (sums, totals))
        };
        let scanned = |(sums, _): &(Buffer<u32>, Vec<Buffer<u32>>)| {
            same(&sums.to_vec()?, &running_sums(&host))
        };
        rotating(4 * n, || device.upload(&host), launch, scanned)
    })
}

/// `scan::large_scan`, which keeps what lies between its launches.
fn scan_keeping(
    device: &Device,
    input: &Buffer<u32>,
    kept: &mut Vec<Buffer<u32>>,
) -> Result<Buffer<u32>> {
    let before = if input.len() <= scan::RUN {
        device.upload(&[])?
    } else {
        let totals = scans::totals::launch(device, input)?;
        let scanned = scan_keeping(device, &totals, kept)?;
        kept.push(totals);
        scanned
    };
    let scanned = scans::scan_after::launch(device, &before, input);
    kept.push(before);
    scanned
}

fn histogram(by: &'static str, launch: Count, n: usize) -> Work {
    Work::new(("histogram", by), n, 4 * n, move |device| {
        let (own, keys) = (
            device.clone(),
            numbers(n)
                .into_iter()
                .map(|x| x % histogram::KEYS as u32)
                .collect::<Vec<_>>(),
        );
        let count = move |keys: &Buffer<u32>| {
            let mut bins = own.zeros(histogram::KEYS)?;
            launch(&own, &mut bins, keys).map(|()| bins)
        };
        let counted = |bins: &Buffer<u32>| {
            let mut expected = vec![0u32; histogram::KEYS];
            keys.iter().for_each(|&key| expected[key as usize] += 1);
            same(&bins.to_vec()?, &expected)
        };
        rotating(4 * n, || device.upload(&keys), count, counted)
    })
}

/// It reads nothing, and writes a byte a point.
fn mandelbrot(width: usize) -> Work {
    Work::new(
        ("mandelbrot", "mandelbrot: picture"),
        width,
        width * width,
        move |device| {
            let (own, w) = (device.clone(), width as u32);
            let painted = |picture: &Buffer<u8>| {
                same(&picture.to_vec()?, &mandelbrot::reference(width, width))
            };
            rotating(
                usize::MAX,
                || Ok(()),
                move |()| mandelbrot::pictures::picture::launch(&own, w, w),
                painted,
            )
        },
    )
}

fn turn(by: &'static str, launch: Turn, width: usize) -> Work {
    Work::new(("transpose", by), width, 8 * width * width, move |device| {
        let own = device.clone();
        let matrix: Vec<f32> = (0..width * width).map(|i| (i % 8_388_593) as f32).collect();
        let turned =
            |found: &Buffer<f32>| same(&found.to_vec()?, &transpose::reference(&matrix, width));
        rotating(
            4 * width * width,
            || device.upload(&matrix),
            move |matrix| launch(&own, width as u32, matrix),
            turned,
        )
    })
}

/// The first row and the last are checked.
fn matmul(width: usize) -> Work {
    let work = Work::new(
        ("matmul", "matmul: matmul"),
        width,
        12 * width * width,
        move |device| {
            let (own, w) = (device.clone(), width as u32);
            let (left, right) = (
                matmul::matrix(width * width, 1),
                matmul::matrix(width * width, 2),
            );
            let multiplied = |product: &Buffer<f32>| {
                let product = product.to_vec()?;
                for row in [0, width - 1] {
                    let exact = matmul::reference(
                        &left[row * width..(row + 1) * width],
                        &right,
                        width,
                        width,
                    );
                    let error =
                        matmul::error(&product[row * width..(row + 1) * width], &exact, width);
                    if error.is_nan() || error > 1.0 {
                        return Err(Wrong::Result(format!(
                            "row {row}: {error} times the error that rounding allows"
                        )));
                    }
                }
                Ok(())
            };
            let input = || Ok((device.upload(&left)?, device.upload(&right)?));
            let multiply = move |(left, right): &(Buffer<f32>, Buffer<f32>)| {
                matmul::products::matmul::launch(&own, w, w, left, right)
            };
            rotating(8 * width * width, input, multiply, multiplied)
        },
    );
    work.with_operations(2 * (width as u64).pow(3))
}

/// The first 200 prices are checked.
fn blackscholes(n: usize) -> Work {
    Work::new(
        ("blackscholes", "blackscholes: prices"),
        n,
        20 * n,
        move |device| {
            let own = device.clone();
            let (price, strike, years) = ::blackscholes::options(n);
            let input = || {
                Ok((
                    device.upload(&price)?,
                    device.upload(&strike)?,
                    device.upload(&years)?,
                ))
            };
            let launch = move |(price, strike, years): &(Buffer<f32>, Buffer<f32>, Buffer<f32>)| {
                options::prices::launch(&own, (price, strike, years))
            };
            let right = |(calls, puts): &(Buffer<f32>, Buffer<f32>)| {
                let (calls, puts) = (calls.to_vec()?, puts.to_vec()?);
                crate::checks::prices_are_right((&price, &strike, &years), (&calls, &puts), 200)
            };
            rotating(12 * n, input, launch, right)
        },
    )
}
