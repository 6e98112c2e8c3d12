//! A collective as loops over an array of its own.

use super::loops::waits;
use super::{Executed, Lowering};
use crate::error::Origin;
use crate::ir::{
    Collective, CollectiveOp, Level, Levelled, LevelledLoop, Lowered, Statement, Unroll, given,
};
use crate::scalar::{
    Array, ArrayId, ArrayPlace, BinaryOp, Literal, Node, NodeId, ScalarType, VariableId,
    VariableKind,
};

/// A collective in the course of being lowered.
///
/// Its operator is written out at each of its uses. It binds the same variables each time: no use
/// stands in the scope of another.
pub(super) struct Combining {
    pub(super) level: Level,
    left: Vec<VariableId>,
    pub(super) right: Vec<VariableId>,
    pub(super) list: Vec<Statement<Lowered>>,
    /// What the list gives: a component each, or for a sort whether the left operand comes first.
    pub(super) value: Vec<NodeId>,
    /// Of the components of an element.
    pub(super) types: Vec<ScalarType>,
    name: &'static str,
    pub(super) origin: Origin,
}

impl Combining {
    /// Of what has no operator, and elements that are one number.
    pub(super) fn of_digits(of: &Collective<Levelled>) -> Self {
        Combining {
            level: of.level,
            left: Vec::new(),
            right: Vec::new(),
            list: Vec::new(),
            value: Vec::new(),
            types: vec![ScalarType::U32],
            name: of.op.name(),
            origin: of.origin,
        }
    }

    /// The operator applied to two elements, which these statements bind, and what happens then.
    pub(super) fn apply(&self, operands: [List; 2], then: List) -> List {
        let list = self.list.iter().cloned();
        let [left, right] = operands;
        let operands = left.into_iter().chain(right);
        operands.chain(list).chain(then).collect()
    }

    /// The operator applied to two elements, the result stored in the place of the later one.
    pub(super) fn store(&self, arrays: &[ArrayId], [left, right]: [NodeId; 2], to: NodeId) -> List {
        let operands = [self.left(arrays, left), self.right(arrays, right)];
        self.apply(operands, self.put(arrays, to, &self.value))
    }

    pub(super) fn left(&self, arrays: &[ArrayId], index: NodeId) -> List {
        self.read(&self.left, arrays, index)
    }

    pub(super) fn right(&self, arrays: &[ArrayId], index: NodeId) -> List {
        self.read(&self.right, arrays, index)
    }

    /// The left operand is the present values of cells.
    pub(super) fn left_of_cells(&self, cells: &[VariableId]) -> List {
        self.get(&self.left, cells)
    }

    /// What cells have, combined with an element that stands behind it.
    pub(super) fn combined_into(&self, cells: &[VariableId], element: &[NodeId]) -> List {
        let element = bound(&self.right, element);
        self.apply(
            [self.left_of_cells(cells), element],
            assigned(cells, &self.value),
        )
    }

    pub(super) fn get(&self, variables: &[VariableId], cells: &[VariableId]) -> List {
        let each = variables.iter().zip(cells);
        each.map(|(&variable, &cell)| Statement::Get { variable, cell })
            .collect()
    }

    /// Returns `true` if the operator is an expression of its operands and nothing else.
    pub(super) fn is_one_expression(&self) -> bool {
        self.list.is_empty()
    }

    pub(super) fn read(&self, variables: &[VariableId], arrays: &[ArrayId], index: NodeId) -> List {
        let each = variables.iter().zip(arrays);
        each.map(|(&variable, &array)| Statement::Read {
            variable,
            array,
            index,
            origin: self.origin,
        })
        .collect()
    }

    pub(super) fn put(&self, arrays: &[ArrayId], index: NodeId, values: &[NodeId]) -> List {
        let each = arrays.iter().zip(values);
        each.map(|(&array, &value)| Statement::Store {
            array,
            index,
            value,
            origin: self.origin,
        })
        .collect()
    }

    /// The two operands as they are when they are bound: what a sort stores back, in exchange.
    pub(super) fn operands(&self, pass: &mut Lowering) -> [Vec<NodeId>; 2] {
        [&self.left, &self.right].map(|variables| pass.variables(variables, &self.types))
    }
}

/// Statements at the level of a thread.
pub(super) type List = Vec<Statement<Lowered>>;

/// Names for values.
pub(super) fn bound(variables: &[VariableId], values: &[NodeId]) -> List {
    let each = variables.iter().zip(values);
    each.map(|(&variable, &value)| Statement::Let { variable, value })
        .collect()
}

pub(super) fn declared(cells: &[VariableId], values: &[NodeId]) -> List {
    let each = cells.iter().zip(values);
    each.map(|(&cell, &value)| Statement::Declare { cell, value })
        .collect()
}

pub(super) fn assigned(cells: &[VariableId], values: &[NodeId]) -> List {
    let each = cells.iter().zip(values);
    each.map(|(&cell, &value)| Statement::Assign { cell, value })
        .collect()
}

impl Lowering<'_> {
    /// Puts a collective's loops at the end of a list. `later` is what follows in its list.
    pub(super) fn collective<'l>(
        &mut self,
        of: Collective<Levelled>,
        later: impl Iterator<Item = &'l Statement<Levelled>> + Clone,
        result: &mut List,
    ) {
        match of.op {
            CollectiveOp::Count { .. } => return self.count(&of, later, result),
            CollectiveOp::Rank { .. } => return self.rank(&of, result),
            CollectiveOp::Reduce
            | CollectiveOp::InclusiveScan
            | CollectiveOp::ExclusiveScan
            | CollectiveOp::Sort
            | CollectiveOp::Earlier => {}
        }
        let n = self.tables.nodes.literal(of.count).map_or(0, Literal::u32);
        let (Some(element), Some(combined), 1..) = (given(&of.source), given(&of.combine), n)
        else {
            return;
        };
        let nodes = &self.tables.nodes;
        let combining = Combining {
            level: of.level,
            left: of.left.clone(),
            right: of.right.clone(),
            types: element.iter().map(|part| nodes.ty(*part)).collect(),
            value: combined.to_vec(),
            list: self.list(of.combine.clone(), Level::Thread),
            name: of.op.name(),
            origin: of.origin,
        };
        let element = element.to_vec();
        if of.op == CollectiveOp::Earlier {
            return self.earlier(of, &combining, &element, result);
        }
        let initial: Vec<_> = of
            .initial
            .iter()
            .map(|initial| self.named(*initial, result))
            .collect();
        let start = self.start((of.op, n), &combining, &initial);
        let is_scan = matches!(
            of.op,
            CollectiveOp::InclusiveScan | CollectiveOp::ExclusiveScan
        );
        let only = match is_scan && self.by == Executed::ByOne {
            true => self.only_result(&of),
            false => None,
        };
        if let Some(start) = start {
            // Each of the chains of a reduction begins with this value, so only one that changes nothing may be there several times.
            let is_one = !waits(&combining) || self.identity(&combining).as_ref() == Some(&start);
            let of = match only.filter(|_| is_one) {
                Some(only) => self.as_reduction(of, &combining, only),
                None => of,
            };
            return self.as_loop(of, &combining, &start, result);
        }
        if is_scan {
            return self.scan(of, &combining, (&initial, only), result);
        }
        let Some(of) = self.by_lanes(of, &combining, result) else {
            return;
        };
        let elements = self.scratch(&combining, n, result);
        let mut source = self.list(of.source, Level::Thread);
        let at = self.variable(of.counter, ScalarType::U32);
        source.extend(combining.put(&elements, at, &element));
        self.step(&combining, (of.counter, of.count), source, result);
        let results = match of.op {
            CollectiveOp::Sort => self.sorted(&combining, (&elements, n), result),
            op => self.network(&combining, op, (&elements, n), result),
        };
        let at = self.variable(of.element, ScalarType::U32);
        let mut body = combining.read(&of.result, &results, at);
        body.extend(self.list(of.body, Level::Thread));
        // No barrier: behind it come other loops, and `barriers` sees to those.
        result.push(Statement::Loop {
            kind: LevelledLoop::ForAll(of.level),
            unroll: Unroll::Free,
            counter: of.element,
            bounds: [of.results],
            body,
        });
    }

    /// The steps between the elements and the results; the arrays that have these.
    pub(super) fn network(
        &mut self,
        of: &Combining,
        op: CollectiveOp,
        (elements, n): (&[ArrayId], u32),
        result: &mut List,
    ) -> Vec<ArrayId> {
        match op {
            CollectiveOp::Reduce => return self.reduce(of, elements, n, result),
            CollectiveOp::Sort => self.sort(of, elements, n, result),
            // `collective` has seen to them.
            CollectiveOp::InclusiveScan
            | CollectiveOp::ExclusiveScan
            | CollectiveOp::Earlier
            | CollectiveOp::Count { .. }
            | CollectiveOp::Rank { .. } => {}
        }
        elements.to_vec()
    }

    /// The fold of each row of neighbours from the left, in arrays of their own; the elements
    /// themselves if a row is one element. For a scan (`keep`), each element also becomes the fold
    /// up to it, in its place.
    ///
    /// An iteration accesses the elements of its row alone.
    pub(super) fn rows(
        &mut self,
        of: &Combining,
        elements: &[ArrayId],
        (n, row): (u32, u32),
        keep: bool,
        result: &mut List,
    ) -> (Vec<ArrayId>, u32) {
        if row == 1 {
            return (elements.to_vec(), n);
        }
        let rows = n.div_ceil(row);
        let totals = self.scratch(of, rows, result);
        let counter = self.fresh(VariableKind::Counter, ScalarType::U32);
        let number = self.variable(counter, ScalarType::U32);
        let [first, total] = [(); 2].map(|()| self.names(of));
        let [values, sums] = [&first, &total].map(|names| self.variables(names, &of.types));
        let cells = self.cells(of);
        let length = self.number(row);
        let start = self.tables.nodes.exact(BinaryOp::Mul, number, length);
        let mut body = of.read(&first, elements, start);
        body.extend(declared(&cells, &values));
        body.push(self.others(of, (elements, n, row), (start, &cells), keep));
        body.extend(of.get(&total, &cells));
        body.extend(of.put(&totals, number, &sums));
        let count = self.number(rows);
        self.step(of, (counter, count), body, result);
        (totals, rows)
    }

    /// Folds the elements of a row behind its first one into cells. The last row may be shorter.
    fn others(
        &mut self,
        of: &Combining,
        (elements, n, row): (&[ArrayId], u32, u32),
        (start, cells): (NodeId, &[VariableId]),
        keep: bool,
    ) -> Statement<Lowered> {
        let counter = self.fresh(VariableKind::Counter, ScalarType::U32);
        let inner = self.variable(counter, ScalarType::U32);
        let [all, length, one] = [n, row, 1].map(|n| self.number(n));
        let nodes = &mut self.tables.nodes;
        let left = nodes.exact(BinaryOp::Sub, all, start);
        let own = nodes.exact(BinaryOp::Min, length, left);
        let others = nodes.exact(BinaryOp::Sub, own, one);
        let behind = nodes.exact(BinaryOp::Add, inner, one);
        let at = nodes.exact(BinaryOp::Add, start, behind);
        let mut then = assigned(cells, &of.value);
        if keep {
            then.extend(of.put(elements, at, &of.value));
        }
        Statement::Loop {
            kind: LevelledLoop::Sequential(Level::Thread),
            unroll: Unroll::Free,
            counter,
            bounds: [others],
            body: of.apply([of.left_of_cells(cells), of.right(elements, at)], then),
        }
    }

    /// A step of the network: a loop that the threads share out, and a barrier behind it.
    pub(super) fn step(
        &mut self,
        of: &Combining,
        (counter, count): (VariableId, NodeId),
        body: List,
        result: &mut List,
    ) {
        result.push(Statement::Loop {
            kind: LevelledLoop::ForAll(of.level),
            unroll: Unroll::Free,
            counter,
            bounds: [count],
            body,
        });
        result.extend((of.level > Level::Thread).then_some(Statement::Wait { scope: of.level }));
    }

    /// Arrays that nothing else knows of, one for each component.
    pub(super) fn scratch(&mut self, of: &Combining, n: u32, result: &mut List) -> Vec<ArrayId> {
        let types = of.types.iter();
        types.map(|ty| self.array(of, *ty, n, result)).collect()
    }

    /// An array that nothing else knows of.
    pub(super) fn array(
        &mut self,
        of: &Combining,
        ty: ScalarType,
        n: u32,
        result: &mut List,
    ) -> ArrayId {
        let length = self.number(n);
        let array = self.tables.add_array(Array {
            name: of.name.to_owned(),
            ty,
            length,
            place: match of.level {
                Level::Thread => ArrayPlace::Held,
                Level::Warp | Level::Block | Level::Grid => ArrayPlace::Shared,
            },
            origin: of.origin,
        });
        result.push(Statement::Allocate { array, layout: () });
        array
    }

    /// A name for a value that is used more than once.
    fn named(&mut self, value: NodeId, result: &mut List) -> NodeId {
        if self.tables.nodes.node(value).is_leaf() {
            return value;
        }
        let ty = self.tables.nodes.ty(value);
        let variable = self.fresh(VariableKind::Let, ty);
        result.push(Statement::Let { variable, value });
        self.variable(variable, ty)
    }

    /// Fresh names for the components of an element.
    pub(super) fn names(&mut self, of: &Combining) -> Vec<VariableId> {
        let types = of.types.iter();
        types.map(|ty| self.fresh(VariableKind::Let, *ty)).collect()
    }

    /// Fresh cells for the components of an element.
    pub(super) fn cells(&mut self, of: &Combining) -> Vec<VariableId> {
        let types = of.types.iter();
        types
            .map(|ty| self.fresh(VariableKind::Cell, *ty))
            .collect()
    }

    pub(super) fn variables(
        &mut self,
        variables: &[VariableId],
        types: &[ScalarType],
    ) -> Vec<NodeId> {
        let each = variables.iter().zip(types);
        each.map(|(variable, ty)| self.variable(*variable, *ty))
            .collect()
    }

    pub(super) fn number(&mut self, n: u32) -> NodeId {
        self.tables.nodes.add_literal(Literal::from(n))
    }

    pub(super) fn fresh(&mut self, kind: VariableKind, ty: ScalarType) -> VariableId {
        self.tables.add_variable(ty, kind)
    }

    pub(super) fn variable(&mut self, variable: VariableId, ty: ScalarType) -> NodeId {
        self.tables.nodes.add(Node::Variable(variable), ty)
    }
}
