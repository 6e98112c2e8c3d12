//! Options and variants.

use super::{Error, Message, Page, near};
use crate::error::{Diagnostic, Kind};

errors! {
    /// # Options and variants
    page "variants";

    /// An attribute names something that is neither an option of it nor a parameter that is known while the kernel is built.
    ///
    /// ```rust,ignore
    /// #[kernel(thread = 64)]
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
    mistake "unknown-option" {
        /// A name in `#[kernel(..)]` that is none of its options, and not a parameter with values.
        unknown_option(name: &str, is_given: bool, known: &[&str])
            => (match is_given {
                true => format!("`{name}` is given to each launch, so `#[kernel]` has no value for it"),
                false => format!("`{name}` is neither an option of `#[kernel]` nor a parameter of this function"),
            })
            then |found| match is_given {
                true => found.note("what is known while the kernel is built is an integer or boolean of the host, for example `n: u32`"),
                false => near(found, name, known, || Some(OPTIONS.to_owned())),
            };
    }

    /// A parameter of a host type makes variants of a kernel, and the attribute does not say for which values.
    ///
    /// ```rust,ignore
    /// #[kernel(threads = 64)]
    /// fn k(n: u32, input: DPull<EI32>) -> DPush<Grid, EI32> {
    ///     input.split_up(n).as_grid_map(|chunk| chunk.push())
    /// }
    /// ```
    ///
    /// ```rust,ignore
    /// #[kernel(threads = 64, n = [64, 128])]
    /// fn k(n: u32, input: DPull<EI32>) -> DPush<Grid, EI32> {
    ///     input.split_up(n).as_grid_map(|chunk| chunk.push())
    /// }
    /// ```
    mistake "missing-value" {
        /// A specialisation parameter without values.
        missing_value(name: &str)
            => "`{name}` has to be known while the kernel is built, and `#[kernel]` has no value for it",
               "write one, `#[kernel({name} = 8)]`, or several, `#[kernel({name} = [8, 16])]`; a value that a launch is given is an `EU32`";
    }

    /// A value in the attribute has another type than its parameter, or is there twice, or there is none in a list.
    ///
    /// ```rust,ignore
    /// #[kernel(n = [64, true])]
    /// fn k(n: u32, input: DPull<EI32>) -> DPush<Grid, EI32> {
    ///     input.split_up(n).as_grid_map(|chunk| chunk.push())
    /// }
    /// ```
    ///
    /// ```rust,ignore
    /// #[kernel(n = [64, 128])]
    /// fn k(n: u32, input: DPull<EI32>) -> DPush<Grid, EI32> {
    ///     input.split_up(n).as_grid_map(|chunk| chunk.push())
    /// }
    /// ```
    mistake "wrong-value" {
        /// A value of another type than its parameter's.
        wrong_value(name: &str, ty: &str, found: &str)
            [
                let examples = if ty == "bool" {
                    "`true`, or `[true, false]`"
                } else {
                    "`8`, or `[8, 16]`"
                };
            ]
            => "`{found}` is no value for `{name}`, which is a {ty}",
               "write a literal or a list: {examples}";
        /// A list of values without any.
        no_values(name: &str)
            => "the list of values for `{name}` is empty",
               "the first value is the default";
        /// A value that a list has twice.
        repeated_value(name: &str, value: &str)
            => "`{name}` has the value {value} twice";
    }

    /// A tuned file is read by the build script, and the module does not take in what that has built. Write `#[kernels(built)]` on the module, or
    /// leave the choice to a `Tuner` at run time.
    ///
    /// ```rust,ignore
    /// #[kernel(threads = [64, 128], tuned = "tuned.txt")]
    /// fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
    ///     input.split_up(64).as_grid_map(|chunk| chunk.push())
    /// }
    /// ```
    ///
    /// ```rust,ignore
    /// #[kernel(threads = [64, 128])]
    /// fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
    ///     input.split_up(64).as_grid_map(|chunk| chunk.push())
    /// }
    /// ```
    mistake "tuned-without-built" {
        /// `tuned = ..` where no build script reads the file.
        tuned_without_built()
            => "`tuned` needs `#[kernels(built)]` on the module, and a build script: the macro reads no files",
               "at run time, `Tuner::read` reads such a file without them";
    }

    /// The values of an attribute have more combinations than are built while a crate compiles.
    ///
    /// ```rust,ignore
    /// #[kernel(threads = 64, a = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], b = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], c = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])]
    /// fn k(a: u32, b: u32, c: u32, input: DPull<EU32>) -> DPush<Grid, EU32> {
    ///     input.split_up(64).as_grid_map(|chunk| chunk.map(|x| x * a + b * c).push())
    /// }
    /// ```
    ///
    /// ```rust,ignore
    /// #[kernel(threads = 64, a = [1, 2], b = [1, 2, 3], c = 10)]
    /// fn k(a: u32, b: u32, c: u32, input: DPull<EU32>) -> DPush<Grid, EU32> {
    ///     input.split_up(64).as_grid_map(|chunk| chunk.map(|x| x * a + b * c).push())
    /// }
    /// ```
    limit "too-many-variants" {
        /// More variants than are built.
        too_many_variants(count: usize, most: usize)
            => "these values are {count} variants of one kernel, and at most {most} are built",
               "leave out values that are not of use; `TypedKernel` tries any number of them while the program runs";
    }
}

/// The options of `#[kernel]`.
pub(super) const OPTIONS: &str = "the options are: #[kernel(threads = 64)], #[kernel(min_blocks = 4)], #[kernel(shared_bytes = 65536)], #[kernel(grid = resident)], #[kernel(contract)], #[kernel(faults)], #[kernel(tuned = \"file\")], and by its name each parameter of the host, \
                       #[kernel(n = 8)]; a list such as [8, 16] makes variants";
