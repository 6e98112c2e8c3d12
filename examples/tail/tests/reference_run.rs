//! The programs that the language's reference implementation comes with, run on each device and compared with what it prints.
//!
//! They are not part of this repository: see `reference.rs`.

#![allow(missing_docs)]

mod comparing;

use std::path::Path;
use std::time::Instant;

use comparing::opaque::opaque;
use comparing::{compared, folder, names, read, run_on};
use obsidian_executor::Executor;
use obsidian_rt::Device;

/// Programs that take minutes where nothing is optimised, and why.
const LONG: [(&str, &str); 2] = [
    ("life2", "20,000 generations of 1,600 cells"),
    (
        "primes2",
        "remainders of all pairs of the numbers to 10,000",
    ),
];

/// Programs that a device does one thread after another, and why they are left out there.
const LONG_IN_STEPS: [(&str, &str); 3] = [
    ("blacksch", "a million steps of one thread"),
    ("easter3000", "80 million operations on scalars"),
    ("pi", "20,000 draws"),
];

fn is_long(name: &str) -> bool {
    LONG.iter().any(|(long, _)| *long == name)
}

#[test]
fn programs_print_what_the_reference_prints() {
    compare_all(&Device::cpu(), |name| !is_long(name), 85);
}

#[test]
#[ignore = "takes minutes where nothing is optimised"]
fn long_programs_print_what_the_reference_prints() {
    compare_all(&Device::cpu(), is_long, LONG.len());
}

#[test]
fn the_simulator_gives_the_same() {
    compare_all(&Device::simulator(), is_short_in_steps, 80);
}

#[test]
fn the_executed_texts_give_the_same() {
    match Executor::find() {
        Some(executor) => compare_all(&executor.device(), is_short_in_steps, 80),
        None => println!("skipped: executed texts, because there is no g++"),
    }
}

fn is_short_in_steps(name: &str) -> bool {
    !is_long(name) && LONG_IN_STEPS.iter().all(|(long, _)| *long != name)
}

/// Runs the programs whose names are wanted; there have to be at least `least` of them.
fn compare_all(device: &Device, is_wanted: impl Fn(&str) -> bool, least: usize) {
    let Some(folder) = folder() else { return };
    let names = names(&folder).into_iter().filter(|name| is_wanted(name));
    let names: Vec<String> = names.collect();
    assert!(names.len() >= least, "{} programs", names.len());
    let differences = names.iter().filter_map(|name| {
        let begin = Instant::now();
        let difference = compare(device, &folder, name).err();
        eprintln!("{name}: {:.1} s", begin.elapsed().as_secs_f64());
        Some(format!("{name}: {}", difference?))
    });
    let differences: Vec<String> = differences.collect();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

fn compare(device: &Device, folder: &Path, name: &str) -> Result<(), String> {
    let text = read(&folder.join(format!("{name}.tail")));
    let program = tail::parse::parse(&text).map_err(|mistake| mistake.shown(name, &text))?;
    let expected = read(&folder.join(format!("{name}.out")));
    compared(&run_on(device, &program, &text, folder)?, &expected)?;
    // Most programs are so small that the host knows all of their values, and no kernel is left.
    let stored = run_on(device, &opaque(&program), &text, folder);
    let stored = stored.and_then(|printed| compared(&printed, &expected));
    stored.map_err(|difference| format!("with its vectors stored: {difference}"))
}
