//! CUDA compilers as programs of this machine: found, asked for their version, and run so that
//! nothing they do goes unnoticed.
//!
//! Build scripts and programs that compile kernels while they run call nvcc here, or with the feature `nvrtc` NVIDIA's compiler as a library. It is a driver of
//! some six processes, and can be absent, broken, killed, or out of disk space; [`Nvcc::compile`]
//! turns each of these into an [`Error`] of its kind, with the compiler's own words. It writes into
//! a private folder under names without spaces, and returns the result as bytes, which the
//! caller writes where they belong. Whatever it started is gone when the call returns.

#![warn(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr
)]
#[doc(hidden)]
pub mod engine;
mod error;
mod nvcc;
#[doc(hidden)]
#[cfg(all(feature = "nvrtc", unix))]
pub mod nvrtc;
mod output;
mod process;
mod words;
mod workplace;

pub use error::{Error, ErrorKind};
pub use nvcc::{Form, Nvcc, VARIABLES};
