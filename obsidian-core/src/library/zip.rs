//! Zips: several arrays element by element; the result is as long as the shortest.

use crate::array::{Length, Pull};

/// `f` of the elements of two arrays. Paper, section 3.
pub fn zip_with<A: 'static, B: 'static, C: 'static, S: Length>(
    f: impl Fn(A, B) -> C + 'static,
    a: Pull<A, S>,
    b: Pull<B, S>,
) -> Pull<C, S> {
    Pull::new(a.len().least(&b.len()), move |i| f(a.at(i), b.at(i)))
}

/// `f` of the elements of three arrays.
pub fn zip_with3<A: 'static, B: 'static, C: 'static, D: 'static, S: Length>(
    f: impl Fn(A, B, C) -> D + 'static,
    a: Pull<A, S>,
    b: Pull<B, S>,
    c: Pull<C, S>,
) -> Pull<D, S> {
    Pull::new(a.len().least(&b.len()).least(&c.len()), move |i| {
        f(a.at(i), b.at(i), c.at(i))
    })
}

/// Two arrays as an array of pairs.
pub fn zip<A: 'static, B: 'static, S: Length>(a: Pull<A, S>, b: Pull<B, S>) -> Pull<(A, B), S> {
    zip_with(|x, y| (x, y), a, b)
}

/// Three arrays as an array of triples.
pub fn zip3<A: 'static, B: 'static, C: 'static, S: Length>(
    a: Pull<A, S>,
    b: Pull<B, S>,
    c: Pull<C, S>,
) -> Pull<(A, B, C), S> {
    zip_with3(|x, y, z| (x, y, z), a, b, c)
}

/// Four arrays as an array of quadruples.
pub fn zip4<A: 'static, B: 'static, C: 'static, D: 'static, S: Length>(
    a: Pull<A, S>,
    b: Pull<B, S>,
    c: Pull<C, S>,
    d: Pull<D, S>,
) -> Pull<(A, B, C, D), S> {
    zip_with4(|x, y, z, w| (x, y, z, w), a, b, c, d)
}

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

/// `f` of the elements of four arrays.
pub fn zip_with4<A: 'static, B: 'static, C: 'static, D: 'static, E: 'static, S: Length>(
    f: impl Fn(A, B, C, D) -> E + 'static,
    a: Pull<A, S>,
    b: Pull<B, S>,
    c: Pull<C, S>,
    d: Pull<D, S>,
) -> Pull<E, S> {
    let length = a.len().least(&b.len()).least(&c.len()).least(&d.len());
    Pull::new(length, move |i| f(a.at(i), b.at(i), c.at(i), d.at(i)))
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
