//! Polynomials with whole numbers as coefficients over atoms, which stand for `u32` values and are
//! never negative.

use std::collections::BTreeMap;

/// An atom: a counter, a length, or the value of an operator that is no sum or product. Later ones
/// are made of earlier ones.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Atom(pub(super) u32);

/// A sum of products of atoms, each times a number other than 0.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(super) struct Poly {
    terms: BTreeMap<Vec<Atom>, i128>,
}

/// Beyond these sizes a polynomial helps no proof.
const MOST_TERMS: usize = 24;
const HIGHEST_DEGREE: usize = 4;
const LARGEST: i128 = 1 << 80;

impl Poly {
    pub(super) fn number(n: i128) -> Self {
        Poly {
            terms: if n == 0 {
                BTreeMap::new()
            } else {
                BTreeMap::from([(Vec::new(), n)])
            },
        }
    }

    pub(super) fn atom(atom: Atom) -> Self {
        Poly {
            terms: BTreeMap::from([(vec![atom], 1)]),
        }
    }

    /// A product of atoms in order, times a number other than 0.
    pub(super) fn term(product: &[Atom], factor: i128) -> Self {
        Poly {
            terms: BTreeMap::from([(product.to_vec(), factor)]),
        }
    }

    /// The number that it is, if it has no atoms.
    pub(super) fn as_number(&self) -> Option<i128> {
        match self.terms.len() {
            0 => Some(0),
            1 => self.terms.get(&Vec::new()).copied(),
            _ => None,
        }
    }

    /// The atom that it is.
    pub(super) fn as_atom(&self) -> Option<Atom> {
        match self.terms.iter().next() {
            Some((product, 1)) if self.terms.len() == 1 && product.len() == 1 => Some(product[0]),
            _ => None,
        }
    }

    /// The products and their factors.
    pub(super) fn terms(&self) -> impl Iterator<Item = (&[Atom], i128)> {
        self.terms
            .iter()
            .map(|(product, factor)| (product.as_slice(), *factor))
    }

    /// The term without atoms.
    pub(super) fn constant(&self) -> i128 {
        self.terms.get(&Vec::new()).copied().unwrap_or(0)
    }

    /// The number that it has a product times, 0 if it has none.
    pub(super) fn factor(&self, product: &[Atom]) -> i128 {
        self.terms.get(product).copied().unwrap_or(0)
    }

    /// The last of its atoms.
    pub(super) fn top(&self) -> Option<Atom> {
        self.terms
            .keys()
            .filter_map(|product| product.last().copied())
            .max()
    }

    /// Its atoms, each once.
    pub(super) fn atoms(&self) -> std::collections::BTreeSet<Atom> {
        self.terms.keys().flatten().copied().collect()
    }

    pub(super) fn mentions(&self, atom: Atom) -> bool {
        self.terms.keys().any(|product| product.contains(&atom))
    }

    fn collect(terms: impl IntoIterator<Item = (Vec<Atom>, i128)>) -> Self {
        let mut sum: BTreeMap<Vec<Atom>, i128> = BTreeMap::new();
        for (product, factor) in terms {
            *sum.entry(product).or_default() += factor;
        }
        sum.retain(|_, factor| *factor != 0);
        Poly { terms: sum }
    }

    /// `self + factor * other`.
    pub(super) fn plus(&self, factor: i128, other: &Poly) -> Poly {
        let mut sum = self.terms.clone();
        for (product, f) in &other.terms {
            let entry = sum.entry(product.clone()).or_default();
            *entry += factor * f;
            if *entry == 0 {
                sum.remove(product);
            }
        }
        Poly { terms: sum }
    }

    pub(super) fn add(&self, other: &Poly) -> Poly {
        self.plus(1, other)
    }

    pub(super) fn sub(&self, other: &Poly) -> Poly {
        self.plus(-1, other)
    }

    pub(super) fn shift(&self, n: i128) -> Poly {
        self.plus(n, &Poly::number(1))
    }

    pub(super) fn scale(&self, n: i128) -> Poly {
        Poly::default().plus(n, self)
    }

    /// The product, unless it is too large to be of use.
    pub(super) fn times(&self, other: &Poly) -> Option<Poly> {
        let mut terms = Vec::new();
        for (x, f) in &self.terms {
            for (y, g) in &other.terms {
                let mut product: Vec<Atom> = x.iter().chain(y).copied().collect();
                product.sort_unstable();
                terms.push((product, f.checked_mul(*g)?));
            }
        }
        Some(Poly::collect(terms)).filter(Poly::is_handy)
    }

    /// Is it small enough to go on with?
    pub(super) fn is_handy(&self) -> bool {
        self.terms.len() <= MOST_TERMS
            && self
                .terms
                .iter()
                .all(|(product, f)| product.len() <= HIGHEST_DEGREE && f.abs() <= LARGEST)
    }

    /// `(factor, rest)` with `self = factor * atom + rest`, if the atom occurs in no square.
    pub(super) fn split(&self, atom: Atom) -> Option<(Poly, Poly)> {
        let (mut factor, mut rest) = (Poly::default(), Poly::default());
        for (product, f) in &self.terms {
            match product.iter().position(|a| *a == atom) {
                None => {
                    rest.terms.insert(product.clone(), *f);
                }
                Some(at) => {
                    let mut other = product.clone();
                    other.remove(at);
                    if other.contains(&atom) {
                        return None;
                    }
                    factor.terms.insert(other, *f);
                }
            }
        }
        Some((factor, rest))
    }

    /// `(quotient, rest)` with `self = quotient * divisor + rest`, for a divisor of one term: the
    /// rest has the terms that it does not divide.
    pub(super) fn divide(&self, divisor: &Poly) -> Option<(Poly, Poly)> {
        let (by, n) = divisor
            .terms
            .iter()
            .next()
            .filter(|_| divisor.terms.len() == 1)?;
        let (mut quotient, mut rest) = (Poly::default(), Poly::default());
        for (product, f) in &self.terms {
            let left = (f % n == 0).then(|| without(product, by)).flatten();
            match left {
                Some(product) => quotient.terms.insert(product, f / n),
                None => rest.terms.insert(product.clone(), *f),
            };
        }
        Some((quotient, rest))
    }

    /// The quotient, if a divisor of any number of terms leaves nothing.
    pub(super) fn divide_exactly(&self, divisor: &Poly) -> Option<Poly> {
        let (mut rest, mut quotient) = (self.clone(), Poly::default());
        let leading = |poly: &Poly| {
            poly.terms
                .iter()
                .max_by_key(|(product, _)| (product.len(), (*product).clone()))
                .map(|(p, f)| (p.clone(), *f))
        };
        let (by, n) = leading(divisor)?;
        for _ in 0..MOST_TERMS {
            let Some((product, f)) = leading(&rest) else {
                return Some(quotient);
            };
            let term = Poly {
                terms: BTreeMap::from([(without(&product, &by)?, (f % n == 0).then(|| f / n)?)]),
            };
            rest = rest.sub(&divisor.times(&term)?);
            quotient = quotient.add(&term);
        }
        None
    }

    /// 1 if no factor is negative, -1 if none is positive: the sign of its value.
    pub(super) fn sign(&self) -> Option<i128> {
        if self.terms.values().all(|f| *f >= 0) {
            Some(1)
        } else if self.terms.values().all(|f| *f <= 0) {
            Some(-1)
        } else {
            None
        }
    }

    /// The same condition `self >= 0`, divided by what divides all factors but the constant.
    pub(super) fn tightened(&self) -> Poly {
        let common = self
            .terms
            .iter()
            .filter(|(product, _)| !product.is_empty())
            .fold(0, |g, (_, f)| gcd(g, f.abs()));
        if common <= 1 {
            return self.clone();
        }
        Poly::collect(
            self.terms
                .iter()
                .map(|(product, f)| (product.clone(), f.div_euclid(common))),
        )
    }

    /// Is it never 0, as what divides all other factors does not divide the constant?
    pub(super) fn is_never_0(&self) -> bool {
        let rest = self.shift(-self.constant());
        let common = rest.terms.values().fold(0, |g, f| gcd(g, f.abs()));
        common > 1 && self.constant() % common != 0
    }

    /// The polynomial with another in the place of an atom.
    pub(super) fn with(&self, atom: Atom, value: &Poly) -> Option<Poly> {
        if !self.mentions(atom) {
            return Some(self.clone());
        }
        let (factor, rest) = self.split(atom)?;
        Some(rest.add(&factor.times(value)?)).filter(Poly::is_handy)
    }
}

fn gcd(x: i128, y: i128) -> i128 {
    if y == 0 { x } else { gcd(y, x % y) }
}

/// A product without the atoms of another.
fn without(product: &[Atom], by: &[Atom]) -> Option<Vec<Atom>> {
    let mut left = product.to_vec();
    for atom in by {
        let at = left.iter().position(|a| a == atom)?;
        left.remove(at);
    }
    Some(left)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polynomials_multiply_and_divide() {
        let (x, y) = (Poly::atom(Atom(0)), Poly::atom(Atom(1)));
        let product = x.shift(2).times(&y.shift(-3)).unwrap();
        assert_eq!(
            product,
            x.times(&y).unwrap().plus(-3, &x).plus(2, &y).shift(-6)
        );
        assert_eq!(
            product.divide(&y),
            Some((x.shift(2), x.scale(-3).shift(-6)))
        );
        assert_eq!(
            product.split(Atom(0)),
            Some((y.shift(-3), y.scale(2).shift(-6)))
        );
        assert_eq!(
            product.with(Atom(0), &Poly::number(-2)),
            Some(Poly::default())
        );
        let squares = x.times(&x).unwrap().sub(&y.times(&y).unwrap());
        assert_eq!(
            x.add(&y).times(&x.sub(&y)),
            Some(squares),
            "what cancels is gone"
        );
    }

    #[test]
    fn a_condition_is_divided_by_what_divides_it() {
        let x = Poly::atom(Atom(0));
        assert_eq!(x.scale(512).shift(-1).tightened(), x.shift(-1));
        assert_eq!(x.scale(2).shift(-1).tightened(), x.shift(-1));
        assert_eq!(x.scale(-4).shift(7).tightened(), x.scale(-1).shift(1));
    }
}
