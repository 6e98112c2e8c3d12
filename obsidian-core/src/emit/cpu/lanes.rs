//! A loop over threads in parts: each part is done for all lanes before the next part begins.
//!
//! What a part binds, and a later one uses, is kept in arrays with an element for each lane. Iterations of a
//! loop over threads do not depend on each other, so each may be done in parts, and the parts of several
//! iterations side by side.

use crate::error::Origin;
use crate::ir::{CellUse, Level, LevelledLoop, Lowered, Statement, Unroll};
use crate::ordered::{Map, Set};
use crate::scalar::{
    Array, ArrayId, ArrayPlace, BinaryOp, Literal, Node, NodeId, Nodes, ScalarType, Tables,
    VariableId, VariableKind,
};

pub(super) type List = Vec<Statement<Lowered>>;

/// A loop over threads whose number is a literal.
pub(super) struct ForAll<'s> {
    pub(super) level: Level,
    pub(super) lane: VariableId,
    pub(super) count: u32,
    pub(super) body: &'s List,
}

impl<'s> ForAll<'s> {
    /// Nothing if a statement is no such loop.
    pub(super) fn of(nodes: &Nodes, statement: &'s Statement<Lowered>) -> Option<Self> {
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
        Some(ForAll {
            level: *level,
            lane: *counter,
            count: nodes.literal(*count)?.u32(),
            body,
        })
    }
}

/// Lanes that do their parts in step.
pub(super) struct Lanes<'t> {
    pub(super) tables: &'t mut Tables,
    level: Level,
    /// Their number, and the counter of the loop over them.
    count: u32,
    pub(super) lane: VariableId,
    /// The counter of the strips that these lanes are of, and what is counted through all strips.
    strips: Option<(VariableId, VariableId)>,
    /// Where the lanes keep names and cells from one part to the next.
    pub(super) kept: Map<VariableId, ArrayId>,
    cells: Set<VariableId>,
}

impl<'t> Lanes<'t> {
    pub(super) fn new(
        tables: &'t mut Tables,
        level: Level,
        (lane, count): (VariableId, u32),
        strips: Option<(VariableId, VariableId)>,
    ) -> Self {
        Lanes {
            tables,
            level,
            count,
            lane,
            strips,
            kept: Map::new(),
            cells: Set::new(),
        }
    }

    /// A part without a loop that is left: what it binds and is used after it is kept.
    pub(super) fn straight(
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
            let cell = statement.begun_cell();
            self.cells.extend(cell);
            let bound = cell.or_else(|| statement.binds().filter(|_| statement.lists().is_empty()));
            if let Some(variable) = bound.filter(|variable| later.contains(variable)) {
                let array = self.array(self.tables.variable(variable).ty, self.count, result);
                self.kept.insert(variable, array);
            }
        }
        for variable in changed(part) {
            self.keep(variable, &mut lanes);
        }
        self.for_lanes(lanes, result);
    }

    /// What a part has to begin with: the counter, and the names and cells of these that are kept.
    pub(super) fn restored(&mut self, names: &Set<VariableId>) -> List {
        let mut list = List::new();
        if let Some((strip, variable)) = self.strips.filter(|(_, whole)| names.contains(whole)) {
            let lanes = self.number(self.count);
            let [strip, lane] = [strip, self.lane].map(|variable| self.name(variable));
            let start = self.tables.nodes.exact(BinaryOp::Mul, strip, lanes);
            let value = self.tables.nodes.exact(BinaryOp::Add, start, lane);
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

    pub(super) fn for_lanes(&mut self, body: List, result: &mut List) {
        self.for_all(self.count, body, result);
    }

    pub(super) fn for_all(&mut self, count: u32, body: List, result: &mut List) {
        let bounds = [self.number(count)];
        result.push(Statement::Loop {
            kind: LevelledLoop::ForAll(self.level),
            counter: self.lane,
            bounds,
            unroll: Unroll::Free,
            body,
        });
    }

    pub(super) fn array(&mut self, ty: ScalarType, length: u32, result: &mut List) -> ArrayId {
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
    pub(super) fn read(&mut self, array: ArrayId, index: NodeId, list: &mut List) -> NodeId {
        let ty = self.tables.array(array).ty;
        let variable = self.tables.add_variable(ty, VariableKind::Let);
        list.push(read(variable, array, index));
        self.name(variable)
    }

    /// Names a value.
    pub(super) fn bind(&mut self, value: NodeId, list: &mut List) -> NodeId {
        let ty = self.tables.nodes.ty(value);
        let variable = self.tables.add_variable(ty, VariableKind::Let);
        list.push(Statement::Let { variable, value });
        self.name(variable)
    }

    /// The present value of a cell.
    pub(super) fn get(&mut self, cell: VariableId, list: &mut List) -> NodeId {
        let ty = self.tables.variable(cell).ty;
        let variable = self.tables.add_variable(ty, VariableKind::Let);
        list.push(Statement::Get { variable, cell });
        self.name(variable)
    }

    pub(super) fn name(&mut self, variable: VariableId) -> NodeId {
        let ty = self.tables.variable(variable).ty;
        self.tables.nodes.add(Node::Variable(variable), ty)
    }

    pub(super) fn number(&mut self, n: u32) -> NodeId {
        self.tables.nodes.add_literal(Literal::from(n))
    }
}

pub(super) fn store(array: ArrayId, index: NodeId, value: NodeId) -> Statement<Lowered> {
    Statement::Store {
        array,
        index,
        value,
        origin: Origin::UNKNOWN,
    }
}

pub(super) fn read(variable: VariableId, array: ArrayId, index: NodeId) -> Statement<Lowered> {
    Statement::Read {
        variable,
        array,
        index,
        origin: Origin::UNKNOWN,
    }
}

/// The names and cells that statements use.
pub(super) fn used(nodes: &Nodes, list: &[Statement<Lowered>]) -> Set<VariableId> {
    let mut found = Set::new();
    for statement in list {
        statement.visit(&mut |inner| {
            for root in inner.nodes() {
                found.extend(used_in(nodes, root));
            }
            match inner.cell() {
                Some((cell, CellUse::Names(_) | CellUse::Changes(_))) => drop(found.insert(cell)),
                Some((_, CellUse::Begins(_))) | None => {}
            }
        });
    }
    found
}

pub(super) fn used_in(nodes: &Nodes, root: NodeId) -> Set<VariableId> {
    let parts = nodes.post_order(&[root], |_| false).into_iter();
    let variables = parts.filter_map(|id| nodes.node(id).variable());
    variables.collect()
}

/// The names that a list binds for what follows it, and the cells that it changes.
pub(super) fn changed(list: &[Statement<Lowered>]) -> Set<VariableId> {
    let mut found = Set::new();
    for statement in list {
        found.extend(statement.begun_cell().or_else(|| statement.binds()));
        statement.visit(&mut |inner| {
            if let Statement::Assign { cell, .. } = inner {
                found.insert(*cell);
            }
        });
    }
    found
}

/// Puts nodes in the place of others, in a statement and all inside of it.
pub(super) fn rewrite(
    nodes: &mut Nodes,
    statement: &mut Statement<Lowered>,
    f: &impl Fn(&Nodes, NodeId) -> Option<NodeId>,
) {
    for root in statement.nodes_mut() {
        *root = nodes.replaced(*root, f);
    }
    for inner in statement.lists_mut().into_iter().flatten() {
        rewrite(nodes, inner, f);
    }
}

/// Puts values in the place of their names, in a statement and all inside of it.
pub(super) fn spell_out(
    nodes: &mut Nodes,
    statement: &mut Statement<Lowered>,
    values: &Map<VariableId, NodeId>,
) {
    if !values.is_empty() {
        rewrite(nodes, statement, &|nodes, id| by_name(nodes, id, values));
    }
}

/// What a name stands for.
pub(super) fn by_name(
    nodes: &Nodes,
    id: NodeId,
    values: &Map<VariableId, NodeId>,
) -> Option<NodeId> {
    nodes
        .node(id)
        .variable()
        .and_then(|variable| values.get(&variable).copied())
}
