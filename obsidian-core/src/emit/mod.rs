//! From a [`Plan`](crate::plan::Plan) to text: CUDA C++, Rust for the CPU, the manifest, and the
//! constants of the launch.
//!
//! Emission cannot fail: whatever cannot be said on a device is refused before there is a plan. The
//! same plan gives the same bytes, and no order in them comes from the numbers of nodes or
//! variables.

mod checks;
pub mod cpu;
mod cuda;
mod interface;
#[cfg(test)]
mod interface_tests;
mod json;
mod manifest;
mod names;
#[cfg(test)]
pub(crate) mod samples;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod values;
mod vouched;

pub use checks::{Listed, checks, listed};
pub use cuda::{cuda, cuda_debug, cuda_with_lines, has_atomic, symbol};
pub use interface::{formula, interface};
pub use manifest::{manifest, manifest_of_build};
pub use names::{Names, identifier};
