//! The variables that say which threads access which elements of shared memory.
//!
//! Before: a physical kernel. After: those of its counters and names that an index of a shared
//! array is made of, or a condition or a bound around an access of one. The rounds of a loop with
//! any other counter all access the same elements, so that one of them is enough to look at: that
//! is how a kernel that goes through millions of elements, a thousand a round, is as quick as one
//! of a thousand.

use crate::hashed::HashSet;

use crate::ir::{Kernel, Physical, Statement};
use crate::ordered::{Map, Set};
use crate::scalar::{ArrayId, Node, NodeId, Nodes, VariableId};

/// What of the accesses of an array is of interest.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::plan) enum Interest {
    /// Nothing.
    None,
    /// That there is one.
    Access,
    /// Which element it is of.
    Element,
}

/// The variables that decide who accesses what. `choices`: is a load in an arm of a choice looked at only where the device takes
/// that arm?
pub(in crate::plan) fn relevant(
    kernel: &Kernel<Physical>,
    interest: &dyn Fn(ArrayId) -> Interest,
    choices: bool,
) -> Set<VariableId> {
    let mut walk = Walk {
        nodes: &kernel.tables.nodes,
        interest,
        choices,
        roots: Vec::new(),
        names: Map::new(),
    };
    walk.list(&kernel.body);
    // An index may be made of elements at other indices: each node is gone through once.
    let (mut found, mut seen, mut roots) = (Set::new(), HashSet::default(), walk.roots);
    while !roots.is_empty() {
        let order = walk.nodes.post_order(&roots, |id| seen.contains(&id));
        roots.clear();
        for id in order {
            seen.insert(id);
            if let Node::Variable(variable) = walk.nodes.node(id)
                && found.insert(variable)
            {
                roots.extend(walk.names.get(&variable).into_iter().flatten());
            }
        }
    }
    found
}

struct Walk<'a> {
    nodes: &'a Nodes,
    interest: &'a dyn Fn(ArrayId) -> Interest,
    choices: bool,
    /// Indices, conditions and bounds.
    roots: Vec<NodeId>,
    /// What a variable is, in each copy of the text that names it.
    names: Map<VariableId, Vec<NodeId>>,
}

impl Walk<'_> {
    /// Is there an access in a list that can be in conflict with another one? All of it is gone
    /// through, as everywhere here.
    fn list(&mut self, list: &[Statement<Physical>]) -> bool {
        list.iter()
            .filter(|statement| self.statement(statement))
            .count()
            > 0
    }

    fn statement(&mut self, statement: &Statement<Physical>) -> bool {
        let inside = statement
            .lists()
            .into_iter()
            .filter(|list| self.list(list))
            .count()
            > 0;
        match statement {
            Statement::If { condition, .. } if inside => self.roots.push(*condition),
            Statement::Loop { bounds, .. } if inside => self.roots.extend(bounds),
            Statement::Let { variable, value } => {
                self.names.entry(*variable).or_default().push(*value)
            }
            _ => {}
        }
        let own = statement.accessed();
        let own = own.is_some_and(|accessed| self.access(accessed.array, accessed.index));
        let order = self.nodes.post_order(&statement.nodes(), |_| false);
        let mut is_access = |id: &NodeId| matches!(self.nodes.node(*id), Node::Load { array, index } if self.access(array, index));
        let loads = order.iter().filter(|id| is_access(id)).count() > 0;
        if loads && self.choices {
            let condition = |id: &NodeId| match self.nodes.node(*id) {
                Node::Select { condition, .. } => Some(condition),
                _ => None,
            };
            self.roots.extend(order.iter().filter_map(condition));
        }
        inside || own || loads
    }

    /// Is an access of interest?
    fn access(&mut self, array: ArrayId, index: NodeId) -> bool {
        let interest = (self.interest)(array);
        if interest == Interest::Element {
            self.roots.push(index);
        }
        interest != Interest::None
    }
}
