//! What only the device knows, and types.

use super::{Error, Message, Page, near};
use crate::error::{Diagnostic, Kind};

errors! {
    /// # What only the device knows, and types
    ///
    /// A kernel function runs while the kernel is built. The values of a launch are expressions then, with a type and no value.
    page "device";

    /// `if`, `while`, `match`, `&&`, `||`, a range or an assertion is given a device boolean, which is known only when the kernel runs. They decide while the kernel is built; `select` and `cond` decide when it runs.
    ///
    /// ```rust,ignore
    /// chunk.map(|x| if x < 0 { -x } else { x }).push()
    /// ```
    ///
    /// ```rust,ignore
    /// chunk.map(|x| select(x < 0, -x, x)).push()
    /// ```
    mistake "device-condition" {
        /// `if` or `while` on a device boolean.
        device_condition(what: &str)
            => (match what {
                "break" => "this condition is a device boolean: it is known only when the kernel runs, and the loop around it ends while it is built".to_owned(),
                _ => format!("this condition is a device boolean: it is known only when the kernel runs, and `{what}` decides while it is built"),
            }),
               (match what {
                "&&" => "write `a & b` for two device booleans, with each comparison in parentheses",
                "||" => "write `a | b` for two device booleans, with each comparison in parentheses",
                "while" | "break" => "a loop of one thread is `xs.as_block_map(|x| exec_thread_value(seq_until(|y| .., |y| condition, x)))`; in place of `seq_until` can stand a device function, `#[device] fn f(x: f32) -> f32`, which has Rust's loops",
                _ => "use `select(condition, a, b)` to choose between two values on the device; of two arrays, choose between their elements: `zip_with(|a, b| select(condition, a, b), xs, ys)`",
            });
        /// `match` on a value of the device.
        device_match()
            => "this is a value of the device: it is known only when the kernel runs, and `match` decides while it is built",
               "compare it, with one `select` for each arm: `select(x == 0, a, select(x == 1, b, c))`";
        /// A range that ends at a number of the device.
        device_range()
            => "this is a number of the device: it is known only when the kernel runs, and a range is gone through while it is built",
               "a loop of one thread on the device is `seq_iterate(n, |i, state| .., start)`, in a function of elements too";
    }

    /// `select`, `cond` or a loop of the device is given a condition that is already known while the kernel is built. `if` chooses by that, and leaves no trace in the kernel.
    ///
    /// ```rust,ignore
    /// let is_long: bool = chunk.len() > 32;
    /// chunk.map(|x| select(is_long, x, -x)).push()
    /// ```
    ///
    /// ```rust,ignore
    /// let n = chunk.len();
    /// chunk.map(|x| if n > 32 { x } else { -x }).push()
    /// ```
    mistake "host-condition" {
        /// A loop of the device with a condition of the host.
        loop_condition(function: &str, found: &str)
            => "the condition of `{function}` is a device boolean, and this is {found}",
               "it is tested while the kernel runs: compare device values, for example `x < 100`";
        /// `select` or `cond` on a condition that is known while the kernel is built.
        host_condition(function: &str, found: &str)
            => "the condition of `{function}` is a device boolean, and this is {found}"
            then |wrong| match found {
                "a boolean of the host" => wrong.note("`if` chooses by what is known while the kernel is built"),
                "a pull array" => wrong.note("choose between elements: `array.map(|x| select(condition, a, b))`"),
                _ => wrong,
            };
    }

    /// A number that shapes the kernel (a length, the size of a piece, a number of rounds that is unrolled, an index into a `Vec`) is a value of the device. Such numbers are of the host.
    ///
    /// ```rust,ignore
    /// let weights = vec![3_i32, 5_i32];
    /// generate(64, |i| chunk[i] * weights[i % 2]).push()
    /// ```
    ///
    /// ```rust,ignore
    /// let weights = vec![3_i32, 5_i32];
    /// generate(64, |i| chunk[i] * select(i % 2 == 0, lit(weights[0]), lit(weights[1]))).push()
    /// ```
    mistake "not-static" {
        /// The offset of a neighbour is no number of the host.
        offset_of_the_device(found: &str)
            => "the offset of a neighbour is an `i32` of the host for each axis, and this is {found}",
               "write `w.at(-1)`, in a matrix `w.at((0, 1))`; at a distance that only a run knows is `xs.imap(|i, x| x + xs.at((i + k) % xs.len()))`";
        /// A number that has to be known while the kernel is built, and is a value of the device.
        not_static(what: &str)
            => "{what} has to be known at compile time, and this value is known only when the kernel runs",
               "give an integer of the host, for example a literal, a `u32` parameter or the length of a `Pull`";
        /// A vector of the host is read at an index that is known only on the device.
        vec_on_the_device(length: usize)
            => "a Vec is read while the kernel is built, and this index is known only when the kernel runs",
               "choose with `select`, or make the {length} values an array of the device, an input of the kernel";
    }

    /// A literal becomes a value of the device, and nothing tells of which type: no suffix, no operand of the device beside it, no declared type, no use
    /// of the array that it is stored in. The same holds for `!n` and for floats whose rounding depends on the type.
    ///
    /// ```rust,ignore
    /// fn ones(chunk: Pull<EI32>) -> Program<Block, Push<Block, EI32>> {
    ///     let ones = compute(generate(64, |i| 1))?;
    ///     pure(generate(64, |i| select(ones[i] == 1, chunk[i], 0)).push())
    /// }
    ///
    /// #[kernel]
    /// fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
    ///     input.split_up(64).as_grid_map(|chunk| exec_block(ones(chunk)))
    /// }
    /// ```
    ///
    /// ```rust,ignore
    /// fn ones(chunk: Pull<EI32>) -> Program<Block, Push<Block, EI32>> {
    ///     let ones = compute(generate(64, |i| 1_i32))?;
    ///     pure(generate(64, |i| select(ones[i] == 1, chunk[i], 0)).push())
    /// }
    ///
    /// #[kernel]
    /// fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
    ///     input.split_up(64).as_grid_map(|chunk| exec_block(ones(chunk)))
    /// }
    /// ```
    mistake "untyped-literal" {
        /// A device literal whose type nothing says.
        untyped_literal(literal: &str)
            [
                let suffix = match (literal.contains('.'), literal.starts_with('-')) {
                    (true, _) => "f32",
                    (_, true) => "i32",
                    _ => "u32",
                };
            ]
            => "the type of the device literal `{literal}` is not known here",
               "give it a suffix, for example `lit({literal}_{suffix})`";
        /// A calculation with `!n` where nothing says how many bits it has.
        untyped_complement()
            => "how many bits `!` gives here is not known",
               "give the integer a suffix, for example `!0_u32`";
        /// A calculation with floats where nothing says how it is rounded.
        untyped_float(op: &str)
            => "whether `{op}` is rounded to f32 or f64 is not known here",
               "give one of the floats a suffix, for example `0.1_f32`";
    }

    /// Where a device value is wanted, a literal is one, if it is of the right kind: `0.0` for floats, `0` for integers, in the range of the type. It stands as an operand beside a device value, as an argument of a parameter of a device type, or as an element.
    /// What a closure gives for an element of an array is an element: in `x.map(|x| (x, 3))` the `3` is a device value, as in `generate(n, |_| 3)`, and its type is
    /// that of a later use. In a function that no kernel of its module calls, only the text tells where a device value is wanted, and `map` may be that of an
    /// iterator: write `lit(3)` there.
    ///
    /// ```rust,ignore
    /// chunk.map(|x| select(x > 0, x, 0.5)).push()
    /// ```
    ///
    /// ```rust,ignore
    /// chunk.map(|x| select(x > 0, x, 5)).push()
    /// ```
    mistake "wrong-literal" {
        /// A literal that is no value of the type that is wanted.
        wrong_literal(literal: &str, name: &str, range: Option<(i128, i128)>, is_bool: bool)
            [
                let is_float = literal.contains(['.', 'e', 'N', 'i']);
                let whole = literal.split('.').next().unwrap_or("1");
                let (is, note) = match range {
                    _ if is_bool => ("a number", "write `true` or `false`, or compare: `x != 0`".to_owned()),
                    None => ("an integer", format!("write `{literal}.0`")),
                    Some(_) if is_float => ("a float", format!("write an integer, for example `{whole}`")),
                    Some((low, high)) => ("", format!("write a number from {low} to {high}")),
                };
            ]
            => (match is {
                "" => format!("`{literal}` is no value of type {name}, which is wanted here"),
                is => format!("`{literal}` is {is}, and a value of type {name} is wanted here"),
            }),
               (note);
    }

    /// The two sides of an operator differ in type, or a number of the host has another type than a parameter, a length or an index: lengths and indices of arrays are `u32`, those of a `Vec` are `usize`. Nothing is converted implicitly: cast one of them.
    ///
    /// ```rust,ignore
    /// chunk.map(|x| x + x as u32).push()
    /// ```
    ///
    /// ```rust,ignore
    /// chunk.map(|x| x + (x as u32 >> 3) as i32).push()
    /// ```
    mistake "mismatched-types" {
        /// Two operands of an operator differ in type.
        mismatched_types(operator: &str, left: &str, right: &str)
            => (match operator.chars().all(|c| c.is_alphabetic() || c == '_') {
                true => format!("mismatched element types: `{operator}` of {left} and {right}"),
                false => format!("mismatched element types: `{left} {operator} {right}`"),
            })
            then |found| match [left, right].into_iter().find(|ty| ty.starts_with('E')) {
                _ if [left, right].contains(&"array of an array program") => {
                    found.note("operators work on elements: `zip_with(|x, y| x + y, xs, ys)`; `total.the()` is the element of an array of one")
                }
                _ if [left, right].iter().any(|ty| ty.ends_with("array")) => {
                    found.note("operators work on elements: `xs.map(|x| x + 1)`, `zip_with(|x, y| x + y, xs, ys)`")
                }
                _ if ["<<", ">>"].contains(&operator) => {
                    found.note("the number of bits to shift by is an EU32 or u32: cast it, for example `n as u32`")
                }
                Some(device) => found.note(format!("cast one of them, for example `x as {device}`")),
                None => match [right, left].into_iter().find(|ty| !["usize", "isize"].contains(ty)) {
                    Some(ty) if is_number(left) && is_number(right) => found.note(format!("cast one of them, for example `x as {ty}`")),
                    _ => found,
                },
            };
        /// Two operands differ in type, and what to write for one of them.
        mismatched_operands(operator: &str, left: &str, right: &str, instead: &str)
            => "mismatched element types: `{left} {operator} {right}`",
               (instead);
        /// A device value of another type than the one that is declared, and the name of its variable.
        other_element(what: &str, wanted: &str, found: &str, name: Option<&str>)
            => "{what} is {wanted}, and this is {found}",
               (match name {
                Some(name) => format!("cast it: `{name} as {wanted}`"),
                None => format!("cast it: write `as {wanted}` behind it"),
            });
        /// An operator on a parameter of any type.
        unbounded_operand(name: &str, operator: &str)
            => "`{name}` can be any type, and `{operator}` is not defined for all of them",
               "for numbers of the device write `<{name}: Number>`, and `Exp<{name}>` in place of `{name}`";
        /// An array with elements of any type is stored.
        unbounded_element(name: &str, function: &str)
            => "`{name}` can be any type, and not all of them can be stored by `{function}`",
               "write `<{name}: Data>`: device values, and tuples of them";
        /// A number of the host of another type than the one that is needed, and the name of its variable.
        other_number(what: &str, wanted: &str, found: &str, name: Option<&str>)
            => "expected {what} of type {wanted}, found a value of type {found}",
               (match name {
                Some(name) => format!("cast it: `{name} as {wanted}`"),
                None => format!("cast it: write `as {wanted}` behind it"),
            });
    }

    /// The operator does not exist at this type, such as `!` of a float, or `sqrt` of an integer.
    ///
    /// ```rust,ignore
    /// chunk.map(|x| x.sqrt()).push()
    /// ```
    ///
    /// ```rust,ignore
    /// chunk.map(|x| (x as f32).sqrt() as i32).push()
    /// ```
    mistake "no-such-operator" {
        /// An operator does not exist at a type.
        no_such_operator(operator: &str, ty: &str)
            => "`{operator}` is not defined for {ty}";
        /// `x ** 2`, which Rust reads as `x * (*2)`.
        power()
            => "there is no operator `**`",
               "write `x * x`; of floats, `x.powi(3)` and `x.powf(y)`";
    }

    /// `select` can choose between device values of one type, and between tuples of them. It is given something else, for example a variable of the host, which is no device value, as a literal is.
    ///
    /// ```rust,ignore
    /// let one: i32 = 1;
    /// chunk.map(|x| x + select(x > 0, one, x)).push()
    /// ```
    ///
    /// ```rust,ignore
    /// let one: i32 = 1;
    /// chunk.map(|x| x + select(x > 0, lit(one), x)).push()
    /// ```
    mistake "no-choice" {
        /// Two values between which the device cannot choose.
        no_choice(then: &str, otherwise: &str)
            => "the device cannot choose between {then} and {otherwise}",
               "it can between device values of one type, and tuples of them; `lit(x)` makes a device value of a host value";
    }

    /// The elements of an array are device values, or tuples of them. A literal is one; of a variable of the host `lit` makes one.
    ///
    /// ```rust,ignore
    /// let one: i32 = 1;
    /// generate(64, |i| one).push()
    /// ```
    ///
    /// ```rust,ignore
    /// let one: i32 = 1;
    /// generate(64, |i| lit(one)).push()
    /// ```
    mistake "not-storable" {
        /// Programs as the elements of an array.
        stored_program()
            => "these elements are programs, which nothing runs, and an element is a value",
               "what `?` runs is done by a thread: write a function with `?` and loops, `fn step(x: EF32) -> Program<Thread, EF32>`, and `xs.as_block_map(|x| exec_thread_value(step(x)))`";
        /// A value that cannot be an element of a stored array.
        not_storable(kind: &str)
            => "{kind} cannot be stored in an array",
               "device values (EU32, EF32, ..) and tuples of them can; `lit(x)` makes a device value of a host value";
        /// An array as the state of a loop of one thread.
        state_of_an_array(name: &str, found: &str)
            => "the state of `{name}` is in the registers of one thread, and this one is {found}",
               "a block combines the arrays of all rounds by `accumulate(f, start, rounds)`: `accumulate(|a, b| a + b, x, generate(8, |i| compute(x.map(|y| y + i))))`; \
                `tiles_fold` goes over the tiles of an array, and `to_mutable(array)?` makes an array that the rounds of `seq_for` change";
    }

    /// A value is written to an array whose declaration, or other elements, have another type.
    ///
    /// ```rust,ignore
    /// fn counted(arr: Pull<EI32>) -> Program<Block, Push<Block, EI32>> {
    ///     let sums = to_mutable(arr)?;
    ///     for_all(64, |i| sums.write(i, lit(1.5_f32)))?;
    ///     pure(sums.push())
    /// }
    ///
    /// #[kernel(threads = 64)]
    /// fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
    ///     input.split_up(64).as_grid_map(|chunk| exec_block(counted(chunk)))
    /// }
    /// ```
    ///
    /// ```rust,ignore
    /// fn counted(arr: Pull<EI32>) -> Program<Block, Push<Block, EI32>> {
    ///     let sums = to_mutable(arr)?;
    ///     for_all(64, |i| sums.write(i, lit(1.5_f32) as i32))?;
    ///     pure(sums.push())
    /// }
    ///
    /// #[kernel(threads = 64)]
    /// fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
    ///     input.split_up(64).as_grid_map(|chunk| exec_block(counted(chunk)))
    /// }
    /// ```
    mistake "mixed-elements" {
        /// An array whose elements differ in type.
        mixed_elements(first: &str, other: &str)
            => "an array of {first} cannot store {other}",
               "cast the elements, for example `.map(|x| x as f32)`, or declare the array with their type";
        /// A value of another type where an element of an array is wanted.
        no_such_element(what: &str, wanted: &str, found: &str)
            => "{what} is {found}, and the elements of the array are {wanted}",
               "write it in the type of the elements, or give the array other elements in front: `xs.map(|x| x as f32)`";
        /// What combines two elements gives something else.
        operator_of_another_type(wanted: &str, found: &str)
            => "this function combines two elements of type {wanted}, and gives {found}",
               "it has to give an element of the same type; `xs.map(|x| ..)` in front gives the array other elements";
    }

    /// The function of a sequential loop gives a state of another type than it was given. Each round begins with what the last one gave, so the type has to stay.
    ///
    /// ```rust,ignore
    /// chunk.split_up(8).as_block_map(|part| seq_scan(|x, y| (x + y) as f32, part))
    /// ```
    ///
    /// ```rust,ignore
    /// chunk.split_up(8).as_block_map(|part| seq_scan(|x, y| x + y, part))
    /// ```
    mistake "changed-state" {
        /// A state that changes its shape.
        changed_state(what: &str)
            => "the state of this loop changes {what} from one round to the next",
               "the function has to give a value of the same type as the one that it is given";
    }

    /// The function of `reduce`, `inclusive_scan` or `exclusive_scan` gives something else than the two elements that it combines, or the initial value of an `exclusive_scan` is no such element. What it gives is combined further, so it has to be an element.
    ///
    /// ```rust,ignore
    /// input.split_up(64).as_grid_map(|run| reduce(|x, y| (x + y) as f32, run))
    /// ```
    ///
    /// ```rust,ignore
    /// input.split_up(64).as_grid_map(|run| reduce(|x, y| x + y, run.map(|x| x as f32)).map(|x| x as i32))
    /// ```
    mistake "other-elements" {
        /// The function of a collective gives, or its initial value is, something else than an element.
        other_elements(name: &str, what: &str)
            => "`{name}` is given {what}",
               "its function takes two elements and gives one of the same type, and an initial value has that type too";
    }

    /// The function of a `reduce`, a scan or a `sort` reads an array. Which threads apply it, and how often, is not said, so it has nothing but its two elements. What it needs of an array can be part of them.
    ///
    /// ```rust,ignore
    /// input.split_up(64).as_grid_map(|run| reduce(|x, y| x + y * run[0], run))
    /// ```
    ///
    /// ```rust,ignore
    /// input.split_up(64).as_grid_map(|run| {
    ///     let first = run[0];
    ///     reduce(|(x, a), (y, b)| (x + y * b, a), run.map(|x| (x, first))).map(|(x, a)| x)
    /// })
    /// ```
    mistake "operator-reads" {
        /// The function of a collective reads an array.
        operator_reads(name: &str, array: &str)
            => "the function of `{name}` reads an element of `{array}`: which threads apply it, and how often, is not said",
               "lay what it needs beside the elements: `{name}(|(x, y), (u, v)| .., zip(array, other))`";
    }

    /// A function or method is given one kind of value where it needs another: a push array for a pull array, a program for its result, an array for a number. The note says what turns one into the other.
    ///
    /// ```rust,ignore
    /// zip_with(|x, y| x + y, chunk, chunk.push()).push()
    /// ```
    ///
    /// ```rust,ignore
    /// zip_with(|x, y| x + y, chunk, chunk.reverse()).push()
    /// ```
    mistake "wrong-kind" {
        /// An array where an element is wanted.
        array_as_element(what: &str)
            => "{what} is one element, and this is an array",
               "give a number or a parameter such as `k: EF32`; an element of an array is used in a function of elements: `xs.map(|x| x + sums.at(0))`, `total.the()`";
        /// A value of the host that is no literal, where a device value is wanted.
        host_value(ty: &str, found: &str)
            => "expected a device value of type {ty}, found {found}",
               "`lit(x)` makes a device value of a value of the host";
        /// A value of the wrong kind.
        wrong_kind(wanted: &str, found: &str)
            => "expected {wanted}, found {found}"
            then |wrong| match of_another_kind(wanted, found) {
                Some(note) => wrong.note(note),
                None => wrong,
            };
        /// A layout is for one axis.
        layout_of_a_matrix(distance: u32)
            => "`compute_as` stores an array of one axis, and this is a matrix",
               "write `compute_pitch({distance}, array)`: the rows of the matrix begin {distance} elements apart";
        /// What `accumulate` runs in each round is a program that gives a pull array.
        round_of_accumulate(found: &str, array: &str)
            => "a round of `accumulate` is a program that gives a pull array, and this is {found}",
               (match array {
                "a pull array" => "`pure(array)` is a program that gives it: `rounds.map(|array| pure(array))`",
                _ => "store it, `compute(array)`, which is a program that gives a pull array: `rounds.map(|array| compute(array))`",
               });
        /// A program that gives no array is executed as one that does.
        executed_value(found: &str)
            => "this program gives {found}, and not an array",
               "`exec_thread_value`, `exec_warp_value` and `exec_block_value` make an array of one value";
        /// A program that gives an array is executed as one that gives a value.
        executed_array(found: &str)
            => "this program gives {found}, and not one value",
               "`exec_thread`, `exec_warp` and `exec_block` execute programs that give arrays";
    }

    /// The value has no method of this name. The note has the nearest name, or the list. A program has few: `?` runs it, and gives its result.
    ///
    /// ```rust,ignore
    /// chunk.revers().push()
    /// ```
    ///
    /// ```rust,ignore
    /// chunk.reverse().push()
    /// ```
    mistake "unknown-method" {
        /// A method that the receiver does not have.
        unknown_method(name: &str, receiver: &str, known: &[&str], function: Option<&str>, elsewhere: Option<&str>)
            => "{receiver} has no method `{name}`"
            then |found| match (function, method_by_another_name(name, receiver), elsewhere) {
                (Some(form), ..) => found.note(format!("it is a function of the library: `{form}`")),
                (None, Some(note), _) => found.note(note),
                (None, None, Some(note)) => found.note(note),
                (None, None, None) => near(found, name, known, || (!known.is_empty()).then(|| format!("its methods: {}", known.join(", ")))),
            };
    }

    /// A tuple has fewer fields. They count from 0.
    ///
    /// ```rust,ignore
    /// chunk.map(|x| (x, -x)).map(|p| p.2).push()
    /// ```
    ///
    /// ```rust,ignore
    /// chunk.map(|x| (x, -x)).map(|p| p.1).push()
    /// ```
    mistake "no-such-field" {
        /// A field that a tuple does not have.
        no_such_field(field: u32, fields: usize)
            [let last = fields.saturating_sub(1);]
            => "a tuple of {fields} has no field {field}",
               "its fields are 0 to {last}";
    }

    /// A computation of the host has no result: a division by 0, an overflow, an index outside of a `Vec`, `unwrap` of `None`. On the device integers wrap, and `x / 0` is 0.
    ///
    /// ```rust,ignore
    /// let n = 3_u32 - chunk.len();
    /// chunk.take(n).push().set_len(64)
    /// ```
    ///
    /// ```rust,ignore
    /// let n = chunk.len() - 3_u32;
    /// chunk.take(n).push().set_len(61)
    /// ```
    mistake "host-arithmetic" {
        /// A host computation that fails.
        host_arithmetic(what: impl Into<String>)
            => (what);
    }

    /// A device value is used in another kernel build than the one that made it. The macro cannot cause it: it is a mistake of Rust code that builds kernels at run time, and keeps a value in a variable outside of the building function.
    mistake "stale-expression" {
        /// An expression of one kernel build was used in another.
        stale_expression()
            => "this device value belongs to another kernel build",
               "make device values inside the function that builds the kernel, and do not store them outside of it";
    }
}

/// An operator of the device does not exist at a type, and does at others.
pub fn no_operator_of_the_device(operator: &str, ty: &str, types: &str) -> Diagnostic {
    no_such_operator(operator, ty).note(format!("it works on {types}"))
}

/// Is it the name of a type of numbers of the host?
fn is_number(ty: &str) -> bool {
    let bits = ty.strip_prefix(['u', 'i', 'f']).unwrap_or_default();
    ["8", "16", "32", "64", "size"].contains(&bits)
}

/// Is this a device value of a type of numbers?
fn is_device_number(found: &str) -> bool {
    let ty = found.strip_prefix("a device value of type E");
    ty.is_some_and(|ty| ty != "Bool")
}

fn is_signed(found: &str) -> bool {
    found.starts_with("a device value of type EI")
}

/// What to do about a value of another kind.
fn of_another_kind(wanted: &str, found: &str) -> Option<&'static str> {
    Some(match (wanted, found) {
        ("a pull array", "a push array") => "store it first: `compute(array)?` gives a pull array",
        ("a pull array" | "an array", "a program") => {
            "write `?` behind the program: it runs it, and gives its result"
        }
        ("a program", "a function") => {
            "`cond` takes programs, `cond(c, a, b)`; functions that give them are for `if_then(c, || a)`"
        }
        ("a program", _) => "`pure(x)` is a program that does nothing, and gives `x`",
        ("a program at the end of a body with `?`", _) => {
            "write `pure(x)`, which is a program that gives `x`; a function with `?` gives a `Program<..>`"
        }
        ("a push array", "a pull array") => "`array.push()` makes a push array of a pull array",
        (_, _) if wanted.contains("of push arrays") && found.ends_with("a program") => {
            "`exec_block(program)` is the array that a program gives, `exec_thread_value(program)` its value; a closure with `?` is a program"
        }
        ("a push array of the grid", "a pull array") => {
            "`as_grid_map` makes one of pieces: `x.split_up(256).as_grid_map(|piece| piece.push())`"
        }
        ("an index, an integer of the host" | "a value of type EU32", "a range") => {
            "`array.take(n)` and `array.drop(n)` are parts of an array"
        }
        ("a program, which `?` runs", _) => "leave out the `?`",
        ("an index of type EU32 or u32" | "a value of type EU32", _) if is_signed(found) => {
            "cast it, and keep it below the length: `(i.max(0) as EU32).min(array.len() - 1)`"
        }
        ("an index of type EU32 or u32" | "a value of type EU32", _) if is_device_number(found) => {
            "cast it, and keep it below the length: `(i as EU32).min(array.len() - 1)`"
        }
        ("a length, a u32", _) if is_device_number(found) => {
            "a launch knows lengths as EU32: declare the parameter so, `n: EU32`"
        }
        (
            "a two-dimensional pull array" | "a two-dimensional array",
            "a pull array" | "a push array",
        ) => "`array.in_rows(width)` makes one of it",
        (
            "a pull array" | "an array of one axis",
            "a two-dimensional pull array"
            | "a two-dimensional push array"
            | "a three-dimensional pull array"
            | "a three-dimensional push array",
        )
        | ("an array of push arrays", "an array of a two-dimensional push array") => {
            "`array.flat()` gives its rows one after another"
        }
        ("two pull arrays or two push arrays", _) => {
            "`array.push()` makes a push array of a pull array"
        }
        ("something that can be indexed", "a mutable array") => {
            "`array.read(i)?` reads an element as it is now"
        }
        ("a function in front of the initial element", _) => {
            "write `xs.fold(|x, y| x + y, initial)`, and scans likewise"
        }
        (_, "a function") if wanted.starts_with("what is outside") => {
            "write it in front of the function: `xs.stencil(Clamp, |w| w.at(1))`, `xs.stencil(Constant(0.0), |w| w.at(1))`"
        }
        ("something that can be indexed" | "a tuple of this length", "a window of a stencil") => {
            "`w.at(1)` is the neighbour at an offset; in a matrix `w.at((0, 1))`"
        }
        ("an array of the program, or a tuple of 2 to 8 such", _) => {
            "`unit(x)` makes an array of one value"
        }
        ("an array of one condition, `Arr0<EBool>`", _) => {
            "`flags.any()` and `flags.all()` make one condition of many, and `unit(b)` an array of one value"
        }
        ("a condition and a place, `(true, i)`", _) => {
            "an element goes to its place where the condition is true: `|i, x| (x > 0, x % 10)`"
        }
        ("a condition, an EBool", "a program") => {
            "run the loop in front: `xs.compact(xs.map(|x| { let n = seq_iterate(..)?; pure(n > 5) }))`"
        }
        ("a condition, an EBool", "a boolean of the host") => {
            "`lit(b)` makes a device boolean of it"
        }
        ("a condition, an EBool", _) => {
            "a comparison gives one: `x > 3`, `x % 2 == 0`, `(x > 3) & (x < 9)`"
        }
        ("something to iterate over", "a pull array") => {
            "`for` runs while the kernel is built: `array.map(f)` applies `f` to each element, `seq_reduce(f, array)` is a loop over them on the device, and `for i in 0..array.len()` writes every step out"
        }
        (_, "a mutable array") if wanted.starts_with("a Vec with an element") => {
            "`array.write(i, x)?` writes an element"
        }
        (_, "a pull array" | "a push array") if wanted.starts_with("a Vec with an element") => {
            "an array does not change: `array.map(f)` and `generate(n, f)` make another one, and `to_mutable(array)?` makes one that changes"
        }
        ("a function of an element", "an array of an array program") => {
            "`xs.compact(flags)` keeps the elements whose flag is true"
        }
        ("an array of flags", "a function") => {
            "`xs.map(|x| x > 3)` is an array of flags; `xs.filter(|x| x > 3)` needs none"
        }
        ("something that can be indexed", "a program") => {
            "write `?` behind the program: it runs it, and gives its result"
        }
        ("a number", "a pull array" | "a push array") => {
            "cast its elements: `array.map(|x| x as f32)`"
        }
        _ => return None,
    })
}

/// What to write instead of a method that others have.
fn method_by_another_name(name: &str, receiver: &str) -> Option<&'static str> {
    const FOLDS: [&str; 6] = ["iter", "into_iter", "sum", "product", "fold", "reduce"];
    match receiver {
        "a program" => Some("write `?` behind the program: it runs it, and gives its result"),
        _ if name == "pow" && receiver.starts_with("a device value") => {
            Some("write `x * x`; of floats, `x.powi(3)` and `x.powf(y)`")
        }
        _ if name == "at_most" && receiver.starts_with("a device value") => Some(
            "`require` takes `at_least(n)`, `equals(m)` and `multiple_of(m)`; the smaller of two lengths is `x.len().min(y.len())`",
        ),
        "a three-dimensional pull array"
            if [
                "cover",
                "tiles",
                "row",
                "rows",
                "column",
                "columns",
                "transpose",
            ]
            .contains(&name) =>
        {
            Some(
                "it is a method of matrices, and a plane is one: `array.planes().as_grid_map(|plane| plane.cover(8, 8).as_block_map(|tile| tile.push::<Thread>()).crop(plane.height(), plane.width()).flat())`",
            )
        }
        "a three-dimensional push array" if ["crop", "transpose"].contains(&name) => Some(
            "it is a method of matrices: call it for each plane, `array.planes().as_grid_map(|plane| plane.cover(8, 8).as_block_map(|tile| tile.push::<Thread>()).crop(plane.height(), plane.width()).flat())`",
        ),
        "a pull array" if FOLDS.contains(&name) => Some(
            "`seq_reduce(f, array)` is a loop over the elements, and `fold1(f, array)` is the same without the loop",
        ),
        "an array of an array program" => by_another_name(name),
        _ => None,
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
