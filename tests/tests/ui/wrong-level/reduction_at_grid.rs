//! A reduction by all blocks together.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
        let all = generate(64, |i| input[i]);
        require(input.len().at_least(64));
        reduce::<Grid, _>(|x, y| x + y, all).to_dyn()
    }
}

fn main() {}
