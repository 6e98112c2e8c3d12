//! Expressions as polynomials, conditions as facts, and proofs.
//!
//! Sums, differences and products of `u32` are followed modulo 2^32; they are what the polynomial
//! says if that lies in the range of a `u32`, which is proved before an operator that needs the
//! number itself (`/`, `%`, `<`, `&`, ..) looks at it. So a user's wrapping arithmetic is followed
//! as far as it does not wrap. What a launch computes before the kernel runs does not wrap either:
//! the launch refuses lengths and numbers of blocks any step of which leaves 32 bits (`lengths`).
//! The rest are atoms, with facts that bound them.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::facts::{Facts, Kind, Mark, TOP};
use super::poly::{Atom, Poly};
use super::work::Work;
use crate::ir::{Kernel, Levelled};
use crate::scalar::{
    BinaryOp, Literal, Node, NodeId, ScalarType, Tables, UnaryOp, VariableId, VariableKind,
};

/// The largest depth to which an expression is followed.
const DEEPEST: u32 = 100;
/// How deep an expression is looked into for its greatest value.
const MOST_LOOKED_AT: u32 = 8;
/// With more choices than these in it, one inside of the other, an expression is looked at sparingly.
const MOST_CHOICES: u32 = 3;
/// The numbers of a `u32`, and half of them: the least `i32` is that much below 0.
const WRAP: i128 = 1 << 32;
const SIGN: i128 = 1 << 31;
/// How often arithmetic may have wrapped around for that to be followed.
const MOST_WRAPS: i128 = 4;
/// Between the numbers of the loops of one of two threads and those of the other.
const PAIR: u32 = 1 << 20;

/// Expressions at a point of a kernel.
pub(super) struct Forms<'k> {
    pub(super) tables: &'k Tables,
    pub(super) facts: Facts,
    /// The values of names.
    pub(super) names: BTreeMap<VariableId, NodeId>,
    /// The atoms of counters.
    counters: HashMap<VariableId, Poly>,
    /// The counts of counters.
    lengths: HashMap<Atom, Poly>,
    pub(super) values: HashMap<NodeId, Poly>,
    pub(super) log: Vec<NodeId>,
    /// Exact arithmetic that could not be shown to be exact.
    pub(super) inexact: BTreeSet<NodeId>,
    depth: u32,
    /// Which of two threads expressions are looked at for, if for one of two.
    pub(super) pair: u32,
    /// Divisors, maybe 0, with their quotients of lengths that they divide.
    pub(super) quotients: Vec<(Poly, Poly)>,
    /// Sums, differences and products that a launch computes, and finds to be numbers of 32 bits.
    pub(super) computed: BTreeSet<NodeId>,
    /// The number of steps after which one access is looked at sparingly.
    until: u64,
    /// How many choices are in an expression, one inside of the other.
    choices: HashMap<NodeId, u32>,
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
    pub(super) fn new(kernel: &'k Kernel<Levelled>, work: Work) -> Self {
        let tables = &kernel.tables;
        let facts = Facts::new(work);
        let (names, counters, values, lengths) = (
            BTreeMap::new(),
            HashMap::new(),
            HashMap::new(),
            HashMap::new(),
        );
        let mut forms = Forms {
            tables,
            facts,
            names,
            counters,
            lengths,
            values,
            log: Vec::new(),
            inexact: BTreeSet::new(),
            depth: 0,
            pair: 0,
            quotients: Vec::new(),
            computed: BTreeSet::new(),
            until: u64::MAX,
            choices: HashMap::new(),
        };
        forms.launch(kernel);
        forms
    }

    pub(super) fn enter(&self) -> (Mark, usize) {
        (self.facts.enter(), self.log.len())
    }

    pub(super) fn leave(&mut self, (mark, log): (Mark, usize)) {
        self.facts.leave(mark);
        for id in self.log.drain(log..) {
            self.values.remove(&id);
            self.inexact.remove(&id);
        }
    }

    /// Binds the counter of a loop, by the loop's number; `rounds` is the node of the count.
    pub(super) fn counter(
        &mut self,
        variable: VariableId,
        number: u32,
        count: &Poly,
        rounds: NodeId,
    ) -> Atom {
        // The range of an atom holds wherever it occurs, also where less is known than here.
        let high = self.most(rounds, 0) - 1;
        let atom = self
            .facts
            .atom(Kind::Counter(number + self.pair * PAIR), 0, high.max(0));
        self.counters.insert(variable, Poly::atom(atom));
        self.lengths.insert(atom, count.clone());
        self.facts.add(count.sub(&Poly::atom(atom)).shift(-1));
        if let Some(n) = count.as_number().filter(|n| *n <= 0) {
            self.facts.add(Poly::number(n - 1));
        }
        atom
    }

    /// A number that an expression does not exceed anywhere, whatever is known.
    fn most(&self, id: NodeId, depth: u32) -> i128 {
        let nodes = &self.tables.nodes;
        if depth > MOST_LOOKED_AT {
            return TOP;
        }
        let of = |id: NodeId| self.most(id, depth + 1);
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
            Node::Cast { value } => match nodes.ty(value) {
                ScalarType::Bool => 1,
                ScalarType::U8 => 255,
                ScalarType::U16 => 65_535,
                _ => TOP,
            },
            _ => TOP,
        }
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
            self.inexact.remove(&id);
        }
    }

    /// The counter that a variable is now.
    pub(super) fn present_counter(&self, variable: VariableId) -> Poly {
        self.counters.get(&variable).cloned().unwrap_or_default()
    }

    /// Looks at expressions where no loop is known to have a round: nothing is learnt from a
    /// counter being below its count.
    pub(super) fn outside_of_loops(&mut self, look: impl FnOnce(&mut Self)) {
        let lengths = std::mem::take(&mut self.lengths);
        look(self);
        self.lengths = lengths;
    }

    /// Learns that a loop has a round: if its count is a product, both factors are at least 1.
    pub(super) fn has_rounds(&mut self, count: NodeId) {
        let mut stack = vec![count];
        while let Some(id) = stack.pop() {
            match self.tables.nodes.node(id) {
                Node::Variable(variable) => stack.extend(self.names.get(&variable)),
                Node::Binary {
                    op: BinaryOp::Mul,
                    left,
                    right,
                    ..
                } => {
                    for factor in [left, right] {
                        let least = self.value(factor).shift(-1);
                        self.facts.add(least);
                        stack.push(factor);
                    }
                }
                _ => {}
            }
        }
    }

    /// Is a variable an argument of the kernel?
    pub(super) fn is_argument(&self, variable: VariableId) -> bool {
        self.tables
            .variables
            .get(variable.0 as usize)
            .is_some_and(|v| v.kind == VariableKind::Argument)
    }

    /// Is some exact arithmetic in an expression not shown to be exact?
    pub(super) fn is_inexact(&self, root: NodeId) -> bool {
        !self.inexact.is_empty() && {
            let mut stack = vec![root];
            let mut seen = BTreeSet::new();
            while let Some(id) = stack.pop() {
                if self.inexact.contains(&id) {
                    return true;
                }
                // Stored values of other statements are none of this one's.
                if seen.insert(id) && !matches!(self.tables.nodes.node(id), Node::Load { .. }) {
                    stack.extend(self.tables.nodes.node(id).operands());
                }
            }
            false
        }
    }

    /// The number that an expression of `u32` or `i32` is.
    pub(super) fn value(&mut self, id: NodeId) -> Poly {
        let nodes = &self.tables.nodes;
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
        let ring = self.ring(id);
        let arithmetic = match node {
            Node::Binary { op, .. } => matches!(
                op,
                BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Shl
            ),
            Node::Cast { value } => nodes.ty(value) == ScalarType::I32,
            _ => false,
        };
        if !arithmetic || self.computed.contains(&id) {
            return ring;
        }
        match self.wrapped(&ring) {
            Wrapped::Not => ring,
            Wrapped::To(number) => number,
            Wrapped::Unknown => self.opaque(id, 0, TOP),
        }
    }

    /// The number that an expression of `i32` is: wrapping takes a multiple of 2^32 from what the
    /// polynomial says.
    fn signed(&mut self, id: NodeId) -> Poly {
        let ring = self.ring(id);
        match self.wrapped(&ring.shift(SIGN)) {
            Wrapped::Not => ring,
            Wrapped::To(number) => number.shift(-SIGN),
            Wrapped::Unknown => self.opaque(id, 0, TOP).shift(-SIGN),
        }
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
        if above && (high <= TOP || self.prove(&Poly::number(TOP).sub(number))) {
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

    /// Is an expression the very number that its form says, and not only modulo 2^32? The user's own
    /// sums wrap: `i - 2` in a piece before which another one lies is no index of the piece for 0.
    fn is_its_form(&mut self, id: NodeId) -> bool {
        let may_wrap = match self.tables.nodes.node(id) {
            Node::Binary { op, exact, .. } => {
                !exact
                    && matches!(
                        op,
                        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Shl
                    )
            }
            Node::Select { .. } => true,
            _ => false,
        };
        !may_wrap || {
            let form = self.ring(id);
            self.fits(&form)
        }
    }

    /// Is it in the range of a `u32`?
    pub(super) fn fits(&mut self, poly: &Poly) -> bool {
        match self.facts.range(poly) {
            Some((low, high)) if low >= 0 && high <= TOP => true,
            _ => self.prove(poly) && self.prove(&Poly::number(TOP).sub(poly)),
        }
    }

    fn opaque(&mut self, id: NodeId, low: i128, high: i128) -> Poly {
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
        if self.depth >= DEEPEST || !self.facts.work.step() {
            return self.opaque(id, 0, TOP);
        }
        self.depth += 1;
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

    fn form(&mut self, id: NodeId) -> Poly {
        match self.tables.nodes.node(id) {
            Node::Literal(literal) => Poly::number(literal.as_integer().unwrap_or_default()),
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
                    && !(self.fits(&poly) && self.is_its_form(left) && self.is_its_form(right))
                {
                    self.inexact.insert(id);
                }
                poly
            }
            Node::Select {
                condition,
                then,
                otherwise,
            } => self.select(id, condition, then, otherwise),
            Node::Cast { value } => match self.tables.nodes.ty(value) {
                ScalarType::Bool => self.opaque(id, 0, 1),
                ScalarType::U8 => self.opaque(id, 0, 255),
                ScalarType::U16 => self.opaque(id, 0, 65_535),
                // The same bits.
                ScalarType::U32 | ScalarType::I32 if self.is_number(id) => self.ring(value),
                _ => self.opaque(id, 0, TOP),
            },
            Node::Unary {
                op: UnaryOp::Neg,
                value,
            } if self.is_number(value) => self.ring(value).scale(-1),
            Node::Unary {
                op: UnaryOp::CountOnes | UnaryOp::LeadingZeros | UnaryOp::TrailingZeros,
                ..
            } => self.opaque(id, 0, 32),
            _ => self.opaque(id, 0, TOP),
        }
    }

    /// Is an expression one whose arithmetic is followed?
    fn is_number(&self, id: NodeId) -> bool {
        matches!(self.tables.nodes.ty(id), ScalarType::U32 | ScalarType::I32)
    }

    fn variable(&mut self, id: NodeId, variable: VariableId) -> Poly {
        if let Some(counter) = self.counters.get(&variable) {
            return counter.clone();
        }
        match self.names.get(&variable).copied() {
            Some(value) => self.ring(value),
            None if !self.is_argument(variable) => self.opaque(id, 0, TOP),
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
                x.times(&y).unwrap_or_else(|| self.opaque(id, 0, TOP))
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
                let (x, y) = (self.value(left), self.value(right));
                let known = x
                    .divide(&y)
                    .filter(|(_, rest)| *rest == Poly::default())
                    .map(|(q, _)| q);
                match op {
                    // A required divisor of 0 divides a length of 0, and the quotient is 0.
                    _ if known.as_ref().is_some_and(|q| {
                        self.quotients.iter().any(|(d, own)| *d == y && own == q)
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
                let below = [&x, &y].map(|x| self.facts.range(x).map_or(0, |(low, _)| low));
                if below.iter().any(|low| *low < 0) && !(self.prove(&x) && self.prove(&y)) {
                    // Atoms are never negative.
                    let above = self.extreme(op == BinaryOp::Min, x.shift(SIGN), y.shift(SIGN));
                    return above.shift(-SIGN);
                }
                self.extreme(op == BinaryOp::Min, x, y)
            }
            (BinaryOp::And | BinaryOp::Or | BinaryOp::Xor, _)
                if self.tables.nodes.ty(left) == ScalarType::U32 =>
            {
                let (x, y) = (self.value(left), self.value(right));
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

    /// The quotient or the rest of numbers, the divisor at least 1.
    fn divided(&mut self, x: &Poly, y: &Poly, quotient: bool) -> Poly {
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
    fn divided_if_not_0(&mut self, x: &Poly, y: &Poly, quotient: bool) -> Poly {
        let (q, _) = self.quotient_atoms(x, y);
        self.facts.divides(y, q);
        self.parts_of(x, y, quotient, false, &Poly::default())
    }

    /// The atoms of a quotient and its rest, with what is known of them.
    fn parts_of(
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
            // Of a counter of `y * m` rounds the quotient is below `m`.
            let rounds = rest
                .as_atom()
                .and_then(|counter| self.lengths.get(&counter)?.divide_exactly(y));
            if let Some(rounds) = rounds.filter(|_| not_0) {
                self.facts.add(rounds.sub(&qv).shift(-1));
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

    fn extreme(&mut self, least: bool, x: Poly, y: Poly) -> Poly {
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
        }
        self.facts.value_of(atom)
    }

    /// A bitwise operator on numbers; what is known is to the right.
    fn bits(&mut self, op: BinaryOp, x: &Poly, y: &Poly) -> Poly {
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

    fn select(&mut self, id: NodeId, condition: NodeId, then: NodeId, otherwise: NodeId) -> Poly {
        let arms = if self.is_sparing(id) {
            [then, otherwise].map(|value| Some(self.ranged(value)))
        } else {
            [(true, then), (false, otherwise)].map(|(holds, arm)| self.arm(condition, holds, arm))
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
                    return self.opaque(id, low, high).shift(-below);
                }
                let atom = self.facts.atom(Kind::Select(id, low, high), low, high);
                self.facts.value_of(atom).shift(-below)
            }
            (None, None) => Poly::default(),
        }
    }

    /// The value of an arm and its range; `None` if it is never chosen.
    fn arm(
        &mut self,
        condition: NodeId,
        holds: bool,
        value: NodeId,
    ) -> Option<(Poly, (i128, i128))> {
        let mark = self.enter();
        self.assume(condition, holds);
        let arm = (!self.facts.is_absurd()).then(|| self.ranged(value));
        self.leave(mark);
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
    fn below_0(&self, id: NodeId) -> i128 {
        match self.tables.nodes.ty(id) {
            ScalarType::I32 => SIGN,
            _ => 0,
        }
    }

    /// Is an expression looked at once, and not again under every condition?
    fn is_sparing(&self, id: NodeId) -> bool {
        let work = &self.facts.work;
        let over = self.until == u64::MAX || work.done() > self.until;
        work.sparing && over && self.is_deep(id)
    }

    /// Are there many choices in it, one inside of the other?
    fn is_deep(&self, id: NodeId) -> bool {
        self.choices
            .get(&id)
            .is_some_and(|choices| *choices > MOST_CHOICES)
    }

    /// Looks at what has many choices in it here, so that it need not be looked at elsewhere.
    pub(super) fn look(&mut self, roots: &[NodeId]) {
        let nodes = &self.tables.nodes;
        for id in nodes.post_order(roots, |id| self.choices.contains_key(&id)) {
            let node = nodes.node(id);
            let name = match node {
                Node::Variable(variable) => self.names.get(&variable).copied(),
                _ => None,
            };
            let parts = node.operands().chain(name);
            let inside = parts.filter_map(|part| self.choices.get(&part)).max();
            let own = u32::from(matches!(node, Node::Select { .. }));
            self.choices
                .insert(id, inside.map_or(0, |inside| inside + own).max(own));
        }
        let order = nodes.post_order(roots, |id| self.values.contains_key(&id));
        for id in order {
            if nodes.ty(id) == ScalarType::U32 && self.is_deep(id) {
                self.ring(id);
            }
        }
    }

    /// Looks at one access anew under all that is known here, for some steps.
    pub(super) fn precisely<T>(&mut self, look: impl FnOnce(&mut Self) -> T) -> T {
        let mark = self.enter();
        let before = (
            std::mem::take(&mut self.values),
            std::mem::take(&mut self.log),
            std::mem::take(&mut self.inexact),
        );
        self.until = self.facts.work.end_of_access();
        let seen = look(self);
        self.until = u64::MAX;
        (self.values, self.log, self.inexact) = before;
        self.leave(mark);
        seen
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
        for fact in self.condition(condition, holds).into_iter().flatten() {
            self.facts.add(fact);
        }
    }

    /// What is not negative if a condition holds, or does not; `None` if that is not all that it
    /// says.
    pub(super) fn condition(&mut self, condition: NodeId, holds: bool) -> Option<Vec<Poly>> {
        use BinaryOp::*;
        match self.tables.nodes.node(condition) {
            Node::Literal(literal) => Some(if literal.bool() == holds {
                Vec::new()
            } else {
                vec![Poly::number(-1)]
            }),
            Node::Variable(variable) => {
                let value = self.names.get(&variable).copied()?;
                self.condition(value, holds)
            }
            Node::Unary {
                op: UnaryOp::Not,
                value,
            } => self.condition(value, !holds),
            Node::Binary {
                op: And,
                left,
                right,
                ..
            } if holds => self.both(left, right, true),
            Node::Binary {
                op: Or,
                left,
                right,
                ..
            } if !holds => self.both(left, right, false),
            Node::Binary {
                op, left, right, ..
            } if self.is_number(left) => {
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

    /// Both conditions; a half that says nothing does not keep the other from being learnt.
    fn both(&mut self, left: NodeId, right: NodeId, holds: bool) -> Option<Vec<Poly>> {
        let (mut x, y) = (self.condition(left, holds), self.condition(right, holds));
        if x.is_none() || y.is_none() {
            for fact in x.into_iter().chain(y).flatten() {
                self.facts.add(fact);
            }
            return None;
        }
        x.iter_mut()
            .for_each(|x| x.extend(y.clone().into_iter().flatten()));
        x
    }
}
