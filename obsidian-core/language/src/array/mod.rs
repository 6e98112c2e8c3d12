//! Pull and push arrays.
//!
//! Neither is data in memory. A [`Pull`] array is a [`Shape`] and a function from an index to an
//! element; a [`Push`] array is a shape and a program that pushes every element to a writer.
//! Operations on both fuse; only `compute` stores.

mod data;
mod element;
mod inner;
mod length;
mod pull;
mod push;
mod shape;
mod sizes;

pub use data::{Allocator, Choice, Data, Storable};
pub use element::Element;
pub use inner::Inner;
pub use length::{Extent, Len, Length};
pub use pull::Pull;
pub use push::{IntoPush, Push, Writer};
pub use shape::Sizes;
pub use shape::{IntoIndex, Shape};
pub use sizes::Rows;

#[doc(hidden)]
pub use data::{load_any, no_elements, store_any};
#[doc(hidden)]
pub use length::{common, common_of, of_arrays, require, require_if_known};
pub(crate) use pull::check_axis;
pub(crate) use shape::common_shape;

use crate::scalar::Exp;

/// A pull array whose length is known when the kernel is launched.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn doubled(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.chunks(256, 0).as_grid_map(|x| x.map(|x| 2 * x).push()).take(x.len())
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3])?;
/// let result = example::doubled::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [2, 4, 6]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub type DPull<T> = Pull<T, Exp<u32>>;
/// A pull array whose length is known at compile time.
///
/// It is another name of `Pull<T>`.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     fn first_two(x: SPull<EU32>) -> SPull<EU32> {
///         x.take(2)
///     }
///
///     #[kernel(threads = 64)]
///     pub fn halved(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(4).as_grid_map(|x| first_two(x).push())
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 4])?;
/// let result = example::halved::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [1, 2]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub type SPull<T> = Pull<T, u32>;
/// A push array whose length is known when the kernel is launched.
///
/// It is what a kernel gives: `DPush<Grid, T>`.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn doubled(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(2).as_grid_map(|x| x.map(|x| 2 * x).push())
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 4])?;
/// let result = example::doubled::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [2, 4, 6, 8]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub type DPush<L, T> = Push<L, T, Exp<u32>>;
/// A push array whose length is known at compile time.
///
/// It is another name of `Push<L, T>`.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     fn doubled(x: Pull<EU32>) -> SPush<Block, EU32> {
///         x.map(|x| 2 * x).push()
///     }
///
///     #[kernel(threads = 64)]
///     pub fn all(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(2).as_grid_map(|x| doubled(x))
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2])?;
/// let result = example::all::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [2, 4]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub type SPush<L, T> = Push<L, T, u32>;
/// A two-dimensional pull array: any element can be computed on its own, from its row and column.
///
/// `N` is the type of its height and width: `u32` if they are static, `Exp<u32>` if they are known
/// at launch.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn transposed(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(6).as_grid_map(|x| x.in_rows(3).transpose().flat().push())
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 4, 5, 6])?;
/// let result = example::transposed::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [1, 4, 2, 5, 3, 6]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub type Pull2<T, N = u32> = Pull<T, (N, N)>;
/// A two-dimensional push array at level `L`: it has its own loops, and gives each element with its
/// row and column.
///
/// `N` is the type of its height and width.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     fn doubled(x: Pull2<EU32>) -> Push2<Block, EU32> {
///         x.map(|x| 2 * x).push()
///     }
///
///     #[kernel(threads = 64)]
///     pub fn all(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.in_rows(4).tiles(2, 2).as_grid_map(|tile| doubled(tile)).flat()
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 4, 5, 6, 7, 8])?;
/// let result = example::all::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [2, 4, 6, 8, 10, 12, 14, 16]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub type Push2<L, T, N = u32> = Push<L, T, (N, N)>;
/// A two-dimensional pull array whose height and width are known when the kernel is launched.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn transposed(x: DPull<EU32>, width: EU32) -> DPush<Grid, EU32> {
///         let matrix: DPull2<EU32> = x.in_rows(width);
///         matrix.transpose().flat().chunks(64, 0).as_grid_map(|x| x.push()).take(x.len())
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 4, 5, 6])?;
/// assert_eq!(example::transposed::launch(&device, &x, 3)?.to_vec()?, [1, 4, 2, 5, 3, 6]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub type DPull2<T> = Pull2<T, Exp<u32>>;
/// A two-dimensional push array whose height and width are known when the kernel is launched.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     fn doubled(x: DPull2<EU32>) -> DPush2<Grid, EU32> {
///         x.cover(8, 8).as_grid_map(|tile| tile.map(|x| 2 * x).push()).crop(x.height(), x.width())
///     }
///
///     #[kernel(threads = 64)]
///     pub fn all(x: DPull<EU32>, width: EU32) -> DPush<Grid, EU32> {
///         doubled(x.in_rows(width)).flat()
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 4, 5, 6])?;
/// assert_eq!(example::all::launch(&device, &x, 3)?.to_vec()?, [2, 4, 6, 8, 10, 12]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub type DPush2<L, T> = Push2<L, T, Exp<u32>>;
/// A pull array of three axes: planes of rows and columns.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     fn sums_of_planes(x: Pull3<EU32>) -> Pull2<EU32> {
///         zip_with(|a, b| a + b, x.plane(0), x.plane(1))
///     }
///
///     #[kernel(threads = 64)]
///     pub fn all(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(8).as_grid_map(|x| sums_of_planes(x.as_3d(2, 2, 2)).flat().push())
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 4, 10, 20, 30, 40])?;
/// let result = example::all::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [11, 22, 33, 44]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub type Pull3<T, N = u32> = Pull<T, (N, N, N)>;
/// A push array of three axes at level `L`: planes of rows and columns.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     fn doubled(x: Pull3<EU32>) -> Push3<Block, EU32> {
///         x.map(|x| 2 * x).push()
///     }
///
///     #[kernel(threads = 64)]
///     pub fn all(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(4).as_grid_map(|x| doubled(x.as_3d(2, 1, 2)).flat())
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 4])?;
/// let result = example::all::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [2, 4, 6, 8]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub type Push3<L, T, N = u32> = Push<L, T, (N, N, N)>;
/// A pull array of three axes whose sizes are known when the kernel is launched.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn flipped(x: DPull<EU32>, depth: EU32) -> DPush<Grid, EU32> {
///         let planes: DPull3<EU32> = x.as_3d(depth, x.len() / depth, 1);
///         let flipped = generate(planes.shape(), |(z, y, x)| planes.at((depth - 1 - z, y, x)));
///         flipped.flat().chunks(64, 0).as_grid_map(|x| x.push()).take(x.len())
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 4, 5, 6])?;
/// assert_eq!(example::flipped::launch(&device, &x, 3)?.to_vec()?, [5, 6, 3, 4, 1, 2]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub type DPull3<T> = Pull3<T, Exp<u32>>;
/// A push array of three axes whose sizes are known when the kernel is launched.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     fn filled(depth: EU32) -> DPush3<Grid, EU32> {
///         // A block for each plane.
///         let planes = generate((depth, lit(1), lit(1)), |(z, _, _)| generate((1, 2, 2), |(_, y, x)| z * 100 + y * 10 + x));
///         planes.as_grid_map(|plane| plane.push())
///     }
///
///     #[kernel(threads = 64)]
///     pub fn all(depth: EU32) -> DPush<Grid, EU32> {
///         filled(depth).flat()
///     }
/// }
///
/// let device = Device::cpu();
/// assert_eq!(example::all::launch(&device, 2)?.to_vec()?, [0, 1, 10, 11, 100, 101, 110, 111]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub type DPush3<L, T> = Push3<L, T, Exp<u32>>;
