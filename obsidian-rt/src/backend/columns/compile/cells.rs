//! Cells: values of a lane that change.
//!
//! A cell is a column. Where all lanes that have it are there, the new value changes places with the
//! old one, which costs nothing; else it is copied for the lanes of the mask. A name for the present
//! value is the column itself, as long as it is not used once the cell has changed.

use obsidian_language::ir::{Lowered, Statement};
use obsidian_language::scalar::{Node, NodeId, VariableId};

use super::super::code::{Instr, Reg};
use super::super::operators;
use super::statements::List;
use super::values::Value;
use super::{Cell, Compiler};

/// The most statements behind a name of a cell's value that are looked through.
const MOST_BEHIND: usize = 64;

/// Does something hold of a statement, or of one inside of it?
fn any(statement: &Statement<Lowered>, f: &mut dyn FnMut(&Statement<Lowered>) -> bool) -> bool {
    let mut found = false;
    statement.visit(&mut |inner| found = found || f(inner));
    found
}

impl Compiler<'_> {
    /// A register that nothing else names: what the last instruction has made.
    pub(super) fn is_fresh(&self, reg: Reg, code_before: usize) -> bool {
        !reg.is_scalar()
            && self.here() > code_before
            && match self.code.last() {
                Some(Instr::Apply { args, .. }) => args.to == reg,
                Some(Instr::Load { to, .. } | Instr::Take { to, .. }) => *to == reg,
                _ => false,
            }
    }

    pub(super) fn declare(&mut self, cell: VariableId, value: NodeId) {
        let before = self.here();
        let value = self.value_of(value);
        let value = self.in_register(value);
        let mask = self.mask();
        let reg = if self.is_fresh(value, before) {
            value
        } else {
            let reg = match self.lanes {
                Some(_) => self.column(value.ty()),
                None => self.scalar(value.ty()),
            };
            let run = operators::assign(value.ty());
            let (to, from) = (reg, value);
            self.emit(Instr::Assign {
                run,
                to,
                from,
                mask,
            });
            reg
        };
        self.cells.insert(cell, Cell { reg, mask });
    }

    fn cell(&self, cell: VariableId) -> Result<Cell, String> {
        let found = self.cells.get(&cell).copied();
        found.ok_or_else(|| "a cell is used in front of its declaration".to_owned())
    }

    pub(super) fn assign(&mut self, cell: VariableId, value: NodeId) -> Result<(), String> {
        let (to, before) = (self.cell(cell)?, self.here());
        let value = self.value_of(value);
        let from = self.in_register(value);
        let (ty, mask) = (from.ty(), self.mask());
        if to.reg.is_scalar() != self.lanes.is_none() {
            return Err("a cell of the block is changed by lanes".to_owned());
        }
        if to.reg == from {
            // A name of the cell's own value.
            return Ok(());
        }
        // Lanes that are not in the mask under which the cell was begun do not have it.
        if to.mask == mask && self.is_fresh(from, before) {
            let (run, with) = (operators::swap(ty), [to.reg, from]);
            self.emit(Instr::Swap { run, with });
        } else {
            let (run, to) = (operators::assign(ty), to.reg);
            self.emit(Instr::Assign {
                run,
                to,
                from,
                mask,
            });
        }
        Ok(())
    }

    /// The present value of a cell: the cell itself where it does not change as long as the name is
    /// used, else a copy.
    pub(super) fn get(
        &mut self,
        variable: VariableId,
        cell: VariableId,
        behind: [&List; 2],
    ) -> Result<(), String> {
        let from = self.cell(cell)?.reg;
        if self.outlives(variable, cell, behind) {
            let to = match self.lanes {
                Some(_) => self.column(from.ty()),
                None => self.scalar(from.ty()),
            };
            let (run, mask) = (operators::assign(from.ty()), self.mask());
            self.emit(Instr::Assign {
                run,
                to,
                from,
                mask,
            });
            self.names.insert(variable, Value::Reg(to));
        } else {
            self.names.insert(variable, Value::Reg(from));
        }
        Ok(())
    }

    /// May a name of a cell's value be used once the cell has changed?
    fn outlives(&self, variable: VariableId, cell: VariableId, behind: [&List; 2]) -> bool {
        let changes = |statement: &Statement<Lowered>| {
            any(
                statement,
                &mut |inner| matches!(inner, Statement::Assign { cell: other, .. } if *other == cell),
            )
        };
        // Long lists would be looked through again for each of their names.
        if behind.iter().map(|list| list.len()).sum::<usize>() > MOST_BEHIND {
            return true;
        }
        let all = || behind.into_iter().flatten();
        let Some(at) = all().position(changes) else {
            return false;
        };
        // The value of an assignment is made before it changes the cell.
        let is_assignment = matches!(all().nth(at), Some(Statement::Assign { .. }));
        let another_name = |statement: &Statement<Lowered>| {
            any(
                statement,
                &mut |inner| matches!(inner, Statement::Let { value, .. } if self.is_name(*value, variable)),
            )
        };
        !is_assignment
            || all().any(another_name)
            || all()
                .skip(at + 1)
                .any(|statement| self.mentions(statement, variable))
    }

    /// May the value of a node be in the register of a variable itself?
    fn is_name(&self, value: NodeId, variable: VariableId) -> bool {
        match self.nodes.node(value) {
            Node::Binary { .. } | Node::MulAdd { .. } | Node::Load { .. } => false,
            _ => self.uses(value, variable),
        }
    }

    fn uses(&self, value: NodeId, variable: VariableId) -> bool {
        let inside = self.nodes.post_order(&[value], |_| false);
        inside
            .into_iter()
            .any(|id| self.nodes.node(id) == Node::Variable(variable))
    }

    /// Is a variable used in a statement?
    fn mentions(&self, statement: &Statement<Lowered>, variable: VariableId) -> bool {
        any(statement, &mut |inner| {
            inner
                .nodes()
                .into_iter()
                .any(|node| self.uses(node, variable))
        })
    }
}
