//! Diagnostics: what is wrong, where, and what to write instead.
//!
//! Stages do not stop at the first mistake. They gather [`Diagnostic`]s, and the end of a stage
//! reports them all as one [`Diagnostics`]. A diagnostic knows its place as an [`Origin`], an
//! index, because the spans of a procedural macro cannot leave the thread that made them.

pub mod catalogue;
pub mod internal;

pub use obsidian_base::error::{Diagnostic, Diagnostics, Kind, Origin, Origins, Site};
