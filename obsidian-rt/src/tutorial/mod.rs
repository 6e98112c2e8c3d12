//! A way through the language, in the order of the paper.
//!
//! | page | what it is about |
//! |---|---|
//! | [`arrays`] | whole-array programs that become kernels by themselves, and how to go from there to a kernel |
//! | [`pull`] | arrays as functions of an index: everything fuses |
//! | [`push`] | arrays as programs that write: who writes which element is yours to say |
//! | [`compute`](mod@compute) | storing an array, so that other threads can read it |
//! | [`hierarchy`] | threads, warps, blocks and the grid, in the types |
//! | [`fold_order`] | in which order a fold combines elements, to the bit |
//! | [`reductions`] | seven reductions, step by step, with what the simulator counts after each |
//! | [`scans`] | two networks, chains of them, and scans of any length |
//! | [`collectives`] | reductions, scans and sorts in one word, by shuffles |
//! | [`registers`] | arrays in registers, lanes that read each other, and loops over tiles |
//! | [`two_dimensions`] | pictures, matrices and volumes: tiles, borders, loops for each element, sums of rows, products, halos in shared memory |
//! | [`steps`] | loops of launches between two buffers: memory that is made once |
//! | [`variants`] | one kernel at several numbers of threads and other values, and choosing among them |
//! | [`functions`] | your own Rust function on the device, and on each element of a range |
//! | `beyond_memory`, with the feature `sequence` | data that does not fit in memory: files, chunks, folds and scans over all of them |
//! | `members`, with the feature `shard` | more than one device, more than one machine |
//! | [`front_end`] | programs that read other programs: arrays whose shapes and types are known when they run |
//! | [`rejected`] | what is not accepted, and why |
//! | [`own_crate`] | a crate of your own |
//!
//! A program with kernels needs no feature of `obsidian-rt`. What builds kernels while the program runs needs `features = ["run-time"]`: the simulator,
//! [`TypedKernel`](crate::TypedKernel), [`ArrayProgram::build`](crate::arrays::ArrayProgram::build), other numbers of threads.
//!
//! Each piece of code on these pages runs, on the CPU or on the simulator, when the documentation
//! is tested; below most of it stands the CUDA that was generated from it, whole. Nothing is left out there
//! but the helper functions that a file begins with, if it needs some.
//!
//! The paper is Svensson, Newton and Sheeran, *A language for hierarchical data parallel
//! design-space exploration on GPUs*, JFP 26, e6,
//! 2016. Its names and ours stand side by side in [`names`](crate::names).
//!
//! # A function of each element
//!
//! The shortest kernel that is of use: `x * x` of each element of an array of any length. A block takes 256 elements at once. The last
//! piece is filled up with zeros, which are not written: `take` gives as many elements as there are.
//!
//! ```
//! use obsidian_rt::prelude::*;
//!
//! #[kernels]
//! pub mod first {
//!     /// The square of each number.
//!     #[kernel]
//!     pub fn squares(x: DPull<EF32>) -> DPush<Grid, EF32> {
//!         let squares = x.map(|x| x * x);
//!         squares.chunks(256, 0.0).as_grid_map(|piece| piece.push()).take(x.len())
//!     }
//! }
//!
//! # fn main() -> obsidian_rt::Result<()> {
//! let device = Device::cpu();
//! let x = device.upload(&[1.0f32, 2.0, 3.0])?;
//! assert_eq!(first::squares::launch(&device, &x)?.to_vec()?, [1.0, 4.0, 9.0]);
//! # obsidian_rt::generated::shown("squares.cu", first::squares::CUDA);
//! # Ok(())
//! # }
//! ```
//!
#![doc = concat!("```c\n", include_str!("cuda/squares.cu"), "```")]
//!
//! # Two stages
//!
//! A function in a `#[kernels]` module runs when the crate is compiled. What it computes with
//! ordinary Rust values (`u32`, `bool`, tuples, closures, loops) happens then, and is gone
//! afterwards. What it computes with device values (`EU32`, `EF32`, .., all of them
//! [`Exp`](crate::language::Exp)) becomes code of the kernel. An array of static length
//! (`Pull<EI32>`) has a `u32` for its length, so that code can recurse on it; one of dynamic length
//! (`DPull<EI32>`) has an `EU32`, which is known when the kernel is launched.
//!
//! A literal is a device value where one is wanted: the `1` below is an `EI32`, because that is what
//! `power` gives. A variable of Rust needs `lit(x)`.
//!
//! ```
//! use obsidian_rt::prelude::*;
//!
//! #[kernels]
//! pub mod powers {
//!     // `n` is a host value: the recursion happens while this compiles.
//!     fn power(n: u32, x: EI32) -> EI32 {
//!         if n == 0 { 1 } else { x * power(n - 1, x) }
//!     }
//!
//!     #[kernel(threads = 64)]
//!     pub fn cubes(input: DPull<EI32>) -> DPush<Grid, EI32> {
//!         input.split_up(64).as_grid_map(|piece| piece.map(|x| power(3, x)).push::<Block>())
//!     }
//! }
//!
//! # fn main() -> obsidian_rt::Result<()> {
//! let device = Device::cpu();
//! let input = device.upload(&(0..64).collect::<Vec<i32>>())?;
//! assert_eq!(powers::cubes::launch(&device, &input)?.to_vec()?[..4], [0, 1, 8, 27]);
//! # obsidian_rt::generated::shown("cubes.cu", powers::cubes::CUDA);
//! # Ok(())
//! # }
//! ```
//!
#![doc = concat!("```c\n", include_str!("cuda/cubes.cu"), "```")]
//!
//! # What a build costs
//!
//! The first build of a crate with this library takes about one minute of CPU time, most of it for the compiler of kernels, which the macro has; with the feature `run-time`
//! it is compiled for the program, too, and that takes two. After an edit, one
//! kernel takes a tenth of a second, and an array program of ten operators up to a second: Cargo does not optimise macros. With
//!
//! ```toml
//! [profile.dev.build-override]
//! opt-level = 1
//! ```
//!
//! in `Cargo.toml` a first check takes two and a half minutes more, and each later one less than half of the time. [`guide::platforms`](crate::guide::platforms) has the figures.
//!
//! Start with [`pull`].

pub mod arrays;
#[cfg(feature = "sequence")]
pub mod beyond_memory;
pub mod collectives;
pub mod compute;
pub mod fold_order;
pub mod front_end;
pub mod functions;
pub mod hierarchy;
#[cfg(feature = "shard")]
pub mod members;
pub mod own_crate;
pub mod pull;
pub mod push;
pub mod reductions;
pub mod registers;
pub mod rejected;
pub mod scans;
pub mod steps;
pub mod two_dimensions;
pub mod variants;
