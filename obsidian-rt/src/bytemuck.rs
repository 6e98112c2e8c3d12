//! Plain structs of the crate `bytemuck` to and from buffers (feature `bytemuck`).
//!
//! A struct that is [`Pod`] is a run of numbers: one of four `f32` is four elements of a `Buffer<f32>`, in the order of its fields. A
//! kernel splits the buffer into such runs. (An array of tuples, `DPull<(EF32, EF32)>`, has a buffer for each field instead.)
//!
//! ```
//! use bytemuck::{Pod, Zeroable};
//! use obsidian_rt::prelude::*;
//!
//! #[derive(Clone, Copy, PartialEq, Debug)]
//! #[repr(C)]
//! struct Particle {
//!     place: [f32; 2],
//!     speed: [f32; 2],
//! }
//! // `#[derive(Pod, Zeroable)]`, with the feature `derive` of `bytemuck`, checks this for you.
//! // SAFETY: four `f32` and no padding.
//! unsafe impl Zeroable for Particle {}
//! unsafe impl Pod for Particle {}
//!
//! #[kernels]
//! pub mod particles {
//!     /// Each particle, a unit of time later.
//!     #[kernel(threads = 32)]
//!     pub fn moved(particles: DPull<EF32>) -> DPush<Grid, EF32> {
//!         particles.split_up(4).as_grid_map(|p| {
//!             generate(4, |i| select(i < 2, p[i] + p[(i + 2) % 4], p[i])).push()
//!         })
//!     }
//! }
//!
//! # fn main() -> obsidian_rt::Result<()> {
//! let device = Device::best()?;
//! let start = [Particle { place: [0.0, 1.0], speed: [0.5, -0.5] }; 100];
//! let input: Buffer<f32> = device.upload_pod(&start)?;
//! let moved: Vec<Particle> = particles::moved::launch(&device, &input)?.to_pod()?;
//! assert_eq!(moved[99], Particle { place: [0.5, 0.5], speed: [0.5, -0.5] });
//! # Ok(())
//! # }
//! ```
//!
//! *16-bit floats.* The language has no such element, so kernels cannot compute with them. `half::f16` and `half::bf16` are `Pod` with
//! the feature `bytemuck` of the crate `half`: they go to a `Buffer<u16>` and come back, bit for bit.

use ::bytemuck::{Pod, PodCastError, try_cast_slice, try_cast_slice_mut};

use crate::buffer::Buffer;
use crate::device::Device;
use crate::element::Element;
use crate::error::{Error, ErrorKind, Result};

impl Device {
    /// Copies the bytes of plain values to the device, as elements of type `T`.
    ///
    /// # Errors
    /// [`ErrorKind::Layout`] if the values are not a whole number of elements, or need not lie where elements do (a `[u8; 4]` need not lie
    /// where a `u32` does); and as [`upload`](Device::upload).
    pub fn upload_pod<T: Element + Pod, P: Pod>(&self, values: &[P]) -> Result<Buffer<T>> {
        self.upload(elements::<T, P>(values)?)
    }
}

impl<T: Element + Pod> Buffer<T> {
    /// Copies the bytes of plain values to the buffer, which keeps its memory.
    ///
    /// # Errors
    /// [`ErrorKind::Layout`] as for [`upload_pod`](Device::upload_pod), and as [`copy_from`](Buffer::copy_from).
    pub fn copy_from_pod<P: Pod>(&mut self, values: &[P]) -> Result<()> {
        self.copy_from(elements::<T, P>(values)?)
    }

    /// Copies the elements back as plain values, bit for bit.
    ///
    /// # Errors
    /// [`ErrorKind::Layout`] if the elements are not a whole number of values, or `P` need not lie where elements do;
    /// [`ErrorKind::OutOfMemory`]; and as [`copy_to`](Buffer::copy_to).
    pub fn to_pod<P: Pod>(&self) -> Result<Vec<P>> {
        alignment::<T, P>()?;
        let bytes = self.len() * size_of::<T>();
        if size_of::<P>() == 0 || !bytes.is_multiple_of(size_of::<P>()) {
            return Err(wrong::<T, P>(format!(
                "the {bytes} bytes of the buffer are not a whole number of values of {} bytes",
                size_of::<P>()
            )));
        }
        let (count, mut values) = (bytes / size_of::<P>(), Vec::new());
        values.try_reserve_exact(count).map_err(|error| {
            Error::new(
                ErrorKind::OutOfMemory,
                format!("{bytes} bytes of values: {error}"),
            )
        })?;
        values.resize(count, P::zeroed());
        self.copy_to(try_cast_slice_mut(&mut values).map_err(refused::<T, P>)?)?;
        Ok(values)
    }
}

/// The elements of which values are made.
fn elements<T: Element + Pod, P: Pod>(values: &[P]) -> Result<&[T]> {
    alignment::<T, P>()?;
    try_cast_slice(values).map_err(refused::<T, P>)
}

/// Do all values lie where elements may? Asked of the types, as some values do by chance.
fn alignment<T, P>() -> Result<()> {
    if align_of::<P>() >= align_of::<T>() {
        return Ok(());
    }
    Err(wrong::<T, P>(format!(
        "they are aligned to {} bytes, and elements to {}",
        align_of::<P>(),
        align_of::<T>()
    )))
}

fn refused<T, P>(error: PodCastError) -> Error {
    wrong::<T, P>(error.to_string())
}

fn wrong<T, P>(why: String) -> Error {
    let (values, elements) = (std::any::type_name::<P>(), std::any::type_name::<T>());
    let message = format!("values of `{values}` are not elements of `{elements}`: {why}");
    Error::new(ErrorKind::Layout, message)
}
