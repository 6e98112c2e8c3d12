//! Devices, lengths and random elements.

use obsidian_rt::Device;

/// Lengths below and above a warp, a block, and what one launch folds; and 0.
pub const LENGTHS: [usize; 8] = [0, 1, 2, 31, 33, 1000, 8193, 65_537];

/// The CPU at all lengths, the simulator at those that it has time for. Lengths above 10,000 need `OBSIDIAN_LONG=1`; `large` has one
/// in any case.
pub fn each(lengths: &[usize], test: impl Fn(&Device, usize)) {
    let is_long = std::env::var_os("OBSIDIAN_LONG").is_some();
    for n in lengths.iter().filter(|n| is_long || **n <= 10_000) {
        test(&Device::cpu(), *n);
        if *n <= 1000 {
            test(&Device::simulator(), *n);
        }
    }
}

/// Random bits by a seed, which is printed where a test fails.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        println!("seed {seed}");
        Random(seed)
    }

    /// SplitMix64.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        self.bits() % limit
    }

    /// In -1 to 1.
    pub fn float(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}
