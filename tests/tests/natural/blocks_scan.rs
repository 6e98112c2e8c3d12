//! Scans of an array of any length by a block, a warp and a thread, with an operator that does not commute.

use crate::prelude::*;

#[kernels]
pub mod m {
    use obsidian_rt::algorithms::blocks::*;

    /// `x -> a * x + b` and then another such function.
    pub fn then(f: (EU32, EU32), g: (EU32, EU32)) -> (EU32, EU32) {
        (f.0 * g.0, f.1 * g.0 + g.1)
    }
    #[kernel(threads = 96)]
    pub fn block_inclusive(x: DPull<(EU32, EU32)>) -> DPush<Grid, (EU32, EU32)> {
        mk_push(x.len(), |write| {
            distr_par(1, |_| {
                block_inclusive_scan(then, x).push_to(|y, i| write(y, i))
            })
        })
    }
    #[kernel(threads = 64)]
    pub fn block_exclusive(x: DPull<(EU32, EU32)>) -> DPush<Grid, (EU32, EU32)> {
        mk_push(x.len(), |write| {
            distr_par(1, |_| {
                block_exclusive_scan(then, (3, 5), x).push_to(|y, i| write(y, i))
            })
        })
    }
    /// Several warps at once, and arrays of static length.
    #[kernel(threads = 128)]
    pub fn warps(x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.split_up(1200).as_grid_map(|rows| {
            rows.split_up(300)
                .as_block_map(|row| warp_inclusive_scan(|a, b| a + b, row))
        })
    }
    #[kernel(threads = 32)]
    pub fn warp_inclusive(x: DPull<(EU32, EU32)>) -> DPush<Grid, (EU32, EU32)> {
        mk_push(x.len(), |write| {
            distr_par(1, |_| {
                distr_par(1, |_| {
                    warp_inclusive_scan(then, x).push_to(|y, i| write(y, i))
                })
            })
        })
    }
    #[kernel(threads = 1)]
    pub fn warp_exclusive(x: DPull<(EU32, EU32)>) -> DPush<Grid, (EU32, EU32)> {
        mk_push(x.len(), |write| {
            distr_par(1, |_| {
                distr_par(1, |_| {
                    warp_exclusive_scan(then, (3, 5), x).push_to(|y, i| write(y, i))
                })
            })
        })
    }
    #[kernel]
    pub fn thread_inclusive(x: DPull<(EU32, EU32)>) -> DPush<Grid, (EU32, EU32)> {
        mk_push(x.len(), |write| {
            distr_par(1, |_| {
                single_thread(thread_inclusive_scan(then, x).push_to(|y, i| write(y, i)))
            })
        })
    }
    #[kernel]
    pub fn thread_exclusive(x: DPull<(EU32, EU32)>) -> DPush<Grid, (EU32, EU32)> {
        mk_push(x.len(), |write| {
            distr_par(1, |_| {
                single_thread(thread_exclusive_scan(then, (3, 5), x).push_to(|y, i| write(y, i)))
            })
        })
    }
}

type Functions = (Vec<u32>, Vec<u32>);

fn then((p, q): (u32, u32), (r, s): (u32, u32)) -> (u32, u32) {
    (p.wrapping_mul(r), q.wrapping_mul(r).wrapping_add(s))
}

fn inclusive((a, b): &Functions) -> Functions {
    let all = a.iter().copied().zip(b.iter().copied());
    let next = |sum: &mut (u32, u32), x| {
        *sum = then(*sum, x);
        Some(*sum)
    };
    all.scan((1, 0), next).unzip()
}

fn exclusive((a, b): &Functions) -> Functions {
    let all = a.iter().copied().zip(b.iter().copied());
    let next = |sum: &mut (u32, u32), x| {
        let before = *sum;
        *sum = then(*sum, x);
        Some(before)
    };
    all.scan((3, 5), next).unzip()
}

macro_rules! test {
    ($($name:ident $reference:ident)*) => {$(
        #[test]
        fn $name() {
            hold(
                &m::$name::kernel(),
                m::$name::CUDA,
                [0, 1, 2, 31, 127, 128, 129, 1000, 1023, 1024, 1025, 2500].map(|n| (samples::<u32>(n), samples::<u32>(n + 1)[1..].to_vec())),
                |device, (a, b)| m::$name::launch(device, (&device.upload(a)?, &device.upload(b)?)),
                $reference,
            );
        }
    )*};
}

test! {
    block_inclusive inclusive
    block_exclusive exclusive
    warp_inclusive inclusive
    warp_exclusive exclusive
    thread_inclusive inclusive
    thread_exclusive exclusive
}

#[test]
fn warps() {
    hold(
        &m::warps::kernel(),
        m::warps::CUDA,
        [0, 1, 2].map(|n| samples::<u32>(n * 1200)),
        |device, x| m::warps::launch(device, &device.upload(x)?),
        |x: &Vec<u32>| {
            let running = |row: &[u32]| {
                let next = |sum: &mut u32, x: &u32| {
                    *sum = sum.wrapping_add(*x);
                    Some(*sum)
                };
                row.iter().scan(0, next).collect::<Vec<u32>>()
            };
            x.chunks(300).flat_map(running).collect()
        },
    );
}
