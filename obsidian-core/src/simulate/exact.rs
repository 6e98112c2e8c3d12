//! Index arithmetic that leaves its range.
//!
//! Arithmetic that the library makes for indices is exact. Where it leaves the range of its type,
//! its value is only *marked*: it may stand in an arm that is not taken, or be bound in front of
//! two arms that both guard it. What is computed from a marked value is marked as well, wherever it
//! is kept. A run ends when a marked value is used: as an index, as a value that is stored, by a
//! condition, or as a bound of a loop.

use super::evaluate::Cells;
use super::execute::Machine;
use super::lanes::Lanes;
use super::program::Source;
use super::{Fault, FaultKind};
use crate::error::Origin;
use crate::hashed::HashMap;
use crate::scalar::{BinaryOp, Literal, ScalarType};

/// An operation and its operands, the result of which is out of range.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Left {
    op: BinaryOp,
    types: [ScalarType; 2],
    operands: [u64; 2],
}

/// Which cells have values that come of an operation which left its range.
///
/// Nothing is kept, and nothing has to be carried along, until there is one; a block that begins
/// forgets those of the block before.
#[derive(Default)]
pub(super) struct Marks {
    /// For each cell the number of the operation, from 1; empty if no cell has one.
    cells: Vec<u32>,
    all: Vec<Left>,
    // Only looked up in.
    numbers: HashMap<Left, u32>,
}

impl Marks {
    pub(super) fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    pub(super) fn clear(&mut self) {
        self.cells.clear();
        self.all.clear();
        self.numbers.clear();
    }

    /// The mark of a cell; 0 for none.
    pub(super) fn get(&self, cell: usize) -> u32 {
        self.cells.get(cell).copied().unwrap_or(0)
    }

    pub(super) fn set(&mut self, cell: usize, mark: u32) {
        if let Some(known) = self.cells.get_mut(cell) {
            *known = mark;
        }
    }

    fn number(&mut self, left: Left) -> u32 {
        let next = self.all.len() as u32 + 1;
        let number = *self.numbers.entry(left).or_insert(next);
        if number == next {
            self.all.push(left);
        }
        number
    }
}

impl Cells {
    /// The threads for which an exact operation leaves its range, with its operands.
    pub(super) fn leaving(
        &self,
        op: BinaryOp,
        types: [ScalarType; 2],
        from: [Source; 2],
        lanes: &Lanes,
    ) -> Vec<(u32, [u64; 2])> {
        let small = types == [ScalarType::U32; 2];
        let limit = u64::from(u32::MAX);
        let fits = |[x, y]: [u64; 2]| match op {
            BinaryOp::Add if small => x + y <= limit,
            BinaryOp::Sub if small => x >= y,
            BinaryOp::Mul if small => x * y <= limit,
            BinaryOp::Div | BinaryOp::Rem if small => y != 0,
            _ => fits(
                op,
                Literal::from_bits(types[0], x),
                Literal::from_bits(types[1], y),
            ),
        };
        let with_operands = lanes
            .threads
            .iter()
            .map(|thread| (*thread, from.map(|source| self.get(source, *thread))));
        with_operands
            .filter(|(_, operands)| !fits(*operands))
            .collect()
    }

    /// Marks the results of an operation that left its range, but for those that are marked by
    /// their operands: the first operation is the one to be told of.
    pub(super) fn mark(
        &mut self,
        op: BinaryOp,
        types: [ScalarType; 2],
        leaving: &[(u32, [u64; 2])],
        to: u32,
    ) {
        if self.marks.is_empty() && !leaving.is_empty() {
            self.marks.cells = vec![0; self.cells.len()];
        }
        for (thread, operands) in leaving {
            let cell = self.cell(to, *thread);
            if self.marks.get(cell) == 0 {
                let number = self.marks.number(Left {
                    op,
                    types,
                    operands: *operands,
                });
                self.marks.set(cell, number);
            }
        }
    }

    /// Takes the mark off results that one operand alone decides: `false & x` and `true | x`.
    pub(super) fn decide(&mut self, op: BinaryOp, lanes: &Lanes, from: [Source; 2], to: u32) {
        let deciding = match op {
            BinaryOp::And => 0,
            BinaryOp::Or => 1,
            _ => return,
        };
        for thread in &lanes.threads {
            let decided = from.iter().any(|source| {
                self.get(*source, *thread) == deciding && self.mark_of(*source, *thread) == 0
            });
            if decided {
                let cell = self.cell(to, *thread);
                self.marks.set(cell, 0);
            }
        }
    }

    fn mark_of(&self, source: Source, thread: u32) -> u32 {
        let (first, step) = source.place(self.known, self.threads);
        self.marks.get(first + step * thread as usize)
    }
}

impl Machine<'_> {
    /// A value is used for something: it must not come of arithmetic that left its range.
    pub(super) fn used(
        &self,
        value: Source,
        lanes: &Lanes,
        origin: Origin,
        what: impl Fn() -> String,
    ) -> Result<(), Fault> {
        let marks = &self.cells.marks;
        if marks.is_empty() {
            return Ok(());
        }
        let wrong = lanes.threads.iter().find_map(|thread| {
            let mark = self.cells.mark_of(value, *thread) as usize;
            Some((*thread, marks.all.get(mark.checked_sub(1)?)?))
        });
        let Some((thread, left)) = wrong else {
            return Ok(());
        };
        let [x, y] = [0, 1].map(|n| Literal::from_bits(left.types[n], left.operands[n]));
        let message = format!(
            "index arithmetic leaves its range: {x:?} {} {y:?}, of which comes {}",
            left.op.name(),
            what()
        );
        Err(self
            .fault(FaultKind::Inexact, message, Some(thread))
            .with(|inner| inner.origin = origin))
    }
}

/// Is the result, as a number, a value of the type?
fn fits(op: BinaryOp, left: Literal, right: Literal) -> bool {
    let (Some(x), Some(y)) = (left.as_integer(), right.as_integer()) else {
        return true;
    };
    let number = match op {
        BinaryOp::Add => x.checked_add(y),
        BinaryOp::Sub => x.checked_sub(y),
        BinaryOp::Mul => x.checked_mul(y),
        BinaryOp::Div => x.checked_div(y),
        BinaryOp::Rem => x.checked_rem(y),
        _ => Some(0),
    };
    number.is_some_and(|n| Literal::integer(left.ty(), n).is_some())
}
