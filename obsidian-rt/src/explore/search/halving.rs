//! Successive halving: little effort for many, all of it for few.
//!
//! With a full effort of 16 the rounds try with 1, 4 and 16, and at most a quarter goes on from
//! each. Of a budget, one evaluation is kept for the last round, each round takes half of what is left otherwise, and the last one all the rest: the first
//! round decides what can be found at all, so it has the largest part. A budget of fewer than two evaluations is one round of full effort. A try with an effort of 1 is
//! a sixteenth of an evaluation.
//!
//! If none of the last round is right, the best of those that were given up is taken that is: with the score that it has.

use rand::SeedableRng;
use rand::rngs::StdRng;

use super::random::shuffled;
use super::{Known, Request, Strategy};

/// One candidate in `KEPT` goes on to the next round, which has `KEPT` times the effort.
pub(super) const KEPT: u32 = 4;

pub(super) struct Halving {
    random: StdRng,
    /// The points of the round that was asked for, and its effort; none before the first.
    round: Option<(Vec<usize>, u32)>,
}

impl Halving {
    pub(super) fn new(seed: u64) -> Self {
        Halving {
            random: StdRng::seed_from_u64(seed),
            round: None,
        }
    }
}

/// The effort of the first round.
fn lowest(full: u32) -> u32 {
    let mut effort = full;
    while effort >= KEPT {
        effort = effort.div_ceil(KEPT);
    }
    effort
}

/// How many can be tried with an effort for the part of the budget that the round may take; at
/// least one.
fn affordable(effort: u32, known: &Known<'_>) -> usize {
    let share = if effort >= known.full {
        known.left
    } else {
        (known.left - 1.0) / 2.0
    };
    // Without a budget it is infinite, and so the largest number.
    ((share * f64::from(known.full) / f64::from(effort)) as usize).max(1)
}

impl Strategy for Halving {
    fn ask(&mut self, known: &Known<'_>) -> Vec<Request> {
        let (mut points, effort) = match self.round.take() {
            None => (
                shuffled(known.points.len(), &mut self.random),
                if known.left < 2.0 {
                    known.full
                } else {
                    lowest(known.full)
                },
            ),
            Some((_, effort)) if effort >= known.full => return Vec::new(),
            Some((points, effort)) => {
                let quarter = points.len().div_ceil(KEPT as usize);
                (
                    known.ranked(points).into_iter().take(quarter).collect(),
                    (effort * KEPT).min(known.full),
                )
            }
        };
        points.truncate(affordable(effort, known));
        let requests = points
            .iter()
            .map(|point| Request {
                point: *point,
                effort,
            })
            .collect();
        self.round = Some((points, effort));
        requests
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::explore::Space;

    /// The number of points and the effort of each round over 150 points, of which those with
    /// larger numbers are better.
    fn rounds(budget: f64, full: u32) -> Result<Vec<(usize, u32)>, crate::Error> {
        let points = Space::new().range("x", 1..=150).points()?;
        let (mut search, mut scores, mut left, mut rounds) =
            (Halving::new(1), BTreeMap::new(), budget, Vec::new());
        loop {
            let requests = search.ask(&Known {
                points: &points,
                full,
                left,
                scores: &scores,
            });
            let Some(Request { effort, .. }) = requests.first().copied() else {
                break;
            };
            scores.extend(
                requests
                    .iter()
                    .map(|request| (request.point, Some(-(request.point as f64)))),
            );
            left -= requests.len() as f64 * f64::from(effort) / f64::from(full);
            rounds.push((requests.len(), effort));
            if effort == full {
                let best = scores.values().copied().flatten().fold(0.0, f64::min);
                assert!(
                    requests
                        .iter()
                        .any(|request| -(request.point as f64) == best),
                    "the best of the first round is in the last"
                );
            }
        }
        Ok(rounds)
    }

    #[test]
    fn the_first_round_is_the_largest_and_the_budget_lasts() -> Result<(), crate::Error> {
        assert_eq!([1, 2, 3, 4, 9, 16].map(lowest), [1, 2, 3, 1, 3, 1]);
        assert_eq!(rounds(22.0, 16)?, [(150, 1), (23, 4), (6, 16)]);
        assert_eq!(rounds(10.0, 16)?, [(72, 1), (9, 4), (3, 16)]);
        assert_eq!(rounds(1.5, 16)?, [(1, 16)]);
        assert_eq!(rounds(f64::INFINITY, 16)?, [(150, 1), (38, 4), (10, 16)]);
        assert_eq!(rounds(22.0, 1)?, [(22, 1)]);
        Ok(())
    }
}
