//! The programs that the language's reference implementation comes with, evaluated and compared with what it prints.
//!
//! They are not part of this repository. `OBSIDIAN_TAIL_PROGRAMS` names the folder in which they are, each as `NAME.tail` with `NAME.out`;
//! if it is not set, the tests pass and say on the error output that they compared nothing.

mod naive;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use naive::{Settings, evaluate};

/// The variable that names the folder.
const FOLDER: &str = "OBSIDIAN_TAIL_PROGRAMS";

/// Programs that take minutes where nothing is optimised, and why.
const LONG: [(&str, &str); 3] = [
    ("easter3000", "80 million operations on scalars"),
    (
        "life2",
        "20,000 generations of 1,600 cells, about 30 operations for each",
    ),
    (
        "primes2",
        "remainders of all pairs of the numbers to 10,000",
    ),
];

/// Programs whose output depends on random numbers or on the clock, and what is compared of them.
const INEXACT: [(&str, &str); 1] = [(
    "pi",
    "it uses `roll`; the truth value that it prints holds for any uniform generator, so all of it is compared",
)];

#[test]
fn programs_print_what_the_reference_prints() {
    let is_short = |name: &str| LONG.iter().all(|(long, _)| *long != name);
    if let Some(folder) = folder() {
        compare_all(&folder, is_short, 80);
    }
}

#[test]
#[ignore = "takes minutes where nothing is optimised"]
fn long_programs_print_what_the_reference_prints() {
    let is_long = |name: &str| LONG.iter().any(|(long, _)| *long == name);
    if let Some(folder) = folder() {
        compare_all(&folder, is_long, LONG.len());
    }
}

#[test]
fn every_program_with_random_numbers_or_the_clock_is_listed() {
    let Some(folder) = folder() else { return };
    for name in names(&folder) {
        let text = read(&folder.join(format!("{name}.tail")));
        let is_inexact = text.contains("roll(") || text.contains("nowi(");
        let is_listed = INEXACT.iter().any(|(listed, _)| *listed == name);
        assert_eq!(is_inexact, is_listed, "{name}");
    }
}

fn folder() -> Option<PathBuf> {
    let folder = std::env::var_os(FOLDER).map(PathBuf::from);
    if folder.is_none() {
        // Not by `eprintln`, which a test that passes does not show.
        let skipped = "skipped: the programs of TAIL's reference implementation, because OBSIDIAN_TAIL_PROGRAMS does not name their folder";
        let _ = writeln!(std::io::stderr(), "{skipped}");
    }
    folder
}

fn names(folder: &Path) -> Vec<String> {
    let files = std::fs::read_dir(folder).expect("the folder of the programs");
    let files = files.map(|file| file.expect("a file").file_name());
    let names = files.filter_map(|file| Some(file.to_str()?.strip_suffix(".tail")?.to_owned()));
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Runs the programs whose names are wanted; there have to be at least `least` of them.
fn compare_all(folder: &Path, is_wanted: impl Fn(&str) -> bool, least: usize) {
    let names: Vec<String> = names(folder)
        .into_iter()
        .filter(|name| is_wanted(name))
        .collect();
    assert!(
        names.len() >= least,
        "{} programs in {}",
        names.len(),
        folder.display()
    );
    let mut differences = Vec::new();
    for name in &names {
        let begin = Instant::now();
        if let Err(difference) = compare(folder, name) {
            differences.push(format!("{name}: {difference}"));
        }
        eprintln!("{name}: {:.1} s", begin.elapsed().as_secs_f64());
    }
    eprintln!(
        "{} of {} programs agree",
        names.len() - differences.len(),
        names.len()
    );
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

fn compare(folder: &Path, name: &str) -> Result<(), String> {
    let text = read(&folder.join(format!("{name}.tail")));
    let program = tail::parse::parse(&text).map_err(|mistake| mistake.shown(name, &text))?;
    let settings = Settings {
        folder: folder.to_owned(),
        steps: u64::MAX,
        elements: 1 << 30,
        ..Settings::default()
    };
    let actual = evaluate(&program, &settings)?.text();
    let expected = read(&folder.join(format!("{name}.out")));
    let are_same = actual.lines().count() == expected.lines().count();
    let mut lines = actual.lines().zip(expected.lines());
    match lines.find(|(actual, expected)| !same(actual, expected)) {
        Some((actual, expected)) => Err(format!("`{actual}` in place of `{expected}`")),
        None if are_same => Ok(()),
        None => Err(format!("`{actual}` in place of `{expected}`")),
    }
}

/// Compares two lines: numbers by value, the rest as text, with a run of blanks as one; lines of characters alone as they are.
fn same(actual: &str, expected: &str) -> bool {
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

#[test]
fn lines_are_compared_by_value() {
    assert!(same("[2](1.0,2.5)", "[2](1.00000000001,2.5)"));
    assert!(!same("[2](1.0,2.5)", "[2](1.0001,2.5)"));
    assert!(same(" 1  20", "  1 20"));
    assert!(same("[](1.5E~10)", "[](1.5e-10)"));
    assert!(same("[](HUGE_VAL)", "[](inf.0)"));
    assert!(same("2.0j-1.0", "2.0j-1.0"));
    assert!(!same("a  b", "a b"));
    assert!(!same("[1](1)", "[2](1)"));
    assert!(!same("[1](1)", "[1](-1)"));
}
