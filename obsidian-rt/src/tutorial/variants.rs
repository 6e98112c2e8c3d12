//! Variants of a kernel, and choosing among them.
//!
//! How many threads a block has, how many elements a thread takes: such numbers are fixed while a
//! kernel is built, and which are best is known only on the device. A kernel's signature may begin
//! with integers and booleans of the host, its *specialisation parameters*. `#[kernel(..)]` gives
//! each its values by its name, one or a list, as it does with `threads`. Every combination is a
//! *variant*: evaluated, checked and printed while the crate compiles, with CPU code, so that it
//! runs on every device. The first value of each list is the default. `min_blocks = [1, 4, 8]` is
//! such a list too: how many blocks a multiprocessor should be able to hold at once, by which nvcc
//! bounds the registers of a thread.
//!
//! ```
//! use obsidian_rt::{Tuned, prelude::*};
//!
//! #[kernels]
//! pub mod means {
//!     /// Sums of 1,024 elements; a thread begins with `seq` of them.
//!     #[kernel(threads = [32, 128], seq = [4, 16])]
//!     pub fn sums(seq: u32, input: DPull<EU32>) -> DPush<Grid, EU32> {
//!         input.split_up(1024).as_grid_map(|run| exec_block(sum(seq, run)))
//!     }
//!
//!     fn sum(seq: u32, run: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
//!         let parts = run.coalesce(seq).as_block_map(|own| exec_thread_value(seq_reduce(|a, b| a + b, own)));
//!         let parts = compute(parts)?;
//!         pure(fold1(|a, b| a + b, parts).push())
//!     }
//! }
//! use means::sums;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! assert_eq!(sums::variants().len(), 4);
//! assert_eq!(sums::kernel().name(), "sums_threads32_seq4");
//!
//! // Every variant on the simulator, for what it would cost on a GPU; a device's times serve as well.
//! let device = Device::simulator();
//! let input = device.upload(&[3u32; 4096])?;
//! let mut tuned = Tuned::new();
//! let mut best: Option<(u64, &'static Variant)> = None;
//! for variant in sums::variants() {
//!     let (output, counts) = device.counted(|device| sums::launch_variant(variant, device, &input))?;
//!     assert_eq!(output.to_vec()?, [3 * 1024; 4]);
//!     let cost = counts.instructions.total() + counts.buffers.sectors;
//!     if best.is_none_or(|(least, _)| cost < least) {
//!         best = Some((cost, variant));
//!     }
//! }
//! if let Some((_, variant)) = best {
//!     variant.choose_in(&mut tuned, Some("simulator"), 0)?;
//! }
//!
//! // A tuned file is text. `Tuned::write` and `Tuner::read` take a path.
//! let tuner = Tuner::parse(&tuned.to_string(), sums::variants())?;
//! let output = sums::launch_variant(tuner.pick(&device, input.len()), &device, &input)?;
//! assert_eq!(output.to_vec()?, [3 * 1024; 4]);
//! // On another device nothing was chosen: it is the default.
//! assert_eq!(tuner.pick(&Device::cpu(), input.len()).name(), "sums_threads32_seq4");
//! # obsidian_rt::generated::shown("variants.cu", sums::variants()[3].cuda());
//! # Ok(())
//! # }
//! ```
//!
//! The last of them, `sums::variants()[3].cuda()`:
//!
#![doc = concat!("```c\n", include_str!("cuda/variants.cu"), "```")]
//!
//! # A file that the crate is built with
//!
//! With `#[kernels(built)]` and a [build script](super::own_crate), `#[kernel(tuned =
//! "tuned.txt")]` names such a file, from the folder of the package. The build script reads it, and
//! `launch` then takes the variant that is chosen for its device and for the longest array that it
//! is given. `kernel()` has neither to go by, and is the choice for any device and the largest
//! size. What the file has no line for is the default's. A file of this kind:
//!
//! ```text
//! obsidian-tuned 1
//!
//! kernel sums 5f0e3c1a9b7d2e44
//! any from 0: threads = 32, seq = 16
//! "simulator" from 0: threads = 32, seq = 4
//! "simulator" from 65536: threads = 128, seq = 16
//!
//! end
//! ```
//!
//! A line has the model of a device, as [`Device::model`](crate::Device::model) gives it, the least
//! size, and the values. `any` is for devices that have no lines of their own. After `kernel`
//! stands the hash of the module's tokens: when they change, the build goes on with a warning, as
//! every variant is right, only maybe not the fastest any more. Values that no variant has, or a
//! file without the kernel, are errors. Tune first, and name the file when it is there: naming it
//! does not change the hash. The example `tuning` is a crate that does all of this.
//!
//! # What it costs, and what it is not for
//!
//! A variant takes the macro as long as a kernel of its own, some milliseconds, and then the
//! compiler has its CPU code to translate, which takes longer: for a small reduction 40 ms, and 140
//! ms in a release build. Variants that differ in threads alone share that code. 1,024 variants are
//! the limit.
//!
//! If one of them cannot be built (a size that does not divide, too much shared memory), that is an
//! error that names its values: there is no syntax for leaving some combinations out. Lists are for
//! the few shapes that a program is shipped with. To search through hundreds, with constraints
//! between them, build the same functions while the program runs, by
//! [`TypedKernel`](crate::TypedKernel), and declare the ones that win.
//!
//! An output may have another length in each variant, as when `input.split_up(seq)` gives one
//! element a piece. A caller of `launch` on a tuned kernel should not be able to tell variants
//! apart: keep such numbers out of what a kernel gives.
