//! What a worker keeps from block to block: registers, arrays and masks.
//!
//! Each thread has its own, for the programs that it has run last: a block takes them out, and puts
//! them back when it is done. So blocks allocate nothing, and no lock is taken.

use std::cell::RefCell;

use super::code::Program;
use super::files::Files;
use super::masks::Mask;

/// The programs whose scratch a thread keeps.
const KEPT: usize = 4;

/// What a block works with.
#[derive(Debug)]
pub(super) struct Worker {
    /// The program that it is for.
    program: u64,
    /// The launch whose values it has.
    pub(super) epoch: u64,
    pub(super) files: Files,
    pub(super) masks: Vec<Mask>,
}

impl Worker {
    fn new(program: &Program) -> Self {
        Worker {
            program: program.number,
            epoch: 0,
            files: Files::new(&program.room, program.strip),
            masks: vec![Mask::new(program.strip); program.masks as usize],
        }
    }

    /// One for the part of a kernel in front of its blocks, which has no lanes.
    pub(super) fn of_files(files: Files) -> Self {
        Worker {
            program: 0,
            epoch: 0,
            files,
            masks: vec![Mask::default()],
        }
    }
}

// A worker is some hundred bytes, and is moved in and out for each block.
#[allow(clippy::vec_box)]
type Kept = RefCell<Vec<Box<Worker>>>;

thread_local! {
    static KEEP: Kept = const { RefCell::new(Vec::new()) };
}

/// Lends a worker of this thread, which comes back afterwards. One that panics is lost.
pub(super) fn with_worker<R>(program: &Program, f: impl FnOnce(&mut Worker) -> R) -> R {
    let kept = KEEP.with_borrow_mut(|kept| {
        let at = kept
            .iter()
            .position(|worker| worker.program == program.number)?;
        Some(kept.remove(at))
    });
    let mut worker = kept.unwrap_or_else(|| Box::new(Worker::new(program)));
    let result = f(&mut worker);
    KEEP.with_borrow_mut(|kept| {
        if kept.len() >= KEPT {
            kept.remove(0);
        }
        kept.push(worker);
    });
    result
}
