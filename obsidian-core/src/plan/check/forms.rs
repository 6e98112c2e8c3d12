//! Expressions as polynomials, conditions as facts, and proofs.
//!
//! Sums, differences and products of `u32` are followed modulo 2^32; they are what the polynomial
//! says if that lies in the range of a `u32`, which is proved before an operator that needs the
//! number itself (`/`, `%`, `<`, `&`, ..) looks at it. So a user's wrapping arithmetic is followed
//! as far as it does not wrap. What a launch computes before the kernel runs does not wrap either:
//! the launch refuses lengths and numbers of blocks any step of which leaves 32 bits (`lengths`).
//! The rest are atoms, with facts that bound them.

use std::cell::RefCell;
use std::rc::Rc;

use crate::hashed::HashMap;

use super::facts::{Facts, Kind, Mark, TOP};
use super::invariants::Cells;
use super::lengths::Taken;
use super::poly::Poly;
use super::ranks::Ranks;
use super::sites::{Sites, Step};
use super::table::Enumerator;
use super::work::Work;
use crate::ir::{Kernel, Levelled};
use crate::ordered::{Map, Set};
use crate::scalar::{
    BinaryOp, Literal, Node, NodeId, ScalarType, Tables, UnaryOp, VariableId, VariableKind,
};

/// The largest depth to which an expression is followed.
const DEEPEST: u32 = 100;
/// The numbers of a `u32`, and half of them: the least `i32` is that much below 0.
pub(super) const WRAP: i128 = 1 << 32;
pub(super) const SIGN: i128 = 1 << 31;
/// How often arithmetic may have wrapped around for that to be followed.
const MOST_WRAPS: i128 = 4;
/// Between the numbers of the loops of one of two threads and those of the other.
pub(super) const PAIR: u32 = 1 << 20;

/// Expressions at a point of a kernel.
pub(super) struct Forms<'k> {
    pub(super) tables: &'k Tables,
    pub(super) facts: Facts,
    /// The values of names.
    pub(super) names: Rc<Map<VariableId, NodeId>>,
    /// Points that were enumerated.
    pub(super) enumerator: RefCell<Enumerator<'k>>,
    /// The atoms of counters.
    pub(super) counters: HashMap<VariableId, Poly>,
    pub(super) values: HashMap<NodeId, Poly>,
    /// The numbers that expressions of 64 bits are.
    pub(super) wides: HashMap<NodeId, Poly>,
    pub(super) log: Vec<NodeId>,
    /// Exact arithmetic that could not be shown to be exact.
    pub(super) inexact: Set<NodeId>,
    /// Remainders of what could not be shown to be exact, of which only their range is known.
    pub(super) sealed: Set<NodeId>,
    /// What is known of cells.
    pub(super) cells: Cells,
    /// What is known of places and counts.
    pub(super) ranks: Rc<Ranks>,
    pub(super) depth: u32,
    /// Which of two threads expressions are looked at for, if for one of two.
    pub(super) pair: u32,
    /// Divisors, maybe 0, with their quotients of lengths that they divide.
    pub(super) quotients: Vec<(Poly, Poly)>,
    /// Sums, differences and products that a launch computes, and finds to be numbers of 32 bits.
    pub(super) computed: Set<NodeId>,
    /// Is any equation of lengths solved?
    pub(super) solves: bool,
    /// How many choices are in an expression, one inside of the other.
    pub(super) choices: HashMap<NodeId, u32>,
}

/// What a number is modulo 2^32.
enum Wrapped {
    /// Itself: it is a `u32`.
    Not,
    /// Another number.
    To(Poly),
    /// A number of which no proof would make use.
    Unknown,
}

impl<'k> Forms<'k> {
    /// At launches that can compute some numbers.
    pub(super) fn new(kernel: &'k Kernel<Levelled>, work: Work, taken: Taken<'_>) -> Self {
        let tables = &kernel.tables;
        let facts = Facts::new(work);
        let (names, counters, values) = (Rc::default(), HashMap::default(), HashMap::default());
        let mut forms = Forms {
            tables,
            facts,
            names,
            enumerator: RefCell::default(),
            counters,
            values,
            wides: HashMap::default(),
            log: Vec::new(),
            inexact: Set::new(),
            sealed: Set::new(),
            cells: Cells::default(),
            ranks: Rc::new(Ranks::of(kernel)),
            depth: 0,
            pair: 0,
            quotients: Vec::new(),
            computed: Set::new(),
            solves: false,
            choices: HashMap::default(),
        };
        forms.launch(kernel, taken);
        forms
    }

    pub(super) fn enter(&self) -> (Mark, usize) {
        (self.facts.enter(), self.log.len())
    }

    pub(super) fn leave(&mut self, (mark, log): (Mark, usize)) {
        self.facts.leave(mark);
        for id in self.log.drain(log..) {
            self.values.remove(&id);
            self.wides.remove(&id);
            self.inexact.remove(&id);
            self.sealed.remove(&id);
        }
    }

    /// Looks at something, and forgets what was learnt on the way.
    pub(super) fn aside<T>(&mut self, look: impl FnOnce(&mut Self) -> T) -> T {
        let mark = self.enter();
        let seen = look(self);
        self.leave(mark);
        seen
    }

    /// Looks at something behind steps of a path.
    pub(super) fn behind<T>(
        &mut self,
        sites: &Sites,
        path: &[Step],
        look: impl FnOnce(&mut Self) -> T,
    ) -> T {
        self.aside(|forms| {
            forms.replay(sites, path, None);
            look(forms)
        })
    }

    /// From here on expressions are those of one of two threads; what they bind is the thread's
    /// own.
    pub(super) fn pairing(&mut self, which: u32) -> usize {
        self.pair = which;
        self.log.len()
    }

    /// Ends that, and forgets what expressions were for the thread, but not what is known.
    pub(super) fn end_pairing(&mut self, log: usize) {
        self.pair = 0;
        for id in self.log.drain(log..) {
            self.values.remove(&id);
            self.wides.remove(&id);
            self.inexact.remove(&id);
            self.sealed.remove(&id);
        }
    }

    /// The counter that a variable is now.
    pub(super) fn present_counter(&self, variable: VariableId) -> Poly {
        self.counters.get(&variable).cloned().unwrap_or_default()
    }

    /// Is a variable an argument of the kernel?
    pub(super) fn is_argument(&self, variable: VariableId) -> bool {
        self.tables
            .variables
            .get(variable.0 as usize)
            .is_some_and(|v| v.kind == VariableKind::Argument)
    }

    /// The number that an expression of integers of 32 or 64 bits is.
    pub(super) fn value(&mut self, id: NodeId) -> Poly {
        let nodes = &self.tables.nodes;
        if self.is_wide(id) {
            return self.wide(id);
        }
        if nodes.ty(id) == ScalarType::I32 {
            return self.signed(id);
        }
        let node = nodes.node(id);
        if let Node::Variable(variable) = node
            && let Some(value) = self.names.get(&variable).copied()
            && !self.counters.contains_key(&variable)
        {
            return self.value(value);
        }
        // A promise is the number that it is about.
        if let Node::Unary { op, value } = node
            && op.is_promise()
        {
            return self.value(value);
        }
        let ring = self.ring(id);
        let arithmetic = match node {
            Node::Binary { op, .. } => matches!(
                op,
                BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Shl
            ),
            Node::Cast { value } => self.is_number(value) || self.is_wide(value),
            _ => false,
        };
        if !arithmetic || self.computed.contains(&id) {
            return ring;
        }
        match self.wrapped(&ring) {
            Wrapped::Not => ring,
            Wrapped::To(number) => number,
            Wrapped::Unknown => self.at_most(id, &ring),
        }
    }

    /// A number that is equal to another one modulo 2^32: no more than that, if that is not below 0.
    fn at_most(&mut self, id: NodeId, ring: &Poly) -> Poly {
        let number = self.opaque(id, 0, TOP);
        if ring.is_handy() && self.prove(ring) {
            self.facts.add(ring.sub(&number));
        }
        number
    }

    /// The number that an expression of `i32` is: wrapping takes a multiple of 2^32 from what the
    /// polynomial says.
    fn signed(&mut self, id: NodeId) -> Poly {
        let ring = self.ring(id);
        match self.wrapped(&ring.shift(SIGN)) {
            Wrapped::Not => ring,
            Wrapped::To(number) => number.shift(-SIGN),
            Wrapped::Unknown => {
                let bits = self.opaque(id, 0, TOP);
                self.wrapped_sign(&bits)
            }
        }
    }

    /// The number of `i32` that some bits are.
    fn wrapped_sign(&mut self, bits: &Poly) -> Poly {
        let above = bits.shift(SIGN);
        let number = self.parts_of(&above, &Poly::number(WRAP), false, true, &Poly::default());
        number.shift(-SIGN)
    }

    /// The `u32` that a number is modulo 2^32: what dividing it by 2^32 leaves.
    fn wrapped(&mut self, number: &Poly) -> Wrapped {
        let Some((low, high)) = self.facts.range(number) else {
            return match self.fits(number) {
                true => Wrapped::Not,
                false => Wrapped::Unknown,
            };
        };
        let above = low >= 0 || self.prove(number);
        if above && (high <= TOP || self.is_below_2_32(number)) {
            return Wrapped::Not;
        }
        let below = if above { 0 } else { -low.div_euclid(WRAP) };
        let from = number.shift(below * WRAP);
        if below > MOST_WRAPS || high > MOST_WRAPS * WRAP || !from.is_handy() {
            return Wrapped::Unknown;
        }
        let whole = Poly::default();
        Wrapped::To(self.parts_of(&from, &Poly::number(WRAP), false, true, &whole))
    }

    /// The `u32` that a number is modulo 2^32, if that is another one.
    pub(super) fn wrapped_to(&mut self, number: &Poly) -> Option<Poly> {
        match self.wrapped(number) {
            Wrapped::To(other) => Some(other),
            Wrapped::Not | Wrapped::Unknown => None,
        }
    }

    /// Is an expression the very number that its form says, and not only modulo 2^32? The user's own
    /// sums wrap: `i - 2` in a piece before which another one lies is no index of the piece for 0.
    pub(super) fn is_its_form(&mut self, id: NodeId) -> bool {
        match self.tables.nodes.node(id) {
            // What it is made of is exact, or has been found not to be.
            Node::Binary { exact: true, .. } => true,
            Node::Variable(variable) if !self.counters.contains_key(&variable) => {
                let value = self.names.get(&variable).copied();
                value.is_none_or(|value| self.is_its_form(value))
            }
            Node::Select { .. } => {
                let form = self.ring(id);
                self.fits(&form)
            }
            _ => self.value(id) == self.ring(id),
        }
    }

    /// Is it in the range of a `u32`?
    pub(super) fn fits(&mut self, poly: &Poly) -> bool {
        match self.facts.range(poly) {
            Some((low, high)) if low >= 0 && high <= TOP => true,
            _ => self.prove(poly) && self.is_below_2_32(poly),
        }
    }

    fn is_below_2_32(&mut self, number: &Poly) -> bool {
        self.prove(&Poly::number(TOP).sub(number)) || self.is_part_of_a_product(number)
    }

    /// Is a product no more than one of more atoms that is known to have 32 bits, where the other atoms are at least 1? A plane of
    /// `height * width` elements is, where there is a plane: `depth * height * width` is a length.
    fn is_part_of_a_product(&mut self, number: &Poly) -> bool {
        let mut terms = number.terms();
        let (Some((product, 1)), None) = (terms.next(), terms.next()) else {
            return false;
        };
        let mut larger = self.facts.larger_products(product).into_iter();
        product.len() > 1
            && larger.any(|others| {
                let mut others = others.into_iter();
                others.all(|atom| self.is_positive(&Poly::atom(atom)))
            })
    }

    pub(super) fn opaque(&mut self, id: NodeId, low: i128, high: i128) -> Poly {
        let kind = if self.pair > 0 {
            Kind::Other(id, self.pair, low, high)
        } else {
            Kind::Opaque(id)
        };
        let atom = self.facts.atom(kind, low, high);
        self.facts.value_of(atom)
    }

    /// What an expression is modulo 2^32.
    pub(super) fn ring(&mut self, id: NodeId) -> Poly {
        if let Some(known) = self.values.get(&id) {
            return known.clone();
        }
        if !self.deeper() {
            return self.opaque(id, 0, TOP);
        }
        let poly = self.form(id);
        self.depth -= 1;
        let poly = if poly.is_handy() {
            poly
        } else {
            self.opaque(id, 0, TOP)
        };
        self.values.insert(id, poly.clone());
        self.log.push(id);
        poly
    }

    /// Goes one expression deeper, unless that is too deep or takes too long.
    pub(super) fn deeper(&mut self) -> bool {
        let goes = self.depth < DEEPEST && self.facts.work.step();
        self.depth += u32::from(goes);
        goes
    }

    /// A product that is too large for a polynomial of its factors, modulo 2^32. An expression of equal factors is the same number,
    /// whatever names stand in it: the length of an output, and the end of the loop that writes it.
    pub(super) fn long_product(&mut self, x: Poly, y: Poly) -> Poly {
        let atom = self.facts.atom(Kind::Product(x, y), 0, TOP);
        self.facts.value_of(atom)
    }

    /// Is a product too large for a polynomial of its factors? Nothing is known of its size then.
    fn is_given_up(&mut self, left: NodeId, right: NodeId) -> bool {
        let (x, y) = (self.ring(left), self.ring(right));
        x.short_product(&y).is_none()
    }

    fn form(&mut self, id: NodeId) -> Poly {
        if self.is_wide(id) {
            return self.low_bits(id);
        }
        match self.tables.nodes.node(id) {
            Node::Literal(literal) if self.is_number(id) => {
                Poly::number(literal.as_integer().unwrap_or_default())
            }
            leaf @ Node::Length(_) => {
                let atom = self.facts.atom(Kind::Leaf(leaf), 0, TOP);
                self.facts.value_of(atom)
            }
            Node::Variable(variable) => self.variable(id, variable),
            Node::Binary {
                op,
                exact,
                left,
                right,
            } if self.is_number(left) => {
                let poly = self.binary(id, (op, exact), left, right);
                if exact
                    && !self.computed.contains(&id)
                    && matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul)
                    && (op == BinaryOp::Mul && self.is_given_up(left, right)
                        || !(self.fits(&poly) && self.is_its_form(left) && self.is_its_form(right)))
                {
                    self.inexact.insert(id);
                }
                poly
            }
            Node::Select {
                condition,
                then,
                otherwise,
            } => match self.euclidean(id, [condition, then, otherwise]) {
                Some(rest) => rest,
                None => self.select(id, condition, then, otherwise),
            },
            Node::Cast { value } => {
                let ty = self.tables.nodes.ty(value);
                match ty.range() {
                    Some((0, most)) if ty.bits() < 32 => self.opaque(id, 0, most),
                    // The same bits, or the lower half of them.
                    Some(_) if ty.bits() >= 32 && self.is_number(id) => self.ring(value),
                    _ => self.opaque(id, 0, TOP),
                }
            }
            Node::Unary {
                op: UnaryOp::Neg,
                value,
            } if self.is_number(value) => self.ring(value).scale(-1),
            Node::Unary { op, value } if op.is_promise() => self.ring(value),
            Node::Unary {
                op: UnaryOp::CountOnes | UnaryOp::LeadingZeros | UnaryOp::TrailingZeros,
                ..
            } => self.opaque(id, 0, 32),
            node => {
                let most = self.ranks.most(node);
                self.opaque(id, 0, most.unwrap_or(TOP))
            }
        }
    }

    /// Is an expression one whose arithmetic is followed?
    pub(super) fn is_number(&self, id: NodeId) -> bool {
        self.tables.nodes.ty(id).is_integer() && self.tables.nodes.ty(id).bits() == 32
    }

    fn variable(&mut self, id: NodeId, variable: VariableId) -> Poly {
        if let Some(counter) = self.counters.get(&variable) {
            return counter.clone();
        }
        match self.names.get(&variable).copied() {
            Some(value) => self.ring(value),
            None if !self.is_argument(variable) => {
                let most = self.ranks.most(Node::Variable(variable));
                let value = self.opaque(id, 0, most.unwrap_or(TOP));
                self.bounded(variable, &value);
                value
            }
            None => {
                let atom = self
                    .facts
                    .atom(Kind::Leaf(self.tables.nodes.node(id)), 0, TOP);
                self.facts.value_of(atom)
            }
        }
    }

    fn binary(
        &mut self,
        id: NodeId,
        (op, exact): (BinaryOp, bool),
        left: NodeId,
        right: NodeId,
    ) -> Poly {
        let number = self.tables.nodes.literal(right).map(Literal::u32);
        match (op, number) {
            (BinaryOp::Add, _) => self.ring(left).add(&self.ring(right)),
            (BinaryOp::Sub, _) => self.ring(left).sub(&self.ring(right)),
            (BinaryOp::Mul, _) => {
                let (x, y) = (self.ring(left), self.ring(right));
                x.short_product(&y)
                    .unwrap_or_else(|| self.long_product(x, y))
            }
            (BinaryOp::Shl, Some(n)) => self.ring(left).scale(1 << (n % 32)),
            (BinaryOp::Shr, Some(n)) => {
                let x = self.value(left);
                if !self.prove(&x) {
                    return self.opaque(id, 0, TOP);
                }
                self.divided(&x, &Poly::number(1 << (n % 32)), true)
            }
            (BinaryOp::Div | BinaryOp::Rem, _) => {
                let x = match op {
                    BinaryOp::Rem => self.sealed(id, left),
                    _ => self.value(left),
                };
                let y = self.value(right);
                let known = x
                    .divide(&y)
                    .filter(|(_, rest)| *rest == Poly::default())
                    .map(|(q, _)| q);
                match op {
                    // A required divisor of 0 divides a length of 0, and the quotient is 0.
                    _ if known.as_ref().is_some_and(|q| {
                        self.quotients.iter().any(|(d, own)| *d == y && own == q)
                            || self.is_0_with(q, &y)
                    }) =>
                    {
                        if op == BinaryOp::Div {
                            known.unwrap_or_default()
                        } else {
                            Poly::default()
                        }
                    }
                    _ if y.as_number() == Some(0) => {
                        if op == BinaryOp::Div {
                            Poly::default()
                        } else {
                            x
                        }
                    }
                    // Signed quotients are rounded towards 0.
                    _ if self.tables.nodes.ty(left) == ScalarType::I32
                        && !(self.prove(&x) && self.prove(&y.shift(-1))) =>
                    {
                        self.opaque(id, 0, TOP)
                    }
                    _ if !self.is_positive(&y) => match exact {
                        true => self.opaque(id, 0, TOP),
                        false => self.divided_if_not_0(&x, &y, op == BinaryOp::Div),
                    },
                    _ => self.divided(&x, &y, op == BinaryOp::Div),
                }
            }
            (BinaryOp::Min | BinaryOp::Max, _) => {
                let (x, y) = (self.value(left), self.value(right));
                // Of what has no range it is only known that a `u32` is never below 0.
                let signed = self.tables.nodes.ty(left) == ScalarType::I32;
                let range = |x| self.facts.range(x).map_or(signed, |(low, _)| low < 0);
                let below = [&x, &y].map(range).contains(&true);
                if below && !(self.prove(&x) && self.prove(&y)) {
                    // Atoms are never negative.
                    let above = self.extreme(op == BinaryOp::Min, x.shift(SIGN), y.shift(SIGN));
                    return above.shift(-SIGN);
                }
                self.extreme(op == BinaryOp::Min, x, y)
            }
            (BinaryOp::And | BinaryOp::Or | BinaryOp::Xor, _)
                if self.tables.nodes.ty(left) == ScalarType::U32 =>
            {
                let x = match number {
                    Some(_) if op == BinaryOp::And => self.sealed(id, left),
                    _ => self.value(left),
                };
                let y = self.value(right);
                let (x, y) = if x.as_number().is_some() {
                    (y, x)
                } else {
                    (x, y)
                };
                self.bits(op, &x, &y)
            }
            _ => self.opaque(id, 0, TOP),
        }
    }
}
