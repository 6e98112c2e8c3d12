//! Expressions that are too deep or too large to be read, by people and by compilers, are cut into
//! named parts.

use crate::hashed::HashSet;

use crate::ordered::{Map, Set};
use crate::scalar::{Node, NodeId, Nodes};

/// Operators inside of each other, at most.
const DEEPEST: u32 = 32;
/// A part that occurs twice is at most as large as this, in nodes.
const LARGEST_TWICE: u32 = 64;

/// The nodes to be named before `roots` are printed, operands first. Nodes that only an arm of a
/// select needs stay there.
pub(super) fn cuts(nodes: &Nodes, roots: &[NodeId]) -> Vec<NodeId> {
    let all = reachable(nodes, roots, |node| node.operands().collect());
    if all.len() <= DEEPEST as usize {
        return Vec::new();
    }
    let always = reachable(nodes, roots, |node| match node {
        Node::Select { condition, .. } => vec![*condition],
        _ => node.operands().collect(),
    });
    let mut uses: Map<NodeId, u32> = Map::new();
    for id in &all {
        nodes
            .node(*id)
            .operands()
            .for_each(|operand| *uses.entry(operand).or_default() += 1);
    }
    let (mut found, mut sizes) = (Vec::new(), Map::<NodeId, (u32, u32)>::new());
    for id in &all {
        let (mut depth, mut size) = (0u32, 1u32);
        for operand in nodes.node(*id).operands() {
            let (d, s) = sizes.get(&operand).copied().unwrap_or_default();
            depth = depth.max(d + 1);
            size = size.saturating_add(s);
        }
        let twice = uses.get(id).is_some_and(|n| *n > 1);
        if always.contains(id)
            && !roots.contains(id)
            && (depth >= DEEPEST || (twice && size > LARGEST_TWICE))
        {
            found.push(*id);
            (depth, size) = (0, 1);
        }
        sizes.insert(*id, (depth, size));
    }
    found
}

fn reachable(
    nodes: &Nodes,
    roots: &[NodeId],
    operands: impl Fn(&Node) -> Vec<NodeId>,
) -> Set<NodeId> {
    let (mut seen, mut todo) = (HashSet::default(), roots.to_vec());
    while let Some(id) = todo.pop() {
        if seen.insert(id) {
            todo.extend(operands(&nodes.node(id)));
        }
    }
    Set::sorted(seen)
}

/// Does the expression read memory?
pub(super) fn loads(nodes: &Nodes, root: NodeId) -> bool {
    let all = reachable(nodes, &[root], |node| node.operands().collect());
    all.iter().any(|id| nodes.node(*id).is_load())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scalar::{BinaryOp, Literal, ScalarType, VariableId};

    /// A chain of `operators` operators, from the lowest one up.
    fn chain(nodes: &mut Nodes, from: NodeId, operators: u32) -> Vec<NodeId> {
        let mut top = from;
        (0..operators)
            .map(|n| {
                let number = nodes.add_literal(Literal::from(n + 1));
                top = nodes.binary([BinaryOp::Xor, BinaryOp::Mul][n as usize % 2], top, number);
                top
            })
            .collect()
    }

    fn leaf(nodes: &mut Nodes, n: u32) -> NodeId {
        nodes.add(Node::Variable(VariableId(n)), ScalarType::U32)
    }

    #[test]
    fn a_chain_is_cut_where_it_is_as_deep_as_it_may_be() {
        let mut nodes = Nodes::default();
        let from = leaf(&mut nodes, 0);
        let chain = chain(&mut nodes, from, 100);
        let at = |top: usize| cuts(&nodes, &[chain[top]]);
        assert_eq!(at(30), []);
        assert_eq!(at(31), [], "what is printed has a name of its own");
        assert_eq!(at(32), [chain[31]]);
        // A name is a leaf of what it is used in.
        assert_eq!(at(99), [chain[31], chain[63], chain[95]]);
    }

    #[test]
    fn what_is_large_and_occurs_twice_has_a_name() {
        let of = |left: u32, right: u32| {
            let mut nodes = Nodes::default();
            let halves = [left, right].into_iter().zip(0..).map(|(operators, n)| {
                let from = leaf(&mut nodes, n);
                chain(&mut nodes, from, operators).pop().unwrap()
            });
            let halves: Vec<NodeId> = halves.collect();
            let both = nodes.binary(BinaryOp::Add, halves[0], halves[1]);
            let root = nodes.binary(BinaryOp::Mul, both, both);
            cuts(&nodes, &[root]) == [both]
        };
        assert_eq!(
            [of(15, 15), of(15, 16), of(20, 20)],
            [false, true, true],
            "63, 65 and 83 nodes"
        );
    }

    #[test]
    fn what_only_an_arm_needs_stays_in_it() {
        let mut nodes = Nodes::default();
        let (x, y) = (leaf(&mut nodes, 0), leaf(&mut nodes, 1));
        let (condition, arm) = (chain(&mut nodes, x, 40), chain(&mut nodes, y, 80));
        let holds = nodes.binary(BinaryOp::Lt, condition[39], y);
        let root = nodes.select(holds, arm[79], x);
        assert_eq!(cuts(&nodes, &[root]), [condition[31]]);
    }
}
