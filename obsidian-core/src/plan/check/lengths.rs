//! What a launch checks of lengths, as facts that hold from the start.
//!
//! A length that is a multiple of 512 is 512 times a part of it, so that what the kernel divides by
//! 512 is that part. A length that has to be the product of a height and a width is that product.
//! All lengths fit a `u32`.

use std::collections::BTreeSet;

use super::facts::{Kind, TOP};
use super::forms::Forms;
use super::poly::{Atom, Poly};
use crate::scalar::{BinaryOp, Node, NodeId, Requirement};

impl Forms<'_> {
    /// Learns what a launch checks.
    pub(super) fn requirements(&mut self) {
        for requirement in &self.tables.requirements {
            let mark = self.enter();
            self.requirement(requirement);
            self.leave(mark);
        }
        let lengths = self
            .tables
            .requirements
            .iter()
            .map(|r| r.length)
            .chain(self.tables.arrays.iter().map(|a| a.length));
        for length in lengths.collect::<BTreeSet<_>>() {
            let length = self.launched(length);
            self.facts.add(Poly::number(TOP).sub(&length));
            self.facts.add(length);
        }
        // What was found before all facts were there is looked at again.
        self.values.clear();
        self.log.clear();
        self.inexact.clear();
    }

    fn requirement(&mut self, requirement: &Requirement) {
        let n = requirement.multiple_of;
        match self.tables.nodes.node(requirement.length) {
            Node::Binary {
                op: BinaryOp::Rem,
                left,
                right,
                ..
            } if n == 0 => self.divides(left, right),
            Node::Binary {
                op: BinaryOp::Sub,
                left: most,
                right: least,
                ..
            } if n == 0 => {
                if let Node::Binary {
                    op: BinaryOp::Max,
                    left,
                    right,
                    ..
                } = self.tables.nodes.node(most)
                    && let Node::Binary {
                        op: BinaryOp::Min,
                        left: x,
                        right: y,
                        ..
                    } = self.tables.nodes.node(least)
                    && ((x, y) == (left, right) || (y, x) == (left, right))
                {
                    self.equals(left, right);
                }
            }
            _ if n == 0 => {}
            _ => {
                let length = self.launched(requirement.length);
                let mut terms = length.terms();
                let (Some(([atom], factor)), None) = (terms.next(), terms.next()) else {
                    return;
                };
                let left = n / gcd(n, factor.rem_euclid(n.into()) as u32);
                if left > 1 {
                    let value = self.facts.multiple(*atom, left);
                    self.stands_for(*atom, &value);
                }
            }
        }
    }

    /// An atom stands for a polynomial from here on.
    fn stands_for(&mut self, atom: Atom, value: &Poly) {
        self.facts.set_value(atom, value);
        for (divisor, quotient) in &mut self.quotients {
            for poly in [divisor, quotient] {
                *poly = poly.with(atom, value).unwrap_or_default();
            }
        }
    }

    /// One length divides another: the other is a multiple, and the quotient has a name.
    fn divides(&mut self, length: NodeId, by: NodeId) {
        let (length, by) = (self.launched(length), self.launched(by));
        let Some(atom) = self.free(&length, &by) else {
            return;
        };
        let part = self.facts.atom(Kind::Part(atom, 0), 0, TOP);
        if let Some(product) = by.times(&Poly::atom(part)) {
            self.stands_for(atom, &product);
            self.quotients.push((by, Poly::atom(part)));
        }
    }

    fn equals(&mut self, left: NodeId, right: NodeId) {
        let (left, right) = (self.launched(left), self.launched(right));
        if let Some(atom) = self.free(&left, &right) {
            self.stands_for(atom, &right);
        } else if let Some(atom) = self.free(&right, &left) {
            self.stands_for(atom, &left);
        }
    }

    /// The length that a polynomial is, if another one does not contain it.
    fn free(&self, poly: &Poly, other: &Poly) -> Option<Atom> {
        let atom = poly.as_atom().filter(|atom| !other.mentions(*atom))?;
        matches!(self.facts.kind(atom), Kind::Leaf(_) | Kind::Part(..)).then_some(atom)
    }
}

fn gcd(x: u32, y: u32) -> u32 {
    if y == 0 { x } else { gcd(y, x % y) }
}
