//! Modules that use others.

use super::{Error, Message, Page, near};
use crate::error::{Diagnostic, Kind};

errors! {
    /// # Modules that use others
    ///
    /// A `use` in a kernels module names functions and constants of another kernels module.
    page "modules";

    /// A `use` names a module, or nothing that a kernels module could give.
    ///
    /// ```rust,ignore
    /// #[kernels]
    /// pub mod library {
    ///     pub fn twice(x: EI32) -> EI32 {
    ///         x * 2
    ///     }
    /// }
    ///
    /// #[kernels]
    /// pub mod m {
    ///     use super::library;
    ///
    ///     #[kernel]
    ///     pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
    ///         input.map(|x| library::twice(x)).split_up(64).as_grid_map(|chunk| chunk.push())
    ///     }
    /// }
    /// ```
    ///
    /// ```rust,ignore
    /// #[kernels]
    /// pub mod library {
    ///     pub fn twice(x: EI32) -> EI32 {
    ///         x * 2
    ///     }
    /// }
    ///
    /// #[kernels]
    /// pub mod m {
    ///     use super::library::twice;
    ///
    ///     #[kernel]
    ///     pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
    ///         input.map(|x| twice(x)).split_up(64).as_grid_map(|chunk| chunk.push())
    ///     }
    /// }
    /// ```
    mistake "bad-use" {
        /// A `use` that names no function of another kernels module.
        bad_use(path: &str)
            => (match path {
                "" | "crate" | "self" | "super" => {
                    "a `use` in a kernel module names functions of another kernel module".to_owned()
                }
                _ => format!("a `use` in a kernel module names functions, and `{path}` is a module"),
            }),
               "write the module and the function, for example `use crate::combinators::reduce;`";
    }

    /// The other module has no function or constant of this name.
    ///
    /// ```rust,ignore
    /// #[kernels]
    /// pub mod library {
    ///     pub fn twice(x: EI32) -> EI32 {
    ///         x * 2
    ///     }
    /// }
    ///
    /// #[kernels]
    /// pub mod m {
    ///     use super::library::twise;
    ///
    ///     #[kernel]
    ///     pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
    ///         input.map(|x| twise(x)).split_up(64).as_grid_map(|chunk| chunk.push())
    ///     }
    /// }
    /// ```
    ///
    /// ```rust,ignore
    /// #[kernels]
    /// pub mod library {
    ///     pub fn twice(x: EI32) -> EI32 {
    ///         x * 2
    ///     }
    /// }
    ///
    /// #[kernels]
    /// pub mod m {
    ///     use super::library::twice;
    ///
    ///     #[kernel]
    ///     pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
    ///         input.map(|x| twice(x)).split_up(64).as_grid_map(|chunk| chunk.push())
    ///     }
    /// }
    /// ```
    mistake "not-in-module" {
        /// A `use` of a name that the other module does not have.
        not_in_module(name: &str, module: &str, known: &[&str])
            => "`{module}` has no function or constant `{name}`"
            then |found| near(found, name, known, || None);
    }

    /// The function is not `pub` in its module.
    ///
    /// ```rust,ignore
    /// #[kernels]
    /// pub mod library {
    ///     fn twice(x: EI32) -> EI32 {
    ///         x * 2
    ///     }
    /// }
    ///
    /// #[kernels]
    /// pub mod m {
    ///     use super::library::twice;
    ///
    ///     #[kernel]
    ///     pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
    ///         input.map(|x| twice(x)).split_up(64).as_grid_map(|chunk| chunk.push())
    ///     }
    /// }
    /// ```
    ///
    /// ```rust,ignore
    /// #[kernels]
    /// pub mod library {
    ///     pub fn twice(x: EI32) -> EI32 {
    ///         x * 2
    ///     }
    /// }
    ///
    /// #[kernels]
    /// pub mod m {
    ///     use super::library::twice;
    ///
    ///     #[kernel]
    ///     pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
    ///         input.map(|x| twice(x)).split_up(64).as_grid_map(|chunk| chunk.push())
    ///     }
    /// }
    /// ```
    mistake "private-in-module" {
        /// A `use` of a name that the other module keeps for itself.
        private_in_module(name: &str, module: &str)
            => "`{name}` is private in `{module}`",
               "write `pub` before `{name}` there";
    }

    /// Two `use` items bring the same name in by `*`. Or two kernels of a module have one name: the array program `f` makes kernels that are called `f_narrow`, `f_partial` and so on.
    ///
    /// ```rust,ignore
    /// #[kernels]
    /// pub mod one {
    ///     pub fn twice(x: EI32) -> EI32 {
    ///         x * 2
    ///     }
    /// }
    ///
    /// #[kernels]
    /// pub mod two {
    ///     pub fn twice(x: EI32) -> EI32 {
    ///         x + x
    ///     }
    /// }
    ///
    /// #[kernels]
    /// pub mod m {
    ///     use super::one::*;
    ///     use super::two::*;
    ///
    ///     #[kernel]
    ///     pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
    ///         input.map(|x| twice(x)).split_up(64).as_grid_map(|chunk| chunk.push())
    ///     }
    /// }
    /// ```
    ///
    /// ```rust,ignore
    /// #[kernels]
    /// pub mod one {
    ///     pub fn twice(x: EI32) -> EI32 {
    ///         x * 2
    ///     }
    /// }
    ///
    /// #[kernels]
    /// pub mod two {
    ///     pub fn twice(x: EI32) -> EI32 {
    ///         x + x
    ///     }
    /// }
    ///
    /// #[kernels]
    /// pub mod m {
    ///     use super::one::twice;
    ///     use super::two::*;
    ///
    ///     #[kernel]
    ///     pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
    ///         input.map(|x| twice(x)).split_up(64).as_grid_map(|chunk| chunk.push())
    ///     }
    /// }
    /// ```
    mistake "ambiguous-name" {
        /// A name that two `use` items bring in by `*`.
        ambiguous_name(name: &str, first: &str, second: &str)
            => "`{name}` is in `{first}` and in `{second}`",
               "name the one that is meant: `use {first}::{name};`";
        /// A kernel that an array program makes has the name of another kernel.
        equal_kernel_names(name: &str, first: &str)
            => "a kernel of this function is called `{name}`, as one of `{first}` is",
               "rename one of the two functions: the kernels of an array program `f` are called `f`, `f_1`, `f_narrow`, `f_short`, `f_partial` and so on";
    }

    /// A kernels module of another crate was written for a version of this language that this one cannot read. Bring both crates to one version of `obsidian-rt`.
    mistake "unreadable-library" {
        /// A library from another crate that this version cannot read.
        unreadable_library(module: &str, why: &str)
            => "the kernel module `{module}` cannot be read here: {why}",
               "its crate was compiled with another version of Obsidian";
    }
}
