//! What is not kernel language.

use super::{Error, Message, Page, near, variants::OPTIONS};
use crate::error::{Diagnostic, Kind};

errors! {
    /// # What is not kernel language
    ///
    /// The macro sees the tokens of one module, and evaluates them. What it could not see through is an error at once.
    page "language";

    /// Rust that kernel language does not have: structs, traits, macros, references that change things, labels of blocks, `cfg` inside of a module. The note says what to write instead.
    ///
    /// ```rust,ignore
    /// println!("{}", chunk.len());
    /// chunk.push()
    /// ```
    ///
    /// ```rust,ignore
    /// assert!(chunk.len() == 64);
    /// chunk.push()
    /// ```
    mistake "unsupported" {
        /// Syntax that is not kernel language.
        unsupported(what: &str)
            => "{what} not supported in a kernel module",
               (SUPPORTED);
        /// Syntax that is not kernel language, and what to write instead.
        unsupported_instead(what: &str, instead: &str)
            => "{what} not supported in a kernel module",
               (instead);
    }

    /// `?` stands in an argument of `seq_while` or `cond`, which is a program. It runs once, in front of the call, and not in
    /// each round, or whatever the condition is. A function or a closure with `?` gives a program that does all of it each time.
    ///
    /// ```rust,ignore
    /// fn halved(m: MShared<EU32>) -> Program<Thread, ()> {
    ///     let large = m.read(0).map(|x| x > 1);
    ///     seq_while(large, { let x = m.read(0)?; m.write(0, x / 2) })
    /// }
    /// ```
    ///
    /// ```rust,ignore
    /// fn halved(m: MShared<EU32>) -> Program<Thread, ()> {
    ///     let large = m.read(0).map(|x| x > 1);
    ///     let step = || { let x = m.read(0)?; m.write(0, x / 2) };
    ///     seq_while(large, step())
    /// }
    /// ```
    mistake "runs-once" {
        /// `?` in an argument of a function that runs a program several times, or maybe not at all.
        runs_once(function: &str)
            => "this `?` runs once, in front of `{function}`, and not where `{function}` runs the program",
               (format!("put it into a closure, and give its program: `let step = || {{ let x = m.read(i)?; m.write(i, x + 1) }};` and `{function}(.., step())`; a function with `?` does too"));
    }

    /// The tokens are not Rust.
    ///
    /// ```rust,ignore
    /// chunk.map(|x| x +).push()
    /// ```
    ///
    /// ```rust,ignore
    /// chunk.map(|x| x + 1).push()
    /// ```
    mistake "syntax" {
        /// Rust that syn cannot read.
        syntax(message: impl Into<String>)
            => (message);
    }

    /// The name is neither a variable, nor in the module, nor in the library.
    ///
    /// ```rust,ignore
    /// chunk.map(|x| x + offset).push()
    /// ```
    ///
    /// ```rust,ignore
    /// let offset = 3;
    /// chunk.map(|x| x + offset).push()
    /// ```
    mistake "unknown-name" {
        /// A name that is not defined.
        unknown_name(name: &str, known: &[&str])
            => "`{name}` is not defined in this module"
            then |found| match of_cuda(name) {
                Some(note) => found.note(note),
                None => near(found, name, known, || Some("a kernel module sees its own functions and constants, and the library".to_owned())),
            };
    }

    /// A function is called that is neither in the module nor in the library. Other Rust functions cannot run while a kernel is built.
    ///
    /// ```rust,ignore
    /// chunk.map(|x| std::cmp::max(x, x + 1)).push()
    /// ```
    ///
    /// ```rust,ignore
    /// chunk.map(|x| x.max(x + 1)).push()
    /// ```
    mistake "host-function" {
        /// A call of something that is neither in the module nor in the library.
        host_function(name: &str, known: &[&str], method: Option<&str>)
            => "`{name}` is neither a function of this module nor one of the library"
            then |found| if let Some(note) = of_rust(name) { found.note(note) } else if let Some(method) = method { found.note(format!("it is a method of device values: `x.{method}(..)`")) } else { near(found, name, known, || match name.rsplit_once("::") {
                Some((_, name @ ("Clamp" | "Wrap" | "Mirror" | "Constant"))) => Some(format!("write `{name}`, without a path")),
                _ => Some(of_cuda(name).unwrap_or("a kernel module calls its own functions and those of the library; compute host values outside, and pass them as arguments").to_owned()),
            }) };
    }

    /// A call has more or fewer arguments than the function, closure or method takes.
    ///
    /// ```rust,ignore
    /// zip_with(|x| x, chunk, chunk.reverse()).push()
    /// ```
    ///
    /// ```rust,ignore
    /// zip_with(|x, y| x + y, chunk, chunk.reverse()).push()
    /// ```
    mistake "wrong-count" {
        /// A call with the wrong number of arguments.
        wrong_count(name: &str, wanted: usize, found: usize)
            [
                let s = if wanted == 1 { "" } else { "s" };
                let are = if found == 1 { "is" } else { "are" };
            ]
            => "{name} takes {wanted} argument{s}, and {found} {are} given"
            then |wrong| match (name, wanted, found) {
                ("this closure", 2.., 1) => wrong.note("an argument that is a tuple is taken apart by a pattern: `|(x, y)| ..`"),
                _ => wrong,
            };
        /// A call of a function of the user's with the wrong number of arguments, and its signature.
        wrong_count_of_function(name: &str, wanted: usize, found: usize, form: &str)
            => (wrong_count(name, wanted, found).message),
               "it is `{form}`";
        /// A call of a method with a number of arguments that it does not take.
        wrong_count_of_method(name: &str, found: usize)
            [let s = if found == 1 { "" } else { "s" };]
            => "`{name}` cannot be called with {found} argument{s}";
    }

    /// A push array says how its elements are written, and cannot be read at an index. Stored, it can.
    ///
    /// ```rust,ignore
    /// let pushed = chunk.push();
    /// generate(64, |i| pushed[i]).push()
    /// ```
    ///
    /// ```rust,ignore
    /// generate(64, |i| chunk[i]).push()
    /// ```
    mistake "push-indexed" {
        /// A push array that is read at an index.
        push_array_indexed()
            => "a push array cannot be read at an index",
               "store it first: `compute(array)?` gives a pull array, which can";
    }

    /// A closure changes a variable of the function around it. It has a copy of that variable, because it may run again, and elsewhere: nothing would be seen of the change.
    ///
    /// ```rust,ignore
    /// let mut n = 0;
    /// chunk.map(|x| {
    ///     n += 1;
    ///     x + n
    /// }).push()
    /// ```
    ///
    /// ```rust,ignore
    /// generate(64, |i| chunk[i] + 1).push()
    /// ```
    mistake "captured-assignment" {
        /// An assignment to a variable of the function around a closure.
        captured_assignment(name: &str)
            => "`{name}` belongs to the function around this closure, and a closure has a copy of it",
               "give the new value back as the closure's result";
    }

    /// A call gives a program that nothing runs, so that its writes never happen. A variable, a tuple, `let _ =` and `;` do not run a program; `?` does, and so does returning it.
    ///
    /// ```rust,ignore
    /// #[kernel]
    /// pub fn k(io: MGlobal<EI32>) -> Program<Grid, ()> {
    ///     distr_par(io.len() / 64, |b| for_all(64, |t| { io.write(b * 64 + t, lit(1i32)); pure(()) }))
    /// }
    /// ```
    ///
    /// ```rust,ignore
    /// #[kernel]
    /// pub fn k(io: MGlobal<EI32>) -> Program<Grid, ()> {
    ///     distr_par(io.len() / 64, |b| for_all(64, |t| { io.write(b * 64 + t, lit(1i32))?; pure(()) }))
    /// }
    /// ```
    mistake "unused-program" {
        /// A program, or several of one call, that nothing runs: not even the array that executes it, if
        /// there is one.
        unused_program(count: usize, is_executed: bool)
            => (match count {
                1 => "this program is never run, so that nothing it does happens".to_owned(),
                n => format!("{n} programs that this call makes are never run"),
            }),
               (match (is_executed, count) {
                (true, _) => {
                    "nothing pushes the array that executes it: return that, store it with `compute`, or leave both out"
                }
                (false, 1) => {
                    "run it with `?`, return it, or leave it out; `let _ =` and `;` do not run a program"
                }
                (false, _) => {
                    "run each with `?`, in a loop of the host for example `for i in 0..4 { m.write(i, x)?; }`"
                }
            });
        /// `assert!(c);` or `show!(x);` of a device value, whose program nothing runs.
        report_not_run(name: &str)
            => "`{name}!` of a device value is a program of one thread, and nothing runs it",
               "write `{name}!(..)?;` in a program at level Thread, such as the body of `for_all`; a function of values, such as that of `map`, has no place for it";
    }

    /// The result of a program is used, and the program is not run. A call such as `compute(array)` gives a program; `?` behind the call runs it and gives its result.
    ///
    /// ```rust,ignore
    /// fn turned(chunk: Pull<EI32>) -> Program<Block, Push<Block, EI32>> {
    ///     let stored = compute(chunk.reverse());
    ///     pure(stored.push())
    /// }
    ///
    /// #[kernel]
    /// pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
    ///     input.split_up(64).as_grid_map(|chunk| exec_block(turned(chunk)))
    /// }
    /// ```
    ///
    /// ```rust,ignore
    /// fn turned(chunk: Pull<EI32>) -> Program<Block, Push<Block, EI32>> {
    ///     let stored = compute(chunk.reverse())?;
    ///     pure(stored.push())
    /// }
    ///
    /// #[kernel]
    /// pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
    ///     input.split_up(64).as_grid_map(|chunk| exec_block(turned(chunk)))
    /// }
    /// ```
    mistake "missing-question-mark" {
        /// A program whose result is used.
        missing_question_mark(why: &str)
            => "`?` is missing: this gives a program, and {why}",
               "write `?` behind it: it runs the program, and gives its result";
    }

    /// An assertion of yours does not hold. Its text is the message.
    ///
    /// ```rust,ignore
    /// assert!(chunk.len() == 32, "pieces of 32 elements are wanted");
    /// chunk.push()
    /// ```
    ///
    /// ```rust,ignore
    /// assert!(chunk.len() == 64, "pieces of 64 elements are wanted");
    /// chunk.push()
    /// ```
    mistake "assertion" {
        /// An assertion of the user's that does not hold.
        assertion(text: &str)
            => (text.to_owned());
    }

    /// An attribute has something in it that cannot be read as an option.
    ///
    /// ```rust,ignore
    /// #[kernel(threads = = 64)]
    /// fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
    ///     input.split_up(64).as_grid_map(|chunk| chunk.push())
    /// }
    /// ```
    ///
    /// ```rust,ignore
    /// #[kernel(threads = 64)]
    /// fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
    ///     input.split_up(64).as_grid_map(|chunk| chunk.push())
    /// }
    /// ```
    mistake "bad-attribute" {
        /// `#[kernel(..)]` with something that is not an option.
        bad_attribute(what: impl Into<String>)
            => (what),
               (OPTIONS);
        /// `#[arrays(..)]` with something that it does not have.
        bad_attribute_of_arrays(what: impl Into<String>)
            => (what),
               "the options are: #[arrays(fuse = false)], #[arrays(share = false)], #[arrays(horizontal = false)], #[arrays(threads = 128)]";
        /// `tuned = ..` with something else than a path.
        tuned_without_a_path()
            => "`tuned` takes the path of a file, from the folder of the package",
               "for example `tuned = \"tuned/sums.txt\"`";
        /// `#[kernels(..)]` with something that is not an option.
        bad_attribute_of_module()
            => "this is not an option of `#[kernels]`",
               "the options are: #[kernels(built)], #[kernels(crate = path)]";
    }

    /// `grid` says how many real blocks a launch starts, and `resident` is its only word: as many as the device holds at once. Without it, there is one
    /// for each virtual block. A number is given to the launch, by `device.with_blocks(132)`.
    ///
    /// ```rust,ignore
    /// #[kernel(grid = 132)]
    /// fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
    ///     input.split_up(64).as_grid_map(|chunk| chunk.push())
    /// }
    /// ```
    ///
    /// ```rust,ignore
    /// #[kernel(grid = resident)]
    /// fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
    ///     input.split_up(64).as_grid_map(|chunk| chunk.push())
    /// }
    /// ```
    mistake "bad-grid" {
        /// `grid = ..` with something else than its one word.
        bad_grid(found: &str)
            => "`grid` can be `resident`, and not `{found}`",
               "with `resident` a launch starts as many real blocks as the device holds at once; without it, one for each virtual block",
               "`device.with_blocks(n)` gives a launch at most `n` real blocks";
    }

    /// A function cannot be a kernel. Kernels take arrays of any length and values of the device, and give push arrays of the grid.
    ///
    /// ```rust,ignore
    /// #[kernel]
    /// fn k(input: Vec<u32>) -> DPush<Grid, EU32> {
    ///     generate(64, |i| lit(1_u32)).split_up(64).as_grid_map(|chunk| chunk.push())
    /// }
    /// ```
    ///
    /// ```rust,ignore
    /// #[kernel]
    /// fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
    ///     input.split_up(64).as_grid_map(|chunk| chunk.push())
    /// }
    /// ```
    mistake "bad-signature" {
        /// A type of the host as the element of an array.
        host_element(host: &str, device: &str)
            => "`{host}` is a type of the host, and the elements of an array are values of the device",
               "write `{device}`, for example `DPull<{device}>`";
        /// A kernel whose signature cannot be that of a kernel.
        bad_signature(what: impl Into<String>)
            => (what),
               "a kernel is a function from arrays, for example `DPull<EI32>` or `DPull<(EU32, EF32)>`, to `DPush<Grid, EI32>`";
        /// A kernel with `?` whose type has no program.
        kernel_with_a_question_mark(ty: &str)
            => "a kernel with `?` is a program of the grid",
               "write its type so: `Program<Grid, {ty}>`";
        /// A function that cannot be an array program.
        bad_signature_of_arrays(what: &str)
            => (what),
               "an array program is a function of arrays and numbers, for example `fn f(xs: Arr1<EF32>, n: EU32) -> Arr1<EF32>`";
        /// A kernel that gives a mutable array back.
        mutable_result()
            => "a kernel changes its mutable arrays in place, and does not give them back",
               "give `Program<Grid, ()>`: the caller sees the changes in the array that it passes";
    }

    /// `#[kernels]` goes on a module with its text, `#[kernel]` on a function.
    ///
    /// ```rust,ignore
    /// #[kernels]
    /// fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
    ///     input.split_up(64).as_grid_map(|chunk| chunk.push())
    /// }
    /// ```
    ///
    /// ```rust,ignore
    /// #[kernels]
    /// mod sums {
    ///     #[kernel]
    ///     fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
    ///         input.split_up(64).as_grid_map(|chunk| chunk.push())
    ///     }
    /// }
    /// ```
    mistake "bad-place" {
        /// `#[kernels]` or `#[kernel]` where it cannot be.
        bad_place(what: &str)
            => (what);
    }
}

/// What the language has, for messages about what it has not.
const SUPPORTED: &str = "kernel language has functions, constants, closures, let, if, match, for, while, ranges, tuples, arrays, \
                         integers, booleans, Vec and iterators, and the array functions of the library";

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

/// A call of a method with a number of arguments that it does not take, and a right one.
pub fn wrong_count_beside(name: &str, found: usize, form: &str) -> Diagnostic {
    wrong_count_of_method(name, found).note(format!("write `{form}`"))
}

/// What Rust's functions are here.
fn of_rust(name: &str) -> Option<&'static str> {
    Some(match name {
        "not" => "write `!c`; of two conditions, `a & b` and `a | b`",
        "Ok" | "Err" => {
            "there is no `Result` here, because nothing fails while a kernel runs: give the value itself, and check with `assert!(condition)?` in a program of a thread"
        }
        _ => return None,
    })
}

/// What stands for a name of CUDA.
fn of_cuda(name: &str) -> Option<&'static str> {
    Some(match name {
        "threadIdx" => {
            "`array.map(f)` and `for_all(n, |i| ..)` are shared out over the threads; `i` counts iterations"
        }
        "blockIdx" => {
            "`as_grid_map(|piece| ..)` gives each block its piece, and `distr_par(n, |block| ..)` its number"
        }
        "blockDim" | "gridDim" => {
            "`array.len()` is the length of an array; the number of threads is an option, `#[kernel(threads = 256)]`"
        }
        "__syncthreads" | "__syncwarp" => {
            "barriers stand where they are needed without it; `sync()?` is one more"
        }
        _ if name.starts_with("atomic") => {
            "`m.atomic_add(i, x)?` and its like are methods of mutable arrays"
        }
        _ if name.starts_with("__shfl") => {
            "`hold(array)?` keeps an array in registers: to read another lane's element is a shuffle"
        }
        _ => return None,
    })
}
