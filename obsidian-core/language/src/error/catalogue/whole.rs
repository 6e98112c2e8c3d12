//! Programs over whole arrays.

use super::{Error, Message, Page, count};
use crate::error::{Diagnostic, Kind};

errors! {
    /// # Programs over whole arrays
    ///
    /// What these say of a function with `#[arrays]` while a crate compiles, [`ArrayProgram::build`](crate::arrays::ArrayProgram::build) says of a closure when it is called.
    page "whole";

    /// Two extents of an array program that have to be equal are different numbers, or an array has fewer elements than are asked for. Where only a run knows the extents, the run reports it with the same words: [`ErrorKind::Requirement`](crate::ErrorKind::Requirement).
    ///
    /// ```rust,ignore
    /// #[arrays]
    /// fn f() -> Arr1<EU32> { zip_with(|a, b| a + b, iota(3), fill(4, 1u32)) }
    /// ```
    ///
    /// ```rust,ignore
    /// #[arrays]
    /// fn f() -> Arr1<EU32> { zip_with(|a, b| a + b, iota(3), fill(3, 1u32)) }
    /// ```
    mistake "arrays-shape" {
        /// Extents of arrays of an array program that do not fit.
        other_extents(what: &str, [first, second]: [u32; 2], at_least: bool)
            [
                let advice = match at_least {
                    true if is_fold(what) => "`fold(f, initial)` gives the initial element where there are none",
                    true => "ask for no more elements than there are",
                    false => "the extents have to be equal; `take(n)` shortens the longer array",
                };
            ]
            => (match at_least {
                true => too_short(what, first, second),
                false => format!("`{what}` of arrays with the extents {first} and {second}"),
            }),
               (advice);
    }

    /// Nothing is stored between two arrays of a program, and one element of the second needs an element of the first at very many indices. Arrays are stored where that
    /// is worth it; those that `.inline()` keeps from it are not.
    limit "arrays-too-large" {
        /// An array that is not stored is needed at more indices than `most`.
        needed_too_often(operator: &str, most: usize)
            => "this program stores nothing between this `{operator}` and a result, whose elements need it at more than {most} indices each",
               "store an array on the way: add `.compute()` behind it, or leave out its `.inline()`";
        /// The arrays that a function of elements makes are computed from one another too often.
        element_too_large()
            => "a function of elements makes arrays that are computed from one another again and again, and none of them is stored",
               "make them before, outside of the function, where they are stored: `let ys = ..; xs.map(|x| x + ys.at(0))`";
    }

    /// An element is read outside of a function of elements, for an extent or the start of a fold, or an extent depends on data in another way. Extents are made of `len()` and `shape()`, also of what `filter` keeps, of numbers and of `EU32` parameters, by `+ - * / % min max`. `xs.max().known()` is a number that a run computes first, and reads.
    ///
    /// ```rust,ignore
    /// #[arrays]
    /// fn f(xs: Arr1<EU32>) -> Arr1<EU32> { iota(xs.at(0)) }
    /// ```
    ///
    /// ```rust,ignore
    /// #[arrays]
    /// fn f(xs: Arr1<EU32>) -> Arr1<EU32> { iota(xs.slice_inner(0).known()) }
    /// ```
    mistake "arrays-extent" {
        /// An extent of an array program that a run cannot work out before it begins.
        extent_of_data(operator: &str)
            => "an extent of this `{operator}` depends on more than extents and scalar parameters",
               "make extents of `len()`, `shape()`, numbers, `EU32` parameters and `known()` numbers, by `+ - * / % min max`";
        /// An extent is a formula of too many steps: those of a chain of operations each of which changes the length.
        extent_too_long(operator: &str)
            => "an extent of this `{operator}` is a formula of thousands of steps",
               "say what it comes to: `.reshape(n)` gives an array the extents that it is to have, and a run checks that";
        /// How often a loop of an array program runs is not known in front of it.
        rounds_of_data()
            => "the number of iterations of this `power` depends on more than extents and scalar parameters",
               "`awhile(state, |state| condition, |state| next)` runs until a condition of its arrays no longer holds";
        /// How long the arrays of a choice are, only its arms know, and both.
        arms_of_unknown_lengths()
            => "the length of this `if_then` is known in neither arm before it has run",
               "filter before: `let few = xs.filter(p); if_then(c, || few.sort(), || few)`, so that both arms have the length of `few`";
        /// An element is read while the program is described.
        element_before_run()
            => "an element is read outside of a function of elements, where only extents and numbers are known",
               "read it in a function of elements: `xs.map(|x| x + ys.at(0))`; extents are made of `len()`, `shape()`, numbers and `EU32` parameters",
               "a number of data is `known()`, of an `Arr0<EU32>`: `iota(ys.slice_inner(0).known())`";
    }

    /// An array has more or fewer axes than an operation needs: a vector is not transposed, a matrix and a vector are no pairs, an element of a matrix has two numbers, and `axis(2)` asks for a third axis.
    ///
    /// ```rust,ignore
    /// #[arrays]
    /// fn f(m: Arr2<EF32>, v: Arr1<EF32>) -> Arr2<EF32> { zip_with(|a, b| a * b, m, v) }
    /// ```
    ///
    /// ```rust,ignore
    /// #[arrays]
    /// fn f(m: Arr2<EF32>, v: Arr1<EF32>) -> Arr2<EF32> { zip_with(|a, b| a * b, m, v.replicate(m.shape().0)) }
    /// ```
    mistake "arrays-rank" {
        /// An array of an array program has fewer axes.
        no_such_axis(k: usize, rank: usize)
            [
                let axes = match rank {
                    1 => "1 axis, which is axis 0".to_owned(),
                    _ => format!("{rank} axes, 0 to {}", rank.saturating_sub(1)),
                };
            ]
            => "there is no axis {k}: the array has {axes}",
               "axes are counted from the outermost one: of a matrix, axis 0 goes down the columns and axis 1 along the rows";
        /// An array of an array program has other axes than an operation needs.
        wrong_rank(name: &str, wanted: &std::ops::RangeInclusive<usize>, found: usize)
            [
                let axes = |n: usize| count(n, "axis", "axes");
                let (low, high) = (*wanted.start(), *wanted.end());
                let needs = if low == high {
                    format!("an array with {}", axes(low))
                } else if high == 3 {
                    format!("an array with {} or more", axes(low))
                } else {
                    format!("an array with at most {}", axes(high))
                };
                let note = match (name, found) {
                    ("the", _) => {
                        "`.at(..)` gives an element of an array with axes; a fold has one result for each row"
                    }
                    (_, 0) => "an array without axes is one element: `.the()` is its value",
                    ("replicate" | "replicate_inner", _) => "arrays have up to three axes",
                    _ => "`.reshape((h, w))`, `.row(i)` and `.flatten()` give an array of other axes",
                };
            ]
            => (format!(
                "`{name}` needs {needs}, and this one has {}",
                count(found, "axis", "axes")
               )),
               (note);
        /// An array has other axes than its declared type.
        array_of_another_rank(declared: usize, found: usize)
            [let found = count(found, "axis", "axes");]
            => (format!("this is declared as an array with {}, and has {found}", count(declared, "axis", "axes"))),
               "`Arr0` is one element, `Arr1` a vector, `Arr2` a matrix, `Arr3` an array of three axes; a fold takes the innermost axis away";
        /// An index has more or fewer numbers than its array has axes.
        index_of_another_rank(found: usize, wanted: usize)
            [
                let form = match wanted {
                    0 => "`()`",
                    1 => "`i`",
                    2 => "`(y, x)`",
                    _ => "`(z, y, x)`",
                };
            ]
            => (format!(
                "this index has {}, and the array has {}",
                count(found, "number", "numbers"),
                count(wanted, "axis", "axes")
               )),
               "an index of this array is {form}";
        /// The offset of a neighbour has more or fewer numbers than its array has axes.
        offset_of_another_rank(found: usize, wanted: usize)
            [
                let form = match wanted {
                    1 => "`w.at(1)`",
                    2 => "`w.at((0, 1))`",
                    _ => "`w.at((0, 0, 1))`",
                };
            ]
            => (format!(
                "this offset has {}, and the array has {}",
                count(found, "number", "numbers"),
                count(wanted, "axis", "axes")
               )),
               "the next element of its innermost axis is {form}";
        /// An array has another number of axes than the program asks for.
        other_rank(found: usize, wanted: usize)
            => (format!(
                "an array has {}, and {} asked for",
                count(found, "axis", "axes"),
                match wanted { 1 => "1 axis is".to_owned(), _ => format!("{wanted} axes are") }
               )),
               "`rank()` says how many axes an array has";
        /// An element has other types than the program asks for.
        element_of_other_types(found: &str, wanted: &str)
            => "an element is {found}, and {wanted} is asked for",
               "`types()` says of what an element is made; `cast` makes one type of number of another";
        /// Arrays or elements that go together have different types.
        unequal_elements(what: &str, one: &str, other: &str)
            => "`{what}` puts elements of {one} and of {other} together",
               "`map` makes elements of one type of those of another; a fold gives what its elements are";
        /// An array has more axes than there may be.
        too_many_axes(operator: &str, rank: usize)
            => "this `{operator}` has {rank} axes, and an array has at most 8",
               "`.reshape(..)` puts neighbouring axes together";
        /// The numbers of axes that an array is to be transposed by are no order of its axes.
        no_order_of_axes(order: &[usize], rank: usize)
            => (format!(
                "{order:?} is no order of the axes of an array that has {}",
                count(rank, "axis", "axes")
               )),
               "each axis is named once, from 0: `m.transpose_axes(&[1, 0])` makes columns of the rows of a matrix";
        /// Arrays that go together have different axes.
        unequal_ranks([first, other]: [usize; 2])
            => (format!(
                "one of these arrays has {}, and another has {}",
                count(first, "axis", "axes"),
                count(other, "axis", "axes")
               )),
               "`.replicate(n)` gives an array one more axis, and `.flatten()` leaves one";
    }

    /// A function of elements makes an array that would have to be stored. An array that is made there by a function of its index (`generate`, `map`, `row`, `take`, `append`, ..) is not stored, and neither are its folds, scans and filters: the thread that computes the element runs a loop over it. Sorts, permutations and loops of arrays are made once, outside; and as nothing of such an array is stored, an index of it has to be one that is inside for certain.
    ///
    /// ```rust,ignore
    /// #[arrays]
    /// fn f(xs: Arr1<EU32>) -> Arr1<EU32> { xs.map(|x| x + iota(5).map(|i| i ^ x).sort().at(0)) }
    /// ```
    ///
    /// ```rust,ignore
    /// #[arrays]
    /// fn f(xs: Arr1<EU32>) -> Arr1<EU32> { xs.map(|x| x + iota(5).map(|i| i ^ x).min().the()) }
    /// ```
    mistake "arrays-nested" {
        /// An array that has to be stored is made inside of a function of elements.
        array_of_an_element(operator: &str)
            => "`{operator}` makes an array inside of a function of elements, where none is stored",
               "make the array before, and read it where it is needed: `let ys = ..; xs.map(|x| x + ys.at(0))`",
               "a loop over its elements is `seq_iterate(n, |i, sum| sum + ys.at(i), start)`";
        /// An element of an array that is not stored is asked for at an index that may be outside.
        outside_of_an_element()
            => "an array that a function of elements makes is asked for an element that may be outside of it, which nothing would notice",
               "`ys.at(i % n)` and `ys.at(i.min(n - 1))` are inside of an array of `n` elements",
               "or make the array before, outside of the function";
    }

    /// A function of [`each`](https://docs.rs/obsidian-rt/latest/obsidian_rt/arrays/fn.each.html) describes one element, and all are computed at once, by the same operators. What takes another course in each element cannot be done so: `filter`, `sort` and what is made of them, `expand`, `awhile`, `if_then`. What it can be made of is masks, choices of elements by `select`, folds and scans.
    ///
    /// ```rust,ignore
    /// #[arrays]
    /// fn smallest(rows: Arr2<EU32>) -> Arr1<EU32> { rows.each(|row| row.sort().slice_inner(0)) }
    /// ```
    ///
    /// ```rust,ignore
    /// #[arrays]
    /// fn smallest(rows: Arr2<EU32>) -> Arr1<EU32> { rows.each(|row| row.min()) }
    /// ```
    mistake "arrays-each" {
        /// An operator takes another course in each element.
        cannot_be_lifted(operator: &str)
            => "`{operator}` takes another course in each element of `each`, which computes all of them at once",
               "do it for the whole array, outside of `each`: an element can go along with the number of its row, as a pair",
               "in a sequence, `.one_by_one()` in front of `each` computes one element after the other";
        /// A function that combines elements reads arrays of the element.
        operator_of_each(operator: &str)
            => "the function of this `{operator}` reads an array that is another one in each element of `each`",
               "put what it reads beside the elements that it combines: `xs.map(move |x| (x, s.the()))`",
               "or use `fold_in_order`, which may read any array";
        /// A computed array that is divided into the elements of a sequence is computed as a whole.
        divide_first(operator: &str)
            => "this `{operator}` needs the whole array before it is divided into the elements of a sequence, and the array is never there as a whole",
               "divide first, and do it with the elements or the sequence: `Sequence::of_array(|| ..)?.each(|row| row.sum())`, `.scan(..)`, `.sum()`";
        /// A result is not computed row by row, and is to be computed chunk by chunk.
        not_by_rows(operator: &str, why: &str)
            => "the result cannot be computed chunk by chunk: this `{operator}` {why}",
               "what all rows have part in is done by the sequence (`.scan(..)`, `.windows(..)`, `.filter(..)`), or with the result of a run; all elements of rows are folded as `rows.sum().sum()`",
               "an array that all rows read goes beside the chunks (`xs.with(&v)`), and numbers of rows come as a sequence (`xs.zip(Sequence::numbers(n))`)";
        /// An array of an element is used outside of the function.
        element_of_each_outside()
            => "an array of one element of this `each` is used outside of the function of the element",
               "give it from the function: `each` gives an array of what the function gives for all elements";
    }

    /// An array of one array program is used in another one, or was kept from an earlier run of the function: the function that describes a program runs several times, and each run makes its own arrays.
    /// The same holds for an array that the body of a loop makes: it exists in an iteration, and not after the loop; and for one of an arm of `if_then`. Give it from the body, as one more array of the loop state.
    mistake "arrays-stale" {
        /// An array of one array program in another one.
        stale_array()
            => "an array is used that belongs to another array program, or to another run of its function",
               "make arrays in the function that describes the program, of its parameters";
        /// An array that an iteration of a loop, or an arm of a choice, makes is used outside of it.
        array_of_a_round(operator: &str)
            => "this `{operator}` uses, outside of a loop or an arm of `if_then`, an array that is made inside of it",
               "give the array from the body, as one more array of the loop state or of the arm, and use what `power`, `awhile` or `if_then` gives";
    }
}

/// Is it a fold without an initial element?
fn is_fold(what: &str) -> bool {
    ["fold1", "min", "max", "arg_min", "arg_max"].contains(&what)
}

/// What is wrong with an array that has an extent of `found`, and needs one of at least `least`.
pub fn too_short(what: &str, found: u32, least: u32) -> String {
    match is_fold(what) {
        true => format!(
            "`{what}` of an array whose rows have no elements: it has no initial element, so a row needs one"
        ),
        false => format!("`{what}` needs an extent of at least {least}, and the array has {found}"),
    }
}
