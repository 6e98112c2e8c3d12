//! What can be proved about a kernel, and the mistakes of the user that stand in the way.

mod coverage;
mod coverage_points;
mod facts;
mod forms;
mod image;
mod local;
mod poly;
mod prove;
mod races;
mod report;
mod sites;
mod table;

use std::collections::{BTreeMap, BTreeSet};

use super::WritePattern;
use crate::error::Diagnostic;
use crate::ir::Kernel;
use crate::scalar::{ArrayId, ArrayPlace, Role};
use coverage::coverage;
use coverage_points::{covered, inside};
use forms::Forms;
use sites::{Access, Site, Sites, sites};
use table::Sample;

/// What is known about a kernel.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Checked {
    /// How each output is written.
    pub patterns: BTreeMap<ArrayId, WritePattern>,
    /// What is wrong with it.
    pub diagnostics: Vec<Diagnostic>,
}

/// Looks at how a kernel uses its arrays.
pub fn check(kernel: &Kernel) -> Checked {
    let mut forms = Forms::new(&kernel.tables);
    let found = sites(kernel, &mut forms);
    let mut look = Look { kernel, forms, found, samples: None, checked: Checked::default() };
    look.ranges();
    let once = once(kernel, &look.found);
    once.iter().for_each(|array| look.array(*array));
    let samples = look.samples();
    let races = races::races(kernel, &mut look.forms, &look.found, &once, &samples);
    look.checked.diagnostics.extend(races);
    look.checked
}

struct Look<'k> {
    kernel: &'k Kernel,
    forms: Forms<'k>,
    found: Sites,
    samples: Option<Vec<Sample>>,
    checked: Checked,
}

impl Look<'_> {
    /// Lengths and arguments to try; the first is none at all.
    fn samples(&mut self) -> Vec<Sample> {
        let forms = &mut self.forms;
        self.samples.get_or_insert_with(|| table::samples(forms)).clone()
    }

    /// Looks at each access that is not proved to be inside of its array.
    fn ranges(&mut self) {
        let open: Vec<Site> = self.found.list.iter().filter(|site| !site.inside).cloned().collect();
        let mut reported = BTreeSet::new();
        for site in open {
            let samples = self.samples();
            let mut seen = samples.iter().map(|sample| inside(&self.forms, &self.found, &site, sample));
            let pure = seen.next().flatten();
            let wrong = match pure {
                Some(known) => known,
                None => Some(seen.flatten().flatten().next().unwrap_or_else(|| {
                    report::maybe_outside(&self.kernel.tables.arrays[site.array.0 as usize], &site)
                })),
            };
            // The fields of a tuple, and the two copies of a load, are one mistake.
            self.checked.diagnostics.extend(wrong.filter(|wrong| reported.insert((wrong.origin, wrong.id))));
        }
    }

    /// Looks at how an array is written whose elements are written once.
    fn array(&mut self, id: ArrayId) {
        let known = &self.kernel.tables.arrays[id.0 as usize];
        let found = &self.found;
        let stores: Vec<&Site> = found.list.iter().filter(|site| site.array == id && site.access == Access::Write).collect();
        let pattern = if stores.iter().any(|site| site.trusted) {
            Ok(WritePattern::Scattered)
        } else {
            let outside = found.begun.get(&id).copied().unwrap_or(0);
            let coverage = coverage(&mut self.forms, found, &stores, known.length, outside);
            let proved = coverage.or_else(|| local::in_pieces(&mut self.forms, found, &stores, known.length, outside));
            proved.map_or_else(|| by_points(&mut self.forms, found, &stores, id, &mut self.samples), Ok)
        };
        let outside = stores.iter().any(|site| !site.inside);
        match pattern {
            Ok(pattern) if known.place == ArrayPlace::Global(Role::Output) => {
                self.checked.patterns.insert(id, pattern);
            }
            // What writes outside has been reported.
            Err(wrong) if !outside => {
                let again = self.checked.diagnostics.iter().any(|d| d.origin == wrong.origin && d.id == wrong.id);
                self.checked.diagnostics.extend((!again).then_some(wrong));
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
    Err(report::maybe_not_once(&forms.tables.arrays[id.0 as usize], stores.first().copied()))
}

/// The arrays whose elements are written once: outputs, and stored arrays that are never read in order nor changed atomically.
fn once(kernel: &Kernel, found: &Sites) -> BTreeSet<ArrayId> {
    let mut changing = BTreeSet::new();
    changing.extend(found.list.iter().filter(|s| matches!(s.access, Access::Read | Access::Atomic)).map(|s| s.array));
    let all = kernel.tables.arrays.iter().zip(0..).map(|(array, n)| (ArrayId(n), array.place));
    let once = all.filter(|(id, place)| match place {
        ArrayPlace::Global(role) => *role == Role::Output,
        ArrayPlace::Shared | ArrayPlace::Held => found.begun.contains_key(id) && !changing.contains(id),
    });
    once.map(|(id, _)| id).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::read;

    fn pattern(body: &str) -> WritePattern {
        let text = format!("kernel k {{ parameter 0 n: u32 parameter 1 out: u32[64_u32] output distribute Block b < 4_u32 {{ {body} }} }}");
        let checked = check(&read(&text).unwrap());
        checked.patterns[&ArrayId(0)]
    }

    #[test]
    fn a_block_that_writes_each_element_of_its_chunk_writes_chunks() {
        assert_eq!(pattern("let base = (b *' 8_u32) forall Block i < 8_u32 { store out[(base +' i)] = 1_u32 }"), WritePattern::Chunks(8));
        let tile = "forall Block i < 8_u32 { for sequential Thread k in 0_u32 .. 4_u32 step 1_u32 { store out[(((b *' 32_u32) +' (k *' 8_u32)) +' i)] = 1_u32 } }";
        assert_eq!(pattern(tile), WritePattern::Chunks(32));
        assert_eq!(pattern("forall Block i < 8_u32 { store out[((b *' 8_u32) +' (7_u32 -' i))] = 1_u32 }"), WritePattern::Chunks(8));
        assert_eq!(pattern("forall Block i < 1_u32 { store out[b] = 1_u32 }"), WritePattern::Chunks(1));
    }

    #[test]
    fn two_halves_are_a_chunk() {
        let half = |at: u32| format!("forall Block i{at} < 4_u32 {{ store out[((b *' 8_u32) +' (i{at} +' {at}_u32))] = 1_u32 }}");
        assert_eq!(pattern(&format!("{} {}", half(4), half(0))), WritePattern::Chunks(8));
        assert_eq!(pattern(&format!("{} {}", half(4), half(3))), WritePattern::Scattered);
    }

    #[test]
    fn what_is_not_proved_is_scattered() {
        assert_eq!(pattern("forall Block i < 8_u32 { store out[((b *' 9_u32) +' i)] = 1_u32 }"), WritePattern::Scattered, "a gap");
        assert_eq!(pattern("forall Block i < 8_u32 { store out[((b *' 4_u32) +' i)] = 1_u32 }"), WritePattern::Scattered, "an overlap");
        assert_eq!(pattern("forall Block i < n { store out[((b *' 8_u32) +' i)] = 1_u32 }"), WritePattern::Scattered, "an unknown count");
        assert_eq!(pattern("forall Block i < 8_u32 { store out[((b * 8_u32) + i)] = 1_u32 }"), WritePattern::Scattered, "wrapping");
        assert_eq!(
            pattern("forall Block i < 8_u32 { if (i < n) { store out[((b *' 8_u32) +' i)] = 1_u32 } }"),
            WritePattern::Scattered,
            "a condition"
        );
        assert_eq!(pattern(""), WritePattern::Scattered, "nothing");
        let twice =
            "forall Block i < 8_u32 { for sequential Thread k in 0_u32 .. 2_u32 step 1_u32 { store out[((b *' 8_u32) +' i)] = k } }";
        assert_eq!(pattern(twice), WritePattern::Scattered, "twice");
    }
}
