//! All lanes of an access at once: what is the same for each of them is looked up once.
//!
//! Each function here does for a list of threads what one of [`Memory`]'s does for one, in the order of the threads, and reports the same
//! first fault. They exist because accesses are most of what a run does: a table of a kernel that
//! goes through a million elements is looked up for each of them otherwise.

use super::Fault;
use super::memory::{Global, Memory, Storage};
use super::program::Site;
use super::race::Mark;
use crate::ir::WARP;
use crate::scalar::{ArrayId, Literal};
use obsidian_base::counts::AccessKind;

/// The moment of an access, for each thread of the block.
pub(super) struct Moment<'m> {
    /// That of a thread of the first warp; of others the numbers of thread and warp differ.
    pub(super) of_first: Mark,
    pub(super) warp_epochs: &'m [u32],
}

impl Moment<'_> {
    pub(super) fn of(&self, thread: u32) -> Mark {
        Mark {
            thread,
            warp_epoch: self.warp_epochs[(thread / WARP) as usize],
            ..self.of_first
        }
    }
}

impl Memory<'_> {
    /// As [`address`](Memory::address), for the index of each thread, which `index` gives.
    pub(super) fn all_addresses(
        &self,
        site: &Site,
        threads: &[u32],
        index: impl Fn(u32) -> u32,
        addresses: &mut Vec<u64>,
    ) -> Result<(), Fault> {
        addresses.clear();
        let entry = &self.entries[site.array.0 as usize];
        let (length, width) = (entry.length, entry.width);
        let start = match entry.storage {
            Storage::Buffer { .. } => Some(0),
            Storage::Shared { slot } if slot.stride == 0 && slot.offset.is_multiple_of(width) => {
                let end = u64::from(slot.offset) + u64::from(length) * u64::from(width);
                (end <= self.shared.bytes.len() as u64).then_some(slot.offset)
            }
            _ => None,
        };
        if let Some(start) = start {
            let place = |thread: &u32| {
                let index = index(*thread);
                (index < length).then(|| u64::from(start) + u64::from(index) * u64::from(width))
            };
            addresses.extend(threads.iter().map_while(place));
        }
        // What is not simple, and the first that is outside.
        for thread in &threads[addresses.len()..] {
            addresses.push(self.address(site, index(*thread), *thread)?);
        }
        Ok(())
    }

    /// As [`check`](Memory::check), for the address of each thread.
    pub(super) fn check_all(
        &mut self,
        site: &Site,
        threads: &[u32],
        addresses: &[u64],
        moment: &Moment<'_>,
    ) -> Result<(), Fault> {
        let entry = &self.entries[site.array.0 as usize];
        let mut pairs = threads.iter().zip(addresses);
        match &entry.storage {
            Storage::Buffer { shadow: None, .. } => return Ok(()),
            Storage::Shared { slot } if slot.stride == 0 && !site.distinct => {
                let (width, lifetime) =
                    (entry.width, entry.lifetimes.first().copied().unwrap_or(0));
                let shared = &mut self.shared;
                let wrong = pairs.find_map(|(thread, address)| {
                    let now = moment.of(*thread);
                    let (race, stored) = shared.access(site.kind, *address, width, now, lifetime);
                    let is_read = site.kind != AccessKind::Write;
                    (race.is_some() || is_read && !stored).then_some((race, *address, now))
                });
                return match wrong {
                    Some((Some(other), address, now)) => Err(self.race(other, site, address, now)),
                    Some((None, address, now)) => Err(self.uninitialised(site, address, now)),
                    None => Ok(()),
                };
            }
            _ => {}
        }
        pairs.try_for_each(|(thread, address)| self.check(site, *address, moment.of(*thread)))
    }

    /// As [`read`](Memory::read), for each address, in order.
    pub(super) fn read_all(
        &self,
        array: ArrayId,
        addresses: &[u64],
        mut take: impl FnMut(usize, u64),
    ) {
        let entry = &self.entries[array.0 as usize];
        let is_word = entry.ty.bits() == 32;
        let all = || addresses.iter().enumerate();
        match &entry.storage {
            Storage::Shared { .. } if is_word => {
                for (place, address) in all() {
                    let start = *address as usize;
                    let mut bytes = [0; 4];
                    bytes.copy_from_slice(&self.shared.bytes[start..start + 4]);
                    take(place, u32::from_le_bytes(bytes).into());
                }
            }
            Storage::Buffer {
                elements: Global::Read(source),
                ..
            } => {
                let shift = entry.width.trailing_zeros();
                for (place, address) in all() {
                    let bits = source.bits((address >> shift) as usize);
                    take(place, Literal::from_bits(entry.ty, bits).bits());
                }
            }
            _ => all().for_each(|(place, address)| take(place, self.read(array, *address))),
        }
    }
}
