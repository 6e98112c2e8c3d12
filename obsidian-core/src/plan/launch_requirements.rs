//! What `check` found that a launch has to see to, as requirements of the kernel.

use super::check::{Checked, Need};
use crate::error::Origin;
use crate::ir::{CollectiveOp, Kernel, Levelled, LevelledLoop, Statement};
use crate::ordered::Map;
use crate::scalar::{
    ArrayId, BinaryOp, Constraint, Literal, Node, NodeId, Requirement, ScalarType, Tables,
    VariableId,
};

/// Asks the launch for what `check` found that it has to see to.
pub fn launch_requirements(mut kernel: Kernel<Levelled>, found: &Checked) -> Kernel<Levelled> {
    elements(&mut kernel.tables, &found.needs);
    rounds(&mut kernel, &found.rounds);
    orders(&mut kernel);
    kernel
}

/// Asks the launch that what all blocks of an ordered loop leave for later ones has numbers of 32 bits.
fn orders(kernel: &mut Kernel<Levelled>) {
    let names = kernel.lets();
    for statement in &kernel.body {
        let Statement::Loop {
            kind: LevelledLoop::Ordered,
            bounds: [blocks],
            body,
            ..
        } = statement
        else {
            continue;
        };
        let all = body.iter().filter_map(Statement::collective);
        for of in all.filter(|of| of.op == CollectiveOp::Earlier) {
            let blocks = written_out(&mut kernel.tables, &names, *blocks);
            let nodes = &mut kernel.tables.nodes;
            if nodes.literal(of.count).map_or(0, Literal::u32) < 2 {
                continue;
            }
            let length = nodes.exact(BinaryOp::Mul, blocks, of.count);
            kernel.tables.requirements.push(Requirement {
                length,
                constraint: Constraint::Fits,
                origin: of.origin,
            });
        }
    }
}

/// Asks the launch for parameters of a least length.
fn elements(tables: &mut Tables, needs: &[Need]) {
    let mut least: Map<ArrayId, Need> = Map::new();
    for &need in needs {
        let known = least.entry(need.array).or_insert(need);
        if need.elements > known.elements {
            *known = need;
        }
    }
    for Need {
        array,
        elements,
        origin,
        conditional: _,
    } in least.into_values()
    {
        let length = tables.array(array).length;
        tables.requirements.push(Requirement {
            length,
            constraint: Constraint::Reaches(elements),
            origin,
        });
    }
}

/// Asks the launch for numbers of rounds that it can compute: their steps may wrap in the kernel.
fn rounds(kernel: &mut Kernel<Levelled>, counts: &[(NodeId, Origin)]) {
    let names = kernel.lets();
    for &(count, origin) in counts {
        let length = written_out(&mut kernel.tables, &names, count);
        kernel.tables.requirements.push(Requirement {
            length,
            constraint: Constraint::Fits,
            origin,
        });
    }
}

/// A formula with the values of names in their places: outside of the kernel nothing has a name.
pub(super) fn written_out(
    tables: &mut Tables,
    names: &Map<VariableId, NodeId>,
    root: NodeId,
) -> NodeId {
    let mut made: Map<NodeId, NodeId> = Map::new();
    let mut tasks = vec![(root, false)];
    while let Some((id, operands_done)) = tasks.pop() {
        if made.contains_key(&id) {
            continue;
        }
        let node = tables.nodes.node(id);
        let parts: Vec<NodeId> = match node {
            Node::Variable(variable) => names.get(&variable).copied().into_iter().collect(),
            Node::Binary { left, right, .. } => vec![left, right],
            _ => Vec::new(),
        };
        if !operands_done && !parts.is_empty() {
            tasks.push((id, true));
            tasks.extend(parts.into_iter().map(|part| (part, false)));
            continue;
        }
        let new = |id: &NodeId| made.get(id).copied().unwrap_or(*id);
        let value = match (node, parts.as_slice()) {
            (Node::Binary { op, exact, .. }, [left, right]) => {
                let (left, right) = (new(left), new(right));
                let node = Node::Binary {
                    op,
                    exact,
                    left,
                    right,
                };
                tables.nodes.add(node, ScalarType::U32)
            }
            (Node::Variable(_), [value]) => new(value),
            _ => id,
        };
        made.insert(id, value);
    }
    made.get(&root).copied().unwrap_or(root)
}
