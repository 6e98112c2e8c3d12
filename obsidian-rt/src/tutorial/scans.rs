//! Scans: the sums of all beginnings of an array.
//!
//! Two networks from section 6.3 of the paper, each in a few lines, and what larger scans are made
//! of. The example `scan` has five of them, for any associative operator.
//!
//! # Sklansky's network
//!
//! Scan both halves, then add the last sum of the first half to all of the second. Unrolled, that
//! is a stage for each power of two, in which every second piece gets the last element of the piece
//! before it.
//!
//! ```
//! use obsidian_rt::prelude::*;
//!
//! #[kernels]
//! pub mod scans {
//!     /// The last element of the first half goes into each of the second.
//!     fn fan(arr: Pull<EU32>) -> Pull<EU32> {
//!         let (low, high) = arr.halve();
//!         let last = low.last();
//!         append(low, high.map(|x| last + x))
//!     }
//!
//!     fn sklansky(width: u32, arr: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
//!         let stage = arr.split_up(width).map(|piece| fan(piece)).concat(width);
//!         if width == arr.len() {
//!             return pure(stage.push());
//!         }
//!         let arr = compute(stage)?;
//!         sklansky(2 * width, arr)
//!     }
//!
//!     #[kernel(threads = 64)]
//!     pub fn sums_by_sklansky(input: DPull<EU32>) -> DPush<Grid, EU32> {
//!         input.split_up(64).as_grid_map(|piece| exec_block(sklansky(2, piece)))
//!     }
//! }
//!
//! # fn main() -> obsidian_rt::Result<()> {
//! let device = Device::cpu();
//! let input = device.upload(&[1u32; 128])?;
//! let sums = scans::sums_by_sklansky::launch(&device, &input)?.to_vec()?;
//! assert_eq!(sums, (1..=64).chain(1..=64).collect::<Vec<u32>>());
//! # obsidian_rt::generated::shown("sums_by_sklansky.cu", scans::sums_by_sklansky::CUDA);
//! # Ok(())
//! # }
//! ```
//!
#![doc = concat!("```c\n", include_str!("cuda/sums_by_sklansky.cu"), "```")]
//!
//! # Kogge and Stone's network
//!
//! In each stage every element is added to the one `distance` further on. The first `distance`
//! elements are finished, and copied. Both parts are push arrays, so that there are two loops and
//! no condition; compare the pull arrays above.
//!
//! ```
//! use obsidian_rt::prelude::*;
//!
//! #[kernels]
//! pub mod scans {
//!     fn kogge_stone(distance: u32, arr: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
//!         let (done, rest) = arr.split_at(distance);
//!         let stage = append(done.push::<Block>(), zip_with_shortest(|a, b| a + b, arr, rest).push());
//!         if 2 * distance >= arr.len() {
//!             return pure(stage);
//!         }
//!         let arr = compute(stage)?;
//!         kogge_stone(2 * distance, arr)
//!     }
//!
//!     /// 100 is no power of two: this network takes any length.
//!     #[kernel(threads = 64)]
//!     pub fn sums_by_kogge_stone(input: DPull<EU32>) -> DPush<Grid, EU32> {
//!         input.split_up(100).as_grid_map(|piece| exec_block(kogge_stone(1, piece)))
//!     }
//! }
//!
//! # fn main() -> obsidian_rt::Result<()> {
//! let device = Device::cpu();
//! let input = device.upload(&[1u32; 200])?;
//! let sums = scans::sums_by_kogge_stone::launch(&device, &input)?.to_vec()?;
//! assert_eq!(sums, (1..=100).chain(1..=100).collect::<Vec<u32>>());
//! # obsidian_rt::generated::shown("sums_by_kogge_stone.cu", scans::sums_by_kogge_stone::CUDA);
//! # Ok(())
//! # }
//! ```
//!
#![doc = concat!("```c\n", include_str!("cuda/sums_by_kogge_stone.cu"), "```")]
//!
//! # More for each block: a chain
//!
//! A block can scan piece after piece, and carry the last sum on
//! ([`s_map_accum`](crate::language::s_map_accum)). The memory of one piece serves them all.
//!
//! ```
//! use obsidian_rt::prelude::*;
//!
//! #[kernels]
//! pub mod scans {
//!     # fn kogge_stone(distance: u32, arr: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
//!     #     let (done, rest) = arr.split_at(distance);
//!     #     let stage = append(done.push::<Block>(), zip_with_shortest(|a, b| a + b, arr, rest).push());
//!     #     if 2 * distance >= arr.len() {
//!     #         return pure(stage);
//!     #     }
//!     #     let arr = compute(stage)?;
//!     #     kogge_stone(2 * distance, arr)
//!     # }
//!     /// A scan that begins with a carry, and the next carry.
//!     fn carried(carry: EU32, piece: Pull<EU32>) -> Program<Block, (EU32, Push<Block, EU32>)> {
//!         let scanned = compute(exec_block(kogge_stone(1, piece)).map(|x| carry + x))?;
//!         pure((scanned.last(), scanned.push()))
//!     }
//!
//!     #[kernel(threads = 64)]
//!     pub fn long_sums(input: DPull<EU32>) -> DPush<Grid, EU32> {
//!         input.split_up(1000).as_grid_map(|run| s_map_accum(carried, lit(0u32), run.split_up(100)))
//!     }
//! }
//!
//! # fn main() -> obsidian_rt::Result<()> {
//! let device = Device::cpu();
//! let input = device.upload(&[1u32; 1000])?;
//! assert_eq!(scans::long_sums::launch(&device, &input)?.to_vec()?, (1..=1000).collect::<Vec<u32>>());
//! assert_eq!(scans::long_sums::kernel().shared_bytes(), 912);
//! # obsidian_rt::generated::shown("long_sums.cu", scans::long_sums::CUDA);
//! # Ok(())
//! # }
//! ```
//!
#![doc = concat!("```c\n", include_str!("cuda/long_sums.cu"), "```")]
//!
//! # Scans of any length
//!
//! In one launch, where blocks have an order: [`as_grid_ordered`](crate::language::Pull::as_grid_ordered) gives each block a tile, and
//! [`earlier`](crate::language::earlier) is the sum of all tiles before.
//!
//! ```
//! use obsidian_rt::prelude::*;
//!
//! #[kernels]
//! pub mod scans {
//!     fn scanned(tile: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
//!         let own = compute(inclusive_scan(|a, b| a + b, tile))?;
//!         let before = earlier(|a, b| a + b, 0, singleton(own.last()))?;
//!         pure(own.map(|x| before[0] + x).push())
//!     }
//!
//!     #[kernel(threads = 256)]
//!     pub fn all_sums(input: DPull<EU32>) -> DPush<Grid, EU32> {
//!         let n = input.len();
//!         input.chunks(1024, 0).as_grid_ordered(|tile| exec_block(scanned(tile))).take(n)
//!     }
//! }
//!
//! # fn main() -> obsidian_rt::Result<()> {
//! let device = Device::cpu();
//! let input = device.upload(&[1u32; 10_000])?;
//! assert_eq!(scans::all_sums::launch(&device, &input)?.to_vec()?, (1..=10_000).collect::<Vec<u32>>());
//! # Ok(())
//! # }
//! ```
//!
//! Or in three launches: the sums of pieces, the scan of these sums (by the same program, if there are
//! many), and the scans of the pieces, each begun with the sum of all before it. `large_scan` in
//! `examples/scan` is that, in ten lines of Rust around two kernels.
