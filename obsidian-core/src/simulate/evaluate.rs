//! Expressions, one thread at a time: a node is evaluated at most once a statement, and only if its value is needed.

use std::collections::HashMap;

use super::memory::{Memory, Who};
use super::{Counts, Fault, FaultKind};
use crate::scalar::{BinaryOp, Literal, Node, NodeId, ScalarType, Special, Tables, meaning};

/// One node, its operands as positions in the list.
struct Entry {
    node: Node,
    ty: ScalarType,
    operands: [usize; 3],
    count: usize,
}

/// All nodes of a kernel, and the values of those that were evaluated last.
pub(super) struct Evaluator {
    entries: Vec<Entry>,
    // Only looked up in, never walked.
    positions: HashMap<NodeId, usize>,
    values: Vec<u64>,
    /// The round in which the value was computed.
    known: Vec<u64>,
    round: u64,
    stack: Vec<usize>,
}

/// The thread that evaluates, and what it sees.
pub(super) struct View<'v, 'a> {
    pub(super) memory: &'v Memory<'a>,
    /// The thread's variables, by number.
    pub(super) variables: &'v [u64],
    pub(super) who: Who,
    pub(super) grid: u32,
    pub(super) counts: &'v mut Counts,
}

impl Evaluator {
    pub(super) fn new(tables: &Tables) -> Self {
        let nodes = &tables.nodes;
        let positions: HashMap<_, _> = nodes.ids().enumerate().map(|(n, id)| (id, n)).collect();
        let entry = |id: NodeId| {
            let (node, mut operands, mut count) = (nodes.node(id), [0; 3], 0);
            for operand in node.operands() {
                operands[count] = positions.get(&operand).copied().unwrap_or(0);
                count += 1;
            }
            Entry { node, ty: nodes.ty(id), operands, count }
        };
        let entries: Vec<_> = nodes.ids().map(entry).collect();
        let length = entries.len();
        Evaluator { entries, positions, values: vec![0; length], known: vec![0; length], round: 0, stack: Vec::new() }
    }

    /// A new statement, or another thread: nothing is known.
    pub(super) fn begin(&mut self) {
        self.round += 1;
    }

    /// The bits of a node's value.
    pub(super) fn value(&mut self, node: NodeId, view: &mut View<'_, '_>) -> Result<u64, Fault> {
        let Some(root) = self.positions.get(&node).copied() else { return Ok(0) };
        self.stack.push(root);
        while let Some(at) = self.stack.last().copied() {
            if self.known[at] != self.round {
                match self.missing(at) {
                    Some(operand) => {
                        self.stack.push(operand);
                        continue;
                    }
                    None => {
                        self.values[at] = self.compute(at, view).inspect_err(|_| self.stack.clear())?;
                        self.known[at] = self.round;
                    }
                }
            }
            self.stack.pop();
        }
        Ok(self.values[root])
    }

    /// An operand that has to be evaluated first. Of a select that is the condition, then the chosen arm.
    fn missing(&self, at: usize) -> Option<usize> {
        let entry = &self.entries[at];
        let unknown = |operand: &usize| self.known[*operand] != self.round;
        match entry.node {
            Node::Select { .. } => {
                let condition = entry.operands[0];
                if unknown(&condition) {
                    return Some(condition);
                }
                Some(self.chosen(at)).filter(unknown)
            }
            _ => entry.operands[..entry.count].iter().copied().find(unknown),
        }
    }

    fn chosen(&self, at: usize) -> usize {
        let [condition, then, otherwise] = self.entries[at].operands;
        if self.values[condition] != 0 { then } else { otherwise }
    }

    fn operand(&self, at: usize, n: usize) -> Literal {
        let operand = self.entries[at].operands[n];
        Literal::from_bits(self.entries[operand].ty, self.values[operand])
    }

    fn compute(&self, at: usize, view: &mut View<'_, '_>) -> Result<u64, Fault> {
        let entry = &self.entries[at];
        Ok(match entry.node {
            Node::Literal(literal) => literal.bits(),
            Node::Variable(variable) => view.variables.get(variable.0 as usize).copied().unwrap_or(0),
            Node::Length(array) => view.memory.length(array).into(),
            Node::Special(special) => self::special(special, view).into(),
            Node::Load { array, .. } => {
                view.counts.loads += 1;
                let origin = view.memory.arrays.get(array.0 as usize).map_or(view.who.origin, |a| a.origin);
                view.memory.load(array, self.operand(at, 0).u32(), Who { origin, ..view.who })?
            }
            Node::Unary { op, .. } => meaning::unary(op, self.operand(at, 0)).bits(),
            Node::Binary { op, exact, .. } => {
                let (left, right) = (self.operand(at, 0), self.operand(at, 1));
                let divides = matches!(op, BinaryOp::Div | BinaryOp::Rem);
                view.counts.zero_divisions += u64::from(divides && right.as_integer() == Some(0));
                if exact && !fits(op, left, right) {
                    return Err(inexact(op, left, right, view.who));
                }
                meaning::binary(op, left, right).bits()
            }
            Node::MulAdd { .. } => meaning::mul_add(self.operand(at, 0), self.operand(at, 1), self.operand(at, 2)).bits(),
            Node::Select { .. } => self.values[self.chosen(at)],
            Node::Cast { .. } => meaning::cast(entry.ty, self.operand(at, 0)).bits(),
            Node::Poison => 0,
        })
    }
}

fn special(special: Special, view: &View<'_, '_>) -> u32 {
    match special {
        Special::ThreadIndex => view.who.thread,
        Special::WarpIndex => view.who.thread / crate::ir::WARP,
        Special::LaneIndex => view.who.thread % crate::ir::WARP,
        Special::BlockIndex => view.who.block,
        Special::GridSize => view.grid,
    }
}

/// Is the result, as a number, a value of the type?
fn fits(op: BinaryOp, left: Literal, right: Literal) -> bool {
    let (Some(x), Some(y)) = (left.as_integer(), right.as_integer()) else { return true };
    let number = match op {
        BinaryOp::Add => x.checked_add(y),
        BinaryOp::Sub => x.checked_sub(y),
        BinaryOp::Mul => x.checked_mul(y),
        BinaryOp::Div => x.checked_div(y),
        BinaryOp::Rem => x.checked_rem(y),
        _ => Some(0),
    };
    number.is_some_and(|n| Literal::integer(left.ty(), n).is_some())
}

fn inexact(op: BinaryOp, left: Literal, right: Literal, who: Who) -> Fault {
    let message = format!("index arithmetic leaves its range: {left:?} {} {right:?}", op.name());
    Fault::new(FaultKind::Inexact, message)
        .with(|inner| (inner.block, inner.thread, inner.origin) = (who.block, Some(who.thread), who.origin))
}
