//! A radix sort, written by hand from scans and a permutation, and the sort of the library.
//!
//! Both sort by digits, the lowest first, and keep the order of elements whose digits are equal: so after the last digit the array is sorted.
//! [`sorted_by_bits()`] takes one bit a pass, as the textbook does. With `below` zeros in front of an element, `zeros` in all:
//!
//! ```text
//! element        5    2    7    4        lowest bit
//! is zero        0    1    0    1        zeros = 2
//! below          0    0    1    1        exclusive scan of "is zero"
//! place          2    0    3    1        below where the bit is 0, otherwise zeros + i - below
//! after          2    4    5    7
//! ```
//!
//! [`sorted_by_library()`] is one call. It takes eight bits a pass, and sorts runs of elements in shared memory.

use obsidian_rt::prelude::*;

pub use sorts::*;

/// The programs. Each is a function, and a module with `run`, `run_into` and `schedule`.
#[kernels(built)]
pub mod sorts {
    /// The keys in ascending order. The body of the loop is built once, and launched 32 times.
    #[arrays]
    pub fn sorted_by_bits(keys: Arr1<EU32>) -> Arr1<EU32> {
        let (sorted, _) = power(32, (keys, unit(0u32)), |(keys, bit)| {
            (by_bit(keys, bit), bit.map(|bit| bit + 1))
        });
        sorted
    }

    /// The keys whose bit number `bit` is 0, and behind them the others: both in the order in which they are.
    pub fn by_bit(keys: Arr1<EU32>, bit: Arr0<EU32>) -> Arr1<EU32> {
        let is_zero = keys.map(|key| ((key >> bit.the()) & 1) ^ 1);
        let (below, zeros) = is_zero.exclusive_scan_with_total(|a, b| a + b, 0);
        let nothing = fill(keys.len(), 0u32);
        // No two keys have one place, so each is combined with 0 alone.
        keys.permute(
            |a, b| a | b,
            nothing,
            |i, key| {
                let place = select(
                    (key >> bit.the()) & 1 == 0,
                    below[i],
                    zeros.the() + i - below[i],
                );
                (true, place)
            },
        )
    }

    /// The keys in ascending order, by the library.
    #[arrays]
    pub fn sorted_by_library(keys: Arr1<EU32>) -> Arr1<EU32> {
        keys.sort()
    }
}
