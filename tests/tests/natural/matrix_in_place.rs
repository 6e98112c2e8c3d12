//! Each element of a matrix doubled in place, the width an argument.

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn run(width: EU32, m: MGlobal<EU32>) -> Program<Grid, ()> {
        distr_par(m.len() / width, |y| {
            for_all(width, |x| {
                let v = m.read(y * width + x)?;
                m.write(y * width + x, v * 2)
            })
        })
    }
}

#[test]
fn agrees() {
    hold(
        &m::run::kernel(),
        m::run::CUDA,
        [(0, 3), (1, 1), (3, 5), (7, 100), (64, 64)],
        |device, (height, width)| {
            let mut io = device.upload(&samples::<u32>(height * width))?;
            m::run::launch(device, *width as u32, &mut io)?;
            Ok(io)
        },
        |(height, width): &(usize, usize)| {
            samples::<u32>(height * width)
                .iter()
                .map(|x| x * 2)
                .collect()
        },
    );
}
