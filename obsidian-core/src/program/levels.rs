//! The levels of the hierarchy as types.
//!
//! They are types of their own, so that messages say `Grid` and not a tower of steps.

use crate::ir::Level;

/// A level of the hierarchy, or [`AnyLevel`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a level of the hierarchy",
    note = "the levels are Thread, Warp, Block and Grid"
)]
pub trait Hierarchy: Clone + sealed::Sealed + 'static {
    /// The level, where the type says it.
    const LEVEL: Option<Level>;
}

/// One thread: sequential, stores in registers or local memory.
#[derive(Clone, Copy, Debug)]
pub struct Thread;
/// 32 threads of a block: parallel, stores in shared memory.
#[derive(Clone, Copy, Debug)]
pub struct Warp;
/// The threads of a block: parallel, stores in shared memory.
#[derive(Clone, Copy, Debug)]
pub struct Block;
/// All blocks of a launch: parallel, stores nothing between.
#[derive(Clone, Copy, Debug)]
pub struct Grid;
/// A level that is known only when the front end runs.
#[derive(Clone, Copy, Debug)]
pub struct AnyLevel;

mod sealed {
    pub trait Sealed {}
}

macro_rules! levels {
    ($($ty:ident $level:expr;)*) => {$(
        impl sealed::Sealed for $ty {}
        impl Hierarchy for $ty {
            const LEVEL: Option<Level> = $level;
        }
    )*};
}

levels! {
    Thread Some(Level::Thread);
    Warp Some(Level::Warp);
    Block Some(Level::Block);
    Grid Some(Level::Grid);
    AnyLevel None;
}

/// Levels up to and including `L`: the paper's `*<=*`.
#[diagnostic::on_unimplemented(
    message = "this works only at lower levels of the hierarchy Thread, Warp, Block, Grid",
    label = "{Self} is above {L}",
    note = "distribute the work over the level below first, for example with `.as_grid_map(|chunk| ..)`",
    note = "in a function with a level `L` that computes, write the bound `L: Compute`"
)]
pub trait AtMost<L>: Hierarchy {}

macro_rules! at_most {
    ($($upper:ident: $($lower:ident)*;)*) => {$($(impl AtMost<$upper> for $lower {})*)*};
}

at_most! {
    Thread: Thread AnyLevel;
    Warp: Thread Warp AnyLevel;
    Block: Thread Warp Block AnyLevel;
    Grid: Thread Warp Block Grid AnyLevel;
    AnyLevel: AnyLevel;
}

/// Levels where arrays can be stored: Thread, Warp and Block.
#[diagnostic::on_unimplemented(
    message = "Grid has no shared memory: `compute` stores arrays at Thread, Warp and Block only",
    label = "this is at level {Self}",
    note = "compute inside the blocks: `.as_grid_map(|chunk| exec_block(..))`",
    note = "in a function for several levels, write the bound `L: Compute`"
)]
pub trait Compute: AtMost<Block> {}

impl Compute for Thread {}
impl Compute for Warp {}
impl Compute for Block {}
impl Compute for AnyLevel {}

/// Levels that have one below: Warp, Block and Grid.
#[diagnostic::on_unimplemented(
    message = "there is no level below {Self}",
    note = "the levels from the bottom are Thread, Warp, Block and Grid"
)]
pub trait HasBelow: Hierarchy {
    /// The level below.
    type Below: Hierarchy;
}

impl HasBelow for Warp {
    type Below = Thread;
}
impl HasBelow for Block {
    type Below = Warp;
}
impl HasBelow for Grid {
    type Below = Block;
}
impl HasBelow for AnyLevel {
    type Below = AnyLevel;
}
