//! Inner arrays whose length the launch knows, and lists as inner arrays of matrices.

use obsidian_rt::prelude::*;
use obsidian_tests::{hold, samples};

#[kernels]
mod rows {
    use obsidian_rt::algorithms::blocks::*;

    /// A block for each row.
    #[kernel(threads = 64)]
    pub fn mapped(width: EU32, x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.in_rows(width)
            .rows()
            .as_grid_map(|row| row.map(|x| 2 * x + 1).push())
    }

    fn centred(row: DPull<EU32>) -> Program<Block, DPush<Block, EU32>> {
        let sum = block_reduce(|a, b| a + b, 0, row)?;
        pure(row.map(|x| 3 * x - sum).push())
    }

    /// A program of a block for each row, which reads the row twice.
    #[kernel(threads = 64)]
    pub fn less_their_sums(width: EU32, x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.in_rows(width)
            .rows()
            .as_grid_map(|row| exec_block(centred(row)))
    }

    /// A thread for each row, 8 rows a block: the inner arrays are dynamic, the outer ones static.
    #[kernel(threads = 32)]
    pub fn running(width: EU32, x: DPull<EU32>) -> DPush<Grid, EU32> {
        let rows = x.in_rows(width).rows();
        rows.split_up(8)
            .as_grid_map(|rows| rows.as_block_map(|row| seq_scan(|a, b| a + b, row)))
    }

    /// A value of a block for each plane.
    #[kernel(threads = 64)]
    pub fn planes(width: EU32, x: DPull<EU32>) -> DPush<Grid, EU32> {
        let depth = x.len() / (width * 2);
        x.as_3d(depth, 2, width).planes().as_grid_map(|plane| {
            exec_block_value(block_reduce_commutative(|a, b| a + b, 7, plane.flat()))
        })
    }

    /// A neighbour, by coordinates of 64 bits.
    #[kernel(threads = 64)]
    pub fn by_wide_coordinates(width: EU32, x: DPull<EU32>) -> DPush<Grid, EU32> {
        let m = x.in_rows(width);
        let (h, w) = m.shape();
        let all = generate((h, w), |(y, x)| {
            let (below, left) = (y as EI64 + 1, x as EI64 - 1);
            let inside = (below < h as EI64) & (left >= 0) & (left < w as EI64);
            select(inside, m.at((below as EU32, left as EU32)), 9)
        });
        let n = h * w;
        all.flat().chunks(64, 0).as_grid_map(|p| p.push()).take(n)
    }

    /// Three elements for each element of a matrix of any size, side by side.
    #[kernel(threads = 64)]
    pub fn thrice(width: EU32, x: DPull<EU32>) -> DPush<Grid, EU32> {
        let m = x.in_rows(width);
        let (h, w) = m.shape();
        let three = |x: EU32| generate(3, |i| x + i).push::<Thread>();
        let tiles = m.cover(4, 16).as_grid_map(|tile| tile.as_block_map(three));
        tiles.crop(h, 3 * w).flat()
    }

    /// A thread for each element of a matrix: its value is a list of one element.
    #[kernel(threads = 64)]
    pub fn powers(width: EU32, x: DPull<EU32>) -> DPush<Grid, EU32> {
        let m = x.in_rows(width);
        let (h, w) = m.shape();
        generate((h, w), |(y, x)| {
            exec_thread_value(seq_iterate(y % 5, |_, p| p * m.at((y, x)), 1))
        })
        .cover(4, 16)
        .as_grid_map(|tile| tile.as_block())
        .crop(h, w)
        .flat()
    }
}

/// Heights and widths: none, one, primes, a tile, and one more.
const SIZES: [usize; 6] = [1, 2, 7, 16, 17, 40];

/// Holds a kernel of a width and matrices of it to what the reference makes of a matrix.
macro_rules! fact_of_rows {
    ($($test:ident: $kernel:ident[$rows:expr] = $reference:expr;)*) => {$(
        #[test]
        fn $test() {
            for (n, width) in SIZES.into_iter().enumerate() {
                let reference: fn(&[u32], usize) -> Vec<u32> = $reference;
                hold(
                    &rows::$kernel::kernel(),
                    rows::$kernel::CUDA,
                    $rows * width * SIZES[(n + 3) % SIZES.len()],
                    |built, device, length| {
                        let x = device.upload(&samples::<u32>(length))?;
                        rows::$kernel::launch_kernel(built, device, width as u32, &x)
                    },
                    |length| reference(&samples(length), width),
                );
            }
        }
    )*};
}

fact_of_rows! {
    rows_are_mapped: mapped[1] = |x, _| x.iter().map(|x| x.wrapping_mul(2).wrapping_add(1)).collect();
    rows_are_centred: less_their_sums[1] = |x, width| x.chunks(width).flat_map(|row| {
        let sum = row.iter().fold(0, |a: u32, b| a.wrapping_add(*b));
        row.iter().map(move |x| x.wrapping_mul(3).wrapping_sub(sum))
    }).collect();
    rows_are_scanned: running[8] = |x, width| x.chunks(width).flat_map(|row| {
        row.iter().scan(0u32, |sum, x| { *sum = sum.wrapping_add(*x); Some(*sum) }).collect::<Vec<_>>()
    }).collect();
    planes_are_combined: planes[2] = |x, width| x.chunks(2 * width).map(|plane| plane.iter().fold(7, |a: u32, b| a.wrapping_add(*b))).collect();
    coordinates_may_be_wide: by_wide_coordinates[1] = |x, width| (0..x.len()).map(|i| {
        let inside = i + width < x.len() && i % width > 0;
        if inside { x[i + width - 1] } else { 9 }
    }).collect();
    elements_are_lists: thrice[1] = |x, _| x.iter().flat_map(|x| (0..3).map(|i| x.wrapping_add(i))).collect();
    elements_are_values: powers[1] = |x, width| x.iter().enumerate().map(|(i, x)| x.wrapping_pow((i / width % 5) as u32)).collect();
}
