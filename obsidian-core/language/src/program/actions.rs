//! The paper's `Program` constructors as functions: each gives a program that appends one action.
//!
//! Most users never call them; they are there for very fine control.

use std::rc::Rc;

use super::trace::{Turn, bound_any, counter};
use super::{Action, AtMost, Block, Grid, HasBelow, Hierarchy, Program, Thread};
use crate::error::catalogue;
use crate::ir::{AtomicOp, Level, Unroll};
use crate::ir::{Report, ReportKind};
use crate::scalar::{
    AnyExp, ArrayId, Exp, VariableId, VariableKind, here, index_place, lit, report,
};
use crate::scalar::{NodeId, Scalar};

/// Writes element `index` of an array.
#[track_caller]
pub fn assign(array: ArrayId, index: Exp<u32>, value: AnyExp) -> Program<Thread, ()> {
    let origin = here();
    Program::new(move |trace| {
        trace.push(Action::Assign {
            array,
            index: index.node(),
            value: value.node(),
            origin,
        })
    })
}

/// Reads, changes and writes element `index` of an array in one step; the result is the old value.
#[track_caller]
pub fn atomic_op(
    array: ArrayId,
    index: Exp<u32>,
    op: AtomicOp,
    operands: Vec<AnyExp>,
) -> Program<Thread, AnyExp> {
    let origin = match index_place() {
        Some(place) => place,
        None => here(),
    };
    Program::new(move |trace| {
        let ty = operands
            .first()
            .map_or(crate::scalar::ScalarType::U32, |o| o.ty());
        let (variable, old) = bound_any(trace.name(), ty, VariableKind::Let);
        let operands = operands.iter().map(|o| o.node()).collect();
        trace.push(Action::AtomicOp {
            array,
            index: index.node(),
            op,
            operands,
            result: Some(variable),
            origin,
        });
        old
    })
}

/// Reads element `index` of a mutable array, now: after what was stored before, and before what is
/// stored later.
#[track_caller]
pub fn read(
    array: ArrayId,
    ty: crate::scalar::ScalarType,
    index: Exp<u32>,
) -> Program<Thread, AnyExp> {
    let origin = match index_place() {
        Some(place) => place,
        None => here(),
    };
    Program::new(move |trace| {
        let (variable, value) = bound_any(trace.name(), ty, VariableKind::Let);
        trace.push(Action::Read {
            variable,
            array,
            index: index.node(),
            origin,
        });
        value
    })
}

/// Begins a cell, a variable of one thread that can be changed.
pub fn declare(value: AnyExp) -> Program<Thread, VariableId> {
    Program::new(move |trace| {
        let (cell, _) = bound_any(trace.name(), value.ty(), VariableKind::Cell);
        trace.push(Action::Declare {
            cell,
            value: value.node(),
        });
        cell
    })
}

/// Changes a cell.
pub fn assign_cell(cell: VariableId, value: AnyExp) -> Program<Thread, ()> {
    Program::new(move |trace| {
        trace.push(Action::AssignCell {
            cell,
            value: value.node(),
        })
    })
}

/// The present value of a cell of a type.
pub fn get_cell(cell: VariableId, ty: crate::scalar::ScalarType) -> Program<Thread, AnyExp> {
    Program::new(move |trace| {
        let (variable, value) = bound_any(None, ty, VariableKind::Let);
        trace.push(Action::GetCell { variable, cell });
        value
    })
}

/// One of two programs, chosen when the kernel runs, by each thread for itself.
///
/// A warp, a block or the grid has no `cond`: put it into the threads, `for_all(n, |i| cond(..))`.
///
/// A branch of which both sides write the same elements is better a [`select`](crate::library::select()) of the values.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn clipped(x: MGlobal<EU32>) -> Program<Grid, ()> {
///         distr_par(x.len() / 4, |b| for_all(4, |t| {
///             let i = b * 4 + t;
///             let old = x.read(i)?;
///             cond(old > 10, x.write(i, 10), pure(()))
///         }))
///     }
/// }
///
/// let device = Device::cpu();
/// let mut x = device.upload(&[1, 20, 3, 40])?;
/// example::clipped::launch(&device, &mut x)?;
/// assert_eq!(x.to_vec()?, [1, 10, 3, 10]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub fn cond(
    condition: Exp<bool>,
    then: Program<Thread, ()>,
    otherwise: Program<Thread, ()>,
) -> Program<Thread, ()> {
    Program::new(move |trace| {
        let ((), then) = trace.nested(trace.level(), |t| then.run(t));
        let ((), otherwise) = trace.nested(trace.level(), |t| otherwise.run(t));
        trace.push(Action::Cond {
            condition: condition.node(),
            then,
            otherwise,
        });
    })
}

/// Repeats `body` while the result of `head`, which runs before each test, is true.
///
/// [`seq_until`](crate::library::seq_until) is a `while` loop of values, and easier to read where nothing but values changes.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn halved(x: MGlobal<EU32>) -> Program<Grid, ()> {
///         // Each number is halved until it is odd.
///         distr_par(x.len() / 4, |b| for_all(4, |t| {
///             let i = b * 4 + t;
///             seq_while(x.read(i).map(|x| x % 2 == 0), x.read(i).and_then(|old| x.write(i, old / 2)))
///         }))
///     }
/// }
///
/// let device = Device::cpu();
/// let mut x = device.upload(&[1, 20, 6, 8])?;
/// example::halved::launch(&device, &mut x)?;
/// assert_eq!(x.to_vec()?, [1, 5, 3, 1]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "seqWhile")]
pub fn seq_while<L: AtMost<Block>>(
    head: Program<L, Exp<bool>>,
    body: Program<L, ()>,
) -> Program<L, ()> {
    Program::new(move |trace| {
        let (condition, head) = trace.nested(trace.level(), |t| head.run(t));
        let ((), body) = trace.nested(trace.level(), |t| body.run(t));
        trace.push(Action::SeqWhile {
            head,
            condition: condition.node(),
            body,
        });
    })
}

/// Leaves the innermost sequential loop.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn found(x: DPull<EU32>, place: MGlobal<EU32>) -> Program<Grid, ()> {
///         // The place of the first 0, by one thread.
///         distr_par(1, |_| single_thread(seq_for(x.len(), |i| cond(
///             x[i] == 0,
///             place.write(lit(0u32).unchecked(), i).and_then(|_| break_loop()),
///             pure(()),
///         ))))
///     }
/// }
///
/// let device = Device::cpu();
/// let (x, mut place) = (device.upload(&[7, 8, 0, 9, 0])?, device.upload(&[99])?);
/// example::found::launch(&device, &x, &mut place)?;
/// assert_eq!(place.to_vec()?, [2]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn break_loop() -> Program<Thread, ()> {
    let origin = here();
    Program::new(move |trace| trace.push(Action::Break { origin }))
}

/// Ends the launch with an error, [`ErrorKind::Fault`] in the runtime, if the condition does not hold: with the text and this place.
///
/// In a `#[kernels]` module it is written `assert!(condition, "text")?`. On a GPU all threads go on behind it, and the first assertion that fails, in the order
/// of the kernel's text, is an error of the next call that waits. So an access behind `assert!(i < n)?` that needs it is still made: with
/// `#[kernel(faults)]` it is checked and skipped, without it may lose the context, and then nothing else is reported. A kernel with assertions has one
/// parameter more in CUDA, and loops with assertions get no wide accesses.
///
/// [`ErrorKind::Fault`]: https://docs.rs/obsidian-rt/latest/obsidian_rt/enum.ErrorKind.html
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn roots(x: MGlobal<EF32>) -> Program<Grid, ()> {
///         distr_par(x.len() / 2, |b| for_all(2, |t| {
///             let i = b * 2 + t;
///             let old = x.read(i)?;
///             assert!(old >= 0.0, "a number that has a root")?;
///             x.write(i, old.sqrt())
///         }))
///     }
/// }
///
/// let device = Device::cpu();
/// let mut x = device.upload(&[4.0, -1.0])?;
/// let launched = example::roots::launch(&device, &mut x).and_then(|()| device.synchronize());
/// assert_eq!(launched.unwrap_err().kind(), ErrorKind::Fault);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "assert")]
#[track_caller]
pub fn assert_that(condition: Exp<bool>, text: &str) -> Program<Thread, ()> {
    report_if(ReportKind::Failed, text, Some(condition), Vec::new())
}

/// Prints a value, with its name, on the simulator and on GPUs; the CPU prints nothing.
///
/// In a `#[kernels]` module it is written `show!(x)?`, which names the value by its expression. A line is
/// `name: value (block b, thread t)`; in what order those of several threads come is not defined. A GPU prints, by CUDA's `printf`,
/// when something waits for it, and at most a megabyte between two waits.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn doubled(x: MGlobal<EU32>) -> Program<Grid, ()> {
///         distr_par(x.len() / 2, |b| for_all(2, |t| {
///             let old = x.read(b * 2 + t)?;
///             show!(old)?; // on the simulator: `old: 3 (block 0, thread 0)`
///             x.write(b * 2 + t, old * 2)
///         }))
///     }
/// }
///
/// let device = Device::cpu();
/// let mut x = device.upload(&[3, 4])?;
/// example::doubled::launch(&device, &mut x)?;
/// assert_eq!(x.to_vec()?, [6, 8]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "printf")]
#[track_caller]
pub fn show<T: Scalar>(name: &str, value: Exp<T>) -> Program<Thread, ()> {
    show_any(name, value.node())
}

/// The same of a value of any type.
#[track_caller]
#[doc(hidden)]
pub fn show_any(name: &str, value: NodeId) -> Program<Thread, ()> {
    report_if(ReportKind::Shown, name, None, vec![value])
}

/// A report, unless a condition holds.
#[track_caller]
fn report_if(
    kind: ReportKind,
    text: &str,
    unless: Option<Exp<bool>>,
    values: Vec<NodeId>,
) -> Program<Thread, ()> {
    let report = Report {
        kind,
        text: text.to_owned(),
        values,
        origin: here(),
    };
    Program::new(move |trace| {
        let report = Action::Report(report.clone());
        match unless {
            None => trace.push(report),
            Some(holds) => trace.push(Action::Cond {
                condition: (!holds).node(),
                then: vec![report],
                otherwise: Vec::new(),
            }),
        }
    })
}

/// Independent iterations, shared out over the threads of level `L`; in order at Thread. Users call the library's
/// `for_all`.
#[doc(hidden)]
pub fn for_all<L: AtMost<Block>>(
    count: impl Into<Exp<u32>>,
    body: impl Fn(Exp<u32>) -> Program<Thread, ()> + 'static,
) -> Program<L, ()> {
    let count = count.into();
    Program::new(move |trace| {
        let (counter, i) = counter();
        let ((), body) = trace.nested(Some(Level::Thread), |t| body(i).run(t));
        trace.push(Action::ForAll {
            counter,
            count: count.node(),
            body,
        });
    })
}

/// `count` iterations, each done by one whole unit of the level below `L`.
///
/// At Grid these are the blocks of the kernel. A launch computes their number before it starts, also
/// where the loop stands in a `seq_for` of no rounds: a number that leaves 32 bits is an error.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn numbered(x: MGlobal<EU32>) -> Program<Grid, ()> {
///         // `b` is the number of the block.
///         distr_par(x.len() / 2, |b| for_all(2, |t| x.write(b * 2 + t, b)))
///     }
/// }
///
/// let device = Device::cpu();
/// let mut x = device.upload(&[9; 6])?;
/// example::numbered::launch(&device, &mut x)?;
/// assert_eq!(x.to_vec()?, [0, 0, 1, 1, 2, 2]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "blockIdx")]
#[doc(alias = "blockIdx.x")]
#[doc(alias = "CUBE_POS")]
#[doc(alias = "distrPar")]
#[track_caller]
pub fn distr_par<L: HasBelow>(
    count: impl Into<Exp<u32>>,
    body: impl Fn(Exp<u32>) -> Program<L::Below, ()> + 'static,
) -> Program<L, ()> {
    distributed(count.into(), Turn::Any, body)
}

/// [`distr_par`] at Grid by blocks in order, as [`as_grid_ordered`](crate::array::Pull::as_grid_ordered).
#[doc(hidden)]
#[track_caller]
pub fn distr_ordered(
    count: impl Into<Exp<u32>>,
    body: impl Fn(Exp<u32>) -> Program<Block, ()> + 'static,
) -> Program<Grid, ()> {
    distributed(count.into(), Turn::InOrder, body)
}

/// What one block does when all blocks are done with what comes before it: it sees what they have written. It is the last of all that a
/// kernel does.
#[doc(hidden)]
#[track_caller]
pub fn distr_last(body: impl Fn() -> Program<Block, ()> + 'static) -> Program<Grid, ()> {
    distributed(lit(1u32), Turn::Last, move |_| body())
}

#[track_caller]
fn distributed<L: HasBelow>(
    count: Exp<u32>,
    turn: Turn,
    body: impl Fn(Exp<u32>) -> Program<L::Below, ()> + 'static,
) -> Program<L, ()> {
    let origin = here();
    Program::new(move |trace| {
        let (counter, i) = counter();
        let ((), body) = trace.nested(trace.level().and_then(Level::below), |t| body(i).run(t));
        trace.push(Action::DistrPar {
            counter,
            count: count.node(),
            turn,
            body,
            origin,
        });
    })
}

/// `count` iterations in order, each at level `L`.
///
/// It is a loop of the device. A `for` of Rust is written out while the kernel is built.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn sums(x: DPull<EU32>, sums: MGlobal<EU32>) -> Program<Grid, ()> {
///         distr_par(sums.len() / 2, |b| for_all(2, |t| {
///             let row = b * 2 + t;
///             seq_for(3, |i| {
///                 let sum = sums.read(row)?;
///                 sums.write(row, sum + x[(row * 3 + i) % x.len()])
///             })
///         }))
///     }
/// }
///
/// let device = Device::cpu();
/// let (x, mut sums) = (device.upload(&[1, 2, 3, 10, 20, 30])?, device.upload(&[0; 2])?);
/// example::sums::launch(&device, &x, &mut sums)?;
/// assert_eq!(sums.to_vec()?, [6, 60]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "seqFor")]
pub fn seq_for<L: Hierarchy>(
    count: impl Into<Exp<u32>>,
    body: impl Fn(Exp<u32>) -> Program<L, ()> + 'static,
) -> Program<L, ()> {
    let count = count.into();
    Program::new(move |trace| {
        if count.as_literal() == Some(1) {
            let ((), round) = trace.nested(trace.level(), |t| body(crate::scalar::lit(0)).run(t));
            if !round.iter().any(leaves_loop) {
                return trace.splice(round);
            }
            return trace.push(Action::SeqFor {
                counter: counter().0,
                count: count.node(),
                body: round,
            });
        }
        let (counter, i) = counter();
        let ((), body) = trace.nested(trace.level(), |t| body(i).run(t));
        trace.push(Action::SeqFor {
            counter,
            count: count.node(),
            body,
        });
    })
}

/// May the action leave the loop that it stands in?
fn leaves_loop(action: &Action) -> bool {
    match action {
        Action::Break { .. } => true,
        Action::Cond {
            then, otherwise, ..
        } => then.iter().chain(otherwise).any(leaves_loop),
        Action::Unroll { body, .. } => body.iter().any(leaves_loop),
        _ => false,
    }
}

/// The same program, with `rounds` rounds of each of its loops written behind each other in the CUDA
/// text: `#pragma unroll`.
///
/// 1 keeps a loop rolled, and a number that is not less than all rounds leaves no loop. Without this
/// the compiler decides. It concerns the outermost loops of `program`: those of `seq_for`, `seq_reduce`
/// and the like, and the rounds in which threads share out what is pushed. It changes neither results
/// nor their order. The CPU keeps a loop rolled for 1, and does not look at other numbers.
///
/// `rounds` is a number from 1 to 1024 that is known while the kernel is built; as a parameter of the
/// kernel it is one to tune.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn sums(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(64).as_grid_map(|x| x.split_up(8).as_block_map(|row| {
///             exec_thread_value(unroll(4, seq_reduce(|a, b| a + b, row)))
///         }))
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1; 64])?;
/// assert_eq!(example::sums::launch(&device, &x)?.to_vec()?, [8; 8]);
/// assert!(example::sums::CUDA.contains("#pragma unroll 4"));
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "pragma_unroll")]
#[track_caller]
pub fn unroll<L: Hierarchy, A: 'static>(rounds: u32, program: Program<L, A>) -> Program<L, A> {
    let level = program.level();
    let by = Unroll::by(rounds);
    if by.is_none() {
        report(catalogue::bad_unroll(rounds, Unroll::MOST));
    }
    Program::new(move |trace| {
        let (result, body) = trace.nested(trace.level(), |t| program.run(t));
        let unroll = by.unwrap_or_default();
        trace.push(Action::Unroll { unroll, body });
        result
    })
    .stamped(level)
}

/// A program of one thread, done by one of the threads of level `L`.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn marked(x: MGlobal<EU32>) -> Program<Grid, ()> {
///         distr_par(x.len(), |b| single_thread(x.write(b, b * b)))
///     }
/// }
///
/// let device = Device::cpu();
/// let mut x = device.upload(&[9; 4])?;
/// example::marked::launch(&device, &mut x)?;
/// assert_eq!(x.to_vec()?, [0, 1, 4, 9]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "singleThread")]
pub fn single_thread<L: AtMost<Block>>(program: Program<Thread, ()>) -> Program<L, ()> {
    let program = Rc::new(program);
    for_all(1u32, move |_| (*program).clone())
}

/// Begins an array: its contents are not defined until they are stored.
#[track_caller]
pub fn allocate<L: AtMost<Block>>(array: ArrayId) -> Program<L, ()> {
    let origin = here();
    Program::new(move |trace| {
        trace.push(Action::Allocate {
            array,
            held: None,
            origin,
        });
    })
}

/// The threads of the level wait for each other: what was stored before is seen after.
///
/// The passes place the barriers that a kernel needs, so a program is right without it; one that is not needed is left out.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     fn reversed(x: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
///         let numbers = to_mutable(x)?;
///         sync()?;
///         pure(generate(4, |i| i + x[i]).push())
///     }
///
///     #[kernel(threads = 64)]
///     pub fn all(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(4).as_grid_map(|x| exec_block(reversed(x)))
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 4])?;
/// let result = example::all::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [1, 3, 5, 7]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "__syncthreads")]
#[doc(alias = "__syncwarp")]
#[doc(alias = "sync_cube")]
#[doc(alias = "barrier")]
pub fn sync<L: AtMost<Block>>() -> Program<L, ()> {
    Program::new(|trace| trace.push(Action::Sync))
}
