//! In which order a fold combines elements, to the bit.
//!
//! Sums of floats depend on the order of their terms: `(a + b) + c` and `a + (b + c)` are rounded differently. The folds of
//! [array programs](super::arrays) and of [`algorithms`](crate::algorithms) have one order, which depends on the length of a row and on nothing else; sequences
//! fold grains of 4,096 elements so, and combine what these give in a balanced tree. A fold of the same elements gives the same bits on a CPU, on a GPU and on the simulator, with fusion or without,
//! with 32 threads a block or 1,024, for a row alone and for one of a million.
//!
//! # The rule
//!
//! It holds for functions that combine each part of an element by `+`, `*`, `min`, `max`, `&`, `|` or `^`: their elements may be taken in any order, so that
//! neighbouring threads can read neighbouring elements.
//!
//! | elements of a row | partial results |
//! |---|---|
//! | up to 8 | 1 |
//! | 9 to 256 | 8 |
//! | 257 to 8,192 | 128 |
//! | more | 128 of each piece of 4,096 elements, and 128 of what the pieces give |
//!
//! Of `p` partial results, number `i` is the elements `i`, `i + p`, `i + 2 p`, .. folded from the left. Then neighbours are combined, the first with the second,
//! the third with the fourth and so on, until one value is left. A partial result that would have no elements is left out. The start of the fold comes in
//! front of that value, at last.
//!
//! As plain Rust, beside the array program:
//!
//! ```
//! use obsidian_rt::prelude::*;
//!
//! #[kernels]
//! pub mod m {
//!     #[arrays]
//!     pub fn total(xs: Arr1<EF32>) -> Arr0<EF32> {
//!         xs.sum()
//!     }
//! }
//!
//! fn sum(row: &[f32]) -> f32 {
//!     match row.len() {
//!         0..=8 => by_partial_results(row, 1),
//!         9..=256 => by_partial_results(row, 8),
//!         257..=8192 => by_partial_results(row, 128),
//!         _ => {
//!             let pieces: Vec<f32> = row.chunks(4096).map(|piece| by_partial_results(piece, 128)).collect();
//!             by_partial_results(&pieces, 128)
//!         }
//!     }
//! }
//!
//! fn by_partial_results(row: &[f32], count: usize) -> f32 {
//!     let partial = |first: usize| row[first..].iter().copied().step_by(count).reduce(|a, b| a + b);
//!     let mut partial: Vec<f32> = (0..count.min(row.len())).filter_map(partial).collect();
//!     while partial.len() > 1 {
//!         partial = partial.chunks(2).map(|two| two.iter().copied().reduce(|a, b| a + b).unwrap()).collect();
//!     }
//!     partial.pop().unwrap_or(-0.0)
//! }
//!
//! # fn main() -> obsidian_rt::Result<()> {
//! let device = Device::cpu();
//! for n in [0, 5, 100, 1000, 30_000] {
//!     let xs: Vec<f32> = (0..n).map(|i| 1.0 / (i + 1) as f32).collect();
//!     let found = m::total::run(&device, &device.array([xs.len()], &xs)?)?.value()?;
//!     assert_eq!(found.to_bits(), (0.0 + sum(&xs)).to_bits());
//! }
//! # Ok(())
//! # }
//! ```
//!
//! So between an element and the sum of `n` are at most `72 + n / 524288` additions.
//!
//! # Who computes what
//!
//! Threads do not change bits; they follow the rule. One thread folds each row of up to 8 elements, and 8 threads each row of up to 256, so that a block has 32 rows. Longer rows have
//! a block of 128 threads each, and rows of more than 8,192 elements a block a piece: what the pieces have given is folded by the last block, or, of many rows, by a second launch.
//!
//! # Other functions
//!
//! A function of which it is not known that elements may change places is applied to neighbours, in the order of the row: a product of matrices, the last of
//! two elements, the nearer of two points with its number. Which neighbours come first depends on the extents of the array alone; the function must be associative, for floats up to
//! rounding. [`fold_in_order`](crate::arrays::Arr::fold_in_order) and [`fold_right`](crate::arrays::Arr::fold_right) go through a row from one end to the other, one thread a row, whatever the
//! function is. So do folds inside of a function of elements, whose rows one thread has.
//!
//! Kernels that you write yourself say their order: [`reduce`](crate::language::reduce) and its like combine neighbours, as their pages say.
