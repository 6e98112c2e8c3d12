//! `compute`: stores an array, so that its elements are computed once and seen by all threads of the level.

use std::cell::RefCell;
use std::rc::Rc;

use crate::array::{Allocator, Data, IntoPush, Pull, Writer};
use crate::error::catalogue;
use crate::ir::Level;
use crate::program::{Action, Compute, Program};
use crate::scalar::{here, report};

/// Stores an array of static length and gives it back as a pull array that reads what was stored. Paper, section 4.6.
///
/// At Thread the array is the thread's own (registers or local memory), at Warp and Block it lies in shared memory, and
/// all threads of the level wait until it is complete. There is no `compute` at Grid. Length 0 stores nothing.
#[track_caller]
pub fn compute<L: Compute, T: Data, A: IntoPush<L, T, u32>>(array: A) -> Program<L, Pull<T>> {
    let (push, origin) = (array.into_push(), here());
    Program::new(move |trace| {
        if trace.level() == Some(Level::Grid) {
            report(catalogue::no_shared_memory().at(origin));
            return Pull::new(push.len(), |_| T::poison());
        }
        let length = push.len();
        if length == 0 {
            return Pull::new(0, |_| crate::array::no_elements());
        }
        let allocator = Rc::new(RefCell::new(Allocator::new(trace.name(), length).placed(origin)));
        let handle: Rc<RefCell<Option<T::Handle>>> = Rc::default();
        let actions = {
            let (allocator, handle) = (allocator.clone(), handle.clone());
            let write: Writer<T> = Rc::new(move |value, index| {
                let (allocator, handle) = (allocator.clone(), handle.clone());
                Program::new(move |trace| {
                    let known = handle.borrow_mut().get_or_insert_with(|| value.alloc(&mut allocator.borrow_mut())).clone();
                    value.store(&known, index, trace);
                })
            });
            trace.nested(trace.level(), |t| push.write_to(write).run(t)).1
        };
        let Some(handle) = handle.borrow().clone() else {
            report(catalogue::nothing_written(length).at(origin));
            return Pull::new(length, |_| T::poison());
        };
        trace.splice(allocator.borrow_mut().take_actions());
        trace.splice(actions);
        trace.push(Action::Sync);
        Pull::new(length, move |i| T::load(&handle, i))
    })
}
