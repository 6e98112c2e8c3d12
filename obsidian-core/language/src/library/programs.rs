//! Programs made of programs: repetition and pipelines that are unrolled while the kernel is built.

use super::compute;
use crate::array::{Data, Pull, Push};
use crate::program::{Compute, Hierarchy, Program};

/// `f` of `f` of .. `x`, `n` times, one program after another: a loop of the host.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     fn halved(x: Pull<EU32>) -> Program<Block, Pull<EU32>> {
///         compute(x.map(|x| x / 2))
///     }
///
///     fn eighths(x: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
///         let x = rep(3, |x| halved(x), x)?;
///         pure(x.push())
///     }
///
///     #[kernel(threads = 64)]
///     pub fn all(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(2).as_grid_map(|x| exec_block(eighths(x)))
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[80, 17])?;
/// let result = example::all::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [10, 2]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub fn rep<L: Hierarchy, A: Clone + 'static>(
    n: u32,
    f: impl Fn(A) -> Program<L, A> + 'static,
    x: A,
) -> Program<L, A> {
    Program::new(move |trace| (0..n).fold(x.clone(), |x, _| f(x).run(trace)))
}

/// The functions one after another, each result but the last stored. Paper, section 6.3.1.
///
/// Without functions it is the array itself.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     fn both(x: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
///         compose(vec![fun(|x: Pull<EU32>| x.reverse().push()), fun(|x: Pull<EU32>| x.map(|x| x + 1).push())], x)
///     }
///
///     #[kernel(threads = 64)]
///     pub fn all(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(4).as_grid_map(|x| exec_block(both(x)))
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[0, 1, 2, 3])?;
/// let result = example::all::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [4, 3, 2, 1]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn compose<L: Compute, T: Data, F: Fn(Pull<T>) -> Push<L, T> + 'static>(
    functions: Vec<F>,
    arr: Pull<T>,
) -> Program<L, Push<L, T>> {
    Program::new(move |trace| {
        let Some((last, first)) = functions.split_last() else {
            return arr.push();
        };
        let arr = first
            .iter()
            .fold(arr.clone(), |arr, f| compute(f(arr)).run(trace));
        last(arr)
    })
}
