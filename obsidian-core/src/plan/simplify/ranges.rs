//! The ranges of `u32` values, and the conditions that hold, at a point of a kernel.

use crate::hashed::HashMap;
use crate::scalar::{BinaryOp, Node, NodeId, Nodes, ScalarType, Special, UnaryOp, VariableId};

/// The least and the greatest value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Range {
    pub(super) low: u64,
    pub(super) high: u64,
}

impl Range {
    /// The greatest `u32`.
    pub(super) const TOP: u64 = u32::MAX as u64;
    const ALL: Range = Range {
        low: 0,
        high: Range::TOP,
    };

    pub(super) fn new(low: u64, high: u64) -> Range {
        Range { low, high }
    }

    fn only(value: u64) -> Range {
        Range::new(value, value)
    }

    /// What lies in both; the first where nothing does, as then nothing is executed.
    fn and(self, other: Range) -> Range {
        let both = Range::new(self.low.max(other.low), self.high.min(other.high));
        match both.low <= both.high {
            true => both,
            false => self,
        }
    }

    fn or(self, other: Range) -> Range {
        Range::new(self.low.min(other.low), self.high.max(other.high))
    }
}

/// The low bits of a value: modulo `2^bits` it is at most `high`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Low {
    bits: u32,
    high: u64,
}

impl Low {
    /// A value that is at most `high`.
    fn at_most(high: u64) -> Low {
        Low { bits: 32, high }
    }

    /// A multiple of `2^bits`.
    fn multiple(bits: u32) -> Low {
        let bits = bits.min(32);
        Low { bits, high: 0 }
    }

    /// Returns `true` if adding what is at most `more` does not carry out of the low bits.
    fn has_room(self, more: u64) -> bool {
        self.high + more < 1 << self.bits
    }

    /// The sum. It may wrap: `2^bits` divides 2^32, so its low bits are those of the low bits' sum.
    fn and(self, other: Low) -> Option<Low> {
        let sum = Low {
            bits: self.bits.min(other.bits),
            high: self.high + other.high,
        };
        sum.has_room(0).then_some(sum)
    }

    /// The value times `2^n`.
    fn shifted(self, n: u32) -> Low {
        match self.bits + n <= 32 {
            true => Low {
                bits: self.bits + n,
                high: self.high << n,
            },
            false => Low::multiple(n),
        }
    }
}

/// What is known at a point.
pub(super) struct Known {
    threads: u64,
    variables: HashMap<VariableId, Range>,
    /// What is known of the low bits of variables, beside their ranges.
    low: HashMap<VariableId, Low>,
    /// The conditions that variables stand for.
    conditions: HashMap<VariableId, NodeId>,
    /// Conditions that hold, or do not.
    facts: Vec<(NodeId, bool)>,
    /// Ranges that comparisons give.
    bounds: Vec<(NodeId, Range)>,
}

/// A point to go back to.
pub(super) struct Mark {
    facts: usize,
    bounds: usize,
}

/// How deep the range of a node is looked for.
const MOST_DEPTH: u32 = 7;

impl Known {
    pub(super) fn new(threads: u32) -> Known {
        Known {
            threads: threads.into(),
            variables: HashMap::default(),
            low: HashMap::default(),
            conditions: HashMap::default(),
            facts: Vec::new(),
            bounds: Vec::new(),
        }
    }

    pub(super) fn enter(&self) -> Mark {
        Mark {
            facts: self.facts.len(),
            bounds: self.bounds.len(),
        }
    }

    /// Forgets the conditions since a mark.
    pub(super) fn leave(&mut self, mark: Mark) {
        self.facts.truncate(mark.facts);
        self.bounds.truncate(mark.bounds);
    }

    /// A variable has values in a range.
    pub(super) fn bind(&mut self, variable: VariableId, range: Range) {
        self.variables.insert(variable, range);
    }

    /// A variable is bound anew.
    pub(super) fn forget(&mut self, variable: VariableId) {
        self.variables.remove(&variable);
        self.low.remove(&variable);
        self.conditions.remove(&variable);
    }

    /// A variable stands for a value.
    pub(super) fn name(&mut self, nodes: &Nodes, variable: VariableId, value: NodeId) {
        self.conditions.insert(variable, value);
        if nodes.ty(value) == ScalarType::U32 {
            let range = self.range(nodes, value);
            self.bind(variable, range);
            self.low
                .insert(variable, self.low(nodes, value, MOST_DEPTH));
        }
    }

    /// Returns `true` if the sum of two values of type `u32` does not wrap: their ranges say so, or
    /// the one is so small that it does not carry out of the low bits of the other.
    pub(super) fn adds_up(&self, nodes: &Nodes, left: NodeId, right: NodeId) -> bool {
        let [x, y] = [left, right].map(|node| self.range(nodes, node).high);
        x + y <= Range::TOP
            || self.low(nodes, left, MOST_DEPTH).has_room(y)
            || self.low(nodes, right, MOST_DEPTH).has_room(x)
    }

    /// The low bits of a `u32`. Nothing is asked of the arithmetic: it may wrap.
    fn low(&self, nodes: &Nodes, id: NodeId, depth: u32) -> Low {
        let range = self.of(nodes, id, depth).high;
        if depth == 0 || range < Range::TOP {
            return Low::at_most(range);
        }
        let below = |id| self.low(nodes, id, depth - 1);
        let number = |id| nodes.literal(id).map(|n| n.bits());
        let known = match nodes.node(id) {
            Node::Variable(variable) => self.low.get(&variable).copied(),
            Node::Unary { op, value } if op.is_promise() => Some(below(value)),
            Node::Binary {
                op: BinaryOp::Add,
                left,
                right,
                ..
            } => below(left).and(below(right)),
            Node::Binary {
                op: BinaryOp::Mul,
                left,
                right,
                ..
            } => match (number(left), number(right)) {
                (_, Some(n)) => Some(times(below(left), n)),
                (Some(n), _) => Some(times(below(right), n)),
                _ => None,
            },
            Node::Binary {
                op: BinaryOp::Shl,
                left,
                right,
                ..
            } => number(right).map(|n| below(left).shifted(n as u32 % 32)),
            _ => None,
        };
        known.unwrap_or(Low::at_most(range))
    }

    /// A condition holds, or does not.
    pub(super) fn assume(&mut self, nodes: &Nodes, condition: NodeId, holds: bool) {
        // A stack of our own: as many conditions may be put together as a kernel has expressions.
        let mut stack = vec![(condition, holds)];
        while let Some((condition, holds)) = stack.pop() {
            self.facts.push((condition, holds));
            match nodes.node(condition) {
                Node::Variable(variable) => {
                    let value = self.conditions.get(&variable);
                    stack.extend(value.map(|value| (*value, holds)));
                }
                Node::Unary {
                    op: UnaryOp::Not,
                    value,
                } => stack.push((value, !holds)),
                Node::Binary {
                    op, left, right, ..
                } => match (op, holds) {
                    (BinaryOp::And, true) | (BinaryOp::Or, false) => {
                        stack.extend([(right, holds), (left, holds)]);
                    }
                    _ if op.is_comparison() && nodes.ty(left) == ScalarType::U32 => {
                        self.compare(nodes, op, (left, right), holds);
                    }
                    _ => {}
                },
                _ => {}
            }
        }
    }

    fn compare(
        &mut self,
        nodes: &Nodes,
        op: BinaryOp,
        (left, right): (NodeId, NodeId),
        holds: bool,
    ) {
        use BinaryOp::*;
        let (x, y) = (self.range(nodes, left), self.range(nodes, right));
        // `below` is less than `above` by at least `by`.
        let (below, above, by) = match (op, holds) {
            (Lt, true) | (Ge, false) => (left, right, 1),
            (Le, true) | (Gt, false) => (left, right, 0),
            (Gt, true) | (Le, false) => (right, left, 1),
            (Ge, true) | (Lt, false) => (right, left, 0),
            (Eq, true) | (Ne, false) => {
                self.bounds.extend([(left, y), (right, x)]);
                return;
            }
            _ => return,
        };
        let (low, high) = match below == left {
            true => (x, y),
            false => (y, x),
        };
        if high.high >= by {
            self.bounds.push((below, Range::new(0, high.high - by)));
            self.bounds
                .push((above, Range::new(low.low + by, Range::TOP)));
        }
    }

    /// Is a condition known to hold, or not to?
    pub(super) fn holds(&self, nodes: &Nodes, condition: NodeId) -> Option<bool> {
        if nodes.ty(condition) != ScalarType::Bool || nodes.literal(condition).is_some() {
            return None;
        }
        let asked = nodes.as_below(condition);
        let known = |(fact, holds): &(NodeId, bool)| match (nodes.as_below(*fact), asked) {
            _ if *fact == condition => Some(*holds),
            (Some((known, turned)), Some((asked, other))) if known == asked => {
                Some(*holds ^ turned ^ other)
            }
            _ => None,
        };
        if let Some(holds) = self.facts.iter().rev().find_map(known) {
            return Some(holds);
        }
        let Node::Binary {
            op, left, right, ..
        } = nodes.node(condition)
        else {
            return None;
        };
        if !op.is_comparison() || nodes.ty(left) != ScalarType::U32 {
            return None;
        }
        let (x, y) = (self.range(nodes, left), self.range(nodes, right));
        let less = |x: Range, y: Range| match (x.high < y.low, x.low >= y.high) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        };
        match op {
            _ if left == right => Some(matches!(op, BinaryOp::Eq | BinaryOp::Le | BinaryOp::Ge)),
            BinaryOp::Lt => less(x, y),
            BinaryOp::Ge => less(x, y).map(|holds| !holds),
            BinaryOp::Gt => less(y, x),
            BinaryOp::Le => less(y, x).map(|holds| !holds),
            BinaryOp::Eq | BinaryOp::Ne => {
                let apart = x.high < y.low || y.high < x.low;
                let same = x == y && x.low == x.high;
                (apart || same).then_some(same == (op == BinaryOp::Eq))
            }
            _ => None,
        }
    }

    /// The range of a value of type `u32`; of other types, nothing.
    pub(super) fn range(&self, nodes: &Nodes, id: NodeId) -> Range {
        self.of(nodes, id, MOST_DEPTH)
    }

    fn of(&self, nodes: &Nodes, id: NodeId, depth: u32) -> Range {
        let own = self.own(nodes, id, depth);
        let bounds = self.bounds.iter().filter(|(node, _)| *node == id);
        bounds.fold(own, |range, (_, bound)| range.and(*bound))
    }

    fn own(&self, nodes: &Nodes, id: NodeId, depth: u32) -> Range {
        if depth == 0 || nodes.ty(id) != ScalarType::U32 {
            return Range::ALL;
        }
        match nodes.node(id) {
            Node::Literal(literal) => Range::only(literal.u32().into()),
            Node::Variable(variable) => {
                let known = self.variables.get(&variable);
                known.copied().unwrap_or(Range::ALL)
            }
            Node::Special(special) => self.special(special),
            Node::Unary { op, value } => match op {
                op if op.is_promise() => self.of(nodes, value, depth - 1),
                UnaryOp::CountOnes | UnaryOp::LeadingZeros | UnaryOp::TrailingZeros => {
                    Range::new(0, 32)
                }
                _ => Range::ALL,
            },
            Node::Cast { value } => match nodes.ty(value).range() {
                Some((0, most)) => {
                    u32::try_from(most).map_or(Range::ALL, |most| Range::new(0, most.into()))
                }
                _ => Range::ALL,
            },
            Node::Select {
                then, otherwise, ..
            } => self
                .of(nodes, then, depth - 1)
                .or(self.of(nodes, otherwise, depth - 1)),
            Node::Binary {
                op,
                exact,
                left,
                right,
            } if !op.is_comparison() => {
                let [x, y] = [left, right].map(|node| self.of(nodes, node, depth - 1));
                binary(op, exact, x, y)
            }
            _ => Range::ALL,
        }
    }

    fn special(&self, special: Special) -> Range {
        let below = |n: u64| Range::new(0, n.max(1) - 1);
        match special {
            Special::ThreadIndex => below(self.threads),
            Special::WarpIndex => below(self.threads.div_ceil(u64::from(crate::ir::WARP))),
            Special::LaneIndex => below(self.threads.min(crate::ir::WARP.into())),
            Special::BlockIndex => Range::new(0, Range::TOP - 1),
            Special::GridSize => Range::new(1, Range::TOP),
            Special::Aligned => Range::ALL,
        }
    }
}

/// A value times a number.
fn times(low: Low, number: u64) -> Low {
    match number.is_power_of_two() {
        true => low.shifted(number.trailing_zeros()),
        false => Low::multiple(number.trailing_zeros()),
    }
}

/// The range of an operator's value. Exact arithmetic does not leave the range of a `u32`.
fn binary(op: BinaryOp, exact: bool, x: Range, y: Range) -> Range {
    use BinaryOp::*;
    let fits = |low: u64, high: u64| match (high <= Range::TOP, exact && low <= Range::TOP) {
        (true, _) => Range::new(low, high),
        (_, true) => Range::new(low, Range::TOP),
        _ => Range::ALL,
    };
    match op {
        Add => fits(x.low + y.low, x.high + y.high),
        Mul => fits(x.low * y.low, x.high * y.high),
        Sub if x.low >= y.high => Range::new(x.low - y.high, x.high - y.low),
        Sub if exact && x.high >= y.low => Range::new(x.low.saturating_sub(y.high), x.high - y.low),
        // By 0 the quotient is 0, and the remainder is the dividend.
        Div if y.low > 0 => Range::new(x.low / y.high, x.high / y.low),
        Div => Range::new(0, x.high),
        Rem if y.low > 0 => Range::new(0, x.high.min(y.high - 1)),
        Rem => Range::new(0, x.high),
        Min => Range::new(x.low.min(y.low), x.high.min(y.high)),
        Max => Range::new(x.low.max(y.low), x.high.max(y.high)),
        And => Range::new(0, x.high.min(y.high)),
        Or | Xor => Range::new(0, (x.high | y.high).next_power_of_two() * 2 - 1).and(Range::ALL),
        Shr if y.low == y.high => Range::new(x.low >> (y.low % 32), x.high >> (y.low % 32)),
        Shr => Range::new(0, x.high),
        Shl if y.low == y.high => {
            let n = y.low % 32;
            fits(x.low << n, x.high << n)
        }
        _ => Range::ALL,
    }
}
