//! Arrays of structs on a device: a buffer for each number of an element.

use std::fmt;

use crate::buffer::Buffer;
use crate::columns::Columns;
use crate::device::Device;
use crate::error::Result;
use crate::view::{RowsView, View};

/// What arrays on a device have as elements: numbers, tuples of two to eight, arrays of up to eight, and structs with
/// [`#[derive(Element)]`](macro@crate::Element). An array of them has one buffer for each number.
///
/// The derive implements it; the methods are for the runtime.
///
/// ```
/// use obsidian_rt::{Device, Fields, Result, Rows};
///
/// fn there_and_back<T: Fields>(elements: &[T]) -> Result<Vec<T>> {
///     Rows::upload(&Device::cpu(), elements)?.to_vec()
/// }
///
/// assert_eq!(there_and_back(&[(1u32, 0.5f32), (2, 1.5)])?, [(1, 0.5), (2, 1.5)]);
/// assert_eq!(there_and_back(&[[1u8, 2], [3, 4]])?, [[1, 2], [3, 4]]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no element of an array on a device",
    note = "numbers are, but not `usize` and `isize`, tuples and short arrays of them, and structs with `#[derive(Clone, Copy, Element)]`"
)]
pub trait Fields: Copy + Send + Sync + 'static {
    /// The same value as a number or a tuple.
    #[doc(hidden)]
    type Row: Row;

    /// Takes the value apart.
    #[doc(hidden)]
    fn row(self) -> Self::Row;

    /// Puts it together again.
    #[doc(hidden)]
    fn of_row(row: Self::Row) -> Self;

    /// Copies elements to a device.
    #[doc(hidden)]
    fn upload(device: &Device, elements: &[Self]) -> Result<ColumnsOf<Self>> {
        Row::upload(device, elements.iter().map(|element| element.row()))
    }

    /// Elements to be read: where a device can read them, they stay where they are.
    #[doc(hidden)]
    fn lend<'a>(device: &Device, elements: &'a [Self]) -> Result<RowsView<'a, Self>> {
        Self::upload(device, elements).map(RowsView::of_columns)
    }
}

/// A number, or a tuple that lies in several buffers.
#[doc(hidden)]
pub trait Row: Copy + Send + Sync + 'static {
    /// The buffers of an array.
    type Columns: Columns<Row = Self>;
    /// The same as outputs of a launch.
    type Outputs<'a>;
    /// Copies elements to a device, field by field.
    fn upload(device: &Device, rows: impl Iterator<Item = Self> + Clone) -> Result<Self::Columns>;
    /// Buffers to be written.
    fn outputs(columns: &mut Self::Columns) -> Self::Outputs<'_>;
}

/// The buffers of an array of `T`: of a number one, of anything else a tuple with one for each field.
///
/// ```
/// use obsidian_rt::{Buffer, ColumnsOf, Device, Rows};
///
/// let rows = Rows::upload(&Device::cpu(), &[(1u32, 0.5f32), (2, 1.5)])?;
/// let columns: ColumnsOf<(u32, f32)> = rows.into_columns();
/// let (numbers, _): (Buffer<u32>, Buffer<f32>) = columns;
/// assert_eq!(numbers.to_vec()?, [1, 2]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub type ColumnsOf<T> = <<T as Fields>::Row as Row>::Columns;

macro_rules! numbers {
    ($($ty:ident)*) => {$(
        impl Row for $ty {
            type Columns = Buffer<$ty>;
            type Outputs<'a> = &'a mut Buffer<$ty>;
            fn upload(device: &Device, rows: impl Iterator<Item = $ty> + Clone) -> Result<Buffer<$ty>> {
                device.upload_vec(rows.collect())
            }
            fn outputs(columns: &mut Buffer<$ty>) -> &mut Buffer<$ty> {
                columns
            }
        }
        impl Fields for $ty {
            type Row = $ty;
            #[inline]
            fn row(self) -> $ty {
                self
            }
            #[inline]
            fn of_row(row: $ty) -> $ty {
                row
            }
            fn upload(device: &Device, elements: &[$ty]) -> Result<Buffer<$ty>> {
                device.upload(elements)
            }
            fn lend<'a>(device: &Device, elements: &'a [$ty]) -> Result<RowsView<'a, $ty>> {
                device.lend(elements).map(View::rows)
            }
        }
    )*};
}

numbers! { bool u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 }

macro_rules! tuples {
    ($($length:literal $(($ty:ident $value:ident $n:tt))+;)*) => {$(
        impl<$($ty: Row),+> Row for ($($ty,)+) {
            type Columns = ($($ty::Columns,)+);
            type Outputs<'a> = ($($ty::Outputs<'a>,)+);
            fn upload(device: &Device, rows: impl Iterator<Item = Self> + Clone) -> Result<Self::Columns> {
                Ok(($($ty::upload(device, rows.clone().map(|row| row.$n))?,)+))
            }
            fn outputs(columns: &mut Self::Columns) -> Self::Outputs<'_> {
                ($($ty::outputs(&mut columns.$n),)+)
            }
        }
        impl<$($ty: Fields),+> Fields for ($($ty,)+) {
            type Row = ($($ty::Row,)+);
            #[inline]
            fn row(self) -> Self::Row {
                ($(self.$n.row(),)+)
            }
            #[inline]
            fn of_row(row: Self::Row) -> Self {
                ($($ty::of_row(row.$n),)+)
            }
        }
        impl<T: Fields> Fields for [T; $length] {
            type Row = ($(row_of!(T $n),)+);
            #[inline]
            fn row(self) -> Self::Row {
                let [$($value),+] = self;
                ($($value.row(),)+)
            }
            #[inline]
            fn of_row(row: Self::Row) -> Self {
                [$(T::of_row(row.$n)),+]
            }
        }
    )*};
}

/// The row of an element, once for each field.
macro_rules! row_of {
    ($ty:ident $n:tt) => {
        $ty::Row
    };
}

tuples! {
    2 (A a 0) (B b 1);
    3 (A a 0) (B b 1) (C c 2);
    4 (A a 0) (B b 1) (C c 2) (D d 3);
    5 (A a 0) (B b 1) (C c 2) (D d 3) (E e 4);
    6 (A a 0) (B b 1) (C c 2) (D d 3) (E e 4) (F f 5);
    7 (A a 0) (B b 1) (C c 2) (D d 3) (E e 4) (F f 5) (G g 6);
    8 (A a 0) (B b 1) (C c 2) (D d 3) (E e 4) (F f 5) (G g 6) (H h 7);
}

impl<T: Fields> Fields for [T; 1] {
    type Row = T::Row;
    #[inline]
    fn row(self) -> T::Row {
        let [element] = self;
        element.row()
    }
    #[inline]
    fn of_row(row: T::Row) -> Self {
        [T::of_row(row)]
    }
}

/// An array of structs on a device: what a range gives whose elements are structs, and what it can be given for a `&[T]`.
///
/// It is one buffer for each number of an element, so that neighbouring threads of a GPU access neighbouring numbers.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// pub mod physics {
///     /// A body on a line.
///     #[derive(Clone, Copy, Debug, PartialEq, Element)]
///     pub struct Body {
///         pub at: f32,
///         pub speed: f32,
///     }
///
///     /// A body after some time.
///     #[device]
///     pub fn moved(body: Body, time: f32) -> Body {
///         Body { at: body.at + body.speed * time, ..body }
///     }
///
///     /// Each body after some time.
///     #[device(range)]
///     pub fn step(i: usize, time: f32, bodies: &[Body]) -> Body {
///         moved(bodies[i], time)
///     }
/// }
/// use physics::{Body, step};
///
/// # fn main() -> obsidian_rt::Result<()> {
/// let device = Device::best()?;
/// let bodies = [Body { at: 0.0, speed: 1.0 }, Body { at: 5.0, speed: -2.0 }];
/// let once: Rows<Body> = step::compute(&device, [2], (0.5, &bodies))?;
/// let twice = step::compute(&device, [2], (0.5, &once))?; // what is there is not copied
/// assert_eq!(twice.to_vec()?, [Body { at: 1.0, speed: 1.0 }, Body { at: 3.0, speed: -2.0 }]);
/// let (at, _) = twice.columns(); // a kernel reads the fields
/// assert_eq!(at.to_vec()?, [1.0, 3.0]);
/// # Ok(())
/// # }
/// ```
pub struct Rows<T: Fields> {
    columns: ColumnsOf<T>,
}

impl<T: Fields> Rows<T> {
    /// Copies elements to a device.
    ///
    /// # Errors
    /// As [`Device::upload`].
    ///
    /// ```
    /// use obsidian_rt::{Device, Rows};
    ///
    /// let rows = Rows::upload(&Device::cpu(), &[(1u32, 0.5f32), (2, 1.5)])?;
    /// assert_eq!(rows.to_vec()?, [(1, 0.5), (2, 1.5)]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn upload(device: &Device, elements: &[T]) -> Result<Rows<T>> {
        T::upload(device, elements).map(Rows::of_columns)
    }

    /// The array of some buffers, which have one length; a launch, and [`to_vec`](Rows::to_vec), give
    /// [`ErrorKind::UnequalLengths`](crate::ErrorKind::UnequalLengths) for others.
    ///
    /// ```
    /// use obsidian_rt::{Device, Rows};
    ///
    /// let device = Device::cpu();
    /// let rows: Rows<(u32, f32)> = Rows::of_columns((device.upload(&[1, 2])?, device.upload(&[0.5, 1.5])?));
    /// assert_eq!(rows.to_vec()?, [(1, 0.5), (2, 1.5)]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn of_columns(columns: ColumnsOf<T>) -> Rows<T> {
        Rows { columns }
    }

    /// The buffers of the fields: what a kernel takes for a `DPull` of tuples.
    ///
    /// ```
    /// use obsidian_rt::{Device, Rows};
    ///
    /// let rows = Rows::upload(&Device::cpu(), &[(1u32, 0.5f32), (2, 1.5)])?;
    /// let (numbers, _) = rows.columns();
    /// assert_eq!(numbers.to_vec()?, [1, 2]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn columns(&self) -> &ColumnsOf<T> {
        &self.columns
    }

    /// The same by value.
    ///
    /// ```
    /// use obsidian_rt::{Device, Rows};
    ///
    /// let rows = Rows::upload(&Device::cpu(), &[(1u32, 0.5f32), (2, 1.5)])?;
    /// let (numbers, floats) = rows.into_columns();
    /// assert_eq!((numbers.into_vec()?, floats.into_vec()?), (vec![1, 2], vec![0.5, 1.5]));
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn into_columns(self) -> ColumnsOf<T> {
        self.columns
    }

    /// The number of elements.
    ///
    /// ```
    /// use obsidian_rt::{Device, Rows};
    ///
    /// assert_eq!(Rows::upload(&Device::cpu(), &[(1u32, 0.5f32), (2, 1.5)])?.len(), 2);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn len(&self) -> usize {
        self.columns.len()
    }

    /// Returns `true` if there are no elements.
    ///
    /// ```
    /// use obsidian_rt::{Device, Rows};
    ///
    /// assert!(Rows::<(u32, f32)>::upload(&Device::cpu(), &[])?.is_empty());
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// Copies the elements back, bit for bit.
    ///
    /// # Errors
    /// [`ErrorKind::UnequalLengths`](crate::ErrorKind::UnequalLengths) if the buffers have different lengths, and what the device reports.
    ///
    /// ```
    /// use obsidian_rt::{Device, Rows};
    ///
    /// let device = Device::cpu();
    /// let rows: Rows<(u32, f32)> = Rows::of_columns((device.upload(&[1, 2])?, device.upload(&[0.5])?));
    /// assert!(rows.to_vec().is_err()); // two numbers and one float
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn to_vec(&self) -> Result<Vec<T>> {
        Ok(self.columns.to_vec()?.into_iter().map(T::of_row).collect())
    }

    /// The buffers as outputs of a launch.
    #[doc(hidden)]
    pub fn as_outputs(&mut self) -> <T::Row as Row>::Outputs<'_> {
        T::Row::outputs(&mut self.columns)
    }
}

impl<T: Fields> Columns for Rows<T> {
    type Row = T;
    fn len(&self) -> usize {
        Rows::len(self)
    }
    fn to_vec(&self) -> Result<Vec<T>> {
        Rows::to_vec(self)
    }
}

impl<T: Fields> fmt::Debug for Rows<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = std::any::type_name::<T>();
        write!(f, "Rows<{name}> of {} elements", self.len())
    }
}
