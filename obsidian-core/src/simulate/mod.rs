//! The reference: runs a [`Plan`] statement by statement, and finds what no device may do.
//!
//! Blocks run one after another. The threads of a block step through the statements together: each
//! operation is done by all threads that have reached it, in order of their numbers, before any
//! thread goes on to the next. Shared memory is bytes, laid out as the plan says. What an operator
//! means is taken from [`meaning`](crate::scalar::meaning).
//!
//! The order in which threads are stepped hides nothing: a run ends with a [`Fault`] at the first
//!
//! - **race**: two accesses of one place by two threads, one of them a store, which no wait orders
//!   in which both took part. A wait of the block orders all its threads, one of a warp the lanes
//!   of that warp, and nothing else orders threads: neither lockstep nor the order of this
//!   simulator. So a run without a race has the same results in every order of threads. Places are
//!   bytes of shared memory, so that two arrays which lie in the same memory one after the other
//!   count, and elements of buffers. No wait orders two *virtual* blocks, whichever real blocks
//!   work through them;
//! - **uninitialised read**: of an element of a shared, held or output array in which nothing has
//!   been stored since the array was allocated, also where its memory still holds, or holds again,
//!   what belongs to another array;
//! - **second write** at an index that the user promises to be distinct: of an element that another
//!   virtual thread wrote there since the last wait, also if both are one real thread; of an output,
//!   of any element that has been written. An element of such an output that nothing has written
//!   when the last block ends is a fault too;
//! - access outside of an array, wait that not all threads of its unit reach, use of a value that
//!   comes of index arithmetic which is marked exact and is not, and loop that does not end.
//!
//! A run that ends well gives its [`Counts`]: what the hardware would have been asked for, by
//! warps.
//!
//! | file | what it does |
//! |---|---|
//! | `program`, `expression` | the kernel as lists of operations on columns, one cell a thread |
//! | `execute`, `evaluate` | statements and operations, for all active threads (`lanes`) at once |
//! | `exact` | index arithmetic that leaves its range |
//! | `memory`, `race`, `request` | arrays, lifetimes, and who accessed what when; `request` for all lanes of an access |
//! | `access`, `counts` | requests of warps, and what they cost |

mod access;
mod counts;
mod evaluate;
mod exact;
mod execute;
mod expression;
mod fault;
mod follow;
mod lanes;
mod memory;
mod program;
mod race;
mod request;

pub use access::Access;
pub use fault::{Fault, FaultKind};
pub use obsidian_base::counts::{AccessKind, ArrayTraffic, Counts, Instructions, Space, Traffic};

use crate::error::Origin;
use crate::ir::ParameterKind;
use crate::ordered::Map;
use crate::plan::Plan;
use crate::scalar::Literal;

/// What a kernel is given for one parameter.
pub enum Argument<'a> {
    /// The elements of a buffer, each as its [bits](Literal::bits).
    Array(&'a mut [u64]),
    /// The elements of a buffer that the kernel only reads, wherever they lie.
    Read(&'a dyn Source),
    /// A value of the parameter's type.
    Scalar(Literal),
}

/// Elements that a run reads where they lie, without a copy of all of them.
pub trait Source {
    /// How many there are.
    fn len(&self) -> usize;

    /// Are there none?
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The [bits](Literal::bits) of one of them; `element` is below [`len`](Source::len).
    fn bits(&self, element: usize) -> u64;
}

impl std::fmt::Debug for Argument<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Argument::Array(elements) => f.debug_tuple("Array").field(elements).finish(),
            Argument::Read(elements) => f.debug_tuple("Read").field(&elements.len()).finish(),
            Argument::Scalar(value) => f.debug_tuple("Scalar").field(value).finish(),
        }
    }
}

/// Runs the plan's kernel on `grid` real blocks; the arguments are in the order of the parameters.
///
/// # Errors
///
/// See [`FaultKind`]. The buffers then hold what was written until the fault.
pub fn run(plan: &Plan, arguments: &mut [Argument<'_>], grid: u32) -> Result<Counts, Fault> {
    run_showing(plan, arguments, grid, &mut |_| {})
}

/// A value that a thread shows.
#[derive(Clone, PartialEq, Debug)]
pub struct Shown<'a> {
    /// Its name.
    pub name: &'a str,
    /// The value.
    pub values: Vec<Literal>,
    /// The real block.
    pub block: u32,
    /// The real thread of the block.
    pub thread: u32,
    /// Where it was asked for.
    pub origin: Origin,
}

/// The same, with something that is given each value that the kernel shows (`show!`).
///
/// # Errors
///
/// As of [`run`].
pub fn run_showing(
    plan: &Plan,
    arguments: &mut [Argument<'_>],
    grid: u32,
    show: &mut dyn FnMut(&Shown<'_>),
) -> Result<Counts, Fault> {
    let program = program::Program::new(plan.kernel());
    are_only_read(plan, &program, arguments)?;
    let (globals, scalars) = memory::bind(plan, arguments)?;
    let mut machine = execute::Machine::new(plan, &program, globals, &scalars, grid, show);
    for block in 0..grid {
        machine.block(block)?;
    }
    machine.finish()
}

/// What some blocks of a grid have done.
#[derive(Debug)]
pub struct Sampled {
    /// The counts of each block that ran, in order.
    pub blocks: Vec<Counts>,
    /// By parameter: the elements that the blocks have written, in order, one as often as it was written.
    pub written: Vec<Vec<u32>>,
}

/// Runs some blocks of a grid of `grid` real blocks, one after the other in the order of the list.
///
/// It finds what [`run`] finds, as far as it is seen in these blocks: not a race with a block that does not
/// run, and not an output of which other blocks write no element. A kernel whose blocks wait for what
/// others write must have those in the list before it. An array that is [only read](Argument::Read)
/// must be one that the kernel does not write.
///
/// # Errors
///
/// As of [`run`], and [`FaultKind::Arguments`] for a block that is not in the grid, or an array that the kernel writes and was given to be
/// read only.
pub fn run_some(
    plan: &Plan,
    arguments: &mut [Argument<'_>],
    grid: u32,
    blocks: &[u32],
) -> Result<Sampled, Fault> {
    if let Some(block) = blocks.iter().find(|block| **block >= grid) {
        let message = format!("block {block} is not one of {grid}");
        return Err(Fault::new(FaultKind::Arguments, message));
    }
    let program = program::Program::new(plan.kernel());
    are_only_read(plan, &program, arguments)?;
    let (globals, scalars) = memory::bind(plan, arguments)?;
    let mut show = |_: &Shown<'_>| {};
    let mut machine = execute::Machine::new(plan, &program, globals, &scalars, grid, &mut show);
    machine.memory.written = Some(Map::new());
    let mut counts = Vec::with_capacity(blocks.len());
    for block in blocks {
        machine.block(*block)?;
        counts.push(machine.take_counts());
    }
    let mut written = machine.memory.written.take().unwrap_or_default();
    let mut of = |kind| match kind {
        ParameterKind::Array(array) => written.remove(&array).unwrap_or_default(),
        ParameterKind::Scalar(_) => Vec::new(),
    };
    Ok(Sampled {
        blocks: counts,
        written: plan
            .kernel()
            .parameters
            .iter()
            .map(|parameter| of(parameter.kind))
            .collect(),
    })
}

/// Checks that the kernel does not write what it is given to read.
fn are_only_read(
    plan: &Plan,
    program: &program::Program,
    arguments: &[Argument<'_>],
) -> Result<(), Fault> {
    for (parameter, argument) in plan.kernel().parameters.iter().zip(arguments) {
        if let (ParameterKind::Array(array), Argument::Read(_)) = (parameter.kind, argument)
            && (program.has(array, AccessKind::Write) || program.has(array, AccessKind::Atomic))
        {
            let name = &plan.kernel().tables.array(array).name;
            let message = format!("`{name}` is written, and was given to be read");
            return Err(Fault::new(FaultKind::Arguments, message));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
