//! What is rejected, and why.
//!
//! A mistake is an error while the crate compiles, once, at the words that are wrong, with what to
//! write instead. Below is what the compiler says, taken from the tests of these messages; every
//! message has one.
//!
#![doc = include_str!("rejected.md")]
