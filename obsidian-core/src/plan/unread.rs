//! Reads whose value nothing uses are left out.
//!
//! Before and after: a levelled or a physical kernel. It comes after `check` and `barriers`, which tell by the reads which arrays are changed
//! step by step, so that the order of two stores matters.

use std::collections::BTreeSet;

use crate::ir::{Kernel, Statement};
use crate::scalar::{Node, VariableId};

/// Takes out reads whose value nothing uses, and the names of old values that nothing uses.
pub fn unread(mut kernel: Kernel) -> Kernel {
    let nodes = &kernel.tables.nodes;
    let mut roots = Vec::new();
    kernel.body.iter().for_each(|s| s.visit(&mut |s| roots.extend(s.nodes())));
    let used: BTreeSet<VariableId> = nodes
        .post_order(&roots, |_| false)
        .into_iter()
        .filter_map(|id| if let Node::Variable(variable) = nodes.node(id) { Some(variable) } else { None })
        .collect();
    drop_from(&mut kernel.body, &used);
    kernel
}

fn drop_from(list: &mut Vec<Statement>, used: &BTreeSet<VariableId>) {
    list.retain(|s| match s {
        Statement::Read { variable, .. } | Statement::Get { variable, .. } => used.contains(variable),
        _ => true,
    });
    for statement in list {
        if let Statement::Atomic { result, .. } = statement {
            *result = result.filter(|variable| used.contains(variable));
        }
        statement.lists_mut().into_iter().for_each(|inner| drop_from(inner, used));
    }
}
