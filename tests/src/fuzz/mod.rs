//! Inputs for the front end that nobody would write, and what must hold of the answers.
//!
//! [`pieces`](seeds::pieces) takes the kernels modules of the repository apart, [`mutate`] changes
//! their tokens, [`grammar`] makes modules of its own, and [`shapes`] are deep and long.
//! [`judge`](verdict::judge) runs the engine in this process, as the macro does.

pub mod grammar;
pub mod mutate;
pub mod seeds;
pub mod shapes;
pub mod trees;
pub mod verdict;
