//! Sequences: chunk by chunk against whole arrays and plain Rust.

mod arrays;
mod bits;
mod carried;
mod consumers;
mod each;
mod errors;
mod files;
mod in_chunks;
#[path = "../programs/random.rs"]
mod random;
mod segments;
mod sources;

use obsidian_rt::Device;

/// The devices that every machine has.
fn devices() -> [Device; 2] {
    [Device::cpu(), Device::simulator()]
}

/// A file for the time of a test.
struct Scratch(std::path::PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let file = format!("obsidian-sequence-{}-{name}", std::process::id());
        Scratch(std::env::temp_dir().join(file))
    }
    fn of(name: &str, bytes: &[u8]) -> Self {
        let own = Scratch::new(name);
        std::fs::write(&own.0, bytes).unwrap();
        own
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Numbers that tell an order of additions.
fn floats(n: usize) -> Vec<f32> {
    let mut state = 1u32;
    let next = |_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / 1000.0
    };
    (0..n).map(next).collect()
}
