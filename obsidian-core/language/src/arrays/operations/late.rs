//! The functions that take a function first, with it last: Rust then knows the types of its parameters where it looks at it.

pub use super::Boundary::{Clamp, Constant, Mirror, Wrap};
pub use super::Function;
use crate::arrays::arr::Arr;
use crate::arrays::item::{Computed, Item};
use crate::arrays::shape::Shape;

/// See [`zip_with`](super::zip_with).
#[track_caller]
pub fn zip_with<Sh: Shape, A: Item, B: Item, R: Computed>(
    a: Arr<Sh, A>,
    b: Arr<Sh, B>,
    f: impl Fn(A, B) -> R + 'static,
) -> Arr<Sh, R::Value> {
    super::zip_with(f, a, b)
}

/// See [`zip_with3`](super::zip_with3).
#[track_caller]
pub fn zip_with3<Sh: Shape, A: Item, B: Item, C: Item, R: Computed>(
    a: Arr<Sh, A>,
    b: Arr<Sh, B>,
    c: Arr<Sh, C>,
    f: impl Fn(A, B, C) -> R + 'static,
) -> Arr<Sh, R::Value> {
    super::zip_with3(f, a, b, c)
}

/// See [`zip_with4`](super::zip_with4).
#[track_caller]
pub fn zip_with4<Sh: Shape, A: Item, B: Item, C: Item, D: Item, R: Computed>(
    a: Arr<Sh, A>,
    b: Arr<Sh, B>,
    c: Arr<Sh, C>,
    d: Arr<Sh, D>,
    f: impl Fn(A, B, C, D) -> R + 'static,
) -> Arr<Sh, R::Value> {
    super::zip_with4(f, a, b, c, d)
}
