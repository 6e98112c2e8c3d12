//! The diagnostics of the front end: what is not kernel language, and what to write instead.

use crate::error::{Diagnostic, Kind};
use crate::scalar::ScalarType;

fn mistake(id: &'static str, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(id, Kind::Mistake, message)
}

/// What the language has, for messages about what it has not.
const SUPPORTED: &str = "kernel language has functions, constants, closures, let, if, match, for, while, ranges, tuples, arrays, \
                         integers, booleans, Vec and iterators, and the array functions of the library";

/// Syntax that is not kernel language.
pub fn unsupported(what: &str) -> Diagnostic {
    mistake(
        "unsupported",
        format!("{what} not supported in a kernel module"),
    )
    .note(SUPPORTED)
}

/// Syntax that is not kernel language, and what to write instead.
pub fn unsupported_instead(what: &str, instead: &str) -> Diagnostic {
    mistake(
        "unsupported",
        format!("{what} not supported in a kernel module"),
    )
    .note(instead)
}

/// A number with its noun: `no axes`, `1 axis`, `2 axes`.
fn count(n: usize, one: &str, several: &str) -> String {
    match n {
        0 => format!("no {several}"),
        1 => format!("1 {one}"),
        n => format!("{n} {several}"),
    }
}

/// An array of an array program has other axes than an operation needs.
pub fn wrong_rank(
    name: &str,
    wanted: &std::ops::RangeInclusive<usize>,
    found: usize,
) -> Diagnostic {
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
    mistake(
        "arrays-rank",
        format!(
            "`{name}` needs {needs}, and this one has {}",
            count(found, "axis", "axes")
        ),
    )
    .note(note)
}

/// An array has other axes than its declared type.
pub fn array_of_another_rank(declared: usize, found: usize) -> Diagnostic {
    let found = count(found, "axis", "axes");
    mistake("arrays-rank", format!("this is declared as an array with {}, and has {found}", count(declared, "axis", "axes")))
        .note("`Arr0` is one element, `Arr1` a vector, `Arr2` a matrix, `Arr3` an array of three axes; a fold takes the innermost axis away")
}

/// An index has more or fewer numbers than its array has axes.
pub fn index_of_another_rank(found: usize, wanted: usize) -> Diagnostic {
    let form = match wanted {
        0 => "`()`",
        1 => "`i`",
        2 => "`(y, x)`",
        _ => "`(z, y, x)`",
    };
    mistake(
        "arrays-rank",
        format!(
            "this index has {}, and the array has {}",
            count(found, "number", "numbers"),
            count(wanted, "axis", "axes")
        ),
    )
    .note(format!("an index of this array is {form}"))
}

/// The offset of a neighbour has more or fewer numbers than its array has axes.
pub fn offset_of_another_rank(found: usize, wanted: usize) -> Diagnostic {
    let form = match wanted {
        1 => "`w.at(1)`",
        2 => "`w.at((0, 1))`",
        _ => "`w.at((0, 0, 1))`",
    };
    mistake(
        "arrays-rank",
        format!(
            "this offset has {}, and the array has {}",
            count(found, "number", "numbers"),
            count(wanted, "axis", "axes")
        ),
    )
    .note(format!("the next element of its innermost axis is {form}"))
}

/// The offset of a neighbour is no number of the host.
pub fn offset_of_the_device(found: &str) -> Diagnostic {
    mistake(
        "not-static",
        format!("the offset of a neighbour is an `i32` of the host for each axis, and this is {found}"),
    )
    .note("write `w.at(-1)`, in a matrix `w.at((0, 1))`; at a distance that only a run knows is `xs.imap(|i, x| x + xs.at((i + k) % xs.len()))`")
}

/// A value of another type where an element of an array is wanted.
pub fn no_such_element(what: &str, wanted: &str, found: &str) -> Diagnostic {
    mistake(
        "mixed-elements",
        format!("{what} is {found}, and the elements of the array are {wanted}"),
    )
    .note("write it in the type of the elements, or give the array other elements in front: `xs.map(|x| x as f32)`")
}

/// An array where an element is wanted.
pub fn array_as_element(what: &str) -> Diagnostic {
    mistake("wrong-kind", format!("{what} is one element, and this is an array"))
        .note("give a number or a parameter such as `k: EF32`; an element of an array is used in a function of elements: `xs.map(|x| x + sums.at(0))`, `total.the()`")
}

/// What combines two elements gives something else.
pub fn operator_of_another_type(wanted: &str, found: &str) -> Diagnostic {
    mistake(
        "mixed-elements",
        format!("this function combines two elements of type {wanted}, and gives {found}"),
    )
    .note("it has to give an element of the same type; `xs.map(|x| ..)` in front gives the array other elements")
}

/// Arrays that go together have different axes.
pub fn unequal_ranks([first, other]: [usize; 2]) -> Diagnostic {
    mistake(
        "arrays-rank",
        format!(
            "one of these arrays has {}, and another has {}",
            count(first, "axis", "axes"),
            count(other, "axis", "axes")
        ),
    )
    .note("`.replicate(n)` gives an array one more axis, and `.flatten()` leaves one")
}

/// Rust that is not part of device functions, and what to write instead.
pub fn not_for_device(what: &str, instead: &str) -> Diagnostic {
    mistake(
        "not-for-device",
        format!("{what} not possible in a device function"),
    )
    .note(instead)
}

/// A struct that cannot be taken apart into numbers.
pub fn bad_element(message: &str, instead: &str) -> Diagnostic {
    mistake("bad-element", message).note(instead)
}

/// A struct where a kernel has a tuple.
pub fn struct_in_a_kernel(name: &str, fields: &str) -> Diagnostic {
    unsupported_instead(
        &format!("the struct `{name}` outside of a `#[device]` function is"),
        &format!("write `{fields}`: a `#[device]` function that takes the struct takes it"),
    )
}

/// `cfg` on an item.
pub fn configured() -> Diagnostic {
    unsupported_instead(
        "`cfg` is",
        "the macro cannot see the configuration: put `cfg` on the whole module",
    )
}

/// A device function that is wrong in another way.
pub fn bad_device(what: &str) -> Diagnostic {
    mistake("bad-device", what)
}

/// A value of another type than the place wants.
pub fn device_types(wanted: &str, found: &str) -> Diagnostic {
    mistake(
        "device-types",
        format!("this is {found}, and {wanted} is wanted here"),
    )
    .note("Rust converts nothing by itself: write `as` for another number")
}

/// A name that means nothing in a device function.
pub fn device_unknown(what: &str, name: &str, known: &[&str]) -> Diagnostic {
    let diagnostic = mistake(
        "device-unknown",
        format!("there is no {what} `{name}` here"),
    );
    match closest(name, known) {
        Some(near) => diagnostic.note(format!("is it `{near}`?")),
        None if known.is_empty() => diagnostic.note(
            "there are operators, methods of numbers such as `x.sqrt()`, and `#[device]` functions",
        ),
        None => diagnostic.note(format!("in scope are {}", listed(known))),
    }
}

/// A field that a struct does not have.
pub fn device_field(of: &str, name: &str, known: &[&str]) -> Diagnostic {
    let message = format!("`{of}` has no field `{name}`");
    let diagnostic = mistake("device-unknown", message);
    match closest(name, known) {
        Some(near) => diagnostic.note(format!("is it `{near}`?")),
        None => diagnostic.note(format!("it has {}", listed(known))),
    }
}

/// A name of a struct that no struct in scope has.
pub fn device_struct(name: &str, known: &[&str]) -> Diagnostic {
    let message = format!("there is no struct `{name}` here");
    let diagnostic = mistake("device-unknown", message);
    match closest(name, known) {
        Some(near) => diagnostic.note(format!("is it `{near}`?")),
        None if known.is_empty() => diagnostic.note(
            "write it in a `#[kernels]` module, with `#[derive(Clone, Copy, Element)]`, and name it here by `use` if it is another module",
        ),
        None => diagnostic.note(format!("in scope are {}", listed(known))),
    }
}

/// A method that a number of the device does not have.
pub fn device_method(name: &str, of: &str, known: &[&str]) -> Diagnostic {
    let diagnostic = mistake(
        "device-unknown",
        format!("{of} has no method `{name}` on the device"),
    );
    match closest(name, known) {
        Some(near) => diagnostic.note(format!("is it `{near}`?")),
        None if known.is_empty() => {
            diagnostic.note("tell its type by a suffix or a declaration, or use operators")
        }
        None => diagnostic.note(format!("it has {}", listed(known))),
    }
}

/// A call of a function of the module that is not marked.
pub fn device_unmarked(name: &str) -> Diagnostic {
    mistake(
        "device-unmarked",
        format!("`{name}` is a function of kernels, and this is a device function"),
    )
    .note(format!(
        "write `#[device]` before `fn {name}`, if it is plain Rust"
    ))
}

/// Device functions that call each other in a circle.
pub fn device_recursion(cycle: &[&str]) -> Diagnostic {
    let words = match cycle {
        [one] => format!("`{one}` calls itself"),
        _ => {
            let names: Vec<String> = cycle.iter().map(|name| format!("`{name}`")).collect();
            format!(
                "device functions call each other in a circle: {}",
                names.join(", ")
            )
        }
    };
    mistake("device-recursion", words).note("a thread has no stack of calls: write a loop")
}

/// Names in a message, the first few of many.
fn listed(names: &[&str]) -> String {
    const MOST: usize = 12;
    let mut sorted = names.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    let first: Vec<String> = sorted
        .iter()
        .take(MOST)
        .map(|name| format!("`{name}`"))
        .collect();
    match sorted.len() > MOST {
        true => format!("{} and others", first.join(", ")),
        false => first.join(", "),
    }
}

/// A `use` that names no function of another kernels module.
pub fn bad_use(path: &str) -> Diagnostic {
    let message = match path {
        "" | "crate" | "self" | "super" => {
            "a `use` in a kernel module names functions of another kernel module".to_owned()
        }
        _ => format!("a `use` in a kernel module names functions, and `{path}` is a module"),
    };
    mistake("bad-use", message)
        .note("write the module and the function, for example `use crate::combinators::reduce;`")
}

/// A `use` of a name that the other module does not have.
pub fn not_in_module(name: &str, module: &str, known: &[&str]) -> Diagnostic {
    let diagnostic = mistake(
        "not-in-module",
        format!("`{module}` has no function or constant `{name}`"),
    );
    match closest(name, known) {
        Some(near) => diagnostic.note(format!("is it `{near}`?")),
        None => diagnostic,
    }
}

/// A `use` of a name that the other module keeps for itself.
pub fn private_in_module(name: &str, module: &str) -> Diagnostic {
    mistake(
        "private-in-module",
        format!("`{name}` is private in `{module}`"),
    )
    .note(format!("write `pub` before `{name}` there"))
}

/// A name that two `use` items bring in by `*`.
pub fn ambiguous_name(name: &str, first: &str, second: &str) -> Diagnostic {
    mistake(
        "ambiguous-name",
        format!("`{name}` is in `{first}` and in `{second}`"),
    )
    .note(format!(
        "name the one that is meant: `use {first}::{name};`"
    ))
}

/// A kernel that an array program makes has the name of another kernel.
pub fn equal_kernel_names(name: &str, first: &str) -> Diagnostic {
    mistake(
        "ambiguous-name",
        format!("a kernel of this function is called `{name}`, as one of `{first}` is"),
    )
    .note("rename one of the two functions: the kernels of an array program `f` are called `f`, `f_1`, `f_narrow`, `f_short`, `f_partial` and so on")
}

/// A program, or several of one call, that nothing runs: not even the array that executes it, if
/// there is one.
pub fn unused_program(count: usize, is_executed: bool) -> Diagnostic {
    let message = match count {
        1 => "this program is never run, so that nothing it does happens".to_owned(),
        n => format!("{n} programs that this call makes are never run"),
    };
    mistake("unused-program", message).note(match (is_executed, count) {
        (true, _) => {
            "nothing pushes the array that executes it: return that, store it with `compute`, or leave both out"
        }
        (false, 1) => {
            "run it with `?`, return it, or leave it out; `let _ =` and `;` do not run a program"
        }
        (false, _) => {
            "run each with `?`, in a loop of the host for example `for i in 0..4 { m.write(i, x)?; }`"
        }
    })
}

/// A library from another crate that this version cannot read.
pub fn unreadable_library(module: &str, why: &str) -> Diagnostic {
    mistake(
        "unreadable-library",
        format!("the kernel module `{module}` cannot be read here: {why}"),
    )
    .note("its crate was compiled with another version of Obsidian")
}

/// A module that uses too many others.
pub fn too_many_modules(most: usize) -> Diagnostic {
    Diagnostic::new(
        "too-many-modules",
        Kind::Limit,
        format!("this module uses more than {most} kernel modules, those behind them among them"),
    )
    .note("put functions that are used together into one module")
}

/// Rust that syn cannot read.
pub fn syntax(message: impl Into<String>) -> Diagnostic {
    mistake("syntax", message)
}

/// A call of something that is neither in the module nor in the library.
pub fn host_function(path: &str, known: &[&str]) -> Diagnostic {
    let diagnostic = mistake(
        "host-function",
        format!("`{path}` is neither a function of this module nor one of the library"),
    );
    if let Some(near) = closest(path, known) {
        return diagnostic.note(format!("is it `{near}`?"));
    }
    if let Some((_, name @ ("Clamp" | "Wrap" | "Mirror" | "Constant"))) = path.rsplit_once("::") {
        return diagnostic.note(format!("write `{name}`, without a path"));
    }
    diagnostic
        .note("a kernel module calls its own functions and those of the library; compute host values outside, and pass them as arguments")
}

/// A name that is not defined.
pub fn unknown_name(name: &str, known: &[&str]) -> Diagnostic {
    let diagnostic = mistake(
        "unknown-name",
        format!("`{name}` is not defined in this module"),
    );
    match closest(name, known) {
        Some(near) => diagnostic.note(format!("is it `{near}`?")),
        None => {
            diagnostic.note("a kernel module sees its own functions and constants, and the library")
        }
    }
}

/// A method that the receiver does not have.
pub fn unknown_method(name: &str, receiver: &str, known: &[&str]) -> Diagnostic {
    let diagnostic = mistake(
        "unknown-method",
        format!("{receiver} has no method `{name}`"),
    );
    if receiver == "a program" {
        return diagnostic.note("write `?` behind the program: it runs it, and gives its result");
    }
    if receiver == "a pull array"
        && ["iter", "into_iter", "sum", "product", "fold", "reduce"].contains(&name)
    {
        return diagnostic.note("`seq_reduce(f, array)` is a loop over the elements, and `fold1(f, array)` is the same without the loop");
    }
    if receiver == "an array of an array program"
        && let Some(note) = by_another_name(name)
    {
        return diagnostic.note(note);
    }
    match closest(name, known) {
        Some(near) => diagnostic.note(format!("is it `{near}`?")),
        None if known.is_empty() => diagnostic,
        None => diagnostic.note(format!("its methods: {}", known.join(", "))),
    }
}

/// What other libraries call the methods of arrays of array programs.
fn by_another_name(name: &str) -> Option<&'static str> {
    Some(match name {
        "scan"
        | "scan1"
        | "scanl"
        | "scanl1"
        | "prefix_sum"
        | "cumsum"
        | "inclusive_scan_left"
        | "exclusive_scan_left" => {
            "`inclusive_scan(f)` has the element itself in its result, and `exclusive_scan(f, initial)` those in front of it"
        }
        "scanr" | "scanr1" | "scan_right" => {
            "`inclusive_scan_right(f)` has the element itself in its result, and `exclusive_scan_right(f, initial)` those behind it"
        }
        "dedup" | "dedup_by" | "distinct" => {
            "`unique(|x, y| x == y)` leaves out elements that are equal to the one in front of them"
        }
        "windows" | "convolve" | "neighbours" => {
            "`stencil(Clamp, |w| w.at(-1) + w.at(1))` makes each element of its neighbours"
        }
        "reduce" => "`fold1(f)` has no initial element, and `fold(f, initial)` has one",
        "retain" | "select" | "filter_map" => "`filter(|x| condition)` keeps some elements",
        _ => return None,
    })
}

/// The known name that is nearest, if one is near.
fn closest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    known
        .iter()
        .map(|k| (distance(name, k), *k))
        .min()
        .filter(|(d, k)| *d <= 1 + k.len() / 4)
        .map(|(_, k)| k)
}

/// The number of letters to insert, remove or replace.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let cost = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = cost.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

/// A device literal whose type nothing says.
pub fn untyped_literal(literal: &str) -> Diagnostic {
    let suffix = match (literal.contains('.'), literal.starts_with('-')) {
        (true, _) => "f32",
        (_, true) => "i32",
        _ => "u32",
    };
    mistake(
        "untyped-literal",
        format!("the type of the device literal `{literal}` is not known here"),
    )
    .note(format!(
        "give it a suffix, for example `lit({literal}_{suffix})`"
    ))
}

/// A literal that is no value of the type that is wanted.
pub fn wrong_literal(literal: &str, ty: ScalarType) -> Diagnostic {
    let (name, is_float) = (ty.exp_name(), literal.contains(['.', 'e', 'N', 'i']));
    let found = |what: &str| {
        mistake(
            "wrong-literal",
            format!("`{literal}` is {what}, and a value of type {name} is wanted here"),
        )
    };
    if ty == ScalarType::Bool {
        return found("a number").note("write `true` or `false`, or compare: `x != 0`");
    }
    match (ty.range(), is_float) {
        (None, _) => found("an integer").note(format!("write `{literal}.0`")),
        (Some(_), true) => {
            let whole = literal.split('.').next().unwrap_or("1");
            found("a float").note(format!("write an integer, for example `{whole}`"))
        }
        (Some((low, high)), false) => mistake(
            "wrong-literal",
            format!("`{literal}` is no value of type {name}, which is wanted here"),
        )
        .note(format!("write a number from {low} to {high}")),
    }
}

/// A value of the host that is no literal, where a device value is wanted.
pub fn host_value(ty: &str, found: &str) -> Diagnostic {
    mistake(
        "wrong-kind",
        format!("expected a device value of type {ty}, found {found}"),
    )
    .note("`lit(x)` makes a device value of a value of the host")
}

/// A calculation with `!n` where nothing says how many bits it has.
pub fn untyped_complement() -> Diagnostic {
    mistake(
        "untyped-literal",
        "how many bits `!` gives here is not known",
    )
    .note("give the integer a suffix, for example `!0_u32`")
}

/// A calculation with floats where nothing says how it is rounded.
pub fn untyped_float(op: &str) -> Diagnostic {
    mistake(
        "untyped-literal",
        format!("whether `{op}` is rounded to f32 or f64 is not known here"),
    )
    .note("give one of the floats a suffix, for example `0.1_f32`")
}

/// `if` or `while` on a device boolean.
pub fn device_condition(what: &str) -> Diagnostic {
    let message = format!(
        "this condition is a device boolean: it is known only when the kernel runs, and `{what}` decides while it is built"
    );
    mistake("device-condition", message).note(match what {
        "&&" => "write `a & b` for two device booleans, with each comparison in parentheses",
        "||" => "write `a | b` for two device booleans, with each comparison in parentheses",
        "while" => "a loop of one thread on the device is `seq_until(|state| .., |state| condition, start)`",
        _ => "use `select(condition, a, b)` to choose between two values on the device; of two arrays, choose between their elements: `zip_with(|a, b| select(condition, a, b), xs, ys)`",
    })
}

/// A range that ends at a number of the device.
pub fn device_range() -> Diagnostic {
    mistake(
        "device-condition",
        "this is a number of the device: it is known only when the kernel runs, and a range is gone through while it is built",
    )
    .note("a loop of one thread on the device is `seq_iterate(n, |i, state| .., start)`, in a function of elements too")
}

/// An assignment to a variable of the function around a closure.
pub fn captured_assignment(name: &str) -> Diagnostic {
    mistake(
        "captured-assignment",
        format!(
            "`{name}` belongs to the function around this closure, and a closure has a copy of it"
        ),
    )
    .note("give the new value back as the closure's result")
}

/// A recursion that goes too deep.
pub fn endless_recursion(name: &str, depth: u32) -> Diagnostic {
    Diagnostic::new("endless-recursion", Kind::Limit, format!("the recursion of `{name}` does not end: it is {depth} calls deep"))
        .note("kernel functions run while the kernel is built; let the recursion stop at a static length, for example `if arr.len() == 1`")
}

/// Closures that call each other too deep.
pub fn nested_closures(depth: u32) -> Diagnostic {
    Diagnostic::new(
        "nested-closures",
        Kind::Limit,
        format!("closures call each other {depth} deep: operations on operations on an array"),
    )
    .note("store the array on the way: `let arr = compute(arr)?;`")
}

/// A build that takes too many steps.
pub fn endless_loop() -> Diagnostic {
    Diagnostic::new("endless-loop", Kind::Limit, "building this kernel takes more than 1,000,000 steps: does this end?")
        .note("loops and functions run while the kernel is built; a loop of the device is `seq_for`, `for_all` or a sequential reduction")
}

/// A build whose arrays and programs are asked for again and again.
pub fn too_much_work() -> Diagnostic {
    let message = "building this kernel takes too long: its arrays are computed from one another again and again";
    Diagnostic::new("too-much-work", Kind::Limit, message)
        .note("store an array that is read in more than one place: `let arr = compute(arr)?;`")
}

/// A build that makes too many expressions.
pub fn too_large() -> Diagnostic {
    Diagnostic::new("too-large", Kind::Limit, "building this kernel makes more than 1,000,000 expressions: does this end?")
        .note("a loop of the host writes its body once for every round: `seq_for` and `for_all` are loops of the device")
}

/// A host computation that fails.
pub fn host_arithmetic(what: impl Into<String>) -> Diagnostic {
    mistake("host-arithmetic", what)
}

/// A value of the wrong kind.
pub fn wrong_kind(wanted: &str, found: &str) -> Diagnostic {
    let diagnostic = mistake("wrong-kind", format!("expected {wanted}, found {found}"));
    match (wanted, found) {
        ("a pull array", "a push array") => {
            diagnostic.note("store it first: `compute(array)?` gives a pull array")
        }
        ("a pull array" | "an array", "a program") => {
            diagnostic.note("write `?` behind the program: it runs it, and gives its result")
        }
        ("a program", _) => {
            diagnostic.note("`pure(x)` is a program that does nothing, and gives `x`")
        }
        ("a program, which `?` runs", _) => diagnostic.note("leave out the `?`"),
        (
            "a two-dimensional pull array" | "a two-dimensional array",
            "a pull array" | "a push array",
        ) => diagnostic.note("`array.in_rows(width)` makes one of it"),
        (
            "a pull array" | "an array",
            "a two-dimensional pull array" | "a two-dimensional push array",
        ) => diagnostic.note("`array.flat()` gives its rows one after another"),
        ("two pull arrays or two push arrays", _) => {
            diagnostic.note("`array.push()` makes a push array of a pull array")
        }
        ("something that can be indexed", "a mutable array") => {
            diagnostic.note("`array.read(i)?` reads an element as it is now")
        }
        ("a function in front of the initial element", _) => {
            diagnostic.note("write `xs.exclusive_scan(|x, y| x + y, initial)`")
        }
        ("what is outside, `Clamp`, `Wrap`, `Mirror`, `Constant(value)` or `Function(f)`", "a function") => {
            diagnostic.note("write it in front of the function: `xs.stencil(Clamp, |w| w.at(1))`, `xs.stencil(Constant(0.0), |w| w.at(1))`")
        }
        ("something that can be indexed" | "a tuple of this length", "a window of a stencil") => {
            diagnostic.note("`w.at(1)` is the neighbour at an offset; in a matrix `w.at((0, 1))`")
        }
        ("an array of the program, or a tuple of such", _) => {
            diagnostic.note("`unit(x)` makes an array of one value")
        }
        ("an array of one condition, `Arr0<EBool>`", _) => diagnostic
            .note("`flags.any()` and `flags.all()` make one condition of many, and `unit(b)` an array of one value"),
        ("a condition and a place, `(true, i)`", _) => {
            diagnostic.note("an element goes to its place where the condition is true: `|i, x| (x > 0, x % 10)`")
        }
        ("a condition, an EBool", "a program") => diagnostic
            .note("run the loop in front: `xs.compact(xs.map(|x| { let n = seq_iterate(..)?; pure(n > 5) }))`"),
        ("a condition, an EBool", "a boolean of the host") => {
            diagnostic.note("`lit(b)` makes a device boolean of it")
        }
        ("a condition, an EBool", _) => {
            diagnostic.note("a comparison gives one: `x > 3`, `x % 2 == 0`, `(x > 3) & (x < 9)`")
        }
        ("a function of an element", "an array of an array program") => {
            diagnostic.note("`xs.compact(flags)` keeps the elements whose flag is true")
        }
        ("an array of flags", "a function") => {
            diagnostic.note("`xs.map(|x| x > 3)` is an array of flags; `xs.filter(|x| x > 3)` needs none")
        }
        ("something that can be indexed", "a program") => {
            diagnostic.note("write `?` behind the program: it runs it, and gives its result")
        }
        ("a number", "a pull array" | "a push array") => {
            diagnostic.note("cast its elements: `array.map(|x| x as f32)`")
        }
        _ => diagnostic,
    }
}

/// A number that has to be known while the kernel is built, and is a value of the device.
pub fn not_static(what: &str) -> Diagnostic {
    mistake("not-static", format!("{what} has to be known at compile time, and this value is known only when the kernel runs"))
        .note("give an integer of the host, for example a literal, a `u32` parameter or the length of a `Pull`")
}

/// A vector of the host is read at an index that is known only on the device.
pub fn vec_on_the_device(length: usize) -> Diagnostic {
    mistake("not-static", "a Vec is read while the kernel is built, and this index is known only when the kernel runs")
        .note(format!("choose with `select`, or make the {length} values an array of the device, an input of the kernel"))
}

/// A field that a tuple does not have.
pub fn no_such_field(field: u32, fields: usize) -> Diagnostic {
    let last = fields.saturating_sub(1);
    mistake(
        "no-such-field",
        format!("a tuple of {fields} has no field {field}"),
    )
    .note(format!("its fields are 0 to {last}"))
}

/// A program of another level than the one that executes it.
pub fn executed_at_another_level(function: &str, wanted: &str, found: &str) -> Diagnostic {
    mistake(
        "wrong-level",
        format!(
            "`{function}` executes programs at level {wanted}, and this one is at level {found}"
        ),
    )
    .note(format!("`exec_{}` executes it", found.to_lowercase()))
}

/// A program that gives no array is executed as one that does.
pub fn executed_value(found: &str) -> Diagnostic {
    mistake(
        "wrong-kind",
        format!("this program gives {found}, and not an array"),
    )
    .note(
        "`exec_thread_value`, `exec_warp_value` and `exec_block_value` make an array of one value",
    )
}

/// A program that gives an array is executed as one that gives a value.
pub fn executed_array(found: &str) -> Diagnostic {
    mistake(
        "wrong-kind",
        format!("this program gives {found}, and not one value"),
    )
    .note("`exec_thread`, `exec_warp` and `exec_block` execute programs that give arrays")
}

/// A loop of the device with a condition of the host.
pub fn loop_condition(function: &str, found: &str) -> Diagnostic {
    mistake(
        "host-condition",
        format!("the condition of `{function}` is a device boolean, and this is {found}"),
    )
    .note("it is tested while the kernel runs: compare device values, for example `x < 100`")
}

/// An element with more fields than an array has.
pub fn too_many_fields(fields: usize) -> Diagnostic {
    mistake(
        "too-many-fields",
        format!("an element has at most 8 fields, and this tuple has {fields}"),
    )
    .note("put tuples into the tuple, or use several arrays")
}

/// A call with the wrong number of arguments.
pub fn wrong_count(name: &str, wanted: usize, found: usize) -> Diagnostic {
    let s = if wanted == 1 { "" } else { "s" };
    let are = if found == 1 { "is" } else { "are" };
    mistake(
        "wrong-count",
        format!("{name} takes {wanted} argument{s}, and {found} {are} given"),
    )
}

/// A call of a method with a number of arguments that it does not take.
pub fn wrong_count_of_method(name: &str, found: usize) -> Diagnostic {
    let s = if found == 1 { "" } else { "s" };
    mistake(
        "wrong-count",
        format!("`{name}` cannot be called with {found} argument{s}"),
    )
}

/// A call of a method with a number of arguments that it does not take, and a right one.
pub fn wrong_count_beside(name: &str, found: usize, form: &str) -> Diagnostic {
    wrong_count_of_method(name, found).note(format!("write `{form}`"))
}

/// A push array that is read at an index.
pub fn push_array_indexed() -> Diagnostic {
    mistake("push-indexed", "a push array cannot be read at an index")
        .note("store it first: `compute(array)?` gives a pull array, which can")
}

/// `select` or `cond` on a condition that is known while the kernel is built.
pub fn host_condition(function: &str, found: &str) -> Diagnostic {
    let diagnostic = mistake(
        "host-condition",
        format!("the condition of `{function}` is a device boolean, and this is {found}"),
    );
    match found {
        "a boolean of the host" => {
            diagnostic.note("`if` chooses by what is known while the kernel is built")
        }
        "a pull array" => {
            diagnostic.note("choose between elements: `array.map(|x| select(condition, a, b))`")
        }
        _ => diagnostic,
    }
}

/// Tokens nested too deep, or chained too long.
pub fn too_deep(what: &str, limit: usize) -> Diagnostic {
    Diagnostic::new(
        "too-deep",
        Kind::Limit,
        format!("{what} goes beyond {limit}"),
    )
    .note("give parts of it names with `let`, or make them functions")
}

/// An expression whose parts are nested in each other without brackets.
pub fn too_long() -> Diagnostic {
    Diagnostic::new(
        "too-deep",
        Kind::Limit,
        "this expression is too deep: too many operators, calls and keywords build on one another",
    )
    .note("give parts of it names with `let`, or make them functions")
}

/// `assert!(c);` or `show!(x);` of a device value, whose program nothing runs.
pub fn report_not_run(name: &str) -> Diagnostic {
    mistake(
        "unused-program",
        format!("`{name}!` of a device value is a program of one thread, and nothing runs it"),
    )
    .note(format!(
        "write `{name}!(..)?;` in a program at level Thread, such as the body of `for_all`; a function of values, such as that of `map`, has no place for it"
    ))
}

/// An assertion of the user's that does not hold.
pub fn assertion(text: &str) -> Diagnostic {
    mistake("assertion", text.to_owned())
}

/// `#[kernel(..)]` with something that is not an option.
pub fn bad_attribute(what: impl Into<String>) -> Diagnostic {
    mistake("bad-attribute", what).note(OPTIONS)
}

/// `#[arrays(..)]` with something that it does not have.
pub fn bad_attribute_of_arrays(what: impl Into<String>) -> Diagnostic {
    mistake("bad-attribute", what)
        .note("the options are: #[arrays(fuse = false)], #[arrays(share = false)], #[arrays(horizontal = false)], #[arrays(threads = 128)]")
}

/// The options of `#[kernel]`.
const OPTIONS: &str = "the options are: #[kernel(threads = 64)], #[kernel(min_blocks = 4)], #[kernel(shared_bytes = 65536)], #[kernel(grid = resident)], #[kernel(contract)], #[kernel(faults)], #[kernel(tuned = \"file\")], and by its name each parameter of the host, \
                       #[kernel(n = 8)]; a list such as [8, 16] makes variants";

/// `grid = ..` with something else than its one word.
pub fn bad_grid(found: &str) -> Diagnostic {
    mistake(
        "bad-grid",
        format!("`grid` can be `resident`, and not `{found}`"),
    )
    .note("with `resident` a launch starts as many real blocks as the device holds at once; without it, one for each virtual block")
    .note("`device.with_blocks(n)` gives a launch at most `n` real blocks")
}

/// A name in `#[kernel(..)]` that is none of its options, and not a parameter with values.
pub fn unknown_option(name: &str, is_given: bool, known: &[&str]) -> Diagnostic {
    if is_given {
        return mistake("unknown-option", format!("`{name}` is given to each launch, so `#[kernel]` has no value for it"))
            .note("what is known while the kernel is built is an integer or boolean of the host, for example `n: u32`");
    }
    let diagnostic = mistake(
        "unknown-option",
        format!("`{name}` is neither an option of `#[kernel]` nor a parameter of this function"),
    );
    diagnostic.note(
        closest(name, known).map_or_else(|| OPTIONS.to_owned(), |near| format!("is it `{near}`?")),
    )
}

/// A specialisation parameter without values.
pub fn missing_value(name: &str) -> Diagnostic {
    mistake("missing-value", format!("`{name}` has to be known while the kernel is built, and `#[kernel]` has no value for it")).note(
        format!(
            "write one, `#[kernel({name} = 8)]`, or several, `#[kernel({name} = [8, 16])]`; a value that a launch is given is an `EU32`"
        ),
    )
}

/// A value of another type than its parameter's.
pub fn wrong_value(name: &str, ty: &str, found: &str) -> Diagnostic {
    let examples = if ty == "bool" {
        "`true`, or `[true, false]`"
    } else {
        "`8`, or `[8, 16]`"
    };
    mistake(
        "wrong-value",
        format!("`{found}` is no value for `{name}`, which is a {ty}"),
    )
    .note(format!("write a literal or a list: {examples}"))
}

/// A list of values without any.
pub fn no_values(name: &str) -> Diagnostic {
    mistake(
        "wrong-value",
        format!("the list of values for `{name}` is empty"),
    )
    .note("the first value is the default")
}

/// A value that a list has twice.
pub fn repeated_value(name: &str, value: &str) -> Diagnostic {
    mistake(
        "wrong-value",
        format!("`{name}` has the value {value} twice"),
    )
}

/// `tuned = ..` with something else than a path.
pub fn tuned_without_a_path() -> Diagnostic {
    mistake(
        "bad-attribute",
        "`tuned` takes the path of a file, from the folder of the package",
    )
    .note("for example `tuned = \"tuned/sums.txt\"`")
}

/// `tuned = ..` where no build script reads the file.
pub fn tuned_without_built() -> Diagnostic {
    mistake("tuned-without-built", "`tuned` needs `#[kernels(built)]` on the module, and a build script: the macro reads no files")
        .note("at run time, `Tuner::read` reads such a file without them")
}

/// A host value among a kernel's arrays.
pub fn specialised_after_arrays() -> Diagnostic {
    bad_signature(
        "a parameter that is known while the kernel is built comes before those that a launch is given",
    )
}

/// A specialisation parameter called like an option of the attribute.
pub fn specialised_like_an_option(name: &str) -> Diagnostic {
    bad_signature(format!(
        "`{name}` is an option of `#[kernel]`: give this parameter another name"
    ))
}

/// A specialisation parameter that the attribute cannot name.
pub fn specialised_without_a_name() -> Diagnostic {
    bad_signature(
        "a parameter that is known while the kernel is built has a name, by which `#[kernel]` gives its values",
    )
}

/// More variants than are built.
pub fn too_many_variants(count: usize, most: usize) -> Diagnostic {
    Diagnostic::new(
        "too-many-variants",
        Kind::Limit,
        format!("these values are {count} variants of one kernel, and at most {most} are built"),
    )
    .note("leave out values that are not of use; `TypedKernel` tries any number of them while the program runs")
}

/// A kernel whose signature cannot be that of a kernel.
pub fn bad_signature(what: impl Into<String>) -> Diagnostic {
    mistake("bad-signature", what)
        .note("a kernel is a function from arrays, for example `DPull<EI32>` or `DPull<(EU32, EF32)>`, to `DPush<Grid, EI32>`")
}

/// A function that cannot be an array program.
pub fn bad_signature_of_arrays(what: &str) -> Diagnostic {
    mistake("bad-signature", what)
        .note("an array program is a function of arrays and numbers, for example `fn f(xs: Arr1<EF32>, n: EU32) -> Arr1<EF32>`")
}

/// A kernel that gives a mutable array back.
pub fn mutable_result() -> Diagnostic {
    mistake(
        "bad-signature",
        "a kernel changes its mutable arrays in place, and does not give them back",
    )
    .note("give `Program<Grid, ()>`: the caller sees the changes in the array that it passes")
}

/// `#[kernels]` or `#[kernel]` where it cannot be.
pub fn bad_place(what: &str) -> Diagnostic {
    mistake("bad-place", what)
}

/// `#[kernels(..)]` with something that is not an option.
pub fn bad_attribute_of_module() -> Diagnostic {
    mistake("bad-attribute", "this is not an option of `#[kernels]`")
        .note("the options are: #[kernels(built)], #[kernels(crate = path)]")
}
