//! What programs over chunks take and give: arrays, or tuples of them.

use obsidian_language::arrays::{AnyArr, Arr};

use crate::arrays::{HostOf, Rank};

/// The arrays of one chunk: an array, or a tuple of arrays. The outermost axis numbers the elements of the chunk, but for arrays that
/// [`with`](super::Sequence::with) puts beside it.
///
/// ```
/// use obsidian_rt::{arrays::*, language::EF32, sequence::Sequence};
///
/// // A chunk of numbers is a vector, and a chunk of rows is a matrix.
/// let numbers: Sequence<Arr1<EF32>> = Sequence::slice(&[1.0f32, 2.0]);
/// let rows: Sequence<Arr2<EF32>> = Sequence::rows(&[1.0f32, 2.0, 3.0, 4.0], [2]);
/// let both: Sequence<(Arr1<EF32>, Arr2<EF32>)> = numbers.zip(rows);
/// # drop(both);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a chunk of a sequence",
    note = "a chunk is an array (`Arr1<EF32>`, `Arr2<(EU32, EF32)>`), or a tuple of at most seven arrays"
)]
pub trait Chunk: Clone + 'static {
    /// Has each array as many rows as the chunk has elements?
    #[doc(hidden)]
    const HAS_ROWS: bool = true;
    /// The arrays, without their types.
    #[doc(hidden)]
    fn parts(&self) -> Vec<AnyArr>;
    /// The next arrays of a list, with their types; none if the list is too short, which is a bug.
    #[doc(hidden)]
    fn of(parts: &mut std::slice::Iter<'_, AnyArr>) -> Option<Self>;
}

impl<Sh: Rank, T: HostOf> Chunk for Arr<Sh, T> {
    fn parts(&self) -> Vec<AnyArr> {
        vec![self.untyped()]
    }
    fn of(parts: &mut std::slice::Iter<'_, AnyArr>) -> Option<Self> {
        Some(parts.next()?.ranked::<Sh>().to::<T>())
    }
}

/// Chunks that another array can be put behind: see [`Sequence::zip`](super::Sequence::zip).
///
/// ```
/// use obsidian_rt::sequence::Sequence;
///
/// let numbers = || Sequence::slice(&[1.0f32, 2.0]);
/// let three = numbers().zip(numbers()).zip(numbers()); // a tuple of three arrays
/// # drop(three);
/// ```
#[diagnostic::on_unimplemented(
    message = "these sequences cannot be zipped",
    note = "a chunk has at most seven arrays; write `xs.zip(pairs)` as `pairs.zip(xs)`, so that one array is put behind the others"
)]
pub trait Zip<C>: Chunk {
    /// The arrays of both.
    type Both: Chunk;
}

impl<Sh: Rank, T: HostOf, Other: Rank, U: HostOf> Zip<Arr<Other, U>> for Arr<Sh, T> {
    type Both = (Self, Arr<Other, U>);
}

/// Functions of the arrays of a chunk `C`, one parameter for each array, that give `R`: those of `#[arrays]`, say.
///
/// ```
/// use obsidian_rt::{Device, arrays::*, language::EF32, sequence::Sequence};
///
/// fn products(xs: Arr1<EF32>, ys: Arr1<EF32>) -> Arr1<EF32> {
///     zip_with(|x, y| x * y, xs, ys)
/// }
///
/// let (xs, ys) = (Sequence::slice(&[1.0f32, 2.0]), Sequence::slice(&[10.0f32, 20.0]));
/// assert_eq!(xs.zip(ys).through(products).sum().run(&Device::cpu())?, 50.0);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no function of the arrays of this sequence's chunks",
    note = "`through` takes a function with one parameter for each array of a chunk; the chunks here are `{C}`",
    note = "a closure of the whole chunk goes to `map_chunks`"
)]
pub trait ChunkFn<C, R>: 'static {
    #[doc(hidden)]
    #[track_caller]
    fn apply(&self, chunk: C) -> R;
}

impl<F: Fn(Arr<Sh, T>) -> R + 'static, Sh: Rank, T: HostOf, R> ChunkFn<Arr<Sh, T>, R> for F {
    fn apply(&self, chunk: Arr<Sh, T>) -> R {
        self(chunk)
    }
}

macro_rules! tuples {
    ($(($($ty:ident $n:tt)+);)*) => {$(
        impl<$($ty: Chunk),+> Chunk for ($($ty,)+) {
            const HAS_ROWS: bool = $($ty::HAS_ROWS)&&+;
            fn parts(&self) -> Vec<AnyArr> {
                let parts = [$(self.$n.parts()),+];
                parts.concat()
            }
            fn of(parts: &mut std::slice::Iter<'_, AnyArr>) -> Option<Self> {
                Some(($($ty::of(parts)?,)+))
            }
        }
        impl<Function: Fn($($ty),+) -> Value + 'static, $($ty: Chunk,)+ Value> ChunkFn<($($ty,)+), Value> for Function {
            fn apply(&self, chunk: ($($ty,)+)) -> Value {
                self($(chunk.$n),+)
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
}

macro_rules! zips {
    ($(($($ty:ident)+);)*) => {$(
        impl<$($ty: Chunk,)+ Sh: Rank, T: HostOf> Zip<Arr<Sh, T>> for ($($ty,)+) {
            type Both = ($($ty,)+ Arr<Sh, T>);
        }
    )*};
}

zips! {
    (A B);
    (A B C);
    (A B C D);
    (A B C D E);
    (A B C D E F);
}
