//! The best of the predicted candidates, compiled: what their machine code needs goes into the prediction.
//!
//! Candidates are compiled where they are tried, in a worker process for an isolated exploration, and predicted once more: with registers that limit
//! the occupancy, and local memory that is stored and loaded. This can only be compared with a prediction that knew nothing of registers,
//! which is lower as a rule. So more candidates are compiled, from the best on, until the best two are compiled.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use super::evaluate::{Stage, Task, Tried};
use super::gpu::Gpu;
use super::hash::Hash;
use super::key::{BEST, Keys, Run, ranked};
use super::result::{Checked, Compilation, Evaluated, Outcome, Stages};
use crate::error::{Error, ErrorKind, Result};
use crate::kernel::Kernel;
use crate::resources::Resources;

/// Of how many candidates one is compiled.
const PART: usize = 10;

/// How many of the best are compiled in the end: the margin between them is one of like and like.
const LEADERS: usize = 2;

/// What compiles kernels for the GPU of a prediction.
#[derive(Clone)]
pub(super) struct Compiling {
    by: String,
    /// A hash of everything that its figures depend on, beside the kernel.
    identity: u64,
    of: Arc<dyn Fn(&Kernel) -> Result<Resources> + Send + Sync>,
    /// What it has said, by text.
    known: Arc<Mutex<BTreeMap<u64, Resources>>>,
}

/// What an exploration was asked to compile with.
#[derive(Clone)]
pub(super) enum Asked {
    Nothing,
    /// The compiler of this machine.
    Found,
    By(Compiling),
}

impl Asked {
    /// What compiles for a GPU, and what is said of it in the results; of no GPU nothing is predicted.
    pub(super) fn of(&self, gpu: Option<&Gpu>) -> (Option<Compiling>, Compilation) {
        let found = match (self, gpu) {
            (Asked::Nothing, _) | (_, None) => return (None, Compilation::NotAsked),
            (Asked::By(compiling), Some(_)) => Ok(compiling.clone()),
            (Asked::Found, Some(gpu)) => Compiling::found(gpu),
        };
        match found {
            Ok(compiling) => {
                let by = Compilation::By(compiling.by.clone());
                (Some(compiling), by)
            }
            Err(error) => (None, Compilation::Skipped(error.to_string())),
        }
    }
}

impl Compiling {
    pub(super) fn new(
        by: &str,
        identity: &str,
        of: impl Fn(&Kernel) -> Result<Resources> + Send + Sync + 'static,
    ) -> Compiling {
        let mut hash = Hash::new("compiler");
        hash.text(by);
        hash.text(identity);
        Compiling {
            by: by.to_owned(),
            identity: hash.end(),
            of: Arc::new(of),
            known: Arc::default(),
        }
    }

    /// The compiler of this machine, for the architecture of a GPU.
    #[cfg(all(feature = "compile", unix))]
    fn found(gpu: &Gpu) -> Result<Compiling> {
        use crate::compile::{Compiler, CompilerErrorKind, Target};

        let capability = gpu.compute_capability.split_once('.');
        let numbers =
            capability.and_then(|(major, minor)| Some((major.parse().ok()?, minor.parse().ok()?)));
        let Some((major, minor)) = numbers else {
            let message = format!(
                "`{}` is no compute capability, such as `9.0`",
                gpu.compute_capability
            );
            return Err(Error::new(ErrorKind::NoTarget, message));
        };
        let (compiler, target) = (Compiler::best()?, Target::cubin(major, minor));
        let (by, identity) = compiler.words(&target)?;
        Ok(Compiling::new(&by, &identity, move |kernel| {
            let is_refused = |error: &Error| {
                let words = error.compiler();
                words.is_some_and(|words| words.kind() == CompilerErrorKind::Refused)
            };
            let compiled = match compiler.compile_one(kernel, &target) {
                // What is wrong with the compiler says nothing of the candidate.
                Err(error) if !is_refused(&error) => {
                    return Err(Error::new(ErrorKind::NoCompiler, error.to_string()));
                }
                compiled => compiled?,
            };
            compiled.resources().ok_or_else(|| {
                let message = format!(
                    "the machine code for {} is in a format that is not known",
                    compiled.architecture()
                );
                Error::new(ErrorKind::NoCompiler, message)
            })
        }))
    }

    #[cfg(not(all(feature = "compile", unix)))]
    fn found(_: &Gpu) -> Result<Compiling> {
        let message =
            "this program was built without the feature `compile` of obsidian-rt, or not for Unix";
        Err(Error::new(ErrorKind::NoCompiler, message))
    }

    /// The key of a candidate that is compiled, by the one with which it was tried.
    pub(super) fn key(&self, tried: u64) -> u64 {
        let mut hash = Hash::new("compiled");
        hash.words(&[tried, self.identity]);
        hash.end()
    }

    /// What the machine code of a kernel needs.
    pub(super) fn resources(&self, kernel: &Kernel) -> Result<Resources> {
        let mut hash = Hash::new("text");
        hash.text(kernel.cuda());
        let text = hash.end();
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(resources) = known().get(&text) {
            return Ok(*resources);
        }
        let resources = (self.of)(kernel)?;
        known().insert(text, resources);
        Ok(resources)
    }
}

impl Run<'_> {
    /// Compiles the best tenth of the good candidates and, when some are, more until the best are compiled; says whether there was any to compile.
    /// `seen` are the places of those that were.
    pub(super) fn compile_best(
        &self,
        evaluated: &mut [Evaluated],
        keys: &Keys,
        seen: &mut BTreeSet<usize>,
    ) -> Result<bool> {
        if !self.compiles || self.is_late() || self.lock().uncompiled.is_some() {
            return Ok(false);
        }
        let ranked = ranked(evaluated);
        let leaders = if self.measuring.is_some() {
            BEST
        } else {
            LEADERS
        };
        let is_open =
            |place: &&usize| !seen.contains(*place) && !evaluated[**place].outcome.is_measured();
        let first = match seen.is_empty() {
            true => ranked.len().div_ceil(PART).max(leaders),
            false if ranked.iter().take(leaders).any(|place| is_open(&place)) => BEST,
            false => 0,
        };
        let due: Vec<usize> = ranked.iter().take(first).filter(is_open).copied().collect();
        if due.is_empty() {
            return Ok(false);
        }
        let tasks: Vec<Task> = due
            .iter()
            .map(|place| self.to_compile(&evaluated[*place], keys))
            .collect();
        let goes_on = || !self.is_late() && self.lock().uncompiled.is_none();
        for (number, tried) in self.stage(self.objective, &tasks, &goes_on)? {
            let place = due[number];
            seen.insert(place);
            note(&mut evaluated[place], tried);
        }
        Ok(true)
    }

    /// A candidate that was tried, to be compiled.
    fn to_compile(&self, evaluated: &Evaluated, keys: &Keys) -> Task {
        let task = self.task_of(&evaluated.point, keys);
        self.with_line(Task {
            stage: Stage::Compiled,
            of: Some((task.effort, task.known.unwrap_or(0))),
            ..task
        })
    }
}

/// Replaces a prediction by the one of the compiled candidate. What was compared of its answer was compared.
fn note(evaluated: &mut Evaluated, tried: Tried) {
    let was = evaluated.outcome.checked();
    let predicted = evaluated.outcome.stages().predicted;
    evaluated.needs = tried.needs.or(evaluated.needs);
    evaluated.outcome = match tried.outcome {
        Outcome::Bad(reason) if tried.late => {
            Outcome::TryAgain(format!("while it was compiled: {reason}"))
        }
        outcome => outcome,
    };
    if let Outcome::Good {
        checked, stages, ..
    } = &mut evaluated.outcome
    {
        *stages = Stages {
            predicted,
            ..*stages
        };
        if was == Some(Checked::Whole) {
            *checked = Checked::Whole;
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::explore::{Candidate, Explore, Job, Objective, Space, report};
    use crate::{TypedKernel, language::*};

    fn explore(asked: Asked) -> Explore {
        let objective = Objective::predicted(Gpu::named("h100").unwrap());
        let job = Job::new(vec![3u32; 256], |input| {
            input.iter().map(|x| x + 1).collect::<Vec<_>>()
        });
        let space = Space::new().list("threads", [32, 64, 128]);
        let explore = Explore::new(space, objective, job, |point| {
            let kernel =
                TypedKernel::build("more", point.u32("threads")?, |input: DPull<EU32>| {
                    input
                        .split_up(128)
                        .as_grid_map(|run| run.map(|x| x + 1).push::<Block>())
                })?;
            Ok(Candidate::of(kernel))
        });
        explore.asking(asked)
    }

    #[test]
    fn a_compiler_that_does_not_work_changes_nothing_and_the_table_says_why() {
        let plain = explore(Asked::Nothing).run().unwrap();
        let broken = Compiling::new("a test", "", |_| {
            Err(Error::new(ErrorKind::NoCompiler, "it has no licence"))
        });
        let explored = explore(Asked::By(broken)).run().unwrap();
        assert_eq!(
            explored.results.compilation,
            Compilation::Skipped("it has no licence".to_owned())
        );
        assert_eq!(explored.results.evaluated, plain.results.evaluated);
        let table = report::table(&explored.results, 3, 120);
        assert!(
            table.contains("\nnot compiled: it has no licence\n"),
            "{table}"
        );
    }

    #[test]
    fn a_gpu_without_a_capability_is_not_compiled_for() {
        let mut gpu = Gpu::named("h100").unwrap();
        gpu.compute_capability = "fast".to_owned();
        let (compiling, compilation) = Asked::Found.of(Some(&gpu));
        assert!(compiling.is_none() && matches!(compilation, Compilation::Skipped(_)));
    }
}
