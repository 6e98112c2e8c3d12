//! Reductions and scans for other crates: a library of combinators, without a kernel of its own.
//!
//! A `#[kernels]` module of another crate takes functions from here as any Rust code does, by `use
//! combinators::reductions::reduce;`, and its build script by
//! `.library(combinators::reductions::SOURCE)`. The example `statistics` shows both.

use obsidian_rt::prelude::*;

/// Stages that networks are made of.
#[kernels]
pub mod stages {
    /// Combines each element of the first half with the one of the second half that has the same
    /// place.
    pub fn fold_halves<T: Data>(f: impl Combine<T>, arr: Pull<T>) -> Pull<T> {
        let (a, b) = arr.halve();
        zip_with(f, a, b)
    }

    /// Combines the last element of the first half with each of the second.
    pub fn fan<T: Data>(f: impl Combine<T>, arr: Pull<T>) -> Pull<T> {
        let (a, b) = arr.halve();
        let last = a.last();
        append(a, b.map(|x| f(last, x)))
    }
}

/// Reductions. `f` must be associative and commutative.
#[kernels]
pub mod reductions {
    use super::stages::fold_halves;

    /// Tree reduction of a power of two elements, at any level.
    pub fn reduce<L: Compute, T: Data>(f: impl Combine<T>, arr: Pull<T>) -> Program<L, Push<L, T>> {
        if arr.len() == 1 {
            return pure(arr.push());
        }
        let arr = compute(fold_halves(f, arr))?;
        reduce(f, arr)
    }

    /// Each thread combines `each` elements in sequence, far apart, so that neighbouring threads
    /// read neighbours; then a tree. The length is `each` times a power of two.
    pub fn reduce_coalesced<T: Data>(
        f: impl Combine<T>,
        each: u32,
        arr: Pull<T>,
    ) -> Program<Block, Push<Block, T>> {
        let parts = compute(
            arr.coalesce(each)
                .as_block_map(|run| exec_thread_value(seq_reduce(f, run))),
        )?;
        reduce(f, parts)
    }
}

/// Scans. `f` must be associative.
#[kernels]
pub mod scans {
    use super::stages::fan;

    /// Sklansky's network: the reductions of all beginnings of a power of two elements.
    pub fn scan<T: Data>(f: impl Combine<T>, arr: Pull<T>) -> Program<Block, Push<Block, T>> {
        stages_of(arr.len().ilog2(), f, arr)
    }

    fn stages_of<T: Data>(
        n: u32,
        f: impl Combine<T>,
        arr: Pull<T>,
    ) -> Program<Block, Push<Block, T>> {
        if n == 0 {
            return pure(arr.push());
        }
        let arr = compute(unsafe_bin_split(n - 1, |part| fan(f, part), arr))?;
        stages_of(n - 1, f, arr)
    }
}
