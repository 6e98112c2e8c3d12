//! Rows of a width known at launch, folded by blocks, warps and threads with an operator that does not commute.

use crate::prelude::*;

#[kernels]
pub mod m {
    use obsidian_rt::algorithms::blocks::*;

    /// `x -> a * x + b` and then another such function.
    pub fn then(f: (EU32, EU32), g: (EU32, EU32)) -> (EU32, EU32) {
        (f.0 * g.0, f.1 * g.0 + g.1)
    }
    #[kernel(threads = 64)]
    pub fn block(width: EU32, x: DPull<(EU32, EU32)>) -> DPush<Grid, (EU32, EU32)> {
        x.in_rows(width)
            .rows()
            .as_grid_map(|row| exec_block_value(block_reduce(then, (3, 5), row)))
    }
    #[kernel(threads = 33)]
    pub fn warp(width: EU32, x: DPull<(EU32, EU32)>) -> DPush<Grid, (EU32, EU32)> {
        let rows = x.in_rows(width).rows();
        let each = |row: DPull<(EU32, EU32)>| exec_warp_value(warp_reduce(then, (3, 5), row));
        let works = rows.map(each);
        works.map(|work| singleton(work).as_block()).as_grid()
    }
    #[kernel]
    pub fn thread(width: EU32, x: DPull<(EU32, EU32)>) -> DPush<Grid, (EU32, EU32)> {
        let rows = x.in_rows(width).rows();
        rows.map(|row| singleton(exec_thread_value(thread_reduce(then, (3, 5), row))).as_block())
            .as_grid()
    }
}

fn folded((h, w): &(usize, usize)) -> (Vec<u32>, Vec<u32>) {
    let (a, b) = (
        samples::<u32>(h * w),
        samples::<u32>(h * w + 1)[1..].to_vec(),
    );
    let then = |(p, q): (u32, u32), (r, s): (u32, u32)| {
        (p.wrapping_mul(r), q.wrapping_mul(r).wrapping_add(s))
    };
    (0..*h)
        .map(|y| {
            (0..*w)
                .map(|x| (a[y * w + x], b[y * w + x]))
                .fold((3, 5), then)
        })
        .unzip()
}

macro_rules! test {
    ($($name:ident)*) => {$(
        #[test]
        fn $name() {
            hold(
                &m::$name::kernel(),
                m::$name::CUDA,
                WIDTHS,
                |device, (h, w)| {
                    let a = device.upload(&samples::<u32>(h * w))?;
                    let b = device.upload(&samples::<u32>(h * w + 1)[1..])?;
                    m::$name::launch(device, *w as u32, (&a, &b))
                },
                folded,
            );
        }
    )*};
}

/// Widths around a thread's run, and none.
const WIDTHS: [(usize, usize); 9] = [
    (1, 1),
    (2, 2),
    (3, 31),
    (2, 33),
    (2, 255),
    (2, 257),
    (1, 513),
    (1, 1000),
    (2, 2049),
];

test! { block warp thread }
