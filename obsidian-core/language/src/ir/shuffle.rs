//! Values that the lanes of a warp take from each other's registers.

use super::{Effect, Stage, Statement};
use crate::error::Origin;
use crate::scalar::{BinaryOp, Class, NodeId, ScalarType, VariableId};

/// Which lane's value a lane takes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Lane {
    /// The lane this much further; its own where there is none.
    Ahead(u32),
    /// The lane of this number, `u32`, below 32.
    Number(NodeId),
    /// All lanes, combined by an operator that is exactly associative and commutative: [`is_voted`].
    All(BinaryOp),
    /// Which lanes have the same as this one: the bits of a `u32`, one for each lane. The value is an integer or
    /// a `bool`.
    Equal,
}

/// Of which type is what a lane takes, of values of a type?
pub const fn taken_type(from: Lane, ty: ScalarType) -> ScalarType {
    match from {
        Lane::Equal => ScalarType::U32,
        Lane::Ahead(_) | Lane::Number(_) | Lane::All(_) => ty,
    }
}

/// Can hardware combine what all lanes of a warp have by an operator?
pub const fn is_voted(op: BinaryOp, ty: ScalarType) -> bool {
    use BinaryOp::{Add, And, Max, Min, Or, Xor};
    match ty.class() {
        Class::Unsigned | Class::Signed => {
            ty.bits() == 32 && matches!(op, Add | Min | Max | And | Or | Xor)
        }
        Class::Bool => matches!(op, And | Or),
        Class::Float => false,
    }
}

/// All lanes of a warp evaluate a value, and each takes that of one lane.
///
/// ```text
/// shuffle v = sum ahead 16
/// shuffle v = sum lane ((LaneIndex & 24_u32) +' 7_u32)
/// shuffle v = sum all add
/// shuffle v = key equal
/// ```
///
/// In a list of a `ForAll` the lanes are 32 iterations one after another, the first of which is a
/// multiple of 32. All of them execute it: their number is a multiple of 32, no condition around it
/// differs between them, and there are whole warps of real threads.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Shuffle {
    /// Bound to the value taken, of kind `Let`.
    pub variable: VariableId,
    /// What each lane has.
    pub value: NodeId,
    /// The lane that has what this one takes.
    pub from: Lane,
    /// The user's place.
    pub origin: Origin,
}

impl Shuffle {
    /// The nodes that a lane evaluates.
    pub fn nodes(&self) -> Vec<NodeId> {
        match self.from {
            Lane::Ahead(_) | Lane::All(_) | Lane::Equal => vec![self.value],
            Lane::Number(lane) => vec![self.value, lane],
        }
    }

    /// The nodes that a lane evaluates, to be replaced.
    pub fn nodes_mut(&mut self) -> Vec<&mut NodeId> {
        match &mut self.from {
            Lane::Ahead(_) | Lane::All(_) | Lane::Equal => vec![&mut self.value],
            Lane::Number(lane) => vec![&mut self.value, lane],
        }
    }
}

impl<S: Stage> Statement<S> {
    /// Returns `true` if lanes take values from each other in the statement, or inside of it.
    pub fn has_shuffle(&self) -> bool {
        let mut found = false;
        self.visit(&mut |inner| found |= matches!(inner.effect(), Effect::Exchanges(_)));
        found
    }
}
