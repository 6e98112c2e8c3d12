//! Collectives whose machine code is counted by `.ci/loops`, each against plain Rust.

use obsidian_rt::prelude::*;
use obsidian_tests::fact;
use obsidian_tests::scan_order::scanned;

#[kernels]
mod counted {
    /// The total of each tile of 4,096 elements; the last one may be shorter.
    #[kernel(threads = 256)]
    pub fn totals_together(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .chunks(4096, 0)
            .as_grid_map(|tile| reduce(|a, b| a + b, tile))
    }

    /// The same of floats, whose order is that of the language.
    #[kernel(threads = 256)]
    pub fn totals_of_floats_together(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input
            .chunks(4096, 0.0)
            .as_grid_map(|tile| reduce(|a, b| a + b, tile))
    }

    /// The largest of each 4,096.
    #[kernel(threads = 256)]
    pub fn largest_together(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input
            .split_up(4096)
            .as_grid_map(|tile| reduce(|a, b| a.max(b), tile))
    }

    /// Running sums of each 4,096.
    #[kernel(threads = 256)]
    pub fn scans_together(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(4096)
            .as_grid_map(|tile| inclusive_scan(|a, b| a + b, tile))
    }

    /// The same in the order of the language.
    #[kernel(threads = 256)]
    pub fn scans_of_floats_together(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input
            .split_up(4096)
            .as_grid_map(|tile| inclusive_scan(|a, b| a + b, tile))
    }
}

#[kernels]
mod neighbours {
    fn raised(tile: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let own = compute(inclusive_scan(|a, b| a + b, tile))?;
        let four = |four: Pull<EU32>| four.map(|x| x + 1).push::<Thread>();
        pure(own.split_up(4).as_block_map(four))
    }

    /// What a scan gives is used by the neighbours that a thread has in it.
    #[kernel(threads = 256)]
    pub fn raised_scans(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(4096)
            .as_grid_map(|tile| exec_block(raised(tile)))
    }
}

/// Then it is in registers: there is a word for each run, and none for an element.
#[test]
fn neighbours_are_in_registers() {
    let kernel = neighbours::raised_scans::kernel();
    assert_eq!(kernel.shared_bytes(), 32 * 4, "{}", kernel.cuda());
}

fn raised(x: &[u32]) -> Vec<u32> {
    scans(x).iter().map(|sum| sum.wrapping_add(1)).collect()
}

fn totals(x: &[u32]) -> Vec<u32> {
    let total = |tile: &[u32]| tile.iter().fold(0u32, |sum, x| sum.wrapping_add(*x));
    x.chunks(4096).map(total).collect()
}

/// Neighbours from the left.
fn folded(row: &[f32]) -> f32 {
    row.iter().copied().reduce(|a, b| a + b).unwrap_or_default()
}

/// Neighbours in a balanced tree; none of no elements.
fn tree(rows: &[f32]) -> Option<f32> {
    let mut sums = rows.to_vec();
    while sums.len() > 1 {
        sums = sums.chunks(2).map(folded).collect();
    }
    sums.first().copied()
}

/// A row of neighbours from the left, and the rows in a balanced tree.
fn in_order(tile: &[f32]) -> f32 {
    let rows: Vec<f32> = tile.chunks(tile.len().div_ceil(256)).map(folded).collect();
    tree(&rows).unwrap_or_default()
}

/// Tiles that are filled up with zeros.
fn totals_of_floats(x: &[f32]) -> Vec<f32> {
    let total = |tile: &[f32]| {
        let mut tile = tile.to_vec();
        tile.resize(4096, 0.0);
        in_order(&tile)
    };
    x.chunks(4096).map(total).collect()
}

fn largest(x: &[f32]) -> Vec<f32> {
    x.chunks(4096)
        .map(|tile| tile.iter().copied().fold(f32::MIN, f32::max))
        .collect()
}

fn scans(x: &[u32]) -> Vec<u32> {
    let scan = |tile: &[u32]| {
        let sums = tile.iter().scan(0u32, |sum, x| {
            *sum = sum.wrapping_add(*x);
            Some(*sum)
        });
        sums.collect::<Vec<_>>()
    };
    x.chunks(4096).flat_map(scan).collect()
}

fn scans_of_floats(x: &[f32]) -> Vec<f32> {
    let scan = |tile: &[f32]| scanned(tile, None, |a, b| a + b);
    x.chunks(4096).flat_map(scan).collect()
}

fact!(totals_of_integers: counted::totals_together[4096](x: u32) == totals(&x));
fact!(totals_in_order: counted::totals_of_floats_together[4096](x: f32) == totals_of_floats(&x));
fact!(largest_of_floats: counted::largest_together[4096](x: f32) == largest(&x));
fact!(scans_of_integers: counted::scans_together[4096](x: u32) == scans(&x));
fact!(scans_in_order: counted::scans_of_floats_together[4096](x: f32) == scans_of_floats(&x));
fact!(neighbours_of_a_scan: neighbours::raised_scans[4096](x: u32) == raised(&x));
