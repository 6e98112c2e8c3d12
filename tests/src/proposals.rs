//! Ui cases that say what to write, with that in place. They say it behind the program, so that no line of it moves:
//! ``// Write `x as EF32` in place of `x`.``

use std::fs;
use std::path::PathBuf;

use crate::fuzz::seeds::files;

/// A case that says what to write.
pub struct Tried {
    /// Its file.
    pub file: PathBuf,
    /// The program with that in it.
    pub text: String,
    /// What is said of the program without.
    pub said: String,
}

/// A text with single spaces, so that a proposal can be longer than a line.
fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The replacements: what is written, and in place of what.
fn replacements(lines: &[&str]) -> Vec<(String, String)> {
    let lines = lines
        .iter()
        .filter_map(|line| line.strip_prefix("// Write `"));
    let pairs = lines.map(|line| {
        let pair = line
            .strip_suffix("`.")
            .and_then(|line| line.split_once("` in place of `"));
        let (new, old) = pair.unwrap_or_else(|| panic!("{line}"));
        (new.to_owned(), old.to_owned())
    });
    pairs.collect()
}

fn tried(file: PathBuf) -> Option<Tried> {
    let text = fs::read_to_string(&file).expect("a case can be read");
    let (proposals, body): (Vec<&str>, Vec<&str>) = text
        .lines()
        .partition(|line| line.starts_with("// Write `"));
    let replacements = replacements(&proposals);
    // On one line, a comment would take the rest of the program.
    let code = body.iter().filter_map(|line| line.split("//").next());
    let body = flat(&code.collect::<Vec<_>>().join("\n"));
    let text = replacements.iter().fold(body, |text, (new, old)| {
        assert!(
            text.contains(old),
            "{}: there is no `{old}`",
            file.display()
        );
        text.replace(old, new)
    });
    // The output of a new case is yet to be written.
    let said = fs::read_to_string(file.with_extension("stderr")).unwrap_or_default();
    (!replacements.is_empty()).then_some(Tried { file, text, said })
}

/// All of them.
///
/// # Panics
/// If a file has such a line that cannot be read, or names what is not in its program.
#[must_use]
pub fn tried_cases() -> Vec<Tried> {
    files("tests/tests/ui")
        .into_iter()
        .filter_map(tried)
        .collect()
}

/// All of them as modules of one program.
///
/// # Panics
/// See [`tried_cases`].
#[must_use]
pub fn one_program() -> String {
    let modules = tried_cases().into_iter().enumerate().map(|(n, case)| {
        let text = case.text.replace("fn main()", "pub fn main()");
        format!("mod case_{n} {{ {text} }}\n")
    });
    format!(
        "#![allow(warnings)]\n{}fn main() {{}}\n",
        modules.collect::<String>()
    )
}
