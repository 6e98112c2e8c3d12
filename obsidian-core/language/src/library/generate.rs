//! Arrays and loops from nothing but a shape.

use crate::array::{Length, Pull, Shape};
use crate::program::{self, AtMost, Block, Program, Thread};
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

/// An independent iteration for each index of a shape, shared out over the threads of level `L`; in order at Thread.
///
/// The shape is a number of iterations, `for_all(n, |i| ..)`, or a tuple of two or three, `for_all((rows, columns), |(row, column)| ..)`, whose iterations are counted
/// row after row. Where there are more iterations than threads, each thread does several. The compiler proves that no two iterations access one element, one of them
/// writing. It is not for level Grid: there [`distr_par`](crate::program::distr_par) deals out blocks.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn numbered(x: MGlobal<EU32>) -> Program<Grid, ()> {
///         distr_par(x.len() / 100, |b| for_all(100, |i| x.write(b * 100 + i, i)))
///     }
/// }
///
/// let device = Device::cpu();
/// let mut x = device.upload(&[0; 200])?;
/// example::numbered::launch(&device, &mut x)?; // 64 threads, 100 iterations
/// assert_eq!(x.to_vec()?[98..102], [98, 99, 0, 1]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
///
/// Rows and columns:
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn table(x: MGlobal<EU32>) -> Program<Grid, ()> {
///         distr_par(x.len() / 6, |b| for_all((2, 3), |(row, column)| x.write(b * 6 + row * 3 + column, 10 * row + column)))
///     }
/// }
///
/// let device = Device::cpu();
/// let mut x = device.upload(&[0; 6])?;
/// example::table::launch(&device, &mut x)?;
/// assert_eq!(x.to_vec()?, [0, 1, 2, 10, 11, 12]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "threadIdx")]
#[doc(alias = "threadIdx.x")]
#[doc(alias = "UNIT_POS")]
#[doc(alias = "forAll")]
#[doc(alias = "forAll2")]
pub fn for_all<L: AtMost<Block>, S: Shape>(
    shape: S,
    body: impl Fn(S::Index) -> Program<Thread, ()> + 'static,
) -> Program<L, ()> {
    program::for_all(shape.count(), move |i| body(shape.at_place(i)))
}
