//! The `exec` family: a program whose result is an array, as a push array of its level. Paper,
//! Figure 5.

use std::cell::RefCell;
use std::rc::Rc;

use super::singleton_push;
use crate::array::{IntoPush, Push, Writer};
use crate::program::{Action, AtMost, Block, Hierarchy, Program, Thread, Trace, Warp};

/// The array that a program gives, as a push array: pushing it executes the program first.
///
/// The program is run once, when `exec` is called, because the length of its result is needed; what
/// it wrote is used when the array is pushed. It is run again for every further push.
pub fn exec<L: Hierarchy, T: 'static, A: IntoPush<L, T, u32>>(
    program: Program<L, A>,
) -> Push<L, T> {
    let level = program.level();
    let (push, actions) = run_apart(&program);
    let (len, level) = (push.len(), level.or(push.level()));
    let first: RefCell<Option<(Push<L, T>, Vec<Action>)>> = RefCell::new(Some((push, actions)));
    let state = Rc::new((program, first));
    Push::new(len, move |write: Writer<T>| {
        let state = state.clone();
        Program::new(move |trace| {
            let (push, actions) = state.1.take().unwrap_or_else(|| run_apart(&state.0));
            trace.splice(actions);
            push.write_to(write.clone()).run(trace);
        })
        .stamped(level)
    })
    .stamped(level)
}

fn run_apart<L: Hierarchy, T: 'static, A: IntoPush<L, T, u32>>(
    program: &Program<L, A>,
) -> (Push<L, T>, Vec<Action>) {
    Trace::apart(program.level(), |trace| program.run(trace).into_push())
}

/// [`exec`] of a program of one thread.
pub fn exec_thread<T: 'static, A: IntoPush<Thread, T, u32>>(
    program: Program<Thread, A>,
) -> Push<Thread, T> {
    exec(program)
}

/// [`exec`] of a program of one warp.
pub fn exec_warp<T: 'static, A: IntoPush<Warp, T, u32>>(
    program: Program<Warp, A>,
) -> Push<Warp, T> {
    exec(program)
}

/// [`exec`] of a program of one block.
pub fn exec_block<T: 'static, A: IntoPush<Block, T, u32>>(
    program: Program<Block, A>,
) -> Push<Block, T> {
    exec(program)
}

/// The array of the one element that a program gives: the paper's primed functions, at any level up
/// to Block.
pub fn exec_value<L: AtMost<Block>, T: Clone + 'static>(program: Program<L, T>) -> Push<L, T> {
    let level = program.level();
    exec(program.map(move |value| singleton_push(value).stamped(level)))
}

/// [`exec_value`] of a program of one thread: the paper's `execThread'`.
pub fn exec_thread_value<T: Clone + 'static>(program: Program<Thread, T>) -> Push<Thread, T> {
    exec_value(program)
}

/// [`exec_value`] of a program of one warp: the paper's `execWarp'`.
pub fn exec_warp_value<T: Clone + 'static>(program: Program<Warp, T>) -> Push<Warp, T> {
    exec_value(program)
}

/// [`exec_value`] of a program of one block: the paper's `execBlock'`.
pub fn exec_block_value<T: Clone + 'static>(program: Program<Block, T>) -> Push<Block, T> {
    exec_value(program)
}
