//! Statements as statements of Rust.

use std::ops::RangeInclusive;

use super::linear;
use super::operators;
use super::printer::{Access, Printer};
use crate::emit::vouched::Check;
use crate::error::{Origin, internal};
use crate::ir::{AtomicOp, Level, LevelledLoop, Lowered, ReportKind, Statement, Unroll};
use crate::ordered::Set;
use crate::scalar::{ArrayId, ArrayPlace, Literal, Node, NodeId, Role, Sum, VariableId};

/// For the CPU ordered loops are cut in two, before lowering.
const NOT_CUT: &str = "an ordered loop over blocks was not cut";

/// The most rounds of a loop that is written out.
const MOST_ROUNDS: u32 = 32;
/// The most statements of a loop that is written out, each counted once a round.
const MOST_COPIES: u32 = 128;
/// Numbers of lanes of a round of a fold that the compiler would write out.
const ROUND: RangeInclusive<u32> = 16..=63;

impl Printer<'_> {
    /// Writes a list.
    pub(super) fn list(&mut self, list: &[Statement<Lowered>]) {
        list.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Statement<Lowered>) {
        self.begin(&statement.nodes());
        // Copies of a loop bind one name to several values.
        if let Some(variable) = statement.binds() {
            self.lets.remove(&variable);
        }
        match statement {
            Statement::Let { variable, value } if self.hidden.contains(variable) => {
                let value = self.value(*value);
                let (name, ty) = (self.variable(*variable), self.variable_type(*variable));
                self.line(&format!(
                    "let {name}: {ty} = ::core::hint::black_box({value});"
                ));
            }
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
                let element = self.read(*array, *index, *origin);
                let (name, ty) = (self.variable(*variable), self.variable_type(*variable));
                self.line(&format!("let {name}: {ty} = {element};"));
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
            Statement::Report(report) => {
                if report.kind == ReportKind::Failed {
                    let number = self.vouched.number(None, Check::of(report));
                    self.line(&format!("rt::failed({number}u32);"));
                }
            }
            Statement::Break => match self.labels.last() {
                Some(label) => self.line(&format!("break {label};")),
                None => self.line("return;"),
            },
            Statement::Loop {
                kind,
                counter,
                bounds: [count],
                unroll,
                body,
            } => match kind {
                LevelledLoop::Sequential(_) => self.count((*counter, *unroll), *count, body),
                LevelledLoop::Distribute(Level::Block) => self.blocks(*counter, *count, body),
                LevelledLoop::ForAll(_) | LevelledLoop::Distribute(_) => {
                    self.each(*counter, *count, body)
                }
                LevelledLoop::Ordered | LevelledLoop::Last => internal::raise(NOT_CUT),
            },
            Statement::Allocate { array, .. } => self.allocate(*array),
            Statement::Wait { .. } => {}
            Statement::Collective(never, _) | Statement::Give(never, _) => match *never {},
            Statement::Wide(never, _) => match *never {},
            // `plan::lowering` makes them for threads, and another kernel for one of them.
            Statement::Shuffle(..) => internal::raise("one thread takes what another lane has"),
            Statement::Earlier(..) => internal::raise(NOT_CUT),
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
        if let Some((window, index)) = self.written_window(array, index) {
            let window = window.to_owned();
            for (node, _) in &index.terms {
                self.value(*node);
            }
            let index = linear::text(&index, |node| self.text(node));
            return self.line(&match self.access(array) {
                Access::Cells => format!("{window}.store({index}, {value});"),
                _ => format!("{window}[{index}] = {value};"),
            });
        }
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
        let by_method = matches!(self.access(array), Access::Cells | Access::Gathered(_));
        let update = match (by_method, site) {
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

    /// A loop in order, which can be left. A short one of a lane is written out: then the lanes are the
    /// innermost loop, and the compiler works on several at once.
    fn count(
        &mut self,
        (counter, unroll): (VariableId, Unroll),
        count: NodeId,
        body: &[Statement<Lowered>],
    ) {
        if let Some(rounds) = self.written_out((count, unroll), body, self.copies(body)) {
            let name = self.variable(counter);
            for round in 0..rounds {
                self.open("{");
                self.line(&format!("let {name}: u32 = {round}u32;"));
                let number = Sum {
                    terms: Vec::new(),
                    constant: round.into(),
                };
                self.lets.insert(counter, number);
                self.list(body);
                self.close("}");
            }
            self.lets.remove(&counter);
            return;
        }
        let range = format!("0u32..{}", self.value(count));
        let before = self.cut_windows(counter, count, body);
        let label = self.fresh("'l");
        self.open(&format!(
            "{label}: for {} in {range} {{",
            self.variable(counter)
        ));
        self.labels.push(label);
        self.rounds_of(counter, count, body);
        self.labels.pop();
        self.close("}");
        self.windows.truncate(before);
    }

    /// The rounds of a loop that is written out. `copies` is the number of statements of its body when
    /// printed.
    fn written_out(
        &self,
        (count, unroll): (NodeId, Unroll),
        body: &[Statement<Lowered>],
        copies: u32,
    ) -> Option<u32> {
        let rounds = self.kernel.tables.nodes.literal(count)?.u32();
        let is_short = rounds <= MOST_ROUNDS && rounds.saturating_mul(copies) <= MOST_COPIES;
        let stays = matches!(unroll, Unroll::Never | Unroll::By(1))
            || body.iter().any(Statement::may_leave);
        (self.lanes && is_short && !stays).then_some(rounds)
    }

    /// The number of statements of a list when printed: those of a loop that is written out count once
    /// a round, so that loops inside each other do not multiply beyond the limit.
    fn copies(&self, list: &[Statement<Lowered>]) -> u32 {
        let copies = list.iter().map(|statement| {
            let lists = statement.lists().into_iter().map(|list| self.copies(list));
            let inner = lists.fold(0, u32::saturating_add);
            let rounds = match statement {
                Statement::Loop {
                    kind: LevelledLoop::Sequential(_),
                    bounds: [count],
                    unroll,
                    body,
                    ..
                } => self.written_out((*count, *unroll), body, inner),
                _ => None,
            };
            inner.saturating_mul(rounds.unwrap_or(1)).saturating_add(1)
        });
        copies.fold(0, u32::saturating_add)
    }

    /// The iterations of a level, one after the other.
    fn each(&mut self, counter: VariableId, count: NodeId, body: &[Statement<Lowered>]) {
        let range = match self.is_round(counter, count, body) {
            true => format!("0u32..rt::lanes({})", self.value(count)),
            false => format!("0u32..{}", self.value(count)),
        };
        let before = self.cut_windows(counter, count, body);
        if self.copy(counter, count, body) {
            self.windows.truncate(before);
            return;
        }
        self.open(&format!("for {} in {range} {{", self.variable(counter)));
        let outside = std::mem::replace(&mut self.lanes, true);
        self.rounds_of(counter, count, body);
        self.lanes = outside;
        self.close("}");
        self.windows.truncate(before);
    }

    /// Do some lanes change their elements of local arrays by inputs, as a fold does each round?
    ///
    /// The compiler would write out as few of them as these, and keep each element in a register of its own from round to round.
    fn is_round(&self, lane: VariableId, count: NodeId, body: &[Statement<Lowered>]) -> bool {
        let tables = &self.kernel.tables;
        let count = tables.nodes.literal(count).map(Literal::u32);
        if !count.is_some_and(|count| ROUND.contains(&count)) {
            return false;
        }
        let is_lane = |id: NodeId| tables.nodes.node(id) == Node::Variable(lane);
        let is_input =
            |id: &ArrayId| matches!(tables.array(*id).place, ArrayPlace::Global(Role::Input));
        let (mut read, mut stored, mut inputs) = (Set::new(), Set::new(), 0);
        for statement in body {
            inputs += statement
                .loads(&tables.nodes)
                .iter()
                .filter(|id| is_input(id))
                .count();
            match statement {
                Statement::Let { .. } => {}
                Statement::Read { array, index, .. } if is_lane(*index) => {
                    read.insert(*array);
                }
                Statement::Store { array, index, .. } if is_lane(*index) => {
                    stored.insert(*array);
                }
                _ => return false,
            }
        }
        inputs > 0 && read == stored
    }

    /// The body of a loop.
    fn rounds_of(&mut self, counter: VariableId, count: NodeId, body: &[Statement<Lowered>]) {
        let rounds = self.kernel.tables.nodes.literal(count).map(Literal::u32);
        self.rounds.extend(rounds.map(|rounds| (counter, rounds)));
        self.list(body);
        self.rounds.remove(&counter);
    }

    /// The blocks, handed to the runtime.
    fn blocks(&mut self, counter: VariableId, count: NodeId, body: &[Statement<Lowered>]) {
        let mut blocks = self.value(count);
        let mentioned = self.mentioned(body);
        let is_gathered = |array: &ArrayId| matches!(self.access(*array), Access::Gathered(_));
        if mentioned.iter().any(is_gathered) {
            let name = self.fresh("b");
            self.line(&format!("let {name}: u32 = {blocks};"));
            blocks = name;
        }
        let (mut pieces, mut names) = ("()".to_owned(), "()".to_owned());
        let mut own = Vec::new();
        for array in mentioned.into_iter().rev() {
            let name = self.array(array);
            let piece = match self.access(array) {
                Access::Chunk(n) => {
                    own.push(format!("let {name} = &mut {name}[..{n}usize];"));
                    format!("rt::chunks(&mut {name}, {n}u32)")
                }
                Access::Ragged(n) => format!("rt::ragged(&mut {name}, {n}u32)"),
                Access::Own(n) => format!("rt::own(&mut {name}, {n}u32)"),
                Access::Gathered(_) => {
                    own.push(format!("let mut {name} = {name};"));
                    format!("rt::gathered(&{name}, {blocks})")
                }
                Access::Slice | Access::Cells | Access::Local => continue,
            };
            pieces = format!("({piece}, {pieces})");
            names = format!("({name}, {names})");
        }
        let outer = self.block.replace(counter);
        self.open(&format!(
            "call.blocks({blocks}, {pieces}, |{}: u32, {names}| {{",
            self.variable(counter)
        ));
        own.iter().rev().for_each(|line| self.line(line));
        for (name, ty) in self.captured(counter, body) {
            self.line(&format!("let {name}: {ty} = {name};"));
        }
        self.list(body);
        self.close("});");
        self.block = outer;
    }

    /// The numbers that blocks use and do not make: each takes a copy, because the closure has references, and the
    /// compiler would read such a number again after each store that might have changed it.
    fn captured(
        &self,
        counter: VariableId,
        body: &[Statement<Lowered>],
    ) -> Set<(String, &'static str)> {
        let tables = &self.kernel.tables;
        let (mut roots, mut inside) = (Vec::new(), Set::from([counter]));
        for statement in body {
            statement.visit(&mut |inner| {
                roots.extend(inner.nodes());
                inside.extend(inner.binds());
            });
        }
        let used = tables.nodes.post_order(&roots, |_| false).into_iter();
        let numbers = used.filter_map(|id| match tables.nodes.node(id) {
            Node::Variable(variable) if !inside.contains(&variable) => {
                Some((self.variable(variable), self.variable_type(variable)))
            }
            Node::Length(array) => Some((self.length(array), "u32")),
            _ => None,
        });
        numbers.collect()
    }

    /// The arrays that a list accesses.
    fn mentioned(&self, body: &[Statement<Lowered>]) -> Set<ArrayId> {
        let mut mentioned = Set::new();
        for statement in body {
            let nodes = &self.kernel.tables.nodes;
            statement.visit(&mut |inner| mentioned.extend(inner.mentions(nodes)));
        }
        mentioned
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
        if self.in_memory.contains(&array) {
            self.line(&format!(
                "let {name}: &mut [{ty}; {length}] = ::core::hint::black_box(&mut {name});"
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::emit::cpu::{RUNTIME, function};
    use crate::ir::{Lowered, read};
    use crate::plan::WritePattern;

    /// The stores and loops of the text of a lane that stores inside of nested loops, of these rounds.
    fn stores_and_loops(rounds: &[u32]) -> (usize, usize) {
        let (mut head, mut sum, mut tail) = (String::new(), "i".to_owned(), String::new());
        for (k, rounds) in rounds.iter().enumerate() {
            head += &format!("for sequential Thread k{k} in 0_u32 .. {rounds}_u32 step 1_u32 {{ ");
            sum = format!("({sum} + k{k})");
            tail += " }";
        }
        let text = format!(
            "kernel k {{ parameter 0 out: u32[8_u32] inout distribute Block b < 1_u32 {{ \
             forall Block i < 8_u32 {{ {head}store out[i] = {sum}{tail} }} }} }}"
        );
        let kernel = read::<Lowered>(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let text = function(&kernel, &|_| WritePattern::Scattered, RUNTIME);
        (
            text.matches(".store(").count(),
            text.matches("for ").count() - 1,
        )
    }

    #[test]
    fn short_loops_are_written_out_inside_each_other_up_to_a_limit_for_all_of_them() {
        assert_eq!(stores_and_loops(&[4]), (4, 0));
        assert_eq!(stores_and_loops(&[4, 4]), (16, 0));
        assert_eq!(stores_and_loops(&[33]), (1, 1));
        assert_eq!(stores_and_loops(&[4, 4, 4, 4, 4]), (64, 2));
        assert_eq!(stores_and_loops(&[25, 25, 25]), (25, 2));
        assert_eq!(stores_and_loops(&[2, 0, 2]), (0, 0));
        assert_eq!(stores_and_loops(&[2; 40]), (64, 34));
    }
}
