//! Loops of one thread that carry a state from round to round. The state is kept in cells, one for
//! each device value of it. Paper, sections 6.1 and 6.2.4.

use std::rc::Rc;

use crate::array::{Length, Pull, Push, Storable, Writer, no_elements};
use crate::error::catalogue;
use crate::program::{Action, Program, Thread, Trace, assign_cell, counter, declare, get_cell};
use crate::scalar::{AnyExp, Exp, ScalarType, VariableId, index, lit, report};

/// A value in cells.
struct State<T> {
    like: T,
    cells: Vec<(VariableId, ScalarType)>,
}

impl<T: Storable> State<T> {
    fn new(value: &T, trace: &mut Trace<Thread>) -> Self {
        let mut leaves = Vec::new();
        value.leaves(&mut leaves);
        let cells = leaves
            .into_iter()
            .map(|leaf| (declare(leaf).run(trace), leaf.ty()))
            .collect();
        State {
            like: value.clone(),
            cells,
        }
    }

    fn get(&self, trace: &mut Trace<Thread>) -> T {
        let leaves: Vec<AnyExp> = self
            .cells
            .iter()
            .map(|(cell, ty)| get_cell(*cell, *ty).run(trace))
            .collect();
        self.like.rebuild(&mut leaves.into_iter())
    }

    fn set(&self, value: &T, trace: &mut Trace<Thread>) {
        let mut leaves = Vec::new();
        value.leaves(&mut leaves);
        if leaves.len() != self.cells.len() {
            return report_once(catalogue::changed_state("its shape"));
        }
        for ((cell, ty), leaf) in self.cells.iter().zip(leaves) {
            if leaf.ty() != *ty {
                return report_once(catalogue::changed_state(&format!(
                    "from {} to {}",
                    ty.exp_name(),
                    leaf.ty().exp_name()
                )));
            }
            assign_cell(*cell, leaf).run(trace);
        }
    }
}

/// A mistake that another one may have caused.
fn report_once(diagnostic: crate::error::Diagnostic) {
    if !crate::scalar::failed() {
        report(diagnostic);
    }
}

/// `count` rounds in order; one round is no loop.
fn rounds(count: Exp<u32>, trace: &mut Trace<Thread>, body: impl Fn(Exp<u32>, &mut Trace<Thread>)) {
    match count.as_literal() {
        Some(0) => {}
        Some(1) => body(lit(0), trace),
        _ => {
            let (counter, i) = counter();
            let ((), actions) = trace.nested(trace.level(), |t| body(i, t));
            trace.push(Action::SeqFor {
                counter,
                count: count.node(),
                body: actions,
            });
        }
    }
}

/// Combines the elements from the first to the last, in one thread; there must be at least one.
/// Paper, section 6.2.4.
#[track_caller]
pub fn seq_reduce<T: Storable, S: Length>(
    f: impl Fn(T, T) -> T + 'static,
    arr: Pull<T, S>,
) -> Program<Thread, T> {
    Program::new(move |trace| match arr.len().fixed() {
        Some(0) => no_elements(),
        Some(1) => arr.at(0u32),
        _ => {
            let state = State::new(&arr.at(0u32), trace);
            rounds(index::sub(arr.len().exp(), 1), trace, |i, trace| {
                let sum = state.get(trace);
                state.set(&f(sum, arr.at(index::add(i, 1))), trace);
            });
            state.get(trace)
        }
    })
}

/// `f` of `f` of .. `init`, `n` times; `f` is given the number of the round, from 0, and the value
/// so far.
pub fn seq_iterate<T: Storable>(
    n: impl Into<Exp<u32>>,
    f: impl Fn(Exp<u32>, T) -> T + 'static,
    init: T,
) -> Program<Thread, T> {
    let n = n.into();
    Program::new(move |trace| {
        let state = State::new(&init, trace);
        rounds(n, trace, |i, trace| {
            let value = state.get(trace);
            state.set(&f(i, value), trace);
        });
        state.get(trace)
    })
}

/// Applies `f` as long as `cond` holds of the value: the paper's `seqUntil`, which is a `while`.
/// Paper, section 6.1.
///
/// The first value is `init`, and the result is the first for which `cond` does not hold.
pub fn seq_until<T: Storable>(
    f: impl Fn(T) -> T + 'static,
    cond: impl Fn(T) -> Exp<bool> + 'static,
    init: T,
) -> Program<Thread, T> {
    Program::new(move |trace| {
        let state = State::new(&init, trace);
        let ((value, condition), head) = trace.nested(trace.level(), |t| {
            let value = state.get(t);
            (value.clone(), cond(value))
        });
        let ((), body) = trace.nested(trace.level(), |t| state.set(&f(value), t));
        trace.push(Action::SeqWhile {
            head,
            condition: condition.node(),
            body,
        });
        state.get(trace)
    })
}

/// A push array of one thread whose element `i` is made of the state and element `i`, in an order
/// of the elements.
fn accumulate<Acc: Storable, A: 'static, U: 'static, S: Length>(
    acc: Acc,
    arr: Pull<A, S>,
    from_the_end: bool,
    f: impl Fn(Acc, A) -> (Acc, U) + 'static,
) -> Push<Thread, U, S> {
    let state = Rc::new((acc, arr, f));
    Push::new(state.1.len(), move |write: Writer<U>| {
        let state = state.clone();
        Program::new(move |trace: &mut Trace<Thread>| {
            let (acc, arr, f) = (&state.0, &state.1, &state.2);
            if arr.len().fixed() == Some(0) {
                return;
            }
            let carried = State::new(acc, trace);
            rounds(arr.len().exp(), trace, |i, trace| {
                let i = if from_the_end {
                    index::sub(index::sub(arr.len().exp(), 1), i)
                } else {
                    i
                };
                let acc = carried.get(trace);
                let (next, value) = f(acc, arr.at(i));
                carried.set(&next, trace);
                write(value, i).run(trace);
            });
        })
    })
}

/// Maps from the first element to the last with a state: `f` gives the next state and the element
/// of the result.
pub fn map_accum_l<Acc: Storable, A: 'static, U: 'static, S: Length>(
    f: impl Fn(Acc, A) -> (Acc, U) + 'static,
    acc: Acc,
    arr: Pull<A, S>,
) -> Push<Thread, U, S> {
    accumulate(acc, arr, false, f)
}

/// Maps from the last element to the first with a state: `f` gives the next state and the element
/// of the result.
pub fn map_accum_r<Acc: Storable, A: 'static, U: 'static, S: Length>(
    f: impl Fn(Acc, A) -> (Acc, U) + 'static,
    acc: Acc,
    arr: Pull<A, S>,
) -> Push<Thread, U, S> {
    accumulate(acc, arr, true, f)
}

/// The sums of all beginnings with a carry from before: element `i` is `f(f(cin, arr[0]), ..)` up
/// to `arr[i]`.
pub fn seq_scan_cin<T: Storable, S: Length>(
    f: impl Fn(T, T) -> T + 'static,
    cin: T,
    arr: Pull<T, S>,
) -> Push<Thread, T, S> {
    accumulate(cin, arr, false, move |sum, x| {
        let sum = f(sum, x);
        (sum.clone(), sum)
    })
}

/// The sums of all beginnings, in one thread: element `i` combines the elements from the first up
/// to the `i`-th.
///
/// An array of dynamic length must have an element.
pub fn seq_scan<T: Storable, S: Length>(
    f: impl Fn(T, T) -> T + 'static,
    arr: Pull<T, S>,
) -> Push<Thread, T, S> {
    let f = Rc::new(f);
    Push::new(arr.len(), move |write: Writer<T>| {
        let (arr, f) = (arr.clone(), f.clone());
        Program::new(move |trace: &mut Trace<Thread>| {
            if arr.len().fixed() == Some(0) {
                return;
            }
            let first = arr.at(0u32);
            let sums = State::new(&first, trace);
            write(first, lit(0)).run(trace);
            rounds(index::sub(arr.len().exp(), 1), trace, |i, trace| {
                let i = index::add(i, 1);
                let sum = f(sums.get(trace), arr.at(i));
                sums.set(&sum, trace);
                write(sum, i).run(trace);
            });
        })
    })
}
