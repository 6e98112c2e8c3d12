//! Design-space exploration: many shapes of one kernel are tried, and the best is found.
//!
//! A [`Space`] names the parameters. A closure makes a [`Candidate`] of each [`Point`]: kernels
//! that are built now, from the functions of `#[kernels]` modules, and what tells a right answer
//! from a wrong one. A [`Search`] chooses which points are tried, and an [`Objective`] is what they
//! cost: seconds that a model predicts from the simulator's counts, for a [GPU](Gpu) that need not
//! be there, or seconds that a device takes.
//!
//! ```
//! use obsidian_rt::explore::{Candidate, Explore, Gpu, Objective, Search, Space};
//! use obsidian_rt::{TypedKernel, language::*};
//!
//! # fn main() -> obsidian_rt::Result<()> {
//! const ELEMENTS: u64 = 1 << 20;
//! let space = Space::new()
//!     .powers_of_two("threads", 32..=256)
//!     .list("elements", [256, 512])
//!     .constraint("each thread adds two elements", |point| Ok(2 * point.u32("threads")? <= point.u32("elements")?));
//! let explored = Explore::new(space, Objective::predicted(Gpu::named("GTX 680")?), |point| {
//!     let elements = point.u32("elements")?;
//!     let kernel = TypedKernel::build("sums", point.u32("threads")?, |input: DPull<EU32>| {
//!         input.split_up(elements).as_grid_map(|piece| {
//!             let (low, high) = piece.halve();
//!             exec_block(compute(zip_with(|a, b| a + b, low, high)).map(|sums| fold1(|a, b| a + b, sums).push()))
//!         })
//!     })?;
//!     let sums = move |input: &[u32]| input.chunks(elements as usize).map(|piece| piece.iter().sum()).collect();
//!     let input = move |blocks| (0..blocks as u32 * elements).map(|i| i % 1009).collect();
//!     Ok(Candidate::of(kernel, ELEMENTS / u64::from(elements), input, sums))
//! })
//! .search(Search::Grid)
//! .run()?;
//! let best = explored.results.best().expect("some candidate is good");
//! println!("{}: {:?}", best.point, best.outcome.score());
//! # assert_eq!(explored.results.evaluated.len(), 7);
//! # Ok(())
//! # }
//! ```
//!
//! # What can go wrong with a candidate
//!
//! It may fail to be built (too much shared memory, say), give a wrong answer, panic, or take too
//! long. Each of these is its [`Outcome`], with the reason, and stops nothing; such a candidate
//! never wins. A score is only given to one whose answer was right: for a prediction on the
//! simulator, in the blocks that were counted, which also looks for races and reads of what was
//! never stored; for a measurement on the device, for the whole job.
//!
//! A candidate that takes too long is [abandoned](Explore::time_out): its thread goes on in the
//! background, because Rust cannot stop a thread, and another one takes its place.
//!
//! # Back into the build
//!
//! [`Explore::variants`] explores the variants that a kernel declares, and [`Results::choose_in`]
//! notes the best in a [tuned file](crate::Tuned), by device and size. The next build, or a
//! [`Tuner`](crate::Tuner), takes them from there.
//!
//! # Runs that are killed
//!
//! With [`Explore::file`] a line is on the disk for each try when it is done. The next run takes
//! what is there and goes on; as searches depend on their seed and on scores alone, it comes to the
//! same result. A line that was damaged is an error with its number.

mod candidate;
pub mod cost;
mod evaluate;
mod gpu;
mod guard;
mod journal;
mod objective;
mod occupancy;
mod progress;
mod record;
pub mod report;
mod result;
mod run;
mod search;
mod space;
mod variants;

pub use candidate::{Candidate, Trial};
pub use gpu::Gpu;
pub use objective::Objective;
pub use occupancy::{Limit, Occupancy};
pub use progress::{Bar, Progress};
pub use result::{Evaluated, Needs, Outcome, Point, Results, Value};
pub use run::{Explore, Explored};
pub use search::Search;
pub use space::{Points, Space};
