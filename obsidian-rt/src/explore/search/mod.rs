//! Searches: which candidates are tried, and in which order.
//!
//! A search asks for candidates in batches, and is told what they cost before it asks again. What
//! it asks for depends on its seed and on these costs alone, not on cores or the clock. So a run
//! that was ended and started again, with the costs out of its file, goes the same way again.

mod climb;
mod grid;
mod halving;
mod random;

use std::collections::BTreeMap;

use super::space::Points;
use crate::error::{Error, ErrorKind, Result};

/// How candidates are chosen.
///
/// ```
/// # use obsidian_rt::explore::{Candidate, Explore, Gpu, Job, Objective, Space};
/// # use obsidian_rt::{TypedKernel, language::*};
/// #
/// # let job = Job::new(vec![1u32; 256], |x| x.iter().map(|x| 2 * x).collect::<Vec<u32>>());
/// # let space = Space::new().list("threads", [32, 64]);
/// # let exploration = Explore::new(space, Objective::predicted(Gpu::named("H100")?), job, |point| {
/// #     let kernel = TypedKernel::build("doubled", point.u32("threads")?, |x: DPull<EU32>| {
/// #         x.split_up(64).as_grid_map(|x| x.map(|x| x * 2).push())
/// #     })?;
/// #     Ok(Candidate::of(kernel))
/// # });
/// use obsidian_rt::explore::Search;
///
/// let explored = exploration.search(Search::Climb { seed: 1 }).at_most(2).run()?;
/// assert!(explored.results.best().is_some());
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Search {
    /// Every point of the space, in order.
    Grid,
    /// Points of the space in an order that the seed decides, none twice.
    Random {
        /// Decides the order.
        seed: u64,
    },
    /// Steps from good points to better neighbours: some points at random, then from the best of
    /// them, one or two parameters at a time, until no neighbour is better; then from the next
    /// best.
    Climb {
        /// Decides where it starts, and which parameter is tried first.
        seed: u64,
    },
    /// Many points with little effort, the best quarter of them at most with four times as much,
    /// and so on up to the full effort.
    ///
    /// Budgets count effort, here as everywhere: of a prediction by 16 blocks, a try that counts
    /// one block is a sixteenth of an evaluation. So 47 evaluations are hundreds of points tried by
    /// one block, some tens by four, and about a dozen by all. What it costs to build a candidate
    /// is not in it: each point is built once for each try.
    ///
    /// It needs a full effort of at least 4: with less there is one round, which would be random search.
    Halving {
        /// Decides which points take part.
        seed: u64,
    },
}

/// A try that a search asks for: a point by number, and an effort of at most the full one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Request {
    pub(super) point: usize,
    pub(super) effort: u32,
}

/// What a search is told.
pub(super) struct Known<'a> {
    pub(super) points: &'a Points,
    /// The full effort.
    pub(super) full: u32,
    /// How many evaluations are left, each of full effort.
    pub(super) left: f64,
    /// The newest score of each point that was tried; none if it is not good.
    pub(super) scores: &'a BTreeMap<usize, Option<f64>>,
}

impl Known<'_> {
    /// Those of the points that are good, from the best on; equal ones by number.
    fn ranked(&self, points: impl IntoIterator<Item = usize>) -> Vec<usize> {
        let mut good: Vec<(f64, usize)> = points
            .into_iter()
            .filter_map(|point| Some(((*self.scores.get(&point)?)?, point)))
            .collect();
        good.sort_by(|(a, i), (b, j)| a.total_cmp(b).then(i.cmp(j)));
        good.into_iter().map(|(_, point)| point).collect()
    }

    fn score(&self, point: usize) -> Option<f64> {
        self.scores.get(&point).copied().flatten()
    }

    fn is_tried(&self, point: usize) -> bool {
        self.scores.contains_key(&point)
    }

    /// Tries with full effort.
    fn fully(&self, points: impl IntoIterator<Item = usize>) -> Vec<Request> {
        points
            .into_iter()
            .map(|point| Request {
                point,
                effort: self.full,
            })
            .collect()
    }
}

/// One search under way.
pub(super) trait Strategy {
    /// The next batch; empty at the end.
    fn ask(&mut self, known: &Known<'_>) -> Vec<Request>;
}

impl Search {
    /// Goes through points whose scores are known, as an exploration would within a budget of evaluations of full effort: gives the point of the best
    /// score of full effort that it finds. For judging searches without trying anything.
    ///
    /// `score` is asked for a point by number and an effort of at most `full`; none for a point that is not good.
    ///
    /// ```
    /// # use obsidian_rt::explore::{Candidate, Explore, Gpu, Job, Objective, Space};
    /// # use obsidian_rt::{TypedKernel, language::*};
    /// #
    /// # let job = Job::new(vec![1u32; 256], |x| x.iter().map(|x| 2 * x).collect::<Vec<u32>>());
    /// # let space = Space::new().list("threads", [32, 64]);
    /// # let exploration = Explore::new(space, Objective::predicted(Gpu::named("H100")?), job, |point| {
    /// #     let kernel = TypedKernel::build("doubled", point.u32("threads")?, |x: DPull<EU32>| {
    /// #         x.split_up(64).as_grid_map(|x| x.map(|x| x * 2).push())
    /// #     })?;
    /// #     Ok(Candidate::of(kernel))
    /// # });
    /// use obsidian_rt::explore::Search;
    /// let points = Space::new().range("n", 0..=99).points()?;
    /// // The best of 100 known scores, by 20 tries.
    /// let found = Search::Climb { seed: 1 }.rehearse(&points, 1, 20.0, |n, _| Some((n as f64 - 50.0).abs()));
    /// assert!(found.is_some());
    /// # let _ = exploration;
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn rehearse(
        self,
        points: &Points,
        full: u32,
        budget: f64,
        score: impl Fn(usize, u32) -> Option<f64>,
    ) -> Option<usize> {
        let (mut search, mut scores, mut left) = (self.begin(), BTreeMap::new(), budget);
        let mut best: Option<(f64, usize)> = None;
        loop {
            let known = Known {
                points,
                full,
                left,
                scores: &scores,
            };
            let requests = affordable(search.ask(&known), left, full);
            if requests.is_empty() {
                return best.map(|(_, point)| point);
            }
            for Request { point, effort } in requests {
                let found = score(point, effort);
                scores.insert(point, found);
                left -= f64::from(effort) / f64::from(full);
                if let Some(found) = found.filter(|_| effort == full)
                    && best.is_none_or(|(least, _)| found < least)
                {
                    best = Some((found, point));
                }
            }
        }
    }

    /// Can it be done with this full effort?
    pub(super) fn check(self, effort: u32) -> Result<()> {
        match self {
            Search::Halving { .. } if effort < halving::KEPT => {
                let message = format!(
                    "successive halving begins with a quarter of the effort or less, and the full effort is {effort}: take `Search::Random`, or an effort \
                     of at least {}",
                    halving::KEPT
                );
                Err(Error::new(ErrorKind::Space, message)
                    .exceeded(effort.into(), halving::KEPT.into()))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn begin(self) -> Box<dyn Strategy> {
        match self {
            Search::Grid => Box::<grid::Grid>::default(),
            Search::Random { seed } => Box::new(random::Random::new(seed)),
            Search::Climb { seed } => Box::new(climb::Climb::new(seed)),
            Search::Halving { seed } => Box::new(halving::Halving::new(seed)),
        }
    }
}

/// As many of the requests as the evaluations that are left allow.
pub(super) fn affordable(mut requests: Vec<Request>, left: f64, full: u32) -> Vec<Request> {
    let mut sum = 0;
    let mut fits = |request: &Request| {
        sum += u64::from(request.effort);
        sum as f64 <= left * f64::from(full) + 1e-6
    };
    let count = requests.iter().take_while(|request| fits(request)).count();
    requests.truncate(count);
    requests
}
