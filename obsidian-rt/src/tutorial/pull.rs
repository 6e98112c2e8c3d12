//! Pull arrays: a length, and a function from an index to an element.
//!
//! A pull array is nothing in memory. `map`, `zip_with`, `reverse`, `halve` and all their like give
//! another function of an index, and a read of an element is the composed expression. So
//! everything fuses by construction, not by an optimisation that might fail.
//!
//! ```
//! use obsidian_rt::prelude::*;
//!
//! #[kernels]
//! pub mod views {
//!     /// Differences between an array and its mirror image, squared: four steps, no array between them.
//!     fn symmetry(arr: Pull<EF32>) -> Pull<EF32> {
//!         let mirrored = arr.reverse();
//!         zip_with(|x, y| x - y, arr, mirrored).map(|d| d * d)
//!     }
//!
//!     #[kernel(threads = 32)]
//!     pub fn asymmetries(input: DPull<EF32>) -> DPush<Grid, EF32> {
//!         input.split_up(64).as_grid_map(|piece| symmetry(piece).push::<Block>())
//!     }
//! }
//!
//! # fn main() -> obsidian_rt::Result<()> {
//! let device = Device::cpu();
//! let input = device.upload(&(0..128).map(|i| i as f32).collect::<Vec<_>>())?;
//! let output = views::asymmetries::launch(&device, &input)?.to_vec()?;
//! assert_eq!(output[..3], [63.0 * 63.0, 61.0 * 61.0, 59.0 * 59.0]);
//! # obsidian_rt::generated::shown("asymmetries.cu", views::asymmetries::CUDA);
//! # Ok(())
//! # }
//! ```
//!
#![doc = concat!("```c\n", include_str!("cuda/asymmetries.cu"), "```")]
//!
//! Sixty-four elements are shared out over 32 threads: each does two, in a loop of two rounds. That
//! loop, the index arithmetic and the loop over blocks (`b`, for any number of real blocks) are not
//! in the source, and never will be; `piece` is nowhere.
//!
//! # Lengths
//!
//! `split_up(64)` of a dynamic length is an exact division, and a launch with 100 elements is
//! refused with a message that says so. For arrays of any length there is
//! [`chunks`](crate::language::Pull::chunks), which fills the last piece up with a value of your
//! choice, and [`take`](crate::language::Push::take), which cuts the result.
//!
//! ```
//! use obsidian_rt::prelude::*;
//!
//! #[kernels]
//! pub mod views {
//!     #[kernel(threads = 64)]
//!     pub fn doubled(input: DPull<EU32>) -> DPush<Grid, EU32> {
//!         let pieces = input.chunks(64, 0);
//!         pieces.as_grid_map(|piece| piece.map(|x| x * 2).push::<Block>()).take(input.len())
//!     }
//! }
//!
//! # fn main() -> obsidian_rt::Result<()> {
//! let device = Device::cpu();
//! let input = device.upload(&(0..100).collect::<Vec<u32>>())?;
//! assert_eq!(views::doubled::launch(&device, &input)?.to_vec()?[99], 198);
//! # obsidian_rt::generated::shown("doubled.cu", views::doubled::CUDA);
//! # Ok(())
//! # }
//! ```
//!
#![doc = concat!("```c\n", include_str!("cuda/doubled.cu"), "```")]
//!
//! # What a pull array costs
//!
//! An element is computed anew by everyone who reads it. Two neighbours that both need `f(x)`
//! compute it twice, and a tree of reads grows with its depth. Where that matters, store the array:
//! [`compute`](mod@super::compute). Equal expressions within one thread are shared in any case.
//!
//! Putting two pull arrays together needs a condition for every element, as a reader may ask for
//! any: that is what [`push`](super::push) arrays are for.
