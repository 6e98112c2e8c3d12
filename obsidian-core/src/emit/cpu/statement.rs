//! Statements as statements of Rust.

use super::linear;
use super::operators;
use super::printer::{Access, Printer};
use crate::error::Origin;
use crate::ir::{AtomicOp, Level, LevelledLoop, Lowered, Statement};
use crate::scalar::{ArrayId, Literal, NodeId, VariableId};

impl Printer<'_> {
    /// Writes a list.
    pub(super) fn list(&mut self, list: &[Statement<Lowered>]) {
        list.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Statement<Lowered>) {
        self.begin(&statement.nodes());
        match statement {
            Statement::Let { variable, value } => {
                self.bind("let", *variable, *value);
                let sum = linear::of_let(&self.kernel.tables.nodes, &self.lets, *value);
                self.lets.extend(sum.map(|sum| (*variable, sum)));
            }
            Statement::Declare { cell, value } => self.bind("let mut", *cell, *value),
            Statement::Assign { cell, value } => {
                let value = self.value(*value);
                self.line(&format!("{} = {value};", self.variable(*cell)));
            }
            Statement::Get { variable, cell } => {
                let (name, ty) = (self.variable(*variable), self.variable_type(*variable));
                self.line(&format!("let {name}: {ty} = {};", self.variable(*cell)));
            }
            Statement::Read {
                variable,
                array,
                index,
                origin,
            } => {
                let site = self.vouched(*array, *index, *origin);
                let index = self.index(*array, *index);
                let (name, ty) = (self.variable(*variable), self.variable_type(*variable));
                self.line(&format!(
                    "let {name}: {ty} = {};",
                    self.element(*array, &index, site)
                ));
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
            } => {
                let site = self.vouched(*array, *index, *origin);
                self.atomic((*array, *index, site), *op, operands, *result);
            }
            Statement::If {
                condition,
                then,
                otherwise,
            } => self.conditional(*condition, then, otherwise),
            Statement::While {
                head,
                condition,
                body,
            } => self.repeat(head, *condition, body),
            Statement::Break => match self.labels.last() {
                Some(label) => self.line(&format!("break {label};")),
                None => self.line("return;"),
            },
            Statement::Loop {
                kind,
                counter,
                bounds: [count],
                body,
                ..
            } => match kind {
                LevelledLoop::Sequential(_) => self.count(*counter, *count, body),
                LevelledLoop::Distribute(Level::Block) => self.blocks(*counter, *count, body),
                LevelledLoop::ForAll(_) | LevelledLoop::Distribute(_) => {
                    self.each(*counter, *count, body)
                }
            },
            Statement::Allocate { array, .. } => self.allocate(*array),
            Statement::Wait { .. } => {}
            Statement::Collective(never, _) | Statement::Give(never, _) => match *never {},
            Statement::Wide(never, _) => match *never {},
        }
    }

    fn bind(&mut self, keyword: &str, variable: VariableId, value: NodeId) {
        let value = self.value(value);
        let (name, ty) = (self.variable(variable), self.variable_type(variable));
        self.line(&format!("{keyword} {name}: {ty} = {value};"));
    }

    fn store(&mut self, array: ArrayId, index: NodeId, value: NodeId, origin: Origin) {
        let site = self.vouched(array, index, origin);
        let value = self.value(value);
        let index = self.index(array, index);
        let name = self.array(array);
        self.line(&match (self.access(array) == Access::Cells, site) {
            (true, None) => format!("{name}.store({index}, {value});"),
            (true, Some(site)) => format!("{name}.store_vouched({index}, {value}, {site}u32);"),
            (false, None) => format!("{name}[{index}] = {value};"),
            (false, Some(site)) => {
                format!("*rt::vouched_mut(&mut {name}, {index}, {site}u32) = {value};")
            }
        });
    }

    fn atomic(
        &mut self,
        (array, index, site): (ArrayId, NodeId, Option<usize>),
        op: AtomicOp,
        operands: &[NodeId],
        result: Option<VariableId>,
    ) {
        let index = self.index(array, index);
        // The operands are named: the new value may have to be worked out more than once.
        let ty = self.array_type(array);
        let mut named = Vec::new();
        for &operand in operands {
            let (value, name) = (self.value(operand), self.fresh("t"));
            self.line(&format!("let {name}: {ty} = {value};"));
            named.push(name);
        }
        let element = self.kernel.tables.array(array).ty;
        let new = operators::atomic(op, element, "old", &named);
        let name = self.array(array);
        let function = format!("|old: {ty}| {new}");
        let update = match (self.access(array) == Access::Cells, site) {
            (true, None) => format!("{name}.update({index}, {function})"),
            (true, Some(site)) => format!("{name}.update_vouched({index}, {function}, {site}u32)"),
            (false, None) => format!("rt::update(&mut {name}[{index}], {function})"),
            (false, Some(site)) => {
                format!("rt::update(rt::vouched_mut(&mut {name}, {index}, {site}u32), {function})")
            }
        };
        match result {
            Some(result) => self.line(&format!("let {}: {ty} = {update};", self.variable(result))),
            None => self.line(&format!("{update};")),
        }
    }

    fn conditional(
        &mut self,
        condition: NodeId,
        then: &[Statement<Lowered>],
        otherwise: &[Statement<Lowered>],
    ) {
        let condition = self.value(condition);
        self.open(&format!("if {condition} {{"));
        self.list(then);
        if !otherwise.is_empty() {
            self.close("} else {");
            self.open_again();
            self.list(otherwise);
        }
        self.close("}");
    }

    /// A loop whose condition needs statements: the head, the test, the body.
    fn repeat(
        &mut self,
        head: &[Statement<Lowered>],
        condition: NodeId,
        body: &[Statement<Lowered>],
    ) {
        let label = self.fresh("'l");
        self.open(&format!("{label}: loop {{"));
        self.labels.push(label.clone());
        self.list(head);
        self.begin(&[condition]);
        let condition = self.value(condition);
        self.line(&format!("if !{condition} {{ break {label}; }}"));
        self.list(body);
        self.labels.pop();
        self.close("}");
    }

    /// A loop in order, which can be left.
    fn count(&mut self, counter: VariableId, count: NodeId, body: &[Statement<Lowered>]) {
        let count = self.value(count);
        let range = format!("0u32..{count}");
        let label = self.fresh("'l");
        self.open(&format!(
            "{label}: for {} in {range} {{",
            self.variable(counter)
        ));
        self.labels.push(label);
        self.list(body);
        self.labels.pop();
        self.close("}");
    }

    /// The iterations of a level, one after the other.
    fn each(&mut self, counter: VariableId, count: NodeId, body: &[Statement<Lowered>]) {
        let count = self.value(count);
        self.open(&format!(
            "for {} in 0u32..{count} {{",
            self.variable(counter)
        ));
        self.list(body);
        self.close("}");
    }

    /// The blocks, handed to the runtime.
    fn blocks(&mut self, counter: VariableId, count: NodeId, body: &[Statement<Lowered>]) {
        let count = self.value(count);
        let outputs = self.pieces(body);
        let (mut pieces, mut names) = ("()".to_owned(), "()".to_owned());
        for (array, n) in outputs.iter().rev() {
            let name = self.array(*array);
            pieces = format!("(rt::chunks(&mut {name}, {n}u32), {pieces})");
            names = format!("({name}, {names})");
        }
        let outer = self.block.replace(counter);
        self.open(&format!(
            "call.blocks({count}, {pieces}, |{}: u32, {names}| {{",
            self.variable(counter)
        ));
        for (array, n) in outputs {
            let name = self.array(array);
            self.line(&format!("let {name} = &mut {name}[..{n}usize];"));
        }
        self.list(body);
        self.close("});");
        self.block = outer;
    }

    /// The outputs that the blocks of a list get in pieces, with the number of elements of each
    /// piece.
    fn pieces(&self, body: &[Statement<Lowered>]) -> Vec<(ArrayId, u32)> {
        let mut written = std::collections::BTreeSet::new();
        for statement in body {
            statement.visit(&mut |inner| written.extend(inner.writes()));
        }
        let pieces = written
            .into_iter()
            .filter_map(|array| match self.access(array) {
                Access::Chunk(n) => Some((array, n)),
                _ => None,
            });
        pieces.collect()
    }

    fn allocate(&mut self, array: ArrayId) {
        let entry = self.kernel.tables.array(array);
        let length = self.kernel.tables.stored_length(entry);
        let (name, ty) = (self.array(array), entry.ty.name());
        let zero = operators::literal(Literal::zero(entry.ty));
        self.access.insert(array, Access::Local);
        self.line(&format!(
            "let mut {name}: [{ty}; {length}] = [{zero}; {length}];"
        ));
    }
}
