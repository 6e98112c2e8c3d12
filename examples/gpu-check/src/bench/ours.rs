//! The kernels of the examples as work. Programs of several launches are those of the examples, but
//! for one thing: what lies between two launches is kept until the time is taken.

use std::time::Duration;

use blackscholes::blackscholes as options;
use histogram::counting;
use obsidian_rt::Result;
use obsidian_rt::prelude::*;
use reduction::reductions;
use scan::scans;
use transpose::transposes;

use super::bodies::bodies as pulls;
use super::ceilings::{OPERATIONS, ceilings, reference};
use super::clock::Clock;
use super::work::{Work, rotating};
use super::{Outcome, Request, Row};
use super::{algorithms, arrays};
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
    /// Elements to sort.
    pub sorts: &'static [usize],
    /// Bodies that pull each other; multiples of 256.
    pub bodies: &'static [usize],
    /// Options to price.
    pub options: &'static [usize],
    /// Elements of which some are kept, or which are summed up by their keys.
    pub selections: &'static [usize],
    /// How many rows are summed.
    pub rows: &'static [usize],
    /// The elements of these rows altogether.
    pub of_rows: usize,
    /// Elements for the ceiling of arithmetic; a multiple of 256.
    pub arithmetic: &'static [usize],
}

impl Sizes {
    /// For a GPU.
    pub const FULL: Sizes = Sizes {
        arrays: &[1 << 16, 1 << 20, 1 << 24, 1 << 28],
        pictures: &[512, 1024, 2048, 4096],
        transposes: &[1 << 12, 1 << 14],
        products: &[1024, 2048, 4096],
        sorts: &[1 << 16, 1 << 20, 1 << 24, 1 << 26, 1 << 28],
        bodies: &[1 << 14, 1 << 16],
        options: &[1 << 24],
        selections: &[1 << 20, 1 << 24, 1 << 26],
        rows: &[4, 1 << 8, 1 << 12, 1 << 14, 1 << 19],
        of_rows: 1 << 24,
        arithmetic: &[1 << 22],
    };

    /// For everything else, and to see that it works.
    pub const QUICK: Sizes = Sizes {
        arrays: &[1 << 13],
        pictures: &[32],
        transposes: &[64],
        products: &[32],
        sorts: &[1 << 12],
        bodies: &[512],
        options: &[2048],
        selections: &[1 << 13],
        rows: &[2],
        of_rows: 1 << 15,
        arithmetic: &[512],
    };

    /// The sizes of some work; none for work that is not known.
    pub(super) fn of(&self, work: &str) -> &'static [usize] {
        match work {
            "copy"
            | "reduce"
            | "scan"
            | "histogram"
            | "histogram of 1000"
            | "histogram of 100000" => self.arrays,
            "sort" => self.sorts,
            "select" | "reduce by key" => self.selections,
            "sum rows" => self.rows,
            "matmul" => self.products,
            "n-body" => self.bodies,
            "mandelbrot" => self.pictures,
            "transpose" => self.transposes,
            "blackscholes" => self.options,
            "arithmetic" => self.arithmetic,
            _ => &[],
        }
    }
}

/// Takes an array, and gives one.
type Map<T> = fn(&Device, &Buffer<T>) -> Result<Buffer<T>>;
/// Counts keys.
type Count = fn(&Device, &mut Buffer<u32>, &Buffer<u32>) -> Result<()>;
/// Takes a width and a matrix.
type Turn = fn(&Device, u32, &Buffer<f32>) -> Result<Buffer<f32>>;

const REDUCTIONS: [(&str, Map<u32>); 10] = [
    ("reduction: large_sum", reductions::sums_of_runs::launch),
    (
        "reduction: large_sum_together",
        reduction::together::sums_together::launch,
    ),
    (
        "reduction: sums_of_pieces",
        reduction::in_tiles::sums_of_pieces::launch,
    ),
    ("reduction: map_red1", reductions::map_red1::launch),
    ("reduction: map_red2", reductions::map_red2::launch),
    ("reduction: map_red3", reductions::map_red3::launch),
    ("reduction: map_red4", reductions::map_red4::launch),
    ("reduction: map_red5", reductions::map_red5::launch),
    ("reduction: map_red6", reductions::map_red6::launch),
    ("reduction: map_red7", reductions::map_red7::launch),
];

/// Histograms of one call: work, and the number of bins.
const HISTOGRAMS_OF_ONE_CALL: [(&str, usize); 3] = [
    ("histogram", 256),
    ("histogram of 1000", 1000),
    ("histogram of 100000", 100_000),
];

/// The kernels of a large scan, and the elements of their runs.
#[derive(Clone, Copy)]
struct Scan {
    name: &'static str,
    run: usize,
    totals: Map<u32>,
    scan_after: fn(&Device, &Buffer<u32>, &Buffer<u32>) -> Result<Buffer<u32>>,
}

const SCANS: [Scan; 4] = [
    Scan {
        name: "scan: large_scan",
        run: scan::RUN,
        totals: scans::totals::launch,
        scan_after: scans::scan_after::launch,
    },
    Scan {
        name: "scan: large_scan_together",
        run: scan::RUN_TOGETHER,
        totals: scan::together::totals_of_runs::launch,
        scan_after: scan::together::scans_after::launch,
    },
    Scan {
        name: "scan: large_scan_held",
        run: scan::RUN_TOGETHER,
        totals: scan::together::totals_of_runs::launch,
        scan_after: scan::held::scans_held::launch,
    },
    Scan {
        name: "scan: large_scan_exchanged",
        run: scan::RUN_TOGETHER,
        totals: scan::together::totals_of_runs::launch,
        scan_after: scan::held::scans_exchanged::launch,
    },
];

const HISTOGRAMS: [(&str, Count); 3] = [
    ("histogram: histogram", counting::histogram::launch),
    (
        "histogram: histogram_direct",
        counting::histogram_direct::launch,
    ),
    (
        "histogram: histogram_by_lanes",
        counting::histogram_by_lanes::launch,
    ),
];

const TRANSPOSES: [(&str, Turn); 4] = [
    ("transpose: straight", transposes::straight::launch),
    ("transpose: in_tiles", transposes::in_tiles::launch),
    ("transpose: with_pitch", transposes::with_pitch::launch),
    ("transpose: transpose", transpose::transpose),
];

/// All that is measured, the ceilings first.
pub(super) fn works(sizes: &Sizes) -> Vec<Work> {
    let mut works: Vec<Work> = sizes.arithmetic.iter().map(|&n| arithmetic(n)).collect();
    works.extend(sizes.arrays.iter().map(|&n| copy(n)));
    for &n in sizes.arrays {
        works.extend(REDUCTIONS.map(|(by, first)| reduce(by, first, n)));
        works.extend(SCANS.map(|by| scan(by, n)));
        works.extend(HISTOGRAMS.map(|(by, launch)| histogram(by, launch, n)));
        works.extend([arrays::sum(n), arrays::scan(n), arrays::histogram(n)]);
        works.extend([algorithms::sum(n), algorithms::scan(n)]);
        works.extend(
            HISTOGRAMS_OF_ONE_CALL.map(|(work, bins)| algorithms::histogram(n, work, bins)),
        );
    }
    works.extend(sizes.sorts.iter().map(|&n| sort(n)));
    works.extend(sizes.sorts.iter().map(|&n| arrays::sort(n)));
    works.extend(sizes.sorts.iter().map(|&n| algorithms::sort(n)));
    works.extend(sizes.selections.iter().map(|&n| arrays::select(n)));
    works.extend(sizes.selections.iter().map(|&n| algorithms::select(n)));
    works.extend(sizes.selections.iter().map(|&n| arrays::reduce_by_key(n)));
    works.extend(
        sizes
            .selections
            .iter()
            .map(|&n| algorithms::reduce_by_key(n)),
    );
    works.extend(
        sizes
            .rows
            .iter()
            .map(|&rows| arrays::sum_rows(rows, sizes.of_rows)),
    );
    works.extend(sizes.products.iter().map(|&width| matmul(width)));
    works.extend(sizes.bodies.iter().map(|&n| accelerations(n)));
    works.extend(
        sizes
            .transposes
            .iter()
            .flat_map(|&width| TRANSPOSES.map(|(by, launch)| turn(by, launch, width))),
    );
    works.extend(sizes.options.iter().map(|&n| blackscholes(n)));
    works.extend(sizes.pictures.iter().map(|&width| mandelbrot(width)));
    works
}

/// Measures what is asked for, for so long.
pub(super) fn measured(
    clock: &mut Clock,
    device: &Device,
    request: &Request,
    each: Duration,
) -> Row {
    let found = [Sizes::FULL, Sizes::QUICK]
        .iter()
        .flat_map(works)
        .find(|work| work.request() == *request);
    let Some(work) = found else {
        return request.row(Outcome::Failed("there is no such work".to_owned()));
    };
    let times = (work.prepare)(device).and_then(|mut launch| Ok(clock.measure(&mut launch, each)?));
    let outcome = match times {
        Ok(times) => Outcome::Measured(times),
        Err(Wrong::Launch(error)) if error.kind() == ErrorKind::NoCompiler => {
            Outcome::NotRun(error.to_string())
        }
        Err(wrong) => Outcome::Failed(wrong.to_string()),
    };
    Row {
        bytes: work.bytes,
        operations: work.operations,
        ..request.row(outcome)
    }
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

fn scan(by: Scan, n: usize) -> Work {
    Work::new(("scan", by.name), n, 8 * n, move |device| {
        let (own, host) = (device.clone(), numbers(n));
        let launch = move |input: &Buffer<u32>| {
            let mut totals = Vec::new();
            scan_keeping(by, &own, input, &mut totals).map(|sums| (sums, totals))
        };
        let scanned = |(sums, _): &(Buffer<u32>, Vec<Buffer<u32>>)| {
            same(&sums.to_vec()?, &running_sums(&host))
        };
        rotating(4 * n, || device.upload(&host), launch, scanned)
    })
}

/// `scan::large_scan`, or that by words, which keeps what lies between its launches.
fn scan_keeping(
    by: Scan,
    device: &Device,
    input: &Buffer<u32>,
    kept: &mut Vec<Buffer<u32>>,
) -> Result<Buffer<u32>> {
    let before = if input.len() <= by.run {
        device.upload(&[])?
    } else {
        let totals = (by.totals)(device, input)?;
        let scanned = scan_keeping(by, device, &totals, kept)?;
        kept.push(totals);
        scanned
    };
    let scanned = (by.scan_after)(device, &before, input);
    kept.push(before);
    scanned
}

fn sort(n: usize) -> Work {
    Work::new(("sort", "sorting: sort"), n, 8 * n, move |device| {
        let (own, host) = (device.clone(), numbers(n));
        let sorted = |found: &Buffer<u32>| sorts(&host, &found.to_vec()?);
        let launch = move |input: &Buffer<u32>| sorting::sort(&own, input);
        rotating(4 * n, || device.upload(&host), launch, sorted)
    })
}

/// A result is sorted if no number is smaller than the one before it, and if its numbers are those of the input
/// by two sums over them.
pub(super) fn sorts(host: &[u32], found: &[u32]) -> std::result::Result<(), Wrong> {
    let summary = |all: &[u32]| {
        all.iter().fold((0u64, 0u64), |(sum, squares), &x| {
            let x = u64::from(x);
            (sum.wrapping_add(x), squares.wrapping_add(x * x))
        })
    };
    if !found.is_sorted() {
        return Err(Wrong::Result("the numbers are not sorted".to_owned()));
    }
    same(&[found.len()], &[host.len()])?;
    same(&[summary(found)], &[summary(host)])
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

/// Operations that the pull of one body on another is counted as, by custom.
const INTERACTION: u64 = 20;

/// Places and masses of bodies, an array each; all masses together are 1.
fn bodies(n: usize) -> [Vec<f32>; 4] {
    let all = matmul::matrix(4 * n, 3);
    let part = |k: usize| all[k * n..(k + 1) * n].to_vec();
    let masses = part(3).iter().map(|m| (m + 1.5) / (2 * n) as f32).collect();
    [part(0), part(1), part(2), masses]
}

/// The pulls on the first bodies and the last ones are checked.
fn accelerations(n: usize) -> Work {
    let work = Work::new(
        ("n-body", "gpu-check: accelerations"),
        n,
        28 * n,
        move |device| {
            let (own, host) = (device.clone(), bodies(n));
            let input = || {
                let [x, y, z, mass] = &host;
                Ok((
                    device.upload(x)?,
                    device.upload(y)?,
                    device.upload(z)?,
                    device.upload(mass)?,
                ))
            };
            type Bodies = (Buffer<f32>, Buffer<f32>, Buffer<f32>, Buffer<f32>);
            let launch =
                move |(x, y, z, mass): &Bodies| pulls::accelerations::launch(&own, (x, y, z, mass));
            let right = |(x, y, z): &(Buffer<f32>, Buffer<f32>, Buffer<f32>)| {
                let found = [x.to_vec()?, y.to_vec()?, z.to_vec()?];
                (0..8)
                    .chain(n - 8..n)
                    .try_for_each(|own| judged(&host, own, &found))
            };
            rotating(16 * n, input, launch, right)
        },
    );
    work.with_operations(INTERACTION * (n as u64).pow(2))
}

/// Holds the pull on one body to that in double precision.
fn judged(
    bodies: &[Vec<f32>; 4],
    own: usize,
    found: &[Vec<f32>; 3],
) -> std::result::Result<(), Wrong> {
    let n = bodies[0].len();
    let (mut sums, mut sizes) = ([0f64; 3], [0f64; 3]);
    for other in 0..n {
        let way = [0, 1, 2]
            .map(|axis: usize| f64::from(bodies[axis][other]) - f64::from(bodies[axis][own]));
        let square = way.iter().fold(1e-6, |sum, x| sum + x * x);
        for axis in 0..3 {
            let term = way[axis] * f64::from(bodies[3][other]) / (square * square.sqrt());
            sums[axis] += term;
            sizes[axis] += term.abs();
        }
    }
    for axis in 0..3 {
        let (value, bound) = (found[axis][own], (n as f64 * 1.2e-7 + 1e-5) * sizes[axis]);
        let error = (f64::from(value) - sums[axis]).abs();
        if error.is_nan() || error > bound {
            return Err(Wrong::Result(format!(
                "pull {axis} on body {own} is {value}, and it should be {}",
                sums[axis]
            )));
        }
    }
    Ok(())
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
