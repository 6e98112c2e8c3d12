//! A red and black half step in place on a matrix 64 wide.

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel(threads = 64)]
    pub fn run(m: MGlobal<EU32>) -> Program<Grid, ()> {
        let height = m.len() / 64;
        distr_par(height, |y| {
            for_all(32, |k| {
                let x = 2 * k + y % 2;
                let left = m.read(y * 64 + (x + 63) % 64)?;
                let right = m.read(y * 64 + (x + 1) % 64)?;
                m.write(y * 64 + x, (left + right) / 2)
            })
        })
    }
}

#[test]
fn agrees() {
    hold(
        &m::run::kernel(),
        m::run::CUDA,
        [0, 1, 2, 7, 33].map(|n| samples::<u32>(n * 64)),
        |device, x| {
            let mut io = device.upload(x)?;
            m::run::launch(device, &mut io)?;
            Ok(io)
        },
        |x: &Vec<u32>| {
            let mut m = x.clone();
            for (at, element) in m.iter_mut().enumerate() {
                let (y, c) = (at / 64, at % 64);
                if c % 2 == y % 2 {
                    *element = (x[y * 64 + (c + 63) % 64] + x[y * 64 + (c + 1) % 64]) / 2;
                }
            }
            m
        },
    );
}
