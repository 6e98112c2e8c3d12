//! What the text of a kernel needs: compilers warn of names that nothing reads.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::{Kernel, Statement};
use crate::scalar::{ArrayId, Node, NodeId, VariableId};

/// The variables and arrays that something with an effect depends on.
#[derive(Debug, Default)]
pub(super) struct Used {
    pub(super) variables: BTreeSet<VariableId>,
    pub(super) arrays: BTreeSet<ArrayId>,
}

/// What a variable is made of, over all statements that bind or change it.
#[derive(Default)]
struct Source {
    nodes: Vec<NodeId>,
    arrays: Vec<ArrayId>,
    cells: Vec<VariableId>,
}

impl Used {
    pub(super) fn of(kernel: &Kernel) -> Self {
        let mut sources: BTreeMap<VariableId, Source> = BTreeMap::new();
        let (mut used, mut nodes, mut seen) = (Used::default(), Vec::new(), BTreeSet::new());
        for statement in &kernel.body {
            statement.visit(&mut |s| match s {
                Statement::Let { variable, .. } | Statement::Declare { cell: variable, .. } | Statement::Assign { cell: variable, .. } => {
                    sources.entry(*variable).or_default().nodes.extend(s.nodes());
                }
                Statement::Get { variable, cell } => sources.entry(*variable).or_default().cells.push(*cell),
                Statement::Read { variable, array, .. } => {
                    let source = sources.entry(*variable).or_default();
                    source.nodes.extend(s.nodes());
                    source.arrays.push(*array);
                }
                _ => {
                    nodes.extend(s.nodes());
                    used.arrays.extend(s.writes());
                }
            });
        }
        while let Some(id) = nodes.pop() {
            if !seen.insert(id) {
                continue;
            }
            let node = kernel.tables.nodes.node(id);
            nodes.extend(node.operands());
            match node {
                Node::Variable(variable) => used.variable(variable, &sources, &mut nodes),
                Node::Load { array, .. } => {
                    used.arrays.insert(array);
                }
                _ => {}
            }
        }
        used
    }

    fn variable(&mut self, variable: VariableId, sources: &BTreeMap<VariableId, Source>, nodes: &mut Vec<NodeId>) {
        let mut todo = vec![variable];
        while let Some(variable) = todo.pop() {
            if let (true, Some(source)) = (self.variables.insert(variable), sources.get(&variable)) {
                nodes.extend(&source.nodes);
                self.arrays.extend(&source.arrays);
                todo.extend(&source.cells);
            }
        }
    }
}
