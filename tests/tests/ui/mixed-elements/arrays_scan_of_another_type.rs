//! A scan gives elements of the type that it combines.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[arrays]
    pub fn f(xs: Arr1<EU32>) -> Arr1<EU32> {
        xs.inclusive_scan(|x, y| x as f32 + y as f32)
    }
}

fn main() {}

// Write `xs.map(|x| x as f32).inclusive_scan(|x, y| x + y).map(|x| x as u32)` in place of `xs.inclusive_scan(|x, y| x as f32 + y as f32)`.
