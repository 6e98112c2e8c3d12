//! Computes the nine programs on the device that there is and by their functions on the host, and compares
//! them: `cargo run --release -p offload`. The picture goes to the path that is given, or to
//! `target/volume.png`.
//!
//! `cargo run --release -p offload -- --rounds 31` measures on the CPU: device and host take turns, and the
//! last column is the median over the rounds of the host's time divided by the device's in the same round.

use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::time::Instant;

use obsidian_rt::{Device, Result};
use offload::convolutions::convolve;
use offload::inputs::{bodies, cube, fractions, tree};
use offload::numbers::compute;
use offload::volumes::volume;

/// The middle one of some numbers.
fn median(mut list: Vec<f64>) -> f64 {
    list.sort_by(f64::total_cmp);
    list.get(list.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Prints how long both took, the medians of some rounds, and whether they agree. What the device gives stays
/// there: to read it is not part of the time.
fn timed<D, T: PartialEq>(
    rounds: usize,
    name: &str,
    device: impl Fn() -> Result<D>,
    read: impl Fn(D) -> Result<T>,
    host: impl Fn() -> Result<T>,
) -> Result<()> {
    // The first call makes the kernel.
    let agree = if read(device()?)? == host()? {
        "yes"
    } else {
        "no, within rounding"
    };
    let (mut here, mut there, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..rounds {
        // Neither is always the one that runs behind the other.
        let (own, other) = if round % 2 == 0 {
            let own = time(&device)?;
            (own, time(&host)?)
        } else {
            let other = time(&host)?;
            (time(&device)?, other)
        };
        here.push(own);
        there.push(other);
        ratios.push(other / own);
    }
    let (here, there, ratio) = (median(here), median(there), median(ratios));
    println!("{name:<28} {here:>10.2} {there:>10.2} {ratio:>14.2}   {agree}");
    Ok(())
}

/// How long a call takes, in milliseconds.
fn time<T>(f: impl Fn() -> Result<T>) -> Result<f64> {
    let start = Instant::now();
    let result = f()?;
    let time = start.elapsed().as_secs_f64() * 1e3;
    drop(result);
    Ok(time)
}

/// `--rounds n`, which measures on the CPU; or where the picture goes.
fn options() -> (Option<usize>, PathBuf) {
    let mut given = std::env::args().skip(1);
    let (mut rounds, mut path) = (None, Path::new("target").join("volume.png"));
    while let Some(word) = given.next() {
        if word == "--rounds" {
            rounds = given.next().and_then(|n| n.parse().ok()).or(Some(31));
        } else {
            path = word.into();
        }
    }
    (rounds, path)
}

fn main() -> Result<()> {
    let (rounds, path) = options();
    let device = if rounds.is_some() {
        Device::cpu()
    } else {
        Device::best()?
    };
    let rounds = rounds.unwrap_or(1);
    println!(
        "on {device:?}\n{:<28} {:>10} {:>10} {:>14}   equal",
        "", "device, ms", "host, ms", "host / device"
    );
    let (input, weights) = (fractions(1, 100_000), fractions(2, 255));
    timed(
        rounds,
        "1d-convolution",
        || convolve::line::compute(&device, [input.len()], (&weights, &input)),
        |out| out.to_vec(),
        || convolve::line::compute_host([input.len()], (&weights, &input)),
    )?;
    let (h, w) = (600, 800);
    let (picture, weights) = (fractions(3, h * w), fractions(4, 25));
    timed(
        rounds,
        "2d-convolution, naive",
        || convolve::naive::compute(&device, [h, w], (h, w, &weights, &picture)),
        |out| out.to_vec(),
        || convolve::naive::compute_host([h, w], (h, w, &weights, &picture)),
    )?;
    timed(
        rounds,
        "2d-convolution, constant",
        || convolve::constant::compute(&device, [h, w], (h, w, &picture)),
        |out| out.to_vec(),
        || convolve::constant::compute_host([h, w], (h, w, &picture)),
    )?;
    timed(
        rounds,
        "2d-convolution, unrolled",
        || convolve::unrolled::compute(&device, [h, w], (h, w, &weights, &picture)),
        |out| out.to_vec(),
        || convolve::unrolled::compute_host([h, w], (h, w, &weights, &picture)),
    )?;
    timed(
        rounds,
        "2d-convolution, specialised",
        || convolve::specialised::compute(&device, [h, w], (h, w, &picture)),
        |out| out.to_vec(),
        || convolve::specialised::compute_host([h, w], (h, w, &picture)),
    )?;
    let (d, h, w) = (64, 96, 128);
    let block = fractions(5, d * h * w);
    timed(
        rounds,
        "7pt-stencil",
        || convolve::seven::compute(&device, [d, h, w], (d, h, w, &block)),
        |out| out.to_vec(),
        || convolve::seven::compute_host([d, h, w], (d, h, w, &block)),
    )?;
    let (n, angles) = (64, 24);
    let turns = (0..angles).map(|k| k as f32 * std::f32::consts::PI / angles as f32);
    let (cosines, sines): (Vec<f32>, Vec<f32>) = turns.map(|a| (a.cos(), a.sin())).unzip();
    let pictures = fractions(6, angles * n * n);
    timed(
        rounds,
        "backprojection",
        || volume::project::compute(&device, [n; 3], (n, &cosines, &sines, &pictures)),
        |out| out.to_vec(),
        || volume::project::compute_host([n; 3], (n, &cosines, &sines, &pictures)),
    )?;
    let numbers = |seed, low: f32, high: f32| -> Vec<f32> {
        let all = fractions(seed, 500_000).into_iter();
        all.map(|x| low + x * (high - low)).collect()
    };
    let (spots, strikes, years) = (
        numbers(7, 5.0, 30.0),
        numbers(8, 1.0, 100.0),
        numbers(9, 0.25, 10.0),
    );
    timed(
        rounds,
        "Black-Scholes",
        || {
            let given = (0.02, 0.3, &spots, &strikes, &years);
            compute::options::compute(&device, [spots.len()], given)
        },
        |(calls, puts)| Ok(calls.to_vec()?.into_iter().zip(puts.to_vec()?).collect()),
        || compute::options::compute_host([spots.len()], (0.02, 0.3, &spots, &strikes, &years)),
    )?;
    let n = 256;
    let (a, b) = (fractions(10, n * n), fractions(11, n * n));
    timed(
        rounds,
        "matrix product",
        || compute::product::compute(&device, [n, n], (n, n, &a, &b)),
        |out| out.to_vec(),
        || compute::product::compute_host([n, n], (n, n, &a, &b)),
    )?;
    let bodies = bodies(12, 2000);
    timed(
        rounds,
        "n-body",
        || compute::pull::compute(&device, [bodies.len()], (1e-3, &bodies)),
        |out| out.to_vec(),
        || compute::pull::compute_host([bodies.len()], (1e-3, &bodies)),
    )?;
    let tree = tree(16);
    let keys: Vec<u32> = (0..1_000_000)
        .map(|n: u32| n.wrapping_mul(40_503) % 200_000)
        .collect();
    timed(
        rounds,
        "tree search",
        || compute::search::compute(&device, [keys.len()], (&tree, &keys)),
        |out| out.to_vec(),
        || compute::search::compute_host([keys.len()], (&tree, &keys)),
    )?;
    let size = 128;
    let cube = cube(size);
    let picture = || volume::render::compute(&device, [size; 2], (size, &cube));
    timed(
        rounds,
        "volume rendering",
        picture,
        |out| out.to_vec(),
        || volume::render::compute_host([size; 2], (size, &cube)),
    )?;
    match write(&path, size as u32, &picture()?.to_vec()?) {
        Ok(()) => println!("the picture is {}", path.display()),
        Err(error) => eprintln!("{}: {error}", path.display()),
    }
    Ok(())
}

fn write(path: &Path, size: u32, points: &[u8]) -> std::io::Result<()> {
    let mut encoder = png::Encoder::new(BufWriter::new(File::create(path)?), size, size);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.write_header()?.write_image_data(points)?;
    Ok(())
}
