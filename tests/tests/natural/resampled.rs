//! The nearest element of an array of another length, by a product that may wrap around.

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn run(x: DPull<EU32>, n: EU32) -> DPush<Grid, EU32> {
        generate(n, |i| x[i * x.len() / n])
            .chunks(256, lit(0u32))
            .as_grid_map(|c| c.push())
            .take(n)
    }
}

#[test]
fn agrees() {
    let sizes = [
        (0, 0),
        (1, 0),
        (1, 5),
        (7, 3),
        (300, 1000),
        (1000, 300),
        (257, 257),
    ];
    hold(
        &m::run::kernel(),
        m::run::CUDA,
        sizes.map(|(length, n)| (samples::<u32>(length), n)),
        |device, (x, n)| m::run::launch(device, &device.upload(x)?, *n),
        |(x, n): &(Vec<u32>, u32)| {
            let n = *n as usize;
            (0..n).map(|i| x[i * x.len() / n]).collect()
        },
    );
}

/// Of no elements there is no nearest one.
#[test]
fn an_empty_array_has_no_nearest_element() {
    for device in [obsidian_rt::Device::cpu(), obsidian_rt::Device::simulator()] {
        let x = device.upload(&samples::<u32>(0)).unwrap();
        let refused = m::run::launch(&device, &x, 5).unwrap_err().to_string();
        assert!(refused.contains("`x` has 0 elements"), "{refused}");
    }
}
