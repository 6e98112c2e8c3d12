//! Seven reductions, one idea at a time.
//!
//! Section 6.2 of the paper takes a sum from its plainest form to one that memory alone limits, as
//! Harris's well-known slides do. Each step below changes one line. Under it stands what the
//! simulator counts for a block that sums 2,048 elements with 128 threads: 32-byte sectors moved
//! between the block and the device's memory, passes of shared memory, instructions issued for
//! warps, branches that split a warp, barriers, and bytes of shared memory. A barrier of a warp is
//! counted once for each of the four warps that reaches it. The least number of sectors is
//! 256 + 1: the input once, and the result.
//!
//! The examples `reduction` and `quickstart` have the same code with entry points and checks.
//!
//! # Reduction 1: neighbours
//!
//! ```
//! use obsidian_rt::prelude::*;
//!
//! #[kernels]
//! pub mod steps {
//!     fn red1(arr: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
//!         if arr.len() == 1 {
//!             return pure(arr.push());
//!         }
//!         let (evens, odds) = arr.even_odds();
//!         let arr = compute(zip_with(|a, b| a + b, evens, odds))?;
//!         red1(arr)
//!     }
//!
//!     #[kernel(threads = 128)]
//!     pub fn sums(input: DPull<EU32>) -> DPush<Grid, EU32> {
//!         input.split_up(2048).as_grid_map(|piece| exec_block(red1(piece)))
//!     }
//! }
//!
//! # fn main() -> obsidian_rt::Result<()> {
//! let device = Device::simulator();
//! let input = device.upload(&(0..8192).collect::<Vec<u32>>())?;
//! let (sums, counts) = device.counted(|device| steps::sums::launch(device, &input))?;
//! assert_eq!(sums.to_vec()?[..2], [2047 * 1024, 2047 * 1024 + 2048 * 2048]);
//! println!("{counts}");
//! # obsidian_rt::generated::shown_counts("red1", &steps::sums::kernel(), &counts, 4);
//! # Ok(())
//! # }
//! ```
//!
#![doc = include_str!("cuda/red1.counts.md")]
//!
//! Thread `i` reads elements `2i` and `2i + 1`. The compiler loads both at once, so a warp's request
//! uses all of the sectors that it touches; two requests of one element would each touch twice
//! the sectors that they use. In shared memory the same pattern causes bank conflicts.
//!
//! # Reduction 2: halves
//!
//! Thread `i` takes elements `i` and `i + n/2` instead, so that neighbouring threads read
//! neighbours. One word changes.
//!
//! ```
//! # use obsidian_rt::prelude::*;
//! # #[kernels]
//! # pub mod steps {
//! fn red2(arr: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
//!     if arr.len() == 1 {
//!         return pure(arr.push());
//!     }
//!     let (low, high) = arr.halve();
//!     let arr = compute(zip_with(|a, b| a + b, low, high))?;
//!     red2(arr)
//! }
//! #     #[kernel(threads = 128)]
//! #     pub fn sums(input: DPull<EU32>) -> DPush<Grid, EU32> {
//! #         input.split_up(2048).as_grid_map(|piece| exec_block(red2(piece)))
//! #     }
//! # }
//! # fn main() -> obsidian_rt::Result<()> {
//! # let device = Device::simulator();
//! # let input = device.upload(&(0..8192).collect::<Vec<u32>>())?;
//! # let (sums, counts) = device.counted(|device| steps::sums::launch(device, &input))?;
//! # assert_eq!(sums.to_vec()?[..2], [2047 * 1024, 2047 * 1024 + 2048 * 2048]);
//! # obsidian_rt::generated::shown_counts("red2", &steps::sums::kernel(), &counts, 4);
//! # Ok(())
//! # }
//! ```
//!
#![doc = include_str!("cuda/red2.counts.md")]
//!
//! # Reduction 3: the last stage is not stored
//!
//! A sum of two elements need not go through memory: one stage less.
//!
//! ```
//! # use obsidian_rt::prelude::*;
//! # #[kernels]
//! # pub mod steps {
//! fn red3(arr: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
//!     if arr.len() == 2 {
//!         return pure(singleton(arr[0] + arr[1]).push());
//!     }
//!     let (low, high) = arr.halve();
//!     let arr = compute(zip_with(|a, b| a + b, low, high))?;
//!     red3(arr)
//! }
//! #     #[kernel(threads = 128)]
//! #     pub fn sums(input: DPull<EU32>) -> DPush<Grid, EU32> {
//! #         input.split_up(2048).as_grid_map(|piece| exec_block(red3(piece)))
//! #     }
//! # }
//! # fn main() -> obsidian_rt::Result<()> {
//! # let device = Device::simulator();
//! # let input = device.upload(&(0..8192).collect::<Vec<u32>>())?;
//! # let (sums, counts) = device.counted(|device| steps::sums::launch(device, &input))?;
//! # assert_eq!(sums.to_vec()?[..2], [2047 * 1024, 2047 * 1024 + 2048 * 2048]);
//! # obsidian_rt::generated::shown_counts("red3", &steps::sums::kernel(), &counts, 4);
//! # Ok(())
//! # }
//! ```
//!
#![doc = include_str!("cuda/red3.counts.md")]
//!
//! # Reduction 4: work in sequence
//!
//! Each thread sums 8 elements by itself first, in a register. Three stages are gone, with three
//! quarters of the shared memory. They had no barriers: each thread read what it had stored. But the 8 elements lie beside each other, so that
//! the lanes of a warp read words that are 8 apart: each request touches 32 sectors. The compiler loads
//! four elements at once, so there are two such requests, and each sector moves twice instead of 8 times.
//!
//! ```
//! # use obsidian_rt::prelude::*;
//! # #[kernels]
//! # pub mod steps {
//! # fn red3(arr: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
//! #     if arr.len() == 2 {
//! #         return pure(singleton(arr[0] + arr[1]).push());
//! #     }
//! #     let (low, high) = arr.halve();
//! #     let arr = compute(zip_with(|a, b| a + b, low, high))?;
//! #     red3(arr)
//! # }
//! fn red4(arr: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
//!     let sums = arr.split_up(8).as_block_map(|eight| exec_thread_value(seq_reduce(|a, b| a + b, eight)));
//!     let arr = compute(sums)?;
//!     red3(arr)
//! }
//! #     #[kernel(threads = 128)]
//! #     pub fn sums(input: DPull<EU32>) -> DPush<Grid, EU32> {
//! #         input.split_up(2048).as_grid_map(|piece| exec_block(red4(piece)))
//! #     }
//! # }
//! # fn main() -> obsidian_rt::Result<()> {
//! # let device = Device::simulator();
//! # let input = device.upload(&(0..8192).collect::<Vec<u32>>())?;
//! # let (sums, counts) = device.counted(|device| steps::sums::launch(device, &input))?;
//! # assert_eq!(sums.to_vec()?[..2], [2047 * 1024, 2047 * 1024 + 2048 * 2048]);
//! # obsidian_rt::generated::shown_counts("red4", &steps::sums::kernel(), &counts, 4);
//! # Ok(())
//! # }
//! ```
//!
#![doc = include_str!("cuda/red4.counts.md")]
//!
//! # Reductions 5 to 7: in sequence, and coalesced
//!
//! `coalesce(8)` instead of `split_up(8)`: thread `i` takes elements `i`, `i + n/8`, `i + 2n/8` and
//! so on. The consumer of the pieces does not change; that the permutation is a word of its own is
//! what pull arrays are good for. 16 and 32 elements a thread are reductions 6 and 7.
//!
//! ```
//! # use obsidian_rt::prelude::*;
//! # #[kernels]
//! # pub mod steps {
//! # fn red3(arr: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
//! #     if arr.len() == 2 {
//! #         return pure(singleton(arr[0] + arr[1]).push());
//! #     }
//! #     let (low, high) = arr.halve();
//! #     let arr = compute(zip_with(|a, b| a + b, low, high))?;
//! #     red3(arr)
//! # }
//! fn red5(n: u32, arr: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
//!     let sums = arr.coalesce(n).as_block_map(|far| exec_thread_value(seq_reduce(|a, b| a + b, far)));
//!     let arr = compute(sums)?;
//!     red3(arr)
//! }
//! #     #[kernel(threads = 128)]
//! #     pub fn sums_by_8(input: DPull<EU32>) -> DPush<Grid, EU32> {
//! #         input.split_up(2048).as_grid_map(|piece| exec_block(red5(8, piece)))
//! #     }
//! #     #[kernel(threads = 128)]
//! #     pub fn sums_by_16(input: DPull<EU32>) -> DPush<Grid, EU32> {
//! #         input.split_up(2048).as_grid_map(|piece| exec_block(red5(16, piece)))
//! #     }
//! #     #[kernel(threads = 128)]
//! #     pub fn sums_by_32(input: DPull<EU32>) -> DPush<Grid, EU32> {
//! #         input.split_up(2048).as_grid_map(|piece| exec_block(red5(32, piece)))
//! #     }
//! # }
//! # fn main() -> obsidian_rt::Result<()> {
//! # let device = Device::simulator();
//! # let input = device.upload(&(0..8192).collect::<Vec<u32>>())?;
//! # let (sums, counts) = device.counted(|device| steps::sums_by_8::launch(device, &input))?;
//! # assert_eq!(sums.to_vec()?[..2], [2047 * 1024, 2047 * 1024 + 2048 * 2048]);
//! # obsidian_rt::generated::shown_counts("red5", &steps::sums_by_8::kernel(), &counts, 4);
//! # let (sums, counts) = device.counted(|device| steps::sums_by_16::launch(device, &input))?;
//! # assert_eq!(sums.to_vec()?[..2], [2047 * 1024, 2047 * 1024 + 2048 * 2048]);
//! # obsidian_rt::generated::shown_counts("red6", &steps::sums_by_16::kernel(), &counts, 4);
//! # let (sums, counts) = device.counted(|device| steps::sums_by_32::launch(device, &input))?;
//! # assert_eq!(sums.to_vec()?[..2], [2047 * 1024, 2047 * 1024 + 2048 * 2048]);
//! # obsidian_rt::generated::shown_counts("red7", &steps::sums_by_32::kernel(), &counts, 4);
//! # obsidian_rt::generated::shown("sums_by_8.cu", steps::sums_by_8::CUDA);
//! # Ok(())
//! # }
//! ```
//!
#![doc = include_str!("cuda/red5.counts.md")]
//!
#![doc = include_str!("cuda/red6.counts.md")]
//!
#![doc = include_str!("cuda/red7.counts.md")]
//!
//! Which of the three is fastest depends on the GPU and on the number of threads and elements; the
//! paper's Table 2 is full of surprises. That is why a kernel is an ordinary function of such
//! numbers. The CUDA of reduction 5:
//!
#![doc = concat!("```c\n", include_str!("cuda/sums_by_8.cu"), "```")]
//!
//! # Large sums
//!
//! A block sums what fits its memory. A large array is summed by launching the kernel again on its
//! own result until one element is left; nothing has to leave the device in between. With `chunks`
//! any length will do:
//!
//! ```
//! use obsidian_rt::prelude::*;
//!
//! #[kernels]
//! pub mod sums {
//!     fn sum(arr: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
//!         if arr.len() == 1 {
//!             return pure(arr.push());
//!         }
//!         let (low, high) = arr.halve();
//!         let arr = compute(zip_with(|a, b| a + b, low, high))?;
//!         sum(arr)
//!     }
//!
//!     #[kernel(threads = 128)]
//!     pub fn of_runs(input: DPull<EU32>) -> DPush<Grid, EU32> {
//!         input.chunks(1024, 0).as_grid_map(|run| exec_block(sum(run)))
//!     }
//! }
//!
//! # fn main() -> obsidian_rt::Result<()> {
//! let device = Device::cpu();
//! let input = device.upload(&[1u32; 1_000_003])?;
//! let mut sums = sums::of_runs::launch(&device, &input)?;
//! while sums.len() > 1 {
//!     sums = sums::of_runs::launch(&device, &sums)?;
//! }
//! assert_eq!(sums.to_vec()?, [1_000_003]);
//! # Ok(())
//! # }
//! ```
