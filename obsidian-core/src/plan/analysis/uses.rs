//! The variables that something is made of: a read whose variable is not among them is dead.

use crate::ir::{Kernel, Stage};
use crate::ordered::Set;
use crate::scalar::{Node, VariableId};

/// The variables that a statement's nodes are made of.
pub(in crate::plan) fn used<S: Stage>(kernel: &Kernel<S>) -> Set<VariableId> {
    let nodes = &kernel.tables.nodes;
    let mut roots = Vec::new();
    kernel
        .body
        .iter()
        .for_each(|s| s.visit(&mut |s| roots.extend(s.nodes())));
    let order = nodes.post_order(&roots, |_| false).into_iter();
    order
        .filter_map(|id| {
            if let Node::Variable(variable) = nodes.node(id) {
                Some(variable)
            } else {
                None
            }
        })
        .collect()
}
