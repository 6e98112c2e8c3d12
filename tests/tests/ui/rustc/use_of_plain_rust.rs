//! `use` of a function of the host.

use obsidian_rt::prelude::*;

mod host {
    pub fn twice(x: u32) -> u32 {
        x * 2
    }
}

#[kernels]
pub mod m {
    use super::host::twice;

    #[kernel]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(twice(32)).as_grid_map(|chunk| chunk.push())
    }
}

fn main() {
    let unrelated: u32 = "text";
}
