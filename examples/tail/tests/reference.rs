//! The programs that the language's reference implementation comes with, evaluated and compared with what it prints.
//!
//! They are not part of this repository. `OBSIDIAN_TAIL_PROGRAMS` names the folder in which they are, each as `NAME.tail` with `NAME.out`;
//! if it is not set, the tests pass and say on the error output that they compared nothing.

mod comparing;
mod naive;

use std::path::Path;
use std::time::Instant;

use comparing::{compared, folder, names, read, same};
use naive::{Settings, evaluate};

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
    compared(&actual, &expected)
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
