//! Layouts of held arrays: which thread has which element, and where.
//!
//! A held array belongs to the threads of the level of the list that allocates it: to one thread,
//! to the lanes of a warp, or to the threads of a block. These are its owners, and each owner has
//! slots, such as registers. A [`Layout`] is a bijection between the elements and the pairs of an
//! owner and a slot.
//!
//! A levelled kernel does not know its number of threads, so a layout names the owner of an element
//! by an iteration. Owner `i % owners` executes iteration `i` of every `ForAll` of the level: for
//! any number of owners, a thread owns what its iterations own.

/// Which thread holds which element.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Layout {
    /// Iteration `e` owns element `e`.
    #[default]
    Striped,
    /// Iteration `i` owns the elements `k * i .. k * i + k`; `k` is at least 1.
    Blocked(u32),
}

impl Layout {
    /// The number of neighbouring elements that one iteration owns.
    pub const fn run(self) -> u32 {
        match self {
            Layout::Striped | Layout::Blocked(0) => 1,
            Layout::Blocked(k) => k,
        }
    }

    /// The iteration of a `ForAll` that owns `element`.
    pub const fn iteration(self, element: u32) -> u32 {
        element / self.run()
    }

    /// The owner of `element`, a number below `owners`, and the slot of that owner.
    pub const fn place(self, element: u32, owners: u32) -> (u32, u32) {
        let (run, iteration) = (self.run(), self.iteration(element));
        (iteration % owners, iteration / owners * run + element % run)
    }

    /// The element in `slot` of `owner`: the inverse of [`place`](Layout::place).
    pub const fn element(self, (owner, slot): (u32, u32), owners: u32) -> u32 {
        let run = self.run();
        (slot / run * owners + owner) * run + slot % run
    }
}

/// The layout of a stage whose held arrays are each one thread's own.
impl From<()> for Layout {
    fn from((): ()) -> Layout {
        Layout::Striped
    }
}

/// Fails for a layout that spreads an array over threads in another way.
impl TryFrom<Layout> for () {
    type Error = Layout;

    fn try_from(layout: Layout) -> Result<(), Layout> {
        match layout {
            Layout::Striped => Ok(()),
            Layout::Blocked(_) => Err(layout),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::ordered::Set;

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
                let mut seen = Set::new();
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
