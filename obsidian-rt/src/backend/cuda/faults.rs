//! Words of the host in which kernels with `#[kernel(faults)]` note the first thing that went wrong.
//!
//! A word lies in page-locked memory, which a GPU reaches by the address of the host. So a launch costs no copy and no allocation: the host looks
//! at the words whenever it has waited. Launches of one kernel with arrays of the same lengths share a word, as the smallest fault counts.
//! A word is used by nothing but atomics on either side until no launch has it any more.

use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard};

use obsidian_base::launch::NO_FAULT;

use super::context::Context;
use super::memory::Locked;
use crate::backend::fault;
use crate::error::Result;
use crate::kernel::Kernel;

/// Words of one page.
const PAGE: usize = 512;
/// Words of one stream, at most: the launch that would want another one waits.
const MOST: usize = 4096;

/// What the launches of one kernel with arrays of some lengths say.
pub(super) struct Watched {
    kernel: Kernel,
    lengths: Vec<u32>,
    page: Arc<Page>,
    /// Which word of the page.
    at: usize,
}

/// Words in memory of the host that the GPU reaches.
struct Page {
    words: Locked<u64>,
}

impl Page {
    fn new(context: &Arc<Context>) -> Result<Arc<Page>> {
        let mut words = Locked::new(context, PAGE)?;
        words.fill(NO_FAULT);
        Ok(Arc::new(Page { words }))
    }

    fn word(&self, at: usize) -> Option<&AtomicU64> {
        let place: NonNull<u64> = self.words.place(at)?;
        // SAFETY: the word is in the page, which is there as long as `self`, and aligned. Since `new` it is accessed by atomics alone: here, and
        // those of kernels.
        Some(unsafe { AtomicU64::from_ptr(place.as_ptr()) })
    }
}

impl Watched {
    /// Where the word lies, on the GPU and here.
    pub(super) fn address(&self) -> u64 {
        self.page
            .word(self.at)
            .map_or(0, |word| word.as_ptr() as u64)
    }

    fn is_of(&self, kernel: &Kernel, lengths: &[u32]) -> bool {
        self.lengths == lengths && self.kernel.is(kernel)
    }

    /// The fault that was noted, once.
    fn take(&self) -> Result<()> {
        let word = self.page.word(self.at);
        // (A word in which nothing is noted is not written: a kernel may have it.)
        let noted = word.filter(|word| word.load(Relaxed) != NO_FAULT);
        match noted.map_or(NO_FAULT, |word| word.swap(NO_FAULT, Relaxed)) {
            NO_FAULT => Ok(()),
            noted => Err(fault::noted(&self.kernel, &self.lengths, noted)),
        }
    }
}

/// Looks for a fault, the first launch first. One that is found is told once.
pub(super) fn look(watched: &[Arc<Watched>]) -> Result<()> {
    watched.iter().try_for_each(|watched| watched.take())
}

/// The words of the launches of a stream.
#[derive(Default)]
pub(super) struct Faults {
    table: Mutex<Table>,
    /// Held by a launch from before it has its word until it is queued, and alone by what takes words away.
    launching: RwLock<()>,
}

/// A launch that has words, until it is queued.
pub(super) struct Launching<'a> {
    faults: &'a Faults,
    _words_stay: RwLockReadGuard<'a, ()>,
}

impl Drop for Launching<'_> {
    fn drop(&mut self) {
        self.faults.with(|table| table.launches += 1);
    }
}

#[derive(Default)]
struct Table {
    /// Those of its own launches, in the order of the first one of each.
    own: Vec<Arc<Watched>>,
    /// The next word that no launch has had.
    next: Option<(Arc<Page>, usize)>,
    /// Launches with words that were queued, and how many of them are surely done.
    launches: u64,
    done: u64,
    /// Those of launches of other streams that it has waited for.
    others: Vec<Arc<Watched>>,
}

impl Faults {
    fn with<T>(&self, f: impl FnOnce(&mut Table) -> T) -> T {
        f(&mut self.table.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The word of an earlier launch of this kernel with arrays of these lengths.
    pub(super) fn known(&self, kernel: &Kernel, lengths: &[u32]) -> Option<Arc<Watched>> {
        let find =
            |list: &[Arc<Watched>]| list.iter().find(|it| it.is_of(kernel, lengths)).cloned();
        self.with(|table| find(&table.own))
    }

    /// Before a launch that has words; they stay until the guard is dropped, and then until the stream is done. Where there are as many as there
    /// may be, `wait` has to wait until the stream is done, and they are given up.
    pub(super) fn launching(&self, wait: impl FnOnce() -> Result<()>) -> Result<Launching<'_>> {
        if self.with(|table| table.own.len() >= MOST) {
            let alone = self.launching.write();
            let _alone = alone.unwrap_or_else(PoisonError::into_inner);
            wait()?;
            self.with(|table| table.own.clear());
        }
        let read = self.launching.read();
        Ok(Launching {
            faults: self,
            _words_stay: read.unwrap_or_else(PoisonError::into_inner),
        })
    }

    /// A word for launches of a kernel with arrays of these lengths.
    pub(super) fn add(
        &self,
        context: &Arc<Context>,
        kernel: &Kernel,
        lengths: &[u32],
    ) -> Result<Arc<Watched>> {
        self.with(|table| {
            let next = table.next.take().filter(|(_, at)| *at < PAGE);
            let (page, at) = match next {
                Some(next) => next,
                None => (Page::new(context)?, 0),
            };
            table.next = Some((Arc::clone(&page), at + 1));
            let watched = Arc::new(Watched {
                kernel: kernel.clone(),
                lengths: lengths.to_vec(),
                page,
                at,
            });
            table.own.push(Arc::clone(&watched));
            Ok(watched)
        })
    }

    /// Looks at these words as at its own, those of work that is launched again.
    pub(super) fn add_own(&self, watched: &[Arc<Watched>]) {
        self.with(|table| {
            for again in watched {
                if !table.own.iter().any(|it| Arc::ptr_eq(it, again)) {
                    table.own.push(Arc::clone(again));
                }
            }
        });
    }

    /// Looks at the words of other streams too.
    pub(super) fn add_others(&self, watched: &[Arc<Watched>]) {
        self.with(|table| {
            for other in watched {
                let is_known = |list: &[Arc<Watched>]| list.iter().any(|it| Arc::ptr_eq(it, other));
                if !is_known(&table.own) && !is_known(&table.others) {
                    table.others.push(Arc::clone(other));
                }
            }
            let too_many = table.others.len().saturating_sub(MOST);
            table.others.drain(..too_many);
        });
    }

    /// All that is looked at when the stream is done.
    pub(super) fn all(&self) -> Vec<Arc<Watched>> {
        self.with(|table| [&table.own[..], &table.others[..]].concat())
    }

    /// The number of launches with words that are queued.
    pub(super) fn launches(&self) -> u64 {
        self.with(|table| table.launches)
    }

    /// Marks the first `launches` launches as done.
    pub(super) fn done(&self, launches: u64) {
        self.with(|table| table.done = table.done.max(launches));
    }

    /// May a launch with a word be under way?
    pub(super) fn is_busy(&self) -> bool {
        self.with(|table| table.done < table.launches)
    }

    /// Looks for a fault.
    pub(super) fn look(&self) -> Result<()> {
        // (Most programs have none, and copy nothing.)
        match self.with(|table| table.own.is_empty() && table.others.is_empty()) {
            true => Ok(()),
            false => look(&self.all()),
        }
    }
}
