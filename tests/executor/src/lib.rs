//! Runs CUDA texts on a CPU, to find what is wrong with them: the very text that is emitted,
//! compiled by `g++` as C++ with a small header.
//!
//! A [`Program`] is an executable made of one text or many. It runs as a process of its own, a
//! [`Worker`], which takes [`Job`]s: so a crash, an endless loop or AddressSanitizer, which all end
//! a process, end no test. The threads of a block are fibres. One runs at a time until it waits,
//! and the [`Order`] says which one is next; each launch is run in three orders, over more and
//! fewer real blocks, and all must give the same result (a kernel for which that is no mistake can
//! be run in one order, [`Executor::in_order`]). What it finds:
//!
//! - a wait that not all threads reach, or two different ones; a lane that `__syncwarp` or a
//!   collective names and that does not come, or that comes without being named; a value that is
//!   read from a lane which takes no part;
//! - a wait that is missing, wherever a thread reads another value in one of the orders;
//! - an index outside of a buffer; in the debug layout ([`obsidian_core::emit::cuda_debug`]),
//!   outside of a shared array;
//! - memory that is read and was never written: it holds another pattern in each run;
//! - a kernel that does not end.
//!
//! [`Executor`] makes it a device, so that kernels run here by their usual typed launches:
//!
//! ```
//! use obsidian_executor::Executor;
//! use obsidian_rt::{TypedKernel, language::*};
//!
//! # fn main() -> obsidian_rt::Result<()> {
//! let sums = TypedKernel::build("sums", 64, |input: DPull<EU32>| {
//!     input.split_up(4).as_grid_map(|piece| exec_block(pure(fold1(|a, b| a + b, piece).push())))
//! })?;
//! let Some(executor) = Executor::find() else { return Ok(()) }; // there is no g++
//! let device = executor.device();
//! let input = device.upload(&[1u32, 2, 3, 4])?;
//! assert_eq!(sums.launch(&device, &input)?.to_vec()?, [10]);
//! # Ok(())
//! # }
//! ```

mod compiler;
mod device;
mod failure;
mod job;
mod program;
mod worker;

pub use compiler::Compiler;
pub use device::Executor;
pub use failure::Failure;
pub use job::{Argument, Job, Order, Run};
pub use program::{Program, Text};
pub use worker::Worker;
