//! Text for devices. Emission cannot fail: whatever could be wrong was found when the plan was made.

pub mod cpu;
pub mod cuda;
pub mod manifest;
