//! Text for devices. Emission cannot fail: whatever could be wrong was found when the plan was made.

pub mod cpu;
mod cuda;
mod manifest;

pub use cuda::cuda;
pub use manifest::manifest;
