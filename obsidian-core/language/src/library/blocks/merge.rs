//! Two sorted arrays as one.

use std::rc::Rc;

use super::super::seq_iterate;
use super::scan::zeros;
use crate::array::{Choice, Data, Length, Pull, Push, Writer};
use crate::program::{Block, Compute, Warp, for_all};
use crate::scalar::{Exp, lit};

/// Two sorted arrays merged by a block. `before(x, y)` says whether `x` must stand before `y`, as `x < y` does; both arrays are sorted by it.
///
/// It is stable: of equal elements, those of `a` come first, and those of one array keep their order. Each thread finds by
/// binary search how many of the first results come from `a` (merge path), and gives one element: `log2` of the
/// shorter array's length steps of two reads. Arrays that are not sorted give their elements in some order, of which
/// some may be repeated; nothing is read outside.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     use obsidian_rt::algorithms::blocks::*;
///
///     #[kernel(threads = 64)]
///     pub fn merged(a: DPull<EU32>, b: DPull<EU32>) -> DPush<Grid, EU32> {
///         mk_push(a.len() + b.len(), |write| {
///             distr_par(1, |_| block_merge(|x, y| x < y, a, b).push_to(|x, i| write(x, i)))
///         })
///     }
/// }
///
/// let device = Device::cpu();
/// let (a, b) = (device.upload(&[1, 5, 6])?, device.upload(&[2, 5])?);
/// let result = example::merged::launch(&device, &a, &b)?;
/// assert_eq!(result.to_vec()?, [1, 2, 5, 5, 6]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "BlockMergeSort")]
#[doc(alias = "merge_path")]
#[track_caller]
pub fn block_merge<T: Data, S: Length>(
    before: impl Fn(T, T) -> Exp<bool> + 'static,
    a: Pull<T, S>,
    b: Pull<T, S>,
) -> Push<Block, T, S> {
    merged(before, a, b)
}

/// [`block_merge`] by a warp.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     use obsidian_rt::algorithms::blocks::*;
///
///     #[kernel(threads = 64)]
///     pub fn merged(a: DPull<EU32>, b: DPull<EU32>) -> DPush<Grid, EU32> {
///         mk_push(a.len() + b.len(), |write| {
///             distr_par(1, |_| distr_par(1, |_| warp_merge(|x, y| x < y, a, b).push_to(|x, i| write(x, i))))
///         })
///     }
/// }
///
/// let device = Device::cpu();
/// let (a, b) = (device.upload(&[1, 5, 6])?, device.upload(&[2, 5])?);
/// let result = example::merged::launch(&device, &a, &b)?;
/// assert_eq!(result.to_vec()?, [1, 2, 5, 5, 6]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn warp_merge<T: Data, S: Length>(
    before: impl Fn(T, T) -> Exp<bool> + 'static,
    a: Pull<T, S>,
    b: Pull<T, S>,
) -> Push<Warp, T, S> {
    merged(before, a, b)
}

#[track_caller]
#[doc(hidden)]
pub fn merged<L: Compute, T: Data, S: Length>(
    before: impl Fn(T, T) -> Exp<bool> + 'static,
    a: Pull<T, S>,
    b: Pull<T, S>,
) -> Push<L, T, S> {
    let (n, m) = (a.len(), b.len());
    match (n.fixed(), m.fixed()) {
        (Some(0), _) => return b.push(),
        (_, Some(0)) => return a.push(),
        _ => {}
    }
    let length = n.plus(&m);
    let (n, m) = (n.exp(), m.exp());
    let nothing = zeros(&a.at(0u32));
    let before = Rc::new(before);
    Push::new(length.clone(), move |write: Writer<T>| {
        let (a, b, before, nothing) = (a.clone(), b.clone(), before.clone(), nothing.clone());
        for_all(length.exp(), move |k| {
            let (a, b, before) = (a.clone(), b.clone(), before.clone());
            let (write, nothing) = (write.clone(), nothing.clone());
            // How many of the first `k` results are of `a`: in `[low, high]`, halved until one number is left. While it is open,
            // `low <= middle < high <= min(k, n)`, so that `middle` is an index of `a`, and `k - 1 - middle` is at least 0 and, as
            // `low >= k - m`, below `m`. The conditions say that once more, for the proof: an element may be a function of the user's.
            let low = k.max(m) - m;
            let high = k.min(n);
            let steps = lit(32u32) - (high - low).leading_zeros();
            let (x, y, order) = (a.clone(), b.clone(), before.clone());
            let place = seq_iterate(
                steps,
                move |_, (low, high): (Exp<u32>, Exp<u32>)| {
                    let middle = low + ((high - low) >> 1u32);
                    let other = k - middle - 1;
                    let is_open = low.lt(high) & middle.lt(n) & other.lt(m);
                    // `a[middle]` is one of the first `k` results if it does not stand behind `b[k - 1 - middle]`.
                    let is_first =
                        Choice::choose(is_open, !order(y.at(other), x.at(middle)), lit(false));
                    (
                        Choice::choose(is_first, middle + 1, low),
                        Choice::choose(is_open & !is_first, middle, high),
                    )
                },
                (low, high),
            );
            place.and_then(move |(i, _)| {
                let j = k - i;
                let (x, y) = (a.at(i), b.at(j));
                let (has_x, has_y) = (i.lt(n), j.lt(m));
                let is_first = Choice::choose(has_y, !before(y.clone(), x.clone()), lit(true));
                let of_a = Choice::choose(has_x, is_first, lit(false));
                // If it is not of `a`, either `b[j]` is in front of `a[i]`, and `j < m`; or `i = n`, and `j = k - n` is below `m`, as `k < n + m`.
                let of_b = Choice::choose(has_y, y, nothing.clone());
                let value = Choice::choose(of_a, Choice::choose(has_x, x, nothing.clone()), of_b);
                write(value, k)
            })
        })
    })
}
