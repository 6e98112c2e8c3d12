//! Recorded work as a graph of the driver: each step comes after the one before it.

use std::ptr;
use std::sync::Arc;

use obsidian_language::scalar::Literal;

use super::Cuda;
use super::context::Context;
use super::driver::{
    self, Checked, CopyNode, FillNode, Handle, KernelNode, NOT_FOUND, NOT_SUPPORTED,
};
use super::fallback::is_no_code;
use super::faults::Watched;
use super::launch::{Prepared, array};
use super::memory::{DeviceArray, trim};
use super::module::Loaded;
use super::order::OfGraph;
use super::stream::Stream;
use crate::backend::{Kept, Memory, Step};
use crate::error::{Error, ErrorKind, Result};

/// How recorded work was done.
pub(super) enum Replayed {
    /// As a graph.
    AsGraph,
    /// Not: this driver has no graphs, or a kernel is none for the GPU. The steps have to be done one by one.
    Not,
}

/// How many graphs of a recording are kept.
const GRAPHS: usize = 4;

/// What is kept of a recording.
#[derive(Default)]
struct Graphs {
    /// The last ones, the newest at the end.
    graphs: Vec<Graph>,
    /// Was it found that there are none here?
    none: bool,
}

/// Does recorded work with these arrays. A graph is kept for the next time, and another one made for arrays elsewhere.
pub(super) fn replay(
    cuda: &Cuda,
    steps: &[Step],
    arrays: &mut [&mut Memory],
    kept: &mut Kept,
) -> Result<Replayed> {
    let places = places(arrays)?;
    let graphs = kept.get_or_insert_with(|| Box::<Graphs>::default());
    let Some(Graphs { graphs, none }) = graphs.downcast_mut() else {
        return Ok(Replayed::Not);
    };
    if *none {
        return Ok(Replayed::Not);
    }
    let graph = match graphs.iter().position(|graph| graph.places == places) {
        Some(position) => graphs.remove(position),
        None => {
            let made = Graph::new(cuda, steps, arrays, &places).or_else(|error| {
                match error.kind() {
                    // What pools keep may be what a graph needs.
                    ErrorKind::OutOfMemory if trim(cuda.context(), 0) => {
                        Graph::new(cuda, steps, arrays, &places)
                    }
                    _ => Err(error),
                }
            });
            match made {
                Ok(graph) => graph,
                Err(error) if is_for_single_steps(cuda, &error) => {
                    *none = true;
                    return Ok(Replayed::Not);
                }
                Err(error) => return Err(error),
            }
        }
    };
    if graphs.len() == GRAPHS {
        graphs.remove(0);
    }
    graphs.push(graph);
    graphs.last_mut().map_or(Ok(Replayed::Not), |graph| {
        graph.launch(arrays).map(|()| Replayed::AsGraph)
    })
}

/// Does a failure say that there is no graph of this work here, and that its steps may be done all the same?
fn is_for_single_steps(cuda: &Cuda, error: &Error) -> bool {
    let no_graphs = matches!(error.driver_code(), Some(NOT_FOUND | NOT_SUPPORTED))
        && error
            .driver_call()
            .is_some_and(|call| call.starts_with("cuGraph"));
    no_graphs || (cuda.fallback.is_some() && is_no_code(error))
}

/// Where each array lies.
fn places(arrays: &[&mut Memory]) -> Result<Vec<u64>> {
    arrays
        .iter()
        .map(|memory| Ok(array(memory)?.address()))
        .collect()
}

/// A graph that the driver can launch; destroyed at the end.
struct Graph {
    executable: Executable,
    /// Where the arrays lie for which it was made.
    places: Vec<u64>,
    /// The kernel that is launched last, if there is one.
    last: Option<String>,
    /// The words of faults of its launches.
    faults: Vec<Arc<Watched>>,
    /// Those by which the blocks of its launches follow each other.
    words: Vec<OfGraph>,
}

impl Graph {
    fn new(
        cuda: &Cuda,
        steps: &[Step],
        arrays: &mut [&mut Memory],
        places: &[u64],
    ) -> Result<Graph> {
        let stream = &cuda.stream;
        let (mut nodes, mut faults) = (Nodes::new(stream)?, Vec::new());
        let mut words = Vec::new();
        for step in steps {
            match step {
                Step::Launch(launch) => {
                    // (A kernel that is there twice has other words each time.)
                    let mut own = OfGraph::new(stream);
                    let prepared = launch
                        .with(cuda, arrays, |launch| {
                            Prepared::of(stream, launch, &mut own.orders)
                        })
                        .map_err(|error| error.of(launch.kernel.name()))?;
                    // (No block, no node.)
                    if let Some(prepared) = prepared {
                        words.push(own);
                        faults.extend(prepared.faults.clone());
                        nodes.launch(prepared)?;
                    }
                }
                Step::Copy { from, to } => {
                    let (part, to) = (*from, whole(arrays, *to)?);
                    let size = arrays
                        .get(part.array)
                        .map_or(1, |memory| memory.ty().bytes() as usize);
                    let from =
                        whole(arrays, part.array)?.part(part.start * size, part.length * size);
                    nodes.copy(&from, to)?;
                }
                Step::Fill { array, value } => nodes.fill(whole(arrays, *array)?, *value)?,
            }
        }
        let last = steps.iter().rev().find_map(|step| match step {
            Step::Launch(launch) if launch.blocks > 0 => Some(launch.kernel.name().to_owned()),
            _ => None,
        });
        Ok(Graph {
            executable: nodes.executable()?,
            places: places.to_vec(),
            last,
            faults,
            words,
        })
    }

    /// Queues all of it.
    fn launch(&mut self, arrays: &[&mut Memory]) -> Result<()> {
        let stream = &self.executable.stream;
        for memory in arrays {
            array(memory)?.use_on(stream)?;
        }
        let _words = match self.faults.is_empty() {
            true => None,
            false => Some(stream.launching()?),
        };
        stream.watch_again(&self.faults);
        self.words.iter_mut().try_for_each(OfGraph::again)?;
        let queued = stream.with(|| {
            // SAFETY: both exist. The memory that the steps use is that of the arrays, which lie where they did when the graph was made,
            // and are lent until `used_on` below; so it is as for a launch.
            unsafe { driver::cuGraphLaunch(self.executable.raw, stream.raw()) }
        });
        if let (Ok(()), Some(kernel)) = (&queued, &self.last) {
            stream.launched(kernel);
        }
        let mut all = queued;
        for memory in arrays {
            let noted = array(memory).and_then(|array| array.used_on(stream));
            all = all.and(noted);
        }
        all
    }
}

fn whole<'a>(arrays: &'a [&mut Memory], number: usize) -> Result<&'a DeviceArray> {
    arrays
        .get(number)
        .ok_or_else(|| {
            Error::new(
                ErrorKind::Internal,
                "an array of recorded work is not there",
            )
        })
        .and_then(|memory| array(memory))
}

/// A graph while it is made; destroyed at the end.
struct Nodes<'a> {
    raw: Handle,
    /// The last node, if there is one: the next one comes after it.
    last: Option<Handle>,
    loaded: Vec<Arc<Loaded>>,
    stream: &'a Arc<Stream>,
}

impl<'a> Nodes<'a> {
    fn new(stream: &'a Arc<Stream>) -> Result<Nodes<'a>> {
        let raw = stream.with(|| {
            let mut raw = Handle::NONE;
            // SAFETY: the place is there for the time of the call.
            unsafe { driver::cuGraphCreate(&raw mut raw, 0) }?;
            Ok(raw)
        })?;
        Ok(Nodes {
            raw,
            last: None,
            loaded: Vec::new(),
            stream,
        })
    }

    /// A node behind the last one. The call is given the place for its handle, the nodes before it, and how many these are.
    fn add(
        &mut self,
        call: impl FnOnce(*mut Handle, *const Handle, usize) -> Checked<()>,
    ) -> Result<()> {
        let (mut node, before) = (Handle::NONE, self.last.as_slice());
        self.stream
            .with(|| call(&raw mut node, before.as_ptr(), before.len()))?;
        self.last = Some(node);
        Ok(())
    }

    fn launch(&mut self, mut prepared: Prepared) -> Result<()> {
        let (raw, mut pointers) = (self.raw, prepared.pointers());
        let node = KernelNode {
            function: prepared.loaded.raw(),
            grid: [prepared.grid, 1, 1],
            block: [prepared.threads, 1, 1],
            shared_bytes: prepared.shared,
            parameters: pointers.as_mut_ptr(),
            extra: ptr::null_mut(),
        };
        // SAFETY: the graph exists, as do the nodes before; the arguments are those of the function's signature, and the driver copies
        // them before it comes back.
        self.add(|place, before, count| unsafe {
            driver::cuGraphAddKernelNode(place, raw, before, count, &raw const node)
        })?;
        self.loaded.push(prepared.loaded);
        Ok(())
    }

    fn copy(&mut self, from: &DeviceArray, to: &DeviceArray) -> Result<()> {
        if to.len() == 0 {
            return Ok(());
        }
        let (raw, context) = (self.raw, self.stream.context().raw());
        let node = CopyNode::within(from.address(), to.address(), to.len().min(from.len()));
        // SAFETY: as for a launch; both arrays have that many bytes.
        self.add(|place, before, count| unsafe {
            driver::cuGraphAddMemcpyNode(place, raw, before, count, &raw const node, context)
        })
    }

    fn fill(&mut self, to: &DeviceArray, value: Literal) -> Result<()> {
        if to.len() == 0 {
            return Ok(());
        }
        let (bits, size) = (value.bits(), value.ty().bytes());
        // All elements in one row; of 8 bytes, each half as a column of a table of two.
        let row = |element_bytes: u32, value: u32| FillNode {
            to: to.address(),
            // (Of one row.)
            pitch: 0,
            value,
            element_bytes,
            width: to.len() / element_bytes as usize,
            height: 1,
        };
        let column = |offset: u64, value: u32| FillNode {
            to: to.address() + offset,
            pitch: 8,
            value,
            element_bytes: 4,
            width: 1,
            height: to.len() / 8,
        };
        let (low, high) = (bits as u32, (bits >> 32) as u32);
        let nodes = match size {
            8 if low != high => vec![column(0, low), column(4, high)],
            8 => vec![row(4, low)],
            _ => vec![row(size, low)],
        };
        let (raw, context) = (self.raw, self.stream.context().raw());
        for node in nodes {
            // SAFETY: as for a launch; the array has that many bytes, whole elements.
            self.add(|place, before, count| unsafe {
                driver::cuGraphAddMemsetNode(place, raw, before, count, &raw const node, context)
            })?;
        }
        Ok(())
    }

    /// The graph as the driver launches it.
    fn executable(mut self) -> Result<Executable> {
        let raw = self.stream.with(|| {
            let mut raw = Handle::NONE;
            // SAFETY: the place is there for the time of the call, and the graph exists.
            unsafe { driver::cuGraphInstantiateWithFlags(&raw mut raw, self.raw, 0) }?;
            Ok(raw)
        })?;
        Ok(Executable {
            raw,
            loaded: std::mem::take(&mut self.loaded),
            stream: Arc::clone(self.stream),
        })
    }
}

impl Drop for Nodes<'_> {
    fn drop(&mut self) {
        release(self.stream.context(), &mut self.loaded, || {
            // SAFETY: nobody has it any more; what was made of it is independent of it.
            unsafe { driver::cuGraphDestroy(self.raw) }
        });
    }
}

/// A graph that can be launched; destroyed at the end. The driver frees it when what was launched of it is done.
struct Executable {
    raw: Handle,
    /// Its kernels.
    loaded: Vec<Arc<Loaded>>,
    stream: Arc<Stream>,
}

impl Drop for Executable {
    fn drop(&mut self) {
        release(self.stream.context(), &mut self.loaded, || {
            // SAFETY: nobody has it any more.
            unsafe { driver::cuGraphExecDestroy(self.raw) }
        });
    }
}

/// Gives something back to the driver, then the kernels that it used.
fn release(context: &Context, loaded: &mut Vec<Arc<Loaded>>, call: impl FnOnce() -> Checked<()>) {
    context.release(|| {
        let _ = call();
        loaded.clear();
    });
}
