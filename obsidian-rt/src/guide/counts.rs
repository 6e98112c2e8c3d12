//! How to read the counts: of a kernel, of the simulator, and of an exploration.
//!
//! # Of a kernel
//!
//! These are known without a run. They are properties of the CUDA text.
//!
//! | call | is | look here if |
//! |---|---|---|
//! | [`Kernel::barriers`](crate::Kernel::barriers) | barriers of a block (`__syncthreads`); one in a loop counts once | short pieces are stored one after another |
//! | [`Kernel::warp_waits`](crate::Kernel::warp_waits) | barriers of a warp (`__syncwarp`), which are cheap | |
//! | [`Kernel::shared_bytes`](crate::Kernel::shared_bytes) | shared memory of a block, after arrays that are not used at the same time share a place | few blocks run at once |
//! | [`Kernel::threads`](crate::Kernel::threads) | real threads of a block | |
//!
//! # Of a run on the simulator
//!
//! [`Device::counted`](crate::Device::counted) gives [`Counts`](crate::Counts): what all blocks did. They do not depend on the machine.
//!
//! ```
//! use obsidian_rt::prelude::*;
//!
//! #[kernels]
//! mod example {
//!     #[kernel(threads = 64)]
//!     pub fn copied(x: DPull<EU32>) -> DPush<Grid, EU32> {
//!         x.split_up(64).as_grid_map(|x| x.push())
//!     }
//!
//!     #[kernel(threads = 64)]
//!     pub fn dealt(x: DPull<EU32>) -> DPush<Grid, EU32> {
//!         // Neighbouring threads read 8 elements apart.
//!         x.split_up(512).as_grid_map(|x| x.ix_map(|i| i / 64 + i % 64 * 8).push())
//!     }
//! }
//!
//! let device = Device::simulator();
//! let x = device.upload(&[1; 512])?;
//! let (_, counts) = device.counted(|device| example::copied::launch(device, &x))?;
//! // 512 elements of 4 bytes are 64 sectors of 32 bytes, read once and written once.
//! assert_eq!(counts.buffers.sectors, 2 * 64);
//! // 32 threads of a warp are one request.
//! assert_eq!(counts.buffers.requests, 2 * 16);
//!
//! let (_, counts) = device.counted(|device| example::dealt::launch(device, &x))?;
//! // Each read of a warp touches 32 sectors, of which it uses an eighth: 512 and the 64 of the result.
//! assert_eq!(counts.buffers.sectors, 512 + 64);
//! # Ok::<(), obsidian_rt::Error>(())
//! ```
//!
//! | field | counts | a good kernel |
//! |---|---|---|
//! | `buffers.sectors` | 32-byte sectors between blocks and the device's memory | moves each byte of input and output once: `bytes / 32` |
//! | `buffers.requests` | accesses of warps | has 32 elements in each, or more where accesses are wide |
//! | `shared.bank_conflicts` | passes of shared memory more than one for a request | has none: see [`Pitch`](crate::language::Pitch) |
//! | `shared.collisions`, `buffers.collisions` | lanes that wait for another one's atomic operation of the same element | combines in a warp first |
//! | `block_waits` | barriers of a block, once for each block that reaches one | stores less often, or in registers |
//! | `shuffles`, `lane_reductions` | instructions by which lanes exchange values | |
//! | `divergent_branches` | branches at which the lanes of a warp went both ways | chooses values by `select` |
//! | `instructions` | by kind, once for each warp | |
//! | `zero_divisions` | integer divisions by 0, which give 0 | has none |
//!
//! [`Counts::of_array`](crate::Counts::of_array) is the traffic of one array by its name. `println!("{counts}")` prints all of it.
//!
//! # Of an exploration
//!
//! With the feature `explore`, the table of an exploration has a line for each candidate, the best first.
//!
//! | column | is |
//! |---|---|
//! | `predicted` | seconds that a model works out from the counts, for a GPU that need not be there |
//! | `compiled` | the same with the registers of the machine code that a compiler has made |
//! | `measured` | seconds on a device. It decides where it is there; a measured time and a predicted one are not compared |
//! | `of best` | the time as a multiple of the best candidate's: 1.06 is 6 % more |
//! | `registers`, `local` | registers and bytes of local memory of a thread, of candidates that were compiled |
//! | `bottleneck` | the largest part of the predicted time |
