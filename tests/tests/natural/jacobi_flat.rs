//! A step of Jacobi's method by the number of the element, whose row and column are divided out of it.

use crate::prelude::*;

#[kernels]
pub mod m {
    #[kernel]
    pub fn run(n: EU32, a: DPull<EU32>) -> DPush<Grid, EU32> {
        let m = a.in_rows(n);
        let h = m.height();
        mk_push(h * n, |write| {
            distr_par((h * n + 255) / 256, |b| {
                for_all(256, |t| {
                    let i = b * 256 + t;
                    let (y, x) = (i / n, i % n);
                    let inner = (y > 0) & (x > 0) & (y + 1 < h) & (x + 1 < n);
                    let go = || {
                        let all = a[i] + a[i - 1] + a[i + 1] + a[i - n] + a[i + n];
                        write(select(inner, all, a[i]), i)
                    };
                    cond(i < h * n, go(), pure(()))
                })
            })
        })
    }
}

#[test]
fn agrees() {
    hold(
        &m::run::kernel(),
        m::run::CUDA,
        PICTURES,
        |device, (h, w)| m::run::launch(device, *w as u32, &device.upload(&samples::<u32>(h * w))?),
        |(h, w): &(usize, usize)| {
            let (h, w) = (*h as i64, *w as i64);
            picture(h as usize, w as usize, |at, y, x| {
                let inner = y > 0 && x > 0 && y + 1 < h && x + 1 < w;
                let sides = [(0, -1), (0, 1), (-1, 0), (1, 0)];
                let sides = sides.map(|(dy, dx)| at(y + dy, x + dx));
                at(y, x) + if inner { sides.iter().sum() } else { 0 }
            })
        },
    );
}
