//! The listings of the paper (Svensson, Newton, Sheeran: A language for hierarchical data parallel
//! design-space exploration on GPUs, JFP 26 e6, 2016), sections 3 to 7, as Rust.
//!
//! Each kernel runs on the CPU and on the simulator, and its text from the macro is that of the
//! native build. Sizes are powers of two and, where the algorithm allows, others; many sizes are
//! built natively.

#![allow(missing_docs, clippy::unwrap_used)]

mod intro;
// Other tests use kernels of it that this one does not.
#[allow(dead_code)]
mod kernels;
mod mandelbrot;
mod placement;
mod reductions;
mod scans;
mod shared_bytes;
mod wait_counts;
mod weaknesses;

use obsidian_core::lower::Builder;
use obsidian_rt::Result;
use obsidian_rt::generated::build;
use obsidian_rt::prelude::*;

/// Builds a kernel of one input natively, and runs it where such kernels can be run.
fn native<T: Element, U: Element + PartialEq + std::fmt::Debug>(
    threads: u32,
    input: &[T],
    f: impl FnOnce(&mut Builder),
) -> Vec<U> {
    obsidian_tests::sweep::run(
        build("listing", threads, f).unwrap_or_else(|mistakes| panic!("{mistakes}")),
        input,
    )
}

/// `f` of each piece, one after another.
fn per_piece<T, U>(x: &[T], n: usize, f: impl Fn(&[T]) -> Vec<U>) -> Vec<U> {
    x.chunks(n).flat_map(f).collect()
}

/// The wrapping sums of consecutive pieces.
fn sums(x: &[u32], n: usize) -> Vec<u32> {
    per_piece(x, n, |c| vec![c.iter().copied().fold(0, u32::wrapping_add)])
}

/// Runs a test on the CPU and the simulator, and by the judge.
fn on_devices(test: impl Fn(&Device) -> Result<()>) {
    let judge = obsidian_judge::Judge::default().device();
    for device in [
        Device::cpu(),
        Device::cpu_by_columns(),
        Device::simulator(),
        judge,
    ] {
        test(&device).unwrap_or_else(|error| panic!("{}: {error}", device.name()));
    }
}
