//! Building blocks for kernels: what a block, a warp or a thread computes together over arrays of any length.
//!
//! The collectives of the language ([`reduce`](crate::language::reduce()), [`inclusive_scan`](crate::language::inclusive_scan()), ..) take
//! arrays of static length. Reductions, scans, histograms and merges here take arrays whose length only a launch knows, too, and arrays without elements;
//! radix ranks and sorts take arrays of static length.
//!
//! ```
//! use obsidian_rt::prelude::*;
//!
//! #[kernels]
//! mod rows {
//!     use obsidian_rt::algorithms::blocks::*;
//!
//!     /// The sum of each row.
//!     #[kernel]
//!     pub fn sums(width: EU32, numbers: DPull<EF32>) -> DPush<Grid, EF32> {
//!         let rows = numbers.in_rows(width).rows();
//!         rows.as_grid_map(|row| exec_block_value(block_reduce_commutative(|x, y| x + y, 0.0, row)))
//!     }
//! }
//!
//! # fn main() -> obsidian_rt::Result<()> {
//! let device = Device::best()?;
//! let numbers = device.upload(&[1.0f32, 2.0, 3.0, 10.0, 20.0, 30.0])?;
//! assert_eq!(rows::sums::launch(&device, 3, &numbers)?.to_vec()?, [6.0, 60.0]);
//! # Ok(())
//! # }
//! ```
//!
//! | | block | warp | thread |
//! |---|---|---|---|
//! | all elements combined | [`block_reduce`], [`block_reduce_commutative`] | [`warp_reduce`], [`warp_reduce_commutative`] | [`thread_reduce`] |
//! | prefixes combined | [`block_inclusive_scan`], [`block_exclusive_scan`] | [`warp_inclusive_scan`], [`warp_exclusive_scan`] | [`thread_inclusive_scan`], [`thread_exclusive_scan`] |
//! | held elements in another layout | [`exchange`] | [`exchange`] | |
//! | places in the order of a digit | [`block_radix_rank`] | | |
//! | stable sort by bits of a key | [`block_radix_sort`] | | |
//! | counts of numbers | [`block_histogram`] | | |
//! | two sorted arrays as one | [`block_merge`] | [`warp_merge`] | |
//! | windows over an image | [`stencil_tiles`], with a border by [`clamped`], [`mirrored`], [`wrapped`] or [`padded`] | | |
//!
//! All of them are in scope in a `#[kernels]` module; the `use` says where they are from, and functions of your own go before them. Results depend on the
//! elements, on their number, and for a warp on whether that is static: not on the number of threads, on timing or on the device.
//!
//! Elements may be computed several times, by a merge in each step of each thread: store an array whose elements are costly. Scans ask for a length that a
//! launch can compute, at most 2^32 - 1,024.
//!
//! # Cost
//!
//! In the CUDA text of a kernel of 256 threads over elements of 4 bytes: places with a barrier of the block, places with a shuffle, and bytes of shared memory. With
//! blocks that are not whole warps, shuffles become reads of shared memory, with barriers.
//!
//! | | barriers | shuffles | shared bytes | |
//! |---|---|---|---|---|
//! | [`block_reduce`] | 2 | 16 | 48 | of any length |
//! | [`block_reduce_commutative`] | 2 | 16 | 48 | of any length; reads of device memory are coalesced |
//! | [`warp_reduce`] | 0 | 12 | 0 | of any length |
//! | [`warp_reduce_commutative`] | 0 | 12 | 0 | of any length; reads of device memory are coalesced |
//! | [`block_inclusive_scan`] | 4 | 16 | 4160 | the barriers and shuffles for each 1,024 elements |
//! | [`block_exclusive_scan`] | 4 | 16 | 4144 | the barriers and shuffles for each 1,024 elements |
//! | [`warp_inclusive_scan`] | 0 | 13 | 640 | the shuffles for each 128 elements; the bytes are those of a warp |
//! | [`warp_exclusive_scan`] | 0 | 13 | 640 | the shuffles for each 128 elements; the bytes are those of a warp |
//! | [`block_radix_rank`] | 4 | 6 | 4608 | of 1,024 elements by 4 bits |
//! | [`block_radix_sort`] | 4 | 6 | 4608 | of 1,024 elements by 4 bits; up to 8 bits are one pass |
//! | [`block_histogram`] | 2 | 0 | 1024 | for 256 bins, 4 bytes each |
//! | [`block_merge`] | 0 | 0 | 0 | a search by each thread, with two reads in each step |
//! | [`stencil_tiles`] | 2 | 0 | 1296 | a tile of 16 by 16 with a halo of 1: 18 by 18 elements |
//!
//! Functions of a thread have neither barriers nor shuffles, and use registers.

pub use obsidian_language::library::blocks::*;
