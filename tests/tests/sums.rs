//! The first example: the reduction of the paper's section 3.

use obsidian_rt::prelude::*;

/// Sums of an array.
#[kernels]
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
        input.split_up(512).as_grid_map(|chunk| exec_block(reduce(|a, b| a + b, chunk)))
    }
}

#[test]
fn it_gives_the_paper_s_numbers_on_every_device() {
    for device in [Device::cpu(), Device::simulator()] {
        let input = device.upload(&(0..1024).collect::<Vec<i32>>()).unwrap();
        let sums = sums::reductions::launch(&device, &input).unwrap();
        assert_eq!(sums.to_vec().unwrap(), [130816, 392960], "{}", device.name());
        println!("{}", sums::reductions::CUDA);
    }
}
