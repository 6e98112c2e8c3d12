//! What one would write without kernels: a plain loop, rayon as it is first written, and rayon
//! written for speed: in runs, with accumulators that fill vectors.

use rayon::prelude::*;

/// Elements that a task of rayon takes.
const RUN: usize = 1 << 16;

/// Numbers that sums and maxima are made of.
pub trait Number: Copy + Send + Sync + Default + PartialOrd {
    /// The sum of two; integers wrap.
    fn plus(self, other: Self) -> Self;
    /// The product of two; integers wrap.
    fn times(self, other: Self) -> Self;
}

impl Number for u32 {
    fn plus(self, other: u32) -> u32 {
        self.wrapping_add(other)
    }
    fn times(self, other: u32) -> u32 {
        self.wrapping_mul(other)
    }
}

impl Number for f32 {
    fn plus(self, other: f32) -> f32 {
        self + other
    }
    fn times(self, other: f32) -> f32 {
        self * other
    }
}

/// The larger one; no care is taken of NaN.
pub fn larger<T: Number>(a: T, b: T) -> T {
    if a > b { a } else { b }
}

/// Folds with 16 accumulators, which compilers make vectors of.
fn in_lanes<T: Number>(x: &[T], start: T, f: impl Fn(T, T) -> T) -> T {
    let mut lanes = [start; 16];
    let (runs, rest) = x.as_chunks::<16>();
    for run in runs {
        for (lane, x) in lanes.iter_mut().zip(run) {
            *lane = f(*lane, *x);
        }
    }
    lanes.iter().chain(rest).fold(start, |a, b| f(a, *b))
}

/// A plain fold.
pub fn fold<T: Number>(x: &[T], start: T, f: impl Fn(T, T) -> T) -> T {
    x.iter().fold(start, |a, b| f(a, *b))
}

/// `par_iter` and `reduce`.
pub fn fold_rayon<T: Number>(x: &[T], start: T, f: impl Fn(T, T) -> T + Sync) -> T {
    x.par_iter().copied().reduce(|| start, &f)
}

/// Runs, each in lanes.
pub fn fold_tuned<T: Number>(x: &[T], start: T, f: impl Fn(T, T) -> T + Sync) -> T {
    let runs = x.par_chunks(RUN).map(|run| in_lanes(run, start, &f));
    runs.reduce(|| start, &f)
}

/// A plain loop.
pub fn dot<T: Number>(x: &[T], y: &[T]) -> T {
    let products = x.iter().zip(y).map(|(x, y)| x.times(*y));
    products.fold(T::default(), T::plus)
}

/// `par_iter`, `zip`, `map` and `reduce`.
pub fn dot_rayon<T: Number>(x: &[T], y: &[T]) -> T {
    let products = x.par_iter().zip(y).map(|(x, y)| x.times(*y));
    products.reduce(T::default, T::plus)
}

/// Runs, each in lanes.
pub fn dot_tuned<T: Number>(x: &[T], y: &[T]) -> T {
    let run = |(x, y): (&[T], &[T])| {
        let mut lanes = [T::default(); 16];
        let ((xs, x_rest), (ys, y_rest)) = (x.as_chunks::<16>(), y.as_chunks::<16>());
        for (x, y) in xs.iter().zip(ys) {
            for (lane, (x, y)) in lanes.iter_mut().zip(x.iter().zip(y)) {
                *lane = lane.plus(x.times(*y));
            }
        }
        fold(&lanes, dot(x_rest, y_rest), T::plus)
    };
    let runs = x.par_chunks(RUN).zip(y.par_chunks(RUN)).map(run);
    runs.reduce(T::default, T::plus)
}

/// A plain loop, in place.
pub fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += a * x;
    }
}

/// Runs, in place.
pub fn saxpy_tuned(a: f32, x: &[f32], y: &mut [f32]) {
    let runs = y.par_chunks_mut(RUN).zip(x.par_chunks(RUN));
    runs.for_each(|(y, x)| saxpy(a, x, y));
}

/// A new vector.
pub fn saxpy_fresh(a: f32, x: &[f32], y: &[f32]) -> Vec<f32> {
    x.iter().zip(y).map(|(x, y)| a * x + y).collect()
}

/// A new vector, collected by rayon.
pub fn saxpy_fresh_rayon(a: f32, x: &[f32], y: &[f32]) -> Vec<f32> {
    x.par_iter().zip(y).map(|(x, y)| a * x + y).collect()
}

/// A new vector.
pub fn scan(x: &[u32]) -> Vec<u32> {
    let mut sum = 0u32;
    let sums = x.iter().map(|x| {
        sum = sum.wrapping_add(*x);
        sum
    });
    sums.collect()
}

/// Two passes over runs, into a vector that is there already.
pub fn scan_tuned(x: &[u32], output: &mut [u32]) {
    let sums = x.par_chunks(RUN);
    let sums: Vec<u32> = sums.map(|run| in_lanes(run, 0, u32::plus)).collect();
    let before = sums.iter().scan(0u32, |sum, run| {
        let before = *sum;
        *sum = sum.wrapping_add(*run);
        Some(before)
    });
    let before: Vec<u32> = before.collect();
    let runs = output.par_chunks_mut(RUN).zip(x.par_chunks(RUN));
    runs.zip(before).for_each(|((output, x), mut sum)| {
        for (output, x) in output.iter_mut().zip(x) {
            sum = sum.wrapping_add(*x);
            *output = sum;
        }
    });
}

/// A plain loop.
pub fn histogram(keys: &[u32]) -> Vec<u32> {
    let mut bins = vec![0; 256];
    for key in keys {
        bins[(key % 256) as usize] += 1;
    }
    bins
}

/// A histogram for each run.
pub fn histogram_rayon(keys: &[u32]) -> Vec<u32> {
    let added = |mut a: Vec<u32>, b: Vec<u32>| {
        a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
        a
    };
    let runs = keys.par_chunks(RUN).map(histogram);
    runs.reduce(|| vec![0; 256], added)
}

fn colour(cx: f32, cy: f32) -> u8 {
    let (mut x, mut y, mut steps) = (0f32, 0f32, 1u32);
    while x * x + y * y < 4.0 && steps < 512 {
        (x, y) = (x * x - y * y + cx, 2.0 * x * y + cy);
        steps += 1;
    }
    (steps % 16) as u8 * 16
}

/// Rows, a point at a time.
pub fn mandelbrot_rayon(size: usize) -> Vec<u8> {
    let (dx, dy) = (3.2 / size as f32, 2.4 / size as f32);
    let mut output = vec![0; size * size];
    let rows = output.par_chunks_mut(size).enumerate();
    rows.for_each(|(row, output)| {
        for (column, output) in output.iter_mut().enumerate() {
            *output = colour(-2.0 + column as f32 * dx, 1.2 - row as f32 * dy);
        }
    });
    output
}

/// Rows, 16 points at a time.
pub fn mandelbrot_tuned(size: usize) -> Vec<u8> {
    let (dx, dy) = (3.2 / size as f32, 2.4 / size as f32);
    let mut output = vec![0; size * size];
    let rows = output.par_chunks_mut(size).enumerate();
    rows.for_each(|(row, output)| {
        for (n, output) in output.chunks_mut(16).enumerate() {
            let cx = std::array::from_fn(|lane| -2.0 + (n * 16 + lane) as f32 * dx);
            output.copy_from_slice(&colours(cx, 1.2 - row as f32 * dy)[..output.len()]);
        }
    });
    output
}

fn colours(cx: [f32; 16], cy: f32) -> [u8; 16] {
    let (mut x, mut y, mut steps) = ([0f32; 16], [0f32; 16], [1u32; 16]);
    for _ in 1..512 {
        let mut any = 0;
        for lane in 0..16 {
            let (xx, yy) = (x[lane] * x[lane], y[lane] * y[lane]);
            let on = u32::from(xx + yy < 4.0);
            let next = (xx - yy + cx[lane], 2.0 * x[lane] * y[lane] + cy);
            x[lane] = if on == 1 { next.0 } else { x[lane] };
            y[lane] = if on == 1 { next.1 } else { y[lane] };
            steps[lane] += on;
            any |= on;
        }
        if any == 0 {
            break;
        }
    }
    steps.map(|steps| (steps % 16) as u8 * 16)
}

/// A plain loop over a square matrix.
pub fn transpose(x: &[f32], n: usize) -> Vec<f32> {
    let mut output = vec![0.0; n * n];
    for row in 0..n {
        for column in 0..n {
            output[column * n + row] = x[row * n + column];
        }
    }
    output
}

/// Tiles of 32 by 32 of a square matrix, into one that is there already.
pub fn transpose_tuned(x: &[f32], n: usize, output: &mut [f32]) {
    const TILE: usize = 32;
    let bands = output.par_chunks_mut(n * TILE).enumerate();
    bands.for_each(|(band, output)| {
        for row in (0..n).step_by(TILE) {
            let mut tile = [[0f32; TILE]; TILE];
            for (r, line) in tile.iter_mut().enumerate() {
                line.copy_from_slice(&x[(row + r) * n + band * TILE..][..TILE]);
            }
            for c in 0..TILE {
                let line = &mut output[c * n + row..][..TILE];
                for (r, element) in line.iter_mut().enumerate() {
                    *element = tile[r][c];
                }
            }
        }
    });
}

/// Rows; in each, the rows of `b` are added up.
pub fn matmul_rayon(a: &[f32], b: &[f32], n: usize, output: &mut [f32]) {
    output
        .par_chunks_mut(n)
        .enumerate()
        .for_each(|(i, output)| {
            output.fill(0.0);
            for k in 0..n {
                let factor = a[i * n + k];
                for (output, b) in output.iter_mut().zip(&b[k * n..][..n]) {
                    *output += factor * b;
                }
            }
        });
}

/// The crate `matrixmultiply`, on one thread, as it is by default.
pub fn matmul_crate(a: &[f32], b: &[f32], n: usize, output: &mut [f32]) {
    assert!(a.len() == n * n && b.len() == n * n && output.len() == n * n);
    let (row, n_elements) = (n as isize, n);
    // SAFETY: all three are square matrices of `n` rows of `n` elements, as was asserted, and the
    // output is borrowed alone.
    unsafe {
        matrixmultiply::sgemm(
            n_elements,
            n_elements,
            n_elements,
            1.0,
            a.as_ptr(),
            row,
            1,
            b.as_ptr(),
            row,
            1,
            0.0,
            output.as_mut_ptr(),
            row,
            1,
        );
    }
}

/// A function of each element.
pub fn map(x: &[f32], f: impl Fn(f32) -> f32) -> Vec<f32> {
    x.iter().map(|x| f(*x)).collect()
}

/// The same with rayon.
pub fn map_rayon(x: &[f32], f: impl Fn(f32) -> f32 + Send + Sync) -> Vec<f32> {
    x.par_iter().map(|x| f(*x)).collect()
}

/// As the kernel has it.
#[allow(clippy::excessive_precision)]
fn normal(d: f32) -> f32 {
    let k = 1.0 / (1.0 + 0.2316419 * d.abs());
    let poly = k
        * (0.31938153
            + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
    let tail = 0.39894228 * (-0.5 * d * d).exp() * poly;
    if d > 0.0 { 1.0 - tail } else { tail }
}

fn option(price: f32, strike: f32, years: f32) -> (f32, f32) {
    let root = years.sqrt();
    let d1 = ((price / strike).ln() + (0.02 + 0.5 * 0.30 * 0.30) * years) / (0.30 * root);
    let d2 = d1 - 0.30 * root;
    let discounted = strike * (-0.02 * years).exp();
    let (n1, n2) = (normal(d1), normal(d2));
    (
        price * n1 - discounted * n2,
        discounted * (1.0 - n2) - price * (1.0 - n1),
    )
}

/// Options: prices, strikes and years.
pub type Options = (Vec<f32>, Vec<f32>, Vec<f32>);

/// A plain loop.
pub fn prices((price, strike, years): &Options) -> (Vec<f32>, Vec<f32>) {
    let options = price.iter().zip(strike).zip(years);
    options.map(|((p, s), y)| option(*p, *s, *y)).unzip()
}

/// Runs, into vectors that are there already.
pub fn prices_tuned((price, strike, years): &Options, calls: &mut [f32], puts: &mut [f32]) {
    const RUN: usize = 1 << 12;
    let outputs = calls.par_chunks_mut(RUN).zip(puts.par_chunks_mut(RUN));
    let inputs = price.par_chunks(RUN).zip(strike.par_chunks(RUN));
    let runs = outputs.zip(inputs.zip(years.par_chunks(RUN)));
    runs.for_each(|((calls, puts), ((price, strike), years))| {
        for i in 0..calls.len() {
            (calls[i], puts[i]) = option(price[i], strike[i], years[i]);
        }
    });
}
