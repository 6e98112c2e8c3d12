//! Does each block access only elements of its own of an array that is changed in place? Then the CPU
//! gives each block its piece of the array, as a slice, and no element is shared between threads.
//!
//! *Claim.* An answer `n` means: block `b` accesses no elements but those from `b * n` on and below
//! `(b + 1) * n`.
//!
//! *Argument.* The index of each access is `n * b + rest` as a number that does not wrap, and `0 <= rest
//! < n` is proved under the loops and conditions around the access.
//!
//! *Limits.* `n` is a number, and the same for all accesses; the outermost loop around each is one over
//! blocks. An array with an index that the user vouches for is left out: if that is outside, the message
//! has to say where in the whole array.

use super::forms::Forms;
use super::poly::Poly;
use super::sites::{Rounds, Site, Sites, Step};
use crate::scalar::ArrayId;

/// The number of elements of a block's own piece; nothing if that is not proved.
pub(super) fn own(forms: &mut Forms<'_>, sites: &Sites, array: ArrayId) -> Option<u32> {
    let mut known = None;
    for site in sites.of_array(array) {
        let n = piece(forms, sites, site)?;
        if known.is_some_and(|known| known != n) {
            return None;
        }
        known = Some(n);
    }
    known
}

fn piece(forms: &mut Forms<'_>, sites: &Sites, site: &Site) -> Option<u32> {
    let Some(Step::Loop(number)) = site.path.first() else {
        return None;
    };
    let around = &sites.loops[*number];
    let (stride, rest) = site.poly.split(around.atom)?;
    let n = stride.as_number().and_then(|n| u32::try_from(n).ok());
    let n = n.filter(|n| *n > 0 && around.rounds == Rounds::Blocks && !site.promises.inside)?;
    let mark = forms.enter();
    forms.replay(sites, &site.path, None);
    // The index is the polynomial, and no remainder of it by 2^32.
    let is_number = forms.ring(site.index) == site.poly && site.exact;
    let last = Poly::number(i128::from(n) - 1).sub(&rest);
    let is_own = is_number && forms.prove(&rest) && forms.prove(&last);
    forms.leave(mark);
    is_own.then_some(n)
}
