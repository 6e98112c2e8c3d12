//! Coverage by the pigeonhole principle.
//!
//! *Claim.* If a store is executed as often as its array has elements, never twice at one element
//! and always inside, then every element is written exactly once.
//!
//! *Proof.* How often: the counts of the loops are multiplied, where a guard makes one number of
//! the counters that it limits, as in [`image`](super::image). Never twice: for each loop, what two
//! of its rounds write differs, as for [`races`](super::races). Always inside has been proved
//! before: an array of which an access may be outside is not asked about.
//!
//! *Not covered.* Several stores, unless they are the two sides of one condition.

use super::apart::apart;
use super::forms::Forms;
use super::poly::Poly;
use super::sites::{Site, Sites, Step};
use crate::scalar::NodeId;

/// Is it proved that the stores of an array write each element once?
pub(super) fn pigeonhole(
    forms: &mut Forms<'_>,
    sites: &Sites,
    stores: &[&Site],
    length: NodeId,
    outside: usize,
) -> bool {
    let both = match stores {
        [site] => Some(site.path.len()),
        [a, b] => divided(a, b),
        _ => None,
    };
    let Some(both) = both else { return false };
    let mut site = stores[0].clone();
    if stores.len() > 1 {
        site.path.truncate(both);
    }
    let enough = forms.aside(|forms| {
        let count = forms.executions(sites, &site, outside);
        let length = forms.value(length);
        count.is_some_and(|(count, owed)| {
            owed.iter().all(|owed| forms.prove(owed)) && forms.equal(&count, &length)
        })
    });
    let pairs: Vec<[&Site; 2]> = match stores {
        [a, b] => vec![[*a, *a], [*b, *b], [*a, *b]],
        _ => vec![[stores[0], stores[0]]],
    };
    enough
        && pairs.into_iter().all(|[a, b]| {
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
