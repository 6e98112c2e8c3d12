//! Which lanes have the same element: one instruction in place of a shuffle and a comparison for each lane.
//!
//! [`match_any`](crate::library::match_any) compares a lane's element with each of the others, and makes a bit of each
//! answer:
//!
//! ```text
//! (select((h[0] == h[i]), 1, 0) | select((h[1] == h[i]), 2, 0)) | ..
//! ```
//!
//! Hardware compares all lanes at once, bit by bit. So that is done for integers and booleans alone: a NaN equals none, and zeros of
//! both signs are equal.

use super::{Lanes, List, Pass, Taken};
use crate::error::Origin;
use crate::ir::{Lane, Layout, Shuffle, Statement, WARP};
use crate::scalar::{ArrayId, BinaryOp, Literal, Node, NodeId, ScalarType, VariableKind};

/// A lane's element, compared with the first elements of its array.
#[derive(Clone, Copy)]
pub(super) struct Compared {
    array: ArrayId,
    /// How many elements it is compared with.
    count: u32,
    origin: Origin,
}

impl Pass<'_> {
    /// What an expression compares, if it is the bits of such comparisons.
    pub(super) fn compared(&self, of: &Lanes, root: NodeId) -> Option<Compared> {
        if of.filled != WARP {
            return None;
        }
        let nodes = &self.tables.nodes;
        let (mut terms, mut rest) = (Vec::new(), root);
        while let Node::Binary {
            op: BinaryOp::Or,
            left,
            right,
            ..
        } = nodes.node(rest)
        {
            if terms.len() == WARP as usize {
                return None;
            }
            terms.push(right);
            rest = left;
        }
        terms.push(rest);
        let count = u32::try_from(terms.len()).ok()?;
        if !(2..=WARP).contains(&count) {
            return None;
        }
        let mut found = None;
        for (element, term) in (0..).zip(terms.into_iter().rev()) {
            let (array, origin) = self.bit(of, element, term)?;
            if found.is_some_and(|(other, _)| other != array) {
                return None;
            }
            found = Some((array, origin));
        }
        let (array, origin) = found?;
        let is_one_slot = matches!(
            self.layouts.get(&array)?,
            Layout::Striped | Layout::Blocked(1)
        );
        (is_one_slot && !self.tables.array(array).ty.is_float()).then_some(Compared {
            array,
            count,
            origin,
        })
    }

    /// The array of which a term compares element number `element` with the lane's own.
    fn bit(&self, of: &Lanes, element: u32, term: NodeId) -> Option<(ArrayId, Origin)> {
        let nodes = &self.tables.nodes;
        let is = |id: NodeId, n: u32| nodes.literal(id).is_some_and(|x| x == Literal::from(n));
        let Node::Select {
            condition,
            then,
            otherwise,
        } = nodes.node(term)
        else {
            return None;
        };
        let Node::Binary {
            op: BinaryOp::Eq,
            left,
            right,
            ..
        } = nodes.node(self.named(condition))
        else {
            return None;
        };
        if !is(then, 1 << element) || !is(otherwise, 0) {
            return None;
        }
        let load = |id: NodeId| nodes.node(self.named(id)).load();
        let ((array, one), (other, two)) = (load(left)?, load(right)?);
        let is_own = |index: NodeId| self.offset(of, index) == Some(0);
        let is_term = is(one, element) && is_own(two) || is(two, element) && is_own(one);
        (array == other && is_term).then(|| (array, nodes.origin(self.named(left))))
    }

    /// The bits of the lanes that have the same as this one.
    pub(super) fn equal(
        &mut self,
        of: &Lanes,
        (root, compared): (NodeId, Compared),
        taken: &mut Taken,
        result: &mut List,
    ) -> NodeId {
        if let Some(known) = taken.get(&root) {
            return *known;
        }
        let place = (compared.array, Layout::Striped, compared.origin);
        let value = self.own_or_zero(of, place, (of.counter, None));
        let variable = self.tables.add_variable(ScalarType::U32, VariableKind::Let);
        let shuffle = Shuffle {
            variable,
            value,
            from: Lane::Equal,
            origin: compared.origin,
        };
        result.push(Statement::Shuffle((), shuffle));
        let mut lanes = self.variable(variable);
        if compared.count < WARP {
            let elements = self.number((1 << compared.count) - 1);
            lanes = self.tables.nodes.binary(BinaryOp::And, lanes, elements);
        }
        taken.insert(root, lanes);
        lanes
    }
}
