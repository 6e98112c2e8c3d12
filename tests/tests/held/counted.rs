//! Kernels whose machine code is counted by the element: `.ci/loops` counts the loop over blocks of each,
//! along the path of whole tiles, and compares it with `tests/loops.csv`.
//!
//! They are here, and not in an example, because each has the shape of another program that they are
//! compared with: of CUB, or of kernels that were edited by hand.

use obsidian_rt::prelude::*;
use obsidian_tests::fact;

#[kernels]
mod counted {
    /// A tree over a tile in shared memory.
    fn tree<T: Data>(f: impl Combine<T>, arr: Pull<T>) -> Program<Block, Push<Block, T>> {
        if arr.len() == 1 {
            return pure(arr.push());
        }
        let (a, b) = arr.halve();
        let arr = compute(zip_with(f, a, b))?;
        tree(f, arr)
    }

    /// The total of 16 elements, the first of which is `base`, each `stride` behind the one before.
    fn of_tile(base: EU32, stride: u32, input: DPull<EU32>) -> EU32 {
        (1u32..16).fold(input[base.unchecked()], |sum, n| {
            sum + input[(base + n * stride).unchecked()]
        })
    }

    /// What thread `t` of block `b` adds: whole tiles of 4,096 elements, one for each of `blocks`
    /// blocks in turn; in block 0 the rest as well.
    fn of_thread(
        (b, t, blocks): (EU32, EU32, EU32),
        stride: u32,
        input: DPull<EU32>,
    ) -> Program<Thread, EU32> {
        let whole = input.len() / 4096;
        let rounds = select(b < whole, (whole - b + blocks - 1) / blocks, 0);
        let first = if stride == 1 { t * 16 } else { t };
        let tiles = seq_iterate(
            rounds,
            |k, sum| sum + of_tile((b + k * blocks) * 4096 + first, stride, input),
            lit(0u32),
        )?;
        let left = select(b == 0, input.len() % 4096, 0);
        seq_iterate(
            (left + 255 - t) / 256,
            |k, sum| sum + input[(whole * 4096 + k * 256 + t).unchecked()],
            tiles,
        )
    }

    fn of_block(
        b: EU32,
        blocks: EU32,
        stride: u32,
        input: DPull<EU32>,
    ) -> Program<Block, Push<Block, EU32>> {
        let each = generate(256, |t| {
            exec_thread_value(of_thread((b, t, blocks), stride, input))
        });
        tree(|a, b| a + b, compute(each.as_block())?)
    }

    /// A sum of any length, by a number of blocks that stay: a total a block.
    #[kernel(threads = 256)]
    pub fn sum_by_blocks_that_stay(input: DPull<EU32>, blocks: EU32) -> DPush<Grid, EU32> {
        generate(blocks, |b| exec_block(of_block(b, blocks, 256, input))).as_grid()
    }

    /// The same, where a thread adds 16 neighbours at a time.
    #[kernel(threads = 256)]
    pub fn sum_of_neighbours_by_blocks_that_stay(
        input: DPull<EU32>,
        blocks: EU32,
    ) -> DPush<Grid, EU32> {
        generate(blocks, |b| exec_block(of_block(b, blocks, 1, input))).as_grid()
    }

    /// The total of each tile of 4,096 elements, where a thread adds 16 neighbours.
    #[kernel(threads = 256)]
    pub fn sums_of_neighbours(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.chunks(4096, 0).as_grid_map(|tile| {
            let each = tile.split_up(16).map(|run| fold1(|a, b| a + b, run)[0]);
            exec_block(of_tile_of_sums(each))
        })
    }

    fn of_tile_of_sums(each: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        tree(|a, b| a + b, compute(each)?)
    }

    /// The largest of each piece of 4,096 elements.
    #[kernel(threads = 256)]
    pub fn largest(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input.split_up(4096).as_grid_map(|piece| {
            let each = piece.coalesce(16).map(|run| fold1(|a, b| a.max(b), run)[0]);
            exec_block(largest_of(each))
        })
    }

    fn largest_of(each: Pull<EF32>) -> Program<Block, Push<Block, EF32>> {
        tree(|a, b| a.max(b), compute(each)?)
    }

    /// What body `q` adds to the acceleration of body `p`.
    fn pull_of(
        p: (EF32, EF32, EF32, EF32),
        q: (EF32, EF32, EF32, EF32),
        sum: (EF32, EF32, EF32),
    ) -> (EF32, EF32, EF32) {
        let (x, y, z) = (q.0 - p.0, q.1 - p.1, q.2 - p.2);
        let square = x.mul_add(x, y.mul_add(y, z.mul_add(z, 1.0e-6)));
        let inverse = square.rsqrt();
        let factor = q.3 * inverse * inverse * inverse;
        (
            x.mul_add(factor, sum.0),
            y.mul_add(factor, sum.1),
            z.mul_add(factor, sum.2),
        )
    }

    fn by_tile(
        mine: Pull<(EF32, EF32, EF32, EF32)>,
        tile: Pull<(EF32, EF32, EF32, EF32)>,
    ) -> Program<Block, Pull<(EF32, EF32, EF32)>> {
        let tile = compute(tile)?;
        let zero = lit(0.0f32);
        compute(mine.as_block_map(|p| {
            exec_thread_value(seq_iterate(
                256,
                |i, sum| pull_of(p, tile[i], sum),
                (zero, zero, zero),
            ))
        }))
    }

    /// The acceleration of each body by all of them, a tile of 256 in shared memory at a time.
    #[kernel(threads = 256)]
    pub fn accelerations(
        bodies: DPull<(EF32, EF32, EF32, EF32)>,
    ) -> DPush<Grid, (EF32, EF32, EF32)> {
        let zero = lit(0.0f32);
        let tiles = bodies.split_up(256);
        tiles.as_grid_map(|mine| {
            exec_block(accumulate(
                |a: (EF32, EF32, EF32), b: (EF32, EF32, EF32)| (a.0 + b.0, a.1 + b.1, a.2 + b.2),
                replicate(256, (zero, zero, zero)),
                tiles.map(|tile| by_tile(mine, tile)),
            ))
        })
    }
}

fn total(tile: &[u32]) -> u32 {
    tile.iter().fold(0, |sum: u32, x| sum.wrapping_add(*x))
}

/// The totals of blocks that take tiles in turns; the first one adds the rest.
fn by_blocks(input: &[u32], blocks: usize) -> Vec<u32> {
    let (whole, rest) = input.split_at(input.len() / 4096 * 4096);
    let mut totals = vec![0u32; blocks];
    for (n, tile) in whole.chunks(4096).enumerate() {
        totals[n % blocks] = totals[n % blocks].wrapping_add(total(tile));
    }
    totals[0] = totals[0].wrapping_add(total(rest));
    totals
}

fact!(a_sum_by_blocks_that_stay: counted::sum_by_blocks_that_stay [1] (input: u32; 3)
    == by_blocks(&input, 3));
fact!(a_sum_of_neighbours_by_blocks_that_stay:
    counted::sum_of_neighbours_by_blocks_that_stay [1] (input: u32; 3) == by_blocks(&input, 3));
fact!(sums_of_neighbours: counted::sums_of_neighbours [1] (input: u32)
    == input.chunks(4096).map(total).collect::<Vec<u32>>());
fact!(the_largest: counted::largest [4096] (input: f32)
    == input.chunks(4096).map(|piece| piece.iter().copied().fold(f32::NAN, f32::max)).collect::<Vec<f32>>());

#[test]
fn bodies_attract_each_other() {
    let fields: [Vec<f32>; 4] = [3, 5, 7, 11].map(|n| {
        let field = (0..512).map(|i: usize| (i * n % 101) as f32 / 50.0 + 0.1);
        field.collect()
    });
    let exact = |at: usize| fields.each_ref().map(|field| f64::from(field[at]));
    let attracted = |p: usize| {
        let [x, y, z, _] = exact(p);
        (0..512).fold([0.0; 3], |sum, q| {
            let [qx, qy, qz, mass] = exact(q);
            let way = [qx - x, qy - y, qz - z];
            let square = way.iter().map(|d| d * d).sum::<f64>() + 1.0e-6;
            let factor = mass / (square * square.sqrt());
            [0, 1, 2].map(|n| sum[n] + way[n] * factor)
        })
    };
    obsidian_tests::keep(&counted::accelerations::kernel());
    for device in [Device::cpu(), Device::cpu_by_columns(), Device::simulator()] {
        let [x, y, z, mass] = fields.each_ref().map(|field| device.upload(field).unwrap());
        let found = counted::accelerations::launch(&device, (&x, &y, &z, &mass)).unwrap();
        let found = [&found.0, &found.1, &found.2].map(|field| field.to_vec().unwrap());
        for p in 0..512 {
            for (found, right) in found.iter().zip(attracted(p)) {
                let error = (f64::from(found[p]) - right).abs();
                assert!(
                    error <= 1.0e-3 * right.abs() + 1.0,
                    "body {p}: {} {right}",
                    found[p]
                );
            }
        }
    }
}
