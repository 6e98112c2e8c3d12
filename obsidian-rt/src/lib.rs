//! Running kernels: devices, buffers, launches.
//!
//! A [`Device`] holds [`Buffer`]s and runs kernels on them. What `#[kernel]` generates is a typed
//! `launch` function over this crate; a [`Kernel`] is the same kernel as a value, with its CUDA
//! text and what it needs.
//!
//! ```
//! use obsidian_rt::prelude::*;
//!
//! # fn main() -> obsidian_rt::Result<()> {
//! let device = Device::cpu();
//! let buffer = device.upload(&[1i32, 2, 3])?;
//! assert_eq!(buffer.to_vec()?, [1, 2, 3]);
//! # Ok(())
//! # }
//! ```
//!
//! There are three devices: [`Device::cuda`], which is a GPU, [`Device::cpu`], which runs on all
//! cores the Rust that the macro has made, and [`Device::simulator`], which follows every thread of
//! the GPU's plan. [`Device::best`] takes a GPU if there is one, else the CPU, and lets the
//! environment choose. No launch and no mistake in one panics: everything that can go wrong is an
//! [`Error`].
//!
//! # GPUs
//!
//! They need the feature `cuda`, and a program that is built with it needs nothing of CUDA: the
//! driver is opened by its name when [`Device::cuda`] is first called, and where there is none that
//! is an [`ErrorKind::NoDriver`]. Kernels come as PTX from a build script (`#[kernels(built)]`), or
//! are compiled by NVRTC or nvcc when they are first launched, and kept for the next time. The
//! module `compile` says where the compilers are looked for; with the feature of that name it is
//! there without `cuda`, too.
//!
//! To *build* with the feature, the crate `cust` below wants to find a CUDA installation. Where
//! there is one, nothing is to be done. Where there is none, make a folder with an empty folder
//! `lib64` in it, and name it in `.cargo/config.toml`, as this repository does:
//!
//! ```toml
//! [env]
//! CUDA_LIBRARY_PATH = { value = "no-cuda", relative = true }
//! ```
//!
//! Launches come back before they are done. What goes wrong in one is the error of a later call,
//! [`Device::synchronize`] among them, and names the kernel that was launched last. Errors such as
//! an illegal address take everything with them that the process has on that GPU: from then on each
//! call is an [`ErrorKind::LostContext`] that says what did it. [`Stream`]s are queues of their
//! own.
#![warn(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr
)]

#[doc(hidden)]
pub mod backend;
mod buffer;
#[cfg(all(feature = "compile", unix))]
pub mod compile;
mod device;
mod element;
mod error;
pub mod errors;
#[cfg(feature = "explore")]
pub mod explore;
#[doc(hidden)]
pub mod generated;
mod kernel;
pub mod language;
mod launch;
pub mod names;
mod pinned;
mod properties;
mod stream;
mod tuner;
pub mod tutorial;
mod typed;
mod variant;

pub use buffer::Buffer;
pub use device::Device;
pub use element::Element;
pub use error::{Error, ErrorKind, Result};
pub use kernel::Kernel;
pub use obsidian_core::plan::Limits;
pub use obsidian_core::simulate::{AccessKind, ArrayTraffic, Counts, Instructions, Space, Traffic};
pub use obsidian_core::variants::{Choice, Tuned, TunedError, Value};
pub use pinned::Pinned;
pub use properties::Properties;
pub use stream::{Event, Stream};
pub use tuner::Tuner;
pub use typed::{KernelFn, LaunchElement, LaunchParameter, LaunchResult, Parameters, TypedKernel};
pub use variant::Variant;

pub use obsidian_macros::{kernel, kernels};

/// What a program with kernels names: devices, buffers, and the attributes. The language itself is
/// in scope inside of `#[kernels]` modules, and in [`language`].
pub mod prelude {
    pub use crate::{
        Buffer, Device, Element, Error, ErrorKind, Event, Kernel, Pinned, Stream, Tuner,
        TypedKernel, Variant, kernel, kernels,
    };
}
