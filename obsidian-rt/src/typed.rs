//! Kernels of closures: built while the program runs, from any values that it has, with typed
//! launches.
//!
//! What `#[kernel]` does for a function whose text is known, [`TypedKernel`] does for a closure:
//! its parameters say what a launch takes, its result what a launch gives. This is how shapes of
//! one algorithm are tried.

use std::fmt;
use std::marker::PhantomData;
use std::panic::Location;

use obsidian_core::array::{Element as Elements, Length, Push};
use obsidian_core::library::Mutable;
use obsidian_core::lower::{Builder, KernelParameter, KernelResult};
use obsidian_core::plan::Limits;
use obsidian_core::program::{Grid, Program};
use obsidian_core::scalar::Exp;

use crate::buffer::Buffer;
use crate::device::Device;
use crate::element::Element;
use crate::error::Result;
use crate::kernel::Kernel;
use crate::launch::{Argument, Outputs};

/// A kernel that a closure describes, with the types of its parameters `P` and of its result `R`.
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
    pub fn kernel(&self) -> &Kernel {
        &self.kernel
    }

    /// Launches the kernel. One parameter takes a `&Buffer`, a `&mut Buffer` or a number; several
    /// take a tuple of them. An array of tuples takes a tuple of buffers.
    ///
    /// # Errors
    /// Whatever does not fit is reported before anything runs.
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

/// What a launch is given for a parameter.
pub trait LaunchParameter: KernelParameter {
    /// Buffers, or a number.
    type Given<'a>;
    #[doc(hidden)]
    fn give<'a>(given: Self::Given<'a>, arguments: &mut Vec<Argument<'a>>);
}

impl<T: LaunchElement> LaunchParameter for obsidian_core::array::DPull<T> {
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

/// What a launch gives for a result.
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
pub trait Parameters {
    /// What a launch takes: for one parameter that alone, for several a tuple.
    type Given<'a>;
    #[doc(hidden)]
    fn give<'a>(given: Self::Given<'a>, arguments: &mut Vec<Argument<'a>>);
}

/// Closures that describe kernels: up to eight parameters, each an array (`DPull`, `MGlobal`) or a
/// device value.
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
