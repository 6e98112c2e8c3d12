//! Pictures: as PNG files, and made.

use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::path::Path;

/// A picture in colours.
#[derive(Clone, PartialEq, Debug)]
pub struct Picture {
    /// Rows of pixels.
    pub height: usize,
    /// Pixels of a row.
    pub width: usize,
    /// Red, green and blue, row by row.
    pub pixels: Vec<(u8, u8, u8)>,
}

/// What keeps a file from being read or written, with its name.
pub type Failure = Box<dyn std::error::Error>;

impl Picture {
    /// A picture with a disk, a bar, a fading background and noise.
    pub fn made(height: usize, width: usize) -> Picture {
        let noise = crate::inputs::numbers(17, height * width);
        let size = height.min(width) as i64;
        let pixel = |i: usize| {
            let (y, x) = ((i / width.max(1)) as i64, (i % width.max(1)) as i64);
            let (dy, dx) = (2 * y - height as i64, 2 * x - width as i64);
            let is_disk = 4 * (dy * dy + dx * dx) < size * size;
            let is_bar = (3 * x + y) / (size / 4).max(1) % 5 == 4;
            let shade = 20 + 60 * x / width.max(1) as i64 + i64::from(noise[i] % 7);
            match (is_disk, is_bar) {
                (true, _) => (200 + (noise[i] % 5) as u8, 90, shade as u8),
                (_, true) => (shade as u8, 150, 230),
                _ => (shade as u8, shade as u8, shade as u8),
            }
        };
        Picture {
            height,
            width,
            pixels: (0..height * width).map(pixel).collect(),
        }
    }

    /// The picture of a PNG file, of any kind. What is transparent shows its colour.
    ///
    /// # Errors
    /// A file that cannot be read, or is no PNG.
    pub fn read(path: &Path) -> Result<Picture, Failure> {
        Picture::decoded(path)
            .map_err(|error| format!("{} cannot be read: {error}", path.display()).into())
    }

    fn decoded(path: &Path) -> Result<Picture, Failure> {
        let mut decoder = png::Decoder::new(BufReader::new(File::open(path)?));
        decoder.set_transformations(png::Transformations::normalize_to_color8());
        let mut reader = decoder.read_info()?;
        let bytes = reader.output_buffer_size().ok_or("it is too large")?;
        let mut samples = vec![0; bytes];
        let frame = reader.next_frame(&mut samples)?;
        let grey = |all: &[u8]| (all[0], all[0], all[0]);
        let colour = |all: &[u8]| (all[0], all[1], all[2]);
        let samples = samples.get(..frame.buffer_size()).unwrap_or_default();
        let pixels = match frame.color_type {
            png::ColorType::Grayscale => samples.chunks_exact(1).map(grey).collect(),
            png::ColorType::GrayscaleAlpha => samples.chunks_exact(2).map(grey).collect(),
            png::ColorType::Rgb => samples.chunks_exact(3).map(colour).collect(),
            png::ColorType::Rgba => samples.chunks_exact(4).map(colour).collect(),
            png::ColorType::Indexed => return Err("its palette was not applied".into()),
        };
        Ok(Picture {
            height: frame.height as usize,
            width: frame.width as usize,
            pixels,
        })
    }
}

/// Writes shades of grey as a PNG file, and makes the folder for it.
///
/// # Errors
/// A file that cannot be written, and a picture without pixels.
pub fn write_grey(path: &Path, [height, width]: [usize; 2], shades: &[u8]) -> Result<(), Failure> {
    let written = || -> Result<(), Failure> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let file = BufWriter::new(File::create(path)?);
        let mut encoder = png::Encoder::new(file, width.try_into()?, height.try_into()?);
        encoder.set_color(png::ColorType::Grayscale);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(shades)?;
        Ok(writer.finish()?)
    };
    written().map_err(|error| format!("{} cannot be written: {error}", path.display()).into())
}
