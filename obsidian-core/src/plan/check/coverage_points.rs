//! Coverage and range, point by point: proofs where all is known, and examples of what is wrong
//! where not.

use std::collections::BTreeMap;

use super::forms::Forms;
use super::methods::Verdict;
use super::report;
use super::sites::{Access, Site, Sites, Step};
use super::table::{Sample, Table, number};
use crate::plan::analysis::points::MOST_POINTS;
use crate::scalar::ArrayId;

/// Is each element of an array written once?
pub(super) fn covered(
    forms: &Forms<'_>,
    sites: &Sites,
    stores: &[&Site],
    id: ArrayId,
    sample: &Sample,
    at: Option<u32>,
) -> Verdict {
    let enumerate = || {
        let array = forms.tables.arrays.get(id.0 as usize)?;
        let length =
            number(forms, array.length, sample).filter(|length| *length <= 4 * MOST_POINTS)?;
        let outside = sites.begun.get(&id).copied().unwrap_or(0);
        let mut writers: Vec<Option<(usize, usize)>> = vec![None; length as usize];
        let tables: Vec<Table<'_>> = stores
            .iter()
            .map(|site| Table::new(forms, sites, site, sample, outside, at))
            .collect::<Option<_>>()?;
        if !tables.iter().all(|table| table.certain) {
            return None;
        }
        for (n, table) in tables.iter().enumerate() {
            for (point, element) in table.elements() {
                // What is outside is reported as that.
                let Some(writer) = writers.get_mut(element as usize) else {
                    return Some(Verdict::Proved);
                };
                if let Some((first, before)) = *writer {
                    let (a, b) = (tables[first].who(before), table.who(point));
                    return Some(Verdict::Refuted(report::written_twice(
                        forms,
                        array,
                        element,
                        [&a, &b],
                        [stores[first], stores[n]],
                        sample,
                    )));
                }
                *writer = Some((n, point));
            }
        }
        let hole = (0..)
            .zip(&writers)
            .filter(|(_, writer)| writer.is_none())
            .map(|(element, _)| element)
            .collect::<Vec<usize>>();
        let hole = hole
            .into_iter()
            .find(|element| loaded(forms, sites, id, *element as u64));
        Some(hole.map_or(Verdict::Proved, |element| {
            Verdict::Refuted(report::never_written(
                forms,
                array,
                element as u64,
                length,
                stores.first().copied(),
                sample,
            ))
        }))
    };
    enumerate().unwrap_or(Verdict::Unknown)
}

/// May an element of a stored array be loaded? What fills up the rows of a tile never is, and need
/// not be written.
fn loaded(forms: &Forms<'_>, sites: &Sites, id: ArrayId, element: u64) -> bool {
    let mut loads = sites
        .list
        .iter()
        .filter(|site| site.array == id && site.access == Access::Load)
        .peekable();
    let outside = sites.begun.get(&id).copied().unwrap_or(0);
    loads.peek().is_none()
        || loads.any(|load| {
            let table = Table::new(forms, sites, load, &Sample::new(), outside, None);
            table.is_none_or(|table| table.elements().any(|(_, own)| own == element))
        })
}

/// Is the index of an access below the length of its array?
pub(super) fn inside(forms: &Forms<'_>, sites: &Sites, site: &Site, sample: &Sample) -> Verdict {
    let enumerate = || {
        let array = forms.tables.arrays.get(site.array.0 as usize)?;
        let length = number(forms, array.length, sample)?;
        let table = Table::new(forms, sites, site, sample, 0, None)?;
        let wrong = table.elements().find(|(_, element)| *element >= length);
        if wrong.is_some() && !table.certain && sample.is_empty()
            || wrong.is_none() && !table.defined
        {
            return None;
        }
        Some(wrong.map_or(Verdict::Proved, |(point, element)| {
            Verdict::Refuted(report::outside(
                forms,
                array,
                site.access,
                [element, length],
                &table.who(point),
                site.origin,
                sample,
            ))
        }))
    };
    enumerate().unwrap_or(Verdict::Unknown)
}

/// Do two accesses by different rounds of the loop at a place of their paths meet at one element?
/// Loops from a place on are enumerated; both are in the same round of those before the other
/// place.
pub(super) fn meet(
    forms: &Forms<'_>,
    sites: &Sites,
    [a, b]: [&Site; 2],
    (from, place): (usize, usize),
    sample: &Sample,
    at: Option<u32>,
) -> Verdict {
    let enumerate = || {
        let array = forms.tables.arrays.get(a.array.0 as usize)?;
        let [x, y] = [a, b].map(|site| Table::new(forms, sites, site, sample, from, at));
        let (x, y, p, q) = (x?, y?, place, place);
        let Some(Step::Loop(number)) = a.path.get(place) else {
            return None;
        };
        let rounds = sites.loops[*number].rounds;
        // Rounds that are not gone through cannot be told apart.
        if !x.goes_through(p) || !y.goes_through(q) {
            return None;
        }
        // By element, two rounds of the loop that access it: if there is another one than a given
        // round, one of them is.
        let mut first: BTreeMap<(u64, Vec<u64>), [usize; 2]> = BTreeMap::new();
        let together =
            |table: &Table<'_>, point| (from..place).map(|n| table.round(n, point)).collect();
        for (point, element) in x.elements() {
            let known = first
                .entry((element, together(&x, point)))
                .or_insert([point, point]);
            if x.round(p, known[0]) != x.round(p, point) {
                known[1] = point;
            }
        }
        for (point, element) in y.elements() {
            let known = first.get(&(element, together(&y, point)));
            for other in known.copied().into_iter().flatten() {
                if x.round(p, other) != y.round(q, point) && !(x.certain && y.certain) {
                    return None;
                }
                if x.round(p, other) != y.round(q, point) {
                    let who = [x.who(other), y.who(point)];
                    return Some(Verdict::Refuted(report::race(
                        forms,
                        rounds,
                        array,
                        element,
                        [&who[0], &who[1]],
                        [a, b],
                        sample,
                    )));
                }
            }
        }
        Some(Verdict::Proved)
    };
    enumerate().unwrap_or(Verdict::Unknown)
}

/// Does an access change its element?
pub(super) fn changes(access: Access) -> bool {
    matches!(access, Access::Write | Access::Atomic)
}
