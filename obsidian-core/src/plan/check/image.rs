//! The elements that one store reaches, as a start and digits: a number system whose digits are the
//! counters of the loops.
//!
//! A store at `512 * b + 64 * k + i` in loops of `n`, 8 and 64 rounds reaches `n * 512` elements,
//! each once: sorted, the strides are 1, 64 and 64 * 8. Radices need not be numbers. Counters that a
//! guard limits as one, `256 * b + t < n`, are one counter of `n` values. Quotient and rest of a
//! counter are two digits, if the divisor divides the number of its values; a rest of a counter plus
//! something (a rotation) and a counter with some of its bits flipped take all values of the counter
//! once, and are digits in its place.

use super::facts::{Kind, TOP};
use super::forms::Forms;
use super::poly::{Atom, Poly};
use super::sites::{Around, Site, Sites, Step};
use crate::ordered::Set;
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

/// Counters that are one: `digit` is `place`, a sum of them in which `first` is taken once.
struct Joined {
    first: Atom,
    counters: Set<Atom>,
    digit: Atom,
    place: Poly,
}

/// The counters of an index in the course of being taken apart.
struct Parts {
    poly: Poly,
    counters: Vec<(Atom, Poly)>,
    /// These, and those in the place of which they are.
    all: Set<Atom>,
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
        let own: Set<Atom> = counters.iter().map(|(atom, _)| *atom).collect();
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
            all: own,
            counters,
            borders,
        };
        let owed = self.separate(&mut parts)?;
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
            all: counters.iter().map(|(atom, _)| *atom).collect(),
            counters,
            borders,
        };
        let owed = self.separate(&mut parts)?;
        let own = parts.all;
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
                    let (count, limit) = self.count(around, length, &counters);
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

    /// The count of a loop, and what limits its counter beside that. Of `min(left, n)` rounds the
    /// count is `n`, and the counter is below `left`. Of `(left - outer) / step` rounds, for an outer
    /// counter, it is `left / step`, and `step` times the next round is no more than `left - outer`.
    fn count(
        &mut self,
        around: &Around,
        length: Poly,
        outer: &[(Atom, Poly)],
    ) -> (Poly, Option<Poly>) {
        let counter = Poly::atom(around.atom);
        match length.as_atom().map(|atom| self.facts.kind(atom).clone()) {
            Some(Kind::Min(x, y)) => {
                let (left, full) = if y.as_number().is_some() {
                    (x, y)
                } else {
                    (y, x)
                };
                if full.as_number().is_some() {
                    return (full, Some(left.sub(&counter).shift(-1)));
                }
            }
            Some(Kind::Div(left, step)) if step.as_number().is_some_and(|n| n > 0) => {
                let mut most = left.clone();
                for (atom, _) in outer {
                    let factor = left.factor(&[*atom]);
                    most = most.plus(-factor.min(0), &Poly::atom(*atom));
                }
                if let Some(next) = step.times(&counter.shift(1)).filter(|_| most != left) {
                    return (self.divided(&most, &step, true), Some(left.sub(&next)));
                }
            }
            _ => {}
        }
        (length, None)
    }

    /// Does a polynomial depend on some of these atoms?
    pub(super) fn depends(&self, poly: &Poly, on: &Set<Atom>) -> bool {
        poly.atoms()
            .into_iter()
            .any(|atom| self.atom_depends(atom, on))
    }

    /// A polynomial as a sum of what does not depend on some atoms and what does.
    pub(super) fn parted_by(&self, poly: &Poly, on: &Set<Atom>) -> (Poly, Poly) {
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
    pub(super) fn atom_depends(&self, atom: Atom, on: &Set<Atom>) -> bool {
        on.contains(&atom)
            || match self.facts.kind(atom) {
                Kind::Leaf(_) | Kind::Counter(_) | Kind::Part(..) | Kind::Place(_) => false,
                Kind::Opaque(_)
                | Kind::Upper(..)
                | Kind::Select(..)
                | Kind::Other(..)
                | Kind::Piece(..) => true,
                Kind::Product(x, y)
                | Kind::Div(x, y)
                | Kind::Rem(x, y)
                | Kind::Min(x, y)
                | Kind::Max(x, y)
                | Kind::Bits(_, x, y) => self.depends(x, on) || self.depends(y, on),
            }
    }

    /// Makes counters of all that the index has of counters; `None` if something cannot be. What has
    /// to be not negative outside of the loops for that is owed.
    fn separate(&mut self, parts: &mut Parts) -> Option<Vec<Poly>> {
        let mut owed = Vec::new();
        loop {
            match self.take_apart(parts) {
                Some(true) => continue,
                Some(false) if parts.borders.is_empty() => return Some(owed),
                _ => {}
            }
            if parts.borders.is_empty() {
                return None;
            }
            let border = parts.borders.remove(0);
            owed.extend(self.as_one(parts, &border)?);
        }
    }

    /// Replaces one atom that is made of counters by digits; `None` if one cannot be.
    fn take_apart(&mut self, parts: &mut Parts) -> Option<bool> {
        let own: Set<Atom> = parts.counters.iter().map(|(atom, _)| *atom).collect();
        let atoms: Set<Atom> = parts
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
        let q = self.facts.atom(Kind::Div(x.clone(), y.clone()), 0, TOP);
        let r = self.facts.atom(Kind::Rem(x.clone(), y.clone()), 0, TOP);
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
        parts.all.extend([q, r]);
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
                    && !self.depends(&rest, &Set::from([*counter]))
            });
            once && count == y
                && !parts.poly.mentions(*counter)
                && self.is_alone(&parts.poly, *counter, atom)
        });
        let Some(at) = found else { return false };
        parts.counters[at].0 = atom;
        parts.all.insert(atom);
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
        let other = !self.depends(t, &Set::from([counter]));
        if !fits
            || !other
            || parts.poly.mentions(counter)
            || !self.is_alone(&parts.poly, counter, atom)
        {
            return false;
        }
        parts.counters[at].0 = atom;
        parts.all.insert(atom);
        true
    }

    /// Does no other atom than this one depend on the counter?
    fn is_alone(&self, poly: &Poly, counter: Atom, atom: Atom) -> bool {
        poly.atoms()
            .into_iter()
            .all(|other| other == atom || !self.atom_depends(other, &Set::from([counter])))
    }

    /// Makes one counter of those that a border limits: `16 * t + i < w` for all `t` and `i` that
    /// there are takes the values below `w`. What the index has of them must be made of that sum.
    ///
    /// That there are enough of them has to hold where no loop is known to have a round, and is
    /// left to the caller.
    fn as_one(&mut self, parts: &mut Parts, border: &Poly) -> Option<[Poly; 2]> {
        // `border = end - 1 - place`.
        let (mut place, mut end) = (Poly::default(), border.shift(1));
        let (mut inside, mut digits) = (Set::new(), Vec::new());
        let mut first = None;
        for (counter, count) in &parts.counters {
            let (factor, rest) = end.split(*counter)?;
            if factor != Poly::default() {
                place = place.sub(&factor.times(&Poly::atom(*counter))?);
                inside.insert(*counter);
                let stride = factor.scale(-1);
                first = first.or((stride == Poly::number(1)).then_some(*counter));
                digits.push(Digit {
                    stride,
                    count: count.clone(),
                });
            }
            end = rest;
        }
        if self.depends(&end, &parts.all) {
            return None;
        }
        digits.retain(|digit| digit.count != Poly::number(1));
        let size = Image {
            start: Poly::default(),
            digits,
            end: None,
        }
        .size(&Poly::number(1))?;
        let joined = Joined {
            first: first?,
            counters: inside,
            digit: self.facts.atom(Kind::Place(place.clone()), 0, TOP),
            place,
        };
        parts.poly = self.joined(&parts.poly, &joined)?;
        let borders = std::mem::take(&mut parts.borders).into_iter();
        let borders = borders.map(|border| self.joined(&border, &joined));
        parts.borders = borders.collect::<Option<_>>()?;
        let inside = joined.counters;
        parts
            .counters
            .retain(|(counter, _)| !inside.contains(counter));
        parts.counters.push((joined.digit, end.clone()));
        parts.all.insert(joined.digit);
        Some([size.sub(&end), end])
    }

    /// A polynomial with the counter that was joined in the place of the sum that it is, also in
    /// what is divided.
    fn joined(&mut self, poly: &Poly, joined: &Joined) -> Option<Poly> {
        let mut poly = poly.clone();
        for atom in poly.atoms() {
            if joined.counters.contains(&atom) || !self.atom_depends(atom, &joined.counters) {
                continue;
            }
            let kind = match self.facts.kind(atom).clone() {
                Kind::Div(x, y) if !self.depends(&y, &joined.counters) => {
                    Kind::Div(self.joined(&x, joined)?, y)
                }
                Kind::Rem(x, y) if !self.depends(&y, &joined.counters) => {
                    Kind::Rem(self.joined(&x, joined)?, y)
                }
                _ => return None,
            };
            let (low, high) = (self.facts.low(atom), self.facts.high(atom));
            let same = self.facts.atom(kind, low, high);
            poly = poly.with(atom, &Poly::atom(same))?;
        }
        let (stride, _) = poly.split(joined.first)?;
        let rest = poly.sub(&stride.times(&joined.place)?);
        let left = joined
            .counters
            .iter()
            .any(|counter| rest.mentions(*counter));
        let digit = stride.times(&Poly::atom(joined.digit))?;
        (!left).then(|| rest.add(&digit))
    }

    /// The digits of an index that is a sum of counters, each times something that is the same in
    /// all rounds.
    fn digits(&mut self, parts: Parts, end: Option<Poly>) -> Option<Image> {
        let own = parts.all;
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

    /// Is no element reached twice? Each stride is no less than what the digits below it reach.
    pub(super) fn is_once(&self, forms: &mut Forms<'_>) -> Option<bool> {
        let (mut reach, mut left) = (Poly::number(1), self.digits.clone());
        while !left.is_empty() {
            let next = left.iter().position(|digit| digit.stride == reach);
            let far = |digit: &Digit| forms.prove(&digit.stride.sub(&reach));
            let digit = left.remove(next.or_else(|| left.iter().position(far))?);
            reach = digit.stride.times(&digit.count)?;
        }
        Some(true)
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
