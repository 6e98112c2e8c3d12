//! The functions and methods of array programs as one table, as [that of kernels](super::super::table): a row has a line of
//! documentation, a name, the arguments with the kinds of [`Call`], and what the library gives. The names that the reader
//! knows, which literals are device values, and what messages say are made from these rows.

use std::ops::RangeInclusive;

use super::{Whole, of_coordinates};
use crate::arrays::{self, AnyShape, Arr, Boundary, Ix1, Ix2};
use crate::evaluate::Value;
use crate::evaluate::call::{Call, Entry, entries};
use crate::evaluate::calls::Callback;
use crate::scalar::Exp;

/// The functions of array programs. In functions whose signature names an [`Arr`] they go before those of kernels that are
/// called alike.
pub(super) const FUNCTIONS: &[Entry] = entries! { _none: (), call;
    /// One array and then another, along the innermost axis.
    append(first: whole, second: same_axes(&first)) => {
        call.machine.is_of_rank("append", &first, 1..=3, call.site)?;
        arrays::append(first, second)
    };
    /// The state after `body` was applied to it as long as `condition` held.
    awhile(initial: state, condition: function, body: function) => call.awhile(initial, condition, body);
    /// The array whose element at an index is the one at the place that `place` gives.
    backpermute(extents: coordinates, place: function, array: whole) => {
        let place = call.places(place, &array);
        arrays::backpermute(extents, place, array)
    };
    /// What `f` makes of each element of arrays, along the outermost axis.
    each(arrays: state, f: function) => call.each(arrays, &f);
    /// The numbers from `start` on, `step` apart.
    enum_from_step(n: one_extent, start: one_extent, step: one_extent) => arrays::enum_from_step(n, start, step);
    /// The array whose elements are all the same.
    fill(extents: coordinates, value: element) => arrays::fill(extents, value);
    /// The elements at places that an array has.
    gather(places: whole_numbers, array: vector) => arrays::gather(places, array);
    /// The array whose element at an index is `f` of the index.
    generate(extents: coordinates, f: elements) =>
        arrays::generate(extents, move |index: Vec<Exp<u32>>| f.call(vec![of_coordinates(&index)]));
    /// What one of two functions gives, chosen while the program runs.
    if_then(condition: condition_array, then: function, otherwise: function) => call.if_then(condition, then, otherwise);
    /// The numbers from 0 to `n - 1`.
    iota(n: one_extent) => arrays::iota(n);
    /// The vector of these numbers.
    literal(elements: numbers_of_the_host) => super::methods::literal(&elements);
    /// The state after `body` was applied to it `times` times.
    power(times: one_extent, initial: state, body: function) => call.power(times, initial, body);
    /// The array of one element and no axis.
    unit(value: element) => arrays::unit(value);
    /// An array of pairs as two arrays.
    unzip(pairs: tuples(2)) => arrays::unzip(pairs.seen_as::<AnyShape, _>(|value| (part(&value, 0), part(&value, 1))));
    /// An array of triples as three arrays.
    unzip3(triples: tuples(3)) =>
        arrays::unzip3(triples.seen_as::<AnyShape, _>(|value| (part(&value, 0), part(&value, 1), part(&value, 2))));
    /// Two arrays as an array of pairs.
    zip(a: whole, b: same_axes(&a)) => arrays::zip(a, b);
    /// Three arrays as an array of triples.
    zip3(a: whole, b: same_axes(&a), c: same_axes(&a)) => arrays::zip3(a, b, c);
    /// `f` of the elements of two arrays.
    zip_with(f: elements, a: whole, b: same_axes(&a)) => arrays::zip_with(f.of_two(), a, b);
    /// `f` of the elements of three arrays.
    zip_with3(f: elements, a: whole, b: same_axes(&a), c: same_axes(&a)) => arrays::zip_with3(f.of_three(), a, b, c);
    /// `f` of the elements of four arrays.
    zip_with4(f: elements, a: whole, b: same_axes(&a), c: same_axes(&a), d: same_axes(&a)) =>
        arrays::zip_with4(f.of_four(), a, b, c, d);

    // What a stencil reads outside.

    /// Outside of an array, this value.
    Constant(value: element) => Value::Boundary(Box::new(Boundary::Constant(value)));
    /// Outside of an array, what `f` makes of the place.
    Function(f: elements) => Value::Boundary(Box::new(arrays::Function(of_place(f))));
};

/// The boundaries of stencils without an argument.
const BOUNDARIES: &[&str] = &["Clamp", "Mirror", "Wrap"];

/// What a stencil reads outside, if a name without an argument stands for it.
pub(in crate::evaluate) fn boundary(name: &str) -> Option<Value> {
    let boundary = match name {
        "Clamp" => Boundary::Clamp,
        "Mirror" => Boundary::Mirror,
        "Wrap" => Boundary::Wrap,
        _ => return None,
    };
    Some(Value::Boundary(Box::new(boundary)))
}

/// The methods of arrays, by how many axes these may have.
pub(super) const METHODS: &[(RangeInclusive<usize>, &[Entry<Whole>])] = &[
    (0..=3, OF_ANY),
    (1..=3, OF_ROWS),
    (0..=2, OF_PARTS),
    (0..=0, OF_ONE),
    (1..=1, OF_VECTORS),
    (2..=2, OF_MATRICES),
];

const OF_ANY: &[Entry<Whole>] = entries! { xs: Whole, call;
    /// The element at an index.
    at(index: any) => call.machine.whole_at(xs, &index, call.site)?;
    /// The elements whose flag is true, in order.
    compact(flags: flags(xs)) => xs.compact(flags);
    /// The array as it is stored: it is computed once.
    compute() => xs.compute();
    /// The elements for which `p` holds, in order.
    filter(p: predicate) => {
        let p = call.condition_of(p);
        xs.filter(move |x| p(vec![x]))
    };
    /// The elements, row after row.
    flatten() => xs.flatten();
    /// `f` of each index and the element there.
    imap(f: elements) => xs.imap(move |index, value| f.call(vec![of_coordinates(&index), value]));
    /// The array computed where it is used.
    inline() => xs.inline();
    /// The number of elements.
    len() => xs.len();
    /// `f` of each element.
    map(f: function) => xs.map(f.of_one());
    /// The elements for which `p` holds, and the others.
    partition(p: predicate) => {
        let p = call.condition_of(p);
        xs.partition(move |x| p(vec![x]))
    };
    /// The defaults, with each element combined into the one at its place.
    permute(f: operator, defaults: defaults(xs), place: elements) => call.permute(&f, defaults, place)?;
    /// The elements with other extents, row after row.
    reshape(extents: coordinates) => xs.reshape(extents);
    /// The defaults, with each element at its place.
    scatter(places: whole, defaults: defaults(xs)) => call.scatter(&places, defaults)?;
    /// The extents.
    shape() => of_coordinates(&xs.extents());
};

/// Methods that work along an axis.
const OF_ROWS: &[Entry<Whole>] = entries! { xs: Whole, call;
    /// Whether all elements of a row are true.
    all() => call.conditions(xs)?.all();
    /// `x[0] - (x[1] - (x[2] - ..))` of each row.
    alternating_sum() => call.reduced(xs)?;
    /// Whether an element of a row is true.
    any() => call.conditions(xs)?.any();
    /// Where the largest element of a row is.
    arg_max() => call.reduced(xs)?;
    /// Where the smallest element of a row is.
    arg_min() => call.reduced(xs)?;
    /// The array with an axis as the innermost one.
    axis(k: host_count("the axis")) => xs.axis(k as usize);
    /// All but the first `n` elements of each row.
    drop(n: one_extent) => xs.drop(n);
    /// What `f` makes of each element along the outermost axis.
    each(f: function) => call.each(Value::Whole(xs.clone()), &f);
    /// What is in front of each element of a row, combined.
    exclusive_scan(f: operator, initial: initial(xs)) => xs.exclusive_scan(call.combining(xs, &f)?, initial);
    /// What is behind each element of a row, combined.
    exclusive_scan_right(f: operator, initial: initial(xs)) => xs.exclusive_scan_right(call.combining(xs, &f)?, initial);
    /// What is in front of each element of a row, combined, and the row as a whole.
    exclusive_scan_with_total(f: operator, initial: initial(xs)) =>
        xs.exclusive_scan_with_total(call.combining(xs, &f)?, initial);
    /// The elements of each row, combined from the left.
    fold(f: operator, initial: initial(xs)) => xs.fold(call.combining(xs, &f)?, initial);
    /// The elements of each row, of which there is one at least, combined from the left.
    fold1(f: operator) => xs.fold1(call.combining(xs, &f)?);
    /// All elements, combined row after row.
    fold_all(f: operator, initial: initial(xs)) => xs.fold_all(call.combining(xs, &f)?, initial);
    /// The elements of each row, from the first to the last, by one thread.
    fold_in_order(f: operator, initial: element) => xs.fold_in_order(call.stepping(&f, &initial)?, initial);
    /// The elements of each row, from the last to the first, by one thread.
    fold_right(f: operator, initial: element) => xs.fold_right(call.stepping(&f, &initial)?, initial);
    /// Each element combined with those in front of it in its row.
    inclusive_scan(f: operator) => xs.inclusive_scan(call.combining(xs, &f)?);
    /// Each element combined with those behind it in its row.
    inclusive_scan_right(f: operator) => xs.inclusive_scan_right(call.combining(xs, &f)?);
    /// The elements, each with its index.
    indexed() => super::methods::indexed(xs);
    /// All but the last element of each row.
    init() => xs.init();
    /// The largest element of each row.
    max() => call.reduced(xs)?;
    /// The smallest element of each row.
    min() => call.reduced(xs)?;
    /// The product of each row.
    product() => call.reduced(xs)?;
    /// Each row from its end to its beginning.
    reverse() => xs.reverse();
    /// Each row, moved by `n` places, with the last elements in front.
    rotate(n: one_extent) => xs.rotate(n);
    /// What `f` makes of those up to each element of its row, from the first, by one thread.
    scan_in_order(f: operator, initial: element) => xs.scan_in_order(call.stepping(&f, &initial)?, initial);
    /// What is in front of each element of its segment, combined; `flags` say where segments begin.
    segmented_exclusive_scan(flags: flags(xs), f: operator, initial: initial(xs)) =>
        xs.segmented_exclusive_scan(flags, call.combining(xs, &f)?, initial);
    /// Each element combined with those in front of it in its segment; `flags` say where segments begin.
    segmented_inclusive_scan(flags: flags(xs), f: operator) => xs.segmented_inclusive_scan(flags, call.combining(xs, &f)?);
    /// The elements at one index of the innermost axis.
    slice_inner(n: one_extent) => xs.slice_inner(n);
    /// The elements at one index of the outermost axis.
    slice_outer(n: one_extent) => xs.slice_outer(n);
    /// What `f` makes of the elements around each; `boundary` is what is outside.
    stencil(boundary: boundary(xs), f: function) => xs.stencil(boundary, move |window| f.call(vec![Value::Window(window)]));
    /// The sum of each row.
    sum() => call.reduced(xs)?;
    /// All but the first element of each row.
    tail() => xs.tail();
    /// The first `n` elements of each row.
    take(n: one_extent) => xs.take(n);
};

/// Methods that add an axis.
const OF_PARTS: &[Entry<Whole>] = entries! { xs: Whole, call;
    /// The array `n` times, along a new outermost axis.
    replicate(n: one_extent) => xs.replicate(n);
    /// Each element `n` times, along a new innermost axis.
    replicate_inner(n: one_extent) => xs.replicate_inner(n);
};

const OF_ONE: &[Entry<Whole>] = entries! { xs: Whole, call;
    /// The one element as a number of the run, which extents may be made of.
    known() => call.known(xs)?;
    /// The one element.
    the() => xs.at(Vec::<Exp<u32>>::new());
};

const OF_VECTORS: &[Entry<Whole>] = entries! { xs: Whole, call;
    /// What `f` makes of each element as often as `count` says, one after another.
    expand(count: elements, f: elements) => {
        let count = call.number_of(count);
        vector(xs).expand(count, move |x, j: Exp<u32>| f.call(vec![x, Value::Exp(j.any())]))
    };
    /// The segments that begin at `offsets`, each combined from the left.
    segmented_fold(offsets: offsets, f: operator, initial: initial(xs)) =>
        vector(xs).segmented_fold(offsets, call.combining(xs, &f)?, initial);
    /// The elements in order.
    sort() => vector(xs).sort();
    /// The elements in the order of the last `bits` bits of what `f` gives.
    sort_by_bits(bits: count("the number of bits"), f: elements) => vector(xs).sort_by_bits(bits, call.number_of(f));
    /// The elements in the order of what `f` gives.
    sort_by_key(f: function) => vector(xs).sort_by_key(f.of_one());
    /// The elements that are not the `same` as the one in front of them.
    unique(same: predicate) => {
        let same = call.condition_of(same);
        vector(xs).unique(move |x, y| same(vec![x, y]))
    };
};

const OF_MATRICES: &[Entry<Whole>] = entries! { xs: Whole, call;
    /// Column `x`.
    column(x: one_extent) => matrix(xs).column(x);
    /// Row `y`.
    row(y: one_extent) => matrix(xs).row(y);
    /// Rows and columns exchanged.
    transpose() => matrix(xs).transpose();
};

fn vector(xs: &Whole) -> Arr<Ix1, Value> {
    xs.seen_as(|value| value)
}

fn matrix(xs: &Whole) -> Arr<Ix2, Value> {
    xs.seen_as(|value| value)
}

/// A component of an element that is a tuple.
fn part(value: &Value, n: usize) -> Value {
    match value {
        Value::Tuple(list) => list.get(n).cloned().unwrap_or(Value::Poison),
        _ => Value::Poison,
    }
}

/// A function of a place, of which each coordinate may be outside.
fn of_place(f: Callback) -> impl Fn(Vec<Exp<i32>>) -> Value + 'static {
    move |place| {
        let place = place.iter().map(|one| Value::Exp(one.any()));
        let place: Vec<Value> = place.collect();
        f.call(match <[Value; 1]>::try_from(place) {
            Ok(one) => one.to_vec(),
            Err(several) => vec![Value::tuple(several)],
        })
    }
}

/// The names of all functions of array programs.
pub(crate) fn functions_of_arrays() -> impl Iterator<Item = &'static str> {
    FUNCTIONS
        .iter()
        .map(|row| row.name)
        .chain(BOUNDARIES.iter().copied())
}

fn methods() -> impl Iterator<Item = &'static Entry<Whole>> {
    METHODS.iter().flat_map(|(_, rows)| *rows)
}

/// All functions and methods of array programs: the type, the name and the kinds of the arguments.
pub(in crate::evaluate) fn rows()
-> impl Iterator<Item = (&'static str, &'static str, &'static [&'static str])> {
    let functions = FUNCTIONS.iter().map(|row| ("arrays", row.name, row.kinds));
    functions.chain(methods().map(|row| ("Arr", row.name, row.kinds)))
}

/// The names of all methods of arrays.
pub(in crate::evaluate) fn names_of_methods() -> Vec<&'static str> {
    let mut names: Vec<_> = methods().map(|row| row.name).collect();
    names.sort_unstable();
    names
}
