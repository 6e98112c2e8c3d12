//! Accesses to one element of an array that changes, by two threads that do not wait for each
//! other.
//!
//! Threads of one `ForAll` do not, nor do warps of one loop over warps, nor blocks ever: what is
//! between two loops over blocks is looked at in [`grid`]. Between two loops over the threads of
//! one level `barriers` adds what waits are missing, so that these are no races. Two accesses are apart if it is proved that in two different rounds of the loop
//! over threads (warps, blocks) their indices differ: by order, as digits of which one is the
//! thread, or by going through all points. Two atomic operations never race.

use std::collections::{BTreeMap, BTreeSet};

use super::coverage_points::{changes, meet};
use super::footprint::open_pairs;
use super::forms::Forms;
use super::grid;
use super::methods::{Verdict, at_points};
use super::poly::{Atom, Poly};
use super::report;
use super::sites::{Access, Around, Rounds, Site, Sites, Step};
use super::table::Sample;
use crate::error::Diagnostic;
use crate::ir::{Kernel, Levelled};
use crate::scalar::{ArrayId, ArrayPlace, Node, NodeId, Role};

/// Choices in an index that are looked at case by case.
const MOST_SPLIT: usize = 2;

/// All races of a kernel, one for each array and loop.
pub(super) fn races(
    kernel: &Kernel<Levelled>,
    forms: &mut Forms<'_>,
    sites: &Sites,
    once: &BTreeSet<ArrayId>,
    samples: &[Sample],
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (array, known) in (0..).map(ArrayId).zip(&kernel.tables.arrays) {
        let shared = matches!(
            known.place,
            ArrayPlace::Shared | ArrayPlace::Global(Role::InOut)
        ) && !once.contains(&array);
        if !shared {
            continue;
        }
        let own: Vec<&Site> = sites
            .list
            .iter()
            .filter(|site| site.array == array && !site.trusted)
            .collect();
        let begun = sites.begun.get(&array).copied().unwrap_or(0);
        let pairs: Vec<[&Site; 2]> = if begun > 0 || in_one_loop_of_blocks(sites, &own) {
            let open = open_pairs(forms, sites, &own, begun);
            open.into_iter().map(|(a, b)| [own[a], own[b]]).collect()
        } else {
            let all = own
                .iter()
                .enumerate()
                .flat_map(|(n, a)| own[n..].iter().map(move |b| [*a, *b]));
            all.collect()
        };
        let mut apart = BTreeSet::new();
        for pair in pairs {
            forms.facts.work.at = pair[1].origin;
            // Nobody waits at the grid; a stored array belongs to a block.
            if begun == 0 && unordered(pair) {
                let between = grid::unordered_blocks(forms, sites, pair, samples);
                if let Some(wrong) = between {
                    found.push(wrong);
                    break;
                }
            }
            if !conflict(pair[0].access, pair[1].access) {
                continue;
            }
            let alike = distance(forms, sites, pair);
            if alike.as_ref().is_some_and(|alike| apart.contains(alike)) {
                continue;
            }
            if let Some(wrong) = race(forms, sites, pair, begun, samples) {
                found.push(wrong);
                break;
            }
            apart.extend(alike);
        }
    }
    found
}

/// Do all accesses stand in one loop over blocks, with nothing around it?
fn in_one_loop_of_blocks(sites: &Sites, own: &[&Site]) -> bool {
    let first = own.first().and_then(|site| site.path.first());
    let blocks = matches!(first, Some(Step::Loop(n)) if sites.loops[*n].rounds == Rounds::Blocks);
    blocks && own.iter().all(|site| site.path.first() == first)
}

/// What decides whether two accesses meet, where neither index wraps: the loops and conditions
/// around them, what of the first index changes from round to round, and their distance.
fn distance<'s>(
    forms: &Forms<'_>,
    sites: &Sites,
    [a, b]: [&'s Site; 2],
) -> Option<(&'s [Step], &'s [Step], Poly, Poly)> {
    if !a.inside || !b.inside {
        return None;
    }
    let loops = a.path.iter().filter_map(|step| match step {
        Step::Loop(n) => Some(sites.loops[*n].atom),
        _ => None,
    });
    let own: BTreeSet<Atom> = loops.collect();
    let mut changing = Poly::default();
    for (product, factor) in a.poly.terms() {
        let term = Poly::term(product, factor);
        if forms.depends(&term, &own) {
            changing = changing.add(&term);
        }
    }
    Some((&a.path, &b.path, changing, b.poly.sub(&a.poly)))
}

fn conflict(a: Access, b: Access) -> bool {
    (changes(a) || changes(b)) && !(a == Access::Atomic && b == Access::Atomic)
}

/// Does the order of two accesses matter, if one comes earlier in the program? Atomics whose order
/// is seen afterwards conflict too.
fn unordered([a, b]: [&Site; 2]) -> bool {
    match (a.update, b.update) {
        (Some(one), Some(other)) => !one.commutes(other),
        _ => changes(a.access) || changes(b.access),
    }
}

/// The race of two accesses in the loops that they have in common.
fn race(
    forms: &mut Forms<'_>,
    sites: &Sites,
    [a, b]: [&Site; 2],
    begun: usize,
    samples: &[Sample],
) -> Option<Diagnostic> {
    for place in begun..a.path.len().min(b.path.len()) {
        let (Step::Loop(x), Step::Loop(y)) = (a.path[place], b.path[place]) else {
            if a.path[place] == b.path[place] {
                continue;
            }
            return None;
        };
        let rounds = sites.loops[x].rounds;
        if x != y {
            return None;
        }
        if rounds != Rounds::InOrder
            && !apart(forms, sites, [a, b], place)
            && let Some(wrong) = by_points(forms, sites, [a, b], (begun, place), samples)
        {
            return Some(wrong);
        }
    }
    None
}

/// Goes through the points: an example of a race, or that none is known; nothing if there is none.
fn by_points(
    forms: &mut Forms<'_>,
    sites: &Sites,
    pair: [&Site; 2],
    (begun, place): (usize, usize),
    samples: &[Sample],
) -> Option<Diagnostic> {
    let enumerated = at_points(samples, |n, sample| {
        if forms.facts.work.is_over() {
            return Verdict::Unknown;
        }
        let at = (n > 0).then_some(0);
        let seen = meet(forms, sites, pair, (place, place), sample, at);
        seen.or_else(|| match n == 0 && begun < place {
            // In each round of the loops around both, if that helps.
            true => meet(forms, sites, pair, (begun, place), sample, at),
            false => Verdict::Unknown,
        })
    });
    let verdict = enumerated.or_else(|| {
        let mut starts = [place, begun].into_iter();
        let apart = |from| meets_locally(forms, sites, pair, (from, place)) == Some(false);
        Verdict::proved(starts.any(apart))
    });
    match verdict {
        Verdict::Proved => return None,
        Verdict::Refuted(race) => return Some(race),
        Verdict::Unknown => {}
    }
    let array = forms.tables.arrays.get(pair[0].array.0 as usize)?;
    Some(report::maybe_race(array, pair, sites))
}

/// Is it proved that two different rounds of the loop at a place access different elements?
pub(super) fn apart(
    forms: &mut Forms<'_>,
    sites: &Sites,
    [a, b]: [&Site; 2],
    place: usize,
) -> bool {
    in_order(forms, sites, [a, b], place) || by_digit(forms, sites, [a, b], place)
}

/// The elements of two threads differ, by what is known of the numbers of both. What an index
/// chooses between is looked at case by case.
fn in_order(forms: &mut Forms<'_>, sites: &Sites, [a, b]: [&Site; 2], place: usize) -> bool {
    let choices = [a, b].map(|site| forms.choices_in(site.index));
    let cases = choices
        .each_ref()
        .map(|choices| 1 << choices.len().min(MOST_SPLIT));
    (0..cases[0]).all(|x: usize| {
        (0..cases[1]).all(|y: usize| {
            let chosen = |n: usize, case: usize| -> Vec<(NodeId, bool)> {
                let bits = (0..MOST_SPLIT).map(|bit| case >> bit & 1 == 0);
                choices[n].iter().copied().zip(bits).collect()
            };
            let one = (a, chosen(0, x));
            let other = (b, chosen(1, y));
            in_order_if(forms, sites, [one, other], place)
        })
    })
}

/// An access, and how its index chooses.
type Chosen<'s> = (&'s Site, Vec<(NodeId, bool)>);

fn in_order_if(forms: &mut Forms<'_>, sites: &Sites, pair: [Chosen<'_>; 2], place: usize) -> bool {
    let [a, b] = &pair;
    let mark = forms.enter();
    forms.replay(sites, &a.0.path[..place], None);
    let (first, x) = forms.as_thread(1, sites, a, place);
    let (second, y) = forms.as_thread(2, sites, b, place);
    let less = second.sub(&first).shift(-1);
    let more = first.sub(&second).shift(-1);
    // Of one access alone, either order is the other one with the threads exchanged.
    let same = std::ptr::eq(a.0, b.0) && a.1 == b.1;
    let apart = [less, more]
        .into_iter()
        .take(if same { 1 } else { 2 })
        .all(|order| {
            let mark = forms.enter();
            forms.facts.add(order);
            let apart = forms.differ(&x, &y);
            forms.leave(mark);
            apart
        });
    forms.leave(mark);
    apart
}

impl Forms<'_> {
    /// The counter of the loop at a place and the index of an access, as one of two threads has
    /// them. Its facts stay.
    fn as_thread(
        &mut self,
        which: u32,
        sites: &Sites,
        (site, choices): &Chosen<'_>,
        place: usize,
    ) -> (Poly, Poly) {
        let log = self.pairing(which);
        self.replay(sites, &site.path[place..], None);
        let Some(Step::Loop(number)) = site.path.get(place) else {
            return Default::default();
        };
        for (condition, holds) in choices {
            self.assume(*condition, *holds);
        }
        let counter = self.present_counter(sites.loops[*number].variable);
        let index = self.value(site.index);
        self.end_pairing(log);
        (counter, index)
    }

    /// The conditions by which an index is chosen.
    fn choices_in(&self, index: NodeId) -> Vec<NodeId> {
        let (mut stack, mut seen, mut found) = (vec![index], BTreeSet::new(), BTreeSet::new());
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
        match found.len() > MOST_SPLIT {
            true => Vec::new(),
            false => found.into_iter().collect(),
        }
    }
}

/// The thread is one digit of the element's number: what the threads do beside it lies below the
/// digit, or above.
fn by_digit(forms: &mut Forms<'_>, sites: &Sites, [a, b]: [&Site; 2], place: usize) -> bool {
    if a.path[place] != b.path[place] {
        return false;
    }
    let Step::Loop(number) = a.path[place] else {
        return false;
    };
    let mut digits = [a, b].into_iter().map(|site| {
        let mark = forms.enter();
        forms.replay(sites, &site.path, None);
        let digits = (forms.value(site.index) == site.poly)
            .then(|| thread_digit(forms, sites, site, place, number))
            .flatten();
        forms.leave(mark);
        digits
    });
    let (Some(Some(x)), Some(Some(y))) = (digits.next(), digits.next()) else {
        return false;
    };
    let Some(distance) = y.start.sub(&x.start).as_number() else {
        return false;
    };
    let spread = x.below.max(distance + y.below) - distance.min(0);
    x.stride == y.stride && spread < x.stride
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
    unit: usize,
) -> Option<ThreadDigit> {
    let around = &sites.loops[unit];
    let inner = site.path[place..].iter().filter_map(|s| {
        if let Step::Loop(n) = s {
            Some(&sites.loops[*n])
        } else {
            None
        }
    });
    let own: BTreeSet<Atom> = inner.clone().map(|around| around.atom).collect();
    let (stride, mut start) = site.poly.split(around.atom)?;
    let stride = stride.as_number().filter(|stride| *stride > 0)?;
    let whole = around.length.scale(stride);
    let mut below = 0;
    for around in inner.skip(1) {
        let (step, rest) = start.split(around.atom)?;
        start = rest;
        if step
            .divide(&whole)
            .is_some_and(|(_, rest)| rest == Poly::default())
        {
            continue;
        }
        let most = forms.facts.range(&around.length)?.1 - 1;
        below += step
            .as_number()
            .filter(|step| *step >= 0)?
            .checked_mul(most.max(0))?;
    }
    (!forms.depends(&start, &own)).then_some(ThreadDigit {
        start,
        stride,
        below,
    })
}

/// Goes through what changes in the rounds of the loop alone, if the rest of both indices is the
/// same: `None` if that is not so.
fn meets_locally(
    forms: &mut Forms<'_>,
    sites: &Sites,
    [a, b]: [&Site; 2],
    (from, place): (usize, usize),
) -> Option<bool> {
    let mut parts = Vec::new();
    for site in [a, b] {
        let mark = forms.enter();
        forms.replay(sites, &site.path, None);
        let part = (forms.value(site.index) == site.poly)
            .then(|| local(forms, sites, site, (from, place)))
            .flatten();
        forms.leave(mark);
        parts.push(part?);
    }
    let [(rest, first), (other, second)] = &parts[..] else {
        return None;
    };
    if rest != other {
        return None;
    }
    let mut seen: BTreeMap<&(i128, Vec<u64>), [u64; 2]> = BTreeMap::new();
    for (element, round) in first {
        let known = seen.entry(element).or_insert([*round; 2]);
        if known[0] != *round {
            known[1] = *round;
        }
    }
    Some(second.iter().any(|(element, round)| {
        seen.get(element)
            .is_some_and(|known| known.iter().any(|other| other != round))
    }))
}

/// A part of an index, and the round of the loop in which it is that. Rounds of loops around
/// belong to the part: both accesses are in the same.
type Local = ((i128, Vec<u64>), u64);

/// What an index is the same in all rounds of the loops from a place on, and the rest by point.
/// Loops around the one at `place` have no axis if their number of rounds is not fixed.
fn local(
    forms: &mut Forms<'_>,
    sites: &Sites,
    site: &Site,
    (from, place): (usize, usize),
) -> Option<(Poly, Vec<Local>)> {
    let around = |(n, step): (usize, &Step)| match step {
        Step::Loop(number) => {
            let around = &sites.loops[*number];
            (n >= place || around.length.as_number().is_some()).then_some((n, around))
        }
        _ => None,
    };
    let steps = site.path.iter().enumerate().skip(from);
    let (places, inner): (Vec<usize>, Vec<&Around>) = steps.filter_map(around).unzip();
    let axis = places.iter().position(|n| *n == place)?;
    let own: BTreeSet<Atom> = inner.iter().map(|around| around.atom).collect();
    let mut rest = Poly::default();
    for (product, factor) in site.poly.terms() {
        let term = product
            .iter()
            .try_fold(Poly::number(factor), |term, atom| {
                term.times(&Poly::atom(*atom))
            })?;
        if !product.is_empty() && !forms.depends(&term, &own) {
            rest = rest.add(&term);
        }
    }
    let axes: Option<Vec<_>> = inner
        .iter()
        .map(|around| {
            Some((
                crate::scalar::Node::Variable(around.variable),
                u32::try_from(around.length.as_number()?).ok()?,
            ))
        })
        .collect();
    let names = forms.names.clone();
    let mut points = crate::plan::analysis::points::Points::new(forms.tables, &names, &axes?)?;
    let values = super::local::column(forms, sites, &mut points, &site.poly.sub(&rest))?;
    let mut live = vec![true; points.len()];
    for step in &site.path[from..] {
        // A condition that is not known here may hold.
        if let Step::When(condition, holds) = *step
            && let Some(condition) = points.column(condition)
        {
            live.iter_mut()
                .enumerate()
                .for_each(|(point, live)| *live &= (condition.at(point) != 0) == holds);
        }
    }
    let list = values
        .into_iter()
        .enumerate()
        .filter(|(point, _)| live[*point]);
    let part = |point| (0..axis).map(|n| points.coordinate(n, point)).collect();
    let parts = list.map(|(point, value)| ((value, part(point)), points.coordinate(axis, point)));
    Some((rest, parts.collect()))
}
