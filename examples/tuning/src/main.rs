//! Launches the kernel as it was built with its tuned file, then explores the variants at several
//! sizes and prints what each costs; `--tune` keeps the best in the file, for the next build.

use obsidian_rt::explore::{Point, report};
use obsidian_rt::{Tuned, prelude::*};
use tuning::RUNS;
use tuning::sums::{RUN, run_sums};

/// The file that `#[kernel(tuned = ..)]` names.
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tuned.txt");

const USAGE: &str = "Usage: tuning [--tune]: explores the variants of a sum; --tune keeps the best in tuned.txt, for the next build";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let is_tuning = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => false,
        ["--tune"] => true,
        ["--help" | "-h"] => {
            println!("{USAGE}");
            return Ok(());
        }
        _ => {
            return Err(format!(
                "`{}` is no option of this program; {USAGE}",
                arguments.join(" ")
            )
            .into());
        }
    };
    let device = Device::best()?;
    // The simulator's choice is also the one for devices that nobody has tuned for.
    let names: &[Option<&str>] = if device.name() == "simulator" {
        &[None, Some("simulator")]
    } else {
        &[Some(device.model())]
    };
    let (tuner, mut tuned) = (Tuner::read(FILE, run_sums::variants())?, Tuned::read(FILE)?);
    for runs in RUNS {
        let elements = tuning::elements(runs);
        let output = run_sums::launch(&device, &device.upload(&elements)?)?;
        assert_eq!(
            output.to_vec()?,
            tuning::reference(&elements),
            "{runs} runs"
        );
        println!(
            "{runs} runs on {}: by the file it is {}",
            device.name(),
            tuner.pick(&device, elements.len())
        );
    }
    let results = tuning::explore(&device)?.results;
    print!(
        "{}",
        report::table(&results, run_sums::variants().len(), 120)
    );
    let from = |key: &Point| {
        let runs = key.u32("runs")?;
        // The first stands for all smaller ones too.
        Ok(if runs == RUNS[0] {
            0
        } else {
            u64::from(runs * RUN)
        })
    };
    for name in names {
        results.choose_by_key(&mut tuned, run_sums::variants(), *name, from)?;
    }
    if is_tuning {
        tuned
            .write(FILE)
            .map_err(|error| format!("{FILE} cannot be written: {error}"))?;
        println!("{FILE} is written: build again");
    }
    Ok(())
}
