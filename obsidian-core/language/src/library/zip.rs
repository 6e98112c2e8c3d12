//! Zips: several arrays element by element.
//!
//! The arrays have to be equally long. Static lengths that differ are a mistake where the user calls
//! the function, lengths of inputs and arguments are compared at launch (also for a zip under a
//! condition), and the check proves that all others are equal. The functions whose names end in
//! `_shortest` take arrays of any lengths, and stop where the shortest ends.

use crate::array::{Length, Pull, Shape, common_shape};

/// The length of the shortest.
fn shortest<S: Shape>(shapes: &[S]) -> S {
    let mut all = shapes[0].clone();
    for shape in &shapes[1..] {
        let sizes = shape.sizes();
        all = all.each(|axis, size| size.least(&sizes[axis]));
    }
    all
}

/// An example of a function of this file: a kernel whose result is an expression of `x`, the elements 1, 2, 3 and 4.
macro_rules! example {
    ($type:literal, $expression:expr, $check:literal) => {
        concat!(
            "use obsidian_rt::prelude::*;\n\n#[kernels]\nmod example {\n    #[kernel(threads = 64)]\n    pub fn zipped(x: DPull<EU32>) -> DPush<Grid, ",
            $type,
            "> {\n        x.split_up(4).as_grid_map(|x| ",
            $expression,
            ".push())\n    }\n}\n\nlet device = Device::cpu();\nlet x = device.upload(&[1, 2, 3, 4])?;\nlet result = example::zipped::launch(&device, &x)?;\n",
            $check,
            "\n# Ok::<(), obsidian_rt::Error>(())\n"
        )
    };
}

macro_rules! zips {
    ($count:literal $with:ident $with_shortest:ident $zip:ident $zip_shortest:ident $tuple:literal;
     $($array:ident: $element:ident),*;
     $equal:literal $shorter:literal $sum:literal; $sums:literal $few_sums:literal; $type:literal $first:literal $few_first:literal) => {
        #[doc = concat!(
            "`f` of the elements of ", $count, " arrays, which are equally long: other lengths are an error, at compile time or at launch.\n\n",
            "It is a view: who reads an element computes `f`.\n\n```\n",
            example!("EU32", concat!(stringify!($with), "(", $sum, ", ", $equal, ")"), $sums),
            "```"
        )]
        #[track_caller]
        pub fn $with<$($element: 'static,)* Out: 'static, S: Shape>(
            f: impl Fn($($element),*) -> Out + 'static,
            $($array: Pull<$element, S>,)*
        ) -> Pull<Out, S> {
            let shape = common_shape(stringify!($with), &[$(($array.shape(), $array.origin())),*]);
            Pull::new(shape, move |i: S::Index| f($($array.get(i.clone())),*))
        }

        #[doc = concat!(
            "`f` of the elements of ", $count, " arrays, as many as the shortest has.\n\n```\n",
            example!("EU32", concat!(stringify!($with_shortest), "(", $sum, ", ", $shorter, ")"), $few_sums),
            "```"
        )]
        pub fn $with_shortest<$($element: 'static,)* Out: 'static, S: Shape>(
            f: impl Fn($($element),*) -> Out + 'static,
            $($array: Pull<$element, S>,)*
        ) -> Pull<Out, S> {
            let shape = shortest(&[$($array.shape()),*]);
            Pull::new(shape, move |i: S::Index| f($($array.get(i.clone())),*))
        }

        #[doc = concat!(
            "Equally long arrays, ", $count, " of them, as an array of ", $tuple,
            ": other lengths are an error, at compile time or at launch.\n\nIt is a view. An output of ", $tuple, " is a buffer for each component.\n\n```\n",
            example!($type, concat!(stringify!($zip), "(", $equal, ")"), $first),
            "```"
        )]
        #[track_caller]
        pub fn $zip<$($element: 'static,)* S: Shape>(
            $($array: Pull<$element, S>,)*
        ) -> Pull<($($element),*), S> {
            let shape = common_shape(stringify!($zip), &[$(($array.shape(), $array.origin())),*]);
            Pull::new(shape, move |i: S::Index| ($($array.get(i.clone())),*))
        }

        #[doc = concat!(
            "Arrays, ", $count, " of them, as an array of ", $tuple, ", as many as the shortest has.\n\n```\n",
            example!($type, concat!(stringify!($zip_shortest), "(", $shorter, ")"), $few_first),
            "```"
        )]
        pub fn $zip_shortest<$($element: 'static,)* S: Shape>(
            $($array: Pull<$element, S>,)*
        ) -> Pull<($($element),*), S> {
            let shape = shortest(&[$($array.shape()),*]);
            Pull::new(shape, move |i: S::Index| ($($array.get(i.clone())),*))
        }
    };
}

zips! { "two" zip_with zip_with_shortest zip zip_shortest "pairs"; a: A, b: B;
"x, x.reverse()" "x, x.drop(2)" "|a, b| a * b";
"assert_eq!(result.to_vec()?, [4, 6, 6, 4]);" "assert_eq!(result.to_vec()?, [3, 8]);";
"(EU32, EU32)" "assert_eq!(result.1.to_vec()?, [4, 3, 2, 1]);" "assert_eq!(result.0.to_vec()?, [1, 2]);" }
zips! { "three" zip_with3 zip_with3_shortest zip3 zip3_shortest "triples"; a: A, b: B, c: C;
"x, x.reverse(), iota(4)" "x, x.drop(2), iota(4)" "|a, b, c| a * b + c";
"assert_eq!(result.to_vec()?, [4, 7, 8, 7]);" "assert_eq!(result.to_vec()?, [3, 9]);";
"(EU32, EU32, EU32)" "assert_eq!(result.1.to_vec()?, [4, 3, 2, 1]);" "assert_eq!(result.0.to_vec()?, [1, 2]);" }
zips! { "four" zip_with4 zip_with4_shortest zip4 zip4_shortest "quadruples"; a: A, b: B, c: C, d: D;
"x, x.reverse(), iota(4), x" "x, x.drop(2), iota(4), x" "|a, b, c, d| a * b + c - d";
"assert_eq!(result.to_vec()?, [3, 5, 5, 3]);" "assert_eq!(result.to_vec()?, [2, 7]);";
"(EU32, EU32, EU32, EU32)" "assert_eq!(result.1.to_vec()?, [4, 3, 2, 1]);" "assert_eq!(result.0.to_vec()?, [1, 2]);" }

/// An array of pairs as two arrays.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn sums(x: DPull<(EU32, EU32)>) -> DPush<Grid, EU32> {
///         let (a, b) = unzip(x);
///         zip_with(|a, b| a + b, a, b).split_up(2).as_grid_map(|x| x.push())
///     }
/// }
///
/// let device = Device::cpu();
/// let (a, b) = (device.upload(&[1, 2])?, device.upload(&[10, 20])?);
/// let result = example::sums::launch(&device, (&a, &b))?;
/// assert_eq!(result.to_vec()?, [11, 22]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub fn unzip<A: 'static, B: 'static, S: Shape>(array: Pull<(A, B), S>) -> (Pull<A, S>, Pull<B, S>) {
    (array.map(|(x, _)| x), array.map(|(_, y)| y))
}

/// An array of triples as three arrays.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn products(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         let (a, b, c) = unzip3(x.triple());
///         zip_with3(|a, b, c| a * b * c, a, b, c).split_up(2).as_grid_map(|x| x.push())
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 4, 5, 6])?;
/// let result = example::products::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [6, 120]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[allow(clippy::type_complexity)]
pub fn unzip3<A: 'static, B: 'static, C: 'static, S: Shape>(
    array: Pull<(A, B, C), S>,
) -> (Pull<A, S>, Pull<B, S>, Pull<C, S>) {
    (
        array.map(|(x, _, _)| x),
        array.map(|(_, y, _)| y),
        array.map(|(_, _, z)| z),
    )
}

/// An array of quadruples as four arrays.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn sums(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         let (a, _, _, d) = unzip4(x.quadruple());
///         zip_with(|a, d| a + d, a, d).split_up(2).as_grid_map(|x| x.push())
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 4, 5, 6, 7, 8])?;
/// let result = example::sums::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [5, 13]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[allow(clippy::type_complexity)]
pub fn unzip4<A: 'static, B: 'static, C: 'static, D: 'static, S: Shape>(
    array: Pull<(A, B, C, D), S>,
) -> (Pull<A, S>, Pull<B, S>, Pull<C, S>, Pull<D, S>) {
    (
        array.map(|(x, ..)| x),
        array.map(|(_, y, ..)| y),
        array.map(|(_, _, z, _)| z),
        array.map(|(.., w)| w),
    )
}
