//! What the CPU code of a range calls: elements, divisions and loops, each with a fault where the host would
//! panic, and the coordinates of elements.

use std::panic::resume_unwind;

/// Something that would have been a panic on the host. Which one it was, the kernel tells.
pub(crate) struct Faulted;

/// Leaves the launch, all threads of it. No panic hook is called, as this is no panic.
#[cold]
#[inline(never)]
pub fn fault() -> ! {
    resume_unwind(Box::new(Faulted))
}

/// What has elements: a slice, an array, or slices of the parts of tuples.
pub trait Elements {
    /// An element.
    type Element;
    /// The number of elements.
    fn length(&self) -> usize;
    /// An element, or a fault.
    fn at(&self, index: usize) -> Self::Element;
}

impl<T: Copy> Elements for &[T] {
    type Element = T;
    #[inline(always)]
    fn length(&self) -> usize {
        self.len()
    }
    #[inline(always)]
    fn at(&self, index: usize) -> T {
        match self.get(index) {
            Some(element) => *element,
            None => fault(),
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
    fn at(&self, index: usize) -> T {
        match self.get(index) {
            Some(element) => *element,
            None => fault(),
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
            None => fault(),
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
            fn at(&self, index: usize) -> Self::Element {
                ($(self.$n.at(index),)+)
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
pub fn at<E: Elements>(of: &E, index: u64) -> E::Element {
    match usize::try_from(index) {
        Ok(index) => of.at(index),
        Err(_) => fault(),
    }
}

/// An element of an array, to be changed, or a fault.
#[inline(always)]
pub fn at_mut<T, const N: usize>(of: &mut [T; N], index: u64) -> &mut T {
    match usize::try_from(index).ok().and_then(|n| of.get_mut(n)) {
        Some(element) => element,
        None => fault(),
    }
}

/// Integers, divided as on the host.
pub trait Division: Sized {
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

/// The quotient, or a fault.
#[inline(always)]
pub fn div<T: Division>(x: T, y: T) -> T {
    match x.quotient(y) {
        Some(quotient) => quotient,
        None => fault(),
    }
}

/// The remainder, or a fault.
#[inline(always)]
pub fn rem<T: Division>(x: T, y: T) -> T {
    match x.remainder(y) {
        Some(remainder) => remainder,
        None => fault(),
    }
}

/// The quotient that leaves a remainder that is not negative, or a fault.
#[inline(always)]
pub fn div_euclid<T: Division>(x: T, y: T) -> T {
    match x.quotient_euclid(y) {
        Some(quotient) => quotient,
        None => fault(),
    }
}

/// The remainder that is not negative, or a fault.
#[inline(always)]
pub fn rem_euclid<T: Division>(x: T, y: T) -> T {
    match x.remainder_euclid(y) {
        Some(remainder) => remainder,
        None => fault(),
    }
}

/// The step of a loop, which is not 0, or a fault.
#[inline(always)]
pub fn step(step: u64) -> u64 {
    if step == 0 { fault() } else { step }
}

/// A fault for a loop of more rounds than the device counts; `distance` is from its first number to the last one.
#[inline(always)]
pub fn rounds(distance: u64, step: u64) {
    if distance / step >= u64::from(u32::MAX) {
        fault()
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
