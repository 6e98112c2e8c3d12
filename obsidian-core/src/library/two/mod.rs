//! Two-dimensional arrays: made of flat ones, rearranged, cut into tiles, stored, and worked on by
//! the levels.

mod flat;
mod rearrange;
mod rounds;
mod store;
mod tiles;
mod works;

pub use rearrange::{generate2, zip_with2, zip_with2_shortest};
pub use rounds::{accumulate, accumulate2};
pub use store::{compute2, compute2_pitch};
pub use works::{exec_block2, exec_thread2, exec_warp2, exec2, gather2};
