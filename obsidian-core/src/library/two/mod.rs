//! Two-dimensional arrays: made of flat ones, rearranged, cut into tiles, stored, and worked on by
//! the levels.

mod flat;
mod rearrange;
mod rounds;
mod store;
mod tiles;
mod works;

pub use rearrange::*;
pub use rounds::*;
pub use store::*;
pub use works::*;
