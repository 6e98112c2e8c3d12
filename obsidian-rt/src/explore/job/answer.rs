//! Answers of jobs.

use crate::backend::{HostArray, Memory};
use crate::buffer::Buffer;
use crate::device::Device;
use crate::element::Element;

/// Types of the answer of a [`Job`](super::Job): a `Vec` of elements, or a tuple of two or three.
///
/// ```
/// use obsidian_rt::explore::Job;
///
/// // Two answers: the sums and the products.
/// let _job = Job::new(vec![1u32, 2], |x| (x.iter().map(|x| x + 1).collect::<Vec<u32>>(), x.iter().map(|x| x * 2).collect::<Vec<u32>>()));
/// ```
pub trait Answer: Send + Sync + 'static {
    /// What a candidate gives: a [`Buffer`], or a tuple of them.
    type Buffers;
    #[doc(hidden)]
    fn arrays(self) -> Vec<HostArray>;
    #[doc(hidden)]
    fn memories(buffers: Self::Buffers) -> Vec<(Device, Memory)>;
}

impl<T: Element> Answer for Vec<T> {
    type Buffers = Buffer<T>;
    fn arrays(self) -> Vec<HostArray> {
        vec![HostArray::of(self)]
    }
    fn memories(buffer: Buffer<T>) -> Vec<(Device, Memory)> {
        vec![buffer.into_parts()]
    }
}

macro_rules! tuples {
    ($(($($ty:ident $n:tt)+);)*) => {$(
        impl<$($ty: Element),+> Answer for ($(Vec<$ty>,)+) {
            type Buffers = ($(Buffer<$ty>,)+);
            fn arrays(self) -> Vec<HostArray> {
                vec![$(HostArray::of(self.$n)),+]
            }
            fn memories(buffers: Self::Buffers) -> Vec<(Device, Memory)> {
                vec![$(buffers.$n.into_parts()),+]
            }
        }
    )*};
}

tuples! {
    (A 0 B 1);
    (A 0 B 1 C 2);
}
