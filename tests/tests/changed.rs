//! Random programs with one node of their tree dropped or changed: each is an error, or everybody
//! agrees on what it means now.
//!
//! The interpreter follows the changed tree. Where it meets an index outside of its array, an
//! element that nobody wrote, or a length that does not fit, the program means nothing: then the
//! engine or the launch has to refuse it, unless no memory holds the array: an array that is fused
//! is a function, and all have to agree on what it gives. Some in an ordinary run. 5,000 of them, from the seed
//! that `OBSIDIAN_SEED` names: `OBSIDIAN_FULL=1 cargo test --release -p obsidian-tests --test
//! changed -- --nocapture`; `OBSIDIAN_COUNT` is another number of them. What fails is made smaller
//! and written to `target/tmp/changed`.

#![allow(missing_docs, clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use obsidian_executor::Executor;
use obsidian_judge::Judge;
use obsidian_rt::{Device, Kernel};
use obsidian_tests::random::batch;
use obsidian_tests::random::case::Case;
use obsidian_tests::random::change::{Change, changed, is_open};
use obsidian_tests::random::generate::generate;
use obsidian_tests::random::interpret::Meaningless;
use obsidian_tests::random::run::{Failure, Outcome, answered, expand, outcome};
use obsidian_tests::random::shrink::shrink;
use obsidian_tests::random::syntax::Program;
use obsidian_tests::sweep::{full, long};

/// Programs of an ordinary run, and of these compiled by `g++` and by rustc.
const COUNT: u64 = 250;
const EXECUTED: usize = 16;
const COMPILED: usize = 4;
/// Programs that are compiled together.
const BATCH: usize = 100;

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(otherwise)
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("changed")
}

/// What became of a changed program.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Verdict {
    /// The engine refuses it, by the id of its first mistake.
    Refused(String),
    /// Its launch refuses it.
    Launch(String),
    /// All agree.
    Agrees,
    /// An index that only the launch knows is outside of an array that no memory holds, such as
    /// `replicate(16, x)[i]`. No access is outside, all give the same, and the interpreter has no
    /// opinion.
    Fused,
    /// It means something else in another order of atomic operations, and does so.
    Open,
    /// It does not end, or not soon.
    TooLong,
    /// The user vouches for a length, and it is another one now.
    Vouched,
    /// It is accepted, and somebody disagrees.
    Wrong(String),
}

/// The id of a refusal.
fn id(words: &str) -> String {
    let ids = words
        .split('[')
        .skip(1)
        .filter_map(|rest| rest.split_once(']'));
    let mut ids = ids
        .map(|(id, _)| id)
        .filter(|id| !id.is_empty() && id.chars().all(|c| c.is_ascii_lowercase() || c == '-'));
    ids.next().map_or_else(
        || {
            words
                .chars()
                .filter(|c| !c.is_ascii_digit())
                .take(60)
                .collect()
        },
        str::to_owned,
    )
}

/// A changed program, its case, and its kernel where there is one.
fn verdict(program: &Program) -> (Verdict, Option<(Case, Kernel)>) {
    let kernel = match expand(&program.text()) {
        Ok(kernel) => kernel,
        Err(Failure::Refused(words)) => return (Verdict::Refused(id(&words)), None),
        Err(Failure::Wrong(words)) => return (Verdict::Wrong(words), None),
    };
    let (mut case, why) = Case::of_changed(program);
    match why {
        Some(Meaningless::TooLong) => return (Verdict::TooLong, None),
        Some(Meaningless::WronglyVouched) => return (Verdict::Vouched, None),
        Some(Meaningless::Undefined(_)) | None => {}
    }
    // An element outside of an array that no memory holds: then the first answer counts.
    if why.is_some()
        && let Ok(simulated) = answered(&case, &kernel, &Device::simulator())
    {
        case = simulated;
    }
    for device in [
        Device::simulator(),
        Device::simulator().with_blocks(1),
        Judge::default().device(),
    ] {
        let wrong = |words: String| {
            let words = format!("{}: {words}; the interpreter: {why:?}", device.name());
            (Verdict::Wrong(words), None)
        };
        match outcome(&case, &kernel, &device) {
            Outcome::Refused(kind) => return (Verdict::Launch(format!("{kind:?}")), None),
            Outcome::Fault(words) => return wrong(words),
            Outcome::Differs(_) if is_open(program) => return (Verdict::Open, None),
            Outcome::Differs(words) => return wrong(words),
            Outcome::Agrees => {}
        }
    }
    let verdict = why.map_or(Verdict::Agrees, |_| Verdict::Fused);
    (verdict, Some((case, kernel)))
}

#[derive(Default)]
struct Tally {
    counts: BTreeMap<String, u64>,
    changes: BTreeMap<Change, [u64; 2]>,
    accepted: Vec<(Case, Kernel)>,
    executed: usize,
    compiled: usize,
    failures: Vec<String>,
}

impl Tally {
    fn add(&mut self, seed: u64) {
        let original = generate(seed);
        // Where libraries may round differently, a change can make much of the difference.
        let Some((change, program)) = (!original.approximate)
            .then(|| changed(&original, seed))
            .flatten()
        else {
            return self.one("not changed");
        };
        let (verdict, built) = verdict(&program);
        self.changes.entry(change).or_default()[usize::from(verdict == Verdict::Agrees)] += 1;
        match &verdict {
            Verdict::Refused(id) => self.one(&format!("refused: {id}")),
            Verdict::Launch(kind) => self.one(&format!("refused at launch: {kind}")),
            Verdict::Agrees => self.one("agrees"),
            Verdict::Fused => self.one("outside of an array that is not stored"),
            Verdict::Open => self.one("depends on the order of atomics"),
            Verdict::TooLong => self.one("too long"),
            Verdict::Vouched => self.one("wrongly vouched for"),
            Verdict::Wrong(words) => {
                self.one("wrong");
                self.failed(&program, change, words);
            }
        }
        // In other orders of threads, such a text may rightly give something else.
        if !is_open(&program) {
            self.accepted.extend(built);
        }
    }

    fn one(&mut self, what: &str) {
        *self.counts.entry(what.to_owned()).or_default() += 1;
    }

    /// Keeps a smaller program that fails too.
    fn failed(&mut self, program: &Program, change: Change, words: &str) {
        let fails = |program: &Program| matches!(verdict(program).0, Verdict::Wrong(_));
        let small = if self.failures.len() < 8 {
            shrink(program, fails)
        } else {
            program.clone()
        };
        let words = match verdict(&small).0 {
            Verdict::Wrong(words) => words,
            _ => words.to_owned(),
        };
        fs::create_dir_all(folder()).unwrap();
        let file = folder().join(format!("{}.case", small.seed));
        let (mut case, _) = Case::of_changed(&small);
        case.title = words.clone();
        fs::write(&file, case.file()).unwrap();
        self.failures.push(format!(
            "seed {}, {change:?}: {words}; kept in {}\n{}",
            program.seed,
            file.display(),
            small.text()
        ));
    }

    /// Runs the texts of accepted programs, and compiles some with rustc.
    fn run(&mut self, compiled: usize) {
        let list = std::mem::take(&mut self.accepted);
        if let Some(executor) = Executor::find() {
            let kernels: Vec<Kernel> = list.iter().map(|(_, kernel)| kernel.clone()).collect();
            executor.prepare(&kernels).unwrap();
            for (case, kernel) in &list {
                self.executed += 1;
                let found = outcome(case, kernel, &executor.device());
                if found != Outcome::Agrees {
                    self.failures.push(format!("{}: {found:?}", case.title));
                }
            }
        }
        let cases: Vec<Case> = list
            .into_iter()
            .take(compiled)
            .map(|(case, _)| case)
            .collect();
        if cases.is_empty() {
            return;
        }
        self.compiled += cases.len();
        match batch::check(&cases, &folder().join("batch")) {
            Ok(wrong) => self
                .failures
                .extend(wrong.into_iter().map(|(_, words)| words)),
            Err(words) => self.failures.push(words),
        }
    }
}

#[test]
fn a_changed_program_is_an_error_or_agrees() {
    let first = number("OBSIDIAN_SEED", 0);
    let ordinary = if long() { COUNT } else { COUNT / 5 };
    let count = number("OBSIDIAN_COUNT", if full() { 5_000 } else { ordinary });
    let mut tally = Tally::default();
    for seed in first..first + count {
        tally.add(seed);
        if full() && tally.accepted.len() >= BATCH {
            let before = tally.failures.len();
            tally.run(BATCH / 10);
            println!(
                "up to seed {seed}: {} failures; of texts: {:?}",
                tally.failures.len(),
                &tally.failures[before..]
            );
        }
    }
    if !full() {
        tally
            .accepted
            .truncate(if long() { EXECUTED } else { EXECUTED / 4 });
    }
    tally.run(if full() { BATCH / 10 } else { COMPILED });
    let agree = tally.counts.get("agrees").copied().unwrap_or(0);
    println!(
        "{count} programs from seed {first}, one node changed: {:#?}\nrefused and accepted: {:?}\n{} by their text, {} compiled by rustc",
        tally.counts, tally.changes, tally.executed, tally.compiled
    );
    assert!(
        tally.failures.is_empty(),
        "{} failures:\n{}",
        tally.failures.len(),
        tally.failures.join("\n")
    );
    let fused = tally.counts.get("outside of an array that is not stored");
    assert!(fused.is_none_or(|n| n * 200 <= count + 200), "{fused:?}");
    // Neither everything nor nothing is refused, and every kind of change occurs.
    assert!(
        count < 200 || (agree * 5 >= count && agree * 10 <= count * 9),
        "{agree}"
    );
    assert!(count < 200 || tally.changes.len() == Change::ALL.len());
}
