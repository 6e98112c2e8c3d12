//! `tiles_fold`: the tiles of an array of any length one after another, with a state that is held.

mod in_place;

use std::rc::Rc;

use super::compute::stored;
use crate::array::{Data, IntoPush, Length, Pull, Push, Storable, Writer};
use crate::error::{Origin, catalogue};
use crate::ir::{Layout, Level, Unroll};
use crate::program::{Action, Compute, Program, Thread, Trace, counter, for_all};
use crate::scalar::{ArrayId, Exp, failed, here, index, lit, report};

/// Folds an array of any length over its tiles of `tile` elements. The state is an array that the threads
/// of the level hold, as [`hold`](super::hold()) does, from one tile to the next.
///
/// `whole(state, tile)` gives the next state, for each whole tile in order. `rest(state, tile)` does the same for the
/// elements behind the last whole tile, if there are any; their number is known at launch. The result is the
/// last state. A tile is read without any comparison with the length of the array.
///
/// A state of static length has an element for each thread as a rule, so that it takes one register. Both
/// functions read of the state what a thread owns, and give an array whose element `i` the same
/// iteration computes; at Block everything else is an error, `not-own`.
///
/// `unroll(n, tiles_fold(..))` says how many whole tiles are written behind each other; with 1 the loop over
/// them is as short as it can be. Loops of `rest` of which only a launch knows the number of rounds stay rolled: `rest`
/// is executed once at most.
///
/// The order in which elements are combined is what the two functions make of it. It does not depend on
/// the number of threads.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     fn largest(x: DPull<EU32>) -> Program<Block, Push<Block, EU32>> {
///         // Thread `i` has the largest of the elements `i`, `i + 64`, ..; then the block has the largest of all.
///         let own = tiles_fold(
///             x,
///             64,
///             replicate(64, lit(0u32)),
///             |state, tile| pure(zip_with(|a, b| a.max(b), state, tile)),
///             |state, rest| pure(generate(64, |i| select(i < rest.len(), state[i].max(rest[i.min(rest.len() - 1)]), state[i]))),
///         )?;
///         pure(reduce(|a, b| a.max(b), own))
///     }
///
///     #[kernel(threads = 64)]
///     pub fn maximum(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         generate(1, |_| x).to_dyn().as_grid_map(|x| exec_block(largest(x)))
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&(0..100).collect::<Vec<u32>>())?;
/// assert_eq!(example::maximum::launch(&device, &x)?.to_vec()?, [99]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn tiles_fold<L, T, U, Z, A, B, C>(
    input: Pull<T, Z>,
    tile: u32,
    state: A,
    whole: impl Fn(Pull<U>, Pull<T>) -> Program<L, B> + 'static,
    rest: impl Fn(Pull<U>, Pull<T, Exp<u32>>) -> Program<L, C> + 'static,
) -> Program<L, Pull<U>>
where
    L: Compute,
    T: 'static,
    U: Data,
    Z: Length,
    A: IntoPush<L, U, Shape = u32>,
    B: IntoPush<L, U, Shape = u32>,
    C: IntoPush<L, U, Shape = u32>,
{
    let (state, origin) = (state.into_push(), here());
    let (whole, rest) = (Rc::new(whole), Rc::new(rest));
    Program::new(move |trace: &mut Trace<L>| {
        let length = state.len();
        let nothing = || Pull::new(length, |_| U::poison());
        if trace.level() == Some(Level::Grid) {
            report(catalogue::no_shared_memory().at(origin));
            return nothing();
        }
        if tile == 0 {
            report(catalogue::empty_pieces().at(origin));
            return nothing();
        }
        let held = Some(Layout::Striped);
        let (Some(kept), first) = stored(&state, (origin, held), trace) else {
            report(catalogue::empty_array().at(origin));
            return nothing();
        };
        let arrays = in_place::allocated(&first);
        trace.splice(first);
        let fold = Fold::<U> {
            kept,
            arrays,
            length,
            origin,
        };
        let all = input.len();
        let tiles = index::div(all.exp(), tile);
        fold.whole(tiles, tile, &input, &*whole, trace);
        fold.rest(index::mul(tiles, tile), &input, &*rest, trace);
        let kept = fold.kept;
        Pull::new(length, move |i| U::load(&kept, i))
    })
}

/// The state between tiles.
struct Fold<U: Storable> {
    kept: U::Handle,
    /// The arrays that it is in.
    arrays: Vec<ArrayId>,
    length: u32,
    origin: Origin,
}

impl<U: Data> Fold<U> {
    /// All whole tiles, in order.
    fn whole<L: Compute, T: 'static, Z: Length, B: IntoPush<L, U, Shape = u32>>(
        &self,
        tiles: Exp<u32>,
        tile: u32,
        input: &Pull<T, Z>,
        step: &dyn Fn(Pull<U>, Pull<T>) -> Program<L, B>,
        trace: &mut Trace<L>,
    ) {
        if tiles.as_literal() == Some(0) {
            return;
        }
        let (counter, number) = counter();
        let start = index::mul(number, tile);
        let (input, at) = (input.clone(), move |j| index::add(start, j));
        let tile = Pull::new(tile, move |j| input.at(at(j)));
        let ((), body) = trace.nested(trace.level(), |trace| {
            self.step(|state| step(state, tile), trace);
        });
        trace.push(Action::SeqFor {
            counter,
            count: tiles.node(),
            body,
        });
    }

    /// What is left behind the whole tiles, which begins at `start`.
    fn rest<L: Compute, T: 'static, Z: Length, C: IntoPush<L, U, Shape = u32>>(
        &self,
        start: Exp<u32>,
        input: &Pull<T, Z>,
        step: &dyn Fn(Pull<U>, Pull<T, Exp<u32>>) -> Program<L, C>,
        trace: &mut Trace<L>,
    ) {
        let all = input.len();
        let left = index::sub(all.exp(), start);
        if left.as_literal() == Some(0) {
            return;
        }
        let input = input.clone();
        let rest = Pull::new(left, move |j| input.at(index::add(start, j)));
        let ((), then) = trace.nested(trace.level(), |trace| {
            self.step(|state| step(state, rest), trace);
        });
        match left.as_literal() {
            Some(_) => trace.splice(then),
            // Once at most: copies of its loops would cost instructions and registers.
            None => trace.push(Action::Cond {
                condition: lit(0).lt(left).node(),
                then: vec![Action::Unroll {
                    unroll: Unroll::Never,
                    body: then,
                }],
                otherwise: Vec::new(),
            }),
        }
    }

    /// Gives a step the state, and keeps what it makes of it.
    ///
    /// The step reads a copy: it may read any of a thread's elements after it has given the next value of
    /// some. Where each iteration reads only the element that it gives, there is no copy.
    fn step<L: Compute, N: IntoPush<L, U, Shape = u32>>(
        &self,
        step: impl FnOnce(Pull<U>) -> Program<L, N>,
        trace: &mut Trace<L>,
    ) {
        let (length, kept) = (self.length, self.kept.clone());
        let copy: Push<L, U> = Push::new(length, move |write: Writer<U>| {
            let kept = kept.clone();
            for_all(length, move |i| {
                let (kept, write) = (kept.clone(), write.clone());
                Program::new(move |trace: &mut Trace<Thread>| {
                    write(U::read(&kept, i, trace), i).run(trace);
                })
            })
        });
        let held = Some(Layout::Striped);
        let (Some(before), copied) = stored(&copy, (self.origin, held), trace) else {
            return;
        };
        let state = Pull::new(length, move |i| U::load(&before, i));
        let ((), given) = trace.nested(trace.level(), |trace: &mut Trace<L>| {
            let next = step(state).run(trace).into_push();
            if next.len() != length {
                if !failed() {
                    report(catalogue::other_state(next.len(), length).at(self.origin));
                }
                return;
            }
            let kept = self.kept.clone();
            let write: Writer<U> = Rc::new(move |value: U, i| {
                let kept = kept.clone();
                Program::new(move |trace| value.store(&kept, i, trace))
            });
            next.write_to(write).run(trace);
        });
        let copies = in_place::copies(&copied, &self.arrays, self.origin);
        match in_place::rewritten(given.clone(), length, &copies) {
            Some(given) => trace.splice(given),
            None => {
                trace.splice(copied);
                trace.splice(given);
            }
        }
    }
}
