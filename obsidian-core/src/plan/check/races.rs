//! Accesses to one element of an array that changes, by two threads that do not wait for each
//! other.
//!
//! Threads of one `ForAll` do not, nor do warps of one loop over warps, nor blocks ever: what is
//! between two loops over blocks is looked at in [`grid`]. Between two loops over the threads of
//! one level `barriers` adds what waits are missing, so that these are no races. Two accesses are
//! [`apart`](super::apart) if two different rounds of the loop over threads (warps, blocks) access
//! different elements; else their points are enumerated. Two atomic operations never race. That two
//! accesses whose indices are promised to be distinct are apart is taken for granted.

use super::apart::{apart, apart_locally};
use super::coverage_points::{changes, meet};
use super::footprint::{Groups, Open, open_pairs};
use super::forms::Forms;
use super::grid;
use super::methods::{Verdict, at_points};
use super::poly::Poly;
use super::report;
use super::samples::Sample;
use super::sites::{Access, Around, Rounds, Site, Sites, Step};
use crate::error::Diagnostic;
use crate::ir::{Kernel, Level, Levelled};
use crate::ordered::Set;
use crate::scalar::{ArrayId, ArrayPlace, Role};

/// All races of a kernel, one for each array and loop.
pub(super) fn races(
    kernel: &Kernel<Levelled>,
    forms: &mut Forms<'_>,
    sites: &Sites,
    once: &Set<ArrayId>,
    samples: &[Sample],
) -> Vec<Diagnostic> {
    use ArrayPlace::{Global, Held, Shared};
    let arrays = (0..).map(ArrayId).zip(&kernel.tables.arrays);
    // What a warp or a block holds goes through shared memory, and lanes may read each other's.
    let of_many = |id: &ArrayId| {
        let begun = sites.layouts.get(id);
        begun.is_some_and(|(level, _)| *level > Level::Thread)
    };
    let shared = arrays.filter(|(id, array)| {
        let changes = match array.place {
            Shared | Global(Role::InOut) => true,
            Held => of_many(id),
            Global(Role::Input | Role::Output) => false,
        };
        changes && !once.contains(id)
    });
    shared
        .filter_map(|(array, _)| of_array(forms, sites, array, samples))
        .collect()
}

/// The first race of an array.
fn of_array(
    forms: &mut Forms<'_>,
    sites: &Sites,
    array: ArrayId,
    samples: &[Sample],
) -> Option<Diagnostic> {
    let begun = sites.begun.get(&array).copied().unwrap_or(0);
    let mut apart = Set::new();
    for pair in pairs(forms, sites, array, begun) {
        forms.facts.work.at = pair[1].origin;
        // Nobody waits at the grid; a stored array belongs to a block.
        if begun == 0 && unordered(pair) {
            let between = grid::unordered_blocks(forms, sites, pair, samples);
            if between.is_some() {
                return between;
            }
        }
        if !conflict(pair[0].access, pair[1].access) {
            continue;
        }
        let alike = distance(forms, sites, pair);
        if alike.as_ref().is_some_and(|alike| apart.contains(alike)) {
            continue;
        }
        let wrong = race(forms, sites, pair, begun, samples);
        if wrong.is_some() {
            return wrong;
        }
        apart.extend(alike);
    }
    None
}

/// May it be wrong that two accesses of an array, which begins inside `begun` steps, are to one
/// element? What is promised to be distinct is taken to be apart, and so are places of one order.
pub(super) fn matters(a: &Site, b: &Site, begun: usize) -> bool {
    let is_promised = a.promises.distinct && b.promises.distinct;
    let is_proved = a.at_places.is_some() && a.at_places == b.at_places;
    !is_promised
        && !is_proved
        && (conflict(a.access, b.access) || (begun == 0 && unordered([a, b])))
}

/// The pairs of accesses of an array that may meet, and matter if they do.
fn pairs<'s>(
    forms: &Forms<'_>,
    sites: &'s Sites,
    array: ArrayId,
    begun: usize,
) -> Vec<[&'s Site; 2]> {
    let own: Vec<&Site> = sites.of_array(array).collect();
    if begun > 0 || in_one_loop_of_blocks(sites, &own) {
        let open = open_pairs(forms, sites, &own, begun);
        return open.into_iter().map(|(a, b)| [own[a], own[b]]).collect();
    }
    let all: Vec<usize> = (0..own.len()).collect();
    let mut open = Open::default();
    Groups::of(&all, &own, begun).all(forms, &mut open);
    open.pairs
        .into_iter()
        .map(|(a, b)| [own[a], own[b]])
        .collect()
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
    let own = sites.counters(&a.path);
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
    let common = a.path.iter().zip(&b.path).skip(begun);
    let common = common.take_while(|(x, y)| x == y).count();
    let path = &a.path[..begun + common];
    let shared_out = |(_, around): &(usize, &Around)| around.rounds != Rounds::InOrder;
    let loops = sites.around(path).filter(|(place, _)| *place >= begun);
    loops.filter(shared_out).find_map(|(place, _)| {
        (!apart(forms, sites, [a, b], place))
            .then(|| by_points(forms, sites, [a, b], (begun, place), samples))
            .flatten()
    })
}

/// Enumerates the points. Returns an example of a race, an error that no proof was found, or `None`
/// if there is no race.
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
