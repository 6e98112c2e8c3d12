//! Successive halving: little effort for many, all of it for few.
//!
//! With a full effort of 16 the rounds try with 1, 4 and 16, and a quarter goes on from each. So each round costs about the same, and the
//! first one has as many points as the budget allows.

use rand::SeedableRng;
use rand::rngs::StdRng;

use super::random::shuffled;
use super::{Known, Request, Strategy};

/// One of so many goes on to the next round, which has so many times the effort.
const KEPT: u32 = 4;

pub(super) struct Halving {
    random: StdRng,
    /// The points of the round that was asked for, and its effort; none before the first.
    round: Option<(Vec<usize>, u32)>,
}

impl Halving {
    pub(super) fn new(seed: u64) -> Self {
        Halving { random: StdRng::seed_from_u64(seed), round: None }
    }

    fn first(&mut self, known: &Known<'_>) -> (Vec<usize>, u32) {
        let mut points = shuffled(known.points.len(), &mut self.random);
        if known.left.is_finite() {
            let most = (1..=points.len()).rev().find(|count| cost(*count, known.full) <= known.left);
            points.truncate(most.unwrap_or(1));
        }
        (points, lowest(known.full))
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

/// How many go on; at least one.
fn kept(count: usize) -> usize {
    count.div_ceil(KEPT as usize)
}

/// What a search costs that begins with so many points, in evaluations of full effort.
fn cost(mut count: usize, full: u32) -> f64 {
    let (mut effort, mut sum) = (lowest(full), 0.0);
    loop {
        sum += count as f64 * f64::from(effort) / f64::from(full);
        if effort >= full {
            return sum;
        }
        (count, effort) = (kept(count), (effort * KEPT).min(full));
    }
}

impl Strategy for Halving {
    fn ask(&mut self, known: &Known<'_>) -> Vec<Request> {
        let (points, effort) = match self.round.take() {
            None => self.first(known),
            Some((_, effort)) if effort >= known.full => return Vec::new(),
            Some((points, effort)) => {
                let few = kept(points.len());
                (known.ranked(points).into_iter().take(few).collect(), (effort * KEPT).min(known.full))
            }
        };
        let requests = points.iter().map(|point| Request { point: *point, effort }).collect();
        self.round = Some((points, effort));
        requests
    }
}

#[cfg(test)]
mod tests {
    use super::{cost, lowest};

    #[test]
    fn each_round_costs_about_the_same() {
        assert_eq!([1, 2, 3, 4, 9, 16].map(lowest), [1, 2, 3, 1, 3, 1]);
        assert_eq!(cost(64, 16), 3.0 * 64.0 / 16.0);
        assert_eq!(cost(64, 1), 64.0);
        assert_eq!(cost(5, 4), 5.0 / 4.0 + 2.0);
    }
}
