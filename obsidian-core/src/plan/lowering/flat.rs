//! Loops over rows of neighbours as one loop over all of them, for one thread.
//!
//! ```text
//! forall Block i < 1024_u32 { for k in 0 .. 4_u32 { store a[((i * 4_u32) + k)] = .. } }
//! ```
//!
//! is how threads have neighbours, which lie in memory as their registers want them. One thread goes over the same elements in the same order by
//!
//! ```text
//! forall Block j < 4096_u32 { store a[j] = .. }
//! ```
//!
//! of which rustc makes instructions for several elements. It is done where nothing but the number of the element tells rounds apart, and
//! where no round needs another one, as passes for the CPU take it of a loop over threads: what a round writes, no round reads, and each
//! writes an element of its own.

use super::Lowering;
use crate::ir::{How, Level, LevelledLoop, Lowered, Statement};
use crate::ordered::{Map, Set};
use crate::scalar::{
    ArrayId, BinaryOp, Literal, Node, NodeId, Nodes, ScalarType, UnaryOp, VariableId, VariableKind,
};

impl Lowering<'_> {
    /// A loop, as one over all elements of its rows if it is a loop over such rows.
    pub(super) fn flattened(&mut self, statement: Statement<Lowered>) -> Statement<Lowered> {
        let Statement::Loop {
            kind: kind @ LevelledLoop::ForAll(_),
            unroll,
            counter,
            bounds: [rows],
            body,
        } = &statement
        else {
            return statement;
        };
        let Some((
            Statement::Loop {
                kind: LevelledLoop::Sequential(Level::Thread),
                counter: inner,
                bounds: [row],
                body: each,
                ..
            },
            names,
        )) = body.split_last()
        else {
            return statement;
        };
        let number = |id: NodeId| self.tables.nodes.literal(id).map(Literal::u32);
        let (Some(rows), Some(row)) = (number(*rows), number(*row)) else {
            return statement;
        };
        let Some(all) = rows.checked_mul(row).filter(|_| row > 1) else {
            return statement;
        };
        let mut known: Map<VariableId, NodeId> = Map::new();
        for name in names {
            let Statement::Let { variable, value } = name else {
                return statement;
            };
            let value = named(&mut self.tables.nodes, *value, &known);
            known.insert(*variable, value);
        }
        let mut leaves = false;
        for statement in each {
            statement.visit(&mut |inner| {
                if let Statement::Break = inner {
                    leaves = true;
                }
            });
        }
        if leaves {
            return statement;
        }
        let own = Row {
            counter: *counter,
            inner: *inner,
            length: row,
        };
        let (kind, unroll, mut each) = (*kind, *unroll, each.clone());
        let flat = self.fresh(VariableKind::Counter, ScalarType::U32);
        let element = self.variable(flat, ScalarType::U32);
        let nodes = &mut self.tables.nodes;
        if !(each.iter_mut()).all(|inner| own.rewritten(nodes, inner, &known, element))
            || !are_apart(nodes, &each, element)
        {
            return statement;
        }
        Statement::Loop {
            kind,
            unroll,
            counter: flat,
            bounds: [self.number(all)],
            body: each,
        }
    }
}

/// An expression with what names stand for in their place.
fn named(nodes: &mut Nodes, root: NodeId, known: &Map<VariableId, NodeId>) -> NodeId {
    nodes.replaced(root, |nodes, id| {
        let names = known.iter();
        let mut named = names.filter(|(name, _)| nodes.node(id) == Node::Variable(**name));
        named.next().map(|(_, value)| *value)
    })
}

/// Does each round write elements of its own, and none that a round reads?
fn are_apart(nodes: &Nodes, each: &[Statement<Lowered>], element: NodeId) -> bool {
    let mut rounds = Rounds {
        nodes,
        element,
        names: Map::new(),
        bound: Set::new(),
    };
    let (mut read, mut written): (Set<ArrayId>, Set<ArrayId>) = (Set::new(), Set::new());
    let mut apart = true;
    for statement in each {
        statement.visit(&mut |inner| {
            if let Statement::Let { variable, value } = inner {
                rounds.names.insert(*variable, *value);
            } else {
                rounds.bound.extend(inner.binds());
            }
            read.extend(inner.loads(nodes));
            let Some(accessed) = inner.accessed() else {
                return;
            };
            if let How::Write(_) = accessed.how {
                apart &= written.insert(accessed.array) && rounds.is_own(accessed.index);
            } else {
                apart &= accessed.how.is_read();
                read.insert(accessed.array);
            }
        });
    }
    apart && read.is_disjoint(&written)
}

/// What one round of a loop is made of.
struct Rounds<'n> {
    nodes: &'n Nodes,
    /// The number of the round.
    element: NodeId,
    /// What names stand for, and what else is bound.
    names: Map<VariableId, NodeId>,
    bound: Set<VariableId>,
}

impl Rounds<'_> {
    /// What a name stands for.
    fn meant(&self, id: NodeId) -> Option<NodeId> {
        let node = self.nodes.node(id);
        let mut names = self.names.iter();
        let name = names.find(|(name, _)| node == Node::Variable(**name));
        name.map(|(_, value)| *value)
    }

    /// Is an index another one in each round: the number of the round and what stays, or promised to be?
    fn is_own(&self, index: NodeId) -> bool {
        if index == self.element {
            return true;
        }
        if let Node::Unary { op, value } = self.nodes.node(index) {
            return op == UnaryOp::Distinct || op.is_promise() && self.is_own(value);
        }
        if let Node::Binary {
            op: BinaryOp::Add,
            left,
            right,
            ..
        } = self.nodes.node(index)
        {
            return self.is_own(left) && self.stays(right)
                || self.is_own(right) && self.stays(left);
        }
        self.meant(index).is_some_and(|value| self.is_own(value))
    }

    /// Is a value the same in all rounds?
    fn stays(&self, value: NodeId) -> bool {
        let parts = self.nodes.post_order(&[value], |_| false);
        parts.into_iter().all(|part| {
            let node = self.nodes.node(part);
            let mut bound = self.bound.iter();
            let is_bound = bound.any(|variable| node == Node::Variable(*variable));
            let is_fixed = part != self.element && !node.is_load() && !is_bound;
            is_fixed && self.meant(part).is_none_or(|value| self.stays(value))
        })
    }
}

/// The loops over rows, and over the elements of one.
struct Row {
    counter: VariableId,
    inner: VariableId,
    length: u32,
}

impl Row {
    /// Puts the number of the element into a statement. Returns `true` if nothing else of the loops is left in it.
    fn rewritten(
        &self,
        nodes: &mut Nodes,
        statement: &mut Statement<Lowered>,
        known: &Map<VariableId, NodeId>,
        element: NodeId,
    ) -> bool {
        for root in statement.nodes_mut() {
            let whole = named(nodes, *root, known);
            *root = nodes.replaced(whole, |nodes, id| {
                self.is_element(nodes, id).then_some(element)
            });
            let left = nodes.post_order(&[*root], |_| false);
            let own = [self.counter, self.inner].map(Node::Variable);
            let is_own = |id: &NodeId| own.contains(&nodes.node(*id));
            if left.iter().any(is_own) {
                return false;
            }
        }
        let lists = statement.lists_mut();
        let mut inner = lists.into_iter().flatten();
        inner.all(|inner| self.rewritten(nodes, inner, known, element))
    }

    /// Is it `(i * length) + k`?
    fn is_element(&self, nodes: &Nodes, id: NodeId) -> bool {
        let sides = |id, wanted| {
            let Node::Binary {
                op, left, right, ..
            } = nodes.node(id)
            else {
                return None;
            };
            (op == wanted).then_some((left, right))
        };
        let is = |id, variable| nodes.node(id) == Node::Variable(variable);
        let is_first = |id| {
            sides(id, BinaryOp::Mul).is_some_and(|(left, right)| {
                is(left, self.counter)
                    && nodes.literal(right).map(Literal::u32) == Some(self.length)
            })
        };
        sides(id, BinaryOp::Add).is_some_and(|(left, right)| {
            is_first(left) && is(right, self.inner) || is_first(right) && is(left, self.inner)
        })
    }
}
