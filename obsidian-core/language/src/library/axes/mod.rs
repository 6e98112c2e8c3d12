//! Arrays of several axes: made of lists, rearranged, cut into tiles, and stored with a pitch.

mod flat;
mod pitch;
mod rearrange;
mod tiles;

pub use pitch::*;
pub use rearrange::*;
