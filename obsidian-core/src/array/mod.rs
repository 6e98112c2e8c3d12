//! Pull and push arrays.
//!
//! Neither is data in memory. A [`Pull`] array is a length and a function from an index to an
//! element; a [`Push`] array is a length and a program that pushes every element to a writer.
//! Operations on both fuse; only `compute` stores.

mod data;
mod element;
mod length;
mod pull;
mod push;
mod two;

pub use data::{Allocator, Choice, Data, Storable};
pub use element::Element;
pub use length::{Extent, Len, Length};
pub use pull::Pull;
pub use push::{IntoPush, Push, Writer};
pub use two::{IntoPush2, Pull2, Push2, Writer2};

pub(crate) use data::{load_any, no_elements, store_any};
pub(crate) use length::{common, common_of, of_arrays, require, require_if_known};
pub(crate) use two::Cell;

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
