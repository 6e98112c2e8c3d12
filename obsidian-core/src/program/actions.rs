//! The paper's `Program` constructors as functions: each gives a program that appends one action.
//!
//! Most users never call them; they are there for very fine control.

use std::rc::Rc;

use super::trace::{bound_any, counter};
use super::{Action, AtMost, Block, HasBelow, Hierarchy, Program, Thread};
use crate::error::catalogue;
use crate::ir::{AtomicOp, Level, Unroll};
use crate::ir::{Report, ReportKind};
use crate::scalar::{AnyExp, ArrayId, Exp, VariableId, VariableKind, here, index_place, report};
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
#[track_caller]
pub fn assert_that(condition: Exp<bool>, text: &str) -> Program<Thread, ()> {
    report_if(ReportKind::Failed, text, Some(condition), Vec::new())
}

/// Prints a value, with its name, on the simulator and on GPUs; the CPU prints nothing.
///
/// In a `#[kernels]` module it is written `show!(x)?`, which names the value by its expression. A line is
/// `name: value (block b, thread t)`; in what order those of several threads come is not defined. A GPU prints, by CUDA's `printf`,
/// when something waits for it, and at most a megabyte between two waits.
#[track_caller]
pub fn show<T: Scalar>(name: &str, value: Exp<T>) -> Program<Thread, ()> {
    show_any(name, value.node())
}

/// The same of a value of any type.
#[track_caller]
pub(crate) fn show_any(name: &str, value: NodeId) -> Program<Thread, ()> {
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

/// `count` independent iterations, shared out over the threads of level `L`; in order at Thread.
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

/// `rows` times `columns` independent iterations, shared out over the threads of level `L`, with
/// row and column.
pub fn for_all2<L: AtMost<Block>>(
    rows: impl Into<Exp<u32>>,
    columns: impl Into<Exp<u32>>,
    body: impl Fn(Exp<u32>, Exp<u32>) -> Program<Thread, ()> + 'static,
) -> Program<L, ()> {
    use crate::scalar::index;
    let columns = columns.into();
    for_all(index::mul(rows, columns), move |i| {
        body(index::div(i, columns), index::rem(i, columns))
    })
}

/// `count` iterations, each done by one whole unit of the level below `L`.
///
/// At Grid these are the blocks of the kernel. A launch computes their number before it starts, also
/// where the loop stands in a `seq_for` of no rounds: a number that leaves 32 bits is an error.
#[track_caller]
pub fn distr_par<L: HasBelow>(
    count: impl Into<Exp<u32>>,
    body: impl Fn(Exp<u32>) -> Program<L::Below, ()> + 'static,
) -> Program<L, ()> {
    let (count, origin) = (count.into(), here());
    Program::new(move |trace| {
        let (counter, i) = counter();
        let ((), body) = trace.nested(trace.level().and_then(Level::below), |t| body(i).run(t));
        trace.push(Action::DistrPar {
            counter,
            count: count.node(),
            body,
            origin,
        });
    })
}

/// `count` iterations in order, each at level `L`.
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
pub fn sync<L: AtMost<Block>>() -> Program<L, ()> {
    Program::new(|trace| trace.push(Action::Sync))
}
