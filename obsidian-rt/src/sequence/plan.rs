//! How a run will go: how long chunks are, and the memory that they take.

use std::fmt;

use obsidian_base::launch::NoValue;

use super::graph::{Graph, Kind};
use super::run::Settings;
use super::runner::Program;
use super::source::Length;
use crate::arrays::AnyProgram;
use crate::device::Device;
use crate::error::{Error, ErrorKind, Result};

/// The longest chunk that is chosen, in elements.
const LONGEST: u64 = 1 << 24;

/// How a run will go: see [`Consumed::plan`](super::Consumed::plan). It can be printed.
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
        let each = self.input_bytes.saturating_add(self.temporary_bytes);
        let each = each.saturating_add(self.output_bytes);
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
                        let outer = like.outer.map_or(chunk, |outer| outer as u64);
                        let extents: Vec<u64> = std::iter::once(outer).chain(inner).collect();
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
                Kind::Made(..) | Kind::Beside | Kind::Each(..) | Kind::Grains(_) => {}
            }
        }
        let schedule = program.schedule();
        // What the elements decide, such as the length of a filtered array, is at most as long as the chunk.
        let is_above = |slot: &obsidian_language::arrays::Slot| {
            let length = slot.length.evaluate(&[], &numbers);
            matches!(length, Err(NoValue::Above { .. }))
        };
        let temporary = match schedule.temporary_bytes(&numbers) {
            Some(bytes) => bytes,
            None if schedule.slots.iter().any(is_above) => u64::MAX,
            None => input,
        };
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

/// Of fewer bytes the launches and the waking of threads are a tenth of the time and more, however small caches are.
const WORTH_A_LAUNCH: u64 = 1 << 22;

/// What is taken where a device does not tell how much of its memory is free.
const UNTOLD: u64 = 1 << 30;

/// The plan of a run.
pub(super) fn planned(
    settings: &Settings<'_>,
    graph: &Graph<'_>,
    program: &Program,
    device: &Device,
    is_lent: bool,
    lengths: &[Length],
) -> Result<Plan> {
    // One that is read and one that is computed; for a device that copies, one on its way there.
    let least = match device.backend().reads_host() {
        true => 2,
        false => 3,
    };
    let slots = settings.slots.unwrap_or(3).max(least);
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
                // Each core computes a part of a chunk.
                true => second_level_cache().saturating_mul(rayon::current_num_threads() as u64),
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
pub(super) fn lends(graph: &Graph<'_>, device: &Device) -> bool {
    graph.sources().all(|source| source.is_lent(device))
}
