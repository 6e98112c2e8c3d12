//! Arguments of a launch, whatever their element type.

use obsidian_language::scalar::{Literal, ScalarType};

use crate::backend::Memory;
use crate::device::Device;

/// An argument of a launch.
pub struct Argument<'a> {
    pub(super) ty: ScalarType,
    pub(super) content: Content<'a>,
}

/// What an argument is.
pub(super) enum Content<'a> {
    /// An array that is read.
    Input {
        device: &'a Device,
        memory: &'a Memory,
    },
    /// An array that is read and written.
    InOut {
        device: &'a Device,
        memory: &'a mut Memory,
    },
    /// A number.
    Scalar(Literal),
}

impl<'a> Argument<'a> {
    pub(crate) fn input(device: &'a Device, memory: &'a Memory) -> Self {
        Argument {
            ty: memory.ty(),
            content: Content::Input { device, memory },
        }
    }

    pub(crate) fn in_out(device: &'a Device, memory: &'a mut Memory) -> Self {
        Argument {
            ty: memory.ty(),
            content: Content::InOut { device, memory },
        }
    }

    pub(crate) fn scalar(value: Literal) -> Self {
        Argument {
            ty: value.ty(),
            content: Content::Scalar(value),
        }
    }

    /// The number of elements of an array.
    pub(super) fn length(&self) -> Option<u64> {
        match &self.content {
            Content::Input { memory, .. } => Some(memory.len() as u64),
            Content::InOut { memory, .. } => Some(memory.len() as u64),
            Content::Scalar(_) => None,
        }
    }

    /// The device on which an array lies.
    pub(super) fn device(&self) -> Option<&Device> {
        match &self.content {
            Content::Input { device, .. } | Content::InOut { device, .. } => Some(device),
            Content::Scalar(_) => None,
        }
    }
}
