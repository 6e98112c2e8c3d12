//! Random programs: what every way of running a kernel has to agree on.
//!
//! A [`Program`](syntax::Program) is a small tree ([`syntax`]), made from a seed ([`generate`]). It
//! has a meaning that knows nothing of GPUs ([`interpret`]), and a text as a user would write it
//! ([`print`](syntax::Program::text)). The text goes through the engine in this process ([`run`]):
//! its plan runs on the simulator, and its CUDA text is executed. In batches the text is compiled
//! by rustc with the macro (`batch`): the native build has to give the same CUDA text, and the
//! CPU's code the same results. What fails is made smaller (`shrink`) and kept as a text.
//!
//! A program with one node changed ([`change`]) may mean nothing any more. Then the engine or the
//! launch has to refuse it; else all have to agree on what it means now.

pub mod batch;
pub mod case;
pub mod change;
pub mod coverage;
pub mod generate;
pub mod interpret;
mod print;
pub mod run;
pub mod scalars;
pub mod shrink;
pub mod syntax;
