//! What a launch is predicted to cost.

use obsidian_core::simulate::Counts;

use super::gpu::Gpu;
use super::result::Needs;

/// A predicted cost.
#[derive(Clone, PartialEq, Debug)]
pub struct Prediction {
    /// Seconds of the whole launch.
    pub seconds: f64,
    /// Its parts.
    pub parts: Vec<(String, f64)>,
}

/// Predicts the cost of a launch from the counts of some of its blocks.
pub fn predict(_: &Gpu, needs: &Needs, counts: &Counts, counted_blocks: u64) -> Prediction {
    let scale = needs.blocks as f64 / counted_blocks.max(1) as f64;
    let sectors = counts.buffers.sectors as f64 * 32.0 / 192e9;
    let issue = counts.instructions.total() as f64 / 8e9;
    let waits = counts.block_waits as f64 * 2e-8 / (2048 / needs.threads.clamp(128, 2048)) as f64;
    let shared = (counts.shared.requests + counts.shared.bank_conflicts) as f64 / 8e9;
    let seconds = 5e-6 + scale * (sectors.max(issue + shared) + waits);
    Prediction { seconds, parts: vec![("memory".to_owned(), scale * sectors), ("issue".to_owned(), scale * issue)] }
}
