//! What algorithms read and write: buffers, arrays, slices, and tuples of them.

use std::marker::PhantomData;

use obsidian_language::arrays::{Ix0, Ix1};

use crate::arrays::{Array, ArrayView, HostItem};
use crate::buffer::Buffer;
use crate::device::Device;
use crate::element::Element;
use crate::error::{Error, ErrorKind, Result};
use crate::untyped::AnyBuffer;
use crate::view::{AnyView, View};

/// What an algorithm reads: `&Buffer`, `&View`, `&Array` or `ArrayView` of one axis, which stay where they are; `&Vec`, a slice or `&[T; N]`, which a
/// GPU gets a copy of; or a pair of these, whose elements are the pairs.
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// # fn main() -> obsidian_rt::Result<()> {
/// let device = Device::best()?;
/// let buffer = device.upload(&[1u32, 2, 3, 4])?;
/// assert_eq!(algorithms::sum(&device, &buffer)?, 10);
/// assert_eq!(algorithms::sum(&device, &buffer.slice(1..)?)?, 9);
/// assert_eq!(algorithms::sum(&device, &[0.5f32, 0.25])?, 0.75);
///
/// let weights = [1.0f32, 0.5, 0.5, 2.0];
/// let sums = algorithms::reduce(&device, (&buffer, &weights), |x, y| (x.0 + y.0, x.1 + y.1), (0, 0.0))?;
/// assert_eq!(sums, (10, 4.0));
/// # Ok(())
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "an algorithm cannot read the elements of `{Self}`",
    note = "it reads `&Buffer`, `&View`, `&Array`, `ArrayView` (of one axis), `&Vec`, slices, and pairs of them"
)]
pub trait Elements<'a>: Sized {
    /// An element: a number, `bool`, or a tuple of them.
    type Item: HostItem;
    #[doc(hidden)]
    fn lend(self, device: &Device) -> Result<Lent<'a, Self::Item>>;
}

/// The elements that are read, on a device.
#[doc(hidden)]
#[derive(Debug)]
pub struct Lent<'a, T> {
    length: usize,
    buffers: Vec<Part<'a>>,
    elements: PhantomData<fn() -> T>,
}

#[derive(Debug)]
enum Part<'a> {
    Lent(&'a AnyBuffer),
    Given(AnyView<'a>),
}

impl<'a, T: HostItem> Lent<'a, T> {
    fn of(length: usize, buffers: impl IntoIterator<Item = &'a AnyBuffer>) -> Self {
        Lent {
            length,
            buffers: buffers.into_iter().map(Part::Lent).collect(),
            elements: PhantomData,
        }
    }

    fn of_host(device: &Device, elements: &'a [T]) -> Result<Self> {
        let mut buffers = Vec::new();
        T::lend(device, elements, &mut buffers)?;
        Ok(Lent {
            length: elements.len(),
            buffers: buffers.into_iter().map(Part::Given).collect(),
            elements: PhantomData,
        })
    }

    pub(super) fn len(&self) -> usize {
        self.length
    }

    pub(super) fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The elements as the input of an array program.
    pub(super) fn view(&self) -> ArrayView<'_, Ix1, T> {
        let buffers = self.buffers.iter().map(|part| match part {
            Part::Lent(buffer) => *buffer,
            Part::Given(view) => view.buffer(),
        });
        ArrayView::of_buffers([self.length], buffers.collect())
    }
}

impl<'a, T: Element> Elements<'a> for &'a Buffer<T> {
    type Item = T;
    fn lend(self, _: &Device) -> Result<Lent<'a, T>> {
        Ok(Lent::of(self.len(), [self.any()]))
    }
}

impl<'a, T: Element> Elements<'a> for &'a View<'_, T> {
    type Item = T;
    fn lend(self, _: &Device) -> Result<Lent<'a, T>> {
        Ok(Lent::of(self.len(), [self.any()]))
    }
}

impl<'a, T: HostItem> Elements<'a> for &'a Array<Ix1, T> {
    type Item = T;
    fn lend(self, _: &Device) -> Result<Lent<'a, T>> {
        Ok(Lent::of(self.len(), self.buffers()))
    }
}

impl<'a, T: HostItem> Elements<'a> for ArrayView<'a, Ix1, T> {
    type Item = T;
    fn lend(self, _: &Device) -> Result<Lent<'a, T>> {
        let [length] = self.extents();
        Ok(Lent::of(length, self.into_buffers()))
    }
}

impl<'a, T: HostItem> Elements<'a> for &'a [T] {
    type Item = T;
    fn lend(self, device: &Device) -> Result<Lent<'a, T>> {
        Lent::of_host(device, self)
    }
}

impl<'a, T: HostItem> Elements<'a> for &'a Vec<T> {
    type Item = T;
    fn lend(self, device: &Device) -> Result<Lent<'a, T>> {
        Lent::of_host(device, self)
    }
}

impl<'a, T: HostItem, const N: usize> Elements<'a> for &'a [T; N] {
    type Item = T;
    fn lend(self, device: &Device) -> Result<Lent<'a, T>> {
        Lent::of_host(device, self)
    }
}

impl<'a, A: Elements<'a>, B: Elements<'a>> Elements<'a> for (A, B) {
    type Item = (A::Item, B::Item);
    fn lend(self, device: &Device) -> Result<Lent<'a, Self::Item>> {
        let (first, second) = (self.0.lend(device)?, self.1.lend(device)?);
        let length = same_lengths("a pair", first.length, second.length)?;
        let mut buffers = first.buffers;
        buffers.extend(second.buffers);
        Ok(Lent {
            length,
            buffers,
            elements: PhantomData,
        })
    }
}

/// The length that both arrays of an algorithm have.
pub(super) fn same_lengths(what: &str, first: usize, second: usize) -> Result<usize> {
    if first == second {
        return Ok(first);
    }
    let message =
        format!("{what} takes arrays of one length, and these have {first} and {second} elements");
    let error = Error::new(ErrorKind::UnequalLengths, message);
    Err(error.exceeded(second as u64, first as u64))
}

/// What an algorithm writes, without allocating it: `&mut Buffer`, `&mut Array` of no or one axis, or a pair of these.
///
/// ```
/// use obsidian_rt::{Device, algorithms};
///
/// let device = Device::cpu();
/// // A pair of buffers takes pairs.
/// let (mut keys, mut values) = (device.zeros::<u32>(2)?, device.zeros::<f32>(2)?);
/// algorithms::map_into(&device, &[1u32, 2], |x| (x * 10, x.cast::<f32>()), (&mut keys, &mut values))?;
/// assert_eq!((keys.to_vec()?, values.to_vec()?), (vec![10, 20], vec![1.0, 2.0]));
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "an algorithm cannot write elements to `{Self}`",
    note = "it writes to `&mut Buffer`, `&mut Array` (of no or one axis), and pairs of them"
)]
pub trait ElementsMut<'a>: Sized {
    /// An element: a number, `bool`, or a tuple of them.
    type Item: HostItem;
    #[doc(hidden)]
    fn lend_mut(self) -> Result<LentMut<'a>>;
}

/// The elements that are written.
#[doc(hidden)]
#[derive(Debug)]
pub struct LentMut<'a> {
    pub(super) length: usize,
    pub(super) buffers: Vec<&'a mut AnyBuffer>,
}

impl<'a, T: Element> ElementsMut<'a> for &'a mut Buffer<T> {
    type Item = T;
    fn lend_mut(self) -> Result<LentMut<'a>> {
        Ok(LentMut {
            length: self.len(),
            buffers: vec![self.any_mut()],
        })
    }
}

impl<'a, T: HostItem> ElementsMut<'a> for &'a mut Array<Ix0, T> {
    type Item = T;
    fn lend_mut(self) -> Result<LentMut<'a>> {
        Ok(LentMut {
            length: 1,
            buffers: self.buffers_mut().iter_mut().collect(),
        })
    }
}

impl<'a, T: HostItem> ElementsMut<'a> for &'a mut Array<Ix1, T> {
    type Item = T;
    fn lend_mut(self) -> Result<LentMut<'a>> {
        Ok(LentMut {
            length: self.len(),
            buffers: self.buffers_mut().iter_mut().collect(),
        })
    }
}

impl<'a, A: ElementsMut<'a>, B: ElementsMut<'a>> ElementsMut<'a> for (A, B) {
    type Item = (A::Item, B::Item);
    fn lend_mut(self) -> Result<LentMut<'a>> {
        let (mut all, second) = (self.0.lend_mut()?, self.1.lend_mut()?);
        all.length = same_lengths("a pair", all.length, second.length)?;
        all.buffers.extend(second.buffers);
        Ok(all)
    }
}
