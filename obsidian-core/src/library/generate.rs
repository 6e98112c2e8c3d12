//! Arrays from nothing but a shape.

use crate::array::{Length, Pull, Shape};
use crate::scalar::Exp;

/// The array 0, 1, 2, .. of a length.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn places(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(4).as_grid_map(|x| zip_with(|x, i| x * i, x, iota(4)).push())
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[5, 6, 7, 8])?;
/// let result = example::places::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [0, 6, 14, 24]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "sequence")]
#[doc(alias = "counting_iterator")]
pub fn iota<S: Length>(len: S) -> Pull<Exp<u32>, S> {
    Pull::new(len, |i| i)
}

/// The array of a shape whose element `i` is `f(i)`: `generate(n, |i| ..)` is a list, `generate((height, width), |(y, x)| ..)` a matrix, and
/// `generate((depth, height, width), |(z, y, x)| ..)` has three axes.
///
/// `f` is part of whatever reads the array: nothing is stored. Sizes are numbers of the host, or device values such as `x.len()`; in a tuple they are of
/// one type.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn differences(x: DPull<EI32>) -> DPush<Grid, EI32> {
///         // Element `i` less the one before it, around the edge.
///         let n = x.len();
///         generate(n, |i| x[i] - x[(i + n - 1) % n]).split_up(4).as_grid_map(|x| x.push())
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[5, 6, 8, 11])?;
/// let result = example::differences::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [-6, 1, 2, 3]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
///
/// A matrix:
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn table(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(3).as_grid_map(|x| generate((3, 3), |(row, column)| x[row] * x[column]).flat().push())
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3])?;
/// let result = example::table::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [1, 2, 3, 2, 4, 6, 3, 6, 9]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "ABSOLUTE_POS")]
#[doc(alias = "tabulate")]
pub fn generate<T: 'static, S: Shape>(shape: S, f: impl Fn(S::Index) -> T + 'static) -> Pull<T, S> {
    Pull::new(shape, f)
}

/// The array of a shape whose elements are all one value.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn padded(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(2).as_grid_map(|x| append(replicate(2, 0), x).push())
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[7, 8])?;
/// let result = example::padded::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [0, 0, 7, 8]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "constant_iterator")]
pub fn replicate<T: Clone + 'static, S: Shape>(shape: S, value: T) -> Pull<T, S> {
    Pull::new(shape, move |_| value.clone())
}

/// The array of one value.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn ended(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(3).as_grid_map(|x| append(x, singleton(9)).push())
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3])?;
/// let result = example::ended::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [1, 2, 3, 9]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub fn singleton<T: Clone + 'static>(value: T) -> Pull<T> {
    replicate(1, value)
}
