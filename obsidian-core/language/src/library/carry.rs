//! `s_map_accum`: pieces of an array one after another, with a value carried from one to the next.
//! Paper, section 6.4.

use std::cell::RefCell;
use std::rc::Rc;

use crate::array::{Allocator, Length, Pull, Push, Storable, Writer};
use crate::error::Origin;
use crate::program::{Action, Compute, Program, Trace, counter, single_thread};
use crate::scalar::{Exp, VariableId, here, index, lit};

/// One round, run apart: its actions, and what it gives.
struct Round<L, Acc: Storable, U> {
    counter: VariableId,
    i: Exp<u32>,
    /// The value that is carried, in arrays that change.
    kept: Acc::Handle,
    begin: Vec<Action>,
    actions: Vec<Action>,
    next: Acc,
    push: Push<L, U>,
}

/// Maps `f` over pieces in order, and gives it each time the value that it gave for the piece
/// before, first `acc`.
///
/// The results are put one after another. Each round is done by the whole level, so that shared
/// memory is used again in the next. The carried value lies in arrays of length 1 that one thread
/// writes at the end of each round.
///
/// `f` gives the state for the next piece and the results of this one. Where pieces need not wait for each other, [`exclusive_scan`](super::exclusive_scan) of their
/// sums is parallel.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     fn step(sum: EU32, piece: Pull<EU32>) -> Program<Block, (EU32, Push<Block, EU32>)> {
///         let sums = compute(inclusive_scan(|a, b| a + b, piece))?;
///         pure((sum + sums.last(), sums.map(|x| x + sum).push()))
///     }
///
///     #[kernel(threads = 64)]
///     pub fn running(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         // One block scans 8 elements, 4 at a time.
///         x.split_up(8).as_grid_map(|x| s_map_accum(|sum, piece| step(sum, piece), lit(0u32), x.split_up(4)))
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 1, 1, 1, 2, 2, 2, 2])?;
/// let result = example::running::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [1, 2, 3, 4, 6, 8, 10, 12]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "sMapAccum")]
#[track_caller]
pub fn s_map_accum<L: Compute, Acc: Storable, A: 'static, U: 'static, Z: Length, S: Length>(
    f: impl Fn(Acc, Pull<A, Z>) -> Program<L, (Acc, Push<L, U>)> + 'static,
    acc: Acc,
    pieces: Pull<Pull<A, Z>, S>,
) -> Push<L, U, S> {
    let origin = here();
    let state = Rc::new((f, acc, pieces));
    let make = {
        let state = state.clone();
        move || round(&state.0, &state.1, &state.2, origin)
    };
    let first = make();
    let (n, level) = (first.push.len(), first.push.level());
    let kept = RefCell::new(Some(first));
    let shared = Rc::new((make, kept));
    Push::new(state.2.len().times(n), move |write: Writer<U>| {
        let (state, shared) = (state.clone(), shared.clone());
        Program::new(move |trace: &mut Trace<L>| {
            let round = shared.1.take().unwrap_or_else(|| (shared.0)());
            push_rounds(trace, round, &state.1, state.2.len().exp(), &write);
        })
        .stamped(level)
    })
    .stamped(level)
}

/// [`s_map_accum`] whose elements are given to `write`, and the value that is carried at the end.
#[track_caller]
pub fn map_accum_to<L: Compute, Acc: Storable, A: 'static, U: 'static, Z: Length>(
    f: impl Fn(Acc, Pull<A, Z>) -> Program<L, (Acc, Push<L, U>)> + 'static,
    acc: Acc,
    pieces: Pull<Pull<A, Z>, Exp<u32>>,
    write: Writer<U>,
) -> Program<L, Acc> {
    let origin = here();
    Program::new(move |trace: &mut Trace<L>| {
        let round = round(&f, &acc, &pieces, origin);
        let kept = round.kept.clone();
        push_rounds(trace, round, &acc, pieces.len(), &write);
        Acc::load(&kept, lit(0))
    })
}

fn round<L: Compute, Acc: Storable, A: 'static, U: 'static, Z: Length, S: Length>(
    f: &impl Fn(Acc, Pull<A, Z>) -> Program<L, (Acc, Push<L, U>)>,
    acc: &Acc,
    pieces: &Pull<Pull<A, Z>, S>,
    origin: Origin,
) -> Round<L, Acc, U> {
    let mut allocator = Allocator::new(Some("carry"), 1).placed(origin);
    let kept = acc.alloc(&mut allocator);
    let begin = allocator.take_actions();
    // A copy that is written once a round: what `f` makes of it may be read at any time in the
    // round.
    let mut allocator = Allocator::new(Some("carried"), 1).placed(origin);
    let copy = acc.alloc(&mut allocator);
    let (from, to) = (kept.clone(), copy.clone());
    let load = Program::new(move |trace| Acc::read(&from, lit(0), trace).store(&to, lit(0), trace));
    let (counter, i) = counter();
    let ((next, push), actions) = Trace::apart(None, |trace: &mut Trace<L>| {
        trace.splice(allocator.take_actions());
        single_thread::<L>(load).run(trace);
        trace.push(Action::Sync);
        f(Acc::load(&copy, lit(0)), pieces.at(i)).run(trace)
    });
    Round {
        counter,
        i,
        kept,
        begin,
        actions,
        next,
        push,
    }
}

fn push_rounds<L: Compute, Acc: Storable, U: 'static>(
    trace: &mut Trace<L>,
    round: Round<L, Acc, U>,
    acc: &Acc,
    count: Exp<u32>,
    write: &Writer<U>,
) {
    let Round {
        counter,
        i,
        kept,
        begin,
        actions,
        next,
        push,
    } = round;
    trace.splice(begin);
    set(acc.clone(), kept.clone()).run(trace);
    let start = index::mul(i, push.len());
    let write = write.clone();
    let out = push.write_to(Rc::new(move |x, j| write(x, index::add(start, j))));
    let ((), rest) = trace.nested(trace.level(), |t: &mut Trace<L>| {
        out.run(t);
        set(next.clone(), kept.clone()).run(t);
    });
    let body = actions.into_iter().chain(rest).collect();
    trace.push(Action::SeqFor {
        counter,
        count: count.node(),
        body,
    });
}

/// One thread writes the value that is carried.
fn set<L: Compute, Acc: Storable>(value: Acc, kept: Acc::Handle) -> Program<L, ()> {
    single_thread(Program::new(move |trace| value.store(&kept, lit(0), trace)))
}
