//! What is accepted at any length is right at each: programs near to right ones are changed at
//! random, and what is accepted of them is gone through at some lengths and arguments, round by round.

mod change;
mod programs;
mod run;
mod term;
mod text;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::{Checked, both_ways, check};
use crate::ir::{Kernel, Levelled, read, validate};
use crate::plan::WritePattern;
use programs::{Program, count};
use run::Launch;

/// The last ones are where arithmetic wraps around.
const LENGTHS: [u32; 33] = [
    0,
    1,
    2,
    3,
    4,
    5,
    6,
    7,
    8,
    9,
    10,
    11,
    12,
    15,
    16,
    17,
    23,
    24,
    25,
    31,
    32,
    33,
    40,
    64,
    65,
    130,
    u32::MAX / 8,
    i32::MAX as u32,
    1 << 31,
    (1 << 31) + 1,
    u32::MAX - 7,
    u32::MAX - 1,
    u32::MAX,
];

/// Values of the other argument.
const WIDTHS: [u32; 15] = [
    3,
    0,
    1,
    2,
    4,
    5,
    7,
    8,
    9,
    16,
    33,
    1 << 16,
    1 << 31,
    (1 << 31) + 3,
    u32::MAX,
];

/// The first launch that a checked kernel lets through and that is wrong.
fn wrong(program: &Program, kernel: &Kernel<Levelled>, checked: &Checked) -> Option<String> {
    let needs = checked.needs.iter().map(|need| need.elements);
    let rounds: Vec<_> = checked.rounds.iter().map(|(rounds, _)| *rounds).collect();
    let least = needs.max().unwrap_or(0);
    let pattern = checked.patterns.values().next();
    let pattern = pattern.copied().unwrap_or(WritePattern::Scattered);
    // The first width is enough for a program that has none.
    let widths = if program.mentions("w") {
        &WIDTHS[..]
    } else {
        &WIDTHS[..1]
    };
    let launches = widths.iter().flat_map(|w| LENGTHS.map(|n| [n, *w]));
    launches.into_iter().find_map(|arguments| {
        program.wrong_at(&Launch {
            arguments,
            least,
            kernel,
            rounds: &rounds,
            pattern,
        })
    })
}

#[test]
fn what_is_right_is_accepted() {
    let (mut failures, mut own) = (Vec::new(), 0);
    for n in 0..count() {
        let program = Program::right(n);
        let text = program.text();
        let kernel = read(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let checked = check(&kernel);
        let refused = checked.diagnostics.first().map(|d| d.message.clone());
        own += usize::from(matches!(
            checked.patterns.values().next(),
            Some(WritePattern::Own(_))
        ));
        let why = wrong(&program, &kernel, &checked).or(refused);
        failures.extend(why.map(|why| format!("{n}: {why}\n{text}")));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(
        own > 3,
        "{own} programs in which blocks change none but their own elements"
    );
}

/// 500 programs, and 2,000 with `OBSIDIAN_LONG=1`; `OBSIDIAN_COUNT` says how many, `OBSIDIAN_SEED` the first.
#[test]
fn what_is_accepted_at_any_length_is_right_at_each() {
    let number = |name: &str, otherwise: u64| {
        std::env::var(name)
            .ok()
            .and_then(|n| n.parse().ok())
            .unwrap_or(otherwise)
    };
    // `.ci/mutants` wants to know what these find.
    let is_long = ["OBSIDIAN_LONG", "OBSIDIAN_MUTANT"]
        .iter()
        .any(|name| std::env::var_os(name).is_some());
    let usual = if is_long { 2_000 } else { 500 };
    let (first, count) = (number("OBSIDIAN_SEED", 0), number("OBSIDIAN_COUNT", usual));
    let (mut accepted, mut refused, mut failures) = ([0; 2], [0; 2], Vec::new());
    for seed in first..first + count {
        let mut random = StdRng::seed_from_u64(seed);
        let mut program = Program::right(seed as usize);
        for _ in 0..random.random_range(1..4) {
            program.change(&mut random);
        }
        // A launch may be asked for something that it cannot compute.
        let Some(kernel) = read(&program.text()).ok().filter(|k| validate(k).is_ok()) else {
            continue;
        };
        for (sparing, checked) in both_ways(&kernel).into_iter().enumerate() {
            let why = wrong(&program, &kernel, &checked);
            if !checked.diagnostics.is_empty() {
                refused[sparing] += u32::from(why.is_none());
                continue;
            }
            accepted[sparing] += 1;
            failures.extend(why.map(|why| format!("seed {seed}: {why}\n{}", program.text())));
        }
    }
    println!(
        "seeds {first} to {}: {accepted:?} accepted (also sparingly); {refused:?} others are right at these lengths",
        first + count - 1
    );
    assert!(
        failures.is_empty(),
        "{} are wrong:\n{}",
        failures.len(),
        failures.join("\n")
    );
    assert!(
        accepted[1] * 10 > count && accepted[1] * 100 > accepted[0] * 95,
        "{accepted:?} of {count} are accepted: too few to say something"
    );
}
