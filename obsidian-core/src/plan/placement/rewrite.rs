//! Puts arrays over others, as [`stage`](super::stage) has found them to fit.
//!
//! Before: a physical kernel, for some of its arrays the one that they overwrite, and the copies of
//! their stages. After: the same kernel where each of them is the array that it overwrites, which is
//! needed as long as all of them together. Copies are left out: a store is gone if its value is one, and
//! stands under a condition if an arm of its value is one.

use super::stage::{Copies, MOST_CHOICES};
use crate::ir::{Kernel, Physical, Statement};
use crate::ordered::Map;
use crate::plan::analysis::Liveness;
use crate::scalar::{ArrayId, BinaryOp, Node, NodeId, Nodes, UnaryOp};

/// What overwrites what: for an array the one whose place it gets, and the copies of its stage.
pub(super) type Over = Map<ArrayId, (ArrayId, Copies)>;

/// The array whose place an array gets in the end.
pub(super) fn root(over: &Over, mut array: ArrayId) -> ArrayId {
    while let Some((other, _)) = over.get(&array) {
        array = *other;
    }
    array
}

/// The kernel and its lifetimes with arrays over others.
pub(super) fn rewritten(
    mut kernel: Kernel<Physical>,
    mut lives: Liveness,
    over: &Over,
) -> (Kernel<Physical>, Liveness) {
    let body = std::mem::take(&mut kernel.body);
    let body = without_copies(&mut kernel.tables.nodes, body, over);
    let mut pass = Pass {
        new: Vec::new(),
        over,
    };
    pass.loads(&mut kernel.tables.nodes);
    kernel.body = pass.list(body);
    for array in over.keys() {
        let (Some(gone), Some(kept)) = (
            lives.lives.remove(array),
            lives.lives.get_mut(&root(over, *array)),
        ) else {
            continue;
        };
        kept.range.first = kept.range.first.min(gone.range.first);
        kept.range.last = kept.range.last.max(gone.range.last);
    }
    (kernel, lives)
}

/// The list without copies, and without loops and branches in which nothing is left.
fn without_copies(
    nodes: &mut Nodes,
    list: Vec<Statement<Physical>>,
    over: &Over,
) -> Vec<Statement<Physical>> {
    let mut result = Vec::with_capacity(list.len());
    for mut statement in list {
        if let Statement::Store {
            array,
            index,
            value,
            ..
        } = &statement
            && let Some((_, copies)) = over.get(array)
            && !copies.is_empty()
        {
            let kept = Kept::of(nodes, copies, *index, *value, 0);
            kept.stores(nodes, statement, &mut result);
            continue;
        }
        let was_idle = statement.lists().into_iter().all(|list| is_idle(list));
        for inner in statement.lists_mut() {
            *inner = without_copies(nodes, std::mem::take(inner), over);
        }
        let is_while = statement.evaluates_behind_its_head();
        if was_idle || is_while || !statement.lists().into_iter().all(|list| is_idle(list)) {
            result.push(statement);
        }
    }
    result
}

/// Does a list nothing but name values?
fn is_idle(list: &[Statement<Physical>]) -> bool {
    list.iter()
        .all(|s| matches!(s, Statement::Let { .. } | Statement::Get { .. }))
}

/// What is left of a stored value.
enum Kept {
    Nothing,
    All,
    /// Under a condition that holds, or does not.
    Under(NodeId, bool, NodeId, Box<Kept>),
    /// Something in both arms.
    Both(NodeId, [(NodeId, Box<Kept>); 2]),
}

impl Kept {
    fn of(nodes: &Nodes, copies: &Copies, index: NodeId, value: NodeId, choices: u32) -> Kept {
        if copies.contains(&(index, value)) {
            return Kept::Nothing;
        }
        let Node::Select {
            condition,
            then,
            otherwise,
        } = nodes.node(value)
        else {
            return Kept::All;
        };
        if choices >= MOST_CHOICES {
            return Kept::All;
        }
        let [one, other] =
            [then, otherwise].map(|arm| Kept::of(nodes, copies, index, arm, choices + 1));
        match (one, other) {
            (Kept::Nothing, Kept::Nothing) => Kept::Nothing,
            (Kept::All, Kept::All) => Kept::All,
            (Kept::Nothing, kept) => Kept::Under(condition, false, otherwise, Box::new(kept)),
            (kept, Kept::Nothing) => Kept::Under(condition, true, then, Box::new(kept)),
            (one, other) => Kept::Both(
                condition,
                [(then, Box::new(one)), (otherwise, Box::new(other))],
            ),
        }
    }

    /// The stores that are left of one, behind others.
    fn stores(
        self,
        nodes: &mut Nodes,
        store: Statement<Physical>,
        result: &mut Vec<Statement<Physical>>,
    ) {
        let arm = |arm: NodeId| {
            let mut store = store.clone();
            if let Statement::Store { value, .. } = &mut store {
                *value = arm;
            }
            store
        };
        match self {
            Kept::Nothing => {}
            Kept::All => result.push(store),
            Kept::Under(condition, holds, value, kept) => {
                let condition = if holds {
                    condition
                } else {
                    opposite(nodes, condition)
                };
                let mut then = Vec::new();
                kept.stores(nodes, arm(value), &mut then);
                result.push(Statement::If {
                    condition,
                    then,
                    otherwise: Vec::new(),
                });
            }
            Kept::Both(condition, [(one, kept), (other, kept_too)]) => {
                let (mut then, mut otherwise) = (Vec::new(), Vec::new());
                kept.stores(nodes, arm(one), &mut then);
                kept_too.stores(nodes, arm(other), &mut otherwise);
                result.push(Statement::If {
                    condition,
                    then,
                    otherwise,
                });
            }
        }
    }
}

/// The opposite of a condition: of a comparison of integers, another one.
pub(super) fn opposite(nodes: &mut Nodes, condition: NodeId) -> NodeId {
    if let Node::Binary {
        op, left, right, ..
    } = nodes.node(condition)
        && nodes.ty(left).is_integer()
    {
        let other = match op {
            BinaryOp::Lt => Some(BinaryOp::Ge),
            BinaryOp::Ge => Some(BinaryOp::Lt),
            BinaryOp::Gt => Some(BinaryOp::Le),
            BinaryOp::Le => Some(BinaryOp::Gt),
            BinaryOp::Eq => Some(BinaryOp::Ne),
            BinaryOp::Ne => Some(BinaryOp::Eq),
            _ => None,
        };
        if let Some(other) = other {
            return nodes.binary(other, left, right);
        }
    }
    nodes.unary(UnaryOp::Not, condition)
}

struct Pass<'o> {
    /// What each node has become, by number.
    new: Vec<NodeId>,
    over: &'o Over,
}

impl Pass<'_> {
    /// Loads of the arrays that are left. Operands have lower numbers than what is made of them.
    fn loads(&mut self, nodes: &mut Nodes) {
        let all: Vec<NodeId> = nodes.ids().collect();
        for id in all {
            let same = nodes
                .node(id)
                .operands()
                .all(|operand| self.node(operand) == operand);
            let new = match nodes.node(id) {
                Node::Load { array, index } if self.over.contains_key(&array) => {
                    let load = Node::Load {
                        array: root(self.over, array),
                        index: self.node(index),
                    };
                    let (ty, origin) = (nodes.ty(id), nodes.origin(id));
                    let load = nodes.add(load, ty);
                    nodes.place(load, origin);
                    load
                }
                _ if same => id,
                node => {
                    let ty = nodes.ty(id);
                    nodes.add(self.with_operands(node), ty)
                }
            };
            self.new.push(new);
        }
    }

    /// A node of the operands that there are now. Nothing is folded: what the node gives stays bit for
    /// bit what it was.
    fn with_operands(&self, mut node: Node) -> Node {
        node.operands_mut(|operand| *operand = self.node(*operand));
        node
    }

    fn node(&self, id: NodeId) -> NodeId {
        self.new.get(id.index()).copied().unwrap_or(id)
    }

    fn list(&self, list: Vec<Statement<Physical>>) -> Vec<Statement<Physical>> {
        let mut result = Vec::with_capacity(list.len());
        for mut statement in list {
            let begun = statement.begins();
            if begun.is_some_and(|array| self.over.contains_key(&array)) {
                continue;
            }
            if let Some((array, _)) = statement.accessed_mut() {
                *array = root(self.over, *array);
            }
            for node in statement.nodes_mut() {
                *node = self.node(*node);
            }
            for inner in statement.lists_mut() {
                *inner = self.list(std::mem::take(inner));
            }
            result.push(statement);
        }
        result
    }
}
