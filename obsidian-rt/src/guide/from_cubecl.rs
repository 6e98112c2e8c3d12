//! From CubeCL: its words, and what one writes here.
//!
//! Both are attribute macros over Rust, and both compile to several devices. A CubeCL kernel is the text of one unit, which reads and
//! writes tensors at `ABSOLUTE_POS`. A kernel here is a function from arrays to arrays, from which the text of a thread is generated;
//! it is compiled, and checked for races and bounds, while your crate compiles.
//!
//! # A kernel in both
//!
//! ```text
//! #[cube(launch)]
//! fn doubled(x: &Array<f32>, out: &mut Array<f32>) {
//!     if ABSOLUTE_POS < x.len() {
//!         out[ABSOLUTE_POS] = x[ABSOLUTE_POS] * 2.0;
//!     }
//! }
//! ```
//!
//! ```
//! use obsidian_rt::prelude::*;
//!
//! #[kernels]
//! mod example {
//!     #[kernel]
//!     pub fn doubled(x: DPull<EF32>) -> DPush<Grid, EF32> {
//!         x.chunks(256, 0.0).as_grid_map(|piece| piece.map(|x| x * 2.0).push()).take(x.len())
//!     }
//!
//!     // Or, from the function of one element:
//!     #[device(range)]
//!     pub fn twice(i: usize, x: &[f32]) -> f32 {
//!         x[i] * 2.0
//!     }
//! }
//!
//! let device = Device::cpu();
//! let x = device.upload(&[1.0f32, 2.0, 3.0])?;
//! assert_eq!(example::doubled::launch(&device, &x)?.to_vec()?, [2.0, 4.0, 6.0]);
//! assert_eq!(example::twice::compute(&device, [3], (&x,))?.to_vec()?, [2.0, 4.0, 6.0]);
//! # Ok::<(), obsidian_rt::Error>(())
//! ```
//!
//! # Words
//!
//! | CubeCL | here |
//! |---|---|
//! | `#[cube(launch)]` | [`#[kernel]`](macro@crate::kernel) in a [`#[kernels]`](macro@crate::kernels) module |
//! | `#[cube]` | any function of the module |
//! | `ABSOLUTE_POS` | the index of [`generate`](crate::language::generate()) and [`Pull::map`](crate::language::Pull::map); `i` of a `#[device(range)]` function |
//! | `CUBE_POS` | what [`as_grid_map`](crate::language::Pull::as_grid_map) and [`distr_par`](crate::language::distr_par) count |
//! | `UNIT_POS` | what [`for_all`](crate::language::for_all) counts |
//! | `CubeDim` | `#[kernel(threads = 256)]` |
//! | `CubeCount` | follows from the lengths |
//! | `#[comptime]` | a parameter of the host: `fn f(n: u32, x: DPull<EF32>)` with `#[kernel(n = 8)]` |
//! | `#[unroll]` | a `for` of Rust, which is written out; [`unroll`](crate::language::unroll) for loops of the device |
//! | `SharedMemory` | [`compute`](crate::language::compute()), [`new_shared_mutable`](crate::language::new_shared_mutable) |
//! | `sync_cube()` | placed by the compiler; [`sync`](crate::language::sync) asks for one |
//! | `plane_sum`, `plane_inclusive_sum` | [`reduce`](crate::language::reduce) and [`inclusive_scan`](crate::language::inclusive_scan) at level Warp |
//! | `plane_shuffle` | an index into what a warp [`hold`](crate::language::hold())s |
//! | `plane_ballot`, `plane_any`, `plane_all` | [`ballot`](crate::language::ballot), [`any`](crate::language::any), [`all`](crate::language::all) |
//! | `Atomic<u32>` | [`Mutable::atomic_add`](crate::language::Mutable::atomic_add) and its like |
//! | `Array<f32>`, `&mut Array<f32>` | [`DPull<EF32>`](crate::language::DPull), [`MGlobal<EF32>`](crate::language::MGlobal) |
//! | `if` on a value of a unit | [`select`](crate::language::select()), [`cond`](crate::language::cond); in `#[device]` functions `if` |
//! | `ComputeClient` | [`Device`](crate::Device) |
//! | `client.create(..)`, `client.empty(..)`, `client.read_one(..)` | [`Device::upload`](crate::Device::upload), [`Device::zeros`](crate::Device::zeros), [`Buffer::to_vec`](crate::Buffer::to_vec) |
//! | autotune | [`variants`](crate::tutorial::variants) and [`Tuner`](crate::Tuner); with the feature `explore`, `obsidian_rt::explore` |
//! | `Line<f32>`, matrix units, `f16`, runtimes for other GPUs than NVIDIA's | there are none; wide accesses are made by the compiler |
