//! Accesses whose index the user vouches for, and assertions: one that is outside, or does not hold, ends the launch with an error.

use std::panic::resume_unwind;

/// An index that the user vouched for, and that is outside of its array.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outside {
    /// The index.
    pub(crate) index: usize,
    /// The number of elements of the array.
    pub(crate) length: usize,
    /// The number of the access in the kernel's CPU code.
    pub(crate) access: u32,
}

/// Leaves the kernel, all threads of it. The launch, which waits for them, makes an error of it; no
/// panic hook is called, as this is no panic.
#[cold]
#[inline(never)]
pub(super) fn outside(index: usize, length: usize, access: u32) -> ! {
    resume_unwind(Box::new(Outside {
        index,
        length,
        access,
    }))
}

/// An assertion that does not hold.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Failed {
    /// Its number in the kernel's CPU code.
    pub(crate) check: u32,
}

/// Leaves the kernel as `outside` does: an assertion does not hold.
#[cold]
#[inline(never)]
pub fn failed(check: u32) {
    resume_unwind(Box::new(Failed { check }))
}

/// An element at an index that the user vouches for.
#[inline]
pub fn vouched<T: Copy>(array: &[T], index: usize, access: u32) -> T {
    match array.get(index) {
        Some(element) => *element,
        None => outside(index, array.len(), access),
    }
}

/// The same, to be changed.
#[inline]
pub fn vouched_mut<T>(array: &mut [T], index: usize, access: u32) -> &mut T {
    let length = array.len();
    match array.get_mut(index) {
        Some(element) => element,
        None => outside(index, length, access),
    }
}
