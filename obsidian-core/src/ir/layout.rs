//! Layouts of held arrays: which thread has which element, and where.
//!
//! A held array belongs to the threads of the level of the list that begins it: to one thread, to
//! the lanes of a warp, or to the threads of a block. A [`Layout`] is a bijection between its
//! elements and pairs of an owner and a slot of that owner, for any number of owners: a levelled
//! kernel does not know how many threads there are. It says who owns an element by an iteration: all
//! iterations `i` of each `ForAll` of the level are executed by owner `i % owners`, so that what
//! iteration `i` owns, its thread owns, however many there are.

/// Which thread holds which element.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Layout {
    /// Element `e` is iteration `e`'s.
    #[default]
    Striped,
    /// Elements `k * i .. k * i + k` are iteration `i`'s; `k` is at least 1.
    Blocked(u32),
}

impl Layout {
    /// The number of neighbours that have one owner.
    pub const fn run(self) -> u32 {
        match self {
            Layout::Striped | Layout::Blocked(0) => 1,
            Layout::Blocked(k) => k,
        }
    }

    /// The iteration of a `ForAll` that owns an element.
    pub const fn iteration(self, element: u32) -> u32 {
        element / self.run()
    }

    /// The owner of an element, of so many, and its slot there.
    pub const fn place(self, element: u32, owners: u32) -> (u32, u32) {
        let (run, iteration) = (self.run(), self.iteration(element));
        (iteration % owners, iteration / owners * run + element % run)
    }

    /// The element in a slot of an owner, of so many: the inverse of [`place`](Layout::place).
    pub const fn element(self, (owner, slot): (u32, u32), owners: u32) -> u32 {
        let run = self.run();
        (slot / run * owners + owner) * run + slot % run
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_element_has_one_owner_and_slot() {
        for layout in [
            Layout::Striped,
            Layout::Blocked(1),
            Layout::Blocked(3),
            Layout::Blocked(8),
        ] {
            for owners in [1, 2, 31, 32, 33, 100] {
                let mut seen = BTreeSet::new();
                for element in 0..1000 {
                    let place = layout.place(element, owners);
                    assert!(place.0 < owners && seen.insert(place));
                    assert_eq!(layout.element(place, owners), element);
                    assert_eq!(layout.iteration(element) % owners, place.0);
                }
            }
        }
    }

    #[test]
    fn slots_are_dense() {
        // The slots of an owner up to its last one are all used, where runs are whole: so the
        // number of registers is known from the length.
        for (layout, owners, length) in [(Layout::Striped, 32, 96), (Layout::Blocked(4), 32, 256)] {
            let slots = (0..length).map(|e| layout.place(e, owners).1).max();
            assert_eq!(slots, Some(length / owners - 1));
        }
    }
}
