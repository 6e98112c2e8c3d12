//! Arrays of the crate `ndarray` to and from buffers (feature `ndarray`).
//!
//! A buffer has no shape: it holds the elements of an array in row-major order, the last index fastest. A kernel takes the number of
//! columns as an argument, or splits the buffer into rows. The shape is given again when the elements come back.
//!
//! ```
//! use ndarray::{Array2, array};
//! use obsidian_rt::prelude::*;
//!
//! #[kernels]
//! pub mod matrices {
//!     /// Each row of 4 elements, divided by its first.
//!     #[kernel(threads = 32)]
//!     pub fn normalised(matrix: DPull<EF32>) -> DPush<Grid, EF32> {
//!         matrix.split_up(4).as_grid_map(|row| row.map(|x| x / row[0]).push())
//!     }
//! }
//!
//! # fn main() -> obsidian_rt::Result<()> {
//! let device = Device::best()?;
//! let matrix: Array2<f32> = array![[1.0, 2.0, 3.0, 4.0], [2.0, 4.0, 6.0, 8.0]];
//! let input = device.upload_ndarray(&matrix)?;
//! let output = matrices::normalised::launch(&device, &input)?;
//! assert_eq!(output.to_ndarray((2, 4))?, array![[1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0]]);
//! # Ok(())
//! # }
//! ```

use ::ndarray::{Array, ArrayRef, Dimension, IntoDimension};

use crate::buffer::Buffer;
use crate::device::Device;
use crate::element::Element;
use crate::error::{Error, ErrorKind, Result};

impl Device {
    /// Copies the elements of an array (an `Array`, an `ArrayView`, and so on) to the device, in row-major order.
    ///
    /// ```
    /// use ndarray::{Array2, arr2};
    /// use obsidian_rt::{Device, ErrorKind};
    ///
    /// # fn main() -> obsidian_rt::Result<()> {
    /// let device = Device::best()?;
    /// let matrix = arr2(&[[1, 2, 3], [4, 5, 6]]);
    /// assert_eq!(device.upload_ndarray(&matrix)?.to_vec()?, [1, 2, 3, 4, 5, 6]);
    /// // A transposed view has its elements in another order: the copy is yours to ask for.
    /// let error = device.upload_ndarray(&matrix.t()).err();
    /// assert_eq!(error.map(|error| error.kind()), Some(ErrorKind::Layout));
    /// let columns = device.upload_ndarray(&matrix.t().as_standard_layout())?;
    /// assert_eq!(columns.to_vec()?, [1, 4, 2, 5, 3, 6]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::Layout`] if the array is not in standard layout, and as [`upload`](Device::upload).
    pub fn upload_ndarray<T: Element, D: Dimension>(
        &self,
        array: &ArrayRef<T, D>,
    ) -> Result<Buffer<T>> {
        self.upload(elements(array)?)
    }
}

impl<T: Element> Buffer<T> {
    /// Copies the elements of an array to the buffer, in row-major order. The buffer keeps its memory.
    ///
    /// # Errors
    /// [`ErrorKind::Layout`] if the array is not in standard layout, and as [`copy_from`](Buffer::copy_from).
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// let mut x = Device::cpu().zeros::<u32>(4)?;
    /// x.copy_from_ndarray(&ndarray::array![[1, 2], [3, 4]])?;
    /// assert_eq!(x.to_vec()?, [1, 2, 3, 4]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn copy_from_ndarray<D: Dimension>(&mut self, array: &ArrayRef<T, D>) -> Result<()> {
        self.copy_from(elements(array)?)
    }

    /// Copies the elements to an array, in row-major order.
    ///
    /// # Errors
    /// [`ErrorKind::Layout`] if the array is not in standard layout, and as [`copy_to`](Buffer::copy_to).
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// let x = Device::cpu().upload(&[1u32, 2, 3, 4])?;
    /// let mut array = ndarray::Array2::zeros((2, 2));
    /// x.copy_to_ndarray(&mut array)?;
    /// assert_eq!(array, ndarray::array![[1, 2], [3, 4]]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn copy_to_ndarray<D: Dimension>(&self, array: &mut ArrayRef<T, D>) -> Result<()> {
        let wrong = layout(array, "take them by `to_ndarray` and `assign` them to it");
        self.copy_to(array.as_slice_mut().ok_or(wrong)?)
    }

    /// Copies the elements back, as an array of this shape in standard layout: a number, or a tuple such as `(rows, columns)`.
    ///
    /// # Errors
    /// [`ErrorKind::UnequalLengths`] if the shape does not have as many elements as the buffer, [`ErrorKind::Layout`] if `ndarray` has no such
    /// array, and as [`to_vec`](Buffer::to_vec).
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// let x = Device::cpu().upload(&[1u32, 2, 3, 4])?;
    /// assert_eq!(x.to_ndarray((2, 2))?, ndarray::array![[1, 2], [3, 4]]);
    /// assert!(x.to_ndarray((2, 3)).is_err());
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn to_ndarray<D: IntoDimension>(&self, shape: D) -> Result<Array<T, D::Dim>> {
        let shape = shape.into_dimension();
        let factors = shape.slice().iter();
        let needed = factors.fold(1u64, |product, n| product.saturating_mul(*n as u64));
        let what = format!(
            "an array of shape {:?} of a buffer of {} elements",
            shape.slice(),
            self.len()
        );
        if needed != self.len() as u64 {
            let wrong = Error::new(ErrorKind::UnequalLengths, what);
            return Err(wrong.exceeded(needed, self.len() as u64));
        }
        Array::from_shape_vec(shape, self.to_vec()?)
            .map_err(|error| Error::new(ErrorKind::Layout, format!("{what}: {error}")))
    }
}

/// The elements of an array in standard layout, in the order of memory.
fn elements<T, D: Dimension>(array: &ArrayRef<T, D>) -> Result<&[T]> {
    array
        .as_slice()
        .ok_or_else(|| layout(array, "copy them with `as_standard_layout()`"))
}

fn layout<T, D: Dimension>(array: &ArrayRef<T, D>, advice: &str) -> Error {
    let message = format!(
        "the elements of an array of shape {:?} with strides {:?} do not lie one after the other in row-major order; {advice}",
        array.shape(),
        array.strides()
    );
    Error::new(ErrorKind::Layout, message)
}
