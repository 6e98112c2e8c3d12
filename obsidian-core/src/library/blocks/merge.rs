//! Two sorted arrays as one.

use std::rc::Rc;

use super::super::seq_iterate;
use crate::array::{Choice, Data, Length, Pull, Push, Writer};
use crate::program::{Block, Compute, Warp, for_all};
use crate::scalar::{Exp, index, lit};

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
pub(crate) fn merged<L: Compute, T: Data, S: Length>(
    before: impl Fn(T, T) -> Exp<bool> + 'static,
    a: Pull<T, S>,
    b: Pull<T, S>,
) -> Push<L, T, S> {
    let (n, m) = (a.len().exp(), b.len().exp());
    let length = a.len().plus(&b.len());
    let before = Rc::new(before);
    Push::new(length.clone(), move |write: Writer<T>| {
        let (a, b, before) = (a.clone(), b.clone(), before.clone());
        for_all(length.exp(), move |k| {
            let (a, b, before, write) = (a.clone(), b.clone(), before.clone(), write.clone());
            // How many of the first `k` results are of `a`: in `[low, high]`, halved until one number is left. While it is open,
            // `low <= middle < high <= min(k, n)`, so that `middle` is an index of `a`, and `k - 1 - middle` is at least 0 and, as
            // `low >= k - m`, below `m`.
            let low = index::sub(k.max(m), m);
            let high = k.min(n);
            let steps = lit(32u32) - index::sub(high, low).leading_zeros();
            let (x, y, order) = (a.clone(), b.clone(), before.clone());
            let place = seq_iterate(
                steps,
                move |_, (low, high): (Exp<u32>, Exp<u32>)| {
                    let middle = index::add(low, index::div(index::sub(high, low), 2));
                    let open = low.lt(high);
                    // Behind it, `a[middle]` is one of the first `k` results if it does not stand behind `b[k - 1 - middle]`.
                    let other = index::sub(index::sub(k, middle), 1);
                    let is_first = Choice::choose(
                        open,
                        !order(y.at(other.unchecked()), x.at(middle.unchecked())),
                        lit(false),
                    );
                    (
                        Choice::choose(is_first, index::add(middle, 1), low),
                        Choice::choose(open & !is_first, middle, high),
                    )
                },
                (low, high),
            );
            place.and_then(move |(i, _)| {
                let j = index::sub(k, i);
                let (x, y) = (a.at(i.unchecked()), b.at(j.unchecked()));
                let is_first = !before(y.clone(), x.clone());
                let or_alone = Choice::choose(j.lt(m), is_first, lit(true));
                let of_a = Choice::choose(i.lt(n), or_alone, lit(false));
                // If it is not of `a`, either `b[j]` is in front of `a[i]`, and `j < m`; or `i = n`, and `j = k - n` is below `m`, as `k < n + m`.
                write(Choice::choose(of_a, x, y), k)
            })
        })
    })
}
