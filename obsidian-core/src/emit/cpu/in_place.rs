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

use std::collections::BTreeMap;

use super::lanes::{List, read, rewrite, used_in};
use crate::ir::{Kernel, LevelledLoop, Lowered, Statement};
use crate::scalar::{
    ArrayId, ArrayPlace, BinaryOp, Literal, Node, NodeId, Nodes, ScalarType, Tables, VariableId,
    VariableKind,
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
        for inner in statement.lists_mut() {
            list(tables, inner);
        }
        shorten(tables, statement);
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
    let Some((counter, count, body)) = for_all(tables, statement) else {
        return Vec::new();
    };
    let nodes = &tables.nodes;
    let is_counter = |id: NodeId| nodes.node(id) == Node::Variable(counter);
    let (mut found, mut names) = (Vec::new(), BTreeMap::new());
    for statement in body {
        match statement {
            Statement::Read {
                variable,
                array,
                index,
                ..
            } if is_counter(*index) => {
                names.insert(*variable, *array);
            }
            Statement::Store {
                array,
                index,
                value,
                ..
            } if is_counter(*index) => {
                let from = match nodes.node(*value) {
                    Node::Load { array, index } if is_counter(index) => Some(array),
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

/// The counter, the number and the body of a loop over a number of threads that is a literal.
fn for_all<'s>(
    tables: &Tables,
    statement: &'s Statement<Lowered>,
) -> Option<(VariableId, u32, &'s List)> {
    let Statement::Loop {
        kind: LevelledLoop::ForAll(_),
        counter,
        bounds: [count],
        body,
        ..
    } = statement
    else {
        return None;
    };
    let count = tables.nodes.literal(*count)?.u32();
    Some((*counter, count, body))
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
    match statement {
        Statement::Store { array, .. }
        | Statement::Read { array, .. }
        | Statement::Atomic { array, .. }
            if *array == copy.to =>
        {
            *array = copy.from;
        }
        _ => {}
    }
    for inner in statement.lists_mut().into_iter().flatten() {
        rename(tables, inner, copy);
    }
}

/// An expression that loads the array where it loaded the copy.
fn renamed(nodes: &mut Nodes, root: NodeId, copy: Copy) -> NodeId {
    let mut known = BTreeMap::new();
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

/// Ends a loop over lanes before the first one that stores what it has read.
fn shorten(tables: &mut Tables, statement: &mut Statement<Lowered>) {
    let Some((lane, count, body)) = for_all(tables, statement) else {
        return;
    };
    let Some((first, values)) = first_lanes(tables, lane, body) else {
        return;
    };
    let count = tables.nodes.add_literal(Literal::from(count));
    let count = tables.nodes.binary(BinaryOp::Min, first, count);
    let Statement::Loop { bounds, body, .. } = statement else {
        return;
    };
    *bounds = [count];
    let mut values = values.into_iter();
    for statement in body {
        if let Statement::Store { value, .. } = statement
            && let Some(new) = values.next()
        {
            *value = new;
        }
    }
}

/// How many lanes come first that store something new, and what they store; nothing if a body does anything else.
fn first_lanes(tables: &Tables, lane: VariableId, body: &List) -> Option<(NodeId, Vec<NodeId>)> {
    let nodes = &tables.nodes;
    let is_lane = |id: NodeId| nodes.node(id) == Node::Variable(lane);
    let loads = |id: NodeId| {
        let parts = nodes.post_order(&[id], |_| false);
        let mut parts = parts.into_iter();
        parts.any(|id| matches!(nodes.node(id), Node::Load { .. }))
    };
    let (mut lets, mut reads) = (BTreeMap::new(), BTreeMap::new());
    let (mut first, mut values) = (None, Vec::new());
    for statement in body {
        match statement {
            // A load may be outside, and tell so.
            Statement::Let { variable, value } if !loads(*value) => {
                lets.insert(*variable, *value);
            }
            Statement::Read {
                variable,
                array,
                index,
                ..
            } if is_lane(*index) => {
                reads.insert(*variable, *array);
            }
            Statement::Store {
                array,
                index,
                value,
                ..
            } if is_lane(*index) => {
                let Node::Select {
                    condition,
                    then,
                    otherwise,
                } = nodes.node(*value)
                else {
                    return None;
                };
                let Node::Binary {
                    op: BinaryOp::Lt,
                    left,
                    right,
                    ..
                } = nodes.node(condition)
                else {
                    return None;
                };
                let mut old = otherwise;
                while let Node::Variable(name) = nodes.node(old)
                    && let Some(value) = lets.get(&name)
                {
                    old = *value;
                }
                let is_old = match nodes.node(old) {
                    Node::Variable(name) => reads.get(&name) == Some(array),
                    _ => false,
                };
                if !is_lane(left) || !is_old || first.is_some_and(|first| first != right) {
                    return None;
                }
                first = Some(right);
                values.push(then);
            }
            _ => return None,
        }
    }
    let first = first?;
    let inside =
        |name: &VariableId| *name == lane || lets.contains_key(name) || reads.contains_key(name);
    let is_same = !loads(first) && !used_in(nodes, first).iter().any(inside);
    is_same.then_some((first, values))
}

#[cfg(test)]
mod tests {
    use super::in_place;
    use crate::ir::{Lowered, read, validate};

    const COPY: &str = "allocate b: f32[32_u32] shared forall Block c < 32_u32 { read old = a[c] store b[c] = old }";

    /// The block of a kernel without needless copies; nothing if all are needed. Its array `a` is begun, and stored at last.
    fn without_copies(body: &str) -> Option<String> {
        let text = format!(
            "kernel k {{ parameter 0 n: u32 parameter 1 x: f32[n] input parameter 2 out: f32[n] inout \
             distribute Block g < 4_u32 {{ allocate a: f32[32_u32] shared forall Block z < 32_u32 {{ store a[z] = 0.0_f32 }} \
             {body} forall Block l < 32_u32 {{ read last = a[l] store out[l] = last }} }} }}"
        );
        let kernel = read::<Lowered>(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let before = kernel.to_string();
        let kernel = in_place(kernel);
        validate(&kernel).unwrap_or_else(|v| panic!("{v}\n{kernel}"));
        let text = kernel.to_string();
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        (text != before).then(|| lines.join("\n"))
    }

    /// The block without the copy; fails if it stays.
    fn gone(body: &str) -> String {
        let text = without_copies(body).unwrap_or_default();
        assert!(
            !text.is_empty() && !text.contains("allocate b"),
            "{body}\n{text}"
        );
        text
    }

    /// Fails if the copy goes.
    fn stays(body: &str) {
        let text = without_copies(body).unwrap_or_else(|| "allocate b".to_owned());
        assert!(text.contains("allocate b"), "{body}\n{text}");
    }

    #[test]
    fn lanes_change_their_own_elements_in_place() {
        let text = gone(&format!(
            "{COPY} forall Block i < 32_u32 {{ store a[i] = (b[i] + x[i]) }}"
        ));
        assert!(text.contains("store a[i] = (v0 + x[i])"), "{text}");
        // In rounds, by some of the lanes, in one of two ways, and by a name.
        gone(&format!(
            "for sequential Block k in 0_u32 .. n step 1_u32 {{ {COPY} forall Block i < 32_u32 {{ store a[i] = (b[i] + x[k]) }} }}"
        ));
        gone(&format!(
            "{COPY} if (0_u32 < n) {{ forall Block i < 8_u32 {{ store a[i] = (b[i] + 1.0_f32) }} }} \
             else {{ forall Block i < 32_u32 {{ read v = b[i] store a[i] = (v + v) }} }}"
        ));
        // Each lane reads before it stores, wherever its values were used.
        let text = gone(&format!(
            "{COPY} forall Block i < 32_u32 {{ store a[i] = x[i] store out[i] = b[i] }}"
        ));
        assert!(
            text.contains("read v0 = a[i]\nstore a[i] = x[i]\nstore out[i] = v0"),
            "{text}"
        );
    }

    #[test]
    fn copies_stay_where_old_elements_are_read_after_new_ones_are_stored() {
        let own = "forall Block i < 32_u32 { store a[i] = (b[i] + x[i]) }";
        // Another lane's element, which that lane may have changed.
        stays(&format!(
            "{COPY} forall Block i < 32_u32 {{ store a[i] = b[(31_u32 -' i)] }}"
        ));
        stays(&format!(
            "{COPY} forall Block i < 31_u32 {{ store a[(i +' 1_u32)] = b[i] }}"
        ));
        // Twice: the second time the old elements are not there any more.
        stays(&format!("{COPY} {own} {own}"));
        stays(&format!(
            "{COPY} for sequential Block k in 0_u32 .. n step 1_u32 {{ {own} }}"
        ));
        stays(&format!(
            "{COPY} if (0_u32 < n) {{ {own} }} else {{ }} {own}"
        ));
        stays(&format!(
            "{COPY} forall Block i < 32_u32 {{ store a[i] = 0.0_f32 }} forall Block i < 32_u32 {{ store out[i] = b[i] }}"
        ));
        // More lanes than elements.
        stays(&format!(
            "{COPY} forall Block i < 64_u32 {{ store a[i] = select((i < 32_u32), b[i], 1.0_f32) }}"
        ));
        // What changes the copy needs it, if the array is read at last.
        stays(&format!(
            "{COPY} forall Block i < 32_u32 {{ store b[i] = x[i] }}"
        ));
    }

    #[test]
    fn a_copy_that_is_copied_back_is_the_array() {
        let back = "forall Block d < 32_u32 { store a[d] = b[d] }";
        let change = "forall Block i < 31_u32 { store b[i] = (b[(i +' 1_u32)] + x[i]) }";
        let text = gone(&format!(
            "if (0_u32 < n) {{ {COPY} {change} {back} }} else {{ }}"
        ));
        assert!(
            text.contains("store a[i] = (a[(i +' 1_u32)] + x[i])"),
            "{text}"
        );
        // Not if the array is seen in between, or something is done behind it.
        let seen = "forall Block s < 32_u32 { read now = a[s] store out[s] = now }";
        stays(&format!(
            "if (0_u32 < n) {{ {COPY} {change} {seen} {back} }} else {{ }}"
        ));
        stays(&format!(
            "if (0_u32 < n) {{ {COPY} {change} {back} {change} {seen} }} else {{ }}"
        ));
    }

    #[test]
    fn the_last_copy_is_the_array() {
        let copy = "allocate b: f32[32_u32] shared forall Block c < 32_u32 { store b[c] = d[c] }";
        let begun = "allocate d: f32[32_u32] shared forall Block y < 32_u32 { store d[y] = x[y] }";
        let change = "forall Block i < 16_u32 { read v = b[(i *' 2_u32)] store b[i] = v }";
        let seen = "forall Block s < 32_u32 { read now = b[s] store out[s] = now }";
        let text = gone(&format!("{begun} {copy} {change} {seen}"));
        assert!(text.contains("= d[(i *' 2_u32)]"), "{text}");
        // Not if the array is read later: here, or in the next round.
        let other = "forall Block o < 32_u32 { read now = d[o] store out[o] = now }";
        stays(&format!("{begun} {copy} {change} {other}"));
        stays(&format!(
            "{begun} for sequential Block k in 0_u32 .. n step 1_u32 {{ {copy} {change} {seen} }}"
        ));
    }

    #[test]
    fn lanes_that_store_what_they_read_are_left_out() {
        let text = gone(&format!(
            "{COPY} forall Block i < 32_u32 {{ let v = b[i] store a[i] = select((i < n), (v + x[i]), v) }}"
        ));
        assert!(
            text.contains("< min(n, 32_u32)") && !text.contains("select"),
            "{text}"
        );
        // Not where other lanes store something else, or the bound is the lane's own.
        for value in [
            "select((i < n), (b[i] + x[i]), 1.0_f32)",
            "select((n < i), (b[i] + x[i]), b[i])",
            "select((i < (i + n)), (b[i] + x[i]), b[i])",
        ] {
            let text = gone(&format!(
                "{COPY} forall Block i < 32_u32 {{ store a[i] = {value} }}"
            ));
            assert!(text.contains("select"), "{text}");
        }
    }
}
