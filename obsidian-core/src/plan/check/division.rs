//! The atoms of operators that are neither sums nor products, with the facts that define them.
//!
//! *Claim.* Each atom is the value of its operator, and each fact that is learnt here holds for it.
//!
//! | operator | facts |
//! |---|---|
//! | `q = x / y`, `r = x % y` | `x = q * y + r`, `0 <= r`; and `r < y` if `y` is more than 0 |
//! | `min(x, y)`, `max(x, y)` | it is no more, no less, than both; what bounds both bounds it (the join of abstract interpretation); [`prove`](super::prove) looks at the two cases |
//! | `x & y` | it is no more than both; bits above those of `y` stay or go for `^` and `\|` |
//!
//! A divisor of 0 leaves all: `x / 0` is 0 and `x % 0` is `x`, as on the device, so that the equation
//! holds then too. Exact quotients, those of the library, promise a divisor that is not 0, and are
//! not followed where that is not proved. Dividing by 2^32 is how arithmetic that wraps around is
//! followed.
//!
//! What cannot be shown to be exact is any number: of a rest of it, or of its bits under a mask, only the
//! range is known, which is the divisor's.
//!
//! A length that was required to be `(length / y) * y` divided by `y` is the same quotient, also where
//! `y` is 0: both are 0 then.

use super::facts::{Kind, TOP};
use super::forms::Forms;
use super::poly::{Atom, Poly};
use crate::scalar::{BinaryOp, Node, NodeId, UnaryOp};

impl Forms<'_> {
    /// The quotient or the rest of numbers, the divisor at least 1.
    pub(super) fn divided(&mut self, x: &Poly, y: &Poly, quotient: bool) -> Poly {
        let (whole, rest) = self.parted(x, y);
        if let (Some(a), Some(b)) = (rest.as_number(), y.as_number())
            && a >= 0
        {
            return if quotient {
                whole.shift(a / b)
            } else {
                Poly::number(a % b)
            };
        }
        if self.prove(&y.sub(&rest).shift(-1)) {
            return if quotient { whole } else { rest };
        }
        self.parts_of(&rest, y, quotient, true, &whole)
    }

    /// The same where the divisor may be 0: then the quotient is 0, and all is left.
    pub(super) fn divided_if_not_0(&mut self, x: &Poly, y: &Poly, quotient: bool) -> Poly {
        let (q, _) = self.quotient_atoms(x, y);
        self.facts.divides(y, q);
        self.parts_of(x, y, quotient, false, &Poly::default())
    }

    /// What `x.rem_euclid(d)` of `i32` is, where it is not known that `x` is at least 0: the bits of some number, divided by those of `d`.
    ///
    /// *Argument.* The choice is `r` if `r = x % d` is at least 0, and `r + |d|` otherwise, so it is at least 0 and below
    /// `|d|` if `d` is not 0. As bits, `d` is no less than `|d|`: it is `|d|` itself, or `2^32 - |d|`, which is at least `2^31`. So the
    /// choice is what dividing it by the bits of `d` leaves. If `d` is 0, the choice is `x`, and so is what dividing it by 0 leaves.
    pub(super) fn euclidean(&mut self, id: NodeId, choice: [NodeId; 3]) -> Option<Poly> {
        if !self.is_number(id) {
            return None;
        }
        let (x, divisor) = self.euclidean_operands(choice)?;
        let number = self.value(x);
        if self.prove(&number) {
            return None;
        }
        let ring = self.ring(divisor);
        let divisor = match self.wrapped_to(&ring) {
            Some(other) => other,
            None if self.fits(&ring) && ring != Poly::default() => ring,
            None => return None,
        };
        let bits = self.opaque(id, 0, TOP);
        Some(match self.is_positive(&divisor) {
            true => self.divided(&bits, &divisor, false),
            false => self.divided_if_not_0(&bits, &divisor, false),
        })
    }

    /// `x` and `d` of `select(x % d < 0, x % d + |d|, x % d)`.
    pub(super) fn euclidean_operands(&self, choice: [NodeId; 3]) -> Option<(NodeId, NodeId)> {
        let nodes = &self.tables.nodes;
        let [condition, then, rest] = choice.map(|id| self.behind_names(id));
        let Node::Binary {
            op: BinaryOp::Rem,
            left: x,
            right: divisor,
            ..
        } = nodes.node(rest)
        else {
            return None;
        };
        let is_rest = |id| self.behind_names(id) == rest;
        let is_zero = |id| nodes.literal(id).and_then(|n| n.as_integer()) == Some(0);
        let is_below_0 = match nodes.node(condition) {
            Node::Binary {
                op: BinaryOp::Lt,
                left,
                right,
                ..
            } => is_rest(left) && is_zero(right),
            _ => false,
        };
        let divisor = self.behind_names(divisor);
        let known = nodes.literal(divisor).and_then(|n| n.as_integer());
        let is_size = |id: NodeId| {
            let id = self.behind_names(id);
            match (nodes.node(id), known) {
                (
                    Node::Unary {
                        op: UnaryOp::Abs,
                        value,
                    },
                    _,
                ) => self.behind_names(value) == divisor,
                (Node::Literal(n), Some(known)) => n.as_integer() == Some(known.abs()),
                _ => false,
            }
        };
        let is_above = match nodes.node(then) {
            Node::Binary {
                op: BinaryOp::Add,
                left,
                right,
                ..
            } => is_rest(left) && is_size(right) || is_size(left) && is_rest(right),
            _ => false,
        };
        let is_signed = nodes.ty(rest).is_signed() && nodes.ty(rest).bits() >= 32;
        let fits = is_signed && is_below_0 && is_above;
        fits.then_some((x, divisor))
    }

    /// The expression that a name stands for.
    pub(super) fn behind_names(&self, id: NodeId) -> NodeId {
        let mut id = id;
        while let Node::Variable(variable) = self.tables.nodes.node(id)
            && !self.counters.contains_key(&variable)
            && let Some(value) = self.names.get(&variable)
        {
            id = *value;
        }
        id
    }

    /// Is a number 0 wherever a divisor is, because it is a quotient by it? Then the number is also
    /// what dividing `number * divisor` gives: `len` that has to be `(len / y) * y` is divided by `y`.
    pub(super) fn is_0_with(&self, number: &Poly, divisor: &Poly) -> bool {
        let mut terms = divisor.terms();
        let (Some((product, _)), None) = (terms.next(), terms.next()) else {
            return false;
        };
        product.iter().all(|atom| self.vanishes(number, *atom))
    }

    /// Is each product of a polynomial 0 if an atom is?
    fn vanishes(&self, number: &Poly, with: Atom) -> bool {
        let is_product = |y: &Poly| y.terms().count() == 1 && y.mentions(with);
        let is_0 = |atom: &Atom| {
            let mut quotients = self.quotients.iter();
            *atom == with
                || quotients.any(|(y, own)| own.as_atom() == Some(*atom) && is_product(y))
                || match self.facts.kind(*atom) {
                    Kind::Div(x, y) => is_product(y) || self.vanishes(x, with),
                    _ => false,
                }
        };
        number.terms().all(|(product, _)| product.iter().any(is_0))
    }

    /// Learns again what is known of the quotients by numbers in a polynomial, where what is divided
    /// is not below 0: in front of a loop it may be.
    pub(super) fn quotients_in(&mut self, poly: &Poly) {
        for atom in poly.atoms() {
            if let Kind::Div(x, y) = self.facts.kind(atom).clone()
                && y.as_number().is_some_and(|n| n > 0)
                && self.prove(&x)
            {
                self.parts_of(&x, &y, true, true, &Poly::default());
            }
        }
    }

    /// The atoms of a quotient and its rest, with what is known of them.
    pub(super) fn parts_of(
        &mut self,
        rest: &Poly,
        y: &Poly,
        quotient: bool,
        not_0: bool,
        whole: &Poly,
    ) -> Poly {
        let (q, r) = self.quotient_atoms(rest, y);
        let (new, qv, rv) = (
            self.facts.define(q),
            self.facts.value_of(q),
            self.facts.value_of(r),
        );
        if new && let Some(multiple) = y.times(&qv) {
            let left = rest.sub(&multiple);
            // Proofs try the latest facts first: these are the ones that help most.
            self.facts.add(left.sub(&rv));
            self.facts.add(rv.sub(&left));
            if not_0 {
                self.facts.add(y.sub(&left).shift(-1));
            }
            self.facts.add(left);
            self.facts.add(rest.sub(&rv));
            if not_0 {
                self.facts.add(y.sub(&rv).shift(-1));
            }
        }
        if quotient { whole.add(&qv) } else { rv }
    }

    /// The atoms of a quotient and of what it leaves. Their ranges hold wherever they occur, also
    /// where the divisor is not known to be more than 0.
    fn quotient_atoms(&mut self, x: &Poly, y: &Poly) -> (Atom, Atom) {
        let clamped =
            |range: Option<(i128, i128)>| range.map_or((0, TOP), |(low, high)| (low.max(0), high));
        let (low, high) = clamped(self.facts.range(x));
        let (least, most) = clamped(self.facts.range(y));
        let (low, left) = match least {
            0 => (0, high),
            _ => (low / most.max(1), (most - 1).min(high)),
        };
        let kinds = [Kind::Div, Kind::Rem].map(|kind| kind(x.clone(), y.clone()));
        let [q, r] = kinds;
        (
            self.facts.atom(q, low, high / least.max(1)),
            self.facts.atom(r, 0, left),
        )
    }

    /// What a divisor divides of a number, and the rest: nothing is taken out unless the rest is a
    /// number of 32 bits, as atoms are.
    fn parted(&mut self, x: &Poly, y: &Poly) -> (Poly, Poly) {
        match x.divide(y) {
            Some((whole, rest)) if self.fits(&rest) => (whole, rest),
            _ => (Poly::default(), x.clone()),
        }
    }

    pub(super) fn extreme(&mut self, least: bool, x: Poly, y: Poly) -> Poly {
        let (small, large) = (y.sub(&x), x.sub(&y));
        if self.prove(&small) {
            return if least { x } else { y };
        }
        if self.prove(&large) {
            return if least { y } else { x };
        }
        let (a, b) = (
            self.facts.range(&x).unwrap_or((0, TOP)),
            self.facts.range(&y).unwrap_or((0, TOP)),
        );
        let kind = if least {
            Kind::Min(x.clone(), y.clone())
        } else {
            Kind::Max(x.clone(), y.clone())
        };
        let atom = match least {
            true => self.facts.atom(kind, a.0.min(b.0), a.1.min(b.1)),
            false => self.facts.atom(kind, a.0.max(b.0), a.1.max(b.1)),
        };
        if self.facts.define(atom) {
            let (own, sign) = (self.facts.value_of(atom), if least { 1 } else { -1 });
            self.facts.add(x.sub(&own).scale(sign));
            self.facts.add(y.sub(&own).scale(sign));
            self.join([&x, &y], &own, -sign);
        }
        self.facts.value_of(atom)
    }

    /// Learns bounds of what is one of two values: those of one value that the other keeps too, as
    /// they are or by one more. `sign` is 1 for bounds from above, and -1 for those from below.
    fn join(&mut self, values: [&Poly; 2], own: &Poly, sign: i128) {
        for (value, other) in [(values[0], values[1]), (values[1], values[0])] {
            for bound in self.facts.bounds(value, sign) {
                let near = [bound.clone(), bound.shift(sign)];
                let mut kept = near.into_iter();
                if let Some(kept) = kept.find(|b| self.prove(&b.sub(other).scale(sign))) {
                    self.facts.add(kept.sub(own).scale(sign));
                }
            }
        }
    }

    /// A bitwise operator on numbers; what is known is to the right.
    pub(super) fn bits(&mut self, op: BinaryOp, x: &Poly, y: &Poly) -> Poly {
        let high = |forms: &Self, p: &Poly| {
            forms
                .facts
                .range(p)
                .map_or(TOP, |(_, high)| high)
                .clamp(0, TOP)
        };
        let y_high = high(self, y);
        // The bits above all of the right operand's stay, or go.
        let mut unit = ((y_high + 1) as u64).next_power_of_two();
        if y.as_number() == Some(i128::from(unit) - 1) && op == BinaryOp::And {
            return self.divided(x, &Poly::number(unit.into()), false);
        }
        let (whole, rest, widest) = loop {
            let (whole, rest) = self.parted(x, &Poly::number(unit.into()));
            let whole = whole.scale(unit.into());
            let widest = (high(self, &rest).max(y_high) as u64 + 1).next_power_of_two();
            // Only where the rest keeps below the unit do the other bits not mix with it.
            if op == BinaryOp::And || widest <= unit || whole == Poly::default() {
                break (whole, rest, widest);
            }
            unit = widest;
        };
        if let (Some(a), Some(b)) = (rest.as_number(), y.as_number())
            && a >= 0
            && (a as u64) < unit
        {
            let low = match op {
                BinaryOp::And => return Poly::number(a & b),
                BinaryOp::Or => a | b,
                _ => a ^ b,
            };
            return whole.shift(low);
        }
        let below = match op {
            BinaryOp::And => high(self, &rest).min(y_high),
            _ => i128::from(widest) - 1,
        };
        let atom = self
            .facts
            .atom(Kind::Bits(op, rest.clone(), y.clone()), 0, below);
        if self.facts.define(atom) && op == BinaryOp::And {
            self.facts.add(rest.sub(&Poly::atom(atom)));
            self.facts.add(y.sub(&Poly::atom(atom)));
        }
        let own = self.facts.value_of(atom);
        if op == BinaryOp::And {
            own
        } else {
            whole.add(&own)
        }
    }
}
