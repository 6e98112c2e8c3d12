//! Whole-array programs: arrays that become as few kernels as they can.
//!
//! The user's function describes [`Arr`]s. Each is a node of a graph, and a function from an index to an element, so that
//! operations on elements and indices fuse by being composed. The compiler decides what is stored, makes the kernels, and gives a [`Schedule`].

#[doc(hidden)]
pub mod any;
#[doc(hidden)]
pub mod arr;
#[doc(hidden)]
pub mod claims;
#[doc(hidden)]
pub mod digits;
#[doc(hidden)]
pub mod graph;
#[doc(hidden)]
pub mod index;
#[doc(hidden)]
pub mod item;
#[doc(hidden)]
pub mod lifted;
#[doc(hidden)]
pub mod local;
mod operations;
#[doc(hidden)]
pub mod operator;
mod settings;
mod shape;
mod signature;

#[doc(hidden)]
pub use any::named_types;
pub use any::{AnyArr, AnyElement, MOST_AXES, at_place};
pub use arr::{Arr, Arr0, Arr1, Arr2, Arr3, Arr4, IntoIndex};
#[doc(hidden)]
pub use graph::elements_asked_for;
pub use item::{Computed, Item};
pub use obsidian_base::schedule::{
    Argument, Claimed, FEW, Given, Launched, LiteralArray, MIDDLE, NARROW, Only, Produced, SHORT,
    Schedule, Slot, Step, Where,
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
pub use settings::Settings;
pub use shape::{AnyShape, Extents, HasInner, HasOuter, Ix0, Ix1, Ix2, Ix3, Ix4, OneExtent, Shape};
pub use signature::{ArrayParameter, ArrayResult, Declared, Signature};
#[doc(hidden)]
pub use signature::{Body, Bounds, Described};
