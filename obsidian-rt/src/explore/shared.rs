//! What the candidates of one job have in common: the input on the host, counts of launches, and results of launches
//! that others make too.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::job::{JobData, Wrong};
use super::result::Needs;
use crate::Counts;
use crate::backend::HostArray;

/// The most bytes of results that are kept for other candidates.
const MOST_BYTES: usize = 128 << 20;

/// What was counted of a launch.
#[derive(Clone, Debug)]
pub(super) struct Counted {
    /// What the kernel needs, with the blocks of the whole grid.
    pub(super) needs: Needs,
    /// The counts of some blocks.
    pub(super) counts: Counts,
    /// How many blocks were counted.
    pub(super) blocks: u64,
}

/// What is to be said of the part of an answer that some blocks wrote.
#[derive(Clone, Debug)]
pub(super) struct Verdict {
    /// How many elements were compared.
    pub(super) compared: usize,
    pub(super) wrong: Option<Wrong>,
}

/// Verdicts, each with the number of the array in the answer.
pub(super) type Verdicts = Vec<(usize, Verdict)>;

/// What is known of a launch.
type Known = (Arc<Counted>, Arc<Verdicts>);

/// One job with what is known of its launches.
pub(super) struct Shared {
    pub(super) job: Arc<JobData>,
    counted: Mutex<BTreeMap<u64, Known>>,
    results: Mutex<Results>,
}

/// Arrays that launches have written, by launch; the oldest go first.
#[derive(Default)]
struct Results {
    known: BTreeMap<u64, Arc<Vec<HostArray>>>,
    order: VecDeque<u64>,
    bytes: usize,
}

fn bytes(arrays: &[HostArray]) -> usize {
    let of = |array: &HostArray| array.len() * array.ty().bytes() as usize;
    arrays.iter().map(of).sum()
}

impl Shared {
    pub(super) fn new(job: Arc<JobData>) -> Self {
        Shared {
            job,
            counted: Mutex::default(),
            results: Mutex::default(),
        }
    }

    pub(super) fn counted(&self, launch: u64) -> Option<Known> {
        lock(&self.counted).get(&launch).cloned()
    }

    pub(super) fn keep_counted(&self, launch: u64, counted: Known) {
        lock(&self.counted).insert(launch, counted);
    }

    /// What a launch has written, array by array.
    pub(super) fn results(&self, launch: u64) -> Option<Arc<Vec<HostArray>>> {
        lock(&self.results).known.get(&launch).cloned()
    }

    pub(super) fn keep_results(&self, launch: u64, arrays: Vec<HostArray>) {
        let size = bytes(&arrays);
        if size > MOST_BYTES / 4 {
            return;
        }
        let mut results = lock(&self.results);
        if results.known.insert(launch, Arc::new(arrays)).is_none() {
            results.order.push_back(launch);
            results.bytes += size;
        }
        while results.bytes > MOST_BYTES
            && let Some(oldest) = results.order.pop_front()
        {
            if let Some(arrays) = results.known.remove(&oldest) {
                results.bytes -= bytes(&arrays);
            }
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
