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

use std::borrow::Cow;

use ::bytemuck::{Pod, pod_collect_to_vec, try_cast_slice, try_cast_slice_mut};

use crate::buffer::Buffer;
use crate::device::Device;
use crate::element::Element;
use crate::error::{Error, ErrorKind, Result};

impl Device {
    /// Copies the bytes of plain values to the device, as elements of type `T`. Values with a smaller alignment than the elements, such
    /// as `[u8; 4]` for `u32`, are copied once more on the host.
    ///
    /// # Errors
    /// [`ErrorKind::Layout`] if the bytes of all values are not a whole number of elements, and as [`upload`](Device::upload).
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// let x = Device::cpu().upload_pod::<u32, [u32; 2]>(&[[1, 2], [3, 4]])?;
    /// assert_eq!(x.to_vec()?, [1, 2, 3, 4]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn upload_pod<T: Element + Pod, P: Pod>(&self, values: &[P]) -> Result<Buffer<T>> {
        self.upload(&elements::<T, P>(values)?)
    }
}

impl<T: Element + Pod> Buffer<T> {
    /// Copies the bytes of plain values to the buffer, which keeps its memory.
    ///
    /// # Errors
    /// [`ErrorKind::Layout`] as for [`upload_pod`](Device::upload_pod), and as [`copy_from`](Buffer::copy_from).
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// let mut x = Device::cpu().zeros::<u32>(4)?;
    /// x.copy_from_pod(&[[1u32, 2], [3, 4]])?;
    /// assert_eq!(x.to_vec()?, [1, 2, 3, 4]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn copy_from_pod<P: Pod>(&mut self, values: &[P]) -> Result<()> {
        self.copy_from(&elements::<T, P>(values)?)
    }

    /// Copies the elements back as plain values, bit for bit.
    ///
    /// # Errors
    /// [`ErrorKind::Layout`] if the bytes of the buffer are not a whole number of values; [`ErrorKind::OutOfMemory`]; and as
    /// [`copy_to`](Buffer::copy_to).
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// let x = Device::cpu().upload(&[1u32, 2, 3, 4])?;
    /// assert_eq!(x.to_pod::<[u32; 2]>()?, [[1, 2], [3, 4]]);
    /// assert!(x.to_pod::<[u32; 3]>().is_err());
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn to_pod<P: Pod>(&self) -> Result<Vec<P>> {
        let bytes = self.len() * size_of::<T>();
        whole::<T, P>(bytes, size_of::<P>())?;
        let mut values = Vec::new();
        let count = bytes / size_of::<P>();
        values.try_reserve_exact(count).map_err(|error| {
            let message = format!("{bytes} bytes of values: {error}");
            Error::new(ErrorKind::OutOfMemory, message)
        })?;
        values.resize(count, P::zeroed());
        match try_cast_slice_mut(&mut values) {
            Ok(elements) => self.copy_to(elements)?,
            // The values have a smaller alignment than the elements.
            Err(_) => values = pod_collect_to_vec(&self.to_vec()?),
        }
        Ok(values)
    }
}

/// The elements of which values are made.
fn elements<T: Element + Pod, P: Pod>(values: &[P]) -> Result<Cow<'_, [T]>> {
    whole::<T, P>(size_of_val(values), size_of::<T>())?;
    Ok(match try_cast_slice(values) {
        Ok(elements) => Cow::Borrowed(elements),
        Err(_) => Cow::Owned(pod_collect_to_vec(values)),
    })
}

/// Are so many bytes a whole number of parts?
fn whole<T, P>(bytes: usize, part: usize) -> Result<()> {
    if part > 0 && bytes.is_multiple_of(part) {
        return Ok(());
    }
    let (values, elements) = (std::any::type_name::<P>(), std::any::type_name::<T>());
    let message = format!(
        "values of `{values}` are not elements of `{elements}`: {bytes} bytes are not a whole number of parts of {part}"
    );
    Err(Error::new(ErrorKind::Layout, message))
}
