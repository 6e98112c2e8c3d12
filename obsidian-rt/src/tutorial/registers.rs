//! Arrays in registers, lanes that read each other, and loops over tiles.
//!
//! [`compute`](crate::language::compute) stores an array in shared memory, where each thread of the block can read
//! it, behind a barrier. Many arrays need neither: the thread that computes an element is the only one that
//! uses it. [`hold`](crate::language::hold) stores such an array in registers.
//!
//! # Who owns an element
//!
//! Iteration `i` owns element `i`, and each thread does the same iterations of every array: with 256 threads,
//! thread `t` owns the elements `t`, `t + 256` and so on. At Block, a thread reads only what it owns. The compiler proves that for
//! every index, at any number of threads; what it cannot prove is an error, [`not-own`](crate::errors).
//!
//! With `hold_as(Blocked(8), a)`, iteration `i` owns the eight neighbours from `8 * i` on, and `a.split_up(8)` reads
//! them as a run. [`exchange`](crate::language::exchange) goes from one layout to the other through shared memory. So a
//! scan loads every 256th element, as memory wants it, and adds up neighbours in registers:
//!
//! ```
//! use obsidian_rt::prelude::*;
//!
//! #[kernels]
//! pub mod scans {
//!     fn scanned(run: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
//!         let loaded = hold(run)?;
//!         let own = exchange(Striped, Blocked(8), loaded)?;
//!         let sums = own.split_up(8).map(|run| fold1(|a, b| a + b, run)[0]);
//!         let before = hold(exclusive_scan(|a, b| a + b, lit(0), sums))?;
//!         let all = zip(own.split_up(8), before).map(|(run, start)| {
//!             exec_thread(pure(seq_scan_cin(|a, b| a + b, start, run)))
//!         });
//!         let all = compute_as(Pitch(33), all.as_block())?;
//!         pure(all.push())
//!     }
//!
//!     #[kernel(threads = 128)]
//!     pub fn running_sums(input: DPull<EU32>) -> DPush<Grid, EU32> {
//!         input.split_up(1024).as_grid_map(|run| exec_block(scanned(run)))
//!     }
//! }
//!
//! # fn main() -> obsidian_rt::Result<()> {
//! let device = Device::simulator();
//! let input = device.upload(&[1u32; 2048])?;
//! let (sums, counts) = device.counted(|device| scans::running_sums::launch(device, &input))?;
//! assert_eq!(sums.to_vec()?[1020..1028], [1021, 1022, 1023, 1024, 1, 2, 3, 4]);
//! # obsidian_rt::generated::shown_counts("running_sums", &scans::running_sums::kernel(), &counts, 2);
//! # Ok(())
//! # }
//! ```
//!
#![doc = include_str!("cuda/running_sums.counts.md")]
//!
//! # Lanes
//!
//! At Warp, a lane also reads what other lanes hold. A read such as `a[i ^ 1]`, `a[(i + 1) % 32]` or `a[k[i]]` is a shuffle: all
//! lanes take part in it, and none waits for memory. Here 32 elements are sorted by Batcher's bitonic network, with
//! no shared memory and no barrier:
//!
//! ```
//! use obsidian_rt::prelude::*;
//!
//! #[kernels]
//! pub mod sorts {
//!     // Lane `i` and lane `i ^ far` keep the smaller and the larger of their elements.
//!     fn exchanged(far: u32, a: Pull<EU32>) -> Pull<EU32> {
//!         generate(32, |i| {
//!             let (own, other) = (a[i], a[i ^ far]);
//!             select(i < (i ^ far), own.min(other), own.max(other))
//!         })
//!     }
//!
//!     fn sorted(run: Pull<EU32>) -> Program<Warp, Push<Warp, EU32>> {
//!         let mut a = hold(run)?;
//!         for stage in 0..5_u32 {
//!             a = hold(exchanged((2 << stage) - 1, a))?;
//!             for step in 0..stage {
//!                 a = hold(exchanged(1 << (stage - 1 - step), a))?;
//!             }
//!         }
//!         pure(a.push())
//!     }
//!
//!     #[kernel(threads = 64)]
//!     pub fn runs_of_32(input: DPull<EU32>) -> DPush<Grid, EU32> {
//!         input
//!             .split_up(64)
//!             .as_grid_map(|block| block.split_up(32).as_block_map(|run| exec_warp(sorted(run))))
//!     }
//! }
//!
//! # fn main() -> obsidian_rt::Result<()> {
//! let device = Device::simulator();
//! let x: Vec<u32> = (0..128).map(|i| i * 7919 % 1009).collect();
//! let input = device.upload(&x)?;
//! let (found, counts) = device.counted(|device| sorts::runs_of_32::launch(device, &input))?;
//! let mut expected = x;
//! expected.chunks_mut(32).for_each(|run| run.sort());
//! assert_eq!(found.to_vec()?, expected);
//! # obsidian_rt::generated::shown_counts("runs_of_32", &sorts::runs_of_32::kernel(), &counts, 2);
//! # Ok(())
//! # }
//! ```
//!
#![doc = include_str!("cuda/runs_of_32.counts.md")]
//!
//! A condition around a read does not matter: the element is taken before it. A loop that a lane leaves on its own is an
//! error, [`divergent-collective`](crate::errors), as the others would wait for it. An array of `m * 32` elements has `m` of them in each
//! lane. Then `a[i ^ 1]` is one shuffle, `a[i + 5]` is two, and an index that data decide is `m`, up to eight.
//!
//! # Loops over tiles
//!
//! [`tiles_fold`](crate::language::tiles_fold) iterates over an array of any length, tile by tile, with a state that the threads hold. The
//! first function gets whole tiles, without a comparison with the length; the second gets what is left.
//!
//! ```
//! use obsidian_rt::prelude::*;
//!
//! #[kernels]
//! pub mod sums {
//!     fn add(a: EU32, b: EU32) -> EU32 {
//!         a + b
//!     }
//!
//!     // Every 256th element of a rest of any length.
//!     fn rest_of(t: EU32, sum: EU32, rest: Pull<EU32, EU32>) -> Program<Thread, EU32> {
//!         let rounds = (rest.len() + 255 - t) / 256;
//!         seq_iterate(rounds, |k, sum| sum + rest[(k * 256 + t).unchecked()], sum)
//!     }
//!
//!     fn sum(piece: Pull<EU32, EU32>) -> Program<Block, Push<Block, EU32>> {
//!         let zeros: Pull<EU32> = replicate(256, lit(0));
//!         let sums = tiles_fold(
//!             piece,
//!             4096,
//!             zeros,
//!             |sums, tile| pure(zip_with(add, sums, tile.split_up(16).map(|run| fold1(add, run)[0]))),
//!             |sums, rest| pure(generate(256, |t| exec_thread_value(rest_of(t, sums[t], rest))).as_block()),
//!         )?;
//!         pure(reduce(add, sums))
//!     }
//!
//!     /// The sum of each 2^20 elements, and of what is left.
//!     #[kernel(threads = 256)]
//!     pub fn of_any_length(input: DPull<EU32>) -> DPush<Grid, EU32> {
//!         input.chunks_len(1 << 20).as_grid_map(|piece| exec_block(sum(piece)))
//!     }
//! }
//!
//! # fn main() -> obsidian_rt::Result<()> {
//! let device = Device::cpu();
//! let input = device.upload(&vec![1u32; (1 << 20) + 4097])?;
//! assert_eq!(sums::of_any_length::launch(&device, &input)?.to_vec()?, [1 << 20, 4097]);
//! # obsidian_rt::generated::shown("of_any_length.cu", sums::of_any_length::CUDA);
//! # Ok(())
//! # }
//! ```
//!
#![doc = concat!("```c\n", include_str!("cuda/of_any_length.cu"), "```")]
//!
//! `sums` is one register of each thread. The partial sums are those of pieces of 2^20 elements, whatever the number of threads
//! or blocks, so a sum of floats written in this way has the same bits on every device.
//!
//! If each step gives an array of the shape of the state, [`accumulate`](crate::language::accumulate) is shorter:
//! [`two_dimensions`](super::two_dimensions#sums-of-matrices-one-after-another) adds up products of tiles with it.
//!
//! # What the CUDA says
//!
//! The header of the text lists the arrays that are in registers, with the elements of a thread. An array goes to shared memory after all
//! if it needs more than 64 words of a thread, or if lanes read each other and the threads are not whole warps. The header
//! says that too, as does `placements` of the manifest, and the results are the same, bit for bit.
