//! Batches of kernels, compiled by rustc with the macro into one program, which runs them: the
//! native build and the CPU's code.
//!
//! The program is [compiled](crate::program) against this crate: what the batch runs is [`main`],
//! which reads the cases from files beside it.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use obsidian_rt::{Device, Kernel};

use super::case::Case;
use super::run::{Failure, agrees};
use crate::program::compile;

/// Compiles the kernels of cases, and runs them: for each that fails, its number and what is wrong.
///
/// # Errors
/// What the compiler says, or why it does not run.
pub fn check(cases: &[Case], folder: &Path) -> Result<Vec<(usize, String)>, String> {
    let told = |error: std::io::Error| error.to_string();
    fs::create_dir_all(folder).map_err(told)?;
    let source = folder.join("batch.rs");
    fs::write(&source, text(cases)).map_err(told)?;
    for (n, case) in cases.iter().enumerate() {
        fs::write(folder.join(format!("{n}.case")), case.file()).map_err(told)?;
    }
    let program = compile(&source, None)?;
    let output = Command::new(program).arg(folder).output().map_err(told)?;
    let (said, ended) = (
        String::from_utf8_lossy(&output.stdout).into_owned(),
        output.status,
    );
    if !ended.success() || !said.ends_with("all done\n") {
        return Err(format!(
            "the batch has ended with {ended}: {said}{}",
            String::from_utf8_lossy(&output.stderr)
        ));
    }
    let failures = said.lines().filter_map(|line| line.strip_prefix("case "));
    Ok(failures
        .filter_map(|line| line.split_once(' '))
        .filter_map(|(n, words)| Some((n.parse().ok()?, words.to_owned())))
        .collect())
}

/// The program: a module for each kernel, so that no name of one is another's.
fn text(cases: &[Case]) -> String {
    let mut text = String::from("//! Random kernels.\n#![allow(warnings)]\n");
    let mut list = String::new();
    for (n, case) in cases.iter().enumerate() {
        let name = &case.name;
        let _ = write!(
            text,
            "#[obsidian_tests::obsidian_rt::kernels(crate = ::obsidian_tests::obsidian_rt)]\nmod case_{n} {{\n{}}}\n",
            case.text
        );
        let _ = writeln!(
            list,
            "        (case_{n}::{name}::kernel(), case_{n}::{name}::CUDA),"
        );
    }
    let _ = write!(
        text,
        "fn main() {{\n    obsidian_tests::random::batch::main(vec![\n{list}    ]);\n}}\n"
    );
    text
}

/// What the program of a batch does: each kernel, built natively, has to have the text of its
/// expansion, and to give on the CPU what its case says.
#[doc(hidden)]
pub fn main(kernels: Vec<(Kernel, &str)>) {
    let folder = PathBuf::from(std::env::args_os().nth(1).expect("the folder of the cases"));
    for (n, (kernel, cuda)) in kernels.iter().enumerate() {
        if let Err(words) = hold(kernel, cuda, &folder.join(format!("{n}.case"))) {
            println!("case {n} {}", words.replace('\n', " "));
        }
    }
    println!("all done");
}

fn hold(kernel: &Kernel, cuda: &str, file: &Path) -> Result<(), String> {
    let case = Case::read(&fs::read_to_string(file).map_err(|error| error.to_string())?)?;
    let native = kernel
        .native()
        .map_err(|error| format!("{}: it does not build natively: {error}", case.title))?;
    if native.cuda() != cuda {
        return Err(format!(
            "{}: the native build and the expansion differ: {} {cuda}",
            case.title,
            native.cuda()
        ));
    }
    [Device::cpu(), Device::cpu().with_blocks(1)]
        .iter()
        .try_for_each(|device| agrees(&case, kernel, device))
        .map_err(|failure| match failure {
            Failure::Refused(words) | Failure::Wrong(words) => words,
        })
}
