//! Arrays with extents, on a device.

use std::fmt;
use std::marker::PhantomData;

use obsidian_language::arrays::{Ix0, Ix1, Ix2, Ix3, Ix4, Shape, Signature};
use obsidian_language::scalar::{Exp, Literal, ScalarType};

use super::program::HostOf;

use crate::buffer::Buffer;
use crate::device::Device;
use crate::element::Element;
use crate::error::{Error, ErrorKind, Result};
use crate::untyped::AnyBuffer;
#[cfg(any(feature = "algorithms", feature = "sequence"))]
use crate::view::AnyView;

/// Elements of arrays as the host has them: numbers, `bool`, and tuples of them.
///
/// ```
/// use obsidian_rt::{Device, Result, arrays::{Array, HostItem, Ix1}};
///
/// fn there_and_back<T: HostItem>(elements: &[T]) -> Result<Vec<T>> {
///     let array: Array<Ix1, T> = Device::cpu().array([elements.len()], elements)?;
///     array.to_vec()
/// }
///
/// assert_eq!(there_and_back(&[(1u32, true), (2, false)])?, [(1, true), (2, false)]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub trait HostItem: Copy + 'static {
    /// The elements as device values.
    type Device: HostOf<Host = Self>;
    #[doc(hidden)]
    fn types(list: &mut Vec<ScalarType>);
    #[doc(hidden)]
    fn upload(device: &Device, elements: &[Self], list: &mut Vec<AnyBuffer>) -> Result<()>;
    /// Elements to be read: where a device can read them, they stay where they are.
    #[cfg(any(feature = "algorithms", feature = "sequence"))]
    #[doc(hidden)]
    fn lend<'a>(device: &Device, elements: &'a [Self], list: &mut Vec<AnyView<'a>>) -> Result<()> {
        let mut buffers = Vec::new();
        Self::upload(device, elements, &mut buffers)?;
        list.extend(buffers.into_iter().map(AnyView::from));
        Ok(())
    }
    /// Elements that are not needed any more: a device that keeps them in the memory of the host makes no copy.
    #[cfg(feature = "sequence")]
    #[doc(hidden)]
    fn upload_vec(device: &Device, elements: Vec<Self>, list: &mut Vec<AnyBuffer>) -> Result<()> {
        Self::upload(device, &elements, list)
    }
    /// A vector without elements that has room for some, if memory is kept for that.
    #[cfg(feature = "sequence")]
    #[doc(hidden)]
    fn spare(len: usize) -> Vec<Self> {
        let _ = len;
        Vec::new()
    }
    /// The elements in page-locked memory, an array for each component.
    #[cfg(feature = "sequence")]
    #[doc(hidden)]
    fn stage(
        elements: &[Self],
        slots: &crate::sequence::Slots,
        list: &mut Vec<Box<dyn crate::sequence::Staged>>,
    ) -> Result<()>;
    #[doc(hidden)]
    fn download(buffers: &mut dyn Iterator<Item = &AnyBuffer>) -> Result<Vec<Self>>;
    /// Puts the bytes of elements behind others, component by component, those of a number from the least significant one on.
    #[cfg(feature = "sequence")]
    #[doc(hidden)]
    fn encode(elements: &[Self], bytes: &mut Vec<u8>);
    /// As many elements, of bytes that are then taken away. None if there are too few.
    #[cfg(feature = "sequence")]
    #[doc(hidden)]
    fn decode(bytes: &mut &[u8], len: usize) -> Option<Vec<Self>>;
    /// Declares one element as a parameter of an array program.
    #[doc(hidden)]
    fn declare(signature: &mut Signature) -> Self::Device;
    /// The numbers that the element is made of.
    #[doc(hidden)]
    fn literals(self, list: &mut Vec<Literal>);
    /// Are two elements equal, number by number?
    #[doc(hidden)]
    fn same(x: &Self::Device, y: &Self::Device) -> Exp<bool>;
}

impl<T: Element> HostItem for T {
    type Device = Exp<T>;
    fn types(list: &mut Vec<ScalarType>) {
        list.push(T::TYPE);
    }
    fn upload(device: &Device, elements: &[T], list: &mut Vec<AnyBuffer>) -> Result<()> {
        list.push(device.upload(elements)?.into());
        Ok(())
    }
    #[cfg(any(feature = "algorithms", feature = "sequence"))]
    fn lend<'a>(device: &Device, elements: &'a [T], list: &mut Vec<AnyView<'a>>) -> Result<()> {
        list.push(device.lend(elements)?.into());
        Ok(())
    }
    #[cfg(feature = "sequence")]
    fn spare(len: usize) -> Vec<T> {
        crate::backend::spare(len)
    }
    #[cfg(feature = "sequence")]
    fn upload_vec(device: &Device, elements: Vec<T>, list: &mut Vec<AnyBuffer>) -> Result<()> {
        list.push(device.upload_vec(elements)?.into());
        Ok(())
    }
    #[cfg(feature = "sequence")]
    fn stage(
        elements: &[T],
        slots: &crate::sequence::Slots,
        list: &mut Vec<Box<dyn crate::sequence::Staged>>,
    ) -> Result<()> {
        crate::sequence::stage(elements, slots, list)
    }
    fn download(buffers: &mut dyn Iterator<Item = &AnyBuffer>) -> Result<Vec<T>> {
        match buffers.next() {
            Some(buffer) => buffer.to_vec(),
            None => Err(Error::new(
                ErrorKind::Internal,
                "an array has too few buffers",
            )),
        }
    }
    #[cfg(feature = "sequence")]
    fn encode(elements: &[T], bytes: &mut Vec<u8>) {
        let size = T::TYPE.bytes() as usize;
        bytes.reserve(elements.len().saturating_mul(size));
        for element in elements {
            let own = element.literal().bits().to_le_bytes();
            bytes.extend(own.iter().take(size));
        }
    }
    #[cfg(feature = "sequence")]
    fn decode(bytes: &mut &[u8], len: usize) -> Option<Vec<T>> {
        let size = T::TYPE.bytes() as usize;
        let (own, rest) = bytes.split_at_checked(len.checked_mul(size)?)?;
        *bytes = rest;
        let number = |own: &[u8]| {
            let mut all = [0; 8];
            all.iter_mut().zip(own).for_each(|(byte, own)| *byte = *own);
            T::from_literal(Literal::from_bits(T::TYPE, u64::from_le_bytes(all)))
        };
        Some(own.chunks_exact(size).map(number).collect())
    }
    fn declare(signature: &mut Signature) -> Exp<T> {
        signature.scalar()
    }
    fn literals(self, list: &mut Vec<Literal>) {
        list.push(self.literal());
    }
    fn same(x: &Exp<T>, y: &Exp<T>) -> Exp<bool> {
        x.eq(*y)
    }
}

macro_rules! tuples {
    ($(($($ty:ident $field:ident $n:tt)+);)*) => {$(
        impl<$($ty: HostItem),+> HostItem for ($($ty,)+) {
            type Device = ($($ty::Device,)+);
            fn types(list: &mut Vec<ScalarType>) {
                $($ty::types(list);)+
            }
            fn upload(device: &Device, elements: &[Self], list: &mut Vec<AnyBuffer>) -> Result<()> {
                $(
                    let own: Vec<$ty> = elements.iter().map(|element| element.$n).collect();
                    $ty::upload(device, &own, list)?;
                )+
                Ok(())
            }
            #[cfg(feature = "sequence")]
            fn stage(
                elements: &[Self],
                slots: &crate::sequence::Slots,
                list: &mut Vec<Box<dyn crate::sequence::Staged>>,
            ) -> Result<()> {
                $(
                    let own: Vec<$ty> = elements.iter().map(|element| element.$n).collect();
                    $ty::stage(&own, slots, list)?;
                )+
                Ok(())
            }
            fn download(buffers: &mut dyn Iterator<Item = &AnyBuffer>) -> Result<Vec<Self>> {
                $(let mut $field = $ty::download(buffers)?.into_iter();)+
                let mut elements = Vec::new();
                while let ($(Some($field),)+) = ($($field.next(),)+) {
                    elements.push(($($field,)+));
                }
                Ok(elements)
            }
            #[cfg(feature = "sequence")]
            fn encode(elements: &[Self], bytes: &mut Vec<u8>) {
                $(
                    let own: Vec<$ty> = elements.iter().map(|element| element.$n).collect();
                    $ty::encode(&own, bytes);
                )+
            }
            #[cfg(feature = "sequence")]
            fn decode(bytes: &mut &[u8], len: usize) -> Option<Vec<Self>> {
                $(let mut $field = $ty::decode(bytes, len)?.into_iter();)+
                let mut elements = Vec::new();
                while let ($(Some($field),)+) = ($($field.next(),)+) {
                    elements.push(($($field,)+));
                }
                Some(elements)
            }
            fn declare(signature: &mut Signature) -> Self::Device {
                ($($ty::declare(signature),)+)
            }
            fn literals(self, list: &mut Vec<Literal>) {
                $(self.$n.literals(list);)+
            }
            fn same(x: &Self::Device, y: &Self::Device) -> Exp<bool> {
                let all = [$($ty::same(&x.$n, &y.$n)),+];
                all.into_iter().reduce(|a, b| a & b).unwrap_or_else(|| true.into())
            }
        }
    )*};
}

tuples! {
    (A a 0 B b 1);
    (A a 0 B b 1 C c 2);
    (A a 0 B b 1 C c 2 D d 3);
    (A a 0 B b 1 C c 2 D d 3 E e 4);
    (A a 0 B b 1 C c 2 D d 3 E e 4 F f 5);
    (A a 0 B b 1 C c 2 D d 3 E e 4 F f 5 G g 6);
}

/// Shapes with a number of axes.
///
/// ```
/// use obsidian_rt::arrays::{Ix2, Rank};
///
/// let extents: <Ix2 as Rank>::Extents = [2, 3]; // height and width
/// assert_eq!(extents.len(), 2);
/// ```
pub trait Rank: Shape {
    /// The extents of the axes, the innermost last: `[]`, `[n]`, `[h, w]`, up to four numbers.
    type Extents: AsRef<[usize]> + AsMut<[usize]> + Copy + Default + PartialEq + fmt::Debug;
}

impl Rank for Ix0 {
    type Extents = [usize; 0];
}
impl Rank for Ix1 {
    type Extents = [usize; 1];
}
impl Rank for Ix2 {
    type Extents = [usize; 2];
}
impl Rank for Ix3 {
    type Extents = [usize; 3];
}
impl Rank for Ix4 {
    type Extents = [usize; 4];
}

/// Extents of an array, which tell its shape.
///
/// ```
/// use obsidian_rt::Device;
///
/// let matrix = Device::cpu().array([2, 3], &[1, 2, 3, 4, 5, 6])?; // two numbers: two axes
/// assert_eq!(matrix.extents(), [2, 3]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub trait Extents: AsRef<[usize]> + Copy {
    /// The shape.
    type Shape: Rank<Extents = Self>;
}

impl Extents for [usize; 0] {
    type Shape = Ix0;
}
impl Extents for [usize; 1] {
    type Shape = Ix1;
}
impl Extents for [usize; 2] {
    type Shape = Ix2;
}
impl Extents for [usize; 3] {
    type Shape = Ix3;
}
impl Extents for [usize; 4] {
    type Shape = Ix4;
}

/// An array on a device, with 0 to 4 axes. Its elements lie in rows, one buffer for each component.
///
/// ```
/// use obsidian_rt::{Device, arrays::{Array, Ix2}};
///
/// let matrix: Array<Ix2, f32> = Device::cpu().array([2, 2], &[1.0, 2.0, 3.0, 4.0])?;
/// assert_eq!((matrix.len(), matrix.extents()), (4, [2, 2]));
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub struct Array<Sh: Rank, T> {
    extents: Sh::Extents,
    buffers: Vec<AnyBuffer>,
    device: Device,
    elements: PhantomData<fn() -> T>,
}

impl<Sh: Rank, T> fmt::Debug for Array<Sh, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Array")
            .field("extents", &self.extents)
            .field("device", &self.device.name())
            .finish_non_exhaustive()
    }
}

/// An array whose buffers are lent: what a run reads, where there is no [`Array`] that owns them.
///
/// ```
/// use obsidian_rt::{Device, arrays::*, language::EU32};
///
/// # fn main() -> obsidian_rt::Result<()> {
/// let sum = ArrayProgram::build("sum", |rows: Arr2<EU32>| rows.sum())?;
/// let device = Device::cpu();
/// let buffer = device.upload(&[1u32, 2, 3, 4, 5, 6])?;
/// let sums = sum.run(&device, ArrayView::of(&buffer, [2, 3])?)?;
/// assert_eq!(sums.to_vec()?, [6, 15]);
/// assert_eq!(buffer.len(), 6); // still ours
/// # Ok(())
/// # }
/// ```
pub struct ArrayView<'a, Sh: Rank, T> {
    extents: Sh::Extents,
    buffers: Vec<&'a AnyBuffer>,
    elements: PhantomData<fn() -> T>,
}

impl<Sh: Rank, T> fmt::Debug for ArrayView<'_, Sh, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ArrayView")
            .field("extents", &self.extents)
            .finish_non_exhaustive()
    }
}

impl<'a, Sh: Rank, T: Element> ArrayView<'a, Sh, T> {
    /// The elements of a buffer as an array of some extents.
    ///
    /// # Errors
    /// [`ErrorKind::UnequalLengths`] if the buffer has not as many elements as the extents say.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::ArrayView};
    ///
    /// let buffer = Device::cpu().upload(&[1, 2, 3, 4])?;
    /// assert_eq!(ArrayView::of(&buffer, [2, 2])?.extents(), [2, 2]);
    /// assert!(ArrayView::of(&buffer, [2, 3]).is_err());
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn of<E: Extents<Shape = Sh>>(buffer: &'a Buffer<T>, extents: E) -> Result<Self>
    where
        Sh: Rank<Extents = E>,
    {
        check(extents.as_ref(), buffer.len())?;
        Ok(ArrayView {
            extents,
            buffers: vec![buffer.any()],
            elements: PhantomData,
        })
    }
}

impl<'a, Sh: Rank, T: HostItem> ArrayView<'a, Sh, T> {
    /// The extents of the axes, the innermost last.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::ArrayView};
    ///
    /// let buffer = Device::cpu().upload(&[1, 2, 3, 4])?;
    /// assert_eq!(ArrayView::of(&buffer, [4])?.extents(), [4]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn extents(&self) -> Sh::Extents {
        self.extents
    }

    pub(crate) fn into_buffers(self) -> Vec<&'a AnyBuffer> {
        self.buffers
    }

    /// An array of buffers that are as long as its extents say.
    #[cfg(all(feature = "algorithms", not(test)))]
    pub(crate) fn of_buffers(extents: Sh::Extents, buffers: Vec<&'a AnyBuffer>) -> Self {
        ArrayView {
            extents,
            buffers,
            elements: PhantomData,
        }
    }
}

impl<'a, Sh: Rank, T: HostItem> From<&'a Array<Sh, T>> for ArrayView<'a, Sh, T> {
    fn from(array: &'a Array<Sh, T>) -> Self {
        ArrayView {
            extents: array.extents,
            buffers: array.buffers.iter().collect(),
            elements: PhantomData,
        }
    }
}

impl Device {
    /// An array of some extents with the elements of a slice, in rows.
    ///
    /// # Errors
    /// [`ErrorKind::UnequalLengths`] if the slice has not as many elements as the extents say, and what an
    /// [`upload`](Device::upload) reports.
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// let device = Device::cpu();
    /// let matrix = device.array([2, 3], &[1, 2, 3, 4, 5, 6])?;
    /// assert_eq!(matrix.to_vec()?, [1, 2, 3, 4, 5, 6]);
    /// assert!(device.array([2, 3], &[1, 2]).is_err());
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn array<E: Extents, T: HostItem>(
        &self,
        extents: E,
        elements: &[T],
    ) -> Result<Array<E::Shape, T>> {
        check(extents.as_ref(), elements.len())?;
        let mut buffers = Vec::new();
        T::upload(self, elements, &mut buffers)?;
        Ok(Array {
            extents,
            buffers,
            device: self.clone(),
            elements: PhantomData,
        })
    }
}

pub(super) fn check(all: &[usize], length: usize) -> Result<()> {
    let product = all
        .iter()
        .try_fold(1usize, |product, extent| product.checked_mul(*extent));
    if product == Some(length) {
        return Ok(());
    }
    let message = format!("there are {length} elements for an array with the extents {all:?}");
    Err(Error::new(ErrorKind::UnequalLengths, message)
        .exceeded(length as u64, product.unwrap_or(usize::MAX) as u64))
}

impl<Sh: Rank, T: HostItem> Array<Sh, T> {
    /// An array of what a run gives.
    pub(crate) fn of_run(extents: Sh::Extents, buffers: Vec<AnyBuffer>, device: Device) -> Self {
        Array {
            extents,
            buffers,
            device,
            elements: PhantomData,
        }
    }

    pub(super) fn into_parts(self) -> (Sh::Extents, Vec<AnyBuffer>, Device) {
        (self.extents, self.buffers, self.device)
    }

    /// The extents of the axes, the innermost last.
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// assert_eq!(Device::cpu().array([1, 3], &[1, 2, 3])?.extents(), [1, 3]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn extents(&self) -> Sh::Extents {
        self.extents
    }

    /// The number of elements.
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// assert_eq!(Device::cpu().array([1, 3], &[1, 2, 3])?.len(), 3);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn len(&self) -> usize {
        self.extents.as_ref().iter().product()
    }

    /// Returns `true` if there are no elements.
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// assert!(Device::cpu().array::<_, f32>([0, 3], &[])?.is_empty());
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The device on which the elements lie.
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// assert_eq!(Device::cpu().array([1], &[1])?.device().name(), "cpu");
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Copies the elements back, in rows.
    ///
    /// # Errors
    /// What [`Buffer::to_vec`] reports.
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// assert_eq!(Device::cpu().array([2, 2], &[1, 2, 3, 4])?.to_vec()?, [1, 2, 3, 4]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn to_vec(&self) -> Result<Vec<T>> {
        T::download(&mut self.buffers.iter())
    }

    #[cfg(all(feature = "algorithms", not(test)))]
    pub(crate) fn buffers(&self) -> &[AnyBuffer] {
        &self.buffers
    }

    pub(crate) fn buffers_mut(&mut self) -> &mut [AnyBuffer] {
        &mut self.buffers
    }
}

impl<T: HostItem> Array<Ix0, T> {
    /// Copies the one element back.
    ///
    /// # Errors
    /// What [`Buffer::to_vec`] reports.
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// assert_eq!(Device::cpu().array([], &[7])?.value()?, 7); // no axis, one element
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn value(&self) -> Result<T> {
        let element = self.to_vec()?.first().copied();
        element.ok_or_else(|| Error::new(ErrorKind::Internal, "an array of one element has none"))
    }
}

impl<Sh: Rank, T: Element> Array<Sh, T> {
    /// Takes a buffer over as an array of some extents.
    ///
    /// # Errors
    /// [`ErrorKind::UnequalLengths`] if the buffer has not as many elements as the extents say.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::Array};
    ///
    /// let matrix = Array::of(Device::cpu().upload(&[1, 2, 3, 4])?, [2, 2])?;
    /// assert_eq!(matrix.extents(), [2, 2]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn of<E: Extents<Shape = Sh>>(buffer: Buffer<T>, extents: E) -> Result<Self>
    where
        Sh: Rank<Extents = E>,
    {
        check(extents.as_ref(), buffer.len())?;
        let device = buffer.device().clone();
        Ok(Array {
            extents,
            buffers: vec![buffer.into()],
            device,
            elements: PhantomData,
        })
    }

    /// The elements as a buffer.
    ///
    /// # Errors
    /// [`ErrorKind::Internal`] if the array is damaged.
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// let matrix = Device::cpu().array([2, 2], &[1, 2, 3, 4])?;
    /// assert_eq!(matrix.into_buffer()?.to_vec()?, [1, 2, 3, 4]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn into_buffer(self) -> Result<Buffer<T>> {
        let buffer = self.buffers.into_iter().next();
        buffer
            .and_then(|buffer| buffer.typed().ok())
            .ok_or_else(|| Error::new(ErrorKind::Internal, "an array has no buffer of its type"))
    }
}
