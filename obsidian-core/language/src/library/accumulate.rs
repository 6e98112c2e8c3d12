//! `accumulate`: arrays that programs give one after another, combined element by element.

use std::rc::Rc;

use super::to_mutable;
use crate::array::{Data, IntoPush, Length, Pull, Shape, Storable};
use crate::error::catalogue;
use crate::program::{Action, Compute, Program, for_all, seq_for};
use crate::scalar::{failed, report};

/// Runs programs in order, each by the whole level, and combines the arrays that they give, element
/// by element, with those of `init`: element `i` becomes `f(f(init[i], first[i]), second[i])`, and
/// so on.
///
/// A round gives a pull array: one that it has stored by `compute`, or `pure(array)`. What a round stores can
/// be stored in the same place by the next. The sums lie where `compute` stores.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     fn column_sums(x: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
///         let rows = x.split_up(3).map(|row| compute(row.map(|x| x * x)));
///         let sums = accumulate(|a, b| a + b, replicate(3, lit(0u32)), rows)?;
///         pure(sums.push())
///     }
///
///     #[kernel(threads = 64)]
///     pub fn all(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(6).as_grid_map(|x| exec_block(column_sums(x)))
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 4, 5, 6])?;
/// let result = example::all::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [17, 29, 45]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn accumulate<L, T, A, S>(
    f: impl Fn(T, T) -> T + 'static,
    init: A,
    rounds: Pull<Program<L, Pull<T, A::Shape>>, S>,
) -> Program<L, Pull<T, A::Shape>>
where
    L: Compute,
    T: Data,
    A: IntoPush<L, T, Shape: Shape<Size = u32>>,
    S: Length,
{
    let (f, init) = (Rc::new(f), init.into_push());
    let shape = init.shape();
    to_mutable(init.flat()).and_then(move |sums| {
        let (handle, n) = (sums.handle().clone(), sums.len());
        let (rounds, f, shape) = (rounds.clone(), f.clone(), shape.clone());
        let of_sums = shape.clone();
        let round = seq_for(rounds.len().exp(), move |k| {
            let (sums, f, shape) = (sums.clone(), f.clone(), of_sums.clone());
            rounds.at(k).and_then(move |addends: Pull<T, A::Shape>| {
                let (found, wanted) = (addends.shape().sizes(), shape.sizes());
                match (&*found, &*wanted) {
                    (found, wanted) if found == wanted || failed() => {}
                    ([found], [wanted]) => report(catalogue::other_sums(*found, *wanted)),
                    (found, wanted) => report(catalogue::other_size(found, wanted)),
                }
                let (sums, f, addends) = (sums.clone(), f.clone(), addends.flat());
                for_all(n, move |i| {
                    let (sums, f, addend) = (sums.clone(), f.clone(), addends.get(i));
                    sums.read(i)
                        .and_then(move |sum| sums.write(i, f(sum, addend.clone())))
                })
            })
        });
        round.and_then(move |()| {
            let (handle, shape) = (handle.clone(), shape.clone());
            Program::new(move |trace| {
                trace.push(Action::Sync);
                let handle = handle.clone();
                // Nothing writes them any more.
                let sums = Pull::new(n, move |i| <T as Storable>::load(&handle, i));
                sums.reshaped(shape.clone())
            })
        })
    })
}
