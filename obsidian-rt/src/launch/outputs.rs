//! What a launch writes.

use crate::backend::{Memory, Parameter};
use crate::buffer::Buffer;
use crate::device::Device;
use crate::element::Element;
use crate::error::{Error, ErrorKind, Result};

/// The outputs of a launch, in order.
#[derive(Debug)]
pub struct Outputs {
    device: Device,
    memories: Vec<Option<Memory>>,
}

impl Outputs {
    /// The outputs among the parameters of a launch.
    pub(super) fn of(device: &Device, parameters: Vec<Parameter<'_>>) -> Self {
        let output = |parameter| {
            if let Parameter::Output(memory) = parameter {
                Some(Some(memory))
            } else {
                None
            }
        };
        Outputs {
            device: device.clone(),
            memories: parameters.into_iter().filter_map(output).collect(),
        }
    }

    /// Takes the n-th output.
    ///
    /// # Errors
    /// [`ErrorKind::Internal`] if there is none of that type.
    pub fn take<T: Element>(&mut self, position: usize) -> Result<Buffer<T>> {
        match self
            .memories
            .get_mut(position)
            .and_then(|memory| memory.take_if(|memory| memory.ty() == T::TYPE))
        {
            Some(memory) => Ok(Buffer::new(self.device.clone(), memory)),
            None => Err(Error::new(
                ErrorKind::Internal,
                format!("there is no output {position} of type {}", T::TYPE.name()),
            )),
        }
    }

    /// All that was not taken, in order.
    pub(crate) fn into_memories(self) -> impl Iterator<Item = Memory> {
        self.memories.into_iter().flatten()
    }
}
