//! Places in the order of a digit, and stable sorts by several.
//!
//! Each thread has a run of neighbours, and counters of its own, one for each digit, so that no two threads change
//! one. The counters stand digit by digit, and the threads' in each: an exclusive scan of all of them makes of
//! each the place of the thread's first element with that digit.

use std::rc::Rc;

use super::super::{Mutable, compute, exclusive_scan, hold, new_shared_mutable};
use crate::array::{Data, Pull, Push, Writer};
use crate::error::catalogue;
use crate::program::{Block, Compute, Program, Thread, Trace, for_all, seq_for};
use crate::scalar::{Exp, index, lit, report};

/// The most counters of a block.
const COUNTERS: u32 = 4096;
/// The most bits of a digit.
const MOST_BITS: u32 = 8;
/// The bits of a digit of a sort.
const DIGIT: u32 = 4;

/// The place of each element in the order of its digit, its lowest `bits` bits: a permutation of the places. Equal
/// digits keep their order.
///
/// `bits` is 1 to 8. With `2^bits` digits, up to `4096 / 2^bits` threads, at most 256, have a run of neighbours each, which they
/// read in a loop twice.
///
/// An element that is written to its place needs a promise that the places differ, as this function says and the compiler
/// does not see: `i.unchecked().distinct()`. [`block_radix_sort`] needs none.
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
/// `bits` is 1 to 32, and each 4 of them are a pass: [`block_radix_rank`], and a store of each element in shared memory.
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

/// Reports a number of bits that is not in a range. Whether it is.
#[track_caller]
fn are_bits(name: &str, bits: u32, most: u32) -> bool {
    let are = (1..=most).contains(&bits);
    if !are {
        report(catalogue::number_of_bits(name, bits, most));
    }
    are
}

#[track_caller]
#[doc(hidden)]
pub fn ranks<L: Compute>(bits: u32, digits: Pull<Exp<u32>>) -> Program<L, Pull<Exp<u32>>> {
    let n = digits.len();
    if !are_bits("block_radix_rank", bits, MOST_BITS) || n == 0 {
        return Program::new(move |_| Pull::new(0, |_| lit(0)));
    }
    let bins = 1 << bits;
    let threads = (COUNTERS / bins).min(256).min(n);
    let run = n.div_ceil(threads);
    let threads = n.div_ceil(run);
    let counter =
        move |t: Exp<u32>, digit: Exp<u32>| index::add(index::mul(digit & (bins - 1), threads), t);
    let numbers = new_shared_mutable(bins * threads, lit(0u32));
    numbers.and_then(move |counters: Mutable<Exp<u32>, u32>| {
        let (digits, counters) = (digits.clone(), counters.clone());
        let (own, counted) = (counters.clone(), digits.clone());
        let count = for_all(threads, move |t| {
            each_of_run(
                n,
                run,
                t,
                (own.clone(), counted.clone()),
                move |(own, digits), i| {
                    let at = counter(t, digits.at(i)).unchecked().distinct();
                    let own = own.clone();
                    own.read(at).and_then(move |count| own.write(at, count + 1))
                },
            )
        });
        let total = counters.clone();
        count
            .and_then(move |()| {
                let counts: Push<L, Exp<u32>> = total.push();
                let firsts = total.clone();
                hold(counts).and_then(move |counts| {
                    firsts.write_all(exclusive_scan(|x: Exp<u32>, y| x + y, lit(0), counts))
                })
            })
            .and_then(move |()| {
                let (counters, digits) = (counters.clone(), digits.clone());
                let places = Push::new(n, move |write: Writer<Exp<u32>>| {
                    let state = (counters.clone(), digits.clone());
                    for_all(threads, move |t| {
                        let write = write.clone();
                        each_of_run(n, run, t, state.clone(), move |(own, digits), i| {
                            let at = counter(t, digits.at(i)).unchecked().distinct();
                            let (own, write) = (own.clone(), write.clone());
                            own.read(at).and_then(move |place| {
                                let write = write.clone();
                                own.write(at, place + 1).and_then(move |()| write(place, i))
                            })
                        })
                    })
                });
                compute(places)
            })
    })
}

/// Runs `f` for each element of thread `t`'s run.
fn each_of_run<A: Clone + 'static>(
    n: u32,
    run: u32,
    t: Exp<u32>,
    state: A,
    f: impl Fn(&A, Exp<u32>) -> Program<Thread, ()> + Clone + 'static,
) -> Program<Thread, ()> {
    let first = index::mul(t, run);
    let own = match n.is_multiple_of(run) {
        true => lit(run),
        false => index::sub(n, first).min(run),
    };
    seq_for(own, move |i| f(&state, index::add(first, i)))
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
        for shift in (0..bits).step_by(DIGIT as usize) {
            let (key, from) = (key.clone(), sorted.clone());
            let digit = from.map(move |x| key(x) >> shift);
            let places = ranks(DIGIT.min(bits - shift), digit).run(trace);
            let moved = Push::new(n, move |write: Writer<T>| {
                let (from, places) = (from.clone(), places.clone());
                for_all(n, move |i| {
                    write(from.at(i), places.at(i).unchecked().distinct())
                })
            });
            sorted = compute(moved).run(trace);
        }
        sorted.push()
    })
}
