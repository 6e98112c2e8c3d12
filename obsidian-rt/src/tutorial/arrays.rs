//! Arrays first, kernels when you need them.
//!
//! A function marked `#[arrays]` in a `#[kernels]` module says what is computed of whole arrays. While your crate compiles it becomes as few
//! kernels as possible, and a typed `run`. No thread, block or length of a piece occurs in it:
//!
//! ```
//! use obsidian_rt::prelude::*;
//!
//! #[kernels]
//! pub mod linear {
//!     #[arrays]
//!     pub fn dotp(xs: Arr1<EF32>, ys: Arr1<EF32>) -> Arr0<EF32> {
//!         zip_with(|x, y| x * y, xs, ys).fold(|a, b| a + b, 0.0)
//!     }
//!
//!     #[arrays]
//!     pub fn mvm(m: Arr2<EF32>, v: Arr1<EF32>) -> Arr1<EF32> {
//!         let (height, _) = m.shape();
//!         zip_with(|a, b| a * b, m, v.replicate(height)).sum()
//!     }
//! }
//!
//! fn main() -> obsidian_rt::Result<()> {
//!     let device = Device::best()?;
//!     let xs = device.array([3], &[1.0f32, 2.0, 3.0])?;
//!     let m = device.array([2, 3], &[1.0f32, 0.0, 0.0, 0.0, 1.0, 1.0])?;
//!     assert_eq!(linear::dotp::run(&device, &xs, &xs)?.value()?, 14.0);
//!     assert_eq!(linear::mvm::run(&device, &m, &xs)?.to_vec()?, [1.0, 5.0]);
//!     Ok(())
//! }
//! ```
//!
//! `Arr0` is one element, `Arr1` a vector, `Arr2` a matrix and `Arr3` an array of three axes; elements are device values or tuples of them.
//! `run` takes and gives [`Array`](crate::arrays::Array)s: buffers on a device, with extents.
//!
//! # What becomes of it
//!
//! Operations on elements and indices fuse: the products of `dotp` are stored nowhere, and neither are the copies of `v` in `mvm`.
//! `schedule()` says which kernels a run launches, for what:
//!
//! ```
//! # use obsidian_rt::prelude::*;
//! # #[kernels]
//! # pub mod linear {
//! #     #[arrays]
//! #     pub fn dotp(xs: Arr1<EF32>, ys: Arr1<EF32>) -> Arr0<EF32> {
//! #         zip_with(|x, y| x * y, xs, ys).fold(|a, b| a + b, 0.0)
//! #     }
//! # }
//! # fn main() {
//! # obsidian_rt::generated::shown("dotp.txt", &linear::dotp::schedule().to_string());
//! assert_eq!(linear::dotp::schedule().operators(), 1);
//! # }
//! ```
//!
//! ```text
#![doc = include_str!("cuda/dotp.txt")]
//! ```
//!
//! A row of up to 8,192 elements is folded by one block. Of a longer one blocks fold pieces, and the last of them, when all are done, folds what these give.
//! Many rows are folded in the same way, by a thread each where they have at most 8 elements, and by 8 threads each up to 256; [`fold_order`](super::fold_order) has the rule.
//!
//! | you write | kernels |
//! |---|---|
//! | `map`, `zip_with`, `reverse`, `transpose`, `axis`, `replicate`, `reshape`, .. of each other | one |
//! | the same before or behind a `fold` | that of the fold |
//! | two folds of one array, `(xs.max(), xs.sum())` | one, which reads the array once |
//! | a `map` and a `fold` of one array | one: the loop that folds writes the `map` |
//! | a fold of a fold's result | one more |
//! | a scan, with a `map` in front of it and one behind it | one, in one launch |
//! | a `stencil`, with maps in front of it and behind it | one |
//! | `filter`, `compact`, `unique`, and both arrays of `partition` | one, that of the scan which counts |
//! | `sort`, `sort_by_key` | one for each byte of a key, and two before; one for 32 KB of elements or less |
//! | `permute` of whole numbers by `+`, `min`, `max`, `&`, `\|` or `^` | two: the defaults, and what changes them |
//! | `power`, `awhile` | those of a body, launched in each iteration |
//!
//! An intermediate array is stored where computing its elements again would cost more: if several kernels read it, or one reads it at several indices, as a
//! stencil does. The schedule says where that happens, and why. `.compute()` stores an array whatever it costs, and `.inline()` never does.
//!
//! # What to know
//!
//! - The [order](super::fold_order) in which a fold combines elements depends on the extents and on the function alone, so every device gives the same bits, with fusion
//!   or without. The function must be associative, for floats up to rounding; it need not commute, and the start need not be neutral.
//! - Extents that do not fit are an error of `run` with both extents and their places in your source, or an error of the compiler where they are known.
//!   An index that leaves its array, `xs[i]` or `gather`, is an [`ErrorKind::Fault`](crate::ErrorKind::Fault) on every device.
//! - Ordinary Rust runs while the crate compiles, as in kernels: loops, `if`, recursion over arrays. Functions of arrays are ordinary functions of the module.
//! - Folds work on rows, the innermost axis. `axis(k)` makes axis `k` the innermost one: of a matrix of shape `(h, w)`, `m.sum()` has shape `h`, and
//!   `m.axis(0).sum()`, the sums of the columns, has shape `w`. Nothing is copied for it.
//! - How many elements `filter` keeps is known only while a run goes on. The run reads the number and goes on with it, so its arrays are as long as they have
//!   to be; what is compared with that length is checked then. `run_into` has no memory to give such a result: it is an error that says to use `run`.
//! - Loops over arrays are `power(n, xs, |xs| ..)` and `awhile(xs, |xs| condition, |xs| ..)`; `if_then(condition, || .., || ..)` computes one of two arrays. Their
//!   bodies are described once and launched as often as a run needs. An iteration may give arrays of other extents than it takes, with as many axes.
//! - `xs.permute(f, defaults, |i, x| (true, place))` puts elements at places that they say and combines those of one place by `f`, in their order: a histogram is
//!   `ones.permute(|a, b| a + b, fill(256, 0), |i, _| (true, keys[i]))`.
//! - An element may be a loop: a function of elements may give a program of one thread, such as `seq_until(..)`, and call `#[device]` functions.
//! - A function of elements may make arrays of its own: `xs.map(|x| ys.map(|y| (x - y).abs()).min().the())`. Nothing of them is stored: a fold of one is a
//!   loop of the thread that computes the element. So is each element of a scan, over those in front of it, and each element that `filter` keeps is searched
//!   for: to read all of them takes quadratic time there, and linear time outside of a function of elements, where they are stored.
//! - `#[arrays(fuse = false)]`, `(share = false)` and `(horizontal = false)` switch one decision off each, to see what it is worth;
//!   `(threads = 128)` says the real threads of a block. Results stay the same.
//!
//! What a program stores, and how, can be explored as a kernel can: a candidate of `obsidian_rt::explore` builds the program with other
//! [`Settings`](crate::arrays::Settings), or with `.compute()` and `.inline()` at other places, and runs it on an
//! [`ArrayView`](crate::arrays::ArrayView) of the job's buffers.
//!
//! The functions and methods are those of [`arrays`](crate::arrays). That module also builds a program from a closure while your program runs.
//!
//! # A kernel of your own
//!
//! Where one step needs threads and shared memory, write that step as a kernel. An array is a buffer with extents, so both go together:
//! [`into_buffer`](crate::arrays::Array::into_buffer) gives the buffer, and [`Array::of`](crate::arrays::Array::of) makes an array of one.
//!
//! ```
//! use obsidian_rt::arrays::Array;
//! use obsidian_rt::prelude::*;
//!
//! #[kernels]
//! pub mod steps {
//!     /// Whole arrays: numbers between 0 and 1 become keys.
//!     #[arrays]
//!     pub fn keys(xs: Arr1<EF32>) -> Arr1<EU32> {
//!         xs.map(|x| (x * 1000.0) as u32)
//!     }
//!
//!     /// A kernel: each block sorts 256 keys in shared memory.
//!     #[kernel(threads = 64)]
//!     pub fn sorted(keys: DPull<EU32>) -> DPush<Grid, EU32> {
//!         keys.split_up(256).as_grid_map(|run| sort(|a, b| a < b, run))
//!     }
//!
//!     /// Whole arrays again: the median of each run.
//!     #[arrays]
//!     pub fn medians(runs: Arr2<EU32>) -> Arr1<EU32> {
//!         runs.column(127)
//!     }
//! }
//!
//! fn main() -> obsidian_rt::Result<()> {
//!     let device = Device::best()?;
//!     let xs: Vec<f32> = (0..512).map(|i| (i * 37 % 512) as f32 / 512.0).collect();
//!     let keys = steps::keys::run(&device, &device.array([512], &xs)?)?;
//!     let sorted = steps::sorted::launch(&device, &keys.into_buffer()?)?;
//!     let medians = steps::medians::run(&device, &Array::of(sorted, [2, 256])?)?;
//!     # let want = |run: &[f32]| {
//!     #     let mut keys: Vec<u32> = run.iter().map(|x| (x * 1000.0) as u32).collect();
//!     #     keys.sort_unstable();
//!     #     keys[127]
//!     # };
//!     # assert_eq!(medians.to_vec()?, [want(&xs[..256]), want(&xs[256..])]);
//!     assert_eq!(medians.extents(), [2]);
//!     Ok(())
//! }
//! ```
//!
//! The other pages are about such kernels. The kernels of an array program are of the same language: `linear::dotp::kernels()` has their CUDA text.
