//! Random programs agree wherever they run: interpreter, simulator, CPU by columns, judge, executed CUDA text, and
//! compiled by rustc the native build and the CPU.
//!
//! Some in an ordinary run. 10,000 of them, from the seed that `OBSIDIAN_SEED` names:
//! `OBSIDIAN_FULL=1 cargo test --release -p obsidian-tests --test random -- --nocapture`;
//! `OBSIDIAN_COUNT` is another number of them, and `OBSIDIAN_COMPILED` how many of each hundred
//! rustc compiles, for the native build and the CPU: those that together use the most. A program
//! that fails is made smaller and written to `target/tmp/random`; moved to `tests/tests/random`, it
//! is run by every test run.

#![allow(missing_docs, clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use obsidian_executor::Executor;
use obsidian_judge::Judge;
use obsidian_rt::{Device, Kernel};
use obsidian_tests::census::Census;
use obsidian_tests::random::case::Case;
use obsidian_tests::random::coverage::Histogram;
use obsidian_tests::random::generate::generate;
use obsidian_tests::random::run::{Failure, agrees, expand, launches};
use obsidian_tests::random::shrink::{shrink, swapped};
use obsidian_tests::random::syntax::{Kind, Program};
use obsidian_tests::random::{batch, coverage};
use obsidian_tests::sweep::{full, long};

/// Programs with `OBSIDIAN_LONG=1`: on the simulator, of these by their text, and of these compiled by
/// rustc; those that together use the most. A third of each otherwise.
const SIMULATED: u64 = 150;
const EXECUTED: usize = 24;
const COMPILED: usize = 12;
/// Programs that are compiled together.
const BATCH: u64 = 100;
/// Programs whose trees are made for the histogram.
const COUNTED: u64 = 5_000;

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(otherwise)
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("random")
        .join(name)
}

/// A program that the engine takes.
struct Built {
    program: Program,
    case: Case,
    kernel: Kernel,
}

/// What happened to all programs of a run.
#[derive(Default)]
struct Tally {
    judge: Judge,
    simulated: u64,
    executed: usize,
    compiled: usize,
    refused: BTreeMap<String, u64>,
    failures: Vec<String>,
    /// Counts blocks and written elements, without the launch's own formulas.
    census: Census,
}

impl Tally {
    /// Builds the programs of some seeds.
    fn build(&mut self, seeds: std::ops::Range<u64>) -> Vec<Built> {
        let mut list = Vec::new();
        for program in seeds.map(generate) {
            match expand(&program.text()) {
                Ok(kernel) => list.push(Built {
                    case: Case::of(&program),
                    program,
                    kernel,
                }),
                Err(Failure::Refused(words)) => {
                    let words = words.split(": ").skip(1).collect::<Vec<_>>().join(": ");
                    let kind: String = words
                        .chars()
                        .filter(|c| !c.is_ascii_digit())
                        .take(60)
                        .collect();
                    *self.refused.entry(kind).or_default() += 1;
                }
                Err(Failure::Wrong(words)) => self
                    .failures
                    .push(format!("seed {}: {words}", program.seed)),
            }
        }
        list
    }

    fn simulate(&mut self, list: &[Built]) {
        for built in list {
            if let Err(failure) = launches(&built.case, &built.kernel, &self.census.device()) {
                self.failures.push(format!("{failure:?}"));
            }
            let judge = self.judge.device();
            for device in [
                Device::simulator(),
                Device::simulator().with_blocks(1),
                Device::cpu_by_columns(),
                judge,
            ] {
                self.simulated += 1;
                if let Err(failure) = agrees(&built.case, &built.kernel, &device) {
                    self.failed(built, &failure);
                    break;
                }
            }
        }
    }

    /// Keeps a smaller program that fails too.
    fn failed(&mut self, built: &Built, failure: &Failure) {
        let fails = |program: &Program| {
            let kernel = expand(&program.text());
            kernel.is_ok_and(|kernel| {
                [
                    Device::simulator(),
                    Device::cpu_by_columns(),
                    Judge::default().device(),
                ]
                .iter()
                .any(|device| agrees(&Case::of(program), &kernel, device).is_err())
            })
        };
        let small = if self.failures.len() < 5 {
            shrink(&built.program, fails)
        } else {
            built.program.clone()
        };
        let file = folder("failures").join(format!("{}.case", small.seed));
        fs::create_dir_all(folder("failures")).unwrap();
        let mut case = Case::of(&small);
        case.title = format!("{failure:?}");
        fs::write(&file, case.file()).unwrap();
        self.failures
            .push(format!("{failure:?}; kept in {}", file.display()));
    }

    fn execute(&mut self, list: &[Built]) {
        let Some(executor) = Executor::find() else {
            return;
        };
        let kernels: Vec<Kernel> = list.iter().map(|built| built.kernel.clone()).collect();
        executor.prepare(&kernels).unwrap();
        for built in list {
            self.executed += 1;
            if let Err(failure) = agrees(&built.case, &built.kernel, &executor.device()) {
                self.failures.push(format!("{failure:?}"));
            }
        }
    }

    fn compile(&mut self, list: &[Built], name: &str) {
        let cases: Vec<Case> = list.iter().map(|built| built.case.clone()).collect();
        let folder = folder(name);
        match batch::check(&cases, &folder) {
            Ok(wrong) => self
                .failures
                .extend(wrong.into_iter().map(|(_, words)| words)),
            Err(words) => self.failures.push(format!("{}: {words}", folder.display())),
        }
        self.compiled += cases.len();
    }
}

/// So many programs that together use as much as possible: each adds the most to those before it.
fn covering(list: Vec<Built>, n: usize) -> Vec<Built> {
    let names_of = |built: &Built| {
        let mut histogram = Histogram::default();
        histogram.add(&built.program);
        histogram
            .names()
            .map(str::to_owned)
            .collect::<BTreeSet<String>>()
    };
    let mut rest: Vec<(BTreeSet<String>, Built)> = list
        .into_iter()
        .map(|built| (names_of(&built), built))
        .collect();
    let (mut seen, mut chosen) = (BTreeSet::new(), Vec::new());
    while chosen.len() < n && !rest.is_empty() {
        let most = (0..rest.len())
            .max_by_key(|i| rest[*i].0.difference(&seen).count())
            .unwrap();
        let (names, built) = rest.swap_remove(most);
        seen.extend(names);
        chosen.push(built);
    }
    chosen
}

#[test]
fn random_programs_agree() {
    let (first, mut tally) = (number("OBSIDIAN_SEED", 0), Tally::default());
    if Executor::find().is_none() {
        println!("skipped: no g++, so no text is executed");
    }
    let part = if long() { 1 } else { 3 };
    let ordinary = SIMULATED / part;
    let count = number("OBSIDIAN_COUNT", if full() { 10_000 } else { ordinary });
    let batch = if full() { BATCH } else { count.max(1) };
    for start in (first..first + count).step_by(batch as usize) {
        let mut list = tally.build(start..(start + batch).min(first + count));
        tally.simulate(&list);
        if full() {
            tally.execute(&list);
        }
        list = covering(
            list,
            if full() {
                BATCH as usize
            } else {
                EXECUTED / part as usize
            },
        );
        if !full() {
            tally.execute(&list);
        }
        // A list is in the order of what a program adds.
        let compiled = number(
            "OBSIDIAN_COMPILED",
            if full() {
                BATCH
            } else {
                COMPILED as u64 / part
            },
        ) as usize;
        tally.compile(&list[..compiled.min(list.len())], &format!("batch-{first}"));
        if full() {
            println!(
                "{} programs, {} failures",
                start + batch - first,
                tally.failures.len()
            );
        }
    }
    let refused: u64 = tally.refused.values().sum();
    println!(
        "{count} programs from seed {first}: {} launches simulated or judged ({:?}), {} programs by their text, {} compiled by rustc; {refused} refused: {:#?}",
        tally.simulated,
        tally.judge.tally(),
        tally.executed,
        tally.compiled,
        tally.refused
    );
    assert!(
        tally.failures.is_empty(),
        "{} failures:\n{}",
        tally.failures.len(),
        tally.failures.join("\n")
    );
    let (counted, unknown) = (tally.census.launches(), tally.census.unknown());
    println!(
        "the blocks of {} of {counted} launches are counted",
        counted - unknown
    );
    assert!(
        unknown * 4 <= counted,
        "{unknown} of {counted} are not counted"
    );
    assert!(
        refused * 5 <= count,
        "the engine refuses {refused} of {count} programs"
    );
}

#[test]
fn every_function_of_the_library_occurs() {
    let mut all = Histogram::default();
    (0..COUNTED).for_each(|seed| all.add(&generate(seed)));
    println!("{}", all.text());
    assert_eq!(all.missing(), [""; 0], "of {}", coverage::wanted().len());
}

#[test]
fn a_dropped_wait_is_noticed() {
    let (mut waits, mut noticed, mut unnoticed) = (0, 0, Vec::new());
    let (mut judged, mut unjudged) = (0, Vec::new());
    let list = Tally::default().build(
        0..match (full(), long()) {
            (true, _) => 1_000,
            (_, true) => 100,
            _ => 50,
        },
    );
    // Without elements nothing is launched.
    let launched = list.into_iter().filter(|built| built.program.length > 0);
    // The judge leaves blocks that have an order to the simulator.
    for built in launched.filter(|built| {
        !built
            .kernel
            .interface()
            .orders
            .iter()
            .any(|order| order.words() > 0)
    }) {
        for n in 0..6 {
            let Some((without, scope)) = built.kernel.without_wait(n).unwrap() else {
                break;
            };
            let devices = [Device::simulator(), Device::simulator().with_blocks(1)];
            waits += 1;
            let wait = format!("seed {}, wait {n} ({scope})", built.program.seed);
            let seen = devices
                .iter()
                .any(|device| agrees(&built.case, &without, device).is_err());
            let by_judge = agrees(&built.case, &without, &Judge::default().device()).is_err();
            noticed += u32::from(seen);
            judged += u32::from(by_judge);
            unjudged.extend((seen && !by_judge).then(|| wait.clone()));
            unnoticed.extend((!seen).then_some(wait));
        }
    }
    println!(
        "{noticed} of {waits} dropped waits are noticed, {judged} by the judge; not: {unnoticed:?}"
    );
    assert_eq!(unjudged, [""; 0], "the judge does not notice");
    assert!(
        waits >= 20 && noticed * 10 >= waits * 7,
        "{noticed} of {waits} are noticed; not: {unnoticed:?}"
    );
}

#[test]
fn swapped_operands_are_noticed() {
    let (mut different, mut noticed) = (0, 0);
    // 10,000 programs have 634 swaps that the interpreter sees.
    let wanted = if full() { 620 } else { 8 };
    for program in (0..10_000)
        .map(generate)
        .filter(|program| program.length > 0)
    {
        if different >= wanted {
            break;
        }
        let case = Case::of(&program);
        for n in 0..3 {
            let Some(other) = swapped(&program, n) else {
                break;
            };
            let swapped_case = Case::of(&other);
            let differs = |x: &Case, y: &Case| x.lists != y.lists || x.globals != y.globals;
            // What the interpreter sees no difference in, no launch can show; what is refused is
            // not run.
            let (true, Ok(kernel)) = (differs(&case, &swapped_case), expand(&other.text())) else {
                continue;
            };
            different += 1;
            let seen = agrees(&case, &kernel, &Device::simulator()).is_err();
            noticed += u32::from(seen);
            if !seen {
                println!("not noticed: swap {n} of seed {}", program.seed);
            }
        }
    }
    println!("{noticed} of {different} swapped operands are noticed");
    // A NaN is every other NaN, whose bits the interpreter's results have.
    assert!(
        different >= wanted && noticed * 100 >= different * 98,
        "{noticed} of {different}"
    );
}

#[test]
fn what_once_failed_does_not_fail() {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/random");
    let executor = Executor::find();
    let mut cases = Vec::new();
    let mut files: Vec<PathBuf> = fs::read_dir(kept)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    for file in files
        .iter()
        .filter(|file| file.extension().is_some_and(|e| e == "case"))
    {
        let case = Case::read(&fs::read_to_string(file).unwrap()).unwrap();
        let kernel = expand(&case.text).unwrap();
        let devices = [
            Some(Device::simulator()),
            Some(Device::cpu_by_columns()),
            executor.as_ref().map(Executor::device),
        ];
        devices.iter().flatten().for_each(|device| {
            assert_eq!(agrees(&case, &kernel, device), Ok(()), "{}", file.display())
        });
        cases.push(case);
    }
    assert!(!cases.is_empty());
    assert_eq!(batch::check(&cases, &folder("kept")), Ok(Vec::new()));
}

#[test]
fn a_case_is_read_back_from_its_file() {
    for seed in 0..200 {
        let case = Case::of(&generate(seed));
        assert_eq!(Case::read(&case.file()), Ok(case));
    }
}

#[test]
fn a_program_is_made_smaller_as_long_as_it_fails() {
    let reverses = |program: &Program| {
        let mut found = false;
        program.body.visit(&mut |expr| {
            found |= matches!(
                &expr.kind,
                Kind::Call {
                    name: "reverse",
                    ..
                }
            )
        });
        found
    };
    let mut made_smaller = 0;
    for program in (0..60).map(generate).filter(reverses) {
        let small = shrink(&program, |p| reverses(p) && expand(&p.text()).is_ok());
        if expand(&program.text()).is_ok() {
            assert!(reverses(&small) && expand(&small.text()).is_ok());
            made_smaller += u32::from(small.body.size() * 2 <= program.body.size());
        }
    }
    assert!(made_smaller >= 3, "{made_smaller}");
}
