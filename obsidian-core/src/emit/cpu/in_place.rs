//! Copies of local arrays that need not be made: what changes each element of an array by itself does so in place.
//!
//! A kernel that folds in rounds keeps the state of a round while the next one is computed, because on a GPU the threads of a
//! block write while others still read. One CPU thread that goes through the lanes in order has the old element in its
//! hands when it stores the new one.
//!
//! ```text
//! allocate b forall i < 32 { read v = a[i] store b[i] = v }
//! forall i < 32 { store a[i] = b[i] + x[i] }
//!
//! forall i < 32 { read v = a[i] store a[i] = v + x[i] }
//! ```
//!
//! Three copies `b` of an array `a` go:
//!
//! - `b` is read by lanes at their own elements, before anything but these lanes changes `a`, and by each lane before it does;
//! - nothing mentions `a` while there is `b`, and at last `b` is copied back;
//! - nothing mentions `a` any more.
//!
//! In the last two, `b` is another name for `a`. What is left are loops of which only the first lanes change their element;
//! they become loops over these lanes:
//!
//! ```text
//! forall i < 32 { read v = a[i] store a[i] = select(i < n, v + x[i], v) }
//!
//! forall i < min(n, 32) { read v = a[i] store a[i] = v + x[i] }
//! ```
//!
//! *Argument.* In the first case `a[i]` is `b[i]` until lane `i` stores. In the other two, each access to `b` finds what it
//! would find in `b`, since both have the same elements at first and `a` is not seen until it has those of `b`, or never.
//!
//! *Limits.* Both arrays are local, of one type and length, and `b` is begun in the list of the copy; in the third case `a`
//! is too, so that no later round of a loop reads it.

mod first_lanes;

use super::lanes::{ForAll, List, read, rewrite};
use crate::ir::{Kernel, LevelledLoop, Lowered, Statement};
use crate::ordered::Map;
use crate::scalar::{
    ArrayId, ArrayPlace, Literal, Node, NodeId, Nodes, ScalarType, Tables, VariableId, VariableKind,
};

/// Removes the copies.
pub(super) fn in_place(mut kernel: Kernel<Lowered>) -> Kernel<Lowered> {
    let mut body = std::mem::take(&mut kernel.body);
    list(&mut kernel.tables, &mut body);
    kernel.body = body;
    kernel
}

fn list(tables: &mut Tables, statements: &mut List) {
    let mut at = 0;
    while at < statements.len() {
        for copy in copies(tables, &statements[at]) {
            if let Some(begun) = removed(tables, statements, at, copy) {
                statements.remove(begun);
                at -= 1;
            }
        }
        at += 1;
    }
    statements.retain(|s| !matches!(s, Statement::Loop { body, .. } if body.is_empty()));
    for statement in statements {
        match statement {
            // What its head begins is there in its body too, which the head alone does not show.
            Statement::While { body, .. } => list(tables, body),
            _ => {
                let inner = statement.lists_mut().into_iter();
                inner.for_each(|inner| list(tables, inner));
            }
        }
        first_lanes::shorten(tables, statement);
    }
}

/// An array, and its copy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Copy {
    from: ArrayId,
    to: ArrayId,
}

/// The copies of whole arrays that a statement makes, if it does nothing else.
fn copies(tables: &Tables, statement: &Statement<Lowered>) -> Vec<Copy> {
    let nodes = &tables.nodes;
    let Some(ForAll {
        lane, count, body, ..
    }) = ForAll::of(nodes, statement)
    else {
        return Vec::new();
    };
    let is_lane = |id: NodeId| nodes.node(id) == Node::Variable(lane);
    let (mut found, mut names) = (Vec::new(), Map::new());
    for statement in body {
        match statement {
            Statement::Read {
                variable,
                array,
                index,
                ..
            } if is_lane(*index) => {
                names.insert(*variable, *array);
            }
            Statement::Store {
                array,
                index,
                value,
                ..
            } if is_lane(*index) => {
                let from = match nodes.node(*value) {
                    Node::Load { array, index } if is_lane(index) => Some(array),
                    Node::Variable(variable) => names.get(&variable).copied(),
                    _ => None,
                };
                let Some(from) = from else { return Vec::new() };
                found.push(Copy { from, to: *array });
            }
            _ => return Vec::new(),
        }
    }
    let is_written = |array| found.iter().any(|copy: &Copy| copy.to == array);
    let is_whole = |copy: &Copy| {
        let [from, to] = [copy.from, copy.to].map(|array| tables.array(array));
        let is_local = |place: &ArrayPlace| !matches!(place, ArrayPlace::Global(_));
        from.ty == to.ty
            && is_local(&from.place)
            && is_local(&to.place)
            && [from, to].map(|array| nodes.literal(array.length).map(Literal::u32))
                == [Some(count); 2]
    };
    let mut each = found.iter();
    match each.all(|copy| is_whole(copy) && !is_written(copy.from)) {
        true => found,
        false => Vec::new(),
    }
}

/// Puts an array in the place of its copy, which the statement at a place makes. Gives the place where the copy was begun;
/// nothing if both are needed.
fn removed(tables: &mut Tables, statements: &mut List, at: usize, copy: Copy) -> Option<usize> {
    let nodes = &tables.nodes;
    let (before, rest) = (&statements[..at], &statements[at + 1..]);
    let length = nodes.literal(tables.array(copy.to).length)?.u32();
    let begun = |array: ArrayId| {
        before
            .iter()
            .position(|s| matches!(s, Statement::Allocate { array: own, .. } if *own == array))
    };
    let is_seen =
        |list: &[Statement<Lowered>], array| list.iter().any(|s| mentions(nodes, s, array));
    let start = begun(copy.to)?;
    if is_seen(&before[start + 1..], copy.to) {
        return None;
    }
    let back = Copy {
        from: copy.to,
        to: copy.from,
    };
    let is_copied_back = match rest {
        [middle @ .., last] => copies(tables, last).contains(&back) && !is_seen(middle, copy.from),
        [] => false,
    };
    let is_last = begun(copy.from).is_some() && !is_seen(rest, copy.from);
    let mut old = Old {
        nodes,
        copy,
        length,
        is_changed: false,
    };
    if is_copied_back || is_last {
        if is_copied_back && let Some(last) = statements.last_mut() {
            without(&tables.nodes, last, back);
        }
        let rest = &mut statements[at + 1..];
        rest.iter_mut().for_each(|s| rename(tables, s, copy));
    } else if old.list(rest) {
        let rest = &mut statements[at + 1..];
        rest.iter_mut().for_each(|s| read_in_place(tables, s, copy));
    } else {
        return None;
    }
    without(&tables.nodes, &mut statements[at], copy);
    Some(start)
}

/// Takes a copy out of the statement that makes it.
fn without(nodes: &Nodes, statement: &mut Statement<Lowered>, copy: Copy) {
    let Statement::Loop { body, .. } = statement else {
        return;
    };
    body.retain(|s| !matches!(s, Statement::Store { array, .. } if *array == copy.to));
    let is_read = |s: &Statement<Lowered>| {
        matches!(s, Statement::Read { array, .. } if *array == copy.from)
            && !s.binds().is_some_and(|name| {
                let value = |s: &Statement<Lowered>| match s {
                    Statement::Store { value, .. } => nodes.node(*value) == Node::Variable(name),
                    _ => false,
                };
                body.iter().any(value)
            })
    };
    let needless: Vec<bool> = body.iter().map(is_read).collect();
    let mut needless = needless.into_iter();
    body.retain(|_| !needless.next().unwrap_or(false));
}

/// Does a statement, or one inside it, mention an array?
fn mentions(nodes: &Nodes, statement: &Statement<Lowered>, array: ArrayId) -> bool {
    let mut found = false;
    statement.visit(&mut |inner| found |= inner.mentions(nodes).contains(&array));
    found
}

/// Does a statement, or one inside it, write an array?
fn changes(statement: &Statement<Lowered>, array: ArrayId) -> bool {
    let mut found = false;
    statement.visit(&mut |inner| found |= inner.writes() == Some(array));
    found
}

/// Follows what is done behind a copy, for whether the copied array still has the elements of the copy where the copy is read.
struct Old<'t> {
    nodes: &'t Nodes,
    copy: Copy,
    length: u32,
    is_changed: bool,
}

impl Old<'_> {
    fn list(&mut self, list: &[Statement<Lowered>]) -> bool {
        list.iter().all(|statement| self.statement(statement))
    }

    fn statement(&mut self, statement: &Statement<Lowered>) -> bool {
        if !mentions(self.nodes, statement, self.copy.to) {
            self.is_changed |= changes(statement, self.copy.from);
            return true;
        }
        if statement.mentions(self.nodes).contains(&self.copy.to) {
            return false;
        }
        match statement {
            Statement::Loop {
                kind: LevelledLoop::ForAll(_),
                counter,
                bounds: [count],
                body,
                ..
            } => {
                let count = self.nodes.literal(*count).map(Literal::u32);
                let is_old = !self.is_changed
                    && count.is_some_and(|count| count <= self.length)
                    && body.iter().all(|s| self.is_own(s, *counter));
                self.is_changed |= changes(statement, self.copy.from);
                is_old
            }
            Statement::Loop { body, .. } => !changes(statement, self.copy.from) && self.list(body),
            Statement::While { head, body, .. } => {
                !changes(statement, self.copy.from) && self.list(head) && self.list(body)
            }
            Statement::If {
                then, otherwise, ..
            } => {
                let before = self.is_changed;
                let is_old = self.list(then);
                let after = std::mem::replace(&mut self.is_changed, before);
                let is_old = is_old && self.list(otherwise);
                self.is_changed |= after;
                is_old
            }
            _ => false,
        }
    }

    /// Does a statement of a lane access the copy, and change the array, at the element of the lane alone?
    fn is_own(&self, statement: &Statement<Lowered>, lane: VariableId) -> bool {
        let is_lane = |index: NodeId| self.nodes.node(index) == Node::Variable(lane);
        let Copy { from, to } = self.copy;
        let mut is_own = true;
        statement.visit(&mut |inner| {
            is_own &= match inner {
                Statement::Store { array, index, .. } if *array == from => is_lane(*index),
                Statement::Read { array, index, .. } if *array == to => is_lane(*index),
                _ => inner
                    .writes()
                    .is_none_or(|array| array != from && array != to),
            };
            let parts = self.nodes.post_order(&inner.nodes(), |_| false);
            is_own &= parts.into_iter().all(|id| match self.nodes.node(id) {
                Node::Load { array, index } if array == to => is_lane(index),
                _ => true,
            });
        });
        is_own
    }
}

/// Puts the array in the place of its copy, which nothing else has any more.
fn rename(tables: &mut Tables, statement: &mut Statement<Lowered>, copy: Copy) {
    for root in statement.nodes_mut() {
        *root = renamed(&mut tables.nodes, *root, copy);
    }
    if let Some((array, _)) = statement.accessed_mut()
        && *array == copy.to
    {
        *array = copy.from;
    }
    for inner in statement.lists_mut().into_iter().flatten() {
        rename(tables, inner, copy);
    }
}

/// An expression that loads the array where it loaded the copy.
fn renamed(nodes: &mut Nodes, root: NodeId, copy: Copy) -> NodeId {
    let mut known = Map::new();
    for id in nodes.post_order(&[root], |_| false) {
        let Node::Load { array, index } = nodes.node(id) else {
            continue;
        };
        if array == copy.to {
            let index = nodes.replaced(index, |_, id| known.get(&id).copied());
            let array = copy.from;
            let (ty, origin) = (nodes.ty(id), nodes.origin(id));
            let load = nodes.add(Node::Load { array, index }, ty);
            nodes.place(load, origin);
            known.insert(id, load);
        }
    }
    nodes.replaced(root, |_, id| known.get(&id).copied())
}

/// Lets lanes read their element of the array, before they change it, instead of that of the copy.
fn read_in_place(tables: &mut Tables, statement: &mut Statement<Lowered>, copy: Copy) {
    if !mentions(&tables.nodes, statement, copy.to) {
        return;
    }
    let Statement::Loop {
        kind: LevelledLoop::ForAll(_),
        counter,
        body,
        ..
    } = statement
    else {
        let lists = statement.lists_mut().into_iter();
        lists.flatten().for_each(|s| read_in_place(tables, s, copy));
        return;
    };
    let ty = tables.array(copy.from).ty;
    let variable = tables.add_variable(ty, VariableKind::Let);
    let value = tables.nodes.add(Node::Variable(variable), ty);
    let lane = tables.nodes.add(Node::Variable(*counter), ScalarType::U32);
    for statement in body.iter_mut() {
        rewrite(&mut tables.nodes, statement, &|nodes, id| {
            matches!(nodes.node(id), Node::Load { array, .. } if array == copy.to).then_some(value)
        });
        named(statement, copy.to, value);
    }
    body.insert(0, read(variable, copy.from, lane));
}

/// Puts a value in the place of reads of an array, in a statement and all inside of it.
fn named(statement: &mut Statement<Lowered>, of: ArrayId, value: NodeId) {
    if let Statement::Read {
        variable, array, ..
    } = *statement
        && array == of
    {
        *statement = Statement::Let { variable, value };
    }
    let lists = statement.lists_mut().into_iter();
    lists.flatten().for_each(|inner| named(inner, of, value));
}

#[cfg(test)]
mod tests;
