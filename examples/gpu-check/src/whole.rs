//! Array programs to check and to measure: an operation of arrays each, or two that go together.
//!
//! They are compiled with this program, so that a machine with a GPU needs no compiler for them. The
//! algorithms of `obsidian_rt::algorithms` are array programs of the same operations.

use obsidian_rt::prelude::*;

pub use programs::*;

/// The programs. Each is a function, and a module with `run`, `run_into` and `schedule`.
#[kernels(built)]
pub mod programs {
    /// Keys in ascending order.
    #[arrays]
    pub fn all_sorted(keys: Arr1<EU32>) -> Arr1<EU32> {
        keys.sort()
    }

    /// Pairs in the order of their keys, those of one key in the order in which they are.
    #[arrays]
    pub fn pairs_by_key(pairs: Arr1<(EU32, EU32)>) -> Arr1<(EU32, EU32)> {
        pairs.sort_by_key(|(key, _)| key)
    }

    /// How often each key modulo 256 is there.
    #[arrays]
    pub fn keys_counted(keys: Arr1<EU32>) -> Arr1<EU32> {
        let ones = keys.map(|_| 1u32);
        ones.permute(|a, b| a + b, fill(256, 0u32), |i, _| (true, keys[i] % 256))
    }

    /// Sums of floats at places that keys name, and the last one of each place.
    #[arrays]
    pub fn floats_placed(xs: Arr1<EF32>, keys: Arr1<EU32>) -> (Arr1<EF32>, Arr1<EF32>) {
        let sums = xs.permute(
            |a, b| a + b,
            fill(1009, 0.5f32),
            |i, _| (keys[i] % 3 > 0, keys[i] % 1009),
        );
        let last = xs.scatter(keys.map(|key| key % 1009), fill(1009, -1.0f32));
        (sums, last)
    }

    /// The sums of rows.
    #[arrays]
    pub fn rows_summed(m: Arr2<EU32>) -> Arr1<EU32> {
        m.sum()
    }

    /// The sums of all beginnings.
    #[arrays]
    pub fn beginnings_summed(xs: Arr1<EU32>) -> Arr1<EU32> {
        xs.inclusive_scan(|a, b| a + b)
    }

    /// The largest elements behind each, and sums of floats in front of each, with that of all.
    #[arrays]
    pub fn both_ways_scanned(
        xs: Arr1<EU32>,
        floats: Arr1<EF32>,
    ) -> (Arr1<EU32>, Arr1<EF32>, Arr0<EF32>) {
        let (before, total) = floats.exclusive_scan_with_total(|a, b| a + b, 0.0);
        (xs.exclusive_scan_right(|a, b| a.max(b), 5), before, total)
    }

    /// Scans of segments, which begin where a flag is true.
    #[arrays]
    pub fn segments_scanned(xs: Arr1<EU32>, flags: Arr1<EBool>) -> (Arr1<EU32>, Arr1<EU32>) {
        (
            xs.segmented_inclusive_scan(flags, |a, b| a + b),
            xs.segmented_exclusive_scan(flags, |a, b| a.max(b), 7),
        )
    }

    /// The elements below 2^31.
    #[arrays]
    pub fn small_ones_kept(xs: Arr1<EU32>) -> Arr1<EU32> {
        xs.filter(|x| x < 0x8000_0000)
    }

    /// The elements with a flag, and the first of each run of equal ones.
    #[arrays]
    pub fn flagged_and_unique(xs: Arr1<EU32>, flags: Arr1<EBool>) -> (Arr1<EU32>, Arr1<EU32>) {
        (xs.compact(flags), xs.unique(|a, b| a == b))
    }

    /// For each run of equal keys, the key and the sum of the values.
    #[arrays]
    pub fn runs_of_keys_summed(keys: Arr1<EU32>, values: Arr1<EU32>) -> (Arr1<EU32>, Arr1<EU32>) {
        let n = keys.len();
        // Stored: with both comparisons in one kernel nvcc spills registers for sm_100.
        let begins = keys
            .imap(|i, key| (i == 0) | (keys[i.max(1) - 1] != key))
            .compute();
        let ends = begins.imap(|i, _| (i == n - 1) | begins[(i + 1).min(n - 1)]);
        let sums = values.segmented_inclusive_scan(begins, |a, b| a + b);
        (keys.compact(ends), sums.compact(ends))
    }

    /// The sum of all.
    #[arrays]
    pub fn all_summed(xs: Arr1<EU32>) -> Arr0<EU32> {
        xs.sum()
    }

    /// A sum of floats, and matrices of integers multiplied in their order, which does not commute.
    #[arrays]
    pub fn all_folded(floats: Arr1<EF32>, xs: Arr1<EU32>) -> (Arr0<EF32>, Arr0<(EU32, EU32)>) {
        let maps = xs.map(|x| (x | 1, x >> 3));
        (
            floats.sum(),
            maps.fold(|(a, b), (c, d)| (a * c, b * c + d), (1, 0)),
        )
    }

    /// What is around each element, and around that.
    #[arrays]
    pub fn neighbours_mixed(xs: Arr1<EU32>) -> (Arr1<EU32>, Arr1<EU32>) {
        let near = xs.stencil(Clamp, |w| w.at(-1) + w.at(0) * 3 + w.at(2));
        let far = near.stencil(Constant(9), |w| w.at(-3) ^ w.at(1));
        (far, xs.stencil(Wrap, |w| w.at(-1) + w.at(1)))
    }

    /// Some rounds of a stencil, and as many halvings as the largest element needs.
    #[arrays]
    pub fn rounds_done(n: EU32, xs: Arr1<EU32>) -> (Arr1<EU32>, Arr1<EU32>, Arr0<EU32>) {
        let mixed = power(n, xs, |xs| xs.stencil(Wrap, |w| w.at(-1) ^ (w.at(1) >> 1)));
        let (halves, steps) = awhile(
            (xs, unit(0u32)),
            |(xs, _)| xs.map(|x| x > 1000).any(),
            |(xs, steps)| (xs.map(|x| x / 2), steps.map(|n| n + 1)),
        );
        (mixed, halves, steps)
    }
}
