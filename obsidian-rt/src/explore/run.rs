//! An exploration: a search asks, candidates are tried, and what comes of each is written down.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use super::candidate::Candidate;
use super::evaluate::{Evaluator, Task, Tried};
use super::journal::{Entry, HASH_OF_NOTHING, Journal, hash};
use super::objective::Objective;
use super::progress::Progress;
use super::result::{Evaluated, Outcome, Point, Results};
use super::search::{Known, Request, Search};
use super::space::{Points, Space};
use crate::error::{Error, Result};

/// An exploration that is being described; [`run`](Explore::run) does it.
pub struct Explore {
    space: Space,
    search: Search,
    evaluator: Evaluator,
    most_candidates: Option<usize>,
    most_time: Option<Duration>,
    file: Option<PathBuf>,
    watch: Watch,
}

type Watch = Box<dyn FnMut(&Progress) + Send>;

/// What an exploration has found, and what it took.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Explored {
    /// The candidates that were tried with full effort, could not be built, or failed.
    pub results: Results,
    /// Those that were tried with less effort only, and given up: of [`Search::Halving`]. Their
    /// scores are less certain.
    pub given_up: Vec<Evaluated>,
    /// Tries, in evaluations of full effort: a try with a quarter of it, 4 of 16 blocks say, is a
    /// quarter.
    pub evaluations: f64,
    /// Tries that were taken out of the file instead of being made again.
    pub resumed: usize,
    /// Seconds since the exploration began, over all runs.
    pub seconds: f64,
}

impl Explore {
    /// Explores a space; `build` makes a candidate of each point, from kernels that it builds
    /// natively. It is called on all cores at once, for a point more than once, and has to give the
    /// same each time.
    pub fn new(
        space: Space,
        objective: Objective,
        build: impl Fn(&Point) -> Result<Candidate> + Send + Sync + 'static,
    ) -> Self {
        let workers = available_parallelism().map_or(1, |cores| cores.get());
        let evaluator = Evaluator {
            build: Arc::new(build),
            objective,
            limit: Duration::from_secs(60),
            workers,
        };
        let watch = Box::new(|_: &Progress| ());
        Explore {
            space,
            search: Search::Grid,
            evaluator,
            most_candidates: None,
            most_time: None,
            file: None,
            watch,
        }
    }

    /// How candidates are chosen; [`Search::Grid`] by default.
    #[must_use]
    pub fn search(self, search: Search) -> Self {
        Explore { search, ..self }
    }

    /// Stops after `candidates` full evaluations (at least 1). A failed build counts as
    /// one, and a try with a part of the effort counts as that part. No limit by default.
    #[must_use]
    pub fn at_most(self, candidates: usize) -> Self {
        Explore {
            most_candidates: Some(candidates.max(1)),
            ..self
        }
    }

    /// Begins no try after this time, over all runs. No limit by default. Unlike all else, where
    /// this ends a search is not the same each time.
    #[must_use]
    pub fn within(self, time: Duration) -> Self {
        Explore {
            most_time: Some(time),
            ..self
        }
    }

    /// Gives a candidate up that takes longer than this, 60 seconds by default; for measurements,
    /// also each repeat. What was given up may go on in the background until it ends by itself: a
    /// thread cannot be stopped.
    #[must_use]
    pub fn time_out(mut self, time: Duration) -> Self {
        self.evaluator.limit = time;
        self
    }

    /// How many candidates are built and predicted at once, at least 1; as many as there are cores
    /// by default. The results are the same.
    #[must_use]
    pub fn workers(mut self, workers: usize) -> Self {
        self.evaluator.workers = workers.max(1);
        self
    }

    /// Writes what comes of each try to this file, and takes from it what is there already: a run
    /// that was killed goes on. The file belongs to the points of the space and to the objective;
    /// any search may use it. It knows nothing of the kernels: use another when they change.
    #[must_use]
    pub fn file(self, path: impl AsRef<Path>) -> Self {
        Explore {
            file: Some(path.as_ref().to_owned()),
            ..self
        }
    }

    /// Calls a function after each try, for a progress bar: [`Bar::show`](super::Bar::show).
    #[must_use]
    pub fn on_progress(self, watch: impl FnMut(&Progress) + Send + 'static) -> Self {
        Explore {
            watch: Box::new(watch),
            ..self
        }
    }

    /// Explores.
    ///
    /// What is wrong with a candidate is its [`Outcome`], and no error.
    ///
    /// # Errors
    /// [`Space`](crate::ErrorKind::Space) for a space that is none;
    /// [`File`](crate::ErrorKind::File) and [`DamagedFile`](crate::ErrorKind::DamagedFile) for a
    /// file that cannot be used, with the [line](crate::Error::line).
    pub fn run(self) -> Result<Explored> {
        let points = self.space.points()?;
        let (journal, entries) = self.open(&points)?;
        let elapsed = entries.last().map_or(0.0, |entry| entry.elapsed);
        let planned = self
            .most_candidates
            .unwrap_or(points.len())
            .min(points.len()) as f64;
        let tried: BTreeMap<(usize, u32), Tried> = entries
            .into_iter()
            .map(|entry| ((entry.point, entry.effort), entry.tried))
            .collect();
        let log = Log {
            journal,
            resumed: 0,
            tried,
            done: 0.0,
            best: None,
            failure: None,
            watch: self.watch,
        };
        let begun = Instant::now()
            .checked_sub(Duration::from_secs_f64(elapsed))
            .unwrap_or_else(Instant::now);
        let run = Run {
            points,
            evaluator: self.evaluator,
            begun,
            most_time: self.most_time,
            planned,
            log: Mutex::new(log),
        };
        run.search(
            self.search,
            self.most_candidates
                .map_or(f64::INFINITY, |most| most as f64),
        )
    }

    fn open(&self, points: &Points) -> Result<(Option<Journal>, Vec<Entry>)> {
        let Some(path) = &self.file else {
            return Ok((None, Vec::new()));
        };
        let objective = &self.evaluator.objective;
        let words = format!("{objective}, with an effort of {}", objective.effort());
        let of_words = hash(HASH_OF_NOTHING, words.as_bytes());
        let identity = (0..points.len()).fold(of_words, |sum, number| {
            hash(
                hash(sum, b"\n"),
                points.point(number).to_string().as_bytes(),
            )
        });
        let (journal, entries) = Journal::open(path, identity, &words, points.len())?;
        Ok((Some(journal), entries))
    }
}

impl fmt::Debug for Explore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Explore");
        shown
            .field("space", &self.space)
            .field("search", &self.search)
            .field("objective", &self.evaluator.objective);
        shown.field("file", &self.file).finish_non_exhaustive()
    }
}

/// An exploration under way.
struct Run {
    points: Points,
    evaluator: Evaluator,
    begun: Instant,
    most_time: Option<Duration>,
    /// Evaluations of full effort, at most.
    planned: f64,
    log: Mutex<Log>,
}

/// What has come of it so far.
struct Log {
    journal: Option<Journal>,
    /// By point and effort.
    tried: BTreeMap<(usize, u32), Tried>,
    resumed: usize,
    /// Evaluations of full effort.
    done: f64,
    best: Option<(f64, usize)>,
    /// The file could not be written.
    failure: Option<Error>,
    watch: Watch,
}

impl Run {
    fn search(self, search: Search, budget: f64) -> Result<Explored> {
        let full = self.evaluator.objective.effort();
        let (mut strategy, mut scores, mut order) = (search.begin(), BTreeMap::new(), Vec::new());
        let mut spent = 0.0;
        loop {
            let known = Known {
                points: &self.points,
                full,
                left: budget - spent,
                scores: &scores,
            };
            let requests = affordable(strategy.ask(&known), budget - spent, full);
            if requests.is_empty() {
                break;
            }
            let is_complete = self.try_all(&requests)?;
            let log = self.lock();
            for request in requests {
                if let Some(tried) = log.tried.get(&(request.point, request.effort)) {
                    scores.insert(request.point, tried.outcome.score());
                    spent += f64::from(request.effort) / f64::from(full);
                    order.push(request);
                }
            }
            if !is_complete {
                break;
            }
        }
        Ok(self.finish(&order, spent))
    }

    /// Makes those tries that are not in the file; says whether there was time for all.
    fn try_all(&self, requests: &[Request]) -> Result<bool> {
        let mut fresh = Vec::new();
        for request in requests {
            if self
                .lock()
                .tried
                .contains_key(&(request.point, request.effort))
            {
                self.heard(*request, None);
            } else {
                fresh.push(*request);
            }
        }
        if fresh.is_empty() {
            return Ok(true);
        }
        if self.is_late() {
            return Ok(false);
        }
        let tasks: Vec<Task> = fresh
            .iter()
            .map(|Request { point, effort }| Task {
                point: self.points.point(*point),
                effort: *effort,
            })
            .collect();
        self.evaluator.evaluate(&tasks, &|number, tried| {
            self.heard(fresh[number], Some(tried)) && !self.is_late()
        });
        let mut log = self.lock();
        match log.failure.take() {
            Some(error) => Err(error),
            None => Ok(fresh
                .iter()
                .all(|request| log.tried.contains_key(&(request.point, request.effort)))),
        }
    }

    /// Writes down what came of a try, if it is new, and tells of the progress; false if it could
    /// not be written.
    fn heard(&self, request: Request, fresh: Option<Tried>) -> bool {
        let elapsed = self.begun.elapsed();
        let mut log = self.lock();
        let log = &mut *log;
        let key = (request.point, request.effort);
        match fresh {
            None => log.resumed += 1,
            Some(tried) => {
                let entry = Entry {
                    point: key.0,
                    effort: key.1,
                    elapsed: elapsed.as_secs_f64(),
                    tried,
                };
                if let Some(Err(error)) = log.journal.as_mut().map(|journal| journal.write(&entry))
                {
                    log.failure.get_or_insert(error);
                    return false;
                }
                log.tried.insert(key, entry.tried);
            }
        }
        log.done += f64::from(request.effort) / f64::from(self.evaluator.objective.effort());
        let score = log.tried.get(&key).and_then(|tried| tried.outcome.score());
        if let Some(score) = score.filter(|_| request.effort == self.evaluator.objective.effort()) {
            let is_better = log
                .best
                .is_none_or(|(best, point)| (score, key.0) < (best, point));
            log.best = if is_better {
                Some((score, key.0))
            } else {
                log.best
            };
        }
        let planned = self.planned.max(log.done);
        let left = elapsed.mul_f64((planned - log.done) / log.done);
        let left = Some(
            self.most_time
                .map_or(left, |most| left.min(most.saturating_sub(elapsed))),
        );
        let best = log
            .best
            .map(|(score, point)| (self.points.point(point), score));
        (log.watch)(&Progress {
            done: log.done,
            planned,
            best,
            elapsed,
            left,
        });
        true
    }

    fn is_late(&self) -> bool {
        self.most_time
            .is_some_and(|most| self.begun.elapsed() >= most)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Log> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn finish(self, order: &[Request], evaluations: f64) -> Explored {
        let (full, mut log) = (self.evaluator.objective.effort(), self.lock());
        let mut last: BTreeMap<usize, u32> = BTreeMap::new();
        last.extend(order.iter().map(|request| (request.point, request.effort)));
        let (mut evaluated, mut given_up) = (Vec::new(), Vec::new());
        for request in order
            .iter()
            .filter(|request| last.get(&request.point) == Some(&request.effort))
        {
            let Some(Tried { outcome, needs }) = log.tried.remove(&(request.point, request.effort))
            else {
                continue;
            };
            let is_certain = request.effort == full || !matches!(outcome, Outcome::Good { .. });
            let list = if is_certain {
                &mut evaluated
            } else {
                &mut given_up
            };
            list.push(Evaluated {
                point: self.points.point(request.point),
                outcome,
                cuda: None,
                needs,
            });
        }
        let parameters = self.points.names();
        let mut results = Results {
            objective: self.evaluator.objective.to_string(),
            parameters,
            evaluated,
        };
        self.add_texts(&mut results);
        Explored {
            results,
            given_up,
            evaluations,
            resumed: log.resumed,
            seconds: self.begun.elapsed().as_secs_f64(),
        }
    }

    /// The texts of the best, the second and the worst: built again, so that those of all others
    /// need not be kept.
    fn add_texts(&self, results: &mut Results) {
        let ranked = results.ranked();
        let shown: BTreeSet<Point> = ranked
            .iter()
            .take(2)
            .chain(ranked.last())
            .map(|evaluated| evaluated.point.clone())
            .collect();
        for evaluated in results
            .evaluated
            .iter_mut()
            .filter(|evaluated| shown.contains(&evaluated.point))
        {
            evaluated.cuda = self.evaluator.text(&evaluated.point);
        }
    }
}

/// As many of the requests as the evaluations that are left allow.
fn affordable(mut requests: Vec<Request>, left: f64, full: u32) -> Vec<Request> {
    let mut sum = 0;
    let mut fits = |request: &Request| {
        sum += u64::from(request.effort);
        sum as f64 <= left * f64::from(full) + 1e-6
    };
    let count = requests.iter().take_while(|request| fits(request)).count();
    requests.truncate(count);
    requests
}
