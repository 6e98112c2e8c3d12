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
//! # Bank conflicts
//!
//! Shared memory has 32 banks, one word wide each. Threads of a warp that access different words of
//! one bank wait for each other. Where each thread works on 8 neighbours, the threads are 8 words
//! apart and use only 4 of the banks, in 8 passes.
//! [`compute_as`](crate::language::compute_as) stores an array with another layout. With
//! [`Pitch(33)`](crate::language::Pitch) rows of 32 elements begin 33 apart, and the same accesses
//! take one pass. Indices, elements and results stay the same.
//!
//! ```
//! use obsidian_rt::prelude::*;
//!
//! #[kernels]
//! pub mod runs {
//!     fn scan(pitch: u32, run: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
//!         let stored = compute_as(Pitch(pitch), run)?;
//!         let sums = compute_as(Pitch(pitch), stored.split_up(8).as_block_map(|own| seq_scan(|x, y| x + y, own)))?;
//!         pure(sums.push())
//!     }
//!
//!     /// The sums of all beginnings of 8 neighbours.
//!     #[kernel(threads = 64, pitch = [32, 33])]
//!     pub fn scans(pitch: u32, input: DPull<EU32>) -> DPush<Grid, EU32> {
//!         input.split_up(512).as_grid_map(|run| exec_block(scan(pitch, run)))
//!     }
//! }
//!
//! # fn main() -> obsidian_rt::Result<()> {
//! let device = Device::simulator();
//! let input = device.upload(&[1u32; 512])?;
//! // 2 warps read 8 times and write 7 times: the first sum of a run is there already.
//! for (variant, conflicts) in runs::scans::variants().iter().zip([7 * 2 * 15, 0]) {
//!     let (sums, counts) = device.counted(|device| runs::scans::launch_variant(variant, device, &input))?;
//!     assert_eq!(sums.to_vec()?[..9], [1, 2, 3, 4, 5, 6, 7, 8, 1]);
//!     assert_eq!(counts.shared.bank_conflicts, conflicts);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # Which level
//!
//! At Thread, an array is kept in registers or local memory of that thread, and nobody waits. At
//! Warp and Block it lies in shared memory; at Block in registers, if each thread accesses only
//! elements of its own. At Grid there is no memory that all blocks could wait
//! for: a result of one kernel that all blocks of the next need is a second launch.
