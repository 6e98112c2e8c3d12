//! Proofs that a polynomial is not negative at a point of a kernel.

use super::facts::{DEPTHS, Kind};
use super::forms::Forms;
use super::poly::{Atom, Poly};

impl Forms<'_> {
    /// Is `goal >= 0` sure at this point? No means: not proved.
    pub(super) fn prove(&mut self, goal: &Poly) -> bool {
        if self.facts.work.is_over() {
            return false;
        }
        if self.facts.is_absurd() {
            return true;
        }
        if self.facts.range(goal).is_some_and(|(low, _)| low >= 0) {
            return true;
        }
        let nested = self.facts.steps > 0;
        if nested {
            return self.eliminate(&goal.tightened(), DEPTHS[1]);
        }
        let goal = goal.tightened();
        let proved = DEPTHS.into_iter().any(|depth| {
            self.facts.start_proof();
            self.eliminate(&goal, depth)
        });
        self.facts.steps = 0;
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
        let Some((factor, rest)) = goal.split(top) else {
            return false;
        };
        let Some(sign) = factor.sign() else {
            return false;
        };
        if let Some(proved) = self.by_kind(goal, top, depth) {
            return proved;
        }
        if factor.as_number().is_some_and(|n| n.abs() == 1)
            && self.by_quotient(top, sign, &rest, depth)
        {
            return true;
        }
        for fact in self.facts.about(top) {
            let Some((k, g)) = fact.split(top) else {
                continue;
            };
            let Some(k) = k.as_number().filter(|k| k.signum() == sign) else {
                continue;
            };
            let Some(product) = factor.times(&g) else {
                continue;
            };
            if self.eliminate(
                &rest.scale(k.abs()).plus(-k.signum(), &product).tightened(),
                depth - 1,
            ) {
                return true;
            }
        }
        false
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
    fn by_kind(&mut self, goal: &Poly, top: Atom, depth: u32) -> Option<bool> {
        match self.facts.kind(top).clone() {
            Kind::Min(x, y) => self.either(goal, top, [(&x, y.sub(&x)), (&y, x.sub(&y))], depth),
            Kind::Max(x, y) => self.either(goal, top, [(&x, x.sub(&y)), (&y, y.sub(&x))], depth),
            Kind::Select(node, ..) => {
                let both = [true, false].into_iter().all(|holds| {
                    let mark = self.enter();
                    let value = self.chosen(node, holds);
                    let proved = value.is_some_and(|value| {
                        self.facts.is_absurd() || self.put(goal, top, &value, depth)
                    });
                    self.leave(mark);
                    proved
                });
                both.then_some(true)
            }
            _ => None,
        }
    }

    /// An atom that is one of two polynomials, each if a fact holds.
    fn either(
        &mut self,
        goal: &Poly,
        top: Atom,
        cases: [(&Poly, Poly); 2],
        depth: u32,
    ) -> Option<bool> {
        let both = cases.into_iter().all(|(value, fact)| {
            let mark = self.enter();
            self.facts.add(fact);
            let proved = self.facts.is_absurd() || self.put(goal, top, value, depth);
            self.leave(mark);
            proved
        });
        Some(both)
    }

    fn put(&mut self, goal: &Poly, atom: Atom, value: &Poly, depth: u32) -> bool {
        goal.with(atom, value)
            .is_some_and(|goal| self.eliminate(&goal.tightened(), depth - 1))
    }

    /// `x / y <= m` is `x < y * (m + 1)`, and `x / y >= m` is `x >= y * m`.
    fn by_quotient(&mut self, top: Atom, sign: i128, rest: &Poly, depth: u32) -> bool {
        let Kind::Div(x, y) = self.facts.kind(top).clone() else {
            return false;
        };
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

    /// Is `0 <= index < length` sure?
    pub(super) fn is_inside(&mut self, index: &Poly, length: &Poly) -> bool {
        self.prove(&length.sub(index).shift(-1)) && self.prove(index)
    }
}
