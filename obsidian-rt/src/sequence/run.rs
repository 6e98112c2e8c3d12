//! The run of a sequence: a thread reads, the caller's thread computes and gives results away.

use std::any::Any;
use std::fmt;
use std::ops::ControlFlow;
use std::panic::AssertUnwindSafe;
use std::rc::Rc;
use std::sync::mpsc;

use super::consume::Sink;
use super::graph::{Form, Graph, Kept, Kind, Node};
use super::source::{Length, Piece, Reader, StagedArray};
use super::staging::{Copied, Slots};
use crate::arrays::{AnyArray, AnyProgram};
use crate::device::Device;
use crate::error::{Error, ErrorKind, Result};
use crate::stream::Stream;
use crate::untyped::AnyBuffer;
use crate::view::AnyView;

/// The longest chunk that is chosen, in elements.
const LONGEST: u64 = 1 << 24;

/// A sequence with all that consumes it: what a run needs.
///
/// ```
/// use obsidian_rt::{Device, sequence::{Consumed, Sequence}};
///
/// let sum: Consumed<u64> = Sequence::generate(1000, |i| i).sum();
/// assert_eq!(sum.chunk(64).run(&Device::cpu())?, 499_500);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[must_use = "nothing is read before `run`"]
pub struct Consumed<'s, O> {
    roots: Vec<Root<'s>>,
    /// Takes the results of the roots.
    finish: Box<Finish<'s, O>>,
    settings: Settings<'s>,
}

type Results = std::vec::IntoIter<Box<dyn Any>>;
type Finish<'s, O> = dyn FnOnce(&mut Results) -> Option<O> + 's;
type Watch<'s> = Box<dyn FnMut(&Progress) -> ControlFlow<()> + 's>;

/// A node whose arrays a sink takes.
struct Root<'s> {
    node: Rc<Node<'s>>,
    sink: Box<dyn Sink + 's>,
}

#[derive(Default)]
struct Settings<'s> {
    chunk: Option<usize>,
    slots: Option<usize>,
    limit: Option<u64>,
    skip: u64,
    take: Option<u64>,
    watch: Option<Watch<'s>>,
}

impl<O> fmt::Debug for Consumed<'_, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Consumed")
            .field("consumers", &self.roots.len())
            .field("chunk", &self.settings.chunk)
            .finish_non_exhaustive()
    }
}

/// How far a run has come: see [`Consumed::watch`].
///
/// ```
/// use std::ops::ControlFlow;
/// use obsidian_rt::{Device, sequence::Sequence};
///
/// let sum = Sequence::generate(1000, |i| i).sum().chunk(100);
/// sum.watch(|progress| {
///     println!("{} of {:?}", progress.elements, progress.total);
///     ControlFlow::Continue(())
/// })
/// .run(&Device::cpu())?;
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Progress {
    /// The number of chunks that are done. Their results have been given to the sinks.
    pub chunks: u64,
    /// The number of elements in them, those that were skipped included.
    pub elements: u64,
    /// The number of all elements, if it is known.
    pub total: Option<u64>,
}

/// How a run will go: see [`Consumed::plan`]. It can be printed.
///
/// ```
/// use obsidian_rt::{Device, sequence::Sequence};
///
/// let numbers = [1.0f32; 1000];
/// let plan = Sequence::slice(&numbers).sum().chunk(256).plan(&Device::cpu())?;
/// assert_eq!((plan.chunk, plan.operators), (256, 1));
/// println!("{plan}");
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Plan {
    /// The number of elements in a chunk.
    pub chunk: usize,
    /// The number of chunks that are there at once: one that is computed, one that is read, and others that wait.
    pub slots: usize,
    /// The bytes that a chunk is read into; 0 if the device reads the memory of the host where the elements lie.
    pub input_bytes: u64,
    /// The bytes of the arrays that the program of a chunk stores for itself.
    pub temporary_bytes: u64,
    /// The bytes of its results.
    pub output_bytes: u64,
    /// The number of elements, if it is known.
    pub elements: Option<u64>,
    /// How many array operations, after fusion, a chunk takes, without what regroups elements for folds.
    pub operators: usize,
    /// The most memory that all slots may take, in bytes.
    pub memory_limit: u64,
}

impl Plan {
    /// The bytes of all slots.
    ///
    /// ```
    /// use obsidian_rt::{Device, sequence::Sequence};
    ///
    /// let plan = Sequence::generate(1000, |i| i).sum().chunk(256).plan(&Device::cpu())?;
    /// assert!(plan.bytes() >= 3 * 8 * 256); // three slots of 256 numbers of 8 bytes
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn bytes(&self) -> u64 {
        let each = self.input_bytes + self.temporary_bytes + self.output_bytes;
        each.saturating_mul(self.slots as u64)
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.elements {
            Some(elements) => write!(
                f,
                "{elements} elements in {} chunks of {}",
                elements.div_ceil(self.chunk.max(1) as u64),
                self.chunk
            )?,
            None => write!(f, "chunks of {} elements", self.chunk)?,
        }
        write!(
            f,
            "; {} slots of {} + {} + {} bytes (read, stored, results), together {} of at most {}; {} operators",
            self.slots,
            self.input_bytes,
            self.temporary_bytes,
            self.output_bytes,
            self.bytes(),
            self.memory_limit,
            self.operators
        )
    }
}

impl<'s, O: 'static> Consumed<'s, O> {
    /// A node that a sink takes the arrays of, and what makes a value of the result of the sink.
    pub(super) fn of(
        node: Rc<Node<'s>>,
        sink: Box<dyn Sink + 's>,
        finish: impl FnOnce(Box<dyn Any>) -> Option<O> + 's,
    ) -> Self {
        Consumed {
            roots: vec![Root { node, sink }],
            finish: Box::new(move |results| finish(results.next()?)),
            settings: Settings::default(),
        }
    }

    /// The same with another result.
    pub(super) fn mapped<R>(self, f: impl FnOnce(O) -> R + 's) -> Consumed<'s, R> {
        let finish = self.finish;
        Consumed {
            roots: self.roots,
            finish: Box::new(move |results| Some(f(finish(results)?))),
            settings: self.settings,
        }
    }

    /// This and what else consumes the same sources, in one pass. Each source is read once, and the shortest ends all.
    ///
    /// The settings are those of the first one, and where it has none those of the other one; sums of sequences of different lengths take two runs.
    ///
    /// ```
    /// use obsidian_rt::{Device, sequence::Sequence};
    ///
    /// let xs = Sequence::slice(&[3.0f32, 4.0]);
    /// let squares = xs.clone().map(|x| x * x);
    /// let (length, largest) = squares.sum().and(xs.max()).run(&Device::cpu())?;
    /// assert_eq!((length, largest), (25.0, Some(4.0)));
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn and<R: 'static>(self, other: Consumed<'s, R>) -> Consumed<'s, (O, R)> {
        let mut roots = self.roots;
        roots.extend(other.roots);
        let (own, others) = (self.finish, other.finish);
        let (first, second) = (self.settings, other.settings);
        Consumed {
            roots,
            finish: Box::new(move |results| Some((own(results)?, others(results)?))),
            settings: Settings {
                chunk: first.chunk.or(second.chunk),
                slots: first.slots.or(second.slots),
                limit: first.limit.or(second.limit),
                skip: first.skip.max(second.skip),
                take: first.take.or(second.take),
                watch: first.watch.or(second.watch),
            },
        }
    }

    /// The number of elements in a chunk, at least 1. Without it, the run chooses: see [`plan`](Consumed::plan).
    ///
    /// ```
    /// use obsidian_rt::{Device, sequence::Sequence};
    ///
    /// // Any number gives the same bits.
    /// let sum = |k| Sequence::generate(10_000, |i| 1.0 / (i + 1) as f32).sum().chunk(k).run(&Device::cpu());
    /// assert_eq!(sum(1000)?, sum(7)?);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn chunk(mut self, elements: usize) -> Self {
        self.settings.chunk = Some(elements);
        self
    }

    /// The number of chunks that are there at once, 3 without it and at least 2: one is computed, another is read.
    ///
    /// ```
    /// use obsidian_rt::{Device, sequence::Sequence};
    ///
    /// let plan = Sequence::generate(10, |i| i).sum().slots(4).plan(&Device::cpu())?;
    /// assert_eq!(plan.slots, 4);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn slots(mut self, slots: usize) -> Self {
        self.settings.slots = Some(slots.max(2));
        self
    }

    /// The most memory that the chunks of a run may take, in bytes. Without it, half of the memory that is free.
    ///
    /// What [`collect`](super::collect) keeps is not counted. Where elements decide how long a result is, as behind `filter` and `expand`, it is taken to be as long as the chunk.
    ///
    /// ```
    /// use obsidian_rt::{Device, ErrorKind, sequence::Sequence};
    ///
    /// let rows = [0.0f32; 4096];
    /// let sums = || Sequence::rows(&rows, [1024]).map_chunks(|rows| rows.sum()).sum();
    /// assert!(sums().memory_limit(1 << 20).plan(&Device::cpu())?.bytes() <= 1 << 20);
    /// let error = sums().memory_limit(1).run(&Device::simulator()).unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::OutOfMemory); // it says what one element needs
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn memory_limit(mut self, bytes: u64) -> Self {
        self.settings.limit = Some(bytes);
        self
    }

    /// Does not read the first elements of each source: so a run goes on where an earlier one has ended, whose sinks have taken
    /// [`Progress::elements`].
    ///
    /// ```
    /// use obsidian_rt::{Device, sequence::Sequence};
    ///
    /// assert_eq!(Sequence::slice(&[1u32, 2, 3]).sum().skip(2).run(&Device::cpu())?, 3);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn skip(mut self, elements: u64) -> Self {
        self.settings.skip = elements;
        self
    }

    /// Reads at most this number of elements of each source.
    ///
    /// ```
    /// use obsidian_rt::{Device, sequence::Sequence};
    ///
    /// assert_eq!(Sequence::from_iter(0u64..).sum().take(10).run(&Device::cpu())?, 45);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn take(mut self, elements: u64) -> Self {
        self.settings.take = Some(elements);
        self
    }

    /// Calls `f` after each chunk, on the thread of the run: for a progress bar, or to end the run. `ControlFlow::Break(())` ends it with
    /// [`ErrorKind::Cancelled`]. A source that is waiting for an element is waited for.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use std::sync::atomic::{AtomicBool, Ordering};
    /// use obsidian_rt::{Device, ErrorKind, sequence::Sequence};
    ///
    /// let is_cancelled = AtomicBool::new(true); // a button, say
    /// let sum = Sequence::from_iter(0u32..).sum().watch(|_| match is_cancelled.load(Ordering::Relaxed) {
    ///     true => ControlFlow::Break(()),
    ///     false => ControlFlow::Continue(()),
    /// });
    /// assert_eq!(sum.run(&Device::cpu()).unwrap_err().kind(), ErrorKind::Cancelled);
    /// ```
    pub fn watch(mut self, f: impl FnMut(&Progress) -> ControlFlow<()> + 's) -> Self {
        self.settings.watch = Some(Box::new(f));
        self
    }

    fn graph(&self) -> Graph<'s> {
        let nodes: Vec<_> = self.roots.iter().map(|root| root.node.clone()).collect();
        Graph::of(&nodes)
    }

    /// What a run on a device would do: the size of chunks, and the memory that they take. Nothing is read.
    ///
    /// Unless [`chunk`](Consumed::chunk) says it, a chunk has the largest power of two of elements, up to 2^24, with which all slots fit in the
    /// [limit](Consumed::memory_limit), and on a CPU in its second-level cache as well.
    ///
    /// # Errors
    /// What is wrong with the functions, [`ErrorKind::Build`], and with the sources; [`ErrorKind::OutOfMemory`] if one element needs more than
    /// the limit.
    ///
    /// ```
    /// use obsidian_rt::{Device, sequence::Sequence};
    ///
    /// let plan = Sequence::generate(1 << 20, |i| i as f32).sum().plan(&Device::cpu())?;
    /// assert!(plan.chunk.is_power_of_two() && plan.bytes() <= plan.memory_limit);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn plan(&self, device: &Device) -> Result<Plan> {
        let graph = self.graph();
        graph.check()?;
        let program = Programs::new(&graph, &self.roots).whole(&graph)?;
        let is_lent = lends(&graph, device);
        let mut lengths = Vec::new();
        for source in graph.sources() {
            lengths.push(match source.length()? {
                Length::Known(all) => Length::Known(all.saturating_sub(self.settings.skip)),
                other => other,
            });
        }
        planned(&self.settings, &graph, &program, device, is_lent, &lengths)
    }

    /// Reads the sequence to its end, and gives what its consumers give.
    ///
    /// # Errors
    /// Those of [`plan`](Consumed::plan); [`ErrorKind::Source`] and [`ErrorKind::Sink`] for sources and sinks that fail or panic, and what the
    /// launches report, with the number of the [chunk](Error::chunk); [`ErrorKind::Source`] for sources none of which has an end.
    ///
    /// ```
    /// use obsidian_rt::{Device, sequence::Sequence};
    ///
    /// let sum = Sequence::slice(&[0.5f32, 0.25]).sum().run(&Device::best()?)?;
    /// assert_eq!(sum, 0.75);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn run(self, device: &Device) -> Result<O> {
        let graph = self.graph();
        graph.check()?;
        let mut programs = Programs::new(&graph, &self.roots);
        let whole = programs.whole(&graph)?;
        let is_lent = lends(&graph, device);
        // Before sources are opened, as iterators are read once.
        for root in &self.roots {
            root.sink.check()?;
        }
        let mut targets: Vec<_> = self
            .roots
            .iter()
            .filter_map(|root| root.sink.target())
            .collect();
        targets.sort_unstable();
        if let Some([path, _]) = targets.array_windows().find(|[one, next]| one == next) {
            let message = format!(
                "two consumers write `{}`; give each a file of its own",
                path.display()
            );
            return Err(Error::new(ErrorKind::Sink, message));
        }
        let mut readers = Vec::new();
        for source in graph.sources() {
            readers.push(source.open(self.settings.skip)?);
        }
        let lengths: Vec<Length> = readers.iter().map(|reader| reader.length()).collect();
        // No source is asked for more than the shortest has.
        let known = lengths.iter().filter_map(|length| match length {
            Length::Known(elements) => Some(*elements),
            Length::Unknown | Length::Endless => None,
        });
        let most = known.chain(self.settings.take).min().unwrap_or(u64::MAX);
        let is_endless = lengths.iter().all(|length| *length == Length::Endless);
        let may_end = self.settings.take.is_some() || self.settings.watch.is_some();
        if is_endless && !may_end && self.roots.iter().any(|root| root.sink.needs_end()) {
            let message = "the sequence has no end, and a consumer gives its result there; zip it with one that has an end, or say how many elements \
                there are: `.take(1000)`";
            return Err(Error::new(ErrorKind::Source, message));
        }
        let plan = planned(&self.settings, &graph, &whole, device, is_lent, &lengths)?;
        programs.whole = Some(whole);
        let total = plan
            .elements
            .map(|all| all.saturating_add(self.settings.skip));
        let queues = Queues::of(device)?;
        let mut runner = Runner {
            device,
            queues: queues.as_ref(),
            kept: graph.initial(device)?,
            graph: &graph,
            programs,
            sinks: self.roots.into_iter().map(|root| root.sink).collect(),
            watch: self.settings.watch,
            is_first: true,
            progress: Progress {
                chunks: 0,
                elements: self.settings.skip,
                total,
            },
        };
        let mut chunks = Chunks {
            readers,
            slots: queues.as_ref().map(|queues| &queues.slots),
            chunk: plan.chunk,
            left: most,
            is_done: false,
        };
        match is_lent {
            // There is nothing to read.
            true => runner.all(std::iter::from_fn(|| chunks.next_caught()))?,
            false => std::thread::scope(|scope| {
                let (give, taken) = mpsc::sync_channel(plan.slots.saturating_sub(2));
                scope.spawn(move || {
                    while let Some(chunk) = chunks.next_caught() {
                        // Nobody takes it: the run has ended.
                        if give.send(chunk).is_err() {
                            break;
                        }
                    }
                });
                runner.all(taken.into_iter())
            })?,
        }
        let mut results = runner.end()?.into_iter();
        (self.finish)(&mut results)
            .ok_or_else(|| Error::new(ErrorKind::Internal, "a sequence has another result"))
    }
}

/// The bytes of a chunk of some elements: what it is read into, what is stored, the results.
struct Bytes {
    input: u64,
    temporary: u64,
    output: u64,
}

impl Bytes {
    fn of(chunk: u64, graph: &Graph<'_>, program: &AnyProgram, is_lent: bool) -> Result<Self> {
        let mut numbers = Vec::new();
        let mut input = 0u64;
        for node in &graph.nodes {
            match &node.kind {
                Kind::Source(source) => {
                    for like in source.arrays() {
                        let inner = like.inner.iter().map(|extent| *extent as u64);
                        let extents: Vec<u64> = std::iter::once(chunk).chain(inner).collect();
                        let elements = extents
                            .iter()
                            .fold(1u64, |n, extent| n.saturating_mul(*extent));
                        let each: u32 = like.types.iter().map(|ty| ty.bytes()).sum();
                        input = input.saturating_add(elements.saturating_mul(each.into()));
                        numbers.extend(extents.into_iter().map(Some));
                    }
                }
                Kind::Whole(whole) => {
                    numbers.extend(whole.extents.iter().map(|extent| Some(*extent as u64)));
                }
                Kind::Kept(keeper) => {
                    let extents = keeper.largest.iter().flatten();
                    numbers.extend(extents.map(|extent| Some(*extent as u64)));
                }
                Kind::Made(_) | Kind::Beside | Kind::Each(..) | Kind::Grains(_) => {}
            }
        }
        let schedule = program.schedule();
        // What the elements decide, such as the length of a filtered array, is at most as long as the chunk.
        let temporary = schedule.temporary_bytes(&numbers).unwrap_or(input);
        let mut output = 0u64;
        for result in &schedule.results {
            let extents = result
                .extents
                .iter()
                .map(|extent| extent.evaluate(&[], &numbers).map_or(chunk, u64::from));
            let elements = extents.fold(1u64, u64::saturating_mul);
            let each: u32 = result.types.iter().map(|ty| ty.bytes()).sum();
            output = output.saturating_add(elements.saturating_mul(each.into()));
        }
        Ok(Bytes {
            input: if is_lent { 0 } else { input },
            temporary,
            output,
        })
    }

    fn all(&self, slots: usize) -> u64 {
        let each = self
            .input
            .saturating_add(self.temporary)
            .saturating_add(self.output);
        each.saturating_mul(slots as u64)
    }
}

/// The second-level cache of a core, in bytes, as Linux tells it.
fn second_level_cache() -> u64 {
    let size = std::fs::read_to_string("/sys/devices/system/cpu/cpu0/cache/index2/size");
    let size = size
        .ok()
        .and_then(|text| text.trim().strip_suffix('K')?.parse::<u64>().ok());
    size.map_or(1 << 20, |kibibytes| kibibytes * 1024)
}

/// Fewer bytes take less time than their launch, however small caches are.
const WORTH_A_LAUNCH: u64 = 1 << 18;

/// What is taken where a device does not tell how much of its memory is free.
const UNTOLD: u64 = 1 << 30;

fn planned(
    settings: &Settings<'_>,
    graph: &Graph<'_>,
    program: &Program,
    device: &Device,
    is_lent: bool,
    lengths: &[Length],
) -> Result<Plan> {
    let slots = settings.slots.unwrap_or(3);
    let bytes = |chunk: u64| Bytes::of(chunk, graph, &program.program, is_lent);
    let limit = match settings.limit {
        Some(limit) => limit,
        None => device.free_memory()?.unwrap_or(UNTOLD) / 2,
    };
    let needed = |chunk: u64| -> Result<u64> { Ok(bytes(chunk)?.all(slots)) };
    let too_much = |chunk: u64, needed: u64| {
        let what = match chunk {
            1 => "one element needs".to_owned(),
            _ => format!("chunks of {chunk} elements need"),
        };
        let message = format!("{what} {needed} bytes in {slots} slots, and the limit is {limit}");
        Error::new(ErrorKind::OutOfMemory, message).exceeded(needed, limit)
    };
    let asked = match graph.is_one_by_one() {
        true => Some(1),
        false => settings.chunk,
    };
    let chunk = match asked {
        Some(chunk) => {
            let chunk = chunk.max(1) as u64;
            let needed = needed(chunk)?;
            if settings.limit.is_some() && needed > limit {
                return Err(too_much(chunk, needed));
            }
            chunk
        }
        None => {
            let cache = match device.backend().reads_host() {
                true => second_level_cache(),
                false => u64::MAX,
            };
            // A state is there whatever a chunk has, and is worth a chunk of its size.
            let fixed = needed(0)?;
            let worth = cache.max(WORTH_A_LAUNCH).max(fixed);
            let mut chunk = LONGEST;
            while chunk > 1 {
                let needed = needed(chunk)?;
                let is_cached = needed.saturating_sub(fixed) <= worth;
                if needed <= limit && is_cached && is_countable(chunk, graph) {
                    break;
                }
                chunk /= 2;
            }
            let needed = needed(chunk)?;
            if needed > limit {
                return Err(too_much(chunk, needed));
            }
            chunk
        }
    };
    let known = lengths.iter().filter_map(|length| match length {
        Length::Known(elements) => Some(*elements),
        Length::Unknown | Length::Endless => None,
    });
    let is_known = lengths.iter().all(|length| *length != Length::Unknown);
    let grains = graph
        .nodes
        .iter()
        .filter(|node| matches!(node.kind, Kind::Grains(_)));
    let own = bytes(chunk)?;
    Ok(Plan {
        chunk: usize::try_from(chunk).unwrap_or(usize::MAX),
        slots,
        input_bytes: own.input,
        temporary_bytes: own.temporary,
        output_bytes: own.output,
        elements: known.chain(settings.take).min().filter(|_| is_known),
        operators: program
            .program
            .schedule()
            .operators()
            .saturating_sub(grains.count()),
        memory_limit: limit,
    })
}

/// Can the numbers of a chunk be indexed?
fn is_countable(chunk: u64, graph: &Graph<'_>) -> bool {
    let arrays = graph.sources().flat_map(|source| source.arrays());
    arrays
        .map(|like| {
            like.inner
                .iter()
                .fold(chunk, |n, extent| n.saturating_mul(*extent as u64))
        })
        .all(|numbers| numbers <= u32::MAX.into())
}

/// Does the device read all that the sources have where it lies?
fn lends(graph: &Graph<'_>, device: &Device) -> bool {
    device.backend().reads_host() && graph.sources().all(|source| source.is_lent())
}

/// What a panic of a source or a sink says, as an error.
pub(super) fn panicked(kind: ErrorKind, what: &str, panic: &(dyn Any + Send)) -> Error {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    let message = match text {
        Some(text) => format!("{what} panicked: {text}"),
        None => format!("{what} panicked"),
    };
    Error::new(kind, message)
}

/// A chunk: the elements of each source.
struct Pieces<'s> {
    pieces: Vec<Read<'s>>,
    len: usize,
}

/// The elements of a source.
enum Read<'s> {
    Piece(Box<dyn Piece<'s> + 's>),
    /// In page-locked memory.
    Staged(Vec<StagedArray>),
}

/// Arrays of a source on the device: their extents, and the components.
type Given<'s> = Vec<(Vec<usize>, Vec<AnyView<'s>>)>;

/// A chunk on the device, or on its way there.
struct Loaded<'s> {
    inputs: Vec<Given<'s>>,
    len: usize,
    /// The copies that were begun.
    copied: Vec<Box<dyn Copied>>,
}

/// The results of a chunk, which are there or come.
struct Pending {
    number: u64,
    results: Vec<Vec<AnyArray>>,
    len: usize,
    copied: Vec<Box<dyn Copied>>,
}

/// The queues of a device that copies while it computes: one chunk is on its way to it, another is computed, and the results of a third are on their
/// way back.
struct Queues {
    into: Stream,
    back: Stream,
    slots: Slots,
}

impl Queues {
    /// Those of a device that does not read the memory of the host.
    fn of(device: &Device) -> Result<Option<Self>> {
        if device.backend().reads_host() {
            return Ok(None);
        }
        Ok(Some(Queues {
            into: device.stream()?,
            back: device.stream()?,
            slots: Slots::new(device.clone()),
        }))
    }
}

/// Reads chunk after chunk.
struct Chunks<'r, 's> {
    readers: Vec<Box<dyn Reader<'s> + 's>>,
    /// Where chunks are put that a device copies.
    slots: Option<&'r Slots>,
    chunk: usize,
    /// How many elements are still read.
    left: u64,
    is_done: bool,
}

impl<'s> Chunks<'_, 's> {
    fn next_caught(&mut self) -> Option<Result<Pieces<'s>>> {
        if self.is_done {
            return None;
        }
        let read = std::panic::catch_unwind(AssertUnwindSafe(|| self.next()));
        let read =
            read.unwrap_or_else(|panic| Err(panicked(ErrorKind::Source, "the source", &*panic)));
        self.is_done |= read.is_err();
        Some(read)
    }

    /// The next chunk, as long as all sources have elements for it. The last one has none.
    fn next(&mut self) -> Result<Pieces<'s>> {
        let mut len = usize::try_from(self.left)
            .unwrap_or(usize::MAX)
            .min(self.chunk);
        // Fewer than are asked for may be all of a source, or as many as fit in a chunk.
        for reader in &mut self.readers {
            len = reader.ready(len)?.min(len);
        }
        self.left -= len as u64;
        self.is_done = len == 0;
        let mut pieces = Vec::new();
        for reader in &mut self.readers {
            let piece = reader.take(len);
            pieces.push(match self.slots {
                Some(slots) => Read::Staged(piece.stage(slots)?),
                None => Read::Piece(piece),
            });
        }
        Ok(Pieces { pieces, len })
    }
}

/// The programs of a graph, each built when it is needed.
struct Programs {
    /// The nodes whose arrays the sinks take.
    wanted: Vec<usize>,
    whole: Option<Program>,
    any: Option<Program>,
}

struct Program {
    program: AnyProgram,
    /// The number of results that belong together: those that each node keeps, then those of each sink.
    counts: Vec<usize>,
}

impl Programs {
    fn new<'s>(graph: &Graph<'s>, roots: &[Root<'s>]) -> Self {
        let wanted = roots.iter().filter_map(|root| graph.number(&root.node));
        Programs {
            wanted: wanted.collect(),
            whole: None,
            any: None,
        }
    }

    #[track_caller]
    fn of(&self, graph: &Graph<'_>, form: Form, begun: &[usize]) -> Result<Program> {
        let (program, counts) = graph.program(form, &self.wanted, begun)?;
        Ok(Program { program, counts })
    }

    #[track_caller]
    fn whole(&self, graph: &Graph<'_>) -> Result<Program> {
        self.of(graph, Form::Whole, &[])
    }
}

/// What a run has while it goes on.
struct Runner<'r, 's> {
    device: &'r Device,
    graph: &'r Graph<'s>,
    programs: Programs,
    /// What nodes keep.
    kept: Vec<Kept>,
    sinks: Vec<Box<dyn Sink + 's>>,
    watch: Option<Watch<'s>>,
    progress: Progress,
    /// Has no chunk come yet?
    is_first: bool,
    queues: Option<&'r Queues>,
}

impl Runner<'_, '_> {
    /// Does all chunks. What was begun with the chunks in front of one that fails is finished first.
    fn all<'p>(&mut self, chunks: impl Iterator<Item = Result<Pieces<'p>>>) -> Result<()> {
        let mut computed = None;
        let mut number = 0;
        for chunk in chunks {
            let loaded = match chunk.and_then(|pieces| self.loaded(pieces)) {
                Ok(None) => continue,
                Ok(Some(loaded)) => loaded,
                Err(error) => {
                    self.settled(computed.as_ref())?;
                    self.delivered(computed)?;
                    return Err(error.of_chunk(number));
                }
            };
            // The copy of this chunk is under way. What goes wrong with a chunk is known before the next one is launched.
            self.settled(computed.as_ref())?;
            let next = self.computed((number, loaded));
            self.delivered(computed.take())?;
            let next = next?;
            match self.queues {
                Some(_) => computed = Some(next),
                None => self.delivered(Some(next))?,
            }
            number += 1;
        }
        self.settled(computed.as_ref())?;
        self.delivered(computed)
    }

    /// Waits for a chunk that a device computes while the host goes on.
    fn settled(&self, chunk: Option<&Pending>) -> Result<()> {
        match chunk {
            Some(chunk) if self.queues.is_some() => {
                let done = self.device.synchronize();
                done.map_err(|error| error.of_chunk(chunk.number))
            }
            _ => Ok(()),
        }
    }

    /// A chunk on the device, or copies to it that were begun. None if nothing is to be done with it.
    fn loaded<'p>(&mut self, chunk: Pieces<'p>) -> Result<Option<Loaded<'p>>> {
        // A chunk without elements still tells consumers the extents of results.
        if chunk.len == 0 && (!self.is_first || self.graph.is_one_by_one()) {
            return Ok(None);
        }
        self.is_first = false;
        let mut loaded = Loaded {
            inputs: Vec::new(),
            len: chunk.len,
            copied: Vec::new(),
        };
        for (read, source) in chunk.pieces.into_iter().zip(self.graph.sources()) {
            let arrays = match (read, self.queues) {
                (Read::Piece(piece), _) => piece.give(self.device)?,
                (Read::Staged(arrays), queues) => {
                    let device = queues.map_or(self.device, |queues| queues.into.device());
                    let mut all = Vec::new();
                    for (outer, parts) in arrays {
                        let mut views = Vec::new();
                        for part in parts {
                            let (buffer, copied) = part.upload(device)?;
                            views.push(AnyView::from(buffer));
                            loaded.copied.push(copied);
                        }
                        all.push((outer, views));
                    }
                    all
                }
            };
            let each = arrays.into_iter().zip(source.arrays());
            let each = each.map(|((outer, views), like)| {
                let extents = std::iter::once(outer).chain(like.inner).collect();
                (extents, views)
            });
            loaded.inputs.push(each.collect());
        }
        Ok(Some(loaded))
    }

    /// Launches the program of a chunk, and keeps what is kept.
    fn computed(&mut self, (number, chunk): (u64, Loaded<'_>)) -> Result<Pending> {
        let results = self.launched_chunk(&chunk.inputs);
        let results = results.map_err(|error| error.of_chunk(number))?;
        Ok(Pending {
            number,
            results,
            len: chunk.len,
            copied: chunk.copied,
        })
    }

    fn launched_chunk(&mut self, inputs: &[Given<'_>]) -> Result<Vec<Vec<AnyArray>>> {
        let form = match self.begun().is_empty() {
            true => Form::Whole,
            false => Form::Any,
        };
        let built = match form {
            Form::Whole => &mut self.programs.whole,
            Form::Any | Form::Last => &mut self.programs.any,
        };
        let built = match built.take() {
            Some(program) => program,
            None => self.programs.of(self.graph, form, &[])?,
        };
        let inputs = inputs.iter().map(|arrays| {
            let arrays = arrays.iter().map(|(extents, views)| {
                let buffers: Vec<&AnyBuffer> = views.iter().map(|view| view.buffer()).collect();
                (extents.as_slice(), buffers)
            });
            arrays.collect()
        });
        let results = self.launched(&built, (form, &[]), inputs.collect());
        match form {
            Form::Whole => self.programs.whole = Some(built),
            Form::Any | Form::Last => self.programs.any = Some(built),
        }
        let results = self.kept(results?, form, &[]);
        let Some(queues) = self.queues else {
            return Ok(results);
        };
        // They come back behind this chunk, and not behind the next one.
        let mut back = Vec::new();
        for arrays in results {
            let arrays = arrays
                .into_iter()
                .map(|array| array.on(queues.back.device()));
            back.push(arrays.collect::<Result<_>>()?);
        }
        Ok(back)
    }

    /// Gives the results of a chunk to the sinks, and tells what watches the run.
    fn delivered(&mut self, chunk: Option<Pending>) -> Result<()> {
        let Some(chunk) = chunk else {
            return Ok(());
        };
        let number = chunk.number;
        let give = || -> Result<()> {
            if let Some(queues) = self.queues {
                for copied in chunk.copied {
                    copied.done(&queues.slots)?;
                }
            }
            self.given(chunk.results)
        };
        give().map_err(|error| error.of_chunk(number))?;
        if chunk.len == 0 {
            return Ok(());
        }
        self.progress.chunks += 1;
        self.progress.elements = self.progress.elements.saturating_add(chunk.len as u64);
        if let Some(watch) = &mut self.watch
            && watch(&self.progress).is_break()
        {
            let message = "the run was cancelled by what watches it";
            return Err(Error::new(ErrorKind::Cancelled, message).of_chunk(number));
        }
        Ok(())
    }

    /// The nodes that have begun a grain.
    fn begun(&self) -> Vec<usize> {
        let is_begun = |kept: &&Kept| {
            let mut arrays = kept.arrays.iter().flatten();
            self.is_grain(kept) && arrays.any(|array| !array.is_empty())
        };
        self.kept
            .iter()
            .filter(is_begun)
            .map(|kept| kept.number)
            .collect()
    }

    fn is_grain(&self, kept: &Kept) -> bool {
        let node = self.graph.nodes.get(kept.number);
        node.is_some_and(|node| matches!(node.kind, Kind::Grains(_)))
    }

    /// Runs a program with the arrays of the sources and those that are kept, in the order of the nodes.
    fn launched<'a>(
        &'a self,
        program: &'a Program,
        (form, ended): (Form, &[usize]),
        sources: Vec<Vec<(&'a [usize], Vec<&'a AnyBuffer>)>>,
    ) -> Result<Vec<Vec<AnyArray>>> {
        let mut sources = sources.into_iter();
        // A grain that nothing is in yet.
        let mut empty = Vec::new();
        for kept in &self.kept {
            if form != Form::Whole && self.is_grain(kept) && kept.arrays.is_none() {
                empty.push((kept.number, self.nothing(kept.number)?));
            }
        }
        let is_live = self.graph.live(ended);
        let mut inputs: Vec<(&[usize], Vec<&AnyBuffer>)> = Vec::new();
        for (number, node) in self.graph.nodes.iter().enumerate() {
            let arrays = match (&node.kind, form) {
                (_, Form::Last) if !is_live.get(number).copied().unwrap_or(false) => continue,
                (Kind::Made(_) | Kind::Beside | Kind::Each(..), _)
                | (Kind::Grains(_), Form::Whole) => {
                    continue;
                }
                (Kind::Source(_), _) => {
                    inputs.extend(sources.next().into_iter().flatten());
                    continue;
                }
                (Kind::Whole(whole), _) => {
                    inputs.push((whole.extents.as_slice(), whole.buffers.clone()));
                    continue;
                }
                _ => self.kept.iter().find(|kept| kept.number == number),
            };
            match arrays.and_then(|kept| kept.arrays.as_deref()) {
                Some(arrays) => inputs.extend(arrays.iter().map(AnyArray::lent)),
                None => {
                    let own = empty.iter().find(|(node, _)| *node == number);
                    inputs.extend(own.map(|(_, array)| array.lent()));
                }
            }
        }
        let mut results = program.program.run_lent(self.device, inputs)?.into_iter();
        let parts = program.counts.iter();
        Ok(parts
            .map(|count| results.by_ref().take(*count).collect())
            .collect())
    }

    /// A vector without elements for a grain.
    fn nothing(&self, number: usize) -> Result<AnyArray> {
        let types = match self.graph.nodes.get(number).map(|node| &node.kind) {
            Some(Kind::Grains(types)) => types.as_slice(),
            _ => &[],
        };
        let buffers = types.iter().map(|ty| self.device.zeros_of(*ty, 0));
        AnyArray::of(buffers.collect::<Result<_>>()?, &[0])
    }

    /// Keeps what is kept, and gives back what is for the sinks.
    fn kept(
        &mut self,
        results: Vec<Vec<AnyArray>>,
        form: Form,
        ended: &[usize],
    ) -> Vec<Vec<AnyArray>> {
        let mut results = results.into_iter();
        let is_live = self.graph.live(ended);
        for kept in &mut self.kept {
            if form == Form::Last && ended.contains(&kept.number) {
                kept.arrays = None;
            } else if form != Form::Last || is_live.get(kept.number) == Some(&true) {
                kept.arrays = results.next();
            }
        }
        results.collect()
    }

    /// Gives the sinks theirs.
    fn given(&mut self, results: Vec<Vec<AnyArray>>) -> Result<()> {
        for (sink, arrays) in self.sinks.iter_mut().zip(results) {
            sink.take(self.device, arrays)?;
        }
        Ok(())
    }

    /// The last grains, which are not whole, and the results of the sinks.
    fn end(mut self) -> Result<Vec<Box<dyn Any>>> {
        // What ends may give whole grains to others, which end after it.
        loop {
            let ended = self.graph.first(&self.begun());
            if ended.is_empty() {
                break;
            }
            let last = self.programs.of(self.graph, Form::Last, &ended)?;
            let results = self.launched(&last, (Form::Last, &ended), Vec::new())?;
            let results = self.kept(results, Form::Last, &ended);
            self.given(results)?;
        }
        for sink in &mut self.sinks {
            sink.settle()?;
        }
        let mut all = Vec::new();
        let wanted = std::mem::take(&mut self.programs.wanted);
        for (sink, number) in self.sinks.into_iter().zip(wanted) {
            let kept = self.kept.iter_mut().find(|kept| kept.number == number);
            let kept = kept.and_then(|kept| kept.arrays.take());
            all.push(sink.end(self.device, kept.unwrap_or_default())?);
        }
        Ok(all)
    }
}
