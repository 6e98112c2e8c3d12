//! The rows of programs whose elements are long computations: prices, the Mandelbrot set, forces.

use accelerate::{accelerations, escapes, inputs, prices, reference};
use obsidian_rt::prelude::*;

use super::{Result, Row, largest, scale, timed};

/// Prices of options.
pub fn options(device: &Device) -> Result<()> {
    let scale = scale(device);
    let n = 1_000_003 / scale;
    let options = inputs::options(n);
    let given = device.array([n], &options)?;
    let (run, found) = timed(|| prices::run(device, &given)?.to_vec())?;
    // The reference is slow: every hundredth.
    let some = || (0..n).step_by(100);
    let (plain, want) = timed(|| {
        Ok(some()
            .map(|i| reference::price(options[i]))
            .collect::<Vec<_>>())
    })?;
    let errors = some().zip(&want).map(|(i, (call, put))| {
        let (own, other) = found[i];
        (f64::from(own) - call)
            .abs()
            .max((f64::from(other) - put).abs())
    });
    let row = Row {
        elements: n,
        numbers: &[n as u64],
        times: [run, plain * 100],
        error: largest(errors),
    };
    row.print(prices::schedule());
    Ok(())
}

/// Points of the Mandelbrot set.
pub fn points(device: &Device) -> Result<()> {
    let scale = scale(device);
    let (height, width, limit) = (601 / scale.min(8), 903 / scale.min(8), 256);
    let part = (-2.2f32, -1.2f32, 2.4 / height as f32);
    let (left, top, step) = part;
    let (h, w) = (height as u32, width as u32);
    let (run, found) = timed(|| escapes::run(device, h, w, left, top, step, limit)?.to_vec())?;
    let (plain, want) = timed(|| Ok(reference::escapes((height, width), part, limit)))?;
    let differ = found.iter().zip(&want).filter(|(x, y)| x != y).count();
    let numbers = [height as u64, width as u64];
    let row = Row {
        elements: height * width,
        numbers: &numbers,
        times: [run, plain],
        error: differ as f64,
    };
    row.print(escapes::schedule());
    Ok(())
}

/// Forces between bodies.
pub fn bodies(device: &Device) -> Result<()> {
    let scale = scale(device);
    let n = 2_003 / scale.min(8);
    let bodies = inputs::bodies(n);
    let given = device.array([n], &bodies)?;
    let (run, found) = timed(|| accelerations::run(device, &given)?.to_vec())?;
    let (plain, want) = timed(|| Ok(reference::accelerations(&bodies)))?;
    let errors = found.iter().zip(&want).map(|(own, want)| {
        let own = [own.0, own.1, own.2].map(f64::from);
        let length = want.iter().map(|x| x * x).sum::<f64>().sqrt();
        largest(own.iter().zip(want).map(|(x, y)| (x - y).abs())) / length
    });
    let row = Row {
        elements: n,
        numbers: &[n as u64],
        times: [run, plain],
        error: largest(errors),
    };
    row.print(accelerations::schedule());
    Ok(())
}
