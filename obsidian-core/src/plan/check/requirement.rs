//! Range by a launch requirement: the elements of a parameter that a kernel names are there if the
//! launch asks for them.
//!
//! *Claim.* An index below a number is inside of a parameter that the launch refuses unless it has
//! that many elements; an index that is inside of every array of at least one element is inside of a
//! parameter that the launch refuses if it is empty.
//!
//! *Argument.* The ranges of atoms may bound an index everywhere. Where the access stands, its conditions
//! and what the launch checks may bound it, or bound it lower: the least such bound is found by bisection, as
//! what is proved for a bound is true for each larger one.
//!
//! *Limits.* A launch is refused also where the access would not have been executed. A need says whether
//! that may be ([`Need::conditional`]), and array programs do without such needs.

use super::Need;
use super::forms::Forms;
use super::poly::Poly;
use super::sites::{Site, Sites, Step};
use super::words;
use crate::scalar::{ArrayId, ArrayPlace, BinaryOp, Node, Role, ScalarType};

/// Elements below this one are taken for fixed ones.
const MOST_FIXED: i128 = 1 << 20;

impl Forms<'_> {
    /// The last of the fixed elements of a parameter that an index may name, if it names such. Its
    /// arithmetic is exact.
    pub(super) fn fixed(&self, array: ArrayId, poly: &Poly) -> Option<u32> {
        let (low, high) = self.facts.range(poly)?;
        let fixed = self.is_given(array) && low >= 0 && high < MOST_FIXED;
        fixed.then_some(high as u32)
    }

    /// Is an array one whose length a launch gives?
    fn is_given(&self, array: ArrayId) -> bool {
        let array = self.tables.arrays.get(array.0 as usize);
        array.is_some_and(|array| {
            matches!(array.place, ArrayPlace::Global(Role::Input | Role::InOut))
        })
    }
}

/// Fixed elements of a parameter are there if it is long enough, which a launch sees to.
pub(super) fn fixed_element(forms: &mut Forms<'_>, sites: &Sites, site: &Site) -> Option<Need> {
    if !site.exact || !forms.is_given(site.array) {
        return None;
    }
    let everywhere = forms.fixed(site.array, &site.poly);
    let here = forms.behind(sites, &site.path, |forms| {
        // Made again, so that the facts about what it is made of are there, too. Another form may wrap.
        if forms.ring(site.index) != site.poly {
            return None;
        }
        let most = Poly::number(MOST_FIXED - 1);
        let is_below =
            |forms: &mut Forms<'_>| forms.prove(&site.poly) && forms.prove(&most.sub(&site.poly));
        let last = everywhere.or_else(|| is_below(forms).then_some(MOST_FIXED as u32 - 1))?;
        Some(least_bound(forms, &site.poly, last))
    });
    let last = here.or(everywhere)?;
    Some(need(forms, sites, site, last + 1))
}

/// The least bound of an index that is proved where it stands; `last` is one everywhere.
fn least_bound(forms: &mut Forms<'_>, index: &Poly, last: u32) -> u32 {
    let mut holds = |bound: u32| forms.prove(&Poly::number(bound.into()).sub(index));
    // Mostly the ranges are all there is.
    if last == 0 || !holds(last - 1) {
        return last;
    }
    let (mut below, mut least) = (0, last - 1);
    while below < least {
        let middle = below + (least - below) / 2;
        match holds(middle) {
            true => least = middle,
            false => below = middle + 1,
        }
    }
    least
}

/// The number of elements that a parameter of an access must have.
pub(super) fn need(forms: &mut Forms<'_>, sites: &Sites, site: &Site, elements: u32) -> Need {
    // A loop inside of another one may have no round where the array has no element; without rounds of the outermost one nothing is launched.
    let mut is_in_loop = false;
    let length = forms.tables.arrays.get(site.array.0 as usize);
    let length = length.map(|array| forms.value(array.length));
    let extents = length.map(|length| length.atoms()).unwrap_or_default();
    let mut is_condition = |(place, step): &(usize, &Step)| match step {
        Step::When(..) | Step::Repeated => true,
        Step::Loop(number) => {
            let is_inner = std::mem::replace(&mut is_in_loop, true);
            let front = site.path.get(..*place).unwrap_or_default();
            let rounds = &sites.loops[*number].length;
            is_inner
                && forms.depends(rounds, &extents)
                && !forms.behind(sites, front, |forms| forms.prove(&rounds.shift(-1)))
        }
    };
    let path = site.path.iter().enumerate();
    let conditions = path.filter(&mut is_condition).count();
    Need {
        array: site.array,
        elements,
        origin: site.origin,
        // One condition is that of the loop around, which ends with its elements, unless it chooses between values.
        conditional: site.in_arm || conditions > 1,
    }
}

/// Is an index inside of its array, if that is a parameter of at least one element? `i.min(n - 1)`
/// and `i % n` are inside of an array of `n` elements unless `n` is 0.
pub(super) fn inside_if_not_empty(forms: &mut Forms<'_>, sites: &Sites, site: &Site) -> bool {
    let Some(array) = forms.tables.arrays.get(site.array.0 as usize) else {
        return false;
    };
    if !forms.is_given(site.array) {
        return false;
    }
    forms.aside(|forms| {
        let length = forms.value(array.length);
        forms.facts.add(length.shift(-1));
        forms.replay(sites, &site.path, None);
        let index = forms.value(site.index);
        !forms.is_inexact(site.index) && forms.is_inside(&index, &length)
            || forms.in_rows(site.index, &length).is_some()
    })
}

/// Does the place of an access say that its array has an element? A loop over all of them does, and `i < n`.
pub(super) fn has_element(forms: &mut Forms<'_>, sites: &Sites, site: &Site) -> bool {
    let Some(array) = forms.tables.arrays.get(site.array.0 as usize) else {
        return false;
    };
    let length = forms.value(array.length);
    let tables = forms.tables;
    site.path.iter().any(|step| match step {
        Step::Loop(number) => sites.loops[*number].length == length,
        Step::When(condition, true) => match tables.nodes.node(forms.behind_names(*condition)) {
            Node::Binary {
                op: BinaryOp::Lt,
                left,
                right,
                ..
            } => tables.nodes.ty(left) == ScalarType::U32 && forms.value(right) == length,
            _ => false,
        },
        _ => false,
    })
}

/// The inequality that says that an index is inside of its array, in words.
pub(super) fn inequality(forms: &mut Forms<'_>, sites: &Sites, site: &Site) -> Option<String> {
    let array = forms.tables.arrays.get(site.array.0 as usize)?;
    forms.behind(sites, &site.path, |forms| {
        let (index, length) = (forms.value(site.index), forms.value(array.length));
        words::below(forms, sites, &index, &length)
    })
}
