//! The kernels that the programs launch, and what they give.

use obsidian_rt::prelude::*;

/// Sums, counts, and what does not fit everywhere.
#[kernels]
pub mod sums {
    /// Tree reduction.
    pub fn reduce<L: Compute, T: Data>(f: impl Combine<T>, arr: Pull<T>) -> Program<L, Push<L, T>> {
        if arr.len() == 1 {
            return pure(arr.push());
        }
        let (a, b) = arr.halve();
        let arr = compute(zip_with(f, a, b))?;
        reduce(f, arr)
    }

    /// The sums of consecutive runs of 64 elements.
    #[kernel(threads = 32)]
    pub fn sums_of_64(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(64)
            .as_grid_map(|chunk| exec_block(reduce(|a, b| a + b, chunk)))
    }

    /// The same for runs of 2,048 elements, with 1,024 threads.
    #[kernel(threads = 1024)]
    pub fn sums_of_2048(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(2048)
            .as_grid_map(|chunk| exec_block(reduce(|a, b| a + b, chunk)))
    }

    /// Twice each element; any length.
    #[kernel(threads = 64)]
    pub fn doubled(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(32)
            .as_grid_map(|chunk| chunk.map(|x| x * 2).push::<Block>())
    }

    /// Three times each element, on as many blocks as the device holds at once.
    #[kernel(threads = 64, min_blocks = 3, grid = resident)]
    pub fn tripled(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(32)
            .as_grid_map(|chunk| chunk.map(|x| x * 3).push::<Block>())
    }

    /// Twice `x`, and `y + z`: two arrays of one length and a number.
    #[kernel(threads = 32)]
    pub fn scaled(input: DPull<(EF32, EI64)>, z: EI64) -> DPush<Grid, (EF32, EI64)> {
        input
            .split_up(16)
            .as_grid_map(|chunk| chunk.map(|(x, y)| (x + x, y + z)).push::<Block>())
    }

    /// Each element 2^20 times.
    #[kernel(threads = 32)]
    pub fn repeated(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(1)
            .as_grid_map(|one| replicate(1048576u32, one[0]).push::<Block>())
    }

    /// Each element with one added, by way of shared memory.
    pub fn keep(run: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let kept = compute(run.map(|x| x + 1))?;
        pure(kept.reverse().push())
    }

    /// Runs of 1,024 elements, backwards and one more: 4,096 bytes of shared memory.
    #[kernel(threads = 128)]
    pub fn kept(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(1024)
            .as_grid_map(|run| exec_block(keep(run)))
    }

    /// Runs of 14,000 elements: 56,000 bytes, for which a launch has to ask.
    #[kernel(threads = 128, shared_bytes = 65536)]
    pub fn kept_long(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(14000)
            .as_grid_map(|run| exec_block(keep(run)))
    }

    /// Runs of 20,000 elements: more than the devices of this driver have.
    #[kernel(threads = 128, shared_bytes = 98304)]
    pub fn kept_longer(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(20000)
            .as_grid_map(|run| exec_block(keep(run)))
    }

    /// Reads the elements that are named, which nobody checks.
    #[kernel(threads = 32)]
    pub fn named(elements: DPull<EU32>, names: DPull<EU32>) -> DPush<Grid, EU32> {
        names
            .split_up(32)
            .as_grid_map(|chunk| chunk.map(|name| elements[name.unchecked()]).push::<Block>())
    }

    /// The same, where a name that is outside is an error of the launch.
    #[kernel(threads = 32, faults)]
    pub fn looked_up(elements: DPull<EU32>, names: DPull<EU32>) -> DPush<Grid, EU32> {
        names
            .split_up(32)
            .as_grid_map(|chunk| chunk.map(|name| elements[name.unchecked()]).push::<Block>())
    }

    /// A tile behind what all tiles before it come to.
    pub fn behind(tile: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let own = compute(inclusive_scan(|a, b| a + b, tile))?;
        let before = earlier(|a, b| a + b, 0, singleton(own.last()))?;
        pure(own.map(|x| before[0] + x).push())
    }

    /// The sums of all beginnings, in one launch.
    #[kernel(threads = 64)]
    pub fn running(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(64)
            .as_grid_ordered(|tile| exec_block(behind(tile)))
    }

    /// Which elements are odd.
    #[kernel(threads = 32)]
    pub fn odd(input: DPull<EU8>) -> DPush<Grid, EBool> {
        input
            .split_up(8)
            .as_grid_map(|chunk| chunk.map(|x| (x & 1) == 1).push::<Block>())
    }

    /// Adds to `bins` how many elements have each remainder by 16.
    #[kernel(threads = 64)]
    pub fn count(bins: MGlobal<EU32>, keys: DPull<EU32>) -> Program<Grid, ()> {
        let pieces = keys.split_up(64);
        distr_par(pieces.len(), |b| {
            for_all(64, |i| bins.atomic_add(pieces[b][i] % 16, 1).void())
        })
    }
}

/// Steps between two buffers.
#[kernels]
pub mod stencils {
    /// A step of Jacobi's method on a table with rows of `width`: the mean of each element's four neighbours. The border stays.
    #[kernel(threads = 256)]
    pub fn jacobi(width: EU32, now: DPull<EF32>) -> DPush<Grid, EF32> {
        let (last, height) = (now.len() - 1, now.len() / width);
        let next = generate(now.len(), |i| {
            let (above, below) = (i.max(width) - width, (i + width).min(last));
            let (left, right) = (i.max(1) - 1, (i + 1).min(last));
            let mean = (now[above] + now[below] + now[left] + now[right]) * 0.25;
            let (row, column) = (i / width, i % width);
            let border = (row == 0) | (row == height - 1) | (column == 0) | (column == width - 1);
            select(border, now[i], mean)
        });
        next.chunks(1024, 0.0)
            .as_grid_map(|piece| piece.push())
            .take(now.len())
    }
}

/// So many numbers that differ.
pub fn numbers(n: usize) -> Vec<u32> {
    (0..n as u32).map(|i| i.wrapping_mul(0x9E37_79B1)).collect()
}

/// What `sums_of_64` gives.
pub fn sums_of_64(elements: &[u32]) -> Vec<u32> {
    elements
        .chunks(64)
        .map(|run| run.iter().copied().fold(0, u32::wrapping_add))
        .collect()
}

/// What `count` gives of bins that hold zeros.
pub fn counts(elements: &[u32]) -> Vec<u32> {
    let mut bins = vec![0; 16];
    elements
        .iter()
        .for_each(|key| bins[*key as usize % 16] += 1);
    bins
}
