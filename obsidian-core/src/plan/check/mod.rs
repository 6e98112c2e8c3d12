//! What can be proved about a kernel, and the mistakes of the user that are found when it cannot.
//!
//! Before: a levelled kernel that is shared. After: a table with the [`WritePattern`] of each
//! array that it writes, what a launch has to see to, and diagnostics at the user's places. Looked at are
//!
//! - *range*: every index is below the length of its array (`sites`, where each access is met);
//! - *coverage*: every element of an array that is written once, an output or what `compute`
//!   stores, is written exactly once (`coverage`, `image`);
//! - *races*: no two threads that do not wait for each other access one element that changes
//!   (`races`), not even in two loops over blocks (`grid`);
//! - *ownership*: a held array is accessed by the threads that hold its elements (`held`);
//! - *lengths*: arrays that are used element by element are equally long (`claims`);
//! - *control*: all threads of a level reach what they do together (`control`).
//!
//! Each is tried symbolically first, for all lengths at a time: indices are polynomials (`poly`,
//! `forms`) about which facts are known (`facts`), and what follows from them is proved (`prove`).
//! Then point by point (`table`), where all is known (`coverage_points`), or inside of loops that
//! stay symbolic (`local`, `apart`); never more than 65,536 points of an access. Where neither decides, some
//! lengths and arguments are tried for an example of what is wrong; if there is none, the error says
//! that it cannot be proved, and offers the promise that the user can make: `i.unchecked()` for
//! the range, `i.distinct()` for coverage and races. The simulator checks promises when it runs.
//!
//! That fixed elements of a parameter exist (`bins[x % 16]`) is no error: the launch asks for that
//! many.
//!
//! What all this may take is bounded (`work`).
//!
//! It runs behind `share`, on what all other passes start from, and in front of them: they take for
//! granted what it shows. What hides in loops, between two `ForAll`s and from one round of a loop
//! to the next, is not its concern: there `barriers` adds waits.

mod alike;
mod apart;
mod claims;
mod composed;
mod conditions;
mod control;
mod counts;
mod coverage;
mod coverage_points;
mod division;
mod exact;
mod facts;
mod footprint;
mod forms;
mod grid;
mod held;
mod image;
mod invariants;
mod lengths;
mod local;
mod methods;
mod order;
mod own;
mod padding;
mod pigeonhole;
mod poly;
mod proofs;
mod proposals;
mod prove;
mod races;
mod ranks;
mod report;
mod requirement;
mod rows;
mod samples;
mod sites;
mod sparing;
mod table;
mod wide;
mod witness;
mod words;
mod work;

use self::lengths::Taken;
use super::WritePattern;
use crate::error::{Diagnostic, Origin, catalogue};
use crate::ir::{Kernel, Levelled};
use crate::ordered::{Map, Set};
use crate::scalar::{ArrayId, ArrayPlace, NodeId, Role, Tables};
use forms::Forms;
use methods::Look;
use proposals::Open;
use sites::{Access, Sites, sites};
use work::{Size, Work};

/// What is known about a kernel.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Checked {
    /// How each output is written, and each array that is changed in place.
    pub patterns: Map<ArrayId, WritePattern>,
    /// What a launch has to see to.
    pub needs: Vec<Need>,
    /// Numbers of rounds that a launch has to be able to compute: the kernel may wrap otherwise.
    pub rounds: Vec<(NodeId, Origin)>,
    /// Sums and products of lengths in numbers of rounds, which may wrap: what cannot be proved
    /// otherwise is tried at launches that can compute them.
    doubtful: Vec<(NodeId, Origin)>,
    /// What is wrong with it.
    pub diagnostics: Vec<Diagnostic>,
    /// The steps that it took to see all this.
    pub steps: u64,
}

impl Checked {
    /// Takes needs of accesses that a launch may not execute for mistakes, unless others ask for as much.
    pub(crate) fn refuse_conditional_needs(&mut self, tables: &Tables) {
        let always = |need: &&Need| !need.conditional;
        let sure: Vec<Need> = self.needs.iter().filter(always).copied().collect();
        let is_sure = |need: &Need| {
            let enough = |own: &Need| own.array == need.array && own.elements >= need.elements;
            sure.iter().any(enough)
        };
        for need in self.needs.iter().filter(|need| !is_sure(need)) {
            let name = report::name(tables.array(need.array));
            let wrong = catalogue::maybe_outside(&name, "reads", None);
            self.diagnostics.push(wrong.at(need.origin));
        }
    }

    /// Forgets what is wrong with the kernel, and what a launch has to see to.
    pub(crate) fn forget_mistakes(&mut self) {
        self.needs.clear();
        self.rounds.clear();
        self.diagnostics.clear();
    }
}

/// A parameter that has to be so long that fixed elements of it exist.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Need {
    /// The parameter.
    pub array: ArrayId,
    /// The least number of elements.
    pub elements: u32,
    /// Where the user asks for an element.
    pub origin: Origin,
    /// May it be that a launch does not access it, as it stands under a condition?
    pub conditional: bool,
}

/// What is done about an access of which it cannot be proved that it is inside of its array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unproved {
    /// An example of it is looked for, and what a launch may be asked for; then all else is looked at.
    Explained,
    /// Nothing more: the kernel will be built in another way. What is accepted is the same.
    Final,
}

/// Looks at how a kernel uses its arrays.
pub fn check(kernel: &Kernel<Levelled>) -> Checked {
    check_as(kernel, Unproved::Explained)
}

/// The same, as far as it is wanted.
pub(crate) fn check_as(kernel: &Kernel<Levelled>, unproved: Unproved) -> Checked {
    let (mut checked, open) = check_if(kernel, Taken::default(), unproved);
    if checked.diagnostics.is_empty() {
        return checked;
    }
    if !checked.doubtful.is_empty() {
        // What cannot be proved as it is may be right at all launches that can compute these.
        let taken = Taken {
            computed: &checked.doubtful,
            solves: false,
        };
        let (mut again, _) = check_if(kernel, taken, unproved);
        if again.diagnostics.is_empty() {
            again.rounds.extend(checked.doubtful);
            again.steps += checked.steps;
            return again;
        }
    }
    if lengths::has_equation(&kernel.tables) {
        let taken = Taken {
            solves: true,
            ..Taken::default()
        };
        let (mut again, _) = check_if(kernel, taken, unproved);
        if again.diagnostics.is_empty() {
            again.steps += checked.steps;
            return again;
        }
    }
    if unproved == Unproved::Explained {
        proposals::propose(kernel, &mut checked, &open);
    }
    checked
}

/// Looks at a kernel, whose launches can compute some numbers; and the accesses that may be outside,
/// unless there are too many steps to look at them again.
fn check_if(
    kernel: &Kernel<Levelled>,
    taken: Taken<'_>,
    unproved: Unproved,
) -> (Checked, Vec<Open>) {
    let first = look(kernel, Work::first(Size::of(kernel)), taken, unproved);
    let begun = match first {
        Ok(found) => return found,
        Err((begun, _)) => begun,
    };
    let sparing = Work::sparing(Size::of(kernel));
    let checked = match look(kernel, sparing, taken, unproved) {
        Ok((mut checked, _)) => {
            checked.steps += begun.steps;
            checked
        }
        Err((mut checked, at)) => {
            checked.steps += begun.steps;
            // What was found on the way is wrong whatever else there is.
            if checked.diagnostics.is_empty() {
                checked.diagnostics.push(catalogue::check_too_long().at(at));
            }
            checked
        }
    };
    (checked, Vec::new())
}

/// Looks at a kernel sparingly from the beginning, and as any kernel is: the second must not accept
/// less.
#[cfg(test)]
fn both_ways(kernel: &Kernel<Levelled>) -> [Checked; 2] {
    let sparing = Work::sparing(Size::of(kernel));
    let sparing = look(kernel, sparing, Taken::default(), Unproved::Explained);
    let sparing = sparing.map_or_else(|(checked, _)| checked, |(checked, _)| checked);
    [check(kernel), sparing]
}

/// Looks at a kernel: what is known, and the accesses that may be outside. The error is what has
/// been seen before that took too long, and where it was.
#[allow(clippy::result_large_err)] // Once or twice a kernel.
fn look(
    kernel: &Kernel<Levelled>,
    work: Work,
    taken: Taken<'_>,
    unproved: Unproved,
) -> Result<(Checked, Vec<Open>), (Checked, Origin)> {
    let mut forms = Forms::new(kernel, work, taken);
    let found = sites(kernel, &mut forms);
    let mut look = Look {
        kernel,
        forms,
        found,
        samples: None,
        unproved,
        outside: Set::new(),
        open: Vec::new(),
        checked: Checked::default(),
    };
    look.ranges();
    if unproved == Unproved::Final && !look.outside.is_empty() {
        look.checked.doubtful = std::mem::take(&mut look.found.doubtful);
        let work = &look.forms.facts.work;
        look.checked.steps = work.done();
        return match work.is_over() {
            false => Ok((look.checked, look.open)),
            true => Err((look.checked, work.at)),
        };
    }
    look.forms.look_elsewhere();
    let once = once(kernel, &look.found);
    once.iter().for_each(|array| look.array(*array));
    let samples = look.samples();
    look.in_place();
    let races = races::races(kernel, &mut look.forms, &look.found, &once, &samples);
    look.report(races);
    let not_own = held::not_own(&mut look.forms, &kernel.tables, &look.found);
    look.report(not_own);
    look.checked.diagnostics.extend(control::control(kernel));
    look.checked.diagnostics.extend(order::order(kernel));
    let unequal = look.found.claims.wrong(&kernel.tables);
    if !unequal.is_empty() {
        // An index below one length may be outside of the other array: that is the same mistake.
        look.checked.diagnostics.retain(|d| !is_range(d));
    }
    look.checked.diagnostics.extend(unequal);
    look.checked.rounds = std::mem::take(&mut look.found.wrapping);
    look.checked.doubtful = std::mem::take(&mut look.found.doubtful);
    let work = &look.forms.facts.work;
    look.checked.steps = work.done();
    match work.is_over() {
        false => Ok((look.checked, look.open)),
        true => Err((look.checked, work.at)),
    }
}

/// Is it the mistake that an access is, or may be, outside of its array?
fn is_range(diagnostic: &Diagnostic) -> bool {
    ["maybe-outside", "outside-when-run"].contains(&diagnostic.id)
}

/// The arrays whose elements are written once: outputs, and stored arrays that are loaded, and
/// neither read in order nor changed atomically.
fn once(kernel: &Kernel<Levelled>, found: &Sites) -> Set<ArrayId> {
    let with = |access: &[Access]| -> Set<ArrayId> {
        found
            .list
            .iter()
            .filter(|site| access.contains(&site.access))
            .map(|site| site.array)
            .collect()
    };
    let (changing, loaded) = (with(&[Access::Read, Access::Atomic]), with(&[Access::Load]));
    let all = kernel
        .tables
        .arrays
        .iter()
        .zip(0..)
        .map(|(array, n)| (ArrayId(n), array.place));
    let once = all.filter(|(id, place)| match place {
        ArrayPlace::Global(role) => *role == Role::Output,
        ArrayPlace::Shared | ArrayPlace::Held => {
            found.begun.contains_key(id) && loaded.contains(id) && !changing.contains(id)
        }
    });
    once.map(|(id, _)| id).collect()
}

#[cfg(test)]
mod random;
#[cfg(test)]
mod tests;
