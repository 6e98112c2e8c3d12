//! Hill-climbing with several starts.
//!
//! A third of a small budget goes to random points, and a seventh of a large one; a budget of fewer than 4 goes to them as a whole, because climbing would have no
//! step left. From the best of them the search looks at
//! neighbours, one *direction* after the other: along each ordered parameter; along two of them at
//! once, because the best numbers of elements and of threads, say, belong together and neither can
//! be changed alone; and at last at the other choices of a word, which are many. All neighbours in
//! one direction are one batch, and the search moves when one of them is better. Where no direction
//! helps it begins again at the best point from which it has not climbed yet, which may be one that
//! it has passed by.

use std::collections::BTreeSet;

use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;

use super::random::shuffled;
use super::{Known, Request, Strategy};

/// Budgets of fewer evaluations than this are all random starts.
const ALL_STARTS: f64 = 4.0;
/// One evaluation in this many is a random start: of a small budget, until there are `MANY`, and of a large one.
const SHARE_OF_FEW: f64 = 3.0;
const MANY: f64 = 8.0;
const SHARE_OF_STARTS: f64 = 7.0;
/// The random points, of a search without a budget.
const STARTS: usize = 16;

pub(super) struct Climb {
    random: StdRng,
    /// Points in random order, for starts.
    order: Vec<usize>,
    /// Where it stands, with the directions that are still to be looked in, the next one last.
    at: Option<(usize, Vec<Vec<usize>>)>,
    /// Points from which it has climbed.
    climbed: BTreeSet<usize>,
}

impl Climb {
    pub(super) fn new(seed: u64) -> Self {
        Climb {
            random: StdRng::seed_from_u64(seed),
            order: Vec::new(),
            at: None,
            climbed: BTreeSet::new(),
        }
    }

    fn starts(&mut self, known: &Known<'_>) -> Vec<Request> {
        self.order = shuffled(known.points.len(), &mut self.random);
        let left = known.left;
        let starts = match left {
            _ if !left.is_finite() => STARTS,
            _ if left < ALL_STARTS => left as usize,
            _ => (left / SHARE_OF_FEW).min(MANY.max(left / SHARE_OF_STARTS)) as usize,
        };
        known.fully(self.order.iter().copied().take(starts.max(1)))
    }

    /// Stands at a point, with all directions before it.
    fn stand(&mut self, point: usize, known: &Known<'_>) {
        self.climbed.insert(point);
        let mut directions = Vec::new();
        for mut alike in known.points.directions().into_iter().rev() {
            alike.shuffle(&mut self.random);
            directions.extend(alike);
        }
        self.at = Some((point, directions));
    }

    /// The best point that is tried and not climbed from; else one that is not tried yet, which has
    /// to be asked for.
    fn begin_again(&mut self, known: &Known<'_>) -> Option<Vec<Request>> {
        let fresh = known
            .scores
            .keys()
            .copied()
            .filter(|point| !self.climbed.contains(point));
        if let Some(best) = known.ranked(fresh).first() {
            self.stand(*best, known);
            return None;
        }
        let untried = self
            .order
            .iter()
            .copied()
            .find(|point| !known.is_tried(*point));
        Some(known.fully(untried))
    }
}

impl Strategy for Climb {
    fn ask(&mut self, known: &Known<'_>) -> Vec<Request> {
        if self.order.is_empty() {
            return self.starts(known);
        }
        loop {
            let Some((here, directions)) = &mut self.at else {
                match self.begin_again(known) {
                    Some(requests) => return requests,
                    None => continue,
                }
            };
            let (here, Some(direction)) = (*here, directions.last()) else {
                self.at = None;
                continue;
            };
            let neighbours = known.points.neighbours(here, direction);
            let untried: Vec<usize> = neighbours
                .iter()
                .copied()
                .filter(|point| !known.is_tried(*point))
                .collect();
            if !untried.is_empty() {
                return known.fully(untried);
            }
            directions.pop();
            let best = known.ranked(neighbours).first().copied();
            if let Some(best) = best.filter(|best| known.score(*best) < known.score(here)) {
                self.stand(best, known);
            }
        }
    }
}
