//! Hill-climbing with several starts.
//!
//! A third of the budget goes to random points. From the best of them the search looks at the neighbours along one parameter after the
//! other, in random order, all neighbours of one parameter in one batch, and moves when one is better. Where no parameter helps it begins
//! again at the best point from which it has not climbed yet, which may be one that it has passed by.

use std::collections::BTreeSet;

use rand::SeedableRng;
use rand::rngs::StdRng;

use super::random::shuffled;
use super::{Known, Request, Strategy};

/// The random points, of a search without a budget.
const STARTS: usize = 16;

pub(super) struct Climb {
    random: StdRng,
    /// Points in random order, for starts.
    order: Vec<usize>,
    /// Where it stands, with the parameters that are still to be looked along.
    at: Option<(usize, Vec<usize>)>,
    /// Points from which it has climbed.
    climbed: BTreeSet<usize>,
}

impl Climb {
    pub(super) fn new(seed: u64) -> Self {
        Climb { random: StdRng::seed_from_u64(seed), order: Vec::new(), at: None, climbed: BTreeSet::new() }
    }

    fn starts(&mut self, known: &Known<'_>) -> Vec<Request> {
        self.order = shuffled(known.points.len(), &mut self.random);
        let third = if known.left.is_finite() { (known.left / 3.0) as usize } else { STARTS };
        known.fully(self.order.iter().copied().take(third.max(1)))
    }

    /// Stands at a point, with all parameters before it.
    fn stand(&mut self, point: usize, known: &Known<'_>) {
        self.climbed.insert(point);
        self.at = Some((point, shuffled(known.points.dimensions(), &mut self.random)));
    }

    /// The best point that is tried and not climbed from; else one that is not tried yet, which has to be asked for.
    fn begin_again(&mut self, known: &Known<'_>) -> Option<Vec<Request>> {
        let fresh = known.scores.keys().copied().filter(|point| !self.climbed.contains(point));
        if let Some(best) = known.ranked(fresh).first() {
            self.stand(*best, known);
            return None;
        }
        let untried = self.order.iter().copied().find(|point| !known.is_tried(*point));
        Some(known.fully(untried))
    }
}

impl Strategy for Climb {
    fn ask(&mut self, known: &Known<'_>) -> Vec<Request> {
        if self.order.is_empty() {
            return self.starts(known);
        }
        loop {
            let Some((here, along)) = &mut self.at else {
                match self.begin_again(known) {
                    Some(requests) => return requests,
                    None => continue,
                }
            };
            let (here, Some(parameter)) = (*here, along.last().copied()) else {
                self.at = None;
                continue;
            };
            let neighbours = known.points.neighbours(here, parameter);
            let untried: Vec<usize> = neighbours.iter().copied().filter(|point| !known.is_tried(*point)).collect();
            if !untried.is_empty() {
                return known.fully(untried);
            }
            along.pop();
            let better = |point: &&usize| known.score(**point) < known.score(here) && known.score(**point).is_some();
            if let Some(best) = known.ranked(neighbours).iter().find(better) {
                self.stand(*best, known);
            }
        }
    }
}
