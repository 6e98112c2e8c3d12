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

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};

use super::MADE_ONCE;
use crate::ir::{Kernel, Level, Levelled, LevelledLoop, Stage};
use crate::scalar::{
    Literal, Node, NodeId, Nodes, ScalarType, Tables, Variable, VariableId, VariableKind,
};

type Statement = crate::ir::Statement<Levelled>;

/// A statement, and whether its choices have been put in front of it.
type Part = (Statement, bool);

/// Turns such choices into statements; false if there are none.
///
/// `left` is how many more nodes are looked at; 0 if that was too few.
pub(super) fn arms(kernel: &mut Kernel<Levelled>, left: &mut usize) -> bool {
    let body = std::mem::take(&mut kernel.body);
    let mut arms = Arms {
        tables: &mut kernel.tables,
        changed: false,
        choices: Vec::new(),
        repeating: HashMap::new(),
        left,
    };
    kernel.body = arms.list(body, Level::Grid);
    arms.changed
}

struct Arms<'t> {
    tables: &'t mut Tables,
    changed: bool,
    /// By node: if it contains a load, how many choices with one are in it, one inside of the other.
    /// Known of the nodes that there were when it was last asked for.
    choices: Vec<Option<u32>>,
    /// Of some nodes, whether they compute something with a load twice. Only looked up in, never walked.
    repeating: HashMap<NodeId, bool>,
    left: &'t mut usize,
}

impl Arms<'_> {
    fn list(&mut self, list: Vec<Statement>, level: Level) -> Vec<Statement> {
        let mut result = Vec::with_capacity(list.len());
        // What is put in front of a statement may have choices itself, and so on: a stack of our own.
        let mut open: Vec<Part> = list.into_iter().rev().map(|s| (s, false)).collect();
        while let Some((mut statement, is_split)) = open.pop() {
            // The condition of a `while` belongs behind its head.
            let is_while = matches!(statement, Statement::While { .. });
            if level == Level::Thread && !is_while && !is_split {
                let front = self.split(&mut statement);
                if !front.is_empty() {
                    open.push((statement, true));
                    open.extend(front.into_iter().rev());
                    continue;
                }
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

    /// The choices of a statement, as what comes in front of it.
    fn split(&mut self, statement: &mut Statement) -> Vec<Part> {
        let mut front = Vec::new();
        let choices = self.choices(&statement.nodes());
        if choices.is_empty() {
            return front;
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
            let [then, otherwise] = self.in_front([then, otherwise], &mut front);
            let zero = self.tables.nodes.add_literal(Literal::zero(ty));
            let chosen = Statement::If {
                condition,
                then: vec![Statement::Assign { cell, value: then }],
                otherwise: vec![Statement::Assign {
                    cell,
                    value: otherwise,
                }],
            };
            front.extend([
                (Statement::Declare { cell, value: zero }, true),
                (chosen, true),
                (Statement::Get { variable, cell }, true),
            ]);
            stands_for.insert(choice, self.tables.nodes.add(Node::Variable(variable), ty));
        }
        for node in statement.nodes_mut() {
            *node = self.replace(*node, &stands_for);
        }
        front
    }

    /// Binds in front of a choice what both arms need in any case, if there are many choices in it:
    /// in the list of each arm it would be made again, and what it needs in each of its own.
    fn in_front(&mut self, arms: [NodeId; 2], front: &mut Vec<Part>) -> [NodeId; 2] {
        let [first, second] = arms.map(|arm| self.certain(&[arm]));
        self.look();
        let is_deep = |id: &NodeId| self.choices[id.index()].is_some_and(|n| n >= MADE_ONCE);
        let both = first.intersection(&second).copied();
        let both: HashSet<NodeId> = both.filter(is_deep).collect();
        let Some(lowest) = both.iter().min().copied() else {
            return arms;
        };
        // Operands come before what uses them: below the first of these there is none of them.
        let order = self.tables.nodes.post_order(&arms, |id| id < lowest);
        self.pay(order.len());
        let mut stands_for = BTreeMap::new();
        // Those that are part of no other.
        let mut inside = HashSet::new();
        for id in order.iter().rev().copied() {
            let (part, is_one) = (inside.contains(&id), both.contains(&id));
            if part || is_one {
                inside.extend(self.tables.nodes.node(id).operands());
            }
            if part || !is_one {
                continue;
            }
            let ty = self.tables.nodes.ty(id);
            let variable = self.variable(ty, VariableKind::Let);
            let value = id;
            front.push((Statement::Let { variable, value }, false));
            stands_for.insert(id, self.tables.nodes.add(Node::Variable(variable), ty));
        }
        arms.map(|arm| self.replace(arm, &stands_for))
    }

    /// Finds out what is not known yet of the nodes that there are.
    fn look(&mut self) {
        let nodes = &self.tables.nodes;
        for id in nodes.ids_from(self.choices.len()) {
            let node = nodes.node(id);
            let parts = node
                .operands()
                .filter_map(|part| self.choices[part.index()]);
            let inside = parts.max();
            self.choices.push(match node {
                Node::Load { .. } => Some(inside.unwrap_or(0)),
                Node::Select { .. } => inside.map(|choices| choices + 1),
                _ => inside,
            });
        }
    }

    fn pay(&mut self, nodes: usize) {
        *self.left = self.left.saturating_sub(nodes);
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
    fn certain(&mut self, roots: &[NodeId]) -> BTreeSet<NodeId> {
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
        self.pay(certain.len());
        certain
    }

    /// The choices that are made in any case and have an arm that computes something twice; inner
    /// ones first.
    fn choices(&mut self, roots: &[NodeId]) -> Vec<NodeId> {
        if *self.left == 0 {
            return Vec::new();
        }
        self.look();
        let certain = self.certain(roots);
        let mut found = BTreeSet::new();
        for id in certain {
            if let Node::Select {
                then, otherwise, ..
            } = self.tables.nodes.node(id)
                && (self.repeats(then) || self.repeats(otherwise))
            {
                found.insert(id);
            }
        }
        let Some(lowest) = found.first().copied().filter(|_| found.len() > 1) else {
            return found.into_iter().collect();
        };
        let order = self.tables.nodes.post_order(roots, |id| id < lowest);
        self.pay(order.len());
        order.into_iter().filter(|id| found.contains(id)).collect()
    }

    /// Does an arm contain a load, and use something that depends on it more than once?
    fn repeats(&mut self, arm: NodeId) -> bool {
        if let Some(known) = self.repeating.get(&arm) {
            return *known;
        }
        let nodes = &self.tables.nodes;
        // From the top: where steps use each other twice, the first of them says so.
        let mut open = VecDeque::from([arm]);
        let mut used = HashSet::new();
        let mut repeats = false;
        while let Some(id) = open.pop_front().filter(|_| !repeats) {
            let operands = nodes.node(id).operands();
            for operand in operands.filter(|part| self.choices[part.index()].is_some()) {
                repeats |= !used.insert(operand) || self.repeating.get(&operand) == Some(&true);
                open.push_back(operand);
            }
        }
        self.pay(used.len());
        self.repeating.insert(arm, repeats);
        repeats
    }

    /// The node with some nodes below it replaced.
    fn replace(&mut self, root: NodeId, stands_for: &BTreeMap<NodeId, NodeId>) -> NodeId {
        let Some(lowest) = stands_for.keys().next().copied() else {
            return root;
        };
        let mut new: HashMap<NodeId, NodeId> = HashMap::new();
        let of = |new: &HashMap<NodeId, NodeId>, id: NodeId| {
            let known = stands_for.get(&id).or_else(|| new.get(&id));
            known.copied().unwrap_or(id)
        };
        let is_left_out = |id| id < lowest || stands_for.contains_key(&id);
        let order = self.tables.nodes.post_order(&[root], is_left_out);
        self.pay(order.len());
        for id in order {
            let rebuild = |_: &mut Nodes, operand| of(&new, operand);
            let made = self.tables.nodes.rebuild(id, rebuild);
            new.insert(id, made);
        }
        of(&new, root)
    }
}
