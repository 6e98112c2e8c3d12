//! Conditions as facts, and what is chosen by them.
//!
//! A comparison of numbers is one fact or two, `&` of conditions is the facts of both; of anything
//! else nothing is learnt. The arms of a `select` are each looked at under its condition. Of a
//! number of `i32` that is found not to be negative, it is learnt that the same bits as a `u32` are
//! below 2^31: so signed guards bound what is cast. Of a number of 64 bits that is found to fit a `u32`, it is learnt that its lower
//! half is that number.

use super::facts::{Kind, TOP};
use super::forms::{Forms, SIGN};
use super::poly::Poly;
use crate::scalar::{BinaryOp, Node, NodeId, ScalarType, UnaryOp};

impl Forms<'_> {
    pub(super) fn select(
        &mut self,
        id: NodeId,
        condition: NodeId,
        then: NodeId,
        otherwise: NodeId,
    ) -> Poly {
        let arms = if self.is_sparing(id) {
            [then, otherwise].map(|value| Some(self.ranged(value)))
        } else {
            [(true, then), (false, otherwise)]
                .map(|(holds, value)| self.arm(id, (condition, holds), value))
        };
        let [x, y] = arms;
        match (x, y) {
            // Once more, so that what is learnt on the way is known here: only this arm is chosen.
            (None, Some(_)) => self.value(otherwise),
            (Some(_), None) => self.value(then),
            (Some((x, a)), Some((y, b))) => {
                if x == y {
                    return x;
                }
                let below = self.below_0(id);
                let (low, high) = (a.0.min(b.0) + below, a.1.max(b.1) + below);
                if self.pair > 0 {
                    return match below {
                        0 => self.opaque(id, low, high),
                        // An opaque atom stands for the bits.
                        _ => self.opaque(id, 0, TOP),
                    };
                }
                let atom = self.facts.atom(Kind::Select(id, low, high), low, high);
                if self.facts.is_open(atom)
                    && let Some(facts) = self.condition(condition, true)
                {
                    let arms = [x.shift(below), y.shift(below)];
                    self.facts.chosen(atom, &facts, &arms);
                }
                self.facts.value_of(atom).shift(-below)
            }
            (None, None) => Poly::default(),
        }
    }

    /// The value of an arm and its range; `None` if it is never chosen.
    fn arm(
        &mut self,
        select: NodeId,
        (condition, holds): (NodeId, bool),
        value: NodeId,
    ) -> Option<(Poly, (i128, i128))> {
        let mark = self.enter();
        self.assume(condition, holds);
        let arm = (!self.facts.is_absurd()).then(|| self.ranged(value));
        // What is inexact under the condition is so in the whole, where the arm is forgotten.
        let inexact = arm.is_some() && self.is_inexact(value);
        self.leave(mark);
        if inexact {
            self.inexact.insert(select);
        }
        arm
    }

    /// The number that an expression is, and its range.
    fn ranged(&mut self, id: NodeId) -> (Poly, (i128, i128)) {
        let value = self.value(id);
        let below = self.below_0(id);
        let (low, high) = self.facts.range(&value).unwrap_or((-below, TOP));
        (value, (low.max(-below), high.min(TOP - below)))
    }

    /// How far below 0 the values of an expression may be: atoms are never negative, and stand for
    /// a number that much greater.
    pub(super) fn below_0(&self, id: NodeId) -> i128 {
        match self.tables.nodes.ty(id) == ScalarType::I32 {
            true => SIGN,
            false => 0,
        }
    }

    /// The value of the chosen arm of a `select`, under its condition, which is assumed from here
    /// on.
    pub(super) fn chosen(&mut self, select: NodeId, holds: bool) -> Option<Poly> {
        let Node::Select {
            condition,
            then,
            otherwise,
        } = self.tables.nodes.node(select)
        else {
            return None;
        };
        self.assume(condition, holds);
        let value = self.value(if holds { then } else { otherwise });
        Some(value.shift(self.below_0(select)))
    }

    /// Learns that a condition holds, or does not.
    pub(super) fn assume(&mut self, condition: NodeId, holds: bool) {
        let learn = |forms: &mut Self| {
            for fact in forms.implied(condition, holds) {
                forms.facts.add(fact);
            }
        };
        learn(self);
        // What one number is found to be may bound the next one.
        for _ in 0..2 {
            if !self.learn_signs(condition) {
                break;
            }
            // Without a sign, what is compared are the same numbers as those of `u32`.
            learn(self);
        }
    }

    /// Learns of the numbers of `i32` in a condition which of them are not negative: as numbers of
    /// `u32` they are below 2^31; and of those of 64 bits which of them fit 32.
    fn learn_signs(&mut self, condition: NodeId) -> bool {
        let nodes = &self.tables.nodes;
        let (mut stack, mut learnt) = (vec![condition], false);
        while let Some(id) = stack.pop() {
            match nodes.node(id) {
                Node::Variable(variable) => stack.extend(self.names.get(&variable)),
                Node::Unary {
                    op: UnaryOp::Not,
                    value,
                } => stack.push(value),
                Node::Binary { left, right, .. } if nodes.ty(left) == ScalarType::Bool => {
                    stack.extend([left, right]);
                }
                Node::Binary { left, right, .. } if nodes.ty(left) == ScalarType::I32 => {
                    for operand in [left, right] {
                        let (bits, number) = (self.ring(operand), self.value(operand));
                        if bits == number || !self.prove(&number) {
                            continue;
                        }
                        if self.fits(&bits) {
                            // Numbers of 32 bits that are equal modulo 2^32 are equal.
                            self.facts.add(Poly::number(SIGN - 1).sub(&bits));
                            self.facts.add(bits.sub(&number));
                            self.facts.add(number.sub(&bits));
                            learnt = true;
                        } else if let Some(same) = self.wrapped_to(&bits) {
                            // Without its sign it is the same number.
                            self.facts.add(same.sub(&number));
                            self.facts.add(number.sub(&same));
                        }
                    }
                }
                Node::Binary { left, right, .. } if self.is_wide(left) => {
                    for operand in [left, right] {
                        learnt |= self.learn_half(operand);
                    }
                }
                _ => {}
            }
        }
        learnt
    }

    /// Learns that a number of 64 bits which fits 32 is its lower half.
    fn learn_half(&mut self, operand: NodeId) -> bool {
        let (bits, number) = (self.ring(operand), self.value(operand));
        if bits == number || !self.prove(&number) || !self.fits(&number) {
            return false;
        }
        // Numbers of 32 bits that are equal modulo 2^32 are equal.
        let half = match self.fits(&bits) {
            true => Some(bits),
            false => self.wrapped_to(&bits),
        };
        if let Some(half) = &half {
            self.facts.add(half.sub(&number));
            self.facts.add(number.sub(half));
        }
        half.is_some()
    }

    /// What is not negative if a condition holds, or does not; `None` if that is not all that it
    /// says.
    pub(super) fn condition(&mut self, condition: NodeId, holds: bool) -> Option<Vec<Poly>> {
        let mut all = Vec::new();
        for (part, holds) in self.parts_of_condition(condition, holds) {
            all.extend(self.compared(part, holds)?);
        }
        Some(all)
    }

    /// What is not negative if a condition holds, or does not, and may be less than it says: a half
    /// that says nothing does not keep the other from being learnt.
    fn implied(&mut self, condition: NodeId, holds: bool) -> Vec<Poly> {
        let parts = self.parts_of_condition(condition, holds).into_iter();
        parts
            .flat_map(|(part, holds)| self.compared(part, holds).unwrap_or_default())
            .collect()
    }

    /// The conditions all of which hold, or do not, if one does.
    fn parts_of_condition(&self, condition: NodeId, holds: bool) -> Vec<(NodeId, bool)> {
        use BinaryOp::{And, Or};
        // A stack of our own: as many conditions may be put together as a kernel has expressions.
        let (mut stack, mut parts) = (vec![(condition, holds)], Vec::new());
        while let Some((condition, holds)) = stack.pop() {
            match self.tables.nodes.node(condition) {
                Node::Variable(variable) if self.names.contains_key(&variable) => {
                    let value = self.names.get(&variable);
                    stack.extend(value.map(|value| (*value, holds)));
                }
                Node::Unary {
                    op: UnaryOp::Not,
                    value,
                } => stack.push((value, !holds)),
                Node::Binary {
                    op, left, right, ..
                } if (op, holds) == (And, true) || (op, holds) == (Or, false) => {
                    stack.extend([(right, holds), (left, holds)]);
                }
                _ => parts.push((condition, holds)),
            }
        }
        parts
    }

    /// What is not negative if a comparison holds, or does not; `None` if that is not all that it
    /// says.
    fn compared(&mut self, condition: NodeId, holds: bool) -> Option<Vec<Poly>> {
        use BinaryOp::*;
        match self.tables.nodes.node(condition) {
            Node::Literal(literal) => Some(if literal.bool() == holds {
                Vec::new()
            } else {
                vec![Poly::number(-1)]
            }),
            Node::Binary {
                op, left, right, ..
            } if self.is_number(left) || self.is_wide(left) => {
                let (x, y) = (self.value(left), self.value(right));
                let (less, at_most) = (
                    |a: &Poly, b: &Poly| vec![b.sub(a).shift(-1)],
                    |a: &Poly, b: &Poly| vec![b.sub(a)],
                );
                Some(match (op, holds) {
                    (Lt, true) | (Ge, false) => less(&x, &y),
                    (Ge, true) | (Lt, false) => at_most(&y, &x),
                    (Gt, true) | (Le, false) => less(&y, &x),
                    (Le, true) | (Gt, false) => at_most(&x, &y),
                    (Eq, true) | (Ne, false) => vec![x.sub(&y), y.sub(&x)],
                    (Ne, true) | (Eq, false) if self.prove(&x.sub(&y)) => less(&y, &x),
                    (Ne, true) | (Eq, false) if self.prove(&y.sub(&x)) => less(&x, &y),
                    _ => return None,
                })
            }
            _ => None,
        }
    }
}
