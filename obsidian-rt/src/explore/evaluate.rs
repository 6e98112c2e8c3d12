//! Trying candidates: what one asks for is recorded, held to the job, and predicted or measured.
//!
//! Everything of the user runs behind a [`Guard`]. Predictions are made on all cores at once. Measurements are made
//! in groups: the candidates of a group are built at once; then they use the device one at a time.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use super::candidate::Called;
use super::compiling::Compiling;
use super::guard::{self, Guard};
use super::hash::Hash;
use super::job::JobData;
use super::measure::{Ready, Timed};
use super::objective::{Kind, Objective};
use super::observe::Observed;
use super::predict::{self, Predicting};
use super::result::{Needs, Outcome, Point};
use super::shared::Shared;
use crate::backend::Memory;
use crate::device::Device;
use crate::error::{Error, ErrorKind, Result};

/// Candidates that are measured in turns: their arrays are on the device at the same time.
pub(super) const GROUP: usize = 8;

/// A job with a way to make candidates of its points.
#[derive(Clone)]
pub(super) struct Keyed {
    pub(super) job: Arc<JobData>,
    pub(super) build: Arc<dyn Fn(&Point) -> Result<Called> + Send + Sync>,
}

/// What came of one try.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Tried {
    pub(super) outcome: Outcome,
    pub(super) needs: Option<Needs>,
    /// What it was that was tried: see [`Evaluator::key`]. None if it was not built.
    pub(super) key: Option<u64>,
    /// Did it take the device with it?
    pub(super) lost: bool,
    /// Is it the device, or what compiles for it, that runs none, as far as is known?
    pub(super) unfit: bool,
    /// Was it abandoned, so that it may still be under way?
    pub(super) late: bool,
}

impl Tried {
    pub(super) fn of(outcome: Outcome) -> Tried {
        Tried {
            outcome,
            needs: None,
            key: None,
            lost: false,
            unfit: false,
            late: false,
        }
    }

    pub(super) fn of_error(error: &Error) -> Tried {
        Tried {
            lost: error.kind() == ErrorKind::LostContext,
            unfit: matches!(
                error.kind(),
                ErrorKind::CannotRun
                    | ErrorKind::DeviceUnavailable
                    | ErrorKind::NoCompiler
                    | ErrorKind::NoDriver
                    | ErrorKind::NoTarget
            ),
            ..Tried::of(Outcome::of_error(error))
        }
    }

    pub(super) fn with(self, needs: Option<Needs>, key: u64) -> Tried {
        Tried {
            needs: self.needs.or(needs),
            key: Some(key),
            ..self
        }
    }

    /// Is it worth a line in a file? What may be otherwise the next time is not.
    pub(super) fn is_kept(&self) -> bool {
        let is_certain = matches!(self.outcome, Outcome::Good { .. } | Outcome::Bad(_));
        is_certain && self.key.is_some() && !self.late
    }
}

/// What came of a task.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Done {
    /// It is what was known, and was not tried again.
    Same,
    Tried(Box<Tried>),
}

impl Done {
    pub(super) fn tried(tried: Tried) -> Done {
        Done::Tried(Box::new(tried))
    }
}

/// What becomes of lost work.
pub(super) struct Lost;

impl Lost {
    pub(super) fn of(lost: &guard::Lost) -> Tried {
        let late = matches!(lost, guard::Lost::TimeOut(_));
        let outcome = match lost {
            guard::Lost::Panic(words) => Outcome::Bad(format!("it panicked: {words}")),
            guard::Lost::TimeOut(limit) => Outcome::Bad(format!(
                "it took longer than {} s, and was abandoned",
                limit.as_secs_f64()
            )),
            guard::Lost::NoThread(words) => {
                Outcome::TryAgain(format!("there was no thread for it: {words}"))
            }
        };
        Tried {
            late,
            ..Tried::of(outcome)
        }
    }
}

/// What is done with a candidate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Stage {
    /// It is predicted or measured, as the objective says.
    Tried,
    /// It is compiled, and predicted once more.
    Compiled,
    /// It was predicted, and is measured.
    Measured,
}

impl Stage {
    const ALL: [Stage; 3] = [Stage::Tried, Stage::Compiled, Stage::Measured];

    pub(super) fn name(self) -> &'static str {
        match self {
            Stage::Tried => "tried",
            Stage::Compiled => "compiled",
            Stage::Measured => "measured",
        }
    }

    pub(super) fn named(name: &str) -> Option<Stage> {
        Stage::ALL.into_iter().find(|stage| stage.name() == name)
    }
}

/// One try that is wanted.
#[derive(Clone, Debug)]
pub(super) struct Task {
    /// The number of the point in the space.
    pub(super) number: usize,
    pub(super) point: Point,
    pub(super) effort: u32,
    /// The key of what is known of it already: if that is still its key, it is not tried.
    pub(super) known: Option<u64>,
    pub(super) stage: Stage,
    /// The effort and the key with which it was tried before it is compiled or measured: it has to be the same candidate.
    pub(super) of: Option<(u32, u64)>,
}

const NOT_THE_SAME: &str = "is not the same each time: built once more, it launches other kernels or other sizes than when it was tried";

/// How the candidates of one job are tried.
pub(super) struct Evaluator {
    keyed: Keyed,
    shared: Shared,
    objective: Objective,
    objective_id: u64,
    /// The job's arrays on the device that computes.
    given: Vec<Memory>,
    /// How long one candidate may take, and each launch of a measurement.
    limit: Duration,
    workers: usize,
    compiling: Option<Compiling>,
    /// What measures the best, if that is asked for.
    measuring: Option<Arc<Evaluator>>,
    /// Of one that measures the best: the objective by which they were predicted.
    predicted_by: Option<u64>,
}

/// Hears of each task when it is done, by its number; says whether there is time for more.
pub(super) type Heard<'a> = dyn Fn(usize, Done) -> bool + Sync + 'a;

impl Evaluator {
    pub(super) fn new(
        keyed: Keyed,
        objective: Objective,
        limit: Duration,
        workers: usize,
        compiling: Option<Compiling>,
    ) -> Result<Evaluator> {
        let device = computing(&objective);
        let mut given = Vec::new();
        if !is_host(&device) {
            for array in &keyed.job.given {
                given.push(device.backend().upload(array.as_host()?)?);
            }
        }
        Ok(Evaluator {
            shared: Shared::new(Arc::clone(&keyed.job)),
            objective_id: objective.id(),
            keyed,
            objective,
            given,
            limit,
            workers,
            compiling,
            measuring: None,
            predicted_by: None,
        })
    }

    /// The same, which also measures by another objective.
    pub(super) fn measuring(self, objective: Objective) -> Result<Evaluator> {
        let predicted_by = Some(self.objective_id);
        let (limit, workers) = (self.limit, self.workers);
        let measuring = Evaluator {
            predicted_by,
            ..Evaluator::new(self.keyed.clone(), objective, limit, workers, None)?
        };
        Ok(Evaluator {
            measuring: Some(Arc::new(measuring)),
            ..self
        })
    }

    pub(super) fn job(&self) -> &Arc<JobData> {
        &self.keyed.job
    }

    /// Tries candidates, until `heard` wants no more.
    ///
    /// # Errors
    /// [`ErrorKind::LostContext`] if one took the device with it, and [`ErrorKind::CannotRun`] if the first of them all cannot run here.
    pub(super) fn evaluate(self: &Arc<Self>, tasks: &[Task], heard: &Heard<'_>) -> Result<()> {
        let is_to_measure = tasks
            .first()
            .is_some_and(|task| task.stage == Stage::Measured);
        match &self.objective.kind {
            Kind::Predicted(_) if is_to_measure => match &self.measuring {
                Some(measuring) => measuring.evaluate(tasks, heard),
                None => Err(Error::new(ErrorKind::Internal, "nothing measures")),
            },
            Kind::Predicted(_) => {
                self.predict(tasks, heard);
                Ok(())
            }
            Kind::Measured { device, warm_up } => self.measure(device, *warm_up, tasks, heard),
        }
    }

    /// Computes the whole job by a candidate, on the CPU; what is wrong with it. It has to be the one that was tried: the task has its key.
    pub(super) fn check(self: &Arc<Self>, task: &Task) -> Option<Tried> {
        let (own, task) = (Arc::clone(self), task.clone());
        let checked = Guard::default().call(self.limit, move || {
            let device = Device::cpu();
            let observed = own.observed(&task.point, &device)?;
            if !own.is_same(&observed, &task) {
                return Err(Error::new(ErrorKind::WrongAnswer, NOT_THE_SAME));
            }
            predict::whole(observed, own.job(), &device)
        });
        match checked {
            Ok(Ok(None)) => None,
            Ok(Ok(Some(wrong))) => Some(Tried::of(Outcome::Bad(format!("its whole job {wrong}")))),
            Ok(Err(error)) => Some(Tried::of_error(&error)),
            Err(guard::Lost::TimeOut(limit)) => Some(Tried {
                late: true,
                ..Tried::of(Outcome::TryAgain(format!(
                    "its answer was not compared in every element: the whole job took longer than {} s on this CPU; give `time_out` a longer time",
                    limit.as_secs_f64()
                )))
            }),
            Err(lost) => Some(Lost::of(&lost)),
        }
    }

    /// The CUDA text of a point's candidate; none if it cannot be built any more, or is another one now.
    pub(super) fn text(self: &Arc<Self>, task: &Task) -> Option<String> {
        let (own, task) = (Arc::clone(self), task.clone());
        let text = Guard::default().call(self.limit, move || {
            let device = computing(&own.objective);
            let observed = own.observed(&task.point, &device).ok()?;
            own.is_same(&observed, &task).then(|| observed.cuda())
        });
        text.ok()?
    }

    /// Is this what was tried, as far as that is known?
    fn is_same(&self, observed: &Observed, task: &Task) -> bool {
        let key = self.key(observed, task.effort);
        task.known.is_none_or(|known| known == key)
    }

    /// What a candidate asks for on a device: the one that computes, or one whose arrays lie in the memory of the host.
    fn observed(&self, point: &Point, device: &Device) -> Result<Observed> {
        let candidate = (self.keyed.build)(point)?;
        let arrays = if is_host(device) {
            &self.keyed.job.given
        } else {
            &self.given
        };
        let lent = arrays
            .iter()
            // SAFETY: the whole is inside. The record that it goes to is dropped before the evaluator with the arrays, of which the user of this
            // keeps a clone; nobody changes them.
            .map(|memory| unsafe { device.backend().part(memory, 0, memory.len()) })
            .collect::<Result<Vec<_>>>()?;
        Observed::of(&candidate, self.job(), device, lent)
    }

    /// Does a candidate that is to be measured launch what was predicted? A device that does not need all real blocks of a launch may have fewer.
    fn is_what_was_predicted(
        &self,
        observed: &Observed,
        task: &Task,
        device: &Device,
    ) -> Result<()> {
        let (Some(objective), Some((effort, key))) = (self.predicted_by, task.of) else {
            return Ok(());
        };
        let predicted = self.observed(&task.point, &Device::cpu())?;
        let wrong = |words: String| Err(Error::new(ErrorKind::WrongAnswer, format!("it {words}")));
        if key_of(&predicted, self.job(), objective, effort) != key {
            return wrong(NOT_THE_SAME.to_owned());
        }
        if predicted.work() != observed.work() {
            return wrong(format!(
                "launches other kernels or other sizes on `{}`, where it is measured, than where it was predicted: build it from the point alone, and not \
                 from the device",
                device.name()
            ));
        }
        Ok(())
    }

    /// A hash of everything that the outcome depends on: texts, sizes and arguments of the launches, the job, the objective, and the effort.
    fn key(&self, observed: &Observed, effort: u32) -> u64 {
        key_of(observed, self.job(), self.objective_id, effort)
    }

    fn predict(self: &Arc<Self>, tasks: &[Task], heard: &Heard<'_>) {
        self.on_all_cores(tasks.len(), |number, guard| {
            let (own, task) = (Arc::clone(self), tasks[number].clone());
            let done = guard.call(self.limit, move || own.predicted(&task));
            heard(
                number,
                done.unwrap_or_else(|lost| Done::tried(Lost::of(&lost))),
            )
        });
    }

    fn predicted(&self, task: &Task) -> Done {
        let device = Device::cpu();
        let Kind::Predicted(gpu) = &self.objective.kind else {
            return Done::tried(Tried::of(Outcome::TryAgain(
                "nothing is predicted".to_owned(),
            )));
        };
        let observed = match self.observed(&task.point, &device) {
            Ok(observed) => observed,
            Err(error) => return Done::tried(Tried::of_error(&error)),
        };
        let tried = self.key(&observed, task.effort);
        if task.of.is_some_and(|(_, key)| key != tried) {
            return Done::tried(Tried::of(Outcome::Bad(format!("it {NOT_THE_SAME}"))));
        }
        let compiling = self
            .compiling
            .as_ref()
            .filter(|_| task.stage == Stage::Compiled);
        let key = compiling.map_or(tried, |compiling| compiling.key(tried));
        if task.known == Some(key) {
            return Done::Same;
        }
        let predicting = Predicting {
            shared: &self.shared,
            gpu,
            effort: task.effort,
            device: &device,
            compiling,
        };
        Done::tried(match predicting.outcome(observed) {
            Ok((outcome, needs)) => Tried::of(outcome).with(needs, key),
            Err(error) => Tried::of_error(&error).with(None, key),
        })
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

    fn measure(
        self: &Arc<Self>,
        device: &Device,
        warm_up: u32,
        tasks: &[Task],
        heard: &Heard<'_>,
    ) -> Result<()> {
        let mut guard = Guard::default();
        for (group, tasks) in tasks.chunks(GROUP).enumerate() {
            let mut timed: Vec<(usize, Timed)> = Vec::new();
            let mut going = true;
            for (number, recorded) in self.recorded(device, tasks).into_iter().enumerate() {
                let done = match recorded {
                    Ok(ready) => match self.begun(ready, &mut guard, device, warm_up) {
                        Ok(ready) => {
                            timed.push((number, Timed::new(ready, tasks[number].effort)));
                            continue;
                        }
                        Err(tried) => Done::Tried(tried),
                    },
                    Err(done) => *done,
                };
                let lost = matches!(&done, Done::Tried(tried) if tried.lost);
                going &= heard(group * GROUP + number, done);
                if lost {
                    return Err(lost_by(device, &tasks[number].point));
                }
            }
            while timed.iter().any(|(_, timed)| timed.wants_more()) {
                for (number, timed) in timed.iter_mut().filter(|(_, timed)| timed.wants_more()) {
                    timed.turn(&mut guard, device, self.limit);
                    self.alarmed(*number, timed, device, tasks, group * GROUP, heard)?;
                }
            }
            for (number, mut timed) in timed {
                timed.end(&mut guard, device, self.limit);
                self.alarmed(number, &mut timed, device, tasks, group * GROUP, heard)?;
                if let Some(tried) = timed.finish() {
                    going &= heard(group * GROUP + number, Done::tried(tried));
                }
            }
            if !going {
                break;
            }
        }
        Ok(())
    }

    /// Reports at once what others have to know of a candidate; an error if the device is lost.
    fn alarmed(
        &self,
        number: usize,
        timed: &mut Timed,
        device: &Device,
        tasks: &[Task],
        first: usize,
        heard: &Heard<'_>,
    ) -> Result<()> {
        let Some(tried) = timed.alarm() else {
            return Ok(());
        };
        let lost = tried.lost;
        heard(first + number, Done::tried(tried));
        if lost {
            return Err(lost_by(device, &tasks[number].point));
        }
        Ok(())
    }

    /// Builds the candidates of a group and records what they ask for.
    fn recorded(
        self: &Arc<Self>,
        device: &Device,
        tasks: &[Task],
    ) -> Vec<std::result::Result<Ready, Box<Done>>> {
        let recorded = Mutex::new((0..tasks.len()).map(|_| None).collect::<Vec<_>>());
        self.on_all_cores(tasks.len(), |number, guard| {
            let (own, device, task) = (Arc::clone(self), device.clone(), tasks[number].clone());
            let result = guard.call(self.limit, move || {
                let observed = own.observed(&task.point, &device);
                let observed = observed.and_then(|observed| {
                    own.is_what_was_predicted(&observed, &task, &device)?;
                    Ok(observed)
                });
                let observed =
                    observed.map_err(|error| Box::new(Done::tried(Tried::of_error(&error))))?;
                let key = own.key(&observed, task.effort);
                if task.known == Some(key) {
                    return Err(Box::new(Done::Same));
                }
                Ok(Ready::new(observed, key, own))
            });
            let result = result.unwrap_or_else(|lost| Err(Box::new(Done::tried(Lost::of(&lost)))));
            recorded.lock().unwrap_or_else(PoisonError::into_inner)[number] = Some(result);
            true
        });
        let recorded = recorded
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        recorded.into_iter().flatten().collect()
    }

    /// Checks an answer on the device and warms it up: one candidate at a time, so that what goes wrong is told of the right one.
    fn begun(
        &self,
        mut ready: Ready,
        guard: &mut Guard,
        device: &Device,
        warm_up: u32,
    ) -> std::result::Result<Ready, Box<Tried>> {
        let (needs, key, device) = (ready.needs, ready.key, device.clone());
        let begun = guard.call(self.limit, move || {
            ready.begin(&device, warm_up).map(|()| ready)
        });
        match begun {
            Ok(Ok(ready)) => Ok(ready),
            Ok(Err(error)) => Err(Box::new(Tried::of_error(&error).with(needs, key))),
            Err(lost) => Err(Box::new(Lost::of(&lost).with(needs, key))),
        }
    }
}

/// Who tries the candidates of a key.
pub(super) enum Trying<'a> {
    /// This process.
    Here(Arc<Evaluator>),
    /// Worker processes, which know the key by its number.
    #[cfg(unix)]
    There(&'a super::isolate::Workers, usize),
    #[cfg(not(unix))]
    #[allow(dead_code)]
    Nowhere(std::convert::Infallible, std::marker::PhantomData<&'a ()>),
}

impl Trying<'_> {
    /// As [`Evaluator::evaluate`].
    pub(super) fn evaluate(
        &self,
        objective: &Objective,
        tasks: &[Task],
        heard: &Heard<'_>,
    ) -> Result<()> {
        match self {
            Trying::Here(evaluator) => evaluator.evaluate(tasks, heard),
            #[cfg(unix)]
            Trying::There(workers, key) => {
                let together = match objective.kind {
                    Kind::Predicted(_) => 1,
                    Kind::Measured { .. } => GROUP,
                };
                workers.evaluate(*key, tasks, together, &|number, done| heard(number, done))
            }
            #[cfg(not(unix))]
            Trying::Nowhere(never, _) => match *never {},
        }
    }

    /// As [`Evaluator::check`].
    pub(super) fn check(&self, task: &Task) -> Result<Option<Tried>> {
        match self {
            Trying::Here(evaluator) => Ok(evaluator.check(task)),
            #[cfg(unix)]
            Trying::There(workers, key) => workers.check(*key, task),
            #[cfg(not(unix))]
            Trying::Nowhere(never, _) => match *never {},
        }
    }

    /// As [`Evaluator::text`].
    pub(super) fn text(&self, task: &Task) -> Result<Option<String>> {
        match self {
            Trying::Here(evaluator) => Ok(evaluator.text(task)),
            #[cfg(unix)]
            Trying::There(workers, key) => workers.text(*key, task),
            #[cfg(not(unix))]
            Trying::Nowhere(never, _) => match *never {},
        }
    }
}

/// See [`Evaluator::key`].
fn key_of(observed: &Observed, job: &JobData, objective: u64, effort: u32) -> u64 {
    let mut hash = Hash::new("try");
    hash.words(&[observed.id, job.id, objective, effort.into()]);
    hash.end()
}

/// The device on which candidates of an objective compute.
fn computing(objective: &Objective) -> Device {
    match &objective.kind {
        Kind::Predicted(_) => Device::cpu(),
        Kind::Measured { device, .. } => device.clone(),
    }
}

/// Does a device use the arrays of the host as they are?
pub(super) fn is_host(device: &Device) -> bool {
    device.name() == "cpu" || device.name() == "simulator"
}

fn lost_by(device: &Device, point: &Point) -> Error {
    let message = format!(
        "the candidate {point} has taken the device `{}` with it, so that this process cannot use it any more: start the program again, with the \
         same file if there is one, or let worker processes try candidates, by `Explore::isolated`",
        device.name()
    );
    Error::new(ErrorKind::LostContext, message)
}
