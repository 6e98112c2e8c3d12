//! The value of an expression for one thread, and the elements of arrays.

use obsidian_core::ir::{AtomicOp, Direction};
use obsidian_core::scalar::{BinaryOp, Literal, Role, ScalarType, Special, meaning};

use crate::TooLong;
use crate::code::{Expression, Operation, Place};
use crate::finding::Kind;
use crate::machine::{Block, Machine, Thread};
use crate::memory::{Access, How};

/// An element in memory.
#[derive(Clone, Copy)]
pub struct Element {
    pub array: usize,
    pub index: u32,
    pub site: usize,
}

impl Machine<'_> {
    /// The value of an expression. Within one statement each is worked out once; of a choice only
    /// the chosen one.
    pub fn value(
        &mut self,
        block: &mut Block,
        thread: &mut Thread,
        expression: usize,
    ) -> Result<Literal, TooLong> {
        match self.code.expressions[expression] {
            Expression::Literal(value) => return Ok(value),
            Expression::Variable(v) => return Ok(thread.variables[v]),
            _ => {}
        }
        let (stamp, known) = self.memo[expression];
        if stamp == self.stamp {
            return Ok(known);
        }
        self.step()?;
        let value = match self.code.expressions[expression] {
            Expression::Literal(value) => value,
            Expression::Variable(v) => thread.variables[v],
            Expression::Length(array) => Literal::from(self.length(array)),
            Expression::Special(Special::Aligned) => Literal::from(self.aligned),
            Expression::Special(special) => Literal::from(self.special(special, block, thread)),
            Expression::Load { array, index, site } => {
                let index = self.value(block, thread, index)?.u32();
                self.read(block, thread, Element { array, index, site })
            }
            Expression::Unary(op, x) => meaning::unary(op, self.value(block, thread, x)?),
            Expression::Binary(op, x, y) => {
                let x = self.value(block, thread, x)?;
                meaning::binary(op, x, self.value(block, thread, y)?)
            }
            Expression::MulAdd(x, y, z) => {
                let (x, y) = (self.value(block, thread, x)?, self.value(block, thread, y)?);
                meaning::mul_add(x, y, self.value(block, thread, z)?)
            }
            Expression::Select(condition, then, otherwise) => {
                let chosen = if self.value(block, thread, condition)?.bool() {
                    then
                } else {
                    otherwise
                };
                self.value(block, thread, chosen)?
            }
            Expression::Cast(ty, x) => meaning::cast(ty, self.value(block, thread, x)?),
            Expression::Poison => panic!("a plan has no poison"),
        };
        self.memo[expression] = (self.stamp, value);
        Ok(value)
    }

    fn special(&self, special: Special, block: &Block, thread: &Thread) -> u32 {
        match special {
            Special::ThreadIndex => thread.number,
            Special::WarpIndex => thread.number / 32,
            Special::LaneIndex => thread.number % 32,
            Special::BlockIndex => block.number,
            Special::GridSize => self.grid,
            Special::Aligned => self.aligned.into(),
        }
    }

    /// The number of elements of an array.
    fn length(&self, array: usize) -> u32 {
        match self.code.arrays[array].place {
            Place::Global { parameter, .. } => self.buffers[parameter].values.len() as u32,
            _ => self.code.arrays[array].length as u32,
        }
    }

    /// Notes an access of an element by a thread; is it inside of its array?
    fn note(&mut self, block: &mut Block, thread: &Thread, element: Element, how: How) -> bool {
        let Element { array, index, site } = element;
        self.accesses += 1;
        if index >= self.length(array) {
            let words = format!(
                "{}, by thread {} of block {}: element {index} of {}",
                self.code.site(site),
                thread.number,
                block.number,
                self.length(array)
            );
            self.found(Kind::Outside, (site, site), || words);
            return false;
        }
        let access = Access {
            block: block.number,
            thread: thread.number,
            is_last: thread.is_last,
            epoch: block.epoch,
            warp_epoch: block.warp_epochs[thread.number as usize / 32],
            exchanges: block.exchanges[thread.number as usize / 32],
            site,
        };
        let info = &self.code.arrays[array];
        match info.place {
            Place::Held
            | Place::Global {
                role: Role::Input, ..
            } => {}
            Place::Shared(_) => {
                let (first, last) = self.bytes(thread, array, index);
                if last > block.memory.len() {
                    let words = format!("{}: byte {last} of shared memory", self.code.site(site));
                    self.found(Kind::Outside, (site, site), || words);
                    return false;
                }
                for cell in first / block.granule..last.div_ceil(block.granule) {
                    let byte = cell * block.granule;
                    self.conflicts(&mut block.cells[cell], how, access, || {
                        format!("byte {byte} of shared memory")
                    });
                }
            }
            Place::Global { parameter, .. } => {
                let mut cells = std::mem::take(&mut self.buffers[parameter].cells);
                self.conflicts(&mut cells[index as usize], how, access, || {
                    format!("element {index}")
                });
                self.buffers[parameter].cells = cells;
            }
        }
        true
    }

    fn conflicts(
        &mut self,
        cell: &mut crate::memory::Cell,
        how: How,
        now: Access,
        place: impl Fn() -> String,
    ) {
        let code = self.code;
        let found = cell.access(
            how,
            now,
            |one, other| commute(code, one, other),
            |site| code.sites[site].atomic.is_some_and(|(_, is_used)| is_used),
        );
        for (_, earlier) in found {
            let sites = (earlier.site.min(now.site), earlier.site.max(now.site));
            self.found(Kind::Race, sites, || {
                format!(
                    "{} by thread {} of block {}, and {} by thread {} of block {}: {}",
                    code.site(earlier.site),
                    earlier.thread,
                    earlier.block,
                    code.site(now.site),
                    now.thread,
                    now.block,
                    place()
                )
            });
        }
    }

    /// The bytes of an element in shared memory: the first, and the one after the last.
    fn bytes(&self, thread: &Thread, array: usize, index: u32) -> (usize, usize) {
        let info = &self.code.arrays[array];
        let Place::Shared(slot) = info.place else {
            return (0, 0);
        };
        let size = info.ty.bytes() as usize;
        let copy = slot.stride as usize * (thread.number as usize / 32);
        let first = slot.offset as usize + copy + index as usize * size;
        (first, first + size)
    }

    /// Reads an element.
    pub fn read(&mut self, block: &mut Block, thread: &Thread, element: Element) -> Literal {
        if !self.note(block, thread, element, How::Read) {
            return Literal::zero(self.code.arrays[element.array].ty);
        }
        self.content(block, thread, element)
    }

    /// What an element holds.
    fn content(&mut self, block: &Block, thread: &Thread, element: Element) -> Literal {
        let Element { array, index, site } = element;
        let info = &self.code.arrays[array];
        let known = match info.place {
            Place::Global { parameter, .. } => {
                return self.buffers[parameter].values[index as usize];
            }
            Place::Held => thread.held[array].get(index as usize).copied().flatten(),
            Place::Shared(_) => {
                let (first, last) = self.bytes(thread, array, index);
                let own = Some((array, thread.lives[array]));
                let bytes = &block.memory[first..last];
                bytes.iter().all(|(_, owner)| *owner == own).then(|| {
                    let bits = bytes.iter().rev();
                    let bits = bits.fold(0, |bits, (byte, _)| bits << 8 | u64::from(*byte));
                    Literal::from_bits(info.ty, bits)
                })
            }
        };
        known.unwrap_or_else(|| {
            let words = format!(
                "{}, by thread {} of block {}: element {index} holds nothing of this array",
                self.code.site(site),
                thread.number,
                block.number
            );
            self.found(Kind::Undefined, (site, site), || words);
            Literal::from_bits(info.ty, 0xa5a5_a5a5_a5a5_a5a5)
        })
    }

    /// Writes an element.
    pub fn write(
        &mut self,
        block: &mut Block,
        thread: &mut Thread,
        element: Element,
        value: Literal,
    ) {
        let Element { array, index, site } = element;
        if let Place::Global {
            parameter,
            role: Role::Output,
        } = self.code.arrays[array].place
            && let Some(cell) = self.buffers[parameter].cells.get(index as usize)
            && cell.is_written()
        {
            let words = format!("{}: element {index}", self.code.site(site));
            self.found(Kind::Twice, (site, site), || words);
        }
        if self.note(block, thread, element, How::Write) {
            self.set(block, thread, element, value);
        }
    }

    /// Changes what an element holds.
    fn set(&mut self, block: &mut Block, thread: &mut Thread, element: Element, value: Literal) {
        let Element { array, index, .. } = element;
        match self.code.arrays[array].place {
            Place::Global { parameter, .. } => {
                self.buffers[parameter].values[index as usize] = value;
            }
            Place::Held => {
                let held = &mut thread.held[array];
                held.resize(self.code.arrays[array].length, None);
                held[index as usize] = Some(value);
            }
            Place::Shared(_) => {
                let (first, last) = self.bytes(thread, array, index);
                let own = Some((array, thread.lives[array]));
                let bytes = value.bits().to_le_bytes();
                for (byte, place) in bytes.iter().zip(&mut block.memory[first..last]) {
                    *place = (*byte, own);
                }
            }
        }
    }

    /// Several elements at once, one after the other; are they where that may be done?
    pub fn wide(
        &mut self,
        block: &mut Block,
        thread: &mut Thread,
        operation: &Operation,
    ) -> Result<(), TooLong> {
        let Operation::Wide {
            array,
            index,
            held,
            direction,
            site,
            inside,
        } = *operation
        else {
            return Ok(());
        };
        let first = self.value(block, thread, index)?.u32();
        let (info, elements) = (&self.code.arrays[array], self.code.arrays[held].length);
        let bytes = elements * info.ty.bytes() as usize;
        let begin = match info.place {
            Place::Shared(_) => self.bytes(thread, array, first).0,
            _ => first as usize * info.ty.bytes() as usize,
        };
        let is_shared = matches!(info.place, Place::Shared(_));
        if begin % bytes != 0 || !(self.aligned || is_shared) {
            let words = format!("{}: {bytes} bytes at {begin}", self.code.site(site));
            self.found(Kind::Unaligned, (site, site), || words);
        }
        for n in 0..elements as u32 {
            let outer = Element {
                array,
                index: first.saturating_add(n),
                site,
            };
            let inner = Element {
                array: held,
                index: n,
                site: inside,
            };
            let (from, to) = match direction {
                Direction::Load => (outer, inner),
                Direction::Store => (inner, outer),
            };
            let value = self.read(block, thread, from);
            self.write(block, thread, to, value);
        }
        Ok(())
    }

    /// An atomic operation.
    pub fn atomic(
        &mut self,
        block: &mut Block,
        thread: &mut Thread,
        operation: &Operation,
    ) -> Result<(), TooLong> {
        let Operation::Atomic {
            array,
            index,
            op,
            operands,
            result,
            site,
        } = operation
        else {
            return Ok(());
        };
        let index = self.value(block, thread, *index)?.u32();
        let mut given = [Literal::zero(ScalarType::U32); 2];
        for (place, operand) in given.iter_mut().zip(operands) {
            *place = self.value(block, thread, *operand)?;
        }
        let element = Element {
            array: *array,
            index,
            site: *site,
        };
        if !self.note(block, thread, element, How::Atomic) {
            return Ok(());
        }
        let old = self.content(block, thread, element);
        self.set(block, thread, element, changed(*op, old, given));
        if let Some(variable) = result {
            thread.variables[*variable] = old;
        }
        Ok(())
    }
}

/// What an atomic operation leaves.
fn changed(op: AtomicOp, old: Literal, [operand, second]: [Literal; 2]) -> Literal {
    let by = |op| meaning::binary(op, old, operand);
    match op {
        AtomicOp::Add => by(BinaryOp::Add),
        AtomicOp::Sub => by(BinaryOp::Sub),
        AtomicOp::Min => by(BinaryOp::Min),
        AtomicOp::Max => by(BinaryOp::Max),
        AtomicOp::And => by(BinaryOp::And),
        AtomicOp::Or => by(BinaryOp::Or),
        AtomicOp::Xor => by(BinaryOp::Xor),
        AtomicOp::Exchange => operand,
        AtomicOp::CompareExchange if old.bits() == operand.bits() => second,
        AtomicOp::CompareExchange => old,
        AtomicOp::Inc if old.u32() >= operand.u32() => Literal::from(0u32),
        AtomicOp::Inc => Literal::from(old.u32() + 1),
        AtomicOp::Dec if old.u32() == 0 || old.u32() > operand.u32() => operand,
        AtomicOp::Dec => Literal::from(old.u32() - 1),
    }
}

/// Do two atomic operations leave the same in either order, or did the user leave the order open?
fn commute(code: &crate::code::Code, one: usize, other: usize) -> bool {
    let (one, other) = (&code.sites[one], &code.sites[other]);
    let (Some((x, x_used)), Some((y, y_used))) = (one.atomic, other.atomic) else {
        return true;
    };
    let same = match (x, y) {
        (AtomicOp::Add | AtomicOp::Sub, AtomicOp::Add | AtomicOp::Sub) => {
            code.arrays[one.array].ty.is_integer()
        }
        (AtomicOp::Min | AtomicOp::Max | AtomicOp::And | AtomicOp::Or | AtomicOp::Xor, _) => x == y,
        _ => false,
    };
    (same && !x_used && !y_used) || !one.loops.is_disjoint(&other.loops)
}
