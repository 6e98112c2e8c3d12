//! The element types, and how they lie in cells that several threads may write.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering::Relaxed};

use obsidian_language::scalar::Scalar;

/// A type that buffers hold: `bool`, `u8` to `u64`, `i8` to `i64`, `f32` and `f64`.
///
/// Nothing else can have it, because nothing else is a [`Scalar`]. The methods are for the runtime.
///
/// ```
/// use obsidian_rt::{Buffer, Device, Element, Result};
///
/// fn there_and_back<T: Element>(elements: &[T]) -> Result<Vec<T>> {
///     let buffer: Buffer<T> = Device::cpu().upload(elements)?;
///     buffer.into_vec()
/// }
///
/// assert_eq!(there_and_back(&[1u8, 2])?, [1, 2]);
/// assert_eq!(there_and_back(&[true])?, [true]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub trait Element: Scalar {
    /// The bits of one element, where several threads may write them.
    #[doc(hidden)]
    type Cell: Send + Sync + 'static;

    /// What fresh memory holds in debug builds, so that an element that was never written is seen.
    #[doc(hidden)]
    const POISON: Self;

    /// Elements as cells, in the same memory.
    #[doc(hidden)]
    fn cells(elements: &mut [Self]) -> &[Self::Cell];

    /// The present value.
    #[doc(hidden)]
    fn load(cell: &Self::Cell) -> Self;

    /// Replaces the value.
    #[doc(hidden)]
    fn store(self, cell: &Self::Cell);

    /// Replaces the value by a function of it, in one step, and gives the old one.
    #[doc(hidden)]
    fn update(cell: &Self::Cell, f: impl Fn(Self) -> Self) -> Self;
}

macro_rules! elements {
    ($($ty:ident $cell:ident $poison:expr, |$value:ident| $to:expr, |$bits:ident| $from:expr;)*) => {$(
        impl Element for $ty {
            type Cell = $cell;
            const POISON: Self = $poison;
            #[inline]
            fn cells(elements: &mut [Self]) -> &[$cell] {
                const {
                    assert!(
                        size_of::<$ty>() == size_of::<$cell>() && align_of::<$ty>() == align_of::<$cell>(),
                        "on this target an atomic needs more than its number: it is not supported"
                    );
                }
                // SAFETY: the cells have the size and the alignment of the elements, as was asserted,
                // so there are as many in the same memory. Any bits of an element are a cell's, and
                // what is stored in a cell is an element: all numbers are, and the cell of a `bool` is
                // an `AtomicBool`. The elements are borrowed alone for as long as the cells live, so
                // nothing else accesses them; the cells may be shared, as atomics may.
                unsafe { &*(std::ptr::from_mut(elements) as *const [$cell]) }
            }
            #[inline]
            fn load(cell: &$cell) -> Self {
                let $bits = cell.load(Relaxed);
                $from
            }
            #[inline]
            fn store(self, cell: &$cell) {
                let $value = self;
                cell.store($to, Relaxed);
            }
            #[inline]
            fn update(cell: &$cell, f: impl Fn(Self) -> Self) -> Self {
                let (Ok($bits) | Err($bits)) = cell.fetch_update(Relaxed, Relaxed, |$bits| {
                    let $value = f($from);
                    Some($to)
                });
                $from
            }
        }
    )*};
}

elements! {
    bool AtomicBool true, |v| v, |b| b;
    u8 AtomicU8 0xa5, |v| v, |b| b;
    u16 AtomicU16 0xa5a5, |v| v, |b| b;
    u32 AtomicU32 0xa5a5_a5a5, |v| v, |b| b;
    u64 AtomicU64 0xa5a5_a5a5_a5a5_a5a5, |v| v, |b| b;
    i8 AtomicU8 -0x5b, |v| v.cast_unsigned(), |b| b.cast_signed();
    i16 AtomicU16 -0x5a5b, |v| v.cast_unsigned(), |b| b.cast_signed();
    i32 AtomicU32 -0x5a5a_5a5b, |v| v.cast_unsigned(), |b| b.cast_signed();
    i64 AtomicU64 -0x5a5a_5a5a_5a5a_5a5b, |v| v.cast_unsigned(), |b| b.cast_signed();
    f32 AtomicU32 f32::from_bits(0x7fc0_a5a5), |v| v.to_bits(), |b| f32::from_bits(b);
    f64 AtomicU64 f64::from_bits(0x7ff8_a5a5_a5a5_a5a5), |v| v.to_bits(), |b| f64::from_bits(b);
}

pub(crate) use obsidian_base::by_type;

#[cfg(test)]
mod tests {
    use super::*;

    fn bits_survive<T: Element>(values: impl IntoIterator<Item = T>) {
        for value in values.into_iter().chain([T::POISON]) {
            let mut elements = [T::default(); 3];
            let cells = T::cells(&mut elements);
            value.store(&cells[1]);
            assert_eq!(T::load(&cells[1]).literal(), value.literal());
            assert_eq!(T::update(&cells[1], |old| old).literal(), value.literal());
            let zero = T::default();
            assert_eq!(
                elements.map(|element| element.literal()),
                [zero, value, zero].map(|element| element.literal())
            );
        }
    }

    #[test]
    fn cells_keep_every_bit() {
        bits_survive([false, true]);
        bits_survive([0, u8::MAX]);
        bits_survive([0, u16::MAX]);
        bits_survive([0, u32::MAX]);
        bits_survive([0, u64::MAX]);
        bits_survive([0, -1, i8::MIN]);
        bits_survive([0, -1, i16::MIN]);
        bits_survive([0, -1, i32::MIN]);
        bits_survive([0, -1, i64::MIN]);
        bits_survive([0.0, -0.0, f32::from_bits(0xffc1_2345), f32::INFINITY]);
        bits_survive([
            0.0,
            -0.0,
            f64::from_bits(0xfff8_0000_0000_0001),
            f64::INFINITY,
        ]);
    }
}
