//! A kernel as a flat list of instructions over registers.
//!
//! A register is one value for all lanes, or a column with one for each lane of a strip. Jumps go to
//! positions in the list; nothing is nested, so that running it needs no stack however deep the
//! kernel's expressions are.

use std::ops::Range;

use obsidian_language::error::Origin;
use obsidian_language::ir::AtomicOp;
use obsidian_language::scalar::{ArrayId, BinaryOp, Literal, ScalarType, UnaryOp};

use super::files::{Files, Globals};
use super::masks::Mask;

/// A register: its type, whether all lanes share it, and its number among those.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Reg(u32);

impl Reg {
    const SCALAR: u32 = 1 << 27;
    /// The largest number of a register of one kind.
    pub(super) const MOST: u32 = Self::SCALAR - 1;

    /// A value that all lanes share.
    pub(super) fn scalar(ty: ScalarType, index: u32) -> Self {
        Reg((ty as u32) << 28 | Self::SCALAR | (index & Self::MOST))
    }

    /// A column.
    pub(super) fn column(ty: ScalarType, index: u32) -> Self {
        Reg((ty as u32) << 28 | (index & Self::MOST))
    }

    /// The same kind of register with another number.
    pub(super) fn renumbered(self, index: u32) -> Self {
        Reg(self.0 & !Self::MOST | (index & Self::MOST))
    }

    /// The kind: type, and whether all lanes share it.
    pub(super) fn class(self) -> u32 {
        self.0 >> 27
    }

    /// Register 0 of a kind.
    pub(super) fn of_class(class: u32) -> Self {
        Reg(class << 27)
    }

    pub(super) fn is_scalar(self) -> bool {
        self.0 & Self::SCALAR != 0
    }

    pub(super) fn index(self) -> usize {
        (self.0 & Self::MOST) as usize
    }

    pub(super) fn ty(self) -> ScalarType {
        ScalarType::ALL[(self.0 >> 28) as usize]
    }
}

/// An operator that is computed lane by lane through its meaning.
#[derive(Clone, Copy, Debug)]
pub(super) enum Plain {
    Unary(UnaryOp),
    Binary(BinaryOp),
}

/// What an operation reads and writes. Operands that it has not are its target.
#[derive(Clone, Copy, Debug)]
pub(super) struct Args {
    pub(super) to: Reg,
    pub(super) from: [Reg; 3],
    pub(super) plain: Plain,
}

/// A condition: `first + lane`, wrapped, is below a limit, or at most it, or is not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Below {
    pub(super) first: Reg,
    pub(super) limit: Reg,
    /// Does it hold of the limit itself?
    pub(super) inclusive: bool,
    /// Is it the contrary?
    pub(super) negated: bool,
}

/// An operation, for a range of lanes.
pub(super) type Apply = fn(&mut Files, &Args, Range<usize>);

/// Where an array lies: the number among those of its element type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Space {
    /// A parameter that is read.
    Input(u32),
    /// A parameter that all blocks may write.
    Cells(u32),
    /// An array that the lanes of a block share.
    Shared(u32),
    /// An array that each lane has for itself.
    Held(u32),
}

/// The elements that the lanes access.
#[derive(Clone, Copy, Debug)]
pub(super) enum Index {
    /// All the same one.
    One(Reg),
    /// Lane `l` the element `base + l * stride`, wrapped.
    Ramp { base: Reg, stride: Reg },
    /// Each lane the one that a column says.
    Many(Reg),
}

/// An access of an array.
#[derive(Clone, Copy, Debug)]
pub(super) struct Access {
    pub(super) space: Space,
    pub(super) index: Index,
    /// The place in the kernel.
    pub(super) site: u32,
    /// The lanes that take part.
    pub(super) mask: u32,
}

/// An index outside of its array.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outside {
    pub(super) index: u32,
    pub(super) length: usize,
    pub(super) site: u32,
}

/// Reads elements into a register.
pub(super) type Load = fn(&mut Files, &Globals<'_>, &Access, Reg, &Mask) -> Result<(), Outside>;

/// Writes the values of a register.
pub(super) type Store = fn(&mut Files, &Globals<'_>, &Access, Reg, &Mask) -> Result<(), Outside>;

/// The parts of an atomic operation beside its access.
#[derive(Clone, Copy, Debug)]
pub(super) struct Change {
    pub(super) op: AtomicOp,
    pub(super) operands: [Reg; 2],
    /// The old values.
    pub(super) result: Option<Reg>,
}

/// Changes elements, one lane after the other.
pub(super) type Update =
    fn(&mut Files, &Globals<'_>, &Access, &Change, &Mask) -> Result<(), Outside>;

/// Copies the values of lanes that take part.
pub(super) type CopyLanes = fn(&mut Files, Reg, Reg, &Mask);

/// One instruction. `mask` is the number of the mask of lanes that take part; a position that is
/// jumped to is called by why.
#[derive(Clone, Copy, Debug)]
pub(super) enum Instr {
    Apply {
        run: Apply,
        args: Args,
        mask: u32,
    },
    Load {
        run: Load,
        access: Access,
        to: Reg,
    },
    Store {
        run: Store,
        access: Access,
        value: Reg,
    },
    Update {
        run: Update,
        access: Access,
        change: Change,
    },
    /// Copies what lanes of the mask have; the others keep what they have.
    Assign {
        run: CopyLanes,
        to: Reg,
        from: Reg,
        mask: u32,
    },
    /// Two columns change places.
    Swap {
        run: fn(&mut Files, Reg, Reg),
        with: [Reg; 2],
    },
    /// An assertion does not hold for the lanes of the mask, if there are any.
    Fail {
        site: u32,
        mask: u32,
    },
    Jump(u32),
    /// Jumps where a shared condition does not hold.
    Unless {
        condition: Reg,
        otherwise: u32,
    },
    /// The counter is 0.
    Zero(Reg),
    /// Jumps if no round is left.
    Round {
        counter: Reg,
        count: Reg,
        done: u32,
    },
    /// The next round.
    Next {
        counter: Reg,
        again: u32,
    },
    /// `into` are the lanes of `from` where the condition is as wanted; jumps if there are none.
    Enter {
        condition: Reg,
        wanted: bool,
        from: u32,
        into: u32,
        none: u32,
    },
    /// The same, where the condition is that `first + lane` is below a number.
    EnterBelow {
        below: Below,
        wanted: bool,
        from: u32,
        into: u32,
        none: u32,
    },
    /// Takes over the lanes of the inner mask from a column that nothing else names; the others keep what they have.
    Take {
        exchange: fn(&mut Files, Reg, Reg),
        copy: CopyLanes,
        to: Reg,
        from: Reg,
        masks: [u32; 2],
    },
    /// `into` are the lanes of `from`.
    Begin {
        from: u32,
        into: u32,
    },
    /// Keeps the lanes where the condition holds; jumps if there are none.
    While {
        condition: Reg,
        mask: u32,
        none: u32,
    },
    /// Keeps the lanes that have a round left; jumps if there are none.
    WhileBelow {
        counter: Reg,
        count: Reg,
        mask: u32,
        none: u32,
    },
    /// The lanes of the last mask leave all masks from the first one on.
    Break {
        first: u32,
        last: u32,
    },
    /// Jumps if no lane takes part.
    IfNone {
        mask: u32,
        none: u32,
    },
    /// Begins the first strip of a loop over lanes; jumps if there are no lanes.
    Strips {
        base: Reg,
        count: Reg,
        done: u32,
    },
    /// Begins the next strip, behind the lanes of this one, if there is one.
    NextStrip {
        base: Reg,
        count: Reg,
        again: u32,
    },
    /// Begins the strip at `base` once more, with all its lanes.
    Refill {
        base: Reg,
        count: Reg,
    },
    /// Ends the strip where the row ends in which it begins: the lanes that stay have the quotient of `first + lane` by `by` that lane 0 has, and
    /// numbers that do not begin again at 0. Jumps if rows are short, or if none of the lanes takes part.
    Cut {
        first: Reg,
        by: Reg,
        mask: u32,
        otherwise: u32,
    },
    /// Runs the following instructions, up to `EndBlock`, once for each block.
    Blocks {
        counter: Reg,
        count: Reg,
        done: u32,
    },
    EndBlock,
    End,
}

/// A place in the kernel that accesses an array.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Site {
    pub(super) array: ArrayId,
    pub(super) origin: Origin,
    /// Does the user vouch for the index?
    pub(super) vouched: bool,
    /// The number of the assertion that it is, if it is one, among the program's.
    pub(super) assertion: Option<u32>,
}

/// What a parameter of a launch becomes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Slot {
    Input(ScalarType),
    Cells(ScalarType),
    Number(Reg),
}

/// An array of a block or of its lanes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stored {
    pub(super) ty: ScalarType,
    pub(super) length: u32,
    pub(super) is_held: bool,
}

impl Stored {
    /// Its elements in memory.
    pub(super) fn cells(&self, strip: usize) -> usize {
        self.length as usize * if self.is_held { strip } else { 1 }
    }
}

/// How many registers and arrays of each type there are.
#[derive(Clone, Debug, Default)]
pub(super) struct Room {
    pub(super) scalars: [u32; ScalarType::ALL.len()],
    pub(super) columns: [u32; ScalarType::ALL.len()],
    pub(super) arrays: Vec<Stored>,
}

/// A kernel, ready to be run by columns.
#[derive(Debug)]
pub(crate) struct Program {
    /// Tells programs of one process apart.
    pub(super) number: u64,
    pub(super) code: Vec<Instr>,
    pub(super) constants: Vec<(Reg, Literal)>,
    /// The registers that hold the numbers of elements of parameters.
    pub(super) lengths: Vec<(Reg, usize)>,
    pub(super) slots: Vec<Slot>,
    pub(super) sites: Vec<Site>,
    /// The texts of assertions.
    pub(super) assertions: Vec<String>,
    pub(super) masks: u32,
    pub(super) room: Room,
    /// Lanes of a strip.
    pub(super) strip: usize,
}

impl Instr {
    /// Calls `f` on each register.
    pub(super) fn registers(&mut self, f: &mut dyn FnMut(&mut Reg)) {
        match self {
            Instr::Apply { args, .. } => args.from.iter_mut().chain([&mut args.to]).for_each(f),
            Instr::Load { access, to, .. } => access.registers(&mut |reg| f(reg), Some(to)),
            Instr::Store { access, value, .. } => access.registers(f, Some(value)),
            Instr::Update { access, change, .. } => {
                access.registers(f, change.result.as_mut());
                change.operands.iter_mut().for_each(f);
            }
            Instr::Assign { to, from, .. } => [to, from].into_iter().for_each(f),
            Instr::Swap { with, .. } => with.iter_mut().for_each(f),
            Instr::Take { to, from, .. } => [to, from].into_iter().for_each(f),
            Instr::EnterBelow { below, .. } => {
                [&mut below.first, &mut below.limit].into_iter().for_each(f)
            }
            Instr::Unless { condition, .. }
            | Instr::Enter { condition, .. }
            | Instr::While { condition, .. } => f(condition),
            Instr::Zero(counter) | Instr::Next { counter, .. } => f(counter),
            Instr::Round { counter, count, .. }
            | Instr::WhileBelow { counter, count, .. }
            | Instr::Blocks { counter, count, .. } => [counter, count].into_iter().for_each(f),
            Instr::Strips { base, count, .. }
            | Instr::NextStrip { base, count, .. }
            | Instr::Refill { base, count } => [base, count].into_iter().for_each(f),
            Instr::Cut { first, by, .. } => [first, by].into_iter().for_each(f),
            Instr::Fail { .. }
            | Instr::Jump(_)
            | Instr::Begin { .. }
            | Instr::Break { .. }
            | Instr::IfNone { .. }
            | Instr::EndBlock
            | Instr::End => {}
        }
    }

    /// Where the instruction may jump to.
    pub(super) fn target(&mut self) -> Option<&mut u32> {
        match self {
            Instr::Jump(to)
            | Instr::Unless { otherwise: to, .. }
            | Instr::Round { done: to, .. }
            | Instr::Next { again: to, .. }
            | Instr::Enter { none: to, .. }
            | Instr::EnterBelow { none: to, .. }
            | Instr::While { none: to, .. }
            | Instr::WhileBelow { none: to, .. }
            | Instr::IfNone { none: to, .. }
            | Instr::Strips { done: to, .. }
            | Instr::NextStrip { again: to, .. }
            | Instr::Cut { otherwise: to, .. }
            | Instr::Blocks { done: to, .. } => Some(to),
            _ => None,
        }
    }
}

impl Access {
    fn registers(&mut self, f: &mut dyn FnMut(&mut Reg), more: Option<&mut Reg>) {
        match &mut self.index {
            Index::One(reg) | Index::Many(reg) => f(reg),
            Index::Ramp { base, stride } => [base, stride].into_iter().for_each(&mut *f),
        }
        more.into_iter().for_each(f);
    }
}
