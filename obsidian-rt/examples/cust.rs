//! A kernel in a program with code in the crate `cust`: on its stream, over its buffers.
//!
//! `cargo run -p obsidian-rt --example cust --features cust`

use std::error::Error;

use cust::memory::{CopyDestination, DeviceBuffer};
use obsidian_rt::prelude::*;

#[kernels]
mod maps {
    /// Twice each element.
    #[kernel(threads = 128)]
    pub fn doubled(input: DPull<EF32>) -> DPush<Grid, EF32> {
        let pieces = input.chunks(512, 0.0);
        pieces
            .as_grid_map(|piece| piece.map(|x| x + x).push())
            .take(input.len())
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    // What such a program has: a context, a stream, and a buffer with something in it.
    let context = cust::quick_init()?;
    let numbers: Vec<f32> = (0..1000u16).map(f32::from).collect();
    let theirs = DeviceBuffer::from_slice(&numbers)?;

    // The same GPU as a device, whose launches are queued in a stream that `cust` has too.
    let (device, stream) = Device::from_cust(&context)?.cust_stream()?;
    let input = Buffer::from_cust(&device, theirs)?;
    let twice = maps::doubled::launch(&device, &input)?;
    stream.synchronize()?;

    // And the result as a buffer of `cust`.
    let twice: DeviceBuffer<f32> = twice.into_cust()?;
    let mut result = vec![0.0; twice.len()];
    twice.copy_to(&mut result)?;
    let right = numbers.iter().zip(&result).all(|(x, y)| x + x == *y);
    println!(
        "{} numbers on `{}`, {}",
        result.len(),
        device.model(),
        if right { "all right" } else { "wrong" }
    );
    if right {
        Ok(())
    } else {
        Err("the numbers are wrong".into())
    }
}
