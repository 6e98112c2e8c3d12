//! The slots of registers that a place in the text accesses, as a sum of multiples of the counters around it.

use super::MOST_WORDS;
use crate::scalar::{NodeId, VariableId};

/// A place in the text: an index, and the counters of the loops around it.
pub(super) type Site = (NodeId, Vec<VariableId>);

/// What is known of the slots at a place.
#[derive(Clone, Debug)]
pub(super) struct Slots {
    /// The counters and the slot at the first visit.
    first: (Vec<u64>, u64),
    /// By how much the slot grows with each counter, if that is known.
    steps: Vec<Option<i64>>,
}

impl Slots {
    pub(super) fn new(counters: &[u64], slot: u64) -> Slots {
        Slots {
            first: (counters.to_vec(), slot),
            steps: vec![None; counters.len()],
        }
    }

    /// Is the slot what it has to be at these counters?
    pub(super) fn agrees(&mut self, counters: &[u64], slot: u64) -> bool {
        let (before, base) = &self.first;
        let apart = |n: usize| counters[n] as i64 - before[n] as i64;
        let moved: Vec<usize> = (0..counters.len()).filter(|&n| apart(n) != 0).collect();
        let grown = slot as i64 - *base as i64;
        if let [n] = moved[..]
            && self.steps[n].is_none()
            && grown % apart(n) == 0
        {
            self.steps[n] = Some(grown / apart(n));
        }
        let steps: Option<i64> = moved
            .iter()
            .map(|&n| self.steps[n].map(|step| step * apart(n)))
            .sum();
        steps == Some(grown)
    }

    /// The counters that the slot depends on, with what it grows by, and the slot where all are 0.
    pub(super) fn formula(&self, counters: &[VariableId]) -> Option<Formula> {
        let (mut terms, mut base) = (Vec::new(), self.first.1 as i64);
        for (n, counter) in counters.iter().enumerate() {
            let step = self.steps[n].unwrap_or(0);
            base -= step * self.first.0[n] as i64;
            if step != 0 {
                terms.push((*counter, u32::try_from(step).ok()?));
            }
        }
        let is_small = base.unsigned_abs() <= u64::from(MOST_WORDS);
        is_small.then_some((terms, base))
    }
}

/// A slot at a place: the counters with their factors, and a number. The number is below 0 where the first rounds of
/// a loop do not come to the place.
pub(super) type Formula = (Vec<(VariableId, u32)>, i64);
