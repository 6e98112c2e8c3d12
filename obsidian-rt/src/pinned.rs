//! Arrays of the host that a device copies fast.

use std::fmt;
use std::ops::{Deref, DerefMut};

use crate::backend::Pages;
use crate::element::Element;

/// An array in the memory of the host that the system never moves or swaps out (page-locked), so
/// that a GPU reads and writes it at full speed. There is less of such memory than of other: see
/// [`Device::pinned`](crate::Device::pinned). On the CPU and the simulator it is memory as any
/// other.
///
/// `device.upload(&array)` and [`Buffer::copy_to`](crate::Buffer::copy_to) borrow the array and wait for the copy.
/// [`Buffer::copy_from_pinned`](crate::Buffer::copy_from_pinned) and [`Buffer::copy_to_pinned`](crate::Buffer::copy_to_pinned) take it and give it
/// back when the copy is done, so that the host works meanwhile.
///
/// ```
/// use obsidian_rt::{Device, Pinned};
///
/// let device = Device::best()?;
/// let mut array: Pinned<f32> = device.pinned(3)?;
/// array.copy_from_slice(&[1.0, 2.0, 3.0]); // it is a slice
/// assert_eq!(device.upload(&array)?.to_vec()?, [1.0, 2.0, 3.0]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "cudaMallocHost")]
#[doc(alias = "page_locked")]
pub struct Pinned<T> {
    elements: Pages<T>,
}

impl<T: Element> Pinned<T> {
    pub(crate) fn new(elements: Pages<T>) -> Self {
        Pinned { elements }
    }
}

impl<T> Deref for Pinned<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        &self.elements
    }
}

impl<T> DerefMut for Pinned<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.elements
    }
}

impl<T> fmt::Debug for Pinned<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pinned")
            .field("length", &self.len())
            .finish_non_exhaustive()
    }
}
