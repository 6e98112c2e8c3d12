//! The hierarchy: threads, warps, blocks and the grid.
//!
//! Every program and every push array has a level: who executes it. An array of push arrays of one
//! level can be laid out over the level above, or done in order at the same level:
//!
//! | function | inner arrays of | done by |
//! |---|---|---|
//! | [`as_grid_map`](crate::language::Pull::as_grid_map) | Block | a block each |
//! | [`as_block_map`](crate::language::Pull::as_block_map) | Thread | a thread each |
//! | | Warp | a warp each |
//! | | Block | the block, one after another |
//! | [`as_warp_map`](crate::language::Pull::as_warp_map) | Thread | a lane each |
//! | [`as_thread_map`](crate::language::Pull::as_thread_map) | Thread | the thread, one after another |
//!
//! The result is one push array: the inner ones behind each other. `exec_thread`, `exec_warp` and
//! `exec_block` run a program that has a push array as its result, and say its level on the way;
//! `exec_thread_value` and its like take a program with a single element.
//!
//! Inner arrays of a matrix lie side by side in it: a matrix of `exec_thread_value(..)` has a thread for each element, as
//! [`two_dimensions`](super::two_dimensions#a-loop-for-each-element) shows.
//!
//! The function below sums at any level: which one is a type parameter. The kernel uses it at
//! three. Each thread sums 4 elements, each warp the 32 sums of its lanes, and the block the sums
//! of 4 warps.
//!
//! ```
//! use obsidian_rt::prelude::*;
//!
//! #[kernels]
//! pub mod sums {
//!     /// Tree reduction of a power of two.
//!     fn sum<L: Compute>(arr: Pull<EU32>) -> Program<L, Push<L, EU32>> {
//!         if arr.len() == 1 {
//!             return pure(arr.push());
//!         }
//!         let (a, b) = arr.halve();
//!         let arr = compute(zip_with(|x, y| x + y, a, b))?;
//!         sum::<L>(arr)
//!     }
//!
//!     /// A warp's 128 elements: four a lane, then the lanes.
//!     fn sum_of_lanes(arr: Pull<EU32>) -> Program<Warp, Push<Warp, EU32>> {
//!         let lanes = compute(arr.coalesce(4).as_warp_map(|four| exec_thread_value(seq_reduce(|x, y| x + y, four))))?;
//!         sum::<Warp>(lanes)
//!     }
//!
//!     #[kernel(threads = 128)]
//!     pub fn sums_of_512(input: DPull<EU32>) -> DPush<Grid, EU32> {
//!         input.split_up(512).as_grid_map(|piece| {
//!             let warps = compute(piece.split_up(128).as_block_map(|part| exec_warp(sum_of_lanes(part))));
//!             exec_block(warps.and_then(|warps| sum::<Block>(warps)))
//!         })
//!     }
//! }
//!
//! # fn main() -> obsidian_rt::Result<()> {
//! let device = Device::cpu();
//! let input = device.upload(&(0..1024).collect::<Vec<u32>>())?;
//! assert_eq!(sums::sums_of_512::launch(&device, &input)?.to_vec()?, [130816, 392960]);
//! # obsidian_rt::generated::shown("sums_of_512.cu", sums::sums_of_512::CUDA);
//! # Ok(())
//! # }
//! ```
//!
#![doc = concat!("```c\n", include_str!("cuda/sums_of_512.cu"), "```")]
//!
//! # Any number of threads
//!
//! The number of threads is no part of the algorithm. Where a loop over the threads of a block has
//! more iterations than there are threads, each does several; four virtual warps on one real one
//! take turns, and each real warp has its own copy of the arrays of warps. Any number from 1 to
//! 1,024 gives the same result, and finding the best one is a matter of trying:
//!
//! ```
//! # use obsidian_rt::prelude::*;
//! # #[kernels]
//! # pub mod m {
//! #     #[kernel(threads = 128)]
//! #     pub fn kernel_of_mine(input: DPull<EU32>) -> DPush<Grid, EU32> {
//! #         input.split_up(512).as_grid_map(|piece| piece.map(|x| x + 1).push::<Block>())
//! #     }
//! # }
//! # fn main() -> obsidian_rt::Result<()> {
//! let device = Device::simulator();
//! let input = device.upload(&[41u32; 1024])?;
//! for threads in [32, 33, 64, 128, 1000] {
//!     let kernel = m::kernel_of_mine::kernel().with_threads(threads)?;
//!     let output = m::kernel_of_mine::launch_kernel(&kernel, &device, &input)?;
//!     assert_eq!(output.to_vec()?, [42; 1024]);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # Levels are checked
//!
//! A block inside a block, a warp program pushed by a thread, `compute` at Grid: each is a compile
//! error at the word that is wrong, with what to write instead. The page
//! [`rejected`](super::rejected) has them.
