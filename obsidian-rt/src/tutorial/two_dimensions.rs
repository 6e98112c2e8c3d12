//! Pictures and matrices: arrays of two dimensions.
//!
//! A buffer has one dimension. A kernel takes it as a matrix by its width, and computes in tiles that fit any size. No index is computed by
//! hand, and the compiler proves that none leaves the picture.
//!
//! # Each element from its neighbours
//!
//! `in_rows(width)` makes rows of an array; the launch checks that the width divides its length. An index is a pair, row first. `cover(8, 32)` cuts
//! an array of any size into tiles of 8 rows by 32 columns, one for each block. Tiles at the edges go beyond the array, and `crop` drops what they
//! compute there. Without `crop` the result has whole tiles: 40 by 64 elements of a picture of 37 by 53. An array without elements has no rows by
//! `in_rows`; where its height counts, as in sums of rows of width 0, take `as_2d(height, width)`.
//!
//! ```
//! use obsidian_rt::prelude::*;
//!
//! #[kernels]
//! pub mod pictures {
//!     /// The mean of each element and its four neighbours. Outside, the border is repeated.
//!     #[kernel]
//!     pub fn smoothed(width: EU32, picture: DPull<EF32>) -> DPush<Grid, EF32> {
//!         let m = picture.in_rows(width);
//!         let (h, w) = m.shape();
//!         let means = generate((h, w), |(y, x)| {
//!             let (above, below) = (y.max(1) - 1, (y + 1).min(h - 1));
//!             let (left, right) = (x.max(1) - 1, (x + 1).min(w - 1));
//!             (m[(y, x)] + m[(above, x)] + m[(below, x)] + m[(y, left)] + m[(y, right)]) * 0.2
//!         });
//!         means.cover(8, 32).as_grid_map(|tile| tile.push::<Block>()).crop(h, w).flat()
//!     }
//! }
//!
//! # fn main() -> obsidian_rt::Result<()> {
//! let device = Device::best()?;
//! // Two rows of three.
//! let picture = device.upload(&[0.0f32, 5.0, 0.0, 0.0, 0.0, 10.0])?;
//! let means = pictures::smoothed::launch(&device, 3, &picture)?;
//! assert_eq!(means.to_vec()?, [1.0, 2.0, 3.0, 0.0, 3.0, 6.0]);
//! # Ok(())
//! # }
//! ```
//!
//! `y.max(1) - 1` is the row above, or row 0 at the top; `(y + 1).min(h - 1)` the row below, or the last. Because rows are unsigned, subtract only
//! what cannot go below 0. Zeros outside are a `select`, whose index is right wherever it is chosen:
//! `select(y >= 1, m[(y - 1, x)], 0.0)`. Signed coordinates work too: with `let (y, x) = (y as EI32 + dy, x as EI32 + dx)`, the index
//! `y.clamp(0, h as EI32 - 1) as EU32` repeats the border, and `y.rem_euclid(h as EI32) as EU32` goes around.
//!
//! A block of 256 threads computes the 256 elements of a tile, so that a row of 32 is read and written at once. The kernel divides by the width
//! for no element, as `i / width` and `i % width` of an array of one dimension would.
//!
//! # Windows from shared memory
//!
//! The kernel above reads each element five times, from the caches. Where a window is large, let each block store its tile with a border, the halo, once:
//! [`stencil_tiles`](crate::algorithms::blocks::stencil_tiles). [`clamped`](crate::algorithms::blocks::clamped),
//! [`wrapped`](crate::algorithms::blocks::wrapped), [`mirrored`](crate::algorithms::blocks::mirrored) and
//! [`padded`](crate::algorithms::blocks::padded) say what is outside.
//!
//! ```
//! use obsidian_rt::prelude::*;
//!
//! #[kernels]
//! pub mod pictures {
//!     use obsidian_rt::algorithms::blocks::*;
//!
//!     /// The largest of the 25 elements around each one, with zeros outside.
//!     #[kernel]
//!     pub fn dilated(width: EU32, picture: DPull<EU32>) -> DPush<Grid, EU32> {
//!         let bordered = padded(2, 0, picture.in_rows(width));
//!         let largest = |window: Pull2<EU32>, _: EU32, _: EU32| {
//!             fold1(|a, b| a.max(b), window.flat())[0]
//!         };
//!         stencil_tiles(8, 32, 2, largest, bordered).flat()
//!     }
//! }
//!
//! # fn main() -> obsidian_rt::Result<()> {
//! let device = Device::best()?;
//! let picture = device.upload(&[0u32, 0, 0, 0, 0, 0, 7, 0])?;
//! assert_eq!(pictures::dilated::launch(&device, 8, &picture)?.to_vec()?, [0, 0, 0, 0, 7, 7, 7, 7]);
//! # Ok(())
//! # }
//! ```
//!
//! # A halo by hand
//!
//! `stencil_tiles` is a program of the language, and you can write your own where it does not fit: here a filter in two steps, along rows and then along
//! columns, which stores both the tile and the result of the first step. A stored tile may overlap with its neighbours; what each block writes may not.
//!
//! ```
//! use obsidian_rt::prelude::*;
//!
//! #[kernels]
//! pub mod pictures {
//!     fn filtered(halo: Pull2<EU32>) -> Program<Block, Push2<Block, EU32>> {
//!         let halo = compute(halo)?;
//!         let sums = generate((10, 32), |(y, x)| halo[(y, x)] + halo[(y, x + 1)] + halo[(y, x + 2)]);
//!         let rows = compute(sums)?;
//!         pure(generate((8, 32), |(y, x)| rows[(y, x)] + rows[(y + 1, x)] + rows[(y + 2, x)]).push())
//!     }
//!
//!     /// The sum of the nine elements around each one. Outside, the border is repeated.
//!     #[kernel]
//!     pub fn sums(width: EU32, picture: DPull<EU32>) -> DPush<Grid, EU32> {
//!         let m = picture.in_rows(width);
//!         let (h, w) = m.shape();
//!         let tiles = generate(((h + 7) / 8, (w + 31) / 32), |(ty, tx)| {
//!             exec_block(filtered(generate((10, 34), |(y, x)| {
//!                 let (y, x) = ((ty * 8 + y).max(1) - 1, (tx * 32 + x).max(1) - 1);
//!                 m[(y.min(h - 1), x.min(w - 1))]
//!             })))
//!         });
//!         tiles.as_grid().crop(h, w).flat()
//!     }
//! }
//!
//! # fn main() -> obsidian_rt::Result<()> {
//! let device = Device::best()?;
//! let picture = device.upload(&[1u32, 0, 0, 0, 0, 2])?;
//! assert_eq!(pictures::sums::launch(&device, 3, &picture)?.to_vec()?, [4, 4, 4, 2, 5, 8]);
//! # Ok(())
//! # }
//! ```
//!
//! # Forms at a glance
//!
//! | of a matrix `m` | |
//! |---|---|
//! | `x.in_rows(width)`, `x.as_2d(height, width)` | the matrix of an array `x`; `m.flat()` is the array again |
//! | `m.shape()`, `m.height()`, `m.width()` | its size: numbers of the host in a block, `EU32` where a launch knows it |
//! | `m[(y, x)]`, `m.at((y, x))` | an element |
//! | `m.row(y)`, `m.column(x)`, `m.rows()`, `m.columns()` | arrays of one dimension, and arrays of these |
//! | `m.map(f)`, `zip_with(f, m, n)`, `m.transpose()` | as of arrays of one dimension; nothing is stored |
//! | `m.tiles(32, 32)` | tiles of a matrix whose size is a multiple, which the launch checks |
//! | `m.cover(8, 32)`, and `crop(h, w)` behind it | tiles of a matrix of any size |
//! | `for_all((h, w), \|(y, x)\| ..)`, `compute(m)` | loops and stored arrays of two dimensions |
//!
//! Types: `Pull2<T>` has a size that is known when the crate is compiled, [`DPull2<T>`](crate::language::DPull2) one that a launch knows, and
//! `Push2<Block, T>` says who writes. Arrays of three dimensions work in the same way, by `as_3d` and indices of three.
//!
//! The example `transpose` has a transposition through shared memory without bank conflicts, `matmul` products of matrices, and
//! [`arrays`](super::arrays) programs over whole matrices, among them [`stencil`](crate::arrays::Arr::stencil), which the compiler cuts into tiles.
