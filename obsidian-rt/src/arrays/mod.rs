//! Whole-array programs, run on any device.
//!
//! What [`TypedKernel`](crate::TypedKernel) is for one kernel, an [`ArrayProgram`] is for a program over arrays: a closure describes what is to be
//! computed, and how that becomes kernels is decided for it.
//!
//! ```
//! use obsidian_rt::{Device, arrays::*, language::EF32};
//!
//! # fn main() -> obsidian_rt::Result<()> {
//! let dotp = ArrayProgram::build("dotp", |xs: Arr1<EF32>, ys: Arr1<EF32>| {
//!     zip_with(|x, y| x * y, xs, ys).fold(|a, b| a + b, obsidian_rt::language::lit(0.0))
//! })?;
//! let device = Device::cpu();
//! let xs = device.array([3], &[1.0f32, 2.0, 3.0])?;
//! let ys = device.array([3], &[4.0f32, 5.0, 6.0])?;
//! assert_eq!(dotp.run(&device, (&xs, &ys))?.value()?, 32.0);
//! assert_eq!(dotp.schedule().operators(), 1); // the products are never stored
//! # Ok(())
//! # }
//! ```

#[cfg(not(feature = "run-time"))]
mod absent;
mod any;
mod array;
#[cfg(feature = "run-time")]
mod build;
mod literals;
mod program;
mod run;

pub use any::{AnyArray, AnyInputs, AnyProgram};
pub use array::{Array, ArrayView, Extents as ArrayExtents, HostItem, Rank};
pub use obsidian_language::arrays::{
    AnyArr, AnyElement, AnyShape, Argument, Arr, Arr0, Arr1, Arr2, Arr3, Arr4, Boundary, Claimed,
    Clamp, Computed, Constant, Elements, Extents, FEW, Function, Given, HasInner, HasOuter,
    IntoIndex, Item, Ix0, Ix1, Ix2, Ix3, Ix4, Launched, LiteralArray, MIDDLE, MOST_AXES, Mirror,
    NARROW, Neighbours, OfElements, OneExtent, Only, Produced, SHORT, Schedule, Settings, Shape,
    Slot, State, Step, Where, Window, Wrap, append, at_place, awhile, backpermute, each,
    enum_from_step, fill, gather, generate, if_then, iota, literal, power, unit, unzip, unzip3,
    zip, zip_with, zip_with3, zip_with4, zip3,
};
pub use program::{
    ArrayFn, ArrayParameters, ArrayProgram, HostOf, RunInput, RunInputs, RunParameter, RunResult,
    Value,
};
#[cfg(all(feature = "algorithms", not(test)))]
pub(crate) use run::Run;
