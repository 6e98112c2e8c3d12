//! Pieces of 64 elements, the last one shorter.

refused! {

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel(threads = 64)]
    pub fn run(x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.chunks_len(64).as_grid_map(|c| c.map(|x| x + 1).push())
    }
}

#[test]
fn agrees() {
    hold(
        &m::run::kernel(),
        m::run::CUDA,
        SIZES.map(samples::<u32>),
        |device, x| m::run::launch(device, &device.upload(x)?),
        |x: &Vec<u32>| x.iter().map(|x| x + 1).collect(),
    );
}

}
