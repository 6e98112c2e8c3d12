//! Programs made of programs: repetition and pipelines that are unrolled while the kernel is built.

use super::compute;
use crate::array::{Data, Pull, Push};
use crate::program::{Compute, Hierarchy, Program};

/// `f` of `f` of .. `x`, `n` times, one program after another: a loop of the host.
pub fn rep<L: Hierarchy, A: Clone + 'static>(
    n: u32,
    f: impl Fn(A) -> Program<L, A> + 'static,
    x: A,
) -> Program<L, A> {
    Program::new(move |trace| (0..n).fold(x.clone(), |x, _| f(x).run(trace)))
}

/// The functions one after another, each result but the last stored. Paper, section 6.3.1.
///
/// Without functions it is the array itself.
#[track_caller]
pub fn compose<L: Compute, T: Data, F: Fn(Pull<T>) -> Push<L, T> + 'static>(
    functions: Vec<F>,
    arr: Pull<T>,
) -> Program<L, Push<L, T>> {
    Program::new(move |trace| {
        let Some((last, first)) = functions.split_last() else {
            return arr.push();
        };
        let arr = first
            .iter()
            .fold(arr.clone(), |arr, f| compute(f(arr)).run(trace));
        last(arr)
    })
}
