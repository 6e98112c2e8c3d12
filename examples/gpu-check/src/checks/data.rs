//! What the kernels are fed with.

/// `n` numbers that wrap when they are added up, and of which no two neighbours are alike.
pub(crate) fn numbers(n: usize) -> Vec<u32> {
    (0..n as u32)
        .map(|i| i.wrapping_mul(0x9E37_79B1) ^ (i >> 3))
        .collect()
}

/// Multiples of a run: none, one, two, a prime number, and many.
pub(super) fn runs_of(n: usize) -> Vec<usize> {
    [0, 1, 2, 7, 131].map(|runs| runs * n).to_vec()
}

/// The sums of consecutive runs, wrapping; the last one may be shorter.
pub(super) fn run_sums(input: &[u32], run: usize) -> Vec<u32> {
    input
        .chunks(run)
        .map(|run| run.iter().copied().fold(0, u32::wrapping_add))
        .collect()
}

/// The sums of all beginnings, wrapping.
pub(crate) fn running_sums(input: &[u32]) -> Vec<u32> {
    let step = |sum: &mut u32, x: &u32| {
        *sum = sum.wrapping_add(*x);
        Some(*sum)
    };
    input.iter().scan(0, step).collect()
}
