//! Places in the order of a digit, and stable sorts by several.

use std::rc::Rc;

use super::super::collectives::{are_bits, places_by_digit};
use super::super::compute;
use crate::array::{Data, Pull, Push, Writer};
use crate::ir::MOST_BITS;
use crate::program::{Block, Compute, Program, Trace};
use crate::scalar::{Exp, lit};

/// The place of each element in the order of its digit, its lowest `bits` bits: a permutation of the places. Equal
/// digits keep their order.
///
/// `bits` is 1 to 8. It is [`rank_by_digit`](crate::library::rank_by_digit) without the counts.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     use obsidian_rt::algorithms::blocks::*;
///
///     #[kernel(threads = 64)]
///     pub fn ranks(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(4).as_grid_map(|piece| exec_block(block_radix_rank(8, piece).map(|ranks| ranks.push())))
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[7, 3, 7, 1])?;
/// let result = example::ranks::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [2, 1, 3, 0]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "BlockRadixRank")]
#[track_caller]
pub fn block_radix_rank(bits: u32, digits: Pull<Exp<u32>>) -> Program<Block, Pull<Exp<u32>>> {
    ranks(bits, digits)
}

/// The elements in the order of the lowest `bits` bits of a key, `key(x)`. It is stable: elements with equal keys keep their
/// order.
///
/// `bits` is 1 to 32, and each 8 of them are a pass: [`block_radix_rank`], and a store of each element in shared memory.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     use obsidian_rt::algorithms::blocks::*;
///
///     #[kernel(threads = 64)]
///     pub fn sorted(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(4).as_grid_map(|piece| exec_block(block_radix_sort(8, |x| x / 10, piece)))
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[75, 31, 72, 10])?;
/// let result = example::sorted::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [10, 31, 75, 72]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "BlockRadixSort")]
#[track_caller]
pub fn block_radix_sort<T: Data>(
    bits: u32,
    key: impl Fn(T) -> Exp<u32> + 'static,
    arr: Pull<T>,
) -> Program<Block, Push<Block, T>> {
    sorted(bits, key, arr)
}

#[track_caller]
#[doc(hidden)]
pub fn ranks<L: Compute>(bits: u32, digits: Pull<Exp<u32>>) -> Program<L, Pull<Exp<u32>>> {
    match are_bits("block_radix_rank", bits, MOST_BITS) {
        true => compute(places_by_digit(bits, &digits)),
        false => Program::new(move |_| Pull::new(0, |_| lit(0))),
    }
}

#[track_caller]
#[doc(hidden)]
pub fn sorted<L: Compute, T: Data>(
    bits: u32,
    key: impl Fn(T) -> Exp<u32> + 'static,
    arr: Pull<T>,
) -> Program<L, Push<L, T>> {
    if !are_bits("block_radix_sort", bits, 32) || arr.len() == 0 {
        return Program::new(move |_| arr.push());
    }
    let key = Rc::new(key);
    Program::new(move |trace: &mut Trace<L>| {
        let n = arr.len();
        let mut sorted = arr.clone();
        for shift in (0..bits).step_by(MOST_BITS as usize) {
            let (key, from) = (key.clone(), sorted.clone());
            let digit = sorted.map(move |x| key(x) >> shift);
            let places = places_by_digit(MOST_BITS.min(bits - shift), &digit);
            let moved = Push::new(n, move |write: Writer<T>| {
                let from = from.clone();
                places.push_to(move |place, i| write(from.at(i), place))
            });
            sorted = compute(moved).run(trace);
        }
        sorted.push()
    })
}
