//! How much of the hierarchy agrees on a value.
//!
//! Before: a kernel of either stage. After: for each node the largest [`Level`] whose threads all
//! see one value: `Block` for what is the same in a whole block, `Thread` for what may differ
//! between neighbours. A wait may stand only where control is uniform at its scope. A load is as
//! uniform as its index, but of a warp's array at most `Warp`. What statements read in order
//! (`Read`, `Get`, atomics) is not followed: it counts as a thread's own.

use super::{Effect, Kernel, Level, Stage, Statement};
use crate::ordered::Map;
use crate::scalar::{ArrayId, ArrayPlace, Node, NodeId, Special, VariableId};

/// The level up to which each node is uniform.
#[doc(hidden)]
pub struct Uniformity {
    levels: Vec<Level>,
}

impl Uniformity {
    /// The level at which a value is one value; everything below agrees as well.
    #[doc(hidden)]
    pub fn of(&self, node: NodeId) -> Level {
        self.levels
            .get(node.index())
            .copied()
            .unwrap_or(Level::Thread)
    }

    /// Looks at a whole kernel.
    #[doc(hidden)]
    pub fn new<S: Stage>(kernel: &Kernel<S>) -> Self {
        let nodes = &kernel.tables.nodes;
        let mut found = Finder {
            kernel,
            variables: Map::new(),
            arrays: Map::new(),
            nodes: vec![None; nodes.len()],
        };
        found.list(&kernel.body, Level::Grid);
        let mut levels: Vec<Level> = Vec::with_capacity(nodes.len());
        for id in nodes.ids() {
            let level = found.node(nodes.node(id), |n| {
                levels.get(n.index()).copied().unwrap_or(Level::Thread)
            });
            levels.push(level);
        }
        Uniformity { levels }
    }
}

struct Finder<'k, S: Stage> {
    kernel: &'k Kernel<S>,
    variables: Map<VariableId, Level>,
    arrays: Map<ArrayId, Level>,
    /// By number.
    nodes: Vec<Option<Level>>,
}

impl<S: Stage> Finder<'_, S> {
    fn node(&self, node: Node, of: impl Fn(NodeId) -> Level) -> Level {
        let own = match node {
            Node::Variable(variable) => self
                .variables
                .get(&variable)
                .copied()
                .unwrap_or(Level::Grid),
            Node::Special(Special::ThreadIndex | Special::LaneIndex) => Level::Thread,
            Node::Special(Special::WarpIndex) => Level::Warp,
            Node::Special(Special::BlockIndex) => Level::Block,
            Node::Load { array, .. } => self.arrays.get(&array).copied().unwrap_or(Level::Grid),
            _ => Level::Grid,
        };
        node.operands().map(of).fold(own, Level::min)
    }

    /// The level of a node whose variables are all bound by now; remembered, as later bindings
    /// cannot change it.
    fn root(&mut self, root: NodeId) -> Level {
        let nodes = &self.kernel.tables.nodes;
        let known = |nodes: &[Option<Level>], n: NodeId| nodes.get(n.index()).copied().flatten();
        for id in nodes.post_order(&[root], |n| known(&self.nodes, n).is_some()) {
            let level = self.node(nodes.node(id), |n| {
                known(&self.nodes, n).unwrap_or(Level::Thread)
            });
            self.nodes[id.index()] = Some(level);
        }
        known(&self.nodes, root).unwrap_or(Level::Thread)
    }

    fn bind(&mut self, variable: VariableId, level: Level) {
        let known = self.variables.entry(variable).or_insert(level);
        *known = level.min(*known);
    }

    fn list(&mut self, list: &[Statement<S>], here: Level) {
        for statement in list {
            if let Statement::While {
                head,
                condition,
                body,
            } = statement
            {
                // The condition is made of what the head binds.
                self.list(head, here);
                self.root(*condition);
                self.list(body, here);
                continue;
            }
            let uniform = statement
                .nodes()
                .into_iter()
                .map(|n| self.root(n))
                .fold(Level::Grid, Level::min);
            let inside = match statement {
                Statement::Loop { kind, .. } if S::in_order(*kind).is_none() => S::inside(*kind),
                Statement::Collective(..) => Level::Thread,
                _ => here,
            };
            let own = statement.bound_inside().into_iter().flatten();
            own.for_each(|variable| self.bind(variable, Level::Thread));
            if let Some(array) = statement.begins() {
                let shared = self.kernel.tables.array(array).place == ArrayPlace::Shared;
                self.arrays
                    .insert(array, if shared { here } else { Level::Thread });
            }
            if let Some(variable) = statement.binds() {
                let level = match statement.effect() {
                    Effect::Names(..) => uniform,
                    Effect::Counts(kind) => uniform.min(S::agrees(*kind)),
                    Effect::Accesses(_)
                    | Effect::AccessesWide(_)
                    | Effect::Cell(..)
                    | Effect::Chooses
                    | Effect::Repeats
                    | Effect::Leaves
                    | Effect::Tells(_)
                    | Effect::Begins(_)
                    | Effect::Waits(_)
                    | Effect::Combines(_)
                    | Effect::Exchanges(_)
                    | Effect::Follows(_)
                    | Effect::Gives(_) => Level::Thread,
                };
                self.bind(variable, level);
            }
            statement
                .lists()
                .into_iter()
                .for_each(|inner| self.list(inner, inside));
        }
    }
}
