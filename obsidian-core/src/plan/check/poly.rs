//! Polynomials with whole numbers as coefficients over atoms, which stand for `u32` values and are
//! never negative.
//!
//! Most steps of a proof are sums of these, and a macro runs unoptimised in a user's build, where each
//! adaptor of an iterator is a call. So what is done for each product is written as loops over places.

use crate::ordered::Set;
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

/// An atom: a counter, a length, or the value of an operator that is no sum or product. Later ones
/// are made of earlier ones.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Atom(pub(super) u32);

/// A product of atoms in order, none for 1. It lies in place: most of what a proof does is to add
/// up products.
#[derive(Clone, Copy, Eq, Debug)]
struct Product([Atom; MOST_ATOMS]);

/// As many atoms as an array has axes at most: the number of its elements is a product of their extents.
const MOST_ATOMS: usize = 8;

/// Behind the atoms of a product.
const NO_ATOM: Atom = Atom(u32::MAX);

/// A sum of products of atoms, each times a number other than 0; in the order of the products.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(super) struct Poly {
    terms: Vec<(Product, i128)>,
}

/// Beyond these sizes a polynomial helps no proof.
const MOST_TERMS: usize = 24;
/// Beyond this size a product is an atom of its own: what it is compared with has to be handy too.
const MOST_TERMS_OF_A_PRODUCT: usize = 16;
const HIGHEST_DEGREE: usize = 4;
/// At most so many products of a polynomial have more atoms than that. They are numbers of elements of arrays with many axes.
const MOST_LONG: usize = 2;
const LARGEST: i128 = 1 << 80;
/// Facts are multiplied with no larger numbers: a handful of products that are [handy](Poly::is_handy)
/// stays below 2^127.
const LARGEST_MULTIPLIER: i128 = 1 << 44;

/// May a polynomial be multiplied with a number without leaving 128 bits?
pub(super) fn is_multiplier(n: i128) -> bool {
    n.abs() <= LARGEST_MULTIPLIER
}

impl Product {
    const ONE: Product = Product([NO_ATOM; MOST_ATOMS]);

    /// The product of these atoms, which are not more than a product has.
    fn of(atoms: &[Atom]) -> Self {
        let mut product = Product::ONE;
        let mut len = 0;
        while len < atoms.len() && len < MOST_ATOMS {
            let atom = atoms[len];
            let mut place = len;
            while place > 0 && product.0[place - 1].0 > atom.0 {
                product.0[place] = product.0[place - 1];
                place -= 1;
            }
            product.0[place] = atom;
            len += 1;
        }
        product
    }

    fn is_one(&self) -> bool {
        self.0[0].0 == NO_ATOM.0
    }

    fn len(&self) -> usize {
        let mut len = 0;
        while len < MOST_ATOMS && self.0[len].0 != NO_ATOM.0 {
            len += 1;
        }
        len
    }

    fn atoms(&self) -> &[Atom] {
        &self.0[..self.len()]
    }

    /// The product of both, unless it has too many atoms.
    fn times(&self, other: &Product) -> Option<Self> {
        let mut atoms = self.0;
        let (own, len) = (self.len(), other.len());
        if own + len > MOST_ATOMS {
            return None;
        }
        let mut n = 0;
        while n < len {
            atoms[own + n] = other.0[n];
            n += 1;
        }
        Some(Product::of(&atoms[..own + n]))
    }

    /// The product without one of the factors that an atom is in it.
    fn without_one(&self, atom: Atom) -> Option<Self> {
        let mut place = 0;
        while place < MOST_ATOMS && self.0[place].0 != atom.0 {
            place += 1;
        }
        if place == MOST_ATOMS {
            return None;
        }
        let mut left = *self;
        while place + 1 < MOST_ATOMS {
            left.0[place] = self.0[place + 1];
            place += 1;
        }
        left.0[MOST_ATOMS - 1] = NO_ATOM;
        Some(left)
    }

    /// The product without the atoms of another.
    fn without(mut self, by: &[Atom]) -> Option<Self> {
        for atom in by {
            self = self.without_one(*atom)?;
        }
        Some(self)
    }
}

impl PartialEq for Product {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

/// Behind its atoms a product has none, so equal ones are equal places.
impl Hash for Product {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

/// In the order of their atoms, one that another begins with first.
impl Ord for Product {
    fn cmp(&self, other: &Self) -> Ordering {
        let mut place = 0;
        while place < MOST_ATOMS {
            let (own, of_other) = (self.0[place].0, other.0[place].0);
            if own != of_other {
                let is_less = own.wrapping_add(1) < of_other.wrapping_add(1);
                return if is_less {
                    Ordering::Less
                } else {
                    Ordering::Greater
                };
            }
            if own == NO_ATOM.0 {
                break;
            }
            place += 1;
        }
        Ordering::Equal
    }
}

impl PartialOrd for Product {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Poly {
    pub(super) fn number(n: i128) -> Self {
        Poly::term(&[], n)
    }

    pub(super) fn atom(atom: Atom) -> Self {
        Poly::term(&[atom], 1)
    }

    /// A product of atoms in order, times a number.
    pub(super) fn term(product: &[Atom], factor: i128) -> Self {
        let term = (factor != 0).then(|| (Product::of(product), factor));
        Poly {
            terms: term.into_iter().collect(),
        }
    }

    /// The number that it is, if it has no atoms.
    pub(super) fn as_number(&self) -> Option<i128> {
        match &self.terms[..] {
            [] => Some(0),
            [(product, n)] if product.is_one() => Some(*n),
            _ => None,
        }
    }

    /// The atom that it is.
    pub(super) fn as_atom(&self) -> Option<Atom> {
        match &self.terms[..] {
            [(product, 1)] => match product.atoms() {
                [atom] => Some(*atom),
                _ => None,
            },
            _ => None,
        }
    }

    /// The products and their factors.
    pub(super) fn terms(&self) -> impl Iterator<Item = (&[Atom], i128)> {
        self.terms
            .iter()
            .map(|(product, factor)| (product.atoms(), *factor))
    }

    /// The term without atoms.
    pub(super) fn constant(&self) -> i128 {
        match self.terms.first() {
            Some((product, n)) if product.is_one() => *n,
            _ => 0,
        }
    }

    /// The number that it has a product times, 0 if it has none.
    pub(super) fn factor(&self, product: &[Atom]) -> i128 {
        let found = self.terms().find(|(own, _)| *own == product);
        found.map_or(0, |(_, factor)| factor)
    }

    /// The last of its atoms.
    pub(super) fn top(&self) -> Option<Atom> {
        let (terms, mut top) = (&self.terms[..], None);
        let mut n = 0;
        while n < terms.len() {
            let product = &terms[n].0;
            let len = product.len();
            if len > 0 && top.is_none_or(|top: Atom| top.0 < product.0[len - 1].0) {
                top = Some(product.0[len - 1]);
            }
            n += 1;
        }
        top
    }

    /// Its atoms, each once.
    pub(super) fn atoms(&self) -> Set<Atom> {
        self.terms()
            .flat_map(|(product, _)| product)
            .copied()
            .collect()
    }

    pub(super) fn mentions(&self, atom: Atom) -> bool {
        let terms = &self.terms[..];
        let mut n = 0;
        while n < terms.len() {
            let mut place = 0;
            while place < MOST_ATOMS && terms[n].0.0[place].0 != NO_ATOM.0 {
                if terms[n].0.0[place].0 == atom.0 {
                    return true;
                }
                place += 1;
            }
            n += 1;
        }
        false
    }

    /// The sign of the number that it has an atom times, 0 if it does not have it; none if it has the atom times another one.
    pub(super) fn sign_of(&self, atom: Atom) -> Option<i128> {
        let (terms, mut sign) = (&self.terms[..], 0);
        let mut n = 0;
        while n < terms.len() {
            let (product, f) = &terms[n];
            if product.len() == 1 && product.0[0].0 == atom.0 {
                sign = if *f < 0 { -1 } else { 1 };
            } else if product.without_one(atom).is_some() {
                return None;
            }
            n += 1;
        }
        Some(sign)
    }

    /// The sum of terms in any order.
    fn sum(mut terms: Vec<(Product, i128)>) -> Self {
        if terms.len() > 1 {
            terms.sort_unstable_by_key(|(product, _)| *product);
            terms.dedup_by(|(next, f), (product, sum)| {
                let same = next == product;
                *sum += if same { *f } else { 0 };
                same
            });
        }
        terms.retain(|(_, factor)| *factor != 0);
        Poly { terms }
    }

    /// `self + factor * other`.
    pub(super) fn plus(&self, factor: i128, other: &Poly) -> Poly {
        let (own, added) = (&self.terms[..], &other.terms[..]);
        let mut terms = Vec::with_capacity(own.len() + added.len());
        let (mut i, mut j) = (0, 0);
        while i < own.len() && j < added.len() {
            match own[i].0.cmp(&added[j].0) {
                Ordering::Less => {
                    terms.push(own[i]);
                    i += 1;
                }
                Ordering::Greater => {
                    terms.push((added[j].0, factor * added[j].1));
                    j += 1;
                }
                Ordering::Equal => {
                    let sum = own[i].1 + factor * added[j].1;
                    if sum != 0 {
                        terms.push((own[i].0, sum));
                    }
                    (i, j) = (i + 1, j + 1);
                }
            }
        }
        terms.extend_from_slice(&own[i..]);
        while j < added.len() {
            terms.push((added[j].0, factor * added[j].1));
            j += 1;
        }
        if factor == 0 {
            terms.retain(|(_, factor)| *factor != 0);
        }
        Poly { terms }
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
        let mut terms = Vec::with_capacity(self.terms.len() * other.terms.len());
        for (x, f) in &self.terms {
            for (y, g) in &other.terms {
                terms.push((x.times(y)?, f.checked_mul(*g)?));
            }
        }
        Some(Poly::sum(terms)).filter(Poly::is_handy)
    }

    /// The product, unless it has too many terms to be compared with anything.
    pub(super) fn short_product(&self, other: &Poly) -> Option<Poly> {
        let product = self.times(other)?;
        (product.terms.len() <= MOST_TERMS_OF_A_PRODUCT).then_some(product)
    }

    /// Is it small enough to go on with?
    pub(super) fn is_handy(&self) -> bool {
        let terms = &self.terms[..];
        let (mut n, mut long) = (0, 0);
        while n < terms.len() {
            let (product, f) = &terms[n];
            if *f > LARGEST || *f < -LARGEST {
                return false;
            }
            if product.0[HIGHEST_DEGREE].0 != NO_ATOM.0 {
                long += 1;
            }
            n += 1;
        }
        terms.len() <= MOST_TERMS && long <= MOST_LONG
    }

    /// Its value where atoms have the values of a function; none where one has none, or beyond 128
    /// bits.
    pub(super) fn value(&self, of: impl Fn(Atom) -> Option<i128>) -> Option<i128> {
        let (terms, mut sum) = (&self.terms[..], 0i128);
        let mut n = 0;
        while n < terms.len() {
            let (product, mut term) = terms[n];
            let mut place = 0;
            while place < MOST_ATOMS && product.0[place].0 != NO_ATOM.0 {
                term = term.checked_mul(of(product.0[place])?)?;
                place += 1;
            }
            sum = sum.checked_add(term)?;
            n += 1;
        }
        Some(sum)
    }

    /// Its least and greatest value where atoms lie in the ranges of a function, as far as each
    /// product by itself tells; none beyond 128 bits.
    pub(super) fn range(&self, of: impl Fn(Atom) -> (i128, i128)) -> Option<(i128, i128)> {
        let (terms, mut low, mut high) = (&self.terms[..], 0i128, 0i128);
        let mut n = 0;
        while n < terms.len() {
            let (product, factor) = terms[n];
            let (mut least, mut most) = (factor, factor);
            let mut place = 0;
            while place < MOST_ATOMS && product.0[place].0 != NO_ATOM.0 {
                let (from, to) = of(product.0[place]);
                least = least.checked_mul(from)?;
                most = most.checked_mul(to)?;
                place += 1;
            }
            if most < least {
                (least, most) = (most, least);
            }
            low = low.checked_add(least)?;
            high = high.checked_add(most)?;
            n += 1;
        }
        Some((low, high))
    }

    /// `(factor, rest)` with `self = factor * atom + rest`, if the atom occurs in no square.
    pub(super) fn split(&self, atom: Atom) -> Option<(Poly, Poly)> {
        let (factor, rest) = self.horner(atom);
        (!factor.mentions(atom)).then_some((factor, rest))
    }

    /// `(quotient, rest)` with `self = quotient * divisor + rest`, for a divisor of one term: the
    /// rest has the terms that it does not divide.
    pub(super) fn divide(&self, divisor: &Poly) -> Option<(Poly, Poly)> {
        let [(by, n)] = &divisor.terms[..] else {
            return None;
        };
        let (mut quotient, mut rest) = (Vec::new(), Poly::default());
        for (product, f) in &self.terms {
            let left = (f % n == 0).then(|| product.without(by.atoms())).flatten();
            match left {
                Some(product) => quotient.push((product, f / n)),
                None => rest.terms.push((*product, *f)),
            };
        }
        Some((Poly::sum(quotient), rest))
    }

    /// `(quotient, rest)` with `self = quotient * divisor + rest`, for a divisor of any number of
    /// terms: no term of the rest is one that the divisor's last divides.
    pub(super) fn divide_by(&self, divisor: &Poly) -> Option<(Poly, Poly)> {
        let (by, n) = divisor.leading()?;
        let by = Poly::term(by.atoms(), n);
        let (mut quotient, mut rest) = (Poly::default(), self.clone());
        for _ in 0..MOST_ATOMS {
            let (whole, _) = rest.divide(&by)?;
            if whole == Poly::default() {
                return Some((quotient, rest)).filter(|(_, rest)| rest.is_handy());
            }
            rest = rest.sub(&divisor.times(&whole)?);
            quotient = quotient.add(&whole);
        }
        None
    }

    /// The last of the products with most atoms, with its factor.
    fn leading(&self) -> Option<(Product, i128)> {
        let key = |(product, _): &&(Product, i128)| (product.atoms().len(), *product);
        self.terms.iter().max_by_key(key).copied()
    }

    /// The quotient, if a divisor of any number of terms leaves nothing.
    pub(super) fn divide_exactly(&self, divisor: &Poly) -> Option<Poly> {
        let (mut rest, mut quotient) = (self.clone(), Poly::default());
        let (by, n) = divisor.leading()?;
        for _ in 0..MOST_TERMS {
            let Some((product, f)) = rest.leading() else {
                return Some(quotient);
            };
            let product = product.without(by.atoms())?;
            let term = Poly::term(product.atoms(), (f % n == 0).then(|| f / n)?);
            rest = rest.sub(&divisor.times(&term)?);
            quotient = quotient.add(&term);
        }
        None
    }

    /// The sign of its value: 1 if no factor is negative, -1 if no factor is positive.
    pub(super) fn sign(&self) -> Option<i128> {
        let mut factors = self.terms.iter().map(|(_, f)| *f);
        if factors.clone().all(|f| f >= 0) {
            Some(1)
        } else {
            factors.all(|f| f <= 0).then_some(-1)
        }
    }

    /// The same condition `self >= 0`, divided by what divides all factors but the constant.
    pub(super) fn tightened(mut self) -> Poly {
        let common = self.common();
        if common > 1 {
            self.terms
                .iter_mut()
                .for_each(|(_, f)| *f = f.div_euclid(common));
            self.terms.retain(|(_, f)| *f != 0);
        }
        self
    }

    /// What divides all factors but the constant.
    fn common(&self) -> i128 {
        let (terms, mut common) = (&self.terms[..], 0);
        let mut n = 0;
        while n < terms.len() && common != 1 {
            if !terms[n].0.is_one() {
                common = gcd(common, terms[n].1.abs());
            }
            n += 1;
        }
        common
    }

    /// Is it never 0, as what divides all other factors does not divide the constant?
    pub(super) fn is_never_0(&self) -> bool {
        let common = self.common();
        common > 1 && self.constant() % common != 0
    }

    /// `(factor, rest)` with `self = factor * atom + rest`, the rest without the atom (Horner's
    /// scheme).
    pub(super) fn horner(&self, atom: Atom) -> (Poly, Poly) {
        let (mut factor, mut rest) = (Vec::new(), Poly::default());
        for (product, f) in &self.terms {
            match product.without_one(atom) {
                Some(other) => factor.push((other, *f)),
                None => rest.terms.push((*product, *f)),
            }
        }
        (Poly::sum(factor), rest)
    }

    /// The polynomial with another in the place of an atom.
    pub(super) fn with(&self, atom: Atom, value: &Poly) -> Option<Poly> {
        if !self.mentions(atom) {
            return Some(self.clone());
        }
        let (factor, rest) = self.horner(atom);
        let factor = factor.with(atom, value)?;
        Some(rest.add(&factor.times(value)?)).filter(Poly::is_handy)
    }
}

fn gcd(x: i128, y: i128) -> i128 {
    if y == 0 { x } else { gcd(y, x % y) }
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
