//! Arguments of a launch, whatever their element type.

use std::any::Any;

use obsidian_core::scalar::{Literal, Scalar, ScalarType};

use crate::device::Device;
use crate::element::Element;

/// An argument of a launch.
pub struct Argument<'a> {
    pub(super) ty: ScalarType,
    pub(super) content: Content<'a>,
}

/// What an argument is.
pub(super) enum Content<'a> {
    /// A `Vec` that is read.
    Input { device: &'a Device, length: usize, memory: &'a (dyn Any + Sync) },
    /// A `Vec` that is read and written.
    InOut { device: &'a Device, length: usize, memory: &'a mut (dyn Any + Send) },
    /// A number.
    Scalar(Literal),
}

impl<'a> Argument<'a> {
    pub(crate) fn input<T: Element>(device: &'a Device, ty: ScalarType, memory: &'a Vec<T>) -> Self {
        Argument { ty, content: Content::Input { device, length: memory.len(), memory } }
    }

    pub(crate) fn in_out<T: Element>(device: &'a Device, ty: ScalarType, memory: &'a mut Vec<T>) -> Self {
        Argument { ty, content: Content::InOut { device, length: memory.len(), memory } }
    }

    pub(crate) fn scalar(value: Literal) -> Self {
        Argument { ty: value.ty(), content: Content::Scalar(value) }
    }

    /// The number of elements of an array.
    pub(super) fn length(&self) -> Option<u64> {
        match &self.content {
            Content::Input { length, .. } | Content::InOut { length, .. } => Some(*length as u64),
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

    /// The bits of the elements of an array.
    pub(super) fn bits(&self) -> Option<Vec<u64>> {
        match &self.content {
            Content::Input { memory, .. } => bits(self.ty, *memory),
            Content::InOut { memory, .. } => bits(self.ty, &**memory),
            Content::Scalar(_) => None,
        }
    }
}

/// The bits of the elements of a `Vec`.
pub(super) fn bits(ty: ScalarType, memory: &dyn Any) -> Option<Vec<u64>> {
    crate::element::by_type!(ty, T => {
        memory.downcast_ref::<Vec<T>>().map(|elements| elements.iter().map(|element| element.literal().bits()).collect())
    })
}

/// A `Vec` of elements with these bits.
pub(super) fn elements(ty: ScalarType, bits: &[u64]) -> Box<dyn Any + Send> {
    crate::element::by_type!(ty, T => {
        Box::new(bits.iter().map(|&bits| T::from_literal(Literal::from_bits(ty, bits))).collect::<Vec<T>>())
    })
}
