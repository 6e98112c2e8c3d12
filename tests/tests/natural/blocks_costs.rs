//! What the building blocks cost, as their documentation says: kernels of 256 threads over elements of 4 bytes.

use crate::prelude::*;

#[kernels]
pub mod m {
    use obsidian_rt::algorithms::blocks::*;

    #[kernel(threads = 256)]
    pub fn of_block_reduce(width: EU32, x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.in_rows(width)
            .rows()
            .as_grid_map(|row| exec_block_value(block_reduce(|a, b| a.max(b), 7, row)))
    }
    #[kernel(threads = 256)]
    pub fn of_block_reduce_commutative(width: EU32, x: DPull<EU32>) -> DPush<Grid, EU32> {
        let sum = |row: DPull<EU32>| block_reduce_commutative(|a, b| a.max(b), 7, row);
        x.in_rows(width)
            .rows()
            .as_grid_map(|row| exec_block_value(sum(row)))
    }
    #[kernel(threads = 256)]
    pub fn of_warp_reduce(width: EU32, x: DPull<EU32>) -> DPush<Grid, EU32> {
        let sum = |row: DPull<EU32>| exec_warp_value(warp_reduce(|a, b| a.max(b), 7, row));
        x.in_rows(width)
            .rows()
            .as_grid_map(|row| singleton(sum(row)).as_block())
    }
    #[kernel(threads = 256)]
    pub fn of_warp_reduce_commutative(width: EU32, x: DPull<EU32>) -> DPush<Grid, EU32> {
        let sum =
            |row: DPull<EU32>| exec_warp_value(warp_reduce_commutative(|a, b| a.max(b), 7, row));
        x.in_rows(width)
            .rows()
            .as_grid_map(|row| singleton(sum(row)).as_block())
    }
    #[kernel(threads = 256)]
    pub fn of_block_inclusive_scan(x: DPull<EU32>) -> DPush<Grid, EU32> {
        mk_push(x.len(), |write| {
            distr_par(1, |_| {
                block_inclusive_scan(|a, b| a.max(b), x).push_to(|y, i| write(y, i))
            })
        })
    }
    #[kernel(threads = 256)]
    pub fn of_block_exclusive_scan(x: DPull<EU32>) -> DPush<Grid, EU32> {
        mk_push(x.len(), |write| {
            distr_par(1, |_| {
                block_exclusive_scan(|a, b| a.max(b), 7, x).push_to(|y, i| write(y, i))
            })
        })
    }
    #[kernel(threads = 256)]
    pub fn of_warp_inclusive_scan(x: DPull<EU32>) -> DPush<Grid, EU32> {
        mk_push(x.len(), |write| {
            distr_par(1, |_| {
                distr_par(1, |_| {
                    warp_inclusive_scan(|a, b| a.max(b), x).push_to(|y, i| write(y, i))
                })
            })
        })
    }
    #[kernel(threads = 256)]
    pub fn of_warp_exclusive_scan(x: DPull<EU32>) -> DPush<Grid, EU32> {
        mk_push(x.len(), |write| {
            distr_par(1, |_| {
                distr_par(1, |_| {
                    warp_exclusive_scan(|a, b| a.max(b), 7, x).push_to(|y, i| write(y, i))
                })
            })
        })
    }
    #[kernel(threads = 256)]
    pub fn of_block_radix_rank(x: DPull<EU32>) -> DPush<Grid, EU32> {
        let ranks = |piece: Pull<EU32>| block_radix_rank(4, piece).map(|ranks| ranks.push());
        x.split_up(1024)
            .as_grid_map(|piece| exec_block(ranks(piece)))
    }
    #[kernel(threads = 256)]
    pub fn of_block_radix_sort(x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.split_up(1024)
            .as_grid_map(|piece| exec_block(block_radix_sort(4, |x| x, piece)))
    }
    #[kernel(threads = 256)]
    pub fn of_block_histogram(x: DPull<EU32>) -> DPush<Grid, EU32> {
        mk_push(lit(256), |write| {
            distr_par(1, |_| {
                let counts = block_histogram(256, x)?;
                counts.push_to(|n, bin| write(n, bin))
            })
        })
    }
    #[kernel(threads = 256)]
    pub fn of_block_merge(a: DPull<EU32>, b: DPull<EU32>) -> DPush<Grid, EU32> {
        mk_push(a.len() + b.len(), |write| {
            distr_par(1, |_| {
                block_merge(|x, y| x < y, a, b).push_to(|x, i| write(x, i))
            })
        })
    }
    #[kernel(threads = 256)]
    pub fn of_stencil_tiles(width: EU32, x: DPull<EU32>) -> DPush<Grid, EU32> {
        let sum = |window: Pull2<EU32>, _, _| window.at((0, 0)) + window.at((2, 2));
        stencil_tiles(16, 16, 1, sum, clamped(1, x.in_rows(width))).flat()
    }
}

/// The row of a function: places of barriers, of shuffles, and bytes of shared memory.
fn documented(name: &str) -> [u32; 3] {
    let text = include_str!("../../../obsidian-rt/src/algorithms/blocks.rs");
    let begin = format!("//! | [`{name}`] |");
    let rows: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix(&begin))
        .collect();
    let [row] = rows.as_slice() else {
        panic!("{} rows for {name}", rows.len());
    };
    let numbers: Vec<u32> = row
        .split('|')
        .filter_map(|cell| cell.split_whitespace().next()?.parse().ok())
        .collect();
    numbers
        .try_into()
        .unwrap_or_else(|_| panic!("{name}: {row}"))
}

#[test]
fn are_what_the_documentation_says() {
    let mut wrong = Vec::new();
    macro_rules! costs {
        ($($name:ident)*) => {$({
            let kernel = m::$name::kernel();
            let shuffles = kernel.cuda().matches("__shfl").count() as u32;
            let found = [kernel.barriers(), shuffles, kernel.shared_bytes()];
            if documented(stringify!($name).trim_start_matches("of_")) != found {
                wrong.push(format!("{}: {found:?}", stringify!($name)));
            }
        })*};
    }
    costs! {
        of_block_reduce of_block_reduce_commutative of_warp_reduce of_warp_reduce_commutative
        of_block_inclusive_scan of_block_exclusive_scan of_warp_inclusive_scan of_warp_exclusive_scan
        of_block_radix_rank of_block_radix_sort of_block_histogram of_block_merge of_stencil_tiles
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
