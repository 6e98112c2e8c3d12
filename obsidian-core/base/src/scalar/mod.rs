//! Element types, their values, their operators and what these mean.

pub mod elementary;
mod literal;
pub mod meaning;
mod ops;
mod types;

pub use literal::Literal;
pub use ops::{BinaryOp, UnaryOp};
#[doc(hidden)]
pub use types::Class;
pub use types::{Bits, Float, Integer, Number, Scalar, ScalarType, Signed};
