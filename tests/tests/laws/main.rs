//! The functions of the library against what `Vec` does, on every device, at odd sizes and numbers
//! of threads.
//!
//! Each function has a kernel, whose texts from the macro and from the native build must agree,
//! and, where sizes matter, a native build for each size.

#![allow(missing_docs, clippy::unwrap_used)]

mod arrays;
mod mutable;
mod outputs;
mod sequential;

use obsidian_core::lower::Builder;
use obsidian_core::pipeline::{self, Options};
use obsidian_rt::prelude::*;

/// Numbers of threads: one, a partial warp, a warp and one thread, several warps, three warps and a
/// part.
pub const THREADS: [u32; 5] = [1, 7, 33, 64, 100];

/// `check!(path::kernel[piece](x, y) => expected)`: holds a kernel to what is expected of its
/// inputs, [`numbers`] of which each is another part; `(x = f)` is `f` of those numbers.
macro_rules! check {
    ($($module:ident)::+ [$piece:expr] ($($input:ident $(= $f:expr)?),+) => $expected:expr) => {{
        use $($module)::+ as kernel;
        obsidian_tests::hold(
            &kernel::kernel(),
            kernel::CUDA,
            $piece,
            |built, device, length| {
                crate::inputs!(length; $($input $(= $f)?),+);
                kernel::launch_kernel(built, device, $(&device.upload(&$input[..])?),+)
            },
            |length| {
                crate::inputs!(length; $($input $(= $f)?),+);
                $expected
            },
        );
    }};
}
pub(crate) use check;

/// Defines inputs of so many elements.
macro_rules! inputs {
    ($length:expr; $($input:ident $(= $f:expr)?),+) => {
        let mut all = crate::numbers(4 * $length as u32).into_iter();
        $(
            let $input: Vec<u32> = all.by_ref().take($length).collect();
            $(let $input: Vec<_> = $input.into_iter().map($f).collect();)?
        )+
    };
}
pub(crate) use inputs;

/// Builds a kernel of one input natively, and runs it where such kernels can be run.
pub fn native<T: Element, U: Element + PartialEq + std::fmt::Debug>(
    threads: u32,
    input: &[T],
    f: impl FnOnce(&mut Builder),
) -> Vec<U> {
    let plan = pipeline::build(
        "law",
        &Options {
            threads,
            ..Options::default()
        },
        f,
    );
    obsidian_tests::sweep::run(plan.unwrap_or_else(|d| panic!("{d}")), input)
}

/// Numbers that are easy to tell apart.
pub fn numbers(n: u32) -> Vec<u32> {
    (0..n).map(|i| i.wrapping_mul(2_654_435_761) >> 7).collect()
}
