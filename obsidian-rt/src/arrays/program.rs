//! Array programs of closures: built while the program runs, with typed runs.

use std::fmt;
use std::marker::PhantomData;

use obsidian_language::arrays::{
    Arr, ArrayParameter, ArrayResult, Computed, Item, Schedule, Signature,
};
use obsidian_language::scalar::{Exp, Literal};

use super::array::{Array, ArrayView, HostItem, Rank};
use super::literals::Literals;
use super::run::{Produced, Run};
use crate::device::Device;
use crate::element::Element;
use crate::error::Result;
use crate::kernel::Kernel;

/// A program over whole arrays that a closure describes, with the types of its parameters `P` and of its result `R`.
///
/// The closure is Rust that runs now, several times, and must do the same each time. See the [module](super) for an example.
///
/// ```
/// use obsidian_rt::{Device, arrays::*, language::EF32};
///
/// let length = ArrayProgram::build("length", |x: Arr1<EF32>| x.map(|x| x * x).sum().map(|sum| sum.sqrt()))?;
/// let device = Device::cpu();
/// assert_eq!(length.run(&device, &device.array([2], &[3.0, 4.0])?)?.value()?, 5.0);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub struct ArrayProgram<P, R> {
    schedule: Schedule,
    kernels: Vec<Kernel>,
    literals: Literals,
    types: PhantomData<fn(P) -> R>,
}

impl<P, R> fmt::Debug for ArrayProgram<P, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ArrayProgram")
            .field("name", &self.schedule.name)
            .field("kernels", &self.kernels.len())
            .finish_non_exhaustive()
    }
}

impl<P: ArrayParameters, R: RunResult> ArrayProgram<P, R> {
    /// A program of a schedule and its kernels.
    pub(crate) fn of(schedule: Schedule, kernels: Vec<Kernel>) -> Self {
        ArrayProgram {
            schedule,
            kernels,
            literals: Literals::default(),
            types: PhantomData,
        }
    }

    /// What a run is made of.
    pub(crate) fn parts(&self) -> (&Schedule, &[Kernel], &Literals) {
        (&self.schedule, &self.kernels, &self.literals)
    }

    /// The launches of a run, in order.
    ///
    /// ```
    /// use obsidian_rt::{arrays::*, language::EU32};
    ///
    /// let sums = ArrayProgram::build("sums", |x: Arr1<EU32>| x.map(|x| x * x).sum())?;
    /// println!("{}", sums.schedule());
    /// assert_eq!(sums.schedule().operators(), 1);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// The kernels of the schedule, by number.
    ///
    /// ```
    /// use obsidian_rt::{arrays::*, language::EU32};
    ///
    /// let doubled = ArrayProgram::build("doubled", |x: Arr1<EU32>| x.map(|x| x * 2))?;
    /// assert_eq!(doubled.kernels().len(), 1);
    /// println!("{}", doubled.kernels()[0].cuda());
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn kernels(&self) -> &[Kernel] {
        &self.kernels
    }

    /// Runs the program. One parameter takes a `&Array`, an [`ArrayView`] or a number; several take a tuple of them.
    ///
    /// # Errors
    /// [`ErrorKind::Requirement`](crate::ErrorKind::Requirement) for extents that do not fit, and what the launches report.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*, language::EU32};
    ///
    /// let scaled = ArrayProgram::build("scaled", |x: Arr1<EU32>, by: EU32| x.map(move |x| x * by))?;
    /// let device = Device::cpu();
    /// let x = device.array([2], &[1, 2])?;
    /// assert_eq!(scaled.run(&device, (&x, 10))?.to_vec()?, [10, 20]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn run<'a>(&'a self, device: &Device, inputs: impl RunInputs<'a, P>) -> Result<R::Arrays> {
        let mut run = Run::new(device, self.parts());
        inputs.give(&mut run);
        let mut produced = run.finish()?;
        R::collect(&mut produced)
    }

    /// Runs the program into existing arrays, which have the extents of the results: nothing is allocated for them.
    ///
    /// # Errors
    /// As [`run`](ArrayProgram::run), and [`ErrorKind::UnequalLengths`](crate::ErrorKind::UnequalLengths) for an array of other extents.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*, language::EU32};
    ///
    /// let doubled = ArrayProgram::build("doubled", |x: Arr1<EU32>| x.map(|x| x * 2))?;
    /// let device = Device::cpu();
    /// let (x, mut result) = (device.array([2], &[1, 2])?, device.array([2], &[0, 0])?);
    /// doubled.run_into(&device, &x, &mut result)?;
    /// assert_eq!(result.to_vec()?, [2, 4]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn run_into<'a>(
        &'a self,
        device: &Device,
        inputs: impl RunInputs<'a, P>,
        outputs: R::Into<'a>,
    ) -> Result<()> {
        let mut run = Run::new(device, self.parts());
        inputs.give(&mut run);
        R::fill(outputs, &mut run);
        run.finish().map(drop)
    }
}

/// Elements that the host has, too.
///
/// ```
/// use obsidian_rt::arrays::HostOf;
/// use obsidian_rt::language::{EF32, EU32};
///
/// let pair: <(EU32, EF32) as HostOf>::Host = (1u32, 0.5f32);
/// assert_eq!(pair.0, 1);
/// ```
pub trait HostOf: Item + Computed<Value = Self> {
    /// The element as the host has it.
    type Host: HostItem<Device = Self>;
}

impl<T: Element> HostOf for Exp<T> {
    type Host = T;
}

macro_rules! tuples {
    ($(($($ty:ident)+);)*) => {$(
        impl<$($ty: HostOf),+> HostOf for ($($ty,)+) {
            type Host = ($($ty::Host,)+);
        }
    )*};
}

tuples! {
    (A B);
    (A B C);
    (A B C D);
    (A B C D E);
    (A B C D E F);
    (A B C D E F G);
}

/// An element as a parameter of an array program: a number, or a tuple of them. A run is given `Value((1u32, 0.5f32))`.
///
/// ```
/// use obsidian_rt::{Device, arrays::*, language::{EF32, EU32}};
///
/// # fn main() -> obsidian_rt::Result<()> {
/// type Sum = (EU32, EF32);
/// let program = ArrayProgram::build("sums", |xs: Arr1<Sum>, first: Value<Sum>| {
///     xs.fold(|x, y| (x.0 + y.0, x.1 + y.1), first.0)
/// })?;
/// let device = Device::cpu();
/// let xs = device.array([2], &[(1u32, 0.5f32), (2, 0.25)])?;
/// assert_eq!(program.run(&device, (&xs, Value((10u32, 1.0f32))))?.value()?, (13, 1.75));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Value<T>(
    /// The element.
    pub T,
);

impl<T: HostOf> ArrayParameter for Value<T> {
    fn declare(signature: &mut Signature) -> Self {
        Value(T::Host::declare(signature))
    }
}

impl<T: HostOf> RunParameter for Value<T> {}

impl<'a, T: HostItem> RunInput<'a, Value<T::Device>> for Value<T> {
    fn give(self, run: &mut Run<'a>) {
        let mut literals = Vec::new();
        self.0.literals(&mut literals);
        literals.into_iter().for_each(|literal| run.scalar(literal));
    }
}

/// A parameter of an array program that a run can be given.
///
/// ```
/// use obsidian_rt::{Device, arrays::*, language::EU32};
///
/// // An array is given as a `&Array`, a device value as a number.
/// let scaled = ArrayProgram::build("scaled", |x: Arr1<EU32>, by: EU32| x.map(move |x| x * by))?;
/// let device = Device::cpu();
/// assert_eq!(scaled.run(&device, (&device.array([2], &[1, 2])?, 10))?.to_vec()?, [10, 20]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub trait RunParameter: ArrayParameter {}

impl<Sh: Rank, T: HostOf> RunParameter for Arr<Sh, T> {}
impl<T: Element> RunParameter for Exp<T> {}

/// What a run is given for a parameter `P`: a `&Array` or an [`ArrayView`] for an array, a number for a device value.
///
/// ```
/// use obsidian_rt::{Device, arrays::*, language::EU32};
///
/// let doubled = ArrayProgram::build("doubled", |x: Arr1<EU32>| x.map(|x| x * 2))?;
/// let device = Device::cpu();
/// let buffer = device.upload(&[1, 2])?;
/// assert_eq!(doubled.run(&device, ArrayView::of(&buffer, [2])?)?.to_vec()?, [2, 4]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "a run cannot be given `{Self}` for a parameter `{P}`",
    note = "an array program takes a `&Array` of the shape and elements of its parameter, an `ArrayView`, or a number"
)]
pub trait RunInput<'a, P> {
    #[doc(hidden)]
    fn give(self, run: &mut Run<'a>);
}

impl<'a, Sh: Rank, T: HostOf> RunInput<'a, Arr<Sh, T>> for &'a Array<Sh, T::Host> {
    fn give(self, run: &mut Run<'a>) {
        RunInput::<'a, Arr<Sh, T>>::give(ArrayView::from(self), run);
    }
}

impl<'a, Sh: Rank, T: HostOf> RunInput<'a, Arr<Sh, T>> for ArrayView<'a, Sh, T::Host> {
    fn give(self, run: &mut Run<'a>) {
        let extents = self.extents();
        run.array(extents.as_ref(), self.into_buffers());
    }
}

impl<'a, T: Element> RunInput<'a, Exp<T>> for T {
    fn give(self, run: &mut Run<'a>) {
        let literal: Literal = self.literal();
        run.scalar(literal);
    }
}

/// The host type of a result of a run.
///
/// ```
/// use obsidian_rt::{Device, arrays::*, language::EU32};
///
/// // Two results are a pair of arrays.
/// let both = ArrayProgram::build("both", |x: Arr1<EU32>| (x.sum(), x.max()))?;
/// let device = Device::cpu();
/// let (sum, largest) = both.run(&device, &device.array([3], &[1, 5, 3])?)?;
/// assert_eq!((sum.value()?, largest.value()?), (9, 5));
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub trait RunResult: ArrayResult {
    /// An array, or a tuple of them.
    type Arrays;
    /// Arrays to write, in the same tuples.
    type Into<'a>;
    #[doc(hidden)]
    fn collect(produced: &mut Produced) -> Result<Self::Arrays>;
    #[doc(hidden)]
    fn fill<'a>(outputs: Self::Into<'a>, run: &mut Run<'a>);
}

impl<Sh: Rank, T: HostOf> RunResult for Arr<Sh, T> {
    type Arrays = Array<Sh, T::Host>;
    type Into<'a> = &'a mut Array<Sh, T::Host>;
    fn collect(produced: &mut Produced) -> Result<Self::Arrays> {
        let (extents, buffers, device) = produced.next()?;
        let mut own = Sh::Extents::default();
        for (own, extent) in own.as_mut().iter_mut().zip(extents) {
            *own = extent as usize;
        }
        Ok(Array::of_run(own, buffers, device))
    }
    fn fill<'a>(output: Self::Into<'a>, run: &mut Run<'a>) {
        let extents = output.extents().as_ref().to_vec();
        run.output(&extents, output.buffers_mut());
    }
}

/// The parameters of an array program, as a tuple type.
///
/// ```
/// use obsidian_rt::{Result, arrays::*, language::EU32};
///
/// // The type of a program has its parameters as a tuple.
/// fn doubled() -> Result<ArrayProgram<(Arr1<EU32>,), Arr1<EU32>>> {
///     ArrayProgram::build("doubled", |x: Arr1<EU32>| x.map(|x| x * 2))
/// }
///
/// assert_eq!(doubled()?.kernels().len(), 1);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub trait ArrayParameters {}

/// The arguments of a run for the parameters `P`: one argument alone, several as a tuple.
///
/// ```
/// use obsidian_rt::{Device, arrays::*, language::EU32};
///
/// let sums = ArrayProgram::build("sums", |x: Arr1<EU32>, y: Arr1<EU32>| zip_with(|x, y| x + y, x, y))?;
/// let device = Device::cpu();
/// let (x, y) = (device.array([2], &[1, 2])?, device.array([2], &[10, 20])?);
/// assert_eq!(sums.run(&device, (&x, &y))?.to_vec()?, [11, 22]); // a tuple
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub trait RunInputs<'a, P> {
    #[doc(hidden)]
    fn give(self, run: &mut Run<'a>);
}

/// Closures that describe array programs: up to eight parameters, each an array or a device value.
///
/// ```
/// use obsidian_rt::{Device, arrays::*, language::EU32};
///
/// fn doubled(x: Arr1<EU32>) -> Arr1<EU32> {
///     x.map(|x| x * 2)
/// }
///
/// let program = ArrayProgram::build("doubled", doubled)?; // a function is one, too
/// let device = Device::cpu();
/// assert_eq!(program.run(&device, &device.array([2], &[1, 2])?)?.to_vec()?, [2, 4]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub trait ArrayFn<P, R> {
    #[doc(hidden)]
    #[track_caller]
    fn apply(&self, signature: &mut Signature) -> R;
}

impl ArrayParameters for () {}
impl<'a> RunInputs<'a, ()> for () {
    fn give(self, _: &mut Run<'a>) {}
}

impl<F: Fn() -> R, R> ArrayFn<(), R> for F {
    fn apply(&self, _: &mut Signature) -> R {
        self()
    }
}

impl<A: RunParameter> ArrayParameters for (A,) {}
impl<'a, A, Given: RunInput<'a, A>> RunInputs<'a, (A,)> for Given {
    fn give(self, run: &mut Run<'a>) {
        RunInput::give(self, run);
    }
}

macro_rules! functions {
    ($(($($ty:ident $n:tt)+);)*) => {$(
        impl<Function: Fn($($ty),+) -> Value, $($ty: RunParameter,)+ Value> ArrayFn<($($ty,)+), Value> for Function {
            fn apply(&self, signature: &mut Signature) -> Value {
                self($($ty::declare(signature)),+)
            }
        }
    )*};
}

macro_rules! parameters {
    ($(($($ty:ident $given:ident $n:tt)+);)*) => {$(
        impl<$($ty: RunParameter),+> ArrayParameters for ($($ty,)+) {}
        impl<'a, $($ty, $given: RunInput<'a, $ty>),+> RunInputs<'a, ($($ty,)+)> for ($($given,)+) {
            fn give(self, run: &mut Run<'a>) {
                $(self.$n.give(run);)+
            }
        }
    )*};
}

functions! {
    (A 0);
    (A 0 B 1);
    (A 0 B 1 C 2);
    (A 0 B 1 C 2 D 3);
    (A 0 B 1 C 2 D 3 E 4);
    (A 0 B 1 C 2 D 3 E 4 F 5);
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6);
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7);
}

parameters! {
    (A GivenA 0 B GivenB 1);
    (A GivenA 0 B GivenB 1 C GivenC 2);
    (A GivenA 0 B GivenB 1 C GivenC 2 D GivenD 3);
    (A GivenA 0 B GivenB 1 C GivenC 2 D GivenD 3 E GivenE 4);
    (A GivenA 0 B GivenB 1 C GivenC 2 D GivenD 3 E GivenE 4 F GivenF 5);
    (A GivenA 0 B GivenB 1 C GivenC 2 D GivenD 3 E GivenE 4 F GivenF 5 G GivenG 6);
    (A GivenA 0 B GivenB 1 C GivenC 2 D GivenD 3 E GivenE 4 F GivenF 5 G GivenG 6 H GivenH 7);
}

macro_rules! results {
    ($(($($ty:ident $n:tt)+);)*) => {$(
        impl<$($ty: RunResult),+> RunResult for ($($ty,)+) {
            type Arrays = ($($ty::Arrays,)+);
            type Into<'a> = ($($ty::Into<'a>,)+);
            fn collect(produced: &mut Produced) -> Result<Self::Arrays> {
                Ok(($($ty::collect(produced)?,)+))
            }
            fn fill<'a>(outputs: Self::Into<'a>, run: &mut Run<'a>) {
                $($ty::fill(outputs.$n, run);)+
            }
        }
    )*};
}

results! {
    (A 0 B 1);
    (A 0 B 1 C 2);
    (A 0 B 1 C 2 D 3);
    (A 0 B 1 C 2 D 3 E 4);
}
