//! Arrays of the host that were split: pieces of one vector, each with an owner of its own.

use std::any::Any;
use std::sync::Arc;

use super::host::give_back;
use crate::element::Element;

/// A vector whose elements belong to its pieces.
struct Whole<T: Element> {
    /// Where its elements are.
    start: *mut T,
    /// It is neither read nor changed until no piece is left.
    vector: Vec<T>,
}

// SAFETY: the elements are reached through pieces alone, of which no two have one in common, by the rules of references: `&Piece` to
// read, `&mut Piece` to write. `T` is a number or `bool`.
unsafe impl<T: Element> Send for Whole<T> {}
// SAFETY: as above.
unsafe impl<T: Element> Sync for Whole<T> {}

impl<T: Element> Drop for Whole<T> {
    fn drop(&mut self) {
        give_back(std::mem::take(&mut self.vector));
    }
}

/// A run of elements of a vector; how many there are, its array knows. Runs do not overlap: a piece is made of a whole vector, or by
/// taking the elements behind a number of them away from another piece.
pub(super) struct Piece<T: Element> {
    whole: Arc<Whole<T>>,
    /// The index of the first one.
    start: usize,
}

impl<T: Element> Piece<T> {
    /// All elements of a vector.
    pub(super) fn of(mut vector: Vec<T>) -> Piece<T> {
        let start = vector.as_mut_ptr();
        Piece {
            whole: Arc::new(Whole { start, vector }),
            start: 0,
        }
    }

    /// The elements behind the first `length` ones, which this piece has from now on.
    pub(super) fn after(&self, length: usize) -> Piece<T> {
        Piece {
            whole: Arc::clone(&self.whole),
            start: self.start + length,
        }
    }

    /// Does this piece begin where another one ends, which has `length` elements?
    pub(super) fn is_behind(&self, other: &Piece<T>, length: usize) -> bool {
        Arc::ptr_eq(&self.whole, &other.whole) && self.start == other.start + length
    }

    /// What an array has that is this piece: the vector, if this is all that is left of it, from its first element on.
    pub(super) fn whole(self) -> Box<dyn Any + Send + Sync> {
        let Piece { whole, start } = self;
        if start > 0 {
            return Box::new(Piece { whole, start });
        }
        match Arc::try_unwrap(whole) {
            Ok(mut whole) => Box::new(std::mem::take(&mut whole.vector)),
            Err(whole) => Box::new(Piece { whole, start }),
        }
    }

    /// Its elements, of which there are `length`.
    pub(super) fn elements(&self, length: usize) -> &[T] {
        let length = length.min(self.whole.vector.len() - self.start);
        // SAFETY: they are inside of the vector, whose memory stays as long as `whole`, and belong to this piece, which is borrowed.
        unsafe { std::slice::from_raw_parts(self.whole.start.add(self.start), length) }
    }

    /// Its elements, to be changed.
    pub(super) fn elements_mut(&mut self, length: usize) -> &mut [T] {
        let length = length.min(self.whole.vector.len() - self.start);
        // SAFETY: as in `elements`; the piece is borrowed by this alone.
        unsafe { std::slice::from_raw_parts_mut(self.whole.start.add(self.start), length) }
    }
}
