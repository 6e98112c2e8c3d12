//! What is predicted of a candidate: the sums over its launches.

use super::result::{Checked, Needs, Outcome, Stages};
use crate::Counts;
use crate::resources::Resources;

/// The sums over the launches of a candidate.
#[derive(Default)]
pub(super) struct Sums {
    pub(super) score: f64,
    pub(super) counts: Counts,
    pub(super) counted: u64,
    pub(super) detail: Vec<(String, f64)>,
    /// Of the first launch.
    pub(super) needs: Option<Needs>,
    pub(super) compiled: Vec<(String, Resources)>,
}

impl Sums {
    /// Parts of one name are one.
    pub(super) fn add_part(&mut self, (name, value): (String, f64)) {
        match self.detail.iter_mut().find(|(known, _)| *known == name) {
            Some((_, sum)) => *sum += value,
            None => self.detail.push((name, value)),
        }
    }

    pub(super) fn outcome(self, whole: bool) -> (Outcome, Option<Needs>) {
        let checked = if whole {
            Checked::Whole
        } else {
            Checked::Sample
        };
        let outcome = Outcome::Good {
            score: self.score,
            noise: 0.0,
            interval: None,
            checked,
            counts: Some(Box::new(self.counts)),
            counted_blocks: self.counted,
            detail: self.detail,
            stages: match self.compiled.is_empty() {
                true => Stages {
                    predicted: Some(self.score),
                    ..Stages::default()
                },
                false => Stages {
                    compiled: Some(self.score),
                    ..Stages::default()
                },
            },
            compiled: self.compiled,
        };
        (outcome, self.needs)
    }
}
