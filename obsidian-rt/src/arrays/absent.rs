//! Array programs of closures, which would have to be built while the program runs.

use obsidian_language::arrays::{AnyArr, Settings};

use super::any::{AnyInputs, AnyProgram};
use super::program::{ArrayFn, ArrayParameters, ArrayProgram, RunResult};
use crate::error::Result;
use crate::run_time::{Absent, RunTime};

#[allow(clippy::missing_errors_doc)]
impl<P: ArrayParameters, R: RunResult> ArrayProgram<P, R> {
    /// Builds a program of a closure. It needs the feature `run-time`; a function with `#[arrays]` does not.
    pub fn build<F: ArrayFn<P, R>>(_: &str, _: F) -> Result<Self>
    where
        for<'a> Absent: RunTime<'a>,
    {
        crate::run_time::absent()
    }

    /// Builds a program of a closure with other [`Settings`]. It needs the feature `run-time`; a function with `#[arrays]` does not.
    pub fn build_with<F: ArrayFn<P, R>>(_: &str, _: Settings, _: F) -> Result<Self>
    where
        for<'a> Absent: RunTime<'a>,
    {
        crate::run_time::absent()
    }
}

#[allow(clippy::missing_errors_doc)]
impl AnyProgram {
    /// Builds a program of a closure. It needs the feature `run-time`.
    pub fn build(_: &str, _: impl Fn(&mut AnyInputs<'_>) -> Vec<AnyArr>) -> Result<Self>
    where
        for<'a> Absent: RunTime<'a>,
    {
        crate::run_time::absent()
    }

    /// Builds a program of a closure with other [`Settings`]. It needs the feature `run-time`.
    pub fn build_with(
        _: &str,
        _: Settings,
        _: impl Fn(&mut AnyInputs<'_>) -> Vec<AnyArr>,
    ) -> Result<Self>
    where
        for<'a> Absent: RunTime<'a>,
    {
        crate::run_time::absent()
    }
}
