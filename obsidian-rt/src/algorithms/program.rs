//! The array programs behind the functions of [`algorithms`](super), to keep.

use std::rc::Rc;

use obsidian_core::arrays::{Arr0, Arr1};

use crate::arrays::{ArrayProgram, HostOf, Value};
use crate::error::Result;

/// The program of [`reduce`](super::reduce()): it takes the elements and the first value.
///
/// # Errors
/// [`ErrorKind::Build`](crate::ErrorKind::Build) if the closure cannot be built.
#[track_caller]
pub fn reduce<T: HostOf>(
    f: impl Fn(T, T) -> T + 'static,
) -> Result<ArrayProgram<(Arr1<T>, Value<T>), Arr0<T>>> {
    let f = Rc::new(f);
    ArrayProgram::build("reduce", move |xs: Arr1<T>, initial: Value<T>| {
        let f = f.clone();
        xs.fold(move |x, y| f(x, y), initial.0)
    })
}
