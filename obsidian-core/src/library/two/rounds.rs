//! `accumulate`: arrays that programs give one after another, combined element by element.

use std::rc::Rc;

use super::super::to_mutable;
use crate::array::{Data, IntoPush, IntoPush2, Length, Pull, Pull2, Push2, Storable};
use crate::error::catalogue;
use crate::program::{Action, Compute, Program, for_all, seq_for};
use crate::scalar::report;

/// Runs programs in order, each by the whole level, and combines the arrays that they give, element
/// by element, with those of `init`: element `i` becomes `f(f(init[i], first[i]), second[i])`, and
/// so on.
///
/// What a round stores can be stored in the same place by the next. The sums lie where `compute`
/// stores.
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
pub fn accumulate<L: Compute, T: Data, A: IntoPush<L, T, u32>, S: Length>(
    f: impl Fn(T, T) -> T + 'static,
    init: A,
    rounds: Pull<Program<L, Pull<T>>, S>,
) -> Program<L, Pull<T>> {
    let f = Rc::new(f);
    to_mutable(init).and_then(move |sums| {
        let (handle, n) = (sums.handle().clone(), sums.len());
        let (rounds, f) = (rounds.clone(), f.clone());
        let round = seq_for(rounds.len().exp(), move |k| {
            let (sums, f) = (sums.clone(), f.clone());
            rounds.at(k).and_then(move |addends: Pull<T>| {
                if addends.len() != n {
                    report(catalogue::other_sums(addends.len(), n));
                }
                let (sums, f) = (sums.clone(), f.clone());
                for_all(n, move |i| {
                    let (sums, f, addend) = (sums.clone(), f.clone(), addends.at(i));
                    sums.read(i)
                        .and_then(move |sum| sums.write(i, f(sum, addend.clone())))
                })
            })
        });
        round.and_then(move |()| {
            let handle = handle.clone();
            Program::new(move |trace| {
                trace.push(Action::Sync);
                let handle = handle.clone();
                // Nothing writes them any more.
                Pull::new(n, move |i| <T as Storable>::load(&handle, i))
            })
        })
    })
}

/// [`accumulate`] for two-dimensional arrays.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     fn product(a: Pull2<EU32>, b: Pull2<EU32>) -> Program<Block, Push2<Block, EU32>> {
///         // One outer product for each column of `a` and row of `b`.
///         let products = generate(2, |k| compute2(outer(|x, y| x * y, a.column(k), b.row(k))));
///         let sums = accumulate2(|x, y| x + y, generate2(2, 2, |_, _| lit(0u32)), products)?;
///         pure(sums.push())
///     }
///
///     #[kernel(threads = 64)]
///     pub fn squares(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(4).as_grid_map(|x| exec_block2(product(x.in_rows(2), x.in_rows(2))).flat())
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 4])?;
/// let result = example::squares::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [7, 10, 15, 22]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn accumulate2<L: Compute, T: Data, A: IntoPush2<L, T, u32>, S: Length>(
    f: impl Fn(T, T) -> T + 'static,
    init: A,
    rounds: Pull<Program<L, Pull2<T>>, S>,
) -> Program<L, Pull2<T>> {
    let init: Push2<L, T> = init.into_push2();
    let (height, width) = (init.height(), init.width());
    let rounds = rounds.map(move |round| {
        round.map(move |addends: Pull2<T>| {
            if (addends.height(), addends.width()) != (height, width) {
                report(catalogue::other_size(
                    (addends.height(), addends.width()),
                    (height, width),
                ));
                // Said once: as a list it would be of another length too.
                return addends.flat().set_len(height.saturating_mul(width));
            }
            addends.flat()
        })
    });
    accumulate(f, init.flat(), rounds).map(move |sums| sums.as_2d(height, width))
}
