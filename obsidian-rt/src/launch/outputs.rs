//! What a launch writes.

use std::any::Any;

use obsidian_core::plan::{Interface, ParameterRole};
use obsidian_core::scalar::ScalarType;

use super::check::Checked;
use crate::buffer::Buffer;
use crate::device::{Device, room};
use crate::element::{Element, by_type};
use crate::error::{Error, ErrorKind, Result};

/// The outputs of a launch, in order.
#[derive(Debug)]
pub struct Outputs {
    device: Device,
    memories: Vec<Option<Box<dyn Any + Send>>>,
}

impl Outputs {
    /// Takes the n-th output.
    ///
    /// # Errors
    /// [`ErrorKind::Internal`] if there is none of that type.
    pub fn take<T: Element>(&mut self, position: usize) -> Result<Buffer<T>> {
        let memory = self.memories.get_mut(position).and_then(Option::take);
        match memory.and_then(|memory| memory.downcast::<Vec<T>>().ok()) {
            Some(memory) => Ok(Buffer::new(self.device.clone(), *memory)),
            None => Err(Error::new(ErrorKind::Internal, format!("there is no output {position} of type {}", T::TYPE.name()))),
        }
    }
}

/// The memory of the outputs, by parameter; none for other parameters.
pub(super) struct Memories {
    pub(super) memories: Vec<Option<Box<dyn Any + Send>>>,
}

impl Memories {
    /// Fresh memory for each output.
    pub(super) fn new(interface: &Interface, checked: &Checked) -> Result<Self> {
        let memory = |(parameter, &length): (&obsidian_core::plan::ParameterInfo, &u32)| match parameter.role {
            ParameterRole::Output => fresh(parameter.ty, length).map(Some),
            _ => Ok(None),
        };
        Ok(Memories { memories: interface.parameters.iter().zip(&checked.lengths).map(memory).collect::<Result<_>>()? })
    }

    /// The outputs alone.
    pub(super) fn outputs(self, device: &Device) -> Outputs {
        Outputs { device: device.clone(), memories: self.memories.into_iter().flatten().map(Some).collect() }
    }
}

/// A `Vec` of so many elements: zeros, which cost least, or in debug builds what shows that it was never written.
pub(super) fn fresh(ty: ScalarType, length: u32) -> Result<Box<dyn Any + Send>> {
    by_type!(ty, T => {
        let mut memory = room::<T>(length as usize)?;
        memory.resize(length as usize, if cfg!(debug_assertions) { T::POISON } else { T::default() });
        Ok(Box::new(memory))
    })
}
