//! What is known of a loop's counter, and of what its count is made of.
//!
//! *Claim.* In a round of a loop, the counter is below the count, and each part of the count without which
//! there would be no rounds is at least 1.
//!
//! *Argument.* If the greatest value of the count is 0 with 0 in the place of a part, the part is not 0
//! where a round is executed: both factors of a product are at least 1, and a length of which there are
//! `n.div_ceil(256)` pieces.

use super::facts::TOP;
use super::forms::{Forms, PAIR};
use super::poly::{Atom, Poly};
use crate::scalar::{BinaryOp, Node, NodeId, ScalarType, VariableId};

/// How deep an expression is looked into for its greatest value.
const MOST_LOOKED_AT: u32 = 8;
/// Numbers that a count is made of, that are looked at.
const MOST_PARTS: usize = 12;

impl Forms<'_> {
    /// Binds the counter of a loop, by the loop's number; `rounds` is the node of the count.
    pub(super) fn counter(
        &mut self,
        variable: VariableId,
        number: u32,
        count: &Poly,
        rounds: NodeId,
    ) -> Atom {
        // The range of an atom holds wherever it occurs, also where less is known than here.
        let high = self.most(rounds, 0, None) - 1;
        let number = number + self.pair * PAIR;
        let atom = self.facts.counter(number, count, high.max(0));
        self.counters.insert(variable, Poly::atom(atom));
        self.facts.add(count.sub(&Poly::atom(atom)).shift(-1));
        if let Some(n) = count.as_number().filter(|n| *n <= 0) {
            self.facts.add(Poly::number(n - 1));
        }
        atom
    }

    /// Learns that a loop has a round: what its count is 0 without is at least 1, a factor of a
    /// product, and a length of which there are `n.div_ceil(256)` pieces; and of a count that is 0 unless a condition holds, that it does.
    pub(super) fn has_rounds(&mut self, count: NodeId) {
        let mut count = count;
        while let Some((condition, holds, rounds)) = self.rounds_under(count) {
            self.assume(condition, holds);
            count = rounds;
        }
        for part in self.parts_of_count(count) {
            if self.most(count, 0, Some(part)) == 0 {
                let least = self.value(part).shift(-1);
                self.facts.add(least);
            }
        }
    }

    /// The condition under which a count is not 0, and what it is then.
    fn rounds_under(&self, count: NodeId) -> Option<(NodeId, bool, NodeId)> {
        let nodes = &self.tables.nodes;
        let Node::Select {
            condition,
            then,
            otherwise,
        } = nodes.node(self.behind_names(count))
        else {
            return None;
        };
        let is_0 = |id| {
            nodes
                .literal(self.behind_names(id))
                .and_then(|n| n.as_integer())
                == Some(0)
        };
        match (is_0(then), is_0(otherwise)) {
            (true, false) => Some((condition, false, otherwise)),
            (false, true) => Some((condition, true, then)),
            _ => None,
        }
    }

    /// Some of the numbers that a count is made of, without itself and fixed ones.
    fn parts_of_count(&self, count: NodeId) -> Vec<NodeId> {
        let nodes = &self.tables.nodes;
        let (mut stack, mut found) = (vec![count], Vec::new());
        while let Some(id) = stack.pop() {
            match nodes.node(id) {
                Node::Variable(variable) if self.names.contains_key(&variable) => {
                    stack.extend(self.names.get(&variable));
                    continue;
                }
                Node::Binary { left, right, .. } if nodes.ty(id) == ScalarType::U32 => {
                    stack.extend([right, left]);
                }
                _ => {}
            }
            let fixed = nodes.literal(id).is_some() || nodes.ty(id) != ScalarType::U32;
            if id != count && !fixed && !found.contains(&id) {
                found.push(id);
            }
            if found.len() >= MOST_PARTS {
                break;
            }
        }
        found
    }

    /// A number that an expression does not exceed anywhere, whatever is known, and one part of it
    /// is 0.
    fn most(&self, id: NodeId, depth: u32, none: Option<NodeId>) -> i128 {
        let nodes = &self.tables.nodes;
        if Some(id) == none {
            return 0;
        }
        if depth > MOST_LOOKED_AT {
            return TOP;
        }
        let of = |id: NodeId| self.most(id, depth + 1, none);
        let fits = |n: i128| if n <= TOP { n } else { TOP };
        let divisor = |id: NodeId| {
            nodes
                .literal(id)
                .map(|n| i128::from(n.u32()))
                .filter(|n| *n > 0)
        };
        match nodes.node(id) {
            Node::Literal(literal) if literal.ty() == ScalarType::U32 => literal.u32().into(),
            Node::Variable(variable) => {
                match (self.counters.get(&variable), self.names.get(&variable)) {
                    (Some(counter), _) => self.facts.range(counter).map_or(TOP, |(_, high)| high),
                    (None, Some(value)) => of(*value),
                    (None, None) => TOP,
                }
            }
            Node::Binary {
                op, left, right, ..
            } if nodes.ty(left) == ScalarType::U32 => match op {
                BinaryOp::Min => of(left).min(of(right)),
                BinaryOp::Max => of(left).max(of(right)),
                BinaryOp::Add => fits(of(left) + of(right)),
                BinaryOp::Mul => fits(of(left) * of(right)),
                BinaryOp::And => of(left).min(of(right)),
                BinaryOp::Div => of(left) / divisor(right).unwrap_or(1),
                BinaryOp::Rem => divisor(right).map_or(of(left), |n| of(left).min(n - 1)),
                BinaryOp::Shr => of(left),
                _ => TOP,
            },
            Node::Select {
                then, otherwise, ..
            } => of(then).max(of(otherwise)),
            Node::Cast { value } => match nodes.ty(value).range() {
                Some((0, most)) => most.min(TOP),
                _ => TOP,
            },
            _ => TOP,
        }
    }
}
