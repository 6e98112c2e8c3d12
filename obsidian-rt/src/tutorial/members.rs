//! More than one device, more than one machine.
//!
//! Where one device is too small or too slow, several work on one array: each has a block of its rows, and does what all do with it. A device with its block is a
//! [`Member`](crate::shard::Member). All members run the same function of yours, and make the same calls in the same order, as programs over MPI do. It needs the feature `shard`.
//!
//! # One process
//!
//! ```
//! use obsidian_rt::{Device, shard::Threads};
//!
//! # fn main() -> obsidian_rt::Result<()> {
//! // A member for each GPU; here two of the CPU.
//! let devices = vec![Device::cpu(); 2];
//! let norms = Threads::new(devices).run(|member| {
//!     // Each member makes its own part, or reads it: `member.from_file::<f32>(path)?`.
//!     let xs = member.vector(1_000_000, |range| range.map(|i| (i % 10) as f64).collect())?;
//!     let squares = member.map(&xs, |x| x * x)?;
//!     Ok(member.fold(&squares, |x, y| x + y, 0.0)?.sqrt())
//! })?;
//! assert_eq!(norms, [f64::sqrt(28_500_000.0); 2]); // every member knows it
//! # Ok(())
//! # }
//! ```
//!
//! # What moves
//!
//! | operation | what a member gives to the others |
//! |---|---|
//! | `map`, `zip_with` | nothing |
//! | `fold`, `dot` | a few partial results: parts of the tree of all grains of 4,096 elements |
//! | `scan` | one number for each grain, to all |
//! | `histogram` | its counts, to all |
//! | `stencil`, `stencils` of radius `r` | `r` rows to each of two neighbours, in each step |
//! | `run` of a sequence | as `fold` and `histogram` do; elements for `collect` |
//! | `gather_all` | its block, to all |
//!
//! The bits of the results do not depend on the number of members: grains are combined in the order that [sequences](crate::sequence) have.
//!
//! # Data larger than memory
//!
//! A [sequence](crate::sequence) is dealt out: each member reads its part, chunk by chunk.
//!
//! ```
//! use obsidian_rt::{Device, sequence::{Sequence, max, sum}, shard::Threads};
//!
//! # fn main() -> obsidian_rt::Result<()> {
//! let results = Threads::new(vec![Device::cpu(); 2]).run(|member| {
//!     // A file, say: `Sequence::file::<f32>(path)?`.
//!     let numbers = Sequence::generate(1_000_000, |i| (i % 1000) as f32);
//!     member.run(numbers.map(|x| x * 0.5).consume((max(), sum())))
//! })?;
//! assert_eq!(results[0], (Some(499.5), 249_750_000.0));
//! # Ok(())
//! # }
//! ```
//!
//! # Steps with borders
//!
//! ```
//! use obsidian_rt::{Device, shard::{Edge, Threads}};
//!
//! # fn main() -> obsidian_rt::Result<()> {
//! // Heat in a plate of 30 x 20 points, whose upper edge is hot.
//! let heat = |members: usize| {
//!     let plates = Threads::new(vec![Device::cpu(); members]).run(|member| {
//!         let plate = member.rows([30, 20], |rows| {
//!             rows.flat_map(|y| [if y == 0 { 100.0f32 } else { 0.0 }; 20]).collect()
//!         })?;
//!         let plate = member.stencils(10, &plate, 1, Edge::Clamp, |w| {
//!             (w.at((-1, 0)) + w.at((1, 0)) + w.at((0, -1)) + w.at((0, 1))) * 0.25
//!         })?;
//!         member.gather_all(&plate)
//!     })?;
//!     Ok::<_, obsidian_rt::Error>(plates[0].clone())
//! };
//! assert_eq!(heat(1)?, heat(3)?);
//! # Ok(())
//! # }
//! ```
//!
//! # More than one machine
//!
//! Members of several processes need a [`Transport`](crate::shard::Transport): four calls on bytes. The crate in `examples/cluster/transport-mpi` has one over MPI, 200 lines to copy;
//! it is no part of the runtime, as it needs an MPI library where it is compiled. With it, the function of the members is the same, and `Threads` is replaced by a call:
//!
//! ```ignore
//! fn main() {
//!     // Started by `mpirun`: each process is a member, with the GPU of its number on its machine.
//!     let sum = transport_mpi::run(|member| {
//!         let xs = member.from_file::<f32>("/shared/x.bin")?;
//!         member.fold(&xs, |x, y| x + y, 0.0)
//!     });
//!     println!("{sum}");
//! }
//! ```
//!
//! A job for Slurm, of 4 machines with 8 GPUs each; `/shared` is a file system that all machines see:
//!
//! ```text
//! #!/bin/bash
//! #SBATCH --nodes=4
//! #SBATCH --ntasks-per-node=8
//! #SBATCH --gpus-per-node=8
//! #SBATCH --cpus-per-task=4
//! #SBATCH --time=00:10:00
//! # Cores of a member, for what runs on the CPU.
//! export RAYON_NUM_THREADS=$SLURM_CPUS_PER_TASK
//! mpirun /shared/bin/cluster-mpi /shared
//! ```
//!
//! On one machine without a scheduler it is `mpirun -n 4 cluster-mpi`. All processes must be built for the same processor, or at least run by processors alike: see below.
//!
//! # How the cost grows
//!
//! The most that one member takes from others, in bytes and messages, for the programs of `examples/cluster`: the dot product and the sums of 8 million `f32`, ten generations of life on 1024 x 1024
//! cells (with all rows for each member in the end, a million bytes), a matrix of 1024 x 1024 times a vector, MD5 of a dictionary of 20,000 words, and three iterations of PageRank over 1,250 pages.
//! `cargo run --release -p cluster costs` counts them, with the members' own calls.
//!
//! | members | dot product | sums | life | matrix times vector | MD5 | PageRank |
//! |---:|---:|---:|---:|---:|---:|---:|
//! | 2 | 208 in 3 | 4,156 in 4 | 544,768 in 21 | 2,048 in 1 | 104 in 4 | 40,000 in 4 |
//! | 4 | 544 in 9 | 6,512 in 12 | 806,912 in 23 | 3,072 in 3 | 232 in 12 | 120,000 in 12 |
//! | 16 | 2,240 in 45 | 9,992 in 60 | 1,003,520 in 35 | 3,840 in 15 | 560 in 40 | 600,000 in 60 |
//! | 64 | 6,824 in 189 | 15,784 in 252 | 1,052,672 in 83 | 4,032 in 63 | 1,712 in 136 | 2,520,000 in 252 |
//! | 256 | 17,880 in 765 | 28,832 in 1,020 | 1,064,960 in 275 | 4,080 in 255 | 6,320 in 520 | 10,200,000 in 1,020 |
//! | 1,024 | 37,944 in 3,069 | 51,708 in 4,092 | 1,068,032 in 1,043 | 4,092 in 1,023 | 24,752 in 2,056 | 40,920,000 in 4,092 |
//!
//! So folds, scans and stencils go to many machines: what a member takes for a generation of life is 2,048 bytes in two messages, whatever their number is. PageRank as it is here gives each member the sums of all
//! others, and does not; `gather_all` gives each member everything. (An `all_gather` counts as a message from each other member; MPI libraries need fewer for short ones.)
//!
//! Two members with one core each of two, on a virtual machine of two cores without a GPU: the dot product of 16 million numbers is 1.7 times as fast as by one (29 ms and 49 ms), a hundred generations of life on
//! 512 x 512 cells, too (129 ms and 219 ms). `cargo run --release -p cluster speed` measures it.
//!
//! # What bits depend on
//!
//! Members with devices of the same kind give the same bits as one such device. Integers, and `+ - * /` and roots of floats, give the same bits on all devices; other functions of floats differ between a CPU and a GPU.
//!
//! # When a member fails
//!
//! An error or a panic of a member is the error of the run; what a member does beside the calls here gives an error by [`failed`](crate::shard::Member::failed). The others end at their next call, with an error of the kind [`Member`](crate::ErrorKind::Member); so do those that wait for one that does
//! not answer, after 10 seconds or [what you say](crate::shard::Threads::patience), and those that make different calls. In an MPI job the member says what is wrong and who it is, and
//! ends the job. One that hangs, leaves early or makes other calls than the others is seen by the time limit of the job alone.
