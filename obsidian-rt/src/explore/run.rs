//! An exploration: a search asks, candidates are tried, and what comes of each is written down.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use super::best::chain;
use super::candidate::Candidate;
use super::compiling::{Asked, Compiling};
use super::evaluate::{Evaluator, Keyed, Trying};
#[cfg(unix)]
use super::isolate;
use super::job::{Answer, Input, Job, Prepared};
use super::journal::{Entry, HASH_OF_NOTHING, Journal, hash};
use super::key::{Log, Run};
use super::objective::{Kind, Objective};
use super::progress::Progress;
use super::result::{Compilation, Evaluated, Measurement, Point, Results};
use super::search::Search;
use super::space::{Points, Space};
use crate::device::Device;
use crate::error::{Error, ErrorKind, Result};
use crate::kernel::Kernel;
use crate::resources::Resources;

/// An exploration that is being described; [`run`](Explore::run) does it.
///
/// ```
/// use obsidian_rt::explore::{Candidate, Explore, Gpu, Job, Objective, Space};
/// use obsidian_rt::{TypedKernel, language::*};
///
/// let job = Job::new(vec![1u32; 256], |x| x.iter().map(|x| 2 * x).collect::<Vec<u32>>());
/// let space = Space::new().list("threads", [32, 64]);
/// let exploration = Explore::new(space, Objective::predicted(Gpu::named("H100")?), job, |point| {
///     let kernel = TypedKernel::build("doubled", point.u32("threads")?, |x: DPull<EU32>| {
///         x.split_up(64).as_grid_map(|x| x.map(|x| x * 2).push())
///     })?;
///     Ok(Candidate::of(kernel))
/// });
/// let best = exploration.run()?;
/// println!("{}", best.results.best().unwrap().point);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub struct Explore {
    space: Space,
    search: Search,
    objective: Objective,
    jobs: Jobs,
    limit: Duration,
    workers: usize,
    most_candidates: Option<usize>,
    most_time: Option<Duration>,
    file: Option<PathBuf>,
    watch: Watch,
    asked: Asked,
    /// What measures the best of a prediction.
    measuring: Option<Objective>,
    /// The arguments of worker processes, if there are to be some.
    #[cfg_attr(not(unix), allow(dead_code))]
    isolation: Option<Vec<OsString>>,
}

/// Gives the job of a key, with a way to make candidates for it.
type Jobs = Box<dyn Fn(&Point) -> Result<Keyed> + Send>;

pub(super) type Watch = Box<dyn FnMut(&Progress) + Send>;

/// The results of an exploration, and what it took.
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
/// let explored = exploration.run()?;
/// assert!(explored.results.best().is_some());
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Explored {
    /// The candidates that were tried with full effort, could not be built, or failed.
    pub results: Results,
    /// Those that were tried with less effort only, and given up: of [`Search::Halving`]. Their
    /// scores are less certain. If no candidate is right that was tried with full effort, the best of these are in `results` instead, until one is
    /// right.
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
    /// Explores a space for one job; `build` makes a candidate of each point, from kernels that it builds
    /// natively. It is called on all cores at once, for a point more than once, and has to give the
    /// same each time. All keys of a space with given parameters have this job.
    ///
    /// It is made of a space, an objective, a job, and a function from a point to launches.
    ///
    /// ```
    /// use obsidian_rt::explore::{Candidate, Explore, Gpu, Job, Objective, Space};
    /// use obsidian_rt::{TypedKernel, language::*};
    ///
    /// let job = Job::new(vec![1u32; 256], |x| x.iter().map(|x| 2 * x).collect::<Vec<u32>>());
    /// let space = Space::new().list("threads", [32, 64]);
    /// let exploration = Explore::new(space, Objective::predicted(Gpu::named("H100")?), job, |point| {
    ///     let kernel = TypedKernel::build("doubled", point.u32("threads")?, |x: DPull<EU32>| {
    ///         x.split_up(64).as_grid_map(|x| x.map(|x| x * 2).push())
    ///     })?;
    ///     Ok(Candidate::of(kernel))
    /// });
    /// assert_eq!(exploration.run()?.results.evaluated.len(), 2);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn new<I: Input, A: Answer>(
        space: Space,
        objective: Objective,
        job: Job<I, A>,
        build: impl Fn(&Point) -> Result<Candidate<I, A>> + Send + Sync + 'static,
    ) -> Self {
        let build = Arc::new(build);
        // The job until it is first asked for, and then what was made of it.
        let state: Mutex<(Option<Job<I, A>>, Option<Prepared<I>>)> = Mutex::new((Some(job), None));
        let jobs = move |_: &Point| {
            let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(job) = state.0.take() {
                state.1 = Some(job.prepare());
            }
            state
                .1
                .as_ref()
                .map(|prepared| keyed(prepared, &build))
                .ok_or_else(no_job)
        };
        Explore::with_jobs(space, objective, Box::new(jobs))
    }

    /// Explores a space with [given](Space::given) parameters: `job` makes the job of a key, which has their values. Each key has
    /// a search of its own. Its job is made when its search begins, and dropped when that ends.
    ///
    /// ```
    /// use obsidian_rt::explore::{Candidate, Explore, Gpu, Job, Objective, Space};
    /// use obsidian_rt::{TypedKernel, language::*};
    ///
    /// # fn main() -> obsidian_rt::Result<()> {
    /// let space = Space::new().given("elements", [1u32 << 10, 1 << 14]).list("piece", [64, 256]).list("threads", [32, 64]);
    /// let job = |key: &obsidian_rt::explore::Point| {
    ///     Ok(Job::new((0..key.u32("elements")?).collect::<Vec<u32>>(), |input| input.iter().map(|x| x * 2).collect::<Vec<u32>>()))
    /// };
    /// let explored = Explore::by_key(space, Objective::predicted(Gpu::named("H100")?), job, |point| {
    ///     let piece = point.u32("piece")?;
    ///     let doubled = TypedKernel::build("doubled", point.u32("threads")?, |input: DPull<EU32>| {
    ///         input.split_up(piece).as_grid_map(|piece| piece.map(|x| x * 2).push::<Block>())
    ///     })?;
    ///     Ok(Candidate::of(doubled))
    /// });
    /// for (key, results) in explored.run()?.results.by_key() {
    ///     println!("{key}: {}", results.best().expect("some candidate is good").point);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn by_key<I: Input, A: Answer>(
        space: Space,
        objective: Objective,
        job: impl Fn(&Point) -> Result<Job<I, A>> + Send + 'static,
        build: impl Fn(&Point) -> Result<Candidate<I, A>> + Send + Sync + 'static,
    ) -> Self {
        let build = Arc::new(build);
        let jobs = move |key: &Point| Ok(keyed(&job(key)?.prepare(), &build));
        Explore::with_jobs(space, objective, Box::new(jobs))
    }

    fn with_jobs(space: Space, objective: Objective, jobs: Jobs) -> Self {
        // The pool keeps the arrays of the job before, and of another size no array is made of them.
        let jobs: Jobs = Box::new(move |key| {
            trim();
            jobs(key)
        });
        Explore {
            space,
            search: Search::Grid,
            objective,
            jobs,
            limit: Duration::from_secs(60),
            workers: available_parallelism().map_or(1, |cores| cores.get()),
            most_candidates: None,
            most_time: None,
            file: None,
            watch: Box::new(|_: &Progress| ()),
            asked: Asked::Nothing,
            measuring: None,
            isolation: None,
        }
    }

    /// Tries candidates in a worker process, so that one that aborts, overflows its stack, never ends or takes the device with it costs one
    /// candidate: the worker is started again, and the others are tried. On Unix only.
    ///
    /// The worker is *this program*, started again with the same arguments. It does everything that the program does before it calls
    /// [`run`](Explore::run), without output and with another standard input; then it tries candidates, and never goes past `run`. So the program
    /// has to come to the same exploration each time, with the same job, within the [time of a candidate](Explore::time_out) and 20 seconds. It should do
    /// nothing before that must be done once only, such as writing files, and must not read its standard input. Isolated
    /// explorations that ran before are not run again: their `run` comes back with what was found, or with its error. All of a program are on one
    /// thread. Both the program and the worker make the job.
    ///
    /// A candidate that ended its process twice, the second time alone in a new one, is [`Bad`](super::Outcome::Bad); the reason has the signal. So is one whose process says
    /// nothing for the time of a candidate and 5 seconds, because it was stopped say: it is killed, with what it has started. After SIGKILL, by which systems end a process where memory
    /// runs out, it is to be [tried again](super::Outcome::TryAgain).
    #[cfg(unix)]
    #[must_use]
    pub fn isolated(self) -> Self {
        self.isolated_with(std::env::args_os().skip(1))
    }

    /// The same with other arguments for the worker, by which the program comes to this exploration: in a test, its name and `--exact`. Explorations of
    /// different threads need different ones.
    #[cfg(unix)]
    #[must_use]
    pub fn isolated_with(self, arguments: impl IntoIterator<Item = impl Into<OsString>>) -> Self {
        let arguments = arguments.into_iter().map(Into::into).collect();
        Explore {
            isolation: Some(arguments),
            ..self
        }
    }

    /// How candidates are chosen; [`Search::Grid`] by default.
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
    /// let explored = exploration.search(Search::Random { seed: 1 }).run()?;
    /// assert_eq!(explored.results.evaluated.len(), 2);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[must_use]
    pub fn search(self, search: Search) -> Self {
        Explore { search, ..self }
    }

    /// Stops after `candidates` full evaluations (at least 1) of each key. A failed build counts as
    /// one, and a try with a part of the effort counts as that part. No limit by default.
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
    /// let explored = exploration.at_most(1).run()?;
    /// assert_eq!(explored.results.evaluated.len(), 1);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[must_use]
    pub fn at_most(self, candidates: usize) -> Self {
        Explore {
            most_candidates: Some(candidates.max(1)),
            ..self
        }
    }

    /// Begins no try after this time, over all runs. No limit by default. Unlike all else, where
    /// this ends a search is not the same each time.
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
    /// use std::time::Duration;
    ///
    /// let explored = exploration.within(Duration::from_secs(3600)).run()?;
    /// assert_eq!(explored.results.evaluated.len(), 2);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
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
    /// use std::time::Duration;
    ///
    /// let explored = exploration.time_out(Duration::from_secs(600)).run()?;
    /// assert_eq!(explored.results.ranked().len(), 2);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[must_use]
    pub fn time_out(mut self, time: Duration) -> Self {
        self.limit = time;
        self
    }

    /// Compiles the best tenth of the predicted candidates by the NVRTC or nvcc of this machine, for the architecture of the described GPU, and
    /// predicts them again with the registers and the local memory of their machine code. More are compiled, from the best on, until
    /// the best two are. [`Outcome::Good`](super::Outcome::Good) has the figures. Of equal scores, fewer instructions are better.
    ///
    /// Without a compiler, or with one that makes no code for the GPU, nothing is compiled, and [`Results::compilation`] says why. A kernel that the
    /// compiler refuses [cannot run here](super::Outcome::CannotRunHere). Has no effect on measurements.
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
    /// let results = exploration.compiled().run()?.results;
    /// // Where there is no compiler, the results say so.
    /// println!("{:?}", results.compilation);
    /// assert_eq!(results.ranked().len(), 2);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[must_use]
    pub fn compiled(self) -> Self {
        self.asking(Asked::Found)
    }

    /// The same with figures from elsewhere: a profiler, or another compiler. `by` is what to call it, with its version and the architecture: lines of a
    /// [file](Explore::file) are taken only for the same one. `of` is called with each distinct kernel of the best, on several threads; in words
    /// it says why it refuses one, which then [cannot run here](super::Outcome::CannotRunHere).
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
    /// use obsidian_rt::explore::{Compilation, Resources};
    ///
    /// let measured = |_: &obsidian_rt::Kernel| Ok(Resources { registers: 40, local_bytes: 0, instructions: 100 });
    /// let results = exploration.compiled_by("a profiler", measured).run()?.results;
    /// assert_eq!(results.compilation, Compilation::By("a profiler".to_owned()));
    /// assert_eq!(results.best().unwrap().needs.unwrap().registers, Some(40));
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[must_use]
    pub fn compiled_by(
        self,
        by: &str,
        of: impl Fn(&Kernel) -> std::result::Result<Resources, String> + Send + Sync + 'static,
    ) -> Self {
        let of = move |kernel: &Kernel| {
            of(kernel).map_err(|words| Error::new(ErrorKind::Compile, words).of(kernel.name()))
        };
        self.asking(Asked::By(Compiling::new(by, "", of)))
    }

    /// Measures the best of the predicted candidates at the end, and lets that decide. `by` is [`Objective::measured`] of the GPU that the prediction is for,
    /// with the number of repeats as its effort.
    ///
    /// From the best on, candidates are measured until 8 are whose answers are right: after [compiling](Explore::compiled), which then goes on until
    /// the best 8 are compiled. Those of them whose 95 % confidence intervals overlap with the best one's are measured again with 4 and then 16 times as many
    /// repeats; if they overlap still, they are declared equal: [`Results::margin`] is 0. One that fails costs itself, and the next takes its
    /// place. Measurements do not count in [`at_most`](Explore::at_most). They have lines in the [file](Explore::file), those with more repeats too, so a
    /// run that goes on does not make them again.
    ///
    /// On a device that is no GPU, such as [`Device::cpu`], a prediction says nothing: the search measures every candidate that it tries, and
    /// [`Results::measurement`] says why.
    ///
    /// ```
    /// use obsidian_rt::explore::{Candidate, Explore, Gpu, Job, Measurement, Objective, Space};
    /// use obsidian_rt::{Device, TypedKernel, language::*};
    ///
    /// # fn main() -> obsidian_rt::Result<()> {
    /// let device = Device::best()?;
    /// // Of a GPU that no description is shipped of, read a file: `Gpu::read`.
    /// let gpu = Gpu::of(&device).or_else(|_| Gpu::named("H100"))?;
    /// let job = Job::new((0..1u32 << 12).collect::<Vec<u32>>(), |x| x.iter().map(|x| x * 2).collect::<Vec<u32>>());
    /// let space = Space::new().list("threads", [32, 64]);
    /// let explored = Explore::new(space, Objective::predicted(gpu), job, |point| {
    ///     let doubled = TypedKernel::build("doubled", point.u32("threads")?, |input: DPull<EU32>| {
    ///         input.split_up(256).as_grid_map(|piece| piece.map(|x| x * 2).push::<Block>())
    ///     })?;
    ///     Ok(Candidate::of(doubled))
    /// });
    /// let explored = explored.compiled().measured(Objective::measured(device)).run()?;
    /// if let Measurement::All { reason, .. } = &explored.results.measurement {
    ///     println!("all were measured: {reason}");
    /// }
    /// let best = explored.results.best().expect("some candidate is good");
    /// assert!(best.outcome.stages().measured.is_some());
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn measured(self, by: Objective) -> Self {
        Explore {
            measuring: Some(by),
            ..self
        }
    }

    pub(super) fn asking(self, asked: Asked) -> Self {
        Explore { asked, ..self }
    }

    /// How many candidates are built and predicted at once, at least 1; as many as there are cores
    /// by default. The results are the same.
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
    /// let explored = exploration.workers(1).run()?;
    /// assert_eq!(explored.results.ranked().len(), 2);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[must_use]
    pub fn workers(mut self, workers: usize) -> Self {
        self.workers = workers.max(1);
        self
    }

    /// Writes what comes of each try to this file, and takes from it what is there already: a run
    /// that was killed goes on. The file belongs to the points of the space and to the objective; any search may use it.
    ///
    /// A line is taken only for what it was written for: the same CUDA text, launch sizes and arguments, the same job, and the same figures of the GPU, or
    /// device model and driver. So each candidate is built, and what has changed is tried again. What panicked or took too long, cannot be built,
    /// cannot run here, or is to be [tried again](super::Outcome::TryAgain) has no line.
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
    /// let path = std::env::temp_dir().join(format!("doubled-{}.explored", std::process::id()));
    /// let explored = exploration.file(&path).run()?; // a line for each try
    /// assert!(std::fs::read_to_string(&path).unwrap().lines().count() >= 2);
    /// # std::fs::remove_file(&path).unwrap();
    /// # let _ = explored;
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[must_use]
    pub fn file(self, path: impl AsRef<Path>) -> Self {
        Explore {
            file: Some(path.as_ref().to_owned()),
            ..self
        }
    }

    /// Calls a function after each try, for a progress bar: [`Bar::show`](super::Bar::show).
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
    /// let explored = exploration.on_progress(|progress| println!("{} of {}", progress.done, progress.planned)).run()?;
    /// assert_eq!(explored.results.ranked().len(), 2);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[must_use]
    pub fn on_progress(self, watch: impl FnMut(&Progress) + Send + 'static) -> Self {
        Explore {
            watch: Box::new(watch),
            ..self
        }
    }

    /// Explores.
    ///
    /// What is wrong with a candidate is its [`Outcome`](super::Outcome), and no error. After the search of a prediction, the best candidates whose answers were compared
    /// in part only do the whole job, on the CPU, until 8 are right: those that are not are [`Bad`](super::Outcome::Bad). Jobs of at most 65,536
    /// elements, of input and answer together, are done as a whole by every candidate.
    ///
    /// # Errors
    /// [`Space`](crate::ErrorKind::Space) for a space that is none, a search that needs more effort, or objectives that do not go together;
    /// [`UnknownDevice`](ErrorKind::UnknownDevice) if the GPU that is described is not the one that [measures](Explore::measured);
    /// [`File`](crate::ErrorKind::File) and [`DamagedFile`](crate::ErrorKind::DamagedFile) for a
    /// file that cannot be used, or is of another exploration, with the [line](crate::Error::line) of a damage; [`Worker`](ErrorKind::Worker) for a worker process that does
    /// not come to this exploration and this job; [`CannotRun`](ErrorKind::CannotRun) if none of the first 8 candidates can run on the
    /// device; [`LostContext`](ErrorKind::LostContext) if a candidate has taken the device with it: it is in the file as bad, and a new process can go
    /// on. What the function reports that makes the job.
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
    /// let explored = exploration.run()?;
    /// assert_eq!(explored.results.ranked().len(), 2);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[cfg_attr(not(unix), allow(unused_mut))]
    pub fn run(mut self) -> Result<Explored> {
        let points = self.space.points()?;
        let measurement = match self.measuring.take() {
            None => Measurement::NotAsked,
            Some(by) => {
                let measurement = chain(&self.objective, &by)?;
                match measurement {
                    Measurement::All { .. } => self.objective = by,
                    _ => self.measuring = Some(by),
                }
                measurement
            }
        };
        self.search.check(self.objective.effort())?;
        #[cfg(unix)]
        if let Some(arguments) = self.isolation.take() {
            let (identity, _) = self.identity(&points);
            return match isolate::role(&points, identity, &arguments, self.workers, self.limit)? {
                isolate::Role::Told(explored) => Ok(*explored),
                isolate::Role::Worker(socket) => {
                    let keys = points.keys();
                    let (how, compiling) = (self.how(), self.compiling().0);
                    isolate::serve(&socket, &points, &|key| {
                        how.evaluator((self.jobs)(&keys[key].0)?, compiling.clone())
                    })
                }
                isolate::Role::Explorer(workers) => {
                    let jobs = std::mem::replace(&mut self.jobs, Box::new(|_| Err(no_job())));
                    let (_, compilation) = self.compiling();
                    let explored =
                        self.explore(&points, (compilation, measurement), &|values, key| {
                            // The job of the worker has to be this one.
                            workers.expect(key, jobs(values)?.job.id);
                            trim();
                            Ok(Trying::There(&workers, key))
                        });
                    isolate::remember(&explored, &points);
                    explored
                }
            };
        }
        self.explore_here(&points, measurement)
    }

    fn explore_here(mut self, points: &Points, measurement: Measurement) -> Result<Explored> {
        let jobs = std::mem::replace(&mut self.jobs, Box::new(|_| Err(no_job())));
        let (compiling, compilation) = self.compiling();
        let how = self.how();
        self.explore(points, (compilation, measurement), &|key, _| {
            let evaluator = how.evaluator(jobs(key)?, compiling.clone())?;
            Ok(Trying::Here(Arc::new(evaluator)))
        })
    }

    fn how(&self) -> How {
        How {
            objective: self.objective.clone(),
            measuring: self.measuring.clone(),
            limit: self.limit,
            workers: self.workers,
        }
    }

    /// What compiles the best, and what the results say of that.
    fn compiling(&self) -> (Option<Compiling>, Compilation) {
        self.asked.of(match &self.objective.kind {
            Kind::Predicted(gpu) => Some(gpu),
            Kind::Measured { .. } => None,
        })
    }

    /// Explores; `trying` says who tries the candidates of a key, which has a number.
    fn explore<'a>(
        self,
        points: &Points,
        (compilation, measurement): (Compilation, Measurement),
        trying: &dyn Fn(&Point, usize) -> Result<Trying<'a>>,
    ) -> Result<Explored> {
        let (journal, entries) = self.open(points)?;
        let elapsed = entries.last().map_or(0.0, |entry| entry.elapsed);
        let keys = points.keys();
        let most = |points: &Points| {
            let all = points.len();
            self.most_candidates.unwrap_or(all).min(all)
        };
        let planned = keys.iter().map(|(_, points)| most(points)).sum::<usize>() as f64;
        let known = entries
            .into_iter()
            .map(|entry| ((entry.point, entry.effort, entry.stage), entry.tried))
            .collect();
        let log = Mutex::new(Log {
            journal,
            resumed: 0,
            known,
            tried: BTreeMap::new(),
            done: 0.0,
            unfit: 0,
            fit: false,
            best: None,
            uncompiled: None,
            unmeasured: None,
            failure: None,
            watch: self.watch,
        });
        let begun = Instant::now()
            .checked_sub(Duration::from_secs_f64(elapsed))
            .unwrap_or_else(Instant::now);
        let mut explored = Explored {
            results: Results {
                objective: match &self.measuring {
                    Some(by) => format!("{by}, of the best by {}", self.objective),
                    None => self.objective.to_string(),
                },
                parameters: points.names(),
                given: points.given(),
                evaluated: Vec::new(),
                untried: Vec::new(),
                compilation,
                measurement,
            },
            given_up: Vec::new(),
            evaluations: 0.0,
            resumed: 0,
            seconds: 0.0,
        };
        for (number, (key, points)) in keys.into_iter().enumerate() {
            let run = Run {
                points,
                trying: trying(&key, number)?,
                objective: &self.objective,
                effort: self.objective.effort(),
                begun,
                most_time: self.most_time,
                planned,
                compiles: matches!(explored.results.compilation, Compilation::By(_)),
                measuring: self.measuring.as_ref(),
                log: &log,
            };
            let budget = self
                .most_candidates
                .map_or(f64::INFINITY, |most| most as f64);
            run.search(self.search, budget, &mut explored)?;
        }
        let keys = points.keys().into_iter().map(|(key, _)| key);
        explored.results = explored.results.with_untried(keys);
        if let Some(reason) = log
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .uncompiled
            .take()
        {
            explored.results.compilation = Compilation::Skipped(reason);
        }
        let unmeasured = log
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .unmeasured
            .take();
        let mut all = explored.results.evaluated.iter();
        if let Some(reason) = unmeasured
            && !all.any(|of| of.outcome.is_measured())
        {
            explored.results.measurement = Measurement::Skipped(reason);
        }
        explored.resumed = log.lock().unwrap_or_else(PoisonError::into_inner).resumed;
        explored.seconds = begun.elapsed().as_secs_f64();
        Ok(explored)
    }

    /// A hash of points and objective, and the objective in words.
    fn identity(&self, points: &Points) -> (u64, String) {
        let words = format!(
            "{}, with an effort of {}",
            self.objective,
            self.objective.effort()
        );
        let of_words = hash(HASH_OF_NOTHING, words.as_bytes());
        let identity = (0..points.len()).fold(of_words, |sum, number| {
            hash(
                hash(sum, b"\n"),
                points.point(number).to_string().as_bytes(),
            )
        });
        (identity, words)
    }

    fn open(&self, points: &Points) -> Result<(Option<Journal>, Vec<Entry>)> {
        let Some(path) = &self.file else {
            return Ok((None, Vec::new()));
        };
        let (identity, words) = self.identity(points);
        let (journal, entries) = Journal::open(path, identity, &words, points.len())?;
        Ok((Some(journal), entries))
    }
}

/// How the candidates of any key are tried in a process.
struct How {
    objective: Objective,
    measuring: Option<Objective>,
    limit: Duration,
    workers: usize,
}

impl How {
    fn evaluator(&self, job: Keyed, compiling: Option<Compiling>) -> Result<Evaluator> {
        let objective = self.objective.clone();
        let evaluator = Evaluator::new(job, objective, self.limit, self.workers, compiling)?;
        match &self.measuring {
            Some(by) => evaluator.measuring(by.clone()),
            None => Ok(evaluator),
        }
    }
}

/// Gives arrays of the host that nobody uses back to the system.
fn trim() {
    // The CPU reports nothing.
    let _ = Device::cpu().trim_memory(0);
}

fn no_job() -> Error {
    Error::new(
        ErrorKind::Internal,
        "the job of the exploration was not made",
    )
}

/// A job with a way to make candidates for it.
fn keyed<I: Input, A: Answer>(
    prepared: &Prepared<I>,
    build: &Arc<impl Fn(&Point) -> Result<Candidate<I, A>> + Send + Sync + 'static>,
) -> Keyed {
    let (shape, build) = (Arc::clone(&prepared.shape), Arc::clone(build));
    Keyed {
        job: Arc::clone(&prepared.data),
        build: Arc::new(move |point| Ok(build(point)?.called(&shape))),
    }
}

impl fmt::Debug for Explore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Explore");
        shown
            .field("space", &self.space)
            .field("search", &self.search)
            .field("objective", &self.objective);
        shown.field("file", &self.file).finish_non_exhaustive()
    }
}
