//! Which arrays an expression loads from, and under which choices: found once, and followed in each round of the loops around it.

use std::rc::Rc;

use crate::hashed::{HashMap, HashSet};

use crate::scalar::{ArrayId, Node, NodeId, Nodes};

/// A part of an expression that loads something.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part {
    /// An element is loaded.
    Load(ArrayId, NodeId),
    /// Of two arms, of which one loads something, each is for the lanes that find the condition true, or false.
    Choice {
        condition: NodeId,
        then: NodeId,
        otherwise: NodeId,
    },
}

/// What expressions load from some arrays.
#[derive(Default)]
pub(super) struct Reads {
    // Only looked up in, never walked.
    known: HashMap<(NodeId, bool), Rc<[Part]>>,
}

impl Reads {
    /// The loads of an expression from arrays for which `touches` holds, each once. `choices`: are arms of choices apart? Otherwise both count.
    pub(super) fn of(
        &mut self,
        nodes: &Nodes,
        root: NodeId,
        choices: bool,
        touches: &dyn Fn(ArrayId) -> bool,
    ) -> Rc<[Part]> {
        if let Some(known) = self.known.get(&(root, choices)) {
            return Rc::clone(known);
        }
        let is_load =
            |id: &NodeId| matches!(nodes.node(*id), Node::Load { array, .. } if touches(array));
        let any = |id: NodeId| nodes.post_order(&[id], |_| false).iter().any(is_load);
        let mut found = Vec::new();
        let mut stack = if any(root) { vec![root] } else { Vec::new() };
        let mut seen = HashSet::default();
        while let Some(id) = stack.pop() {
            if !seen.insert(id) {
                continue;
            }
            match nodes.node(id) {
                Node::Select {
                    condition,
                    then,
                    otherwise,
                } if choices => {
                    stack.push(condition);
                    if any(then) || any(otherwise) {
                        found.push(Part::Choice {
                            condition,
                            then,
                            otherwise,
                        });
                    }
                }
                node => {
                    if let Node::Load { array, index } = node
                        && touches(array)
                    {
                        found.push(Part::Load(array, index));
                    }
                    stack.extend(node.operands());
                }
            }
        }
        let found: Rc<[Part]> = found.into();
        self.known.insert((root, choices), Rc::clone(&found));
        found
    }
}
