//! Two sorted arrays of any lengths merged by a block and by a warp, by the first field; the second says where an element is from.

use crate::prelude::*;

#[kernels]
pub mod m {
    use obsidian_rt::algorithms::blocks::*;

    #[kernel(threads = 128)]
    pub fn block(a: DPull<(EU32, EU32)>, b: DPull<(EU32, EU32)>) -> DPush<Grid, (EU32, EU32)> {
        mk_push(a.len() + b.len(), |write| {
            distr_par(1, |_| {
                block_merge(|x, y| x.0 < y.0, a, b).push_to(|x, i| write(x, i))
            })
        })
    }
    /// An order that is none, of arrays that are not sorted: elements of the arrays all the same.
    #[kernel(threads = 64)]
    pub fn unsorted(a: DPull<EU32>, b: DPull<EU32>) -> DPush<Grid, EBool> {
        mk_push(a.len() + b.len(), |write| {
            distr_par(1, |_| {
                let all = block_merge(|x, y| x % 3 <= y % 5, a, b);
                all.push_to(|x, i| write(x != 0, i))
            })
        })
    }
    #[kernel(threads = 33)]
    pub fn warp(a: DPull<(EU32, EU32)>, b: DPull<(EU32, EU32)>) -> DPush<Grid, (EU32, EU32)> {
        mk_push(a.len() + b.len(), |write| {
            distr_par(1, |_| {
                distr_par(1, |_| {
                    warp_merge(|x, y| x.0 < y.0, a, b).push_to(|x, i| write(x, i))
                })
            })
        })
    }
}

/// Lengths of the two arrays, and how many different keys there are.
const CASES: [(usize, usize, u32); 11] = [
    (0, 0, 1),
    (0, 1, 1),
    (1, 0, 1),
    (1, 1, 1),
    (5, 3, 1),
    (31, 33, 7),
    (64, 1, 100),
    (1, 64, 100),
    (0, 257, 9),
    (500, 0, 9),
    (1000, 777, 300),
];

fn keys(n: usize, different: u32) -> Vec<u32> {
    let mut all: Vec<u32> = samples::<u32>(n)
        .into_iter()
        .map(|x| x % different)
        .collect();
    all.sort_unstable();
    all
}

fn places(n: usize, from: u32) -> Vec<u32> {
    (0..n as u32).map(|i| from + i).collect()
}

fn merged((n, m, different): &(usize, usize, u32)) -> (Vec<u32>, Vec<u32>) {
    let a = keys(*n, *different).into_iter().zip(places(*n, 0));
    let b = keys(*m, *different).into_iter().zip(places(*m, 5000));
    let mut all: Vec<(u32, u32)> = a.chain(b).collect();
    all.sort_by_key(|x| x.0);
    all.into_iter().unzip()
}

macro_rules! test {
    ($($name:ident)*) => {$(
        #[test]
        fn $name() {
            hold(
                &m::$name::kernel(),
                m::$name::CUDA,
                CASES,
                |device, (n, m, different)| {
                    let a = (device.upload(&keys(*n, *different))?, device.upload(&places(*n, 0))?);
                    let b = (device.upload(&keys(*m, *different))?, device.upload(&places(*m, 5000))?);
                    m::$name::launch(device, (&a.0, &a.1), (&b.0, &b.1))
                },
                merged,
            );
        }
    )*};
}

test! { block warp }

#[test]
fn unsorted() {
    hold(
        &m::unsorted::kernel(),
        m::unsorted::CUDA,
        CASES,
        |device, (n, m, _)| {
            let odd = |n: &usize| -> Vec<u32> { samples(*n).iter().map(|x: &u32| x | 1).collect() };
            m::unsorted::launch(device, &device.upload(&odd(n))?, &device.upload(&odd(m))?)
        },
        |(n, m, _)| vec![true; n + m],
    );
}
