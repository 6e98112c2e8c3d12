//! Running kernels: devices, buffers, launches.
//!
//! A [`Device`] holds [`Buffer`]s and runs kernels on them. What `#[kernel]` generates is a typed `launch` function over
//! this crate; a [`Kernel`] is the same kernel as a value, with its CUDA text and what it needs.
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
//! There are two devices: [`Device::cpu`], which runs on all cores the Rust that the macro has made, and
//! [`Device::simulator`], which follows every thread of the GPU's plan. [`Device::best`] lets the
//! environment choose. No launch and no mistake in one panics: everything that can go wrong is an [`Error`].
#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)]

#[doc(hidden)]
pub mod backend;
mod buffer;
mod device;
mod element;
mod error;
pub mod errors;
#[doc(hidden)]
pub mod generated;
mod kernel;
pub mod language;
mod launch;
pub mod names;
pub mod tutorial;
mod typed;

pub use buffer::Buffer;
pub use device::Device;
pub use element::Element;
pub use error::{Error, ErrorKind, Result};
pub use kernel::Kernel;
pub use obsidian_core::simulate::{AccessKind, ArrayTraffic, Counts, Instructions, Space, Traffic};
pub use typed::{KernelFn, LaunchElement, LaunchParameter, LaunchResult, Parameters, TypedKernel};

pub use obsidian_macros::{kernel, kernels};

/// What a program with kernels names: devices, buffers, and the attributes. The language itself is in scope inside of
/// `#[kernels]` modules, and in [`language`].
pub mod prelude {
    pub use crate::{Buffer, Device, Element, Error, ErrorKind, Kernel, TypedKernel, kernel, kernels};
}
