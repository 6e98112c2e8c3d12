//! Draws the Mandelbrot set at several sizes, checks each, and writes the last as a PNG: to the
//! path that is given, or to `target/mandelbrot.png`.

use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::time::Instant;

use mandelbrot::{pictures, reference};
use obsidian_rt::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let device = Device::best()?;
    println!("height  width         ms, on {}", device.name());
    let mut last = (0, 0, Vec::new());
    for (height, width) in [(1, 1), (19, 45), (512, 512), (768, 1024)] {
        // The simulator goes through every thread: it gets smaller ones.
        if device.name() == "simulator" && height > 100 {
            continue;
        }
        let start = Instant::now();
        let picture = pictures::picture::launch(&device, height, width)?;
        let time = start.elapsed();
        let picture = picture.to_vec()?;
        assert!(
            picture == reference(height as usize, width as usize),
            "a picture of {height} x {width}"
        );
        println!(
            "{height:6} {width:6} {:10.3}, right",
            time.as_secs_f64() * 1e3
        );
        last = (height, width, picture);
    }
    let path = std::env::args_os()
        .nth(1)
        .map_or_else(|| Path::new("target").join("mandelbrot.png"), PathBuf::from);
    write(&path, last.0, last.1, &last.2)
        .map_err(|error| format!("{} cannot be written: {error}", path.display()))?;
    println!("{}", path.display());
    Ok(())
}

/// Writes a picture in shades of grey, and makes the folder for it.
fn write(
    path: &Path,
    height: u32,
    width: u32,
    picture: &[u8],
) -> Result<(), Box<dyn std::error::Error>> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let mut encoder = png::Encoder::new(BufWriter::new(File::create(path)?), width, height);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(picture)?;
    Ok(writer.finish()?)
}
