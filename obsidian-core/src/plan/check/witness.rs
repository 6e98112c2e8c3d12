//! Refutation by witnesses: numbers for all atoms at which all facts of a point hold.
//!
//! *Claim.* A goal that is negative at a witness does not follow from the facts, so that
//! [`prove`](super::prove) need not look for a proof of it, nor of what a step of a proof leaves.
//! *Argument.* A proof says that the goal is not negative wherever the facts hold; they hold at the
//! witness. No acceptance rests on this: all that a witness does is to end an attempt.
//!
//! *Method.* A few numbers are chosen for each length, argument and counter, and for what is loaded;
//! quotients, bounds and bits are computed from them, and so is what a `select` gives where its condition is one of
//! numbers. A fact that does not hold at a witness sets it aside until the fact is forgotten.

use super::facts::Kind;
use super::poly::{Atom, Poly};
use crate::scalar::BinaryOp;

/// How many there are.
const MANY: usize = 24;
/// Numbers that lengths and arguments are, among them 0, and those around blocks.
const LENGTHS: [i128; 16] = [
    1, 64, 1000, 65_537, 2, 3, 0, 17, 256, 300, 7, 33, 100_000, 512, 40, 5,
];

/// One of them.
#[derive(Debug)]
struct Witness {
    values: Vec<Option<i128>>,
    /// The number of facts before the first that does not hold.
    facts: usize,
}

/// The witnesses of a kernel.
#[derive(Debug)]
pub(super) struct Witnesses(Vec<Witness>);

impl Default for Witnesses {
    fn default() -> Self {
        let new = |_| Witness {
            values: Vec::new(),
            facts: usize::MAX,
        };
        Witnesses((0..MANY).map(new).collect())
    }
}

impl Witnesses {
    /// Chooses or computes the value of a new atom.
    pub(super) fn atom(&mut self, kind: &Kind, low: i128, high: i128) {
        for (n, witness) in self.0.iter_mut().enumerate() {
            let chosen = choice(n, witness.values.len());
            let value = match kind {
                Kind::Leaf(_) | Kind::Part(..) => {
                    let length = if n < 4 { n } else { chosen };
                    Some(LENGTHS[length % LENGTHS.len()].clamp(low, high))
                }
                Kind::Counter(_)
                | Kind::Opaque(_)
                | Kind::Upper(..)
                | Kind::Other(..)
                | Kind::Piece(..) => Some(between(chosen, low, high)),
                Kind::Select(..) | Kind::Place(_) => None,
                Kind::Product(x, y) => witness.two(x, y, low_product),
                Kind::Div(x, y) => witness.two(x, y, |x, y| x.checked_div_euclid(y).unwrap_or(0)),
                Kind::Rem(x, y) => witness.two(x, y, |x, y| x.checked_rem_euclid(y).unwrap_or(x)),
                Kind::Min(x, y) => witness.two(x, y, i128::min),
                Kind::Max(x, y) => witness.two(x, y, i128::max),
                Kind::Bits(BinaryOp::And, x, y) => witness.two(x, y, |x, y| x & y),
                Kind::Bits(BinaryOp::Or, x, y) => witness.two(x, y, |x, y| x | y),
                Kind::Bits(_, x, y) => witness.two(x, y, |x, y| x ^ y),
            };
            witness.values.push(value);
        }
    }

    /// Chooses the value of a new counter again, below its count.
    pub(super) fn below(&mut self, counter: Atom, count: &Poly) {
        for (n, witness) in self.0.iter_mut().enumerate() {
            let count = witness.value(count);
            let at = counter.0 as usize;
            witness.values[at] = count.map(|count| between(choice(n, at), 0, (count - 1).max(0)));
        }
    }

    /// Is the value of an atom known nowhere?
    pub(super) fn is_open(&self, atom: Atom) -> bool {
        let value = |witness: &Witness| witness.values[atom.0 as usize];
        self.0.iter().all(|witness| value(witness).is_none())
    }

    /// A `select` gives the first value if all facts hold, and the second if not.
    pub(super) fn chosen(&mut self, atom: Atom, facts: &[Poly], [then, otherwise]: &[Poly; 2]) {
        for witness in &mut self.0 {
            let facts: Option<Vec<i128>> = facts.iter().map(|fact| witness.value(fact)).collect();
            let value = facts.and_then(|facts| match facts.iter().all(|fact| *fact >= 0) {
                true => witness.value(then),
                false => witness.value(otherwise),
            });
            witness.values[atom.0 as usize] = value;
        }
    }

    /// An atom is what a polynomial is.
    pub(super) fn alias(&mut self, atom: Atom, value: &Poly) {
        for witness in &mut self.0 {
            witness.values[atom.0 as usize] = witness.value(value);
        }
    }

    /// One more fact, behind a number of others.
    pub(super) fn learn(&mut self, fact: &Poly, before: usize) {
        for witness in &mut self.0 {
            if witness.facts == usize::MAX && witness.value(fact).is_none_or(|value| value < 0) {
                witness.facts = before;
            }
        }
    }

    /// Forgets the facts behind a number of them.
    pub(super) fn forget(&mut self, facts: usize) {
        for witness in &mut self.0 {
            if witness.facts >= facts {
                witness.facts = usize::MAX;
            }
        }
    }

    /// Is a goal negative where all facts hold?
    pub(super) fn refute(&self, goal: &Poly) -> bool {
        let mut all = self.0.iter().filter(|witness| witness.facts == usize::MAX);
        all.any(|witness| witness.value(goal).is_some_and(|value| value < 0))
    }
}

impl Witness {
    fn value(&self, poly: &Poly) -> Option<i128> {
        let values = &self.values[..];
        poly.value(|atom| match (atom.0 as usize) < values.len() {
            true => values[atom.0 as usize],
            false => None,
        })
    }

    fn two(&self, x: &Poly, y: &Poly, of: impl FnOnce(i128, i128) -> i128) -> Option<i128> {
        Some(of(self.value(x)?, self.value(y)?))
    }
}

/// A product modulo 2^32.
pub(super) fn low_product(x: i128, y: i128) -> i128 {
    x.wrapping_mul(y).rem_euclid(1 << 32)
}

/// A number that is another one for each witness and atom.
fn choice(witness: usize, atom: usize) -> usize {
    (witness * 31 + atom).wrapping_mul(0x9e37_79b1) >> 7 & 0xffff
}

/// The ends of a range, numbers near them, and some in the middle.
fn between(choice: usize, low: i128, high: i128) -> i128 {
    let width = high - low;
    let from = match choice % 8 {
        0 | 1 => 0,
        2 | 3 => width,
        4 => 1,
        5 => width / 2,
        6 => width - 1,
        _ => choice as i128 % (width + 1),
    };
    low + from.clamp(0, width)
}
