//! Sums of an array: the reduction of the paper's section 3, and a large sum made of it in two
//! launches.

use obsidian_rt::prelude::*;

/// Tree reductions.
#[kernels(built)]
pub mod sums {
    /// Tree reduction. `f` must be associative and commutative; the length a power of two.
    pub fn reduce<L: Compute, T: Data>(f: impl Combine<T>, arr: Pull<T>) -> Program<L, Push<L, T>> {
        if arr.len() == 1 {
            return pure(arr.push());
        }
        let (a, b) = arr.halve();
        let arr = compute(zip_with(f, a, b))?;
        reduce(f, arr)
    }

    /// The sums of consecutive runs of 512 elements.
    #[kernel(threads = 64)]
    pub fn reductions(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input
            .split_up(512)
            .as_grid_map(|chunk| exec_block(reduce(|a, b| a + b, chunk)))
    }

    /// The sums of consecutive runs of 4,096 elements, wrapping.
    #[kernel(threads = 256)]
    pub fn chunk_sums(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(4096)
            .as_grid_map(|chunk| exec_block(reduce(|a, b| a + b, chunk)))
    }
}

/// The wrapping sum of a multiple of 4,096 elements, in two launches: of the elements, and of the
/// sums of runs.
///
/// # Errors
/// What a launch reports, a length that is not a multiple of 4,096 among it.
pub fn large_sum(device: &Device, input: &Buffer<u32>) -> obsidian_rt::Result<u32> {
    let mut sums = sums::chunk_sums::launch(device, input)?.to_vec()?;
    // The second launch needs whole runs again.
    sums.resize(sums.len().next_multiple_of(4096), 0);
    let total = sums::chunk_sums::launch(device, &device.upload(&sums)?)?;
    Ok(total.to_vec()?.into_iter().fold(0, u32::wrapping_add))
}
