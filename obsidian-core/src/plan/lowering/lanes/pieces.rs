//! The statements that reductions and scans are made of.

use super::super::Lowering;
use super::super::collectives::{List, bound};
use super::{Rows, WRITTEN_OUT};
use crate::ir::{Level, LevelledLoop, Lowered, Statement, Unroll, substitute};
use crate::scalar::{
    ArrayId, BinaryOp, Literal, Node, NodeId, ScalarType, VariableId, VariableKind,
};

impl Lowering<'_> {
    /// Element `at` of the collective, computed by its list, whose names are new ones each time: it may
    /// stand in one scope more than once.
    pub(in super::super) fn element(&mut self, of: &Rows<'_>, at: NodeId) -> (List, Vec<NodeId>) {
        let (mut list, element) = self.elements(of.of, of.combining);
        substitute(&mut self.tables.nodes, &mut list, of.of.counter, at);
        for n in 0..of.of.source.len() {
            let (before, behind) = list.split_at_mut(n + 1);
            if let (Some(Statement::Let { variable, .. }), Statement::Let { .. }) =
                (before.last_mut(), &of.of.source[n])
            {
                let ty = self.tables.variable(*variable).ty;
                let name = self.tables.add_variable(ty, VariableKind::Let);
                let value = self.tables.nodes.add(Node::Variable(name), ty);
                substitute(&mut self.tables.nodes, behind, *variable, value);
                *variable = name;
            }
        }
        (list, element)
    }

    /// Two elements combined; the result has names.
    pub(in super::super) fn combined(
        &mut self,
        of: &Rows<'_>,
        [left, right]: [&[NodeId]; 2],
        list: &mut List,
    ) -> Vec<NodeId> {
        let names = self.names(of.combining);
        let mut own = bound(&names, &of.combining.value);
        let operands = of.of.left.iter().chain(&of.of.right);
        for (variable, value) in operands.zip(left.iter().chain(right)) {
            substitute(&mut self.tables.nodes, &mut own, *variable, *value);
        }
        list.extend(own);
        self.variables(&names, &of.combining.types)
    }

    /// One of two elements; the result has names.
    pub(in super::super) fn chosen(
        &mut self,
        of: &Rows<'_>,
        condition: NodeId,
        [then, otherwise]: [&[NodeId]; 2],
        list: &mut List,
    ) -> Vec<NodeId> {
        let names = self.names(of.combining);
        let nodes = &mut self.tables.nodes;
        let values: Vec<_> = then
            .iter()
            .zip(otherwise)
            .map(|(then, otherwise)| nodes.select(condition, *then, *otherwise))
            .collect();
        list.extend(bound(&names, &values));
        self.variables(&names, &of.combining.types)
    }

    /// What cells have now.
    pub(in super::super) fn present(
        &mut self,
        of: &Rows<'_>,
        cells: &[VariableId],
        list: &mut List,
    ) -> Vec<NodeId> {
        let names = self.names(of.combining);
        list.extend(of.combining.get(&names, cells));
        self.variables(&names, &of.combining.types)
    }

    /// What arrays have at an index.
    pub(in super::super) fn stored(
        &mut self,
        of: &Rows<'_>,
        arrays: &[ArrayId],
        at: NodeId,
        list: &mut List,
    ) -> Vec<NodeId> {
        let names = self.names(of.combining);
        list.extend(of.combining.read(&names, arrays, at));
        self.variables(&names, &of.combining.types)
    }

    pub(in super::super) fn zeros(&mut self, of: &Rows<'_>) -> Vec<NodeId> {
        let types = of.combining.types.iter();
        types
            .map(|ty| self.tables.nodes.add_literal(Literal::zero(*ty)))
            .collect()
    }

    /// A list that is there for `i` below `n`, which is always so if `is_always`.
    pub(in super::super) fn unless(
        &mut self,
        is_always: bool,
        (i, n): (NodeId, u32),
        list: List,
    ) -> List {
        match is_always {
            true => list,
            false => vec![self.when_below(i, n, list)],
        }
    }

    pub(in super::super) fn when_below(
        &mut self,
        i: NodeId,
        n: u32,
        then: List,
    ) -> Statement<Lowered> {
        let n = self.number(n);
        Statement::If {
            condition: self.tables.nodes.binary(BinaryOp::Lt, i, n),
            then,
            otherwise: Vec::new(),
        }
    }

    /// Where what belongs to element `k` of row `i` is kept.
    pub(in super::super) fn place(&mut self, of: &Rows<'_>, i: NodeId, k: NodeId) -> NodeId {
        let start = self.scaled(k, of.stored(1));
        self.sum(start, i)
    }

    pub(in super::super) fn counted(&mut self) -> (VariableId, NodeId) {
        let counter = self.fresh(VariableKind::Counter, ScalarType::U32);
        (counter, self.variable(counter, ScalarType::U32))
    }

    pub(in super::super) fn sum(&mut self, x: NodeId, y: NodeId) -> NodeId {
        self.tables.nodes.exact(BinaryOp::Add, x, y)
    }

    pub(in super::super) fn scaled(&mut self, x: NodeId, n: u32) -> NodeId {
        let n = self.number(n);
        self.tables.nodes.exact(BinaryOp::Mul, x, n)
    }

    pub(in super::super) fn divided(&mut self, x: NodeId, n: u32) -> NodeId {
        let n = self.number(n);
        self.tables.nodes.exact(BinaryOp::Div, x, n)
    }

    /// A loop of one thread, written out if it is short.
    pub(in super::super) fn in_order(
        &mut self,
        (counter, rounds): (VariableId, u32),
        body: List,
    ) -> Statement<Lowered> {
        Statement::Loop {
            kind: LevelledLoop::Sequential(Level::Thread),
            unroll: match rounds <= WRITTEN_OUT {
                true => Unroll::Always,
                false => Unroll::Free,
            },
            counter,
            bounds: [self.number(rounds)],
            body,
        }
    }

    pub(in super::super) fn shared_out(
        &mut self,
        of: &Rows<'_>,
        (counter, count): (VariableId, u32),
        body: List,
    ) -> Statement<Lowered> {
        Statement::Loop {
            kind: LevelledLoop::ForAll(of.of.level),
            unroll: Unroll::Free,
            counter,
            bounds: [self.number(count)],
            body,
        }
    }

    /// A loop that the threads share out, and a wait behind it.
    pub(in super::super) fn step_of(
        &mut self,
        of: &Rows<'_>,
        (counter, count): (VariableId, u32),
        body: List,
        result: &mut List,
    ) {
        let count = self.number(count);
        self.step(of.combining, (counter, count), body, result);
    }
}
