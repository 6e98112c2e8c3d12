//! What a launch checks of lengths, as facts that hold from the start.
//!
//! A length that is a multiple of 512 is 512 times a part of it, so that what the kernel divides by
//! 512 is that part. A length that has to be the product of a height and a width is that product.
//! All lengths fit a `u32`.

use std::rc::Rc;

use crate::hashed::HashSet;

use super::facts::{Kind, TOP};
use super::forms::Forms;
use super::poly::{Atom, Poly};
use crate::error::Origin;
use crate::ir::{Kernel, Levelled, Statement};
use crate::scalar::{
    Array, ArrayPlace, BinaryOp, Constraint, Node, NodeId, Requirement, ScalarType, Tables,
};

/// What is taken for granted, and how.
#[derive(Clone, Copy, Default)]
pub(super) struct Taken<'t> {
    /// Numbers that a launch can compute.
    pub(super) computed: &'t [(NodeId, Origin)],
    /// Is any equation of lengths solved, and not only one that says what a length is? Numbers are spelt in another way then, in which
    /// more can be proved of some kernels, and less of others.
    pub(super) solves: bool,
}

impl Forms<'_> {
    /// Learns what a launch checks: that lengths and numbers of blocks can be computed, and what is
    /// required of them.
    pub(super) fn launch(&mut self, kernel: &Kernel<Levelled>, taken: Taken<'_>) {
        let computed = taken.computed;
        self.solves = taken.solves;
        Rc::make_mut(&mut self.names).extend(kernel.lets());
        let mut formulas = formulas(kernel);
        formulas.extend(computed.iter().map(|(number, _)| *number));
        let steps = self.steps(&formulas);
        self.computed.extend(&steps);
        // What a length is comes first: facts are about that.
        for requirement in &self.tables.requirements {
            let mark = self.enter();
            self.requirement(requirement);
            self.leave(mark);
        }
        self.values.clear();
        self.wides.clear();
        for number in steps.into_iter().chain(formulas) {
            let number = self.value(number);
            self.facts.add(Poly::number(TOP).sub(&number));
            self.facts.add(number);
        }
        self.tables.requirements.iter().for_each(|r| self.fact(r));
        // What was found before all facts were there is looked at again.
        self.values.clear();
        self.wides.clear();
        self.log.clear();
        self.inexact.clear();
        self.sealed.clear();
    }

    /// Can a launch compute a number, a step of which may leave 32 bits?
    pub(super) fn may_wrap(&mut self, count: NodeId) -> bool {
        if !self.is_formula(count) {
            return false;
        }
        let steps = self.steps(&[count]);
        steps.into_iter().any(|step| {
            let number = self.ring(step);
            !self.computed.contains(&step) && !self.fits(&number)
        })
    }

    /// The largest sums and products in a number of rounds that a launch can compute, and a step of
    /// which may leave 32 bits.
    pub(super) fn doubtful(&mut self, count: NodeId) -> Vec<NodeId> {
        let (mut stack, mut found) = (vec![count], Vec::new());
        while let Some(id) = stack.pop() {
            match self.tables.nodes.node(id) {
                Node::Variable(variable) => stack.extend(self.names.get(&variable)),
                Node::Binary {
                    op: BinaryOp::Add | BinaryOp::Mul,
                    ..
                } if self.is_formula(id) => {
                    found.extend(self.may_wrap(id).then_some(id));
                }
                Node::Binary {
                    op, left, right, ..
                } if op.is_of_lengths() => {
                    stack.extend([left, right]);
                }
                _ => {}
            }
        }
        found
    }

    /// Can a launch compute a number? What is used twice has a name.
    fn is_formula(&self, root: NodeId) -> bool {
        let (mut stack, mut seen) = (vec![root], HashSet::default());
        while let Some(id) = stack.pop() {
            match self.tables.nodes.node(id) {
                _ if !seen.insert(id) => {}
                Node::Variable(variable) if self.names.contains_key(&variable) => {
                    stack.extend(self.names.get(&variable));
                }
                Node::Binary {
                    op, left, right, ..
                } if op.is_of_lengths() && self.tables.nodes.ty(left) == ScalarType::U32 => {
                    stack.extend([left, right]);
                }
                _ if self.tables.known_at_launch(id) => {}
                _ => return false,
            }
        }
        true
    }

    /// The sums, differences and products in formulas, operands first: a launch computes each, and
    /// refuses what is below 0 or above `u32::MAX`.
    fn steps(&self, formulas: &[NodeId]) -> Vec<NodeId> {
        let nodes = &self.tables.nodes;
        let (mut steps, mut seen) = (Vec::new(), HashSet::default());
        let mut tasks: Vec<(NodeId, bool)> = formulas.iter().map(|id| (*id, false)).collect();
        while let Some((id, operands_done)) = tasks.pop() {
            if operands_done {
                steps.push(id);
                continue;
            }
            if !seen.insert(id) {
                continue;
            }
            match nodes.node(id) {
                Node::Variable(variable) => {
                    tasks.extend(self.names.get(&variable).map(|id| (*id, false)));
                }
                Node::Binary {
                    op, left, right, ..
                } if nodes.ty(left) == ScalarType::U32 => {
                    if matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul) {
                        tasks.push((id, true));
                    }
                    tasks.extend([(left, false), (right, false)]);
                }
                _ => {}
            }
        }
        steps
    }

    fn requirement(&mut self, requirement: &Requirement) {
        match requirement.constraint {
            Constraint::Fits | Constraint::AtLeast(_) | Constraint::Reaches(_) => {}
            Constraint::MultipleOf(n) => self.multiple(requirement.length, n),
            Constraint::DividedBy(by) => self.divides(requirement.length, by),
            Constraint::Equal(other) => self.equals(requirement.length, other),
        }
    }

    /// What is not negative if a requirement holds.
    fn fact(&mut self, requirement: &Requirement) {
        let length = self.value(requirement.length);
        match requirement.constraint {
            Constraint::AtLeast(n) | Constraint::Reaches(n) => {
                self.facts.add(length.shift(-i128::from(n)))
            }
            Constraint::Equal(other) => {
                let other = self.value(other);
                self.facts.add(length.sub(&other));
                self.facts.add(other.sub(&length));
            }
            Constraint::Fits | Constraint::MultipleOf(_) | Constraint::DividedBy(_) => {}
        }
    }

    /// A length is a multiple of a number: so is what varies in it.
    fn multiple(&mut self, length: NodeId, n: u32) {
        let length = self.value(length);
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
        let (length, by) = (self.value(length), self.value(by));
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
        let (left, right) = (self.value(left), self.value(right));
        if let Some(atom) = self.free(&left, &right) {
            self.stands_for(atom, &right);
        } else if let Some(atom) = self.free(&right, &left) {
            self.stands_for(atom, &left);
        } else if self.solves
            && let Some((atom, value)) = self.solved(&left.sub(&right))
        {
            self.stands_for(atom, &value);
        }
    }

    /// What the last atom of a polynomial is if that is 0. None of the others is made of the last one.
    fn solved(&self, zero: &Poly) -> Option<(Atom, Poly)> {
        let atom = zero.top()?;
        let (factor, rest) = zero.split(atom)?;
        let value = match factor.as_number()? {
            1 => rest.scale(-1),
            -1 => rest,
            _ => return None,
        };
        let is_known = matches!(
            self.facts.kind(atom),
            Kind::Leaf(_) | Kind::Part(..) | Kind::Min(..) | Kind::Max(..)
        );
        is_known.then_some((atom, value))
    }

    /// The length that a polynomial is, if another one does not contain it.
    fn free(&self, poly: &Poly, other: &Poly) -> Option<Atom> {
        let atom = poly.as_atom().filter(|atom| !other.mentions(*atom))?;
        matches!(self.facts.kind(atom), Kind::Leaf(_) | Kind::Part(..)).then_some(atom)
    }
}

/// Is there an equation neither side of which is a length by itself?
pub(super) fn has_equation(tables: &Tables) -> bool {
    let is_length = |id: NodeId| {
        !matches!(
            tables.nodes.node(id),
            Node::Binary { .. } | Node::Literal(_)
        )
    };
    let mut required = tables.requirements.iter();
    required.any(|required| match required.constraint {
        Constraint::Equal(other) => !is_length(required.length) && !is_length(other),
        _ => false,
    })
}

/// What a launch computes before a kernel runs, as `Interface` lists it: lengths of the parameters,
/// numbers of blocks, and what is required.
fn formulas(kernel: &Kernel<Levelled>) -> Vec<NodeId> {
    let tables = &kernel.tables;
    let required = tables.requirements.iter();
    let required =
        required.flat_map(|r| r.constraint.other().copied().into_iter().chain([r.length]));
    let global = |array: &&Array| matches!(array.place, ArrayPlace::Global(_));
    let lengths = tables.arrays.iter().filter(global).map(|a| a.length);
    let blocks = kernel.body.iter().filter_map(|statement| match statement {
        Statement::Loop {
            kind,
            bounds: [count],
            ..
        } if kind.is_of_blocks() => Some(*count),
        _ => None,
    });
    required.chain(lengths).chain(blocks).collect()
}

fn gcd(x: u32, y: u32) -> u32 {
    if y == 0 { x } else { gcd(y, x % y) }
}
