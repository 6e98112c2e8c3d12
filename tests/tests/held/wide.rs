//! Neighbouring elements by one access: every device gives the reference's result, with buffers that are
//! aligned and with those that are not; and the texts have wide accesses where they should.
//!
//! The executor runs each text with aligned buffers and with others, and finds an access that is not
//! aligned; so does the judge.

use obsidian_rt::prelude::*;
use obsidian_tests::fact;

#[kernels]
mod wide {
    /// Each thread adds 16 neighbours.
    #[kernel(threads = 32)]
    pub fn sums(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(512).as_grid_map(|tile| {
            tile.split_up(16)
                .as_block_map(|run| exec_thread_value(seq_reduce(|a, b| a + b * 3, run)))
        })
    }

    /// The same in one expression.
    #[kernel(threads = 32)]
    pub fn folds(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input.split_up(512).as_grid_map(|tile| {
            tile.split_up(16)
                .as_block_map(|run| exec_thread_value(pure(fold1(|a, b| a + b, run)[0])))
        })
    }

    /// Any length: whole tiles have wide accesses, the rest has none.
    #[kernel(threads = 32)]
    pub fn any_length(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.chunks(512, 7).as_grid_map(|tile| {
            tile.split_up(16)
                .as_block_map(|run| exec_thread_value(seq_reduce(|a, b| a * 5 + b, run)))
        })
    }

    /// Each thread scans 8 neighbours, and stores as many.
    #[kernel(threads = 32)]
    pub fn scans(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(256).as_grid_map(|tile| {
            tile.split_up(8)
                .as_block_map(|run| seq_scan(|a, b| a * 7 + b, run))
        })
    }

    /// Runs of 12, whose number of elements is no power of two.
    #[kernel(threads = 32)]
    pub fn dozens(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(96).as_grid_map(|tile| {
            tile.split_up(12)
                .as_block_map(|run| seq_scan(|a, b| a * 7 + b, run))
        })
    }

    /// Runs of 6, which begin at every other even element.
    #[kernel(threads = 32)]
    pub fn sixes(input: DPull<EF64>) -> DPush<Grid, EF64> {
        input.split_up(96).as_grid_map(|tile| {
            tile.split_up(6)
                .as_block_map(|run| seq_scan(|a, b| a * 0.5 + b, run))
        })
    }

    /// Runs of 5 elements: only every fourth begins at an address that is aligned to 16 bytes.
    #[kernel(threads = 32)]
    pub fn fives(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(160).as_grid_map(|tile| {
            tile.split_up(5)
                .as_block_map(|run| exec_thread_value(seq_reduce(|a, b| a + b * 3, run)))
        })
    }

    /// Bytes, of which 16 fit into an access.
    #[kernel(threads = 32)]
    pub fn bytes(input: DPull<EU8>) -> DPush<Grid, EU8> {
        input.split_up(1024).as_grid_map(|tile| {
            tile.split_up(32)
                .as_block_map(|run| exec_thread_value(seq_reduce(|a, b| a * 3 + b, run)))
        })
    }

    /// Two inputs, of elements of 16 and of 64 bits.
    #[kernel(threads = 32)]
    pub fn mixed(x: DPull<EI16>, y: DPull<EU64>) -> DPush<Grid, EU64> {
        let both = zip_with(|x, y| (x as EU64) * 3 + y, x, y);
        both.split_up(256).as_grid_map(|tile| {
            tile.split_up(8)
                .as_block_map(|run| seq_scan(|a, b| a + b, run))
        })
    }

    /// Sums of neighbours, stored for the block: the loads are wide, and no barrier is there twice.
    #[kernel(threads = 64)]
    pub fn turned(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(256)
            .as_grid_map(|tile| exec_block(turn(tile)))
    }

    /// A tile in shared memory, of which each thread scans 8 neighbours.
    #[kernel(threads = 64)]
    pub fn stored(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(512)
            .as_grid_map(|tile| exec_block(scan_stored(tile)))
    }

    fn scan_stored(tile: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let tile = compute(tile.map(|x| x ^ 5))?;
        let scans = tile
            .split_up(8)
            .as_block_map(|run| seq_scan(|a, b| a * 7 + b, run));
        pure(compute(scans)?.push())
    }

    /// Each thread takes neighbours of a map, if the length has a multiple of 4 rounds.
    #[kernel(threads = 32)]
    pub fn maps(x: DPull<EU32>, y: DPull<EU32>) -> DPush<Grid, EU32> {
        let sums = zip_with(|x, y| x * 3 + y, x, y);
        sums.split_up(256).as_grid_map(|tile| tile.push())
    }

    /// The same for any length.
    #[kernel(threads = 32)]
    pub fn maps_of_any_length(x: DPull<EF32>) -> DPush<Grid, EF32> {
        let halves = x.map(|x| x * 0.5 + 1.0);
        halves
            .chunks(256, 0.0)
            .as_grid_map(|tile| tile.push())
            .take(x.len())
    }

    /// Each thread takes neighbours of both halves of a tile.
    #[kernel(threads = 32)]
    pub fn halves(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(256).as_grid_map(|tile| {
            let (low, high) = tile.halve();
            zip_with(|x, y| x * 3 + y, low, high).push()
        })
    }

    fn turn(tile: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let runs = tile.split_up(4);
        let sums =
            compute(runs.as_block_map(|run| exec_thread_value(seq_reduce(|a, b| a + b * 3, run))))?;
        pure(sums.reverse().push())
    }
}

fn folded(run: &[u32], factor: u32) -> u32 {
    let add = |a: u32, b: &u32| a.wrapping_add(b.wrapping_mul(factor));
    run[1..].iter().fold(run[0], add)
}

fn scanned(run: &[u32]) -> Vec<u32> {
    let mut sum: Option<u32> = None;
    let next = |b: &u32| {
        let all = sum.map_or(*b, |a| a.wrapping_mul(7).wrapping_add(*b));
        *sum.insert(all)
    };
    run.iter().map(next).collect()
}

fact!(sums: wide::sums [512] (input: u32) == input.chunks(16).map(|run| folded(run, 3)).collect::<Vec<u32>>());
fact!(folds: wide::folds [512] (input: f32)
    == input.chunks(16).map(|run| run[1..].iter().fold(run[0], |a, b| a + b)).collect::<Vec<f32>>());
fact!(any_length: wide::any_length [1] (input: u32) == {
    let mut all = input.clone();
    all.resize(all.len().div_ceil(512) * 512, 7);
    let next = |a: u32, b: &u32| a.wrapping_mul(5).wrapping_add(*b);
    all.chunks(16).map(|run| run[1..].iter().fold(run[0], next)).collect::<Vec<u32>>()
});
fact!(scans: wide::scans [256] (input: u32) == input.chunks(8).flat_map(scanned).collect::<Vec<u32>>());
fact!(dozens: wide::dozens [96] (input: u32) == input.chunks(12).flat_map(scanned).collect::<Vec<u32>>());
fact!(sixes: wide::sixes [96] (input: f64) == {
    let scan = |run: &[f64]| {
        let mut sum = None;
        let next = |b: &f64| *sum.insert(sum.map_or(*b, |a: f64| a * 0.5 + b));
        run.iter().map(next).collect::<Vec<f64>>()
    };
    input.chunks(6).flat_map(scan).collect::<Vec<f64>>()
});
fact!(fives: wide::fives [160] (input: u32) == input.chunks(5).map(|run| folded(run, 3)).collect::<Vec<u32>>());
fact!(bytes: wide::bytes [1024] (input: u8) == {
    let next = |a: u8, b: &u8| a.wrapping_mul(3).wrapping_add(*b);
    input.chunks(32).map(|run| run[1..].iter().fold(run[0], next)).collect::<Vec<u8>>()
});
fact!(mixed: wide::mixed [256] (x: i16, y: u64) == {
    let both = x.iter().zip(&y).map(|(x, y)| (*x as u64).wrapping_mul(3).wrapping_add(*y));
    let both: Vec<u64> = both.collect();
    let scan = |run: &[u64]| {
        let mut sum = 0u64;
        let next = |b: &u64| {
            sum = sum.wrapping_add(*b);
            sum
        };
        run.iter().map(next).collect::<Vec<u64>>()
    };
    both.chunks(8).flat_map(scan).collect::<Vec<u64>>()
});
fact!(turned: wide::turned [256] (input: u32) == {
    let turn = |tile: &[u32]| tile.chunks(4).rev().map(|run| folded(run, 3)).collect::<Vec<u32>>();
    input.chunks(256).flat_map(turn).collect::<Vec<u32>>()
});

fact!(stored: wide::stored [512] (input: u32) == {
    let tile: Vec<u32> = input.iter().map(|x| x ^ 5).collect();
    tile.chunks(8).flat_map(scanned).collect::<Vec<u32>>()
});
fact!(halves: wide::halves [256] (input: u32) == {
    let sums = |tile: &[u32]| {
        let (low, high) = tile.split_at(128);
        let sum = |(x, y): (&u32, &u32)| x.wrapping_mul(3).wrapping_add(*y);
        low.iter().zip(high).map(sum).collect::<Vec<u32>>()
    };
    input.chunks(256).flat_map(sums).collect::<Vec<u32>>()
});
fact!(maps: wide::maps [256] (x: u32, y: u32) == {
    let sum = |(x, y): (&u32, &u32)| x.wrapping_mul(3).wrapping_add(*y);
    x.iter().zip(&y).map(sum).collect::<Vec<u32>>()
});
fact!(maps_of_any_length: wide::maps_of_any_length [1] (x: f32)
    == x.iter().map(|x| x * 0.5 + 1.0).collect::<Vec<f32>>());

/// How many wide loads and stores a text has.
fn accesses(text: &str) -> [usize; 2] {
    ["load_wide", "store_wide"].map(|call| {
        let calls = text.lines().map(str::trim_start);
        calls.filter(|line| line.starts_with(call)).count()
    })
}

#[test]
fn the_texts_have_wide_accesses_where_they_should() {
    assert_eq!(accesses(wide::sums::CUDA), [2, 0]);
    assert_eq!(accesses(wide::folds::CUDA), [4, 0]);
    assert_eq!(accesses(wide::any_length::CUDA), [2, 0]);
    assert_eq!(accesses(wide::scans::CUDA), [2, 2]);
    assert_eq!(accesses(wide::fives::CUDA), [0, 0]);
    assert_eq!(accesses(wide::maps::CUDA), [2, 1]);
    assert_eq!(accesses(wide::halves::CUDA), [2, 1]);
    assert_eq!(accesses(wide::maps_of_any_length::CUDA), [1, 1]);
    for text in [
        wide::dozens::CUDA,
        wide::sixes::CUDA,
        wide::bytes::CUDA,
        wide::mixed::CUDA,
        wide::turned::CUDA,
    ] {
        assert!(accesses(text)[0] > 0, "{text}");
        assert!(text.matches("__syncthreads").count() <= 2, "{text}");
    }
}
