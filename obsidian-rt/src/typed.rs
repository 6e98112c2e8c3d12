//! Kernels of closures: built while the program runs, from any values that it has, with typed
//! launches.
//!
//! What `#[kernel]` does for a function whose text is known, [`TypedKernel`] does for a closure:
//! its parameters say what a launch takes, its result what a launch gives. This is how shapes of
//! one algorithm are tried.

#[cfg(not(feature = "run-time"))]
mod absent;

use std::fmt;
use std::marker::PhantomData;
#[cfg(feature = "run-time")]
use std::panic::Location;

#[cfg(feature = "run-time")]
use obsidian_base::launch::Limits;
use obsidian_language::array::{Element as Elements, Length, Push};
use obsidian_language::library::Mutable;
use obsidian_language::program::{Grid, Program};
use obsidian_language::reify::{Builder, KernelParameter, KernelResult};
use obsidian_language::scalar::Exp;

use crate::buffer::Buffer;
use crate::device::Device;
use crate::element::Element;
use crate::error::Result;
use crate::kernel::Kernel;
use crate::launch::{Argument, Outputs};

/// A kernel built from a closure while the program runs, with the types of its parameters `P` and of its result `R`.
///
/// The closure is Rust that runs now; the values that it captures are fixed in the kernel.
/// Functions of `#[kernels]` modules can be called in it. Such a kernel runs on every device. The CPU
/// takes longer for it than for one that `#[kernel]` has made, which has Rust of its own.
///
/// ```
/// use obsidian_rt::{Device, TypedKernel, language::*};
///
/// # fn main() -> obsidian_rt::Result<()> {
/// for pieces in [2, 4, 8] {
///     let sums = TypedKernel::build("sums", 64, |input: DPull<EU32>| {
///         input.split_up(pieces).as_grid_map(|piece| exec_block(pure(fold1(|a, b| a + b, piece).push())))
///     })?;
///     let device = Device::cpu();
///     let input = device.upload(&[1u32; 16])?;
///     assert_eq!(sums.launch(&device, &input)?.to_vec()?, vec![pieces; 16 / pieces as usize]);
/// }
/// # Ok(())
/// # }
/// ```
pub struct TypedKernel<P, R> {
    kernel: Kernel,
    types: PhantomData<fn(P) -> R>,
}

impl<P, R> Clone for TypedKernel<P, R> {
    fn clone(&self) -> Self {
        TypedKernel {
            kernel: self.kernel.clone(),
            types: PhantomData,
        }
    }
}

impl<P, R> fmt::Debug for TypedKernel<P, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kernel.fmt(f)
    }
}

impl<P: Parameters, R: LaunchResult> TypedKernel<P, R> {
    /// Builds the kernel for a number of real threads per block, 1 to 1,024, or for [`Limits`],
    /// which have the most bytes of shared memory too.
    ///
    /// # Errors
    /// [`ErrorKind::Build`](crate::ErrorKind::Build): everything that is wrong with it, or the
    /// limit that it passes; a panic of the closure is such an error too.
    ///
    /// ```
    /// use obsidian_rt::{Device, TypedKernel, language::*};
    ///
    /// let factor = 3; // known only now
    /// let scaled = TypedKernel::build("scaled", 64, |x: DPull<EU32>| {
    ///     x.split_up(2).as_grid_map(move |x| x.map(move |x| x * factor).push())
    /// })?;
    /// let device = Device::cpu();
    /// assert_eq!(scaled.launch(&device, &device.upload(&[1, 2])?)?.to_vec()?, [3, 6]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[cfg(feature = "run-time")]
    #[track_caller]
    pub fn build<F: KernelFn<P, R>>(name: &str, limits: impl Into<Limits>, f: F) -> Result<Self> {
        let place = Location::caller();
        let kernel = Kernel::of_closure(name, limits.into(), |builder| {
            builder.place(place);
            let result = f.apply(builder);
            builder.result(result);
        })?;
        Ok(TypedKernel {
            kernel,
            types: PhantomData,
        })
    }

    /// The kernel as a value: its CUDA text, and what it needs.
    ///
    /// ```
    /// use obsidian_rt::{TypedKernel, language::*};
    ///
    /// let doubled = TypedKernel::build("doubled", 64, |x: DPull<EU32>| {
    ///     x.split_up(2).as_grid_map(|x| x.map(|x| x * 2).push())
    /// })?;
    /// assert_eq!((doubled.kernel().name(), doubled.kernel().threads()), ("doubled", 64));
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn kernel(&self) -> &Kernel {
        &self.kernel
    }

    /// Launches the kernel. One parameter takes a `&Buffer`, a `&mut Buffer` or a number; several
    /// take a tuple of them. An array of tuples takes a tuple of buffers.
    ///
    /// # Errors
    /// Whatever does not fit is reported before anything runs.
    ///
    /// ```
    /// use obsidian_rt::{Device, TypedKernel, language::*};
    ///
    /// let scaled = TypedKernel::build("scaled", 64, |factor: EU32, x: DPull<EU32>| {
    ///     x.split_up(2).as_grid_map(move |x| x.map(move |x| x * factor).push())
    /// })?;
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2])?;
    /// assert_eq!(scaled.launch(&device, (10, &x))?.to_vec()?, [10, 20]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[doc(alias = "<<<>>>")]
    #[doc(alias = "cudaLaunchKernel")]
    pub fn launch(&self, device: &Device, inputs: P::Given<'_>) -> Result<R::Buffers> {
        let mut arguments = Vec::new();
        P::give(inputs, &mut arguments);
        let mut outputs = crate::launch::launch(&self.kernel, device, &mut arguments)?;
        R::collect(&mut outputs, &mut 0)
    }

    /// Launches the kernel into existing buffers: nothing is allocated. They have the lengths of the results of
    /// [`launch`](TypedKernel::launch); whatever they held before is gone, also after an error.
    ///
    /// # Errors
    /// As [`launch`](TypedKernel::launch), and [`ErrorKind::UnequalLengths`](crate::ErrorKind::UnequalLengths) for a buffer of another
    /// length.
    ///
    /// ```
    /// use obsidian_rt::{Device, TypedKernel, language::*};
    ///
    /// let doubled = TypedKernel::build("doubled", 64, |x: DPull<EU32>| {
    ///     x.split_up(2).as_grid_map(|x| x.map(|x| x * 2).push())
    /// })?;
    /// let device = Device::cpu();
    /// let (x, mut result) = (device.upload(&[1, 2])?, device.zeros(2)?);
    /// doubled.launch_into(&device, &x, &mut result)?;
    /// assert_eq!(result.to_vec()?, [2, 4]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn launch_into(
        &self,
        device: &Device,
        inputs: P::Given<'_>,
        outputs: R::Into<'_>,
    ) -> Result<()> {
        let (mut arguments, mut given) = (Vec::new(), Vec::new());
        P::give(inputs, &mut arguments);
        R::given(outputs, &mut given);
        crate::launch::launch_into(&self.kernel, device, &mut arguments, &mut given)
    }
}

/// Elements of arrays as buffers: one, or a tuple of them.
///
/// ```
/// use obsidian_rt::{Device, TypedKernel, language::*};
///
/// // `(EU32, EF32)` is given as a pair of buffers, and comes back as one.
/// let swapped = TypedKernel::build("swapped", 64, |x: DPull<(EU32, EF32)>| {
///     x.split_up(2).as_grid_map(|x| x.map(|(a, b)| (b, a)).push())
/// })?;
/// let device = Device::cpu();
/// let (a, b) = (device.upload(&[1, 2])?, device.upload(&[0.5, 1.5])?);
/// let (b, a) = swapped.launch(&device, (&a, &b))?;
/// assert_eq!((a.to_vec()?, b.to_vec()?), (vec![1, 2], vec![0.5, 1.5]));
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub trait LaunchElement: Elements {
    /// Buffers that are read.
    type Refs<'a>;
    /// Buffers that are read and written.
    type Muts<'a>;
    /// Buffers that a launch gives.
    type Owned;
    #[doc(hidden)]
    fn refs<'a>(given: Self::Refs<'a>, arguments: &mut Vec<Argument<'a>>);
    #[doc(hidden)]
    fn muts<'a>(given: Self::Muts<'a>, arguments: &mut Vec<Argument<'a>>);
    #[doc(hidden)]
    fn take(outputs: &mut Outputs, position: &mut usize) -> Result<Self::Owned>;
}

impl<T: Element> LaunchElement for Exp<T> {
    type Refs<'a> = &'a Buffer<T>;
    type Muts<'a> = &'a mut Buffer<T>;
    type Owned = Buffer<T>;
    fn refs<'a>(given: &'a Buffer<T>, arguments: &mut Vec<Argument<'a>>) {
        arguments.push(given.argument());
    }
    fn muts<'a>(given: &'a mut Buffer<T>, arguments: &mut Vec<Argument<'a>>) {
        arguments.push(given.argument_mut());
    }
    fn take(outputs: &mut Outputs, position: &mut usize) -> Result<Buffer<T>> {
        *position += 1;
        outputs.take(*position - 1)
    }
}

/// The argument of a launch for a parameter.
///
/// ```
/// use obsidian_rt::{Device, TypedKernel, language::*};
///
/// // An array that changes is given as a `&mut Buffer`, a value as a number.
/// let filled = TypedKernel::build("filled", 64, |x: MGlobal<EU32>, n: EU32| {
///     distr_par(x.len(), move |b| single_thread(x.write(b, b * n)))
/// })?;
/// let device = Device::cpu();
/// let mut x = device.zeros(3)?;
/// filled.launch(&device, (&mut x, 10))?;
/// assert_eq!(x.to_vec()?, [0, 10, 20]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub trait LaunchParameter: KernelParameter {
    /// Buffers, or a number.
    type Given<'a>;
    #[doc(hidden)]
    fn give<'a>(given: Self::Given<'a>, arguments: &mut Vec<Argument<'a>>);
}

impl<T: LaunchElement> LaunchParameter for obsidian_language::array::DPull<T> {
    type Given<'a> = T::Refs<'a>;
    fn give<'a>(given: Self::Given<'a>, arguments: &mut Vec<Argument<'a>>) {
        T::refs(given, arguments);
    }
}

impl<T: LaunchElement> LaunchParameter for Mutable<T, Exp<u32>> {
    type Given<'a> = T::Muts<'a>;
    fn give<'a>(given: Self::Given<'a>, arguments: &mut Vec<Argument<'a>>) {
        T::muts(given, arguments);
    }
}

impl<T: Element> LaunchParameter for Exp<T> {
    type Given<'a> = T;
    fn give<'a>(given: T, arguments: &mut Vec<Argument<'a>>) {
        arguments.push(Argument::scalar(given.literal()));
    }
}

/// The host type of a result of a launch.
///
/// ```
/// use obsidian_rt::{Device, TypedKernel, language::*};
///
/// // Two results are a pair of buffers.
/// let both = TypedKernel::build("both", 64, |x: DPull<EU32>| {
///     let double = x.split_up(2).as_grid_map(|x| x.map(|x| x * 2).push());
///     let square = x.split_up(2).as_grid_map(|x| x.map(|x| x * x).push());
///     (double, square)
/// })?;
/// let device = Device::cpu();
/// let (double, square) = both.launch(&device, &device.upload(&[3, 4])?)?;
/// assert_eq!((double.to_vec()?, square.to_vec()?), (vec![6, 8], vec![9, 16]));
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub trait LaunchResult: KernelResult {
    /// A buffer, or a tuple of them.
    type Buffers;
    /// Buffers to write, in the same tuples.
    type Into<'a>;
    #[doc(hidden)]
    fn collect(outputs: &mut Outputs, position: &mut usize) -> Result<Self::Buffers>;
    #[doc(hidden)]
    fn given<'a>(outputs: Self::Into<'a>, arguments: &mut Vec<Argument<'a>>);
}

impl<T: LaunchElement, S: Length> LaunchResult for Push<Grid, T, S> {
    type Buffers = T::Owned;
    fn collect(outputs: &mut Outputs, position: &mut usize) -> Result<T::Owned> {
        T::take(outputs, position)
    }
    type Into<'a> = T::Muts<'a>;
    fn given<'a>(outputs: T::Muts<'a>, arguments: &mut Vec<Argument<'a>>) {
        T::muts(outputs, arguments);
    }
}

impl LaunchResult for () {
    type Buffers = ();
    type Into<'a> = ();
    fn collect(_: &mut Outputs, _: &mut usize) -> Result<()> {
        Ok(())
    }
    fn given<'a>((): (), _: &mut Vec<Argument<'a>>) {}
}

impl<R: LaunchResult + 'static> LaunchResult for Program<Grid, R> {
    type Buffers = R::Buffers;
    fn collect(outputs: &mut Outputs, position: &mut usize) -> Result<R::Buffers> {
        R::collect(outputs, position)
    }
    type Into<'a> = R::Into<'a>;
    fn given<'a>(outputs: R::Into<'a>, arguments: &mut Vec<Argument<'a>>) {
        R::given(outputs, arguments);
    }
}

/// The parameters of a kernel, as a tuple type.
///
/// ```
/// use obsidian_rt::{Device, TypedKernel, language::*};
///
/// // Two parameters: a launch is given a pair.
/// let scaled = TypedKernel::build("scaled", 64, |n: EU32, x: DPull<EU32>| {
///     x.split_up(2).as_grid_map(move |x| x.map(move |x| x * n).push())
/// })?;
/// let device = Device::cpu();
/// assert_eq!(scaled.launch(&device, (10, &device.upload(&[3, 4])?))?.to_vec()?, [30, 40]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub trait Parameters {
    /// What a launch takes: for one parameter that alone, for several a tuple.
    type Given<'a>;
    #[doc(hidden)]
    fn give<'a>(given: Self::Given<'a>, arguments: &mut Vec<Argument<'a>>);
}

/// Closures that describe kernels: up to eight parameters, each an array (`DPull`, `MGlobal`) or a
/// device value.
///
/// ```
/// use obsidian_rt::{Device, TypedKernel, language::*};
///
/// fn doubled(x: DPull<EU32>) -> DPush<Grid, EU32> {
///     x.split_up(2).as_grid_map(|x| x.map(|x| x * 2).push())
/// }
///
/// let kernel = TypedKernel::build("doubled", 64, doubled)?; // a function is one, too
/// let device = Device::cpu();
/// assert_eq!(kernel.launch(&device, &device.upload(&[3, 4])?)?.to_vec()?, [6, 8]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub trait KernelFn<P, R> {
    #[doc(hidden)]
    fn apply(self, builder: &mut Builder) -> R;
}

impl Parameters for () {
    type Given<'a> = ();
    fn give<'a>((): (), _: &mut Vec<Argument<'a>>) {}
}

impl<F: FnOnce() -> R, R> KernelFn<(), R> for F {
    fn apply(self, _: &mut Builder) -> R {
        self()
    }
}

impl<A: LaunchParameter> Parameters for (A,) {
    type Given<'a> = A::Given<'a>;
    fn give<'a>(given: Self::Given<'a>, arguments: &mut Vec<Argument<'a>>) {
        A::give(given, arguments);
    }
}

impl<F: FnOnce(A) -> R, A: LaunchParameter, R> KernelFn<(A,), R> for F {
    fn apply(self, builder: &mut Builder) -> R {
        self(A::declare(builder, "input"))
    }
}

macro_rules! tuples {
    ($(($($ty:ident $n:tt)+);)*) => {$(
        impl<$($ty: LaunchElement),+> LaunchElement for ($($ty,)+) {
            type Refs<'a> = ($($ty::Refs<'a>,)+);
            type Muts<'a> = ($($ty::Muts<'a>,)+);
            type Owned = ($($ty::Owned,)+);
            fn refs<'a>(given: Self::Refs<'a>, arguments: &mut Vec<Argument<'a>>) {
                $($ty::refs(given.$n, arguments);)+
            }
            fn muts<'a>(given: Self::Muts<'a>, arguments: &mut Vec<Argument<'a>>) {
                $($ty::muts(given.$n, arguments);)+
            }
            fn take(outputs: &mut Outputs, position: &mut usize) -> Result<Self::Owned> {
                Ok(($($ty::take(outputs, position)?,)+))
            }
        }
        impl<$($ty: LaunchParameter),+> Parameters for ($($ty,)+) {
            type Given<'a> = ($($ty::Given<'a>,)+);
            fn give<'a>(given: Self::Given<'a>, arguments: &mut Vec<Argument<'a>>) {
                $($ty::give(given.$n, arguments);)+
            }
        }
        impl<Function: FnOnce($($ty),+) -> Value, $($ty: LaunchParameter,)+ Value> KernelFn<($($ty,)+), Value> for Function {
            fn apply(self, builder: &mut Builder) -> Value {
                self($($ty::declare(builder, concat!("input_", stringify!($n)))),+)
            }
        }
    )*};
}

tuples! {
    (A 0 B 1);
    (A 0 B 1 C 2);
    (A 0 B 1 C 2 D 3);
    (A 0 B 1 C 2 D 3 E 4);
    (A 0 B 1 C 2 D 3 E 4 F 5);
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6);
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7);
}

macro_rules! results {
    ($(($($ty:ident $n:tt)+);)*) => {$(
        impl<$($ty: LaunchResult),+> LaunchResult for ($($ty,)+) {
            type Buffers = ($($ty::Buffers,)+);
            type Into<'a> = ($($ty::Into<'a>,)+);
            fn given<'a>(outputs: Self::Into<'a>, arguments: &mut Vec<Argument<'a>>) {
                $($ty::given(outputs.$n, arguments);)+
            }
            fn collect(outputs: &mut Outputs, position: &mut usize) -> Result<Self::Buffers> {
                Ok(($($ty::collect(outputs, position)?,)+))
            }
        }
    )*};
}

results! {
    (A 0 B 1);
    (A 0 B 1 C 2);
    (A 0 B 1 C 2 D 3);
}
