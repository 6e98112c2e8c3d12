//! Each 256 elements in the order of their numbers' bits reversed, as a scatter.

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn run(x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.split_up(256).as_grid_map(|c| {
            mk_push(256, |write| {
                for_all(256, |i| write(c[i], i.reverse_bits() >> 24))
            })
        })
    }
}

#[test]
fn agrees() {
    hold(
        &m::run::kernel(),
        m::run::CUDA,
        [0, 1, 3].map(|n| samples::<u32>(n * 256)),
        |device, x| m::run::launch(device, &device.upload(x)?),
        |x: &Vec<u32>| {
            x.chunks(256)
                .flat_map(|c| (0..256u32).map(|i| c[(i.reverse_bits() >> 24) as usize]))
                .collect()
        },
    );
}
