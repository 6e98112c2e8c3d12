//! Reads whose value nothing uses are left out.
//!
//! Before and after: a kernel of either stage. It comes after `check` and `barriers`, which
//! tell by the reads which arrays are changed step by step, so that the order of two stores
//! matters.

use std::collections::BTreeSet;

use crate::ir::{Kernel, Stage, Statement};
use crate::scalar::{Node, VariableId};

/// Takes out reads whose value nothing uses, and the names of old values that nothing uses.
pub fn unread<S: Stage>(mut kernel: Kernel<S>) -> Kernel<S> {
    let used = used(&kernel);
    drop_from(&mut kernel.body, &used);
    kernel
}

/// The variables that a statement's nodes are made of.
pub(super) fn used<S: Stage>(kernel: &Kernel<S>) -> BTreeSet<VariableId> {
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

fn drop_from<S: Stage>(list: &mut Vec<Statement<S>>, used: &BTreeSet<VariableId>) {
    list.retain(|s| match s {
        Statement::Read { variable, .. } | Statement::Get { variable, .. } => {
            used.contains(variable)
        }
        _ => true,
    });
    for statement in list {
        if let Statement::Atomic { result, .. } = statement {
            *result = result.filter(|variable| used.contains(variable));
        }
        statement
            .lists_mut()
            .into_iter()
            .for_each(|inner| drop_from(inner, used));
    }
}
