//! Guarded reads of other blocks' and other rows' elements: stencils whose borders are cut off by
//! `select`. Arithmetic in the arm that is not taken leaves the range of an index, in front of the
//! first block and behind the last; nothing uses it, and all devices give the same bits.

use obsidian_rt::prelude::*;
use obsidian_rt::{ErrorKind, Result};
use obsidian_tests::{fact, samples};

#[kernels]
mod stencils {
    /// The neighbour in the block before, twice: the product of both indices is bound in front of
    /// both choices.
    #[kernel(threads = 64)]
    pub fn block_before(x: DPull<EU32>) -> DPush<Grid, EU32> {
        let p = x.split_up(64);
        generate(p.len(), |b| {
            generate(64, |i| {
                select(b >= 1, p[b - 1][i], lit(0u32))
                    + select((b >= 1) & (i > 3), p[b - 1][i - 3], lit(0u32))
            })
            .push::<Block>()
        })
        .as_grid()
    }

    /// The 3 x 3 convolution with a zero border.
    #[kernel(threads = 32)]
    pub fn convolution(x: DPull<EU32>) -> DPush<Grid, EU32> {
        let rows = x.split_up(32);
        let h = rows.len();
        generate(h, |r| {
            generate(32, |c| {
                let mut sum = lit(0u32);
                for dr in 0..3u32 {
                    for dc in 0..3u32 {
                        let (y, z) = (r + dr, c + dc);
                        let inside = (y >= 1) & (y < h + 1) & (z >= 1) & (z < 33);
                        sum =
                            sum + select(inside, rows[y - 1][z - 1], lit(0u32)) * (dr * 3 + dc + 1);
                    }
                }
                sum
            })
            .push::<Block>()
        })
        .as_grid()
    }

    /// Three reads of the row above, of matrices in two dimensions.
    #[kernel(threads = 32)]
    pub fn row_above(x: DPull<EU32>) -> DPush<Grid, EU32> {
        let m = x.in_rows(32);
        generate(m.height(), |y| {
            generate(32, |c| {
                select(y >= 1, m.at((y - 1, c)), lit(0u32))
                    + select((y >= 1) & (c >= 1), m.at((y - 1, c - 1)), lit(7u32))
                    + select((y >= 1) & (c < 31), m.at((y - 1, c + 1)), lit(9u32))
            })
            .push::<Block>()
        })
        .as_grid()
    }

    /// The guard is a statement, and its arms are read in rounds.
    #[kernel(threads = 32)]
    pub fn both_neighbours(x: DPull<EU32>) -> DPush<Grid, EU32> {
        let p = x.split_up(64);
        let n = p.len();
        generate(n, |b| {
            generate(64, |i| {
                let before = select(b >= 2, p[b - 2][i], select(b >= 1, p[b - 1][63 - i], i));
                let behind = select(b + 1 < n, p[b + 1][i], lit(5u32));
                before * 3 + behind
            })
            .push::<Block>()
        })
        .as_grid()
    }

    /// The user vouches for an index that is below the first element in block 0.
    #[kernel(threads = 64)]
    pub fn vouched(x: DPull<EU32>) -> DPush<Grid, EU32> {
        let p = x.split_up(64);
        generate(p.len(), |b| {
            generate(64, |i| p[(b - 1).unchecked()][i]).push::<Block>()
        })
        .as_grid()
    }
}

fn at(x: &[u32], row: i64, column: i64, width: i64) -> Option<u32> {
    let inside = row >= 0 && (0..width).contains(&column);
    let index = usize::try_from(row * width + column).ok()?;
    x.get(index).copied().filter(|_| inside)
}

fn each(x: &[u32], width: i64, f: impl Fn(i64, i64) -> u32) -> Vec<u32> {
    (0..x.len() as i64)
        .map(|n| f(n / width, n % width))
        .collect()
}

fn of_block_before(x: &[u32]) -> Vec<u32> {
    each(x, 64, |b, i| {
        let shifted = if i > 3 { at(x, b - 1, i - 3, 64) } else { None };
        let straight = at(x, b - 1, i, 64).unwrap_or(0);
        straight.wrapping_add(shifted.unwrap_or(0))
    })
}

fn of_convolution(x: &[u32]) -> Vec<u32> {
    each(x, 32, |r, c| {
        (0..9i64).fold(0u32, |sum, n| {
            let x = at(x, r + n / 3 - 1, c + n % 3 - 1, 32).unwrap_or(0);
            sum.wrapping_add(x.wrapping_mul(n as u32 + 1))
        })
    })
}

fn of_row_above(x: &[u32]) -> Vec<u32> {
    each(x, 32, |y, c| {
        let above = |d, otherwise| at(x, y - 1, c + d, 32).unwrap_or(otherwise);
        above(0, 0)
            .wrapping_add(above(-1, 7))
            .wrapping_add(above(1, 9))
    })
}

fn of_both_neighbours(x: &[u32]) -> Vec<u32> {
    each(x, 64, |b, i| {
        let before = at(x, b - 2, i, 64).or(at(x, b - 1, 63 - i, 64));
        let behind = at(x, b + 1, i, 64).unwrap_or(5);
        before
            .unwrap_or(i as u32)
            .wrapping_mul(3)
            .wrapping_add(behind)
    })
}

fact!(issue_16_item_10_neighbours_of_the_block_before: stencils::block_before[64](x: u32) == of_block_before(&x));
fact!(issue_16_item_10_a_convolution_with_a_zero_border: stencils::convolution[32](x: u32) == of_convolution(&x));
fact!(issue_16_item_10_reads_of_the_row_above: stencils::row_above[32](x: u32) == of_row_above(&x));
fact!(issue_16_item_10_both_neighbours: stencils::both_neighbours[64](x: u32) == of_both_neighbours(&x));

/// What the user vouches for and is not so is a fault still, of the operation that left its range.
#[test]
fn issue_16_item_10_an_index_out_of_range_is_never_accepted() -> Result<()> {
    let device = Device::simulator();
    let x = device.upload(&samples::<u32>(256))?;
    let error = stencils::vouched::launch(&device, &x).expect_err("block 0 has none before it");
    let words = error.to_string();
    assert!(matches!(error.kind(), ErrorKind::Fault), "{words}");
    assert!(
        words.contains("index arithmetic leaves its range: 4294967295_u32 * 64_u32")
            && words.contains("an index of `x`"),
        "{words}"
    );
    Ok(())
}
