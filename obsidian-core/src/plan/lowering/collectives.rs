//! A collective as loops over an array of its own.

use super::Lowering;
use crate::error::Origin;
use crate::ir::{
    Collective, CollectiveOp, Level, Levelled, LevelledLoop, Lowered, Statement, Unroll, given, row,
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
    left: VariableId,
    right: VariableId,
    list: Vec<Statement<Lowered>>,
    /// What the list gives.
    pub(super) value: NodeId,
    /// Of the elements.
    pub(super) ty: ScalarType,
    name: &'static str,
    pub(super) origin: Origin,
}

impl Combining {
    /// The operator applied to two elements, which these statements bind, and what happens then.
    pub(super) fn apply(
        &self,
        operands: [Statement<Lowered>; 2],
        then: Vec<Statement<Lowered>>,
    ) -> Vec<Statement<Lowered>> {
        let list = self.list.iter().cloned();
        operands.into_iter().chain(list).chain(then).collect()
    }

    /// The operator applied to two elements of an array, the result stored in the place of the
    /// later one.
    pub(super) fn store(
        &self,
        array: ArrayId,
        [left, right]: [NodeId; 2],
        to: NodeId,
    ) -> Vec<Statement<Lowered>> {
        let operands = [self.left(array, left), self.right(array, right)];
        self.apply(operands, vec![self.put(array, to, self.value)])
    }

    pub(super) fn left(&self, array: ArrayId, index: NodeId) -> Statement<Lowered> {
        self.read(self.left, array, index)
    }

    pub(super) fn right(&self, array: ArrayId, index: NodeId) -> Statement<Lowered> {
        self.read(self.right, array, index)
    }

    /// The left operand is the present value of a cell.
    pub(super) fn left_of_cell(&self, cell: VariableId) -> Statement<Lowered> {
        Statement::Get {
            variable: self.left,
            cell,
        }
    }

    /// A cell combined with an element that stands behind what is in it.
    pub(super) fn combined_into(
        &self,
        cell: VariableId,
        element: NodeId,
    ) -> Vec<Statement<Lowered>> {
        let element = Statement::Let {
            variable: self.right,
            value: element,
        };
        let assign = Statement::Assign {
            cell,
            value: self.value,
        };
        self.apply([self.left_of_cell(cell), element], vec![assign])
    }

    /// Returns `true` if the operator is an expression of its operands and nothing else.
    pub(super) fn is_one_expression(&self) -> bool {
        self.list.is_empty()
    }

    pub(super) fn read(
        &self,
        variable: VariableId,
        array: ArrayId,
        index: NodeId,
    ) -> Statement<Lowered> {
        Statement::Read {
            variable,
            array,
            index,
            origin: self.origin,
        }
    }

    pub(super) fn put(&self, array: ArrayId, index: NodeId, value: NodeId) -> Statement<Lowered> {
        Statement::Store {
            array,
            index,
            value,
            origin: self.origin,
        }
    }

    /// The two operands as they are when they are bound: what a sort stores back, in exchange.
    pub(super) fn operands(&self, pass: &mut Lowering) -> [NodeId; 2] {
        [self.left, self.right].map(|variable| pass.variable(variable, self.ty))
    }
}

impl Lowering<'_> {
    /// Puts a collective's loops at the end of a list.
    pub(super) fn collective(
        &mut self,
        of: Collective<Levelled>,
        result: &mut Vec<Statement<Lowered>>,
    ) {
        let n = self.tables.nodes.literal(of.count).map_or(0, Literal::u32);
        let (Some(element), Some(combined), 1..) = (given(&of.source), given(&of.combine), n)
        else {
            return;
        };
        let combining = Combining {
            level: of.level,
            left: of.left,
            right: of.right,
            list: self.list(of.combine.clone(), Level::Thread),
            value: combined,
            ty: self.tables.nodes.ty(element),
            name: of.op.name(),
            origin: of.origin,
        };
        let initial = of.initial.map(|initial| self.named(initial, result));
        if let Some(start) = self.start(of.op, &combining, initial) {
            return self.as_loop(of, &combining, start, result);
        }
        let elements = self.scratch(&combining, n, result);
        let mut source = self.list(of.source, Level::Thread);
        let at = self.variable(of.counter, ScalarType::U32);
        source.push(combining.put(elements, at, element));
        self.step(&combining, (of.counter, of.count), source, result);
        let results = self.network(&combining, of.op, (elements, n), result);
        let at = self.variable(of.element, ScalarType::U32);
        let mut body = match initial {
            Some(initial) => self.behind(&combining, (results, at), initial, of.result),
            None => vec![combining.read(of.result, results, at)],
        };
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

    /// The steps between the elements and the results; the array that has these.
    fn network(
        &mut self,
        of: &Combining,
        op: CollectiveOp,
        (elements, n): (ArrayId, u32),
        result: &mut Vec<Statement<Lowered>>,
    ) -> ArrayId {
        match op {
            CollectiveOp::Reduce => return self.reduce(of, elements, n, result),
            CollectiveOp::InclusiveScan | CollectiveOp::ExclusiveScan => {
                self.scan(of, elements, n, result);
            }
            CollectiveOp::Sort => self.sort(of, elements, n, result),
        }
        elements
    }

    /// An exclusive result: the initial value, combined with the inclusive result before it.
    fn behind(
        &mut self,
        of: &Combining,
        (inclusive, at): (ArrayId, NodeId),
        initial: NodeId,
        result: VariableId,
    ) -> Vec<Statement<Lowered>> {
        let cell = self.fresh(VariableKind::Cell, of.ty);
        let [zero, one] = [0, 1].map(|n| self.number(n));
        let is_behind = self.tables.nodes.binary(BinaryOp::Lt, zero, at);
        let before = self.tables.nodes.exact(BinaryOp::Sub, at, one);
        let left = Statement::Let {
            variable: of.left,
            value: initial,
        };
        let assign = Statement::Assign {
            cell,
            value: of.value,
        };
        let then = of.apply([left, of.right(inclusive, before)], vec![assign]);
        vec![
            Statement::Declare {
                cell,
                value: initial,
            },
            Statement::If {
                condition: is_behind,
                then,
                otherwise: Vec::new(),
            },
            Statement::Get {
                variable: result,
                cell,
            },
        ]
    }

    /// The fold of each row of neighbours from the left, in an array of their own; the elements
    /// themselves if a row is one element. For a scan (`keep`), each element also becomes the fold
    /// up to it, in its place.
    ///
    /// An iteration accesses the elements of its row alone.
    pub(super) fn rows(
        &mut self,
        of: &Combining,
        elements: ArrayId,
        n: u32,
        keep: bool,
        result: &mut Vec<Statement<Lowered>>,
    ) -> (ArrayId, u32) {
        if row(n) == 1 {
            return (elements, n);
        }
        let rows = n.div_ceil(row(n));
        let totals = self.scratch(of, rows, result);
        let counter = self.fresh(VariableKind::Counter, ScalarType::U32);
        let number = self.variable(counter, ScalarType::U32);
        let [first, total] = [(); 2].map(|()| self.fresh(VariableKind::Let, of.ty));
        let [value, sum] = [first, total].map(|variable| self.variable(variable, of.ty));
        let cell = self.fresh(VariableKind::Cell, of.ty);
        let length = self.number(row(n));
        let start = self.tables.nodes.exact(BinaryOp::Mul, number, length);
        let body = vec![
            of.read(first, elements, start),
            Statement::Declare { cell, value },
            self.others(of, (elements, n), (start, cell), keep),
            Statement::Get {
                variable: total,
                cell,
            },
            of.put(totals, number, sum),
        ];
        let count = self.number(rows);
        self.step(of, (counter, count), body, result);
        (totals, rows)
    }

    /// Folds the elements of a row behind its first one into a cell. The last row may be shorter.
    fn others(
        &mut self,
        of: &Combining,
        (elements, n): (ArrayId, u32),
        (start, cell): (NodeId, VariableId),
        keep: bool,
    ) -> Statement<Lowered> {
        let counter = self.fresh(VariableKind::Counter, ScalarType::U32);
        let inner = self.variable(counter, ScalarType::U32);
        let [all, length, one] = [n, row(n), 1].map(|n| self.number(n));
        let nodes = &mut self.tables.nodes;
        let left = nodes.exact(BinaryOp::Sub, all, start);
        let own = nodes.exact(BinaryOp::Min, length, left);
        let others = nodes.exact(BinaryOp::Sub, own, one);
        let behind = nodes.exact(BinaryOp::Add, inner, one);
        let at = nodes.exact(BinaryOp::Add, start, behind);
        let mut then = vec![Statement::Assign {
            cell,
            value: of.value,
        }];
        then.extend(keep.then(|| of.put(elements, at, of.value)));
        Statement::Loop {
            kind: LevelledLoop::Sequential(Level::Thread),
            unroll: Unroll::Free,
            counter,
            bounds: [others],
            body: of.apply([of.left_of_cell(cell), of.right(elements, at)], then),
        }
    }

    /// A step of the network: a loop that the threads share out, and a barrier behind it.
    pub(super) fn step(
        &mut self,
        of: &Combining,
        (counter, count): (VariableId, NodeId),
        body: Vec<Statement<Lowered>>,
        result: &mut Vec<Statement<Lowered>>,
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

    /// An array that nothing else knows of.
    pub(super) fn scratch(
        &mut self,
        of: &Combining,
        n: u32,
        result: &mut Vec<Statement<Lowered>>,
    ) -> ArrayId {
        let length = self.number(n);
        let array = self.tables.add_array(Array {
            name: of.name.to_owned(),
            ty: of.ty,
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
    fn named(&mut self, value: NodeId, result: &mut Vec<Statement<Lowered>>) -> NodeId {
        if self.tables.nodes.node(value).is_leaf() {
            return value;
        }
        let ty = self.tables.nodes.ty(value);
        let variable = self.fresh(VariableKind::Let, ty);
        result.push(Statement::Let { variable, value });
        self.variable(variable, ty)
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
