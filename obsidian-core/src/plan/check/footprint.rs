//! Which pairs of accesses may meet, seen from where each can reach: as ranges of elements.
//!
//! In the rounds of a loop over threads (warps, blocks), an index is what it is in all rounds, a
//! multiple of the counter, and the rest, which lies in a range. Two accesses are apart if their
//! ranges over all rounds are, or if one round is further from the next than both ranges are wide.
//! Sorted by their ranges, `n` accesses are compared with their neighbours only; what is left is
//! proved pair by pair.

use std::collections::{BTreeMap, BTreeSet};

use super::forms::Forms;
use super::poly::Poly;
use super::sites::{Rounds, Site, Sites, Step};

/// Where an access reaches, seen from one loop.
struct Footprint {
    /// Its number in the list.
    number: usize,
    /// The distance from one round to the next.
    stride: i128,
    /// The elements of one round, and of all.
    round: (i128, i128),
    all: (i128, i128),
}

/// Pairs of accesses of an array, by their numbers, for which it is not seen that they are apart
/// in every loop around both, but for the first `begun` steps.
pub(super) fn open_pairs(
    forms: &Forms<'_>,
    sites: &Sites,
    own: &[&Site],
    begun: usize,
) -> BTreeSet<(usize, usize)> {
    let mut open = BTreeSet::new();
    let mut behind: BTreeMap<&[Step], Vec<usize>> = BTreeMap::new();
    for (number, site) in own.iter().enumerate() {
        for place in begun..site.path.len() {
            if let Step::Loop(n) = site.path[place]
                && sites.loops[n].rounds != Rounds::InOrder
            {
                behind.entry(&site.path[..=place]).or_default().push(number);
            }
        }
    }
    for (path, together) in behind {
        let mut known: BTreeMap<Poly, Vec<Footprint>> = BTreeMap::new();
        let mut unknown = Vec::new();
        for number in &together {
            match footprint(forms, sites, own[*number], *number, path.len() - 1) {
                Some((rest, footprint)) => known.entry(rest).or_default().push(footprint),
                None => unknown.push(*number),
            }
        }
        for number in unknown {
            open.extend(together.iter().map(|other| pair(number, *other)));
        }
        across(&known, &mut open);
        known.into_values().for_each(|list| along(list, &mut open));
    }
    open
}

fn pair(a: usize, b: usize) -> (usize, usize) {
    (a.min(b), a.max(b))
}

/// Accesses with another start each: nothing is known of their distance.
fn across(known: &BTreeMap<Poly, Vec<Footprint>>, open: &mut BTreeSet<(usize, usize)>) {
    let lists: Vec<&Vec<Footprint>> = known.values().collect();
    for (n, list) in lists.iter().enumerate() {
        for a in *list {
            let others = lists[n + 1..].iter().flat_map(|list| list.iter());
            open.extend(others.map(|b| pair(a.number, b.number)));
        }
    }
}

/// Accesses with one start.
fn along(mut list: Vec<Footprint>, open: &mut BTreeSet<(usize, usize)>) {
    let stride = list.iter().map(|f| f.stride.abs()).min().unwrap_or(0);
    let same = list.iter().all(|f| f.stride == list[0].stride);
    let low = list.iter().map(|f| f.round.0).min().unwrap_or(0);
    let high = list.iter().map(|f| f.round.1).max().unwrap_or(0);
    if same && high - low < stride {
        return;
    }
    list.sort_by_key(|f| (f.all, f.number));
    for (n, a) in list.iter().enumerate() {
        let near = list[n..].iter().take_while(|b| b.all.0 <= a.all.1);
        let meeting = near.filter(|b| {
            let width = (a.round.1 - b.round.0).max(b.round.1 - a.round.0);
            a.stride != b.stride || width >= a.stride.abs()
        });
        open.extend(meeting.map(|b| pair(a.number, b.number)));
    }
}

/// What the index of an access is in all rounds of the loop at a place, and where it reaches from
/// there.
fn footprint(
    forms: &Forms<'_>,
    sites: &Sites,
    site: &Site,
    number: usize,
    place: usize,
) -> Option<(Poly, Footprint)> {
    // Of an index inside of its array it is known that it does not wrap.
    let counter = sites.at(&site.path, place).filter(|_| site.inside)?.atom;
    let (rest, local) = forms.parted_by(&site.poly, &sites.counters(&site.path[place..]));
    // Where each begins belongs to where it reaches.
    let (start, stride) = (rest.constant(), local.factor(&[counter]));
    let rest = rest.shift(-start);
    let local = local.shift(start).plus(-stride, &Poly::atom(counter));
    let round = forms.facts.range(&local)?;
    let last = stride.checked_mul(forms.facts.high(counter))?;
    let all = (round.0 + last.min(0), round.1 + last.max(0));
    Some((
        rest,
        Footprint {
            number,
            stride,
            round,
            all,
        },
    ))
}
