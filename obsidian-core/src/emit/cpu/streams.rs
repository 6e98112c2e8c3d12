//! Loops of lanes through memory, row by row.
//!
//! ```text
//! forall i < 256 { cell s = x[i]; for k in 0..15 { s = s + x[(k + 1) * 256 + i] } store out[i] = s }
//!
//! forall i < 256 { s[i] = x[i] }
//! for k in 0..15 { forall i < 256 { s[i] = s[i] + x[(k + 1) * 256 + i] } }
//! forall i < 256 { store out[i] = s[i] }
//! ```
//!
//! Above, the lanes read 16 places of an input in turn, which a processor does not fetch in advance. Below, all is
//! read in the order in which it lies in memory: half the time where the input is not in a cache.
//!
//! Two things are kept from the compiler, by names that are bound to `black_box`es. Did it know the number of rounds, it
//! would write them out, and the first form would be back. Where what a lane keeps is one of two values, it would store
//! only those that change, by a mask: an instruction that what is loaded next waits for, five times slower
//! than the rest. So the bits of such values have a zero added to them that it does not know.
//!
//! The same is done to loops whose rounds divide or take roots: below, these are instructions for several lanes.
//!
//! *Argument.* That of [`lanes`](super::lanes): no lane leaves the loop, and all do as many rounds.
//!
//! *Limits.* The loop stands in the list of the loop over threads itself. It is sure to read an input whose rows, of
//! as many elements as there are lanes, lie behind each other; or each round is a list of values, with a root or a quotient
//! of floats among them, and of inputs it loads the same elements in all lanes, or neighbours. There are [`FEWEST`] lanes at
//! least, with [`BYTES`] of values in use at most.

use crate::hashed::HashSet;

use super::lanes::{ForAll, Lanes, List, spell_out, used_in};
use super::linear::{self, Lets};
use super::masks::parts::is_wide_node;
use crate::ir::{Kernel, Level, LevelledLoop, Lowered, Statement, Unroll};
use crate::ordered::{Map, Set};
use crate::scalar::{
    ArrayId, ArrayPlace, BinaryOp, Literal, Node, NodeId, Nodes, Role, ScalarType, Tables, UnaryOp,
    VariableId, VariableKind,
};

/// Fewer lanes are fewer than one instruction has.
pub(super) const FEWEST: u32 = 8;
/// The most bytes that all lanes keep from one part to the next: much less than the nearest cache has.
pub(super) const BYTES: u32 = 8192;
/// The most nodes of an index that is computed anew in each part.
const SMALL: usize = 16;

/// Takes loops through memory out of the loops over threads; gives the names too whose values the compiler must
/// not know.
pub(super) fn streams(mut kernel: Kernel<Lowered>) -> (Kernel<Lowered>, Set<VariableId>) {
    let mut body = std::mem::take(&mut kernel.body);
    let mut hidden = Set::new();
    list(&mut kernel.tables, &mut body, &mut hidden);
    kernel.body = body;
    (kernel, hidden)
}

fn list(tables: &mut Tables, statements: &mut List, hidden: &mut Set<VariableId>) {
    for mut statement in std::mem::take(statements) {
        if let Some(parts) = parts(tables, &statement, hidden) {
            statements.extend(parts);
            continue;
        }
        for inner in statement.lists_mut() {
            list(tables, inner, hidden);
        }
        statements.push(statement);
    }
}

/// The parts that a loop over threads becomes; nothing if it stays.
fn parts(
    tables: &mut Tables,
    statement: &Statement<Lowered>,
    hidden: &mut Set<VariableId>,
) -> Option<List> {
    let ForAll {
        level,
        lane,
        count,
        body,
    } = ForAll::of(&tables.nodes, statement)?;
    if count < FEWEST || level == Level::Thread || !body.iter().all(is_part) {
        return None;
    }
    let body = with_indices(tables, body);
    let is_stream = |s: &Statement<Lowered>| through(tables, s, (lane, count), &body);
    let is_stream: Vec<bool> = body.iter().map(is_stream).collect();
    if !is_stream.contains(&true) {
        return None;
    }
    let before = tables.clone();
    let mut lanes = Lanes::new(tables, level, (lane, count), None);
    let (mut result, mut found, mut at) = (List::new(), Vec::new(), 0);
    while at < body.len() {
        let straight = is_stream[at..].iter().take_while(|is| !**is).count();
        let (part, after) = body[at..].split_at(straight);
        lanes.straight(part, after, &mut result);
        at += straight;
        if let Some(Statement::Loop {
            counter,
            bounds: [rounds],
            body: round,
            ..
        }) = body.get(at)
        {
            let rounds = name(lanes.tables, *rounds, &mut found, &mut result);
            let mut inside = List::new();
            lanes.straight(round, &[], &mut inside);
            if chooses(&lanes.tables.nodes, round) {
                stored_whole(&mut lanes, &mut inside, &mut found, &mut result);
            }
            result.push(Statement::Loop {
                kind: LevelledLoop::Sequential(level),
                counter: *counter,
                bounds: [rounds],
                unroll: Unroll::Never,
                body: inside,
            });
            at += 1;
        }
    }
    let bytes = lanes
        .kept
        .values()
        .map(|array| lanes.tables.array(*array).ty.bytes());
    if bytes.sum::<u32>().saturating_mul(count) > BYTES {
        *tables = before;
        return None;
    }
    hidden.extend(found);
    Some(result)
}

/// A name in front of the loop for a value that the compiler must not know.
fn name(
    tables: &mut Tables,
    value: NodeId,
    hidden: &mut Vec<VariableId>,
    list: &mut List,
) -> NodeId {
    let ty = tables.nodes.ty(value);
    let variable = tables.add_variable(ty, VariableKind::Let);
    list.push(Statement::Let { variable, value });
    hidden.push(variable);
    tables.nodes.add(Node::Variable(variable), ty)
}

/// May what a round assigns be what was there before, in some lanes?
fn chooses(nodes: &Nodes, round: &List) -> bool {
    let is_choice = |id: NodeId| match nodes.node(id) {
        Node::Select { .. } => true,
        Node::Binary { op, .. } => {
            matches!(op, BinaryOp::Min | BinaryOp::Max) && nodes.ty(id).is_float()
        }
        _ => false,
    };
    let mut found = false;
    for statement in round {
        statement.visit(&mut |inner| {
            let parts = nodes.post_order(&inner.nodes(), |_| false);
            found |= matches!(inner, Statement::If { .. }) || parts.into_iter().any(is_choice);
        });
    }
    found
}

/// Adds a zero that the compiler does not know to the bits of all that the lanes keep.
fn stored_whole(
    lanes: &mut Lanes<'_>,
    round: &mut List,
    hidden: &mut Vec<VariableId>,
    front: &mut List,
) {
    let kept: Set<ArrayId> = lanes.kept.values().copied().collect();
    for statement in round.iter_mut().flat_map(Statement::lists_mut).flatten() {
        let Statement::Store { array, value, .. } = statement else {
            continue;
        };
        if !kept.contains(array) {
            continue;
        }
        let is_float = lanes.tables.nodes.ty(*value).is_float();
        let bits = match is_float {
            true => lanes.tables.nodes.unary(UnaryOp::ToBits, *value),
            false => *value,
        };
        let zero = Literal::zero(lanes.tables.nodes.ty(bits));
        let zero = lanes.tables.nodes.add_literal(zero);
        let zero = name(lanes.tables, zero, hidden, front);
        let bits = lanes.tables.nodes.binary(BinaryOp::Xor, bits, zero);
        *value = match is_float {
            true => lanes.tables.nodes.unary(UnaryOp::FromBits, bits),
            false => bits,
        };
    }
}

/// May a statement be done for some lanes before what follows it is done for others?
fn is_part(statement: &Statement<Lowered>) -> bool {
    let mut stays = statement.may_leave();
    statement.visit(&mut |inner| {
        stays |= matches!(
            inner,
            Statement::Allocate { .. }
                | Statement::Wait { .. }
                | Statement::Atomic { .. }
                | Statement::Report(_)
        );
    });
    !stays
}

/// A list in which names for indices are replaced by what they stand for: no part has to keep them.
fn with_indices(tables: &mut Tables, list: &List) -> List {
    let (mut result, mut values) = (List::new(), Map::new());
    for mut statement in list.iter().cloned() {
        spell_out(&mut tables.nodes, &mut statement, &values);
        match statement {
            Statement::Let { variable, value } if is_index(&tables.nodes, value) => {
                values.insert(variable, value);
            }
            statement => result.push(statement),
        }
    }
    result
}

/// Is it a small expression for an index, which reads no memory?
fn is_index(nodes: &Nodes, value: NodeId) -> bool {
    let parts = nodes.post_order(&[value], |_| false);
    let reads = |id: &NodeId| nodes.node(*id).is_load();
    nodes.ty(value) == ScalarType::U32 && parts.len() <= SMALL && !parts.iter().any(reads)
}

/// Is a statement a loop of each lane that goes through an input by rows, or one whose rounds divide or take roots?
fn through(
    tables: &Tables,
    statement: &Statement<Lowered>,
    (lane, count): (VariableId, u32),
    all: &List,
) -> bool {
    let Statement::Loop {
        kind: LevelledLoop::Sequential(Level::Thread),
        counter,
        bounds: [rounds],
        body,
        ..
    } = statement
    else {
        return false;
    };
    let nodes = &tables.nodes;
    let mut inside = Set::from([lane]);
    all.iter()
        .for_each(|s| s.visit(&mut |inner| inside.extend(inner.binds())));
    let is_same = used_in(nodes, *rounds).is_disjoint(&inside)
        && !nodes
            .post_order(&[*rounds], |_| false)
            .into_iter()
            .any(|id| nodes.node(id).is_load());
    let is_one = nodes
        .literal(*rounds)
        .map(Literal::u32)
        .is_some_and(|n| n < 2);
    let leaves = body.iter().any(Statement::may_leave);
    let mut lets = Lets::new();
    for statement in body {
        if let Statement::Let { variable, value } = statement {
            let sum = linear::of_let(nodes, &lets, *value);
            lets.extend(sum.map(|sum| (*variable, sum)));
        }
    }
    let is_row = |index: NodeId| {
        let sum = linear::of(nodes, &lets, index);
        let factor = |of: VariableId| {
            let term = sum
                .terms
                .iter()
                .find(|(id, _)| nodes.node(*id) == Node::Variable(of));
            term.map_or(0, |(_, factor)| *factor)
        };
        factor(lane) == 1 && factor(*counter) == i64::from(count)
    };
    let is_input = |array| matches!(tables.array(array).place, ArrayPlace::Global(Role::Input));
    let reads = |s: &Statement<Lowered>| {
        let (mut stack, mut seen) = (s.nodes().to_vec(), HashSet::default());
        while let Some(id) = stack.pop() {
            if !seen.insert(id) {
                continue;
            }
            match nodes.node(id) {
                Node::Load { array, index } if is_input(array) && is_row(index) => return true,
                Node::Select { condition, .. } => stack.push(condition),
                node => stack.extend(node.operands()),
            }
        }
        false
    };
    let is_round = || is_costly(tables, (lane, *counter), &inside, body);
    is_same && !is_one && !leaves && (body.iter().any(reads) || is_round())
}

/// Are rounds values that lanes compute several at a time, with a root or a quotient among them? Lanes load the same
/// elements of inputs, or neighbours. `inside` has what the lanes bind, each for itself.
fn is_costly(
    tables: &Tables,
    (lane, counter): (VariableId, VariableId),
    inside: &Set<VariableId>,
    round: &[Statement<Lowered>],
) -> bool {
    let nodes = &tables.nodes;
    let is_load = |id: &NodeId| nodes.node(*id).is_load();
    // What is the same in all lanes.
    let mut same = Set::from([counter]);
    let mut lets = Lets::new();
    let mut is_costly = false;
    for statement in round {
        let is_value = matches!(
            statement,
            Statement::Let { .. } | Statement::Get { .. } | Statement::Assign { .. }
        );
        if !is_value {
            return false;
        }
        let is_same = |id: NodeId| {
            let used = used_in(nodes, id);
            used.iter()
                .all(|name| same.contains(name) || !inside.contains(name))
        };
        let is_near = |index: NodeId| {
            let sum = linear::of(nodes, &lets, index);
            let of_lane = |(id, factor): &(NodeId, i64)| {
                *factor == 1 && nodes.node(*id) == Node::Variable(lane)
            };
            let mut terms = sum.terms.iter();
            is_same(index) || terms.all(|term| of_lane(term) || is_same(term.0))
        };
        let (mut stack, mut seen) = (statement.nodes(), HashSet::default());
        while let Some(id) = stack.pop() {
            if !seen.insert(id) {
                continue;
            }
            let fits = match nodes.node(id) {
                Node::Load { array, index } => {
                    matches!(tables.array(array).place, ArrayPlace::Global(Role::Input))
                        && !nodes.post_order(&[index], |_| false).iter().any(is_load)
                        && is_near(index)
                }
                node => {
                    is_costly |= matches!(
                        node,
                        Node::Unary {
                            op: UnaryOp::Sqrt,
                            ..
                        } | Node::Binary {
                            op: BinaryOp::Div,
                            ..
                        }
                    );
                    stack.extend(node.operands());
                    is_wide_node(nodes, id)
                }
            };
            if !fits {
                return false;
            }
        }
        if let Statement::Let { variable, value } = statement {
            if is_same(*value) {
                same.insert(*variable);
            }
            let sum = linear::of_let(nodes, &lets, *value);
            lets.extend(sum.map(|sum| (*variable, sum)));
        }
    }
    is_costly
}

#[cfg(test)]
mod tests;
