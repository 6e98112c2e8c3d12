//! Runs each program on the device that there is, compares it with plain Rust, and prints a table.

use std::time::{Duration, Instant};

use accelerate::{
    accelerations, dot_product, escapes, inputs, matrix_vector, max_and_sum, prices, reference,
};
use obsidian_rt::arrays::Schedule;
use obsidian_rt::prelude::*;

fn main() -> obsidian_rt::Result<()> {
    let device = Device::best()?;
    // The simulator goes through every thread: it gets fewer elements.
    let scale = if device.name() == "simulator" { 64 } else { 1 };
    println!("on {}", device.name());
    println!(
        "program          elements  operators  launches  temporaries    run ms  plain ms  error"
    );

    let n = 4_000_003 / scale;
    let (x, y) = (
        inputs::floats(8, n, -1.0, 1.0),
        inputs::floats(9, n, -1.0, 1.0),
    );
    let (xs, ys) = (device.array([n], &x)?, device.array([n], &y)?);
    let (run, sum) = timed(|| dot_product::run(&device, &xs, &ys)?.value())?;
    let (plain, want) = timed(|| Ok(reference::dot_product(&x, &y)))?;
    let numbers = [n as u64, n as u64];
    let row = Row {
        elements: n,
        numbers: &numbers,
        times: [run, plain],
        error: (f64::from(sum) - want).abs(),
    };
    row.print(dot_product::schedule());

    let n = 1_000_003 / scale;
    let options = inputs::options(n);
    let given = device.array([n], &options)?;
    let (run, found) = timed(|| prices::run(&device, &given)?.to_vec())?;
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

    let (height, width, limit) = (601 / scale.min(8), 903 / scale.min(8), 256);
    let part = (-2.2f32, -1.2f32, 2.4 / height as f32);
    let (left, top, step) = part;
    let (h, w) = (height as u32, width as u32);
    let (run, found) = timed(|| escapes::run(&device, h, w, left, top, step, limit)?.to_vec())?;
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

    let n = 2_003 / scale.min(8);
    let bodies = inputs::bodies(n);
    let given = device.array([n], &bodies)?;
    let (run, found) = timed(|| accelerations::run(&device, &given)?.to_vec())?;
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

    let (height, width) = (2_001 / scale.min(8), 1_003 / scale.min(8));
    let (m, v) = (
        inputs::floats(10, height * width, -1.0, 1.0),
        inputs::floats(11, width, -1.0, 1.0),
    );
    let (matrix, vector) = (
        device.array([height, width], &m)?,
        device.array([width], &v)?,
    );
    let (run, found) = timed(|| matrix_vector::run(&device, &matrix, &vector)?.to_vec())?;
    let (plain, want) = timed(|| Ok(reference::matrix_vector(&m, &v)))?;
    let errors = found
        .iter()
        .zip(&want)
        .map(|(own, want)| (f64::from(*own) - want).abs());
    let numbers = [height as u64, width as u64, width as u64];
    let row = Row {
        elements: height * width,
        numbers: &numbers,
        times: [run, plain],
        error: largest(errors),
    };
    row.print(matrix_vector::schedule());

    let n = 4_000_003 / scale;
    let (run, (max, sum)) = timed(|| {
        let (max, sum) = max_and_sum::run(&device, &xs)?;
        Ok((max.value()?, sum.value()?))
    })?;
    let (plain, want) = timed(|| Ok(reference::max_and_sum(&x)))?;
    assert_eq!(max.to_bits(), want.0.to_bits(), "the largest element");
    let row = Row {
        elements: n,
        numbers: &[n as u64],
        times: [run, plain],
        error: (f64::from(sum) - want.1).abs(),
    };
    row.print(max_and_sum::schedule());
    Ok(())
}

fn timed<R>(f: impl FnOnce() -> obsidian_rt::Result<R>) -> obsidian_rt::Result<(Duration, R)> {
    let start = Instant::now();
    let result = f()?;
    Ok((start.elapsed(), result))
}

fn largest(errors: impl Iterator<Item = f64>) -> f64 {
    errors.fold(0.0, f64::max)
}

/// What is printed of a program.
struct Row<'a> {
    elements: usize,
    /// The numbers of its parameters that extents are made of.
    numbers: &'a [u64],
    /// To run it and to copy the result, and of plain Rust.
    times: [Duration; 2],
    error: f64,
}

impl Row<'_> {
    fn print(&self, schedule: &Schedule) {
        let numbers: Vec<Option<u64>> = self.numbers.iter().copied().map(Some).collect();
        let bytes = schedule.temporary_bytes(&numbers).unwrap_or(0);
        let [run, plain] = self.times.map(|time| time.as_secs_f64() * 1e3);
        println!(
            "{:15} {:9}  {:9}  {:8}  {bytes:11}  {run:8.2}  {plain:8.2}  {:.1e}",
            schedule.name,
            self.elements,
            schedule.operators(),
            schedule.launches(),
            self.error
        );
        assert!(
            self.error < 0.05,
            "{}: an error of {}",
            schedule.name,
            self.error
        );
    }
}
