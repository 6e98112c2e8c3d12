//! Buffers: arrays on a device.

use obsidian_core::scalar::Scalar;

use crate::device::Device;
use crate::element::Element;
use crate::error::Result;
use crate::launch::Argument;

/// An array on a device, of at most `u32::MAX` elements.
#[derive(Debug)]
pub struct Buffer<T> {
    device: Device,
    memory: Vec<T>,
}

impl<T: Element> Buffer<T> {
    pub(crate) fn new(device: Device, memory: Vec<T>) -> Self {
        Buffer { device, memory }
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.memory.len()
    }

    /// Are there no elements?
    pub fn is_empty(&self) -> bool {
        self.memory.is_empty()
    }

    /// The device on which the elements lie.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Copies the elements back, bit for bit.
    ///
    /// # Errors
    /// What the device reports; the CPU and the simulator report nothing.
    pub fn to_vec(&self) -> Result<Vec<T>> {
        Ok(self.memory.clone())
    }

    /// The buffer as the argument of a launch that reads it. For generated code.
    #[doc(hidden)]
    pub fn argument(&self) -> Argument<'_> {
        Argument::input(&self.device, T::TYPE, &self.memory)
    }

    /// The buffer as the argument of a launch that reads and writes it. For generated code.
    #[doc(hidden)]
    pub fn argument_mut(&mut self) -> Argument<'_> {
        Argument::in_out(&self.device, <T as Scalar>::TYPE, &mut self.memory)
    }
}
