//! Arrays that the blocks of a launch write wherever they like.

use crate::element::Element;

/// The elements of an array as cells: relaxed atomics, so that blocks may write it at once in safe code.
///
/// An index that is out of range panics, as it does for a slice; the launch turns that into an
/// error.
#[derive(Debug)]
pub struct Cells<'a, T: Element> {
    cells: &'a [T::Cell],
}

impl<'a, T: Element> Cells<'a, T> {
    /// Elements as cells.
    pub fn new(elements: &'a mut [T]) -> Self {
        Cells {
            cells: T::cells(elements),
        }
    }

    /// The number of elements.
    pub(super) fn len(&self) -> usize {
        self.cells.len()
    }

    /// The elements from `start` on, `length` of them.
    #[inline]
    pub fn window(&self, start: usize, length: usize) -> Cells<'a, T> {
        let cells = &self.cells[start..][..length];
        Cells { cells }
    }

    /// An element's present value.
    #[inline]
    pub fn load(&self, index: usize) -> T {
        T::load(&self.cells[index])
    }

    /// Replaces an element.
    #[inline]
    pub fn store(&self, index: usize, value: T) {
        value.store(&self.cells[index]);
    }

    /// [`load`](Cells::load) at an index that the user vouches for.
    #[inline]
    pub fn load_vouched(&self, index: usize, access: u32) -> T {
        T::load(self.vouched(index, access))
    }

    /// [`store`](Cells::store) at an index that the user vouches for.
    #[inline]
    pub fn store_vouched(&self, index: usize, value: T, access: u32) {
        value.store(self.vouched(index, access));
    }

    /// [`update`](Cells::update) at an index that the user vouches for.
    #[inline]
    pub fn update_vouched(&self, index: usize, f: impl Fn(T) -> T, access: u32) -> T {
        T::update(self.vouched(index, access), f)
    }

    #[inline]
    fn vouched(&self, index: usize, access: u32) -> &T::Cell {
        match self.cells.get(index) {
            Some(cell) => cell,
            None => super::vouched::outside(index, self.cells.len(), access),
        }
    }

    /// Replaces an element by a function of it, in one step, and gives its old value.
    #[inline]
    pub fn update(&self, index: usize, f: impl Fn(T) -> T) -> T {
        T::update(&self.cells[index], f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_counted_by_many_threads() {
        let each = if cfg!(miri) { 25 } else { 1000 };
        let mut counts = [0u32; 4];
        let cells = Cells::new(&mut counts);
        rayon::scope(|scope| {
            for n in 0..4 * each {
                let cells = &cells;
                scope.spawn(move |_| {
                    cells.update(n as usize % 4, |old| old + 1);
                });
            }
        });
        assert_eq!(counts, [each; 4]);
    }
}
