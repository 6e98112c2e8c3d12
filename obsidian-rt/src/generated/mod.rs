//! What generated code names. It is public for the code that `#[kernel]` makes, and no part of the
//! documented interface.

mod ahead;
pub mod arrays;
mod call;
mod cells;
pub mod device;
mod gather;
pub(crate) mod grid;
mod native;
pub mod ops;
mod source;
mod vouched;

pub use ahead::{ahead, lanes};
pub use call::Call;
pub(crate) use call::{Content, Slot};
pub use cells::Cells;
pub use gather::{Gather, Gathered, Own, gathered};
pub use grid::{Chunks, Split, chunks, own, ragged};
pub use native::{Build, Plan, build, native};
#[cfg(all(target_arch = "x86_64", feature = "run-time"))]
pub(crate) use source::has_vectors;
pub use source::{
    Built, Cache, Chosen, Function, Images, Index, Source, WideFunction, built, chosen, position,
};
pub(crate) use vouched::{Failed, Outside};
pub use vouched::{failed, vouched, vouched_mut};

pub use obsidian_base::launch::{
    Check, CheckedLength, Checks, Formula, Interface, Limits, OrderInfo, ParameterInfo,
    ParameterRole, Place, RequirementInfo, Step,
};
pub use obsidian_base::variants::Value;
pub use obsidian_language::error::Diagnostics;
pub use obsidian_language::library::{asserted, cast, compare, delayed, host, index_of, late};
pub use obsidian_language::program::{Trace, show};
pub use obsidian_language::reify::Builder;
pub use obsidian_language::scalar::{Constraint, ScalarType};
pub use obsidian_language::source::Library;
pub use obsidian_macros::kernels_linked;

// For kernels modules that are in a module without it.
pub use std::prelude::rust_2024 as prelude;

/// What the build script of the present crate has compiled; without a build script, an error with these words.
#[cfg(not(rust_analyzer))]
#[doc(hidden)]
#[macro_export]
macro_rules! __index {
    ($words:literal) => {
        ::core::include!(::core::concat!(
            ::core::env!("OUT_DIR", $words),
            "/obsidian/index.rs"
        ))
    };
}

/// The same for rust-analyzer, whose `env!` takes no words of one's own.
#[cfg(rust_analyzer)]
#[doc(hidden)]
#[macro_export]
macro_rules! __index {
    ($words:literal) => {
        ::core::include!(::core::concat!(
            ::core::env!("OUT_DIR"),
            "/obsidian/index.rs"
        ))
    };
}

/// The first items, or in rust-analyzer the second ones.
#[cfg(not(rust_analyzer))]
#[doc(hidden)]
#[macro_export]
macro_rules! __or_in_editor {
    ({ $($items:tt)* } { $($in_editor:tt)* }) => { $($items)* };
}

/// The first items, or in rust-analyzer the second ones.
#[cfg(rust_analyzer)]
#[doc(hidden)]
#[macro_export]
macro_rules! __or_in_editor {
    ({ $($items:tt)* } { $($in_editor:tt)* }) => { $($in_editor)* };
}

#[doc(hidden)]
pub use {__index as index, __or_in_editor as or_in_editor};

pub use crate::launch::{Argument, Outputs, launch, launch_into};

pub use crate::rows::Row;

pub use crate::variant::{pick, variant};

use std::panic::Location;

use crate::element::Element;
use crate::kernel::Kernel;

/// The kernel of a source: made once, then shared.
pub fn kernel(source: &'static Source) -> Kernel {
    source.kernel.get_or_make(source)
}

/// A number as the argument of a launch.
pub fn scalar<T: Element>(value: T) -> Argument<'static> {
    Argument::scalar(value.literal())
}

/// Changes an element and gives its old value.
pub fn update<T: Copy>(element: &mut T, f: impl FnOnce(T) -> T) -> T {
    let old = *element;
    *element = f(old);
    old
}

/// Where the call stands.
#[track_caller]
pub const fn here() -> &'static Location<'static> {
    Location::caller()
}

/// Holds that a file of the tutorial shows this text; with `OBSIDIAN_BLESS` it writes the file
/// instead. For the tutorial's own tests.
///
/// # Panics
/// If the file shows something else.
#[allow(clippy::panic)]
pub fn shown(name: &str, text: &str) {
    let file =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("src/tutorial/cuda/{name}"));
    if std::env::var_os("OBSIDIAN_BLESS").is_some() {
        std::fs::write(&file, text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    }
    let there = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        there == text,
        "`{name}` of the tutorial shows something else; OBSIDIAN_BLESS=1 writes it anew. It is\n{text}"
    );
}

/// Holds that the tutorial shows what a launch on this many blocks does, as a table of one row. For
/// the tutorial's own tests.
///
/// # Panics
/// As [`shown`].
pub fn shown_counts(name: &str, kernel: &Kernel, counts: &crate::Counts, blocks: u64) {
    let each = |n: u64| n / blocks;
    let text = format!(
        "| a block has | sectors | passes of shared memory | of these for bank conflicts | instructions of warps | divergent branches | barriers of the block | barriers of warps | shared bytes |\n\
         |---|---|---|---|---|---|---|---|---|\n| {name} | {} | {} | {} | {} | {} | {} | {} | {} |\n",
        each(counts.buffers.sectors),
        each(counts.shared.requests + counts.shared.bank_conflicts),
        each(counts.shared.bank_conflicts),
        each(counts.instructions.total()),
        each(counts.divergent_branches),
        each(counts.block_waits),
        each(counts.warp_waits),
        kernel.shared_bytes(),
    );
    shown(&format!("{name}.counts.md"), &text);
}
