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
    cells: Vec<Cell>,
}

impl<T: Storable> State<T> {
    fn new(value: &T, trace: &mut Trace<Thread>) -> Self {
        let mut leaves = Vec::new();
        value.leaves(&mut leaves);
        State {
            like: value.clone(),
            cells: cells(leaves, trace),
        }
    }

    fn get(&self, trace: &mut Trace<Thread>) -> T {
        self.like.rebuild(&mut got(&self.cells, trace).into_iter())
    }

    fn set(&self, value: &T, trace: &mut Trace<Thread>) {
        let mut leaves = Vec::new();
        value.leaves(&mut leaves);
        set(&self.cells, leaves, trace);
    }
}

// What functions of any type do besides is done by functions of no types: rustc makes them once, and not for each function of the user's.

type Cell = (VariableId, ScalarType);

/// Cells with values.
fn cells(values: Vec<AnyExp>, trace: &mut Trace<Thread>) -> Vec<Cell> {
    let cell = |value: AnyExp| (declare(value).run(trace), value.ty());
    values.into_iter().map(cell).collect()
}

/// What cells hold.
fn got(cells: &[Cell], trace: &mut Trace<Thread>) -> Vec<AnyExp> {
    let value = |(cell, ty): &Cell| get_cell(*cell, *ty).run(trace);
    cells.iter().map(value).collect()
}

/// Gives cells other values.
fn set(cells: &[Cell], values: Vec<AnyExp>, trace: &mut Trace<Thread>) {
    if values.len() != cells.len() {
        return report_once(catalogue::changed_state("its shape"));
    }
    for ((cell, ty), value) in cells.iter().zip(values) {
        if value.ty() != *ty {
            return report_once(catalogue::changed_state(&format!(
                "from {} to {}",
                ty.exp_name(),
                value.ty().exp_name()
            )));
        }
        assign_cell(*cell, value).run(trace);
    }
}

/// A mistake that another one may have caused.
fn report_once(diagnostic: crate::error::Diagnostic) {
    if !crate::scalar::failed() {
        report(diagnostic);
    }
}

/// `count` rounds in order; one round is no loop.
fn rounds(count: Exp<u32>, trace: &mut Trace<Thread>, body: &dyn Fn(Exp<u32>, &mut Trace<Thread>)) {
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
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn sums(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         // One thread for each row of 4.
///         x.split_up(8).as_grid_map(|x| x.split_up(4).as_block_map(|row| {
///             exec_thread_value(seq_reduce(|a, b| a + b, row))
///         }))
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 4, 10, 20, 30, 40])?;
/// let result = example::sums::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [10, 100]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "seqReduce")]
#[doc(alias = "ThreadReduce")]
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
            rounds(index::sub(arr.len().exp(), 1), trace, &|i, trace| {
                let sum = state.get(trace);
                state.set(&f(sum, arr.at(index::add(i, 1))), trace);
            });
            state.get(trace)
        }
    })
}

/// `f` of `f` of .. `init`, `n` times; `f` is given the number of the round, from 0, and the value
/// so far.
///
/// The number of iterations may be known on the device only; of 0 the result is `init`.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn powers(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         // 3 to the power of each element.
///         x.split_up(4).as_grid_map(|x| x.as_block_map(|n| exec_thread_value(seq_iterate(n, |_, power| power * 3, 1))))
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[0, 1, 2, 3])?;
/// let result = example::powers::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [1, 3, 9, 27]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub fn seq_iterate<T: Storable>(
    n: impl Into<Exp<u32>>,
    f: impl Fn(Exp<u32>, T) -> T + 'static,
    init: T,
) -> Program<Thread, T> {
    let n = n.into();
    Program::new(move |trace| {
        let state = State::new(&init, trace);
        rounds(n, trace, &|i, trace| {
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
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn lengths(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         // The steps of Collatz until 1.
///         x.split_up(4).as_grid_map(|x| x.as_block_map(|n| {
///             let step = |(x, steps)| (select(x % 2 == 0, x / 2, 3 * x + 1), steps + 1);
///             exec_thread_value(seq_until(step, |(x, _)| x != 1, (n, 0)).map(|(_, steps)| steps))
///         }))
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 6])?;
/// let result = example::lengths::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [0, 1, 7, 8]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "seqUntil")]
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
            rounds(arr.len().exp(), trace, &|i, trace| {
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
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn before(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         // The sum of what stands in front of each element, in one thread for each row.
///         x.split_up(8).as_grid_map(|x| x.split_up(4).as_block_map(|row| {
///             map_accum_l(|sum, x| (sum + x, sum), 0, row)
///         }))
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 4, 1, 1, 1, 1])?;
/// let result = example::before::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [0, 1, 3, 6, 0, 1, 2, 3]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub fn map_accum_l<Acc: Storable, A: 'static, U: 'static, S: Length>(
    f: impl Fn(Acc, A) -> (Acc, U) + 'static,
    acc: Acc,
    arr: Pull<A, S>,
) -> Push<Thread, U, S> {
    accumulate(acc, arr, false, f)
}

/// Maps from the last element to the first with a state: `f` gives the next state and the element
/// of the result.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn behind(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         // The sum of what stands behind each element.
///         x.split_up(4).as_grid_map(|x| x.split_up(4).as_block_map(|row| {
///             map_accum_r(|sum, x| (sum + x, sum), 0, row)
///         }))
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 4])?;
/// let result = example::behind::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [9, 7, 4, 0]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub fn map_accum_r<Acc: Storable, A: 'static, U: 'static, S: Length>(
    f: impl Fn(Acc, A) -> (Acc, U) + 'static,
    acc: Acc,
    arr: Pull<A, S>,
) -> Push<Thread, U, S> {
    accumulate(acc, arr, true, f)
}

/// The sums of all beginnings with a carry from before: element `i` is `f(f(cin, arr[0]), ..)` up
/// to `arr[i]`.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn running(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(4).as_grid_map(|x| x.split_up(4).as_block_map(|row| seq_scan_cin(|a, b| a + b, 100, row)))
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 4])?;
/// let result = example::running::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [101, 103, 106, 110]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
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
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn running(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(8).as_grid_map(|x| x.split_up(4).as_block_map(|row| seq_scan(|a, b| a + b, row)))
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 4, 1, 1, 1, 1])?;
/// let result = example::running::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [1, 3, 6, 10, 1, 2, 3, 4]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
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
            rounds(index::sub(arr.len().exp(), 1), trace, &|i, trace| {
                let i = index::add(i, 1);
                let sum = f(sums.get(trace), arr.at(i));
                sums.set(&sum, trace);
                write(sum, i).run(trace);
            });
        })
    })
}
