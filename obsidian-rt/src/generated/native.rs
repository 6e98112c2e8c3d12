//! How a kernel is built while the program runs: by the compiler, with the feature `run-time`, and not at all without it. Then the native copy of a
//! kernel is there for its types alone, and nothing is made of it.

#[cfg(not(feature = "run-time"))]
pub use absent::*;
#[cfg(feature = "run-time")]
pub use present::*;

#[cfg(feature = "run-time")]
mod present {
    use obsidian_base::launch::Limits;
    use obsidian_core::arrays::build_kernel;
    use obsidian_core::pipeline;
    pub use obsidian_core::plan::Plan;
    use obsidian_language::arrays::{Declared, Settings, Signature};
    use obsidian_language::error::{Diagnostics, catalogue};
    use obsidian_language::reify::Builder;

    /// What a [`Source`](crate::generated::Source) has to build its kernel.
    pub type Build = fn(threads: u32) -> Result<Plan, Diagnostics>;

    /// The function that builds a kernel.
    #[doc(hidden)]
    #[macro_export]
    macro_rules! __native {
        ($build:expr) => {
            $build
        };
    }

    /// Builds a kernel natively; `OBSIDIAN_DUMP` names a folder where its stages are written.
    pub fn build(
        name: &str,
        limits: impl Into<Limits>,
        f: impl FnOnce(&mut Builder),
    ) -> Result<Plan, Diagnostics> {
        let limits = limits.into();
        let dump = std::env::var_os("OBSIDIAN_DUMP").map(|folder| {
            let name = format!("native.{name}.{}", limits.threads);
            pipeline::dump_folder(folder.as_ref(), &name)
        });
        let options = pipeline::Options {
            dump,
            ..limits.into()
        };
        pipeline::build(name, &options, f)
    }

    /// Builds an array program natively, and gives the plan of the kernel with a name. Numbers could be others: the places that tell kernels
    /// apart are calls here, and tokens in the expansion.
    pub fn plan(
        name: &str,
        names: &[&str],
        settings: Settings,
        kernel: &str,
        function: &dyn Fn(&mut Signature) -> Declared,
    ) -> Result<Plan, Diagnostics> {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        if let Some(plan) = build_kernel(name, &names, settings, kernel, function)? {
            return Ok(plan);
        }
        let words = "the native build of an array program has other kernels than its expansion";
        let bug = catalogue::bug(words);
        Err(Diagnostics::new(vec![bug], Default::default()))
    }
}

#[cfg(not(feature = "run-time"))]
mod absent {
    use obsidian_base::launch::Limits;
    use obsidian_language::arrays::{Declared, Settings, Signature};
    use obsidian_language::error::Diagnostics;
    use obsidian_language::reify::Builder;

    /// There is none.
    #[derive(Debug)]
    pub enum Plan {}

    /// Nothing.
    pub type Build = ();

    /// Nothing: the function is not named, so that rustc looks at its types and compiles nothing of it.
    #[doc(hidden)]
    #[macro_export]
    macro_rules! __native {
        ($build:expr) => {
            ()
        };
    }

    fn nothing() -> Result<Plan, Diagnostics> {
        Err(Diagnostics::new(Vec::new(), Default::default()))
    }

    /// Has the types of what builds a kernel. Nothing calls it.
    pub fn build(
        _: &str,
        _: impl Into<Limits>,
        _: impl FnOnce(&mut Builder),
    ) -> Result<Plan, Diagnostics> {
        nothing()
    }

    /// Has the types of what builds a kernel of an array program. Nothing calls it.
    pub fn plan(
        _: &str,
        _: &[&str],
        _: Settings,
        _: &str,
        _: &dyn Fn(&mut Signature) -> Declared,
    ) -> Result<Plan, Diagnostics> {
        nothing()
    }
}

#[doc(hidden)]
pub use crate::__native as native;
