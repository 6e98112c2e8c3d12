//! Buffers, devices, launches and recordings, as a program uses them.

#![allow(missing_docs)]

#[cfg(all(feature = "bytemuck", feature = "ndarray"))]
mod arrays;
mod backend;
mod buffers;
mod columns;
mod counted;
mod launch;
mod lines;
mod recording;
mod streams;
mod untyped;
mod variants;
