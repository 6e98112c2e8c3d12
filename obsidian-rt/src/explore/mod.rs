//! Design-space exploration: many shapes of one kernel, and which is best.

pub mod cost;
mod gpu;
mod occupancy;
pub mod report;
mod result;

pub use gpu::Gpu;
pub use occupancy::{Limit, Occupancy};
pub use result::{Evaluated, Needs, Outcome, Point, Results, Value};
