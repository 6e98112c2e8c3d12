//! Tables about a kernel that several passes read.
//!
//! | table | of a kernel | what it tells |
//! |---|---|---|
//! | `asked` | levelled | the arrays that the user has warps and blocks hold |
//! | `uses` | any | the variables that something is made of |
//! | `columns`, `points` | any | the values of expressions at many points at once |
//! | `liveness` | lowered | from where to where each stored array is needed |
//! | `memory` | physical | which bytes statements access, and when two accesses conflict |
//! | `phases` | physical | what threads do between two places where a barrier could stand |
//! | `relevant` | physical | the variables that decide who accesses what |
//! | `lanes` | physical | the threads that reach a statement, with the values of variables there |
//! | `owners` | physical | which thread, or which warp, accesses each element |
//! | `flow` | physical | the graph of phases and barriers, and which barriers are needed |

mod asked;
pub(in crate::plan) mod columns;
pub(in crate::plan) mod flow;
pub(in crate::plan) mod lanes;
mod liveness;
pub(in crate::plan) mod memory;
mod owners;
pub(in crate::plan) mod phases;
pub(in crate::plan) mod points;
pub(in crate::plan) mod relevant;
pub(in crate::plan) mod slice;
pub(in crate::plan) mod uses;

pub use asked::{Asked, asked};
pub use liveness::{Life, Liveness, Range, WarpLoop, liveness};
