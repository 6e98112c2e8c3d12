//! From a program to a kernel: [`reify()`] runs the program into a tree of actions, [`strip()`] makes
//! its levels concrete, [`fills()`] finds the fill of pieces in outputs, and [`share()`] binds what is used more than once.

mod fills;
mod share;
mod strip;

pub use fills::fills;
pub use obsidian_language::reify::{Builder, KernelParameter, KernelResult, Reified, reify};
pub use share::{Chains, share};
pub use strip::strip;
