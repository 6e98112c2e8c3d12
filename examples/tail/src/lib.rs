//! TAIL, the Typed Array Intermediate Language, to which APL compiles.
//!
//! A program is read ([`mod@parse`]), and each expression is held to the types that the program states ([`types`]). [`mod@print`] writes values
//! as the language's reference implementation does.

pub mod kernels;
pub mod lexer;
pub mod lower;
pub mod mistake;
pub mod parse;
pub mod plot;
mod primitives;
pub mod print;
pub mod run;
pub mod rust;
pub mod syntax;
pub mod ticker;
pub mod types;
pub mod value;
