//! What the threads of a level compute together: reductions, scans and sorts in one word.
//!
//! [`reductions`](super::reductions) and [`scans`](super::scans) say which thread combines what in each
//! step, so that you can tune it. Where you do not need to,
//! [`reduce`](crate::language::reduce), [`inclusive_scan`](crate::language::inclusive_scan),
//! [`exclusive_scan`](crate::language::exclusive_scan) and [`sort`](crate::language::sort) take a pull array of
//! static length and give a push array; [`rank_by_digit`](crate::language::rank_by_digit) gives the places that elements have
//! in a stable order. They work at Thread, Warp and Block, and for elements that are tuples.
//!
//! # A sum
//!
//! ```
//! use obsidian_rt::prelude::*;
//!
//! #[kernels]
//! pub mod sums {
//!     #[kernel(threads = 128)]
//!     pub fn together(input: DPull<EU32>) -> DPush<Grid, EU32> {
//!         input.split_up(2048).as_grid_map(|piece| reduce(|a, b| a + b, piece))
//!     }
//! }
//!
//! # fn main() -> obsidian_rt::Result<()> {
//! let device = Device::simulator();
//! let input = device.upload(&(0..8192).collect::<Vec<u32>>())?;
//! let (totals, counts) = device.counted(|device| sums::together::launch(device, &input))?;
//! assert_eq!(totals.to_vec()?[..2], [2047 * 1024, 2047 * 1024 + 2048 * 2048]);
//! println!("{counts}");
//! # obsidian_rt::generated::shown("together.cu", sums::together::CUDA);
//! # obsidian_rt::generated::shown_counts("together", &sums::together::kernel(), &counts, 4);
//! # Ok(())
//! # }
//! ```
//!
#![doc = include_str!("cuda/together.counts.md")]
//!
#![doc = concat!("```c\n", include_str!("cuda/together.cu"), "```")]
//!
//! A thread adds up 16 elements in a register, four of them with each load. Then the 32 lanes of a warp
//! take what they combine from each other's registers, which is a *shuffle* and needs neither memory nor a
//! barrier; and what each of the four warps has goes through shared memory to the first one. Compare the
//! counts with those of [reduction 7](super::reductions).
//!
//! # The order
//!
//! A sum of integers may be taken in any order, a sum of floats may not: it is rounded differently. So the
//! order is part of what the words mean, and it is a function of the length alone. Up to 256 elements are
//! combined in a balanced tree over neighbours. Of `n` elements, more than that, each `ceil(n / 256)` neighbours are a
//! *row*, which is folded from the left, and the rows are combined in the tree. The left operand
//! always has the earlier elements, so an operator need not commute.
//!
//! A scan has shorter rows, of 4 neighbours where it has more than 256 elements: then the lanes of a warp load and store what lies side by side. 32 rows are a
//! run, which is combined in the tree. Element `j` is what stands before its run, then the tree over the rows before its own, then its own row up to `j`;
//! [`inclusive_scan`](crate::language::inclusive_scan) says how runs are combined.
//!
//! Results are the same, bit for bit, at every number of threads and on every device. With threads
//! that are not whole warps there are no shuffles; then the same steps go through shared memory.
//!
//! An operator such as `a + b` of integers, `a & b` or `a.max(b)` gives the same bits in every order. Where the
//! operator is written so that this is seen (one operation of both arguments, for each field of a tuple),
//! threads of a reduction fold what they have first, and on the CPU a scan is one loop.
//!
//! # A scan with something carried in its elements
//!
//! Segments: a flag begins a new sum. The elements are pairs, and the operator is not commutative.
//!
//! ```
//! use obsidian_rt::prelude::*;
//!
//! #[kernels]
//! pub mod scans {
//!     fn segment(a: (EBool, EU32), b: (EBool, EU32)) -> (EBool, EU32) {
//!         let ((begins, x), (begins_too, y)) = (a, b);
//!         (begins | begins_too, select(begins_too, y, x + y))
//!     }
//!
//!     #[kernel(threads = 64)]
//!     pub fn sums_of_segments(begins: DPull<EBool>, x: DPull<EU32>) -> DPush<Grid, EU32> {
//!         zip(begins, x)
//!             .split_up(256)
//!             .as_grid_map(|run| inclusive_scan(segment, run).map(|(_, sum)| sum))
//!     }
//! }
//!
//! # fn main() -> obsidian_rt::Result<()> {
//! let device = Device::cpu();
//! let begins: Vec<bool> = (0..256).map(|i| i % 100 == 0).collect();
//! let sums = scans::sums_of_segments::launch(&device, &device.upload(&begins)?, &device.upload(&[1u32; 256])?)?;
//! let expected: Vec<u32> = (0..256).map(|i| i % 100 + 1).collect();
//! assert_eq!(sums.to_vec()?, expected);
//! # Ok(())
//! # }
//! ```
//!
//! # A sort
//!
//! The function says whether its first argument must stand before its second one. With the place of an element beside it,
//! a sort by a key is stable.
//!
//! ```
//! use obsidian_rt::prelude::*;
//!
//! #[kernels]
//! pub mod sorts {
//!     #[kernel(threads = 128)]
//!     pub fn by_last_digit(input: DPull<EU32>) -> DPush<Grid, EU32> {
//!         input.split_up(500).as_grid_map(|run| {
//!             let placed = zip(run, iota(500));
//!             sort(|(a, i), (b, j)| {
//!                 let (a, b) = (a % 10, b % 10);
//!                 (a < b) | ((a == b) & (i < j))
//!             }, placed).map(|(x, _)| x)
//!         })
//!     }
//! }
//!
//! # fn main() -> obsidian_rt::Result<()> {
//! let device = Device::cpu();
//! let x: Vec<u32> = (0..500).map(|i| i * 7919 % 1009).collect();
//! let mut expected = x.clone();
//! expected.sort_by_key(|x| x % 10);
//! assert_eq!(sorts::by_last_digit::launch(&device, &device.upload(&x)?)?.to_vec()?, expected);
//! # Ok(())
//! # }
//! ```
//!
//! # What they are not for
//!
//! The function has nothing but its two arguments: one that reads an array is refused
//! ([`operator-reads`](crate::errors)). The length is static, as that of every array inside of a block;
//! arrays of any length are pieces first, as `large_sum_together` in `examples/reduction` and
//! `large_scan_together` in `examples/scan` have them. A row whose length only the launch knows is for
//! [`block_reduce`](crate::algorithms::blocks::block_reduce) and the other functions of
//! [`blocks`](crate::algorithms::blocks):
//! `x.in_rows(width).rows().as_grid_map(|row| exec_block_value(block_reduce(|a, b| a + b, 0.0, row)))` has the sum of each row.
//! [`two_dimensions`](super::two_dimensions#a-value-for-each-row-or-column) has whole examples.
