//! `gpu-check [--quick] [--json FILE]`: every kernel of the examples against plain Rust, on the device that `OBSIDIAN_DEVICE`
//! names, or the best there is. Ends with 1 if something is wrong, with 2 if it is called in another way.

use std::process::ExitCode;
use std::time::Instant;

use gpu_check::{Extent, run};
use obsidian_rt::prelude::*;

/// What the arguments ask for.
struct Arguments {
    extent: Extent,
    json: Option<String>,
}

fn arguments() -> Result<Arguments, String> {
    let mut asked = Arguments { extent: Extent::Full, json: None };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--quick" => asked.extent = Extent::Quick,
            "--json" => asked.json = Some(words.next().ok_or("--json needs the name of a file")?),
            _ => return Err(format!("`{word}` is neither --quick nor --json FILE")),
        }
    }
    Ok(asked)
}

fn main() -> ExitCode {
    let asked = match arguments() {
        Ok(asked) => asked,
        Err(words) => {
            eprintln!("{words}");
            return ExitCode::from(2);
        }
    };
    match check(&asked) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Runs and reports; gives the number of cases that are wrong.
fn check(asked: &Arguments) -> Result<usize, Box<dyn std::error::Error>> {
    let device = Device::best()?;
    let start = Instant::now();
    let report = run(&device, asked.extent, |name| eprintln!("{name}"));
    println!("{report}, {:.1} s", start.elapsed().as_secs_f64());
    if let Some(file) = &asked.json {
        std::fs::write(file, format!("{:#}\n", report.json()))?;
    }
    Ok(report.wrong())
}
