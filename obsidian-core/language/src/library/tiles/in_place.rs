//! States that change in place: steps in which each iteration reads only the element that it gives.
//!
//! Before: the actions of a step, which load the state from a copy, and store the next one. After: the same without
//! the copy. An iteration reads its element of the state first, as it is now, and stores the next value last:
//!
//! ```text
//! forall i { kept[i] = copy[i] + x[i] }      becomes      forall i { s = read kept[i]; kept[i] = s + x[i] }
//! ```
//!
//! *Argument.* Element `i` is stored by iteration `i` alone, and iteration `i` alone loads it. So what it reads
//! at its beginning is what the copy has. What loads the state elsewhere, or at another index, keeps the copy.

use crate::error::Origin;
use crate::ordered::Map;
use crate::program::Action;
use crate::scalar::{
    ArrayId, Literal, Node, NodeId, ScalarType, VariableId, VariableKind, session,
};

/// A copy of an array of the state.
#[derive(Clone, Copy)]
pub(super) struct Copy {
    copy: ArrayId,
    kept: ArrayId,
    ty: ScalarType,
    origin: Origin,
}

/// The arrays that actions begin.
pub(super) fn allocated(actions: &[Action]) -> Vec<ArrayId> {
    let begun = actions.iter().filter_map(|action| match action {
        Action::Allocate { array, .. } => Some(*array),
        _ => None,
    });
    begun.collect()
}

/// Each array that `copied` begins, with the one of the state that it is a copy of.
pub(super) fn copies(copied: &[Action], kept: &[ArrayId], origin: Origin) -> Vec<Copy> {
    let pairs = allocated(copied).into_iter().zip(kept.iter().copied());
    let copy = |(copy, kept)| {
        let ty = session(|s| s.tables.array(copy).ty)?;
        Some(Copy {
            copy,
            kept,
            ty,
            origin,
        })
    };
    pairs.filter_map(copy).collect()
}

/// The actions of a step without the copy of a state of `length` elements; none if it needs it.
pub(super) fn rewritten(
    mut actions: Vec<Action>,
    length: u32,
    copies: &[Copy],
) -> Option<Vec<Action>> {
    let mut is_stored = false;
    for action in &mut actions {
        iterations(action, length, (copies, &mut is_stored))?;
    }
    Some(actions)
}

/// Rewrites the iterations of a loop, and of loops inside of it. None where a load of the copy stands outside of
/// iterations that have each an element of the state, or behind a loop that has stored the next one (`is_stored`).
fn iterations(
    action: &mut Action,
    length: u32,
    (copies, is_stored): (&[Copy], &mut bool),
) -> Option<()> {
    if !mentions(action, copies) {
        return Some(());
    }
    match action {
        Action::ForAll {
            counter,
            count,
            body,
        } if !*is_stored => {
            let (own, rounds) = session(|s| {
                let nodes = &mut s.tables.nodes;
                let own = nodes.add(Node::Variable(*counter), ScalarType::U32);
                (own, nodes.literal(*count).map(Literal::u32))
            })?;
            let is_own = |index: NodeId| index == own;
            let all_own = body
                .iter()
                .all(|action| touches_own(action, copies, &is_own));
            if !all_own || rounds.is_none_or(|rounds| rounds > length) {
                return None;
            }
            *is_stored = body.iter().any(|action| stores(action, copies));
            let before = std::mem::take(body);
            *body = read_first(before, own, copies);
            Some(())
        }
        Action::Unroll { body, .. } => {
            for action in body {
                iterations(action, length, (copies, is_stored))?;
            }
            Some(())
        }
        _ => None,
    }
}

/// The statements of an iteration behind reads of the elements that they load.
fn read_first(mut body: Vec<Action>, own: NodeId, copies: &[Copy]) -> Vec<Action> {
    let (mut reads, mut values) = (Vec::new(), Map::new());
    for one in copies {
        let named = session(|s| {
            let variable = s.tables.add_variable(one.ty, VariableKind::Let);
            (
                variable,
                s.tables.nodes.add(Node::Variable(variable), one.ty),
            )
        });
        let Some((variable, value)) = named else {
            continue;
        };
        values.insert(one.copy, value);
        reads.push(read(variable, own, one));
    }
    for action in &mut body {
        put(action, &values);
    }
    reads.extend(body);
    reads
}

fn read(variable: VariableId, index: NodeId, one: &Copy) -> Action {
    Action::Read {
        variable,
        array: one.kept,
        index,
        origin: one.origin,
    }
}

/// Puts the values that were read in the place of loads.
fn put(action: &mut Action, values: &Map<ArrayId, NodeId>) {
    for root in action.nodes_mut() {
        let new = session(|s| {
            s.tables.nodes.replaced(*root, |nodes, id| {
                nodes
                    .node(id)
                    .loaded()
                    .and_then(|array| values.get(&array).copied())
            })
        });
        *root = new.unwrap_or(*root);
    }
    for list in action.lists_mut() {
        list.iter_mut().for_each(|action| put(action, values));
    }
}

/// Does an action, with all inside of it, load the state and store it at an iteration's own index alone?
fn touches_own(action: &Action, copies: &[Copy], is_own: &dyn Fn(NodeId) -> bool) -> bool {
    let stores = match action {
        Action::Assign { array, index, .. } | Action::Read { array, index, .. } => {
            is_own(*index) || copies.iter().all(|one| one.kept != *array)
        }
        // Units of a lower level have iterations of their own.
        Action::ForAll { .. } | Action::DistrPar { .. } | Action::Collective(_) => {
            !mentions(action, copies)
        }
        _ => true,
    };
    stores
        && indices(&action.nodes(), copies).into_iter().all(is_own)
        && action
            .lists()
            .into_iter()
            .flatten()
            .all(|inner| touches_own(inner, copies, is_own))
}

/// Does an action, or one inside of it, load a copy or store the state?
fn mentions(action: &Action, copies: &[Copy]) -> bool {
    touches(action, copies)
        || !indices(&action.nodes(), copies).is_empty()
        || action
            .lists()
            .into_iter()
            .flatten()
            .any(|inner| mentions(inner, copies))
}

/// Does an action, or one inside of it, store the state?
fn stores(action: &Action, copies: &[Copy]) -> bool {
    let mut inside = action.lists().into_iter().flatten();
    touches(action, copies) || inside.any(|inner| stores(inner, copies))
}

/// Does an action itself access an array of the state?
fn touches(action: &Action, copies: &[Copy]) -> bool {
    match action {
        Action::Assign { array, .. } | Action::Read { array, .. } => {
            copies.iter().any(|one| one.kept == *array)
        }
        _ => false,
    }
}

/// The indices at which expressions load copies.
fn indices(roots: &[NodeId], copies: &[Copy]) -> Vec<NodeId> {
    let found = session(|s| {
        let nodes = &s.tables.nodes;
        let all = nodes.post_order(roots, |_| false);
        let index = |id| match nodes.node(id) {
            Node::Load { array, index } if copies.iter().any(|one| one.copy == array) => {
                Some(index)
            }
            _ => None,
        };
        all.into_iter().filter_map(index).collect()
    });
    found.unwrap_or_default()
}
