//! An iterator that device functions do not have, in a `for`.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[device]
    pub fn f(t: &[f32]) -> f32 {
        let mut sum = 0.0;
        for w in t.windows(2) {
            sum += w[0] * w[1];
        }
        sum
    }
}

fn main() {}
