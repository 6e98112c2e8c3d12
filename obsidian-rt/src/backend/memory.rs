//! Where arrays lie: in memory that only its device understands, or in the host's.

use std::any::Any;
use std::fmt;
use std::ops::DerefMut;

use obsidian_core::scalar::{Literal, Scalar, ScalarType};

use crate::element::{Element, by_type};
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

    /// The elements as they lie in memory.
    fn bytes(&self) -> &[u8];
}

/// A place in the host's memory for elements of whatever type, to be copied from a device.
pub trait ElementsMut {
    /// Takes the elements of an array of the same type and length.
    ///
    /// # Errors
    /// [`ErrorKind::Internal`] for another type or length.
    fn set(&mut self, array: HostArray) -> Result<()>;

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
        let mut elements = room(self.len())?;
        elements.extend_from_slice(self);
        Ok(HostArray::of(elements))
    }

    fn bytes(&self) -> &[u8] {
        bytes_of(self)
    }
}

fn bytes_of<T: Element>(elements: &[T]) -> &[u8] {
    // SAFETY: elements are numbers or `bool`, which have no padding; a byte has no alignment, and
    // any value.
    unsafe { std::slice::from_raw_parts(elements.as_ptr().cast(), size_of_val(elements)) }
}

impl<T: Element> ElementsMut for &mut [T] {
    fn set(&mut self, array: HostArray) -> Result<()> {
        match array.elements::<T>() {
            Some(elements) if elements.len() == self.len() => {
                self.copy_from_slice(elements);
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
        Memory::new(array.ty, array.length, array)
    }

    /// The type of the elements.
    pub fn ty(&self) -> ScalarType {
        self.ty
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Are there no elements?
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

    /// The array in the memory of the host.
    ///
    /// # Errors
    /// [`ErrorKind::Internal`] if it lies elsewhere; so for the next one.
    pub fn as_host(&self) -> Result<&HostArray> {
        self.place().ok_or_else(elsewhere)
    }

    /// The array in the memory of the host, to be changed.
    #[allow(clippy::missing_errors_doc)]
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

fn elsewhere() -> Error {
    Error::new(
        ErrorKind::Internal,
        "an array does not lie in the memory of the host",
    )
}

/// An array in the memory of the host: a `Vec`, whatever its element type.
pub struct HostArray {
    ty: ScalarType,
    length: usize,
    elements: Box<dyn Any + Send + Sync>,
}

impl HostArray {
    /// The array of these elements.
    pub fn of<T: Element>(elements: Vec<T>) -> Self {
        HostArray {
            ty: T::TYPE,
            length: elements.len(),
            elements: Box::new(elements),
        }
    }

    /// So many zeros.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfMemory`]; so for the next two.
    pub fn zeros(ty: ScalarType, length: usize) -> Result<Self> {
        by_type!(ty, T => filled(length, T::default()))
    }

    /// So many elements that will be written: zeros, which cost least, or in debug builds what
    /// shows that it was never written.
    #[allow(clippy::missing_errors_doc)]
    pub fn fresh(ty: ScalarType, length: usize) -> Result<Self> {
        by_type!(ty, T => filled(length, if cfg!(debug_assertions) { T::POISON } else { T::default() }))
    }

    /// The same elements again.
    #[allow(clippy::missing_errors_doc)]
    pub fn copied(&self) -> Result<Self> {
        by_type!(self.ty, T => self.elements::<T>().map_or_else(|| Err(elsewhere()), |elements| elements.as_slice().to_host()))
    }

    /// The type of the elements.
    pub fn ty(&self) -> ScalarType {
        self.ty
    }

    /// The elements, if they are of this type.
    pub fn elements<T: Element>(&self) -> Option<&Vec<T>> {
        self.elements.downcast_ref()
    }

    /// The array as a place for other elements.
    #[allow(clippy::missing_errors_doc)]
    pub fn elements_mut(&mut self) -> Result<Box<dyn ElementsMut + '_>> {
        by_type!(self.ty, T => {
            let elements = self.elements.downcast_mut::<Vec<T>>().ok_or_else(elsewhere)?;
            Ok(Box::new(elements.as_mut_slice()))
        })
    }

    /// The elements themselves, if they are of this type.
    pub fn into_elements<T: Element>(self) -> Option<Vec<T>> {
        self.elements.downcast().ok().map(|elements| *elements)
    }

    /// The array itself; an empty one stays.
    pub fn take(&mut self) -> Self {
        std::mem::replace(self, by_type!(self.ty, T => HostArray::of(Vec::<T>::new())))
    }

    /// The bits of each element.
    pub fn bits(&self) -> Vec<u64> {
        by_type!(self.ty, T => {
            self.elements::<T>().into_iter().flatten().map(|element| element.literal().bits()).collect()
        })
    }

    /// An array of elements with these bits.
    pub fn of_bits(ty: ScalarType, bits: impl IntoIterator<Item = u64>) -> Self {
        by_type!(ty, T => {
            HostArray::of(bits.into_iter().map(|bits| T::from_literal(Literal::from_bits(ty, bits))).collect::<Vec<T>>())
        })
    }
}

impl fmt::Debug for HostArray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HostArray")
            .field("type", &self.ty.name())
            .field("length", &self.length)
            .finish_non_exhaustive()
    }
}

fn filled<T: Element>(length: usize, value: T) -> Result<HostArray> {
    let mut elements = room(length)?;
    elements.resize(length, value);
    Ok(HostArray::of(elements))
}

/// An empty vector with room for so many elements.
fn room<T: Element>(length: usize) -> Result<Vec<T>> {
    let mut elements = Vec::new();
    elements.try_reserve_exact(length).map_err(|_| {
        let message = format!(
            "there is no memory for a buffer of {length} elements of {} bytes",
            size_of::<T>()
        );
        Error::new(ErrorKind::OutOfMemory, message)
    })?;
    Ok(elements)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_come_back() {
        let values = vec![0.5f32, -0.0, f32::from_bits(0xffc1_2345)];
        let array = HostArray::of_bits(ScalarType::F32, HostArray::of(values.clone()).bits());
        let back: Vec<u32> = array
            .into_elements::<f32>()
            .into_iter()
            .flatten()
            .map(f32::to_bits)
            .collect();
        assert_eq!(
            back,
            values.into_iter().map(f32::to_bits).collect::<Vec<_>>()
        );
    }

    #[test]
    fn an_array_has_one_type() {
        let mut array = HostArray::of(vec![1u8, 2]);
        assert_eq!(array.elements::<i8>(), None);
        assert_eq!(array.take().into_elements::<u8>(), Some(vec![1, 2]));
        assert_eq!(array.into_elements::<u8>(), Some(vec![]));
    }

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
