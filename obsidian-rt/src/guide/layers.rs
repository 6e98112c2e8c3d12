//! Which layer do I need?
//!
//! Start at the top of this table, and go down where the layer cannot say what you want. All layers share devices and buffers, so one
//! program uses several of them.
//!
//! | you have | layer | you write | it decides |
//! |---|---|---|---|
//! | a usual algorithm: sum, scan, sort, filter | [algorithms](#an-algorithm) | one call | everything |
//! | a function that gives element `i` | [`#[device(range)]`](#a-function-for-each-element) | plain Rust | threads and blocks |
//! | several steps over whole arrays | [`#[arrays]`](#whole-arrays) | `map`, `fold`, `zip_with` | how many kernels, and what is stored |
//! | data that does not fit in memory | [sequences](#data-that-does-not-fit) | what is done with a chunk | chunks, reading, what is carried |
//! | a computation in which threads work together | [`#[kernel]`](#a-kernel) | who computes which element, and what is stored where | barriers, shared-memory layout, loops over blocks |
//!
//! # An algorithm
//!
//! With the feature `algorithms`, `obsidian_rt::algorithms` has sums, extremes, scans, sorts, selections, histograms and others, as
//! functions of buffers and slices: `algorithms::sum(&device, &xs)?`.
//!
//! # A function for each element
//!
//! The same text runs on the host as rustc has compiled it. A thread cannot use what another has computed.
//!
//! ```
//! use obsidian_rt::prelude::*;
//!
//! #[kernels]
//! mod example {
//!     #[device(range)]
//!     pub fn difference(i: usize, x: &[f32]) -> f32 {
//!         if i == 0 { 0.0 } else { x[i] - x[i - 1] }
//!     }
//! }
//!
//! let x = [1.0, 4.0, 9.0];
//! let result = example::difference::compute(&Device::cpu(), [3], (&x,))?;
//! assert_eq!(result.to_vec()?, [0.0, 3.0, 5.0]);
//! # Ok::<(), obsidian_rt::Error>(())
//! ```
//!
//! # Whole arrays
//!
//! Steps are fused where that is right, and `schedule()` says which kernels there are and why.
//!
//! ```
//! use obsidian_rt::prelude::*;
//!
//! #[kernels]
//! mod example {
//!     #[arrays]
//!     pub fn distance(x: Arr1<EF32>, y: Arr1<EF32>) -> Arr0<EF32> {
//!         zip_with(|x, y| (x - y) * (x - y), x, y).sum().map(|x| x.sqrt())
//!     }
//! }
//!
//! let device = Device::cpu();
//! let (x, y) = (device.array([2], &[3.0f32, 0.0])?, device.array([2], &[0.0f32, 4.0])?);
//! assert_eq!(example::distance::run(&device, &x, &y)?.value()?, 5.0);
//! # Ok::<(), obsidian_rt::Error>(())
//! ```
//!
//! # Data that does not fit
//!
//! With the feature `sequence`, `obsidian_rt::sequence` reads files, slices and iterators chunk by chunk:
//! `Sequence::file::<f32>("x.bin")?.map(|x| x * x).sum().run(&device)?`. A chunk is an array, and what is done with it an array program.
//!
//! # A kernel
//!
//! Below, each block sums 4 elements; [`compute`](crate::language::compute()) and [`hold`](crate::language::hold()) say what is stored.
//! The compiler proves that there are no races and no accesses out of bounds, and places the barriers.
//!
//! ```
//! use obsidian_rt::prelude::*;
//!
//! #[kernels]
//! mod example {
//!     #[kernel(threads = 64)]
//!     pub fn sums(x: DPull<EU32>) -> DPush<Grid, EU32> {
//!         x.split_up(4).as_grid_map(|piece| reduce(|a, b| a + b, piece))
//!     }
//! }
//!
//! let device = Device::cpu();
//! let x = device.upload(&[1, 2, 3, 4, 10, 20, 30, 40])?;
//! assert_eq!(example::sums::launch(&device, &x)?.to_vec()?, [10, 100]);
//! # Ok::<(), obsidian_rt::Error>(())
//! ```
//!
//! # When shapes are known only while the program runs
//!
//! [`TypedKernel`](crate::TypedKernel) builds a kernel of a closure, and [`ArrayProgram`](crate::arrays::ArrayProgram) a program over
//! arrays. They run on every device; on the CPU a kernel of a closure is slower than one of `#[kernel]`.
