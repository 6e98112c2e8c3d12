//! `compute`: storing an array.
//!
//! [`compute`](crate::language::compute) writes the elements of an array into memory, waits until
//! all threads have done so, and gives the stored array back as a pull array. It is a
//! [`Program`](crate::language::Program): `?` runs it and gives its result, as in a function that
//! can fail. Everything before it fuses into the loop that writes; everything after it reads
//! memory. Nothing else stores anything, so the places where you write `compute` are the places
//! where memory is used.
//!
//! ```
//! use obsidian_rt::prelude::*;
//!
//! #[kernels]
//! pub mod blur {
//!     /// Each element's mean with its two neighbours, around the corner; twice. The square root is taken once for each element.
//!     fn smooth(arr: Pull<EF32>) -> Program<Block, Push<Block, EF32>> {
//!         let roots = compute(arr.map(|x| x.sqrt()))?;
//!         let once = compute(mean(roots))?;
//!         pure(mean(once).push())
//!     }
//!
//!     fn mean(arr: Pull<EF32>) -> Pull<EF32> {
//!         let n = arr.len();
//!         generate(n, |i| (arr[(i + n - 1) % n] + arr[i] + arr[(i + 1) % n]) / 3.0)
//!     }
//!
//!     #[kernel(threads = 64)]
//!     pub fn blurred(input: DPull<EF32>) -> DPush<Grid, EF32> {
//!         input.split_up(64).as_grid_map(|piece| exec_block(smooth(piece)))
//!     }
//! }
//!
//! # fn main() -> obsidian_rt::Result<()> {
//! let device = Device::cpu();
//! let input = device.upload(&[9f32; 64])?;
//! assert_eq!(blur::blurred::launch(&device, &input)?.to_vec()?, [3f32; 64]);
//! assert_eq!(blur::blurred::kernel().shared_bytes(), 2 * 64 * 4);
//! # obsidian_rt::generated::shown("blurred.cu", blur::blurred::CUDA);
//! # Ok(())
//! # }
//! ```
//!
#![doc = concat!("```c\n", include_str!("cuda/blurred.cu"), "```")]
//!
//! The stored arrays carry the names of the `let`s that they were bound to. Two arrays that are
//! needed at the same time lie beside each other; one that is not needed any more gives its bytes
//! to the next. In a long chain of stages two places therefore suffice.
//!
//! # Barriers
//!
//! A barrier stands where a thread may read what another has written, or overwrite what another has
//! yet to read, including in the next iteration of the block loop. It is a `__syncthreads()`, or a
//! `__syncwarp` where only threads of one warp need it. A barrier that is provably not needed is
//! left out. No code relies on the lanes of a warp running in step.
//!
//! # Which level
//!
//! At Thread, an array is kept in registers or local memory of that thread, and nobody waits. At
//! Warp and Block it lies in shared memory. At Grid there is no memory that all blocks could wait
//! for: a result of one kernel that all blocks of the next need is a second launch.
