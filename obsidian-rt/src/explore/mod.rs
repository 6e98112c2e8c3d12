//! Design-space exploration: many shapes of one kernel are tried, and the best is found.
//!
//! A [`Job`] is what has to be done: an input, and the answer that a reference in plain Rust gives. A [`Space`] names the parameters. A closure
//! makes a [`Candidate`] of each [`Point`]: launches of kernels that are built now, from the functions of `#[kernels]` modules. A [`Search`]
//! chooses which points are tried, and an [`Objective`] is what they cost: seconds that a model predicts from the simulator's counts, for a
//! [GPU](Gpu) that need not be there, or seconds that a device takes.
//!
//! ```
//! use obsidian_rt::explore::{Candidate, Explore, Gpu, Job, Objective, Search, Space};
//! use obsidian_rt::{TypedKernel, language::*};
//!
//! # fn main() -> obsidian_rt::Result<()> {
//! let job = Job::new((0..1u32 << 20).collect::<Vec<u32>>(), |x| x.chunks(512).map(|run| run.iter().sum()).collect::<Vec<u32>>());
//! let space = Space::new().powers_of_two("threads", 32..=256).list("share", [1, 4, 16]).choice("order", ["near", "apart"]);
//! let explored = Explore::new(space, Objective::predicted(Gpu::named("H100")?), job, |point| {
//!     let (share, near) = (point.u32("share")?, point.word("order")? == "near");
//!     let kernel = TypedKernel::build("sums", point.u32("threads")?, |input: DPull<EU32>| {
//!         input.split_up(512).as_grid_map(move |run| {
//!             let shares = if near { run.split_up(share) } else { run.coalesce(share) };
//!             let sums = shares.as_block_map(|share| exec_thread_value(seq_reduce(|a, b| a + b, share)));
//!             exec_block(compute(sums).map(|sums| fold1(|a, b| a + b, sums).push()))
//!         })
//!     })?;
//!     Ok(Candidate::of(kernel))
//! });
//! let explored = explored.search(Search::Climb { seed: 1 }).at_most(20).run()?;
//! println!("{}", explored.results.best().expect("some candidate is good").point);
//! # assert_eq!(explored.results.evaluated.len(), 20);
//! # Ok(())
//! # }
//! ```
//!
//! # What a candidate is held to
//!
//! What counts is what its function *launches*, which is recorded and not claimed. So a candidate that does a part of the work, whose
//! answer the host has filled in, or that works on another device is not good, whatever it returns. Nor is one whose answer depends by data flow
//! on no array of the job's input, one that uploads an array of more than 16 elements which is the job's answer, or one that is another when it is
//! built again for the whole check.
//!
//! Not found is what knows the one input of the job: a kernel with constants of its answer that also reads the input, or an upload of the answer
//! in another form. Try the best with another input if you do not trust its author.
//!
//! | objective | what is compared with the job's answer |
//! |---|---|
//! | measured | every element, for each candidate, before it is timed and after its last repeat |
//! | predicted, jobs of at most 65,536 elements | every element, for each candidate |
//! | predicted, larger jobs | what some blocks of the last launch write, which the simulator runs: it also finds races and reads of what was never stored; then every element, for the best candidates, until 8 are right |
//! | predicted, launches whose blocks change arrays that they read (bins, flags) | every element, for each candidate |
//!
//! [`Results::best`] and [tuned files](Results::choose_in) take only what was compared in every element. Integers are compared
//! exactly; floats bit for bit, or with a [`Tolerance`].
//!
//! # What a compiler says
//!
//! A prediction counts operators and knows no registers. With [`Explore::compiled`], the best tenth of the predicted candidates is compiled for the
//! described GPU, and predicted again with what the machine code needs: its registers limit how many blocks are resident, and what it keeps in local
//! memory is stored and loaded. More are compiled until the best two are among them. A machine without a compiler skips this, and
//! [`Results::compilation`] and the [table](report::table) say why. [`Outcome::Good`] has the figures of each kernel, and reports show them.
//!
//! # The best are measured
//!
//! With [`Explore::measured`] the best 8 of the predicted candidates are measured at the end, on the GPU that was described: each is checked there in every
//! element, timed, and told apart by confidence intervals. What was measured is ranked before what was only predicted. The prediction saves the time of
//! measuring all, and does not decide. [`Outcome::Good`] has the seconds of each [stage](Stages), and reports show them side by side. A device
//! that is no GPU has no description: there every candidate is measured, and [`Results::measurement`] says so.
//!
//! # What can go wrong with a candidate
//!
//! A wrong answer, a fault, a panic or no end is its [`Outcome`], with the reason, and stops nothing. Outcomes tell apart what is
//! [bad](Outcome::Bad), what [cannot be built](Outcome::CannotBuild), what [this device cannot run](Outcome::CannotRunHere), and what
//! [may go well another time](Outcome::TryAgain). A device that can run none of the first 8 is one error.
//!
//! A whole check that takes too long says nothing of the candidate: it is to be tried again, with a longer time, and is not the best.
//!
//! A candidate that takes too long is [abandoned](Explore::time_out): its thread goes on in the
//! background, because Rust cannot stop a thread, and another one takes its place. One that aborts or overflows its stack ends the process, and one that
//! takes the device with it ends the exploration with an error.
//!
//! With [`Explore::isolated`], worker processes try the candidates: then all of these cost one candidate, and the others go on. What ends its process is
//! asked once more, alone, before it is bad.
//!
//! # Given parameters
//!
//! The size, the element type or the device belong to the job and are not chosen. [`Space::given`] declares them: each combination of their values is a
//! key, with a job, a search and a best candidate of its own ([`Explore::by_key`], [`Results::by_key`]).
//!
//! # Back into the build
//!
//! [`Explore::variants`] explores the variants that a kernel declares; [`Results::choose_in`] and [`Results::choose_by_key`]
//! note the best in a [tuned file](crate::Tuned), by device and size. The next build, or a
//! [`Tuner`](crate::Tuner), takes them from there.
//!
//! # Runs that are killed
//!
//! With [`Explore::file`] a line is on the disk for each try when it is done. The next run takes
//! what is there and goes on; as searches depend on their seed and on scores alone, it comes to the
//! same result. Each line has the hash of what was tried: CUDA text, launch sizes, job, device or GPU figures. A line for something else is not taken, and one that
//! was damaged is an error with its number.

mod best;
mod candidate;
mod compiling;
pub mod cost;
mod evaluate;
mod gpu;
mod guard;
mod hash;
#[cfg(unix)]
mod isolate;
mod job;
mod journal;
mod key;
mod measure;
mod objective;
mod observe;
mod occupancy;
mod predict;
mod progress;
mod record;
pub mod report;
mod result;
mod run;
mod sample;
mod search;
mod shared;
mod space;
mod sums;
mod tolerance;
mod variants;

pub use crate::resources::Resources;
pub use candidate::Candidate;
pub use gpu::Gpu;
pub use job::{Answer, Gives, Input, InputPart, Job, Takes, TakesPart};
pub use objective::Objective;
pub use occupancy::{Limit, Occupancy};
pub use progress::{Bar, Progress};
pub use result::{
    Checked, Compilation, Evaluated, Measurement, Needs, Outcome, Point, Results, Stages, Value,
};
pub use run::{Explore, Explored};
pub use search::Search;
pub use space::{Points, Space};
pub use tolerance::Tolerance;
