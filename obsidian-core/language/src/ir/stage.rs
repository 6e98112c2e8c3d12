//! The stages of a kernel, as types.
//!
//! A `Kernel<Levelled>` says what the threads of a level share out, hold and combine; a
//! `Kernel<Lowered>` has the same loops, with all that threads have in common in shared memory; a
//! `Kernel<Physical>` says what every real thread executes. All are made of the same statements.
//! What differs is the loops, whether the number of threads is known, and whether there are
//! collectives and layouts of held arrays: these are the associated types of [`Stage`], together
//! with what printer, reader and validator have to know of them. So a pass that takes one stage
//! cannot be given another, and a statement of another stage cannot be written down.

use std::fmt::Debug;

use super::{Layout, Level};
use crate::scalar::{Literal, NodeId, Nodes};

/// A value that does not exist: it stands where a stage has no such statement, so that a match has
/// nothing to do there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Never {}

/// A stage of a kernel: [`Levelled`], [`Lowered`] or [`Physical`].
pub trait Stage: Copy + PartialEq + Debug + Send + Sync + 'static + sealed::Sealed {
    /// What a loop stands for.
    type Loop: Copy + PartialEq + Debug + Send + Sync;
    /// The nodes between which a loop counts.
    type Bounds: Copy + PartialEq + Debug + Send + Sync + AsRef<[NodeId]> + AsMut<[NodeId]>;
    /// Real threads of a block.
    type Threads: Copy + PartialEq + Debug + Send + Sync;
    /// Which thread holds which element of a held array: a [`Layout`], or `()` where a held array is
    /// always one thread's own, which a kernel's text shows as [`Layout::Striped`].
    type Layout: Copy + PartialEq + Debug + Send + Sync + Into<Layout> + TryFrom<Layout>;
    /// What the statements of a collective carry as a proof that the stage has them: `()`, or
    /// [`Never`].
    type Collectives: Copy + PartialEq + Debug + Send + Sync;
    /// What a shuffle carries as a proof that the stage has it: `()`, or [`Never`].
    type Shuffles: Copy + PartialEq + Debug + Send + Sync;
    /// What a wide access carries as a proof that the stage has it: `()`, or [`Never`].
    type Wide: Copy + PartialEq + Debug + Send + Sync;
    /// What an [`Earlier`](super::Earlier) carries as a proof that the stage has it: `()`, or [`Never`].
    type Earlier: Copy + PartialEq + Debug + Send + Sync;

    /// Is it the stage of real threads? Some rules of [`validate`](super::validate()) depend on it.
    const IS_PHYSICAL: bool;
    /// What the statements of a collective carry; `None` if the stage has no collectives.
    const COLLECTIVES: Option<Self::Collectives>;
    /// What a shuffle carries; `None` if the stage has none.
    const SHUFFLES: Option<Self::Shuffles>;
    /// What a wide access carries; `None` if the stage has none.
    const WIDE: Option<Self::Wide>;
    /// What an [`Earlier`](super::Earlier) carries; `None` if the stage has none.
    const EARLIER: Option<Self::Earlier>;

    /// The word of a loop in a kernel's text, and the level behind it.
    fn words(kind: Self::Loop) -> (&'static str, Option<Level>);

    /// The loop of a word and a level, the inverse of [`words`](Stage::words); `None` if the stage
    /// has no such loop.
    fn of_words(word: &str, level: Option<Level>) -> Option<Self::Loop>;

    /// The level of a loop in order; `None` for other loops.
    fn in_order(kind: Self::Loop) -> Option<Level>;

    /// Is it a loop over blocks that have an order?
    fn is_ordered(kind: Self::Loop) -> bool;

    /// Is it what one block does when all are done?
    fn is_last(kind: Self::Loop) -> bool;

    /// The level that executes the body of a loop.
    fn inside(kind: Self::Loop) -> Level;

    /// Returns `true` if such a loop may stand in a list of this level.
    fn may_stand(kind: Self::Loop, list: Level) -> bool;

    /// The largest level whose threads all see one value of the counter at a time, where all of
    /// them agree on the bounds.
    fn agrees(kind: Self::Loop) -> Level;

    /// The first value of the counter, unless it is 0, and the bound.
    fn range(bounds: Self::Bounds) -> (Option<NodeId>, NodeId);

    /// Returns `true` if a loop surely has at least one round.
    fn has_a_round(bounds: Self::Bounds, nodes: &Nodes) -> bool {
        let (start, end) = Self::range(bounds);
        let literal = |node: NodeId| nodes.literal(node).map(Literal::u32);
        let start = start.map_or(Some(0), literal);
        matches!((start, literal(end)), (Some(start), Some(end)) if start < end)
    }

    /// The bounds of a loop in a kernel's text: `start .. end step step`.
    fn bounds_text(bounds: Self::Bounds, show: &dyn Fn(NodeId) -> String) -> String;

    /// The bounds of a loop from start, end and step; `None` if the stage has no such loop.
    fn of_steps(steps: [NodeId; 3], nodes: &Nodes) -> Option<Self::Bounds>;

    /// The bounds of a loop that counts up to a number; `None` if the stage has no such loop.
    fn of_count(count: NodeId) -> Option<Self::Bounds>;

    /// The number of threads, once it is known.
    fn known_threads(threads: Self::Threads) -> Option<u32>;

    /// The number of threads of a kernel's text, where it may be missing; `None` if the stage has
    /// to have one and it is missing, or the other way round.
    fn of_threads(threads: Option<u32>) -> Option<Self::Threads>;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Levelled {}
    impl Sealed for super::Lowered {}
    impl Sealed for super::Physical {}
}

/// The stage out of `lower`: parallelism is said by loops over levels, of which there are as many as
/// the program asks for, and no thread index occurs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Levelled {}

/// The stage out of `plan::lowering`: levelled, with held arrays of warps and blocks in shared
/// memory, and loops in place of collectives. The CPU emitter starts from it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lowered {}

/// The stage out of `plan::virtualise`: every statement is executed by every real thread that
/// reaches it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Physical {}

/// The loops of a levelled or lowered kernel. All count from 0 by 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LevelledLoop {
    /// Iterations in order, at a level; what one stores the next may read.
    Sequential(Level),
    /// The threads of a level (Thread: then the iterations are done in order, Warp or Block) share
    /// out the iterations, which are independent. In a list of that level; an iteration is at level
    /// Thread.
    ForAll(Level),
    /// Each iteration is done by one whole unit (Warp or Block). In a list of the level above the
    /// unit; an iteration is at the level of the unit.
    Distribute(Level),
    /// Each iteration is done by one whole block, and there is an order between them: directly in its list an iteration
    /// [combines](super::CollectiveOp::Earlier) what all earlier ones have. In a list of the grid.
    Ordered,
    /// Its one iteration is done by one block, when all blocks are done with what stands before it, and it sees what they have written. The last
    /// statement of a kernel, which then has no ordered loop.
    Last,
}

/// The loops of a physical kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PhysicalLoop {
    /// Iterations in order, at a level; what one stores the next may read.
    Sequential(Level),
    /// The rounds in which the threads of a level work through more iterations than there are
    /// threads: the iterations of one `ForAll`, independent of each other.
    Rounds(Level),
    /// The rounds in which the real warps work through the virtual ones.
    Warps,
    /// The rounds in which the real blocks work through the virtual ones.
    Blocks,
    /// The same for virtual blocks with an order: a real block takes the first one that no other has taken, so that
    /// those before it are done, or are with blocks that run.
    Ordered,
    /// What the real block does that is the last one to come to it.
    Last,
}

impl LevelledLoop {
    /// Is each iteration done by a whole block?
    pub const fn is_of_blocks(self) -> bool {
        matches!(
            self,
            LevelledLoop::Distribute(Level::Block) | LevelledLoop::Ordered | LevelledLoop::Last
        )
    }
}

impl PhysicalLoop {
    /// Do real blocks work through virtual ones in it?
    pub const fn is_of_blocks(self) -> bool {
        matches!(
            self,
            PhysicalLoop::Blocks | PhysicalLoop::Ordered | PhysicalLoop::Last
        )
    }
}

impl Stage for Levelled {
    type Loop = LevelledLoop;
    /// The number of iterations.
    type Bounds = [NodeId; 1];
    type Threads = ();
    type Layout = Layout;
    type Collectives = ();
    type Shuffles = Never;
    type Wide = Never;
    type Earlier = Never;

    const IS_PHYSICAL: bool = false;
    const COLLECTIVES: Option<()> = Some(());
    const SHUFFLES: Option<Never> = None;
    const WIDE: Option<Never> = None;
    const EARLIER: Option<Never> = None;

    fn words(kind: LevelledLoop) -> (&'static str, Option<Level>) {
        match kind {
            LevelledLoop::Sequential(level) => ("sequential", Some(level)),
            LevelledLoop::ForAll(level) => ("forall", Some(level)),
            LevelledLoop::Distribute(unit) => ("distribute", Some(unit)),
            LevelledLoop::Ordered => ("ordered", Some(Level::Block)),
            LevelledLoop::Last => ("last", Some(Level::Block)),
        }
    }

    fn of_words(word: &str, level: Option<Level>) -> Option<LevelledLoop> {
        match (word, level?) {
            ("sequential", level) => Some(LevelledLoop::Sequential(level)),
            ("forall", level) => Some(LevelledLoop::ForAll(level)),
            ("distribute", unit) => Some(LevelledLoop::Distribute(unit)),
            ("ordered", Level::Block) => Some(LevelledLoop::Ordered),
            ("last", Level::Block) => Some(LevelledLoop::Last),
            _ => None,
        }
    }

    fn in_order(kind: LevelledLoop) -> Option<Level> {
        match kind {
            LevelledLoop::Sequential(level) => Some(level),
            LevelledLoop::ForAll(_)
            | LevelledLoop::Distribute(_)
            | LevelledLoop::Ordered
            | LevelledLoop::Last => None,
        }
    }

    fn is_ordered(kind: LevelledLoop) -> bool {
        kind == LevelledLoop::Ordered
    }

    fn is_last(kind: LevelledLoop) -> bool {
        kind == LevelledLoop::Last
    }

    fn inside(kind: LevelledLoop) -> Level {
        match kind {
            LevelledLoop::Sequential(level) => level,
            LevelledLoop::ForAll(_) => Level::Thread,
            LevelledLoop::Distribute(unit) => unit,
            LevelledLoop::Ordered | LevelledLoop::Last => Level::Block,
        }
    }

    fn may_stand(kind: LevelledLoop, list: Level) -> bool {
        match kind {
            LevelledLoop::Sequential(level) => level == list,
            LevelledLoop::ForAll(level) => level == list && level <= Level::Block,
            LevelledLoop::Distribute(unit) => {
                matches!(unit, Level::Warp | Level::Block) && list.below() == Some(unit)
            }
            LevelledLoop::Ordered | LevelledLoop::Last => list == Level::Grid,
        }
    }

    fn agrees(kind: LevelledLoop) -> Level {
        match kind {
            LevelledLoop::Sequential(_) => Level::Grid,
            LevelledLoop::ForAll(_)
            | LevelledLoop::Distribute(_)
            | LevelledLoop::Ordered
            | LevelledLoop::Last => Levelled::inside(kind),
        }
    }

    fn range([count]: [NodeId; 1]) -> (Option<NodeId>, NodeId) {
        (None, count)
    }

    fn bounds_text([count]: [NodeId; 1], show: &dyn Fn(NodeId) -> String) -> String {
        format!("0_u32 .. {} step 1_u32", show(count))
    }

    fn of_steps([start, end, step]: [NodeId; 3], nodes: &Nodes) -> Option<[NodeId; 1]> {
        let is = |node: NodeId, n: u32| nodes.literal(node) == Some(Literal::from(n));
        (is(start, 0) && is(step, 1)).then_some([end])
    }

    fn of_count(count: NodeId) -> Option<[NodeId; 1]> {
        Some([count])
    }

    fn known_threads((): ()) -> Option<u32> {
        None
    }

    fn of_threads(threads: Option<u32>) -> Option<()> {
        threads.is_none().then_some(())
    }
}

impl Stage for Lowered {
    type Loop = LevelledLoop;
    /// The number of iterations.
    type Bounds = [NodeId; 1];
    type Threads = ();
    type Layout = ();
    type Collectives = Never;
    type Shuffles = ();
    type Wide = Never;
    type Earlier = ();

    const IS_PHYSICAL: bool = false;
    const COLLECTIVES: Option<Never> = None;
    const SHUFFLES: Option<()> = Some(());
    const WIDE: Option<Never> = None;
    const EARLIER: Option<()> = Some(());

    fn words(kind: LevelledLoop) -> (&'static str, Option<Level>) {
        Levelled::words(kind)
    }

    fn of_words(word: &str, level: Option<Level>) -> Option<LevelledLoop> {
        Levelled::of_words(word, level)
    }

    fn in_order(kind: LevelledLoop) -> Option<Level> {
        Levelled::in_order(kind)
    }

    fn is_ordered(kind: LevelledLoop) -> bool {
        Levelled::is_ordered(kind)
    }

    fn is_last(kind: LevelledLoop) -> bool {
        Levelled::is_last(kind)
    }

    fn inside(kind: LevelledLoop) -> Level {
        Levelled::inside(kind)
    }

    fn may_stand(kind: LevelledLoop, list: Level) -> bool {
        Levelled::may_stand(kind, list)
    }

    fn agrees(kind: LevelledLoop) -> Level {
        Levelled::agrees(kind)
    }

    fn range(bounds: [NodeId; 1]) -> (Option<NodeId>, NodeId) {
        Levelled::range(bounds)
    }

    fn bounds_text(bounds: [NodeId; 1], show: &dyn Fn(NodeId) -> String) -> String {
        Levelled::bounds_text(bounds, show)
    }

    fn of_steps(steps: [NodeId; 3], nodes: &Nodes) -> Option<[NodeId; 1]> {
        Levelled::of_steps(steps, nodes)
    }

    fn of_count(count: NodeId) -> Option<[NodeId; 1]> {
        Levelled::of_count(count)
    }

    fn known_threads((): ()) -> Option<u32> {
        None
    }

    fn of_threads(threads: Option<u32>) -> Option<()> {
        Levelled::of_threads(threads)
    }
}

impl Stage for Physical {
    type Loop = PhysicalLoop;
    /// The first value of the counter, the bound, and the distance.
    type Bounds = [NodeId; 3];
    type Threads = u32;
    type Layout = ();
    type Collectives = Never;
    type Shuffles = ();
    type Wide = ();
    type Earlier = ();

    const IS_PHYSICAL: bool = true;
    const COLLECTIVES: Option<Never> = None;
    const SHUFFLES: Option<()> = Some(());
    const WIDE: Option<()> = Some(());
    const EARLIER: Option<()> = Some(());

    fn words(kind: PhysicalLoop) -> (&'static str, Option<Level>) {
        match kind {
            PhysicalLoop::Sequential(level) => ("sequential", Some(level)),
            PhysicalLoop::Rounds(level) => ("rounds", Some(level)),
            PhysicalLoop::Warps => ("warps", None),
            PhysicalLoop::Blocks => ("blocks", None),
            PhysicalLoop::Ordered => ("tickets", None),
            PhysicalLoop::Last => ("last", None),
        }
    }

    fn of_words(word: &str, level: Option<Level>) -> Option<PhysicalLoop> {
        match (word, level) {
            ("sequential", Some(level)) => Some(PhysicalLoop::Sequential(level)),
            ("rounds", Some(level)) => Some(PhysicalLoop::Rounds(level)),
            ("warps", None) => Some(PhysicalLoop::Warps),
            ("blocks", None) => Some(PhysicalLoop::Blocks),
            ("tickets", None) => Some(PhysicalLoop::Ordered),
            ("last", None) => Some(PhysicalLoop::Last),
            _ => None,
        }
    }

    fn in_order(kind: PhysicalLoop) -> Option<Level> {
        match kind {
            PhysicalLoop::Sequential(level) => Some(level),
            PhysicalLoop::Rounds(_)
            | PhysicalLoop::Warps
            | PhysicalLoop::Blocks
            | PhysicalLoop::Ordered
            | PhysicalLoop::Last => None,
        }
    }

    fn is_ordered(kind: PhysicalLoop) -> bool {
        kind == PhysicalLoop::Ordered
    }

    fn is_last(kind: PhysicalLoop) -> bool {
        kind == PhysicalLoop::Last
    }

    fn inside(kind: PhysicalLoop) -> Level {
        match kind {
            PhysicalLoop::Sequential(level) => level,
            PhysicalLoop::Rounds(_) => Level::Thread,
            PhysicalLoop::Warps => Level::Warp,
            PhysicalLoop::Blocks | PhysicalLoop::Ordered | PhysicalLoop::Last => Level::Block,
        }
    }

    fn may_stand(kind: PhysicalLoop, list: Level) -> bool {
        match kind {
            // A thread's own loop may stand in place, in a list of the level whose threads it was
            // shared out over.
            PhysicalLoop::Sequential(level) => {
                level == list || (level == Level::Thread && list != Level::Grid)
            }
            PhysicalLoop::Rounds(level) => level == list && level <= Level::Block,
            PhysicalLoop::Warps => list == Level::Block,
            PhysicalLoop::Blocks | PhysicalLoop::Ordered | PhysicalLoop::Last => {
                list == Level::Grid
            }
        }
    }

    fn agrees(kind: PhysicalLoop) -> Level {
        match kind {
            PhysicalLoop::Ordered | PhysicalLoop::Last => Level::Block,
            PhysicalLoop::Sequential(_)
            | PhysicalLoop::Rounds(_)
            | PhysicalLoop::Warps
            | PhysicalLoop::Blocks => Level::Grid,
        }
    }

    fn range([start, end, _]: [NodeId; 3]) -> (Option<NodeId>, NodeId) {
        (Some(start), end)
    }

    fn bounds_text([start, end, step]: [NodeId; 3], show: &dyn Fn(NodeId) -> String) -> String {
        format!("{} .. {} step {}", show(start), show(end), show(step))
    }

    fn of_steps(steps: [NodeId; 3], _: &Nodes) -> Option<[NodeId; 3]> {
        Some(steps)
    }

    fn of_count(_: NodeId) -> Option<[NodeId; 3]> {
        None
    }

    fn known_threads(threads: u32) -> Option<u32> {
        Some(threads)
    }

    fn of_threads(threads: Option<u32>) -> Option<u32> {
        threads
    }
}
