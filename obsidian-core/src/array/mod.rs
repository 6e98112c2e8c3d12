//! Pull and push arrays.
//!
//! Neither is data in memory. A [`Pull`] array is a length and a function from an index to an
//! element; a [`Push`] array is a length and a program that pushes every element to a writer.
//! Operations on both fuse; only `compute` stores.

mod data;
mod element;
mod length;
mod pull;
mod push;
mod two;

pub use data::{Allocator, Choice, Data, Storable};
pub use element::Element;
pub use length::{Extent, Len, Length};
pub use pull::Pull;
pub use push::{IntoPush, Push, Writer};
pub use two::{IntoPush2, Pull2, Push2, Writer2};

pub(crate) use data::{load_any, no_elements, store_any};
pub(crate) use length::{common, common_of, of_arrays, require, require_if_known};
pub(crate) use two::Cell;

use crate::scalar::Exp;

/// A pull array whose length is known when the kernel is launched.
pub type DPull<T> = Pull<T, Exp<u32>>;
/// A pull array whose length is known at compile time.
pub type SPull<T> = Pull<T, u32>;
/// A push array whose length is known when the kernel is launched.
pub type DPush<L, T> = Push<L, T, Exp<u32>>;
/// A push array whose length is known at compile time.
pub type SPush<L, T> = Push<L, T, u32>;
/// A two-dimensional pull array whose height and width are known when the kernel is launched.
pub type DPull2<T> = Pull2<T, Exp<u32>>;
/// A two-dimensional push array whose height and width are known when the kernel is launched.
pub type DPush2<L, T> = Push2<L, T, Exp<u32>>;
