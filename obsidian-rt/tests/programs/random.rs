//! What random programs are drawn by.

/// Numbers from a seed: SplitMix64.
pub struct Numbers(pub u64);

impl Numbers {
    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }
}

/// The first of the seeds, which is printed.
pub fn first_seed() -> u64 {
    let first = match std::env::var("OBSIDIAN_SEED") {
        Ok(seed) => seed.parse().unwrap(),
        Err(_) => 1,
    };
    println!("seeds from {first}");
    first
}
