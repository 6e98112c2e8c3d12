//! Loops that lanes leave at different times, for several lanes at once.
//!
//! ```text
//! forall i < 256 { declare x = f(i) while { } holds near(x) { assign x = step(x) } store out[i] = x }
//!
//! for strip in 0..16 {
//!     forall l < 16 { let i = strip * 16 + l; xs[l] = f(i); going[l] = 1 }
//!     while any of going { forall l < 16 { if going[l] & near(xs[l]) { xs[l] = step(xs[l]) } else { going[l] = 0 } } }
//!     forall l < 16 { let i = strip * 16 + l; out[i] = xs[l] }
//! }
//! ```
//!
//! The `if` above is one of two values by a mask of bits, so the compiler works on several lanes at once.
//!
//! *Argument.* Iterations of a loop over threads do not depend on each other, so each may be done in
//! parts, and the parts of several iterations side by side. In a lane that has left its loop the body is
//! computed from the values that it left with, and what comes out is dropped: a body that is treated so
//! loads and stores nothing, leaves nothing, and has no operator that can fail.
//!
//! *Limits.* The loop stands in the list of the loop over threads itself; the number of iterations is a
//! literal and a multiple of [`LANES`]. Of what the body computes a compiler has to have an instruction
//! for several lanes ([`parts`]). All lanes of a strip take as many rounds as the slowest one: where one
//! of 16 goes on alone for long, that is more work than one lane after the other.

mod constants;
mod parts;

use std::collections::{BTreeMap, BTreeSet};

use crate::error::Origin;
use crate::ir::{Kernel, Level, LevelledLoop, Lowered, Statement, Unroll, substitute};
use crate::scalar::{
    Array, ArrayId, ArrayPlace, BinaryOp, Literal, Node, NodeId, Nodes, ScalarType, Tables,
    UnaryOp, VariableId, VariableKind,
};

/// Lanes that go on together.
const LANES: u32 = 16;

type List = Vec<Statement<Lowered>>;

/// Lets lanes leave loops under a mask.
pub(super) fn masks(mut kernel: Kernel<Lowered>) -> Kernel<Lowered> {
    let mut body = std::mem::take(&mut kernel.body);
    list(&mut kernel.tables, &mut body);
    kernel.body = body;
    kernel
}

fn list(tables: &mut Tables, statements: &mut List) {
    for statement in statements {
        if let Some(strips) = strips(tables, statement) {
            *statement = strips;
            continue;
        }
        for inner in statement.lists_mut() {
            list(tables, inner);
        }
    }
}

/// The loop over strips that a loop over threads becomes; nothing if it stays.
fn strips(tables: &mut Tables, statement: &Statement<Lowered>) -> Option<Statement<Lowered>> {
    let Statement::Loop {
        kind: LevelledLoop::ForAll(level),
        counter,
        bounds: [count],
        body,
        ..
    } = statement
    else {
        return None;
    };
    let count = tables.nodes.literal(*count)?.u32();
    let is_loop = |statement: &Statement<Lowered>| matches!(statement, Statement::While { .. });
    let fits = count > 0 && count.is_multiple_of(LANES) && *level != Level::Thread;
    if !fits || !body.iter().any(is_loop) {
        return None;
    }
    let mut body = constants::in_front(tables, body);
    let mut parts = body.iter().map(|part| parts::is_part(&tables.nodes, part));
    if !parts.all(|is_part| is_part) {
        return None;
    }
    let kinds = [
        VariableKind::Let,
        VariableKind::Counter,
        VariableKind::Counter,
    ];
    let [whole, strip, lane] = kinds.map(|kind| tables.add_variable(ScalarType::U32, kind));
    let name = tables.nodes.add(Node::Variable(whole), ScalarType::U32);
    substitute(&mut tables.nodes, &mut body, *counter, name);
    let mut strips = Strips {
        level: *level,
        counter: whole,
        strip,
        lane,
        kept: BTreeMap::new(),
        cells: BTreeSet::new(),
        tables,
    };
    let (counter, body) = (strips.strip, strips.body(&body));
    let bounds = [strips.number(count / LANES)];
    Some(Statement::Loop {
        kind: LevelledLoop::Sequential(*level),
        counter,
        bounds,
        unroll: Unroll::Never,
        body,
    })
}

/// A loop over strips in the making.
struct Strips<'t> {
    tables: &'t mut Tables,
    level: Level,
    /// What the loop over threads counted: the strip and the lane in it.
    counter: VariableId,
    strip: VariableId,
    lane: VariableId,
    /// Where the lanes keep names and cells from one part to the next.
    kept: BTreeMap<VariableId, ArrayId>,
    cells: BTreeSet<VariableId>,
}

impl Strips<'_> {
    /// The parts, one after the other.
    fn body(&mut self, all: &List) -> List {
        let (mut result, mut rest) = (List::new(), &all[..]);
        while !rest.is_empty() {
            let is_loop = |s: &Statement<Lowered>| matches!(s, Statement::While { .. });
            let straight = rest.iter().take_while(|s| !is_loop(s)).count();
            let (part, after) = rest.split_at(straight);
            self.straight(part, after, &mut result);
            rest = after;
            if let Some(Statement::While {
                head,
                condition,
                body,
            }) = rest.first()
            {
                self.repeat((head, *condition, body), &mut result);
                rest = &rest[1..];
            }
        }
        result
    }

    /// A part without a loop that is left: what it binds and is used after it is kept.
    fn straight(
        &mut self,
        part: &[Statement<Lowered>],
        after: &[Statement<Lowered>],
        result: &mut List,
    ) {
        if part.is_empty() {
            return;
        }
        let mut lanes = self.restored(&used(&self.tables.nodes, part));
        lanes.extend(part.iter().cloned());
        let later = used(&self.tables.nodes, after);
        for statement in part {
            let bound = match statement {
                Statement::Declare { cell, .. } => {
                    self.cells.insert(*cell);
                    Some(*cell)
                }
                statement => statement.binds().filter(|_| statement.lists().is_empty()),
            };
            if let Some(variable) = bound.filter(|variable| later.contains(variable)) {
                let array = self.array(self.tables.variable(variable).ty, LANES, result);
                self.kept.insert(variable, array);
            }
        }
        for variable in changed(part) {
            self.keep(variable, &mut lanes);
        }
        self.for_lanes(lanes, result);
    }

    /// A loop that lanes leave: rounds for all of them, as long as one goes on.
    fn repeat(&mut self, (head, condition, body): (&List, NodeId, &List), result: &mut List) {
        let going = self.array(ScalarType::U32, LANES, result);
        let any = self.array(ScalarType::U32, 1, result);
        let [zero, one] = [0, 1].map(|n| self.number(n));
        let lane = self.name(self.lane);
        let start = vec![store(going, lane, one)];
        self.for_lanes(start, result);

        let inside: List = head.iter().chain(body).cloned().collect();
        let mut names = used(&self.tables.nodes, &inside);
        names.extend(used_in(&self.tables.nodes, condition));
        let mut lanes = self.restored(&names);
        let was = self.read(going, lane, &mut lanes);
        lanes.extend(head.iter().cloned());
        let nodes = &mut self.tables.nodes;
        let goes = nodes.binary(BinaryOp::Ne, was, zero);
        let goes = nodes.binary(BinaryOp::And, goes, condition);
        let goes = self.bind(goes, &mut lanes);
        let number = self.tables.nodes.cast(ScalarType::U32, goes);
        let cells: Vec<VariableId> = changed(body)
            .into_iter()
            .filter(|cell| self.kept.contains_key(cell))
            .collect();
        let before: Vec<NodeId> = cells
            .iter()
            .map(|cell| self.get(*cell, &mut lanes))
            .collect();
        lanes.extend(body.iter().cloned());
        for (cell, before) in cells.iter().zip(before) {
            let after = self.get(*cell, &mut lanes);
            let value = self.blend(goes, after, before);
            lanes.push(store(self.kept[cell], lane, value));
        }
        lanes.push(store(going, lane, number));

        let mut round = List::new();
        self.once(vec![store(any, zero, zero)], &mut round);
        self.for_lanes(lanes, &mut round);
        let mut together = List::new();
        let so_far = self.read(any, zero, &mut together);
        let own = self.read(going, lane, &mut together);
        let both = self.tables.nodes.binary(BinaryOp::Or, so_far, own);
        together.push(store(any, zero, both));
        self.for_lanes(together, &mut round);
        let nodes = &mut self.tables.nodes;
        let one_goes = nodes.add(
            Node::Load {
                array: any,
                index: zero,
            },
            ScalarType::U32,
        );
        let condition = nodes.binary(BinaryOp::Ne, one_goes, zero);
        result.push(Statement::While {
            head: round,
            condition,
            body: List::new(),
        });
    }

    /// What a part has to begin with: the counter, and the names and cells of these that are kept.
    fn restored(&mut self, names: &BTreeSet<VariableId>) -> List {
        let mut list = List::new();
        if names.contains(&self.counter) {
            let lanes = self.number(LANES);
            let [strip, lane] = [self.strip, self.lane].map(|variable| self.name(variable));
            let start = self.tables.nodes.exact(BinaryOp::Mul, strip, lanes);
            let value = self.tables.nodes.exact(BinaryOp::Add, start, lane);
            let variable = self.counter;
            list.push(Statement::Let { variable, value });
        }
        let kept: Vec<(VariableId, ArrayId)> = self.kept.iter().map(|(v, a)| (*v, *a)).collect();
        let lane = self.name(self.lane);
        for (variable, array) in kept {
            if !names.contains(&variable) {
                continue;
            }
            if self.cells.contains(&variable) {
                let value = self.read(array, lane, &mut list);
                list.push(Statement::Declare {
                    cell: variable,
                    value,
                });
            } else {
                list.push(read(variable, array, lane));
            }
        }
        list
    }

    /// Keeps the present value of a name or cell.
    fn keep(&mut self, variable: VariableId, list: &mut List) {
        let Some(array) = self.kept.get(&variable).copied() else {
            return;
        };
        let value = match self.cells.contains(&variable) {
            true => self.get(variable, list),
            false => self.name(variable),
        };
        let lane = self.name(self.lane);
        list.push(store(array, lane, value));
    }

    fn for_lanes(&mut self, body: List, result: &mut List) {
        self.for_all(LANES, body, result);
    }

    /// What one lane does for all of them.
    fn once(&mut self, body: List, result: &mut List) {
        self.for_all(1, body, result);
    }

    fn for_all(&mut self, count: u32, body: List, result: &mut List) {
        let bounds = [self.number(count)];
        result.push(Statement::Loop {
            kind: LevelledLoop::ForAll(self.level),
            counter: self.lane,
            bounds,
            unroll: Unroll::Free,
            body,
        });
    }

    fn array(&mut self, ty: ScalarType, length: u32, result: &mut List) -> ArrayId {
        let length = self.number(length);
        let array = self.tables.add_array(Array {
            name: "lanes".into(),
            ty,
            length,
            place: ArrayPlace::Shared,
            origin: Origin::UNKNOWN,
        });
        result.push(Statement::Allocate { array, layout: () });
        array
    }

    /// Reads an element, and gives its name.
    fn read(&mut self, array: ArrayId, index: NodeId, list: &mut List) -> NodeId {
        let ty = self.tables.array(array).ty;
        let variable = self.tables.add_variable(ty, VariableKind::Let);
        list.push(read(variable, array, index));
        self.name(variable)
    }

    /// Names a value.
    fn bind(&mut self, value: NodeId, list: &mut List) -> NodeId {
        let ty = self.tables.nodes.ty(value);
        let variable = self.tables.add_variable(ty, VariableKind::Let);
        list.push(Statement::Let { variable, value });
        self.name(variable)
    }

    /// The present value of a cell.
    fn get(&mut self, cell: VariableId, list: &mut List) -> NodeId {
        let ty = self.tables.variable(cell).ty;
        let variable = self.tables.add_variable(ty, VariableKind::Let);
        list.push(Statement::Get { variable, cell });
        self.name(variable)
    }

    /// One of two values by their bits, without a choice: that might be compiled to a jump.
    fn blend(&mut self, goes: NodeId, after: NodeId, before: NodeId) -> NodeId {
        use BinaryOp::{And, Or, Sub};
        let nodes = &mut self.tables.nodes;
        let ty = nodes.ty(after);
        let [after, before] = [after, before].map(|value| match ty.is_float() {
            true => nodes.unary(UnaryOp::ToBits, value),
            false => value,
        });
        let mask = match ty {
            ScalarType::Bool => goes,
            _ => {
                let bits = nodes.ty(after);
                let zero = nodes.add_literal(Literal::zero(bits));
                let one = nodes.cast(bits, goes);
                nodes.binary(Sub, zero, one)
            }
        };
        let other = nodes.unary(UnaryOp::Not, mask);
        let [after, before] =
            [(after, mask), (before, other)].map(|(x, y)| nodes.binary(And, x, y));
        let value = nodes.binary(Or, after, before);
        match ty.is_float() {
            true => nodes.unary(UnaryOp::FromBits, value),
            false => value,
        }
    }

    fn name(&mut self, variable: VariableId) -> NodeId {
        let ty = self.tables.variable(variable).ty;
        self.tables.nodes.add(Node::Variable(variable), ty)
    }

    fn number(&mut self, n: u32) -> NodeId {
        self.tables.nodes.add_literal(Literal::from(n))
    }
}

fn store(array: ArrayId, index: NodeId, value: NodeId) -> Statement<Lowered> {
    Statement::Store {
        array,
        index,
        value,
        origin: Origin::UNKNOWN,
    }
}

fn read(variable: VariableId, array: ArrayId, index: NodeId) -> Statement<Lowered> {
    Statement::Read {
        variable,
        array,
        index,
        origin: Origin::UNKNOWN,
    }
}

/// The names and cells that statements use.
fn used(nodes: &Nodes, list: &[Statement<Lowered>]) -> BTreeSet<VariableId> {
    let mut found = BTreeSet::new();
    for statement in list {
        statement.visit(&mut |inner| {
            for root in inner.nodes() {
                found.extend(used_in(nodes, root));
            }
            match inner {
                Statement::Get { cell, .. } | Statement::Assign { cell, .. } => {
                    found.insert(*cell);
                }
                _ => {}
            }
        });
    }
    found
}

fn used_in(nodes: &Nodes, root: NodeId) -> BTreeSet<VariableId> {
    let parts = nodes.post_order(&[root], |_| false).into_iter();
    let variables = parts.filter_map(|id| match nodes.node(id) {
        Node::Variable(variable) => Some(variable),
        _ => None,
    });
    variables.collect()
}

/// The names that a list binds for what follows it, and the cells that it changes.
fn changed(list: &[Statement<Lowered>]) -> BTreeSet<VariableId> {
    let mut found = BTreeSet::new();
    for statement in list {
        match statement {
            Statement::Declare { cell, .. } => {
                found.insert(*cell);
            }
            statement => found.extend(statement.binds()),
        }
        statement.visit(&mut |inner| {
            if let Statement::Assign { cell, .. } = inner {
                found.insert(*cell);
            }
        });
    }
    found
}

#[cfg(test)]
mod tests;
