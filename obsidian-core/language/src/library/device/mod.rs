//! Device functions: plain Rust functions that are compiled for the device too.
//!
//! The front end resolves one to a [tree](Device). [`run`] makes of it what one thread does, here as
//! everywhere else once for the evaluator and for native builds: generated code carries the tree as
//! [numbers](Device::words). A [`range`] calls a function for each element of an output.

mod choices;
mod counting;
mod elements;
#[doc(hidden)]
pub mod faults;
mod loops;
mod native;
mod operators;
mod range;
mod regions;
mod run;
mod stored;
mod tree;
mod values;
mod words;

pub use native::{FromVal, Function, IntoVal, Places, place};
pub use range::range;
pub use run::{Placing, run};
pub use stored::{WIDTH, grouped, part, way};
pub use tree::{Code, Device, Expr, Made, NOWHERE, Num, Place, Range, Slot, Step, Stmt, Ty};
pub use values::{Slice, Val};
