//! Which numbers of threads and which lengths kernels are tried with, and where.
//!
//! The ordinary tests try a few: the kernel's own number of threads, and one of four others. The kernel's text decides which, so
//! that many kernels together have them all. `OBSIDIAN_LONG=1` tries all four with each kernel. `OBSIDIAN_FULL=1` tries 24 numbers
//! of threads with 13 lengths each, on the simulator and by executing the CUDA text; `.ci/sweep` does that for all tests, and adds
//! up what was done.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use obsidian_core::plan::Plan;
use obsidian_executor::{Executor, Order};
use obsidian_judge::Judge;
use obsidian_rt::generated::{Constraint, launch};
use obsidian_rt::{Device, Element, Kernel, Result};

use crate::census::Census;
use crate::{Download, keep, waits};

/// The numbers of threads of the sweep: around a warp and its multiples, primes, and both ends.
const THREADS: [u32; 24] = [
    1, 2, 3, 31, 32, 33, 63, 64, 65, 96, 127, 128, 129, 255, 256, 257, 511, 512, 513, 768, 997,
    1000, 1023, 1024,
];
/// Those of the long tests, beside the kernel's own: on the simulator, and with the text executed. An ordinary test has one of them.
const FEW_SIMULATED: [u32; 4] = [1, 31, 33, 64];
const FEW_EXECUTED: [u32; 1] = [33];
/// The longest input of the sweep: for most numbers of threads, and for some.
const LONG: usize = 8_192;
const LONGEST: usize = 66_000;
const LONGEST_FOR: [u32; 3] = [33, 256, 1000];
/// Blocks times threads of a launch in the sweep, at most: where pieces are small, most threads of
/// large blocks only wait.
const MOST_THREADS: usize = 1 << 18;
/// Operations of a launch that is judged in a program of several launches; longer ones are
/// simulated.
const PROGRAM: u64 = 2_000_000;

/// Are the long suites asked for, or all there is? A test has a sample otherwise.
pub fn long() -> bool {
    full() || std::env::var_os("OBSIDIAN_LONG").is_some()
}

/// Is a sample enough? Not for `.ci/mutants`, which wants to know what all of them find.
fn is_sample() -> bool {
    !long() && std::env::var_os("OBSIDIAN_MUTANT").is_none()
}

/// Is the whole sweep asked for?
pub fn full() -> bool {
    std::env::var_os("OBSIDIAN_FULL").is_some_and(|value| value == "1")
}

/// The lengths of the sweep, in elements or in pieces, for a number of threads.
fn lengths(threads: u32) -> [usize; 13] {
    let t = threads as usize;
    [
        0,
        1,
        2,
        t - 1,
        t,
        t + 1,
        2 * t - 1,
        2 * t,
        2 * t + 1,
        3 * t + 7,
        997,
        1024,
        65_537,
    ]
}

/// Does the kernel take inputs of any length?
fn takes_any_length(kernel: &Kernel) -> bool {
    kernel.interface().requirements.iter().all(|requirement| {
        matches!(
            requirement.constraint,
            Constraint::Fits | Constraint::AtLeast(_) | Constraint::Reaches(_)
        )
    })
}

/// A kernel for one number of threads, where it is run, and the lengths of its inputs.
struct Trial {
    kernel: Kernel,
    devices: Vec<Device>,
    lengths: Vec<usize>,
}

/// The numbers in order, each once.
fn distinct(mut numbers: Vec<usize>) -> Vec<usize> {
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// The numbers of threads that a kernel is tried with beside its own.
fn few(kernel: &Kernel) -> Vec<u32> {
    if !is_sample() {
        return FEW_SIMULATED.to_vec();
    }
    let letters: usize = kernel.cuda().bytes().map(usize::from).sum();
    vec![FEW_SIMULATED[letters % FEW_SIMULATED.len()]]
}

/// The trials of a kernel whose inputs have pieces of so many elements.
fn trials(kernel: &Kernel, piece: usize, executor: Option<&Executor>, judge: &Judge) -> Vec<Trial> {
    let rebuilt = |threads| {
        kernel
            .with_threads(threads)
            .unwrap_or_else(|error| panic!("{} for {threads} threads: {error}", kernel.name()))
    };
    let any = piece > 0 && takes_any_length(kernel);
    let pieces = |numbers: &[usize]| {
        let around = numbers.iter().flat_map(|n| {
            if any && *n > 0 {
                vec![n * piece - 1, n * piece, n * piece + 1]
            } else {
                vec![n * piece]
            }
        });
        distinct(around.collect())
    };
    if full() {
        let step = if any { 1 } else { piece };
        let mut trials = vec![Trial {
            kernel: kernel.clone(),
            devices: vec![Device::cpu(), Device::cpu_by_columns(), judge.device()],
            lengths: pieces(&[0, 1, 2, 3]),
        }];
        trials.extend(THREADS.map(|threads| Trial {
            kernel: rebuilt(threads),
            devices: vec![judge.device()],
            lengths: pieces(&[2]),
        }));
        trials.extend(THREADS.map(|threads| {
            let longest = if LONGEST_FOR.contains(&threads) {
                LONGEST
            } else {
                LONG
            };
            let small = |n: &usize| {
                *n <= 2 * step
                    || (*n <= longest && n / piece.max(1) * threads as usize <= MOST_THREADS)
            };
            let lengths = distinct(
                lengths(threads)
                    .iter()
                    .map(|n| n * step)
                    .filter(small)
                    .collect(),
            );
            let devices = [Device::simulator()]
                .into_iter()
                .chain(executor.map(Executor::device))
                .collect();
            Trial {
                kernel: rebuilt(threads),
                devices,
                lengths,
            }
        }));
        return trials;
    }
    let mut devices = vec![
        Device::cpu(),
        Device::cpu_by_columns(),
        Device::simulator(),
        judge.device(),
    ];
    devices.extend(executor.map(Executor::device));
    let mut trials = vec![Trial {
        kernel: kernel.clone(),
        devices,
        lengths: pieces(&[0, 1, 3]),
    }];
    for threads in few(kernel) {
        let mut devices = vec![Device::simulator()];
        if FEW_EXECUTED.contains(&threads) {
            devices.push(judge.device());
            devices.extend(executor.map(Executor::device));
        }
        trials.push(Trial {
            kernel: rebuilt(threads),
            devices,
            lengths: pieces(&[2]),
        });
    }
    trials
}

/// Compiles the texts of all trials that will execute them, at once.
fn prepare(trials: &[Trial], executor: Option<&Executor>) {
    let Some(executor) = executor else { return };
    let executed = trials.iter().filter(|trial| {
        trial
            .devices
            .iter()
            .any(|device| device.name() == "executor")
    });
    let kernels: Vec<Kernel> = executed.map(|trial| trial.kernel.clone()).collect();
    executor
        .prepare(&kernels)
        .unwrap_or_else(|error| panic!("{error}"));
}

/// Holds a kernel to its reference; `launch` and `reference` take the length of the inputs, which
/// have pieces of so many elements; 0 for a kernel without inputs.
pub fn hold<R: Download>(
    kernel: &Kernel,
    cuda: &str,
    piece: usize,
    launch: impl Fn(&Kernel, &Device, usize) -> Result<R>,
    reference: impl Fn(usize) -> R::Host,
) {
    if waits::asked(kernel, &[3 * piece, 9 * piece], &launch, &reference) {
        return;
    }
    let (name, begun) = (kernel.name(), Instant::now());
    let native = kernel
        .native()
        .unwrap_or_else(|error| panic!("{name} does not build natively: {error}"));
    // The expansion was made before a mutant's mistake: there results decide, and nothing else.
    if std::env::var_os("OBSIDIAN_MUTANT").is_none() {
        assert_eq!(
            native.cuda(),
            cuda,
            "{name}: the native build and the expansion differ"
        );
    }
    keep(kernel);
    let (executor, judge) = (Executor::find(), Judge::default());
    let trials = trials(kernel, piece, executor.as_ref(), &judge);
    prepare(&trials, executor.as_ref());
    let census = Census::default();
    for length in [0, piece, 3 * piece] {
        launch(kernel, &census.device(), length)
            .map(drop)
            .unwrap_or_else(|error| panic!("{name}, {length} elements: {error}"));
    }
    let (mut expected, mut simulated) = (BTreeMap::new(), 0);
    for trial in &trials {
        for &length in &trial.lengths {
            let expected = expected.entry(length).or_insert_with(|| reference(length));
            for device in &trial.devices {
                let what = || {
                    format!(
                        "{name}, {length} elements, {} threads, {}",
                        trial.kernel.threads(),
                        device.name()
                    )
                };
                let result = launch(&trial.kernel, device, length)
                    .unwrap_or_else(|error| panic!("{}: {error}", what()));
                assert!(
                    result.download() == *expected,
                    "{}: {} is not {}",
                    what(),
                    short(&result.download()),
                    short(expected)
                );
                simulated += u64::from(device.name() == "simulator");
            }
        }
    }
    judged(name, &judge);
    report(
        name,
        simulated,
        executor.map_or(0, |executor| executor.launches()),
        begun,
    );
}

/// Holds that a kernel was judged: at least one launch with blocks, if there was one.
fn judged(name: &str, judge: &Judge) {
    let tally = judge.tally();
    assert!(
        tally.with_blocks > 0 || (tally.judged > 0 && tally.left_out == 0),
        "{name}: no launch was judged: {tally:?}"
    );
    if tally.left_out > 0 {
        println!(
            "{name}: {} of {} launches are too long to be judged",
            tally.left_out,
            tally.left_out + tally.judged
        );
    }
}

/// A value for a message, cut where it is too long to be read.
fn short(value: &impl Debug) -> String {
    format!("{value:?}").chars().take(2_000).collect()
}

/// The lengths or sizes that the device of a number is tried with: in long tests all, in others every second, from the first or the
/// second on, so that each is tried on half of the devices.
pub fn some<T: Copy>(all: &[T], device: usize) -> Vec<T> {
    let (from, step) = if is_sample() { (device % 2, 2) } else { (0, 1) };
    all.iter().copied().skip(from).step_by(step).collect()
}

/// The devices for programs of several launches, each with words for it: the CPU, the simulator,
/// the judge and the executor, over any number of blocks and a few, and at other numbers of threads. Programs may
/// use atomics whose order shows, so the executor takes one order at a time. The long tests have each of these also at another
/// number of threads, ordinary ones the simulator and one order.
pub fn devices() -> Vec<(String, Device)> {
    let executor = Executor::find();
    let orders = [Order::Ascending, Order::Descending, Order::Random];
    let executed = |order: Order| {
        executor.clone().map(|executor| {
            (
                format!("executor, {order:?}"),
                executor.in_order(order).device(),
            )
        })
    };
    let simulated = |words: &str, device: Device| (words.to_owned(), device);
    let mut devices = vec![
        simulated("cpu", Device::cpu()),
        simulated("cpu, 1 block", Device::cpu().with_blocks(1)),
        simulated("cpu, by columns", Device::cpu_by_columns()),
        simulated("simulator, 3 blocks", Device::simulator().with_blocks(3)),
    ];
    let mut gpus = vec![
        simulated("simulator", Device::simulator()),
        simulated("judge", Judge::default().with_limit(PROGRAM).device()),
    ];
    gpus.extend(orders.into_iter().filter_map(executed));
    devices.extend(gpus.clone());
    let threads: &[u32] = if full() { &THREADS } else { &FEW_EXECUTED };
    if is_sample() {
        gpus.retain(|(words, _)| words == "simulator" || words == "executor, Random");
    }
    for (words, device) in gpus {
        devices.extend(
            threads
                .iter()
                .map(|n| (format!("{words}, {n} threads"), device.with_threads(*n))),
        );
    }
    devices
}

/// Runs a plan of one input and one output: on the simulator and by the judge, and in the whole
/// sweep by its text too.
pub fn run<T: Element, U: Element + PartialEq + Debug>(plan: Plan, input: &[T]) -> Vec<U> {
    let kernel = Kernel::from_plan(plan).unwrap_or_else(|error| panic!("{error}"));
    let on = |device: &Device| -> Result<Vec<U>> {
        let input = device.upload(input)?;
        launch(&kernel, device, &mut [input.argument()])?
            .take::<U>(0)?
            .to_vec()
    };
    let run =
        |device: &Device| on(device).unwrap_or_else(|error| panic!("{}: {error}", device.name()));
    let result = run(&Device::simulator());
    assert!(
        run(&Judge::default().device()) == result,
        "{} with {} threads, judged",
        kernel.name(),
        kernel.threads()
    );
    if full()
        && let Some(executor) = Executor::find()
    {
        let begun = Instant::now();
        assert_eq!(
            run(&executor.device()),
            result,
            "{} with {} threads, by its text",
            kernel.name(),
            kernel.threads()
        );
        report(kernel.name(), 1, executor.launches(), begun);
    }
    result
}

/// Writes what a kernel's sweep has done where `.ci/sweep` adds it up, and the sum so far of this
/// process on the standard error.
fn report(name: &str, simulated: u64, executed: u64, begun: Instant) {
    static SIMULATED: AtomicU64 = AtomicU64::new(0);
    static EXECUTED: AtomicU64 = AtomicU64::new(0);
    if !full() {
        return;
    }
    let (all_simulated, all_executed) = (
        SIMULATED.fetch_add(simulated, Relaxed) + simulated,
        EXECUTED.fetch_add(executed, Relaxed) + executed,
    );
    let seconds = begun.elapsed().as_secs_f64();
    let words = format!(
        "sweep: {name}: {simulated} launches simulated, {executed} of texts, {seconds:.1} s; so far {all_simulated} and {all_executed}\n"
    );
    // Not through `eprintln!`, which the test runner keeps to itself.
    let _ = std::io::stderr().write_all(words.as_bytes());
    let file = folder().join(format!("{}.csv", std::process::id()));
    let row = format!("{name},{simulated},{executed},{seconds:.3}\n");
    let written = fs::create_dir_all(folder())
        .and_then(|()| OpenOptions::new().create(true).append(true).open(file));
    written
        .and_then(|mut file| file.write_all(row.as_bytes()))
        .expect("target/ can be written");
}

fn folder() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR");
    target
        .map_or_else(
            || Path::new(env!("CARGO_MANIFEST_DIR")).join("../target"),
            PathBuf::from,
        )
        .join("sweep")
}
