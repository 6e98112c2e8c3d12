//! Nine programs as plain Rust functions: each is one element of a range, which a device computes, and which
//! the host computes by the very function.
//!
//! They are the programs that Liu, Day, Glew, Anderson and Barik measure (*Native offload of Haskell Repa programs to integrated GPUs*).
//! Their inputs are not described there: those here are our own, and so are the texts. [`everywhere`] has one function that a kernel, an array
//! program, a range and the host call.

pub mod convolutions;
pub mod everywhere;
pub mod inputs;
pub mod numbers;
pub mod volumes;
