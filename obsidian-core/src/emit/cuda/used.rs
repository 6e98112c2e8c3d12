//! What the text of a kernel needs: compilers warn of names that nothing reads.

use crate::hashed::HashSet;

use crate::ir::{Direction, Kernel, Physical, Shuffle, Statement, Wide};
use crate::ordered::{Map, Set};
use crate::scalar::{ArrayId, ArrayPlace, Node, NodeId, VariableId};

/// The variables and arrays that something with an effect depends on.
#[derive(Debug, Default)]
pub(super) struct Used {
    pub(super) variables: Set<VariableId>,
    pub(super) arrays: Set<ArrayId>,
    /// The arrays in memory that wide accesses reach.
    pub(super) wide: Set<ArrayId>,
}

/// What a variable is made of, over all statements that bind or change it.
#[derive(Default)]
struct Source {
    nodes: Vec<NodeId>,
    arrays: Vec<ArrayId>,
    cells: Vec<VariableId>,
}

/// What has been found so far, and what follows from it.
struct Search<'k> {
    kernel: &'k Kernel<Physical>,
    variables: Map<VariableId, Source>,
    /// The nodes that are stored in a held array: without effect unless it is read.
    held: Map<ArrayId, (Vec<NodeId>, Vec<ArrayId>)>,
    nodes: Vec<NodeId>,
    /// Held arrays that are stored in memory.
    stored: Vec<ArrayId>,
    /// Cells by which blocks find what earlier ones have.
    followed: Vec<VariableId>,
    seen: HashSet<NodeId>,
    used: Used,
}

impl Used {
    pub(super) fn of(kernel: &Kernel<Physical>) -> Self {
        let (variables, held) = (Map::new(), Map::new());
        let mut search = Search {
            kernel,
            variables,
            held,
            nodes: Vec::new(),
            stored: Vec::new(),
            followed: Vec::new(),
            seen: HashSet::default(),
            used: Used::default(),
        };
        for statement in &kernel.body {
            statement.visit(&mut |s| search.statement(s));
        }
        for held in std::mem::take(&mut search.stored) {
            search.array(held);
        }
        for cell in std::mem::take(&mut search.followed) {
            search.variable(cell);
        }
        while let Some(id) = search.nodes.pop() {
            search.node(id);
        }
        search.used
    }
}

impl Search<'_> {
    fn is_held(&self, array: ArrayId) -> bool {
        self.kernel.tables.array(array).place == ArrayPlace::Held
    }

    /// Sorts what a statement reads into what has an effect and what only gives a name to
    /// something.
    fn statement(&mut self, statement: &Statement<Physical>) {
        match statement {
            Statement::Shuffle(_, Shuffle { variable, .. })
            | Statement::Let { variable, .. }
            | Statement::Declare { cell: variable, .. }
            | Statement::Assign { cell: variable, .. } => {
                self.variables
                    .entry(*variable)
                    .or_default()
                    .nodes
                    .extend(statement.nodes());
            }
            Statement::Get { variable, cell } => self
                .variables
                .entry(*variable)
                .or_default()
                .cells
                .push(*cell),
            Statement::Read {
                variable, array, ..
            } => {
                let source = self.variables.entry(*variable).or_default();
                source.nodes.extend(statement.nodes());
                source.arrays.push(*array);
            }
            Statement::Store { array, .. } if self.is_held(*array) => self
                .held
                .entry(*array)
                .or_default()
                .0
                .extend(statement.nodes()),
            Statement::Wide(_, wide) => self.wide(wide),
            Statement::Earlier(_, of) => {
                self.nodes.extend(statement.nodes());
                self.followed.extend(&of.cells);
            }
            _ => {
                self.nodes.extend(statement.nodes());
                self.used.arrays.extend(statement.writes());
            }
        }
    }

    fn node(&mut self, id: NodeId) {
        if !self.seen.insert(id) {
            return;
        }
        let node = self.kernel.tables.nodes.node(id);
        self.nodes.extend(node.operands());
        match node {
            Node::Variable(variable) => self.variable(variable),
            Node::Load { array, .. } => self.array(array),
            _ => {}
        }
    }

    fn array(&mut self, array: ArrayId) {
        let mut todo = vec![array];
        while let Some(array) = todo.pop() {
            self.used.arrays.insert(array);
            let (nodes, arrays) = self.held.remove(&array).unwrap_or_default();
            self.nodes.extend(nodes);
            todo.extend(arrays);
        }
    }

    /// A wide load gives a held array what another one has, at an index; a store has an effect.
    fn wide(&mut self, wide: &Wide) {
        self.used.wide.insert(wide.array);
        match wide.direction {
            Direction::Load => {
                let (nodes, arrays) = self.held.entry(wide.held).or_default();
                nodes.push(wide.index);
                arrays.push(wide.array);
            }
            Direction::Store => {
                self.nodes.push(wide.index);
                self.used.arrays.insert(wide.array);
                self.stored.push(wide.held);
            }
        }
    }

    fn variable(&mut self, variable: VariableId) {
        let mut todo = vec![variable];
        while let Some(variable) = todo.pop() {
            self.used.variables.insert(variable);
            let Some(source) = self.variables.remove(&variable) else {
                continue;
            };
            self.nodes.extend(&source.nodes);
            todo.extend(&source.cells);
            source
                .arrays
                .into_iter()
                .for_each(|array| self.array(array));
        }
    }
}
