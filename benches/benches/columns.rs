//! Kernels by columns, against the functions that the macro has printed and the simulator, on one
//! core. `cargo bench -p obsidian-benches --bench columns`
//!
//! A line has nanoseconds an element, the best of some runs: by columns, printed, on the simulator.

use std::hint::black_box;
use std::time::{Duration, Instant};

use obsidian_benches::kernels::pairs;
use obsidian_rt::{Buffer, Device, Result};

/// Runs for which the best time counts.
const RUNS: u32 = 9;

/// The best time of a launch, in nanoseconds an element.
fn time<R>(elements: usize, runs: u32, f: &dyn Fn() -> Result<R>) -> Result<f64> {
    let mut best = Duration::MAX;
    for _ in 0..runs {
        let start = Instant::now();
        black_box(f()?);
        best = best.min(start.elapsed());
    }
    Ok(best.as_nanos() as f64 / elements as f64)
}

/// Times a kernel of one kind of input on the three devices, and prints the line.
fn line<R>(
    name: &str,
    elements: usize,
    launch: &dyn Fn(&Device, &[Buffer<f32>; 2]) -> Result<R>,
) -> Result<()> {
    let of = |device: Device, elements: usize, runs: u32| {
        let device = device.with_blocks(1);
        let values: Vec<f32> = (0..elements).map(|i| (i % 1009) as f32 / 64.0).collect();
        let inputs = [device.upload(&values)?, device.upload(&values)?];
        time(elements, runs, &|| launch(&device, &inputs))
    };
    let columns = of(Device::cpu_by_columns(), elements, RUNS)?;
    let printed = of(Device::cpu(), elements, RUNS)?;
    let simulated = of(Device::simulator(), elements / 16, 2)?;
    println!(
        "{name:24} {columns:8.2} {printed:8.2} {simulated:8.1}   {:6.0} times the simulator",
        simulated / columns
    );
    Ok(())
}

fn main() -> Result<()> {
    let n = 1 << 20;
    println!(
        "{:24} {:>8} {:>8} {:>8}",
        "ns an element", "columns", "printed", "sim"
    );
    line("sum", n, &|device, [x, _]| pairs::sums::launch(device, x))?;
    line("dot product", n, &|device, [x, y]| {
        pairs::dots_f32::launch(device, x, y)
    })?;
    line("saxpy", n, &|device, [x, y]| {
        pairs::saxpy::launch(device, 0.5, x, y)
    })?;
    line("polynomial", n, &|device, [x, _]| {
        pairs::polynomial::launch(device, x)
    })?;
    line("scan of 1024", n, &|device, [x, _]| {
        pairs::scans::launch(device, x)
    })
}
