//! Indices that have names, spelt out: `let i = e + k, out[i]` as `out[e + k]`.
//!
//! *Argument.* A name's value takes its place only where it is the same: it reads no memory, which may have changed since, and all names in it
//! are bound once in the body and before it, or nowhere in the body. Copies of one operator's statements bind one name in several scopes.

use crate::hashed::HashMap;

use super::Pass;
use crate::ir::{Physical, Statement};
use crate::ordered::{Map, Set};
use crate::plan::simplify::without_unused_names;
use crate::scalar::{Node, NodeId, ScalarType};

impl Pass<'_> {
    /// A loop whose stores and reads say by themselves where. Names that nothing else uses are left out.
    pub(super) fn spelt_out(&mut self, statement: &Statement<Physical>) -> Statement<Physical> {
        let mut result = statement.clone();
        let Statement::Loop { body, .. } = &mut result else {
            return result;
        };
        let values = self.values_of_names(body);
        if !values.is_empty() && self.spell_indices(body, &values) {
            without_unused_names(&self.tables.nodes, body, &mut Set::new());
        }
        result
    }

    /// The values of names, which are the same wherever the names are in scope.
    fn values_of_names(&mut self, body: &[Statement<Physical>]) -> HashMap<NodeId, NodeId> {
        let (mut times, mut lets) = (Map::new(), Vec::new());
        for statement in body {
            statement.visit(&mut |inner| {
                let place = times.len();
                if let Statement::Let { variable, value } = inner {
                    lets.push((*variable, *value, place));
                }
                if let Some(name) = inner.binds() {
                    let (_, count) = times.entry(name).or_insert((place, 0));
                    *count += 1;
                }
            });
        }
        let mut values: HashMap<NodeId, NodeId> = HashMap::default();
        for (variable, value, place) in lets {
            let nodes = &mut self.tables.nodes;
            if nodes.ty(value) != ScalarType::U32 || times[&variable].1 > 1 {
                continue;
            }
            let spelt = nodes.replaced(value, |_, id| values.get(&id).copied());
            let parts = nodes.post_order(&[spelt], |_| false);
            let is_same_later = |id: &NodeId| match nodes.node(*id) {
                Node::Load { .. } => false,
                Node::Variable(part) => times
                    .get(&part)
                    .is_none_or(|(first, count)| *count == 1 && *first < place),
                _ => true,
            };
            let is_same = parts.iter().all(is_same_later);
            let name = nodes.add(Node::Variable(variable), ScalarType::U32);
            if !self.may_look_at(parts.len()) {
                break;
            }
            if is_same {
                values.insert(name, spelt);
            }
        }
        values
    }

    /// Puts values into the indices of statements that may be wide; returns `true` if there was one.
    fn spell_indices(
        &mut self,
        list: &mut [Statement<Physical>],
        values: &HashMap<NodeId, NodeId>,
    ) -> bool {
        let mut changed = false;
        for statement in list {
            if let Statement::Store { array, index, .. } | Statement::Read { array, index, .. } =
                statement
                && self.may_be_wide_at_all(*array)
            {
                let spelt = self.replaced(*index, values);
                changed |= spelt != *index;
                *index = spelt;
            }
            for inner in statement.lists_mut() {
                changed |= self.spell_indices(inner, values);
            }
        }
        changed
    }
}
