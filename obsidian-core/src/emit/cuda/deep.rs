//! Expressions that are too deep or too large to be read, by people and by compilers, are cut into named parts.

use std::collections::{BTreeMap, BTreeSet};

use crate::scalar::{Node, NodeId, Nodes};

/// Operators inside of each other, at most.
const DEEPEST: u32 = 32;
/// A part that occurs twice is at most as large as this, in nodes.
const LARGEST_TWICE: u32 = 64;

/// The nodes to be named before `roots` are printed, operands first. Nodes that only an arm of a select needs stay there.
pub(super) fn cuts(nodes: &Nodes, roots: &[NodeId]) -> Vec<NodeId> {
    let all = reachable(nodes, roots, |node| node.operands().collect());
    if all.len() <= DEEPEST as usize {
        return Vec::new();
    }
    let always = reachable(nodes, roots, |node| match node {
        Node::Select { condition, .. } => vec![*condition],
        _ => node.operands().collect(),
    });
    let mut uses: BTreeMap<NodeId, u32> = BTreeMap::new();
    for id in &all {
        nodes.node(*id).operands().for_each(|operand| *uses.entry(operand).or_default() += 1);
    }
    let (mut found, mut sizes) = (Vec::new(), BTreeMap::<NodeId, (u32, u32)>::new());
    for id in &all {
        let (mut depth, mut size) = (0u32, 1u32);
        for operand in nodes.node(*id).operands() {
            let (d, s) = sizes.get(&operand).copied().unwrap_or_default();
            depth = depth.max(d + 1);
            size = size.saturating_add(s);
        }
        let twice = uses.get(id).is_some_and(|n| *n > 1);
        if always.contains(id) && !roots.contains(id) && (depth >= DEEPEST || (twice && size > LARGEST_TWICE)) {
            found.push(*id);
            (depth, size) = (0, 1);
        }
        sizes.insert(*id, (depth, size));
    }
    found
}

fn reachable(nodes: &Nodes, roots: &[NodeId], operands: impl Fn(&Node) -> Vec<NodeId>) -> BTreeSet<NodeId> {
    let (mut seen, mut todo) = (BTreeSet::new(), roots.to_vec());
    while let Some(id) = todo.pop() {
        if seen.insert(id) {
            todo.extend(operands(&nodes.node(id)));
        }
    }
    seen
}

/// Does the expression read memory?
pub(super) fn loads(nodes: &Nodes, root: NodeId) -> bool {
    let all = reachable(nodes, &[root], |node| node.operands().collect());
    all.iter().any(|id| matches!(nodes.node(*id), Node::Load { .. }))
}
