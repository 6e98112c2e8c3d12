//! Accesses to one element of an array that changes, by two threads that do not wait for each
//! other.
//!
//! Threads of one `ForAll` do not, nor do warps of one loop over warps, nor blocks ever: what is
//! between two loops over blocks is looked at in [`grid`]. Between two loops over the threads of
//! one level `barriers` adds what waits are missing, so that these are no races. Two accesses are apart if it is proved that in two different rounds of the loop
//! over threads (warps, blocks) their indices differ: by order, as digits of which one is the
//! thread, or by going through all points. Two atomic operations never race.

use std::collections::BTreeSet;

use super::coverage_points::{by_rounds, changes, meet};
use super::footprint::open_pairs;
use super::forms::Forms;
use super::grid;
use super::methods::{Verdict, at_points};
use super::poly::{Atom, Poly};
use super::report;
use super::samples::Sample;
use super::sites::{Access, Around, Rounds, Site, Sites, Step};
use super::table::{Asked, Index, Meeting, Table};
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
    let (_, changing) = forms.parted_by(&a.poly, &own);
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
    let enumerated = at_points(samples, |sample| {
        if forms.facts.work.is_over() {
            return Verdict::Unknown;
        }
        let seen = meet(forms, sites, pair, (place, place), sample);
        // In each round of the loops around both, if that helps.
        let around = sample.is_empty() && begun < place;
        seen.or_else(|| match around {
            true => meet(forms, sites, pair, (begun, place), sample),
            false => Verdict::Unknown,
        })
    });
    let verdict = enumerated.or_else(|| {
        let mut starts = [place, begun].into_iter();
        Verdict::proved(starts.any(|from| apart_locally(forms, sites, pair, (from, place))))
    });
    let array = &forms.tables.arrays[pair[0].array.0 as usize];
    verdict.or_maybe(|| report::maybe_race(array, pair, sites))
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
/// same.
fn apart_locally(
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
    let mark = forms.enter();
    forms.replay(sites, &site.path, None);
    let same = forms.value(site.index) == site.poly;
    forms.leave(mark);
    let fixed = |n, around: &Around| n >= place || around.length.as_number().is_some();
    let loops = site.path.iter().enumerate().skip(from);
    let own = loops.filter_map(|(n, step)| match *step {
        Step::Loop(number) => Some(&sites.loops[number]).filter(|around| fixed(n, around)),
        _ => None,
    });
    let own: BTreeSet<Atom> = own.map(|around| around.atom).collect();
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
