//! The elements that one store reaches, as a start and digits: a number system whose digits are the
//! counters of the loops.
//!
//! A store at `512 * b + 64 * k + i` in loops of `n`, 8 and 64 rounds reaches `n * 512` elements,
//! each once: sorted, the strides are 1, 64 and 64 * 8. Quotient and rest of a counter are two
//! digits; a rest of a counter plus something (a rotation) and a counter with some of its bits
//! flipped take all values of the counter once, and are digits in its place.

use std::collections::BTreeSet;

use super::facts::Kind;
use super::forms::Forms;
use super::poly::{Atom, Poly};
use super::sites::{Around, Site, Sites, Step};
use crate::scalar::BinaryOp;

/// One digit: a number of values, and their distance.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Digit {
    pub(super) stride: Poly,
    pub(super) count: Poly,
}

/// The elements that a store reaches.
#[derive(Clone, Debug)]
pub(super) struct Image {
    pub(super) start: Poly,
    pub(super) digits: Vec<Digit>,
    /// Only elements before this one are written.
    pub(super) end: Option<Poly>,
}

/// An image, and what has to be not negative outside of the loops for it to be one.
pub(super) type Owed = (Image, Vec<Poly>);

/// The counters of an index in the course of being taken apart.
struct Parts {
    poly: Poly,
    counters: Vec<(Atom, Poly)>,
    /// What is not negative where the store is executed.
    borders: Vec<Poly>,
}

impl Forms<'_> {
    /// The elements that a store reaches in the loops beyond the first `outside` steps; `None` if
    /// it is no such form.
    ///
    /// The facts of the site must hold here.
    pub(super) fn image(&mut self, sites: &Sites, site: &Site, outside: usize) -> Option<Owed> {
        let (counters, limits) = self.counters_of(sites, site, outside)?;
        let own: BTreeSet<Atom> = counters.iter().map(|(atom, _)| *atom).collect();
        let (mut end, mut borders) = (None, Vec::new());
        for limit in limits {
            // `index < end`, where the end is the same in all rounds; or a part of the index is
            // below a border.
            let bound = limit.add(&site.poly).shift(1);
            if self.depends(&bound, &own) {
                borders.push(limit);
            } else if end.as_ref().is_some_and(|known| *known != bound) {
                return None;
            } else {
                end = Some(bound);
            }
        }
        let mut parts = Parts {
            poly: site.poly.clone(),
            counters,
            borders,
        };
        while self.take_apart(&mut parts)? {}
        let owed = self.bordered(&mut parts)?;
        Some((self.digits(parts, end)?, owed))
    }

    /// The numbers of values of the counters of an access, those that a guard limits as one, and
    /// what has to be not negative outside of the loops for that.
    pub(super) fn counts(
        &mut self,
        sites: &Sites,
        site: &Site,
        outside: usize,
    ) -> Option<(Vec<Poly>, Vec<Poly>)> {
        let (counters, borders) = self.counters_of(sites, site, outside)?;
        let mut parts = Parts {
            poly: Poly::default(),
            counters,
            borders,
        };
        while self.take_apart(&mut parts)? {}
        let owed = self.bordered(&mut parts)?;
        let own: BTreeSet<Atom> = parts.counters.iter().map(|(atom, _)| *atom).collect();
        let counts: Vec<Poly> = parts.counters.into_iter().map(|(_, count)| count).collect();
        let fixed = counts.iter().all(|count| !self.depends(count, &own));
        fixed.then_some((counts, owed))
    }

    /// The counters with their counts, and what limits them: conditions that do not always hold.
    fn counters_of(
        &mut self,
        sites: &Sites,
        site: &Site,
        outside: usize,
    ) -> Option<(Vec<(Atom, Poly)>, Vec<Poly>)> {
        let (mut counters, mut limits) = (Vec::new(), Vec::new());
        let mut conditions = false;
        for step in site.path.get(outside..)? {
            match *step {
                Step::Loop(number) => {
                    let around = &sites.loops[number];
                    if around.breaks {
                        return None;
                    }
                    // A condition around the loop may have told more of its count than is known
                    // here, where conditions are no facts.
                    let length = match conditions {
                        true => self.value(around.count),
                        false => around.length.clone(),
                    };
                    let (count, limit) = self.count(around, length);
                    counters.push((around.atom, count));
                    limits.extend(limit);
                }
                Step::When(condition, holds) => {
                    conditions = true;
                    for fact in self.condition(condition, holds)? {
                        if !self.prove(&fact) {
                            limits.push(fact);
                        }
                    }
                }
                Step::Repeated => return None,
            }
        }
        Some((counters, limits))
    }

    /// The count of a loop; of `min(left, n)` rounds it is `n`, and the counter is below `left`.
    fn count(&mut self, around: &Around, length: Poly) -> (Poly, Option<Poly>) {
        if let Some(Kind::Min(x, y)) = length.as_atom().map(|atom| self.facts.kind(atom).clone()) {
            let (left, full) = if y.as_number().is_some() {
                (x, y)
            } else {
                (y, x)
            };
            if full.as_number().is_none() {
                return (length, None);
            }
            return (full, Some(left.sub(&Poly::atom(around.atom)).shift(-1)));
        }
        (length, None)
    }

    /// Does a polynomial depend on some of these atoms?
    pub(super) fn depends(&self, poly: &Poly, on: &BTreeSet<Atom>) -> bool {
        poly.atoms()
            .into_iter()
            .any(|atom| self.atom_depends(atom, on))
    }

    /// A polynomial as a sum of what does not depend on some atoms and what does.
    pub(super) fn parted_by(&self, poly: &Poly, on: &BTreeSet<Atom>) -> (Poly, Poly) {
        let (mut same, mut other) = (Poly::default(), Poly::default());
        for (product, factor) in poly.terms() {
            let term = Poly::term(product, factor);
            let part = match self.depends(&term, on) {
                true => &mut other,
                false => &mut same,
            };
            *part = part.add(&term);
        }
        (same, other)
    }

    /// What is opaque depends on everything.
    fn atom_depends(&self, atom: Atom, on: &BTreeSet<Atom>) -> bool {
        on.contains(&atom)
            || match self.facts.kind(atom) {
                Kind::Leaf(_) | Kind::Counter(_) | Kind::Part(..) | Kind::Place(_) => false,
                Kind::Opaque(_) | Kind::Select(..) | Kind::Other(..) | Kind::Piece(..) => true,
                Kind::Div(x, y)
                | Kind::Rem(x, y)
                | Kind::Min(x, y)
                | Kind::Max(x, y)
                | Kind::Bits(_, x, y) => self.depends(x, on) || self.depends(y, on),
            }
    }

    /// Replaces one atom that is made of counters by digits; `None` if one cannot be.
    fn take_apart(&mut self, parts: &mut Parts) -> Option<bool> {
        let own: BTreeSet<Atom> = parts.counters.iter().map(|(atom, _)| *atom).collect();
        let atoms: BTreeSet<Atom> = parts
            .borders
            .iter()
            .chain([&parts.poly])
            .flat_map(Poly::atoms)
            .collect();
        let made = atoms
            .into_iter()
            .filter(|atom| !own.contains(atom) && self.atom_depends(*atom, &own));
        let made: Vec<Atom> = made.collect();
        if made.is_empty() {
            return Some(false);
        }
        for atom in made {
            let done = match self.facts.kind(atom).clone() {
                Kind::Div(x, y) | Kind::Rem(x, y) => {
                    self.split_counter(parts, &x, &y) || self.rotation(parts, atom, &x, &y)
                }
                Kind::Bits(BinaryOp::Xor, x, y) => {
                    self.flip(parts, atom, &x, &y) || self.flip(parts, atom, &y, &x)
                }
                _ => false,
            };
            if done {
                return Some(true);
            }
        }
        None
    }

    /// A counter of `y * m` rounds is its quotient, of `m` values, and its rest, of `y`.
    fn split_counter(&mut self, parts: &mut Parts, x: &Poly, y: &Poly) -> bool {
        let Some(counter) = x.as_atom() else {
            return false;
        };
        let Some(at) = parts.counters.iter().position(|(atom, _)| *atom == counter) else {
            return false;
        };
        let Some(whole) = parts.counters[at].1.divide_exactly(y) else {
            return false;
        };
        let q = self
            .facts
            .atom(Kind::Div(x.clone(), y.clone()), 0, super::facts::TOP);
        let r = self
            .facts
            .atom(Kind::Rem(x.clone(), y.clone()), 0, super::facts::TOP);
        let Some(value) = y.times(&Poly::atom(q)).map(|p| p.add(&Poly::atom(r))) else {
            return false;
        };
        let Some(poly) = parts.poly.with(counter, &value) else {
            return false;
        };
        let borders: Option<Vec<Poly>> = parts
            .borders
            .iter()
            .map(|border| border.with(counter, &value))
            .collect();
        let Some(borders) = borders else { return false };
        (parts.poly, parts.borders) = (poly, borders);
        parts.counters.splice(at..=at, [(q, whole), (r, y.clone())]);
        true
    }

    /// `(i + t) % n` takes all values once when `i` does, if `i` occurs nowhere else.
    fn rotation(&mut self, parts: &mut Parts, atom: Atom, x: &Poly, y: &Poly) -> bool {
        let Kind::Rem(..) = self.facts.kind(atom) else {
            return false;
        };
        let found = parts.counters.iter().position(|(counter, count)| {
            let once = x.split(*counter).is_some_and(|(f, rest)| {
                f.as_number().is_some_and(|n| n.abs() == 1)
                    && !self.depends(&rest, &BTreeSet::from([*counter]))
            });
            once && count == y
                && !parts.poly.mentions(*counter)
                && self.is_alone(&parts.poly, *counter, atom)
        });
        let Some(at) = found else { return false };
        parts.counters[at].0 = atom;
        true
    }

    /// `i ^ t` takes all values below a power of two once when `i` does.
    fn flip(&mut self, parts: &mut Parts, atom: Atom, x: &Poly, t: &Poly) -> bool {
        let Some(counter) = x.as_atom() else {
            return false;
        };
        let Some(at) = parts.counters.iter().position(|(own, _)| *own == counter) else {
            return false;
        };
        let Some(count) = parts.counters[at]
            .1
            .as_number()
            .filter(|n| *n > 0 && (*n as u128).is_power_of_two())
        else {
            return false;
        };
        let fits = self
            .facts
            .range(t)
            .is_some_and(|(low, high)| low >= 0 && high < count);
        let other = !self.depends(t, &BTreeSet::from([counter]));
        if !fits
            || !other
            || parts.poly.mentions(counter)
            || !self.is_alone(&parts.poly, counter, atom)
        {
            return false;
        }
        parts.counters[at].0 = atom;
        true
    }

    /// Does no other atom than this one depend on the counter?
    fn is_alone(&self, poly: &Poly, counter: Atom, atom: Atom) -> bool {
        poly.atoms()
            .into_iter()
            .all(|other| other == atom || !self.atom_depends(other, &BTreeSet::from([counter])))
    }

    /// Makes one digit of those that a border limits: `16 * t + i < w` for all `t` and `i` that
    /// there are takes the values below `w`.
    ///
    /// That there are enough of them has to hold where no loop is known to have a round, and is
    /// left to the caller.
    fn bordered(&mut self, parts: &mut Parts) -> Option<Vec<Poly>> {
        let mut owed = Vec::new();
        for border in std::mem::take(&mut parts.borders) {
            let own: BTreeSet<Atom> = parts.counters.iter().map(|(atom, _)| *atom).collect();
            // `border = end - 1 - place`, and the index is `stride * place + rest`.
            let (mut place, mut end) = (Poly::default(), border.shift(1));
            let mut inside = Vec::new();
            for (counter, count) in &parts.counters {
                let (factor, rest) = end.split(*counter)?;
                if factor != Poly::default() {
                    place = place.sub(&factor.times(&Poly::atom(*counter))?);
                    inside.push((*counter, factor.scale(-1), count.clone()));
                }
                end = rest;
            }
            if self.depends(&end, &own) {
                return None;
            }
            let (first, _, _) = inside
                .iter()
                .find(|(_, factor, _)| *factor == Poly::number(1))?;
            let (stride, _) = parts.poly.split(*first)?;
            let rest = parts.poly.sub(&stride.times(&place)?);
            let digits: Vec<Digit> = inside
                .iter()
                .map(|(_, stride, count)| Digit {
                    stride: stride.clone(),
                    count: count.clone(),
                })
                .collect();
            let digits = digits
                .into_iter()
                .filter(|digit| digit.count != Poly::number(1))
                .collect();
            let size = Image {
                start: Poly::default(),
                digits,
                end: None,
            }
            .size(&Poly::number(1))?;
            if inside.iter().any(|(counter, _, _)| rest.mentions(*counter)) {
                return None;
            }
            owed.extend([size.sub(&end), end.clone()]);
            parts
                .counters
                .retain(|(counter, _)| inside.iter().all(|(other, _, _)| other != counter));
            let digit = self.facts.atom(Kind::Place(place), 0, super::facts::TOP);
            parts.poly = rest.add(&stride.times(&Poly::atom(digit))?);
            parts.counters.push((digit, end));
        }
        Some(owed)
    }

    /// The digits of an index that is a sum of counters, each times something that is the same in
    /// all rounds.
    fn digits(&mut self, parts: Parts, end: Option<Poly>) -> Option<Image> {
        let own: BTreeSet<Atom> = parts.counters.iter().map(|(atom, _)| *atom).collect();
        let (mut start, mut digits) = (parts.poly, Vec::new());
        for (counter, count) in parts.counters {
            let (stride, rest) = start.split(counter)?;
            if self.depends(&count, &own) || self.depends(&stride, &own) {
                return None;
            }
            let sign = stride.sign()?;
            start = if sign < 0 {
                rest.add(&stride.times(&count.shift(-1))?)
            } else {
                rest
            };
            if count != Poly::number(1) {
                digits.push(Digit {
                    stride: stride.scale(sign),
                    count,
                });
            }
        }
        sort(&mut digits);
        (!self.depends(&start, &own)).then_some(Image { start, digits, end })
    }
}

/// The smallest stride first, as far as strides compare.
pub(super) fn sort(digits: &mut [Digit]) {
    digits.sort_by_key(|digit| {
        (
            digit.stride.as_number().is_none(),
            digit.stride.as_number(),
            digit.clone(),
        )
    });
}

impl Image {
    /// The same without some of its digits.
    pub(super) fn without(&self, digits: &[Digit]) -> Image {
        let mut left = self.clone();
        for digit in digits {
            if let Some(at) = left.digits.iter().rposition(|own| own == digit) {
                left.digits.remove(at);
            }
        }
        left
    }

    /// The number of elements if they are all from the start on without a hole, each once; `first`
    /// of them are one already.
    pub(super) fn size(&self, first: &Poly) -> Option<Poly> {
        let (mut size, mut left) = (first.clone(), self.digits.clone());
        while !left.is_empty() {
            let at = left.iter().position(|digit| digit.stride == size)?;
            size = size.times(&left.remove(at).count)?;
        }
        Some(size)
    }
}
