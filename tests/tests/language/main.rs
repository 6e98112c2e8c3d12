//! The language and its library, as kernels write it: the host's part, functions, levels, arrays, loops, lengths and launches.

#![allow(missing_docs)]

mod blocks;
mod chains;
mod choices;
mod data;
mod dialect;
mod everywhere;
mod fills;
mod functions;
mod grid;
mod guarded;
mod host;
mod layouts;
mod lengths;
mod levels;
mod literals;
mod names;
mod ordered;
mod preconditions;
mod reuse;
mod rows;
mod three;
mod two;
mod unroll;
mod ways;
