//! Tuples of buffers as one value: what a launch gives for an array of tuples, and what it takes for one.

use crate::buffer::Buffer;
use crate::element::Element;
use crate::error::{Error, ErrorKind, Result};
use crate::view::View;

/// Buffers of one length, each with one field of an array of tuples: what a launch gives for such an array.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// pub mod points {
///     /// Points, moved.
///     #[kernel]
///     pub fn moved(points: DPull<(EF32, EI32)>) -> DPush<Grid, (EF32, EI32)> {
///         let pieces = points.chunks(256, (0.0, 0));
///         pieces.as_grid_map(|piece| piece.map(|(x, y)| (x + 0.5, y - 1)).push()).take(points.len())
///     }
/// }
///
/// # fn main() -> obsidian_rt::Result<()> {
/// let device = Device::best()?;
/// let (x, y) = (device.upload(&[1.0f32, 2.0])?, device.upload(&[10i32, 20])?);
/// let once = points::moved::launch(&device, (&x, &y))?;
/// let twice = points::moved::launch(&device, &once)?;
/// assert_eq!((twice.len(), twice.to_vec()?), (2, vec![(2.0, 8), (3.0, 18)]));
/// # Ok(())
/// # }
/// ```
pub trait Columns {
    /// An element: a tuple of the fields.
    type Row;

    /// The number of elements; of buffers of different lengths, which are no such array, the least.
    fn len(&self) -> usize;

    /// Returns `true` if there are no elements.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Copies the elements back, bit for bit.
    ///
    /// # Errors
    /// [`ErrorKind::UnequalLengths`] if the buffers have different lengths, and what the device reports.
    fn to_vec(&self) -> Result<Vec<Self::Row>>;
}

impl<T: Element> Columns for Buffer<T> {
    type Row = T;
    fn len(&self) -> usize {
        Buffer::len(self)
    }
    fn to_vec(&self) -> Result<Vec<T>> {
        Buffer::to_vec(self)
    }
}

/// A parameter of a launch for an array of tuples: `R` is the tuple of references to its buffers. Pass a tuple of references, or a
/// reference to a tuple.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn sums(x: DPull<(EU32, EU32)>) -> DPush<Grid, EU32> {
///         x.split_up(2).as_grid_map(|x| x.map(|(a, b)| a + b).push())
///     }
/// }
///
/// let device = Device::cpu();
/// let pair = (device.upload(&[1, 2])?, device.upload(&[10, 20])?);
/// // A tuple of references, or a reference to a tuple.
/// assert_eq!(example::sums::launch(&device, (&pair.0, &pair.1))?.to_vec()?, [11, 22]);
/// assert_eq!(example::sums::launch(&device, &pair)?.to_vec()?, [11, 22]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no array of tuples for this kernel",
    label = "expected a tuple of references to buffers, or a reference to the result of a launch"
)]
pub trait Reads<R> {
    #[doc(hidden)]
    fn reads(self) -> R;
}

impl<'a, T: Element> Reads<&'a Buffer<T>> for &'a Buffer<T> {
    fn reads(self) -> &'a Buffer<T> {
        self
    }
}

impl<'a, T: Element> Reads<&'a Buffer<T>> for &'a View<'_, T> {
    fn reads(self) -> &'a Buffer<T> {
        self
    }
}

/// All lengths are one.
fn same(lengths: &[usize]) -> Result<()> {
    let first = lengths.first().copied().unwrap_or(0);
    match lengths.iter().find(|length| **length != first) {
        None => Ok(()),
        Some(other) => {
            let message = format!(
                "the buffers of a tuple have {first} and {other} elements, so that they are no array of tuples"
            );
            Err(Error::new(ErrorKind::UnequalLengths, message)
                .exceeded(*other as u64, first as u64))
        }
    }
}

macro_rules! tuples {
    ($(($($ty:ident $of:ident $n:tt)+);)*) => {$(
        impl<$($ty: Columns),+> Columns for ($($ty,)+) {
            type Row = ($($ty::Row,)+);
            fn len(&self) -> usize {
                [$(self.$n.len()),+].into_iter().min().unwrap_or(0)
            }
            fn to_vec(&self) -> Result<Vec<Self::Row>> {
                same(&[$(self.$n.len()),+])?;
                $(#[allow(non_snake_case)] let mut $ty = self.$n.to_vec()?.into_iter();)+
                Ok(std::iter::from_fn(|| Some(($($ty.next()?,)+))).collect())
            }
        }
        impl<$($of,)+ $($ty: Reads<$of>),+> Reads<($($of,)+)> for ($($ty,)+) {
            fn reads(self) -> ($($of,)+) {
                ($(self.$n.reads(),)+)
            }
        }
        impl<'a, $($of,)+ $($ty),+> Reads<($($of,)+)> for &'a ($($ty,)+)
        where
            $(&'a $ty: Reads<$of>),+
        {
            fn reads(self) -> ($($of,)+) {
                ($((&self.$n).reads(),)+)
            }
        }
    )*};
}

tuples! {
    (A RA 0 B RB 1);
    (A RA 0 B RB 1 C RC 2);
    (A RA 0 B RB 1 C RC 2 D RD 3);
    (A RA 0 B RB 1 C RC 2 D RD 3 E RE 4);
    (A RA 0 B RB 1 C RC 2 D RD 3 E RE 4 F RF 5);
    (A RA 0 B RB 1 C RC 2 D RD 3 E RE 4 F RF 5 G RG 6);
    (A RA 0 B RB 1 C RC 2 D RD 3 E RE 4 F RF 5 G RG 6 H RH 7);
}
