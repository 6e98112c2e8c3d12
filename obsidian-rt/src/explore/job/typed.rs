//! Which jobs a typed kernel can do by one launch.

use obsidian_language::array::{DPull, Length, Push};
use obsidian_language::program::{Grid, Program};
use obsidian_language::scalar::Exp;

use super::{Answer, Input, InputPart};
use crate::buffer::Buffer;
use crate::element::Element;
use crate::typed::{LaunchParameter, LaunchResult, Parameters};

/// Parameters of a kernel that the input of a job has: arrays of elements that it reads, and numbers.
///
/// ```
/// use obsidian_rt::explore::{Candidate, Explore, Gpu, Job, Objective, Space};
/// use obsidian_rt::{TypedKernel, language::*};
///
/// // The kernel has the input of the job as its parameters: an array and a number.
/// let job = Job::new((vec![1u32; 256], 3u32), |(x, by)| x.iter().map(|x| x * by).collect::<Vec<u32>>());
/// let exploration = Explore::new(Space::new(), Objective::predicted(Gpu::named("H100")?), job, |_| {
///     let kernel = TypedKernel::build("scaled", 64, |x: DPull<EU32>, by: EU32| {
///         x.split_up(64).as_grid_map(move |x| x.map(move |x| x * by).push())
///     })?;
///     Ok(Candidate::of(kernel))
/// });
/// assert_eq!(exploration.run()?.results.ranked().len(), 1);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub trait Takes: Parameters {
    /// The input.
    type Input: Input;
    #[doc(hidden)]
    fn given(input: <Self::Input as Input>::Given<'_>) -> Self::Given<'_>;
}

/// One such parameter.
///
/// ```
/// use obsidian_rt::explore::TakesPart;
/// use obsidian_rt::language::{DPull, EU32};
///
/// let part: <DPull<EU32> as TakesPart>::Part = vec![1u32, 2];
/// assert_eq!(part.len(), 2);
/// ```
pub trait TakesPart: LaunchParameter {
    /// The part of the input.
    type Part: InputPart;
    #[doc(hidden)]
    fn given_part(part: <Self::Part as InputPart>::Given<'_>) -> Self::Given<'_>;
}

impl<T: Element> TakesPart for DPull<Exp<T>> {
    type Part = Vec<T>;
    // Lifetimes in the same places as those of the trait.
    fn given_part(part: <Vec<T> as InputPart>::Given<'_>) -> <Self as LaunchParameter>::Given<'_> {
        part
    }
}

macro_rules! numbers {
    ($($ty:ident)*) => {$(
        impl TakesPart for Exp<$ty> {
            type Part = $ty;
            fn given_part(part: <$ty as InputPart>::Given<'_>) -> <Self as LaunchParameter>::Given<'_> {
                part
            }
        }
    )*};
}

numbers! { bool u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 }

impl Takes for () {
    type Input = ();
    fn given((): <() as Input>::Given<'_>) -> <() as Parameters>::Given<'_> {}
}

impl<A: TakesPart> Takes for (A,) {
    type Input = A::Part;
    fn given(input: <A::Part as InputPart>::Given<'_>) -> A::Given<'_> {
        A::given_part(input)
    }
}

macro_rules! tuples {
    ($(($($ty:ident $n:tt)+);)*) => {$(
        impl<$($ty: TakesPart),+> Takes for ($($ty,)+) {
            type Input = ($($ty::Part,)+);
            fn given<'a>(input: ($(<$ty::Part as InputPart>::Given<'a>,)+)) -> ($($ty::Given<'a>,)+) {
                ($($ty::given_part(input.$n),)+)
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

/// Results of a kernel that are the answer of a job: one array, or two or three.
///
/// ```
/// use obsidian_rt::explore::{Candidate, Explore, Gpu, Job, Objective, Space};
/// use obsidian_rt::{TypedKernel, language::*};
///
/// let job = Job::new(vec![1u32; 256], |x| x.iter().map(|x| 2 * x).collect::<Vec<u32>>());
/// let space = Space::new().list("threads", [32, 64]);
/// let exploration = Explore::new(space, Objective::predicted(Gpu::named("H100")?), job, |point| {
///     let kernel = TypedKernel::build("doubled", point.u32("threads")?, |x: DPull<EU32>| {
///         x.split_up(64).as_grid_map(|x| x.map(|x| x * 2).push())
///     })?;
///     Ok(Candidate::of(kernel))
/// });
/// // The kernel gives one array, and the answer of the job is a `Vec`.
/// assert_eq!(exploration.run()?.results.ranked().len(), 2);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub trait Gives: LaunchResult {
    /// The answer.
    type Answer: Answer;
    #[doc(hidden)]
    fn answer(buffers: Self::Buffers) -> <Self::Answer as Answer>::Buffers;
}

impl<T: Element, S: Length> Gives for Push<Grid, Exp<T>, S> {
    type Answer = Vec<T>;
    fn answer(buffer: Buffer<T>) -> Buffer<T> {
        buffer
    }
}

impl<R: Gives + 'static> Gives for Program<Grid, R> {
    type Answer = R::Answer;
    fn answer(buffers: R::Buffers) -> <R::Answer as Answer>::Buffers {
        R::answer(buffers)
    }
}

macro_rules! results {
    ($(($($ty:ident $length:ident)+);)*) => {$(
        impl<$($ty: Element, $length: Length),+> Gives for ($(Push<Grid, Exp<$ty>, $length>,)+) {
            type Answer = ($(Vec<$ty>,)+);
            fn answer(buffers: ($(Buffer<$ty>,)+)) -> ($(Buffer<$ty>,)+) {
                buffers
            }
        }

        impl<$($ty: Element,)+ S: Length> Gives for Push<Grid, ($(Exp<$ty>,)+), S> {
            type Answer = ($(Vec<$ty>,)+);
            fn answer(buffers: ($(Buffer<$ty>,)+)) -> ($(Buffer<$ty>,)+) {
                buffers
            }
        }
    )*};
}

results! {
    (A K B L);
    (A K B L C M);
}
