//! Arrays that blocks only add to: each core adds to elements of its own, which are merged at the end.

use std::fmt;
use std::mem;
use std::sync::{Mutex, PoisonError};

use super::cells::Cells;
use super::grid::Split;
use crate::element::Element;

/// Fewer blocks than this change the array itself: own elements would be begun and merged for nothing.
const FEW_BLOCKS: u32 = 4;

/// The most own elements of all cores together for each block, on the average. With more of them it takes
/// longer to begin and to merge them than blocks can gain.
const MOST_FOR_A_BLOCK: u64 = 256;

/// An array, and the own elements of those blocks that run at the same time.
///
/// The operator is associative and commutative, exactly, so that it does not matter which block
/// changes which copy of an element. Own elements are merged into the array when this is dropped.
pub struct Gather<'a, T: Element> {
    cells: Cells<'a, T>,
    /// The value that changes none when it is merged with it.
    identity: T,
    merge: fn(T, T) -> T,
    /// Own elements that no block has at the moment.
    free: Mutex<Vec<Vec<T>>>,
}

impl<'a, T: Element> Gather<'a, T> {
    /// The array, and the operator with its identity.
    pub fn new(cells: Cells<'a, T>, identity: T, merge: fn(T, T) -> T) -> Self {
        Gather {
            cells,
            identity,
            merge,
            free: Mutex::new(Vec::new()),
        }
    }
}

impl<T: Element> fmt::Debug for Gather<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Gather");
        shown
            .field("elements", &self.cells.len())
            .finish_non_exhaustive()
    }
}

impl<T: Element> Drop for Gather<'_, T> {
    fn drop(&mut self) {
        let free = self.free.get_mut().unwrap_or_else(PoisonError::into_inner);
        let elements = free.iter().flat_map(|own| own.iter().enumerate());
        for (index, own) in elements.filter(|(_, own)| **own != self.identity) {
            self.cells.update(index, |old| (self.merge)(old, *own));
        }
    }
}

/// Shares an array out to `blocks` blocks that only add to it.
pub fn gathered<'g, 'a, T: Element>(gather: &'g Gather<'a, T>, blocks: u32) -> Gathered<'g, 'a, T> {
    let own = gather.cells.len() as u64 * rayon::current_num_threads() as u64;
    Gathered {
        gather,
        has_own: blocks >= FEW_BLOCKS && own <= MOST_FOR_A_BLOCK * u64::from(blocks),
    }
}

/// An array for some blocks; see [`gathered`].
#[derive(Clone, Copy, Debug)]
pub struct Gathered<'g, 'a, T: Element> {
    gather: &'g Gather<'a, T>,
    has_own: bool,
}

impl<'g, 'a, T: Element> Split for Gathered<'g, 'a, T> {
    type Piece = Own<'g, 'a, T>;

    fn fits(&self, _: u32) -> bool {
        true
    }

    fn split(self, _: u32) -> (Self, Self) {
        (self, self)
    }

    fn piece(self) -> Own<'g, 'a, T> {
        let Gathered { gather, has_own } = self;
        let own = has_own.then(|| {
            let free = gather
                .free
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .pop();
            free.unwrap_or_else(|| vec![gather.identity; gather.cells.len()])
        });
        Own { gather, own }
    }
}

/// What one block changes: elements of its own, or the array itself.
#[derive(Debug)]
pub struct Own<'g, 'a, T: Element> {
    gather: &'g Gather<'a, T>,
    own: Option<Vec<T>>,
}

impl<T: Element> Own<'_, '_, T> {
    /// Replaces an element by a function of it.
    #[inline]
    pub fn update(&mut self, index: usize, f: impl Fn(T) -> T) {
        match &mut self.own {
            Some(own) => own[index] = f(own[index]),
            None => {
                self.gather.cells.update(index, f);
            }
        }
    }

    /// [`update`](Own::update) at an index that the user vouches for.
    #[inline]
    pub fn update_vouched(&mut self, index: usize, f: impl Fn(T) -> T, access: u32) {
        match &mut self.own {
            Some(own) => match own.get_mut(index) {
                Some(element) => *element = f(*element),
                None => super::vouched::outside(index, own.len(), access),
            },
            None => {
                self.gather.cells.update_vouched(index, f, access);
            }
        }
    }
}

impl<T: Element> Drop for Own<'_, '_, T> {
    fn drop(&mut self) {
        if let Some(own) = mem::take(&mut self.own) {
            let mut free = self
                .gather
                .free
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            free.push(own);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::grid::run;
    use super::*;

    /// Each block adds its number to the element that is its number modulo the length.
    fn added(length: usize, blocks: u32, limit: Option<u32>) -> Vec<u32> {
        let mut array: Vec<u32> = (0..length as u32).map(|i| i * 1000).collect();
        let gather = Gather::new(Cells::new(&mut array), 0, u32::wrapping_add);
        let pieces = (gathered(&gather, blocks), ());
        run(blocks, limit, u64::MAX, pieces, &|b, (mut own, ())| {
            own.update(b as usize % length, |old| old.wrapping_add(b));
        });
        drop(gather);
        array
    }

    #[test]
    fn nothing_that_a_block_adds_is_lost() {
        for length in [1, 7, 256, 1000] {
            for blocks in [0, 1, 3, 4, 17, 1000] {
                let mut expected: Vec<u32> = (0..length as u32).map(|i| i * 1000).collect();
                (0..blocks).for_each(|b| expected[b as usize % length] += b);
                for limit in [None, Some(1), Some(3)] {
                    assert_eq!(added(length, blocks, limit), expected, "{length} {blocks}");
                }
            }
        }
    }

    #[test]
    fn what_begins_with_the_identity_may_stay_as_it_is() {
        let mut array = [5i64, -3, i64::MAX];
        let gather = Gather::new(Cells::new(&mut array), i64::MAX, i64::min);
        run(
            100,
            None,
            u64::MAX,
            (gathered(&gather, 100), ()),
            &|b, (mut own, ())| {
                own.update_vouched(1, |old| old.min(-i64::from(b)), 0);
            },
        );
        drop(gather);
        assert_eq!(array, [5, -99, i64::MAX]);
    }
}
