//! Whole-array programs: arrays that become as few kernels as they can.
//!
//! ```text
//! |xs, ys| zip_with(|x, y| x * y, xs, ys).fold(|a, b| a + b, 0.0)
//!    graph       0 input   1 input   2 zip_with   3 fold
//!    plan        one fold over the products, which nothing stores
//!    kernels     dotp_partial: a block folds 65,536 products; dotp: one block folds what these give;
//!                dotp_short: one block folds a row that is short
//!    schedule    launch dotp_partial(0, 1) -> 2; launch dotp(2) -> 3; free 2; or launch dotp_short(0, 1) -> 3
//! ```
//!
//! The user's function describes [`Arr`]s. Each is a node of a graph, and a function from an index to an element, so that
//! operations on elements and indices fuse by being composed. `fuse` decides which nodes are stored, and which are
//! computed together in one kernel. A skeleton makes each kernel, as a program of the kernel language. The [`Schedule`] is plain
//! data: what is launched with what, in which order.

mod alike;
mod any;
mod arr;
mod by_rows;
mod claims;
mod freeing;
mod fuse;
mod graph;
mod index;
mod item;
mod lifted;
mod local;
mod making;
mod numbers;
mod operations;
mod program;
mod shape;
mod signature;
mod skeleton;
mod weight;

#[cfg(feature = "front")]
pub(crate) use alike::Likeness;
#[doc(hidden)]
pub use any::named_types;
pub use any::{AnyArr, AnyElement, MOST_AXES, at_place};
pub use arr::{Arr, Arr0, Arr1, Arr2, Arr3, Arr4, IntoIndex};
#[doc(hidden)]
pub use by_rows::{ByRows, FoldedBy, by_rows};
#[doc(hidden)]
pub use graph::elements_asked_for;
#[cfg(feature = "front")]
pub(crate) use item::run_ahead;
pub use item::{Computed, Item};
#[cfg(feature = "front")]
pub(crate) use lifted::Axis;
pub use obsidian_base::schedule::{
    Argument, Claimed, Given, Launched, LiteralArray, NARROW, Only, Produced, SHORT, Schedule,
    Slot, Step, Where,
};
pub use operations::Boundary::{self, Clamp, Constant, Mirror, Wrap};
pub use operations::late;
pub use operations::{Elements, OfElements};
pub use operations::{Function, Neighbours, Window};
#[doc(hidden)]
pub use operations::{Made, Node, one_of};
pub use operations::{State, awhile, if_then, power};
pub use operations::{
    append, backpermute, each, enum_from_step, fill, gather, generate, iota, literal, unit, unzip,
    unzip3, zip, zip_with, zip_with3, zip_with4, zip3,
};
#[doc(hidden)]
pub use operations::{each_at_place, undivided};
#[cfg(feature = "front")]
pub(crate) use program::build_bounded;
pub use program::{Compiled, Settings, build, build_kernel};
pub use shape::{AnyShape, Extents, HasInner, HasOuter, Ix0, Ix1, Ix2, Ix3, Ix4, OneExtent, Shape};
pub use signature::{ArrayParameter, ArrayResult, Declared, Signature};

#[cfg(test)]
mod tests;
