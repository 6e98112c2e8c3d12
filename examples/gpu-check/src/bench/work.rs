//! What is measured: a program on a device, its inputs, and what it has to move.

use obsidian_rt::Result;
use obsidian_rt::prelude::*;

use super::Request;
use super::clock::{Kept, Launch};
use crate::checks::Wrong;

/// Bytes of inputs that launches take in turns: several times the largest L2 there is (126 MB), so
/// that it cannot answer for the memory.
const ROTATED: usize = 512 << 20;

/// The most inputs of one kind.
const MOST_INPUTS: usize = 16;

/// Something to measure.
pub(super) struct Work {
    /// What is done: `reduce`.
    pub(super) name: &'static str,
    /// By whom: crate and kernel.
    pub(super) by: &'static str,
    /// Elements, or the width of a square of them.
    pub(super) size: usize,
    /// Bytes that have to be read and written, once each.
    pub(super) bytes: u64,
    /// Operations on floats; 0: not counted.
    pub(super) operations: u64,
    /// Makes inputs, holds one answer to the reference, and gives what is measured.
    pub(super) prepare: Box<dyn Fn(&Device) -> std::result::Result<Launch, Wrong>>,
}

impl Work {
    /// Work that is defined by elements of which each is `bytes` read and written.
    pub(super) fn new(
        (name, by): (&'static str, &'static str),
        size: usize,
        bytes: usize,
        prepare: impl Fn(&Device) -> std::result::Result<Launch, Wrong> + 'static,
    ) -> Work {
        Work {
            name,
            by,
            size,
            bytes: bytes as u64,
            operations: 0,
            prepare: Box::new(prepare),
        }
    }

    /// What it answers.
    pub(super) fn request(&self) -> Request {
        Request::new(self.name, self.by, self.size)
    }

    /// The same, with so many operations on floats.
    pub(super) fn with_operations(self, operations: u64) -> Work {
        Work { operations, ..self }
    }
}

/// Launches that take inputs of so many bytes in turns, after one whose answer is right.
pub(super) fn rotating<I: 'static, O: 'static>(
    bytes: usize,
    mut input: impl FnMut() -> Result<I>,
    launch: impl Fn(&I) -> Result<O> + 'static,
    check: impl FnOnce(&O) -> std::result::Result<(), Wrong>,
) -> std::result::Result<Launch, Wrong> {
    let first = input()?;
    check(&launch(&first)?)?;
    let mut inputs = vec![first];
    let count = (ROTATED / bytes.max(1)).clamp(1, MOST_INPUTS);
    for _ in 1..count {
        inputs.push(input()?);
    }
    let mut turn = 0;
    Ok(Box::new(move || {
        turn = (turn + 1) % count;
        launch(&inputs[turn]).map(|kept| Box::new(kept) as Kept)
    }))
}
