//! A kernel calls a function of another module with a length that does not suit it.

use obsidian_rt::prelude::*;

#[kernels]
pub mod library {
    pub fn quarters<T: Data>(arr: Pull<T>) -> Pull<Pull<T>> {
        arr.split_up(arr.len() / 4 + 1)
    }
}

#[kernels]
pub mod m {
    use super::library::quarters;

    #[kernel]
    pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|chunk| quarters(chunk).map(|q| q.first()).push())
    }
}

fn main() {
    println!("{}", m::k::CUDA);
}
