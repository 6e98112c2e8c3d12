//! The three properties of accesses, and the methods that decide each, in the order in which they
//! are tried. A method proves the property, or refutes it by an example, or does not know; the first
//! that knows decides.
//!
//! | property | methods, in order |
//! |---|---|
//! | *range*: an index is below the length of its array | Fourier–Motzkin elimination where the access stands ([`sites`](super::sites), [`prove`](super::prove)) · rows and columns ([`composed`](super::composed)) · enumeration of what is no sum of counters ([`local`]) · a launch requirement: a fixed element, or one element at all ([`requirement`](super::requirement)) · enumeration of all points, or of those at sample lengths ([`coverage_points`](super::coverage_points)) |
//! | *coverage*: each element is written exactly once | mixed-radix digits ([`coverage`](super::coverage), [`image`](super::image)) · rows one behind the other ([`rows`](super::rows)) · enumeration inside of symbolic loops ([`local`]) · the pigeonhole principle ([`pigeonhole`](super::pigeonhole)) · enumeration as above · the pigeonhole principle, of indices that the user promises to be distinct; elements in the gaps of a layout need no writes ([`padding`](super::padding)) |
//! | *races*: two threads between barriers access different elements | sorted footprints ([`footprint`](super::footprint)) · Fourier–Motzkin elimination with the GCD test, also of rows and columns, rests and partners by exclusive or ([`alike`](super::alike)), and the thread, or the access, as a digit ([`apart`](super::apart)) · enumeration as above, in each round of the loops around both · enumeration of what the rounds change ([`apart`](super::apart)); between two loops over blocks ([`grid`](super::grid)) |
//!
//! Of what loops carry from round to round, [`invariants`](super::invariants) bounds what is read.
//!
//! What none of them decides is tried once more at launches that can compute the sums and products in
//! numbers of rounds, which may wrap otherwise ([`lengths`](super::lengths)).
//!
//! All enumeration goes through one [`table`](super::table). Symbolic methods hold for all lengths; enumeration without a sample does too, as it needs no
//! length. At a sample, enumeration can only refute.

use super::coverage::coverage;
use super::coverage_points::{covered, inside};
use super::forms::Forms;
use super::own::own;
use super::padding;
use super::pigeonhole::{are_sides, as_many_writes, pigeonhole};
use super::proposals::Open;
use super::samples::{self, Sample};
use super::sites::{Access, Site, Sites};
use super::{Checked, Unproved, local, report, requirement};
use crate::error::Diagnostic;
use crate::ir::{Kernel, Levelled};
use crate::ordered::Set;
use crate::plan::WritePattern;
use crate::scalar::{ArrayId, ArrayPlace, Role};

/// What a method says of a property.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Verdict {
    /// It holds, for all lengths and arguments that a launch accepts.
    Proved,
    /// It does not; the diagnostic has an example.
    Refuted(Diagnostic),
    /// The method does not decide it.
    Unknown,
}

impl Verdict {
    /// Proved, or not known.
    pub(super) fn proved(holds: bool) -> Verdict {
        match holds {
            true => Verdict::Proved,
            false => Verdict::Unknown,
        }
    }

    /// The verdict of the next method, if this one does not know.
    pub(super) fn or_else(self, next: impl FnOnce() -> Verdict) -> Verdict {
        match self {
            Verdict::Unknown => next(),
            known => known,
        }
    }

    /// What is reported: the example, or that it cannot be proved.
    pub(super) fn or_maybe(self, unproved: impl FnOnce() -> Diagnostic) -> Option<Diagnostic> {
        match self {
            Verdict::Proved => None,
            Verdict::Refuted(wrong) => Some(wrong),
            Verdict::Unknown => Some(unproved()),
        }
    }

    /// Only an example: what holds at a sample may not hold at all lengths.
    fn only_refuted(self) -> Verdict {
        match self {
            Verdict::Proved => Verdict::Unknown,
            other => other,
        }
    }
}

/// The verdict of enumeration: without a sample it proves or refutes, at the samples it refutes.
pub(super) fn at_points(
    samples: &[Sample],
    mut enumerate: impl FnMut(&Sample) -> Verdict,
) -> Verdict {
    let mut seen = Verdict::Unknown;
    for sample in samples {
        seen = seen.or_else(|| match sample.is_empty() {
            true => enumerate(sample),
            false => enumerate(sample).only_refuted(),
        });
    }
    seen
}

/// A kernel in the course of being checked.
pub(super) struct Look<'k> {
    pub(super) kernel: &'k Kernel<Levelled>,
    pub(super) forms: Forms<'k>,
    pub(super) found: Sites,
    pub(super) samples: Option<Vec<Sample>>,
    pub(super) unproved: Unproved,
    /// Arrays of which an access outside has been reported.
    pub(super) outside: Set<ArrayId>,
    /// Accesses that may be outside.
    pub(super) open: Vec<Open>,
    pub(super) checked: Checked,
}

impl Look<'_> {
    /// Keeps mistakes, unless they only could not be looked at to the end.
    pub(super) fn report(&mut self, wrong: impl IntoIterator<Item = Diagnostic>) {
        if !self.forms.facts.work.is_over() {
            self.checked.diagnostics.extend(wrong);
        }
    }

    /// Lengths and arguments to try; the first is none at all.
    pub(super) fn samples(&mut self) -> Vec<Sample> {
        let forms = &mut self.forms;
        self.samples
            .get_or_insert_with(|| samples::samples(forms))
            .clone()
    }

    /// Decides for each access whether it is inside of its array.
    pub(super) fn ranges(&mut self) {
        let open = self.found.list.iter();
        let open = open.filter(|site| !site.inside && !site.promises.inside);
        let open: Vec<Site> = open.cloned().collect();
        let mut reported = Set::new();
        for site in open {
            if self.forms.facts.work.is_over() {
                return;
            }
            self.forms.facts.work.at = site.origin;
            let wrong = match self.range(&site) {
                Verdict::Proved => continue,
                Verdict::Refuted(wrong) => wrong,
                Verdict::Unknown => {
                    let array = &self.kernel.tables.arrays[site.array.0 as usize];
                    let unproved = match self.unproved {
                        Unproved::Explained => {
                            requirement::inequality(&mut self.forms, &self.found, &site)
                        }
                        Unproved::Final => None,
                    };
                    report::maybe_outside(array, &site, unproved)
                }
            };
            self.outside.insert(site.array);
            if self.unproved == Unproved::Final {
                self.report([wrong]);
                return;
            }
            let open = Open::new(&self.forms, &self.found, &site, &wrong);
            self.open.push(open);
            // The fields of a tuple, and the two copies of a load, are one mistake.
            let new = reported.insert((wrong.origin, wrong.id));
            self.report(new.then_some(wrong));
        }
    }

    /// Range, by the methods that come after the proof where the access stands.
    fn range(&mut self, site: &Site) -> Verdict {
        if local::inside_in_pieces(&mut self.forms, &self.found, site) {
            return Verdict::Proved;
        }
        if let Some(need) = requirement::fixed_element(&mut self.forms, &self.found, site) {
            self.checked.needs.push(need);
            return Verdict::Proved;
        }
        let samples = match self.unproved {
            Unproved::Explained => self.samples(),
            Unproved::Final => vec![Sample::new()],
        };
        let (forms, found) = (&mut self.forms, &self.found);
        let known = inside(forms, found, site, &samples[0]);
        if known == Verdict::Unknown && requirement::inside_if_not_empty(forms, found, site) {
            if !requirement::has_element(forms, found, site) {
                self.checked
                    .needs
                    .push(requirement::need(forms, found, site, 1));
            }
            return Verdict::Proved;
        }
        known.or_else(|| at_points(&samples[1..], |sample| inside(forms, found, site, sample)))
    }

    /// Decides whether each element of an array is written once.
    pub(super) fn array(&mut self, id: ArrayId) {
        let known = &self.kernel.tables.arrays[id.0 as usize];
        match self.coverage(id) {
            Ok(pattern) if known.place == ArrayPlace::Global(Role::Output) => {
                self.checked.patterns.insert(id, pattern);
            }
            // What writes outside has been reported.
            Err(wrong) if !self.outside.contains(&id) => {
                let mut all = self.checked.diagnostics.iter();
                let again = all.any(|d| d.origin == wrong.origin && d.id == wrong.id);
                self.report((!again).then_some(wrong));
            }
            _ => {}
        }
    }

    /// Finds out which arrays are changed in place by blocks that access only their own elements.
    pub(super) fn in_place(&mut self) {
        let arrays = self.kernel.tables.arrays.iter().zip(0..);
        let in_place = arrays.filter(|(a, _)| a.place == ArrayPlace::Global(Role::InOut));
        for (_, n) in in_place {
            let id = ArrayId(n);
            if let Some(each) = own(&mut self.forms, &self.found, id) {
                self.checked.patterns.insert(id, WritePattern::Own(each));
            }
        }
    }

    /// Coverage: how the elements are written once, or what is wrong.
    fn coverage(&mut self, id: ArrayId) -> Result<WritePattern, Diagnostic> {
        let (forms, found) = (&mut self.forms, &self.found);
        let array = &self.kernel.tables.arrays[id.0 as usize];
        let writes = |site: &&Site| site.access == Access::Write;
        let stores: Vec<&Site> = found.of_array(id).filter(writes).collect();
        let outside = found.begun.get(&id).copied().unwrap_or(0);
        let (stores, length) = (&stores[..], array.length);
        let pattern = coverage(forms, found, stores, length, outside)
            .or_else(|| local::in_pieces(forms, found, stores, length, outside));
        if let Some(pattern) = pattern {
            return Ok(pattern);
        }
        let samples = self.samples.get_or_insert_with(|| samples::samples(forms));
        let all_inside = !self.outside.contains(&id);
        let length = (length, padding::elements(forms, found, id));
        let verdict =
            Verdict::proved(all_inside && pigeonhole(forms, found, stores, length, outside));
        let verdict = verdict
            .or_else(|| at_points(samples, |sample| covered(forms, found, stores, id, sample)));
        // What is promised is taken for granted where there is no example against it.
        let is_vouched = self.kernel.tables.written_whole.contains(&id);
        let enough = verdict == Verdict::Unknown
            && (is_vouched || as_many_writes(forms, found, stores, length, outside));
        let places = stores.first().and_then(|site| site.at_places);
        let is_at_them = |site: &&Site| places.is_some() && site.at_places == places;
        let distinct = stores.iter().all(|site| site.promises.distinct)
            || stores.iter().all(is_at_them) && are_sides(stores);
        let verdict = verdict.or_else(|| Verdict::proved(all_inside && distinct && enough));
        match verdict {
            Verdict::Proved => Ok(WritePattern::Scattered),
            Verdict::Refuted(wrong) => Err(wrong),
            Verdict::Unknown => Err(report::maybe_not_once(array, stores, enough)),
        }
    }
}
