//! The most memory of the process beside the bytes of inputs and outputs, for a sum and a map of 2^26 elements:
//! `cargo bench -p obsidian-benches --bench peak`. On Linux.

use obsidian_benches::kernels::pairs;
use obsidian_rt::{Device, Result};

fn main() -> Result<()> {
    // `cargo test --benches` gives `--test`: then a small size shows that it runs.
    let is_test = std::env::args().any(|argument| argument == "--test");
    let n: usize = if is_test { 1 << 16 } else { 1 << 26 };
    let device = Device::cpu();
    let input = device.upload_vec(vec![1.0f32; n])?;
    let sums = pairs::sums::launch(&device, &input)?;
    assert_eq!(sums.to_vec()?[0], 4096.0);
    report("sum", size_of::<f32>() * (n + sums.len()));
    drop(sums);
    let values = pairs::polynomial::launch(&device, &input)?;
    assert_eq!(values.len(), n);
    report("map", size_of::<f32>() * (n + values.len()));
    Ok(())
}

/// Prints the peak of the process so far.
fn report(case: &str, bytes: usize) {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = peak.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<usize>().ok());
    match peak {
        Some(peak) => {
            let ratio = (peak * 1024) as f64 / bytes as f64;
            println!("{case}: {bytes} bytes, peak {peak} KiB, {ratio:.3} times");
        }
        None => println!("{case}: the system does not say how much memory the process had"),
    }
}
