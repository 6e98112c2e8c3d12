//! Push arrays: a length, and a program that writes every element.
//!
//! A push array is given a writer, and calls it with each element and its index. The program inside
//! says which thread writes what, and in which order: loops over threads
//! ([`for_all`](crate::language::for_all)), loops in sequence
//! ([`seq_for`](crate::language::seq_for)), one after the other. Its level is a part of its type:
//! `Push<Block, EI32>` is an array that the threads of a block write together.
//!
//! `append` shows the difference to pull arrays. Of pull arrays, each element asks on which side it
//! lies; of push arrays, one loop writes the first part and another the second.
//!
//! ```
//! use obsidian_rt::prelude::*;
//!
//! #[kernels]
//! pub mod joins {
//!     #[kernel(threads = 32)]
//!     pub fn pulled(input: DPull<EI32>) -> DPush<Grid, EI32> {
//!         input.split_up(64).as_grid_map(|piece| {
//!             let (low, high) = piece.halve();
//!             append(high, low.map(|x| -x)).push::<Block>()
//!         })
//!     }
//!
//!     #[kernel(threads = 32)]
//!     pub fn pushed(input: DPull<EI32>) -> DPush<Grid, EI32> {
//!         input.split_up(64).as_grid_map(|piece| {
//!             let (low, high) = piece.halve();
//!             append(high.push::<Block>(), low.map(|x| -x).push::<Block>())
//!         })
//!     }
//! }
//!
//! # fn main() -> obsidian_rt::Result<()> {
//! let device = Device::cpu();
//! let input = device.upload(&(0..64).collect::<Vec<i32>>())?;
//! let (a, b) = (joins::pulled::launch(&device, &input)?, joins::pushed::launch(&device, &input)?);
//! assert_eq!(a.to_vec()?, b.to_vec()?);
//! # obsidian_rt::generated::shown("pulled.cu", joins::pulled::CUDA);
//! # obsidian_rt::generated::shown("pushed.cu", joins::pushed::CUDA);
//! # Ok(())
//! # }
//! ```
//!
//! Of pull arrays:
//!
#![doc = concat!("```c\n", include_str!("cuda/pulled.cu"), "```")]
//!
//! Of push arrays:
//!
#![doc = concat!("```c\n", include_str!("cuda/pushed.cu"), "```")]
//!
//! # Your own patterns
//!
//! [`mk_push`](crate::language::mk_push) makes a push array of a program. Here each thread writes
//! two elements that are far apart, from one read of each operand, as a stage of a Fourier
//! transform or of a sorting network does.
//!
//! ```
//! use obsidian_rt::prelude::*;
//!
//! #[kernels]
//! pub mod stages {
//!     fn butterfly(arr: Pull<EF32>) -> Push<Block, EF32> {
//!         let half = arr.len() / 2;
//!         mk_push(arr.len(), |write| {
//!             for_all::<Block, _>(half, |i| {
//!                 let (x, y) = (arr[i], arr[i + half]);
//!                 write(x + y, i)?;
//!                 write(x - y, i + half)
//!             })
//!         })
//!     }
//!
//!     #[kernel(threads = 32)]
//!     pub fn butterflies(input: DPull<EF32>) -> DPush<Grid, EF32> {
//!         input.split_up(64).as_grid_map(butterfly)
//!     }
//! }
//!
//! # fn main() -> obsidian_rt::Result<()> {
//! let device = Device::cpu();
//! let input = device.upload(&(0..64).map(|i| i as f32).collect::<Vec<_>>())?;
//! let output = stages::butterflies::launch(&device, &input)?.to_vec()?;
//! assert_eq!((output[0], output[32], output[33]), (32.0, -32.0, -32.0));
//! # obsidian_rt::generated::shown("butterflies.cu", stages::butterflies::CUDA);
//! # Ok(())
//! # }
//! ```
//!
#![doc = concat!("```c\n", include_str!("cuda/butterflies.cu"), "```")]
//!
//! That every element of such an array is written, and by one thread only, is checked while the
//! crate compiles. An index that goes wrong is an error at that line, with an example of two
//! threads that meet: see [`rejected`](super::rejected).
//!
//! # From one to the other
//!
//! A pull array becomes a push array with [`push`](crate::language::Pull::push): a loop over its
//! elements. The way back needs memory, because a push array cannot be asked for one element: that
//! is [`compute`](mod@super::compute).
