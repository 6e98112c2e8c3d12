//! Tries every variant at several sizes, checks the results, and prints what each costs; `--write` keeps the best in the tuned file.

use obsidian_rt::{Tuned, prelude::*};
use tuning::cost;
use tuning::sums::{RUN, run_sums};

/// The file that `#[kernel(tuned = ..)]` names.
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tuned.txt");
/// Numbers of runs: the first stands for all smaller ones too.
const RUNS: [u32; 3] = [1, 8, 32];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let device = Device::best()?;
    // The simulator's choice is also the one for devices that nobody has tuned for.
    let names: &[Option<&str>] = if device.name() == "simulator" { &[None, Some("simulator")] } else { &[Some(device.model())] };
    let mut tuned = Tuned::read(FILE)?;
    for runs in RUNS {
        let elements: Vec<u32> = (0..runs * RUN).map(|i| i.wrapping_mul(0x9E37_79B1)).collect();
        let expected: Vec<u32> = elements.chunks(RUN as usize).map(|run| run.iter().copied().fold(0, u32::wrapping_add)).collect();
        let input = device.upload(&elements)?;
        let mut costs = Vec::new();
        for variant in run_sums::variants() {
            assert_eq!(run_sums::launch_variant(variant, &device, &input)?.to_vec()?, expected, "{variant}");
            costs.push((cost(variant, &device, &input)?, variant));
        }
        costs.sort_by(|a, b| a.0.total_cmp(&b.0));
        let from = if runs == RUNS[0] { 0 } else { u64::from(runs * RUN) };
        names.iter().try_for_each(|name| costs[0].1.choose_in(&mut tuned, *name, from))?;
        println!("{runs} runs on {}", device.name());
        costs.iter().for_each(|(cost, variant)| println!("  {cost:12.3e}  {variant}"));
    }
    if std::env::args().any(|argument| argument == "--write") {
        tuned.write(FILE)?;
        println!("{FILE} is written");
    }
    Ok(())
}
