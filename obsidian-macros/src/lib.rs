//! The attributes of Obsidian for Rust; use them through `obsidian-rt`, whose prelude has them.
//!
//! Everything happens in `obsidian_expand`, which the build script calls too. The macro reads
//! its tokens and nothing else: the same tokens give the same bytes.

use proc_macro::TokenStream;

/// Makes every function of a module kernel language, and every `#[kernel]` function in it an entry
/// point.
///
/// A function marked `#[arrays]` is a program over whole arrays, such as `Arr1<EF32>`. It becomes as few kernels as possible; a module of
/// its name has `run`, `run_into`, `schedule()`, `kernels()` and `program()`. `#[arrays(fuse = false)]`, `share = false` and
/// `horizontal = false` switch decisions off; `threads = 128` says the real threads of a block. A function marked `#[device]` is plain Rust
/// that the host and the device call.
///
/// A kernels module takes functions, constants and structs from another one by `use
/// crate::combinators::{reduce, scan};`, from a module of another crate too, if that module is
/// `pub` all the way. `pub use` hands them on. Its tokens are the constant `SOURCE`, which the
/// build script of another crate takes by `.library(dep::module::SOURCE)`.
///
/// Options: `#[kernels(crate = path)]` where the crate `obsidian_rt` goes by another path,
/// `#[kernels(built)]` to take in what the build script has compiled.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     const PIECE: u32 = 4;
///
///     fn sum(piece: Pull<EU32>) -> Push<Block, EU32> {
///         reduce(|a, b| a + b, piece)
///     }
///
///     #[kernel(threads = 64)]
///     pub fn sums(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(PIECE).as_grid_map(|piece| sum(piece))
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 4, 10, 20, 30, 40])?;
/// assert_eq!(example::sums::launch(&device, &x)?.to_vec()?, [10, 100]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "cube")]
#[proc_macro_attribute]
pub fn kernels(arguments: TokenStream, item: TokenStream) -> TokenStream {
    obsidian_expand::kernels(arguments.into(), item.into()).into()
}

/// Makes a function the entry point of a kernel: `#[kernel(threads = 256)]`.
///
/// Inside of a `#[kernels]` module it marks entry points. On a free function it works if the
/// function needs nothing but the library.
///
/// A module of the function's name has `launch`, `kernel()`, the text `CUDA`, `variants()` and
/// `launch_variant`.
///
/// | option | is | by default |
/// |---|---|---|
/// | `threads = 64`, `threads = [64, 128]` | the real threads of a block, 1 to 1,024 | 256 |
/// | `min_blocks = 4`, `min_blocks = [1, 4, 8]` | how many blocks a multiprocessor should be able to hold at once, 1 to 32: nvcc gives each thread no more registers than that allows | nvcc decides |
/// | `grid = resident` | a launch starts only as many real blocks as the device holds at once, and each works through several virtual ones | a real block for each virtual one |
/// | `shared_bytes = 65536` | the most bytes of shared memory of a block, up to 232,448 | 49,152 |
/// | `contract` | `a * b + c`, `a * b - c` and `c - a * b` of floats are rounded once, on every device | each operation is rounded |
/// | `faults` | the CUDA text checks each index that `unchecked()` vouches for | such accesses are bare |
/// | `n = 8`, `n = [8, 16]`, `n = true` | the values of a parameter `n` of the host, an integer or boolean | none: each needs one |
/// | `tuned = "file"` | a tuned file, by which `launch` chooses a variant | none |
///
/// `min_blocks` is the second number of CUDA's `__launch_bounds__`: it trades registers, which may
/// spill to local memory, for blocks that run at once. A multiprocessor holds at most 2,048 threads,
/// in whole warps, so `min_blocks * threads` is at most that. Some GPUs hold 1,024 or 1,536; nvcc
/// warns there and ignores a bound that is larger. The CPU and the simulator ignore the bound.
///
/// With `grid = resident` a launch asks the driver how many blocks fit and starts no more. The
/// results are the same with any number of real blocks. `Device::with_blocks` limits them further;
/// the simulator starts 3, and the CPU works through neighbouring blocks on each core as it always
/// does.
///
/// With `faults`, an access that is out of bounds is skipped on a GPU (a load gives 0), the context stays usable, and the next call that waits
/// returns an `ErrorKind::Fault` with array, index, length and the line of your source, as on the CPU and the simulator, which always check. Of several
/// accesses, the first in the kernel's text is reported, with its smallest index. Each such access costs a comparison, the kernel gets no wide accesses, and a
/// launch makes no further call of the driver. An array held by a warp that is read at such an index goes through shared memory. Without `faults`, such a read is a
/// shuffle, and a wrong index gives another lane's element, on the simulator too.
///
/// Parameters of the host come before those that a launch is given. Each combination of values is a
/// variant, at most 1,024 of a kernel. All are evaluated and checked while the crate compiles, and
/// all run on every device. The first value of each list is the default. One that cannot be built
/// is an error that names its values. A tuned file needs `#[kernels(built)]`; its path begins at
/// the package's folder.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     /// `piece` is known while the kernel is built, `factor` at launch.
///     #[kernel(threads = 64, piece = [128, 256])]
///     pub fn scaled(piece: u32, factor: EU32, x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.chunks(piece, 0).as_grid_map(|x| x.map(|x| factor * x).push()).take(x.len())
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3])?;
/// assert_eq!(example::scaled::launch(&device, 10, &x)?.to_vec()?, [10, 20, 30]);
/// assert_eq!(example::scaled::variants().len(), 2);
/// println!("{}", example::scaled::CUDA);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "__global__")]
#[doc(alias = "__launch_bounds__")]
#[doc(alias = "blockDim")]
#[doc(alias = "CubeDim")]
#[proc_macro_attribute]
pub fn kernel(arguments: TokenStream, item: TokenStream) -> TokenStream {
    obsidian_expand::kernel(arguments.into(), item.into()).into()
}

/// Goes on with a `#[kernels]` module that uses others; generated code calls it, nobody else.
#[doc(hidden)]
#[proc_macro]
pub fn kernels_linked(tokens: TokenStream) -> TokenStream {
    obsidian_expand::kernels_linked(tokens.into()).into()
}

/// Makes a struct of numbers an element: device functions and ranges take and give it, and an array of it lies on a device as one
/// buffer for each number.
///
/// It stands on a struct in a `#[kernels]` module, which reads it there: `#[derive(Clone, Copy, Element)]`. The struct stays the
/// plain Rust struct that it is for the host.
///
/// - Fields are numbers and `bool`, but not `usize` and `isize`, whose size depends on the machine; other such structs, also of
///   other `#[kernels]` modules; tuples of two to eight of these, and arrays of up to eight. A struct has 64 numbers at most.
/// - There are no type parameters, and the struct is `Copy`.
/// - Tuple structs work too: `struct Pair(f32, f32);`.
///
/// A device function has literals with `..base`, fields, assignments to fields of a `let mut`, and patterns. A range takes
/// `&[Body]` and values, and gives `Rows<Body>`.
///
/// A kernel that calls a device function has tuples in place of structs: of `Body { x: f32, mass: f32 }` it passes `(EF32, EF32)`, and gets it. A struct
/// with one field is that field there, and of more than eight each eight are a tuple.
#[proc_macro_derive(Element)]
pub fn element(item: TokenStream) -> TokenStream {
    obsidian_expand::element(item.into()).into()
}
