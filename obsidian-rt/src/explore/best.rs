//! The best few are measured: those of a prediction at the end of it, and those that a measurement cannot tell apart once more.
//!
//! Candidates that were predicted, and compiled where that is possible, are measured from the best on, until 8 are that are right. One that fails
//! there costs itself: the next takes its place. From then on what was measured decides: it stands before everything that was only predicted.

use std::collections::BTreeSet;

use super::evaluate::{Stage, Task, Tried};
use super::gpu::Gpu;
use super::key::{BEST, Keys, Run, ranked};
use super::objective::{Kind, Objective};
use super::result::{Checked, Evaluated, Measurement, Outcome};
use crate::device::Device;
use crate::error::{Error, ErrorKind, Result};

/// What is done instead of a prediction whose best are measured by `by`: the objective of the search, and what the results say.
///
/// # Errors
/// [`ErrorKind::Space`] for two objectives that do not go together, and [`ErrorKind::UnknownDevice`] if the GPU that is described is not the device.
pub(super) fn chain(objective: &Objective, by: &Objective) -> Result<Measurement> {
    let wrong = |words: &str| Err(Error::new(ErrorKind::Space, words));
    let Kind::Measured { device, .. } = &by.kind else {
        return wrong(
            "`Explore::measured` takes an objective that measures: give it `Objective::measured(device)`, and predict by that of the exploration",
        );
    };
    let Kind::Predicted(gpu) = &objective.kind else {
        return wrong(
            "the objective of the exploration measures every candidate already: leave `Explore::measured` out, or explore by `Objective::predicted`",
        );
    };
    if super::evaluate::is_host(device) {
        return Ok(Measurement::All {
            on: device.name().to_owned(),
            reason: format!(
                "`{}` is no GPU, so a prediction for {} says nothing of its times",
                device.name(),
                gpu.name
            ),
        });
    }
    match other_than(gpu, device) {
        Some(words) => Err(Error::new(ErrorKind::UnknownDevice, words)),
        None => Ok(Measurement::Best(device.name().to_owned())),
    }
}

/// What the description of a GPU says otherwise than a device, with what to do; none if it is of the device as far as that is known.
pub(super) fn other_than(gpu: &Gpu, device: &Device) -> Option<String> {
    let of = device.properties()?;
    let (major, minor) = of.compute_capability;
    let capability = format!("{major}.{minor}");
    let is_it = gpu.compute_capability == capability && gpu.multiprocessors == of.multiprocessors;
    (!is_it).then(|| {
        format!(
            "the description of {} has compute capability {} and {} multiprocessors, and the device `{}` ({}) has {capability} and {}: give the description \
             of this GPU, or copy the file of the most similar one, change its figures, and read it with `Gpu::read`",
            gpu.name,
            gpu.compute_capability,
            gpu.multiprocessors,
            device.name(),
            of.name,
            of.multiprocessors
        )
    })
}

impl Run<'_> {
    /// Measures the best of the right candidates that are not measured yet, so that [`BEST`] are; says whether there was any. `seen` are the places of
    /// those that were.
    pub(super) fn measure_best(
        &self,
        evaluated: &mut [Evaluated],
        keys: &Keys,
        seen: &mut BTreeSet<usize>,
    ) -> Result<bool> {
        let Some(objective) = self.measuring else {
            return Ok(false);
        };
        let is_right = |place: &usize| evaluated[*place].outcome.checked() == Some(Checked::Whole);
        let best = ranked(evaluated).into_iter().filter(is_right).take(BEST);
        let due: Vec<usize> = best.filter(|place| !seen.contains(place)).collect();
        if due.is_empty() {
            return Ok(false);
        }
        if self.is_late() {
            self.time_is_up();
            return Ok(false);
        }
        let tasks: Vec<Task> = due
            .iter()
            .map(|place| self.to_measure(&evaluated[*place], keys, objective.effort()))
            .collect();
        let done = self.stage(objective, &tasks, &|| !self.is_late())?;
        if done.len() < due.len() {
            self.time_is_up();
        }
        let unfit = done.iter().filter(|(_, tried)| tried.unfit).count();
        let is_first = seen.is_empty();
        for (number, tried) in done {
            seen.insert(due[number]);
            if let (true, true, Some(reason)) =
                (is_first, unfit == due.len(), tried.outcome.reason())
            {
                let message = format!(
                    "none of the best {unfit} candidates can be measured here; {}: {reason}",
                    evaluated[due[number]].point
                );
                return Err(Error::new(ErrorKind::CannotRun, message));
            }
            note(&mut evaluated[due[number]], tried);
        }
        Ok(!self.is_late())
    }

    fn time_is_up(&self) {
        let reason = "the time was up".to_owned();
        self.lock().unmeasured.get_or_insert(reason);
    }

    /// A candidate that was predicted, to be measured with some repeats.
    fn to_measure(&self, evaluated: &Evaluated, keys: &Keys, repeats: u32) -> Task {
        let task = self.task_of(&evaluated.point, keys);
        self.with_line(Task {
            stage: Stage::Measured,
            of: Some((task.effort, task.known.unwrap_or(0))),
            effort: repeats,
            ..task
        })
    }

    /// Measures the best candidates again, with more repeats each time, as long as their confidence intervals overlap: until one is ahead, or they are
    /// as good as equal. Says whether one has failed.
    pub(super) fn measure_again(&self, evaluated: &mut [Evaluated], keys: &Keys) -> Result<bool> {
        let mut has_failed = false;
        for more in [4, 16] {
            let leaders = leaders(evaluated);
            if leaders.len() < 2 || self.is_late() {
                break;
            }
            let objective = self.measuring.unwrap_or(self.objective);
            let repeats = objective.effort().saturating_mul(more);
            let of = |place: &usize| {
                let point = &evaluated[*place].point;
                match self.measuring {
                    Some(_) => self.to_measure(&evaluated[*place], keys, repeats),
                    None => self.with_line(Task {
                        effort: repeats,
                        ..self.task(point)
                    }),
                }
            };
            let tasks: Vec<Task> = leaders.iter().map(of).collect();
            for (number, tried) in self.stage(objective, &tasks, &|| true)? {
                has_failed |= tried.outcome.score().is_none();
                note(&mut evaluated[leaders[number]], tried);
            }
        }
        Ok(has_failed)
    }
}

/// Replaces what was predicted, or measured with fewer repeats, by a measurement. What was counted and compiled stays.
fn note(evaluated: &mut Evaluated, tried: Tried) {
    match (&mut evaluated.outcome, tried.outcome) {
        (
            Outcome::Good {
                score,
                noise,
                interval,
                checked,
                stages,
                ..
            },
            Outcome::Good {
                score: new_score,
                noise: new_noise,
                interval: new_interval,
                ..
            },
        ) => {
            (*score, *noise, *interval) = (new_score, new_noise, new_interval);
            *checked = Checked::Whole;
            stages.measured = Some(new_score);
        }
        (outcome, failed) => *outcome = while_measured(failed),
    }
}

/// An outcome, with the words that it was seen when the candidate was measured.
fn while_measured(outcome: Outcome) -> Outcome {
    let words = |reason: String| format!("when it was measured: {reason}");
    match outcome {
        Outcome::Bad(reason) => Outcome::Bad(words(reason)),
        Outcome::CannotBuild(reason) => Outcome::CannotBuild(words(reason)),
        Outcome::CannotRunHere(reason) => Outcome::CannotRunHere(words(reason)),
        Outcome::TryAgain(reason) => Outcome::TryAgain(words(reason)),
        good => good,
    }
}

/// The best candidate, and those of the best few that may be as good: their confidence intervals overlap with its.
fn leaders(evaluated: &[Evaluated]) -> Vec<usize> {
    let interval = |place: usize| match &evaluated[place].outcome {
        Outcome::Good { interval, .. } => *interval,
        _ => None,
    };
    let ranked = ranked(evaluated);
    let Some((_, most)) = ranked.first().and_then(|best| interval(*best)) else {
        return Vec::new();
    };
    let may_lead = |place: &usize| interval(*place).is_some_and(|(least, _)| least <= most);
    ranked.into_iter().take(BEST).filter(may_lead).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::Properties;
    use crate::backend::{Backend, Launch};

    /// A GPU that runs nothing.
    #[derive(Debug)]
    struct Named(Properties);

    impl Backend for Named {
        fn name(&self) -> &str {
            "cuda:0"
        }

        fn run(&self, _: &mut Launch<'_>) -> Result<()> {
            Err(Error::new(ErrorKind::CannotRun, "it runs nothing"))
        }

        fn properties(&self) -> Option<&Properties> {
            Some(&self.0)
        }
    }

    fn device(name: &str, compute_capability: (u32, u32), multiprocessors: u32) -> Device {
        Device::from_backend(Named(Properties {
            name: name.to_owned(),
            memory_bytes: 1 << 34,
            compute_capability,
            driver_version: 13000,
            multiprocessors,
            threads_per_block: 1024,
            blocks_per_grid: 1 << 30,
            shared_bytes_per_block: 48 << 10,
            shared_bytes_by_opt_in: 48 << 10,
        }))
    }

    #[test]
    fn a_device_has_the_description_of_its_model() {
        // Names as drivers give them.
        for (name, capability, multiprocessors, expected) in [
            ("NVIDIA H100 80GB HBM3", (9, 0), 132, "H100"),
            ("NVIDIA H200", (9, 0), 132, "H200"),
            ("NVIDIA A100-SXM4-80GB", (8, 0), 108, "A100"),
            ("Tesla T4", (7, 5), 40, "T4"),
            ("NVIDIA GeForce RTX 4090", (8, 9), 128, "RTX 4090"),
            ("GeForce GTX 680", (3, 0), 8, "GTX 680"),
        ] {
            let gpu = Gpu::of(&device(name, capability, multiprocessors)).unwrap();
            assert_eq!(gpu.name, expected, "{name}");
        }
    }

    #[test]
    fn a_description_of_another_gpu_is_refused_with_both_figures() {
        // An H100 for PCIe has fewer multiprocessors than the one that is described.
        let small = device("NVIDIA H100 PCIe", (9, 0), 114);
        let words = Gpu::of(&small).unwrap_err().to_string();
        for part in ["capability 9.0 and 132", "has 9.0 and 114", "`Gpu::read`"] {
            assert!(words.contains(part), "{part}: {words}");
        }
        let (predicted, by) = (
            Objective::predicted(Gpu::named("gtx680").unwrap()),
            Objective::measured(small),
        );
        let error = chain(&predicted, &by).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::UnknownDevice);
        let unknown = Gpu::of(&device("NVIDIA L4", (8, 9), 58)).unwrap_err();
        assert!(
            unknown
                .to_string()
                .contains("no description of a GPU `NVIDIA L4`"),
            "{unknown}"
        );
        let mut own = Gpu::named("h100").unwrap();
        own.multiprocessors = 114;
        let by = Objective::measured(device("NVIDIA H100 PCIe", (9, 0), 114));
        let chained = chain(&Objective::predicted(own), &by).unwrap();
        assert_eq!(chained, Measurement::Best("cuda:0".to_owned()));
    }
}
