//! Functions of the library that take their functions last, for the native copy.
//!
//! Rust checks the arguments of a call in order, and closures last. A closure that takes copies of
//! variables is a block in the native copy, and not a closure to Rust: with these functions it is
//! checked last too, when the other arguments have told the types of its parameters. So
//! `seq_iterate(n, |i, s| s.max(x[i]), 0)` needs no types.

use super::two;
use crate::array::{Data, Length, Pull, Pull2, Push, Storable};
use crate::program::{Compute, Program, Thread};
use crate::scalar::Exp;

/// [`seq_iterate`](super::seq_iterate).
#[track_caller]
pub fn seq_iterate<T: Storable>(
    n: impl Into<Exp<u32>>,
    init: T,
    f: impl Fn(Exp<u32>, T) -> T + 'static,
) -> Program<Thread, T> {
    super::seq_iterate(n, f, init)
}

/// [`seq_until`](super::seq_until).
#[track_caller]
pub fn seq_until<T: Storable>(
    init: T,
    f: impl Fn(T) -> T + 'static,
    cond: impl Fn(T) -> Exp<bool> + 'static,
) -> Program<Thread, T> {
    super::seq_until(f, cond, init)
}

/// [`seq_reduce`](super::seq_reduce).
#[track_caller]
pub fn seq_reduce<T: Storable, S: Length>(
    arr: Pull<T, S>,
    f: impl Fn(T, T) -> T + 'static,
) -> Program<Thread, T> {
    super::seq_reduce(f, arr)
}

/// [`seq_scan`](super::seq_scan).
#[track_caller]
pub fn seq_scan<T: Storable, S: Length>(
    arr: Pull<T, S>,
    f: impl Fn(T, T) -> T + 'static,
) -> Push<Thread, T, S> {
    super::seq_scan(f, arr)
}

/// [`seq_scan_cin`](super::seq_scan_cin).
#[track_caller]
pub fn seq_scan_cin<T: Storable, S: Length>(
    cin: T,
    arr: Pull<T, S>,
    f: impl Fn(T, T) -> T + 'static,
) -> Push<Thread, T, S> {
    super::seq_scan_cin(f, cin, arr)
}

/// [`map_accum_l`](super::map_accum_l).
#[track_caller]
pub fn map_accum_l<Acc: Storable, A: 'static, U: 'static, S: Length>(
    acc: Acc,
    arr: Pull<A, S>,
    f: impl Fn(Acc, A) -> (Acc, U) + 'static,
) -> Push<Thread, U, S> {
    super::map_accum_l(f, acc, arr)
}

/// [`map_accum_r`](super::map_accum_r).
#[track_caller]
pub fn map_accum_r<Acc: Storable, A: 'static, U: 'static, S: Length>(
    acc: Acc,
    arr: Pull<A, S>,
    f: impl Fn(Acc, A) -> (Acc, U) + 'static,
) -> Push<Thread, U, S> {
    super::map_accum_r(f, acc, arr)
}

/// [`reduce`](super::reduce).
#[track_caller]
pub fn reduce<L: Compute, T: Data>(arr: Pull<T>, f: impl Fn(T, T) -> T + 'static) -> Push<L, T> {
    super::reduce(f, arr)
}

/// [`inclusive_scan`](super::inclusive_scan).
#[track_caller]
pub fn inclusive_scan<L: Compute, T: Data>(
    arr: Pull<T>,
    f: impl Fn(T, T) -> T + 'static,
) -> Push<L, T> {
    super::inclusive_scan(f, arr)
}

/// [`exclusive_scan`](super::exclusive_scan).
#[track_caller]
pub fn exclusive_scan<L: Compute, T: Data>(
    initial: T,
    arr: Pull<T>,
    f: impl Fn(T, T) -> T + 'static,
) -> Push<L, T> {
    super::exclusive_scan(f, initial, arr)
}

/// [`sort`](super::sort).
#[track_caller]
pub fn sort<L: Compute, T: Data>(
    arr: Pull<T>,
    before: impl Fn(T, T) -> Exp<bool> + 'static,
) -> Push<L, T> {
    super::sort(before, arr)
}

/// [`fold1`](super::fold1).
#[track_caller]
pub fn fold1<T: Storable>(arr: Pull<T>, f: impl Fn(T, T) -> T + 'static) -> Pull<T> {
    super::fold1(f, arr)
}

macro_rules! zips {
    ($($name:ident: $($array:ident $element:ident),*;)*) => {$(
        #[doc = concat!("[`", stringify!($name), "`](super::", stringify!($name), ").")]
        #[track_caller]
        pub fn $name<$($element: 'static,)* Out: 'static, S: Length>(
            $($array: Pull<$element, S>,)*
            f: impl Fn($($element),*) -> Out + 'static,
        ) -> Pull<Out, S> {
            super::$name(f, $($array),*)
        }
    )*};
}

zips! {
    zip_with: a A, b B;
    zip_with3: a A, b B, c C;
    zip_with4: a A, b B, c C, d D;
    zip_with_shortest: a A, b B;
    zip_with3_shortest: a A, b B, c C;
    zip_with4_shortest: a A, b B, c C, d D;
}

/// [`zip_with2`](super::zip_with2).
#[track_caller]
pub fn zip_with2<T: 'static, U: 'static, V: 'static, S: Length>(
    first: Pull2<T, S>,
    second: Pull2<U, S>,
    f: impl Fn(T, U) -> V + 'static,
) -> Pull2<V, S> {
    two::zip_with2(f, first, second)
}
