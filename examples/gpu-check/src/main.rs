//! `gpu-check [--bench] [--quick] [--json FILE]`: every kernel of the examples on the device that
//! `OBSIDIAN_DEVICE` names, or the best there is; held to plain Rust, or with `--bench` measured.
//! Ends with 1 if something is wrong, with 2 if it is called in another way.

use std::process::ExitCode;
use std::time::Instant;

use gpu_check::{Extent, bench, run};
use obsidian_rt::prelude::*;

/// What the arguments ask for.
struct Arguments {
    extent: Extent,
    bench: bool,
    json: Option<String>,
}

fn arguments() -> Result<Arguments, String> {
    let mut asked = Arguments {
        extent: Extent::Full,
        bench: false,
        json: None,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--quick" => asked.extent = Extent::Quick,
            "--bench" => asked.bench = true,
            "--json" => asked.json = Some(words.next().ok_or("--json needs the name of a file")?),
            _ => {
                return Err(format!(
                    "`{word}` is none of --bench, --quick and --json FILE"
                ));
            }
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
    match go(&asked) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Runs and reports; gives the number of cases that are wrong.
fn go(asked: &Arguments) -> Result<usize, Box<dyn std::error::Error>> {
    let device = Device::best()?;
    let start = Instant::now();
    let (words, json, wrong) = if asked.bench {
        let report = bench::run(
            &device,
            asked.extent,
            bench::Limits::of(asked.extent),
            |name| eprintln!("{name}"),
        )?;
        (report.to_string(), report.json(), report.failed())
    } else {
        let report = run(&device, asked.extent, |name| eprintln!("{name}"));
        (report.to_string(), report.json(), report.wrong())
    };
    println!("{words}, {:.1} s", start.elapsed().as_secs_f64());
    device
        .warnings()
        .iter()
        .for_each(|warning| eprintln!("warning: {warning}"));
    if let Some(file) = &asked.json {
        std::fs::write(file, format!("{json:#}\n"))?;
    }
    Ok(wrong)
}
