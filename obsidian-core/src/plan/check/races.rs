//! Accesses to one element of an array that changes, by two threads that do not wait for each
//! other.
//!
//! Threads of one `ForAll` do not, nor do warps of one loop over warps, nor blocks ever: what is
//! between two loops over blocks is looked at in [`grid`]. Between two loops over the threads of
//! one level `barriers` adds what waits are missing, so that these are no races. Two accesses are apart if it is proved that in two different rounds of the loop
//! over threads (warps, blocks) their indices differ: by order, as digits of which one is the
//! thread, or by going through all points. Two atomic operations never race.

use std::collections::BTreeSet;

use super::coverage_points::{changes, meet};
use super::footprint::open_pairs;
use super::forms::Forms;
use super::grid;
use super::poly::{Atom, Poly};
use super::report;
use super::sites::{Access, Rounds, Site, Sites, Step};
use super::table::Sample;
use crate::error::Diagnostic;
use crate::ir::{Kernel, Levelled};
use crate::scalar::{ArrayId, ArrayPlace, Role};

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
            && let Some(wrong) = by_points(forms, sites, [a, b], place, samples)
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
    place: usize,
    samples: &[Sample],
) -> Option<Diagnostic> {
    for (n, sample) in samples.iter().enumerate() {
        if forms.facts.work.is_over() {
            break;
        }
        let at = if n == 0 { None } else { Some(0) };
        match meet(forms, sites, pair, place, sample, at) {
            Some(Some(race)) => return Some(race),
            // All is known, and there is no race.
            Some(None) if n == 0 => return None,
            _ => {}
        }
    }
    if meets_locally(forms, sites, pair, place) == Some(false) {
        return None;
    }
    let array = forms.tables.arrays.get(pair[0].array.0 as usize)?;
    Some(report::maybe_race(array, pair, sites))
}

/// Is it proved that two different rounds of the loop at a place access different elements?
fn apart(forms: &mut Forms<'_>, sites: &Sites, [a, b]: [&Site; 2], place: usize) -> bool {
    in_order(forms, sites, [a, b], place) || by_digit(forms, sites, [a, b], place)
}

/// One thread's elements all lie before the other's, or behind.
fn in_order(forms: &mut Forms<'_>, sites: &Sites, [a, b]: [&Site; 2], place: usize) -> bool {
    let mark = forms.enter();
    forms.replay(sites, &a.path[..place], None);
    let (first, x) = forms.as_thread(1, sites, a, place);
    let (second, y) = forms.as_thread(2, sites, b, place);
    let less = second.sub(&first).shift(-1);
    let more = first.sub(&second).shift(-1);
    let same = std::ptr::eq(a, b);
    let apart = [less, more]
        .into_iter()
        .take(if same { 1 } else { 2 })
        .all(|order| {
            let mark = forms.enter();
            forms.facts.add(order);
            let apart = forms.facts.is_absurd()
                || forms.prove(&y.sub(&x).shift(-1))
                || forms.prove(&x.sub(&y).shift(-1));
            forms.leave(mark);
            apart
        });
    forms.leave(mark);
    apart
}

impl Forms<'_> {
    /// The counter of the loop at a place and the index of an access, as one of two threads has
    /// them. Its facts stay.
    fn as_thread(&mut self, which: u32, sites: &Sites, site: &Site, place: usize) -> (Poly, Poly) {
        let log = self.pairing(which);
        self.replay(sites, &site.path[place..], None);
        let Some(Step::Loop(number)) = site.path.get(place) else {
            return Default::default();
        };
        let counter = self.present_counter(sites.loops[*number].variable);
        let index = self.value(site.index);
        self.end_pairing(log);
        (counter, index)
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
    place: usize,
) -> Option<bool> {
    let mut parts = Vec::new();
    for site in [a, b] {
        let mark = forms.enter();
        forms.replay(sites, &site.path, None);
        let part = (forms.value(site.index) == site.poly)
            .then(|| local(forms, sites, site, place))
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
    let mut seen: std::collections::BTreeMap<i128, [u64; 2]> = std::collections::BTreeMap::new();
    for (element, round) in first {
        let known = seen.entry(*element).or_insert([*round; 2]);
        if known[0] != *round {
            known[1] = *round;
        }
    }
    Some(second.iter().any(|(element, round)| {
        seen.get(element)
            .is_some_and(|known| known.iter().any(|other| other != round))
    }))
}

/// What an index is the same in all rounds, and the rest with the round of the loop, by point.
fn local(
    forms: &mut Forms<'_>,
    sites: &Sites,
    site: &Site,
    place: usize,
) -> Option<(Poly, Vec<(i128, u64)>)> {
    let inner: Vec<_> = site.path[place..]
        .iter()
        .filter_map(|s| {
            if let Step::Loop(n) = s {
                Some(&sites.loops[*n])
            } else {
                None
            }
        })
        .collect();
    let own: BTreeSet<Atom> = inner.iter().map(|around| around.atom).collect();
    let mut rest = Poly::default();
    for (product, factor) in site.poly.terms() {
        let term = product
            .iter()
            .try_fold(Poly::number(factor), |term, atom| {
                term.times(&Poly::atom(*atom))
            })?;
        if !forms.depends(&term, &own) {
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
    for step in &site.path[place..] {
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
    Some((
        rest,
        list.map(|(point, value)| (value, points.coordinate(0, point)))
            .collect(),
    ))
}
