//! Each step needs the two before it, under different conditions, 48 times.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel(threads = 64)]
    pub fn k(table: DPull<EU32>, keys: DPull<EU32>) -> DPush<Grid, EU32> {
        let c = table.take(64);
        keys.split_up(64).as_grid_map(|piece| {
            let steps = |i: EU32| {
                let (k, mut before, mut at) = (piece[i], i, c[i]);
                for s in 0..48u32 {
                    let next = select(k > s, c[at % 64] + before, select(i > s, at * 3, before));
                    before = at;
                    at = next;
                }
                at
            };
            generate(64, steps).push()
        })
    }
}

fn main() {}
