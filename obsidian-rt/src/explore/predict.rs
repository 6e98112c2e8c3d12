//! Predictions: launches that others read are computed whole, some blocks of each launch are followed by the simulator, and the
//! model makes seconds of what it counts.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::compiling::Compiling;
use super::cost::predict;
use super::gpu::Gpu;
use super::hash::Hash;
use super::job::{JobData, Wrong};
use super::observe::{Observed, changes, of_launch, read, written};
use super::occupancy::Occupancy;
use super::result::{Needs, Outcome};
use super::sample;
use super::shared::{Counted, Shared, Verdict, Verdicts};
use super::sums::Sums;
use crate::backend::{
    Memory, Part, RecordedArgument, RecordedLaunch, Sample, Step, Written, one_by_one,
    sample as simulate,
};
use crate::device::Device;
use crate::error::{Error, ErrorKind, Result};
use crate::resources::Resources;
use crate::{Counts, ParameterRole};

/// The most elements of a job, input and answer together, that is computed whole for every candidate.
const SMALL: usize = 1 << 16;

/// Does a candidate's work on the CPU.
pub(super) struct Predicting<'a> {
    pub(super) shared: &'a Shared,
    pub(super) gpu: &'a Gpu,
    /// At most so many blocks of each launch.
    pub(super) effort: u32,
    pub(super) device: &'a Device,
    /// What compiles its kernels, if they are to be.
    pub(super) compiling: Option<&'a Compiling>,
}

/// What was looked at of an answer.
enum Looked {
    /// Some elements are wrong.
    Wrong(Wrong),
    /// All that were looked at are right.
    Right { whole: bool },
}

impl Predicting<'_> {
    /// Predicts the seconds of a candidate, whose answer is held to the job's as far as it is computed.
    pub(super) fn outcome(&self, mut observed: Observed) -> Result<(Outcome, Option<Needs>)> {
        let job = &*self.shared.job;
        let whole = job.elements() <= SMALL;
        let mut sums = Sums::default();
        let mut contents = observed.contents.clone();
        let mut sampled: Vec<Option<Verdict>> = vec![None; observed.answer.len()];
        let alone: Vec<bool> = (0..observed.steps.len())
            .map(|number| !whole && gives_alone(&observed, number))
            .collect();
        // Pages of arrays that are not computed whole are not touched.
        let untouched = observed.written_by(|number| alone[number]);
        observed.spoil(self.device.backend(), job, &untouched)?;
        for (number, is_last) in alone.iter().copied().enumerate() {
            let key = key(&observed.steps[number], &contents);
            if let Step::Launch(launch) = &observed.steps[number]
                && launch.blocks > 0
            {
                let resources = self.compiled(&mut sums, launch)?;
                let (counted, verdicts) =
                    self.counted(&mut observed, number, key, is_last, resources)?;
                if !self.adds(&mut sums, &counted, resources) {
                    let name = observed_name(&observed, number);
                    let why = format!(
                        "a block of the kernel `{name}` does not fit on {}",
                        self.gpu.name
                    );
                    return Ok((Outcome::CannotRunHere(why), sums.needs));
                }
                for (answer, verdict) in verdicts.iter() {
                    sampled[*answer] = Some(verdict.clone());
                }
            } else {
                self.add_copy(&mut sums, &observed, number);
            }
            if !is_last {
                self.compute(&mut observed, number, key)?;
            }
            follow(&observed.steps[number], key, &mut contents);
            if !is_last {
                by_content(&observed, number, &mut contents)?;
            }
        }
        let looked = match self.look(&observed, whole, &sampled)? {
            Some(looked) => looked,
            // No block that was followed has written anything of it.
            None => self.look_at_all(observed)?,
        };
        Ok(match looked {
            Looked::Wrong(wrong) => (Outcome::Bad(wrong.to_string()), sums.needs),
            Looked::Right { whole } => sums.outcome(whole),
        })
    }

    /// What the machine code of a launch needs, if it is to be compiled; notes it.
    fn compiled(&self, sums: &mut Sums, launch: &RecordedLaunch) -> Result<Option<Resources>> {
        let Some(compiling) = self.compiling else {
            return Ok(None);
        };
        let resources = compiling.resources(&launch.kernel)?;
        let of = (launch.kernel.name().to_owned(), resources);
        if !sums.compiled.contains(&of) {
            sums.compiled.push(of);
        }
        Ok(Some(resources))
    }

    /// The counts of some blocks of a launch and, if it gives the answer, what is to be said of what they wrote of it.
    fn counted(
        &self,
        observed: &mut Observed,
        number: usize,
        key: u64,
        gives_answer: bool,
        resources: Option<Resources>,
    ) -> Result<(Arc<Counted>, Arc<Verdicts>)> {
        let mut hash = Hash::new("counts");
        hash.words(&[key, self.effort.into(), self.gpu.multiprocessors.into()]);
        if let Step::Launch(launch) = &observed.steps[number] {
            hash.word(self.grid(launch, resources).into());
        }
        hash.word(gives_answer.into());
        for (array, place) in answer_places(observed, number) {
            hash.words(&[array as u64, place as u64]);
        }
        let key = hash.end();
        if let Some(known) = self.shared.counted(key) {
            return Ok(known);
        }
        let (counted, verdicts) = self.simulated(observed, number, gives_answer, resources)?;
        let known = (Arc::new(counted), Arc::new(verdicts));
        self.shared.keep_counted(key, known.clone());
        Ok(known)
    }

    /// Runs some blocks of a launch on the simulator; if it gives the answer, says what is to be said of what they wrote of that.
    fn simulated(
        &self,
        observed: &mut Observed,
        number: usize,
        gives_answer: bool,
        resources: Option<Resources>,
    ) -> Result<(Counted, Verdicts)> {
        let places: Vec<(usize, usize, Part)> = match gives_answer {
            true => answer_places(observed, number)
                .into_iter()
                .map(|(answer, place)| (answer, place, observed.answer[answer]))
                .collect(),
            false => Vec::new(),
        };
        let Observed { steps, arrays, .. } = observed;
        let Step::Launch(launch) = &steps[number] else {
            return Err(Error::new(ErrorKind::Internal, "a step is no launch"));
        };
        let grid = self.grid(launch, resources);
        let mut lent: Vec<&mut Memory> = arrays.iter_mut().collect();
        let backend = self.device.shared_backend();
        let run = |lent: &mut Vec<&mut Memory>, blocks: &[u32]| {
            launch
                .with(&*backend, lent, |launch| simulate(launch, grid, blocks))
                .map_err(|error| error.of(launch.kernel.name()))
        };
        let (counts, verdicts) = if changes(launch) {
            // What a block does may depend on those before it: they are followed in order.
            let blocks: Vec<u32> = (0..grid.min(self.effort)).collect();
            let Sample { counts, .. } = run(&mut lent, &blocks)?;
            (counts, self.verdicts(&places, &[]))
        } else {
            let (first, rest) = sample::halves(&sample::blocks(grid, self.effort));
            let Sample {
                mut counts,
                written,
            } = run(&mut lent, &first)?;
            // What was written is judged at once, and dropped before more blocks run.
            let mut verdicts = self.verdicts(&places, &written);
            drop(written);
            let inside = counts.get(1..sample::FIRST - 1);
            if !rest.is_empty() && inside.is_some_and(|inside| inside[0] == inside[1]) {
                counts = counts.drain(1..=2).collect();
            } else if !rest.is_empty() {
                let more = run(&mut lent, &rest)?;
                counts.extend(more.counts);
                let more = self.verdicts(&places, &more.written);
                for ((_, all), (_, more)) in verdicts.iter_mut().zip(more) {
                    all.add(more);
                }
            }
            (counts, verdicts)
        };
        let mut sum = Counts::default();
        counts.iter().for_each(|counts| sum += counts);
        sum.launches = 1;
        let counted = Counted {
            needs: Needs {
                blocks: grid.into(),
                ..Needs::of(&launch.kernel)
            },
            blocks: counts.len() as u64,
            counts: sum,
        };
        Ok((counted, verdicts))
    }

    /// What is to be said of the parts of the answer that some blocks of a launch wrote.
    fn verdicts(&self, places: &[(usize, usize, Part)], written: &[Written]) -> Verdicts {
        let verdict = |(answer, place, part): &(usize, usize, Part)| {
            let all = written.get(*place).into_iter().flat_map(Written::elements);
            let mut compared = 0;
            let inside = all.filter_map(|(element, bits)| {
                let element = (element as usize).checked_sub(part.start)?;
                (element < part.length).then_some((element, bits))
            });
            let counted = inside.inspect(|_| compared += 1);
            let wrong = self.shared.job.first_wrong(*answer, counted);
            (*answer, Verdict { compared, wrong })
        };
        places.iter().map(verdict).collect()
    }

    /// How many real blocks of a launch there are on the GPU.
    fn grid(&self, launch: &RecordedLaunch, resources: Option<Resources>) -> u32 {
        let grid = launch
            .limit
            .map_or(launch.blocks, |limit| limit.min(launch.blocks));
        if !launch.kernel.interface().resident {
            return grid;
        }
        let needs = Needs::of(&launch.kernel).with(resources);
        let held = Occupancy::of(self.gpu, &needs.on(self.gpu)).blocks;
        grid.min(held.saturating_mul(self.gpu.multiprocessors))
            .max(1)
    }

    /// Adds a launch; false if no block fits.
    fn adds(&self, sums: &mut Sums, counted: &Counted, resources: Option<Resources>) -> bool {
        let all = counted.needs.with(resources);
        let prediction = predict(self.gpu, &all.on(self.gpu), &counted.counts, counted.blocks);
        sums.needs.get_or_insert(all);
        if !prediction.seconds.is_finite() {
            return false;
        }
        sums.score += prediction.seconds;
        prediction
            .parts
            .into_iter()
            .for_each(|part| sums.add_part(part));
        sums.counted += counted.blocks;
        sums.counts += &counted.counts.scaled(counted.needs.blocks, counted.blocks);
        true
    }

    /// Adds a copy or a fill on the device: its bytes pass the memory.
    fn add_copy(&self, sums: &mut Sums, observed: &Observed, number: usize) {
        let bytes = match &observed.steps[number] {
            Step::Copy { from, to } => {
                2 * from.length as u64 * u64::from(observed.arrays[*to].ty().bytes())
            }
            Step::Fill { array, .. } => {
                let memory = &observed.arrays[*array];
                memory.len() as u64 * u64::from(memory.ty().bytes())
            }
            Step::Launch(_) => 0,
        };
        let clocks = bytes as f64 / self.gpu.memory_bytes_per_clock();
        let (memory, launch) = (
            clocks / (self.gpu.clock_mhz * 1e6),
            self.gpu.launch_us * 1e-6,
        );
        sums.score += memory + launch;
        sums.add_part(("memory".to_owned(), memory));
        sums.add_part(("launch".to_owned(), launch));
    }

    /// Does a step on the CPU, or takes what another candidate has computed by the same launch.
    fn compute(&self, observed: &mut Observed, number: usize, key: u64) -> Result<()> {
        let Observed { steps, arrays, .. } = observed;
        let Step::Launch(launch) = &steps[number] else {
            return on_host(self.device, &steps[number..=number], arrays);
        };
        let wrote: Vec<usize> = written(launch).collect();
        if let Some(known) = self.shared.results(key) {
            for (array, known) in wrote.iter().zip(known.iter()) {
                self.device.backend().write(&mut arrays[*array], known)?;
            }
            return Ok(());
        }
        on_host(self.device, &steps[number..=number], arrays)?;
        let copies: Result<Vec<_>> = wrote
            .iter()
            .map(|array| arrays[*array].as_host()?.copied())
            .collect();
        self.shared.keep_results(key, copies?);
        Ok(())
    }

    /// Compares what there is of the answer; none if that is nothing of an array that has elements.
    fn look(
        &self,
        observed: &Observed,
        whole: bool,
        sampled: &[Option<Verdict>],
    ) -> Result<Option<Looked>> {
        let job = &*self.shared.job;
        if whole || sampled.iter().all(Option::is_none) {
            let wrong = observed.compare(self.device.backend(), job)?;
            return Ok(Some(
                wrong.map_or(Looked::Right { whole: true }, Looked::Wrong),
            ));
        }
        for (number, verdict) in sampled.iter().enumerate() {
            match verdict {
                Some(verdict) if verdict.compared > 0 || job.answer[number].is_empty() => {
                    if let Some(wrong) = &verdict.wrong {
                        return Ok(Some(Looked::Wrong(wrong.clone())));
                    }
                }
                _ => return Ok(None),
            }
        }
        Ok(Some(Looked::Right { whole: false }))
    }

    fn look_at_all(&self, observed: Observed) -> Result<Looked> {
        let wrong = whole(observed, &self.shared.job, self.device)?;
        Ok(wrong.map_or(Looked::Right { whole: true }, Looked::Wrong))
    }
}

/// Is the step a launch that only writes, of which nothing is read by a later step? Then it need not be computed as a whole.
fn gives_alone(observed: &Observed, number: usize) -> bool {
    let Step::Launch(launch) = &observed.steps[number] else {
        return false;
    };
    let arrays: Vec<usize> = written(launch).collect();
    let later = &observed.steps[number + 1..];
    !changes(launch)
        && !later.iter().any(|step| match step {
            Step::Launch(later) => read(later)
                .chain(written(later))
                .any(|n| arrays.contains(&n)),
            Step::Copy { from, to } => arrays.contains(&from.array) || arrays.contains(to),
            Step::Fill { array, .. } => arrays.contains(array),
        })
}

/// Does all of a candidate's work on a device, and compares the whole answer.
pub(super) fn whole(
    mut observed: Observed,
    job: &JobData,
    device: &Device,
) -> Result<Option<Wrong>> {
    observed.spoil(device.backend(), job, &BTreeSet::new())?;
    let Observed { steps, arrays, .. } = &mut observed;
    let mut lent: Vec<&mut Memory> = arrays.iter_mut().collect();
    device.backend().replay(steps, &mut lent, &mut None)?;
    device.backend().synchronize()?;
    observed.compare(device.backend(), job)
}

/// Does steps on the CPU.
fn on_host(device: &Device, steps: &[Step], arrays: &mut [Memory]) -> Result<()> {
    let mut lent: Vec<&mut Memory> = arrays.iter_mut().collect();
    one_by_one(device.backend(), steps, &mut lent)
}

fn observed_name(observed: &Observed, number: usize) -> String {
    match &observed.steps[number] {
        Step::Launch(launch) => launch.kernel.name().to_owned(),
        _ => String::new(),
    }
}

/// A hash of what a step does, with what its arrays hold.
fn key(step: &Step, contents: &[u64]) -> u64 {
    let of = |part: Part| vec![contents[part.array], part.start as u64, part.length as u64];
    let mut hash = Hash::new("step");
    match step {
        Step::Launch(launch) => {
            let outputs: BTreeMap<usize, ()> =
                only_written(launch).map(|array| (array, ())).collect();
            hash.word(of_launch(launch, |part| {
                // What an output held before does not matter.
                if part.length == usize::MAX && outputs.contains_key(&part.array) {
                    vec![4]
                } else {
                    of(part)
                }
            }));
        }
        Step::Copy { from, .. } => hash.words(&of(*from)),
        Step::Fill { value, .. } => hash.words(&[5, value.bits()]),
    }
    hash.end()
}

/// The outputs of a launch.
fn only_written(launch: &RecordedLaunch) -> impl Iterator<Item = usize> {
    let roles = launch.kernel.interface().parameters.iter();
    written(launch)
        .zip(roles.filter(|info| matches!(info.role, ParameterRole::Output | ParameterRole::InOut)))
        .filter(|(_, info)| info.role == ParameterRole::Output)
        .map(|(array, _)| array)
}

/// Notes what the arrays hold after a step.
fn follow(step: &Step, key: u64, contents: &mut [u64]) {
    let mut note = |array: usize, place: u64| {
        let mut hash = Hash::new("written");
        hash.words(&[key, place]);
        contents[array] = hash.end();
    };
    match step {
        Step::Launch(launch) => (0..)
            .zip(written(launch))
            .for_each(|(place, array)| note(array, place)),
        Step::Copy { to, .. } => note(*to, 0),
        Step::Fill { array, .. } => note(*array, 0),
    }
}

/// Which arrays of the answer a step writes, as which of its parameters.
fn answer_places(observed: &Observed, number: usize) -> Vec<(usize, usize)> {
    let Step::Launch(launch) = &observed.steps[number] else {
        return Vec::new();
    };
    let place = |part: &Part| {
        launch.arguments.iter().position(
            |argument| matches!(argument, RecordedArgument::Written(array) if *array == part.array),
        )
    };
    let parts = observed.answer.iter().enumerate();
    parts
        .filter_map(|(answer, part)| Some((answer, place(part)?)))
        .collect()
}

/// The longest array that is known by its elements, and not by how it was computed.
const FEW: usize = 1 << 16;

/// Notes small arrays that a step has computed by their elements: launches that read equal ones are equal.
fn by_content(observed: &Observed, number: usize, contents: &mut [u64]) -> Result<()> {
    let Step::Launch(launch) = &observed.steps[number] else {
        return Ok(());
    };
    for array in written(launch) {
        let memory = &observed.arrays[array];
        if memory.len() <= FEW {
            let mut hash = Hash::new("content");
            hash.array(memory.as_host()?);
            contents[array] = hash.end();
        }
    }
    Ok(())
}
