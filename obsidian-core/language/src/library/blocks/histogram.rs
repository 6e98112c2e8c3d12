//! Counts of numbers.

use super::super::{Mutable, new_shared_mutable};
use crate::array::{Length, Pull, Push};
use crate::program::{Block, Compute, Program, cond, for_all, pure};
use crate::scalar::{Exp, lit};

/// How often each number below `bins` is in an array, counted by a block; numbers from `bins` on are not counted.
///
/// The counts are in shared memory, and each number is an atomic addition there: equal numbers that are near
/// each other wait for each other. To add the counts of several blocks, write them to the device's memory by
/// [`atomic_add`](Mutable::atomic_add).
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     use obsidian_rt::algorithms::blocks::*;
///
///     #[kernel(threads = 64)]
///     pub fn counts(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         mk_push(lit(4), |write| {
///             distr_par(1, |_| {
///                 let counts = block_histogram(4, x)?;
///                 counts.push_to(|n, bin| write(n, bin))
///             })
///         })
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[3, 1, 3, 9, 0])?;
/// let result = example::counts::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [1, 1, 0, 2]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "BlockHistogram")]
#[track_caller]
pub fn block_histogram<S: Length>(
    bins: u32,
    numbers: Pull<Exp<u32>, S>,
) -> Program<Block, Push<Block, Exp<u32>>> {
    counts(bins, numbers)
}

#[track_caller]
#[doc(hidden)]
pub fn counts<L: Compute, S: Length>(
    bins: u32,
    numbers: Pull<Exp<u32>, S>,
) -> Program<L, Push<L, Exp<u32>>> {
    new_shared_mutable(bins, lit(0u32)).and_then(move |counts: Mutable<Exp<u32>, u32>| {
        let (all, numbers) = (counts.push(), numbers.clone());
        if numbers.len().fixed() == Some(0) {
            return Program::new(move |_| all.clone());
        }
        for_all(numbers.len().exp(), move |i| {
            let number = numbers.at(i);
            let count = counts.atomic_add(number, 1).map(|_| ());
            cond(number.lt(bins), count, pure(()))
        })
        .map(move |()| all.clone())
    })
}
