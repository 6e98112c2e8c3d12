//! A second check of planned kernels: is every conflicting pair of accesses ordered, and does the
//! grid cover every loop over blocks?
//!
//! The planner proves both for all lengths, and removes what barriers it proves unneeded. This
//! crate proves nothing. It takes the finished [`Plan`] and one launch,
//! runs each thread by itself from barrier to barrier, and records who accessed which byte. It
//! calls no pass of the planner and no part of the simulator, and reads neither
//! [`Interface`](obsidian_core::plan::Interface) nor the symbolic tables of `check`; it shares with
//! them the statements, the shared-memory layout, and the meaning of operators. Its aim is to be
//! short enough to be believed.
//!
//! | file | what it does |
//! |---|---|
//! | `code` | statements become operations with jumps, so that a thread is a program counter |
//! | `machine` | runs the threads of a block, barriers, the loops over blocks |
//! | `evaluate` | the value of an expression for one thread |
//! | `memory` | cells that remember their accesses; happens-before |
//! | `census` | how many blocks each loop over blocks has, from the *lowered* kernel |
//! | `finding` | what is wrong, in words |
//! | `device` | the judge as a device of `obsidian-rt`, so that typed launches are judged |
//!
//! # Happens-before
//!
//! Each barrier of the block begins a new *epoch* of the block, each barrier of a warp a new epoch
//! of that warp. Access `a` happens before a later access `b` if
//!
//! - one real thread makes both (program order), or
//! - threads of one real block make them, in different epochs of the block, or
//! - threads of one warp make them, in different epochs of the warp, or
//! - `b` is of what the last block does when all have come to it, and `a` of another block: a block begins a new epoch before it comes.
//!
//! Lanes of a warp that take values from each other wait for all of them, and a lane gives what its atomic operation has
//! found after that has been done. So of two atomic operations the first one is before the second, too, if its old value is
//! used, and the lanes of their warp have taken values in between. That orders no other accesses.
//!
//! Nothing else orders threads of two real blocks. Two accesses of a byte by unordered threads conflict
//! if one of them writes, or one is atomic and the other is not, or both are atomic and do not
//! commute. The last does not count if one `for_all` of the user has both: then the order is what
//! the user left open.
//!
//! A launch is judged over all its blocks, and again over one and two real blocks, so that blocks
//! that share a real block, its shared memory and its barriers are seen as well.
//!
//! # What it does not cover
//!
//! One launch with one set of lengths and inputs; other lengths may show more. A conflict is
//! recorded for threads that exist: with one thread a block there is none. A launch above the
//! limit of operations is not judged, and counted as such.

mod census;
mod code;
mod device;
mod evaluate;
mod finding;
mod machine;
mod memory;

pub use device::{Judge, Tally};
pub use finding::{Finding, Kind};

use obsidian_core::ir::{Kernel, Lowered, Physical};
use obsidian_core::plan::{Plan, SharedMap};
use obsidian_core::scalar::Literal;

/// What is judged: the parts of a plan.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The kernel before threads were made concrete; the census follows it.
    pub lowered: Kernel<Lowered>,
    /// The kernel as every real thread runs it.
    pub physical: Kernel<Physical>,
    /// Where its shared arrays lie.
    pub shared: SharedMap,
    /// Do all buffers begin at addresses where several elements may be accessed at once? The plan of
    /// a kernel has to be right for both.
    pub aligned: bool,
}

impl From<&Plan> for Subject {
    fn from(plan: &Plan) -> Self {
        Subject {
            lowered: plan.lowered().clone(),
            physical: plan.kernel().clone(),
            shared: plan.shared().clone(),
            aligned: true,
        }
    }
}

/// One parameter of a launch.
#[derive(Clone, PartialEq, Debug)]
pub enum Argument {
    /// The elements of a buffer, each as its bits.
    Array(Vec<u64>),
    /// A value.
    Scalar(Literal),
}

/// What a launch did.
#[derive(Clone, PartialEq, Debug)]
pub struct Judgement {
    /// What is wrong with it; none if all is well.
    pub findings: Vec<Finding>,
    /// The arguments afterwards.
    pub arguments: Vec<Argument>,
    /// The number of virtual blocks of each loop over blocks, in the order in which they began.
    pub blocks: Vec<u64>,
    /// Accesses of shared memory and of buffers that the kernel writes.
    pub accesses: u64,
}

/// The launch was too long to be judged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLong;

/// Judges one launch over `grid` real blocks, in at most `limit` operations and expressions.
///
/// # Errors
/// [`TooLong`] if that is not enough.
pub fn judge(
    subject: &Subject,
    arguments: &[Argument],
    grid: u32,
    limit: u64,
) -> Result<Judgement, TooLong> {
    std::thread::scope(|scope| {
        // Expressions may be deeper than the stack of a test.
        let run = || {
            let blocks = census::census(subject, arguments, limit)?;
            machine::run(subject, arguments, grid, limit, blocks)
        };
        let thread = std::thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, run)
            .expect("a thread can be started");
        thread
            .join()
            .unwrap_or_else(|payload| std::panic::resume_unwind(payload))
    })
}

/// Bytes of stack for expressions; only what is used costs memory.
const STACK: usize = 256 << 20;
