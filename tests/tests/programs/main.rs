//! Array programs: by executed text, at random, and as the macro makes them.

#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

mod algorithms;
mod executed;
mod printed;
mod random;
