//! The exploration of one key: its search, and what becomes of the best.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::evaluate::{Done, GROUP, Stage, Task, Tried, Trying};
use super::journal::{Entry, Journal};
use super::objective::Objective;
use super::progress::Progress;
use super::result::{Checked, Evaluated, Outcome, Point, Rank};
use super::run::{Explored, Watch};
use super::search::{Known, Request, Search, affordable};
use super::space::Points;
use crate::error::{Error, ErrorKind, Result};

/// How many of the best candidates are checked as a whole.
pub(super) const BEST: usize = 8;

/// The exploration of one key under way.
pub(super) struct Run<'a> {
    pub(super) points: Points,
    pub(super) trying: Trying<'a>,
    pub(super) objective: &'a Objective,
    /// The full effort.
    pub(super) effort: u32,
    pub(super) begun: Instant,
    pub(super) most_time: Option<Duration>,
    /// Evaluations of full effort, at most.
    pub(super) planned: f64,
    /// Are the best compiled?
    pub(super) compiles: bool,
    /// What measures the best, if that is asked for.
    pub(super) measuring: Option<&'a Objective>,
    pub(super) log: &'a Mutex<Log>,
}

/// What has come of it so far.
pub(super) struct Log {
    pub(super) journal: Option<Journal>,
    /// What the file says, by number in the space, effort and stage.
    pub(super) known: BTreeMap<(usize, u32, Stage), Tried>,
    /// What was tried, or found to be as the file says.
    pub(super) tried: BTreeMap<(usize, u32), Tried>,
    pub(super) resumed: usize,
    /// Evaluations of full effort.
    pub(super) done: f64,
    /// Candidates that the device cannot run, and whether it can run any.
    pub(super) unfit: usize,
    pub(super) fit: bool,
    pub(super) best: Option<(f64, Point)>,
    /// Why nothing more is compiled: the compiler does not work.
    pub(super) uncompiled: Option<String>,
    /// Why not all of the best were measured, that should have been.
    pub(super) unmeasured: Option<String>,
    /// The exploration cannot go on.
    pub(super) failure: Option<Error>,
    pub(super) watch: Watch,
}

/// The efforts with which candidates were tried last, and the keys of what was tried.
pub(super) type Keys = BTreeMap<Point, (u32, u64)>;

/// The candidates in the order of the search.
struct Sorted {
    evaluated: Vec<Evaluated>,
    /// Those that were tried with less effort only.
    given_up: Vec<Evaluated>,
    keys: Keys,
}

impl Run<'_> {
    pub(super) fn search(self, search: Search, budget: f64, explored: &mut Explored) -> Result<()> {
        let full = self.effort;
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
                if let Some(tried) = log.tried.get(&self.key(request)) {
                    scores.insert(request.point, tried.outcome.score());
                    spent += f64::from(request.effort) / f64::from(full);
                    order.push(request);
                }
            }
            if !is_complete {
                break;
            }
        }
        explored.evaluations += spent;
        let Sorted {
            mut evaluated,
            mut given_up,
            keys,
        } = self.sorted(&order);
        let mut compiled = BTreeSet::new();
        self.compile_best(&mut evaluated, &keys, &mut compiled)?;
        let mut measured = BTreeSet::new();
        loop {
            self.check_best(&mut evaluated, &keys)?;
            if self.compile_best(&mut evaluated, &keys, &mut compiled)? {
                continue;
            }
            self.take_back(&mut evaluated, &mut given_up, &keys)?;
            if self.measure_best(&mut evaluated, &keys, &mut measured)? {
                continue;
            }
            // Those that fail now leave room for others.
            if !self.measure_again(&mut evaluated, &keys)? || self.measuring.is_none() {
                break;
            }
        }
        self.add_texts(&mut evaluated, &keys)?;
        explored.results.evaluated.extend(evaluated);
        explored.given_up.extend(given_up);
        Ok(())
    }

    fn key(&self, request: Request) -> (usize, u32) {
        (self.points.number_in_space(request.point), request.effort)
    }

    /// The same for what the file says.
    fn known_by(&self, request: Request) -> (usize, u32, Stage) {
        let (number, effort) = self.key(request);
        (number, effort, Stage::Tried)
    }

    /// Makes tries, or takes them out of the file; says whether there was time for all.
    fn try_all(&self, requests: &[Request]) -> Result<bool> {
        if self.is_late() {
            return Ok(false);
        }
        let is_new = |request: &&Request| !self.lock().tried.contains_key(&self.key(**request));
        let fresh: Vec<Request> = requests.iter().filter(is_new).copied().collect();
        let tasks: Vec<Task> = fresh
            .iter()
            .map(|request| Task {
                number: self.points.number_in_space(request.point),
                point: self.points.point(request.point),
                effort: request.effort,
                known: self
                    .lock()
                    .known
                    .get(&self.known_by(*request))
                    .and_then(|tried| tried.key),
                stage: Stage::Tried,
                of: None,
            })
            .collect();
        let evaluated = self
            .trying
            .evaluate(self.objective, &tasks, &|number, done| {
                self.heard(fresh[number], done) && !self.is_late()
            });
        let mut log = self.lock();
        if let Some(error) = log.failure.take() {
            return Err(error);
        }
        evaluated?;
        Ok(requests
            .iter()
            .all(|request| log.tried.contains_key(&self.key(*request))))
    }

    /// Writes down what came of a try, if it is new, and tells of the progress; false if the exploration cannot go on.
    fn heard(&self, request: Request, done: Done) -> bool {
        let elapsed = self.begun.elapsed();
        let mut log = self.lock();
        let log = &mut *log;
        let key = self.key(request);
        match done {
            Done::Same => {
                let Some(tried) = log.known.get(&self.known_by(request)) else {
                    return true;
                };
                log.resumed += 1;
                log.tried.insert(key, tried.clone());
            }
            Done::Tried(tried) => {
                let entry = Entry {
                    point: key.0,
                    effort: key.1,
                    stage: Stage::Tried,
                    elapsed: elapsed.as_secs_f64(),
                    tried: *tried,
                };
                let journal = log.journal.as_mut().filter(|_| entry.tried.is_kept());
                if let Some(Err(error)) = journal.map(|journal| journal.write(&entry)) {
                    log.failure.get_or_insert(error);
                    return false;
                }
                log.tried.insert(key, entry.tried);
            }
        }
        log.done += f64::from(request.effort) / f64::from(self.effort);
        let Some(tried) = log.tried.get(&key) else {
            return true;
        };
        match &tried.outcome {
            _ if tried.unfit => log.unfit += 1,
            Outcome::CannotBuild(_) => {}
            _ => log.fit = true,
        }
        let point = self.points.point(request.point);
        if !log.fit && log.unfit >= GROUP.min(self.points.len()) {
            let reason = tried.outcome.reason().unwrap_or_default();
            let message = format!(
                "no candidate of the first {} can run here; {point}: {reason}",
                log.unfit
            );
            log.failure
                .get_or_insert(Error::new(ErrorKind::CannotRun, message));
            return false;
        }
        if let Some(score) = tried
            .outcome
            .score()
            .filter(|_| request.effort == self.effort)
        {
            let is_better = log.best.as_ref().is_none_or(|(best, _)| score < *best);
            if is_better {
                log.best = Some((score, point));
            }
        }
        let planned = self.planned.max(log.done);
        let left = elapsed.mul_f64((planned - log.done) / log.done);
        let left = Some(
            self.most_time
                .map_or(left, |most| left.min(most.saturating_sub(elapsed))),
        );
        (log.watch)(&Progress {
            done: log.done,
            planned,
            best: log.best.clone().map(|(score, point)| (point, score)),
            elapsed,
            left,
        });
        true
    }

    pub(super) fn is_late(&self) -> bool {
        self.most_time
            .is_some_and(|most| self.begun.elapsed() >= most)
    }

    pub(super) fn lock(&self) -> std::sync::MutexGuard<'_, Log> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The candidates in the order of the search, and those that were given up.
    fn sorted(&self, order: &[Request]) -> Sorted {
        let mut log = self.lock();
        // Of another job, another is the best.
        log.best = None;
        let mut last: BTreeMap<usize, u32> = BTreeMap::new();
        last.extend(order.iter().map(|request| (request.point, request.effort)));
        let (mut evaluated, mut given_up) = (Vec::new(), Vec::new());
        let mut keys = BTreeMap::new();
        for request in order
            .iter()
            .filter(|request| last.get(&request.point) == Some(&request.effort))
        {
            let Some(tried) = log.tried.remove(&self.key(*request)) else {
                continue;
            };
            let Tried { outcome, needs, .. } = tried;
            if let Some(key) = tried.key {
                keys.insert(self.points.point(request.point), (request.effort, key));
            }
            let is_certain = request.effort == self.effort || outcome.score().is_none();
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
        Sorted {
            evaluated,
            given_up,
            keys,
        }
    }

    /// Lets the best candidates do the whole job, until enough of them are right.
    fn check_best(&self, evaluated: &mut [Evaluated], keys: &Keys) -> Result<()> {
        let mut right = 0;
        for place in ranked(evaluated) {
            if right == BEST {
                break;
            }
            right += usize::from(self.is_right(&mut evaluated[place], keys)?);
        }
        Ok(())
    }

    /// Lets a good candidate do the whole job, if it has not; is it right?
    fn is_right(&self, evaluated: &mut Evaluated, keys: &Keys) -> Result<bool> {
        let Evaluated { outcome, point, .. } = evaluated;
        let Outcome::Good { checked, .. } = outcome else {
            return Ok(false);
        };
        if *checked == Checked::Sample {
            if let Some(tried) = self.trying.check(&self.task_of(point, keys))? {
                *outcome = tried.outcome;
                return Ok(false);
            }
            *checked = Checked::Whole;
        }
        Ok(true)
    }

    /// If no candidate is right that was tried with full effort, the best of those that were given up is the best. It keeps its score: the budget is
    /// spent.
    fn take_back(
        &self,
        evaluated: &mut Vec<Evaluated>,
        given_up: &mut Vec<Evaluated>,
        keys: &Keys,
    ) -> Result<()> {
        let is_best = |evaluated: &Evaluated| evaluated.outcome.checked() == Some(Checked::Whole);
        let mut found = evaluated.iter().any(is_best);
        while let (false, Some(place)) = (found, ranked(given_up).first().copied()) {
            let mut candidate = given_up.remove(place);
            found = self.is_right(&mut candidate, keys)?;
            evaluated.push(candidate);
        }
        Ok(())
    }

    /// Does tasks of a later stage, as long as there is a reason to go on; gives what came of them by their numbers, and writes down what is new. What the
    /// device or the compiler cannot do with any candidate is left out, and noted.
    pub(super) fn stage(
        &self,
        objective: &Objective,
        tasks: &[Task],
        goes_on: &(dyn Fn() -> bool + Sync),
    ) -> Result<Vec<(usize, Tried)>> {
        let done = Mutex::new(Vec::new());
        let heard = |number: usize, of: Done| {
            let tried = self.heard_later(&tasks[number], of);
            let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
            done.extend(tried.map(|tried| (number, tried)));
            goes_on()
        };
        let evaluated = self.trying.evaluate(objective, tasks, &heard);
        if let Some(error) = self.lock().failure.take() {
            return Err(error);
        }
        evaluated?;
        Ok(done.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    /// Writes down what came of a later stage, if it is new; none if the compiler does not work, which says nothing of the candidate.
    fn heard_later(&self, task: &Task, done: Done) -> Option<Tried> {
        let elapsed = self.begun.elapsed().as_secs_f64();
        let mut log = self.lock();
        let log = &mut *log;
        let tried = match done {
            Done::Same => {
                let key = (task.number, task.effort, task.stage);
                return log.known.get(&key).cloned();
            }
            Done::Tried(tried) => *tried,
        };
        if tried.unfit && task.stage == Stage::Compiled {
            let reason = tried.outcome.reason().unwrap_or_default().to_owned();
            log.uncompiled.get_or_insert(reason);
            return None;
        }
        let entry = Entry {
            point: task.number,
            effort: task.effort,
            stage: task.stage,
            elapsed,
            tried,
        };
        let journal = log.journal.as_mut().filter(|_| entry.tried.is_kept());
        if let Some(Err(error)) = journal.map(|journal| journal.write(&entry)) {
            log.failure.get_or_insert(error);
        }
        Some(entry.tried)
    }

    /// The task with the key of what the file says of it, if it says something.
    pub(super) fn with_line(&self, task: Task) -> Task {
        let key = (task.number, task.effort, task.stage);
        let known = self.lock().known.get(&key).and_then(|tried| tried.key);
        Task { known, ..task }
    }

    /// A point that was tried, as it was.
    pub(super) fn task_of(&self, point: &Point, keys: &Keys) -> Task {
        let task = self.task(point);
        match keys.get(point) {
            Some((effort, key)) => Task {
                effort: *effort,
                known: Some(*key),
                ..task
            },
            None => task,
        }
    }

    /// A point that was tried, by its number.
    pub(super) fn task(&self, point: &Point) -> Task {
        let number = (0..self.points.len()).find(|number| self.points.point(*number) == *point);
        Task {
            number: number.map_or(usize::MAX, |number| self.points.number_in_space(number)),
            point: point.clone(),
            effort: self.effort,
            known: None,
            stage: Stage::Tried,
            of: None,
        }
    }

    /// Builds the best, the second and the worst once more, for their CUDA texts: those of all others
    /// need not be kept.
    fn add_texts(&self, evaluated: &mut [Evaluated], keys: &Keys) -> Result<()> {
        let ranked = ranked(evaluated);
        let shown: BTreeSet<usize> = ranked
            .iter()
            .take(2)
            .chain(ranked.last())
            .copied()
            .collect();
        for place in shown {
            let task = self.task_of(&evaluated[place].point, keys);
            evaluated[place].cuda = self.trying.text(&task)?;
        }
        Ok(())
    }
}

/// The places of the good candidates, from the best to the worst.
pub(super) fn ranked(evaluated: &[Evaluated]) -> Vec<usize> {
    let good = evaluated.iter().enumerate();
    let mut good: Vec<(Rank, usize)> = good
        .filter_map(|(place, evaluated)| Some((evaluated.outcome.rank()?, place)))
        .collect();
    good.sort_by(|(a, i), (b, j)| a.cmp(b).then(i.cmp(j)));
    good.into_iter().map(|(_, place)| place).collect()
}
