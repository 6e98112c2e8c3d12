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
//! | `fold`, `dot`, `scan` | one number for each grain of 4,096 elements, to all |
//! | `histogram` | its counts, to all |
//! | `stencil`, `stencils` of radius `r` | `r` rows to each of two neighbours |
//! | `gather_all` | its block, to all |
//!
//! The bits of the results do not depend on the number of members: grains are combined in the order that [sequences](crate::sequence) have.
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
//! # Several machines
//!
//! Members of several processes need a [`Transport`](crate::shard::Transport): four calls on bytes, which MPI has as `MPI_Allgatherv`, `MPI_Sendrecv`, `MPI_Bcast` and
//! `MPI_Barrier`. Write one over what your cluster has, and give it to [`Member::new`](crate::shard::Member::new) with the device of the process; the rest of the program stays as it is.
//!
//! # When a member fails
//!
//! An error or a panic of a member is the error of the run. The others end at their next call, with an error of the kind [`Member`](crate::ErrorKind::Member); so do those that wait for one that does
//! not answer, after 10 seconds or [what you say](crate::shard::Threads::patience).
