//! Loops of launches: memory that is made once.
//!
//! A simulation, an iteration towards a solution, a network of a sort: the host launches again and again, and each launch reads what the
//! one before has written. `launch` makes a buffer for its result each time. `launch_into` writes to a buffer that you
//! have, and two buffers that change places are enough for any number of steps: nothing is allocated in the loop. On a GPU nothing waits
//! either: the host queues steps while the device does those before.
//!
//! # Jacobi's method
//!
//! Each step replaces an element of a grid by the mean of its four neighbours, and keeps the border. The result solves Laplace's equation: the
//! temperature of a plate, say, whose border is held at given temperatures.
//!
//! ```
//! use std::mem::swap;
//!
//! use obsidian_rt::prelude::*;
//!
//! #[kernels]
//! pub mod plates {
//!     /// A step on a grid with rows of `width`.
//!     #[kernel(threads = 256)]
//!     pub fn jacobi(width: EU32, now: DPull<EF32>) -> DPush<Grid, EF32> {
//!         let (last, height) = (now.len() - 1, now.len() / width);
//!         let next = generate(now.len(), |i| {
//!             let (above, below) = (i.max(width) - width, (i + width).min(last));
//!             let (left, right) = (i.max(1) - 1, (i + 1).min(last));
//!             let mean = (now[above] + now[below] + now[left] + now[right]) * 0.25;
//!             let (row, column) = (i / width, i % width);
//!             let border = (row == 0) | (row == height - 1) | (column == 0) | (column == width - 1);
//!             select(border, now[i], mean)
//!         });
//!         next.chunks(1024, 0.0).as_grid_map(|piece| piece.push()).take(now.len())
//!     }
//! }
//!
//! # fn main() -> obsidian_rt::Result<()> {
//! // A plate whose border is as warm as its column and row say. The solution is that everywhere.
//! const SIDE: usize = 16;
//! let place = |i: usize| (i % SIDE + i / SIDE) as f32;
//! let inside = |i: &usize| (1..SIDE - 1).contains(&(i % SIDE)) && (1..SIDE - 1).contains(&(i / SIDE));
//! let start: Vec<f32> = (0..SIDE * SIDE).map(|i| if inside(&i) { 0.0 } else { place(i) }).collect();
//!
//! let device = Device::best()?;
//! let (mut now, mut next) = (device.upload(&start)?, device.zeros(start.len())?);
//! for _ in 0..1000 {
//!     plates::jacobi::launch_into(&device, SIDE as u32, &now, &mut next)?;
//!     swap(&mut now, &mut next);
//! }
//! let plate = now.to_vec()?;
//! assert!(plate.iter().enumerate().all(|(i, x)| (x - place(i)).abs() < 1e-3));
//! # obsidian_rt::generated::shown("jacobi.cu", plates::jacobi::CUDA);
//! # Ok(())
//! # }
//! ```
//!
#![doc = concat!("```c\n", include_str!("cuda/jacobi.cu"), "```")]
//!
//! The compiler proves that all five reads are inside of `now`: `i.max(width) - width` is never below 0 nor above `i`, and the minimum with
//! `last` needs no more. A step that reads and writes the same buffer does not compile: `launch_into(.., &now, &mut now)` borrows it
//! twice.
//!
//! # What each way costs
//!
//! | in the loop, on a GPU | allocations | waits |
//! |---|---|---|
//! | `launch_into` and `swap` | none | none |
//! | [`replay`](crate::Recording::replay) of recorded steps | none after the first replay | none |
//! | `now = launch(&device, .., &now)?` | none after the first steps: dropped buffers are kept for later ones | none |
//! | `to_vec` and `upload` in each step | a `Vec` each | two a step, and the grid crosses the bus twice |
//!
//! With `launch_into` the program fixes the memory: two grids. `launch` leaves it to the device's pool, which frees what exceeds its
//! bound. So use `launch` for results that are kept or of different lengths, and `launch_into` for what is overwritten.
//!
//! # Recording steps
//!
//! For a small grid, the time in which the host asks for a step counts. [`Device::record`](crate::Device::record) writes steps down, and
//! [`replay`](crate::Recording::replay) asks for all of them by one call: on a GPU a CUDA graph, elsewhere one step after the other. The loop above,
//! a hundred steps at a time:
//!
//! ```
//! # use obsidian_rt::prelude::*;
//! # #[kernels]
//! # pub mod plates {
//! #     #[kernel(threads = 256)]
//! #     pub fn jacobi(width: EU32, now: DPull<EF32>) -> DPush<Grid, EF32> {
//! #         let (last, height) = (now.len() - 1, now.len() / width);
//! #         let next = generate(now.len(), |i| {
//! #             let (above, below) = (i.max(width) - width, (i + width).min(last));
//! #             let (left, right) = (i.max(1) - 1, (i + 1).min(last));
//! #             let mean = (now[above] + now[below] + now[left] + now[right]) * 0.25;
//! #             let (row, column) = (i / width, i % width);
//! #             let border = (row == 0) | (row == height - 1) | (column == 0) | (column == width - 1);
//! #             select(border, now[i], mean)
//! #         });
//! #         next.chunks(1024, 0.0).as_grid_map(|piece| piece.push()).take(now.len())
//! #     }
//! # }
//! # fn main() -> obsidian_rt::Result<()> {
//! # const SIDE: usize = 16;
//! # let place = |i: usize| (i % SIDE + i / SIDE) as f32;
//! # let inside = |i: &usize| (1..SIDE - 1).contains(&(i % SIDE)) && (1..SIDE - 1).contains(&(i / SIDE));
//! # let start: Vec<f32> = (0..SIDE * SIDE).map(|i| if inside(&i) { 0.0 } else { place(i) }).collect();
//! # let device = Device::best()?;
//! let mut grids = (device.upload(&start)?, device.zeros(start.len())?);
//! let mut hundred_steps = device.record(&grids, |device, (now, next)| {
//!     for _ in 0..50 {
//!         plates::jacobi::launch_into(device, SIDE as u32, now, next)?;
//!         plates::jacobi::launch_into(device, SIDE as u32, next, now)?;
//!     }
//!     Ok(())
//! })?;
//! for _ in 0..10 {
//!     hundred_steps.replay(&mut grids)?;
//! }
//! # let plate = grids.0.to_vec()?;
//! # assert!(plate.iter().enumerate().all(|(i, x)| (x - place(i)).abs() < 1e-3));
//! # Ok(())
//! # }
//! ```
//!
//! Nothing runs while the closure does; its `now` and `next` only stand for the buffers. So it cannot read results or copy from the host, which are errors, and
//! it has to leave the buffers in their order: an even number of steps.
//!
//! # Checking for convergence
//!
//! Check every hundredth step or so, not every step: each [`to_vec`](crate::Buffer::to_vec) waits for all
//! steps before it. To copy a grid to the host while the next steps run, first copy it on the device to a buffer of another [`Stream`](crate::Stream), by
//! [`copy_from_buffer`](crate::Buffer::copy_from_buffer), and call [`copy_to_pinned`](crate::Buffer::copy_to_pinned) on that one: it comes back at once. A
//! buffer that the next steps read makes them wait for the copy.
