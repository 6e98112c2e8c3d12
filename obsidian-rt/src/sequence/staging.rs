//! Page-locked memory between the thread that reads and a device that copies: the reader fills it while the device computes, and the device copies
//! from it while the next chunk is read.

use std::any::Any;
use std::sync::{Mutex, PoisonError};

use crate::arrays::HostItem;
use crate::copying::{Copying, upload_first};
use crate::device::Device;
use crate::element::Element;
use crate::error::Result;
use crate::pinned::Pinned;
use crate::untyped::AnyBuffer;

/// The most page-locked arrays that are kept for later chunks.
const MOST: usize = 32;

/// The page-locked arrays of a run that are not in use.
#[derive(Debug)]
pub struct Slots {
    device: Device,
    free: Mutex<Vec<Box<dyn Any + Send>>>,
}

impl Slots {
    pub(super) fn new(device: Device) -> Self {
        Slots {
            device,
            free: Mutex::default(),
        }
    }

    /// An array with these elements first.
    fn filled<T: Element>(&self, elements: &[T]) -> Result<Pinned<T>> {
        let mut array = match self.kept(elements.len()) {
            Some(array) => array,
            None => self.device.pinned(elements.len())?,
        };
        for (own, element) in array.iter_mut().zip(elements) {
            *own = *element;
        }
        Ok(array)
    }

    /// The shortest of those that are long enough.
    fn kept<T: Element>(&self, least: usize) -> Option<Pinned<T>> {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let length =
            |array: &(dyn Any + Send)| array.downcast_ref::<Pinned<T>>().map(|own| own.len());
        let lengths = free
            .iter()
            .enumerate()
            .filter_map(|(n, array)| Some((length(&**array)?, n)));
        let (_, n) = lengths.filter(|(own, _)| *own >= least).min()?;
        let array = free.swap_remove(n).downcast().ok();
        array.map(|array| *array)
    }

    fn keep<T: Element>(&self, array: Pinned<T>) {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        // Where chunks differ in length the first ones may be too short for those that come.
        if free.len() >= MOST {
            free.remove(0);
        }
        free.push(Box::new(array));
    }
}

/// An array of a chunk in page-locked memory.
pub trait Staged: Send {
    /// Begins to copy it to a device.
    ///
    /// # Errors
    /// Those of the device.
    fn upload(self: Box<Self>, device: &Device) -> Result<(AnyBuffer, Box<dyn Copied>)>;
}

/// A copy that was begun.
pub trait Copied {
    /// Waits for it, and keeps the array for later chunks.
    ///
    /// # Errors
    /// Those of the device.
    fn done(self: Box<Self>, slots: &Slots) -> Result<()>;
}

struct Filled<T> {
    array: Pinned<T>,
    len: usize,
}

impl<T: Element> Staged for Filled<T> {
    fn upload(self: Box<Self>, device: &Device) -> Result<(AnyBuffer, Box<dyn Copied>)> {
        let (buffer, copying) = upload_first(device, self.array, self.len)?;
        Ok((buffer.into(), Box::new(copying)))
    }
}

impl<T: Element> Copied for Copying<T> {
    fn done(self: Box<Self>, slots: &Slots) -> Result<()> {
        slots.keep(self.wait()?);
        Ok(())
    }
}

/// The components of elements, each in an array of its own.
pub(super) fn staged<T: HostItem>(elements: &[T], slots: &Slots) -> Result<Vec<Box<dyn Staged>>> {
    let mut list = Vec::new();
    T::stage(elements, slots, &mut list)?;
    Ok(list)
}

/// The elements of an array of numbers, as [`HostItem::stage`] has them.
pub(crate) fn stage<T: Element>(
    elements: &[T],
    slots: &Slots,
    list: &mut Vec<Box<dyn Staged>>,
) -> Result<()> {
    let (array, len) = (slots.filled(elements)?, elements.len());
    list.push(Box::new(Filled { array, len }));
    Ok(())
}
