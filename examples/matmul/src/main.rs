//! Multiplies matrices of several sizes, and compares them with double precision.

use std::time::Instant;

use matmul::{error, matrix, products, reference};
use obsidian_rt::prelude::*;

fn main() -> obsidian_rt::Result<()> {
    let device = Device::best()?;
    let kernel = products::matmul::kernel();
    println!(
        "{} bytes of shared memory, {} barriers, on {}",
        kernel.shared_bytes(),
        kernel.barriers(),
        device.name()
    );
    println!("height  inner  width         ms  GFLOP/s   error (1 is allowed)");
    for (height, inner, width) in [(16, 16, 16), (32, 48, 16), (128, 64, 96), (512, 512, 512)] {
        // The simulator goes through every thread: it gets smaller ones.
        if device.name() == "simulator" && height > 128 {
            continue;
        }
        let (left, right) = (matrix(height * inner, 1), matrix(inner * width, 2));
        let (a, b) = (device.upload(&left)?, device.upload(&right)?);
        let start = Instant::now();
        let product = products::matmul::launch(&device, inner as u32, width as u32, &a, &b)?;
        let time = start.elapsed().as_secs_f64();
        let error = error(
            &product.to_vec()?,
            &reference(&left, &right, inner, width),
            inner,
        );
        assert!(
            error <= 1.0,
            "{height} x {inner} x {width}: an error of {error}"
        );
        let rate = 2.0 * (height * inner * width) as f64 / time / 1e9;
        println!(
            "{height:6} {inner:6} {width:6} {:10.3} {rate:8.2} {error:7.3}",
            time * 1e3
        );
    }
    Ok(())
}
