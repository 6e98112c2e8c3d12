//! The paper's design spaces, one file each: what the parameters are, and the candidate of a point. [`held`] has
//! two of kernels in registers, which are not the paper's.
//!
//! [`compare`] holds predicted costs against the times that the paper gives, and [`searches`] what searches find against random search.
//!
//! `cargo run --release -p explore -- reduction --gpu gtx680` explores one by predicted cost;
//! nothing but Rust is needed.

pub mod compare;
pub mod held;
pub mod large_reduction;
pub mod large_scan;
pub mod mandelbrot;
pub mod options;
pub mod reduction;
pub mod scan;
pub mod searches;
pub mod shapes;
pub mod shared;

/// `n` elements of which neighbours differ, and whose sums wrap.
pub fn elements(n: u64) -> Vec<u32> {
    (0..n as u32).map(|i| i.wrapping_mul(0x9E37_79B1)).collect()
}

/// The sums of runs of `n` elements, wrapping.
pub fn sums(n: usize, input: &[u32]) -> Vec<u32> {
    input
        .chunks(n)
        .map(|run| run.iter().copied().fold(0, u32::wrapping_add))
        .collect()
}

/// The sums of all beginnings of runs of `n` elements, wrapping; run `r` begins with `carries[r]`,
/// or 0.
pub fn scans(n: usize, carries: &[u32], input: &[u32]) -> Vec<u32> {
    let step = |sum: &mut u32, x: &u32| {
        *sum = sum.wrapping_add(*x);
        Some(*sum)
    };
    let first = |run: usize| carries.get(run).copied().unwrap_or(0);
    input
        .chunks(n)
        .enumerate()
        .flat_map(|(run, chunk)| chunk.iter().scan(first(run), step).collect::<Vec<_>>())
        .collect()
}
