//! Two accesses in an order that nobody waits for: in two loops over blocks, or in two rounds of a
//! loop around one.
//!
//! *Claim.* Two accesses of which one comes in a later loop over blocks (or in a later round of a
//! loop of the grid) are in order if no element is accessed by both, or if wherever both access
//! one, they do so in the same virtual block, the same virtual warp and the same iteration over the
//! threads.
//!
//! *Argument.* Real block `r` of `G` goes through the virtual blocks `r`, `r + G`, .. of every loop
//! over blocks, real warps go through virtual ones alike, and iteration `i` over `T` threads is
//! thread `i % T`'s (see [`virtualise`](crate::plan::virtualise())). So what has the same numbers
//! in both loops is one real thread, which does what comes later in the text later. Two threads of
//! one real block are not in order: no barrier stands between the loops. Where the blocks of one of the loops have an
//! order, which real block has which virtual one is not known, so they have no thread in common. What the last block does comes when all
//! are done with what comes before it: a launch orders these accesses ([`Last`](crate::ir::LevelledLoop::Last)).
//!
//! *Proof.* The numbers of both are compared one after the other, blocks first. Where they differ,
//! one index has to be proved to be less than the other; where all are equal, nothing is left to
//! prove. Else the elements are enumerated: of all threads if all is known, else for some lengths,
//! to have an example.
//!
//! *Not covered.* Two accesses whose indices the user promises to be distinct, and atomic operations
//! that commute.

use super::apart::Instance;
use super::forms::Forms;
use super::methods::{Verdict, at_points};
use super::report;
use super::samples::Sample;
use super::sites::{Rounds, Site, Sites, Step};
use super::table::{self, Meeting, Table};
use crate::error::Diagnostic;

/// Accesses of one element by this many threads are remembered.
const MOST_THREADS: usize = 8;

/// What two accesses of one array do to each other that nobody waits for; nothing if they are in
/// order.
pub(super) fn unordered_blocks(
    forms: &mut Forms<'_>,
    sites: &Sites,
    pair: [&Site; 2],
    samples: &[Sample],
) -> Option<Diagnostic> {
    if is_last(sites, pair[0]) != is_last(sites, pair[1]) {
        return None;
    }
    cases(sites, pair).into_iter().find_map(|case| {
        (!in_order(forms, sites, pair, case))
            .then(|| by_points(forms, sites, pair, case, samples))
            .flatten()
    })
}

/// How one access may come after the other: what they have in common, and the loop of the grid
/// whose rounds differ.
#[derive(Clone, Copy)]
struct Case {
    /// Steps that both are in at the same time.
    common: usize,
    /// Is the next step a loop that both are in, in two different rounds?
    rounds: bool,
}

/// All ways in which the accesses are in two loops over blocks or in two rounds of one.
fn cases(sites: &Sites, [a, b]: [&Site; 2]) -> Vec<Case> {
    let is_blocks = |step: &Step| matches!(step, Step::Loop(number) if sites.loops[*number].rounds == Rounds::Blocks);
    let (Some(x), Some(y)) = (
        a.path.iter().position(is_blocks),
        b.path.iter().position(is_blocks),
    ) else {
        return Vec::new();
    };
    let same = a.path[..=x].iter().zip(&b.path[..=y]);
    let common = same.take_while(|(p, q)| p == q).count();
    let mut cases: Vec<Case> = (0..common.min(x))
        .filter(|place| matches!(a.path[*place], Step::Loop(_) | Step::Repeated))
        .map(|common| Case {
            common,
            rounds: true,
        })
        .collect();
    let sides = matches!((a.path.get(common), b.path.get(common)), (Some(Step::When(c, p)), Some(Step::When(d, q))) if c == d && p != q);
    if common <= x && !sides {
        cases.push(Case {
            common,
            rounds: false,
        });
    }
    cases
}

/// Is it proved, for all lengths?
fn in_order(forms: &mut Forms<'_>, sites: &Sites, [a, b]: [&Site; 2], case: Case) -> bool {
    forms.behind(sites, &a.path[..case.common], |forms| {
        let x = forms.instance(1, sites, (a, &[]), case.common);
        let y = forms.instance(2, sites, (b, &[]), case.common);
        let ordered = [a, b].iter().any(|site| is_ordered(sites, site));
        let one_thread = |forms: &mut Forms<'_>| match ordered {
            true => forms.differ(&x.index, &y.index),
            false => one_thread(forms, &x, &y),
        };
        if !case.rounds || sites.at(&a.path, case.common).is_none() {
            return forms.aside(one_thread);
        }
        // Two rounds of one access are the same two the other way around.
        let rounds = [&x.counters[0].1, &y.counters[0].1];
        forms.in_either_order(rounds, std::ptr::eq(a, b), one_thread)
    })
}

/// Is it an access of the block that is last?
fn is_last(sites: &Sites, site: &Site) -> bool {
    sites.around(&site.path).any(|(_, around)| around.last)
}

/// Have the blocks around an access an order?
fn is_ordered(sites: &Sites, site: &Site) -> bool {
    sites.around(&site.path).any(|(_, around)| around.ordered)
}

/// Do two accesses differ in the element, or have the same thread?
fn one_thread(forms: &mut Forms<'_>, x: &Instance, y: &Instance) -> bool {
    if forms.differ(&x.index, &y.index) {
        return true;
    }
    let [first, second] = [x, y].map(|of| {
        let numbers = of.counters.iter();
        numbers.filter(|(rounds, _)| *rounds != Rounds::InOrder)
    });
    if !first
        .clone()
        .map(|(kind, _)| kind)
        .eq(second.clone().map(|(kind, _)| kind))
    {
        return false;
    }
    for ((_, first), (_, second)) in first.zip(second) {
        let differ = |forms: &mut Forms<'_>| forms.differ(&x.index, &y.index);
        if !forms.in_either_order([second, first], false, differ) {
            return false;
        }
        forms.facts.add(first.sub(second));
        forms.facts.add(second.sub(first));
    }
    true
}

/// Enumerates the elements: an example, or that nothing is proved; `None` if they are in order.
fn by_points(
    forms: &mut Forms<'_>,
    sites: &Sites,
    pair: [&Site; 2],
    case: Case,
    samples: &[Sample],
) -> Option<Diagnostic> {
    let verdict = at_points(samples, |sample| meet(forms, sites, pair, case, sample));
    verdict.or_maybe(|| {
        let array = &forms.tables.arrays[pair[0].array.0 as usize];
        report::unordered_blocks(forms, array, None, pair, &Sample::new())
    })
}

/// Is there an element that both access, and not in one thread?
fn meet(
    forms: &Forms<'_>,
    sites: &Sites,
    [a, b]: [&Site; 2],
    case: Case,
    sample: &Sample,
) -> Verdict {
    let array = &forms.tables.arrays[a.array.0 as usize];
    let [x, y] = [a, b].map(|site| forms.table(sites, site, sample, case.common));
    let (Some(x), Some(y)) = (x, y) else {
        return Verdict::Unknown;
    };
    let instance = |which: usize, point: usize| {
        let (table, site) = [(&x, a), (&y, b)][which];
        Some((Vec::new(), whose(table, sites, site, case, point)?))
    };
    let conflict = |(r, t): &Thread, (s, u): &Thread| (r.is_none() || r != s) && t != u;
    let (p, q) = match table::meeting([&x, &y], MOST_THREADS, instance, conflict) {
        Meeting::At(p, q) if x.certain() && y.certain() => (p, q),
        Meeting::Nowhere => return Verdict::Proved,
        _ => return Verdict::Unknown,
    };
    let mut both = [(a, x.who(sites, p)), (b, y.who(sites, q))];
    if case.rounds && x.round(case.common, p) > y.round(case.common, q) {
        both.reverse();
    }
    let [(first, one), (second, two)] = &both;
    let element = x.element(p) as u64;
    let known = Some((element, [one.as_str(), two]));
    Verdict::Refuted(report::unordered_blocks(
        forms,
        array,
        known,
        [*first, *second],
        sample,
    ))
}

/// The round of the loop around an access, and its thread.
type Thread = (Option<u64>, Vec<(Rounds, u64)>);

/// The round of the loop around a point, and its thread; nothing if a loop is not enumerated.
fn whose(table: &Table, sites: &Sites, site: &Site, case: Case, point: usize) -> Option<Thread> {
    let round = match case.rounds {
        true => Some(table.round(case.common, point)?),
        false => None,
    };
    let mut thread = Vec::new();
    for (place, step) in site.path.iter().enumerate().skip(case.common) {
        let Step::Loop(number) = step else { continue };
        let around = &sites.loops[*number];
        if around.rounds != Rounds::InOrder {
            thread.push((around.rounds, table.round(place, point)?));
        }
        if around.ordered {
            thread.push((Rounds::InOrder, *number as u64));
        }
    }
    Some((round, thread))
}
