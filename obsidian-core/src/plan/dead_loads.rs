//! Dead-load elimination: reads whose value nothing uses are left out.
//!
//! Before and after: a kernel of either stage. It comes after `check`, which tells by the reads which
//! arrays are changed step by step, and before `barriers`, which places none for a read that is not
//! there; what the reads told of arrays, `changing` has found before.

use crate::hashed::HashSet;

use super::analysis::uses::used;
use crate::ir::{Kernel, Stage, Statement};
use crate::ordered::Set;
use crate::scalar::{Node, NodeId, Nodes, VariableId};

/// Takes out reads whose value nothing uses, and the names of old values that nothing uses.
pub fn dead_loads<S: Stage>(mut kernel: Kernel<S>) -> Kernel<S> {
    let names = Names {
        used: used(&kernel),
        several: several(&kernel),
    };
    names.drop_from(&kernel.tables.nodes, &mut kernel.body, true);
    kernel
}

/// The variables that more than one statement binds: copies of an operator's statements.
fn several<S: Stage>(kernel: &Kernel<S>) -> Set<VariableId> {
    let (mut once, mut several) = (Set::new(), Set::new());
    for statement in &kernel.body {
        statement.visit(&mut |s| {
            several.extend(s.binds().filter(|variable| !once.insert(*variable)));
        });
    }
    several
}

struct Names {
    /// Those that something uses, wherever they are bound.
    used: Set<VariableId>,
    several: Set<VariableId>,
}

impl Names {
    /// Could the statement, or its result, be left out, and do others bind the variable too?
    fn is_several<S: Stage>(&self, statement: &Statement<S>) -> bool {
        match statement {
            Statement::Read { variable, .. }
            | Statement::Get { variable, .. }
            | Statement::Atomic {
                result: Some(variable),
                ..
            } => self.several.contains(variable),
            _ => false,
        }
    }

    /// What a list binds is seen by the statements behind it, and, unless it `is_scope`, by others too.
    fn drop_from<S: Stage>(&self, nodes: &Nodes, list: &mut Vec<Statement<S>>, is_scope: bool) {
        let mut behind = Behind::default();
        // Only what is behind the first of these is asked for. Most lists have none, and then nothing is walked.
        let asked = match is_scope && !self.several.is_empty() {
            true => list.iter().position(|s| self.is_several(s)),
            false => None,
        };
        // From the end, so that what only a dropped statement uses is dropped too.
        for at in (0..list.len()).rev() {
            let Some(statement) = list.get_mut(at) else {
                continue;
            };
            let is_needed = |variable: &VariableId| {
                let is_local = is_scope && self.several.contains(variable);
                self.used.contains(variable) && (!is_local || behind.variables.contains(variable))
            };
            match statement {
                Statement::Read { variable, .. } | Statement::Get { variable, .. }
                    if !is_needed(variable) =>
                {
                    list.remove(at);
                    continue;
                }
                Statement::Atomic { result, .. } => *result = result.filter(is_needed),
                _ => {}
            }
            // The condition and the body of a `while` see what its head binds; so it is with collectives.
            let is_inside = !matches!(
                statement,
                Statement::While { .. } | Statement::Collective(..)
            );
            for inner in statement.lists_mut() {
                self.drop_from(nodes, inner, is_inside);
            }
            if asked.is_some_and(|first| first < at) {
                statement.visit(&mut |s| behind.add(nodes, &s.nodes()));
            }
        }
    }
}

/// What the statements behind one name.
#[derive(Default)]
struct Behind {
    variables: Set<VariableId>,
    /// Nodes that were looked at.
    seen: HashSet<NodeId>,
}

impl Behind {
    fn add(&mut self, nodes: &Nodes, roots: &[NodeId]) {
        for id in nodes.post_order(roots, |id| self.seen.contains(&id)) {
            self.seen.insert(id);
            if let Node::Variable(variable) = nodes.node(id) {
                self.variables.insert(variable);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{Lowered, read};

    fn without(body: &str) -> String {
        let text = format!(
            "kernel k {{ parameter 0 x: u32[64_u32] input parameter 1 out: u32[64_u32] output
             distribute Block b < 1_u32 {{ forall Block i < 64_u32 {{ {body} }} }} }}"
        );
        let kernel = read::<Lowered>(&text).unwrap_or_else(|e| panic!("{e}: {text}"));
        dead_loads(kernel).to_string()
    }

    #[test]
    fn a_copy_whose_value_nothing_uses_goes() {
        let text = without(
            "if (i < 32_u32) { read v = x[i] store out[i] = v } else { read v = x[(i -' 1_u32)] store out[i] = 7_u32 }",
        );
        assert_eq!(text.matches("read ").count(), 1, "{text}");
        assert!(text.contains("= x[i]") || text.contains("x[v"), "{text}");
    }
}
