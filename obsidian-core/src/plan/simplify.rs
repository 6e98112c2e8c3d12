//! Folds what is known where a statement stands.
//!
//! Before and after: a physical kernel with its barriers. After it
//!
//! - a name for a thread's index, a number or another name is replaced by that, also the counter of
//!   a loop of one round;
//! - index arithmetic has no terms that cancel (`x - c + c`, `7 - (7 - x)`), and quotients,
//!   remainders, `min`, `max` and comparisons that the ranges of their operands decide are gone;
//! - an index of a global array is a sum of leaves where it can be, not of names for sums;
//! - nothing asks again what a condition around it has decided: not an `If`, not a `select`.
//!
//! *Argument.* A range holds of a node's value wherever the value is used: of a counter by its loop's
//! bounds, of an index by the number of threads, of an operand behind a comparison by the comparison.
//! Exact arithmetic is in the range of a `u32` wherever it is used. Conditions are made of values that
//! do not change while they are in scope, so what held on the way to a statement holds there.
//!
//! *Low bits.* Where a range says nothing, a sum may still not wrap: `x * 4096 + t` with `t` at most 255 is
//! at most 255 modulo 4096, however the product wraps, so 3,840 more stay below the next multiple of 4096,
//! of which 2^32 is one.
//!
//! *Limits.* Ranges are of `u32` values, intervals without strides. A pass looks at no more than
//! [`MOST_NODES`] nodes, of a choice inside of [`MOST_CHOICES`] others only the condition; what is left
//! stays as it is.
//!
//! Only `wide` comes after it: all others want each loop, and each iteration's name, where `virtualise` has
//! put them.

mod ranges;
mod sums;

use crate::hashed::HashMap;

use crate::ir::{Kernel, Physical, Statement};
use crate::ordered::Set;
use crate::scalar::{
    Array, ArrayId, ArrayPlace, BinaryOp, Literal, Node, NodeId, Nodes, ScalarType, UnaryOp,
    VariableId,
};
use ranges::{Known, Range};

/// Nodes that one run looks at.
const MOST_NODES: u32 = 400_000;
/// Choices around one in whose arms the condition is known.
const MOST_CHOICES: u32 = 4;

/// Folds what is known.
pub fn simplify(mut kernel: Kernel<Physical>) -> Kernel<Physical> {
    let body = std::mem::take(&mut kernel.body);
    let mut pass = Pass {
        known: Known::new(kernel.threads),
        nodes: &mut kernel.tables.nodes,
        arrays: &kernel.tables.arrays,
        values: HashMap::default(),
        sums: HashMap::default(),
        divisible: HashMap::default(),
        left: MOST_NODES,
    };
    let mut body = pass.list(body);
    without_unused_names(&kernel.tables.nodes, &mut body, &mut Set::new());
    kernel.body = body;
    kernel
}

/// Takes out the names that nothing in their scope uses, from the end of a list to its beginning;
/// `used` is what the statements behind the list use of the names before it, and then what the list
/// does as well. Where a name is bound it is no longer in `used`: two scopes may have a name of one
/// variable, and each counts for itself.
pub(super) fn without_unused_names(
    nodes: &Nodes,
    list: &mut Vec<Statement<Physical>>,
    used: &mut Set<VariableId>,
) {
    let mut kept = Vec::with_capacity(list.len());
    for mut statement in std::mem::take(list).into_iter().rev() {
        let bound = statement.binds();
        let is_used = bound.is_none_or(|variable| used.remove(&variable));
        if statement.named().is_some() && !is_used {
            continue;
        }
        match &mut statement {
            // What the head binds is in scope in the body.
            Statement::While {
                head,
                condition,
                body,
            } => {
                without_unused_names(nodes, body, used);
                use_all(nodes, &[*condition], used);
                without_unused_names(nodes, head, used);
            }
            _ => {
                for inner in statement.lists_mut() {
                    without_unused_names(nodes, inner, used);
                }
                if let (Statement::Loop { .. }, Some(counter)) = (&statement, bound) {
                    used.remove(&counter);
                }
                use_all(nodes, &statement.nodes(), used);
            }
        }
        kept.push(statement);
    }
    kept.reverse();
    *list = kept;
}

fn use_all(nodes: &Nodes, roots: &[NodeId], used: &mut Set<VariableId>) {
    let parts = nodes.post_order(roots, |_| false).into_iter();
    used.extend(parts.filter_map(|id| nodes.node(id).variable()));
}

struct Pass<'k> {
    nodes: &'k mut Nodes,
    known: Known,
    arrays: &'k [Array],
    /// The leaves that variables stand for.
    values: HashMap<VariableId, NodeId>,
    /// The sums of leaves that variables stand for.
    sums: HashMap<VariableId, NodeId>,
    /// The other sums that variables stand for, of which quotients and remainders may be simpler.
    divisible: HashMap<VariableId, NodeId>,
    /// Nodes that may still be looked at.
    left: u32,
}

/// What expressions have become, under the conditions at hand.
type Memo = HashMap<NodeId, NodeId>;

impl Pass<'_> {
    fn list(&mut self, list: Vec<Statement<Physical>>) -> Vec<Statement<Physical>> {
        list.into_iter()
            .filter_map(|statement| self.statement(statement))
            .collect()
    }

    /// A list under a condition.
    fn under(
        &mut self,
        condition: NodeId,
        holds: bool,
        list: Vec<Statement<Physical>>,
    ) -> Vec<Statement<Physical>> {
        let mark = self.known.enter();
        self.known.assume(self.nodes, condition, holds);
        let list = self.list(list);
        self.known.leave(mark);
        list
    }

    fn statement(&mut self, mut statement: Statement<Physical>) -> Option<Statement<Physical>> {
        let mut memo = Memo::default();
        // What the head of a `while` binds is known only behind the head.
        let is_while = statement.evaluates_behind_its_head();
        for node in statement.nodes_mut().into_iter().filter(|_| !is_while) {
            *node = self.expression(*node, &mut memo, 0);
        }
        if let Some(variable) = statement.binds() {
            self.values.remove(&variable);
            self.sums.remove(&variable);
            self.divisible.remove(&variable);
            self.known.forget(variable);
        }
        if let Statement::Store { array, index, .. }
        | Statement::Read { array, index, .. }
        | Statement::Atomic { array, index, .. } = &mut statement
        {
            *index = self.address(*array, *index);
        }
        match statement {
            Statement::Let { variable, value } => {
                self.name(variable, value);
                Some(statement)
            }
            Statement::If {
                condition,
                then,
                otherwise,
            } => {
                let decided = self.nodes.literal(condition).map(Literal::bool);
                let (then, otherwise) = match decided {
                    Some(true) => (self.list(then), Vec::new()),
                    Some(false) => (Vec::new(), self.list(otherwise)),
                    None => (
                        self.under(condition, true, then),
                        self.under(condition, false, otherwise),
                    ),
                };
                let nothing = then.is_empty() && otherwise.is_empty();
                (!nothing).then_some(Statement::If {
                    condition,
                    then,
                    otherwise,
                })
            }
            Statement::While {
                head,
                condition,
                body,
            } => {
                let head = self.list(head);
                let condition = self.expression(condition, &mut Memo::default(), 0);
                Some(Statement::While {
                    head,
                    condition,
                    body: self.under(condition, true, body),
                })
            }
            Statement::Loop {
                kind,
                unroll,
                counter,
                bounds,
                body,
            } => {
                let body = self.rounds(counter, bounds, body)?;
                Some(Statement::Loop {
                    kind,
                    unroll,
                    counter,
                    bounds,
                    body,
                })
            }
            other => Some(other),
        }
    }

    /// The body of a loop; `None` if it has no round.
    fn rounds(
        &mut self,
        counter: VariableId,
        [start, end, step]: [NodeId; 3],
        body: Vec<Statement<Physical>>,
    ) -> Option<Vec<Statement<Physical>>> {
        let [first, last, by] = [start, end, step].map(|node| self.known.range(self.nodes, node));
        if first.low >= last.high {
            return None;
        }
        let once = first.high < last.low && first.low + by.low >= last.high;
        let mark = self.known.enter();
        if once {
            self.name(counter, start);
        } else {
            let range = Range::new(first.low, last.high - 1);
            self.known.bind(counter, range);
            let variable = self.nodes.add(Node::Variable(counter), ScalarType::U32);
            let below = self.nodes.binary(BinaryOp::Lt, variable, end);
            self.known.assume(self.nodes, below, true);
        }
        let body = self.list(body);
        self.known.leave(mark);
        Some(body)
    }

    /// Is there a load in an expression? It may not be repeated further on, where another array may lie in
    /// the place of the one that it loads.
    fn loads(&self, value: NodeId) -> bool {
        let all = self.nodes.post_order(&[value], |_| false);
        let is_load = |id: NodeId| self.nodes.node(id).is_load();
        all.into_iter().any(is_load)
    }

    /// A variable has a value.
    fn name(&mut self, variable: VariableId, value: NodeId) {
        if self.nodes.node(value).is_leaf() {
            self.values.insert(variable, value);
        } else if sums::is_of_leaves(self, value) {
            self.sums.insert(variable, value);
        } else if let Node::Binary {
            op: BinaryOp::Add, ..
        } = self.nodes.node(sums::without_promises(self.nodes, value).0)
            && !self.loads(value)
        {
            self.divisible.insert(variable, value);
        }
        self.known.name(self.nodes, variable, value);
    }

    /// An expression that stands in the arms of `choices` choices, one inside of the other.
    fn expression(&mut self, root: NodeId, memo: &mut Memo, choices: u32) -> NodeId {
        let mut stack = vec![(root, false)];
        while let Some((id, done)) = stack.pop() {
            if memo.contains_key(&id) {
                continue;
            }
            if !done {
                stack.push((id, true));
                stack.extend(self.looked_at(id, choices).map(|node| (node, false)));
                continue;
            }
            let new = match self.left {
                0 => id,
                _ => self.folded(id, memo, choices),
            };
            self.left = self.left.saturating_sub(1);
            memo.insert(id, new);
        }
        memo.get(&root).copied().unwrap_or(root)
    }

    /// The operands that are looked at before a node: not the arms of a choice, which are looked at
    /// under its condition.
    fn looked_at(&self, id: NodeId, choices: u32) -> impl Iterator<Item = NodeId> + use<> {
        let node = self.nodes.node(id);
        let only_first = node.is_choice() && choices < MOST_CHOICES;
        node.operands().take(if only_first { 1 } else { 3 })
    }

    /// A node whose operands have been looked at.
    fn folded(&mut self, id: NodeId, memo: &Memo, choices: u32) -> NodeId {
        let operand = |node: NodeId| memo.get(&node).copied().unwrap_or(node);
        match self.nodes.node(id) {
            Node::Variable(variable) => {
                let id = self.values.get(&variable).copied().unwrap_or(id);
                self.asked_already(id).unwrap_or(id)
            }
            Node::Select {
                condition,
                then,
                otherwise,
            } => {
                let condition = operand(condition);
                let decided = self.nodes.literal(condition).map(Literal::bool);
                match decided {
                    Some(holds) => {
                        self.arm(None, if holds { then } else { otherwise }, memo, choices)
                    }
                    None => {
                        let then = self.arm(Some((condition, true)), then, memo, choices);
                        let otherwise =
                            self.arm(Some((condition, false)), otherwise, memo, choices);
                        self.nodes.select(condition, then, otherwise)
                    }
                }
            }
            Node::Load { array, index } => {
                let index = self.address(array, operand(index));
                self.nodes.rebuild(id, |_, _| index)
            }
            _ => {
                let new = self.nodes.rebuild(id, |_, node| operand(node));
                self.decided(new)
            }
        }
    }

    /// An arm of a choice, under its condition unless that is known anyway.
    fn arm(
        &mut self,
        condition: Option<(NodeId, bool)>,
        arm: NodeId,
        memo: &Memo,
        choices: u32,
    ) -> NodeId {
        if choices >= MOST_CHOICES {
            return memo.get(&arm).copied().unwrap_or(arm);
        }
        let mark = self.known.enter();
        if let Some((condition, holds)) = condition {
            self.known.assume(self.nodes, condition, holds);
        }
        let arm = self.expression(arm, &mut Memo::default(), choices + 1);
        self.known.leave(mark);
        arm
    }

    /// An index, of a global array with the sums that names stand for spelt out: an address has 64
    /// bits and a name 32, so the compiler sees how far two are apart only where no name hides it.
    fn address(&mut self, array: ArrayId, index: NodeId) -> NodeId {
        let known = self.arrays.get(array.0 as usize);
        match known.map(|array| array.place) {
            Some(ArrayPlace::Global(_)) => sums::spelt_out(self, index),
            _ => index,
        }
    }

    /// What a condition is known to be, as a literal.
    fn asked_already(&mut self, id: NodeId) -> Option<NodeId> {
        let holds = self.known.holds(self.nodes, id)?;
        Some(self.nodes.add_literal(Literal::from(holds)))
    }

    /// An operator, if what is known does not decide it.
    fn decided(&mut self, id: NodeId) -> NodeId {
        if let Some(decided) = self.asked_already(id).or_else(|| self.choice(id)) {
            return decided;
        }
        let Node::Binary {
            op, left, right, ..
        } = self.nodes.node(id)
        else {
            return id;
        };
        if self.nodes.ty(left) != ScalarType::U32 {
            return id;
        }
        let [x, y] = [left, right].map(|node| self.known.range(self.nodes, node));
        match op {
            BinaryOp::Min if x.high <= y.low => left,
            BinaryOp::Min if y.high <= x.low => right,
            BinaryOp::Max if x.low >= y.high => left,
            BinaryOp::Max if y.low >= x.high => right,
            BinaryOp::Add | BinaryOp::Sub => {
                let id = self.exact(id);
                sums::without_terms_that_cancel(self, id)
            }
            BinaryOp::Mul => self.exact(id),
            BinaryOp::Div | BinaryOp::Rem => sums::divided(self, id).unwrap_or(id),
            _ => id,
        }
    }
}

impl Pass<'_> {
    /// A comparison with a choice between two numbers, if it is decided for each: it is the
    /// condition of the choice then, or the opposite.
    fn choice(&mut self, id: NodeId) -> Option<NodeId> {
        let Node::Binary {
            op, left, right, ..
        } = self.nodes.node(id)
        else {
            return None;
        };
        if !op.is_comparison() || self.nodes.ty(left) != ScalarType::U32 {
            return None;
        }
        let choice = [left, right]
            .into_iter()
            .find(|side| self.nodes.node(*side).is_choice())?;
        let Node::Select {
            condition,
            then,
            otherwise,
        } = self.nodes.node(choice)
        else {
            return None;
        };
        let mut of = |holds: bool, arm: NodeId| {
            let mark = self.known.enter();
            self.known.assume(self.nodes, condition, holds);
            let side = |side: NodeId| if side == choice { arm } else { side };
            let compared = self.nodes.binary(op, side(left), side(right));
            let known = self.nodes.literal(compared).map(Literal::bool);
            let known = known.or_else(|| self.known.holds(self.nodes, compared));
            self.known.leave(mark);
            known
        };
        match (of(true, then)?, of(false, otherwise)?) {
            (true, false) => Some(condition),
            (false, true) => Some(self.nodes.unary(UnaryOp::Not, condition)),
            (same, _) => Some(self.nodes.add_literal(Literal::from(same))),
        }
    }

    /// Arithmetic of the user that cannot wrap is marked exact, as that of the library is.
    fn exact(&mut self, id: NodeId) -> NodeId {
        match self.nodes.node(id) {
            Node::Binary {
                op,
                exact: false,
                left,
                right,
            } if is_exact(&mut self.known, self.nodes, id) => self.nodes.exact(op, left, right),
            _ => id,
        }
    }
}

/// Is an operation of `u32` sure not to wrap where its value is used?
fn is_exact(known: &mut Known, nodes: &Nodes, id: NodeId) -> bool {
    let Node::Binary {
        op,
        exact,
        left,
        right,
    } = nodes.node(id)
    else {
        return false;
    };
    if exact || nodes.ty(id) != ScalarType::U32 {
        return exact;
    }
    let [x, y] = [left, right].map(|node| known.range(nodes, node));
    match op {
        BinaryOp::Add => known.adds_up(nodes, left, right),
        BinaryOp::Mul => x.high * y.high <= Range::TOP,
        BinaryOp::Sub => x.low >= y.high,
        _ => false,
    }
}

#[cfg(test)]
mod tests;
