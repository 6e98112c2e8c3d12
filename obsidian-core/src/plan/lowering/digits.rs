//! Sorts as one thread computes them: by the digits of the elements, from the last one to the first.
//!
//! For each byte of an element: the elements are counted by it, the counts become places, and a pass over
//! the elements puts each to its place. That is a few instructions an element and byte, where a network of
//! 1,024 elements has 55 steps.
//!
//! The order that a sort leaves elements in which are neither before nor after each other is that of its
//! network, everywhere. So only elements are sorted by digits for which there is no such order to be seen:
//! integers that are compared as they are, of which equal ones are the same.

use super::collectives::{Combining, List};
use super::{Executed, Lowering};
use crate::ir::{CollectiveOp, Level, LevelledLoop, Lowered, Statement, Unroll};
use crate::scalar::{
    ArrayId, BinaryOp, Literal, Node, NodeId, ScalarType, VariableId, VariableKind,
};

/// The values of a digit.
const VALUES: u32 = 256;

/// The least number of elements that are sorted so: for fewer, the counts of all values take longer than a network.
const LEAST: u32 = 256;

/// Which of two elements comes first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    SmallestFirst,
    LargestFirst,
}

impl Lowering<'_> {
    /// The arrays that have the elements in order: by digits, if one thread does it and may, else by the network.
    pub(super) fn sorted(
        &mut self,
        combining: &Combining,
        elements: (&[ArrayId], u32),
        result: &mut List,
    ) -> Vec<ArrayId> {
        match self.by_digits(combining, elements, result) {
            Some(sorted) => vec![sorted],
            None => self.network(combining, CollectiveOp::Sort, elements, result),
        }
    }

    /// The array that has the elements in order, or `None` if it has to be a network.
    fn by_digits(
        &mut self,
        combining: &Combining,
        (elements, n): (&[ArrayId], u32),
        result: &mut List,
    ) -> Option<ArrayId> {
        if self.by != Executed::ByOne || n < LEAST {
            return None;
        }
        let order = self.order(combining)?;
        let ty = combining.types[0];
        let digits = ty.bytes();
        let mut arrays = [elements[0], self.scratch(combining, n, result)[0]];
        let counts = self.array(combining, ScalarType::U32, VALUES * digits, result);
        let zero = self.number(0);
        let mut body = vec![self.counted_to(VALUES * digits, |pass, at| {
            combining.put_one(counts, at, pass.number(0))
        })];
        body.push(self.counted_to(n, |pass, at| {
            let (mut list, x) = pass.element_of(combining, arrays[0], (at, ty));
            for digit in 0..digits {
                let place = pass.digit(x, digit, order);
                let (taken, count) = pass.element_of(combining, counts, (place, ScalarType::U32));
                list.extend(taken);
                let next = pass.after(count);
                list.extend(combining.put_one(counts, place, next));
            }
            list
        }));
        for digit in 0..digits {
            body.extend(self.places(combining, counts, (digit, zero)));
            let [from, to] = arrays;
            body.push(self.counted_to(n, |pass, at| {
                let (mut list, x) = pass.element_of(combining, from, (at, ty));
                let place = pass.digit(x, digit, order);
                let (taken, count) = pass.element_of(combining, counts, (place, ScalarType::U32));
                list.extend(taken);
                list.extend(combining.put_one(to, count, x));
                let next = pass.after(count);
                list.extend(combining.put_one(counts, place, next));
                list
            }));
            arrays.swap(0, 1);
        }
        self.by_one_iteration(combining.level, body, result);
        Some(arrays[0])
    }

    /// The order of integers that an operator compares as they are.
    fn order(&mut self, of: &Combining) -> Option<Order> {
        let [ty] = of.types[..] else { return None };
        if !of.is_one_expression() || !ty.is_integer() {
            return None;
        }
        let Node::Binary {
            op, left, right, ..
        } = self.tables.nodes.node(of.value[0])
        else {
            return None;
        };
        let [lefts, rights] = of.operands(self);
        let is_smaller = match op {
            BinaryOp::Lt | BinaryOp::Le => true,
            BinaryOp::Gt | BinaryOp::Ge => false,
            _ => return None,
        };
        let in_turn = [left, right] == [lefts[0], rights[0]];
        if !in_turn && [right, left] != [lefts[0], rights[0]] {
            return None;
        }
        Some(match is_smaller == in_turn {
            true => Order::SmallestFirst,
            false => Order::LargestFirst,
        })
    }

    /// Where the count of an element's digit is, the last digit being number 0.
    fn digit(&mut self, x: NodeId, digit: u32, order: Order) -> NodeId {
        let ty = self.tables.nodes.ty(x);
        let [values, first] = [VALUES - 1, digit * VALUES].map(|n| self.number(n));
        let nodes = &mut self.tables.nodes;
        // The bits of a smaller element are those of a smaller number, but for the sign.
        let is_last = digit + 1 == ty.bytes();
        let turned = match (is_last && ty.is_signed(), order) {
            (false, Order::SmallestFirst) => 0,
            (true, Order::SmallestFirst) => VALUES / 2,
            (false, Order::LargestFirst) => VALUES - 1,
            (true, Order::LargestFirst) => VALUES / 2 - 1,
        };
        let bits = nodes.add_literal(Literal::from(8 * digit));
        let moved = match digit {
            0 => x,
            _ => nodes.binary(BinaryOp::Shr, x, bits),
        };
        let low = nodes.cast(ScalarType::U32, moved);
        let value = nodes.binary(BinaryOp::And, low, values);
        let turned = nodes.add_literal(Literal::from(turned));
        let value = nodes.binary(BinaryOp::Xor, value, turned);
        nodes.exact(BinaryOp::Add, first, value)
    }

    /// The counts of a digit become the places of the first element with each value.
    fn places(&mut self, of: &Combining, counts: ArrayId, (digit, zero): (u32, NodeId)) -> List {
        let cell = self.fresh(VariableKind::Cell, ScalarType::U32);
        let first = self.number(digit * VALUES);
        let each = self.counted_to(VALUES, |pass, at| {
            let at = pass.tables.nodes.exact(BinaryOp::Add, first, at);
            let (mut list, count) = pass.element_of(of, counts, (at, ScalarType::U32));
            let name = pass.fresh(VariableKind::Let, ScalarType::U32);
            list.push(Statement::Get {
                variable: name,
                cell,
            });
            let before = pass.variable(name, ScalarType::U32);
            list.extend(of.put_one(counts, at, before));
            let value = pass.tables.nodes.exact(BinaryOp::Add, before, count);
            list.push(Statement::Assign { cell, value });
            list
        });
        vec![Statement::Declare { cell, value: zero }, each]
    }

    /// An element of an array under a name.
    fn element_of(
        &mut self,
        of: &Combining,
        array: ArrayId,
        (index, ty): (NodeId, ScalarType),
    ) -> (List, NodeId) {
        let name = self.fresh(VariableKind::Let, ty);
        let list = of.read(&[name], &[array], index);
        (list, self.variable(name, ty))
    }

    fn after(&mut self, count: NodeId) -> NodeId {
        let one = self.number(1);
        self.tables.nodes.exact(BinaryOp::Add, count, one)
    }

    /// A loop of one thread.
    fn counted_to(
        &mut self,
        n: u32,
        body: impl FnOnce(&mut Self, NodeId) -> List,
    ) -> Statement<Lowered> {
        let counter: VariableId = self.fresh(VariableKind::Counter, ScalarType::U32);
        let at = self.variable(counter, ScalarType::U32);
        Statement::Loop {
            kind: LevelledLoop::Sequential(Level::Thread),
            unroll: Unroll::Free,
            counter,
            bounds: [self.number(n)],
            body: body(self, at),
        }
    }
}
