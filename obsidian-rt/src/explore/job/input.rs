//! Inputs of jobs.

use obsidian_language::scalar::{Scalar, ScalarType};

use crate::backend::{HostArray, Memory};
use crate::buffer::Buffer;
use crate::device::Device;
use crate::element::Element;

/// How an input looks without its elements, which are kept once for all candidates.
#[derive(Debug)]
pub struct Shaped<S> {
    pub(crate) input: S,
    /// The bits of its numbers.
    pub(crate) scalars: Vec<u64>,
}

/// Gives what stands for the next array, of this type and length.
#[doc(hidden)]
pub type StandingIn<'a> = &'a mut dyn FnMut(ScalarType, usize) -> (Device, Memory);

/// Types of the input of a [`Job`](super::Job): a `Vec` of elements, a number, or a tuple of two to eight of these.
///
/// ```
/// use obsidian_rt::explore::Job;
///
/// // An array and a number.
/// let _job = Job::new((vec![1u32, 2], 10u32), |(x, by)| x.iter().map(|x| x * by).collect::<Vec<u32>>());
/// ```
pub trait Input: Send + Sync + 'static {
    /// Lengths and numbers.
    #[doc(hidden)]
    type Shape: Send + Sync + 'static;
    /// A buffer for each `Vec`.
    #[doc(hidden)]
    type Buffers;
    /// What a candidate is given: a `&Buffer` for each `Vec`, and the numbers; for several, a tuple of these.
    type Given<'a>;
    #[doc(hidden)]
    fn shape(&self) -> Shaped<Self::Shape>;
    #[doc(hidden)]
    fn arrays(self) -> Vec<HostArray>;
    #[doc(hidden)]
    fn buffers(shape: &Self::Shape, stand_in: StandingIn<'_>) -> Self::Buffers;
    #[doc(hidden)]
    fn given(buffers: &Self::Buffers) -> Self::Given<'_>;
}

/// One part of an [`Input`]: a `Vec` of elements, or a number.
///
/// ```
/// use obsidian_rt::Buffer;
/// use obsidian_rt::explore::InputPart;
///
/// fn given<T: InputPart>(_: T::Given<'_>) {}
///
/// given::<u32>(5); // a number is given as itself
/// let _array = given::<Vec<u32>> as fn(&Buffer<u32>); // an array as a buffer
/// ```
pub trait InputPart: Send + Sync + 'static {
    #[doc(hidden)]
    type Shape: Send + Sync + 'static;
    #[doc(hidden)]
    type Buffers;
    /// A `&Buffer`, or the number.
    type Given<'a>;
    #[doc(hidden)]
    fn shape(&self, scalars: &mut Vec<u64>) -> Self::Shape;
    #[doc(hidden)]
    fn array(self, arrays: &mut Vec<HostArray>);
    #[doc(hidden)]
    fn buffer(shape: &Self::Shape, stand_in: StandingIn<'_>) -> Self::Buffers;
    #[doc(hidden)]
    fn given(buffer: &Self::Buffers) -> Self::Given<'_>;
}

impl<T: Element> InputPart for Vec<T> {
    type Shape = usize;
    type Buffers = Buffer<T>;
    type Given<'a> = &'a Buffer<T>;
    fn shape(&self, _: &mut Vec<u64>) -> usize {
        self.len()
    }
    fn array(self, arrays: &mut Vec<HostArray>) {
        arrays.push(HostArray::of(self));
    }
    fn buffer(length: &usize, stand_in: StandingIn<'_>) -> Buffer<T> {
        let (device, memory) = stand_in(T::TYPE, *length);
        Buffer::new(device, memory)
    }
    fn given(buffer: &Buffer<T>) -> &Buffer<T> {
        buffer
    }
}

macro_rules! numbers {
    ($($ty:ident)*) => {$(
        impl InputPart for $ty {
            type Shape = $ty;
            type Buffers = $ty;
            type Given<'a> = $ty;
            fn shape(&self, scalars: &mut Vec<u64>) -> $ty {
                scalars.push(self.literal().bits());
                *self
            }
            fn array(self, _: &mut Vec<HostArray>) {}
            fn buffer(shape: &$ty, _: StandingIn<'_>) -> $ty {
                *shape
            }
            fn given(buffer: &$ty) -> $ty {
                *buffer
            }
        }
    )*};
}

numbers! { bool u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 }

impl<P: InputPart> Input for P {
    type Shape = P::Shape;
    type Buffers = P::Buffers;
    type Given<'a> = P::Given<'a>;
    fn shape(&self) -> Shaped<P::Shape> {
        let mut scalars = Vec::new();
        let input = InputPart::shape(self, &mut scalars);
        Shaped { input, scalars }
    }
    fn arrays(self) -> Vec<HostArray> {
        let mut arrays = Vec::new();
        self.array(&mut arrays);
        arrays
    }
    fn buffers(shape: &P::Shape, stand_in: StandingIn<'_>) -> P::Buffers {
        P::buffer(shape, stand_in)
    }
    fn given(buffers: &P::Buffers) -> P::Given<'_> {
        <P as InputPart>::given(buffers)
    }
}

/// Nothing: the kernel makes its elements.
impl Input for () {
    type Shape = ();
    type Buffers = ();
    type Given<'a> = ();
    fn shape(&self) -> Shaped<()> {
        Shaped {
            input: (),
            scalars: Vec::new(),
        }
    }
    fn arrays(self) -> Vec<HostArray> {
        Vec::new()
    }
    fn buffers((): &(), _: StandingIn<'_>) {}
    fn given((): &()) {}
}

macro_rules! tuples {
    ($(($($ty:ident $n:tt)+);)*) => {$(
        impl<$($ty: InputPart),+> Input for ($($ty,)+) {
            type Shape = ($($ty::Shape,)+);
            type Buffers = ($($ty::Buffers,)+);
            type Given<'a> = ($($ty::Given<'a>,)+);
            fn shape(&self) -> Shaped<Self::Shape> {
                let mut scalars = Vec::new();
                let input = ($(self.$n.shape(&mut scalars),)+);
                Shaped { input, scalars }
            }
            fn arrays(self) -> Vec<HostArray> {
                let mut arrays = Vec::new();
                $(self.$n.array(&mut arrays);)+
                arrays
            }
            fn buffers(shape: &Self::Shape, stand_in: StandingIn<'_>) -> Self::Buffers {
                ($($ty::buffer(&shape.$n, stand_in),)+)
            }
            fn given(buffers: &Self::Buffers) -> Self::Given<'_> {
                ($(<$ty as InputPart>::given(&buffers.$n),)+)
            }
        }
    )*};
}

tuples! {
    (A 0 B 1);
    (A 0 B 1 C 2);
    (A 0 B 1 C 2 D 3);
    (A 0 B 1 C 2 D 3 E 4);
    (A 0 B 1 C 2 D 3 E 4 F 5);
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6);
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7);
}
