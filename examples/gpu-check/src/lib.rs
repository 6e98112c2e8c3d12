//! One command that says whether a device computes what it should: every kernel of the examples,
//! array programs with each operation that has kernels of its own, and the algorithms of
//! [`obsidian_rt::algorithms`], over lengths and numbers of threads, against references in plain Rust.
//!
//! [`run`] goes through [`checks::all`] and gives a [`Report`], which is a table and JSON. It takes
//! any [`Device`]: it is meant for GPUs, and holds CPU and simulator to the same. [`bench::run`]
//! measures them, and others beside them. [`run_apart`] and [`bench::run_apart`] do the same by
//! processes of their own, so that nothing that hangs or crashes on a GPU ends the run.

pub mod bench;
pub mod checks;
pub mod report;
pub mod serve;
pub mod whole;
pub mod worker;

use std::process::Command;
use std::time::{Duration, Instant};

use obsidian_rt::prelude::*;

use bench::Limits;
use checks::{Check, Wrong};
pub use report::{Case, Judged, Report};
use worker::Worker;

/// Numbers of real threads per block: one, around a warp, a block that is not full, and a full one.
pub const THREADS: [u32; 6] = [1, 31, 33, 256, 1000, 1024];

/// Those of array programs. A sort has a dozen kernels, and to compile them for another number of threads took 17 s on the
/// machine of `data`. Algorithms of one call have kernels of the same kinds, and are checked with their own numbers alone.
pub const THREADS_OF_PROGRAMS: [u32; 2] = [33, 1000];

/// What a run is to go through.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// The lengths of a check up to 5,000 elements, at each kernel's own number of threads: what a
    /// program of the examples launches, so that no compiler is needed where its PTX is inside. Algorithms
    /// of one call need one, and are not in it.
    Own,
    /// The same lengths, at each kernel's own number of threads and at 33.
    Quick,
    /// All lengths, at each kernel's own number of threads and at all [`THREADS`], or of array programs at
    /// [`THREADS_OF_PROGRAMS`].
    Full,
}

impl Extent {
    /// Its name, for [`Extent::read`].
    pub fn name(self) -> &'static str {
        match self {
            Extent::Own => "own",
            Extent::Quick => "quick",
            Extent::Full => "full",
        }
    }

    /// The extent of a name.
    pub fn read(name: &str) -> Option<Extent> {
        [Extent::Own, Extent::Quick, Extent::Full]
            .into_iter()
            .find(|extent| extent.name() == name)
    }
}

/// What a check or a row may take that has begun when the time was nearly over.
pub(crate) const GRACE: Duration = Duration::from_secs(10);

/// The longest length of a quick run.
const QUICK: usize = 5000;

/// Runs every check on a device. A launch that fails is a case that is wrong, and the others run
/// all the same; `progress` sees what there is before each check begins.
pub fn run(device: &Device, extent: Extent, mut progress: impl FnMut(&Report)) -> Report {
    let mut report = Report::of(device.name());
    for check in checks::all() {
        report.running = Some(check.name);
        progress(&report);
        let each = threads(device.name(), extent, &check);
        let cases = each.flat_map(|threads| cases(device, &check, extent, threads));
        report.cases.extend(cases);
    }
    report.running = None;
    progress(&report);
    report
}

/// Runs every check on the device that `OBSIDIAN_DEVICE` names, or the best there is, by a process
/// that is killed when it hangs: this program itself, started with `--serve`. Each number of threads
/// of a check is a request of its own, for which there are `limits.row`: those but the kernels' own are
/// compiled there, which takes most of the time. What would begin after the time is over is not run.
/// `only` leaves the checks that have these words in their names.
pub fn run_apart(
    extent: Extent,
    limits: Limits,
    only: Option<&str>,
    mut progress: impl FnMut(&Report),
) -> Report {
    let start = Instant::now();
    let mut worker = served(limits);
    let device = worker.greeting().map_or_else(
        |_| String::new(),
        |line| line.split('\t').next().unwrap_or_default().to_owned(),
    );
    let mut report = Report::of(&device);
    let is_asked = |check: &Check| only.is_none_or(|words| check.name.contains(words));
    for check in checks::all().into_iter().filter(is_asked) {
        report.running = Some(check.name);
        for threads in threads(&device, extent, &check) {
            progress(&report);
            let left = limits.all.saturating_sub(start.elapsed());
            if left.is_zero() {
                let judged = Judged::NotRun("the time was over".to_owned());
                report.cases.push(Case::whole(check.name, threads, judged));
                continue;
            }
            let number = threads.unwrap_or_default();
            let request = format!("check\t{}\t{}\t{number}", check.name, extent.name());
            let answer = worker.ask(&request, left.saturating_add(GRACE).min(limits.row));
            let wrong = |why| vec![Case::whole(check.name, threads, Judged::Wrong(why))];
            let cases = match answer {
                Ok(line) => report::read(&check, &line)
                    .unwrap_or_else(|| wrong(format!("the answer was `{line}`"))),
                Err(_) if start.elapsed() >= limits.all.saturating_add(GRACE) => {
                    let judged = Judged::NotRun("the time was over while it ran".to_owned());
                    vec![Case::whole(check.name, threads, judged)]
                }
                Err(unanswered) => wrong(unanswered.why),
            };
            if cases.iter().any(Case::is_wrong) {
                // The context may be lost.
                worker.restart();
            }
            report.cases.extend(cases);
        }
    }
    report.running = None;
    progress(&report);
    report
}

/// This program, as a process that answers requests.
pub(crate) fn served(limits: Limits) -> Worker {
    Worker::new(limits.start, move || {
        let cannot = |error: std::io::Error| format!("this program cannot be found: {error}");
        let mut command = Command::new(std::env::current_exe().map_err(cannot)?);
        let each = limits.each.as_secs_f64().to_string();
        command.args(["--serve", "--each", &each]);
        Ok(command)
    })
}

/// The cases of a check with a number of threads; none: the kernels' own.
pub(crate) fn cases(
    device: &Device,
    check: &Check,
    extent: Extent,
    threads: Option<u32>,
) -> Vec<Case> {
    let has_cases = extent != Extent::Own || !check.is_compiled_there();
    let lengths = (check.lengths)()
        .into_iter()
        .filter(|n| has_cases && (extent == Extent::Full || *n <= QUICK));
    lengths
        .map(|length| case(device, check, length, threads))
        .collect()
}

/// None: the kernels' own numbers. On the CPU there are no threads of a block.
fn threads(
    device: &str,
    extent: Extent,
    check: &Check,
) -> impl Iterator<Item = Option<u32>> + use<> {
    let others: &[u32] = match (device, extent) {
        ("cpu", _) | (_, Extent::Own) => &[],
        _ if check.is_compiled_there() => &[],
        (_, Extent::Quick) => &[33],
        (_, Extent::Full) if check.is_program() => &THREADS_OF_PROGRAMS,
        (_, Extent::Full) => &THREADS,
    };
    [None].into_iter().chain(others.iter().copied().map(Some))
}

fn case(device: &Device, check: &Check, length: usize, threads: Option<u32>) -> Case {
    let device = threads.map_or_else(|| device.clone(), |threads| device.with_threads(threads));
    let judged = match (check.run)(&device, length) {
        Ok(()) => Judged::Right,
        Err(Wrong::Launch(error))
            if (threads.is_some() || check.is_compiled_there())
                && error.kind() == ErrorKind::NoCompiler =>
        {
            Judged::NotRun(error.to_string())
        }
        Err(wrong) => Judged::Wrong(wrong.to_string()),
    };
    Case {
        check: check.name,
        length: Some(length),
        threads,
        judged,
    }
}
