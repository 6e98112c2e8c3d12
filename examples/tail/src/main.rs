//! The program `tail`: `tail check FILE ..` reads TAIL programs and holds them to their types.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use tail::parse::parse;
use tail::types::check;

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
}

/// The longest program that is read, in bytes.
const LONGEST: u64 = 4 << 20;

fn main() -> ExitCode {
    let Command::Check { files } = Arguments::parse().command;
    let mut code = ExitCode::SUCCESS;
    for file in files {
        let name = file.display().to_string();
        if let Err(message) = checked(&file, &name) {
            eprintln!("{message}");
            code = ExitCode::FAILURE;
        }
    }
    code
}

/// What is wrong with a program, with its place.
fn checked(file: &PathBuf, name: &str) -> Result<(), String> {
    let wrong = |error: std::io::Error| format!("{name}: {error}");
    let length = fs::metadata(file).map_err(wrong)?.len();
    if length > LONGEST {
        return Err(format!(
            "{name}: {length} bytes are more than a program has"
        ));
    }
    let text = fs::read_to_string(file).map_err(wrong)?;
    let program = parse(&text).and_then(|program| check(&program));
    program.map_err(|mistake| mistake.shown(name, &text))
}
