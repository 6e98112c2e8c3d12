//! Every diagnostic about a user's program, by family: one function each, which makes the message.
//!
//! The printers (macro, build script, run time) show the same words, because all of them come from
//! here.

use super::{Diagnostic, Kind};

fn mistake(id: &'static str, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(id, Kind::Mistake, message)
}

fn limit(id: &'static str, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(id, Kind::Limit, message)
}

/// A defect of the compiler, which no input should be able to cause.
pub fn bug(message: impl Into<String>) -> Diagnostic {
    Diagnostic::new("bug", Kind::Bug, message)
}

/// An expression of one kernel build was used in another.
pub fn stale_expression() -> Diagnostic {
    mistake("stale-expression", "this device value belongs to another kernel build")
        .note("make device values inside the function that builds the kernel, and do not store them outside of it")
}

/// Rows that overlap.
pub fn narrow_pitch(pitch: u32, width: u32, what: &str) -> Diagnostic {
    mistake(
        "narrow-pitch",
        format!("rows that begin {pitch} elements apart have no room for {width} {what}"),
    )
    .note(format!("give at least {width}"))
}

/// A loop that is to be unrolled by no number of rounds, or by very many.
pub fn bad_unroll(rounds: u32, most: u32) -> Diagnostic {
    mistake(
        "bad-unroll",
        format!("a loop is unrolled by 1 to {most} rounds, not by {rounds}"),
    )
    .note("1 keeps the loop as it is; without `unroll` the compiler decides")
}

/// A list with more or fewer elements than a height times a width.
pub fn not_as_many(length: u32, height: u32, width: u32) -> Diagnostic {
    mistake(
        "not-as-many",
        format!("{length} elements are not {height} rows of {width}"),
    )
    .note("`in_rows(width)` works the height out")
}

/// Addends of another length than the sums.
pub fn other_sums(addends: u32, sums: u32) -> Diagnostic {
    mistake(
        "other-sums",
        format!("a round gives {addends} elements, and there are {sums} sums"),
    )
    .note("give a first value for each element of a round")
}

/// More elements than a mask has bits.
pub fn too_many_bits(name: &str, elements: u32) -> Diagnostic {
    mistake(
        "too-many-bits",
        format!("`{name}` gives a bit for each element, at most 32, and there are {elements}"),
    )
    .note("split the array into pieces of 32: `arr.split_up(32)`")
}

/// A step over a tile that changes the number of elements of the state.
pub fn other_state(next: u32, state: u32) -> Diagnostic {
    mistake(
        "other-state",
        format!("a step gives a state of {next} elements, and the state has {state}"),
    )
    .note("give the next value of each element of the state")
}

/// An access of an element that another thread holds.
pub fn not_own(array: &str, level: &str, is_read: bool) -> Diagnostic {
    let done = if is_read { "reads" } else { "writes" };
    let message = format!(
        "cannot prove that each thread of the {level} {done} only the elements of `{array}` that it holds itself"
    );
    let diagnostic = mistake("not-own", message);
    match is_read {
        true => diagnostic.note("`compute` stores an array in shared memory, where all threads can read it; `exchange` changes the layout of a held array"),
        false => diagnostic.note("`compute` stores an array in shared memory, where all threads can write it; `hold` wants iteration `i` to give element `i`"),
    }
}

/// A read of another lane's register that not all lanes come to.
pub fn divergent_collective(array: &str) -> Diagnostic {
    let message = format!(
        "lanes take elements of `{array}` from each other here, in a loop that may end sooner for some lanes than for others"
    );
    mistake("divergent-collective", message)
        .note("read the element before the loop, or store the array with `compute`")
}

/// A two-dimensional array of another size than the others.
pub fn other_size(found: (u32, u32), wanted: (u32, u32)) -> Diagnostic {
    let size = |(height, width): (u32, u32)| format!("{height} rows of {width}");
    mistake(
        "other-size",
        format!(
            "this array has {}, and {} are wanted",
            size(found),
            size(wanted)
        ),
    )
}

/// An array that no memory holds.
pub fn too_many_elements() -> Diagnostic {
    limit(
        "too-many-elements",
        "an array has at most 4,294,967,295 elements",
    )
}

/// Two operands of an operator differ in type.
pub fn mismatched_types(operator: &str, left: &str, right: &str) -> Diagnostic {
    let message = match operator.chars().all(|c| c.is_alphabetic() || c == '_') {
        true => format!("mismatched element types: `{operator}` of {left} and {right}"),
        false => format!("mismatched element types: `{left} {operator} {right}`"),
    };
    let diagnostic = mistake("mismatched-types", message);
    if ["<<", ">>"].contains(&operator) {
        return diagnostic.note(
            "the number of bits to shift by is an EU32 or u32: cast it, for example `n as u32`",
        );
    }
    match [left, right].into_iter().find(|ty| ty.starts_with('E')) {
        Some(device) => diagnostic.note(format!("cast one of them, for example `x as {device}`")),
        None => diagnostic,
    }
}

/// An operator does not exist at a type.
pub fn no_such_operator(operator: &str, ty: &str) -> Diagnostic {
    mistake(
        "no-such-operator",
        format!("`{operator}` is not defined for {ty}"),
    )
}

/// An operator of the device does not exist at a type, and does at others.
pub fn no_operator_of_the_device(operator: &str, ty: &str, types: &str) -> Diagnostic {
    no_such_operator(operator, ty).note(format!("it works on {types}"))
}

/// `compute` at the level of the grid.
pub fn no_shared_memory() -> Diagnostic {
    mistake(
        "no-shared-memory",
        "Grid has no shared memory: `compute` stores arrays at Thread, Warp and Block only",
    )
    .note("compute inside the blocks: `.as_grid_map(|chunk| exec_block(..))`")
}

/// An array that is stored has a length that is known only at launch.
pub fn length_not_static(what: &str) -> Diagnostic {
    mistake("length-not-static", format!("{what} needs a length that is known at compile time, and this array's is known only at launch"))
        .note("cut it into pieces first: `.split_up(n)`, then work on each piece; an array of any length is a `DPull` or `DPush`")
}

/// A static length is not a multiple of the size of the pieces.
pub fn does_not_divide(pieces: u32, length: u32) -> Diagnostic {
    mistake(
        "does-not-divide",
        format!("an array of length {length} cannot be split into pieces of {pieces}"),
    )
    .note("choose a size that divides the length")
}

/// Pieces without elements.
pub fn empty_pieces() -> Diagnostic {
    mistake(
        "empty-pieces",
        "an array cannot be split into pieces of 0 elements",
    )
    .note("a piece has at least one element")
}

/// Pieces have another size than the one that they are put together with.
pub fn other_pieces(size: u32, said: u32) -> Diagnostic {
    mistake(
        "other-pieces",
        format!("these pieces have {size} elements, and not {said}"),
    )
    .note(format!(
        "give the size that they were made with, here {size}"
    ))
}

/// `from_dyn` of an array that has another length.
pub fn other_length(length: u32, said: u32) -> Diagnostic {
    mistake("other-length", format!("this array has {length} elements, and not {said}"))
        .note("`from_dyn(n)` is for arrays whose length is known only at launch; `take(n)` shortens an array")
}

/// An index or a size lies outside of an array.
pub fn outside_of_array(what: &str, index: u64, length: u64) -> Diagnostic {
    mistake(
        "outside-of-array",
        format!("{what} {index} is outside of an array of length {length}"),
    )
}

/// An array without elements was indexed.
pub fn empty_array() -> Diagnostic {
    mistake("empty-array", "an array of length 0 has no elements to read")
        .note("its length is known while the kernel is built: `if arr.len() == 0 { .. }` can choose something else")
}

/// A push array wrote nothing although its length is not 0.
pub fn nothing_written(length: u32) -> Diagnostic {
    mistake(
        "nothing-written",
        format!("this array has length {length}, but nothing writes its elements"),
    )
}

/// The level of a push array or program is needed and not known.
pub fn unknown_level(what: &str) -> Diagnostic {
    mistake("unknown-level", format!("the level of the inner arrays is not known here, and `{what}` needs it"))
        .note("say it with `exec_thread(..)`, `exec_warp(..)`, `exec_block(..)` or a turbofish such as `.push::<Thread>()`")
}

/// Something happens at a level of the hierarchy where it cannot.
pub fn wrong_level(what: &str, found: &str, wanted: &str) -> Diagnostic {
    mistake(
        "wrong-level",
        format!("{what} cannot be used at level {found}"),
    )
    .note(format!("it works at {wanted}"))
}

/// A program of one level, and not of one thread, is run at another; `below` is the level below
/// that one.
pub fn run_at_another_level(own: &str, place: &str, below: Option<&str>) -> Diagnostic {
    let note = if below == Some(own) {
        format!(
            "`distr_par(n, |i| ..)` gives each {} its part",
            own.to_lowercase()
        )
    } else if own == "Grid" {
        "a program at level Grid is run by a kernel or by another program at level Grid, outside of blocks".to_owned()
    } else {
        format!(
            "run it at level {own}, or write it for several levels: `fn f<L: Compute>(..) -> Program<L, ()>`"
        )
    };
    mistake(
        "wrong-level",
        format!("a program at level {own} cannot be run at level {place}"),
    )
    .note(note)
}

/// A push array of one level where a type says another.
pub fn pushed_at_another_level(own: &str, said: &str) -> Diagnostic {
    let found = mistake(
        "wrong-level",
        format!("this push array is at level {own}, and its type says level {said}"),
    );
    if said == "Grid" {
        return found
            .note("give each block a piece: `.split_up(n).as_grid_map(|chunk| chunk.push())`");
    }
    found.note(format!(
        "push it at that level, `.push::<{said}>()`, or write the type `Push<{own}, ..>`"
    ))
}

/// Inner arrays of a level that a function of the hierarchy cannot place.
pub fn wrong_inner_level(function: &str, inner: &str, wanted: &str) -> Diagnostic {
    let example = wanted.rsplit(' ').next().unwrap_or(wanted);
    mistake("wrong-level", format!("the inner arrays of `{function}` cannot be at level {inner}")).note(format!(
        "they can be at {wanted}; `exec_thread`, `exec_warp`, `exec_block` or a turbofish such as `.push::<{example}>()` say it"
    ))
}

/// A pull array is pushed at the level of the grid.
pub fn push_at_grid() -> Diagnostic {
    mistake(
        "wrong-level",
        "a pull array cannot be pushed at Grid, which has no threads of its own",
    )
    .note("give each block a piece first: `.split_up(n).as_grid_map(|chunk| chunk.push())`")
}

/// Work is shared out over threads at the level of the grid.
pub fn threads_at_grid(function: &str) -> Diagnostic {
    mistake(
        "wrong-level",
        format!("`{function}` cannot be used at level Grid, which has no threads of its own"),
    )
    .note("give each block its part first: `distr_par(blocks, |block| for_all(threads, |i| ..))`")
}

/// Blocks wait for each other.
pub fn sync_at_grid() -> Diagnostic {
    mistake(
        "wrong-level",
        "`sync` cannot be used at level Grid: blocks cannot wait for each other",
    )
    .note("what has to come after all blocks is another kernel")
}

/// A `break_loop` that no loop is around.
pub fn no_loop() -> Diagnostic {
    mistake("no-loop", "`break_loop` leaves a loop of one thread, and there is none around it")
        .note("it stands in the body of a `seq_for` or `seq_while` at Thread; `cond` chooses between two programs")
}

/// Shared memory is exhausted.
pub fn out_of_shared(
    needed: u32,
    limit_bytes: u32,
    most: u32,
    largest: &[(String, u32)],
) -> Diagnostic {
    let list = largest
        .iter()
        .map(|(name, bytes)| format!("`{name}` with {bytes} bytes"))
        .collect::<Vec<_>>()
        .join(", ");
    limit("out-of-shared", format!("this kernel needs {needed} bytes of shared memory, and a block has {limit_bytes}"))
        .note(format!("the largest arrays that are stored at the same time: {list}"))
        .note("work on smaller pieces, or store fewer arrays at the same time")
        .note(if needed <= most {
            format!("`#[kernel(shared_bytes = {needed})]` asks for so much, and the kernel runs only on GPUs that have it")
        } else {
            format!("no GPU gives a block more than {most}")
        })
}

/// The limit of shared memory is none that a GPU could have.
pub fn bad_shared_bytes(found: &str, usual: u32, most: u32) -> Diagnostic {
    mistake(
        "bad-shared-bytes",
        format!("`shared_bytes` is a number of bytes up to {most}, not `{found}`"),
    )
    .note(format!(
        "every GPU has {usual} for a block, which is the default; some have more, up to {most}"
    ))
}

/// The blocks that a multiprocessor has to hold at once have more threads than it holds.
pub fn min_blocks_too_large(blocks: i128, threads: u32, whole: u32, most: u32) -> Diagnostic {
    let in_warps = if whole == threads {
        String::new()
    } else {
        format!(", {whole} in whole warps,")
    };
    let all = i128::from(whole) * blocks;
    mistake(
        "bad-min-blocks",
        format!("{blocks} blocks of {threads} threads{in_warps} are {all} threads, and a multiprocessor holds at most {most} at once"),
    )
    .note(format!(
        "with {threads} threads a block, `min_blocks` is at most {}",
        most / whole
    ))
}

/// A number of blocks that no multiprocessor holds at once, or no number.
pub fn bad_min_blocks(found: &str, most: u32) -> Diagnostic {
    mistake(
        "bad-min-blocks",
        format!("`min_blocks` is a number of blocks from 1 to {most}, not `{found}`"),
    )
    .note("it is how many blocks a multiprocessor should be able to hold at once: a thread gets no more registers than that allows")
}

/// The number of threads per block is out of range.
pub fn bad_threads(threads: i128) -> Diagnostic {
    mistake(
        "bad-threads",
        format!("a block has between 1 and 1024 threads, not {threads}"),
    )
    .note("larger arrays need no more threads: they are worked through in rounds")
}

/// A value that cannot be an element of a stored array.
pub fn not_storable(kind: &str) -> Diagnostic {
    mistake("not-storable", format!("{kind} cannot be stored in an array"))
        .note("device values (EU32, EF32, ..) and tuples of them can; `lit(x)` makes a device value of a host value")
}

/// An array whose elements differ in type.
pub fn mixed_elements(first: &str, other: &str) -> Diagnostic {
    mistake(
        "mixed-elements",
        format!("an array of {first} cannot store {other}"),
    )
    .note(
        "cast the elements, for example `.map(|x| x as f32)`, or declare the array with their type",
    )
}

/// Two values between which the device cannot choose.
pub fn no_choice(then: &str, otherwise: &str) -> Diagnostic {
    mistake("no-choice", format!("the device cannot choose between {then} and {otherwise}"))
        .note("it can between device values of one type, and tuples of them; `lit(x)` makes a device value of a host value")
}

/// Arrays that have to be equally long are not.
pub fn unequal_lengths(what: &str, first: u32, second: u32) -> Diagnostic {
    let found = mistake(
        "unequal-lengths",
        format!("`{what}` of arrays of length {first} and {second}"),
    );
    let shorter = format!(
        "the arrays have to be equally long; `take({})` shortens one",
        first.min(second)
    );
    found.note(format!("{shorter}{}", or_shortest(what)))
}

/// Extents of arrays of an array program that do not fit.
pub fn other_extents(what: &str, [first, second]: [u32; 2], at_least: bool) -> Diagnostic {
    let found = match at_least {
        true => format!("`{what}` needs an extent of at least {second}, and the array has {first}"),
        false => format!("`{what}` of arrays with the extents {first} and {second}"),
    };
    let advice = match at_least {
        true => "ask for no more elements than there are",
        false => "the extents have to be equal; `take(n)` shortens the longer array",
    };
    mistake("arrays-shape", found).note(advice)
}

/// An array of one array program in another one.
pub fn stale_array() -> Diagnostic {
    mistake(
        "arrays-stale",
        "an array is used that belongs to another array program, or to another run of its function",
    )
    .note("make arrays in the function that describes the program, of its parameters")
}

/// How often a loop of an array program runs is not known in front of it.
pub fn rounds_of_data() -> Diagnostic {
    mistake(
        "arrays-extent",
        "how often this `power` runs depends on more than extents and scalar parameters",
    )
    .note("`awhile(state, |state| condition, |state| next)` runs until a condition of its arrays no longer holds")
}

/// An array that a loop of an array program makes in its rounds is used where there is no round.
pub fn array_of_a_round(operator: &str) -> Diagnostic {
    mistake(
        "arrays-stale",
        format!("this `{operator}` uses an array that a loop makes in each of its rounds, behind the loop"),
    )
    .note("give the array from the body of the loop, as one more of those that go round, and use what the loop gives")
}

/// An extent of an array program that a run cannot work out before it begins.
pub fn extent_of_data(operator: &str) -> Diagnostic {
    let found = format!(
        "an extent of this `{operator}` depends on more than extents and scalar parameters"
    );
    mistake("arrays-extent", found).note(
        "make extents of `len()`, `shape()`, numbers and `EU32` parameters, by `+ - * / % min max`",
    )
}

/// Arrays that have to be equally long may not be.
pub fn maybe_unequal_lengths(what: &str) -> Diagnostic {
    let found = mistake(
        "maybe-unequal-lengths",
        format!("cannot prove that the arrays of this `{what}` are equally long"),
    );
    let both = "write `.take(n)` of both, where `n` is `a.len().min(b.len())`";
    found.note(format!("{both}{}", or_shortest(what)))
}

/// Parts of two arrays that have to be equally long may not be.
pub fn maybe_unequal_parts(what: &str, first: &str, second: &str) -> Diagnostic {
    let found = mistake(
        "maybe-unequal-lengths",
        format!(
            "cannot prove that the arrays of this `{what}` are equally long: one is part of `{first}`, the other of `{second}`"
        ),
    );
    found.note(format!("zip the whole arrays, and cut them then, for example `zip({first}, {second}).chunks_len(n)`: each launch checks that they are equally long"))
}

/// The function that takes arrays of any lengths, if there is one.
fn or_shortest(what: &str) -> String {
    if what.starts_with("zip") {
        format!("; `{what}_shortest` stops where the shorter one ends")
    } else {
        String::new()
    }
}

/// A state that changes its shape.
pub fn changed_state(what: &str) -> Diagnostic {
    mistake(
        "changed-state",
        format!("the state of this loop changes {what} from one round to the next"),
    )
    .note("the function has to give a value of the same type as the one that it is given")
}

/// The function of a collective gives, or its initial value is, something else than an element.
pub fn other_elements(name: &str, what: &str) -> Diagnostic {
    mistake(
        "other-elements",
        format!("`{name}` is given {what}"),
    )
    .note("its function takes two elements and gives one of the same type, and an initial value has that type too")
}

/// The function of a collective reads an array.
pub fn operator_reads(name: &str, array: &str) -> Diagnostic {
    mistake(
        "operator-reads",
        format!("the function of `{name}` reads an element of `{array}`: which threads apply it, and how often, is not said"),
    )
    .note(format!("lay what it needs beside the elements: `{name}(|(x, y), (u, v)| .., zip(array, other))`"))
}

/// An array is made inside of a function of elements.
pub fn array_of_an_element(operator: &str) -> Diagnostic {
    mistake(
        "arrays-nested",
        format!("`{operator}` makes an array inside of a function of elements"),
    )
    .note("make the array before, and read it where it is needed: `let ys = ..; xs.map(|x| x + ys.at(0))`")
    .note("a loop over its elements is `seq_iterate(n, |i, sum| sum + ys.at(i), start)`")
}

/// An element is read while the program is described.
pub fn element_before_run() -> Diagnostic {
    mistake(
        "arrays-extent",
        "an element is read outside of a function of elements, where only extents and numbers are known",
    )
    .note("read it in a function of elements: `xs.map(|x| x + ys.at(0))`; extents are made of `len()`, `shape()`, numbers and `EU32` parameters")
}

/// An array of an array program has fewer axes.
pub fn no_such_axis(k: usize, rank: usize) -> Diagnostic {
    let axes = match rank {
        1 => "1 axis, which is axis 0".to_owned(),
        _ => format!("{rank} axes, 0 to {}", rank.saturating_sub(1)),
    };
    mistake(
        "arrays-rank",
        format!("there is no axis {k}: the array has {axes}"),
    )
    .note("axes are counted from the outermost one: of a matrix, axis 0 goes down the columns and axis 1 along the rows")
}

/// The function of a fold of an array program is more than an expression of two elements.
pub fn operator_of_arrays(name: &str) -> Diagnostic {
    mistake(
        "operator-reads",
        format!("the function of `{name}` reads an array or runs a loop, and may only compute with its two elements"),
    )
    .note(format!("compute what it needs before: `zip_with(|x, y| .., array, other).{name}(..)`"))
}

/// An atomic operation that the device does not have for a type.
pub fn no_atomic(op: &str, ty: &str, types: &str) -> Diagnostic {
    mistake(
        "no-atomic",
        format!("there is no `{op}` for elements of type {ty}"),
    )
    .note(format!("it works on {types}"))
}

/// An atomic operation on what only one thread can see.
pub fn atomic_of_one_thread(name: &str) -> Diagnostic {
    mistake(
        "atomic-of-one-thread",
        format!("the mutable array `{name}` belongs to one thread, and needs no atomic operations"),
    )
    .note("use `read` and `write`, or make the array at Warp or Block")
}

/// What the user can do where the compiler cannot prove that an index is inside its array.
const VOUCH: &str = "if you know that the index is below the length, vouch for it: `i.unchecked()`";

/// What the user can do where the compiler cannot prove that accesses are of different elements.
fn promise(at_both: bool) -> String {
    let all = if at_both { " in both places" } else { "" };
    format!("if you know that the indices are distinct, promise it{all}: `i.distinct()`")
}

/// An element of an array that is written once is written twice.
pub fn written_twice(
    array: &str,
    element: u64,
    [first, second]: [&str; 2],
    when: &str,
) -> Diagnostic {
    let both = if first == second {
        format!("{first} writes element {element} of {array} twice{when}")
    } else {
        format!("{first} and {second} both write element {element} of {array}{when}")
    };
    mistake("written-twice", both)
        .note("each element of a push array is written exactly once: `ix_map` takes a permutation, and `mk_push` one write for each index")
}

/// An element of an array that is written once is not written.
pub fn never_written(array: &str, element: u64, length: &str, when: &str) -> Diagnostic {
    let message = format!("nothing writes element {element} of {array}, which has {length}{when}");
    mistake("never-written", message)
        .note("each element of a push array is written exactly once: `ix_map` takes a permutation, and `mk_push` one write for each index")
}

/// The compiler cannot prove that each element of an array is written exactly once.
///
/// `enough`: there are as many writes as elements. `several`: the kernel writes the array in several
/// places.
pub fn maybe_not_once(array: &str, enough: bool, several: bool) -> Diagnostic {
    let found = mistake("maybe-not-once", format!("cannot prove that each element of {array} is written exactly once"))
        .note("write at an index that is computed from loop counters and lengths alone, such that it is a permutation");
    match enough {
        true => found.note(if several {
            "if you know that the indices are distinct, promise it in all places that write: `i.distinct()`".to_owned()
        } else {
            promise(false)
        }),
        false => found.note("nor can it be proved that there are as many writes as elements, so some may be left out: if that is meant, write a mutable array, whose other elements keep their values (`new_shared_mutable`, `MGlobal`)"),
    }
}

/// An index is outside of its array when the kernel runs.
pub fn outside_when_run(
    who: &str,
    verb: &str,
    element: u64,
    array: &str,
    length: &str,
    when: &str,
) -> Diagnostic {
    mistake("outside-when-run", format!("{who} {verb} element {element} of {array}, which has {length}{when}"))
        .note("keep the index below the length: `i % n`, `i.min(n - 1)`, or `select(i < n, arr[i], other)`")
}

/// The compiler cannot prove that an index is inside its array; `unproved` is the inequality that
/// is needed.
pub fn maybe_outside(array: &str, verb: &str, unproved: Option<&str>) -> Diagnostic {
    let what = format!("cannot prove that this {verb} only elements that {array} has");
    let why = unproved.map_or(String::new(), |why| format!(": `{why}` is needed"));
    mistake("maybe-outside", what + &why)
        .note("keep the index below the length: `i % n`, `i.min(n - 1)`, or `select(i < n, arr[i], other)`")
        .note(VOUCH)
}

/// The line that asks each launch for what is missing.
pub fn ask_launch(line: &str) -> String {
    format!("if that holds at each launch, ask for it where the kernel begins: `{line}`")
}

/// Two threads race on one element; `who` are the threads, warps or blocks that do not wait.
pub fn race(
    array: &str,
    element: u64,
    [first, second]: [&str; 2],
    [one, other]: [&str; 2],
    when: &str,
    who: &str,
) -> Diagnostic {
    let instead = match who {
        "blocks" => "a second kernel".to_owned(),
        _ => format!("a second loop over the {who}"),
    };
    mistake("race", format!("{first} {one} element {element} of {array}, and {second} {other} it at the same time{when}"))
        .note(format!("{who} of one loop do not wait for each other: use `atomic_*`, or {instead} for what depends on the first access"))
}

/// What to do about two loops over blocks that access one element.
const SECOND_KERNEL: &str = "blocks never wait for each other, neither within one loop over blocks nor between two of them: use a second kernel for what comes later";

/// Two loops over blocks, or two rounds of a loop around one, access the same element in different
/// threads.
pub fn unordered_blocks(
    array: &str,
    element: u64,
    [first, second]: [&str; 2],
    [one, other]: [&str; 2],
    when: &str,
) -> Diagnostic {
    mistake("unordered-blocks", format!("{first} {one} element {element} of {array}, and later {second} {other} it, without waiting for that{when}"))
        .note(SECOND_KERNEL)
}

/// The compiler cannot prove that a loop over blocks accesses no element that an earlier one did;
/// `same` if it is the same access both times.
pub fn maybe_unordered_blocks(array: &str, [one, other]: [&str; 2], same: bool) -> Diagnostic {
    mistake("unordered-blocks", format!("cannot prove that two loops over blocks, or two rounds of a loop around one, access different elements of {array}: the earlier one {one} it, and the later one {other} it"))
        .note(SECOND_KERNEL)
        .note("it is also right if both access an element in the same block and the same thread, at an index that is computed from loop counters and lengths alone")
        .note(promise(!same))
}

/// `require` got what only the kernel knows.
pub fn no_precondition() -> Diagnostic {
    mistake("length-not-a-formula", "`require` is about what a launch knows, and this is known only when the kernel runs")
        .note("lengths of parameters, arguments and their sums, products and quotients are known at launch: `require(x.len().equals(y.len()))`")
}

/// The number of blocks differs between the rounds of a loop of the grid.
pub fn blocks_of_a_round() -> Diagnostic {
    limit("length-not-a-formula", "the number of blocks depends on the counter of the loop around it, so it cannot be worked out at launch")
        .note("take as many blocks in every round, and leave out what a round does not need in the thread: `for_all(n, |i| cond(b < blocks - round, .., pure(())))`")
}

/// The compiler cannot prove that no two threads access the same element; `same` if both threads
/// execute the same access.
pub fn maybe_race(array: &str, who: &str, [one, other]: [&str; 2], same: bool) -> Diagnostic {
    mistake(
        "maybe-race",
        format!("cannot prove that no two {who} access the same element of {array}: one {one} it, and another {other} it"),
    )
    .note("use `atomic_*`, or an index that is computed from loop counters and lengths alone and differs for each of them")
    .note(promise(!same))
}

/// The checks have done too many steps.
pub fn check_too_long() -> Diagnostic {
    mistake("check-too-long", "whether this kernel is right takes too long to see: the checks end here")
        .note("`for` writes every step out: repeat them on the device with `seq_iterate` or `seq_for`, store in an array (`compute`) what several steps use, or make it several kernels")
}

/// A step of one thread in a program of a warp, a block or the grid.
pub fn step_of_one_thread(what: &str, level: &str) -> Diagnostic {
    mistake("step-of-one-thread", format!("{what} is done by one thread, and this program is at level {level}"))
        .note("say which thread: `for_all(n, |i| ..)` for all of them, `single_thread(..)` for one; what they find out is seen by others in an array")
}

/// A program of one thread is run at another level.
pub fn program_of_one_thread(level: &str) -> Diagnostic {
    let mistake = mistake(
        "step-of-one-thread",
        format!("this is done by one thread, and the program around it is at level {level}"),
    );
    if level == "Grid" {
        return mistake.note(
            "give each thread its part: `distr_par(blocks, |block| for_all(threads, |i| ..))`",
        );
    }
    mistake.note("say which thread: `for_all(n, |i| ..)` for all of them, `single_thread(..)` for one; what they find out is seen by others in an array")
}

/// Threads that have to wait for each other do not all come.
pub fn divergent(what: &str, level: &str, inside: &str) -> Diagnostic {
    mistake("divergent", format!("{what} is not the same for all threads of a {level}, and {inside} inside needs all of them"))
        .note("decide by what all of them agree on: a length, an argument, or an element of an array that the level has stored")
}
