//! What a candidate does: its launches, copies and fills, as it asks for them on a device that records.
//!
//! Nothing is taken on trust. The arrays of the answer have to be written by launches, out of the job's input, beside zeros
//! and arrays of the host that launches read; none of those is the answer. A record is done as often as is wanted, on the arrays that it was
//! made with.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::hash::Hash;
use super::job::{JobData, Wrong, unwritten};
use crate::backend::{
    Backend, Elements as _, HostArray, Memory, Part, RecordedArgument, RecordedLaunch, Recorder,
    Step,
};
use crate::device::Device;
use crate::error::{Error, ErrorKind, Result};
use crate::recording::Observing;
use obsidian_base::launch::ParameterRole;

use super::candidate::Called;

/// The longest array of the host that may equal the answer by chance.
const FEW: usize = 16;

/// A candidate's work on one device, with the arrays for it.
pub(super) struct Observed {
    pub(super) steps: Vec<Step>,
    /// The arrays by number: first those of the job's input, which are never written, then the candidate's own.
    pub(super) arrays: Vec<Memory>,
    /// For each array of the answer, where it is.
    pub(super) answer: Vec<Part>,
    /// What the arrays hold at the beginning: the hash of it, or nothing.
    pub(super) contents: Vec<u64>,
    /// A hash of what is done: texts, sizes, and which array goes where.
    pub(super) id: u64,
}

/// Why there is no record.
fn not_the_job(message: String) -> Error {
    Error::new(ErrorKind::WrongAnswer, message)
}

impl Observed {
    /// Calls the candidate's function. `given` are the job's arrays on the device, as memory that only this
    /// record has.
    pub(super) fn of(
        candidate: &Called,
        job: &JobData,
        device: &Device,
        given: Vec<Memory>,
    ) -> Result<Observed> {
        let recorder = Arc::new(Recorder::of_candidate(device.shared_backend()));
        let recording = device.with_backend(recorder.clone());
        let answer = {
            let _observing = Observing::new();
            candidate(&recording, &mut |ty, length| {
                (recording.clone(), recorder.stand_in(ty, length))
            })
        };
        let host = recorder.of_host();
        let (steps, own) = recorder.finish();
        let parts = answer?
            .iter()
            .map(|(of, memory)| recorder.part(of.name(), memory))
            .collect::<Option<Vec<Part>>>()
            .ok_or_else(|| {
                not_the_job(
                    "the buffers that it gives are of another device: launch on the device that its function is given".to_owned(),
                )
            })?;
        let mut contents = Vec::new();
        for number in 0..given.len() {
            let mut hash = Hash::new("given");
            hash.words(&[job.id, number as u64]);
            contents.push(hash.end());
        }
        let mut uploads_it = false;
        for (number, memory) in own.iter().enumerate() {
            let mut hash = Hash::new("own");
            if host.contains(&(given.len() + number)) {
                let elements = device.backend().download(memory)?;
                let is_answer = |answer: &HostArray| {
                    answer.ty() == elements.ty() && answer.bytes() == elements.bytes()
                };
                uploads_it |= elements.len() > FEW && job.answer.iter().any(is_answer);
                hash.array(&elements);
            }
            contents.push(hash.end());
        }
        let mut observed = Observed {
            arrays: given.into_iter().chain(own).collect(),
            steps,
            answer: parts,
            contents,
            id: 0,
        };
        observed.check(job)?;
        if uploads_it {
            return Err(not_the_job(
                "it uploads the answer of the job: leave that to launches".to_owned(),
            ));
        }
        observed.id = observed.hash(|launch| launch.limit);
        Ok(observed)
    }

    /// Is the answer one of launches, and as long as the job's?
    fn check(&self, job: &JobData) -> Result<()> {
        let computed = self.computed();
        for (number, (part, expected)) in self.answer.iter().zip(&job.answer).enumerate() {
            if part.length != expected.len() {
                return Err(not_the_job(format!(
                    "it gives {} elements, and the job's answer{} has {}",
                    part.length,
                    which(number),
                    expected.len()
                )));
            }
            if part.length > 0 && !computed.contains(&part.array) {
                return Err(not_the_job(format!(
                    "no launch computes its answer{}: what the host, a fill or a copy of the input writes is no work of a kernel",
                    which(number)
                )));
            }
        }
        let (of_input, takes) = (self.of_input(job), |memory: &Memory| !memory.is_empty());
        let mut parts = self.answer.iter().filter(|part| part.length > 0).peekable();
        if job.given.iter().any(takes)
            && parts.peek().is_some()
            && !parts.any(|part| of_input.contains(&part.array))
        {
            return Err(not_the_job(
                "its answer does not depend on the job's input: no launch that computes it reads an array of the input, or one computed from that"
                    .to_owned(),
            ));
        }
        Ok(())
    }

    /// The arrays whose elements depend, at the end, on arrays of the job's input: launches that compute them read those, or arrays that do.
    fn of_input(&self, job: &JobData) -> BTreeSet<usize> {
        let mut all: BTreeSet<usize> = (0..job.given.len()).collect();
        for step in &self.steps {
            match step {
                Step::Launch(launch) if launch.blocks == 0 => {}
                Step::Launch(launch) => {
                    let depends = read(launch).any(|array| all.contains(&array));
                    for array in written(launch) {
                        if depends {
                            all.insert(array);
                        } else {
                            all.remove(&array);
                        }
                    }
                }
                Step::Copy { from, to } if all.contains(&from.array) => {
                    all.insert(*to);
                }
                Step::Copy { to: array, .. } | Step::Fill { array, .. } => {
                    all.remove(array);
                }
            }
        }
        all
    }

    /// The arrays that hold, at the end, what launches have computed.
    fn computed(&self) -> BTreeSet<usize> {
        let mut computed = BTreeSet::new();
        for step in &self.steps {
            match step {
                Step::Launch(launch) if launch.blocks > 0 => computed.extend(written(launch)),
                Step::Launch(_) => {}
                Step::Copy { from, to } if computed.contains(&from.array) => {
                    computed.insert(*to);
                }
                Step::Copy { to: array, .. } | Step::Fill { array, .. } => {
                    computed.remove(array);
                }
            }
        }
        computed
    }

    /// The launches, in order.
    pub(super) fn launches(&self) -> impl Iterator<Item = &RecordedLaunch> {
        self.steps.iter().filter_map(|step| match step {
            Step::Launch(launch) => Some(launch),
            _ => None,
        })
    }

    /// The CUDA text of all kernels; each once.
    pub(super) fn cuda(&self) -> String {
        let mut texts: Vec<&str> = Vec::new();
        for launch in self.launches() {
            if !texts.contains(&launch.kernel.cuda()) {
                texts.push(launch.kernel.cuda());
            }
        }
        texts.join("\n")
    }

    /// Like the id, but the same on every device: it leaves out the number of real blocks of each launch.
    pub(super) fn work(&self) -> u64 {
        self.hash(|_| None)
    }

    fn hash(&self, limit: impl Fn(&RecordedLaunch) -> Option<u32>) -> u64 {
        let mut hash = Hash::new("work");
        hash.words(&self.contents);
        for step in &self.steps {
            match step {
                Step::Launch(launch) => {
                    hash.word(of_limited(launch, limit(launch), |part| {
                        vec![part.array as u64, part.start as u64, part.length as u64]
                    }));
                }
                Step::Copy { from, to } => hash.words(&[
                    1,
                    from.array as u64,
                    from.start as u64,
                    from.length as u64,
                    *to as u64,
                ]),
                Step::Fill { array, value } => hash.words(&[2, *array as u64, value.bits()]),
            }
        }
        for part in &self.answer {
            hash.words(&[part.array as u64, part.start as u64, part.length as u64]);
        }
        hash.end()
    }

    /// Makes every element of the answer wrong, and those of other arrays conspicuous, so that what no launch writes is found. Leaves
    /// out some arrays.
    pub(super) fn spoil(
        &mut self,
        backend: &dyn Backend,
        job: &JobData,
        but: &BTreeSet<usize>,
    ) -> Result<()> {
        for array in self.written_by(|_| true).difference(but) {
            let memory = &mut self.arrays[*array];
            let is_whole = |part: &Part| {
                part.array == *array && part.start == 0 && part.length == memory.len()
            };
            match self.answer.iter().position(is_whole) {
                Some(number) => backend.write(memory, job.poison(number))?,
                None => backend.fill(memory, unwritten(memory.ty()))?,
            }
        }
        Ok(())
    }

    /// The arrays that some steps write, by their numbers.
    pub(super) fn written_by(&self, some: impl Fn(usize) -> bool) -> BTreeSet<usize> {
        let mut all = BTreeSet::new();
        for (_, step) in self
            .steps
            .iter()
            .enumerate()
            .filter(|(number, _)| some(*number))
        {
            match step {
                Step::Launch(launch) => all.extend(written(launch)),
                Step::Copy { to: array, .. } | Step::Fill { array, .. } => {
                    all.insert(*array);
                }
            }
        }
        all
    }

    /// Compares the whole answer with the job's.
    pub(super) fn compare(&self, backend: &dyn Backend, job: &JobData) -> Result<Option<Wrong>> {
        for (number, part) in self.answer.iter().enumerate() {
            let memory = &self.arrays[part.array];
            let found = if part.start == 0 && part.length == memory.len() {
                backend.download(memory)?
            } else {
                // SAFETY: the part is inside, as the recorder has looked; it is dropped before the array is changed.
                let part = unsafe { backend.part(memory, part.start, part.length)? };
                backend.download(&part)?
            };
            if let Some(wrong) = job.compare(number, &found) {
                return Ok(Some(wrong));
            }
        }
        Ok(None)
    }
}

fn which(number: usize) -> String {
    if number == 0 {
        String::new()
    } else {
        format!(" (array {number})")
    }
}

/// The arrays that a launch writes.
pub(super) fn written(launch: &RecordedLaunch) -> impl Iterator<Item = usize> {
    launch
        .arguments
        .iter()
        .filter_map(|argument| match argument {
            RecordedArgument::Written(array) => Some(*array),
            _ => None,
        })
}

/// The arrays that a launch reads, those that it changes among them.
pub(super) fn read(launch: &RecordedLaunch) -> impl Iterator<Item = usize> {
    let roles = launch.kernel.interface().parameters.iter();
    launch
        .arguments
        .iter()
        .zip(roles)
        .filter_map(|(argument, info)| match argument {
            RecordedArgument::Read(part) => Some(part.array),
            RecordedArgument::Written(array) if info.role != ParameterRole::Output => Some(*array),
            _ => None,
        })
}

/// Does a launch change arrays that it may read, such as bins or flags, or have its blocks an order? Then blocks can depend on each other.
pub(super) fn changes(launch: &RecordedLaunch) -> bool {
    if !launch.kernel.interface().orders.is_empty() {
        return true;
    }
    let roles = launch.kernel.interface().parameters.iter();
    let mut pairs = launch.arguments.iter().zip(roles);
    pairs.any(|(argument, info)| {
        matches!(argument, RecordedArgument::Written(_)) && info.role != ParameterRole::Output
    })
}

/// A hash of a launch: its text, its sizes, its numbers, and what stands for its arrays.
pub(super) fn of_launch(launch: &RecordedLaunch, of: impl Fn(Part) -> Vec<u64>) -> u64 {
    of_limited(launch, launch.limit, of)
}

/// The same with another limit of real blocks.
fn of_limited(launch: &RecordedLaunch, limit: Option<u32>, of: impl Fn(Part) -> Vec<u64>) -> u64 {
    let mut hash = Hash::new("launch");
    hash.text(launch.kernel.cuda());
    hash.words(&[
        launch.blocks.into(),
        limit.map_or(u64::MAX, u64::from),
        launch.kernel.threads().into(),
    ]);
    for argument in &launch.arguments {
        match argument {
            RecordedArgument::Read(part) => hash.words(&of(*part)),
            RecordedArgument::Written(array) => {
                let whole = Part {
                    array: *array,
                    start: 0,
                    length: usize::MAX,
                };
                hash.words(&of(whole));
            }
            RecordedArgument::Scalar(value) => hash.words(&[3, value.bits()]),
        }
    }
    hash.end()
}
