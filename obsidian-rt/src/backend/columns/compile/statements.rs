//! Statements as instructions.
//!
//! Outside of lanes everything is a single value, and loops and conditions are jumps. A loop over
//! threads goes through its lanes in strips, for which mask 0 has the lanes that there are. Inside, a
//! condition that differs by lane begins a mask inside of the present one; a loop whose lanes end at
//! different times has a mask that loses them, and goes on while there are any.

use obsidian_language::error::Origin;
use obsidian_language::ir::{AtomicOp, Level, LevelledLoop, Lowered, Statement};
use obsidian_language::scalar::{ArrayId, Literal, NodeId, ScalarType, VariableId};

use super::super::code::{Change, Instr, Reg};
use super::super::memory;
use super::values::Value;
use super::{Compiler, Lanes, Leave};

pub(super) type List = [Statement<Lowered>];

/// For the CPU the passes cut ordered loops over blocks.
const NOT_CUT: &str = "an ordered loop over blocks was not cut";

impl Compiler<'_> {
    /// Compiles a list.
    pub(super) fn list(&mut self, list: &List) -> Result<(), String> {
        self.list_before(list, &[])
    }

    /// Compiles a list; `behind` is what follows in the same round.
    fn list_before(&mut self, list: &List, behind: &List) -> Result<(), String> {
        self.ends.push(Vec::new());
        for (n, statement) in list.iter().enumerate() {
            self.statement(statement, [&list[n + 1..], behind])?;
        }
        for jump in self.ends.pop().unwrap_or_default() {
            self.land(jump);
        }
        Ok(())
    }

    fn statement(
        &mut self,
        statement: &Statement<Lowered>,
        behind: [&List; 2],
    ) -> Result<(), String> {
        match statement {
            Statement::Let { variable, value } => {
                let value = self.value_of(*value);
                self.names.insert(*variable, value);
            }
            Statement::Declare { cell, value } => self.declare(*cell, *value),
            Statement::Assign { cell, value } => self.assign(*cell, *value)?,
            Statement::Get { variable, cell } => self.get(*variable, *cell, behind)?,
            Statement::Read {
                variable,
                array,
                index,
                origin,
            } => {
                let at = self.value_of(*index);
                let value = self.element(*array, (*index, at), *origin, false);
                self.names.insert(*variable, value);
            }
            Statement::Store {
                array,
                index,
                value,
                origin,
            } => self.store(*array, *index, *value, *origin),
            Statement::Atomic {
                array,
                index,
                op,
                operands,
                result,
                origin,
            } => self.atomic((*array, *index, *origin), *op, operands, *result),
            Statement::If {
                condition,
                then,
                otherwise,
            } => self.conditional(*condition, then, otherwise)?,
            Statement::While {
                head,
                condition,
                body,
            } => self.repeat(head, *condition, body)?,
            Statement::Report(report) => self.report(report),
            Statement::Break => self.leave()?,
            Statement::Loop {
                kind,
                counter,
                bounds: [count],
                body,
                ..
            } => self.each(*kind, *counter, *count, body)?,
            Statement::Allocate { array, .. } => self.allocate(*array),
            Statement::Wait { .. } => {}
            Statement::Collective(never, _) | Statement::Give(never, _) => match *never {},
            Statement::Wide(never, _) => match *never {},
            // `plan::lowering` makes them for threads, and another kernel for one of them.
            Statement::Shuffle(..) => {
                return Err("one thread takes what another lane has".to_owned());
            }
            Statement::Earlier(..) => return Err(NOT_CUT.to_owned()),
        }
        Ok(())
    }

    fn each(
        &mut self,
        kind: LevelledLoop,
        counter: VariableId,
        count: NodeId,
        body: &List,
    ) -> Result<(), String> {
        match kind {
            LevelledLoop::Distribute(Level::Block) => self.blocks(counter, count, body),
            LevelledLoop::ForAll(_) if self.lanes.is_none() => self.strips(counter, count, body),
            LevelledLoop::Sequential(_) => self.count(counter, count, body, true),
            // The iterations of one lane, or the warps of a block: in order. A `Break` in them is of
            // a loop around.
            LevelledLoop::ForAll(_) | LevelledLoop::Distribute(_) => {
                self.count(counter, count, body, false)
            }
            LevelledLoop::Ordered | LevelledLoop::Last => Err(NOT_CUT.to_owned()),
        }
    }

    fn store(&mut self, array: ArrayId, index: NodeId, value: NodeId, origin: Origin) {
        let [at, value] = self.values([index, value]);
        let value = self.in_register(value);
        if self.lanes.is_none() {
            return self.impossible("something is stored outside of lanes");
        }
        let access = self.access(array, index, at, origin);
        let run = memory::store(value.ty());
        self.emit(Instr::Store { run, access, value });
    }

    fn atomic(
        &mut self,
        (array, index, origin): (ArrayId, NodeId, Origin),
        op: AtomicOp,
        operands: &[NodeId],
        result: Option<VariableId>,
    ) {
        if self.lanes.is_none() {
            return self.impossible("an atomic operation stands outside of lanes");
        }
        let first = operands.first().copied().unwrap_or(index);
        let second = operands.get(1).copied().unwrap_or(first);
        let [at, x, y] = self.values([index, first, second]);
        let operands = [x, y].map(|value| self.in_register(value));
        let ty = self.kernel.tables.array(array).ty;
        let result = result.map(|variable| {
            let to = self.column(ty);
            self.names.insert(variable, Value::Reg(to));
            to
        });
        let access = self.access(array, index, at, origin);
        let change = Change {
            op,
            operands,
            result,
        };
        let run = memory::update(ty);
        self.emit(Instr::Update {
            run,
            access,
            change,
        });
    }

    fn conditional(
        &mut self,
        condition: NodeId,
        then: &List,
        otherwise: &List,
    ) -> Result<(), String> {
        let condition = self.value_of(condition);
        if let Some(condition) = condition.shared() {
            self.branch(condition, then, otherwise)?;
        } else {
            let (into, outer) = self.inner_mask();
            let none = self.enter(condition, true, outer, into);
            self.list(then)?;
            self.land(none);
            if !otherwise.is_empty() {
                let none = self.enter(condition, false, outer, into);
                self.list(otherwise)?;
                self.land(none);
            }
            self.set_mask(outer);
        }
        if then.iter().chain(otherwise).any(Statement::may_leave) {
            self.end_if_none();
        }
        Ok(())
    }

    /// A condition that all lanes share.
    fn branch(&mut self, condition: Reg, then: &List, otherwise: &List) -> Result<(), String> {
        let unless = self.emit(Instr::Unless {
            condition,
            otherwise: 0,
        });
        self.list(then)?;
        if otherwise.is_empty() {
            self.land(unless);
            return Ok(());
        }
        let skip = self.emit(Instr::Jump(0));
        self.land(unless);
        self.list(otherwise)?;
        self.land(skip);
        Ok(())
    }

    /// Jumps to the end of the present list if all lanes have left.
    fn end_if_none(&mut self) {
        if self.lanes.is_some() {
            let mask = self.mask();
            let jump = self.emit(Instr::IfNone { mask, none: 0 });
            self.jump_to_end(jump);
        }
    }

    /// A jump goes to the end of the present list.
    fn jump_to_end(&mut self, jump: usize) {
        if let Some(jumps) = self.ends.last_mut() {
            jumps.push(jump);
        }
    }

    /// Leaves the innermost loop in order.
    fn leave(&mut self) -> Result<(), String> {
        let Some(Some(leave)) = self.leaves.last() else {
            return Err("a `break` stands outside of loops".to_owned());
        };
        match leave.mask {
            Some(first) => {
                let last = self.mask();
                self.emit(Instr::Break { first, last });
                let jump = self.emit(Instr::Jump(0));
                self.jump_to_end(jump);
            }
            None => {
                let jump = self.emit(Instr::Jump(0));
                if let Some(Some(leave)) = self.leaves.last_mut() {
                    leave.jumps.push(jump);
                }
            }
        }
        Ok(())
    }

    /// Begins the mask of a loop that lanes leave at different times; the masks inside and outside.
    fn begin(&mut self) -> (u32, u32) {
        let (into, from) = self.inner_mask();
        self.emit(Instr::Begin { from, into });
        self.set_mask(into);
        (into, from)
    }

    /// Begins a loop, which a `Break` may leave or not.
    fn open_leave(&mut self, may_be_left: bool) {
        let mask = self.lanes.map(|lanes| lanes.mask);
        let jumps = Vec::new();
        self.leaves
            .push(may_be_left.then_some(Leave { mask, jumps }));
    }

    fn close_leave(&mut self) {
        let jumps = self.leaves.pop().flatten().map(|leave| leave.jumps);
        for jump in jumps.unwrap_or_default() {
            self.land(jump);
        }
    }

    fn repeat(&mut self, head: &List, condition: NodeId, body: &List) -> Result<(), String> {
        let masks = self.lanes.map(|_| self.begin());
        // What follows is done more than once.
        self.lanes.iter_mut().for_each(|lanes| lanes.cuts = false);
        self.open_leave(true);
        let start = self.here();
        let mut exits = Vec::new();
        if let Some((mask, _)) = masks {
            exits.push(self.emit(Instr::IfNone { mask, none: 0 }));
        }
        self.list_before(head, body)?;
        let condition = self.value_of(condition);
        let condition = self.in_register(condition);
        exits.push(match masks {
            Some((mask, _)) if !condition.is_scalar() => self.emit(Instr::While {
                condition,
                mask,
                none: 0,
            }),
            _ => self.emit(Instr::Unless {
                condition,
                otherwise: 0,
            }),
        });
        self.list(body)?;
        let end = self.emit(Instr::Jump(start as u32));
        self.loops.push((start, end));
        exits.into_iter().for_each(|exit| self.land(exit));
        self.close_leave();
        if let Some((_, outer)) = masks {
            self.set_mask(outer);
        }
        Ok(())
    }

    /// A loop in order. All lanes that are in it have the same round, so they share the counter.
    fn count(
        &mut self,
        counter: VariableId,
        count: NodeId,
        body: &List,
        may_be_left: bool,
    ) -> Result<(), String> {
        let count = self.value_of(count);
        let count = self.in_register(count);
        let leaves = may_be_left && body.iter().any(Statement::may_leave);
        let needs_mask = self.lanes.is_some() && (leaves || !count.is_scalar());
        let masks = needs_mask.then(|| self.begin());
        let number = self.scalar(ScalarType::U32);
        self.emit(Instr::Zero(number));
        self.open_leave(may_be_left);
        let (start, mut exits) = (self.here(), Vec::new());
        if let Some((mask, _)) = masks {
            exits.push(self.emit(Instr::IfNone { mask, none: 0 }));
        }
        exits.push(self.test(number, count));
        self.names.insert(counter, Value::Reg(number));
        self.list(body)?;
        let end = self.emit(Instr::Next {
            counter: number,
            again: start as u32,
        });
        self.loops.push((start, end));
        exits.into_iter().for_each(|exit| self.land(exit));
        self.close_leave();
        if let Some((_, outer)) = masks {
            self.set_mask(outer);
        }
        Ok(())
    }

    /// Is there a round left?
    fn test(&mut self, counter: Reg, count: Reg) -> usize {
        let mask = self.mask();
        if count.is_scalar() {
            let done = 0;
            return self.emit(Instr::Round {
                counter,
                count,
                done,
            });
        }
        self.emit(Instr::WhileBelow {
            counter,
            count,
            mask,
            none: 0,
        })
    }

    /// A loop over the threads of a block or of a warp.
    fn strips(&mut self, counter: VariableId, count: NodeId, body: &List) -> Result<(), String> {
        let count = self.value_of(count);
        let count = self.in_register(count);
        let base = self.scalar(ScalarType::U32);
        let done = self.emit(Instr::Strips {
            base,
            count,
            done: 0,
        });
        let before = self.here();
        if self.strip(counter, [base, count], body, true)? {
            let skip = self.emit(Instr::Jump(0));
            let whole = self.emit(Instr::Refill { base, count });
            for instr in &mut self.code[before..whole] {
                if let Instr::Cut { otherwise, .. } = instr {
                    *otherwise = whole as u32;
                }
            }
            self.strip(counter, [base, count], body, false)?;
            self.land(skip);
        }
        self.land(done);
        Ok(())
    }

    /// The instructions of a strip, which may end with a row if it `cuts`. Are there strips for which they are not good?
    fn strip(
        &mut self,
        counter: VariableId,
        [base, count]: [Reg; 2],
        body: &List,
        cuts: bool,
    ) -> Result<bool, String> {
        let start = self.here();
        let stride = self.constant(Literal::from(1u32));
        self.names.insert(counter, Value::Ramp { base, stride });
        self.lanes = Some(Lanes {
            mask: 0,
            cuts,
            needs_whole: false,
        });
        self.rows.clear();
        self.open_leave(false);
        self.list(body)?;
        self.close_leave();
        let needs_whole = self.lanes.take().is_some_and(|lanes| lanes.needs_whole);
        let end = self.emit(Instr::NextStrip {
            base,
            count,
            again: start as u32,
        });
        self.loops.push((start, end));
        Ok(needs_whole)
    }

    /// The blocks of the grid.
    fn blocks(&mut self, counter: VariableId, count: NodeId, body: &List) -> Result<(), String> {
        let count = self.value_of(count);
        let count = self.in_register(count);
        let number = self.scalar(ScalarType::U32);
        let blocks = self.emit(Instr::Blocks {
            counter: number,
            count,
            done: 0,
        });
        let start = self.here();
        self.names.insert(counter, Value::Reg(number));
        self.list(body)?;
        let end = self.emit(Instr::EndBlock);
        self.loops.push((start, end));
        self.land(blocks);
        Ok(())
    }
}
