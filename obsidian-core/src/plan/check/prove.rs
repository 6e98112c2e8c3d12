//! Fourier–Motzkin elimination over monomials: proofs that a polynomial is not negative at a point of
//! a kernel.
//!
//! *Claim.* [`Forms::prove`] says yes only if the goal is not negative wherever all facts of the point
//! hold.
//!
//! *Method.* A fact that bounds the goal's last atom from the needed side replaces it: of the goal
//! `f * a + rest` and the fact `k * a + g >= 0` with `f` and `k` of one sign, `|k| * rest - |f| * g` is
//! left, a goal of earlier atoms. What is left is divided by what divides its factors (gcd
//! tightening). An atom that is one of two values (`min`, `max`, `select`, a quotient of two values)
//! is put in its place in both cases; so it is in the facts about it, in the last attempt. A goal
//! whose least value by the ranges of its atoms is 0 or more is proved; one that is negative at a
//! [witness](super::witness) is given up.
//!
//! *Argument.* All values are whole numbers and all atoms at least 0, so each step leaves a goal from
//! which the one before follows: see `without_top`. Atoms are made of earlier ones, so it ends.
//!
//! Of a square one factor is eliminated at a time (Horner's scheme), if the sign of what it is
//! multiplied with is known.
//!
//! *Limits.* Products of atoms are eliminated only by facts about the whole product or with a factor
//! that divides the goal's. Steps are counted (`MOST_STEPS` for each depth of `DEPTHS`).
//!
//! G. B. Dantzig, B. C. Eaves, *Fourier–Motzkin elimination and its dual*, 1973. The GCD test:
//! U. Banerjee, *Dependence Analysis for Supercomputing*, 1988.

use super::facts::{DEPTHS, Kind};
use super::forms::Forms;
use super::poly::{Atom, Poly, is_multiplier};

impl Forms<'_> {
    /// Is `goal >= 0` sure at this point? No means: not proved.
    pub(super) fn prove(&mut self, goal: &Poly) -> bool {
        self.prove_within(goal, &DEPTHS)
    }

    /// The same with no more than these depths.
    fn prove_within(&mut self, goal: &Poly, depths: &[u32]) -> bool {
        if self.facts.work.is_over() {
            return false;
        }
        if self.facts.is_absurd() {
            return true;
        }
        if self.facts.range(goal).is_some_and(|(low, _)| low >= 0) {
            return true;
        }
        if self.facts.refute(goal) {
            return false;
        }
        let nested = self.facts.steps > 0;
        if nested {
            return self.eliminate(&goal.clone().tightened(), DEPTHS[1]);
        }
        let goal = goal.clone().tightened();
        if let Some(known) = self.facts.verdict(&goal) {
            return known;
        }
        let proved = depths.iter().any(|&depth| {
            self.facts.start_proof();
            self.facts.thorough = depth == DEPTHS[DEPTHS.len() - 1];
            self.eliminate(&goal, depth)
        });
        self.facts.thorough = false;
        self.facts.steps = 0;
        // What has not been proved soon may still be proved.
        if proved || depths.len() == DEPTHS.len() {
            self.facts.note(goal, proved);
        }
        proved
    }

    /// Are they equal at this point?
    pub(super) fn equal(&mut self, x: &Poly, y: &Poly) -> bool {
        x == y || (self.prove(&x.sub(y)) && self.prove(&y.sub(x)))
    }

    fn eliminate(&mut self, goal: &Poly, depth: u32) -> bool {
        match self.facts.range(goal) {
            Some((low, _)) if low >= 0 => return true,
            Some((_, high)) if high < 0 && !self.facts.is_absurd() => return false,
            _ => {}
        }
        if self.facts.refute(goal) {
            return false;
        }
        if depth == 0 || self.facts.steps <= 1 || !goal.is_handy() || !self.facts.work.step() {
            return self.facts.is_absurd();
        }
        self.facts.steps -= 1;
        let Some(top) = goal.top() else {
            return goal.constant() >= 0;
        };
        if self.by_product(goal, depth) {
            return true;
        }
        let (factor, rest) = goal.horner(top);
        let Some(sign) = factor.sign().or_else(|| self.sign(&factor)) else {
            return false;
        };
        if factor.as_number().is_some_and(|n| n.abs() == 1)
            && self.by_quotient(top, sign, &rest, depth)
        {
            return true;
        }
        let bounds = match sign < 0 {
            true => self.bounded_here(top),
            false => Vec::new(),
        };
        for fact in bounds.into_iter().chain(self.facts.about(top, sign)) {
            let Some((k, g)) = fact.split(top) else {
                continue;
            };
            let Some(left) = without_top([&factor, &rest], sign, [&k, &g]) else {
                continue;
            };
            if self.eliminate(&left.tightened(), depth - 1) {
                return true;
            }
        }
        self.by_kind(goal, top, depth) || self.by_values(goal, top, depth)
    }

    /// The sign of a factor by the facts: `1 - n` is not positive where `n` is at least 1.
    fn sign(&mut self, factor: &Poly) -> Option<i128> {
        let signs = [-1, 1].into_iter();
        let mut proved = signs.filter(|sign| self.eliminate(&factor.scale(*sign), DEPTHS[0]));
        proved.next()
    }

    /// An atom of two values, each of which is enough.
    fn by_values(&mut self, goal: &Poly, top: Atom, depth: u32) -> bool {
        let (low, high) = (self.facts.low(top), self.facts.high(top));
        let own = self.facts.value_of(top).as_atom() == Some(top);
        if !self.facts.thorough
            || !own
            || high - low != 1
            || !matches!(self.facts.kind(top), Kind::Div(..) | Kind::Rem(..))
        {
            return false;
        }
        let number = Poly::number;
        let below = Poly::atom(top).shift(-low);
        let cases = [low, high].map(|value| {
            let fact = if value == low {
                below.scale(-1)
            } else {
                below.shift(-1)
            };
            (number(value), fact)
        });
        let [x, y] = cases;
        self.either(goal, top, [(&x.0, x.1), (&y.0, y.1)], depth)
    }

    /// A product of lengths that a fact bounds as a whole: `height * width` fits a `u32`.
    fn by_product(&mut self, goal: &Poly, depth: u32) -> bool {
        let negative = |poly: &Poly| -> Vec<(Vec<Atom>, i128)> {
            poly.terms()
                .filter(|(product, f)| product.len() > 1 && *f < 0)
                .map(|(product, f)| (product.to_vec(), f))
                .collect()
        };
        for (product, factor) in negative(goal) {
            for (fact, k) in self.facts.bounds_of(&product) {
                if !is_multiplier(k) || !is_multiplier(factor) {
                    continue;
                }
                if self.eliminate(
                    &goal.scale(k.abs()).plus(factor, &fact).tightened(),
                    depth - 1,
                ) {
                    return true;
                }
            }
        }
        false
    }

    /// Atoms that are one of two values: both have to be looked at, or one of them is enough.
    fn by_kind(&mut self, goal: &Poly, top: Atom, depth: u32) -> bool {
        match self.facts.kind(top).clone() {
            Kind::Min(x, y) => self.either(goal, top, [(&x, y.sub(&x)), (&y, x.sub(&y))], depth),
            Kind::Max(x, y) => self.either(goal, top, [(&x, x.sub(&y)), (&y, y.sub(&x))], depth),
            Kind::Select(node, ..) => [true, false].into_iter().all(|holds| {
                let mark = self.enter();
                let value = self.chosen(node, holds);
                let proved = value.is_some_and(|value| self.put(goal, top, &value, depth));
                self.leave(mark);
                proved
            }),
            _ => false,
        }
    }

    /// An atom that is one of two polynomials, each if a fact holds.
    fn either(&mut self, goal: &Poly, top: Atom, cases: [(&Poly, Poly); 2], depth: u32) -> bool {
        cases.into_iter().all(|(value, fact)| {
            let mark = self.enter();
            self.facts.add(fact);
            let proved = self.put(goal, top, value, depth);
            self.leave(mark);
            proved
        })
    }

    /// The goal with what an atom is in its place, also in the facts about it.
    fn put(&mut self, goal: &Poly, atom: Atom, value: &Poly, depth: u32) -> bool {
        if self.facts.is_absurd() {
            return true;
        }
        let Some(goal) = goal.with(atom, value) else {
            return false;
        };
        let goal = goal.tightened();
        if self.eliminate(&goal, depth - 1) {
            return true;
        }
        if !self.facts.thorough {
            return false;
        }
        let before = self.facts.len();
        self.facts.put(atom, value);
        self.facts.is_absurd() || (self.facts.len() > before && self.eliminate(&goal, depth - 1))
    }

    /// `x / y <= m` is `x < y * (m + 1)`, and `x / y >= m` is `x >= y * m`.
    fn by_quotient(&mut self, top: Atom, sign: i128, rest: &Poly, depth: u32) -> bool {
        let Kind::Div(x, y) = self.facts.kind(top).clone() else {
            return false;
        };
        // By 0 the quotient is 0.
        if sign > 0 && self.facts.may_be_0(&y) && !self.is_positive(&y) {
            return false;
        }
        if self.facts.value_of(top).as_atom() != Some(top) {
            return false;
        }
        let Some(product) = y.times(rest) else {
            return false;
        };
        let goal = if sign < 0 {
            product.add(&y).sub(&x).shift(-1)
        } else {
            product.add(&x)
        };
        self.eliminate(&goal.tightened(), depth - 1)
    }

    /// Is a divisor more than zero? Within the proof of that it is not asked again: a quotient by it
    /// is known to be more than 0 only if the divisor is.
    pub(super) fn is_positive(&mut self, y: &Poly) -> bool {
        if self.facts.range(y).is_some_and(|(low, _)| low > 0) {
            return true;
        }
        if self.facts.asked.contains(y) {
            return false;
        }
        self.facts.asked.push(y.clone());
        let positive = self.prove(&y.shift(-1)) || self.has_a_multiple(y);
        self.facts.asked.pop();
        positive
    }

    /// Is something more than 0 that would be 0 if this was: a product with it, or a quotient by
    /// it?
    fn has_a_multiple(&mut self, y: &Poly) -> bool {
        let by_quotient = |forms: &mut Self| {
            let quotients: Vec<Atom> = forms.facts.by_maybe_0(y).collect();
            let mut quotients = quotients.into_iter();
            quotients.any(|q| forms.prove(&Poly::atom(q).shift(-1)))
        };
        y.as_atom().is_some_and(|atom| self.facts.needs(atom)) || by_quotient(self)
    }

    /// Facts that bound a quotient or what it leaves from above, and need not be known where it was
    /// defined: `x % y < y` if `y` is more than 0; and `x / y < m` if `x` is below `y * m`, which
    /// says that `y` is not 0.
    fn bounded_here(&mut self, top: Atom) -> Vec<Poly> {
        let own = Poly::atom(top);
        let below = |end: Poly| end.sub(&own).shift(-1);
        match self.facts.kind(top).clone() {
            Kind::Rem(_, y) if self.facts.may_be_0(&y) && self.is_positive(&y) => vec![below(y)],
            Kind::Div(x, y) => {
                let mut most = self.facts.bounds(&x, 1);
                // A quotient of a quotient: a plane is that of a row.
                if let Some(inner) = x.as_atom() {
                    let ends = self.bounded_here(inner).into_iter();
                    most.extend(ends.map(|end| end.add(&x)));
                }
                let ends = most.into_iter();
                let ends = ends.filter_map(|most| most.shift(1).divide_exactly(&y));
                ends.map(below).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Do two indices differ: is one less than the other, or is their difference no sum of what it
    /// is made of (the GCD test)?
    pub(super) fn differ(&mut self, x: &Poly, y: &Poly) -> bool {
        let difference = x.sub(y);
        self.facts.is_absurd()
            || self.prove(&difference.scale(-1).shift(-1))
            || self.prove(&difference.shift(-1))
            || self.spelt_out(difference).is_never_0()
    }

    /// A number with quotients in the place of what they leave: `x % 64` is `x - x / 64 * 64`.
    fn spelt_out(&self, number: Poly) -> Poly {
        let mut number = number;
        for atom in number.atoms().into_iter().rev() {
            let Kind::Rem(x, y) = self.facts.kind(atom) else {
                continue;
            };
            let quotient = self.facts.known(&Kind::Div(x.clone(), y.clone()));
            let whole = quotient.and_then(|q| y.times(&Poly::atom(q)));
            let value = whole.map(|whole| x.sub(&whole));
            if let Some(next) = value.and_then(|value| number.with(atom, &value)) {
                number = next;
            }
        }
        number
    }

    /// Is `0 <= index < length` proved by a short proof?
    pub(super) fn is_soon_inside(&mut self, index: &Poly, length: &Poly) -> bool {
        let soon = &DEPTHS[..2];
        self.prove_within(&length.sub(index).shift(-1), soon) && self.prove_within(index, soon)
    }

    /// Is `0 <= index < length` sure?
    pub(super) fn is_inside(&mut self, index: &Poly, length: &Poly) -> bool {
        self.prove(&length.sub(index).shift(-1)) && self.prove(index)
    }
}

/// A goal `factor * atom + rest` with the atom eliminated by a fact `k * atom + g`. `k` times the
/// goal is not less than what is left, as the fact is not negative; and as the goal is a whole
/// number, it is not negative if `k` times it is more than `-k`.
fn without_top([factor, rest]: [&Poly; 2], sign: i128, [k, g]: [&Poly; 2]) -> Option<Poly> {
    if let Some(n) = k.as_number() {
        return (sign == n.signum() && is_multiplier(n))
            .then(|| factor.times(g))?
            .map(|product| {
                rest.scale(n.abs())
                    .plus(-n.signum(), &product)
                    .shift(n.abs() - 1)
            });
    }
    // `m.len() - width * q` bounds `width * q`.
    let times = factor.divide_exactly(k)?;
    (times.sign() == Some(1))
        .then(|| times.times(g))?
        .map(|product| rest.sub(&product))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::read;
    use crate::plan::check::facts::TOP;
    use crate::plan::check::work::{Size, Work};

    #[test]
    fn a_quotient_is_compared_by_a_product() {
        let kernel = read("kernel k { parameter 0 n: u32 }").unwrap();
        let mut forms = Forms::new(
            &kernel,
            Work::first(Size::of(&kernel)),
            super::super::lengths::Taken::default(),
        );
        let [x, y] = [0, 1].map(|n| Poly::atom(forms.facts.atom(Kind::Counter(n), 0, TOP)));
        forms.facts.add(y.shift(-1));
        // Between 3 and 5 times as much.
        forms.facts.add(x.sub(&y.scale(3)));
        forms.facts.add(y.scale(5).sub(&x));
        let q = forms.divided(&x, &y, true).as_atom().unwrap();
        let mut of = |sign, rest| {
            forms.facts.steps = 100;
            forms.by_quotient(q, sign, &Poly::number(rest), 3)
        };
        assert_eq!([of(1, -3), of(1, -4)], [true, false]);
        assert_eq!([of(-1, 5), of(-1, 4)], [true, false]);
    }
}
