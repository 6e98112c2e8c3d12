//! A sparse matrix times a vector. The matrix is in compressed rows: the elements that are not zero row by row, the column of each, and where each row begins.
//!
//! ```text
//! 5 0 0 1        offsets   0  2  2  5          row r has the elements offsets[r] to offsets[r + 1]
//! 0 0 0 0        columns   0  3  0  1  2
//! 2 3 4 0        values    5  1  2  3  4
//! ```
//!
//! Each row of the product is the sum of a segment of `values[k] * vector[columns[k]]`, and these products are stored nowhere.
//! [`sparse_times_vector()`] adds all segments in one scan, so that a long row costs no more than the same elements in many short ones.
//! [`sparse_by_rows()`] gives each row to one thread: less work where rows are short and alike, and slow where one row is long.

use obsidian_rt::prelude::*;

pub use rows::*;

/// The programs. Each is a function, and a module with `run`, `run_into` and `schedule`.
#[kernels(built)]
pub mod rows {
    /// A matrix in compressed rows times a vector. There is one offset more than there are rows; they ascend from 0 to the number of values.
    #[arrays]
    pub fn sparse_times_vector(
        offsets: Arr1<EU32>,
        columns: Arr1<EU32>,
        values: Arr1<EF32>,
        vector: Arr1<EF32>,
    ) -> Arr1<EF32> {
        let products = zip_with(|value, column| value * vector[column], values, columns);
        segment_sums(products, offsets)
    }

    /// The sum of each segment, 0 for one without elements.
    pub fn segment_sums(xs: Arr1<EF32>, offsets: Arr1<EU32>) -> Arr1<EF32> {
        // Behind the last element no segment begins: there is room for the offsets that say so, and it is not scanned.
        let room = fill(xs.len() + 1, 0u32);
        let ones = offsets.map(|_| 1u32);
        let marks = ones.permute(|a, b| a | b, room, |s, _| (true, offsets[s]));
        let begins = marks.init().map(|mark| mark == 1);
        let sums = xs.segmented_inclusive_scan(begins, |a, b| a + b);
        generate(offsets.len() - 1, |s| {
            let (start, end) = (offsets[s], offsets[s + 1]);
            select(start < end, sums[end - 1], 0.0)
        })
    }

    /// The same, one row after the other in a thread each.
    #[arrays]
    pub fn sparse_by_rows(
        offsets: Arr1<EU32>,
        columns: Arr1<EU32>,
        values: Arr1<EF32>,
        vector: Arr1<EF32>,
    ) -> Arr1<EF32> {
        let products = zip_with(|value, column| value * vector[column], values, columns);
        products.segmented_fold(offsets, |sum, x| sum + x, 0.0)
    }
}
