//! A red or black half step in place on a matrix of any width.

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn run(color: EU32, m: MGlobal<EU32>, width: EU32) -> Program<Grid, ()> {
        let n = m.len();
        require(n.multiple_of(width));
        let h = n / width;
        distr_par((n + 255) / 256, |b| {
            for_all(256, |t| {
                let i = b * 256 + t;
                let (y, x) = (i / width, i % width);
                let go = || {
                    let l = m.read(i - 1)?;
                    let r = m.read(i + 1)?;
                    let u = m.read(i - width)?;
                    let d = m.read(i + width)?;
                    m.write(i, (l + r + u + d) / 4)
                };
                cond(
                    (i < n)
                        & (y > 0)
                        & (x > 0)
                        & (y + 1 < h)
                        & (x + 1 < width)
                        & ((x + y) % 2 == color),
                    go(),
                    pure(()),
                )
            })
        })
    }
}

#[test]
fn agrees() {
    let sizes = [(0, 3), (1, 1), (17, 2), (33, 31)];
    let cases = sizes
        .into_iter()
        .flat_map(|size| [0, 1].map(|color| (size, color)));
    hold(
        &m::run::kernel(),
        m::run::CUDA,
        cases,
        |device, ((h, w), color)| {
            let mut io = device.upload(&samples::<u32>(h * w))?;
            m::run::launch(device, *color, &mut io, *w as u32)?;
            Ok(io)
        },
        |((h, w), color): &((usize, usize), u32)| {
            let (h, w) = (*h as i64, *w as i64);
            picture(h as usize, w as usize, |at, y, x| {
                let inner = y > 0 && x > 0 && y + 1 < h && x + 1 < w;
                let sides = [(0, -1), (0, 1), (-1, 0), (1, 0)];
                let sides = sides.map(|(dy, dx)| at(y + dy, x + dx));
                match inner && (x + y) % 2 == i64::from(*color) {
                    true => sides.iter().sum::<u32>() / 4,
                    false => at(y, x),
                }
            })
        },
    );
}
