//! The tokens of a kernels module as a value: what a build script takes to compile kernels that use
//! it.
//!
//! `#[kernels]` makes one for each module, `dep::m::SOURCE`. A build script has no other way to the
//! tokens of another crate.

/// The tokens of a kernels module, and of those that it uses.
#[derive(Clone, Copy, Debug)]
pub struct Library {
    /// The path of the module, its crate first.
    pub path: &'static str,
    /// Its tokens.
    pub text: &'static str,
    /// The modules that its `use` items name, in order. A function, so that two modules can use
    /// each other.
    pub uses: fn() -> Vec<Library>,
}
