//! What an exploration gives: every candidate that was tried, with its cost or with the reason why
//! it has none.

use std::cmp::Ordering;
use std::fmt;

use obsidian_base::counts::Counts;

use super::gpu::Gpu;
use super::occupancy::most_registers;
use crate::error::{Error, ErrorKind, Result};
use crate::kernel::Kernel;
use crate::resources::Resources;

/// One value of a parameter. Numbers come before words, each in their own order.
///
/// ```
/// use obsidian_rt::explore::Value;
///
/// assert_eq!(Value::from(64u32), Value::Number(64));
/// assert_eq!(Value::from("near").to_string(), "near");
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Value {
    /// A number: threads, elements, a depth.
    Number(u64),
    /// A choice: the name of a kernel, say.
    Word(String),
}

impl From<u32> for Value {
    fn from(number: u32) -> Self {
        Value::Number(number.into())
    }
}

impl From<u64> for Value {
    fn from(number: u64) -> Self {
        Value::Number(number)
    }
}

impl From<&str> for Value {
    fn from(word: &str) -> Self {
        Value::Word(word.to_owned())
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Number(number) => number.fmt(f),
            Value::Word(word) => word.fmt(f),
        }
    }
}

/// The values of a candidate, by parameter, in the order of the space. As text: `threads=64
/// kernel=red4`.
///
/// ```
/// use obsidian_rt::explore::Space;
///
/// let point = Space::new().list("threads", [32]).choice("order", ["near"]).points()?.point(0);
/// assert_eq!(point.to_string(), "threads=32 order=near");
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Point {
    /// Each parameter with its value.
    pub values: Vec<(String, Value)>,
}

impl Point {
    /// The value of a parameter.
    ///
    /// ```
    /// use obsidian_rt::explore::Space;
    ///
    /// let point = Space::new().list("threads", [32]).choice("order", ["near"]).points()?.point(0);
    /// assert!(point.get("threads").is_some() && point.get("seq").is_none());
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn get(&self, parameter: &str) -> Option<&Value> {
        self.values
            .iter()
            .find(|(name, _)| name == parameter)
            .map(|(_, value)| value)
    }

    /// The values of some parameters.
    pub(super) fn key(&self, given: &[String]) -> Point {
        let is_given = |(name, _): &&(String, Value)| given.contains(name);
        Point {
            values: self.values.iter().filter(is_given).cloned().collect(),
        }
    }

    /// The value of a parameter that has to be there.
    ///
    /// # Errors
    /// [`ErrorKind::Space`] if the space has no such parameter.
    ///
    /// ```
    /// use obsidian_rt::explore::Space;
    ///
    /// let point = Space::new().list("threads", [32]).choice("order", ["near"]).points()?.point(0);
    /// assert_eq!(point.value("threads")?.to_string(), "32");
    /// assert!(point.value("seq").is_err());
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn value(&self, parameter: &str) -> Result<&Value> {
        self.get(parameter).ok_or_else(|| self.unknown(parameter))
    }

    /// The number that a parameter is.
    ///
    /// # Errors
    /// [`ErrorKind::Space`] if the space has no such parameter, or if it is a word.
    ///
    /// ```
    /// use obsidian_rt::explore::Space;
    ///
    /// let point = Space::new().list("threads", [32]).choice("order", ["near"]).points()?.point(0);
    /// assert_eq!(point.u64("threads")?, 32);
    /// assert!(point.u64("order").is_err());
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn u64(&self, parameter: &str) -> Result<u64> {
        match self.value(parameter)? {
            Value::Number(number) => Ok(*number),
            Value::Word(word) => Err(self.wrong(format!(
                "`{parameter}` is the word `{word}`, not a number; read it with `word`"
            ))),
        }
    }

    /// The number that a parameter is, as lengths and threads want it.
    ///
    /// # Errors
    /// As [`u64`](Point::u64), and for a number above `u32::MAX`.
    ///
    /// ```
    /// use obsidian_rt::explore::Space;
    ///
    /// let point = Space::new().list("threads", [32]).choice("order", ["near"]).points()?.point(0);
    /// assert_eq!(point.u32("threads")?, 32);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn u32(&self, parameter: &str) -> Result<u32> {
        let number = self.u64(parameter)?;
        let too_large = |_| {
            self.wrong(format!(
                "`{parameter}` is too large for 32 bits; read it with `u64`"
            ))
        };
        u32::try_from(number)
            .map_err(too_large)
            .map_err(|error| error.exceeded(number, u32::MAX.into()))
    }

    /// The word that a parameter is.
    ///
    /// # Errors
    /// [`ErrorKind::Space`] if the space has no such parameter, or if it is a number.
    ///
    /// ```
    /// use obsidian_rt::explore::Space;
    ///
    /// let point = Space::new().list("threads", [32]).choice("order", ["near"]).points()?.point(0);
    /// assert_eq!(point.word("order")?, "near");
    /// assert!(point.word("threads").is_err());
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn word(&self, parameter: &str) -> Result<&str> {
        match self.value(parameter)? {
            Value::Word(word) => Ok(word),
            Value::Number(number) => Err(self.wrong(format!(
                "`{parameter}` is the number {number}, not a word; read it with `u32`"
            ))),
        }
    }

    fn unknown(&self, parameter: &str) -> Error {
        let names: Vec<String> = self
            .values
            .iter()
            .map(|(name, _)| format!("`{name}`"))
            .collect();
        self.wrong(format!(
            "the space has no parameter `{parameter}`; it has {}",
            names.join(", ")
        ))
    }

    fn wrong(&self, message: String) -> Error {
        Error::new(ErrorKind::Space, message)
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, (name, value)) in self.values.iter().enumerate() {
            let space = if number == 0 { "" } else { " " };
            write!(f, "{space}{name}={value}")?;
        }
        Ok(())
    }
}

/// The outcome of a candidate.
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
/// use obsidian_rt::explore::Outcome;
/// let results = exploration.run()?.results;
/// assert!(matches!(results.evaluated[0].outcome, Outcome::Good { .. }));
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub enum Outcome {
    /// Its answer is right, as far as it was [looked at](Checked), and this is what it costs.
    #[non_exhaustive]
    Good {
        /// The objective in its unit: seconds, measured or predicted. Less is better.
        score: f64,
        /// Half the interquartile range of the measurements; 0 for a prediction.
        noise: f64,
        /// Between these seconds lies the median of all repeats that there could be, with 95 % confidence; none for a
        /// prediction, and for fewer than 6 repeats.
        interval: Option<(f64, f64)>,
        /// How much of the answer was compared.
        checked: Checked,
        /// What the simulator counted, worked out for all blocks of all launches from those that it ran.
        counts: Option<Box<Counts>>,
        /// How many blocks the simulator ran.
        counted_blocks: u64,
        /// Named parts of the score, and other numbers about it.
        detail: Vec<(String, f64)>,
        /// The resources of the machine code of each kernel, by the kernel's name; empty if it was not [compiled](super::Explore::compiled).
        compiled: Vec<(String, Resources)>,
        /// Its seconds by stage; the last one is the score.
        stages: Stages,
    },
    /// It does not do the job: a wrong answer, a fault, a panic, a crash, or no end. The reason.
    Bad(String),
    /// It could not be built: the reason (shared memory, threads, and so on).
    CannotBuild(String),
    /// This device cannot run it, or nothing here can compile it: the reason.
    CannotRunHere(String),
    /// What stopped it need not be its own: memory that ran out, say. It is tried again by the next run with the same file. The reason.
    TryAgain(String),
}

/// The seconds of a candidate by the stages of an exploration: see [`Explore::measured`](super::Explore::measured).
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
/// let results = exploration.run()?.results;
/// let stages = results.best().unwrap().outcome.stages();
/// assert!(stages.predicted.is_some() && stages.compiled.is_none());
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct Stages {
    /// As predicted from the simulator's counts.
    pub predicted: Option<f64>,
    /// As predicted with the registers and the local memory of its machine code.
    pub compiled: Option<f64>,
    /// As measured: the median.
    pub measured: Option<f64>,
}

impl Stages {
    /// The prediction of the model: with the registers of the machine code, where these are known.
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
    /// let results = exploration.run()?.results;
    /// let stages = results.best().unwrap().outcome.stages();
    /// assert_eq!(stages.modelled(), stages.predicted);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn modelled(&self) -> Option<f64> {
        self.compiled.or(self.predicted)
    }

    /// The stage that decides its rank, in words.
    pub(super) fn decides(&self) -> &'static str {
        match self {
            Stages {
                measured: Some(_), ..
            } => "the measurement",
            Stages {
                compiled: Some(_), ..
            } => "the prediction with the registers of the machine code",
            _ => "the prediction",
        }
    }
}

/// How much of an answer was compared with the reference.
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
/// use obsidian_rt::explore::Checked;
/// let results = exploration.run()?.results;
/// assert_eq!(results.best().unwrap().outcome.checked(), Some(Checked::Whole));
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Checked {
    /// What the blocks wrote that the simulator ran.
    Sample,
    /// Every element.
    Whole,
}

impl Outcome {
    /// The score of a good candidate.
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
    /// let results = exploration.run()?.results;
    /// assert!(results.evaluated[0].outcome.score().unwrap() > 0.0);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn score(&self) -> Option<f64> {
        match self {
            Outcome::Good { score, .. } => Some(*score),
            _ => None,
        }
    }

    /// How much of a good candidate's answer was compared; none for others.
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
    /// use obsidian_rt::explore::Checked;
    /// let results = exploration.run()?.results;
    /// assert_eq!(results.evaluated[0].outcome.checked(), Some(Checked::Whole)); // 256 elements are few
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn checked(&self) -> Option<Checked> {
        match self {
            Outcome::Good { checked, .. } => Some(*checked),
            _ => None,
        }
    }

    /// The resources of the machine code of each kernel, by the kernel's name; empty if it was not [compiled](super::Explore::compiled).
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
    /// let results = exploration.run()?.results;
    /// assert!(results.evaluated[0].outcome.compiled().is_empty()); // nobody asked for it
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn compiled(&self) -> &[(String, Resources)] {
        match self {
            Outcome::Good { compiled, .. } => compiled,
            _ => &[],
        }
    }

    /// The seconds of a good candidate by stage; none of any stage for others.
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
    /// let results = exploration.run()?.results;
    /// let outcome = &results.evaluated[0].outcome;
    /// assert_eq!((outcome.stages().predicted, outcome.stages().measured), (outcome.score(), None));
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn stages(&self) -> Stages {
        match self {
            Outcome::Good { stages, .. } => *stages,
            _ => Stages::default(),
        }
    }

    /// Was it measured, and is good?
    pub(super) fn is_measured(&self) -> bool {
        self.stages().measured.is_some()
    }

    /// By what good candidates are ranked.
    pub(super) fn rank(&self) -> Option<Rank> {
        let instructions = |compiled: &[(String, Resources)]| match compiled {
            [] => u64::MAX,
            all => all.iter().map(|(_, of)| u64::from(of.instructions)).sum(),
        };
        Some(Rank {
            is_predicted: !self.is_measured(),
            score: self.score()?,
            instructions: instructions(self.compiled()),
        })
    }

    /// Why there is no score; none for a good candidate.
    ///
    /// ```
    /// use obsidian_rt::explore::Outcome;
    ///
    /// assert_eq!(Outcome::Bad("a race".to_owned()).reason(), Some("a race"));
    /// ```
    pub fn reason(&self) -> Option<&str> {
        match self {
            Outcome::Good { .. } => None,
            Outcome::Bad(reason)
            | Outcome::CannotBuild(reason)
            | Outcome::CannotRunHere(reason)
            | Outcome::TryAgain(reason) => Some(reason),
        }
    }

    /// The kind in words, as reports have it: `good`, `bad`, `cannot be built`, `cannot run here` or `try again`.
    ///
    /// ```
    /// use obsidian_rt::explore::Outcome;
    ///
    /// assert_eq!(Outcome::Bad("a race".to_owned()).name(), "bad");
    /// ```
    pub fn name(&self) -> &'static str {
        match self {
            Outcome::Good { .. } => "good",
            Outcome::Bad(_) => "bad",
            Outcome::CannotBuild(_) => "cannot be built",
            Outcome::CannotRunHere(_) => "cannot run here",
            Outcome::TryAgain(_) => "try again",
        }
    }

    /// What an error of a candidate is.
    pub(super) fn of_error(error: &Error) -> Outcome {
        let words = error.to_string();
        match error.kind() {
            ErrorKind::Build => Outcome::CannotBuild(words),
            ErrorKind::CannotRun
            | ErrorKind::Compile
            | ErrorKind::DeviceUnavailable
            | ErrorKind::KernelRejected
            | ErrorKind::NoCompiler
            | ErrorKind::NoDriver
            | ErrorKind::NoSource
            | ErrorKind::NoTarget
            | ErrorKind::OutOfResources => Outcome::CannotRunHere(words),
            ErrorKind::OutOfMemory | ErrorKind::DriverCall => Outcome::TryAgain(words),
            _ => Outcome::Bad(words),
        }
    }
}

/// By what good candidates are ranked: those that were measured before those that were only predicted, then by score, and of equal scores by the
/// instructions of the machine code, where they are known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rank {
    is_predicted: bool,
    score: f64,
    instructions: u64,
}

impl Rank {
    pub(super) fn cmp(&self, other: &Rank) -> Ordering {
        self.is_predicted
            .cmp(&other.is_predicted)
            .then(self.score.total_cmp(&other.score))
            .then(self.instructions.cmp(&other.instructions))
    }
}

/// A candidate that was tried.
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
/// let results = exploration.run()?.results;
/// let best = results.best().unwrap();
/// println!("{}: {:?} seconds", best.point, best.outcome.score());
/// assert_eq!(best.needs.unwrap().shared_bytes, 0);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Evaluated {
    /// Its parameters.
    pub point: Point,
    /// What came of it.
    pub outcome: Outcome,
    /// The CUDA text, of all its kernels one after the other; kept for the best, the second and the
    /// worst.
    pub cuda: Option<String>,
    /// What its first kernel needs; none if it was not built.
    pub needs: Option<Needs>,
}

/// The resources that a kernel needs of a device.
///
/// ```
/// use obsidian_rt::explore::{Gpu, Needs, Occupancy};
///
/// let needs = Needs { threads: 256, shared_bytes: 48 << 10, registers: Some(32), local_bytes: 0, blocks: 1000 };
/// let more = Needs { shared_bytes: 96 << 10, ..needs };
/// let gpu = Gpu::named("H100")?;
/// assert!(Occupancy::of(&gpu, &more).blocks < Occupancy::of(&gpu, &needs).blocks);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Needs {
    /// Real threads of a block.
    pub threads: u32,
    /// Bytes of shared memory of a block.
    pub shared_bytes: u32,
    /// Registers of a thread, as a compiler has said, or as estimated where it holds more than 8 words in
    /// arrays; none where neither is known.
    pub registers: Option<u32>,
    /// Bytes of local memory of a thread, as a compiler has said; 0 where none has.
    pub local_bytes: u32,
    /// Blocks of the whole launch.
    pub blocks: u64,
}

impl Needs {
    /// What a kernel needs, for one block.
    pub(super) fn of(kernel: &Kernel) -> Needs {
        let plan = kernel.plan().ok();
        Needs {
            threads: kernel.threads(),
            shared_bytes: kernel.shared_bytes(),
            registers: plan.and_then(|plan| estimated(plan.held_words())),
            local_bytes: 0,
            blocks: 1,
        }
    }

    /// The same with what a compiler has said, if one has.
    pub(super) fn with(self, resources: Option<Resources>) -> Needs {
        match resources {
            Some(Resources {
                registers,
                local_bytes,
                ..
            }) => Needs {
                registers: Some(registers),
                local_bytes,
                ..self
            },
            None => self,
        }
    }

    /// The same with no more registers than a thread of a block of this size can have on a GPU: a compiler knows the size, and
    /// puts the others into memory.
    ///
    /// ```
    /// use obsidian_rt::explore::{Gpu, Needs};
    ///
    /// let needs = Needs { threads: 1024, shared_bytes: 0, registers: Some(200), local_bytes: 0, blocks: 1 };
    /// // 1,024 threads share 65,536 registers.
    /// assert_eq!(needs.on(&Gpu::named("H100")?).registers, Some(64));
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn on(self, gpu: &Gpu) -> Needs {
        let most = most_registers(gpu, self.threads);
        let registers = self.registers.map(|n| n.min(most));
        Needs { registers, ..self }
    }
}

/// Estimates the registers of a thread that holds `held_words` words in arrays: those words and 32 more, which kernels without held
/// arrays rarely exceed. Up to 8 words fit into the 32.
fn estimated(held_words: u32) -> Option<u32> {
    (held_words > 8).then_some(32 + held_words)
}

/// Every candidate that was tried to the end, in the order in which the search asked for them.
///
/// Candidates of different jobs are not compared: where a space has [given](super::Space::given) parameters, [`by_key`](Results::by_key) has
/// the results of each job.
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
/// let results = exploration.run()?.results;
/// assert_eq!(results.parameters, ["threads"]);
/// assert_eq!(results.evaluated.len(), 2);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Results {
    /// What was minimised, with its unit and where: `predicted seconds on GTX 680`.
    pub objective: String,
    /// The names of the parameters, in the order of the space.
    pub parameters: Vec<String>,
    /// The names of those that are given, and not chosen.
    pub given: Vec<String>,
    /// The candidates.
    pub evaluated: Vec<Evaluated>,
    /// The keys of which nothing was tried, because the time was up.
    pub untried: Vec<Point>,
    /// Were the best of the predicted candidates compiled?
    pub compilation: Compilation,
    /// Were the best of the predicted candidates measured?
    pub measurement: Measurement,
}

/// Whether the best of the predicted candidates were compiled: see [`Explore::compiled`](super::Explore::compiled).
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
/// use obsidian_rt::explore::Compilation;
/// let results = exploration.run()?.results;
/// assert_eq!(results.compilation, Compilation::NotAsked);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Compilation {
    /// Nobody asked for it, or the candidates are measured and not predicted.
    NotAsked,
    /// None was: the reason, such as that there is no compiler here.
    Skipped(String),
    /// They were, by this compiler for this architecture: `NVRTC 13.0 for sm_90`.
    By(String),
}

/// Whether the best of the predicted candidates were measured: see [`Explore::measured`](super::Explore::measured).
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
/// use obsidian_rt::explore::Measurement;
/// let results = exploration.run()?.results;
/// assert_eq!(results.measurement, Measurement::NotAsked);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Measurement {
    /// Nobody asked for that. An [objective](super::Objective::measured) that measures measures all.
    NotAsked,
    /// None was: the reason, such as that the time was up.
    Skipped(String),
    /// They were, on the device of this name.
    Best(String),
    /// All were that were tried, and nothing was predicted: the reason, such as that the device is no GPU.
    All {
        /// The name of the device.
        on: String,
        /// Why nothing was predicted.
        reason: String,
    },
}

impl Results {
    /// The results of each combination of given values, in the order of the space; of a space without given parameters, all of them, with a key without
    /// values.
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
    /// let results = exploration.run()?.results;
    /// assert_eq!(results.by_key().len(), 1); // nothing is given
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn by_key(&self) -> Vec<(Point, Results)> {
        let mut keys: Vec<(Point, Results)> = Vec::new();
        for evaluated in &self.evaluated {
            let key = evaluated.point.key(&self.given);
            let known = keys.iter().position(|(known, _)| *known == key);
            let place = known.unwrap_or_else(|| {
                let evaluated = Vec::new();
                keys.push((
                    key,
                    Results {
                        evaluated,
                        ..self.clone_empty()
                    },
                ));
                keys.len() - 1
            });
            keys[place].1.evaluated.push(evaluated.clone());
        }
        if keys.is_empty() && self.given.is_empty() {
            keys.push((Point { values: Vec::new() }, self.clone()));
        }
        keys
    }

    /// The same, with the keys of the space of which nothing was tried.
    pub(super) fn with_untried(self, keys: impl Iterator<Item = Point>) -> Results {
        let is_tried = |key: &Point| {
            let mut tried = self.evaluated.iter();
            tried.any(|evaluated| evaluated.point.key(&self.given) == *key)
        };
        Results {
            untried: keys.filter(|key| !is_tried(key)).collect(),
            ..self
        }
    }

    fn clone_empty(&self) -> Results {
        Results {
            objective: self.objective.clone(),
            parameters: self.parameters.clone(),
            given: self.given.clone(),
            evaluated: Vec::new(),
            untried: Vec::new(),
            compilation: self.compilation.clone(),
            measurement: self.measurement.clone(),
        }
    }

    /// Returns `true` if there are candidates of more than one job.
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
    /// let results = exploration.run()?.results;
    /// assert!(!results.has_several_jobs());
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn has_several_jobs(&self) -> bool {
        let mut keys = self
            .evaluated
            .iter()
            .map(|evaluated| evaluated.point.key(&self.given));
        keys.next()
            .is_some_and(|first| keys.any(|key| key != first))
    }

    /// Are some of the good candidates measured, and the others only predicted? The seconds of these two kinds are not compared.
    pub(super) fn is_mixed(&self) -> bool {
        let is = |measured: bool| {
            let mut all = self.evaluated.iter();
            all.any(|of| of.outcome.score().is_some() && of.outcome.is_measured() == measured)
        };
        is(true) && is(false)
    }

    /// The good candidates from the best to the worst: those that were measured before those that were only predicted; of equal scores those with fewer instructions first, where a compiler has counted them, and then
    /// in the order of the search. None if they are of
    /// [several jobs](Results::has_several_jobs): take [`by_key`](Results::by_key) first.
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
    /// let results = exploration.run()?.results;
    /// let ranked = results.ranked();
    /// assert!(ranked[0].outcome.score() <= ranked[1].outcome.score());
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn ranked(&self) -> Vec<&Evaluated> {
        if self.has_several_jobs() {
            return Vec::new();
        }
        let mut good: Vec<(Rank, &Evaluated)> = self
            .evaluated
            .iter()
            .filter_map(|e| e.outcome.rank().map(|rank| (rank, e)))
            .collect();
        good.sort_by(|(a, _), (b, _)| a.cmp(b));
        good.into_iter().map(|(_, evaluated)| evaluated).collect()
    }

    /// How far the best candidate is ahead of the second: by which part of its score the second takes longer. 0 if they were measured and their
    /// confidence intervals overlap, so that which of them is better is not known: they are declared equal, as those with equal scores are; none if fewer than two are good, or if the one was measured and
    /// the other only predicted.
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
    /// let results = exploration.run()?.results;
    /// assert!(results.margin().unwrap() >= 0.0);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn margin(&self) -> Option<f64> {
        let ranked = self.ranked();
        let (best, second) = (ranked.first()?, ranked.get(1)?);
        if best.outcome.is_measured() != second.outcome.is_measured() {
            return None;
        }
        let interval = |evaluated: &Evaluated| match &evaluated.outcome {
            Outcome::Good { interval, .. } => *interval,
            _ => None,
        };
        if let (Some((_, most)), Some((least, _))) = (interval(best), interval(second))
            && least <= most
        {
            return Some(0.0);
        }
        Some(second.outcome.score()? / best.outcome.score()? - 1.0)
    }

    /// The same in words, with the second; none if fewer than two are good.
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
    /// let results = exploration.run()?.results;
    /// println!("{}", results.lead().unwrap());
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn lead(&self) -> Option<String> {
        let ranked = self.ranked();
        let second = &ranked.get(1)?.point;
        let Some(margin) = self.margin() else {
            return Some(format!(
                "the best was measured, and the second, {second}, only predicted"
            ));
        };
        Some(if margin == 0.0 {
            format!("the best is equal to the second, {second}")
        } else {
            let is_sure = |of: &Evaluated| {
                let has_interval =
                    matches!(&of.outcome, Outcome::Good { interval, .. } if interval.is_some());
                has_interval || !of.outcome.is_measured()
            };
            let how = match ranked.iter().take(2).all(|of| is_sure(of)) {
                true => "",
                false => "; fewer than 6 repeats have no confidence interval, so it may be chance",
            };
            format!(
                "the best is {} ahead of the second, {second}{how}",
                percent(margin)
            )
        })
    }

    /// The best candidate, whose whole answer is right. None if no candidate is good, or if they are of
    /// [several jobs](Results::has_several_jobs): take [`by_key`](Results::by_key) first.
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
    /// let results = exploration.run()?.results;
    /// let best = results.best().unwrap();
    /// assert_eq!(best.point, results.ranked()[0].point);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn best(&self) -> Option<&Evaluated> {
        let is_whole = |evaluated: &&Evaluated| evaluated.outcome.checked() == Some(Checked::Whole);
        self.ranked().into_iter().find(is_whole)
    }
}

/// A part as a percentage, with two digits that say something.
fn percent(part: f64) -> String {
    let percent = 100.0 * part;
    match percent {
        _ if percent >= 10.0 => format!("{percent:.0} %"),
        _ if percent >= 1.0 => format!("{percent:.1} %"),
        _ if percent >= 0.01 => format!("{percent:.2} %"),
        _ => "less than 0.01 %".to_owned(),
    }
}
