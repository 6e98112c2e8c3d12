//! Coverage by the pigeonhole principle.
//!
//! *Claim.* If a store is executed as often as its array has elements, never twice at one element
//! and always inside, then every element is written exactly once.
//!
//! *Proof.* How often: the counts of the loops are multiplied, where a guard makes one number of
//! the counters that it limits, as in [`image`](super::image). Never twice: for each loop, what two
//! of its rounds write differs, as for [`races`](super::races); or the user promises that all
//! indices are distinct, for which the count alone is asked ([`as_many_writes`]). Always inside has been proved before, or the user vouches for it: an array
//! of which another access may be outside is not asked about.
//!
//! *Not covered.* Several stores, unless they are the two sides of one condition, or the indices of
//! all of them are promised to be distinct.

use super::apart::apart;
use super::forms::Forms;
use super::poly::Poly;
use super::sites::{Site, Sites, Step};
use crate::scalar::NodeId;

/// More stores of one array than this are not counted.
const MOST_STORES: usize = 64;

/// Is it proved that the stores of an array write each element once?
pub(super) fn pigeonhole(
    forms: &mut Forms<'_>,
    sites: &Sites,
    stores: &[&Site],
    length: (NodeId, Option<i128>),
    outside: usize,
) -> bool {
    stores.len() <= 2
        && as_many_writes(forms, sites, stores, length, outside)
        && never_twice(forms, sites, stores, outside)
}

/// Is it proved that the stores of an array are executed as often as it has elements?
pub(super) fn as_many_writes(
    forms: &mut Forms<'_>,
    sites: &Sites,
    stores: &[&Site],
    length: (NodeId, Option<i128>),
    outside: usize,
) -> bool {
    if stores.len() > MOST_STORES {
        return false;
    }
    forms.aside(|forms| {
        let counts: Option<Vec<_>> = without_sides(stores)
            .iter()
            .map(|site| forms.executions(sites, site, outside))
            .collect();
        // Elements in gaps, which no access reaches, need no writes.
        let (length, elements) = length;
        let length = elements.map_or_else(|| forms.value(length), Poly::number);
        counts.is_some_and(|counts| {
            let all = counts
                .iter()
                .fold(Poly::default(), |all, (count, _)| all.add(count));
            let mut owed = counts.iter().flat_map(|(_, owed)| owed);
            owed.all(|owed| forms.prove(owed)) && forms.equal(&all, &length)
        })
    })
}

/// Is there one store, or one on each side of conditions?
pub(super) fn are_sides(stores: &[&Site]) -> bool {
    stores.len() <= MOST_STORES && without_sides(stores).len() == 1
}

/// The stores, those on the two sides of a condition as one in front of it.
fn without_sides(stores: &[&Site]) -> Vec<Site> {
    let mut list: Vec<Site> = stores.iter().map(|site| (*site).clone()).collect();
    loop {
        let pairs = (0..list.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
        let mut found = pairs.filter_map(|(a, b)| Some((a, b, divided(&list[a], &list[b])?)));
        let Some((a, b, both)) = found.next() else {
            break;
        };
        list[a].path.truncate(both);
        list.remove(b);
    }
    list
}

/// Is it proved that no two executions of one store, or of the two sides of one condition, write
/// one element?
fn never_twice(forms: &mut Forms<'_>, sites: &Sites, stores: &[&Site], outside: usize) -> bool {
    let (pairs, both) = match stores {
        [site] => (vec![[*site, *site]], site.path.len()),
        [a, b] => match divided(a, b) {
            Some(both) => (vec![[*a, *a], [*b, *b], [*a, *b]], both),
            None => return false,
        },
        _ => return false,
    };
    pairs.into_iter().all(|[a, b]| {
        let end = if std::ptr::eq(a, b) {
            a.path.len()
        } else {
            both
        };
        let mut loops = sites.around(&a.path[..end]).filter(|(n, _)| *n >= outside);
        loops.all(|(place, _)| apart(forms, sites, [a, b], place))
    })
}

/// The step in front of which two stores part, if they are the two sides of one condition and in
/// no other loops and conditions than those before it.
fn divided(a: &Site, b: &Site) -> Option<usize> {
    let ((Step::When(c, p), first), (Step::When(d, q), second)) =
        (a.path.split_last()?, b.path.split_last()?)
    else {
        return None;
    };
    (c == d && p != q && first == second).then_some(first.len())
}

impl Forms<'_> {
    /// How often a store is executed in the loops beyond the first `outside` steps, and what has to
    /// be not negative outside of the loops for that.
    fn executions(
        &mut self,
        sites: &Sites,
        site: &Site,
        outside: usize,
    ) -> Option<(Poly, Vec<Poly>)> {
        let counts = self.aside(|forms| {
            forms.replay(sites, &site.path, Some(outside));
            forms.counts(sites, site, outside)
        });
        let (counts, owed) = counts?;
        let size = counts
            .iter()
            .try_fold(Poly::number(1), |size, count| size.times(count))?;
        Some((size, owed))
    }
}
