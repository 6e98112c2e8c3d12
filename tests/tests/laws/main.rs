//! The functions of the library against what `Vec` does, on every device, at odd sizes and numbers of threads.
//!
//! Each function has a kernel, whose texts from the macro and from the native build must agree, and, where sizes matter, a native
//! build for each size.

#![allow(missing_docs, clippy::unwrap_used)]

mod arrays;
mod mutable;
mod outputs;
mod sequential;

use obsidian_core::lower::Builder;
use obsidian_core::pipeline::{self, Options};
use obsidian_rt::generated::{Outputs, launch};
use obsidian_rt::prelude::*;

/// Numbers of threads: one, a partial warp, a warp and one thread, several warps, three warps and a part.
pub const THREADS: [u32; 5] = [1, 7, 33, 64, 100];

/// The devices that a kernel is tried on, with the kernel as it is built for them; its two texts are compared.
pub fn places(kernel: &Kernel) -> Vec<(Device, Kernel)> {
    assert_eq!(kernel.native().unwrap().cuda(), kernel.cuda(), "the native text of `{}` is not the macro's", kernel.name());
    obsidian_tests::keep(kernel);
    let simulated = THREADS.map(|threads| (Device::simulator(), kernel.with_threads(threads).unwrap()));
    [(Device::cpu(), kernel.clone()), (Device::simulator(), kernel.clone())].into_iter().chain(simulated).collect()
}

/// Launches a kernel everywhere and compares its output.
macro_rules! check {
    ($($module:ident)::+ ($($input:expr),*) => $expected:expr) => {{
        let expected = $expected;
        for (device, kernel) in crate::places(&$($module::)+kernel()) {
            let output = $($module::)+launch_kernel(&kernel, &device, $(&device.upload(&$input[..]).unwrap()),*).unwrap();
            let (name, threads) = (kernel.name(), kernel.threads());
            assert_eq!(output.to_vec().unwrap(), expected, "{name} on {} with {threads} threads", device.name());
        }
    }};
}
pub(crate) use check;

/// Builds a kernel of one input natively, and runs it on the simulator.
pub fn native<T: Element, U: Element>(threads: u32, input: &[T], f: impl FnOnce(&mut Builder)) -> Vec<U> {
    let plan = pipeline::build("law", &Options { threads, ..Options::default() }, f);
    let kernel = Kernel::from_plan(plan.unwrap_or_else(|d| panic!("{d}"))).unwrap();
    let device = Device::simulator();
    let input = device.upload(input).unwrap();
    let mut outputs: Outputs = launch(&kernel, &device, &mut [input.argument()]).unwrap();
    outputs.take::<U>(0).unwrap().to_vec().unwrap()
}

/// Numbers that are easy to tell apart.
pub fn numbers(n: u32) -> Vec<u32> {
    (0..n).map(|i| i.wrapping_mul(2_654_435_761) >> 7).collect()
}
