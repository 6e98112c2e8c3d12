//! The levels of the hierarchy as types.
//!
//! They are types of their own, so that messages say `Grid` and not a tower of steps.

use crate::ir::Level;

/// A level of the hierarchy, or [`AnyLevel`].
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     fn same<L: Hierarchy>(x: Push<L, EU32>) -> Push<L, EU32> {
///         x.map(|x| x + 1)
///     }
///
///     #[kernel(threads = 64)]
///     pub fn bumped(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(2).as_grid_map(|x| same(x.push()))
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2])?;
/// let result = example::bumped::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [2, 3]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a level of the hierarchy",
    note = "the levels are Thread, Warp, Block and Grid"
)]
pub trait Hierarchy: Clone + sealed::Sealed + 'static {
    /// The level, where the type says it.
    const LEVEL: Option<Level>;
}

/// One thread: sequential, stores in registers or local memory.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn sums(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(8).as_grid_map(|x| x.split_up(4).as_block_map(|row| {
///             let sum: Program<Thread, EU32> = seq_reduce(|a, b| a + b, row);
///             exec_thread_value(sum)
///         }))
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 4, 10, 20, 30, 40])?;
/// let result = example::sums::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [10, 100]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Thread;
/// 32 threads of a block: parallel, stores in shared memory.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     fn sum(x: Pull<EU32>) -> Push<Warp, EU32> {
///         reduce(|a, b| a + b, x) // shuffles
///     }
///
///     #[kernel(threads = 64)]
///     pub fn sums(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(64).as_grid_map(|x| x.split_up(32).as_block_map(|x| sum(x)))
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1; 64])?;
/// assert_eq!(example::sums::launch(&device, &x)?.to_vec()?, [32, 32]);
/// assert_eq!(example::sums::kernel().shared_bytes(), 0);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Warp;
/// The threads of a block: parallel, stores in shared memory.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     fn sum(x: Pull<EU32>) -> Push<Block, EU32> {
///         reduce(|a, b| a + b, x)
///     }
///
///     #[kernel(threads = 64)]
///     pub fn sums(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(64).as_grid_map(|x| sum(x))
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1; 128])?;
/// assert_eq!(example::sums::launch(&device, &x)?.to_vec()?, [64, 64]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Block;
/// All blocks of a launch: parallel, stores nothing between.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn doubled(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(64).as_grid_map(|x| x.map(|x| 2 * x).push())
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1; 128])?;
/// assert_eq!(example::doubled::launch(&device, &x)?.to_vec()?, [2; 128]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
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
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     fn doubled<L: AtMost<Block>>(x: Pull<EU32>) -> Push<L, EU32> {
///         x.map(|x| 2 * x).push()
///     }
///
///     #[kernel(threads = 64)]
///     pub fn all(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(4).as_grid_map(|x| x.split_up(2).as_block_map(|own| doubled::<Thread>(own)))
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 4])?;
/// let result = example::all::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [2, 4, 6, 8]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
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
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     fn reversed<L: Compute>(x: Pull<EU32>) -> Program<L, Push<L, EU32>> {
///         let stored = compute(x)?;
///         pure(stored.reverse().push())
///     }
///
///     #[kernel(threads = 64)]
///     pub fn all(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         // By a block; and, with `exec_thread` and `as_block_map`, by each thread.
///         x.split_up(4).as_grid_map(|x| exec_block(reversed(x)))
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 4])?;
/// let result = example::all::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [4, 3, 2, 1]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
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
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     fn side_by_side<L: HasBelow>(parts: Pull<Push<L::Below, EU32>>) -> Push<L, EU32> {
///         lift_par(parts)
///     }
///
///     #[kernel(threads = 64)]
///     pub fn all(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(4).as_grid_map(|x| side_by_side(x.split_up(2).map(|pair| pair.push::<Warp>())))
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 4])?;
/// let result = example::all::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [1, 2, 3, 4]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
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
