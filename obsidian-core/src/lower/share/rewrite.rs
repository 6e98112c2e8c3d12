//! The kernel with the bindings in place.

use crate::hashed::HashMap;

use super::facts::Spot;
use super::place::Bindings;
use crate::ir::{Kernel, Levelled, Statement};
use crate::scalar::{Node, NodeId, Tables, VariableId, VariableKind};

pub(super) fn rewrite(kernel: &mut Kernel<Levelled>, bindings: Bindings) {
    let body = std::mem::take(&mut kernel.body);
    let mut rewriter = Rewriter {
        tables: &mut kernel.tables,
        bindings,
        bound: HashMap::default(),
        log: Vec::new(),
        lists: 1,
    };
    kernel.body = rewriter.list(body, 0);
}

struct Rewriter<'t> {
    tables: &'t mut Tables,
    bindings: Bindings,
    /// The variable that stands for a node, for the nodes that have one here.
    bound: HashMap<NodeId, NodeId>,
    /// The nodes that were bound, with what stood for them before.
    log: Vec<(NodeId, Option<NodeId>)>,
    /// Lists that were opened; they are numbered as in `facts`.
    lists: usize,
}

impl Rewriter<'_> {
    fn list(&mut self, list: Vec<Statement<Levelled>>, id: usize) -> Vec<Statement<Levelled>> {
        let before = self.log.len();
        let list = self.open_list(list, id);
        self.unbind(before);
        list
    }

    /// Takes back all bindings behind the first `from`.
    fn unbind(&mut self, from: usize) {
        for (node, before) in self.log.drain(from..).rev() {
            match before {
                Some(name) => self.bound.insert(node, name),
                None => self.bound.remove(&node),
            };
        }
    }

    /// The same, with what the list binds still bound after it.
    fn open_list(&mut self, list: Vec<Statement<Levelled>>, id: usize) -> Vec<Statement<Levelled>> {
        let mut result = Vec::with_capacity(list.len());
        let length = list.len();
        for (position, mut statement) in list.into_iter().enumerate() {
            let spot = Spot { list: id, position };
            let named = self.takes_its_name(spot, &statement);
            self.bind(spot, &mut result);
            if let Statement::While {
                head,
                condition,
                body,
            } = statement
            {
                result.push(self.while_loop(head, condition, body));
                continue;
            }
            for node in statement.nodes_mut() {
                *node = self.node(*node);
            }
            for inner in statement.lists_mut() {
                let inner_id = self.lists;
                self.lists += 1;
                *inner = self.list(std::mem::take(inner), inner_id);
            }
            if let (Some(node), Statement::Let { variable, .. }) = (named, &statement) {
                self.stand_for(*variable, node);
            }
            result.push(statement);
        }
        self.bind(
            Spot {
                list: id,
                position: length,
            },
            &mut result,
        );
        result
    }

    fn while_loop(
        &mut self,
        head: Vec<Statement<Levelled>>,
        condition: NodeId,
        body: Vec<Statement<Levelled>>,
    ) -> Statement<Levelled> {
        let before = self.log.len();
        let head_id = self.lists;
        self.lists += 1;
        let head = self.open_list(head, head_id);
        let condition = self.node(condition);
        let body_id = self.lists;
        self.lists += 1;
        let body = self.list(body, body_id);
        self.unbind(before);
        Statement::While {
            head,
            condition,
            body,
        }
    }

    /// Adds the bindings of a place.
    fn bind(&mut self, spot: Spot, result: &mut Vec<Statement<Levelled>>) {
        for node in self.bindings.remove(&spot).unwrap_or_default() {
            let value = self.node(node);
            let ty = self.tables.nodes.ty(node);
            let variable = self.tables.add_variable(ty, VariableKind::Let);
            result.push(Statement::Let { variable, value });
            self.stand_for(variable, node);
        }
    }

    /// Takes back the binding of a value that the statement behind it names anyway.
    fn takes_its_name(&mut self, spot: Spot, statement: &Statement<Levelled>) -> Option<NodeId> {
        let Statement::Let { value, .. } = statement else {
            return None;
        };
        let list = self.bindings.get_mut(&spot)?;
        let at = list.iter().position(|node| node == value)?;
        Some(list.remove(at))
    }

    fn stand_for(&mut self, variable: VariableId, node: NodeId) {
        let ty = self.tables.nodes.ty(node);
        let name = self.tables.nodes.add(Node::Variable(variable), ty);
        let before = self.bound.insert(node, name);
        self.log.push((node, before));
    }

    /// An expression with the variables that stand for parts of it.
    fn node(&mut self, root: NodeId) -> NodeId {
        let mut done: HashMap<NodeId, NodeId> = HashMap::default();
        for id in self
            .tables
            .nodes
            .post_order(&[root], |n| self.bound.contains_key(&n))
        {
            let find = |n: NodeId| self.bound.get(&n).or(done.get(&n)).copied().unwrap_or(n);
            let changed = self.tables.nodes.node(id).operands().any(|n| find(n) != n);
            let new = if changed {
                self.tables.nodes.rebuild(id, |_, n| {
                    self.bound.get(&n).or(done.get(&n)).copied().unwrap_or(n)
                })
            } else {
                id
            };
            done.insert(id, new);
        }
        self.bound
            .get(&root)
            .or(done.get(&root))
            .copied()
            .unwrap_or(root)
    }
}
