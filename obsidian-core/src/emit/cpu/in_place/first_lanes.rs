//! Loops of which only the first lanes change their element, as loops over these lanes.

use super::super::lanes::{ForAll, List, used_in};
use crate::ir::{Lowered, Statement};
use crate::ordered::Map;
use crate::scalar::{BinaryOp, Literal, Node, NodeId, Tables, VariableId};

/// Ends a loop over lanes before the first one that stores what it has read.
pub(super) fn shorten(tables: &mut Tables, statement: &mut Statement<Lowered>) {
    let Some(ForAll {
        lane, count, body, ..
    }) = ForAll::of(&tables.nodes, statement)
    else {
        return;
    };
    let Some((first, values)) = first_lanes(tables, lane, body) else {
        return;
    };
    let count = tables.nodes.add_literal(Literal::from(count));
    let count = tables.nodes.binary(BinaryOp::Min, first, count);
    let Statement::Loop { bounds, body, .. } = statement else {
        return;
    };
    *bounds = [count];
    let mut values = values.into_iter();
    for statement in body {
        if let Statement::Store { value, .. } = statement
            && let Some(new) = values.next()
        {
            *value = new;
        }
    }
}

/// How many lanes come first that store something new, and what they store; nothing if a body does anything else.
fn first_lanes(tables: &Tables, lane: VariableId, body: &List) -> Option<(NodeId, Vec<NodeId>)> {
    let nodes = &tables.nodes;
    let is_lane = |id: NodeId| nodes.node(id) == Node::Variable(lane);
    let loads = |id: NodeId| {
        let parts = nodes.post_order(&[id], |_| false);
        let mut parts = parts.into_iter();
        parts.any(|id| nodes.node(id).is_load())
    };
    let (mut lets, mut reads) = (Map::new(), Map::new());
    let (mut first, mut values) = (None, Vec::new());
    for statement in body {
        match statement {
            // A load may be outside, and tell so.
            Statement::Let { variable, value } if !loads(*value) => {
                lets.insert(*variable, *value);
            }
            Statement::Read {
                variable,
                array,
                index,
                ..
            } if is_lane(*index) => {
                reads.insert(*variable, *array);
            }
            Statement::Store {
                array,
                index,
                value,
                ..
            } if is_lane(*index) => {
                let Node::Select {
                    condition,
                    then,
                    otherwise,
                } = nodes.node(*value)
                else {
                    return None;
                };
                let Node::Binary {
                    op: BinaryOp::Lt,
                    left,
                    right,
                    ..
                } = nodes.node(condition)
                else {
                    return None;
                };
                let mut old = otherwise;
                while let Node::Variable(name) = nodes.node(old)
                    && let Some(value) = lets.get(&name)
                {
                    old = *value;
                }
                let is_old = match nodes.node(old) {
                    Node::Variable(name) => reads.get(&name) == Some(array),
                    _ => false,
                };
                if !is_lane(left) || !is_old || first.is_some_and(|first| first != right) {
                    return None;
                }
                first = Some(right);
                values.push(then);
            }
            _ => return None,
        }
    }
    let first = first?;
    let inside =
        |name: &VariableId| *name == lane || lets.contains_key(name) || reads.contains_key(name);
    let is_same = !loads(first) && !used_in(nodes, first).iter().any(inside);
    is_same.then_some((first, values))
}
