//! Element types that are known from their Rust type alone: those of kernel parameters.

use super::Storable;
use crate::error::internal;
use crate::scalar::{ArrayId, Exp, Scalar, ScalarType};

/// The element type of a kernel's input or output: a device value, or a tuple of them.
///
/// One buffer a field: `(EI32, EF32)` has two.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn swapped(x: DPull<(EU32, EF32)>) -> DPush<Grid, (EF32, EU32)> {
///         x.split_up(2).as_grid_map(|x| x.map(|(a, b)| (b, a)).push())
///     }
/// }
///
/// let device = Device::cpu();
/// let (a, b) = (device.upload(&[1_u32, 2])?, device.upload(&[0.5_f32, 1.5])?);
/// let (b, a) = example::swapped::launch(&device, (&a, &b))?;
/// assert_eq!((a.to_vec()?, b.to_vec()?), (vec![1, 2], vec![0.5, 1.5]));
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the element type of a kernel's input or output",
    note = "device values (EU32, EF32, ..) and tuples of them can"
)]
pub trait Element: Storable {
    /// The types of the fields, in order.
    fn fields() -> Vec<ScalarType>;
    /// The handle of an array whose fields are these.
    fn handle(fields: &mut dyn Iterator<Item = ArrayId>) -> Self::Handle;
}

impl<T: Scalar> Element for Exp<T> {
    fn fields() -> Vec<ScalarType> {
        vec![T::TYPE]
    }
    fn handle(fields: &mut dyn Iterator<Item = ArrayId>) -> ArrayId {
        match fields.next() {
            Some(array) => array,
            None => internal::raise("an element has more fields than arrays"),
        }
    }
}

macro_rules! tuples {
    ($(($($field:ident)+);)*) => {$(
        impl<$($field: Element),+> Element for ($($field,)+) {
            fn fields() -> Vec<ScalarType> {
                [$($field::fields()),+].concat()
            }
            fn handle(fields: &mut dyn Iterator<Item = ArrayId>) -> Self::Handle {
                ($($field::handle(fields),)+)
            }
        }
    )*};
}

tuples! {
    (A B);
    (A B C);
    (A B C D);
    (A B C D E);
    (A B C D E F);
    (A B C D E F G);
    (A B C D E F G H);
}
