//! Checks and times the cases on a GPU, one line of JSON each; without a GPU, checks them at small sizes on the CPU.

use std::path::PathBuf;
use std::process::ExitCode;

use beside::bench::{Bench, Checked};
use beside::line::{Line, Outcome};
use beside::{run, table};
use clap::Parser;
use obsidian_rt::prelude::*;

/// Cases of a GPU user, timed on the GPU of this machine.
#[derive(Parser)]
struct Arguments {
    /// Checks the cases at small sizes and times nothing
    #[arg(long)]
    small: bool,
    /// Runs only programs with these words in their case and layer, such as `softmax arrays`
    #[arg(long, value_name = "WORDS")]
    only: Option<String>,
    /// Joins lines of this program and of `peers` to a table
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["small", "only"])]
    table: Vec<PathBuf>,
}

fn main() -> Checked<ExitCode> {
    let arguments = Arguments::parse();
    if !arguments.table.is_empty() {
        let mut lines = Vec::new();
        for path in &arguments.table {
            let text = std::fs::read_to_string(path)
                .map_err(|error| format!("{}: {error}", path.display()))?;
            lines.extend(text.lines().filter_map(Line::of_json));
        }
        print!("{}", table::text(&table::rows(&lines)));
        for line in &lines {
            if let Outcome::Failed(why) = &line.outcome {
                println!("! {} {} by {}: {why}", line.case, line.size, line.by);
            }
        }
        return Ok(ExitCode::SUCCESS);
    }
    let device = Device::best()?;
    let large = device.name().starts_with("cuda") && !arguments.small;
    if !large && !arguments.small {
        eprintln!(
            "there is no GPU here: the cases are checked at small sizes, and nothing is timed"
        );
    }
    eprintln!("device: {}", device.name());
    let failed = std::cell::Cell::new(0);
    run(&Bench {
        device,
        large,
        only: arguments.only,
        report: Box::new(|line| {
            failed.set(failed.get() + u32::from(matches!(line.outcome, Outcome::Failed(_))));
            println!("{}", line.to_json());
        }),
    });
    if failed.get() > 0 {
        eprintln!("{} programs failed", failed.get());
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}
