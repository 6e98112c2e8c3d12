//! Trying candidates: building them, holding their answers to the reference, and finding what they
//! cost.
//!
//! Everything of the user runs behind a [`Guard`]. Predictions are made on all cores at once.
//! Measurements are made in groups: a group's candidates are built and checked at once, then timed
//! one launch at a time.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use obsidian_core::simulate::Counts;

use super::candidate::{Candidate, Trial};
use super::cost::predict;
use super::gpu::Gpu;
use super::guard::{Guard, Lost};
use super::objective::{Kind, Objective};
use super::result::{Needs, Outcome, Point};
use crate::device::Device;
use crate::error::{Error, ErrorKind, Result};

/// Candidates that are measured in turns: their inputs are on the device at the same time.
const GROUP: usize = 8;

pub(super) type Build = Arc<dyn Fn(&Point) -> Result<Candidate> + Send + Sync>;

/// What came of one try.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Tried {
    pub(super) outcome: Outcome,
    pub(super) needs: Option<Needs>,
}

/// One try that is wanted.
#[derive(Clone, Debug)]
pub(super) struct Task {
    pub(super) point: Point,
    pub(super) effort: u32,
}

/// How candidates are tried.
pub(super) struct Evaluator {
    pub(super) build: Build,
    pub(super) objective: Objective,
    /// How long one candidate may take, and each launch of a measurement.
    pub(super) limit: Duration,
    pub(super) workers: usize,
}

/// Hears of each try when it is done, by its number; says whether there is time for more.
pub(super) type Done<'a> = dyn Fn(usize, Tried) -> bool + Sync + 'a;

impl Evaluator {
    /// Tries candidates, until `done` wants no more.
    pub(super) fn evaluate(&self, tasks: &[Task], done: &Done<'_>) {
        match &self.objective.kind {
            Kind::Predicted(gpu) => self.predict(gpu, tasks, done),
            Kind::Measured { device, warm_up } => self.measure(device, *warm_up, tasks, done),
        }
    }

    fn predict(&self, gpu: &Gpu, tasks: &[Task], done: &Done<'_>) {
        self.on_all_cores(tasks.len(), |number, guard| {
            let (build, gpu, Task { point, effort }) =
                (Arc::clone(&self.build), gpu.clone(), tasks[number].clone());
            let tried = guard.call(self.limit, move || {
                let candidate = build(&point).map_err(|error| refused(&error))?;
                let needs = candidate.needs();
                Ok(Tried {
                    outcome: predicted(&candidate, &gpu, effort)
                        .unwrap_or_else(|error| Outcome::Failed(error.to_string())),
                    needs,
                })
            });
            done(number, settled(tried))
        });
    }

    /// The CUDA text of a point's candidate; none if it cannot be built any more.
    pub(super) fn text(&self, point: &Point) -> Option<String> {
        let (build, point) = (Arc::clone(&self.build), point.clone());
        Guard::default()
            .call(self.limit, move || {
                build(&point).map(|candidate| candidate.cuda())
            })
            .ok()?
            .ok()
    }

    /// Calls `work` with the numbers below `count`, in order, from all workers; one that is told
    /// `false` takes no more.
    fn on_all_cores(&self, count: usize, work: impl Fn(usize, &mut Guard) -> bool + Sync) {
        let next = AtomicUsize::new(0);
        let run = || {
            let mut guard = Guard::default();
            loop {
                let number = next.fetch_add(1, Relaxed);
                if number >= count || !work(number, &mut guard) {
                    break;
                }
            }
        };
        thread::scope(|scope| {
            (0..self.workers.clamp(1, count.max(1))).for_each(|_| drop(scope.spawn(run)))
        });
    }

    fn measure(&self, device: &Device, warm_up: u32, tasks: &[Task], done: &Done<'_>) {
        let mut guard = Guard::default();
        for (group, tasks) in tasks.chunks(GROUP).enumerate() {
            let mut timed: Vec<(usize, Timed)> = Vec::new();
            let mut going = true;
            for (number, prepared) in self
                .prepared(device, warm_up, tasks)
                .into_iter()
                .enumerate()
            {
                match prepared {
                    Ok(prepared) => {
                        timed.push((number, Timed::new(prepared, tasks[number].effort)))
                    }
                    Err(tried) => going &= done(group * GROUP + number, tried),
                }
            }
            while timed.iter().any(|(_, timed)| timed.wants_more()) {
                timed
                    .iter_mut()
                    .filter(|(_, timed)| timed.wants_more())
                    .for_each(|(_, timed)| timed.turn(&mut guard, device, self.limit));
            }
            for (number, timed) in timed {
                going &= done(group * GROUP + number, timed.finish());
            }
            if !going {
                break;
            }
        }
    }

    /// Builds the candidates of a group, checks their answers and warms the device up.
    fn prepared(
        &self,
        device: &Device,
        warm_up: u32,
        tasks: &[Task],
    ) -> Vec<std::result::Result<Prepared, Tried>> {
        let prepared = Mutex::new((0..tasks.len()).map(|_| None).collect::<Vec<_>>());
        self.on_all_cores(tasks.len(), |number, guard| {
            let (build, device, point) = (
                Arc::clone(&self.build),
                device.clone(),
                tasks[number].point.clone(),
            );
            let result = guard.call(self.limit, move || {
                let candidate = build(&point).map_err(|error| refused(&error))?;
                let needs = candidate.needs();
                let outcome = |error: Error| Tried {
                    outcome: Outcome::Failed(error.to_string()),
                    needs,
                };
                let trials = ready(&candidate, &device, warm_up).map_err(outcome)?;
                Ok(Prepared { needs, trials })
            });
            let result = result.unwrap_or_else(|lost| Err(failed(&lost)));
            prepared.lock().unwrap_or_else(PoisonError::into_inner)[number] = Some(result);
            true
        });
        prepared
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
            .into_iter()
            .flatten()
            .collect()
    }
}

fn settled(tried: std::result::Result<std::result::Result<Tried, Tried>, Lost>) -> Tried {
    match tried {
        Ok(Ok(tried) | Err(tried)) => tried,
        Err(lost) => failed(&lost),
    }
}

fn failed(lost: &Lost) -> Tried {
    let words = match lost {
        Lost::Panic(words) => format!("it panicked: {words}"),
        Lost::TimeOut(limit) => format!(
            "it took longer than {} s, and was abandoned",
            limit.as_secs_f64()
        ),
        Lost::NoThread(words) => format!("there was no thread for it: {words}"),
    };
    Tried {
        outcome: Outcome::Failed(words),
        needs: None,
    }
}

/// A candidate that was not built, or whose function failed otherwise.
fn refused(error: &Error) -> Tried {
    let words = error.to_string();
    let outcome = if error.kind() == ErrorKind::Build {
        Outcome::NotBuilt(words)
    } else {
        Outcome::Failed(words)
    };
    Tried {
        outcome,
        needs: None,
    }
}

fn wrong(number: usize, candidate: &Candidate) -> Outcome {
    let name = candidate
        .launches
        .get(number)
        .map_or("", |launch| launch.kernel.name());
    Outcome::Failed(format!(
        "launch {} of {}, of the kernel `{name}`, gives a wrong answer",
        number + 1,
        candidate.launches.len()
    ))
}

/// Runs a few blocks of each launch on the simulator, checks them, and predicts the whole.
fn predicted(candidate: &Candidate, gpu: &Gpu, effort: u32) -> Result<Outcome> {
    let (mut score, mut all, mut detail) = (0.0, Counts::default(), Vec::new());
    for (number, launch) in candidate.launches.iter().enumerate() {
        if launch.blocks == 0 {
            continue;
        }
        let Some(counts) = launch.counts(effort.into())? else {
            return Ok(wrong(number, candidate));
        };
        let prediction = predict(gpu, &launch.needs().on(gpu), &counts, counts.blocks);
        if !prediction.seconds.is_finite() {
            return Ok(Outcome::NotBuilt(format!(
                "a block of the kernel `{}` does not fit on {}",
                launch.kernel.name(),
                gpu.name
            )));
        }
        score += prediction.seconds;
        prediction
            .parts
            .into_iter()
            .for_each(|part| add(&mut detail, part));
        all += &counts;
    }
    Ok(Outcome::Good {
        score,
        noise: 0.0,
        counts: Some(Box::new(all)),
        detail,
    })
}

/// Parts of one name are one.
fn add(detail: &mut Vec<(String, f64)>, (name, value): (String, f64)) {
    match detail.iter_mut().find(|(known, _)| *known == name) {
        Some((_, sum)) => *sum += value,
        None => detail.push((name, value)),
    }
}

/// Trials of a candidate whose answers are right, one for each launch.
struct Prepared {
    needs: Option<Needs>,
    trials: VecDeque<Trial>,
}

fn ready(candidate: &Candidate, device: &Device, warm_up: u32) -> Result<VecDeque<Trial>> {
    let mut trials = VecDeque::new();
    for launch in &candidate.launches {
        let mut trial = launch.prepare(device, launch.blocks)?;
        trial.launch(device)?;
        if !trial.is_right()? {
            let message = format!(
                "the kernel `{}` gives a wrong answer on {}",
                launch.kernel.name(),
                device.name()
            );
            return Err(Error::new(ErrorKind::WrongAnswer, message));
        }
        (0..warm_up).try_for_each(|_| trial.launch(device))?;
        trials.push_back(trial);
    }
    // What goes wrong in a launch that is queued has to be told of this candidate, and not of the
    // next.
    device.synchronize()?;
    Ok(trials)
}

/// A candidate while it is timed.
struct Timed {
    needs: Option<Needs>,
    trials: VecDeque<Trial>,
    /// Seconds of all launches together, by repeat.
    times: Vec<f64>,
    repeats: usize,
    /// Why it cannot be timed any more.
    failure: Option<Outcome>,
}

impl Timed {
    fn new(Prepared { needs, trials }: Prepared, repeats: u32) -> Self {
        Timed {
            needs,
            trials,
            times: Vec::new(),
            repeats: repeats as usize,
            failure: None,
        }
    }

    fn wants_more(&self) -> bool {
        self.failure.is_none() && self.times.len() < self.repeats
    }

    /// Times each launch once. The trials go to the worker and come back; those that it does not
    /// give back are lost.
    fn turn(&mut self, guard: &mut Guard, device: &Device, limit: Duration) {
        let (mut trials, device) = (std::mem::take(&mut self.trials), device.clone());
        let timed = guard.call(limit, move || {
            let seconds = trials
                .iter_mut()
                .map(|trial| seconds(trial, &device))
                .sum::<Result<f64>>()?;
            Ok::<_, Error>((seconds, trials))
        });
        match timed {
            Ok(Ok((seconds, trials))) => {
                self.times.push(seconds);
                self.trials = trials;
            }
            Ok(Err(error)) => self.failure = Some(Outcome::Failed(error.to_string())),
            Err(lost) => self.failure = Some(failed(&lost).outcome),
        }
    }

    fn finish(mut self) -> Tried {
        if let Some(outcome) = self.failure {
            return Tried {
                outcome,
                needs: self.needs,
            };
        }
        self.times.sort_by(f64::total_cmp);
        let quartile = |quarters: usize| quantile(&self.times, quarters);
        let noise = (quartile(3) - quartile(1)) / 2.0;
        Tried {
            outcome: Outcome::Good {
                score: quartile(2),
                noise,
                counts: None,
                detail: Vec::new(),
            },
            needs: self.needs,
        }
    }
}

/// The seconds of one launch, between two events of the device. On a GPU its own clock says when it
/// reaches them, after all that was queued before; the CPU and the simulator have done everything
/// when a launch comes back, and their events are moments of a clock of the host that never goes
/// back.
fn seconds(trial: &mut Trial, device: &Device) -> Result<f64> {
    // Freeing memory may take a GPU longer than a short kernel.
    trial.forget();
    let start = device.record_event()?;
    trial.launch(device)?;
    Ok(device.record_event()?.since(&start)?.as_secs_f64())
}

/// A quartile of sorted numbers, between the two nearest ones; 0 of none.
fn quantile(sorted: &[f64], quarters: usize) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else {
        return 0.0;
    };
    let (place, rest) = (last * quarters / 4, (last * quarters % 4) as f64 / 4.0);
    let (low, high) = (sorted[place], sorted[(place + 1).min(last)]);
    low + (high - low) * rest
}

#[cfg(test)]
mod tests {
    use super::quantile;

    #[test]
    fn quartiles_lie_between_the_nearest_numbers() {
        assert_eq!(
            [0, 1, 2, 3, 4].map(|quarters| quantile(&[1.0, 2.0, 3.0, 4.0, 5.0], quarters)),
            [1.0, 2.0, 3.0, 4.0, 5.0]
        );
        assert_eq!(
            [0, 1, 2, 3, 4].map(|quarters| quantile(&[1.0, 3.0], quarters)),
            [1.0, 1.5, 2.0, 2.5, 3.0]
        );
        assert_eq!(quantile(&[7.0], 3), 7.0);
        assert_eq!(quantile(&[], 2), 0.0);
    }
}
