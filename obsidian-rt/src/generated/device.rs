//! What generated code of device functions calls: arguments of a range, its elements on the host, and
//! what its CPU code needs (`calls`).

mod calls;

use std::cell::Cell;
use std::ops::Deref;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

use rayon::prelude::*;

use crate::rows::Row;
use crate::view::RowsView;
use crate::{Buffer, ColumnsOf, Device, Element, Error, ErrorKind, Fields, Result, Rows};

pub use calls::{
    Division, Elements, NEVER, Together, at, at_mut, div, div_euclid, fault, first_of, length,
    length_of, rem, rem_euclid, rounds, step, together,
};
pub(crate) use calls::{Faulted, OutsideSlice};
pub use obsidian_language::library::device::{FromVal, Function, IntoVal, Num, place};

/// What a `&[T]` of a range is given: a slice or a vector, which a GPU gets a copy of, or what lies on the device.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be given for a `&[{T}]` of a range",
    note = "a `&[{T}]`, a `&Vec<{T}>` and a `&Rows<{T}>` can; for numbers a `&Buffer` can, and for tuples a reference to a tuple of buffers"
)]
pub trait Given<T: Fields> {
    /// The buffers, or a reference to them.
    type Held: Deref<Target = ColumnsOf<T>>;
    /// The buffers on a device.
    fn given(self, device: &Device) -> Result<Self::Held>;
}

impl<'b, T: Fields> Given<T> for &'b [T] {
    type Held = RowsView<'b, T>;
    fn given(self, device: &Device) -> Result<RowsView<'b, T>> {
        T::lend(device, self)
    }
}

impl<'b, T: Fields> Given<T> for &'b Vec<T> {
    type Held = RowsView<'b, T>;
    fn given(self, device: &Device) -> Result<RowsView<'b, T>> {
        T::lend(device, self)
    }
}

impl<'b, T: Fields, const N: usize> Given<T> for &'b [T; N] {
    type Held = RowsView<'b, T>;
    fn given(self, device: &Device) -> Result<RowsView<'b, T>> {
        T::lend(device, self)
    }
}

impl<'b, T: Fields> Given<T> for &'b Rows<T> {
    type Held = &'b ColumnsOf<T>;
    fn given(self, _: &Device) -> Result<&'b ColumnsOf<T>> {
        Ok(self.columns())
    }
}

impl<'b, T: Element + Fields<Row = T> + Row<Columns = Buffer<T>>> Given<T> for &'b Buffer<T> {
    type Held = &'b Buffer<T>;
    fn given(self, _: &Device) -> Result<&'b Buffer<T>> {
        Ok(self)
    }
}

macro_rules! tuples {
    ($(($($ty:ident $of:ident)+);)*) => {$(
        impl<'b, $($ty: Fields, $of),+> Given<($($ty,)+)> for &'b ($($of,)+)
        where
            ($($ty::Row,)+): Row<Columns = ($($of,)+)>,
        {
            type Held = &'b ($($of,)+);
            fn given(self, _: &Device) -> Result<Self::Held> {
                Ok(self)
            }
        }
    )*};
}

tuples! {
    (A CA B CB);
    (A CA B CB C CC);
    (A CA B CB C CC D CD);
    (A CA B CB C CC D CD E CE);
    (A CA B CB C CC D CD E CE F CF);
    (A CA B CB C CC D CD E CE F CF G CG);
    (A CA B CB C CC D CD E CE F CF G CG H CH);
}

/// The extents of a range, which has fewer than 2^32 elements.
///
/// # Errors
/// [`ErrorKind::TooLong`] for more.
pub fn extents<const D: usize>(kernel: &str, extents: [usize; D]) -> Result<[u32; D]> {
    let elements = extents
        .iter()
        .try_fold(1usize, |all, extent| all.checked_mul(*extent));
    let mut found = [0; D];
    let all_fit = found.iter_mut().zip(extents).all(|(found, extent)| {
        u32::try_from(extent).is_ok_and(|extent| {
            *found = extent;
            true
        })
    });
    // An extent of 0 leaves nothing of the others.
    let fit = elements.is_some_and(|n| u32::try_from(n).is_ok());
    if !(all_fit && fit) {
        let message = format!(
            "the range of `{kernel}` is {extents:?}: it may have {} elements at most",
            u32::MAX
        );
        return Err(Error::new(ErrorKind::TooLong, message));
    }
    Ok(found)
}

/// How many elements a thread of the host computes at once, at least.
const RUN: usize = 256;

/// The elements of a range by a function of the host, on all cores.
///
/// # Errors
/// [`ErrorKind::Fault`] if the function panics, with the words of the panic of the first such element
/// that a run of elements has; [`ErrorKind::TooLong`] for too many elements.
pub fn on_host<const D: usize, R: Send>(
    kernel: &str,
    of: [usize; D],
    f: impl Fn([usize; D]) -> R + Sync,
) -> Result<Vec<R>> {
    extents(kernel, of)?;
    let length: usize = of.iter().product();
    if length == 0 {
        return Ok(Vec::new());
    }
    let run = (length / (rayon::current_num_threads() * 8)).max(RUN);
    let runs = length.div_ceil(run);
    let of_run = |n: usize| -> std::result::Result<Vec<R>, String> {
        let (first, end) = (n * run, ((n + 1) * run).min(length));
        let mut at = [0; D];
        let mut rest = first;
        for (coordinate, extent) in at.iter_mut().zip(of).rev() {
            *coordinate = rest % extent;
            rest /= extent;
        }
        let elements = AssertUnwindSafe(|| {
            let mut list = Vec::with_capacity(end - first);
            for _ in first..end {
                list.push(f(at));
                for (coordinate, extent) in at.iter_mut().zip(of).rev() {
                    *coordinate += 1;
                    if *coordinate < extent {
                        break;
                    }
                    *coordinate = 0;
                }
            }
            list
        });
        quietly(|| catch_unwind(elements)).map_err(|panic| words(&*panic))
    };
    let found: Vec<_> = (0..runs).into_par_iter().map(of_run).collect();
    let mut elements = Vec::with_capacity(length);
    for run in found {
        let run = run.map_err(|words| Error::new(ErrorKind::Fault, words).of(kernel))?;
        elements.extend(run);
    }
    Ok(elements)
}

thread_local! {
    /// Is what a panic says made an error, so that it is not printed as well?
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Runs `f`, whose panics on this thread are not printed.
fn quietly<A>(f: impl FnOnce() -> A) -> A {
    static HOOK: Once = Once::new();
    // A hook cannot be changed by a thread that panics.
    if !std::thread::panicking() {
        HOOK.call_once(|| {
            let others = std::panic::take_hook();
            std::panic::set_hook(Box::new(move |panic| {
                if !QUIET.get() {
                    others(panic);
                }
            }));
        });
    }
    let before = QUIET.replace(true);
    let result = f();
    QUIET.set(before);
    result
}

fn words(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "the function has panicked".to_owned())
}

#[cfg(test)]
mod tests {
    use super::extents;
    use crate::ErrorKind;

    #[test]
    fn a_range_beyond_32_bits_is_too_long() {
        let top = u32::MAX as usize;
        let of = |wanted: [usize; 2]| extents("k", wanted).map_err(|error| error.kind());
        assert_eq!(of([3, 5]), Ok([3, 5]));
        assert_eq!(of([1, top]), Ok([1, u32::MAX]));
        assert_eq!(of([1, top + 1]), Err(ErrorKind::TooLong));
        assert_eq!(of([1 << 16, 1 << 16]), Err(ErrorKind::TooLong));
        assert_eq!(of([usize::MAX, 2]), Err(ErrorKind::TooLong));
        // Without elements, extents still have to fit.
        assert_eq!(of([0, top]), Ok([0, u32::MAX]));
        assert_eq!(of([0, top + 1]), Err(ErrorKind::TooLong));
    }
}
