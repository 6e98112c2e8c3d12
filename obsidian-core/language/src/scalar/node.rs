//! Expression nodes and the arena that holds them.

use std::cell::Cell;

use super::{ArrayId, BinaryOp, Class, Literal, ScalarType, UnaryOp, VariableId};
use crate::error::{Origin, internal};

/// A node of a [`Nodes`] arena.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(pub(super) u32);

impl NodeId {
    /// The number in the arena, for tables beside it; no order of output may come from it.
    #[doc(hidden)]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Where a thread stands; these appear when threads and blocks are made concrete.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Special {
    /// The thread in its block, from 0.
    ThreadIndex,
    /// The warp in its block, from 0.
    WarpIndex,
    /// The thread in its warp, from 0.
    LaneIndex,
    /// The block in the grid, from 0.
    BlockIndex,
    /// The number of real blocks.
    GridSize,
    /// A `bool`: do all buffers that wide accesses reach begin at a multiple of 16 bytes? The same in
    /// the whole grid.
    Aligned,
}

impl Special {
    /// The type of the value.
    pub const fn ty(self) -> ScalarType {
        match self {
            Special::Aligned => ScalarType::Bool,
            Special::ThreadIndex
            | Special::WarpIndex
            | Special::LaneIndex
            | Special::BlockIndex
            | Special::GridSize => ScalarType::U32,
        }
    }
}

/// One expression node. Operands come before the nodes that use them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// A known value.
    Literal(Literal),
    /// A name bound by a statement: a loop counter, a `let`, or an argument of the kernel.
    Variable(VariableId),
    /// The number of elements of a kernel parameter, a `u32`.
    Length(ArrayId),
    /// Where this thread stands, a `u32`; or whether buffers are aligned.
    Special(Special),
    /// An element of an array that is written once, read after it was written.
    Load {
        /// The array.
        array: ArrayId,
        /// The element, a `u32` below the array's length.
        index: NodeId,
    },
    /// An operator of one operand.
    Unary {
        /// The operator.
        op: UnaryOp,
        /// The operand, of the node's own type.
        value: NodeId,
    },
    /// An operator of two operands.
    Binary {
        /// The operator.
        op: BinaryOp,
        /// Index arithmetic of the library: the result, as a number, is known to fit a `u32`.
        exact: bool,
        /// The left operand.
        left: NodeId,
        /// The right operand.
        right: NodeId,
    },
    /// `left * right + addend` with one rounding.
    MulAdd {
        /// The left factor.
        left: NodeId,
        /// The right factor.
        right: NodeId,
        /// What is added.
        addend: NodeId,
    },
    /// One of two values; only the chosen one is evaluated.
    Select {
        /// A `bool`.
        condition: NodeId,
        /// The value if it is true.
        then: NodeId,
        /// The value if it is false.
        otherwise: NodeId,
    },
    /// The operand as the node's type, see [`meaning::cast`](super::meaning::cast).
    Cast {
        /// The operand.
        value: NodeId,
    },
    /// Stands for a value that a mistake has made impossible.
    Poison,
}

impl Node {
    /// The operands, in order of evaluation.
    pub fn operands(&self) -> Operands {
        let none = NodeId(u32::MAX);
        let (list, len) = match *self {
            Node::Literal(_)
            | Node::Variable(_)
            | Node::Length(_)
            | Node::Special(_)
            | Node::Poison => ([none; 3], 0),
            Node::Load { index, .. } => ([index, none, none], 1),
            Node::Unary { value, .. } | Node::Cast { value } => ([value, none, none], 1),
            Node::Binary { left, right, .. } => ([left, right, none], 2),
            Node::MulAdd {
                left,
                right,
                addend,
            } => ([left, right, addend], 3),
            Node::Select {
                condition,
                then,
                otherwise,
            } => ([condition, then, otherwise], 3),
        };
        Operands { list, at: 0, len }
    }

    /// Calls `f` on each operand, to be replaced.
    #[doc(hidden)]
    pub fn operands_mut(&mut self, f: impl FnMut(&mut NodeId)) {
        let operands = match self {
            Node::Load { index, .. } => [Some(index), None, None],
            Node::Unary { value, .. } | Node::Cast { value } => [Some(value), None, None],
            Node::Binary { left, right, .. } => [Some(left), Some(right), None],
            Node::MulAdd {
                left,
                right,
                addend,
            } => [Some(left), Some(right), Some(addend)],
            Node::Select {
                condition,
                then,
                otherwise,
            } => [Some(condition), Some(then), Some(otherwise)],
            Node::Literal(_)
            | Node::Variable(_)
            | Node::Length(_)
            | Node::Special(_)
            | Node::Poison => [None, None, None],
        };
        operands.into_iter().flatten().for_each(f);
    }

    /// Has it no operands?
    pub fn is_leaf(&self) -> bool {
        self.operands().len == 0
    }

    /// The operands that are evaluated wherever it is: of a choice, the condition alone.
    pub fn surely_evaluated(&self) -> Operands {
        let mut operands = self.operands();
        if self.is_choice() {
            operands.len = 1;
        }
        operands
    }

    /// The name that it is.
    pub fn variable(self) -> Option<VariableId> {
        if let Node::Variable(variable) = self {
            Some(variable)
        } else {
            None
        }
    }

    /// The array whose length it is.
    pub fn length(self) -> Option<ArrayId> {
        if let Node::Length(array) = self {
            Some(array)
        } else {
            None
        }
    }

    /// The array and the index that it loads.
    pub fn load(self) -> Option<(ArrayId, NodeId)> {
        if let Node::Load { array, index } = self {
            Some((array, index))
        } else {
            None
        }
    }

    /// The array that it loads an element of.
    pub fn loaded(self) -> Option<ArrayId> {
        self.load().map(|(array, _)| array)
    }

    /// Does it load an element?
    pub fn is_load(self) -> bool {
        self.load().is_some()
    }

    /// The operands of an operator of two.
    pub fn operands_of(self, wanted: BinaryOp) -> Option<(NodeId, NodeId)> {
        if let Node::Binary {
            op, left, right, ..
        } = self
            && op == wanted
        {
            Some((left, right))
        } else {
            None
        }
    }

    /// The condition and the two values that it chooses from.
    pub fn choice(self) -> Option<(NodeId, [NodeId; 2])> {
        if let Node::Select {
            condition,
            then,
            otherwise,
        } = self
        {
            Some((condition, [then, otherwise]))
        } else {
            None
        }
    }

    /// Does it choose one of two values?
    pub fn is_choice(self) -> bool {
        self.choice().is_some()
    }
}

/// The operands of a node, in order of evaluation.
///
/// An iterator of our own: all that looks at expressions goes through it, and one of the standard library, over a list of options, is
/// dozens of calls for each node where nothing is optimised, as in a macro.
#[derive(Clone, Debug)]
pub struct Operands {
    list: [NodeId; 3],
    at: u8,
    len: u8,
}

impl Iterator for Operands {
    type Item = NodeId;

    fn next(&mut self) -> Option<NodeId> {
        if self.at == self.len {
            return None;
        }
        self.at += 1;
        Some(self.list[self.at as usize - 1])
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = (self.len - self.at) as usize;
        (left, Some(left))
    }
}

/// An arena of nodes in which equal nodes are one node.
#[derive(Clone, Debug, Default)]
pub struct Nodes {
    list: Vec<(Node, ScalarType)>,
    // Only looked up in, never walked: no order can come from it.
    known: crate::hashed::HashMap<(Node, ScalarType), NodeId>,
    /// Where loads were first asked for.
    origins: crate::hashed::HashMap<NodeId, Origin>,
    /// Is a sum with a product made one operation?
    pub(super) contracts: bool,
    /// Does a promise about a number stay, so that a text can check it?
    pub(super) keeps_promises: bool,
}

/// What walks over nodes need, kept from one to the next.
#[derive(Default)]
struct Walk {
    stack: Vec<(NodeId, bool)>,
    /// The number of the last walk that came to each node: a set that is emptied by a new number.
    seen: Vec<u32>,
    number: u32,
}

thread_local! {
    static WALK: Cell<Walk> = const { Cell::new(Walk { stack: Vec::new(), seen: Vec::new(), number: 0 }) };
}

impl Walk {
    /// A walk over nodes with numbers below `nodes`.
    fn begin(&mut self, nodes: usize) {
        self.stack.clear();
        if self.seen.len() < nodes {
            self.seen.resize(nodes, 0);
        }
        self.number = self.number.wrapping_add(1);
        if self.number == 0 {
            self.seen.fill(0);
            self.number = 1;
        }
    }

    /// Does the walk come to a node for the first time?
    fn is_new(&mut self, id: NodeId) -> bool {
        let seen = &mut self.seen[id.0 as usize];
        let is_new = *seen != self.number;
        *seen = self.number;
        is_new
    }
}

impl Nodes {
    /// The node, found or added, as it is.
    pub fn add(&mut self, node: Node, ty: ScalarType) -> NodeId {
        *self.known.entry((node, ty)).or_insert_with(|| {
            self.list.push((node, ty));
            NodeId(self.list.len() as u32 - 1)
        })
    }

    /// From now on `a * b + c`, `a * b - c` and `c - a * b` of floats are made one operation with one
    /// rounding, or no more.
    pub fn contract(&mut self, contracts: bool) {
        self.contracts = contracts;
    }

    /// From now on a promise stays where what it is about becomes a number.
    #[doc(hidden)]
    pub fn keep_promises(&mut self) {
        self.keeps_promises = true;
    }

    /// Does a promise stay where what it is about becomes a number?
    #[doc(hidden)]
    pub fn keeps_promises(&self) -> bool {
        self.keeps_promises
    }

    /// Remembers where a load was asked for; the first place counts.
    pub fn place(&mut self, id: NodeId, origin: Origin) {
        self.origins.entry(id).or_insert(origin);
    }

    /// Where a load was first asked for.
    pub fn origin(&self, id: NodeId) -> Origin {
        self.origins.get(&id).copied().unwrap_or_default()
    }

    /// A node; an id of another table is an internal error.
    pub fn node(&self, id: NodeId) -> Node {
        self.entry(id).0
    }

    /// The type of a node.
    pub fn ty(&self, id: NodeId) -> ScalarType {
        self.entry(id).1
    }

    fn entry(&self, id: NodeId) -> &(Node, ScalarType) {
        match self.list.get(id.0 as usize) {
            Some(entry) => entry,
            None => internal::raise(format!("node {} is not in its table", id.0)),
        }
    }

    /// The value of a literal node.
    pub fn literal(&self, id: NodeId) -> Option<Literal> {
        match self.node(id) {
            Node::Literal(literal) => Some(literal),
            _ => None,
        }
    }

    /// A bound of an unsigned integer, as its expression has it: `min(x, 3)`, `x % 4`, a choice of two, and what is made of such.
    pub fn most(&self, id: NodeId) -> u64 {
        let ty = self.ty(id);
        if ty.class() != Class::Unsigned || ty.bits() == 64 {
            return u64::MAX;
        }
        let all = (1 << ty.bits()) - 1;
        // What might wrap can be anything.
        let whole = |most: Option<u64>| most.filter(|most| *most <= all).unwrap_or(all);
        match self.node(id) {
            Node::Literal(literal) => literal.bits(),
            Node::Binary {
                op: BinaryOp::Add,
                left,
                right,
                ..
            } => whole(self.most(left).checked_add(self.most(right))),
            Node::Binary {
                op: BinaryOp::Mul,
                left,
                right,
                ..
            } => whole(self.most(left).checked_mul(self.most(right))),
            // `n - (n - k)` is `k`.
            Node::Binary {
                op: BinaryOp::Sub,
                left,
                right,
                ..
            } => match self.node(right) {
                Node::Binary {
                    op: BinaryOp::Sub,
                    left: whole,
                    right: kept,
                    ..
                } if whole == left => self.most(kept),
                _ => all,
            },
            Node::Binary {
                op: BinaryOp::Min,
                left,
                right,
                ..
            } => self.most(left).min(self.most(right)),
            Node::Binary {
                op: BinaryOp::Rem,
                left,
                right,
                ..
            } => match self.literal(right).map(Literal::bits) {
                Some(divisor) if divisor > 0 => self.most(left).min(divisor - 1),
                _ => all,
            },
            Node::Select {
                then, otherwise, ..
            } => self.most(then).max(self.most(otherwise)),
            _ => all,
        }
    }

    /// A comparison of two integers as `x < y`, and whether it is the opposite of that.
    pub fn as_below(&self, condition: NodeId) -> Option<((NodeId, NodeId), bool)> {
        let Node::Binary {
            op, left, right, ..
        } = self.node(condition)
        else {
            return None;
        };
        if !self.ty(left).is_integer() {
            return None;
        }
        match op {
            BinaryOp::Lt => Some(((left, right), false)),
            BinaryOp::Gt => Some(((right, left), false)),
            BinaryOp::Ge => Some(((left, right), true)),
            BinaryOp::Le => Some(((right, left), true)),
            _ => None,
        }
    }

    /// A literal node.
    pub fn add_literal(&mut self, literal: Literal) -> NodeId {
        self.add(Node::Literal(literal), literal.ty())
    }

    /// The nodes of these expressions, each once, operands before their users, in an order that
    /// does not depend on their numbers; `skip` leaves out a node with what is below it.
    pub fn post_order(&self, roots: &[NodeId], skip: impl Fn(NodeId) -> bool) -> Vec<NodeId> {
        self.in_order(roots, &skip)
    }

    fn in_order(&self, roots: &[NodeId], skip: &dyn Fn(NodeId) -> bool) -> Vec<NodeId> {
        // Another walk inside of `skip` takes tables of its own.
        let mut walk = WALK.take();
        walk.begin(self.list.len());
        // A stack of our own: expressions may be deeper than the thread's stack.
        let mut root = roots.len();
        while root > 0 {
            root -= 1;
            walk.stack.push((roots[root], false));
        }
        // Most expressions are small.
        let mut order = Vec::with_capacity(16);
        while let Some((id, done)) = walk.stack.pop() {
            if done {
                order.push(id);
            } else if !skip(id) && walk.is_new(id) {
                let Operands { list, len, .. } = self.entry(id).0.operands();
                if len == 0 {
                    order.push(id);
                    continue;
                }
                walk.stack.push((id, true));
                let mut operand = len as usize;
                while operand > 0 {
                    operand -= 1;
                    walk.stack.push((list[operand], false));
                }
            }
        }
        WALK.set(walk);
        order
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// All node ids, operands before their users.
    pub fn ids(&self) -> impl Iterator<Item = NodeId> + use<> {
        self.ids_from(0)
    }

    /// The ids of the nodes that were added after the first `first`.
    #[doc(hidden)]
    pub fn ids_from(&self, first: usize) -> impl Iterator<Item = NodeId> + use<> {
        (first as u32..self.list.len() as u32).map(NodeId)
    }
}
