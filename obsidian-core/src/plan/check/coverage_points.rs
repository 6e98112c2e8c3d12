//! Coverage and range, point by point: proofs where all is known, and examples of what is wrong
//! where not.

use std::rc::Rc;

use super::forms::Forms;
use super::methods::Verdict;
use super::padding;
use super::report;
use super::samples::Sample;
use super::sites::{Access, Site, Sites, Step};
use super::table::{Meeting, Table, meeting};
use crate::plan::analysis::points::MOST_POINTS;
use crate::scalar::ArrayId;

/// Is each element of an array written once?
pub(super) fn covered(
    forms: &Forms<'_>,
    sites: &Sites,
    stores: &[&Site],
    id: ArrayId,
    sample: &Sample,
) -> Verdict {
    let enumerate = || {
        let array = forms.tables.arrays.get(id.0 as usize)?;
        let length = forms.number(array.length, sample);
        let length = length.filter(|length| *length <= 4 * MOST_POINTS)?;
        let outside = sites.begun.get(&id).copied().unwrap_or(0);
        let tables = stores
            .iter()
            .map(|site| forms.table(sites, site, sample, outside));
        let tables: Vec<Rc<Table>> = tables.collect::<Option<_>>()?;
        if !tables.iter().all(|table| table.certain()) {
            return None;
        }
        Some(once(forms, sites, (id, length), stores, &tables, sample))
    };
    enumerate().unwrap_or(Verdict::Unknown)
}

/// Is each element of an array written once by stores whose tables are certain?
fn once(
    forms: &Forms<'_>,
    sites: &Sites,
    (id, length): (ArrayId, u64),
    stores: &[&Site],
    tables: &[Rc<Table>],
    sample: &Sample,
) -> Verdict {
    let array = &forms.tables.arrays[id.0 as usize];
    let mut writers: Vec<Option<(usize, usize)>> = vec![None; length as usize];
    for (n, table) in tables.iter().enumerate() {
        for (point, element) in table.elements() {
            let Some(writer) = writers.get_mut(element as usize) else {
                // What is outside is reported as that, unless the user vouches for the index.
                return Verdict::proved(!stores[n].promises.inside);
            };
            if let Some((first, before)) = writer.replace((n, point)) {
                let who = [tables[first].who(sites, before), table.who(sites, point)];
                let (stores, element) = ([stores[first], stores[n]], element as u64);
                let wrong = report::written_twice(forms, array, element, &who, stores, sample);
                return Verdict::Refuted(wrong);
            }
        }
    }
    let mut holes = (0..).zip(&writers).filter(|(_, writer)| writer.is_none());
    let Some((hole, _)) = holes.find(|(element, _)| loaded(forms, sites, id, *element)) else {
        return Verdict::Proved;
    };
    let (first, numbers) = (stores.first().copied(), [hole as u64, length]);
    Verdict::Refuted(report::never_written(forms, array, numbers, first, sample))
}

/// May an element of a stored array be loaded? What fills up the rows of a tile never is, and need
/// not be written; nor what lies in the gaps of a layout.
fn loaded(forms: &Forms<'_>, sites: &Sites, id: ArrayId, element: i128) -> bool {
    let is_load = |site: &&Site| site.access == Access::Load;
    let mut loads = sites.of_array(id).filter(is_load).peekable();
    let outside = sites.begun.get(&id).copied().unwrap_or(0);
    loads.peek().is_none()
        || loads.any(|load| {
            let table = forms.table(sites, load, &Sample::new(), outside);
            match table {
                Some(table) => table.elements().any(|(_, own)| own == element),
                None => padding::may_load(forms, load, element),
            }
        })
}

/// Is the index of an access below the length of its array?
pub(super) fn inside(forms: &Forms<'_>, sites: &Sites, site: &Site, sample: &Sample) -> Verdict {
    let enumerate = || {
        let array = forms.tables.arrays.get(site.array.0 as usize)?;
        let length = forms.number(array.length, sample)?;
        let table = forms.table(sites, site, sample, 0)?;
        let wrong = table
            .elements()
            .find(|(_, element)| *element >= length.into());
        let Some((point, element)) = wrong else {
            return table.defined.then_some(Verdict::Proved);
        };
        if !table.certain() && sample.is_empty() {
            return None;
        }
        let who = table.who(sites, point);
        let numbers = [element as u64, length];
        let wrong = report::outside(forms, array, site, numbers, &who, sample);
        Some(Verdict::Refuted(wrong))
    };
    enumerate().unwrap_or(Verdict::Unknown)
}

/// Do two accesses reach the same element in different rounds of the loop at a place of their
/// paths? Loops from a place on are enumerated; both are in the same round of those before the
/// other place.
pub(super) fn meet(
    forms: &Forms<'_>,
    sites: &Sites,
    [a, b]: [&Site; 2],
    (from, place): (usize, usize),
    sample: &Sample,
) -> Verdict {
    let enumerate = || {
        let array = forms.tables.arrays.get(a.array.0 as usize)?;
        let [x, y] = [a, b].map(|site| forms.table(sites, site, sample, from));
        let (x, y) = (x?, y?);
        let (p, q) = match by_rounds([&x, &y], (from, place)) {
            Meeting::At(p, q) if x.certain() && y.certain() => (p, q),
            Meeting::Nowhere => return Some(Verdict::Proved),
            _ => return None,
        };
        let Step::Loop(number) = a.path[place] else {
            return None;
        };
        let rounds = sites.loops[number].rounds;
        let element = x.element(p);
        let who = [x.who(sites, p), y.who(sites, q)];
        let wrong = report::race(forms, rounds, array, element as u64, &who, [a, b], sample);
        Some(Verdict::Refuted(wrong))
    };
    enumerate().unwrap_or(Verdict::Unknown)
}

/// Looks for an element of two tables in different rounds of the loop at a place, and the same
/// rounds of the loops that are enumerated around it. Two rounds of an element are enough: if there
/// is another one than a given round, one of them is.
pub(super) fn by_rounds(tables: [&Table; 2], (from, place): (usize, usize)) -> Meeting {
    let instance = |which: usize, point: usize| {
        let table: &Table = tables[which];
        let together = (from..place).filter_map(|n| table.round(n, point));
        Some((together.collect(), table.round(place, point)?))
    };
    meeting(tables, 2, instance, |x, y| x != y)
}

/// Does an access change its element?
pub(super) fn changes(access: Access) -> bool {
    matches!(access, Access::Write | Access::Atomic)
}
