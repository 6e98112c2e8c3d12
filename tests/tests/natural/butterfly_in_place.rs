//! A pass of a transform in place in global memory, the distance an argument.

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn run(distance: EU32, m: MGlobal<EU32>) -> Program<Grid, ()> {
        require(m.len().multiple_of(distance * 2));
        let pairs = m.len() / 2;
        distr_par((pairs + 255) / 256, |b| {
            for_all(256, |t| {
                let i = b * 256 + t;
                let step = || {
                    let low = i / distance * distance * 2 + i % distance;
                    let (x, y) = (m.read(low)?, m.read(low + distance)?);
                    m.write(low, x + y)?;
                    m.write(low + distance, x - y)
                };
                cond(i < pairs, step(), pure(()))
            })
        })
    }
}

#[test]
fn agrees() {
    hold(
        &m::run::kernel(),
        m::run::CUDA,
        [(0, 1), (2, 1), (16, 2), (96, 16), (600, 100)],
        |device, (n, distance)| {
            let mut io = device.upload(&samples::<u32>(*n))?;
            m::run::launch(device, *distance as u32, &mut io)?;
            Ok(io)
        },
        |(n, d): &(usize, usize)| {
            let mut x = samples::<u32>(*n);
            for c in x.chunks_mut(2 * d) {
                for i in 0..*d {
                    let (a, b) = (c[i], c[i + d]);
                    (c[i], c[i + d]) = (a.wrapping_add(b), a.wrapping_sub(b));
                }
            }
            x
        },
    );
}
