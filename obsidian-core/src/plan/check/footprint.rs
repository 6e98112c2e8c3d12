//! Which pairs of accesses may meet, seen from where each can reach: as ranges of elements.
//!
//! In the rounds of a loop over threads (warps, blocks), an index is what it is in all rounds, a
//! multiple of the counter, and the rest, which lies in a range. Two accesses are apart if their
//! ranges over all rounds are, or if one round is further from the next than both ranges are wide.
//! Sorted by their ranges, `n` accesses are compared with their neighbours only; what is left is
//! proved pair by pair.

use super::forms::Forms;
use super::poly::Poly;
use super::races::matters;
use super::sites::{Access, AtPlaces, Rounds, Site, Sites, Step};
use crate::ordered::{Map, Set};
use crate::plan::analysis::memory::Update;

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

/// The most pairs of accesses of one array that are compared, and that are left open.
const MOST_COMPARED: usize = 1 << 24;
const MOST_OPEN: usize = 1 << 21;

/// What of an access decides whether it matters that it meets another one.
type Class = (Access, Option<Update>, (bool, Option<AtPlaces>));

/// Accesses by what they do: `n` atomics and `n` reads have pairs that matter, `n` of one have none,
/// and no time is spent on these.
pub(super) struct Groups {
    groups: Vec<Vec<usize>>,
    /// Pairs of groups whose accesses matter to each other.
    matter: Vec<(usize, usize)>,
}

impl Groups {
    /// Of accesses of an array that begins inside `begun` steps.
    pub(super) fn of(numbers: &[usize], own: &[&Site], begun: usize) -> Groups {
        let mut classes: Map<Class, Vec<usize>> = Map::new();
        for &n in numbers {
            let site = own[n];
            let apart = (site.promises.distinct, site.at_places);
            let class = (site.access, site.update, apart);
            classes.entry(class).or_default().push(n);
        }
        let groups: Vec<Vec<usize>> = classes.into_values().collect();
        let of_group = |n: usize| own[groups[n][0]];
        let all = (0..groups.len()).flat_map(|b| (0..=b).map(move |a| (a, b)));
        let matter = all.filter(|(a, b)| matters(of_group(*a), of_group(*b), begun));
        let matter = matter.collect();
        Groups { groups, matter }
    }

    /// All pairs that matter.
    pub(super) fn all(&self, forms: &Forms<'_>, open: &mut Open) {
        for &(a, b) in &self.matter {
            for &n in &self.groups[a] {
                open.add(forms, n, &self.groups[b]);
            }
        }
    }

    /// Pairs that matter of one of these accesses and any other one.
    fn with(&self, forms: &Forms<'_>, numbers: &Set<usize>, open: &mut Open) {
        for (a, b) in self.both_ways() {
            for n in self.groups[a].iter().filter(|n| numbers.contains(n)) {
                open.add(forms, *n, &self.groups[b]);
            }
        }
    }

    /// Pairs that matter of accesses in two of these lists: each with another start, so that nothing
    /// is known of their distance.
    fn across(&self, forms: &Forms<'_>, lists: &Map<Poly, Vec<Footprint>>, open: &mut Open) {
        if lists.len() < 2 {
            return;
        }
        let all = lists.values().zip(0..);
        let list_of: Map<usize, usize> = all
            .flat_map(|(list, at)| list.iter().map(move |f| (f.number, at)))
            .collect();
        // By list.
        let sorted = |group: &Vec<usize>| {
            let known = group.iter().filter_map(|n| Some((*list_of.get(n)?, *n)));
            let sorted: Set<(usize, usize)> = known.collect();
            sorted.into_iter().unzip::<usize, usize, Vec<_>, Vec<_>>()
        };
        let sorted: Vec<_> = self.groups.iter().map(sorted).collect();
        for (a, b) in self.both_ways() {
            let ((at, numbers), (lists, others)) = (&sorted[a], &sorted[b]);
            for (list, n) in at.iter().zip(numbers) {
                let before = lists.partition_point(|other| other < list);
                open.add(forms, *n, &others[..before]);
            }
        }
    }

    fn both_ways(&self) -> impl Iterator<Item = (usize, usize)> {
        let pairs = self.matter.iter().copied();
        pairs.flat_map(|(a, b)| [(a, b)].into_iter().chain((a != b).then_some((b, a))))
    }
}

/// Pairs of accesses, by their numbers, of which it is not seen that they are apart.
#[derive(Default)]
pub(super) struct Open {
    pub(super) pairs: Set<(usize, usize)>,
    compared: usize,
}

impl Open {
    fn add(&mut self, forms: &Forms<'_>, n: usize, others: &[usize]) {
        if self.goes_on(forms, others.len()) {
            let pairs = others.iter().map(|other| (n.min(*other), n.max(*other)));
            self.pairs.extend(pairs);
        }
    }

    /// May `more` further pairs be compared? If not, the kernel is refused.
    fn goes_on(&mut self, forms: &Forms<'_>, more: usize) -> bool {
        self.compared += more;
        let goes_on = self.compared <= MOST_COMPARED && self.pairs.len() <= MOST_OPEN;
        if !goes_on {
            forms.facts.work.give_up();
        }
        goes_on
    }
}

/// Pairs of accesses of an array, by their numbers, for which it is not seen that they are apart
/// in every loop around both, but for the first `begun` steps.
pub(super) fn open_pairs(
    forms: &Forms<'_>,
    sites: &Sites,
    own: &[&Site],
    begun: usize,
) -> Set<(usize, usize)> {
    let mut open = Open::default();
    let mut behind: Map<&[Step], Vec<usize>> = Map::new();
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
        let groups = Groups::of(&together, own, begun);
        if groups.matter.is_empty() {
            continue;
        }
        let mut known: Map<Poly, Vec<Footprint>> = Map::new();
        let mut unknown = Set::new();
        for number in &together {
            match footprint(forms, sites, own[*number], *number, path.len() - 1) {
                Some((rest, footprint)) => known.entry(rest).or_default().push(footprint),
                None => drop(unknown.insert(*number)),
            }
        }
        groups.with(forms, &unknown, &mut open);
        groups.across(forms, &known, &mut open);
        for list in known.into_values() {
            along(forms, (own, begun), list, &mut open);
        }
    }
    open.pairs
}

/// Accesses with one start.
fn along(
    forms: &Forms<'_>,
    (own, begun): (&[&Site], usize),
    mut list: Vec<Footprint>,
    open: &mut Open,
) {
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
        for b in near {
            if !open.goes_on(forms, 1) {
                return;
            }
            let width = (a.round.1 - b.round.0).max(b.round.1 - a.round.0);
            let may_meet = a.stride != b.stride || width >= a.stride.abs();
            let (n, m) = (a.number.min(b.number), a.number.max(b.number));
            if may_meet && matters(own[n], own[m], begun) {
                open.pairs.insert((n, m));
            }
        }
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
