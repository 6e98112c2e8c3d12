//! Transposes a matrix in four ways, and shows what each costs.

use std::time::Instant;

use obsidian_rt::prelude::*;
use transpose::{reference, transpose, transposes};

/// A transpose: its name, and its launch on a matrix in rows of a width.
type Transpose = (
    &'static str,
    fn(&Device, u32, &Buffer<f32>) -> obsidian_rt::Result<Buffer<f32>>,
);

const ALL: [Transpose; 4] = [
    ("straight", transposes::straight::launch),
    ("in tiles", transposes::in_tiles::launch),
    ("with a pitch", transposes::with_pitch::launch),
    ("in registers", transpose),
];

fn main() -> obsidian_rt::Result<()> {
    let simulator = Device::simulator();
    let (height, width) = (256, 320);
    let matrix: Vec<f32> = (0..height * width).map(|i| i as f32).collect();
    let buffer = simulator.upload(&matrix)?;
    println!("{height} x {width} on the simulator: what the warps ask for");
    println!("               requests   sectors  bank conflicts");
    for (name, launch) in ALL {
        let (turned, counts) = simulator.counted(|device| launch(device, width as u32, &buffer))?;
        assert_eq!(turned.to_vec()?, reference(&matrix, width), "{name}");
        println!(
            "{name:<13} {:9} {:9} {:15}",
            counts.buffers.requests, counts.buffers.sectors, counts.shared.bank_conflicts
        );
    }
    let device = Device::best()?;
    // The simulator goes through every thread: it gets smaller ones. One is not of whole tiles.
    let sizes = if device.name() == "simulator" {
        [(129, 257), (128, 256)]
    } else {
        [(4097, 3001), (4096, 3008)]
    };
    for (height, width) in sizes {
        timed(&device, height, width)?;
    }
    Ok(())
}

fn timed(device: &Device, height: usize, width: usize) -> obsidian_rt::Result<()> {
    let matrix: Vec<f32> = (0..height * width).map(|i| i as f32).collect();
    let (buffer, expected) = (device.upload(&matrix)?, reference(&matrix, width));
    println!("{height} x {width} on {}", device.name());
    for (name, launch) in ALL {
        let start = Instant::now();
        let turned = launch(device, width as u32, &buffer)?;
        let time = start.elapsed();
        assert_eq!(turned.to_vec()?, expected, "{name}");
        println!("{name:<13} {:9.3} ms, right", time.as_secs_f64() * 1e3);
    }
    Ok(())
}
