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

impl Verdict {
    /// Adds what is to be said of other blocks.
    pub(super) fn add(&mut self, other: Verdict) {
        self.compared += other.compared;
        let both = match (self.wrong.take(), other.wrong) {
            (Some(own), Some(other)) => Some(own.and(&other)),
            (own, other) => own.or(other),
        };
        self.wrong = both.map(|wrong| wrong.of(self.compared));
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::Job;

    /// Judged in two parts, it is what it is as a whole.
    #[test]
    fn verdicts_of_parts_add_up() {
        let job = Job::new(vec![0u32; 8], |input: &Vec<u32>| input.clone());
        let data = job.prepare().data;
        for wrong in [vec![], vec![1], vec![6], vec![0, 1, 7], vec![5, 6]] {
            let of = |elements: std::ops::Range<usize>| {
                let bits = |n: usize| (n, u64::from(wrong.contains(&n)));
                Verdict {
                    compared: elements.len(),
                    wrong: data.first_wrong(0, elements.map(bits)),
                }
            };
            let mut both = of(0..3);
            both.add(of(3..8));
            let whole = of(0..8);
            assert_eq!(
                (both.compared, both.wrong),
                (whole.compared, whole.wrong),
                "{wrong:?}"
            );
        }
    }
}
