//! The programs that the language's reference implementation comes with, and comparisons with what they print.

// Each test program uses a part of this.
#![allow(dead_code)]

pub mod opaque;

use std::io::Write;
use std::path::{Path, PathBuf};

/// The variable that names the folder.
const FOLDER: &str = "OBSIDIAN_TAIL_PROGRAMS";

pub fn folder() -> Option<PathBuf> {
    let folder = std::env::var_os(FOLDER).map(PathBuf::from);
    if folder.is_none() {
        // Not by `eprintln`, which a test that passes does not show.
        let skipped = "skipped: the programs of TAIL's reference implementation, because OBSIDIAN_TAIL_PROGRAMS does not name their folder";
        let _ = writeln!(std::io::stderr(), "{skipped}");
    }
    folder
}

pub fn names(folder: &Path) -> Vec<String> {
    let files = std::fs::read_dir(folder).expect("the folder of the programs");
    let files = files.map(|file| file.expect("a file").file_name());
    let names = files.filter_map(|file| Some(file.to_str()?.strip_suffix(".tail")?.to_owned()));
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

pub fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Compares two texts line by line.
pub fn compared(actual: &str, expected: &str) -> Result<(), String> {
    let are_same = actual.lines().count() == expected.lines().count();
    let mut lines = actual.lines().zip(expected.lines());
    match lines.find(|(actual, expected)| !same(actual, expected)) {
        Some((actual, expected)) => Err(format!("`{actual}` in place of `{expected}`")),
        None if are_same => Ok(()),
        None => Err(format!("`{actual}` in place of `{expected}`")),
    }
}

/// Compares two lines: numbers by value, the rest as text, with a run of blanks as one; lines of characters alone as they are.
pub fn same(actual: &str, expected: &str) -> bool {
    if !expected.contains(|c: char| c.is_ascii_digit()) {
        return actual == expected || infinite(actual) == infinite(expected);
    }
    let (actual, expected) = (parts(&infinite(actual)), parts(&infinite(expected)));
    let same_part = |(a, b): (&Part, &Part)| match (a, b) {
        (Part::Number(a), Part::Number(b)) => (a - b).abs() <= 1e-9 * a.abs().max(b.abs()),
        (a, b) => a == b,
    };
    actual.len() == expected.len() && actual.iter().zip(&expected).all(same_part)
}

/// One spelling for infinity.
fn infinite(line: &str) -> String {
    line.replace("HUGE_VAL", "inf").replace("inf.0", "inf")
}

#[derive(PartialEq, Debug)]
enum Part {
    Number(f64),
    Char(char),
}

/// A line as numbers and other characters.
fn parts(line: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        let digits = number_length(rest);
        let number = rest[..digits].replace('~', "-").parse();
        let (part, length) = match number {
            Ok(number) => (Part::Number(number), digits),
            Err(_) => (Part::Char(c), c.len_utf8()),
        };
        rest = &rest[length..];
        if part != Part::Char(' ') || parts.last() != Some(&Part::Char(' ')) {
            parts.push(part);
        }
    }
    parts
}

/// The length of the number with which a text begins: `-12`, `1.5`, `1.5E~10`, `1E20.0`; 0 if it begins with none.
fn number_length(text: &str) -> usize {
    let digits = |from: usize| {
        let rest = &text[from..];
        from + rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(rest.len())
    };
    let sign = |from: usize| from + usize::from(text[from..].starts_with(['-', '~']));
    let start = sign(0);
    let mut end = digits(start);
    if end == start {
        return 0;
    }
    if text[end..].starts_with('.') {
        end = digits(end + 1);
    }
    if text[end..].starts_with(['e', 'E']) {
        let exponent = sign(end + 1);
        if digits(exponent) > exponent {
            end = digits(exponent);
        }
    }
    end
}

/// What a program prints on a device, its result in the last line.
pub fn run_on(
    device: &obsidian_rt::Device,
    program: &tail::syntax::Expr,
    text: &str,
    folder: &Path,
) -> Result<String, String> {
    let options = tail::run::Options {
        device: device.clone(),
        seed: 1,
        fuse: true,
        folder: folder.to_owned(),
        memory: tail::run::MEMORY,
    };
    let mut printed = String::new();
    let mut print = |array: &tail::value::Array| {
        printed += &tail::print::printed(array);
        printed += "\n";
    };
    let ran = tail::run::run("program.tail", text, program, &options, &mut print);
    ran.map(|()| printed)
        .map_err(|problem| problem.line("program.tail", text))
}

/// A program whose variable `v0`, its size, has another value.
pub fn resized(text: &str, size: u32) -> String {
    const SIZE: &str = "let v0:[int]0 = ";
    replaced(text, SIZE, &format!("{SIZE}{size} in"))
}

/// A program with another line in place of the one that begins so.
pub fn replaced(text: &str, begin: &str, line: &str) -> String {
    let found = text.lines().filter(|line| line.starts_with(begin)).count();
    assert_eq!(found, 1, "{begin}");
    let lines = text.lines().map(|own| match own.starts_with(begin) {
        true => line,
        false => own,
    });
    lines.collect::<Vec<_>>().join("\n")
}
