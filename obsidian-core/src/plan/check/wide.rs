//! Integers of 64 bits: coordinates that guards bound before they are cast to an index.
//!
//! *Claim.* [`Forms::wide`] is the very number that an expression of `i64` or `u64` is, and [`Forms::low_bits`] is a number equal to it
//! modulo 2^32.
//!
//! *Argument.* A sum, difference or product of such numbers is what the polynomial says if that lies in the range of the type, by the
//! ranges of the atoms or by a proof. Atoms are numbers of 32 bits, so an expression that is not followed is two of them: its lower half
//! and its upper half, `upper * 2^32 + lower`, the upper one less 2^31 if the type is signed. A guard `0 <= i & i < n` bounds both: as `n` fits 32 bits,
//! the upper half is 0, and the lower half is the number. A cast to 32 bits keeps the lower half.
//!
//! Quotients, rests, and the smaller or larger one of two are followed where all numbers in them lie in one range of 2^32 numbers.
//!
//! *Not covered.* Choices by `select`, apart from `rem_euclid`; shifts and bits; a product with a number of which nothing is known; what a
//! loop carries.

use super::facts::{Kind, TOP};
use super::forms::{Forms, SIGN, WRAP};
use super::poly::Poly;
use crate::scalar::{BinaryOp, Node, NodeId, UnaryOp};

impl Forms<'_> {
    /// Is an expression an integer of 64 bits?
    pub(super) fn is_wide(&self, id: NodeId) -> bool {
        self.tables.nodes.ty(id).is_integer() && self.tables.nodes.ty(id).bits() == 64
    }

    /// The number that an expression of 64 bits is.
    pub(super) fn wide(&mut self, id: NodeId) -> Poly {
        if let Some(known) = self.wides.get(&id) {
            return known.clone();
        }
        let number = match self.deeper() {
            true => {
                let exact = self.exact(id).filter(Poly::is_handy);
                self.depth -= 1;
                exact
            }
            false => None,
        };
        let number = number.unwrap_or_else(|| self.halves(id));
        self.wides.insert(id, number.clone());
        self.log.push(id);
        number
    }

    /// The same modulo 2^32.
    pub(super) fn low_bits(&mut self, id: NodeId) -> Poly {
        let known = match self.tables.nodes.node(id) {
            Node::Literal(literal) => literal.as_integer().map(Poly::number),
            Node::Variable(variable) => {
                let value = self.names.get(&variable).copied();
                value.map(|value| self.ring(value))
            }
            Node::Unary { op, value } if op.is_promise() => Some(self.ring(value)),
            Node::Unary {
                op: UnaryOp::Neg,
                value,
            } => Some(self.ring(value).scale(-1)),
            Node::Cast { value } if self.is_number(value) || self.is_wide(value) => {
                Some(self.ring(value))
            }
            Node::Binary {
                op: op @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul),
                left,
                right,
                ..
            } => {
                let (x, y) = (self.ring(left), self.ring(right));
                match op {
                    BinaryOp::Add => Some(x.add(&y)),
                    BinaryOp::Sub => Some(x.sub(&y)),
                    _ => {
                        let product = x.short_product(&y);
                        Some(product.unwrap_or_else(|| self.long_product(x, y)))
                    }
                }
            }
            _ => self.exact(id),
        };
        known.unwrap_or_else(|| self.opaque(id, 0, TOP))
    }

    /// The number, if it is followed and no step of it wraps around.
    fn exact(&mut self, id: NodeId) -> Option<Poly> {
        let nodes = &self.tables.nodes;
        match nodes.node(id) {
            Node::Literal(literal) => literal.as_integer().map(Poly::number),
            Node::Variable(variable) => {
                let value = self.names.get(&variable).copied()?;
                Some(self.wide(value))
            }
            Node::Unary { op, value } if op.is_promise() => Some(self.wide(value)),
            Node::Unary {
                op: UnaryOp::Neg,
                value,
            } => {
                let number = self.wide(value).scale(-1);
                self.of_type(id, number)
            }
            Node::Cast { value } => {
                let ty = nodes.ty(value);
                match ty.range() {
                    Some((0, most)) if ty.bits() < 32 => Some(self.opaque(id, 0, most)),
                    Some(_) if ty.bits() >= 32 => {
                        let number = self.value(value);
                        self.of_type(id, number)
                    }
                    _ => None,
                }
            }
            Node::Binary {
                op, left, right, ..
            } if self.is_wide(left) && self.is_wide(right) => {
                let (x, y) = (self.wide(left), self.wide(right));
                match op {
                    BinaryOp::Add => self.of_type(id, x.add(&y)),
                    BinaryOp::Sub => self.of_type(id, x.sub(&y)),
                    BinaryOp::Mul => {
                        let product = x.times(&y)?;
                        self.of_type(id, product)
                    }
                    BinaryOp::Div | BinaryOp::Rem => {
                        let followed = self.fits(&x) && self.fits(&y) && self.is_positive(&y);
                        followed.then(|| self.divided(&x, &y, op == BinaryOp::Div))
                    }
                    BinaryOp::Min | BinaryOp::Max => self.extreme_of(op == BinaryOp::Min, &x, &y),
                    _ => None,
                }
            }
            Node::Select {
                condition,
                then,
                otherwise,
            } => self.euclidean_rest(id, [condition, then, otherwise]),
            _ => None,
        }
    }

    /// A number, if an expression of a type can be that number.
    fn of_type(&mut self, id: NodeId, number: Poly) -> Option<Poly> {
        let (least, most) = match self.tables.nodes.ty(id).is_signed() {
            true => (-SIGN * WRAP, SIGN * WRAP - 1),
            false => (0, WRAP * WRAP - 1),
        };
        let range = self.facts.range(&number);
        let fits = range.is_some_and(|(low, high)| low >= least && high <= most)
            || number.is_handy()
                && self.prove(&number.shift(-least))
                && self.prove(&Poly::number(most).sub(&number));
        fits.then_some(number)
    }

    /// The smaller or the larger one of two numbers that lie within 2^32 numbers: atoms have 32 bits.
    fn extreme_of(&mut self, least: bool, x: &Poly, y: &Poly) -> Option<Poly> {
        let (a, b) = (self.facts.range(x)?, self.facts.range(y)?);
        let low = match self.prove(x) && self.prove(y) {
            true => 0,
            false => a.0.min(b.0),
        };
        // A range may reach far beyond 64 bits; adding its end must not leave 128.
        if low.abs() > WRAP * WRAP {
            return None;
        }
        let (x, y) = (x.shift(-low), y.shift(-low));
        let fit = x.is_handy() && y.is_handy() && self.fits(&x) && self.fits(&y);
        fit.then(|| self.extreme(least, x, y).shift(low))
    }

    /// What `x.rem_euclid(d)` of 64 bits is, for a `d` of 1 to 2^32 - 1: a number below `d`, which is what dividing it by `d` leaves.
    fn euclidean_rest(&mut self, id: NodeId, choice: [NodeId; 3]) -> Option<Poly> {
        let (_, divisor) = self.euclidean_operands(choice)?;
        let divisor = self.wide(divisor);
        let followed = self.fits(&divisor) && self.is_positive(&divisor);
        followed.then(|| {
            let own = self.opaque(id, 0, TOP);
            self.divided(&own, &divisor, false)
        })
    }

    /// A number of which nothing is known, as its halves.
    fn halves(&mut self, id: NodeId) -> Poly {
        let below = match self.tables.nodes.ty(id).is_signed() {
            true => SIGN,
            false => 0,
        };
        let upper = self.facts.atom(Kind::Upper(id, self.pair), 0, TOP);
        let upper = self.facts.value_of(upper).shift(-below).scale(WRAP);
        upper.add(&self.opaque(id, 0, TOP))
    }
}
