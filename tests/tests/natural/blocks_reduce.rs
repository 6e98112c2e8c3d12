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
    /// Of all elements, of which there may be none.
    #[kernel(threads = 64)]
    pub fn all(x: DPull<(EU32, EU32)>) -> DPush<Grid, (EU32, EU32)> {
        mk_push(lit(1), |write| {
            distr_par(1, |_| {
                let all = block_reduce(then, (3, 5), x)?;
                single_thread(write(all, lit(0)))
            })
        })
    }
    /// Twice in a kernel, and of other arrays: functions, and one of static length.
    #[kernel(threads = 64)]
    pub fn sums(x: DPull<EU32>) -> DPush<Grid, EU32> {
        mk_push(lit(3), |write| {
            distr_par(1, |_| {
                let sum = block_reduce_commutative(|a, b| a + b, 7, x)?;
                let squares = block_reduce_commutative(|a, b| a + b, 0, x.map(|x| x * sum))?;
                let fixed = block_reduce(|a, b| a + b, sum, iota(1000))?;
                for_all(3, |i| {
                    write(select(i == 0, sum, select(i == 1, squares, fixed)), i)
                })
            })
        })
    }
    #[kernel(threads = 96)]
    pub fn warps(x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.split_up(120).as_grid_map(|rows| {
            let sum = |row: Pull<EU32>| warp_reduce_commutative(|a, b| a + b, 7, row);
            rows.split_up(40)
                .as_block_map(|row| exec_warp_value(sum(row)))
        })
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

/// Widths around a thread's run.
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

#[test]
fn all() {
    hold(
        &m::all::kernel(),
        m::all::CUDA,
        [0, 1, 2, 255, 256, 257, 3000].map(|n| (1, n)),
        |device, (_, n)| {
            let a = device.upload(&samples::<u32>(*n))?;
            let b = device.upload(&samples::<u32>(n + 1)[1..])?;
            m::all::launch(device, (&a, &b))
        },
        folded,
    );
}

#[test]
fn sums() {
    hold(
        &m::sums::kernel(),
        m::sums::CUDA,
        SIZES.map(samples::<u32>),
        |device, x| m::sums::launch(device, &device.upload(x)?),
        |x: &Vec<u32>| {
            let sum = x.iter().fold(7u32, |sum, x| sum.wrapping_add(*x));
            let squares = x.iter().map(|x| x.wrapping_mul(sum));
            let squares = squares.fold(0, u32::wrapping_add);
            vec![sum, squares, sum.wrapping_add(499_500)]
        },
    );
}

#[test]
fn warps() {
    hold(
        &m::warps::kernel(),
        m::warps::CUDA,
        [0, 1, 3].map(|n| samples::<u32>(n * 120)),
        |device, x| m::warps::launch(device, &device.upload(x)?),
        |x: &Vec<u32>| {
            let sum = |row: &[u32]| row.iter().fold(7u32, |sum, x| sum.wrapping_add(*x));
            x.chunks(40).map(sum).collect()
        },
    );
}
