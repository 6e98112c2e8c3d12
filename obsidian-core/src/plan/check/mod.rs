//! What can be proved about a kernel, and the mistakes of the user that are found when it cannot.
//!
//! Before: a levelled kernel that is shared. After: a table with the [`WritePattern`] of each
//! output, what a launch has to see to, and diagnostics at the user's places. Looked at are
//!
//! - *range*: every index is below the length of its array (`sites`, where each access is met);
//! - *coverage*: every element of an array that is written once, an output or what `compute`
//!   stores, is written exactly once (`coverage`, `image`);
//! - *races*: no two threads that do not wait for each other access one element that changes
//!   (`races`), not even in two loops over blocks (`grid`);
//! - *lengths*: arrays that are used element by element are equally long (`claims`);
//! - *control*: all threads of a level reach what they do together (`control`).
//!
//! Each is tried symbolically first, for all lengths at a time: indices are polynomials (`poly`,
//! `forms`) about which facts are known (`facts`), and what follows from them is proved (`prove`).
//! Then point by point, where all is known (`table`, `coverage_points`), or inside of loops that
//! stay symbolic (`local`); never more than 65,536 points of an access. Where neither decides, some
//! lengths and arguments are tried for an example of what is wrong; if there is none, the error
//! says that it cannot be seen, and offers `i.unchecked()`. Accesses with such an index are left
//! out of all proofs; the simulator looks at them when it runs.
//!
//! That fixed elements of a parameter exist (`bins[x % 16]`) is no error: the launch asks for that
//! many.
//!
//! What all this may take is bounded (`work`).
//!
//! It runs behind `share`, on what all other passes start from, and in front of them: they take for
//! granted what it shows. What hides in loops, between two `ForAll`s and from one round of a loop
//! to the next, is not its concern: there `barriers` adds waits.

mod claims;
mod control;
mod coverage;
mod coverage_points;
mod facts;
mod footprint;
mod forms;
mod grid;
mod image;
mod lengths;
mod local;
mod pigeonhole;
mod poly;
mod prove;
mod races;
mod report;
mod sites;
mod table;
mod words;
mod work;

use std::collections::{BTreeMap, BTreeSet};

use super::WritePattern;
use crate::error::{Diagnostic, Origin, catalogue};
use crate::ir::{Kernel, Levelled};
use crate::scalar::{ArrayId, ArrayPlace, Node, NodeId, Role};
use coverage::coverage;
use coverage_points::{covered, inside};
use forms::Forms;
use pigeonhole::pigeonhole;
use poly::Poly;
use sites::{Access, Site, Sites, sites};
use table::Sample;
use work::Work;

/// What is known about a kernel.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Checked {
    /// How each output is written.
    pub patterns: BTreeMap<ArrayId, WritePattern>,
    /// What a launch has to see to.
    pub needs: Vec<Need>,
    /// Numbers of rounds that a launch has to be able to compute: the kernel may wrap otherwise.
    pub rounds: Vec<(NodeId, Origin)>,
    /// What is wrong with it.
    pub diagnostics: Vec<Diagnostic>,
    /// The steps that it took to see all this.
    pub steps: u64,
}

impl Checked {
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
}

/// Looks at how a kernel uses its arrays.
pub fn check(kernel: &Kernel<Levelled>) -> Checked {
    let first = look(kernel, Work::first(accesses(kernel)));
    let Err((begun, _)) = first else {
        return first.unwrap_or_default();
    };
    match look(kernel, Work::sparing()) {
        Ok(mut checked) => {
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
    }
}

/// Looks at a kernel sparingly from the beginning, and as any kernel is: the second must not accept
/// less.
#[cfg(test)]
fn both_ways(kernel: &Kernel<Levelled>) -> [Checked; 2] {
    let sparing = look(kernel, Work::sparing()).unwrap_or_else(|(checked, _)| checked);
    [check(kernel), sparing]
}

/// The number of accesses in the text of a kernel, and of other statements.
fn accesses(kernel: &Kernel<Levelled>) -> usize {
    let nodes = &kernel.tables.nodes;
    let loads = nodes
        .ids()
        .filter(|id| matches!(nodes.node(*id), Node::Load { .. }));
    let mut statements = 0;
    for statement in &kernel.body {
        statement.visit(&mut |_| statements += 1);
    }
    loads.count() + statements
}

/// Looks at a kernel; the error is what has been seen before that took too long, and where it was.
fn look(kernel: &Kernel<Levelled>, work: Work) -> Result<Checked, (Checked, Origin)> {
    let mut forms = Forms::new(kernel, work);
    let found = sites(kernel, &mut forms);
    let mut look = Look {
        kernel,
        forms,
        found,
        samples: None,
        outside: BTreeSet::new(),
        checked: Checked::default(),
    };
    look.ranges();
    let once = once(kernel, &look.found);
    once.iter().for_each(|array| look.array(*array));
    let samples = look.samples();
    let races = races::races(kernel, &mut look.forms, &look.found, &once, &samples);
    look.report(races);
    look.checked.diagnostics.extend(control::control(kernel));
    let unequal = look.found.claims.wrong(&kernel.tables);
    if !unequal.is_empty() {
        // An index below one length may be outside of the other array: that is the same mistake.
        let is_range = |d: &Diagnostic| ["maybe-outside", "outside-when-run"].contains(&d.id);
        look.checked.diagnostics.retain(|d| !is_range(d));
    }
    look.checked.diagnostics.extend(unequal);
    look.checked.rounds = std::mem::take(&mut look.found.wrapping);
    let work = &look.forms.facts.work;
    look.checked.steps = work.done();
    #[cfg(test)]
    match work.is_over() {
        false => Ok(look.checked),
        true => Err((look.checked, work.at)),
    }
}

/// Elements below this one are taken for fixed ones.
const MOST_FIXED: i128 = 1 << 20;

impl Forms<'_> {
    /// The last of the fixed elements of a parameter that an index may name, if it names such. Its
    /// arithmetic is exact.
    fn fixed(&self, array: ArrayId, poly: &Poly) -> Option<u32> {
        let array = self.tables.arrays.get(array.0 as usize)?;
        let given = matches!(array.place, ArrayPlace::Global(Role::Input | Role::InOut));
        let (low, high) = self.facts.range(poly)?;
        let fixed = given && low >= 0 && high < MOST_FIXED;
        fixed.then_some(high as u32)
    }
}

struct Look<'k> {
    kernel: &'k Kernel<Levelled>,
    forms: Forms<'k>,
    found: Sites,
    samples: Option<Vec<Sample>>,
    /// Arrays of which an access outside has been reported.
    outside: BTreeSet<ArrayId>,
    checked: Checked,
}

impl Look<'_> {
    /// Keeps mistakes, unless they only could not be looked at to the end.
    fn report(&mut self, wrong: impl IntoIterator<Item = Diagnostic>) {
        if !self.forms.facts.work.is_over() {
            self.checked.diagnostics.extend(wrong);
        }
    }

    /// Lengths and arguments to try; the first is none at all.
    fn samples(&mut self) -> Vec<Sample> {
        let forms = &mut self.forms;
        self.samples
            .get_or_insert_with(|| table::samples(forms))
            .clone()
    }

    /// Looks at each access that is not proved to be inside of its array.
    fn ranges(&mut self) {
        let open: Vec<Site> = self
            .found
            .list
            .iter()
            .filter(|site| !site.inside)
            .cloned()
            .collect();
        let mut reported = BTreeSet::new();
        for site in open {
            if self.forms.facts.work.is_over() {
                return;
            }
            self.forms.facts.work.at = site.origin;
            if local::inside_in_pieces(&mut self.forms, &self.found, &site) {
                continue;
            }
            if let Some(need) = self.need(&site) {
                self.checked.needs.push(need);
                continue;
            }
            let samples = self.samples();
            let known = inside(&self.forms, &self.found, &site, &samples[0]);
            if known.is_none() && local::inside_if_not_empty(&mut self.forms, &self.found, &site) {
                self.checked.needs.push(Need {
                    array: site.array,
                    elements: 1,
                    origin: site.origin,
                });
                continue;
            }
            let mut seen = samples[1..]
                .iter()
                .map(|sample| inside(&self.forms, &self.found, &site, sample));
            let wrong = match known {
                Some(known) => known,
                None => Some(seen.flatten().flatten().next().unwrap_or_else(|| {
                    let short = local::inequality(&mut self.forms, &self.found, &site);
                    report::maybe_outside(
                        &self.kernel.tables.arrays[site.array.0 as usize],
                        &site,
                        short,
                    )
                })),
            };
            // The fields of a tuple, and the two copies of a load, are one mistake.
            self.outside.extend(wrong.iter().map(|_| site.array));
            self.report(wrong.filter(|wrong| reported.insert((wrong.origin, wrong.id))));
        }
    }

    /// Fixed elements of a parameter are there if it is long enough, which a launch sees to.
    fn need(&mut self, site: &Site) -> Option<Need> {
        let last = self.forms.fixed(site.array, &site.poly)?;
        if !site.exact {
            return None;
        }
        Some(Need {
            array: site.array,
            elements: last + 1,
            origin: site.origin,
        })
    }

    /// Looks at how an array is written whose elements are written once.
    fn array(&mut self, id: ArrayId) {
        let known = &self.kernel.tables.arrays[id.0 as usize];
        let found = &self.found;
        let stores: Vec<&Site> = found
            .list
            .iter()
            .filter(|site| site.array == id && site.access == Access::Write)
            .collect();
        let pattern = if stores.iter().any(|site| site.trusted) {
            Ok(WritePattern::Scattered)
        } else {
            let outside = found.begun.get(&id).copied().unwrap_or(0);
            let coverage = coverage(&mut self.forms, found, &stores, known.length, outside);
            let proved = coverage.or_else(|| {
                local::in_pieces(&mut self.forms, found, &stores, known.length, outside)
            });
            let inside = !self.outside.contains(&id);
            let proved = proved.or_else(|| {
                let forms = &mut self.forms;
                inside.then(|| pigeonhole(forms, found, &stores, known.length, outside))?
            });
            proved.map_or_else(
                || by_points(&mut self.forms, found, &stores, id, &mut self.samples),
                Ok,
            )
        };
        match pattern {
            Ok(pattern) if known.place == ArrayPlace::Global(Role::Output) => {
                self.checked.patterns.insert(id, pattern);
            }
            // What writes outside has been reported.
            Err(wrong) if !self.outside.contains(&id) => {
                let again = self
                    .checked
                    .diagnostics
                    .iter()
                    .any(|d| d.origin == wrong.origin && d.id == wrong.id);
                self.report((!again).then_some(wrong));
            }
            _ => {}
        }
    }
}

/// Goes through the points of all stores: each element is written once, or what is wrong.
fn by_points(
    forms: &mut Forms<'_>,
    found: &Sites,
    stores: &[&Site],
    id: ArrayId,
    samples: &mut Option<Vec<Sample>>,
) -> Result<WritePattern, Diagnostic> {
    let samples = samples.get_or_insert_with(|| table::samples(forms));
    for (n, sample) in samples.iter().enumerate() {
        let at = if n == 0 { None } else { Some(0) };
        match covered(forms, found, stores, id, sample, at) {
            Some(Some(wrong)) => return Err(wrong),
            Some(None) if n == 0 => return Ok(WritePattern::Scattered),
            _ => {}
        }
    }
    Err(report::maybe_not_once(
        &forms.tables.arrays[id.0 as usize],
        stores.first().copied(),
    ))
}

/// The arrays whose elements are written once: outputs, and stored arrays that are loaded, and
/// neither read in order nor changed atomically.
fn once(kernel: &Kernel<Levelled>, found: &Sites) -> BTreeSet<ArrayId> {
    let with = |access: &[Access]| -> BTreeSet<ArrayId> {
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
