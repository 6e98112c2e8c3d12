//! The program `tail`: reads programs in TAIL, holds them to their types, runs them, and shows their kernels.

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand, ValueEnum};
use obsidian_rt::Device;
use tail::kernels;
use tail::parse::parse;
use tail::plot;
use tail::print::printed;
use tail::run::{MEMORY, Options, Part, Problem, segments};
use tail::rust::formatted;
use tail::ticker::Ticker;
use tail::types::check;
use tail::value::Array;

/// Programs in TAIL, the typed array language that APL compiles to.
#[derive(Parser)]
#[command(name = "tail")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Read programs, and hold each expression to the types that they state.
    Check {
        /// The programs.
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Run a program.
    Run {
        /// The program.
        file: PathBuf,
        #[command(flatten)]
        how: How,
    },
    /// Run a program, and draw the last matrix that it prints as a picture.
    Plot {
        /// The program.
        file: PathBuf,
        /// The picture, a PNG.
        #[arg(long, short, default_value = "plot.png")]
        output: PathBuf,
        #[command(flatten)]
        how: How,
    },
    /// Print a program as a Rust source file, whose kernels are compiled with the crate that it is part of.
    Rust {
        /// The program.
        file: PathBuf,
    },
    /// Run a program, and show its kernels in place of what it prints.
    Kernels {
        /// The program.
        file: PathBuf,
        #[command(flatten)]
        how: How,
    },
}

#[derive(clap::Args)]
struct How {
    /// The device.
    #[arg(long, value_enum, default_value_t = Name::Cpu)]
    device: Name,
    /// Where the random numbers of `roll` begin.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Store what each operator gives.
    #[arg(long)]
    no_fuse: bool,
    /// Show where a long program is, once a second, also if standard error is no terminal.
    #[arg(long)]
    progress: bool,
    /// The memory that arrays may take, in MiB; 1024 if nothing is said.
    #[arg(long)]
    memory: Option<u32>,
}

/// A device.
#[derive(Clone, Copy, ValueEnum)]
enum Name {
    /// All cores of the CPU.
    Cpu,
    /// The simulator, which looks for races and reads of uninitialised memory.
    Simulator,
    /// The first GPU.
    Cuda,
}

/// The longest program that is read, in bytes.
const LONGEST: u64 = 4 << 20;

/// The bytes of stack for deep programs.
const STACK: usize = 256 << 20;

fn main() -> ExitCode {
    let command = Arguments::parse().command;
    let thread = std::thread::Builder::new().stack_size(STACK);
    let code = thread
        .spawn(move || done(command))
        .map(std::thread::JoinHandle::join);
    match code {
        Ok(Ok(code)) => code,
        _ => ExitCode::FAILURE,
    }
}

fn done(command: Command) -> ExitCode {
    let messages: Vec<String> = match command {
        Command::Check { files } => {
            let checked = files.iter().map(|file| checked(file).map(drop));
            checked.filter_map(Result::err).collect()
        }
        Command::Run { file, how } => executed(&file, &how).err().into_iter().collect(),
        Command::Plot { file, output, how } => {
            drawn(&file, &output, &how).err().into_iter().collect()
        }
        Command::Rust { file } => translated(&file).err().into_iter().collect(),
        Command::Kernels { file, how } => shown(&file, &how).err().into_iter().collect(),
    };
    messages.iter().for_each(|message| eprintln!("{message}"));
    if messages.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// A program whose types hold.
struct Checked {
    name: String,
    text: String,
    program: tail::syntax::Expr,
}

/// Reads a program; or what is wrong with it, with its place.
fn checked(file: &Path) -> Result<Checked, String> {
    let name = file.display().to_string();
    let wrong = |error: std::io::Error| format!("{name}: {error}");
    let mut bytes = Vec::new();
    let opened = fs::File::open(file).map_err(wrong)?;
    opened
        .take(LONGEST + 1)
        .read_to_end(&mut bytes)
        .map_err(wrong)?;
    if bytes.len() as u64 > LONGEST {
        return Err(format!(
            "{name}: a program has at most {LONGEST} bytes, and this file has more"
        ));
    }
    let no_text = |_| format!("{name}: this is no text in UTF-8");
    let text = String::from_utf8(bytes).map_err(no_text)?;
    let program = parse(&text).and_then(|program| check(&program).map(|()| program));
    match program {
        Ok(program) => Ok(Checked {
            name,
            text,
            program,
        }),
        Err(mistake) => Err(Problem::Mistake(mistake).line(&name, &text)),
    }
}

fn options(file: &Path, how: &How) -> Result<Options, String> {
    let device = match how.device {
        Name::Cpu => Device::cpu(),
        Name::Simulator => Device::simulator(),
        Name::Cuda => Device::cuda(0).map_err(|error| error.to_string())?,
    };
    let folder = file.parent().map(Path::to_path_buf).unwrap_or_default();
    let (seed, fuse) = (how.seed, !how.no_fuse);
    let memory = how
        .memory
        .map_or(MEMORY, |megabytes| u64::from(megabytes) << 20);
    Ok(Options {
        memory,
        device,
        seed,
        fuse,
        folder,
    })
}

fn executed(file: &Path, how: &How) -> Result<(), String> {
    let (
        Checked {
            name,
            text,
            program,
        },
        options,
    ) = (checked(file)?, options(file, how)?);
    let ticker = Ticker::begin(how.progress);
    let mut out = std::io::stdout().lock();
    let mut print = |array: &Array| {
        // It fails where nobody reads any more.
        let _ = ticker.aside(|| writeln!(out, "{}", printed(array)));
    };
    let mut show = |part: &Part| ticker.set(part.to_string());
    let ran = segments(&name, &text, &program, &options, &mut show, &mut print);
    ran.map_err(|problem| problem.line(&name, &text))
}

fn shown(file: &Path, how: &How) -> Result<(), String> {
    let (
        Checked {
            name,
            text,
            program,
        },
        options,
    ) = (checked(file)?, options(file, how)?);
    let report = kernels::report(&name, &text, &program, &options);
    let report = report.map_err(|problem| problem.line(&name, &text))?;
    let _ = write!(std::io::stdout().lock(), "{report}");
    Ok(())
}

fn translated(file: &Path) -> Result<(), String> {
    let Checked {
        name,
        text,
        program,
    } = checked(file)?;
    let printed = tail::rust::printed(&name, &text, &program);
    let printed = printed.map_err(|mistake| mistake.shown(&name, &text))?;
    // It fails where nobody reads any more.
    let _ = write!(std::io::stdout().lock(), "{}", formatted(printed));
    Ok(())
}

fn drawn(file: &Path, output: &Path, how: &How) -> Result<(), String> {
    let (
        Checked {
            name,
            text,
            program,
        },
        options,
    ) = (checked(file)?, options(file, how)?);
    let mut last = None;
    let mut keep = |array: &Array| {
        if array.rank() == 2 && !array.is_empty() {
            last = Some(array.clone());
        }
    };
    let ticker = Ticker::begin(how.progress);
    let mut show = |part: &Part| ticker.set(part.to_string());
    let ran = segments(&name, &text, &program, &options, &mut show, &mut keep);
    ran.map_err(|problem| problem.line(&name, &text))?;
    let matrix = last.ok_or_else(|| format!("{name}: the program prints no matrix"))?;
    plot::draw(&matrix, output).map_err(|error| format!("{}: {error}", output.display()))
}
