//! What a loop that lanes leave does not change, in front of the loop.

use super::List;
use crate::ir::Statement;
use crate::ordered::{Map, Set};
use crate::scalar::{Node, NodeId, Tables, VariableId, VariableKind};

/// The list, in which what a loop does not change is computed once in front of it.
///
/// Operators of the CPU give a number for all operands, so it does no harm where the loop has no round.
pub(super) fn in_front(tables: &mut Tables, list: &List) -> List {
    let mut result = List::new();
    for statement in list {
        let mut statement = statement.clone();
        if let Statement::While {
            head,
            condition,
            body,
        } = &mut statement
        {
            let mut changing = Set::new();
            let inside = head.iter().chain(&*body);
            inside.for_each(|s| s.visit(&mut |inner| changing.extend(inner.binds())));
            let mut constants = Constants {
                tables: &mut *tables,
                changing,
                named: Map::new(),
                front: &mut result,
            };
            constants.list(head);
            *condition = constants.expression(*condition);
            constants.list(body);
        }
        result.push(statement);
    }
    result
}

/// What a loop does not change, on its way out of it.
struct Constants<'t> {
    tables: &'t mut Tables,
    /// What the loop binds.
    changing: Set<VariableId>,
    named: Map<NodeId, NodeId>,
    front: &'t mut List,
}

impl Constants<'_> {
    fn list(&mut self, list: &mut List) {
        for statement in list {
            for root in statement.nodes_mut() {
                *root = self.expression(*root);
            }
            statement
                .lists_mut()
                .into_iter()
                .for_each(|inner| self.list(inner));
        }
    }

    fn expression(&mut self, root: NodeId) -> NodeId {
        let mut new: Map<NodeId, NodeId> = Map::new();
        let mut changes: Map<NodeId, bool> = Map::new();
        for id in self.tables.nodes.post_order(&[root], |_| false) {
            let node = self.tables.nodes.node(id);
            let own = node.is_load()
                || node
                    .variable()
                    .is_some_and(|variable| self.changing.contains(&variable));
            let changing = own || node.operands().any(|operand| changes[&operand]);
            changes.insert(id, changing);
            if changing {
                for operand in node.operands().filter(|operand| !changes[operand]) {
                    let name = self.name(operand);
                    new.insert(operand, name);
                }
                let made = self.tables.nodes.rebuild(id, |_, operand| new[&operand]);
                new.insert(id, made);
            }
        }
        match changes[&root] {
            true => new[&root],
            false => self.name(root),
        }
    }

    /// A name in front of the loop for what does not change in it.
    fn name(&mut self, value: NodeId) -> NodeId {
        if self.tables.nodes.node(value).is_leaf() {
            return value;
        }
        if let Some(name) = self.named.get(&value) {
            return *name;
        }
        let ty = self.tables.nodes.ty(value);
        let variable = self.tables.add_variable(ty, VariableKind::Let);
        self.front.push(Statement::Let { variable, value });
        let name = self.tables.nodes.add(Node::Variable(variable), ty);
        self.named.insert(value, name);
        name
    }
}
