//! Functions of the library that take their functions last, for the native copy.
//!
//! Rust checks the arguments of a call in order, and closures last. A closure that takes copies of
//! variables is a block in the native copy, and not a closure to Rust: with these functions it is
//! checked last too, when the other arguments have told the types of its parameters. So
//! `seq_iterate(n, |i, s| s.max(x[i]), 0)` needs no types.

use crate::array::{Data, IntoPush, Length, Pull, Pull2, Push, Push2, Shape, Storable};
use crate::library::{self, blocks};
use crate::program::{Block, Compute, Grid, Program, Thread, Warp};
use crate::scalar::Exp;

/// Functions with their arguments in this order, and in that of the library.
macro_rules! late {
    ($from:ident; $($name:ident[$($generics:tt)*]($($arg:ident: $ty:ty),*) -> $out:ty = ($($given:ident),*);)*) => {$(
        #[doc = concat!("[`", stringify!($name), "`](", stringify!($from), "::", stringify!($name), ").")]
        #[track_caller]
        pub fn $name<$($generics)*>($($arg: $ty),*) -> $out {
            $from::$name($($given),*)
        }
    )*};
}

late! {
    library;
    seq_iterate[T: Storable](n: impl Into<Exp<u32>>, init: T, f: impl Fn(Exp<u32>, T) -> T + 'static) -> Program<Thread, T> = (n, f, init);
    seq_until[T: Storable](init: T, f: impl Fn(T) -> T + 'static, cond: impl Fn(T) -> Exp<bool> + 'static) -> Program<Thread, T> = (f, cond, init);
    seq_reduce[T: Storable, S: Length](arr: Pull<T, S>, f: impl Fn(T, T) -> T + 'static) -> Program<Thread, T> = (f, arr);
    seq_scan[T: Storable, S: Length](arr: Pull<T, S>, f: impl Fn(T, T) -> T + 'static) -> Push<Thread, T, S> = (f, arr);
    seq_scan_cin[T: Storable, S: Length](cin: T, arr: Pull<T, S>, f: impl Fn(T, T) -> T + 'static) -> Push<Thread, T, S> = (f, cin, arr);
    map_accum_l[Acc: Storable, A: 'static, U: 'static, S: Length](acc: Acc, arr: Pull<A, S>, f: impl Fn(Acc, A) -> (Acc, U) + 'static) -> Push<Thread, U, S> = (f, acc, arr);
    map_accum_r[Acc: Storable, A: 'static, U: 'static, S: Length](acc: Acc, arr: Pull<A, S>, f: impl Fn(Acc, A) -> (Acc, U) + 'static) -> Push<Thread, U, S> = (f, acc, arr);
    reduce[L: Compute, T: Data](arr: Pull<T>, f: impl Fn(T, T) -> T + 'static) -> Push<L, T> = (f, arr);
    inclusive_scan[L: Compute, T: Data](arr: Pull<T>, f: impl Fn(T, T) -> T + 'static) -> Push<L, T> = (f, arr);
    exclusive_scan[L: Compute, T: Data](initial: T, arr: Pull<T>, f: impl Fn(T, T) -> T + 'static) -> Push<L, T> = (f, initial, arr);
    earlier[T: Data](initial: T, own: Pull<T>, f: impl Fn(T, T) -> T + 'static) -> Program<Block, Pull<T>> = (f, initial, own);
    sort[L: Compute, T: Data](arr: Pull<T>, before: impl Fn(T, T) -> Exp<bool> + 'static) -> Push<L, T> = (before, arr);
    fold1[T: Storable](arr: Pull<T>, f: impl Fn(T, T) -> T + 'static) -> Pull<T> = (f, arr);
    zip_with[A: 'static, B: 'static, Out: 'static, S: Shape](a: Pull<A, S>, b: Pull<B, S>, f: impl Fn(A, B) -> Out + 'static) -> Pull<Out, S> = (f, a, b);
    zip_with3[A: 'static, B: 'static, C: 'static, Out: 'static, S: Shape](a: Pull<A, S>, b: Pull<B, S>, c: Pull<C, S>, f: impl Fn(A, B, C) -> Out + 'static) -> Pull<Out, S> = (f, a, b, c);
    zip_with4[A: 'static, B: 'static, C: 'static, D: 'static, Out: 'static, S: Shape](a: Pull<A, S>, b: Pull<B, S>, c: Pull<C, S>, d: Pull<D, S>, f: impl Fn(A, B, C, D) -> Out + 'static) -> Pull<Out, S> = (f, a, b, c, d);
    zip_with_shortest[A: 'static, B: 'static, Out: 'static, S: Shape](a: Pull<A, S>, b: Pull<B, S>, f: impl Fn(A, B) -> Out + 'static) -> Pull<Out, S> = (f, a, b);
    zip_with3_shortest[A: 'static, B: 'static, C: 'static, Out: 'static, S: Shape](a: Pull<A, S>, b: Pull<B, S>, c: Pull<C, S>, f: impl Fn(A, B, C) -> Out + 'static) -> Pull<Out, S> = (f, a, b, c);
    zip_with4_shortest[A: 'static, B: 'static, C: 'static, D: 'static, Out: 'static, S: Shape](a: Pull<A, S>, b: Pull<B, S>, c: Pull<C, S>, d: Pull<D, S>, f: impl Fn(A, B, C, D) -> Out + 'static) -> Pull<Out, S> = (f, a, b, c, d);
    outer[A: 'static, B: 'static, Out: 'static, S: Length](rows: Pull<A, S>, columns: Pull<B, S>, f: impl Fn(A, B) -> Out + 'static) -> Pull2<Out, S> = (f, rows, columns);
    accumulate[L: Compute, T: Data, A: IntoPush<L, T, Shape: Shape<Size = u32>>, S: Length](init: A, rounds: Pull<Program<L, Pull<T, A::Shape>>, S>, f: impl Fn(T, T) -> T + 'static) -> Program<L, Pull<T, A::Shape>> = (f, init, rounds);
}

late! {
    blocks;
    block_reduce[T: Data, S: Length](initial: T, arr: Pull<T, S>, f: impl Fn(T, T) -> T + 'static) -> Program<Block, T> = (f, initial, arr);
    block_reduce_commutative[T: Data, S: Length](initial: T, arr: Pull<T, S>, f: impl Fn(T, T) -> T + 'static) -> Program<Block, T> = (f, initial, arr);
    block_inclusive_scan[T: Data, S: Length](arr: Pull<T, S>, f: impl Fn(T, T) -> T + 'static) -> Push<Block, T, S> = (f, arr);
    block_exclusive_scan[T: Data, S: Length](initial: T, arr: Pull<T, S>, f: impl Fn(T, T) -> T + 'static) -> Push<Block, T, S> = (f, initial, arr);
    block_merge[T: Data, S: Length](a: Pull<T, S>, b: Pull<T, S>, before: impl Fn(T, T) -> Exp<bool> + 'static) -> Push<Block, T, S> = (before, a, b);
    warp_reduce[T: Data, S: Length](initial: T, arr: Pull<T, S>, f: impl Fn(T, T) -> T + 'static) -> Program<Warp, T> = (f, initial, arr);
    warp_reduce_commutative[T: Data, S: Length](initial: T, arr: Pull<T, S>, f: impl Fn(T, T) -> T + 'static) -> Program<Warp, T> = (f, initial, arr);
    warp_inclusive_scan[T: Data, S: Length](arr: Pull<T, S>, f: impl Fn(T, T) -> T + 'static) -> Push<Warp, T, S> = (f, arr);
    warp_exclusive_scan[T: Data, S: Length](initial: T, arr: Pull<T, S>, f: impl Fn(T, T) -> T + 'static) -> Push<Warp, T, S> = (f, initial, arr);
    warp_merge[T: Data, S: Length](a: Pull<T, S>, b: Pull<T, S>, before: impl Fn(T, T) -> Exp<bool> + 'static) -> Push<Warp, T, S> = (before, a, b);
    thread_reduce[T: Data, S: Length](initial: T, arr: Pull<T, S>, f: impl Fn(T, T) -> T + 'static) -> Program<Thread, T> = (f, initial, arr);
    thread_inclusive_scan[T: Data, S: Length](arr: Pull<T, S>, f: impl Fn(T, T) -> T + 'static) -> Push<Thread, T, S> = (f, arr);
    thread_exclusive_scan[T: Data, S: Length](initial: T, arr: Pull<T, S>, f: impl Fn(T, T) -> T + 'static) -> Push<Thread, T, S> = (f, initial, arr);
    block_radix_sort[T: Data](bits: u32, arr: Pull<T>, key: impl Fn(T) -> Exp<u32> + 'static) -> Program<Block, Push<Block, T>> = (bits, key, arr);
    stencil_tiles[T: Data, U: 'static, S: Length](height: u32, width: u32, halo: u32, bordered: Pull2<T, S>, f: impl Fn(Pull2<T>, Exp<u32>, Exp<u32>) -> U + 'static) -> Push2<Grid, U, S> = (height, width, halo, f, bordered);
}
