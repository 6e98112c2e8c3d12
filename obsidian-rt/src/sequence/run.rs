//! The run of a sequence: a thread reads, the caller's thread computes and gives results away.

use std::any::Any;
use std::fmt;
use std::ops::ControlFlow;
use std::rc::Rc;
use std::sync::mpsc;

use super::consume::Sink;
use super::dealt::Dealt;
use super::graph::{Graph, Node};
use super::plan::{Plan, lends, planned};
use super::runner::{Chunks, Programs, Runner};
use super::source::Length;
use crate::device::Device;
use crate::error::{Error, ErrorKind, Result};

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
    pub(super) roots: Vec<Root<'s>>,
    /// Takes the results of the roots.
    finish: Box<Finish<'s, O>>,
    pub(super) settings: Settings<'s>,
}

type Results = std::vec::IntoIter<Box<dyn Any>>;
type Finish<'s, O> = dyn FnOnce(&mut Results) -> Option<O> + 's;
pub(super) type Watch<'s> = Box<dyn FnMut(&Progress) -> ControlFlow<()> + 's>;

/// A node whose arrays a sink takes.
pub(super) struct Root<'s> {
    pub(super) node: Rc<Node<'s>>,
    pub(super) sink: Box<dyn Sink + 's>,
}

#[derive(Default)]
pub(super) struct Settings<'s> {
    pub(super) chunk: Option<usize>,
    pub(super) slots: Option<usize>,
    pub(super) limit: Option<u64>,
    pub(super) skip: Option<u64>,
    pub(super) take: Option<u64>,
    watch: Option<Watch<'s>>,
    /// A part of the sequence that is read, and what has the others.
    pub(super) dealt: Option<Dealt<'s>>,
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
    /// How many of them were longer than a chunk, such as lines that have more bytes than a chunk has elements: each went alone, in a chunk of its
    /// own size.
    pub long: u64,
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

    /// The same with another sink of its one node.
    pub(super) fn taken_by(mut self, sink: impl Sink + 's) -> Self {
        let mut sink: Option<Box<dyn Sink + 's>> = Some(Box::new(sink));
        for root in &mut self.roots {
            if let Some(sink) = sink.take() {
                root.sink = sink;
            }
        }
        self
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
                skip: first.skip.or(second.skip),
                take: first.take.or(second.take),
                watch: first.watch.or(second.watch),
                dealt: None,
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

    /// The number of chunks that are there at once, 3 without it and at least 2: one is computed, another is read; on a device
    /// that copies at least 3.
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
        self.settings.skip = Some(elements);
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

    pub(super) fn graph(&self) -> Graph<'s> {
        let nodes: Vec<_> = self.roots.iter().map(|root| root.node.clone()).collect();
        Graph::of(&nodes)
    }

    /// What a run on a device would do: the size of chunks, and the memory that they take. Nothing is read.
    ///
    /// Unless [`chunk`](Consumed::chunk) says it, a chunk has the largest power of two of elements, up to 2^24, with which all slots fit in the
    /// [limit](Consumed::memory_limit), and on a CPU in the second-level caches of its cores, or in 4 MiB, as well.
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
                Length::Known(all) => {
                    Length::Known(all.saturating_sub(self.settings.skip.unwrap_or(0)))
                }
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
        let (begun, finish) = self.begun(device)?;
        let (mut chunks, runner) = (begun.chunks, begun.runner);
        let results = match begun.is_lent {
            // There is nothing to read.
            true => runner.all(std::iter::from_fn(|| chunks.next_caught()))?,
            false => std::thread::scope(|scope| {
                let (give, taken) = mpsc::sync_channel(begun.waiting);
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
        };
        finish(&mut results.into_iter())
            .ok_or_else(|| Error::new(ErrorKind::Internal, "a sequence has another result"))
    }

    /// A run that is done step by step on the caller's thread.
    #[track_caller]
    pub(super) fn steps(self, device: &Device) -> Result<Steps<'s>> {
        self.begun(device).map(|(begun, _)| begun)
    }

    /// Builds the programs, and opens the sources.
    #[track_caller]
    fn begun(self, device: &Device) -> Result<(Steps<'s>, Box<Finish<'s, O>>)> {
        let graph = Rc::new(self.graph());
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
            readers.push(source.open(self.settings.skip.unwrap_or(0))?);
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
            .map(|all| all.saturating_add(self.settings.skip.unwrap_or(0)));
        let sinks = self.roots.into_iter().map(|root| root.sink).collect();
        let progress = Progress {
            chunks: 0,
            elements: self.settings.skip.unwrap_or(0),
            total,
            long: 0,
        };
        let watched = (self.settings.watch, progress);
        let runner = Runner::new(device, graph, programs, sinks, watched)?;
        let runner = runner.dealt(self.settings.dealt);
        let chunks = Chunks {
            readers,
            slots: runner.slots(),
            chunk: plan.chunk,
            left: most,
            is_done: false,
        };
        // One is read, one computed, and one may be on its way to the device.
        let least = if runner.slots().is_some() { 3 } else { 2 };
        let steps = Steps {
            runner,
            chunks,
            is_lent,
            waiting: plan.slots.saturating_sub(least),
        };
        Ok((steps, self.finish))
    }
}

/// A run whose sources are open.
pub(super) struct Steps<'s> {
    runner: Runner<'s>,
    chunks: Chunks<'s>,
    is_lent: bool,
    /// How many chunks wait between the thread that reads and the caller's.
    waiting: usize,
}

impl Steps<'_> {
    /// Does a chunk. Gives the rest, unless all is done.
    pub(super) fn step(mut self) -> Result<Option<Self>> {
        match self.chunks.next_caught() {
            Some(chunk) => {
                self.runner.step(chunk)?;
                // An iterator is asked for its elements, and not for what comes next.
                self.runner.finished()?;
                Ok(Some(self))
            }
            None => self.runner.end().map(|_| None),
        }
    }
}
