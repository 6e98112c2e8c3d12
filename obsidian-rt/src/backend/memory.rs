//! Where arrays lie: in memory that only its device understands, or in the host's.

use std::any::Any;
use std::fmt;
use std::ops::DerefMut;

use obsidian_language::scalar::ScalarType;

use super::host::{self, HostArray};
use crate::element::Element;
use crate::error::{Error, ErrorKind, Result};

/// Elements in the host's memory, of whatever type, to be copied to a device.
pub trait Elements {
    /// Their type.
    fn ty(&self) -> ScalarType;

    /// How many there are.
    fn count(&self) -> usize;

    /// A copy that a device may keep.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfMemory`].
    fn to_host(&self) -> Result<HostArray>;

    /// Copies them to an array of the same type and length.
    ///
    /// # Errors
    /// [`ErrorKind::Internal`] for another type or length.
    fn copy_to(&self, array: &mut HostArray) -> Result<()>;

    /// The elements as they lie in memory.
    fn bytes(&self) -> &[u8];
}

/// A place in the host's memory for elements of whatever type, to be copied from a device.
pub trait ElementsMut {
    /// Copies the elements of an array of the same type and length.
    ///
    /// # Errors
    /// [`ErrorKind::Internal`] for another type or length.
    fn set(&mut self, array: &HostArray) -> Result<()>;

    /// The place as bytes; none for `bool`, for which not every byte is a value.
    fn bytes_mut(&mut self) -> Option<&mut [u8]>;
}

/// An array of the host in memory of its own kind: page-locked, where a device copies faster from
/// there.
pub type Pages<T> = Box<dyn DerefMut<Target = [T]> + Send + Sync>;

impl<T: Element> Elements for &[T] {
    fn ty(&self) -> ScalarType {
        T::TYPE
    }

    fn count(&self) -> usize {
        self.len()
    }

    fn to_host(&self) -> Result<HostArray> {
        HostArray::copy_of(self)
    }

    fn copy_to(&self, array: &mut HostArray) -> Result<()> {
        match array.slice_mut::<T>() {
            Some(place) if place.len() == self.len() => {
                host::copy(self, place);
                Ok(())
            }
            _ => Err(elsewhere()),
        }
    }

    fn bytes(&self) -> &[u8] {
        bytes_of(self)
    }
}

pub(super) fn bytes_of<T: Element>(elements: &[T]) -> &[u8] {
    // SAFETY: elements are numbers or `bool`, which have no padding; a byte has no alignment, and
    // any value.
    unsafe { std::slice::from_raw_parts(elements.as_ptr().cast(), size_of_val(elements)) }
}

impl<T: Element> ElementsMut for &mut [T] {
    fn set(&mut self, array: &HostArray) -> Result<()> {
        match array.elements::<T>() {
            Some(elements) if elements.len() == self.len() => {
                host::copy(elements, self);
                Ok(())
            }
            _ => Err(Error::new(
                ErrorKind::Internal,
                "the device has given back elements of another type or number",
            )),
        }
    }

    fn bytes_mut(&mut self) -> Option<&mut [u8]> {
        let bytes = size_of_val(*self);
        // SAFETY: elements are numbers, of which all bytes are values, and which have no padding.
        (T::TYPE != ScalarType::Bool)
            .then(|| unsafe { std::slice::from_raw_parts_mut(self.as_mut_ptr().cast(), bytes) })
    }
}

/// The memory of one array on a device.
pub struct Memory {
    ty: ScalarType,
    length: usize,
    place: Box<dyn Any + Send + Sync>,
}

impl Memory {
    /// Memory of a device's own kind.
    pub fn new(ty: ScalarType, length: usize, place: impl Any + Send + Sync) -> Self {
        Memory {
            ty,
            length,
            place: Box::new(place),
        }
    }

    /// Memory of a device whose arrays lie in the memory of the host.
    pub fn host(array: HostArray) -> Self {
        Memory::new(array.ty(), array.len(), array)
    }

    /// The type of the elements.
    pub fn ty(&self) -> ScalarType {
        self.ty
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Returns `true` if there are no elements.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// What the device made it of.
    pub fn place<P: Any>(&self) -> Option<&P> {
        self.place.downcast_ref()
    }

    /// What the device made it of, to be changed.
    pub fn place_mut<P: Any>(&mut self) -> Option<&mut P> {
        self.place.downcast_mut()
    }

    /// What the device made it of, or the memory itself if that is of another type.
    pub fn into_place<P: Any>(self) -> std::result::Result<P, Self> {
        let (ty, length) = (self.ty, self.length);
        let place = self.place.downcast().map(|place| *place);
        place.map_err(|place| Memory { ty, length, place })
    }

    /// The same memory with another number of elements, which its place has by now.
    pub(super) fn set_length(&mut self, length: usize) {
        self.length = length;
    }

    /// The array in the memory of the host.
    ///
    /// # Errors
    /// [`ErrorKind::Internal`] if it is elsewhere.
    pub fn as_host(&self) -> Result<&HostArray> {
        self.place().ok_or_else(elsewhere)
    }

    /// The array in the memory of the host, to be changed.
    ///
    /// # Errors
    /// [`ErrorKind::Internal`] if it is elsewhere.
    pub fn as_host_mut(&mut self) -> Result<&mut HostArray> {
        self.place_mut().ok_or_else(elsewhere)
    }
}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Memory")
            .field("type", &self.ty.name())
            .field("length", &self.length)
            .finish_non_exhaustive()
    }
}

pub(super) fn elsewhere() -> Error {
    Error::new(
        ErrorKind::Internal,
        "an array does not lie in the memory of the host",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_of_another_kind_is_no_array_of_the_host() {
        let mut memory = Memory::new(ScalarType::U8, 3, String::from("far away"));
        assert_eq!(
            memory.place::<String>().map(String::as_str),
            Some("far away")
        );
        assert_eq!(
            memory.as_host().err().map(|error| error.kind()),
            Some(ErrorKind::Internal)
        );
        assert!(memory.as_host_mut().is_err() && memory.len() == 3);
    }
}
