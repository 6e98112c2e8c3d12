//! Scalars of the device: types, literals, operators and their meaning, and the arena of expression
//! nodes.
//!
//! [`Exp<T>`] is a small handle (it is `Copy`) to a node in the arena of the current kernel build.
//! Building equal nodes twice gives the same node, so that sharing is never lost, and simple
//! identities fold as nodes are made. What an operator means is written down once, in [`meaning`]:
//! folding and the simulator both call it.

mod arena;
mod exp;
mod fold;
#[doc(hidden)]
pub mod formula;
mod functions;
pub mod index;
#[doc(hidden)]
pub mod lazy;
mod node;
mod operators;
mod precondition;
mod promises;
mod sum;

pub use arena::{
    Array, ArrayId, ArrayPlace, Build, Claim, Requirement, Role, Tables, Variable, VariableId,
    VariableKind, arrays, build, failed, here, report, with_site,
};
#[doc(hidden)]
pub use arena::{Bounds, Exhausted, bounded, size};
#[doc(hidden)]
pub use arena::{
    Fill, FillPlace, alone, index_place, indexed_at, session, spanned_here, with_native, with_place,
};
pub use exp::{AnyExp, Exp, lit, select_exp, types_where};
pub use functions::fast;
pub use node::{Node, NodeId, Nodes, Special};
pub use obsidian_base::launch::Constraint;
#[doc(hidden)]
pub use obsidian_base::scalar::Class;
pub use obsidian_base::scalar::{
    BinaryOp, Bits, Float, Integer, Literal, Number, Scalar, ScalarType, Signed, UnaryOp,
    elementary, meaning,
};
pub use precondition::{Precondition, require};
pub use promises::{Promised, Promises};
#[doc(hidden)]
pub use sum::{Sum, Taken};
