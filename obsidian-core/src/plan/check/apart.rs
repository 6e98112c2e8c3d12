//! Proofs that two rounds of a loop over threads, warps or blocks access different elements.
//!
//! *Claim.* [`apart`] says yes only if one access in one round of the loop at a place of its path and
//! the other access in another round, both in one round of all loops around it, are never at one
//! element.
//!
//! *By order.* Of two rounds one has the smaller counter. With that as a fact, and the counters of
//! the loops inside as those of one thread each, the indices have to [differ](Forms::differ), for
//! either order; also by their rows and columns, or as partners ([`alike`](super::alike)). What an index chooses between is looked at case by case, at most [`MOST_SPLIT`]
//! choices.
//!
//! *By digit.* If both indices are one start and `stride * counter`, and what the loops inside add is
//! below the stride, or a multiple of `stride * rounds`, then the counter is a digit of the element's
//! number, and different counters are different elements.
//!
//! *By radices.* If all counters around both accesses are digits of the elements' numbers, and which of
//! the two accesses it is is one digit more, then an element tells the round of each loop, and the
//! access. Digits sorted such that each stride is no less than what those below it reach represent
//! no number twice; [`image`](super::image) says which counters are digits. Both indices have the
//! same digits, as their distance is the same in all rounds.
//!
//! *By enumeration.* [`apart_locally`] enumerates what changes in the rounds of the loop, if the rest
//! of both indices is one polynomial.
//!
//! *Limits.* Loops inside with a number of rounds that depends on data are no digits, and not
//! enumerated.

use crate::hashed::HashSet;

use super::coverage_points::by_rounds;
use super::facts::TOP;
use super::forms::Forms;
use super::image::Digit;
use super::poly::{Atom, Poly, is_multiplier};
use super::samples::Sample;
use super::sites::{Around, Rounds, Site, Sites};
use super::table::{Asked, Index, Meeting, Table};
use crate::ordered::Set;
use crate::scalar::{Node, NodeId};

/// Choices in an index that are looked at case by case.
const MOST_SPLIT: usize = 2;

/// Is it proved that two different rounds of the loop at a place access different elements?
pub(super) fn apart(
    forms: &mut Forms<'_>,
    sites: &Sites,
    [a, b]: [&Site; 2],
    place: usize,
) -> bool {
    in_order(forms, sites, [a, b], place)
        || by_digit(forms, sites, [a, b], place)
        || by_radices(forms, sites, [a, b]).unwrap_or(false)
}

/// Are all counters, and which of the accesses it is, digits of the elements' numbers?
fn by_radices(forms: &mut Forms<'_>, sites: &Sites, [a, b]: [&Site; 2]) -> Option<bool> {
    let own: Set<Atom> = sites
        .around(&a.path)
        .map(|(_, around)| around.atom)
        .collect();
    let distance = b.poly.sub(&a.poly);
    if a.path != b.path || !a.inside || !b.inside || forms.depends(&distance, &own) {
        return None;
    }
    let mark = forms.enter();
    forms.replay(sites, &a.path, Some(0));
    let image = (forms.ring(a.index) == a.poly).then(|| forms.image(sites, a, 0));
    forms.leave(mark);
    let (mut image, _) = image.flatten()?;
    let mark = forms.enter();
    forms.replay(sites, &a.path, None);
    let sign = if forms.prove(&distance) { 1 } else { -1 };
    if distance != Poly::default() {
        image.digits.push(Digit {
            stride: distance.scale(sign),
            count: Poly::number(2),
        });
    }
    let once = image.is_once(forms);
    forms.leave(mark);
    once
}

/// An access as one of two threads does it.
pub(super) struct Instance {
    pub(super) index: Poly,
    /// The counters of its loops beyond those that both threads are in.
    pub(super) counters: Vec<(Rounds, Poly)>,
}

impl Forms<'_> {
    /// An access by one of two threads, beyond the first steps, with the conditions by which its
    /// index chooses. Its facts stay.
    pub(super) fn instance(
        &mut self,
        which: u32,
        sites: &Sites,
        (site, choices): (&Site, &[(NodeId, bool)]),
        from: usize,
    ) -> Instance {
        let log = self.pairing(which);
        let path = &site.path[from..];
        self.replay(sites, path, None);
        for (condition, holds) in choices {
            self.assume(*condition, *holds);
        }
        let counter = |around: &Around| (around.rounds, self.present_counter(around.variable));
        let counters = sites.around(path).map(|(_, around)| counter(around));
        let counters = counters.collect();
        let index = self.number_of(site);
        self.end_pairing(log);
        Instance { index, counters }
    }

    /// The number that an index is: by its rows and columns, where only these show that it does not
    /// wrap around.
    fn number_of(&mut self, site: &Site) -> Poly {
        let value = self.value(site.index);
        if !site.inside || value == self.ring(site.index) {
            return value;
        }
        let array = self.tables.arrays.get(site.array.0 as usize);
        let length = array.map(|array| array.length);
        let end = length.map(|length| self.value(length));
        let number = end.and_then(|end| self.in_rows(site.index, &end));
        number.unwrap_or(value)
    }

    /// Is something proved whichever of two different numbers is the smaller one? If both orders
    /// are the `same`, one is enough.
    pub(super) fn in_either_order(
        &mut self,
        [x, y]: [&Poly; 2],
        same: bool,
        mut proved: impl FnMut(&mut Self) -> bool,
    ) -> bool {
        let orders = [y.sub(x).shift(-1), x.sub(y).shift(-1)];
        let mut orders = orders.into_iter().take(if same { 1 } else { 2 });
        orders.all(|order| {
            self.aside(|forms| {
                forms.facts.add(order);
                proved(forms)
            })
        })
    }

    /// The conditions by which an index is chosen, if they are not too many.
    fn choices_in(&self, index: NodeId) -> Vec<NodeId> {
        let (mut stack, mut seen, mut found) = (vec![index], HashSet::default(), Set::new());
        while let Some(id) = stack.pop() {
            if !seen.insert(id) {
                continue;
            }
            match self.tables.nodes.node(id) {
                Node::Variable(variable) => stack.extend(self.names.get(&variable)),
                Node::Select {
                    condition,
                    then,
                    otherwise,
                } => {
                    found.insert(condition);
                    stack.extend([then, otherwise]);
                }
                Node::Load { .. } => {}
                node => stack.extend(node.operands()),
            }
        }
        self.facts.work.values(seen.len() as u64);
        match found.len() > MOST_SPLIT {
            true => Vec::new(),
            false => found.into_iter().collect(),
        }
    }
}

/// The elements of two threads differ, by what is known of the numbers of both, for all ways in
/// which their indices choose.
fn in_order(forms: &mut Forms<'_>, sites: &Sites, [a, b]: [&Site; 2], place: usize) -> bool {
    let [x, y] = [a, b].map(|site| cases(&forms.choices_in(site.index)));
    let both = x.iter().flat_map(|x| y.iter().map(move |y| (x, y)));
    let mut both = both.map(|(x, y)| [(a, &x[..]), (b, &y[..])]);
    let length = forms.tables.arrays.get(a.array.0 as usize);
    let length = length.map(|array| array.length);
    both.all(|[a, b]| {
        forms.behind(sites, &a.0.path[..place], |forms| {
            let end = length.map(|length| forms.value(length));
            let x = forms.instance(1, sites, a, place);
            let y = forms.instance(2, sites, b, place);
            // Of one access alone, either order is the other one with the threads exchanged.
            let same = std::ptr::eq(a.0, b.0) && a.1 == b.1;
            let counters = [&x.counters[0].1, &y.counters[0].1];
            forms.in_either_order(counters, same, |forms| {
                forms.differ(&x.index, &y.index)
                    || forms.differ_by_xor(&x.index, &y.index)
                    || end
                        .as_ref()
                        .is_some_and(|end| forms.differ_in_rows(&x.index, &y.index, end))
            })
        })
    })
}

/// All ways in which conditions hold or do not.
fn cases(conditions: &[NodeId]) -> Vec<Vec<(NodeId, bool)>> {
    let case = |case: usize| {
        let all = conditions.iter().enumerate();
        all.map(|(bit, id)| (*id, case >> bit & 1 == 0)).collect()
    };
    (0..1 << conditions.len()).map(case).collect()
}

/// The thread is one digit of the element's number: what the threads do beside it lies below the
/// digit, or above.
///
/// The arithmetic of an index that the user vouches for may wrap. If both numbers that the indices
/// are modulo 2^32 lie in less than 2^32 numbers, they are one index only if they are one number.
fn by_digit(forms: &mut Forms<'_>, sites: &Sites, [a, b]: [&Site; 2], place: usize) -> bool {
    let digits = |site: &Site| {
        forms.behind(sites, &site.path, |forms| {
            let exact = forms.value(site.index) == site.poly;
            let range = forms.facts.range(&site.poly);
            let range = range.or(exact.then_some((0, TOP)))?;
            let digit = thread_digit(forms, sites, site, place)?;
            Some((digit, exact, range))
        })
    };
    let [Some((x, x_exact, x_range)), Some((y, y_exact, y_range))] = [a, b].map(digits) else {
        return false;
    };
    let numbers = x_range.1.max(y_range.1) - x_range.0.min(y_range.0);
    if !(x_exact && y_exact || numbers <= TOP) {
        return false;
    }
    let Some(distance) = y.start.sub(&x.start).as_number() else {
        return false;
    };
    let spread = x.below.max(distance + y.below) - distance.min(0);
    a.path[place] == b.path[place] && x.stride == y.stride && spread < x.stride
}

/// An index as a start, the digit of the thread and what lies below it.
struct ThreadDigit {
    start: Poly,
    stride: i128,
    below: i128,
}

fn thread_digit(
    forms: &mut Forms<'_>,
    sites: &Sites,
    site: &Site,
    place: usize,
) -> Option<ThreadDigit> {
    let inner = &site.path[place..];
    let around = sites.at(inner, 0)?;
    let (stride, mut start) = site.poly.split(around.atom)?;
    let stride = stride.as_number().filter(|n| *n > 0 && is_multiplier(*n))?;
    let whole = around.length.scale(stride);
    let mut below = 0;
    for (_, around) in sites.around(inner).skip(1) {
        let (step, rest) = start.split(around.atom)?;
        start = rest;
        let left = step.divide(&whole).map(|(_, rest)| rest);
        if left == Some(Poly::default()) {
            continue;
        }
        let step = step.as_number().filter(|step| *step >= 0)?;
        let most = forms.facts.range(&around.length)?.1 - 1;
        below += step.checked_mul(most.max(0))?;
    }
    let same = !forms.depends(&start, &sites.counters(inner));
    same.then_some(ThreadDigit {
        start,
        stride,
        below,
    })
}

/// Goes through what changes in the rounds of the loop alone, if the rest of both indices is the
/// same.
pub(super) fn apart_locally(
    forms: &mut Forms<'_>,
    sites: &Sites,
    [a, b]: [&Site; 2],
    at: (usize, usize),
) -> bool {
    let [x, y] = [a, b].map(|site| changing(forms, sites, site, at));
    let (Some((rest, x)), Some((other, y))) = (x, y) else {
        return false;
    };
    rest == other && matches!(by_rounds([&x, &y], at), Meeting::Nowhere)
}

/// What an index is the same in all rounds of the loops from a place on, and the rest by point.
/// Loops around the one at `place` have no axis if their number of rounds is not fixed.
fn changing(
    forms: &mut Forms<'_>,
    sites: &Sites,
    site: &Site,
    (from, place): (usize, usize),
) -> Option<(Poly, Table)> {
    let same = forms.behind(sites, &site.path, |forms| {
        forms.value(site.index) == site.poly
    });
    let fixed = |n, around: &Around| n >= place || around.length.as_number().is_some();
    let loops = sites.around(&site.path).filter(|(n, _)| *n >= from);
    let own = loops.filter(|(n, around)| fixed(*n, around));
    let own: Set<Atom> = own.map(|(_, around)| around.atom).collect();
    let (rest, local) = forms.parted_by(&site.poly, &own);
    let (start, index) = (rest.constant(), Index::Sum(&local.shift(rest.constant())));
    let (outside, sample) = (from, &Sample::new());
    let asked = Asked {
        index,
        outside,
        sample,
    };
    let table = same.then(|| Table::new(forms, sites, site, asked, fixed))??;
    Some((rest.shift(-start), table))
}
