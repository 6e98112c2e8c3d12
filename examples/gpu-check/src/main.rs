//! Every kernel of the examples on the device that `OBSIDIAN_DEVICE` names, or the best there is;
//! held to plain Rust, or with `--bench` measured. Ends with 1 if something is wrong, with 2 if it
//! is called in another way.
//!
//! `gpu-check [--bench] [--own | --quick] [--apart] [--json FILE] ..`
//!
//! | option | what it does |
//! |---|---|
//! | `--bench` | measures instead of checking |
//! | `--quick`, `--own` | small sizes and few numbers of threads; only the kernels' own ones |
//! | `--only WORDS` | with `--apart`: the checks that have these words in their names |
//! | `--apart` | work that hangs or crashes ends a process of its own, and not the run |
//! | `--compare FILE` | the program of the comparison, built before |
//! | `--json FILE` | writes the results there, and what there is so far before each check or row |
//! | `--about FILE`, `--set KEY=VALUE` | JSON, and words, that go into that file as they are |
//! | `--seconds N`, `--row N`, `--each N` | limits in seconds: all, one check or row, its measurements |
//! | `--text`, `--nvcc-options` | prints the CUDA text of the program of the comparison, or the options it is compiled with |
//! | `--serve` | answers requests: what `--apart` starts |

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use gpu_check::bench::{self, How, Limits};
use gpu_check::{Extent, run, run_apart, serve};
use obsidian_rt::prelude::*;
use serde_json::Value;

type Failure = Box<dyn std::error::Error>;

/// What the arguments ask for.
struct Arguments {
    extent: Extent,
    bench: bool,
    apart: bool,
    serve: bool,
    text: bool,
    nvcc_options: bool,
    compare: Option<PathBuf>,
    only: Option<String>,
    json: Option<PathBuf>,
    about: Vec<(String, Value)>,
    seconds: [Option<Duration>; 3],
}

impl Arguments {
    fn read(mut words: impl Iterator<Item = String>) -> Result<Arguments, Failure> {
        let mut asked = Arguments {
            extent: Extent::Full,
            bench: false,
            apart: false,
            serve: false,
            text: false,
            nvcc_options: false,
            compare: None,
            only: None,
            json: None,
            about: Vec::new(),
            seconds: [None; 3],
        };
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or(format!("{word} needs a value"));
            let seconds = |value: String| -> Result<Option<Duration>, Failure> {
                Ok(Some(Duration::try_from_secs_f64(value.parse()?)?))
            };
            match word.as_str() {
                "--quick" => asked.extent = Extent::Quick,
                "--own" => asked.extent = Extent::Own,
                "--bench" => asked.bench = true,
                "--apart" => asked.apart = true,
                "--serve" => asked.serve = true,
                "--text" => asked.text = true,
                "--nvcc-options" => asked.nvcc_options = true,
                "--compare" => asked.compare = Some(value()?.into()),
                "--only" => asked.only = Some(value()?),
                "--json" => asked.json = Some(value()?.into()),
                "--about" => {
                    let file = std::fs::read_to_string(value()?)?;
                    asked
                        .about
                        .push(("pack".to_owned(), serde_json::from_str(&file)?));
                }
                "--set" => {
                    let pair = value()?;
                    let (key, value) = pair.split_once('=').ok_or("--set needs KEY=VALUE")?;
                    asked.about.push((key.to_owned(), value.into()));
                }
                "--seconds" => asked.seconds[0] = seconds(value()?)?,
                "--row" => asked.seconds[1] = seconds(value()?)?,
                "--each" => asked.seconds[2] = seconds(value()?)?,
                _ => return Err(format!("`{word}` is no option of gpu-check").into()),
            }
        }
        if asked.only.is_some() && (asked.bench || !asked.apart) {
            return Err("--only needs --apart, and no --bench".into());
        }
        Ok(asked)
    }

    fn limits(&self) -> Limits {
        let limits = Limits::of(self.extent);
        let [all, row, each] = self.seconds;
        Limits {
            all: all.unwrap_or(if self.bench {
                limits.all
            } else {
                Duration::MAX
            }),
            row: row.unwrap_or(limits.row),
            each: each.unwrap_or(limits.each),
            start: row.unwrap_or(limits.start),
        }
    }

    /// Writes results with what else is to be said. Nobody ever sees a part of the file.
    ///
    /// # Errors
    /// Those of the file system, with the file's name.
    fn write(&self, mut results: Value) -> std::io::Result<()> {
        let Some(file) = &self.json else {
            return Ok(());
        };
        if let Value::Object(fields) = &mut results {
            fields.extend(self.about.iter().cloned());
        }
        let half = Path::new(file).with_extension("half");
        let named = |path: &Path| {
            let path = path.display().to_string();
            move |error: std::io::Error| {
                std::io::Error::new(error.kind(), format!("{path} cannot be written: {error}"))
            }
        };
        std::fs::write(&half, format!("{results:#}\n")).map_err(named(&half))?;
        std::fs::rename(half, file).map_err(named(Path::new(file)))
    }

    /// The same before a check or a row, where a failure will be seen at the end.
    fn note(&self, running: Option<String>, results: impl Fn() -> Value) {
        if let Some(running) = running {
            eprintln!("{running}");
            if self.json.is_some() {
                let _ = self.write(results());
            }
        }
    }
}

fn main() -> ExitCode {
    let asked = match Arguments::read(std::env::args().skip(1)) {
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
            // The process at the other end reads this where it waits for `ready`.
            if asked.serve {
                println!("{error}");
            } else {
                eprintln!("{error}");
            }
            ExitCode::FAILURE
        }
    }
}

/// Runs and reports; gives the number of cases that are wrong.
fn go(asked: &Arguments) -> Result<usize, Failure> {
    if asked.text {
        print!("{}", bench::comparison::text());
        return Ok(0);
    }
    if asked.nvcc_options {
        println!("{}", bench::comparison::OPTIONS.join(" "));
        return Ok(0);
    }
    let limits = asked.limits();
    if asked.serve {
        let device = Device::best()?;
        let (input, output) = (std::io::stdin().lock(), std::io::stdout().lock());
        serve::serve(&device, limits.each, input, output)?;
        return Ok(0);
    }
    let start = Instant::now();
    // With processes apart this one never touches the device.
    let device = if asked.apart {
        None
    } else {
        Some(Device::best()?)
    };
    let (words, json, wrong) = if asked.bench {
        let how = How {
            extent: asked.extent,
            limits,
            compare: asked.compare.clone(),
        };
        let note = |found: &bench::Benchmarks| {
            let running = found.running.as_ref().map(ToString::to_string);
            asked.note(running, || found.json());
        };
        let report = match &device {
            Some(device) => bench::run(device, &how, note)?,
            None => bench::run_apart(&how, note),
        };
        (report.to_string(), report.json(), report.failed())
    } else {
        let note = |report: &gpu_check::Report| {
            asked.note(report.running.map(str::to_owned), || report.json());
        };
        let report = match &device {
            Some(device) => run(device, asked.extent, note),
            None => run_apart(asked.extent, limits, asked.only.as_deref(), note),
        };
        (report.to_string(), report.json(), report.wrong())
    };
    println!("{words}, {:.1} s", start.elapsed().as_secs_f64());
    for warning in device.iter().flat_map(Device::warnings) {
        eprintln!("warning: {warning}");
    }
    asked.write(json)?;
    Ok(wrong)
}
