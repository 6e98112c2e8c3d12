//! The command line, and what its searches find.

#![allow(missing_docs)]

mod compare;
mod held;
mod killed;
mod measured;
mod options;
mod searches;
