//! The evaluation of expressions, in the order that every backend keeps.
//!
//! An operand is evaluated before what uses it; an arm of a `select` that the [`Evaluator`] calls lazy,
//! only where it is chosen, after the condition. A node is evaluated once in a statement where that can
//! be: a value that was made in front of a choice serves both arms, one that was made in an arm serves
//! nothing behind that arm. So a node that two arms use, and nothing before them, is evaluated in each.
//! `share` leaves such nodes only where they are cheap.
//!
//! The simulator makes operations on columns by it, the CPU backend Rust. In CUDA C++, `?:` is an
//! evaluator of this kind. Nothing here calls itself: an expression may be deeper than the stack.

use super::{Node, NodeId, Nodes};
use crate::hashed::HashMap;

/// Makes something of each node, in the order of evaluation.
pub trait Evaluator {
    /// What a node becomes: a place, or a text.
    type Value;

    /// The nodes of the kernel.
    fn nodes(&self) -> &Nodes;

    /// What is known of the present statement.
    fn known(&mut self) -> &mut Known<Self::Value>;

    /// What a node is made of: its operands, unless the evaluator takes some of them apart.
    fn operands(&self, id: NodeId) -> Vec<NodeId> {
        self.nodes().node(id).operands().collect()
    }

    /// Returns `true` if an arm has to be evaluated only where it is chosen.
    fn is_lazy(&self, arm: NodeId) -> bool;

    /// Makes the value of a node whose operands are known.
    fn evaluate(&mut self, id: NodeId) -> Self::Value;

    /// Begins the first arm of a choice whose condition is known.
    fn open(&mut self, choice: NodeId);

    /// Ends the first arm, whose value is known, and begins the other.
    fn turn(&mut self, choice: NodeId);

    /// Ends the other arm, whose value is known, and makes that of the choice.
    fn close(&mut self, choice: NodeId) -> Self::Value;
}

/// The values that are known at one place of a statement.
#[derive(Debug)]
pub struct Known<V> {
    values: HashMap<NodeId, V>,
    /// The nodes in the order in which they became known.
    order: Vec<NodeId>,
    /// For each arm around this place, how many were known in front of it.
    arms: Vec<usize>,
}

impl<V> Default for Known<V> {
    fn default() -> Self {
        Known {
            values: HashMap::default(),
            order: Vec::new(),
            arms: Vec::new(),
        }
    }
}

impl<V> Known<V> {
    /// The value of a node.
    pub fn get(&self, id: NodeId) -> Option<&V> {
        self.values.get(&id)
    }

    /// Forgets everything, for the next statement.
    pub fn clear(&mut self) {
        self.values.clear();
        self.order.clear();
        self.arms.clear();
    }

    /// How many lazy arms are around this place, one inside of the other.
    pub fn depth(&self) -> usize {
        self.arms.len()
    }

    fn add(&mut self, id: NodeId, value: V) {
        self.values.insert(id, value);
        self.order.push(id);
    }

    fn enter(&mut self) {
        self.arms.push(self.order.len());
    }

    fn leave(&mut self) {
        let before = self.arms.pop().unwrap_or(0);
        for id in self.order.drain(before..) {
            self.values.remove(&id);
        }
    }
}

/// What is left to do for a node.
enum Task {
    /// Evaluate its operands, then itself.
    Visit(NodeId),
    /// Its operands are known.
    Finish(NodeId),
    /// The condition of the choice is known.
    Open(NodeId),
    /// So is the first arm.
    Turn(NodeId),
    /// So is the other arm.
    Close(NodeId),
}

/// Evaluates a node, unless it is known.
pub fn evaluate<E: Evaluator>(evaluator: &mut E, root: NodeId) {
    let mut tasks = vec![Task::Visit(root)];
    while let Some(task) = tasks.pop() {
        match task {
            Task::Visit(id) | Task::Finish(id) | Task::Open(id)
                if evaluator.known().get(id).is_some() => {}
            Task::Visit(id) => {
                let lazy = lazy_arms(evaluator, id);
                let operands = evaluator.operands(id);
                let now = operands.into_iter().filter(|id| !lazy.contains(id));
                tasks.push(if lazy.is_empty() {
                    Task::Finish(id)
                } else {
                    Task::Open(id)
                });
                let first = tasks.len();
                tasks.extend(now.map(Task::Visit));
                tasks[first..].reverse();
            }
            Task::Finish(id) => {
                let value = evaluator.evaluate(id);
                evaluator.known().add(id, value);
            }
            Task::Open(id) => {
                let [then, _] = arms(evaluator, id);
                evaluator.open(id);
                evaluator.known().enter();
                tasks.extend([Task::Turn(id), Task::Visit(then)]);
            }
            Task::Turn(id) => {
                let [_, otherwise] = arms(evaluator, id);
                evaluator.turn(id);
                evaluator.known().leave();
                evaluator.known().enter();
                tasks.extend([Task::Close(id), Task::Visit(otherwise)]);
            }
            Task::Close(id) => {
                let value = evaluator.close(id);
                evaluator.known().leave();
                evaluator.known().add(id, value);
            }
        }
    }
}

/// The arms of a choice; of any other node, the node itself.
fn arms(evaluator: &impl Evaluator, id: NodeId) -> [NodeId; 2] {
    match evaluator.nodes().node(id) {
        Node::Select {
            then, otherwise, ..
        } => [then, otherwise],
        _ => [id; 2],
    }
}

/// The arms that are evaluated only where they are chosen. One that is the condition as well is known by
/// then.
fn lazy_arms(evaluator: &impl Evaluator, id: NodeId) -> Vec<NodeId> {
    let Node::Select { condition, .. } = evaluator.nodes().node(id) else {
        return Vec::new();
    };
    let arms = arms(evaluator, id).into_iter();
    arms.filter(|arm| *arm != condition && evaluator.is_lazy(*arm))
        .collect()
}
