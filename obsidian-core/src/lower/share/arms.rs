//! Choices whose arms compute something twice become statements.
//!
//! Before: `x = select(c, f(a[i]) * f(a[i]), 0)`, where the load must not happen unless `c` holds,
//! so that `f(a[i])` has nowhere to be bound. After: a cell, an `if` that sets it in lists of their
//! own, and a `get`; in those lists it can be bound. Only where an arm has a load, and computes
//! something more than once, and only in programs of single threads, where cells can be. Other
//! choices stay expressions.
//!
//! It runs after a first round of sharing, which binds what it can without this, and before a last
//! one.

use std::collections::{BTreeMap, BTreeSet};

use super::MADE_ONCE;
use crate::ir::{Kernel, Level, Levelled, LevelledLoop, Stage};
use crate::scalar::{
    Literal, Node, NodeId, ScalarType, Tables, Variable, VariableId, VariableKind,
};

type Statement = crate::ir::Statement<Levelled>;

/// Turns such choices into statements; false if there are none.
///
/// `left` is how many more nodes are looked at; 0 if that was too few.
pub(super) fn arms(kernel: &mut Kernel<Levelled>, left: &mut usize) -> bool {
    let body = std::mem::take(&mut kernel.body);
    let mut arms = Arms {
        tables: &mut kernel.tables,
        changed: false,
        left,
    };
    kernel.body = arms.list(body, Level::Grid);
    arms.changed
}

struct Arms<'t> {
    tables: &'t mut Tables,
    changed: bool,
    left: &'t mut usize,
}

impl Arms<'_> {
    fn list(&mut self, list: Vec<Statement>, level: Level) -> Vec<Statement> {
        let mut result = Vec::with_capacity(list.len());
        for mut statement in list {
            // The condition of a `while` belongs behind its head.
            if level == Level::Thread && !matches!(statement, Statement::While { .. }) {
                self.split(&mut statement, &mut result);
            }
            let inside = match &statement {
                Statement::Loop { kind, .. } if !matches!(kind, LevelledLoop::Sequential(_)) => {
                    Levelled::inside(*kind)
                }
                Statement::Collective(..) => Level::Thread,
                _ => level,
            };
            for inner in statement.lists_mut() {
                *inner = self.list(std::mem::take(inner), inside);
            }
            result.push(statement);
        }
        result
    }

    /// Puts the choices of a statement in front of it.
    fn split(&mut self, statement: &mut Statement, result: &mut Vec<Statement>) {
        let choices = self.choices(&statement.nodes());
        if choices.is_empty() {
            return;
        }
        self.changed = true;
        let mut stands_for = BTreeMap::new();
        for choice in choices {
            let Node::Select {
                condition,
                then,
                otherwise,
            } = self.tables.nodes.node(choice)
            else {
                continue;
            };
            let ty = self.tables.nodes.ty(choice);
            let (cell, variable) = (
                self.variable(ty, VariableKind::Cell),
                self.variable(ty, VariableKind::Let),
            );
            let [condition, then, otherwise] =
                [condition, then, otherwise].map(|node| self.replace(node, &stands_for));
            let [then, otherwise] = self.in_front([then, otherwise], result);
            let zero = self.tables.nodes.add_literal(Literal::zero(ty));
            result.push(Statement::Declare { cell, value: zero });
            let [then, otherwise] = [then, otherwise]
                .map(|value| self.list(vec![Statement::Assign { cell, value }], Level::Thread));
            result.push(Statement::If {
                condition,
                then,
                otherwise,
            });
            result.push(Statement::Get { variable, cell });
            stands_for.insert(choice, self.tables.nodes.add(Node::Variable(variable), ty));
        }
        for node in statement.nodes_mut() {
            *node = self.replace(*node, &stands_for);
        }
    }

    /// Binds in front of a choice what both arms need in any case, if there are many choices in it:
    /// in the list of each arm it would be made again, and what it needs in each of its own.
    fn in_front(&mut self, arms: [NodeId; 2], result: &mut Vec<Statement>) -> [NodeId; 2] {
        let [first, second] = arms.map(|arm| self.certain(&[arm]));
        let both: BTreeSet<NodeId> = first.intersection(&second).copied().collect();
        if both.is_empty() {
            return arms;
        }
        let order = self.tables.nodes.post_order(&arms, |_| false);
        let choosing = self.choosing(&order);
        let is_one = |id: &NodeId| both.contains(id) && choosing.contains(id);
        let mut stands_for = BTreeMap::new();
        // Those that are part of no other.
        let mut inside = BTreeSet::new();
        for id in order.iter().rev().copied() {
            let part = inside.contains(&id);
            if part || is_one(&id) {
                inside.extend(self.tables.nodes.node(id).operands());
            }
            if part || !is_one(&id) {
                continue;
            }
            let ty = self.tables.nodes.ty(id);
            let variable = self.variable(ty, VariableKind::Let);
            let bound = Statement::Let {
                variable,
                value: id,
            };
            result.extend(self.list(vec![bound], Level::Thread));
            stands_for.insert(id, self.tables.nodes.add(Node::Variable(variable), ty));
        }
        arms.map(|arm| self.replace(arm, &stands_for))
    }

    /// Of nodes in order, those with so many choices one inside of the other that they are not made
    /// twice; counted are those with a load in them.
    fn choosing(&self, order: &[NodeId]) -> BTreeSet<NodeId> {
        let nodes = &self.tables.nodes;
        // The number of choices, for nodes that contain a load.
        let mut deep: BTreeMap<NodeId, u32> = BTreeMap::new();
        for &id in order {
            let node = nodes.node(id);
            let inside = node
                .operands()
                .filter_map(|part| deep.get(&part))
                .max()
                .copied();
            let own = match node {
                Node::Load { .. } => Some(inside.unwrap_or(0)),
                Node::Select { .. } => inside.map(|choices| choices + 1),
                _ => inside,
            };
            deep.extend(own.map(|choices| (id, choices)));
        }
        deep.retain(|_, choices| *choices >= MADE_ONCE);
        deep.into_keys().collect()
    }

    fn variable(&mut self, ty: ScalarType, kind: VariableKind) -> VariableId {
        self.tables.variables.push(Variable {
            name: None,
            ty,
            kind,
        });
        VariableId(self.tables.variables.len() as u32 - 1)
    }

    /// What is computed in any case.
    fn certain(&self, roots: &[NodeId]) -> BTreeSet<NodeId> {
        let nodes = &self.tables.nodes;
        let mut certain = BTreeSet::new();
        let mut open: Vec<NodeId> = roots.to_vec();
        while let Some(id) = open.pop() {
            if certain.insert(id) {
                match nodes.node(id) {
                    Node::Select { condition, .. } => open.push(condition),
                    node => open.extend(node.operands()),
                }
            }
        }
        certain
    }

    /// The choices that are made in any case and have an arm that computes something twice; inner
    /// ones first.
    fn choices(&mut self, roots: &[NodeId]) -> Vec<NodeId> {
        if *self.left == 0 {
            return Vec::new();
        }
        let nodes = &self.tables.nodes;
        let certain = self.certain(roots);
        let order = nodes.post_order(roots, |_| false);
        *self.left = self.left.saturating_sub(order.len());
        let is_one = |id: &NodeId| match nodes.node(*id) {
            Node::Select {
                then, otherwise, ..
            } => certain.contains(id) && (self.repeats(then) || self.repeats(otherwise)),
            _ => false,
        };
        order.into_iter().filter(is_one).collect()
    }

    /// Does an arm contain a load, and use something that depends on it more than once?
    fn repeats(&self, arm: NodeId) -> bool {
        let nodes = &self.tables.nodes;
        let mut loads = BTreeSet::new();
        let mut used = BTreeSet::new();
        for id in nodes.post_order(&[arm], |_| false) {
            let node = nodes.node(id);
            let depends =
                matches!(node, Node::Load { .. }) || node.operands().any(|o| loads.contains(&o));
            for operand in node.operands().filter(|o| loads.contains(o)) {
                if !used.insert(operand) {
                    return true;
                }
            }
            if depends {
                loads.insert(id);
            }
        }
        false
    }

    /// The node with some nodes below it replaced.
    fn replace(&mut self, root: NodeId, stands_for: &BTreeMap<NodeId, NodeId>) -> NodeId {
        if stands_for.is_empty() {
            return root;
        }
        let mut new = stands_for.clone();
        for id in self
            .tables
            .nodes
            .post_order(&[root], |id| stands_for.contains_key(&id))
        {
            let made = self.tables.nodes.rebuild(id, |_, operand| {
                new.get(&operand).copied().unwrap_or(operand)
            });
            new.insert(id, made);
        }
        new.get(&root).copied().unwrap_or(root)
    }
}
