//! Nine programs as plain Rust functions: each is one element of a range, which a device computes, and which
//! the host computes by the very function.
//!
//! They are the programs that Liu, Day, Glew, Anderson and Barik measure (*Native offload of Haskell Repa programs to integrated GPUs*).
//! Their inputs are not described there: those here are our own, and so are the texts.

pub mod convolutions;
pub mod inputs;
pub mod numbers;
pub mod volumes;
