//! Lengths that have to be equal and that a launch does not know: those of zips inside of loops.
//!
//! A claim is proved where the last of its variables is bound, with the facts of that place: lengths
//! are expressions over counters and names, so nothing later changes them. What is not proved is an
//! error. A claim whose variables no statement binds is about an array that the kernel does not use.

use super::forms::Forms;
use crate::array::of_arrays;
use crate::error::{Diagnostic, catalogue};
use crate::ordered::Set;
use crate::scalar::{ArrayId, Claim, Node, NodeId, Tables, VariableId};

/// The claims of a kernel, and which of them do not hold as far as can be proved.
#[derive(Default)]
pub(super) struct Claims {
    /// The variables in each claim.
    variables: Vec<Set<VariableId>>,
    /// What is bound here.
    bound: Set<VariableId>,
    /// Claims that are not proved at some place.
    open: Set<usize>,
}

impl Claims {
    /// The claims of a kernel.
    pub(super) fn of(tables: &Tables) -> Self {
        let variables = |claim: &Claim| variables(tables, [claim.left, claim.right]);
        let arguments = (0..).zip(&tables.variables).filter_map(|(n, variable)| {
            let argument = variable.kind == crate::scalar::VariableKind::Argument;
            argument.then_some(VariableId(n))
        });
        Claims {
            variables: tables.claims.iter().map(variables).collect(),
            bound: arguments.collect(),
            open: Set::new(),
        }
    }

    /// Tries to prove the claims in which a variable occurs that is bound here, if all others are
    /// bound too.
    pub(super) fn bind(&mut self, forms: &mut Forms<'_>, variable: VariableId) {
        self.bound.insert(variable);
        self.prove(forms, |variables| variables.contains(&variable));
    }

    /// Tries to prove the claims in which only arguments occur.
    pub(super) fn start(&mut self, forms: &mut Forms<'_>) {
        self.prove(forms, |_| true);
    }

    fn prove(&mut self, forms: &mut Forms<'_>, asked: impl Fn(&Set<VariableId>) -> bool) {
        for (n, variables) in self.variables.iter().enumerate() {
            let Some(claim) = forms.tables.claims.get(n) else {
                continue;
            };
            if asked(variables) && variables.is_subset(&self.bound) {
                let (left, right) = (forms.value(claim.left), forms.value(claim.right));
                if !forms.equal(&left, &right) {
                    self.open.insert(n);
                }
            }
        }
    }

    /// What was bound by a loop is not bound behind it.
    pub(super) fn unbind(&mut self, variable: VariableId) {
        self.bound.remove(&variable);
    }

    /// An error for each claim that is not proved.
    pub(super) fn wrong(&self, tables: &Tables) -> Vec<Diagnostic> {
        let wrong = self.open.iter().filter_map(|n| {
            let claim = tables.claims.get(*n)?;
            let arrays = (
                only_array(tables, claim.left),
                only_array(tables, claim.right),
            );
            let found = match arrays {
                (Some(left), Some(right)) if left != right => {
                    catalogue::maybe_unequal_parts(&claim.what, left, right)
                }
                _ => catalogue::maybe_unequal_lengths(&claim.what),
            };
            Some(of_arrays(found.at(claim.origin), claim.places))
        });
        let mut places = Set::new();
        wrong.filter(|d| places.insert(d.origin)).collect()
    }
}

/// The name of the array whose length is in a length, if there is just one.
fn only_array(tables: &Tables, length: NodeId) -> Option<&str> {
    let nodes = tables.nodes.post_order(&[length], |_| false);
    let arrays: Set<ArrayId> = nodes
        .into_iter()
        .filter_map(|id| match tables.nodes.node(id) {
            Node::Length(array) => Some(array),
            _ => None,
        })
        .collect();
    let mut arrays = arrays.into_iter();
    let only = arrays.next().filter(|_| arrays.next().is_none())?;
    let array = tables.arrays.get(only.0 as usize)?;
    Some(&array.name)
}

/// The variables in expressions.
fn variables(tables: &Tables, roots: [NodeId; 2]) -> Set<VariableId> {
    let nodes = tables.nodes.post_order(&roots, |_| false);
    let variable = |id: NodeId| tables.nodes.node(id).variable();
    nodes.into_iter().filter_map(variable).collect()
}
