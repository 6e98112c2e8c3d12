//! What is wrong, and where.

mod diagnostic;
mod origin;

pub use diagnostic::{Diagnostic, Diagnostics, Kind};
pub use origin::{Origin, Origins, Site};
