//! Computes the nine programs on the device that there is and by their functions on the host, and compares
//! them: `cargo run --release -p offload`. The picture goes to the path that is given, or to
//! `target/volume.png`.

use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::time::Instant;

use obsidian_rt::{Device, Result};
use offload::convolutions::convolve;
use offload::inputs::{cube, fractions, tree};
use offload::numbers::compute;
use offload::volumes::volume;

/// Prints how long both took, and whether they agree.
fn row<T: PartialEq>(
    name: &str,
    device: impl Fn() -> Result<T>,
    host: impl Fn() -> Result<T>,
) -> Result<()> {
    let timed = |f: &dyn Fn() -> Result<T>| {
        let start = Instant::now();
        let result = f()?;
        Ok::<_, obsidian_rt::Error>((result, start.elapsed().as_secs_f64() * 1e3))
    };
    // The first call makes the kernel.
    device()?;
    let ((found, here), (wanted, there)) = (timed(&device)?, timed(&host)?);
    let agree = if found == wanted {
        "yes"
    } else {
        "no, within rounding"
    };
    println!("{name:<28} {here:>10.2} {there:>10.2}   {agree}");
    Ok(())
}

fn main() -> Result<()> {
    let device = Device::best()?;
    println!(
        "on {device:?}\n{:<28} {:>10} {:>10}   equal",
        "", "device, ms", "host, ms"
    );
    let (input, weights) = (fractions(1, 100_000), fractions(2, 255));
    row(
        "1d-convolution",
        || convolve::line::compute(&device, [input.len()], (&weights, &input))?.to_vec(),
        || convolve::line::compute_host([input.len()], (&weights, &input)),
    )?;
    let (h, w) = (600, 800);
    let (picture, weights) = (fractions(3, h * w), fractions(4, 25));
    row(
        "2d-convolution, naive",
        || convolve::naive::compute(&device, [h, w], (h, w, &weights, &picture))?.to_vec(),
        || convolve::naive::compute_host([h, w], (h, w, &weights, &picture)),
    )?;
    row(
        "2d-convolution, constant",
        || convolve::constant::compute(&device, [h, w], (h, w, &picture))?.to_vec(),
        || convolve::constant::compute_host([h, w], (h, w, &picture)),
    )?;
    row(
        "2d-convolution, unrolled",
        || convolve::unrolled::compute(&device, [h, w], (h, w, &weights, &picture))?.to_vec(),
        || convolve::unrolled::compute_host([h, w], (h, w, &weights, &picture)),
    )?;
    row(
        "2d-convolution, specialised",
        || convolve::specialised::compute(&device, [h, w], (h, w, &picture))?.to_vec(),
        || convolve::specialised::compute_host([h, w], (h, w, &picture)),
    )?;
    let (d, h, w) = (64, 96, 128);
    let block = fractions(5, d * h * w);
    row(
        "7pt-stencil",
        || convolve::seven::compute(&device, [d, h, w], (d, h, w, &block))?.to_vec(),
        || convolve::seven::compute_host([d, h, w], (d, h, w, &block)),
    )?;
    let (n, angles) = (64, 24);
    let turns = (0..angles).map(|k| k as f32 * std::f32::consts::PI / angles as f32);
    let (cosines, sines): (Vec<f32>, Vec<f32>) = turns.map(|a| (a.cos(), a.sin())).unzip();
    let pictures = fractions(6, angles * n * n);
    row(
        "backprojection",
        || volume::project::compute(&device, [n; 3], (n, &cosines, &sines, &pictures))?.to_vec(),
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
    row(
        "Black-Scholes",
        || {
            let given = (0.02, 0.3, &spots, &strikes, &years);
            let (calls, puts) = compute::options::compute(&device, [spots.len()], given)?;
            Ok(calls.to_vec()?.into_iter().zip(puts.to_vec()?).collect())
        },
        || compute::options::compute_host([spots.len()], (0.02, 0.3, &spots, &strikes, &years)),
    )?;
    let n = 256;
    let (a, b) = (fractions(10, n * n), fractions(11, n * n));
    row(
        "matrix product",
        || compute::product::compute(&device, [n, n], (n, n, &a, &b))?.to_vec(),
        || compute::product::compute_host([n, n], (n, n, &a, &b)),
    )?;
    let places = fractions(12, 4 * 2000);
    let bodies: Vec<_> = places
        .chunks_exact(4)
        .map(|b| (b[0], b[1], b[2], b[3]))
        .collect();
    row(
        "n-body",
        || {
            let (x, y, z) = compute::pull::compute(&device, [bodies.len()], (1e-3, &bodies))?;
            let (x, y, z) = (x.to_vec()?, y.to_vec()?, z.to_vec()?);
            Ok(x.into_iter()
                .zip(y)
                .zip(z)
                .map(|((x, y), z)| (x, y, z))
                .collect())
        },
        || compute::pull::compute_host([bodies.len()], (1e-3, &bodies)),
    )?;
    let tree = tree(16);
    let keys: Vec<u32> = (0..1_000_000)
        .map(|n: u32| n.wrapping_mul(40_503) % 200_000)
        .collect();
    row(
        "tree search",
        || compute::search::compute(&device, [keys.len()], (&tree, &keys))?.to_vec(),
        || compute::search::compute_host([keys.len()], (&tree, &keys)),
    )?;
    let size = 128;
    let cube = cube(size);
    let picture = || volume::render::compute(&device, [size; 2], (size, &cube))?.to_vec();
    row("volume rendering", picture, || {
        volume::render::compute_host([size; 2], (size, &cube))
    })?;
    let path = std::env::args()
        .nth(1)
        .map_or_else(|| Path::new("target").join("volume.png"), PathBuf::from);
    match write(&path, size as u32, &picture()?) {
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
