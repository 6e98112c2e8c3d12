//! When the memory of a step is given back: behind the last step that uses it.

use std::ops::Range;

use super::{Produced, Step};
use crate::ordered::{Map, Set};

/// Frees each slot of the program's own that is no result behind its last use.
pub(super) fn freed(mut steps: Vec<Step>, results: &[Produced], own: Range<usize>) -> Vec<Step> {
    let is_result = |slot: &usize| results.iter().any(|result| result.slots.contains(slot));
    let own = own.filter(|slot| !is_result(slot)).collect();
    let mut uses: Map<usize, usize> = Map::new();
    for slot in steps.iter().flat_map(Step::slots) {
        *uses.entry(slot).or_default() += 1;
    }
    free_in(&mut steps, &own, &uses);
    steps
}

/// Frees slots behind their last uses in a list of steps; those that a part of a step alone uses, in that part.
fn free_in(steps: &mut Vec<Step>, own: &Set<usize>, uses: &Map<usize, usize>) {
    let mut left = own.clone();
    for part in steps.iter_mut().flat_map(Step::parts_mut) {
        let mut inside: Map<usize, usize> = Map::new();
        for slot in part.iter().flat_map(Step::slots) {
            *inside.entry(slot).or_default() += 1;
        }
        let of_part = |(slot, count): &(&usize, &usize)| {
            own.contains(*slot) && uses.get(*slot) == Some(*count)
        };
        let inside = inside
            .iter()
            .filter(of_part)
            .map(|(slot, _)| *slot)
            .collect();
        left = left.difference(&inside).copied().collect();
        free_in(part, &inside, uses);
    }
    let mut last: Map<usize, usize> = Map::new();
    for (position, step) in steps.iter().enumerate() {
        let used = step.slots().into_iter().filter(|slot| left.contains(slot));
        last.extend(used.map(|slot| (slot, position)));
    }
    let mut all = Vec::new();
    for (position, step) in std::mem::take(steps).into_iter().enumerate() {
        all.push(step);
        let here = last.iter().filter(|(_, last)| **last == position);
        all.extend(here.map(|(slot, _)| Step::Free(*slot)));
    }
    *steps = all;
}
