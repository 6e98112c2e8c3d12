//! What the CPU code of a range calls: elements, divisions and loops, each with a fault where the host would
//! panic, and the coordinates of elements.

use std::panic::resume_unwind;

/// Something that would have been a panic on the host, by its number in the list of the kernel's checks.
pub(crate) struct Faulted {
    pub(crate) check: u32,
    /// The index that is outside of a slice.
    pub(crate) outside: Option<OutsideSlice>,
}

/// An index that is outside of a slice.
pub(crate) struct OutsideSlice {
    pub(crate) index: usize,
    pub(crate) length: usize,
    /// Where the slice lies: that tells which argument it is.
    pub(crate) address: usize,
}

/// The number of a fault that there cannot be.
pub const NEVER: u32 = u32::MAX;

/// Leaves the launch, all threads of it. No panic hook is called, as this is no panic.
#[cold]
#[inline(never)]
pub fn fault(check: u32) -> ! {
    resume_unwind(Box::new(Faulted {
        check,
        outside: None,
    }))
}

/// Leaves the launch as [`fault`] does: an index is outside of a slice.
#[cold]
#[inline(never)]
fn outside<T>(of: &[T], index: usize, check: u32) -> ! {
    resume_unwind(Box::new(Faulted {
        check,
        outside: Some(OutsideSlice {
            index,
            length: of.len(),
            address: of.as_ptr().addr(),
        }),
    }))
}

/// What has elements: a slice, an array, or slices of the parts of tuples.
pub trait Elements {
    /// An element.
    type Element;
    /// The number of elements.
    fn length(&self) -> usize;
    /// An element, or a fault with a number.
    fn at(&self, index: usize, check: u32) -> Self::Element;
}

impl<T: Copy> Elements for &[T] {
    type Element = T;
    #[inline(always)]
    fn length(&self) -> usize {
        self.len()
    }
    #[inline(always)]
    fn at(&self, index: usize, check: u32) -> T {
        match self.get(index) {
            Some(element) => *element,
            None => outside(self, index, check),
        }
    }
}

impl<T: Copy, const N: usize> Elements for [T; N] {
    type Element = T;
    #[inline(always)]
    fn length(&self) -> usize {
        N
    }
    #[inline(always)]
    fn at(&self, index: usize, check: u32) -> T {
        match self.get(index) {
            Some(element) => *element,
            None => fault(check),
        }
    }
}

/// Arrays of the parts of tuples, of one length.
pub trait Together: Copy {
    /// The length of the first.
    fn count(self) -> usize;
    /// Each with this many elements.
    fn cut(self, count: usize) -> Self;
}

impl<T> Together for &[T] {
    #[inline(always)]
    fn count(self) -> usize {
        self.len()
    }
    #[inline(always)]
    fn cut(self, count: usize) -> Self {
        match self.get(..count) {
            Some(cut) => cut,
            None => fault(NEVER),
        }
    }
}

macro_rules! tuples {
    ($(($($name:ident $n:tt)+);)*) => {$(
        impl<$($name: Elements),+> Elements for ($($name,)+) {
            type Element = ($($name::Element,)+);
            #[inline(always)]
            fn length(&self) -> usize {
                self.0.length()
            }
            #[inline(always)]
            fn at(&self, index: usize, check: u32) -> Self::Element {
                ($(self.$n.at(index, check),)+)
            }
        }
        impl<$($name: Together),+> Together for ($($name,)+) {
            #[inline(always)]
            fn count(self) -> usize {
                self.0.count()
            }
            #[inline(always)]
            fn cut(self, count: usize) -> Self {
                ($(self.$n.cut(count),)+)
            }
        }
    )*};
}

tuples! {
    (A 0);
    (A 0 B 1);
    (A 0 B 1 C 2);
    (A 0 B 1 C 2 D 3);
    (A 0 B 1 C 2 D 3 E 4);
    (A 0 B 1 C 2 D 3 E 4 F 5);
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6);
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7);
}

/// Arrays of the parts of tuples, which a launch has found to be of one length: so the compiler knows it too.
#[inline(always)]
pub fn together<T: Together>(arrays: T) -> T {
    arrays.cut(arrays.count())
}

/// The number of elements.
#[inline(always)]
pub fn length<E: Elements>(of: &E) -> u64 {
    of.length() as u64
}

/// An element, or a fault.
#[inline(always)]
pub fn at<E: Elements>(of: &E, index: u64, check: u32) -> E::Element {
    match usize::try_from(index) {
        Ok(index) => of.at(index, check),
        Err(_) => fault(check),
    }
}

/// An element of an array, to be changed, or a fault.
#[inline(always)]
pub fn at_mut<T, const N: usize>(of: &mut [T; N], index: u64, check: u32) -> &mut T {
    match usize::try_from(index).ok().and_then(|n| of.get_mut(n)) {
        Some(element) => element,
        None => fault(check),
    }
}

/// Integers, divided as on the host.
pub trait Division: Copy {
    /// Is it 0?
    fn is_zero(self) -> bool;
    /// The quotient, if there is one.
    fn quotient(self, by: Self) -> Option<Self>;
    /// The remainder, if there is one.
    fn remainder(self, by: Self) -> Option<Self>;
    /// The quotient that leaves a remainder that is not negative, if there is one.
    fn quotient_euclid(self, by: Self) -> Option<Self>;
    /// The remainder that is not negative, if there is one.
    fn remainder_euclid(self, by: Self) -> Option<Self>;
}

macro_rules! division {
    ($($ty:ident)*) => {$(
        impl Division for $ty {
            #[inline(always)]
            fn is_zero(self) -> bool {
                self == 0
            }
            #[inline(always)]
            fn quotient(self, by: Self) -> Option<Self> {
                self.checked_div(by)
            }
            #[inline(always)]
            fn remainder(self, by: Self) -> Option<Self> {
                self.checked_rem(by)
            }
            #[inline(always)]
            fn quotient_euclid(self, by: Self) -> Option<Self> {
                self.checked_div_euclid(by)
            }
            #[inline(always)]
            fn remainder_euclid(self, by: Self) -> Option<Self> {
                self.checked_rem_euclid(by)
            }
        }
    )*};
}

division! { u8 u16 u32 u64 i8 i16 i32 i64 }

/// The fault of a division: by 0, or else of a result that does not fit.
#[cold]
fn undivided<T: Division>(by: T, [by_zero, overflow]: [u32; 2]) -> ! {
    fault(if by.is_zero() { by_zero } else { overflow })
}

/// The quotient, or a fault.
#[inline(always)]
pub fn div<T: Division>(x: T, y: T, checks: [u32; 2]) -> T {
    match x.quotient(y) {
        Some(quotient) => quotient,
        None => undivided(y, checks),
    }
}

/// The remainder, or a fault.
#[inline(always)]
pub fn rem<T: Division>(x: T, y: T, checks: [u32; 2]) -> T {
    match x.remainder(y) {
        Some(remainder) => remainder,
        None => undivided(y, checks),
    }
}

/// The quotient that leaves a remainder that is not negative, or a fault.
#[inline(always)]
pub fn div_euclid<T: Division>(x: T, y: T, checks: [u32; 2]) -> T {
    match x.quotient_euclid(y) {
        Some(quotient) => quotient,
        None => undivided(y, checks),
    }
}

/// The remainder that is not negative, or a fault.
#[inline(always)]
pub fn rem_euclid<T: Division>(x: T, y: T, checks: [u32; 2]) -> T {
    match x.remainder_euclid(y) {
        Some(remainder) => remainder,
        None => undivided(y, checks),
    }
}

/// The step of a loop, which is not 0, or a fault.
#[inline(always)]
pub fn step(step: u64, check: u32) -> u64 {
    if step == 0 { fault(check) } else { step }
}

/// A fault for a loop of more rounds than the device counts; `distance` is from its first number to the last one.
#[inline(always)]
pub fn rounds(distance: u64, step: u64, check: u32) {
    if distance / step >= u64::from(u32::MAX) {
        fault(check)
    }
}

/// The number of elements of a range. A launch has found that it fits.
#[inline(always)]
pub fn length_of<const D: usize>(extents: [u32; D]) -> u32 {
    extents.into_iter().fold(1, u32::wrapping_mul)
}

/// The coordinates of an element.
#[inline(always)]
pub fn first_of<const D: usize>(element: u32, extents: [u32; D]) -> [u32; D] {
    let (mut at, mut rest) = ([0; D], element);
    for (coordinate, extent) in at.iter_mut().zip(extents).rev() {
        *coordinate = rest.checked_rem(extent).unwrap_or_default();
        rest = rest.checked_div(extent).unwrap_or_default();
    }
    at
}
