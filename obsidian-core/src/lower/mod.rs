//! From a program to a kernel: [`reify()`] runs the program into a tree of actions, [`strip()`] makes
//! its levels concrete, and [`share()`] binds what is used more than once.

mod reify;
mod share;
mod strip;

pub use reify::{Builder, KernelParameter, KernelResult, Reified, reify};
pub use share::{Chains, share};
pub use strip::strip;
