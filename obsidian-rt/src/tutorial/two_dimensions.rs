//! Pictures, matrices and volumes: arrays of two and three dimensions.
//!
//! A buffer has one dimension. A kernel takes it as a matrix by its width, and computes in tiles that fit any size. No index is computed by
//! hand, and the compiler proves that none leaves the picture.
//!
//! # Each element from its neighbours
//!
//! `in_rows(width)` makes rows of an array; the launch checks that the width divides its length. An index is a pair, row first. `cover(8, 32)` cuts
//! an array of any size into tiles of 8 rows by 32 columns, one for each block. Tiles at the edges go beyond the array: they repeat its last row and
//! column, and `crop` drops what they compute there. Without `crop` the output of a picture of 37 by 53 would have 40 by 64 elements. That is the error
//! [`edge-in-output`](crate::errors); `.flat().padded()` says that the output is to have them. The compiler does not find a missing `crop`
//! where the tile is stored first, or where its elements come from loops.
//!
//! An array without elements has no rows by `in_rows`; where its height counts, as in sums of rows of width 0, take `as_2d(height, width)`.
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
//! `y.clamp(0, h as EI32 - 1) as EU32` repeats the border, and `y.rem_euclid(h as EI32) as EU32` goes around; `EI64` serves as well.
//!
//! A block of 256 threads computes the 256 elements of a tile, so that a row of 32 is read and written at once. The kernel divides by the width
//! for no element, as `i / width` and `i % width` of an array of one dimension would.
//!
//! # A loop for each element
//!
//! A value that a thread computes by a loop is a program, and [`exec_thread_value`](crate::language::exec_thread_value) makes an element of it. So
//! `generate((h, w), |(y, x)| exec_thread_value(..))` is a matrix with a loop for each element, and `cover` and `crop` take it as they take any other.
//! `tile.as_block()` gives each element of a tile to a thread; `tile.push()` is for elements that are values.
//!
//! ```
//! use obsidian_rt::prelude::*;
//!
//! #[kernels]
//! pub mod matrices {
//!     /// The product of two matrices: `a` has `inner` columns, and `b` has `inner` rows.
//!     #[kernel]
//!     pub fn product(inner: EU32, width: EU32, a: DPull<EF32>, b: DPull<EF32>) -> DPush<Grid, EF32> {
//!         let (a, b) = (a.in_rows(inner), b.as_2d(inner, width));
//!         let (h, w) = (a.height(), b.width());
//!         let sums = generate((h, w), |(y, x)| {
//!             exec_thread_value(seq_iterate(inner, |k, sum| sum + a[(y, k)] * b[(k, x)], 0.0))
//!         });
//!         sums.cover(8, 32).as_grid_map(|tile| tile.as_block()).crop(h, w).flat()
//!     }
//! }
//!
//! # fn main() -> obsidian_rt::Result<()> {
//! let device = Device::cpu();
//! // Two rows of three, and three rows of two.
//! let a = device.upload(&[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0])?;
//! let b = device.upload(&[1.0f32, 0.0, 0.0, 1.0, 1.0, 1.0])?;
//! let product = matrices::product::launch(&device, 3, 2, &a, &b)?;
//! assert_eq!(product.to_vec()?, [4.0, 5.0, 10.0, 11.0]);
//! # Ok(())
//! # }
//! ```
//!
//! `seq_iterate(n, |k, state| .., start)` does `n` iterations; `n` may differ from element to element. `seq_until(step, goes_on, start)` applies `step` to
//! the state while `goes_on` of it holds. The state may be a tuple. [`thread_reduce`](crate::algorithms::blocks::thread_reduce) combines the elements of an
//! array, such as `a.row(y)`. Tiles at the edges run their loops beyond the array too, for its last row and column; `crop` drops the results.
//!
//! # A value for each row or column
//!
//! [`block_reduce`](crate::algorithms::blocks::block_reduce) combines all elements of an array by a block. Its length may be known only at launch, as
//! that of a row is. `rows().as_grid_map(..)` has a block for each row, and [`exec_block_value`](crate::language::exec_block_value) makes one
//! element of what the block computes.
//!
//! ```
//! use obsidian_rt::prelude::*;
//!
//! #[kernels]
//! pub mod rows {
//!     use obsidian_rt::algorithms::blocks::*;
//!
//!     /// The last number of each row that is above 0, or 0.
//!     #[kernel]
//!     pub fn last_positive(width: EU32, x: DPull<EF32>) -> DPush<Grid, EF32> {
//!         let rows = x.in_rows(width).rows();
//!         rows.as_grid_map(|row| exec_block_value(block_reduce(|a, b| select(b > 0.0, b, a), 0.0, row)))
//!     }
//!
//!     fn shares_of(row: DPull<EF32>) -> Program<Block, DPush<Block, EF32>> {
//!         let sum = block_reduce_commutative(|a, b| a + b, 0.0, row)?;
//!         pure(row.map(|x| x / sum).push())
//!     }
//!
//!     /// Each number, divided by the sum of its row.
//!     #[kernel]
//!     pub fn shares(width: EU32, x: DPull<EF32>) -> DPush<Grid, EF32> {
//!         x.in_rows(width).rows().as_grid_map(|row| exec_block(shares_of(row)))
//!     }
//!
//!     /// The sum of each column, by a thread.
//!     #[kernel]
//!     pub fn sums_of_columns(width: EU32, x: DPull<EF32>) -> DPush<Grid, EF32> {
//!         let m = x.in_rows(width);
//!         let sum = |x: EU32| exec_thread_value(thread_reduce(|a, b| a + b, 0.0, m.column(x)));
//!         iota(width).chunks(256, 0).as_grid_map(|columns| columns.as_block_map(sum)).take(width)
//!     }
//! }
//!
//! # fn main() -> obsidian_rt::Result<()> {
//! let device = Device::cpu();
//! // Two rows of three.
//! let x = device.upload(&[1.0f32, 3.0, 0.0, 2.0, 0.0, 6.0])?;
//! assert_eq!(rows::last_positive::launch(&device, 3, &x)?.to_vec()?, [3.0, 6.0]);
//! assert_eq!(rows::shares::launch(&device, 3, &x)?.to_vec()?, [0.25, 0.75, 0.0, 0.25, 0.0, 0.75]);
//! assert_eq!(rows::sums_of_columns::launch(&device, 3, &x)?.to_vec()?, [3.0, 3.0, 6.0]);
//! # Ok(())
//! # }
//! ```
//!
//! The operator must be associative; `block_reduce` keeps the order of the elements. If it also commutes, as a sum does, take
//! [`block_reduce_commutative`](crate::algorithms::blocks::block_reduce_commutative): its neighbouring threads read neighbouring elements. The second
//! argument is the start: it comes before the first element, and is the result of a row without elements. All threads of the block have the result: `?`
//! gives it to the rest of the program, which may read the row again.
//!
//! In `sums_of_columns`, neighbouring threads read neighbouring columns. The fill of the last piece, column 0, is summed as well, and `take` drops it.
//! [`blocks`](crate::algorithms::blocks) has the same reductions for warps, and scans.
//!
//! # Sums of matrices, one after another
//!
//! The product with a loop for each element reads each row of `a` again for each column of `b`. With shared memory, a block reads less: it stores a tile
//! of each matrix, 16 by 16, multiplies the two, and goes on with the next two. [`accumulate`](crate::language::accumulate) is this loop. It runs an
//! array of programs one after another, and combines the array that each one gives with its sums, element by element.
//!
//! ```
//! use obsidian_rt::prelude::*;
//!
//! #[kernels]
//! pub mod matrices {
//!     /// Zeros fill the last tiles.
//!     fn whole_tiles(m: DPull2<EF32>) -> DPull2<Pull2<EF32>> {
//!         let (h, w) = m.shape();
//!         let filled = generate((h.div_ceil(16) * 16, w.div_ceil(16) * 16), |(y, x)| {
//!             select((y < h) & (x < w), m[(y, x)], 0.0)
//!         });
//!         filled.tiles(16, 16)
//!     }
//!
//!     fn product_of_two(a: Pull2<EF32>, b: Pull2<EF32>) -> Program<Block, Pull2<EF32>> {
//!         let (a, b) = (compute(a)?, compute(b)?);
//!         pure(generate((16, 16), |(y, x)| {
//!             fold1(|x, y| x + y, zip_with(|x, y| x * y, a.row(y), b.column(x)))[0]
//!         }))
//!     }
//!
//!     fn tile(a: DPull<Pull2<EF32>>, b: DPull<Pull2<EF32>>) -> Program<Block, Push2<Block, EF32>> {
//!         let zeros: Pull2<EF32> = replicate((16, 16), lit(0.0));
//!         let sums = accumulate(|x, y| x + y, zeros, zip_with(product_of_two, a, b))?;
//!         pure(sums.push())
//!     }
//!
//!     /// The product of two matrices: `a` has `inner` columns, and `b` has `inner` rows.
//!     #[kernel]
//!     pub fn product(inner: EU32, width: EU32, a: DPull<EF32>, b: DPull<EF32>) -> DPush<Grid, EF32> {
//!         let (a, b) = (a.in_rows(inner), b.as_2d(inner, width));
//!         let (rows, columns) = (whole_tiles(a).rows(), whole_tiles(b).columns());
//!         let tiles = generate((rows.len(), columns.len()), |(y, x)| exec_block(tile(rows[y], columns[x])));
//!         tiles.as_grid().crop(a.height(), width).flat()
//!     }
//! }
//!
//! # fn main() -> obsidian_rt::Result<()> {
//! let device = Device::cpu();
//! // 20 rows of 40 ones, and 40 rows of 17 twos.
//! let (a, b) = (device.upload(&[1.0f32; 800])?, device.upload(&[2.0f32; 680])?);
//! let product = matrices::product::launch(&device, 40, 17, &a, &b)?;
//! assert_eq!(product.to_vec()?, [80.0; 340]);
//! # Ok(())
//! # }
//! ```
//!
//! A program gives an array that it has stored by `compute`, or any other as `pure(array)`. How many programs there are may be known only at launch; the
//! shape of the sums is static. The compiler places the barriers, and each program stores its tiles where the one before it had them. Here the sums are
//! in registers, one for each thread. `cover` would not do in place of `whole_tiles`: it repeats the last column of `a` and the last row of `b`, and the
//! sums would count their products again.
//!
//! # Windows from shared memory
//!
//! The kernel `smoothed` reads each element five times, from the caches. Where a window is large, let each block store its tile with a border, the halo,
//! once:
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
//! # Arrays of three dimensions
//!
//! `as_3d(depth, height, width)` makes planes of an array; the launch checks that the array has that number of elements. An index has three numbers, plane
//! first: `m[(z, y, x)]`. `generate`, `map`, `zip_with`, `shape`, `flat`, `push`, `compute`, `accumulate` and `for_all` take three dimensions as they take
//! two. So do `as_grid_map`, `as_block_map` and their like: inner arrays of three dimensions lie side by side. `plane(z)` and `planes()` give
//! matrices. Only matrices have `tiles`, `cover`, `crop`, `row`, `column` and `transpose`; `compute_pitch` and `stencil_tiles` take only matrices.
//!
//! In place of `cover` and `crop`, cut the elements into pieces, by `flat`, `chunks` and `take`, or give each plane to a block:
//!
//! ```
//! use obsidian_rt::prelude::*;
//!
//! #[kernels]
//! pub mod volumes {
//!     /// Each element, with those before and behind it. Outside, the first and the last plane are repeated.
//!     fn summed(m: DPull3<EF32>) -> DPull3<EF32> {
//!         generate(m.shape(), |(z, y, x)| {
//!             let (before, behind) = (z.max(1) - 1, (z + 1).min(m.depth() - 1));
//!             m[(before, y, x)] + m[(z, y, x)] + m[(behind, y, x)]
//!         })
//!     }
//!
//!     /// A block for each 256 elements.
//!     #[kernel]
//!     pub fn in_pieces(depth: EU32, height: EU32, width: EU32, volume: DPull<EF32>) -> DPush<Grid, EF32> {
//!         let sums = summed(volume.as_3d(depth, height, width)).flat();
//!         sums.chunks(256, 0.0).as_grid_map(|piece| piece.push()).take(sums.len())
//!     }
//!
//!     /// A block for each plane.
//!     #[kernel]
//!     pub fn in_planes(depth: EU32, height: EU32, width: EU32, volume: DPull<EF32>) -> DPush<Grid, EF32> {
//!         let sums = summed(volume.as_3d(depth, height, width));
//!         sums.planes().as_grid_map(|plane| plane.flat().push())
//!     }
//! }
//!
//! # fn main() -> obsidian_rt::Result<()> {
//! let device = Device::cpu();
//! // Three planes of one row of two.
//! let volume = device.upload(&[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0])?;
//! let sums = volumes::in_pieces::launch(&device, 3, 1, 2, &volume)?;
//! assert_eq!(sums.to_vec()?, [5.0, 8.0, 9.0, 12.0, 13.0, 16.0]);
//! let sums = volumes::in_planes::launch(&device, 3, 1, 2, &volume)?;
//! assert_eq!(sums.to_vec()?, [5.0, 8.0, 9.0, 12.0, 13.0, 16.0]);
//! # Ok(())
//! # }
//! ```
//!
//! The first kernel divides by the width and by the height for each element, the second one by the width alone. But few planes are few blocks, which leave
//! most of a GPU idle. To use `cover` and `crop`, generate a matrix of `depth * height` rows: its `row` is row `row % height` of plane `row / height`.
//! To combine each plane by `block_reduce`, take the planes as rows: `volume.as_2d(depth, height * width).rows()`.
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
//! | `tile.push()`, `tile.as_block()` | a tile of values, and one of loops: `exec_thread_value(..)` |
//! | `exec_block_value(block_reduce(f, start, m.row(y)))` | all elements of a row, combined by a block |
//! | `accumulate(f, zeros, programs)` | arrays of one shape, combined one after another |
//! | `for_all((h, w), \|(y, x)\| ..)`, `compute(m)` | loops and stored arrays of two dimensions |
//!
//! Types: `Pull2<T>` has a size that is known when the crate is compiled, [`DPull2<T>`](crate::language::DPull2) one that a launch knows, and
//! `Push2<Block, T>` says who writes. `Pull3<T>`, [`DPull3<T>`](crate::language::DPull3) and `Push3<Block, T>` are those of three dimensions.
//!
//! The example `transpose` has a transposition through shared memory without bank conflicts, `matmul` products of matrices with more than one sum a
//! thread, and `mandelbrot` a picture whose points are loops. [`arrays`](super::arrays) has programs over whole matrices, among them
//! [`stencil`](crate::arrays::Arr::stencil), which takes arrays of one to three dimensions; the compiler gives their elements to blocks and threads.
