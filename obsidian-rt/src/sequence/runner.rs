//! The steps of a run: chunks that are read, computed, and given to sinks.

use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::rc::Rc;
use std::sync::Arc;

use super::consume::Sink;
use super::dealt::Dealt;
use super::graph::{Form, Graph, Kept, Kind};
use super::run::{Progress, Root, Watch};
use super::source::{Piece, Reader, StagedArray};
use super::staging::{Copied, Slots};
use crate::arrays::{AnyArray, AnyProgram};
use crate::backend::panic_message;
use crate::device::Device;
use crate::error::{Error, ErrorKind, Result};
use crate::stream::Stream;
use crate::untyped::AnyBuffer;
use crate::view::AnyView;

/// What a panic of a source, a sink or a member says, as an error.
pub(crate) fn panicked(kind: ErrorKind, what: &str, panic: &(dyn Any + Send)) -> Error {
    let message = format!("{what} panicked: {}", panic_message(panic));
    Error::new(kind, message)
}

/// A chunk: the elements of each source.
pub(super) struct Pieces<'s> {
    pieces: Vec<Read<'s>>,
    len: usize,
    /// Is it one element that is longer than a chunk?
    is_long: bool,
}

/// The elements of a source.
pub(super) enum Read<'s> {
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
    is_long: bool,
    /// The copies that were begun.
    copied: Vec<Box<dyn Copied>>,
}

/// The results of a chunk, which are there or come.
pub(super) struct Pending {
    number: u64,
    results: Vec<Vec<AnyArray>>,
    len: usize,
    is_long: bool,
    copied: Vec<Box<dyn Copied>>,
}

/// The queues of a device that copies while it computes: one chunk is on its way to it, another is computed, and the results of a third are on their
/// way back.
pub(super) struct Queues {
    into: Stream,
    back: Stream,
    slots: Arc<Slots>,
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
            slots: Arc::new(Slots::new(device.clone())),
        }))
    }
}

/// Reads chunk after chunk.
pub(super) struct Chunks<'s> {
    pub(super) readers: Vec<Box<dyn Reader<'s> + 's>>,
    /// Where chunks are put that a device copies.
    pub(super) slots: Option<Arc<Slots>>,
    pub(super) chunk: usize,
    /// How many elements are still read.
    pub(super) left: u64,
    pub(super) is_done: bool,
}

impl<'s> Chunks<'s> {
    pub(super) fn next_caught(&mut self) -> Option<Result<Pieces<'s>>> {
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
        let is_long = len > 0 && self.readers.iter().any(|reader| reader.is_long(self.chunk));
        self.left -= len as u64;
        self.is_done = len == 0;
        let mut pieces = Vec::new();
        for reader in &mut self.readers {
            let piece = reader.take(len);
            pieces.push(match &self.slots {
                Some(slots) => match piece.stage(slots)? {
                    Some(staged) => Read::Staged(staged),
                    None => Read::Piece(piece),
                },
                None => Read::Piece(piece),
            });
        }
        Ok(Pieces {
            pieces,
            len,
            is_long,
        })
    }
}

/// The programs of a graph, each built when it is needed.
pub(super) struct Programs {
    /// The nodes whose arrays the sinks take.
    pub(super) wanted: Vec<usize>,
    pub(super) whole: Option<Program>,
    pub(super) any: Option<Program>,
}

pub(super) struct Program {
    pub(super) program: AnyProgram,
    /// The number of results that belong together: those that each node keeps, then those of each sink.
    pub(super) counts: Vec<usize>,
}

impl Programs {
    pub(super) fn new<'s>(graph: &Graph<'s>, roots: &[Root<'s>]) -> Self {
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
    pub(super) fn whole(&self, graph: &Graph<'_>) -> Result<Program> {
        self.of(graph, Form::Whole, &[])
    }
}

/// What a run has while it goes on.
pub(super) struct Runner<'s> {
    device: Device,
    graph: Rc<Graph<'s>>,
    programs: Programs,
    /// What nodes keep.
    kept: Vec<Kept>,
    sinks: Vec<Box<dyn Sink + 's>>,
    watch: Option<Watch<'s>>,
    progress: Progress,
    /// Has no chunk come yet?
    is_first: bool,
    /// How many elements were in front of the first one.
    skipped: u64,
    queues: Option<Rc<Queues>>,
    /// A chunk that a device computes while the host goes on.
    computed: Option<Pending>,
    /// The number of the chunk that comes next.
    number: u64,
    dealt: Option<Dealt<'s>>,
}

impl<'s> Runner<'s> {
    pub(super) fn new(
        device: &Device,
        graph: Rc<Graph<'s>>,
        programs: Programs,
        sinks: Vec<Box<dyn Sink + 's>>,
        (watch, progress): (Option<Watch<'s>>, Progress),
    ) -> Result<Self> {
        Ok(Runner {
            device: device.clone(),
            queues: Queues::of(device)?.map(Rc::new),
            kept: graph.initial(device)?,
            graph,
            programs,
            sinks,
            watch,
            is_first: true,
            skipped: progress.elements,
            progress,
            computed: None,
            number: 0,
            dealt: None,
        })
    }

    /// A run of a part of the sequence.
    pub(super) fn dealt(mut self, dealt: Option<Dealt<'s>>) -> Self {
        self.dealt = dealt;
        self
    }

    /// Refuses a part that has other elements than its member was dealt.
    fn check_part(&self, before: u64) -> Result<()> {
        let Some(dealt) = &self.dealt else {
            return Ok(());
        };
        let read = self.progress.elements.saturating_sub(before);
        if read != dealt.elements {
            let message = format!(
                "the part of member {} has {} elements, and only {read} were there: did the source change, or has it fewer than `take` says?",
                dealt.others.rank(),
                dealt.elements
            );
            return Err(Error::new(ErrorKind::Source, message));
        }
        if !dealt.is_last && !self.begun().is_empty() {
            let message = "the part of a member ends inside of a grain of 4,096 elements: a function of chunks gives other numbers of elements than it is given, \
                           and not as many times as many";
            return Err(Error::new(ErrorKind::Requirement, message));
        }
        Ok(())
    }

    /// Where chunks are put that a device copies.
    pub(super) fn slots(&self) -> Option<Arc<Slots>> {
        self.queues.as_ref().map(|queues| queues.slots.clone())
    }

    /// Does all chunks, and what is left when there is none any more.
    pub(super) fn all<'p>(
        mut self,
        chunks: impl Iterator<Item = Result<Pieces<'p>>>,
    ) -> Result<Vec<Box<dyn Any>>> {
        for chunk in chunks {
            self.step(chunk)?;
        }
        self.end()
    }

    /// Does a chunk. What was begun with those in front of one that fails is finished first.
    pub(super) fn step(&mut self, chunk: Result<Pieces<'_>>) -> Result<()> {
        let loaded = match chunk.and_then(|pieces| self.loaded(pieces)) {
            Ok(None) => return Ok(()),
            Ok(Some(loaded)) => loaded,
            Err(error) => {
                self.finished()?;
                return Err(error.of_chunk(self.number));
            }
        };
        // The copy of this chunk is under way. What goes wrong with a chunk is known before the next one is launched.
        self.settled()?;
        let next = self.computed(loaded);
        let before = self.computed.take();
        self.delivered(before)?;
        let next = next?;
        match self.queues {
            Some(_) => self.computed = Some(next),
            None => self.delivered(Some(next))?,
        }
        self.number += 1;
        Ok(())
    }

    /// Waits for the chunk that is computed, and gives its results away.
    pub(super) fn finished(&mut self) -> Result<()> {
        self.settled()?;
        let last = self.computed.take();
        self.delivered(last)
    }

    /// Waits for a chunk that a device computes while the host goes on.
    fn settled(&self) -> Result<()> {
        match &self.computed {
            Some(chunk) => {
                let done = self.device.synchronize();
                done.map_err(|error| error.of_chunk(chunk.number))
            }
            None => Ok(()),
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
            is_long: chunk.is_long,
            copied: Vec::new(),
        };
        let graph = self.graph.clone();
        for (read, source) in chunk.pieces.into_iter().zip(graph.sources()) {
            let arrays = match (read, &self.queues) {
                (Read::Piece(piece), _) => piece.give(&self.device)?,
                (Read::Staged(arrays), queues) => {
                    let device = queues
                        .as_ref()
                        .map_or(&self.device, |queues| queues.into.device());
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
    fn computed(&mut self, chunk: Loaded<'_>) -> Result<Pending> {
        let number = self.number;
        let results = self.launched_chunk(&chunk.inputs);
        let results = results.map_err(|error| error.of_chunk(number))?;
        Ok(Pending {
            number,
            results,
            len: chunk.len,
            is_long: chunk.is_long,
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
            None => self.programs.of(&self.graph, form, &[])?,
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
        let Some(queues) = &self.queues else {
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
        let (number, queues) = (chunk.number, self.queues.clone());
        let give = || -> Result<()> {
            if let Some(queues) = &queues {
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
        if let Some(dealt) = &self.dealt {
            dealt.others.works();
        }
        self.progress.chunks += 1;
        self.progress.long += u64::from(chunk.is_long);
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
                (Kind::Made(..) | Kind::Beside | Kind::Each(..), _)
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
        let mut results = program.program.run_lent(&self.device, inputs)?.into_iter();
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
            sink.take(&self.device, arrays)?;
        }
        Ok(())
    }

    /// The last grains, which are not whole, and the results of the sinks.
    pub(super) fn end(mut self) -> Result<Vec<Box<dyn Any>>> {
        self.finished()?;
        self.check_part(self.skipped)?;
        // What ends may give whole grains to others, which end after it.
        loop {
            let ended = self.graph.first(&self.begun());
            if ended.is_empty() {
                break;
            }
            let last = self.programs.of(&self.graph, Form::Last, &ended)?;
            let results = self.launched(&last, (Form::Last, &ended), Vec::new())?;
            let results = self.kept(results, Form::Last, &ended);
            self.given(results)?;
        }
        for sink in &mut self.sinks {
            sink.settle()?;
        }
        let mut all = Vec::new();
        let wanted = std::mem::take(&mut self.programs.wanted);
        for (mut sink, number) in self.sinks.into_iter().zip(wanted) {
            let kept = self.kept.iter_mut().find(|kept| kept.number == number);
            let kept = kept.and_then(|kept| kept.arrays.take());
            let mut kept = kept.unwrap_or_default();
            if let Some(dealt) = self.dealt.filter(|dealt| dealt.joins) {
                sink.join(&self.device, &mut kept, dealt.others)?;
            }
            all.push(sink.end(&self.device, kept)?);
        }
        Ok(all)
    }
}
