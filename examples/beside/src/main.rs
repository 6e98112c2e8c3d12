//! Checks and times the cases on a GPU, one line of JSON each; without a GPU, checks them at small sizes on the CPU.

use std::cell::Cell;
use std::path::PathBuf;
use std::process::ExitCode;

use beside::bench::{Bench, Checked};
use beside::line::{Line, Outcome};
use beside::{run, table};
use clap::Parser;
use obsidian_rt::ErrorKind;
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

/// The device that `OBSIDIAN_DEVICE` names, or the first GPU, or the CPU. On a GPU without a compiler, `Device::best` would run on the CPU what
/// has to be compiled, and the time would be that of the CPU; here it is an error of the line.
fn device() -> Checked<Device> {
    if std::env::var_os("OBSIDIAN_DEVICE").is_some_and(|word| !word.is_empty()) {
        return Ok(Device::best()?);
    }
    match Device::cuda(0) {
        Err(error)
            if matches!(
                error.kind(),
                ErrorKind::NoDriver | ErrorKind::DeviceUnavailable
            ) =>
        {
            Ok(Device::cpu())
        }
        device => Ok(device?),
    }
}

/// Prints the table of the lines in files, and what failed.
fn join(files: &[PathBuf]) -> Checked<()> {
    let mut lines = Vec::new();
    for path in files {
        let text = std::fs::read_to_string(path);
        let text = text.map_err(|error| format!("{}: {error}", path.display()))?;
        lines.extend(text.lines().filter_map(Line::of_json));
    }
    print!("{}", table::text(&table::rows(&lines)));
    for line in &lines {
        if let Outcome::Failed(why) = &line.outcome {
            println!("! {} {} by {}: {why}", line.case, line.size, line.by);
        }
    }
    Ok(())
}

fn main() -> Checked<ExitCode> {
    let arguments = Arguments::parse();
    if !arguments.table.is_empty() {
        join(&arguments.table)?;
        return Ok(ExitCode::SUCCESS);
    }
    let device = device()?;
    let large = device.name().starts_with("cuda") && !arguments.small;
    if !large && !arguments.small {
        let name = device.name();
        eprintln!("{name} is no GPU: small cases are checked, and nothing is timed");
    }
    let line = Line {
        case: "device".into(),
        size: device.model().into(),
        by: format!("ours/{}", device.name()),
        outcome: Outcome::Checked,
    };
    println!("{}", line.to_json());
    let failed = Cell::new(0);
    run(&Bench {
        device,
        large,
        only: arguments.only,
        report: Box::new(|line| {
            failed.set(failed.get() + u32::from(matches!(line.outcome, Outcome::Failed(_))));
            println!("{}", line.to_json());
        }),
    });
    match failed.get() {
        0 => Ok(ExitCode::SUCCESS),
        failed => Err(format!("{failed} programs failed").into()),
    }
}
