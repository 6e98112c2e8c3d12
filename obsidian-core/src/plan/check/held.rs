//! Held arrays of warps and blocks: who accesses an element is who owns it.
//!
//! Claim: iteration `i` of each `ForAll` of the level writes only elements `k * i .. k * i + k`,
//! where `k` is the run of the array's [`Layout`](crate::ir::Layout), and at Block reads only those.
//! All iterations `i` of all loops of one level are executed by one thread, so each thread accesses
//! its own registers alone, however many threads there are. Argument: `0 <= index - k * i < k` by
//! Fourier–Motzkin elimination, where the access stands. Not covered: an index that is own for some
//! numbers of threads only, and one that no sum of counters tells, such as `j ^ 1` of an own `j`.
//! An index that the user vouches for has to be own too: no access reaches another's registers.
//!
//! At Warp another lane may be read: that is a shuffle, or shared memory. All lanes take part in a shuffle, so
//! it cannot stand in a loop that each lane leaves when it likes. A condition around it does not matter: the
//! lowering takes the element before it.

use super::forms::Forms;
use super::poly::Poly;
use super::sites::{Access, Rounds, Site, Sites, Step};
use crate::error::{Diagnostic, catalogue};
use crate::ir::{Layout, Level};
use crate::scalar::{ArrayPlace, Tables};

/// Accesses of elements that the thread does not own.
pub(super) fn not_own(forms: &mut Forms<'_>, tables: &Tables, sites: &Sites) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for site in &sites.list {
        let array = tables.array(site.array);
        let Some(&(level, layout)) = sites.layouts.get(&site.array) else {
            continue;
        };
        let reads = matches!(site.access, Access::Load | Access::Read);
        let shuffled = reads && level == Level::Warp;
        if array.place != ArrayPlace::Held || level == Level::Thread {
            continue;
        }
        if shuffled && !ends_apart(sites, site) {
            continue;
        }
        if !is_own(forms, sites, site, (level, layout)) {
            if shuffled {
                found.push(catalogue::divergent_collective(&array.name).at(site.origin));
                continue;
            }
            let level = level.name().to_lowercase();
            let wrong = catalogue::not_own(&array.name, &level, reads);
            found.push(wrong.at(site.origin));
        }
    }
    found
}

/// Is there a loop of one lane around the access that may end sooner than that of another lane?
fn ends_apart(sites: &Sites, site: &Site) -> bool {
    let of_lanes = |step: &Step| matches!(step, Step::Loop(n) if sites.loops[*n].rounds == Rounds::Threads(Level::Warp));
    let inside = site.path.iter().rev().take_while(|step| !of_lanes(step));
    inside.into_iter().any(|step| match step {
        Step::Repeated => true,
        Step::Loop(n) => sites.loops[*n].breaks,
        Step::When(..) => false,
    })
}

/// Is the index in the run of the iteration that accesses it?
fn is_own(
    forms: &mut Forms<'_>,
    sites: &Sites,
    site: &Site,
    (level, layout): (Level, Layout),
) -> bool {
    let begun = sites.begun.get(&site.array).copied().unwrap_or(0);
    let inside = site.path.get(begun..).unwrap_or_default();
    let iteration = inside.iter().rev().find_map(|step| match step {
        Step::Loop(n) if sites.loops[*n].rounds == Rounds::Threads(level) => Some(*n),
        Step::Loop(_) | Step::When(..) | Step::Repeated => None,
    });
    let Some(number) = iteration else {
        return false;
    };
    let mark = forms.enter();
    forms.replay(sites, &site.path, None);
    let counter = forms.present_counter(sites.loops[number].variable);
    let index = forms.value(site.index);
    let run = i128::from(layout.run());
    let slot = index.sub(&counter.scale(run));
    let most = Poly::number(run - 1);
    let is_own = forms.prove(&slot) && forms.prove(&most.sub(&slot));
    forms.leave(mark);
    is_own
}
