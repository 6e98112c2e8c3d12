//! Collectives: reductions, scans, sorts and ranks that the threads of a level do together.
//!
//! What each computes, and in which order, is a function of the length alone, and documented at
//! [`Collective`](crate::ir::Collective). How it is computed is not said: the passes choose loops,
//! networks or registers.

use std::rc::Rc;

use super::{compute, hold};
use crate::array::{Data, IntoPush, Pull, Push, Storable, Writer, no_elements};
use crate::error::{Origin, catalogue};
use crate::ir::{CollectiveOp, Level, MOST_BITS, WARP};
use crate::program::{Action, Combined, Compute, Program, Trace, bound_any, counter, pure};
use crate::scalar::{
    AnyExp, Exp, Node, NodeId, Scalar, ScalarType, VariableId, VariableKind, failed, here, lit,
    report, select_exp, session,
};

/// All elements combined: an array of one element. There must be at least one.
///
/// `f` must be associative up to rounding, and need not be commutative: its first argument always has
/// the earlier elements. Up to 256 elements it is applied in a balanced tree over neighbours,
/// `(x0 . x1) . (x2 . x3)`; of more, each `ceil(n / 256)` neighbours are folded from the left
/// first. So the bits of a result depend on the length alone, and not on threads, blocks or the
/// device.
///
/// `f` may not read arrays: lay what it needs beside the elements with [`zip`](super::zip()).
/// [`seq_reduce`](super::seq_reduce) is one thread's loop.
///
/// The result is an array of one element, so a block of a grid adds one element to the output. Of no elements it is a compile error, `empty-array`.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn sums(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(4).as_grid_map(|piece| reduce(|a, b| a + b, piece))
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 4, 10, 20, 30, 40])?;
/// let result = example::sums::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [10, 100]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
///
/// At Block, 256 threads that combine 1,024 numbers need two barriers, the second one before the next piece, and a word of shared memory for each warp; at Warp there are neither.
///
/// ```
/// # use obsidian_rt::{TypedKernel, language::*};
/// let kernel = TypedKernel::build("k", 256, |x: DPull<EU32>| x.split_up(1024).as_grid_map(|x| reduce(|a, b| a + b, x)))?;
/// assert_eq!((kernel.kernel().barriers(), kernel.kernel().shared_bytes()), (2, 32));
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "BlockReduce")]
#[doc(alias = "WarpReduce")]
#[doc(alias = "__reduce_add_sync")]
#[doc(alias = "plane_sum")]
#[track_caller]
pub fn reduce<L: Compute, T: Data>(f: impl Fn(T, T) -> T + 'static, arr: Pull<T>) -> Push<L, T> {
    collective(CollectiveOp::Reduce, None, Operator::combining(f), arr)
}

/// Each prefix combined, its last element included: element `i` is the elements `0 ..= i`, combined.
///
/// `f` is as that of [`reduce`].
///
/// # Order
/// It depends on the number of elements alone, so the bits depend neither on threads and blocks nor on the device. Up to 256 elements each is a row; of more,
/// each 4 neighbours are a row, which is folded from the left. 32 rows are a run, combined in a balanced tree over neighbours, `(r0 . r1) . (r2 . r3)`.
/// An element is `(before . rows) . own`: what stands before its run; the tree over the rows of its run before its own; its row up to itself. Where a row is one
/// element it is one of the rows of that tree. Up to 32 runs, 4,096 elements, what stands before a run is the tree over the runs before it. Of more, neighbouring runs
/// are series of equal length, 32 at most, each folded from the left, and what stands before a run is the tree over whole series, then run by run. So the last element need
/// not have the bits of [`reduce`].
///
/// Of no elements it gives none. For arrays that are longer than a block can scan, see `algorithms::inclusive_sum` and the tutorial's page
/// of scans.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn running(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(4).as_grid_map(|piece| inclusive_scan(|a, b| a + b, piece))
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 4, 10, 20, 30, 40])?;
/// let result = example::running::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [1, 3, 6, 10, 10, 30, 60, 100]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
///
/// At Block, 256 threads that scan 1,024 numbers need two barriers, the second one before the next piece, and a word of shared memory for each warp.
///
/// ```
/// # use obsidian_rt::{TypedKernel, language::*};
/// let kernel = TypedKernel::build("k", 256, |x: DPull<EU32>| x.split_up(1024).as_grid_map(|x| inclusive_scan(|a, b| a + b, x)))?;
/// assert_eq!((kernel.kernel().barriers(), kernel.kernel().shared_bytes()), (2, 32));
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "BlockScan")]
#[doc(alias = "WarpScan")]
#[doc(alias = "prefix_sum")]
#[doc(alias = "plane_inclusive_sum")]
#[track_caller]
pub fn inclusive_scan<L: Compute, T: Data>(
    f: impl Fn(T, T) -> T + 'static,
    arr: Pull<T>,
) -> Push<L, T> {
    collective(
        CollectiveOp::InclusiveScan,
        None,
        Operator::combining(f),
        arr,
    )
}

/// Each prefix without its last element, after `initial`: element 0 is `initial`, and element `i` is `initial` and behind it the elements `0 .. i`, combined.
///
/// The order is that of [`inclusive_scan`], with `initial` in front: `((initial . before) . rows) . own`.
///
/// `f` is as that of [`reduce`].
///
/// Of no elements it gives none.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn before(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(4).as_grid_map(|piece| exclusive_scan(|a, b| a + b, 0, piece))
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 4, 10, 20, 30, 40])?;
/// let result = example::before::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [0, 1, 3, 6, 0, 10, 30, 60]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
///
/// It costs what [`inclusive_scan`] costs.
///
/// ```
/// # use obsidian_rt::{TypedKernel, language::*};
/// let kernel = TypedKernel::build("k", 256, |x: DPull<EU32>| x.split_up(1024).as_grid_map(|x| exclusive_scan(|a, b| a + b, lit(0), x)))?;
/// assert_eq!((kernel.kernel().barriers(), kernel.kernel().shared_bytes()), (2, 32));
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "BlockScan")]
#[doc(alias = "WarpScan")]
#[doc(alias = "prefix_sum")]
#[doc(alias = "plane_exclusive_sum")]
#[track_caller]
pub fn exclusive_scan<L: Compute, T: Data>(
    f: impl Fn(T, T) -> T + 'static,
    initial: T,
    arr: Pull<T>,
) -> Push<L, T> {
    let f = Operator::combining(f);
    collective(CollectiveOp::ExclusiveScan, Some(initial), f, arr)
}

/// What earlier blocks have, element by element: see [`earlier`](super::earlier).
#[track_caller]
pub(super) fn earlier_of<L: Compute, T: Data>(
    f: impl Fn(T, T) -> T + 'static,
    initial: T,
    own: Pull<T>,
) -> Push<L, T> {
    let f = Operator::combining(f);
    collective(CollectiveOp::Earlier, Some(initial), f, own)
}

/// The elements in order. `before(a, b)` says whether `a` must stand before `b`, as `a < b` does.
///
/// It is not stable: elements of which neither must stand before the other may change places. `before`
/// must be a strict weak order, else the order of the result means nothing; it may not read arrays.
/// The steps are those of Batcher's merge exchange, and depend on the length alone.
///
/// The length may be any number. An array of pairs sorts values by keys.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn sorted(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(5).as_grid_map(|piece| sort(|a, b| a < b, piece))
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[3, 1, 4, 1, 5])?;
/// let result = example::sorted::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [1, 1, 3, 4, 5]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
///
/// At Block the elements lie in shared memory, and most steps of the network end with a barrier.
///
/// ```
/// # use obsidian_rt::{TypedKernel, language::*};
/// let kernel = TypedKernel::build("k", 256, |x: DPull<EU32>| x.split_up(1024).as_grid_map(|x| sort(|a: EU32, b| a.lt(b), x)))?;
/// assert_eq!((kernel.kernel().barriers(), kernel.kernel().shared_bytes()), (40, 4096));
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "BlockMergeSort")]
#[doc(alias = "WarpMergeSort")]
#[doc(alias = "BlockRadixSort")]
#[doc(alias = "bitonic_sort")]
#[track_caller]
pub fn sort<L: Compute, T: Data>(
    before: impl Fn(T, T) -> Exp<bool> + 'static,
    arr: Pull<T>,
) -> Push<L, T> {
    let operator = Operator(Rc::new(move |x, y| {
        (vec![before(x, y).any()], vec![ScalarType::Bool])
    }));
    collective(CollectiveOp::Sort, None, operator, arr)
}

/// The place of each element in the order of its digit, its lowest `bits` bits, and how many elements there are of each digit.
///
/// Equal digits keep their order. The places are a permutation of the numbers below the length, which the compiler knows: what is
/// written to them, in an array of that length, needs no promise. The counts have `2^bits` elements; `bits` is 1 to 8.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     /// Even numbers in front of odd ones, in each piece.
///     #[kernel(threads = 64)]
///     pub fn even_first(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(4).as_grid_map(|piece| {
///             exec_block(rank_by_digit(1, piece).and_then(|(places, _)| {
///                 let sorted = mk_push(4, |write| for_all(4, |i| write(piece[i], places[i])));
///                 compute(sorted).map(|sorted| sorted.push())
///             }))
///         })
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[7, 2, 5, 4])?;
/// let result = example::even_first::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [2, 4, 7, 5]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
///
/// At Block and Warp, where there are whole warps, a warp finds out by a vote for each bit which of its lanes have the same digit. 256 threads that rank 1,024 elements:
///
/// ```
/// # use obsidian_rt::{TypedKernel, language::*};
/// let kernel = TypedKernel::build("k", 256, |x: DPull<EU32>| x.split_up(1024).as_grid_map(|x| exec_block(rank_by_digit(8, x).map(|(places, _)| places.push()))))?;
/// assert_eq!((kernel.kernel().barriers(), kernel.kernel().shared_bytes()), (6, 12_288));
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "BlockRadixRank")]
#[track_caller]
pub fn rank_by_digit<L: Compute>(
    bits: u32,
    digits: Pull<Exp<u32>>,
) -> Program<L, (Pull<Exp<u32>>, Pull<Exp<u32>>)> {
    if !are_bits("rank_by_digit", bits, MOST_BITS) {
        let none = Pull::new(0, |_| lit(0));
        return pure((none.clone(), none));
    }
    let counts = compute(counts_of_digits(bits, &digits));
    let places = compute(places_by_digit(bits, &digits));
    counts.and_then(move |counts: Pull<Exp<u32>>| {
        places
            .clone()
            .map(move |places: Pull<Exp<u32>>| (places, counts.clone()))
    })
}

/// Reports a number of bits that is not in a range. Whether it is.
#[track_caller]
pub(super) fn are_bits(name: &str, bits: u32, most: u32) -> bool {
    let are = (1..=most).contains(&bits);
    if !are {
        report(catalogue::number_of_bits(name, bits, most));
    }
    are
}

/// How many elements have each of `2^bits` digits.
#[track_caller]
#[doc(hidden)]
pub fn counts_of_digits<L: Compute>(bits: u32, digits: &Pull<Exp<u32>>) -> Push<L, Exp<u32>> {
    match digits.len() {
        0 => Pull::new(1 << bits, |_| lit(0)).push(),
        _ => by_digit(CollectiveOp::Count { bits }, digits),
    }
}

/// The place of each element in the order of its digit.
#[track_caller]
#[doc(hidden)]
pub fn places_by_digit<L: Compute>(bits: u32, digits: &Pull<Exp<u32>>) -> Push<L, Exp<u32>> {
    by_digit(CollectiveOp::Rank { bits }, digits)
}

#[track_caller]
fn by_digit<L: Compute>(op: CollectiveOp, digits: &Pull<Exp<u32>>) -> Push<L, Exp<u32>> {
    let (origin, n) = (here(), digits.len());
    let digits = digits.clone();
    Push::new(op.results(n), move |write: Writer<Exp<u32>>| {
        let digits = digits.clone();
        Program::new(move |trace: &mut Trace<L>| {
            if trace.level() == Some(Level::Grid) {
                let wrong =
                    catalogue::wrong_level("`rank_by_digit`", "Grid", "Thread, Warp and Block");
                return report(wrong.at(origin));
            }
            if n == 0 {
                return;
            }
            let (number, i) = counter();
            let given = vec![digits.at(i).node()];
            let (at, j) = counter();
            let (result, value) = operand(&lit(0u32), trace.name());
            let ((), body) = trace.nested(Some(Level::Thread), |t| write(value, j).run(t));
            trace.push(Action::Collective(Box::new(Combined {
                op,
                initial: Vec::new(),
                counter: number,
                count: lit(n).node(),
                given,
                left: Vec::new(),
                right: Vec::new(),
                combined: Vec::new(),
                element: at,
                results: lit(op.results(n)).node(),
                result,
                body,
                origin,
            })));
        })
    })
}

/// Is any of some booleans true? All threads of the level know it; of no booleans it is false.
///
/// At Warp it is one vote of the lanes, as [`all`] is; at Block, a vote of each warp, and a barrier.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn has_zero(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(4).as_grid_map(|piece| {
///             exec_block_value(any(piece.map(|x| x == 0)).map(|found| select(found, 1, 0)))
///         })
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 4, 5, 0, 7, 8])?;
/// let result = example::has_zero::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [0, 1]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
///
/// At Block, 256 threads need two barriers, the second one before the next piece.
///
/// ```
/// # use obsidian_rt::{TypedKernel, language::*};
/// let kernel = TypedKernel::build("k", 256, |x: DPull<EU32>| x.split_up(256).as_grid_map(|x| exec_block_value(any(x.map(|x| x.eq(0))).map(|y| select(y, lit(1u32), lit(0))))))?;
/// assert_eq!(kernel.kernel().barriers(), 2);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "__any_sync")]
#[doc(alias = "plane_any")]
#[doc(alias = "__syncthreads_or")]
#[track_caller]
pub fn any<L: Compute>(arr: Pull<Exp<bool>>) -> Program<L, Exp<bool>> {
    known_to_all(|x, y| x | y, lit(false), arr)
}

/// Are all of some booleans true? All threads of the level know it; of no booleans it is true.
///
/// At Warp it is one vote of the lanes; at Block, a vote of each warp, and a barrier.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn all_even(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(4).as_grid_map(|piece| {
///             exec_block_value(all(piece.map(|x| x % 2 == 0)).map(|even| select(even, 1, 0)))
///         })
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[2, 4, 6, 8, 1, 2, 3, 4])?;
/// let result = example::all_even::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [1, 0]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "__all_sync")]
#[doc(alias = "plane_all")]
#[doc(alias = "__syncthreads_and")]
#[track_caller]
pub fn all<L: Compute>(arr: Pull<Exp<bool>>) -> Program<L, Exp<bool>> {
    known_to_all(|x, y| x & y, lit(true), arr)
}

/// At most 32 booleans as the bits of a number, which all threads of the level know: bit `i` is set if
/// boolean `i` is true.
///
/// At Warp it is one instruction from sm_80 on, behind a shift.
///
/// More than 32 booleans are a compile error, `too-many-bits`.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn bits(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         // One warp in each block.
///         x.split_up(4).as_grid_map(|piece| {
///             let warp = exec_warp_value(ballot(piece.map(|x| x > 10)));
///             singleton(warp).as_block()
///         })
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[11, 2, 33, 4])?;
/// let result = example::bits::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [0b0101]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "__ballot_sync")]
#[doc(alias = "plane_ballot")]
#[doc(alias = "vote")]
#[track_caller]
pub fn ballot<L: Compute>(arr: Pull<Exp<bool>>) -> Program<L, Exp<u32>> {
    let bits = bits_of("ballot", &arr);
    known_to_all(|x, y| x | y, lit(0), bits)
}

/// For each of at most 32 elements the places of those that are equal to it, as the bits of a number.
///
/// A NaN is equal to none. At Warp, one instruction compares integers or booleans (from sm_70 on) in a loop of at most 32
/// iterations, of which iteration `i` reads element `i` of the result. Floats, and elements in another order, take a shuffle and a
/// comparison for each element; [`hold`] stores the result for reads in another order.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn equals(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(4).as_grid_map(|piece| singleton(exec_warp(match_any(piece))).as_block())
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[7, 8, 7, 9])?;
/// let result = example::equals::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [0b0101, 0b0010, 0b0101, 0b1000]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "__match_any_sync")]
#[track_caller]
pub fn match_any<L: Compute, T: Scalar>(arr: Pull<Exp<T>>) -> Program<L, Pull<Exp<u32>>> {
    matches(|x: Exp<T>, y| x.eq(y), arr)
}

/// [`match_any`] by a function that says whether two elements are equal.
#[track_caller]
pub fn matches<L: Compute, T: Data>(
    is_equal: impl Fn(T, T) -> Exp<bool> + 'static,
    arr: Pull<T>,
) -> Program<L, Pull<Exp<u32>>> {
    let n = arr.len();
    if n > WARP {
        report(catalogue::too_many_bits("match_any", n));
    }
    let is_equal = Rc::new(is_equal);
    stored_for_all(arr.into_push()).map(move |arr: Pull<T>| {
        let is_equal = is_equal.clone();
        Pull::new(n, move |i| {
            let bit = |j: u32| {
                let is_equal = is_equal(arr.at(lit(j)), arr.at(i));
                select_exp(is_equal, lit(1 << j), lit(0))
            };
            (0..n.min(WARP))
                .map(bit)
                .fold(lit(0), |mask, bit| mask | bit)
        })
    })
}

/// Boolean `i` as bit `i`.
#[track_caller]
fn bits_of(name: &str, arr: &Pull<Exp<bool>>) -> Pull<Exp<u32>> {
    if arr.len() > WARP {
        report(catalogue::too_many_bits(name, arr.len()));
    }
    let arr = arr.clone();
    Pull::new(arr.len(), move |i| {
        select_exp(arr.at(i), lit(1u32) << i, lit(0))
    })
}

/// A reduction whose result all threads of the level have.
#[track_caller]
fn known_to_all<L: Compute, T: Scalar>(
    f: impl Fn(Exp<T>, Exp<T>) -> Exp<T> + 'static,
    of_none: Exp<T>,
    arr: Pull<Exp<T>>,
) -> Program<L, Exp<T>> {
    if arr.len() == 0 {
        return Program::new(move |_| of_none);
    }
    stored_for_all(reduce(f, arr)).map(|one| one.at(0u32))
}

/// An array that all threads of the level read: at Warp in registers, at Block in shared memory.
#[track_caller]
pub(super) fn stored_for_all<L: Compute, T: Data>(array: Push<L, T>) -> Program<L, Pull<T>> {
    let (held, stored) = (hold(array.clone()), compute(array));
    Program::new(move |trace: &mut Trace<L>| match trace.level() {
        Some(Level::Warp) => held.run(trace),
        _ => stored.run(trace),
    })
}

/// Makes of two elements the values that a collective's list gives, and says of which types they
/// should be.
struct Operator<T>(Rc<dyn Fn(T, T) -> (Vec<AnyExp>, Vec<ScalarType>)>);

impl<T: Storable> Operator<T> {
    fn combining(f: impl Fn(T, T) -> T + 'static) -> Self {
        Operator(Rc::new(move |x: T, y: T| {
            let types = types(&leaves(&x));
            (leaves(&f(x, y)), types)
        }))
    }
}

fn leaves<T: Storable>(value: &T) -> Vec<AnyExp> {
    let mut list = Vec::new();
    value.leaves(&mut list);
    list
}

fn types(values: &[AnyExp]) -> Vec<ScalarType> {
    values.iter().map(|value| value.ty()).collect()
}

fn nodes(values: &[AnyExp]) -> Vec<NodeId> {
    values.iter().map(|value| value.node()).collect()
}

/// Fresh variables for the components of an element, and the element that they make.
fn operand<T: Storable>(like: &T, name: Option<&str>) -> (Vec<VariableId>, T) {
    let bound = leaves(like)
        .into_iter()
        .map(|leaf| bound_any(name, leaf.ty(), VariableKind::Let));
    let (variables, values): (Vec<_>, Vec<_>) = bound.unzip();
    (variables, like.rebuild(&mut values.into_iter()))
}

#[track_caller]
fn collective<L: Compute, T: Data>(
    op: CollectiveOp,
    initial: Option<T>,
    operator: Operator<T>,
    arr: Pull<T>,
) -> Push<L, T> {
    let origin = here();
    let (n, operator) = (arr.len(), Rc::new(operator));
    if n == 0 && op == CollectiveOp::Reduce {
        // The mistake is the call, whether or not its result is used.
        let _: T = no_elements();
    }
    Push::new(op.results(n), move |write: Writer<T>| {
        let (arr, initial, operator) = (arr.clone(), initial.clone(), operator.clone());
        Program::new(move |trace: &mut Trace<L>| {
            if trace.level() == Some(Level::Grid) {
                let name = format!("`{}`", op.name());
                let wrong = catalogue::wrong_level(&name, "Grid", "Thread, Warp and Block");
                return report(wrong.at(origin));
            }
            if n == 0 {
                return;
            }
            let (number, i) = counter();
            let element = arr.at(i);
            let given = leaves(&element);
            let (left, x) = operand(&element, trace.name());
            let (right, y) = operand(&element, trace.name());
            let (combined, wanted) = (operator.0)(x, y);
            let initial: Vec<_> = initial.iter().flat_map(leaves).collect();
            let types = types(&given);
            if !is_operator(op, &combined, &wanted, origin) {
                return;
            }
            let begins = matches!(op, CollectiveOp::ExclusiveScan | CollectiveOp::Earlier);
            if begins && !are_elements(op, &initial, &types, origin) {
                return;
            }
            let (at, j) = counter();
            let (result, value) = operand(&element, trace.name());
            let ((), body) = trace.nested(Some(Level::Thread), |t| write(value.clone(), j).run(t));
            let literal = |n: u32| lit(n).node();
            trace.push(Action::Collective(Box::new(Combined {
                op,
                initial: nodes(&initial),
                counter: number,
                count: literal(n),
                given: nodes(&given),
                left,
                right,
                combined: nodes(&combined),
                element: at,
                results: literal(op.results(n)),
                result,
                body,
                origin,
            })));
        })
    })
}

/// Reports values that are not the components of an element. Whether they are.
fn are_elements(op: CollectiveOp, found: &[AnyExp], wanted: &[ScalarType], origin: Origin) -> bool {
    let ty = |leaf: &AnyExp| leaf.ty();
    let what = if found.len() == wanted.len() {
        let differs = found.iter().map(ty).zip(wanted).find(|(f, w)| f != *w);
        let Some((found, wanted)) = differs else {
            return true;
        };
        format!(
            "{}, and the elements are {}",
            found.exp_name(),
            wanted.exp_name()
        )
    } else {
        format!(
            "{} values, and an element has {}",
            found.len(),
            wanted.len()
        )
    };
    // A mistake inside of the function leaves it without a result.
    if !failed() {
        report(catalogue::other_elements(op.name(), &what).at(origin));
    }
    false
}

/// Reports an operator that gives something else than it should, or reads an array. Whether it can
/// be used.
fn is_operator(op: CollectiveOp, given: &[AnyExp], wanted: &[ScalarType], origin: Origin) -> bool {
    if !are_elements(op, given, wanted, origin) {
        return false;
    }
    let roots = nodes(given);
    let read = session(|s| {
        let all = s.tables.nodes.post_order(&roots, |_| false);
        all.into_iter()
            .find_map(|id| match s.tables.nodes.node(id) {
                Node::Load { array, .. } => Some(s.tables.array(array).name.clone()),
                _ => None,
            })
    });
    let Some(array) = read.flatten() else {
        return true;
    };
    report(catalogue::operator_reads(op.name(), &array).at(origin));
    false
}
