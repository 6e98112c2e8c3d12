//! What the rewrite of a `#[kernels]` module calls: one syntax for Rust values and device values.
//!
//! Rust's own `==`, `<`, `[..]`, `as` and `if` know nothing of device values. The rewrite turns
//! them into calls of these functions, which do what Rust does with Rust values, and build
//! expressions of device values.

use std::ops::{Range, RangeFrom, RangeFull, RangeInclusive, RangeTo};

use crate::array::{Choice, IntoIndex, Length, Pull, Pull2, Pull3};
use crate::program::{Hierarchy, Program, Thread, Trace, assert_that};
use crate::scalar::{Exp, Scalar, here, indexed_at, lit};

/// A function of two values of one type that gives a third: what reductions and scans combine with.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     fn of_four<T: Data>(f: impl Combine<T>, x: Pull<T>) -> T {
///         f(f(x.at(0), x.at(1)), f(x.at(2), x.at(3)))
///     }
///
///     #[kernel(threads = 64)]
///     pub fn maxima(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(4).as_grid_map(|x| singleton(of_four(|a, b| a.max(b), x)).push())
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 9, 3, 4])?;
/// let result = example::maxima::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [9]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub trait Combine<T>: Fn(T, T) -> T + Clone + 'static {}

impl<T, F: Fn(T, T) -> T + Clone + 'static> Combine<T> for F {}

/// A function behind a pointer: functions of one signature have one type, as the elements of a
/// `Vec` or the argument of a recursive call that wraps its own parameter need it.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     fn twice(f: Fun<EU32, EU32>, x: EU32) -> EU32 {
///         f(f(x))
///     }
///
///     #[kernel(threads = 64)]
///     pub fn changed(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(2).as_grid_map(|x| x.map(|x| twice(fun(|x| x * 3), x)).push())
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2])?;
/// let result = example::changed::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [9, 18]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub type Fun<A, B> = Box<dyn Callable<A, B>>;

/// What [`Fun`] points to.
pub trait Callable<A, B>: Fn(A) -> B {
    /// A copy.
    fn copy(&self) -> Fun<A, B>;
}

impl<A, B, F: Fn(A) -> B + Clone + 'static> Callable<A, B> for F {
    fn copy(&self) -> Fun<A, B> {
        Box::new(self.clone())
    }
}

impl<A, B> Clone for Fun<A, B> {
    fn clone(&self) -> Self {
        (**self).copy()
    }
}

/// A function or closure as a [`Fun`].
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn changed(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         let steps = vec![fun(|x: EU32| x + 1), fun(|x: EU32| x * 10)];
///         x.split_up(2).as_grid_map(|x| x.map(|x| (steps[1])((steps[0])(x))).push())
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2])?;
/// let result = example::changed::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [20, 30]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub fn fun<A, B>(f: impl Fn(A) -> B + Clone + 'static) -> Fun<A, B> {
    Box::new(f)
}

/// A program from the function that writes its trace.
pub fn delayed<L: Hierarchy, A: 'static>(
    run: impl Fn(&mut Trace<L>) -> A + 'static,
) -> Program<L, A> {
    Program::new(run)
}

/// One of two values, chosen when the kernel runs: the paper's `ifThenElse`.
///
/// Both values are computed, so an index in either has to be inside. It chooses arrays and tuples, too. `if` is for conditions that are known
/// while the kernel is built.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn positive(x: DPull<EI32>) -> DPush<Grid, EI32> {
///         x.split_up(4).as_grid_map(|x| x.map(|x| select(x > 0, x, 0)).push())
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, -2, 3, -4])?;
/// let result = example::positive::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [1, 0, 3, 0]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "ternary")]
#[doc(alias = "ifThenElse")]
#[track_caller]
pub fn select<T: Choice>(condition: Exp<bool>, then: T, otherwise: T) -> T {
    T::choose(condition, then, otherwise)
}

/// Conditions of `if` and `while`: Rust's own booleans.
#[diagnostic::on_unimplemented(
    message = "this condition is a device boolean: it is known only when the kernel runs, and `if` decides while it is built",
    label = "a device boolean",
    note = "use `select(condition, a, b)` to choose between two values on the device"
)]
pub trait Host {
    /// The boolean.
    fn host(self) -> bool;
}

impl Host for bool {
    fn host(self) -> bool {
        self
    }
}

/// The condition of an `if` or `while`.
pub fn host(condition: impl Host) -> bool {
    condition.host()
}

/// What `assert!` can be told: a Rust boolean, which is known while the kernel is built, or a device boolean.
#[diagnostic::on_unimplemented(
    message = "`assert!` takes a boolean, and this is `{Self}`",
    label = "no boolean"
)]
pub trait Asserted {
    /// `()`, or a program of one thread.
    type Output;
    /// Asserts it.
    fn asserted(self, text: &str) -> Self::Output;
}

impl Asserted for bool {
    type Output = ();
    #[track_caller]
    fn asserted(self, text: &str) {
        assert!(self, "{text}");
    }
}

impl Asserted for Exp<bool> {
    type Output = Program<Thread, ()>;
    #[track_caller]
    fn asserted(self, text: &str) -> Program<Thread, ()> {
        assert_that(self, text)
    }
}

/// `assert!`
#[track_caller]
pub fn asserted<T: Asserted>(condition: T, text: &str) -> T::Output {
    condition.asserted(text)
}

/// Comparisons of Rust values with Rust values, and of device values with either.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be compared with `{Rhs}`",
    note = "compare values of one type; `x as f32` casts a device value, `lit(n)` makes one of a Rust value"
)]
pub trait Compare<Rhs: ?Sized = Self> {
    /// `bool`, or `Exp<bool>` if one side is a device value.
    type Output;
    /// `==`
    fn equal(&self, right: &Rhs) -> Self::Output;
    /// `!=`
    fn unequal(&self, right: &Rhs) -> Self::Output;
    /// `<`
    fn less(&self, right: &Rhs) -> Self::Output;
    /// `<=`
    fn at_most(&self, right: &Rhs) -> Self::Output;
    /// `>`
    fn greater(&self, right: &Rhs) -> Self::Output;
    /// `>=`
    fn at_least(&self, right: &Rhs) -> Self::Output;
}

impl<A: PartialOrd<B>, B> Compare<B> for A {
    type Output = bool;
    fn equal(&self, right: &B) -> bool {
        self == right
    }
    fn unequal(&self, right: &B) -> bool {
        self != right
    }
    fn less(&self, right: &B) -> bool {
        self < right
    }
    fn at_most(&self, right: &B) -> bool {
        self <= right
    }
    fn greater(&self, right: &B) -> bool {
        self > right
    }
    fn at_least(&self, right: &B) -> bool {
        self >= right
    }
}

macro_rules! device_comparisons {
    ([$($generic:tt)*] $left:ty, $right:ty, $x:ident $y:ident => $to_left:expr, $to_right:expr) => {
        impl $($generic)* Compare<$right> for $left {
            type Output = Exp<bool>;
            #[track_caller]
            fn equal(&self, $y: &$right) -> Exp<bool> {
                let $x = self;
                $to_left.eq($to_right)
            }
            #[track_caller]
            fn unequal(&self, $y: &$right) -> Exp<bool> {
                let $x = self;
                $to_left.ne($to_right)
            }
            #[track_caller]
            fn less(&self, $y: &$right) -> Exp<bool> {
                let $x = self;
                $to_left.lt($to_right)
            }
            #[track_caller]
            fn at_most(&self, $y: &$right) -> Exp<bool> {
                let $x = self;
                $to_left.le($to_right)
            }
            #[track_caller]
            fn greater(&self, $y: &$right) -> Exp<bool> {
                let $x = self;
                $to_left.gt($to_right)
            }
            #[track_caller]
            fn at_least(&self, $y: &$right) -> Exp<bool> {
                let $x = self;
                $to_left.ge($to_right)
            }
        }
    };
}

macro_rules! comparisons {
    ($($ty:ident)*) => {$(
        device_comparisons!([] Exp<$ty>, $ty, x y => *x, lit(*y));
        device_comparisons!([] $ty, Exp<$ty>, x y => lit(*x), *y);
    )*};
}

device_comparisons!([<T: Scalar>] Exp<T>, Exp<T>, x y => *x, *y);
device_comparisons!([<T: Scalar>] &Exp<T>, &Exp<T>, x y => **x, **y);
comparisons!(bool u8 u16 u32 u64 i8 i16 i32 i64 f32 f64);

/// The comparisons as functions, by the name of their operator in Rust.
pub mod compare {
    use super::Compare;

    macro_rules! functions {
        ($($(#[$doc:meta])* $name:ident $method:ident;)*) => {$(
            $(#[$doc])*
            #[track_caller]
            pub fn $name<A: Compare<B, Output = O> + ?Sized, B: ?Sized, O>(left: &A, right: &B) -> O {
                left.$method(right)
            }
        )*};
    }

    functions! {
        /// `left == right`
        eq equal;
        /// `left != right`
        ne unequal;
        /// `left < right`
        lt less;
        /// `left <= right`
        le at_most;
        /// `left > right`
        gt greater;
        /// `left >= right`
        ge at_least;
    }
}

/// Values with elements: `array[i]`.
#[diagnostic::on_unimplemented(
    message = "this cannot be indexed by `{I}`",
    label = "indexed by `{I}`",
    note = "pull arrays are indexed by EU32 or u32, as in `x[i as u32]`, and by a tuple of them if they have several axes; Rust's arrays and vectors by usize, as in `v[i as usize]`; push arrays have no elements to read, `compute` them first"
)]
pub trait At<I> {
    /// The element.
    type Output;
    /// The element at an index.
    fn at_index(&self, index: I) -> Self::Output;
}

#[diagnostic::do_not_recommend]
impl<T: 'static, S: Length> At<Exp<u32>> for Pull<T, S> {
    type Output = T;
    #[track_caller]
    fn at_index(&self, index: Exp<u32>) -> T {
        indexed_at(here(), || self.at(index))
    }
}

#[diagnostic::do_not_recommend]
impl<T: 'static, S: Length> At<u32> for Pull<T, S> {
    type Output = T;
    #[track_caller]
    fn at_index(&self, index: u32) -> T {
        indexed_at(here(), || self.at(index))
    }
}

#[diagnostic::do_not_recommend]
impl<T, S, A, B> At<(A, B)> for Pull2<T, S>
where
    T: 'static,
    S: Length,
    (A, B): IntoIndex<(Exp<u32>, Exp<u32>)>,
{
    type Output = T;

    #[track_caller]
    fn at_index(&self, index: (A, B)) -> T {
        indexed_at(here(), || self.at(index))
    }
}

#[diagnostic::do_not_recommend]
impl<T, S, A, B, C> At<(A, B, C)> for Pull3<T, S>
where
    T: 'static,
    S: Length,
    (A, B, C): IntoIndex<(Exp<u32>, Exp<u32>, Exp<u32>)>,
{
    type Output = T;

    #[track_caller]
    fn at_index(&self, index: (A, B, C)) -> T {
        indexed_at(here(), || self.at(index))
    }
}

#[diagnostic::do_not_recommend]
impl<A: At<I> + ?Sized, I> At<I> for &A {
    type Output = A::Output;
    #[track_caller]
    fn at_index(&self, index: I) -> A::Output {
        (**self).at_index(index)
    }
}

macro_rules! host_sequences {
    ($([$($generic:tt)*] $sequence:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T: Clone $($generic)*> At<usize> for $sequence {
            type Output = T;
            #[track_caller]
            fn at_index(&self, index: usize) -> T {
                self[index].clone()
            }
        }
        host_sequences!(@ranges [$($generic)*] $sequence, Range<usize>);
        host_sequences!(@ranges [$($generic)*] $sequence, RangeInclusive<usize>);
        host_sequences!(@ranges [$($generic)*] $sequence, RangeFrom<usize>);
        host_sequences!(@ranges [$($generic)*] $sequence, RangeTo<usize>);
        host_sequences!(@ranges [$($generic)*] $sequence, RangeFull);
    )*};
    (@ranges [$($generic:tt)*] $sequence:ty, $range:ty) => {
        #[diagnostic::do_not_recommend]
        impl<T: Clone $($generic)*> At<$range> for $sequence {
            type Output = Vec<T>;
            #[track_caller]
            fn at_index(&self, index: $range) -> Vec<T> {
                self[index].to_vec()
            }
        }
    };
}

host_sequences! {
    [] Vec<T>;
    [] [T];
    [, const N: usize] [T; N];
}

/// `array[index]`.
#[track_caller]
pub fn index_of<A: At<I, Output = O> + ?Sized, I, O>(array: &A, index: I) -> O {
    array.at_index(index)
}

/// Casts between numbers, of Rust and of the device: `value as To`.
#[diagnostic::on_unimplemented(message = "`{Self}` cannot be cast to `{To}`")]
pub trait CastTo<To> {
    /// `To` from a Rust value; the device value of `To` from a device value.
    type Output;
    /// The value, as `as` gives it.
    fn cast_to(self) -> Self::Output;
}

impl<T: Scalar, U: Scalar> CastTo<U> for Exp<T> {
    type Output = Exp<U>;
    fn cast_to(self) -> Exp<U> {
        self.cast()
    }
}

impl<T: Scalar, U: Scalar> CastTo<Exp<U>> for Exp<T> {
    type Output = Exp<U>;
    fn cast_to(self) -> Exp<U> {
        self.cast()
    }
}

macro_rules! host_casts {
    ($($from:ident: $($to:ident)*;)*) => {$(
        impl<U: Scalar> CastTo<Exp<U>> for $from {
            type Output = Exp<U>;
            fn cast_to(self) -> Exp<U> {
                lit(self as host_casts!(@wide $from)).cast()
            }
        }
        $(impl CastTo<$to> for $from {
            type Output = $to;
            #[allow(clippy::unnecessary_cast)]
            fn cast_to(self) -> $to {
                self as $to
            }
        })*
    )*};
    (@wide usize) => { u64 };
    (@wide isize) => { i64 };
    (@wide $ty:ident) => { $ty };
}

host_casts! {
    bool: u8 u16 u32 u64 usize i8 i16 i32 i64 isize;
    u8: u8 u16 u32 u64 usize i8 i16 i32 i64 isize f32 f64;
    u16: u8 u16 u32 u64 usize i8 i16 i32 i64 isize f32 f64;
    u32: u8 u16 u32 u64 usize i8 i16 i32 i64 isize f32 f64;
    u64: u8 u16 u32 u64 usize i8 i16 i32 i64 isize f32 f64;
    usize: u8 u16 u32 u64 usize i8 i16 i32 i64 isize f32 f64;
    i8: u8 u16 u32 u64 usize i8 i16 i32 i64 isize f32 f64;
    i16: u8 u16 u32 u64 usize i8 i16 i32 i64 isize f32 f64;
    i32: u8 u16 u32 u64 usize i8 i16 i32 i64 isize f32 f64;
    i64: u8 u16 u32 u64 usize i8 i16 i32 i64 isize f32 f64;
    isize: u8 u16 u32 u64 usize i8 i16 i32 i64 isize f32 f64;
    f32: u8 u16 u32 u64 usize i8 i16 i32 i64 isize f32 f64;
    f64: u8 u16 u32 u64 usize i8 i16 i32 i64 isize f32 f64;
}

/// `value as To`.
pub fn cast<To, T: CastTo<To>>(value: T) -> T::Output {
    value.cast_to()
}
