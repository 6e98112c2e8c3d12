//! What is known at a point of a kernel, and proofs from it.
//!
//! A fact is a polynomial that is not negative there: of a counter that it is below its count, of a
//! guard that it holds, of a quotient how it lies between its operands. A proof of `goal >= 0`
//! eliminates the last atom of the goal with a fact that bounds it, and goes on with what is left,
//! until the ranges of the atoms are enough. Atoms are made of earlier atoms only, so a proof ends;
//! its steps are counted, and what takes too many is not proved.

use super::poly::{Atom, Poly, is_multiplier};
use super::proofs::Proofs;
use super::witness::Witnesses;
use super::work::Work;
use crate::hashed::{HashMap, HashSet};
use crate::scalar::{BinaryOp, Node, NodeId};

/// The largest `u32`.
pub(super) const TOP: i128 = u32::MAX as i128;

/// What an atom stands for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Kind {
    /// A length or an argument of the kernel.
    Leaf(Node),
    /// The counter of a loop, by the number of the loop.
    Counter(u32),
    /// A whole part of another atom, which is a multiple of a number, or of a length for the number
    /// 0.
    Part(Atom, u32),
    /// The value of a node of which nothing else is known.
    Opaque(NodeId),
    /// The upper half of an integer of 64 bits of which nothing else is known, for one of two threads if it is not 0; of a signed one it is
    /// 2^31 more.
    Upper(NodeId, u32),
    /// A choice between two values, with its range where it is looked at.
    Select(NodeId, i128, i128),
    /// A product modulo 2^32 that has too many terms.
    Product(Poly, Poly),
    /// The quotient, rounded down; the divisor is not 0.
    Div(Poly, Poly),
    /// What the quotient leaves.
    Rem(Poly, Poly),
    /// The smaller one.
    Min(Poly, Poly),
    /// The larger one.
    Max(Poly, Poly),
    /// A bitwise operator.
    Bits(BinaryOp, Poly, Poly),
    /// A number that a condition keeps below a border.
    Place(Poly),
    /// A number in a range, with the index that it is a part of.
    Piece(NodeId, i128, i128),
    /// The value of a node as one of two threads has it, with its range where it is looked at.
    Other(NodeId, u32, i128, i128),
}

/// Steps of one proof.
const MOST_STEPS: u32 = 300;
/// How deep a proof looks, first not far.
pub(super) const DEPTHS: [u32; 4] = [2, 4, 7, 12];
/// Facts at one point: what is learnt beyond them is forgotten, so that deep conditions cost no
/// more than their number.
const MOST_FACTS: usize = 256;
/// Facts about one atom, in the sparing way.
const MOST_OF_ONE_ATOM: usize = 64;
/// Facts in which an atom is eliminated as soon as they are known.
const MOST_DERIVED: u32 = 3;

/// The atoms, and the facts that hold at the present point.
#[derive(Default, Debug)]
pub(super) struct Facts {
    kinds: Vec<(Kind, i128, i128)>,
    // Only looked up in, never walked.
    known: HashMap<Kind, Atom>,
    /// Atoms that are a multiple of another, by requirement of the launch.
    aliases: HashMap<Atom, Poly>,
    facts: Vec<Poly>,
    witnesses: Witnesses,
    proofs: Proofs,
    /// The facts by their last atoms.
    tops: HashMap<Atom, Vec<usize>>,
    defined: HashSet<Atom>,
    defined_log: Vec<Atom>,
    /// Quotients by what may be 0, which are 0 then.
    maybe_0: Vec<(Poly, Atom)>,
    /// Do the facts contradict each other? Then nothing is executed here.
    absurd: bool,
    pub(super) steps: u32,
    /// Is the present proof the last attempt, so that all cases are looked at?
    pub(super) thorough: bool,
    /// Divisors of which it is being proved that they are more than 0.
    pub(super) asked: Vec<Poly>,
    /// What has been done.
    pub(super) work: Work,
}

/// A point to which [`Facts::leave`] goes back.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    facts: usize,
    defined: usize,
    absurd: bool,
}

impl Facts {
    pub(super) fn new(work: Work) -> Self {
        Facts {
            work,
            ..Facts::default()
        }
    }

    pub(super) fn enter(&self) -> Mark {
        Mark {
            facts: self.facts.len(),
            defined: self.defined_log.len(),
            absurd: self.absurd,
        }
    }

    /// Forgets what was learnt since the mark.
    pub(super) fn leave(&mut self, mark: Mark) {
        while self.facts.len() > mark.facts {
            let top = self.facts.pop().and_then(|fact| fact.top());
            top.and_then(|top| self.tops.get_mut(&top)?.pop());
        }
        self.witnesses.forget(mark.facts);
        self.proofs.forget(mark.facts);
        for atom in self.defined_log.drain(mark.defined..) {
            self.defined.remove(&atom);
        }
        self.absurd = mark.absurd;
    }

    /// The number of facts.
    pub(super) fn len(&self) -> usize {
        self.facts.len()
    }

    /// Learns what the facts about an atom say of its value.
    pub(super) fn put(&mut self, atom: Atom, value: &Poly) {
        let about: Vec<Poly> = self.with_top(atom).cloned().collect();
        for fact in about {
            fact.with(atom, value)
                .into_iter()
                .for_each(|fact| self.add(fact));
        }
    }

    /// Would a fact not hold if an atom was 0?
    pub(super) fn needs(&self, atom: Atom) -> bool {
        let nothing = Poly::default();
        let mut products = self.facts.iter().filter(|fact| fact.mentions(atom));
        products.any(|fact| {
            let rest = fact.with(atom, &nothing);
            rest.and_then(|rest| self.range(&rest))
                .is_some_and(|(_, high)| high < 0)
        })
    }

    /// A quotient by what may be 0.
    pub(super) fn divides(&mut self, divisor: &Poly, quotient: Atom) {
        let known = (divisor.clone(), quotient);
        if !self.maybe_0.contains(&known) {
            self.maybe_0.push(known);
        }
    }

    /// Is something divided by it without a proof that it is not 0?
    pub(super) fn may_be_0(&self, divisor: &Poly) -> bool {
        self.by_maybe_0(divisor).next().is_some()
    }

    /// The quotients by a divisor that may be 0.
    pub(super) fn by_maybe_0(&self, divisor: &Poly) -> impl Iterator<Item = Atom> {
        let own = self
            .maybe_0
            .iter()
            .filter(move |(other, _)| other == divisor);
        own.map(|(_, quotient)| *quotient)
    }

    /// All quotients, each with what is divided by what.
    pub(super) fn quotients(&self) -> impl Iterator<Item = (Atom, &Poly, &Poly)> {
        let all = (0..).map(Atom).zip(&self.kinds);
        all.filter_map(|(atom, (kind, ..))| match kind {
            Kind::Div(x, y) => Some((atom, x, y)),
            _ => None,
        })
    }

    /// All that numbers leave, each with what is divided by which number.
    pub(super) fn rests(&self) -> Vec<(Atom, Poly, i128)> {
        let all = (0..).map(Atom).zip(&self.kinds);
        let rests = all.filter_map(|(atom, (kind, ..))| match kind {
            Kind::Rem(x, y) => Some((atom, x.clone(), y.as_number().filter(|n| *n > 1)?)),
            _ => None,
        });
        rests.collect()
    }

    /// The atom of a kind, if there is one.
    pub(super) fn known(&self, kind: &Kind) -> Option<Atom> {
        self.known.get(kind).copied()
    }

    /// Is this point never reached?
    pub(super) fn is_absurd(&self) -> bool {
        self.absurd
    }

    /// The atom of a kind, with the range of its values.
    pub(super) fn atom(&mut self, kind: Kind, low: i128, high: i128) -> Atom {
        if let Some(atom) = self.known.get(&kind) {
            return *atom;
        }
        let atom = Atom(self.kinds.len() as u32);
        let (low, high) = (low.max(0), high.min(TOP));
        self.witnesses.atom(&kind, low, high.max(low));
        self.kinds.push((kind.clone(), low, high));
        self.known.insert(kind, atom);
        atom
    }

    /// The atom of a counter, which is below a count.
    pub(super) fn counter(&mut self, number: u32, count: &Poly, high: i128) -> Atom {
        let new = self.kinds.len();
        let atom = self.atom(Kind::Counter(number), 0, high);
        if self.kinds.len() > new {
            self.witnesses.below(atom, count);
        }
        atom
    }

    /// The value of an atom: itself, or the multiple that it is known to be.
    pub(super) fn value_of(&self, atom: Atom) -> Poly {
        self.aliases
            .get(&atom)
            .cloned()
            .unwrap_or_else(|| Poly::atom(atom))
    }

    /// A number times the part of an atom that is a multiple of it.
    pub(super) fn multiple(&mut self, atom: Atom, n: u32) -> Poly {
        let part = self.atom(Kind::Part(atom, n), 0, self.high(atom) / i128::from(n));
        Poly::atom(part).scale(n.into())
    }

    /// Says what an atom is. Polynomials made before do not know it.
    pub(super) fn set_value(&mut self, atom: Atom, value: &Poly) {
        let before: Vec<Atom> = self.aliases.keys().copied().collect();
        self.aliases.insert(atom, value.clone());
        self.witnesses.alias(atom, value);
        for other in before {
            let new = self.aliases[&other].with(atom, value);
            self.aliases.extend(new.map(|new| (other, new)));
        }
    }

    pub(super) fn kind(&self, atom: Atom) -> &Kind {
        &self.kinds[atom.0 as usize].0
    }

    /// Is the atom new at this point? Then the facts that define it are to be added.
    pub(super) fn define(&mut self, atom: Atom) -> bool {
        let new = self.defined.insert(atom);
        if new {
            self.defined_log.push(atom);
        }
        new
    }

    pub(super) fn low(&self, atom: Atom) -> i128 {
        self.kinds[atom.0 as usize].1
    }

    pub(super) fn high(&self, atom: Atom) -> i128 {
        self.kinds[atom.0 as usize].2
    }

    /// The least and the greatest value, as far as the ranges of the atoms tell; `None` if they do
    /// not fit.
    pub(super) fn range(&self, poly: &Poly) -> Option<(i128, i128)> {
        poly.range(|atom| {
            let (_, low, high) = &self.kinds[atom.0 as usize];
            (*low, *high)
        })
    }

    /// Learns that a polynomial is not negative.
    pub(super) fn add(&mut self, fact: Poly) {
        self.learn(fact, 0);
    }

    fn learn(&mut self, fact: Poly, derived: u32) {
        if !self.work.step() {
            return;
        }
        let fact = fact.tightened();
        match self.range(&fact) {
            Some((low, _)) if low >= 0 => return,
            Some((_, high)) if high < 0 => self.absurd = true,
            _ => {}
        }
        let Some(top) = fact.top() else { return };
        if !fact.is_handy() || self.is_full(top) || self.with_top(top).any(|known| *known == fact) {
            return;
        }
        self.witnesses.learn(&fact, self.facts.len());
        self.tops.entry(top).or_default().push(self.facts.len());
        self.facts.push(fact.clone());
        if derived < MOST_DERIVED {
            for atom in self.positive_in(&fact) {
                self.learn(Poly::atom(atom).shift(-1), derived + 1);
            }
        }
        let Some((factor, rest)) = fact.split(top).filter(|_| derived < MOST_DERIVED) else {
            return;
        };
        let Some(k) = factor.as_number() else { return };
        let bound = if k < 0 { self.low(top) } else { self.high(top) };
        if bound < TOP {
            self.learn(rest.shift(k * bound), derived + 1);
        }
        let opposite = |other: &&Poly| other.factor(&[top]).signum() == -k.signum();
        let others: Vec<Poly> = self.with_top(top).filter(opposite).cloned().collect();
        for other in others {
            if let Some(sum) = eliminated(&fact, &other, top) {
                self.learn(sum, derived + 1);
            }
        }
    }

    /// The atoms without which a fact would not hold: if one was 0, so would be all that is added in
    /// it. Where an element of `height * width` is, both are at least 1.
    fn positive_in(&self, fact: &Poly) -> Vec<Atom> {
        let products = fact.terms().filter(|(_, factor)| *factor > 0);
        let mut products = products.map(|(product, _)| product);
        let Some(first) = products.next().filter(|first| first.len() > 1) else {
            return Vec::new();
        };
        let mut all: Vec<Atom> = first.to_vec();
        for product in products {
            all.retain(|atom| product.contains(atom));
        }
        all.dedup();
        all.retain(|atom| self.low(*atom) == 0);
        if all.is_empty() {
            return all;
        }
        // What is taken away is at least 1 if a term of it is, and none is below 0.
        let taken = fact.terms().filter(|(_, factor)| *factor < 0);
        let taken: Vec<&[Atom]> = taken.map(|(product, _)| product).collect();
        let is_least =
            |low: i128| move |product: &&[Atom]| product.iter().all(|atom| self.low(*atom) >= low);
        match taken.iter().all(is_least(0)) && taken.iter().any(is_least(1)) {
            true => all,
            false => Vec::new(),
        }
    }

    /// The facts whose last atom is this one, the latest first.
    fn with_top(&self, top: Atom) -> impl Iterator<Item = &Poly> {
        let tops = self.tops.get(&top).into_iter().flatten().rev();
        tops.map(|n| &self.facts[*n])
    }

    /// Is nothing more learnt about an atom?
    fn is_full(&self, top: Atom) -> bool {
        match self.work.sparing {
            // What all expressions are stays known then.
            true => self.tops.get(&top).map_or(0, Vec::len) >= MOST_OF_ONE_ATOM,
            false => self.facts.len() >= MOST_FACTS,
        }
    }

    /// The facts whose last atom is this one, the latest first, and those of its range: those that bound it
    /// from below, for a sign of 1, or from above, for -1, and those with another factor than a number.
    pub(super) fn about(&self, atom: Atom, sign: i128) -> Vec<Poly> {
        let own = Poly::atom(atom);
        let range = match sign < 0 {
            true => own.scale(-1).shift(self.high(atom)),
            false => own.shift(-self.low(atom)),
        };
        let is_last = sign < 0 && self.high(atom) == TOP;
        let (first, last) = match is_last {
            true => (None, Some(range)),
            false => (Some(range), None),
        };
        let mut list: Vec<Poly> = first.into_iter().collect();
        for fact in self.with_top(atom) {
            if fact.sign_of(atom).is_none_or(|own| own == sign) {
                list.push(fact.clone());
            }
        }
        list.extend(last);
        list
    }

    /// Facts that bound a product from above by earlier atoms than its own, with its factor in
    /// them.
    pub(super) fn bounds_of(&self, product: &[Atom]) -> Vec<(Poly, i128)> {
        let factor = |fact: &Poly| fact.factor(product);
        let tops = product.last().and_then(|top| self.tops.get(top));
        let bounds = tops.into_iter().flatten().map(|n| &self.facts[*n]);
        let bounds = bounds.filter(|fact| {
            let mut terms = fact.terms();
            terms.all(|(own, _)| own.len() < product.len() || own == product)
        });
        bounds
            .filter_map(|fact| Some((fact.clone(), Some(factor(fact)).filter(|k| *k < 0)?)))
            .collect()
    }

    /// The other atoms of products that have all atoms of a product, and of which a fact says that they have 32 bits.
    pub(super) fn larger_products(&self, product: &[Atom]) -> Vec<Vec<Atom>> {
        let mut found = Vec::new();
        for fact in &self.facts {
            let mut terms = fact.terms().filter(|(own, _)| !own.is_empty());
            let (Some((own, -1)), None) = (terms.next(), terms.next()) else {
                continue;
            };
            let mut others = own.to_vec();
            let is_in = product.iter().all(|atom| {
                let place = others.iter().position(|other| other == atom);
                place.map(|place| others.swap_remove(place)).is_some()
            });
            if is_in && fact.constant() <= TOP && !found.contains(&others) {
                found.push(others);
            }
        }
        found
    }

    /// What `x` is not above by a fact, for a sign of 1, or not below, for -1: polynomials of other
    /// atoms.
    pub(super) fn bounds(&self, x: &Poly, sign: i128) -> Vec<Poly> {
        let own = x.atoms();
        let about = x.top().into_iter().flat_map(|top| self.with_top(top));
        let bounds = about.map(|fact| x.plus(sign, fact));
        bounds
            .filter(|bound| bound.atoms().is_disjoint(&own))
            .collect()
    }

    /// Is the value of an atom not known to the witnesses?
    pub(super) fn is_open(&self, atom: Atom) -> bool {
        self.witnesses.is_open(atom)
    }

    /// What a `select` gives: the first value if all facts hold, and the second if not.
    pub(super) fn chosen(&mut self, atom: Atom, facts: &[Poly], arms: &[Poly; 2]) {
        self.witnesses.chosen(atom, facts, arms);
    }

    /// Is there a witness that a polynomial may be negative here?
    pub(super) fn refute(&self, goal: &Poly) -> bool {
        self.witnesses.refute(goal)
    }

    /// What is known of a goal that was to be proved before.
    pub(super) fn verdict(&mut self, goal: &Poly) -> Option<bool> {
        let others = (self.kinds.len(), self.maybe_0.len());
        self.proofs.verdict(&self.facts, goal, others)
    }

    /// Notes what a proof has come to.
    pub(super) fn note(&mut self, goal: Poly, is_proved: bool) {
        let others = (self.kinds.len(), self.maybe_0.len());
        self.proofs.note(&self.facts, goal, others, is_proved);
    }

    pub(super) fn start_proof(&mut self) {
        self.steps = MOST_STEPS;
    }
}

/// What two facts say together without an atom that one bounds from above and one from below.
fn eliminated(a: &Poly, b: &Poly, atom: Atom) -> Option<Poly> {
    let ((f, a), (g, b)) = (a.split(atom)?, b.split(atom)?);
    let (f, g) = (f.as_number()?, g.as_number()?);
    let handy = is_multiplier(f) && is_multiplier(g);
    (handy && (f < 0) != (g < 0)).then(|| a.scale(g.abs()).plus(f.abs(), &b))
}
