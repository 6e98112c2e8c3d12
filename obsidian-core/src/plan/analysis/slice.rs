//! The statements that some values need (a backward slice), without what is seen outside of a block.
//!
//! Before: statements that stand in front of a list, and that list, both at Block. After: those of the statements that the list needs. What they
//! store into the kernel's outputs, and what they tell the user, is left out. Where the list needs such a store after all, the
//! slice says so: its values are not what it computes alone.

use crate::error::Origin;
use crate::ir::{Collective, How, Levelled, Statement};
use crate::ordered::Set;
use crate::scalar::{ArrayId, ArrayPlace, Node, NodeId, Nodes, Tables, VariableId};

type List = Vec<Statement<Levelled>>;

/// What [`slice`] finds.
#[derive(Debug, Default)]
pub(in crate::plan) struct Slice {
    /// The statements, in their order.
    pub(in crate::plan) list: List,
    /// Changes of the kernel's arrays that they need.
    pub(in crate::plan) needed: Vec<(ArrayId, Origin)>,
}

/// The statements of `before` that the list `of` needs.
pub(in crate::plan) fn slice(tables: &Tables, before: &List, of: &List) -> Slice {
    let mut search = Search {
        tables,
        nodes: &tables.nodes,
        needs: Needs::default(),
        needed: Set::new(),
        breaks: false,
    };
    search.all(of);
    let list = search.list(before);
    Slice {
        list,
        needed: search.needed.into_iter().collect(),
    }
}

/// What the operator and the initial value are made of, as a list.
pub(in crate::plan) fn operator(of: &Collective<Levelled>) -> List {
    let mut list = of.combine.clone();
    list.push(Statement::Give((), of.initial.clone()));
    list
}

/// What the statements so far, from the last one on, are made of.
#[derive(Clone, Default, PartialEq)]
struct Needs {
    /// Cells are variables.
    variables: Set<VariableId>,
    arrays: Set<ArrayId>,
}

struct Search<'k> {
    tables: &'k Tables,
    nodes: &'k Nodes,
    needs: Needs,
    needed: Set<(ArrayId, Origin)>,
    /// Is the loop around needed, so that what leaves it is?
    breaks: bool,
}

impl Search<'_> {
    /// All of a list is needed.
    fn all(&mut self, list: &List) {
        for statement in list {
            statement.visit(&mut |inner| {
                self.values(&inner.nodes());
                self.needs
                    .variables
                    .extend(inner.cell().map(|(cell, _)| cell));
                self.needs
                    .arrays
                    .extend(inner.accessed().map(|accessed| accessed.array));
            });
        }
    }

    fn values(&mut self, roots: &[NodeId]) {
        for id in self.nodes.post_order(roots, |_| false) {
            let node = self.nodes.node(id);
            if let Node::Variable(variable) = node {
                self.needs.variables.insert(variable);
            }
            if let Node::Load { array, .. } = node {
                self.needs.arrays.insert(array);
            }
        }
    }

    /// What is needed of a list; of one that does nothing but wait, nothing is.
    fn list(&mut self, list: &List) -> List {
        let mut kept: List = list
            .iter()
            .rev()
            .filter_map(|statement| self.statement(statement))
            .collect();
        kept.reverse();
        match kept.iter().all(|statement| statement.waits().is_some()) {
            true => List::new(),
            false => kept,
        }
    }

    fn statement(&mut self, statement: &Statement<Levelled>) -> Option<Statement<Levelled>> {
        let is_needed = match statement {
            Statement::Let { variable, .. } => self.needs.variables.contains(variable),
            Statement::Declare { cell, .. } | Statement::Assign { cell, .. } => {
                self.needs.variables.contains(cell)
            }
            Statement::Get { variable, cell } => {
                let is_needed = self.needs.variables.contains(variable);
                self.needs.variables.extend(is_needed.then_some(*cell));
                is_needed
            }
            Statement::Store { .. } | Statement::Atomic { .. } | Statement::Read { .. } => {
                self.access(statement)
            }
            Statement::Allocate { array, .. } => self.needs.arrays.contains(array),
            Statement::Wait { .. } | Statement::Give(..) => true,
            Statement::Break => self.breaks,
            Statement::Report(_) => false,
            Statement::If {
                condition,
                then,
                otherwise,
            } => {
                let before = self.needs.clone();
                let otherwise = self.list(otherwise);
                let behind = std::mem::replace(&mut self.needs, before);
                let then = self.list(then);
                self.needs.variables.extend(behind.variables);
                self.needs.arrays.extend(behind.arrays);
                if then.is_empty() && otherwise.is_empty() {
                    return None;
                }
                self.values(&[*condition]);
                return Some(Statement::If {
                    condition: *condition,
                    then,
                    otherwise,
                });
            }
            Statement::While { .. } | Statement::Loop { .. } => return self.repeated(statement),
            Statement::Collective(..) => return self.collective(statement),
            Statement::Shuffle(never, _)
            | Statement::Wide(never, _)
            | Statement::Earlier(never, _) => match *never {},
        };
        is_needed.then(|| {
            self.values(&statement.nodes());
            statement.clone()
        })
    }

    /// Is an access to an element needed? Then it changes, or reads, what is.
    fn access(&mut self, statement: &Statement<Levelled>) -> bool {
        let Some(accessed) = statement.accessed() else {
            return false;
        };
        let array = accessed.array;
        let of_name = |variable: Option<VariableId>| {
            variable.is_some_and(|variable| self.needs.variables.contains(&variable))
        };
        let is_needed = match accessed.how {
            How::Read(variable) => of_name(Some(variable)),
            How::Write(_) => self.needs.arrays.contains(&array),
            How::Change(.., old) => of_name(old) || self.needs.arrays.contains(&array),
        };
        let is_given = matches!(self.tables.array(array).place, ArrayPlace::Global(_));
        if is_needed && is_given && !accessed.how.is_read() {
            self.needed.insert((array, accessed.origin));
        }
        if is_needed {
            self.needs.arrays.insert(array);
        }
        is_needed
    }

    /// A loop: what one round needs, the one before it gives.
    fn repeated(&mut self, statement: &Statement<Levelled>) -> Option<Statement<Levelled>> {
        let outside = std::mem::replace(&mut self.breaks, false);
        let mut kept = statement.clone();
        loop {
            let before = (self.needs.clone(), self.breaks);
            let lists: Vec<List> = statement
                .lists()
                .into_iter()
                .rev()
                .map(|list| self.list(list))
                .collect();
            let is_needed = lists.iter().any(|list| !list.is_empty());
            for (list, own) in kept.lists_mut().into_iter().zip(lists.into_iter().rev()) {
                *list = own;
            }
            if !is_needed {
                self.breaks = outside;
                return None;
            }
            self.breaks = true;
            self.values(&statement.nodes());
            if before == (self.needs.clone(), self.breaks) {
                self.breaks = outside;
                return Some(kept);
            }
        }
    }

    fn collective(&mut self, statement: &Statement<Levelled>) -> Option<Statement<Levelled>> {
        let of = statement.collective()?;
        let body = self.list(&of.body);
        if body.is_empty() {
            return None;
        }
        self.all(&of.combine);
        self.values(&statement.nodes());
        let source = self.list(&of.source);
        Some(Statement::Collective(
            (),
            Box::new(Collective {
                source,
                body,
                ..of.clone()
            }),
        ))
    }
}
