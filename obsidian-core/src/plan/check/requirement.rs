//! Range by a launch requirement: the elements of a parameter that a kernel names are there if the
//! launch asks for them.
//!
//! *Claim.* An index below a number is inside of a parameter that the launch refuses unless it has
//! that many elements; an index that is inside of every array of at least one element is inside of a
//! parameter that the launch refuses if it is empty. *Limits.* A launch is refused also where the
//! access would not have been executed.

use super::Need;
use super::forms::Forms;
use super::poly::Poly;
use super::sites::{Site, Sites};
use super::words;
use crate::scalar::{ArrayId, ArrayPlace, Role};

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
pub(super) fn fixed_element(forms: &Forms<'_>, site: &Site) -> Option<Need> {
    let last = forms.fixed(site.array, &site.poly).filter(|_| site.exact)?;
    Some(Need {
        array: site.array,
        elements: last + 1,
        origin: site.origin,
    })
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

/// The inequality that says that an index is inside of its array, in words.
pub(super) fn inequality(forms: &mut Forms<'_>, sites: &Sites, site: &Site) -> Option<String> {
    let array = forms.tables.arrays.get(site.array.0 as usize)?;
    forms.behind(sites, &site.path, |forms| {
        let (index, length) = (forms.value(site.index), forms.value(array.length));
        words::below(forms, sites, &index, &length)
    })
}
