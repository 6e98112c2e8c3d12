//! Zips: several arrays element by element.
//!
//! The arrays have to be equally long. Static lengths that differ are a mistake where the user calls
//! the function, lengths of inputs and arguments are compared at launch (also for a zip under a
//! condition), and the check proves that all others are equal. The functions whose names end in
//! `_shortest` take arrays of any lengths, and stop where the shortest ends.

use crate::array::{Length, Pull, common_of};

/// The length of the shortest.
fn shortest<S: Length>(lengths: &[S]) -> S {
    let shortest = lengths.iter().cloned().reduce(|x, y| x.least(&y));
    shortest.unwrap_or_else(|| S::from_exp(crate::scalar::lit(0)))
}

macro_rules! zips {
    ($count:literal $with:ident $with_shortest:ident $zip:ident $zip_shortest:ident $tuple:literal;
     $($array:ident: $element:ident),*) => {
        #[doc = concat!("`f` of the elements of ", $count, " arrays, which are equally long.")]
        #[track_caller]
        pub fn $with<$($element: 'static,)* Out: 'static, S: Length>(
            f: impl Fn($($element),*) -> Out + 'static,
            $($array: Pull<$element, S>,)*
        ) -> Pull<Out, S> {
            let length = common_of(stringify!($with), &[$(($array.len(), $array.origin())),*]);
            Pull::new(length, move |i| f($($array.at(i)),*))
        }

        #[doc = concat!("`f` of the elements of ", $count, " arrays, as many as the shortest has.")]
        pub fn $with_shortest<$($element: 'static,)* Out: 'static, S: Length>(
            f: impl Fn($($element),*) -> Out + 'static,
            $($array: Pull<$element, S>,)*
        ) -> Pull<Out, S> {
            let length = shortest(&[$($array.len()),*]);
            Pull::new(length, move |i| f($($array.at(i)),*))
        }

        #[doc = concat!("Equally long arrays, ", $count, " of them, as an array of ", $tuple, ".")]
        #[track_caller]
        pub fn $zip<$($element: 'static,)* S: Length>(
            $($array: Pull<$element, S>,)*
        ) -> Pull<($($element),*), S> {
            let length = common_of(stringify!($zip), &[$(($array.len(), $array.origin())),*]);
            Pull::new(length, move |i| ($($array.at(i)),*))
        }

        #[doc = concat!("Arrays, ", $count, " of them, as an array of ", $tuple, ", as many as the shortest has.")]
        pub fn $zip_shortest<$($element: 'static,)* S: Length>(
            $($array: Pull<$element, S>,)*
        ) -> Pull<($($element),*), S> {
            let length = shortest(&[$($array.len()),*]);
            Pull::new(length, move |i| ($($array.at(i)),*))
        }
    };
}

zips! { "two" zip_with zip_with_shortest zip zip_shortest "pairs"; a: A, b: B }
zips! { "three" zip_with3 zip_with3_shortest zip3 zip3_shortest "triples"; a: A, b: B, c: C }
zips! { "four" zip_with4 zip_with4_shortest zip4 zip4_shortest "quadruples"; a: A, b: B, c: C, d: D }

/// An array of pairs as two arrays.
pub fn unzip<A: 'static, B: 'static, S: Length>(
    array: Pull<(A, B), S>,
) -> (Pull<A, S>, Pull<B, S>) {
    (array.map(|(x, _)| x), array.map(|(_, y)| y))
}

/// An array of triples as three arrays.
#[allow(clippy::type_complexity)]
pub fn unzip3<A: 'static, B: 'static, C: 'static, S: Length>(
    array: Pull<(A, B, C), S>,
) -> (Pull<A, S>, Pull<B, S>, Pull<C, S>) {
    (
        array.map(|(x, _, _)| x),
        array.map(|(_, y, _)| y),
        array.map(|(_, _, z)| z),
    )
}

/// An array of quadruples as four arrays.
#[allow(clippy::type_complexity)]
pub fn unzip4<A: 'static, B: 'static, C: 'static, D: 'static, S: Length>(
    array: Pull<(A, B, C, D), S>,
) -> (Pull<A, S>, Pull<B, S>, Pull<C, S>, Pull<D, S>) {
    (
        array.map(|(x, ..)| x),
        array.map(|(_, y, ..)| y),
        array.map(|(_, _, z, _)| z),
        array.map(|(.., w)| w),
    )
}
