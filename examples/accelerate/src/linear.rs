//! Vectors and matrices: a dot product, a matrix times a vector, and the maximum and sum of one array in one pass.

use obsidian_rt::prelude::*;

pub use vectors::*;

/// The programs. Each is a function, and a module with `run`, `run_into` and `schedule`.
#[kernels(built)]
pub mod vectors {
    /// The sum of the products of two vectors of equal length.
    #[arrays]
    pub fn dot_product(xs: Arr1<EF32>, ys: Arr1<EF32>) -> Arr0<EF32> {
        zip_with(|x, y| x * y, xs, ys).sum()
    }

    /// A matrix times a vector with as many elements as the matrix has columns.
    #[arrays]
    pub fn matrix_vector(m: Arr2<EF32>, v: Arr1<EF32>) -> Arr1<EF32> {
        let (height, _) = m.shape();
        zip_with(|a, b| a * b, m, v.replicate(height)).sum()
    }

    /// The largest element, and the sum of all; there must be an element.
    #[arrays]
    pub fn max_and_sum(xs: Arr1<EF32>) -> (Arr0<EF32>, Arr0<EF32>) {
        (xs.max(), xs.sum())
    }
}
