//! Write GPU kernels as ordinary Rust functions over arrays; run them on a GPU, on all cores of the
//! CPU, or on a simulator of the GPU.
//!
//! On stable Rust, and with no CUDA installed, [`#[kernels]`](macro@kernels) compiles the functions
//! of a module to readable CUDA C++, to safe multi-core Rust and to a type-checked `launch`. Data
//! races, accesses out of bounds and divergent barriers are compile errors.
//!
//! ```
//! use obsidian_rt::prelude::*;
//!
//! #[kernels]
//! pub mod vectors {
//!     /// `a * x + y`, for vectors of any length.
//!     #[kernel]
//!     pub fn saxpy(a: EF32, x: DPull<EF32>, y: DPull<EF32>) -> DPush<Grid, EF32> {
//!         let sums = zip_with(|x, y| a * x + y, x, y);
//!         sums.chunks(1024, 0.0).as_grid_map(|piece| piece.push()).take(x.len())
//!     }
//! }
//!
//! # fn main() -> obsidian_rt::Result<()> {
//! let device = Device::best()?;
//! let (x, y) = (device.upload(&[1.0f32, 2.0])?, device.upload(&[10.0f32, 20.0])?);
//! let sums = vectors::saxpy::launch(&device, 2.0, &x, &y)?;
//! assert_eq!(sums.to_vec()?, [12.0, 24.0]);
//! println!("{}", vectors::saxpy::CUDA);
//! # Ok(())
//! # }
//! ```
//!
//! On an NVIDIA H100, 2,852 checks of kernels, array programs and algorithms found no wrong result; 60 more were not run for want of time.
//! The kernels of the tests are compiled by nvcc 13.0 for four architectures, executed as C++ and simulated
//! thread by thread. The only GPUs it targets are NVIDIA's.
//!
//! Integers and `+ - * /` of floats give the same bits on CUDA, the CPU and the simulator. `exp`, `ln`, `sin` and their like give the same bits
//! on the CPU and the simulator; CUDA's are within the units in the last place that NVIDIA states. [`guide::platforms`] says what runs on which
//! system, and what a build costs.
//!
//! The [`tutorial`] starts from here. [`language`] has what is in scope in a `#[kernels]` module,
//! [`errors`] explains each error by its id, and [`names`] has the names of the Haskell system. The [`guide`] has reference pages: from CUDA, from CubeCL, the Rust that is accepted, which layer to use, and what the counts mean.
//!
//! # Devices, buffers and launches
//!
//! A [`Device`] holds [`Buffer`]s and runs kernels on them. `#[kernel]` generates a typed `launch`
//! function; a [`Kernel`] is the same kernel as a value, with its CUDA text and what it needs.
//!
//! There are three devices: [`Device::cuda`] is a GPU, [`Device::cpu`] runs the Rust that the macro
//! printed on all cores, and kernels that are built at run time by columns, and
//! [`Device::simulator`], with the feature `run-time`, follows every thread of the GPU's plan.
//! [`Device::best`] takes a GPU if there is one, else the CPU; `OBSIDIAN_DEVICE=cuda:0`, `=cpu` or
//! `=simulator` chooses. No launch and no mistake in one panics: everything that can go wrong is an
//! [`Error`].
//!
//! [`Device::upload`] and [`Buffer::to_vec`] copy. [`Device::upload_vec`] and [`Buffer::into_vec`] move
//! a `Vec`, which the CPU and the simulator take over as it is.
//!
//! # Memory that a program keeps
//!
//! `launch_into` writes to existing buffers, so that a loop of launches allocates nothing.
//! [`Buffer::copy_from`], [`Buffer::copy_from_buffer`] and [`Buffer::fill`] refill a buffer, and
//! [`Buffer::to_device`] copies it to any other device. [`Buffer::slice`] and [`Buffer::split_at`]
//! lend parts of it, which launches read without a copy; [`Buffer::split_off`] makes a buffer of a part, which launches write too, and
//! [`Buffer::unsplit`] puts the parts together. Copies from and to page-locked arrays
//! ([`Device::pinned`], [`Buffer::copy_from_pinned`]) go on while the host and other streams work.
//! [`Device::record`] records a sequence of launches, and [`Recording::replay`] launches all of them by one call: a CUDA graph on a GPU.
//!
//! ```
//! use obsidian_rt::prelude::*;
//!
//! #[kernels]
//! pub mod steps {
//!     /// Half of each element.
//!     #[kernel]
//!     pub fn halved(now: DPull<EF32>) -> DPush<Grid, EF32> {
//!         now.chunks(1024, 0.0).as_grid_map(|piece| piece.map(|x| x * 0.5).push()).take(now.len())
//!     }
//! }
//!
//! # fn main() -> obsidian_rt::Result<()> {
//! let device = Device::best()?;
//! let (mut now, mut next) = (device.upload(&[1024.0f32; 100])?, device.zeros(100)?);
//! for _ in 0..10 {
//!     steps::halved::launch_into(&device, &now, &mut next)?;
//!     std::mem::swap(&mut now, &mut next);
//! }
//! assert_eq!(now.to_vec()?, [1.0; 100]);
//! # Ok(())
//! # }
//! ```
//!
//! Programs that learn the types of their kernels while they run, such as interpreters, have [`AnyBuffer`] and [`Kernel::launch`].
//!
//! # Kernels that are built while the program runs
//!
//! What the macros have made needs no compiler in the program. With the feature `run-time` the compiler is there: [`TypedKernel::build`] and
//! [`ArrayProgram::build`](arrays::ArrayProgram::build) make kernels of closures, [`Kernel::with_threads`] builds one for another number of threads, and
//! [`Device::simulator`] follows kernels step by step. It is off by default, because the compiler takes most of the time of a first build; a call
//! of what is not there is a compile error that names the feature. The features `algorithms`, `explore`, `sequence` and `shard` bring it.
//!
//! ```toml
//! obsidian-rt = { version = "0.1", features = ["run-time"] }
//! ```
//!
//! # Algorithms in one call
//!
//! With the feature `algorithms`, `obsidian_rt::algorithms` has `sum`, `reduce`, scans, `copy_if`, `histogram`, sorts and others as functions over buffers, arrays
//! and slices, on any device: `algorithms::reduce(&device, &xs, |x, y| x.max(y), 0.0)?`. It is off by default, because the usual operators are compiled with the
//! crate.
//!
//! # Data larger than memory
//!
//! With the feature `sequence`, `obsidian_rt::sequence` has sequences that are read, computed and consumed chunk by chunk:
//! `Sequence::file::<f32>("x.bin")?.map(|x| x * x).sum().run(&device)?`. It is off by default.
//!
//! # Several devices, several machines
//!
//! With the feature `shard`, `obsidian_rt::shard` has arrays in blocks of rows on several devices of a process, or of several processes. It is off by default.
//!
//! # Arrays and structs of other crates
//!
//! With the feature `ndarray`, `Device::upload_ndarray` takes an `ndarray::Array` and `Buffer::to_ndarray` gives one of the shape that
//! you name. With the feature `bytemuck`, `Device::upload_pod` takes structs that are `bytemuck::Pod` as runs of elements, and
//! `Buffer::to_pod` gives them back. Both are off by default; the modules of these names have an example each
//! (`cargo doc -p obsidian-rt --features ndarray,bytemuck`). There are no
//! elements of 16-bit floats; `half::f16` is `Pod`, and its bits go to a `Buffer<u16>`.
//!
//! # GPUs
//!
//! A GPU needs nothing of CUDA to build or start a program: the driver is opened by its name when [`Device::cuda`] is
//! first called, and where there is none that is an [`ErrorKind::NoDriver`]. (Without the feature `cuda`, which is on by default, there
//! are no GPUs.) Kernels come as PTX from a build script (`#[kernels(built)]`), or are compiled by NVRTC or nvcc when they are first
//! launched, and kept for the next time. The module `compile` says where the compilers are looked for; with the feature of that name
//! it is there without `cuda`, too.
//!
//! # Finding mistakes
//!
//! The simulator finds races, reads of what was never stored and indices out of bounds of any kernel. In programs of one thread, `assert!` works on
//! every device:
//!
//! ```
//! use obsidian_rt::{ErrorKind, prelude::*};
//!
//! #[kernels]
//! mod roots {
//!     #[kernel(threads = 64)]
//!     pub fn in_place(numbers: MGlobal<EF32>) -> Program<Grid, ()> {
//!         distr_par(numbers.len() / 64, |b| {
//!             for_all(64, |t| {
//!                 let i = b * 64 + t;
//!                 let x = numbers.read(i)?;
//!                 assert!(x >= 0.0, "roots of numbers that have one")?;
//!                 numbers.write(i, x.sqrt())
//!             })
//!         })
//!     }
//! }
//!
//! # fn main() -> obsidian_rt::Result<()> {
//! let device = Device::best()?;
//! let mut numbers = device.upload(&[-1.0f32; 64])?;
//! let launched = roots::in_place::launch(&device, &mut numbers).and_then(|()| device.synchronize());
//! let error = launched.unwrap_err();
//! assert_eq!(error.kind(), ErrorKind::Fault);
//! println!("{error}"); // kernel `in_place`: an assertion does not hold: roots of numbers that have one (at src/main.rs:11:17)
//! # Ok(())
//! # }
//! ```
//!
//! `show!(x)?` prints `x: 2.5 (block 0, thread 7)` on the simulator and on GPUs. [`#[kernel(faults)]`](macro@kernel) checks indices that
//! `unchecked()` vouches for on GPUs too. What goes wrong there is the error of the next call that waits, and the device goes on.
//!
//! # Profiling
//!
//! Under a profiler that hears of NVTX ranges, such as Nsight Systems, each launch on any device is a range with the name of the kernel and the
//! values of its variant, `sums_threads64_seq4` say, and so is each replay of recorded work. Nothing has to be set: a profiler names its
//! library in `NVTX_INJECTION64_PATH`.
//!
//! With the feature `run-time` and `OBSIDIAN_LINEINFO=1` in the environment, kernels are compiled while the program runs, from text that names the lines of your source
//! ([`Kernel::cuda_with_lines`]), and with `-lineinfo`, for profilers and debuggers.
//!
//! Other libraries get and give raw handles: `Device::raw_stream`, `Buffer::raw_pointer` and `Device::buffer_from_raw`. For
//! programs with code in the crate `cust`, the feature `cust` converts its types.
//!
//! Launches come back before they are done: [when errors come](Device#when-errors-come) is one rule for all devices. Errors such as an
//! illegal address take everything with them that the process has on that GPU: from then on each call is an
//! [`ErrorKind::LostContext`]. From a call that waits, it names the kernel that was launched last before what the call waits for. [`Stream`]s are queues of their own.
// Says beside each item of a feature which one it needs.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr
)]

// The programs of `algorithms` are a kernels module of this crate itself. Its own unit tests use none of them, and are compiled in half the
// time without.
#[cfg(all(feature = "algorithms", not(test)))]
extern crate self as obsidian_rt;

#[cfg(all(feature = "algorithms", not(test)))]
pub mod algorithms;
/// Algorithms in one call are here with the feature `algorithms`; building blocks for kernels always.
#[cfg(not(any(feature = "algorithms", test)))]
#[path = "algorithms/absent.rs"]
pub mod algorithms;
#[cfg(test)]
#[allow(missing_docs)]
pub mod algorithms {
    pub mod blocks;
}
pub mod arrays;
#[doc(hidden)]
pub mod backend;
mod buffer;
#[cfg(feature = "bytemuck")]
pub mod bytemuck;
mod columns;
#[cfg(all(feature = "compile", unix))]
pub mod compile;
mod copying;
#[cfg(feature = "cust")]
pub mod cust;
mod device;
mod element;
mod error;
pub mod errors;
mod event;
#[cfg(feature = "explore")]
pub mod explore;
#[doc(hidden)]
pub mod generated;
pub mod guide;
mod kernel;
pub mod language;
mod launch;
pub mod names;
#[cfg(feature = "ndarray")]
pub mod ndarray;
mod pinned;
#[cfg(feature = "cuda")]
mod profiler;
mod properties;
#[cfg(feature = "cuda")]
mod raw;
mod recording;
#[cfg(any(feature = "explore", all(feature = "compile", unix)))]
mod resources;
mod rows;
#[cfg(not(feature = "run-time"))]
#[doc(hidden)]
pub mod run_time;
#[cfg(feature = "sequence")]
pub mod sequence;
#[cfg(feature = "shard")]
pub mod shard;
mod stream;
mod tuner;
pub mod tutorial;
mod typed;
mod untyped;
mod variant;
mod view;

pub use buffer::Buffer;
pub use columns::{Columns, Reads};
pub use copying::Copying;
pub use device::Device;
pub use element::Element;
pub use error::{Error, ErrorKind, Result};
pub use event::Event;
pub use kernel::Kernel;
pub use obsidian_base::counts::{AccessKind, ArrayTraffic, Counts, Instructions, Space, Traffic};
pub use obsidian_base::launch::{Limits, ParameterRole};
pub use obsidian_base::variants::{Choice, Tuned, TunedError, Value};
pub use obsidian_language::scalar::ScalarType;
pub use pinned::Pinned;
pub use properties::Properties;
pub use recording::{Buffers, Recording};
pub use rows::{ColumnsOf, Fields, Rows};
pub use stream::Stream;
pub use tuner::Tuner;
pub use typed::{KernelFn, LaunchElement, LaunchParameter, LaunchResult, Parameters, TypedKernel};
pub use untyped::{AnyArgument, AnyBuffer, KernelParameter};
pub use variant::Variant;
pub use view::View;

pub use obsidian_macros::{Element, kernel, kernels};

/// The first page of the package, so that its program runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// What a program with kernels names: devices, buffers, and the attributes. The language itself is
/// in scope inside of `#[kernels]` modules, and in [`language`].
pub mod prelude {
    pub use crate::{
        Buffer, Columns, Copying, Device, Element, Error, ErrorKind, Event, Kernel, Pinned,
        Recording, Rows, Stream, Tuner, TypedKernel, Variant, View, kernel, kernels,
    };
}
