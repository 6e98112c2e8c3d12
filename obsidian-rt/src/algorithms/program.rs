//! The array programs behind the functions of [`algorithms`](super), to keep.
//!
//! A closure that captures a value is another program for each value, so the functions of [`algorithms`](super) build it at each call. Build
//! it once here, and run it as often as needed; a value that changes is better a parameter of an [`ArrayProgram`] of your own.
//!
//! ```
//! use obsidian_rt::{Device, algorithms, language::EU32};
//!
//! # fn main() -> obsidian_rt::Result<()> {
//! let device = Device::best()?;
//! let limit: u32 = "100".parse().unwrap_or(10);
//! let kept = algorithms::program::copy_if(move |x: EU32| x.lt(limit))?;
//! for round in 0..3u32 {
//!     let xs = device.array([3], &[round, 99, 100])?;
//!     assert_eq!(kept.run(&device, &xs)?.to_vec()?, [round, 99]);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! A [`Value`] is a first value, of the type of the elements. [`run_into`](ArrayProgram::run_into) writes existing arrays.
//!
//! # Errors
//! Each function reports [`ErrorKind::Build`](crate::ErrorKind::Build) if the closure cannot be built.

use std::rc::Rc;

use obsidian_language::arrays::{
    Arr0, Arr1, Arr2, Boundary, Computed, Ix2, Settings, Window, append, gather as gathered,
    generate, one_of, unzip, zip, zip_with,
};
use obsidian_language::library::{select, seq_until};
use obsidian_language::program::{Program, Thread, assert_that, pure};
use obsidian_language::scalar::{Exp, lit};

use crate::arrays::{ArrayFn, ArrayParameters, ArrayProgram, HostItem, HostOf, RunResult, Value};
use crate::error::Result;

/// Builds a program whose parameters have names, for its errors.
#[track_caller]
fn named<P: ArrayParameters, R: RunResult>(
    name: &str,
    names: &[&str],
    f: impl ArrayFn<P, R>,
) -> Result<ArrayProgram<P, R>> {
    ArrayProgram::named(name, names, Settings::default(), f)
}

/// A function of two elements that is used several times.
fn shared<T: 'static, R: 'static>(
    f: &Rc<impl Fn(T, T) -> R + 'static>,
) -> impl Fn(T, T) -> R + 'static {
    let f = f.clone();
    move |x, y| f(x, y)
}

/// The program of [`map`](super::map()).
///
/// # Errors
/// As of the [module](self).
///
/// ```
/// use obsidian_rt::{Device, algorithms::program};
/// use obsidian_rt::language::EU32;
///
/// let program = program::map(|x: EU32| x * 2)?;
/// let device = Device::cpu();
/// let xs = device.array([4], &[1u32, 2, 3, 4])?;
/// let result = program.run(&device, &xs)?;
/// assert_eq!(result.to_vec()?, [2, 4, 6, 8]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn map<T: HostOf, R: Computed>(
    f: impl Fn(T) -> R + 'static,
) -> Result<ArrayProgram<(Arr1<T>,), Arr1<R::Value>>>
where
    R::Value: HostOf,
{
    let f = Rc::new(f);
    named("map", &["xs"], move |xs: Arr1<T>| {
        let f = f.clone();
        xs.map(move |x| f(x))
    })
}

/// The program of [`zip_map`](super::zip_map()).
///
/// # Errors
/// As of the [module](self).
///
/// ```
/// use obsidian_rt::{Device, algorithms::program};
/// use obsidian_rt::language::EU32;
///
/// let program = program::zip_map(|x: EU32, y: EU32| x * y)?;
/// let device = Device::cpu();
/// let xs = device.array([4], &[1u32, 2, 3, 4])?;
/// let result = program.run(&device, (&xs, &xs))?;
/// assert_eq!(result.to_vec()?, [1, 4, 9, 16]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn zip_map<A: HostOf, B: HostOf, R: Computed>(
    f: impl Fn(A, B) -> R + 'static,
) -> Result<ArrayProgram<(Arr1<A>, Arr1<B>), Arr1<R::Value>>>
where
    R::Value: HostOf,
{
    let f = Rc::new(f);
    named("zip_map", &["xs", "ys"], move |xs: Arr1<A>, ys: Arr1<B>| {
        let f = f.clone();
        zip_with(move |x, y| f(x, y), xs, ys)
    })
}

/// The program of [`reduce`](super::reduce()): it takes the elements and the first value.
///
/// # Errors
/// As of the [module](self).
///
/// ```
/// use obsidian_rt::{Device, algorithms::program, arrays::Value};
/// use obsidian_rt::language::EU32;
///
/// let program = program::reduce(|x: EU32, y: EU32| x * y)?;
/// let device = Device::cpu();
/// let xs = device.array([4], &[1u32, 2, 3, 4])?;
/// let result = program.run(&device, (&xs, Value(1u32)))?;
/// assert_eq!(result.value()?, 24);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn reduce<T: HostOf, R: Computed<Value = T>>(
    f: impl Fn(T, T) -> R + 'static,
) -> Result<ArrayProgram<(Arr1<T>, Value<T>), Arr0<T>>> {
    let f = Rc::new(f);
    named(
        "reduce",
        &["xs", "initial"],
        move |xs: Arr1<T>, initial: Value<T>| xs.fold(shared(&f), initial.0),
    )
}

/// The program of [`count_if`](super::count_if()).
///
/// # Errors
/// As of the [module](self).
///
/// ```
/// use obsidian_rt::{Device, algorithms::program};
/// use obsidian_rt::language::EU32;
///
/// let program = program::count_if(|x: EU32| x.gt(2))?;
/// let device = Device::cpu();
/// let xs = device.array([4], &[1u32, 2, 3, 4])?;
/// let result = program.run(&device, &xs)?;
/// assert_eq!(result.value()?, 2);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn count_if<T: HostOf>(
    p: impl Fn(T) -> Exp<bool> + 'static,
) -> Result<ArrayProgram<(Arr1<T>,), Arr0<Exp<u32>>>> {
    let p = Rc::new(p);
    named("count_if", &["xs"], move |xs: Arr1<T>| {
        let p = p.clone();
        xs.map(move |x| select(p(x), lit(1u32), lit(0u32))).sum()
    })
}

/// The program of [`inclusive_scan`](super::inclusive_scan()).
///
/// # Errors
/// As of the [module](self).
///
/// ```
/// use obsidian_rt::{Device, algorithms::program};
/// use obsidian_rt::language::EU32;
///
/// let program = program::inclusive_scan(|x: EU32, y: EU32| x + y)?;
/// let device = Device::cpu();
/// let xs = device.array([4], &[1u32, 2, 3, 4])?;
/// let result = program.run(&device, &xs)?;
/// assert_eq!(result.to_vec()?, [1, 3, 6, 10]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn inclusive_scan<T: HostOf, R: Computed<Value = T>>(
    f: impl Fn(T, T) -> R + 'static,
) -> Result<ArrayProgram<(Arr1<T>,), Arr1<T>>> {
    let f = Rc::new(f);
    named("inclusive_scan", &["xs"], move |xs: Arr1<T>| {
        xs.inclusive_scan(shared(&f))
    })
}

/// The program of [`exclusive_scan`](super::exclusive_scan()): it takes the elements and the first value.
///
/// # Errors
/// As of the [module](self).
///
/// ```
/// use obsidian_rt::{Device, algorithms::program, arrays::Value};
/// use obsidian_rt::language::EU32;
///
/// let program = program::exclusive_scan(|x: EU32, y: EU32| x + y)?;
/// let device = Device::cpu();
/// let xs = device.array([4], &[1u32, 2, 3, 4])?;
/// let result = program.run(&device, (&xs, Value(0u32)))?;
/// assert_eq!(result.to_vec()?, [0, 1, 3, 6]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn exclusive_scan<T: HostOf, R: Computed<Value = T>>(
    f: impl Fn(T, T) -> R + 'static,
) -> Result<ArrayProgram<(Arr1<T>, Value<T>), Arr1<T>>> {
    let f = Rc::new(f);
    named(
        "exclusive_scan",
        &["xs", "initial"],
        move |xs: Arr1<T>, initial: Value<T>| xs.exclusive_scan(shared(&f), initial.0),
    )
}

/// The program of [`segmented_inclusive_scan`](super::segmented_inclusive_scan()): it takes the elements and the flags.
///
/// # Errors
/// As of the [module](self).
///
/// ```
/// use obsidian_rt::{Device, algorithms::program};
/// use obsidian_rt::language::EU32;
///
/// let program = program::segmented_inclusive_scan(|x: EU32, y: EU32| x + y)?;
/// let device = Device::cpu();
/// let xs = device.array([4], &[1u32, 2, 3, 4])?;
/// let begins = device.array([4], &[true, false, true, false])?;
/// let result = program.run(&device, (&xs, &begins))?;
/// assert_eq!(result.to_vec()?, [1, 3, 3, 7]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn segmented_inclusive_scan<T: HostOf, R: Computed<Value = T>>(
    f: impl Fn(T, T) -> R + 'static,
) -> Result<ArrayProgram<(Arr1<T>, Arr1<Exp<bool>>), Arr1<T>>> {
    let f = Rc::new(f);
    named(
        "segmented_inclusive_scan",
        &["xs", "flags"],
        move |xs: Arr1<T>, flags: Arr1<Exp<bool>>| xs.segmented_inclusive_scan(flags, shared(&f)),
    )
}

/// The program of [`segmented_exclusive_scan`](super::segmented_exclusive_scan()): it takes the elements, the flags and the first value.
///
/// # Errors
/// As of the [module](self).
///
/// ```
/// use obsidian_rt::{Device, algorithms::program, arrays::Value};
/// use obsidian_rt::language::EU32;
///
/// let program = program::segmented_exclusive_scan(|x: EU32, y: EU32| x + y)?;
/// let device = Device::cpu();
/// let xs = device.array([4], &[1u32, 2, 3, 4])?;
/// let begins = device.array([4], &[true, false, true, false])?;
/// let result = program.run(&device, (&xs, &begins, Value(0u32)))?;
/// assert_eq!(result.to_vec()?, [0, 1, 0, 3]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn segmented_exclusive_scan<T: HostOf, R: Computed<Value = T>>(
    f: impl Fn(T, T) -> R + 'static,
) -> Result<ArrayProgram<(Arr1<T>, Arr1<Exp<bool>>, Value<T>), Arr1<T>>> {
    let f = Rc::new(f);
    named(
        "segmented_exclusive_scan",
        &["xs", "flags", "initial"],
        move |xs: Arr1<T>, flags: Arr1<Exp<bool>>, initial: Value<T>| {
            xs.segmented_exclusive_scan(flags, shared(&f), initial.0)
        },
    )
}

/// Which elements begin a run of equal ones.
fn begins<K: HostOf>(keys: &Arr1<K>) -> Arr1<Exp<bool>> {
    let others = keys.clone();
    keys.imap(move |i, key| i.eq(0) | !K::Host::same(&others.at(i.max(1) - 1), &key))
}

/// The program of [`reduce_by_key`](super::reduce_by_key()): it takes the keys and the values.
///
/// # Errors
/// As of the [module](self).
///
/// ```
/// use obsidian_rt::{Device, algorithms::program};
/// use obsidian_rt::language::EU32;
///
/// let program = program::reduce_by_key::<EU32, _, _>(|x: EU32, y: EU32| x + y)?;
/// let device = Device::cpu();
/// let keys = device.array([4], &[7u32, 7, 8, 8])?;
/// let xs = device.array([4], &[1u32, 2, 3, 4])?;
/// let result = program.run(&device, (&keys, &xs))?;
/// assert_eq!((result.0.to_vec()?, result.1.to_vec()?), (vec![7, 8], vec![3, 7]));
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn reduce_by_key<K: HostOf, T: HostOf, R: Computed<Value = T>>(
    f: impl Fn(T, T) -> R + 'static,
) -> Result<ArrayProgram<(Arr1<K>, Arr1<T>), (Arr1<K>, Arr1<T>)>> {
    let f = Rc::new(f);
    named(
        "reduce_by_key",
        &["keys", "values"],
        move |keys: Arr1<K>, values: Arr1<T>| {
            // Stored: one kernel with the comparisons of both takes more registers than there are.
            let begins = begins(&keys).compute();
            let last = keys.len() - 1;
            let firsts = begins.clone();
            let next = begins.clone();
            let ends = begins.imap(move |i, _| i.eq(last) | next.at((i + 1).min(last)));
            let sums = values.segmented_inclusive_scan(begins, shared(&f));
            (keys.compact(firsts), sums.compact(ends))
        },
    )
}

/// The program of [`inclusive_scan_by_key`](super::inclusive_scan_by_key()): it takes the keys and the values.
///
/// # Errors
/// As of the [module](self).
///
/// ```
/// use obsidian_rt::{Device, algorithms::program};
/// use obsidian_rt::language::EU32;
///
/// let program = program::inclusive_scan_by_key::<EU32, _, _>(|x: EU32, y: EU32| x + y)?;
/// let device = Device::cpu();
/// let keys = device.array([4], &[7u32, 7, 8, 8])?;
/// let xs = device.array([4], &[1u32, 2, 3, 4])?;
/// let result = program.run(&device, (&keys, &xs))?;
/// assert_eq!(result.to_vec()?, [1, 3, 3, 7]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn inclusive_scan_by_key<K: HostOf, T: HostOf, R: Computed<Value = T>>(
    f: impl Fn(T, T) -> R + 'static,
) -> Result<ArrayProgram<(Arr1<K>, Arr1<T>), Arr1<T>>> {
    let f = Rc::new(f);
    named(
        "inclusive_scan_by_key",
        &["keys", "values"],
        move |keys: Arr1<K>, values: Arr1<T>| {
            values.segmented_inclusive_scan(begins(&keys), shared(&f))
        },
    )
}

/// The program of [`exclusive_scan_by_key`](super::exclusive_scan_by_key()): it takes the keys, the values and the first value.
///
/// # Errors
/// As of the [module](self).
///
/// ```
/// use obsidian_rt::{Device, algorithms::program, arrays::Value};
/// use obsidian_rt::language::EU32;
///
/// let program = program::exclusive_scan_by_key::<EU32, _, _>(|x: EU32, y: EU32| x + y)?;
/// let device = Device::cpu();
/// let keys = device.array([4], &[7u32, 7, 8, 8])?;
/// let xs = device.array([4], &[1u32, 2, 3, 4])?;
/// let result = program.run(&device, (&keys, &xs, Value(0u32)))?;
/// assert_eq!(result.to_vec()?, [0, 1, 0, 3]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn exclusive_scan_by_key<K: HostOf, T: HostOf, R: Computed<Value = T>>(
    f: impl Fn(T, T) -> R + 'static,
) -> Result<ArrayProgram<(Arr1<K>, Arr1<T>, Value<T>), Arr1<T>>> {
    let f = Rc::new(f);
    named(
        "exclusive_scan_by_key",
        &["keys", "values", "initial"],
        move |keys: Arr1<K>, values: Arr1<T>, initial: Value<T>| {
            values.segmented_exclusive_scan(begins(&keys), shared(&f), initial.0)
        },
    )
}

/// The program of [`copy_if`](super::copy_if()).
///
/// # Errors
/// As of the [module](self).
///
/// ```
/// use obsidian_rt::{Device, algorithms::program};
/// use obsidian_rt::language::EU32;
///
/// let program = program::copy_if(|x: EU32| x.gt(2))?;
/// let device = Device::cpu();
/// let xs = device.array([4], &[1u32, 2, 3, 4])?;
/// let result = program.run(&device, &xs)?;
/// assert_eq!(result.to_vec()?, [3, 4]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn copy_if<T: HostOf>(
    p: impl Fn(T) -> Exp<bool> + 'static,
) -> Result<ArrayProgram<(Arr1<T>,), Arr1<T>>> {
    let p = Rc::new(p);
    named("copy_if", &["xs"], move |xs: Arr1<T>| {
        let p = p.clone();
        xs.filter(move |x| p(x))
    })
}

/// The program of [`copy_flagged`](super::copy_flagged()): it takes the elements and the flags.
///
/// # Errors
/// As of the [module](self).
///
/// ```
/// use obsidian_rt::{Device, algorithms::program};
/// use obsidian_rt::language::EU32;
///
/// let program = program::copy_flagged::<EU32>()?;
/// let device = Device::cpu();
/// let xs = device.array([4], &[1u32, 2, 3, 4])?;
/// let flags = device.array([4], &[true, false, false, true])?;
/// let result = program.run(&device, (&xs, &flags))?;
/// assert_eq!(result.to_vec()?, [1, 4]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn copy_flagged<T: HostOf>() -> Result<ArrayProgram<(Arr1<T>, Arr1<Exp<bool>>), Arr1<T>>> {
    named(
        "copy_flagged",
        &["xs", "flags"],
        |xs: Arr1<T>, flags: Arr1<Exp<bool>>| xs.compact(flags),
    )
}

/// The program of [`partition`](super::partition()).
///
/// # Errors
/// As of the [module](self).
///
/// ```
/// use obsidian_rt::{Device, algorithms::program};
/// use obsidian_rt::language::EU32;
///
/// let program = program::partition(|x: EU32| x.gt(2))?;
/// let device = Device::cpu();
/// let xs = device.array([4], &[1u32, 2, 3, 4])?;
/// let result = program.run(&device, &xs)?;
/// assert_eq!((result.0.to_vec()?, result.1.to_vec()?), (vec![3, 4], vec![1, 2]));
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn partition<T: HostOf>(
    p: impl Fn(T) -> Exp<bool> + 'static,
) -> Result<ArrayProgram<(Arr1<T>,), (Arr1<T>, Arr1<T>)>> {
    let p = Rc::new(p);
    named("partition", &["xs"], move |xs: Arr1<T>| {
        let p = p.clone();
        xs.partition(move |x| p(x))
    })
}

/// The program of [`unique`](super::unique()).
///
/// # Errors
/// As of the [module](self).
///
/// ```
/// use obsidian_rt::{Device, algorithms::program};
/// use obsidian_rt::language::EU32;
///
/// let program = program::unique::<EU32>()?;
/// let device = Device::cpu();
/// let xs = device.array([4], &[1u32, 1, 2, 1])?;
/// let result = program.run(&device, &xs)?;
/// assert_eq!(result.to_vec()?, [1, 2, 1]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn unique<T: HostOf>() -> Result<ArrayProgram<(Arr1<T>,), Arr1<T>>> {
    named("unique", &["xs"], |xs: Arr1<T>| xs.compact(begins(&xs)))
}

/// The program of [`gather`](super::gather()): it takes the numbers and the elements.
///
/// # Errors
/// As of the [module](self).
///
/// ```
/// use obsidian_rt::{Device, algorithms::program};
/// use obsidian_rt::language::EU32;
///
/// let program = program::gather::<EU32>()?;
/// let device = Device::cpu();
/// let xs = device.array([4], &[1u32, 2, 3, 4])?;
/// let numbers = device.array([2], &[3u32, 0])?;
/// let result = program.run(&device, (&numbers, &xs))?;
/// assert_eq!(result.to_vec()?, [4, 1]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn gather<T: HostOf>() -> Result<ArrayProgram<(Arr1<Exp<u32>>, Arr1<T>), Arr1<T>>> {
    named(
        "gather",
        &["numbers", "xs"],
        |numbers: Arr1<Exp<u32>>, xs: Arr1<T>| gathered(numbers, xs),
    )
}

/// The program of [`transpose`](super::transpose()).
///
/// # Errors
/// As of the [module](self).
///
/// ```
/// use obsidian_rt::{Device, algorithms::program};
/// use obsidian_rt::language::EU32;
///
/// let program = program::transpose::<EU32>()?;
/// let device = Device::cpu();
/// let m = device.array([2, 3], &[1u32, 2, 3, 4, 5, 6])?;
/// let result = program.run(&device, &m)?;
/// assert_eq!(result.to_vec()?, [1, 4, 2, 5, 3, 6]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn transpose<T: HostOf>() -> Result<ArrayProgram<(Arr2<T>,), Arr2<T>>> {
    named("transpose", &["m"], |m: Arr2<T>| m.transpose())
}

/// The program of [`stencil2`](super::stencil2()) with a boundary that is known while it is built.
///
/// # Errors
/// As of the [module](self).
///
/// ```
/// use obsidian_rt::{Device, algorithms::program};
/// use obsidian_rt::language::EU32;
///
/// let program = program::stencil2::<EU32, _>(obsidian_rt::arrays::Wrap, |w| w.at((0, 1)))?;
/// let device = Device::cpu();
/// let m = device.array([2, 3], &[1u32, 2, 3, 4, 5, 6])?;
/// let result = program.run(&device, &m)?;
/// assert_eq!(result.to_vec()?, [2, 3, 1, 5, 6, 4]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn stencil2<T: HostOf, R: Computed>(
    boundary: Boundary<T, Ix2>,
    f: impl Fn(Window<Ix2, T>) -> R + 'static,
) -> Result<ArrayProgram<(Arr2<T>,), Arr2<R::Value>>>
where
    R::Value: HostOf,
{
    let f = Rc::new(f);
    named("stencil2", &["m"], move |m: Arr2<T>| {
        let f = f.clone();
        m.stencil(boundary.clone(), move |window| f(window))
    })
}

/// The program of [`stencil2`](super::stencil2()) with a value around the matrix, which it takes behind the matrix.
///
/// # Errors
/// As of the [module](self).
///
/// ```
/// use obsidian_rt::{Device, algorithms::program, arrays::Value};
/// use obsidian_rt::language::EU32;
///
/// let program = program::stencil2_constant::<EU32, _>(|w| w.at((0, 1)))?;
/// let device = Device::cpu();
/// let m = device.array([2, 3], &[1u32, 2, 3, 4, 5, 6])?;
/// let result = program.run(&device, (&m, Value(9u32)))?;
/// assert_eq!(result.to_vec()?, [2, 3, 9, 5, 6, 9]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn stencil2_constant<T: HostOf, R: Computed>(
    f: impl Fn(Window<Ix2, T>) -> R + 'static,
) -> Result<ArrayProgram<(Arr2<T>, Value<T>), Arr2<R::Value>>>
where
    R::Value: HostOf,
{
    let f = Rc::new(f);
    named(
        "stencil2",
        &["m", "outside"],
        move |m: Arr2<T>, outside: Value<T>| {
            let f = f.clone();
            m.stencil(Boundary::Constant(outside.0), move |window| f(window))
        },
    )
}

/// The first of the numbers from `low` to `high` of which `is_far` holds, if it holds of all behind that one.
fn first_far(
    low: Exp<u32>,
    high: Exp<u32>,
    is_far: impl Fn(Exp<u32>) -> Exp<bool> + 'static,
) -> Program<Thread, Exp<u32>> {
    let halved = move |(low, high): (Exp<u32>, Exp<u32>)| {
        let middle = low + (high - low) / 2;
        let far = is_far(middle);
        (select(far, low, middle + 1), select(far, middle, high))
    };
    seq_until(halved, |(low, high)| low.lt(high), (low, high)).map(|(low, _)| low)
}

/// Is a number in front of another one when they are sorted?
fn is_below<T: super::Number>(x: Exp<T>, y: Exp<T>) -> Exp<bool> {
    T::descending(y).lt(T::descending(x))
}

/// The program of [`lower_bound`](super::lower_bound()): it takes the sorted elements and the values.
///
/// # Errors
/// As of the [module](self).
///
/// ```
/// use obsidian_rt::{Device, algorithms::program};
///
/// let program = program::lower_bound::<u32>()?;
/// let device = Device::cpu();
/// let xs = device.array([4], &[1u32, 2, 3, 4])?;
/// let values = device.array([3], &[0u32, 3, 9])?;
/// let result = program.run(&device, (&xs, &values))?;
/// assert_eq!(result.to_vec()?, [0, 2, 4]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn lower_bound<T>() -> Result<ArrayProgram<(Arr1<Exp<T>>, Arr1<Exp<T>>), Arr1<Exp<u32>>>>
where
    T: super::Number,
{
    named(
        "lower_bound",
        &["sorted", "values"],
        |sorted: Arr1<Exp<T>>, values: Arr1<Exp<T>>| {
            values.map(move |value| {
                let n = sorted.len();
                let sorted = sorted.clone();
                first_far(lit(0), n, move |i| !is_below(sorted.at(i), value))
            })
        },
    )
}

/// The program of [`upper_bound`](super::upper_bound()): it takes the sorted elements and the values.
///
/// # Errors
/// As of the [module](self).
///
/// ```
/// use obsidian_rt::{Device, algorithms::program};
///
/// let program = program::upper_bound::<u32>()?;
/// let device = Device::cpu();
/// let xs = device.array([4], &[1u32, 2, 3, 4])?;
/// let values = device.array([3], &[0u32, 3, 9])?;
/// let result = program.run(&device, (&xs, &values))?;
/// assert_eq!(result.to_vec()?, [0, 3, 4]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn upper_bound<T>() -> Result<ArrayProgram<(Arr1<Exp<T>>, Arr1<Exp<T>>), Arr1<Exp<u32>>>>
where
    T: super::Number,
{
    named(
        "upper_bound",
        &["sorted", "values"],
        |sorted: Arr1<Exp<T>>, values: Arr1<Exp<T>>| {
            values.map(move |value| {
                let n = sorted.len();
                let sorted = sorted.clone();
                first_far(lit(0), n, move |i| is_below(value, sorted.at(i)))
            })
        },
    )
}

/// For each element of the merged array: is it of the first array, and its number there or in the second one.
fn merge_path<T>(a: &Arr1<Exp<T>>, b: &Arr1<Exp<T>>) -> Arr1<(Exp<bool>, Exp<u32>)>
where
    T: super::Number,
{
    let (n, m) = (a.len(), b.len());
    let (a, b) = (a.clone(), b.clone());
    generate(n + m, move |k| {
        // How many of the first `k` elements are of `a`: all those of `a` that are not above the last of `b` before them.
        let (own, others) = (a.clone(), b.clone());
        let low = k - k.min(m);
        let taken = first_far(low, k.min(n), move |i| {
            is_below(others.at(k - 1 - i), own.at(i))
        });
        let (own, others) = (a.clone(), b.clone());
        taken.map(move |i| {
            let j = k - i;
            let is_first = select(j.lt(m), !is_below(others.at(j), own.at(i)), lit(true));
            let first = select(i.lt(n), is_first, lit(false));
            (first, select(first, i, j))
        })
    })
}

/// The program of [`merge`](super::merge()): it takes both arrays.
///
/// # Errors
/// As of the [module](self).
///
/// ```
/// use obsidian_rt::{Device, algorithms::program};
///
/// let program = program::merge::<u32>()?;
/// let device = Device::cpu();
/// let xs = device.array([4], &[1u32, 2, 3, 4])?;
/// let values = device.array([3], &[0u32, 3, 9])?;
/// let result = program.run(&device, (&xs, &values))?;
/// assert_eq!(result.to_vec()?, [0, 1, 2, 3, 3, 4, 9]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn merge<T>() -> Result<ArrayProgram<(Arr1<Exp<T>>, Arr1<Exp<T>>), Arr1<Exp<T>>>>
where
    T: super::Number,
{
    named(
        "merge",
        &["first", "second"],
        |a: Arr1<Exp<T>>, b: Arr1<Exp<T>>| {
            merge_path(&a, &b).map(move |(first, i)| picked(&a, &b, first, i))
        },
    )
}

/// An element of one of two arrays.
fn picked<T: HostOf>(a: &Arr1<T>, b: &Arr1<T>, first: Exp<bool>, i: Exp<u32>) -> T {
    T::choose(first, a.at(i), b.at(i))
}

/// The program of [`merge_by_key`](super::merge_by_key()): it takes the keys and values of both arrays.
///
/// # Errors
/// As of the [module](self).
///
/// ```
/// use obsidian_rt::{Device, algorithms::program};
/// use obsidian_rt::language::EU32;
///
/// let program = program::merge_by_key::<u32, EU32>()?;
/// let device = Device::cpu();
/// let keys = device.array([2], &[1u32, 5])?;
/// let values = device.array([2], &[10u32, 50])?;
/// let other_keys = device.array([1], &[3u32])?;
/// let others = device.array([1], &[30u32])?;
/// let result = program.run(&device, (&keys, &values, &other_keys, &others))?;
/// assert_eq!((result.0.to_vec()?, result.1.to_vec()?), (vec![1, 3, 5], vec![10, 30, 50]));
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn merge_by_key<K, T: HostOf>()
-> Result<ArrayProgram<(Arr1<Exp<K>>, Arr1<T>, Arr1<Exp<K>>, Arr1<T>), (Arr1<Exp<K>>, Arr1<T>)>>
where
    K: super::Number,
{
    named(
        "merge_by_key",
        &["keys", "values", "other_keys", "others"],
        |keys: Arr1<Exp<K>>, values: Arr1<T>, other_keys: Arr1<Exp<K>>, others: Arr1<T>| {
            let path = merge_path(&keys, &other_keys).compute();
            let merged = path.map(move |(first, i)| picked(&keys, &other_keys, first, i));
            let n = values.len();
            let numbers = path.map(move |(first, i)| select(first, i, i + n));
            (merged, gathered(numbers, append(values, others)))
        },
    )
}

/// What segments have to be like.
const SEGMENTS: &str = "`offsets` ascend, and none of them is above the number of elements of `xs`";

/// The program of [`segmented_reduce`](super::segmented_reduce()): it takes the elements, the offsets and the first value.
///
/// # Errors
/// As of the [module](self).
///
/// ```
/// use obsidian_rt::{Device, algorithms::program, arrays::Value};
/// use obsidian_rt::language::EU32;
///
/// let program = program::segmented_reduce(|x: EU32, y: EU32| x + y)?;
/// let device = Device::cpu();
/// let xs = device.array([4], &[1u32, 2, 3, 4])?;
/// let offsets = device.array([3], &[0u32, 1, 4])?;
/// let result = program.run(&device, (&xs, &offsets, Value(0u32)))?;
/// assert_eq!(result.to_vec()?, [1, 9]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn segmented_reduce<T: HostOf, R: Computed<Value = T>>(
    f: impl Fn(T, T) -> R + 'static,
) -> Result<ArrayProgram<(Arr1<T>, Arr1<Exp<u32>>, Value<T>), Arr1<T>>> {
    let f = Rc::new(f);
    named(
        "segmented_reduce",
        &["xs", "offsets", "initial"],
        move |xs: Arr1<T>, offsets: Arr1<Exp<u32>>, initial: Value<T>| {
            let sums = xs.segmented_inclusive_scan(is_one_of(&xs, &offsets), shared(&f));
            let f = f.clone();
            let n = xs.len();
            generate(offsets.len() - 1, move |s| {
                let (start, end) = (offsets.at(s), offsets.at(s + 1));
                let is_right = start.le(end) & end.le(n);
                let (sums, f, initial) = (sums.clone(), f.clone(), initial.0.clone());
                let is_some = start.lt(end) & end.le(n);
                assert_that(is_right, SEGMENTS).and_then(move |()| {
                    let sum = || f(initial.clone(), sums.at(end - 1)).value();
                    pure(one_of(is_some, sum, || initial.clone()))
                })
            })
        },
    )
}

/// For each number of an element whether ascending offsets have it.
fn is_one_of<T: HostOf>(xs: &Arr1<T>, offsets: &Arr1<Exp<u32>>) -> Arr1<Exp<bool>> {
    let offsets = offsets.clone();
    generate(xs.len(), move |i| {
        let (own, others) = (offsets.clone(), offsets.clone());
        let found = first_far(lit(0), offsets.len(), move |s| own.at(s).ge(i));
        found.map(move |s| select(s.lt(others.len()), others.at(s).eq(i), lit(false)))
    })
}

/// The program of [`sort`](super::sort()).
///
/// # Errors
/// As of the [module](self).
///
/// ```
/// use obsidian_rt::{Device, algorithms::program};
/// use obsidian_rt::language::EU32;
///
/// let program = program::sort::<EU32>()?;
/// let device = Device::cpu();
/// let xs = device.array([4], &[3u32, 1, 4, 1])?;
/// let result = program.run(&device, &xs)?;
/// assert_eq!(result.to_vec()?, [1, 1, 3, 4]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn sort<T: HostOf>() -> Result<ArrayProgram<(Arr1<T>,), Arr1<T>>> {
    named("sort", &["xs"], |xs: Arr1<T>| xs.sort())
}

/// The program of [`sort_by_key`](super::sort_by_key()): it takes the keys and the values.
///
/// # Errors
/// As of the [module](self).
///
/// ```
/// use obsidian_rt::{Device, algorithms::program};
/// use obsidian_rt::language::EU32;
///
/// let program = program::sort_by_key::<EU32, EU32>()?;
/// let device = Device::cpu();
/// let keys = device.array([3], &[3u32, 1, 2])?;
/// let values = device.array([3], &[30u32, 10, 20])?;
/// let result = program.run(&device, (&keys, &values))?;
/// assert_eq!(result.1.to_vec()?, [10, 20, 30]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn sort_by_key<K: HostOf, T: HostOf>()
-> Result<ArrayProgram<(Arr1<K>, Arr1<T>), (Arr1<K>, Arr1<T>)>> {
    named(
        "sort_by_key",
        &["keys", "values"],
        |keys: Arr1<K>, values: Arr1<T>| unzip(zip(keys, values).sort_by_key(|(key, _)| key)),
    )
}

/// The program of [`top_k`](super::top_k()): it takes the elements and how many there are to be, which must not be above the number of elements.
///
/// # Errors
/// As of the [module](self).
///
/// ```
/// use obsidian_rt::{Device, algorithms::program};
///
/// let program = program::top_k::<u32>()?;
/// let device = Device::cpu();
/// let xs = device.array([4], &[3u32, 1, 4, 1])?;
/// let result = program.run(&device, (&xs, 2))?;
/// assert_eq!((result.0.to_vec()?, result.1.to_vec()?), (vec![4, 3], vec![2, 0]));
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn top_k<T: super::Number>()
-> Result<ArrayProgram<(Arr1<Exp<T>>, Exp<u32>), (Arr1<Exp<T>>, Arr1<Exp<u32>>)>> {
    named("top_k", &["xs", "k"], |xs: Arr1<Exp<T>>, k: Exp<u32>| {
        let numbered = xs.imap(|i, x| (x, i));
        unzip(numbered.sort_by_key(|(x, _)| T::descending(x)).take(k))
    })
}

/// The program of [`scatter`](super::scatter()): it takes the elements, the places, and what is at the places to which no element goes.
///
/// # Errors
/// As of the [module](self).
///
/// ```
/// use obsidian_rt::{Device, algorithms::program};
/// use obsidian_rt::language::EU32;
///
/// let program = program::scatter::<EU32>()?;
/// let device = Device::cpu();
/// let xs = device.array([2], &[7u32, 8])?;
/// let places = device.array([2], &[2u32, 0])?;
/// let defaults = device.array([3], &[0u32, 0, 0])?;
/// let result = program.run(&device, (&xs, &places, &defaults))?;
/// assert_eq!(result.to_vec()?, [8, 0, 7]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn scatter<T: HostOf>() -> Result<ArrayProgram<(Arr1<T>, Arr1<Exp<u32>>, Arr1<T>), Arr1<T>>> {
    named(
        "scatter",
        &["xs", "places", "defaults"],
        |xs: Arr1<T>, places: Arr1<Exp<u32>>, defaults: Arr1<T>| xs.scatter(places, defaults),
    )
}
