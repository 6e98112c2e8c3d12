//! The kernel as statements, with levels made concrete.
//!
//! A [`Kernel`] is what is left of a user's program when arrays and monads are gone: a list of
//! [`Statement`]s over expression [`Nodes`](crate::scalar::Nodes). It is the contract between
//! `lower`, which makes kernels, `plan`, which refines them, and `simulate` and `emit`, which run
//! and print them. All of it is plain data: a kernel owns its nodes, is `Send`, and two builds of
//! one program give equal kernels.
//!
//! # Three stages
//!
//! A kernel goes through three [stages](Stage), which are types of their own and differ in their
//! loops and in a few statements.
//!
//! - [`Levelled`], out of `lower`. Parallelism is said by [`ForAll`](LevelledLoop::ForAll) (the
//!   threads of a level share out the iterations), [`Distribute`](LevelledLoop::Distribute)
//!   (each iteration is done by one whole warp or block) and [`Collective`]s (the threads of a level
//!   combine what their iterations give). There are as many of each as the program asks for; no
//!   thread index occurs. Arrays may be held by warps and blocks, in a [`Layout`].
//! - [`Lowered`], out of `plan::lowering`. The same loops; held arrays are single threads' own, and
//!   there are no collectives: the types of the stage have none.
//! - [`Physical`], out of `plan::virtualise`. Every statement is executed by every real thread that
//!   reaches it. `ForAll` and `Distribute` are gone; instead there are loops of kind
//!   [`Rounds`](PhysicalLoop::Rounds), [`Warps`](PhysicalLoop::Warps) and
//!   [`Blocks`](PhysicalLoop::Blocks), conditionals on [`Special`](crate::scalar::Special) nodes,
//!   and the number of threads is fixed in [`Kernel::threads`].
//!
//! [`validate()`] is the gate between the stages: what types do not say of a kernel, it checks.
//!
//! # Levels
//!
//! A statement list is executed at a [`Level`]: the body of the kernel at `Grid`, the body of a
//! `Distribute` at the unit that it hands out (`Block` or `Warp`), the body of a `ForAll` at
//! `Thread`. Loops in order keep the level that they are in. At `Grid` there are only loops, `If`
//! and `Let`. A [`Wait`](Statement::Wait) stands at its own scope's level, in a levelled kernel
//! directly in a list of that level; in a physical one, a wait of the warp also in a list of the
//! block, where all of its warps come to it and each waits by itself; its effect is that whatever any thread of the scope
//! has stored before it is seen by every thread of the scope after it.
//!
//! # Arrays
//!
//! An array belongs to the kernel's table and is named by its [`ArrayId`]. Parameters (place
//! `Global`) exist throughout. Others begin with their [`Allocate`](Statement::Allocate), exactly
//! one per array, in the list where they live, and end with that list. A `Shared` array allocated
//! at Block level is one array per block; allocated at Warp level it is one array per warp. A
//! `Held` array allocated at Thread level is one array per thread; at the levels above, which only
//! a levelled kernel has, it is spread over the registers of the warp's or the block's threads, as
//! its [`Layout`] says. A thread writes only elements that it owns, and at Block it reads only
//! those. A [`Load`](crate::scalar::Node::Load) may occur only of
//! arrays that are not written any more: parameters of role `Input`, and stored arrays after the
//! wait that follows their stores, where one is needed. A mutable array is read by the statement
//! [`Read`](Statement::Read).
//!
//! # Variables
//!
//! A variable is bound by the statement that carries it (`Let`, loop counters, results of `Read`,
//! `Get` and atomics) for the rest of its list, or for the body of its loop; a collective binds some
//! for each of its lists. Two statements may bind one variable if neither is in the scope of the
//! other: virtualisation emits a body twice, once for whole rounds and once for the rest. A `Cell` variable is begun by
//! [`Declare`](Statement::Declare), changed by [`Assign`](Statement::Assign) and read by
//! [`Get`](Statement::Get), never by a node.

mod collective;
mod earlier;
mod effects;
mod layout;
mod limits;
mod print;
mod read;
mod report;
mod shuffle;
mod stage;
#[doc(hidden)]
pub mod uniform;
mod validate;
mod walk;
mod wide;

#[doc(hidden)]
pub use collective::given;
pub use collective::{Collective, CollectiveOp, GROUP, MOST_BITS, RUN, row, scanned_row, series};
pub use earlier::Earlier;
pub use effects::{Accessed, CellUse, Effect, How};
pub use layout::Layout;
pub use read::{ReadError, read};
pub use report::{Report, ReportKind};
pub use shuffle::{Lane, Shuffle, is_voted, taken_type};
pub use stage::{Levelled, LevelledLoop, Lowered, Never, Physical, PhysicalLoop, Stage};
pub use validate::{Violation, validate};
#[doc(hidden)]
pub use walk::{Counted, Own, substitute};
pub use wide::{Direction, WIDEST, Wide};

use std::fmt;

use crate::error::Origin;
use crate::scalar::{ArrayId, BinaryOp, Literal, NodeId, ScalarType, Tables, VariableId, meaning};

/// Whether a compiler may copy the body of a loop to save rounds. It says nothing about what the
/// loop does.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Unroll {
    /// As the compiler likes.
    #[default]
    Free,
    /// Never: the loop is seldom executed, and copies would cost instructions and registers.
    Never,
    /// Always: what it indexes with its counter is in registers only if each round is a copy. The bounds
    /// are literals.
    Always,
    /// This many rounds behind each other, as the user says; all of them, if there are no more. 1 keeps
    /// the loop as it is.
    By(u32),
}

impl Unroll {
    /// The most rounds that are written behind each other.
    pub const MOST: u32 = 1024;

    /// As many rounds behind each other as a user says; none if that is no number of rounds.
    pub fn by(rounds: u32) -> Option<Self> {
        match rounds {
            1..=Self::MOST => Some(Unroll::By(rounds)),
            _ => None,
        }
    }
}

/// The levels of the hierarchy, from the bottom.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Level {
    /// One thread.
    Thread,
    /// 32 threads of a block, the last warp maybe fewer.
    Warp,
    /// The threads that share a block's memory and barriers.
    Block,
    /// All blocks of a launch.
    Grid,
}

impl Level {
    /// The name, as the user writes it.
    pub const fn name(self) -> &'static str {
        match self {
            Level::Thread => "Thread",
            Level::Warp => "Warp",
            Level::Block => "Block",
            Level::Grid => "Grid",
        }
    }

    /// The level below, if there is one.
    pub const fn below(self) -> Option<Level> {
        match self {
            Level::Thread => None,
            Level::Warp => Some(Level::Thread),
            Level::Block => Some(Level::Warp),
            Level::Grid => Some(Level::Block),
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The operations of an atomic statement; each gives the element's old value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AtomicOp {
    /// Adds the operand.
    Add,
    /// Subtracts the operand.
    Sub,
    /// Adds 1, or gives 0 once the operand is reached (`u32`).
    Inc,
    /// Subtracts 1, or gives the operand from 0 and from above it (`u32`).
    Dec,
    /// The smaller one.
    Min,
    /// The larger one.
    Max,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Replaces.
    Exchange,
    /// Replaces by the second operand if the element equals the first.
    CompareExchange,
}

impl AtomicOp {
    /// Can elements of this type be changed by it? What CUDA has, and what follows from it.
    pub const fn accepts(self, ty: ScalarType) -> bool {
        let wide = ty.bytes() >= 4;
        match self {
            AtomicOp::Inc | AtomicOp::Dec => ty.is(ScalarType::U32),
            AtomicOp::Min | AtomicOp::Max | AtomicOp::And | AtomicOp::Or | AtomicOp::Xor => {
                wide && ty.is_integer()
            }
            AtomicOp::Add | AtomicOp::Sub | AtomicOp::Exchange | AtomicOp::CompareExchange => wide,
        }
    }

    /// The operator by which an element is combined with the operand, if it is one that is exactly associative on integers.
    pub const fn combines(self) -> Option<BinaryOp> {
        match self {
            // What is subtracted from own elements is subtracted by adding these.
            AtomicOp::Add | AtomicOp::Sub => Some(BinaryOp::Add),
            AtomicOp::Min => Some(BinaryOp::Min),
            AtomicOp::Max => Some(BinaryOp::Max),
            AtomicOp::And => Some(BinaryOp::And),
            AtomicOp::Or => Some(BinaryOp::Or),
            AtomicOp::Xor => Some(BinaryOp::Xor),
            AtomicOp::Inc | AtomicOp::Dec | AtomicOp::Exchange | AtomicOp::CompareExchange => None,
        }
    }

    /// What stands in an element afterwards, from what stood there and the operands; `second` is the
    /// new value of a compare and exchange, and of no meaning to the others.
    pub fn stored(self, old: Literal, operand: Literal, second: Literal) -> Literal {
        let plain = |op| meaning::binary(op, old, operand);
        let one = Literal::one(old.ty());
        match self {
            AtomicOp::Add => plain(BinaryOp::Add),
            AtomicOp::Sub => plain(BinaryOp::Sub),
            AtomicOp::Min => plain(BinaryOp::Min),
            AtomicOp::Max => plain(BinaryOp::Max),
            AtomicOp::And => plain(BinaryOp::And),
            AtomicOp::Or => plain(BinaryOp::Or),
            AtomicOp::Xor => plain(BinaryOp::Xor),
            AtomicOp::Exchange => operand,
            AtomicOp::CompareExchange if old == operand => second,
            AtomicOp::CompareExchange => old,
            AtomicOp::Inc if old.bits() >= operand.bits() => Literal::zero(old.ty()),
            AtomicOp::Inc => meaning::binary(BinaryOp::Add, old, one),
            AtomicOp::Dec if old.bits() == 0 || old.bits() > operand.bits() => operand,
            AtomicOp::Dec => meaning::binary(BinaryOp::Sub, old, one),
        }
    }

    /// The name of the method of mutable arrays.
    pub const fn method(self) -> &'static str {
        match self {
            AtomicOp::Add => "atomic_add",
            AtomicOp::Sub => "atomic_sub",
            AtomicOp::Inc => "atomic_inc",
            AtomicOp::Dec => "atomic_dec",
            AtomicOp::Min => "atomic_min",
            AtomicOp::Max => "atomic_max",
            AtomicOp::And => "atomic_and",
            AtomicOp::Or => "atomic_or",
            AtomicOp::Xor => "atomic_xor",
            AtomicOp::Exchange => "atomic_exch",
            AtomicOp::CompareExchange => "atomic_cas",
        }
    }
}

/// One statement. See the [module](self) for what lists, levels and scopes mean.
#[derive(Clone, PartialEq, Debug)]
pub enum Statement<S: Stage> {
    /// Names a value for the rest of the list.
    Let {
        /// Bound here, of kind `Let`.
        variable: VariableId,
        /// Its value.
        value: NodeId,
    },
    /// Writes an element. Level Thread in a levelled kernel.
    Store {
        /// Shared, held, or a parameter of role `Output` or `InOut`.
        array: ArrayId,
        /// The element, `u32`.
        index: NodeId,
        /// Of the array's element type.
        value: NodeId,
        /// The user's place.
        origin: Origin,
    },
    /// Reads, changes and writes an element in one step. Level Thread.
    Atomic {
        /// Shared, or a parameter of role `InOut`.
        array: ArrayId,
        /// The element, `u32`.
        index: NodeId,
        /// What is done.
        op: AtomicOp,
        /// One, or two for [`AtomicOp::CompareExchange`], of the element type.
        operands: Vec<NodeId>,
        /// Bound to the old value.
        result: Option<VariableId>,
        /// The user's place.
        origin: Origin,
    },
    /// Reads an element of a mutable array, in order with the statements around it. Level Thread.
    Read {
        /// Bound to the element.
        variable: VariableId,
        /// Shared, held, or a parameter of role `InOut`.
        array: ArrayId,
        /// The element, `u32`.
        index: NodeId,
        /// The user's place.
        origin: Origin,
    },
    /// Begins a cell with its first value. Level Thread.
    Declare {
        /// Of kind `Cell`.
        cell: VariableId,
        /// Its first value.
        value: NodeId,
    },
    /// Changes a cell.
    Assign {
        /// Of kind `Cell`.
        cell: VariableId,
        /// Its new value.
        value: NodeId,
    },
    /// Names the present value of a cell.
    Get {
        /// Bound here, of kind `Let`.
        variable: VariableId,
        /// Of kind `Cell`.
        cell: VariableId,
    },
    /// Executes one of two lists.
    If {
        /// A `bool`.
        condition: NodeId,
        /// If it is true.
        then: Vec<Statement<S>>,
        /// If it is false.
        otherwise: Vec<Statement<S>>,
    },
    /// Executes `head`, and while `condition` holds `body` and `head` again. Bindings of `head` are
    /// in scope in both.
    While {
        /// What has to happen before the condition is known.
        head: Vec<Statement<S>>,
        /// A `bool`.
        condition: NodeId,
        /// What is repeated.
        body: Vec<Statement<S>>,
    },
    /// Leaves the innermost `Sequential` loop or `While`. Level Thread.
    Break,
    /// Executes the body for each value of a counter.
    Loop {
        /// What the loop stands for.
        kind: S::Loop,
        /// Of kind `Counter`, `u32`.
        counter: VariableId,
        /// What the counter begins and ends with, `u32`. Levelled: the number of iterations.
        /// Physical: `[start, end, step]`, and the counter is `start`, `start + step`, .. as long
        /// as it is below `end`.
        bounds: S::Bounds,
        /// May a compiler copy the body to save rounds?
        unroll: Unroll,
        /// What is repeated.
        body: Vec<Statement<S>>,
    },
    /// Begins an array. Its contents are not defined until they are stored.
    Allocate {
        /// Shared or held; its length is a literal.
        array: ArrayId,
        /// Which thread holds which element, of a held array; [`Layout::Striped`] of others.
        layout: S::Layout,
    },
    /// The threads of the scope wait for each other.
    Wait {
        /// Warp or Block.
        scope: Level,
    },
    /// Tells the user something, and changes nothing else. Level Thread.
    Report(Report),
    /// The threads of a level combine what their iterations give. In a levelled kernel.
    Collective(S::Collectives, Box<Collective<S>>),
    /// The lanes of a warp take values from each other. Level Thread; in a lowered or physical kernel.
    Shuffle(S::Shuffles, Shuffle),
    /// Elements side by side are loaded or stored by one access. Level Thread; in a physical kernel.
    Wide(S::Wide, Wide),
    /// What all earlier blocks have is combined. Level Thread; in a lowered or physical kernel.
    Earlier(S::Earlier, Box<Earlier<S>>),
    /// The value that a list gives: the last statement of a [`Collective`]'s first two lists, and
    /// nowhere else.
    Give(S::Collectives, Vec<NodeId>),
}

/// What a parameter of a kernel is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParameterKind {
    /// A buffer. In CUDA a pointer; its length, where it is used, is a parameter of its own after
    /// all others.
    Array(ArrayId),
    /// A scalar, of kind `Argument`.
    Scalar(VariableId),
}

/// A parameter of a kernel, in the order of the signature: inputs first, then outputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// Which parameter of the user's function it belongs to; a tuple array has one buffer a field,
    /// all of one length. [`Node::Length`](crate::scalar::Node::Length) occurs of the first buffer
    /// of a group only. Outputs go on counting.
    pub group: u32,
    /// What it is.
    pub kind: ParameterKind,
}

/// A kernel at one of its stages.
#[derive(Clone, Debug)]
pub struct Kernel<S: Stage> {
    /// The name of the function.
    pub name: String,
    /// The nodes, variables, arrays, requirements and origins that the statements name.
    pub tables: Tables,
    /// The parameters, in order.
    pub parameters: Vec<Parameter>,
    /// Real threads of a block: 1 to 1,024 in a physical kernel, not known in a levelled one.
    pub threads: S::Threads,
    /// What the kernel does, at level Grid.
    pub body: Vec<Statement<S>>,
}

pub use limits::min_blocks_fit;
pub use obsidian_base::launch::{
    MAX_RESIDENT_BLOCKS, MAX_RESIDENT_THREADS, MAX_SHARED_BYTES, MAX_THREADS, SHARED_BYTES, WARP,
};

impl Kernel<Physical> {
    /// The number of real warps that warp programs are handed to: whole warps, or the only one.
    ///
    /// With 33 threads there is one such warp; thread 32 waits while warp programs run.
    pub fn warps(&self) -> u32 {
        (self.threads / WARP).max(1)
    }

    /// The number of lanes of such a warp.
    pub fn lanes(&self) -> u32 {
        self.threads.min(WARP)
    }
}
