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
use crate::scalar::{ArrayId, BinaryOp, Node, NodeId, ScalarType, VariableKind};

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
        let digits = combining.types[0].bytes();
        let mut arrays = [elements[0], self.scratch(combining, n, result)[0]];
        let counts = self.array(combining, ScalarType::U32, VALUES * digits, result);
        let mut pass = Digits {
            lowering: self,
            of: combining,
            counts,
            order,
        };
        let mut body = vec![pass.no_counts(digits), pass.counted(arrays[0], (n, digits))];
        for digit in 0..digits {
            body.extend(pass.places(digit));
            body.push(pass.put(arrays, (n, digit)));
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

    /// A loop of one thread.
    fn counted_to(
        &mut self,
        n: u32,
        body: impl FnOnce(&mut Self, NodeId) -> List,
    ) -> Statement<Lowered> {
        let counter = self.fresh(VariableKind::Counter, ScalarType::U32);
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

/// The loops of one sort.
struct Digits<'l, 'k> {
    lowering: &'l mut Lowering<'k>,
    of: &'l Combining,
    /// For each digit and each of its values a number: of elements, and then the place of the next one.
    counts: ArrayId,
    order: Order,
}

impl Digits<'_, '_> {
    fn no_counts(&mut self, digits: u32) -> Statement<Lowered> {
        let (of, counts) = (self.of, self.counts);
        self.lowering.counted_to(VALUES * digits, |lowering, at| {
            of.put(&[counts], at, &[lowering.number(0)])
        })
    }

    /// How many elements have each value, for all digits.
    fn counted(&mut self, elements: ArrayId, (n, digits): (u32, u32)) -> Statement<Lowered> {
        let (of, counts, order) = (self.of, self.counts, self.order);
        self.lowering.counted_to(n, |lowering, at| {
            let (mut list, x) = lowering.element_of(of, elements, at);
            for digit in 0..digits {
                list.extend(lowering.next(of, (counts, order), (x, digit)).0);
            }
            list
        })
    }

    /// The counts of a digit become the places of the first element with each value.
    fn places(&mut self, digit: u32) -> List {
        let (of, counts) = (self.of, self.counts);
        let cell = self.lowering.fresh(VariableKind::Cell, ScalarType::U32);
        let [zero, first] = [0, digit * VALUES].map(|n| self.lowering.number(n));
        let each = self.lowering.counted_to(VALUES, |lowering, at| {
            let at = lowering.tables.nodes.exact(BinaryOp::Add, first, at);
            let (mut list, count) = lowering.element_of(of, counts, at);
            let variable = lowering.fresh(VariableKind::Let, ScalarType::U32);
            list.push(Statement::Get { variable, cell });
            let before = lowering.variable(variable, ScalarType::U32);
            list.extend(of.put(&[counts], at, &[before]));
            let value = lowering.tables.nodes.exact(BinaryOp::Add, before, count);
            list.push(Statement::Assign { cell, value });
            list
        });
        vec![Statement::Declare { cell, value: zero }, each]
    }

    /// Each element of one array goes to its place in the other.
    fn put(&mut self, [from, to]: [ArrayId; 2], (n, digit): (u32, u32)) -> Statement<Lowered> {
        let (of, counts, order) = (self.of, self.counts, self.order);
        self.lowering.counted_to(n, |lowering, at| {
            let (mut list, x) = lowering.element_of(of, from, at);
            let (next, place) = lowering.next(of, (counts, order), (x, digit));
            list.extend(next);
            list.extend(of.put(&[to], place, &[x]));
            list
        })
    }
}

impl Lowering<'_> {
    /// The number of an element's digit, which goes up by 1.
    fn next(
        &mut self,
        of: &Combining,
        (counts, order): (ArrayId, Order),
        (x, digit): (NodeId, u32),
    ) -> (List, NodeId) {
        let at = self.digit(x, digit, order);
        let (mut list, number) = self.element_of(of, counts, at);
        let one = self.number(1);
        let next = self.tables.nodes.exact(BinaryOp::Add, number, one);
        list.extend(of.put(&[counts], at, &[next]));
        (list, number)
    }

    /// An element of an array under a name.
    fn element_of(&mut self, of: &Combining, array: ArrayId, index: NodeId) -> (List, NodeId) {
        let ty = self.tables.array(array).ty;
        let name = self.fresh(VariableKind::Let, ty);
        let list = of.read(&[name], &[array], index);
        (list, self.variable(name, ty))
    }

    /// Where the number of an element's digit is, the last digit being number 0.
    fn digit(&mut self, x: NodeId, digit: u32, order: Order) -> NodeId {
        let ty = self.tables.nodes.ty(x);
        // The bits of a smaller element are those of a smaller number, but for the sign.
        let is_signed = digit + 1 == ty.bytes() && ty.is_signed();
        let turned = match (is_signed, order) {
            (false, Order::SmallestFirst) => 0,
            (true, Order::SmallestFirst) => VALUES / 2,
            (false, Order::LargestFirst) => VALUES - 1,
            (true, Order::LargestFirst) => VALUES / 2 - 1,
        };
        let [bits, values, turned, first] =
            [8 * digit, VALUES - 1, turned, digit * VALUES].map(|n| self.number(n));
        let nodes = &mut self.tables.nodes;
        let moved = nodes.binary(BinaryOp::Shr, x, bits);
        let low = nodes.cast(ScalarType::U32, moved);
        let value = nodes.binary(BinaryOp::And, low, values);
        let value = nodes.binary(BinaryOp::Xor, value, turned);
        nodes.exact(BinaryOp::Add, first, value)
    }
}
