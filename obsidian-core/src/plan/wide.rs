//! Neighbouring elements by one access.
//!
//! Before and after: a physical kernel, simplified. Where a thread loads or stores 2 to 16 neighbouring
//! elements, 4, 8 or 16 bytes together, and the first of them is a multiple of their number, one
//! [`Wide`](crate::ir::Wide) access takes their place:
//! in [`loops`] that go through neighbours, in [`runs`] of statements that follow each other, and in
//! loops over threads whose iterations can be [`dealt`] out differently. All else stays in its order, so
//! no result changes.
//!
//! An access of several elements at once needs an aligned address, and a buffer that the user has made
//! may begin anywhere. So what has wide accesses of buffers is there twice, under a condition that is
//! the same for the whole grid:
//!
//! ```text
//! if Aligned { for .. { wide_load w = x[..] .. } } else { for .. rolled { .. x[..] .. } }
//! ```
//!
//! The condition stands where the threads of a block part to do their own work, so a barrier is in
//! neither copy; a loop of a warp or block that has no barrier is copied whole. Shared memory is left to the compiler, which sees how arrays are aligned there and makes
//! accesses wide by itself.
//!
//! *Limits.* Loops that are kept [rolled](Unroll::Never) are seldom executed, and stay as they are. A
//! pass looks at no more than [`MOST_NODES`] nodes. The CPU takes the kernel of before.

mod dealt;
mod loops;
mod runs;
mod spelt;
mod sums;

use std::cell::Cell;
use std::ops::Range;

use crate::hashed::{HashMap, HashSet};

use crate::error::Origin;
use crate::ir::uniform::Uniformity;
use crate::ir::{Effect, Kernel, Level, Physical, PhysicalLoop, Statement, Unroll, WIDEST};
use crate::ordered::Set;
use crate::scalar::{
    Array, ArrayId, ArrayPlace, Literal, Node, NodeId, Nodes, Promised, ScalarType, Special,
    Tables, VariableId, VariableKind,
};
use sums::Known;

/// Elements of a wide access, the most first.
const WIDTHS: [u32; 4] = [16, 8, 4, 2];
/// Nodes that one run of the pass looks at.
const MOST_NODES: usize = 400_000;

/// Puts wide accesses in the place of those of neighbours.
pub fn wide(mut kernel: Kernel<Physical>) -> Kernel<Physical> {
    let uniformity = Uniformity::new(&kernel);
    let body = std::mem::take(&mut kernel.body);
    let mut pass = Pass {
        tables: &mut kernel.tables,
        uniformity,
        threads: kernel.threads,
        known: Known::default(),
        reached: Vec::new(),
        left: Cell::new(MOST_NODES),
    };
    kernel.body = pass.above(body);
    kernel
}

/// The same, where each access whose index the user vouches for is checked by itself: a kernel that has one stays as it is.
pub fn wide_of_proved(kernel: Kernel<Physical>) -> Kernel<Physical> {
    if has_vouched(&kernel) {
        kernel
    } else {
        wide(kernel)
    }
}

/// Is there an access whose index the user vouches for?
fn has_vouched(kernel: &Kernel<Physical>) -> bool {
    let (lets, nodes) = (kernel.lets(), &kernel.tables.nodes);
    let (mut promised, mut roots, mut indices) = (Promised::default(), Vec::new(), Vec::new());
    for statement in &kernel.body {
        statement.visit(&mut |inner| {
            roots.extend(inner.nodes());
            if let Statement::Store { index, .. }
            | Statement::Read { index, .. }
            | Statement::Atomic { index, .. } = inner
            {
                indices.push(*index);
            }
        });
    }
    for id in nodes.post_order(&roots, |_| false) {
        if let Node::Load { index, .. } = nodes.node(id) {
            indices.push(index);
        }
    }
    let names = |variable| lets.get(&variable).copied();
    let mut indices = indices.into_iter();
    indices.any(|index| promised.of(nodes, index, names).inside)
}

struct Pass<'k> {
    tables: &'k mut Tables,
    uniformity: Uniformity,
    /// Real threads of a block.
    threads: u32,
    known: Known,
    /// The arrays of the wide accesses so far.
    reached: Vec<ArrayId>,
    /// Nodes that may still be looked at.
    left: Cell<usize>,
}

/// Statements that do one thing for one thread, and neither wait nor leave anything.
fn is_plain(statement: &Statement<Physical>) -> bool {
    matches!(
        statement,
        Statement::Let { .. }
            | Statement::Store { .. }
            | Statement::Read { .. }
            | Statement::Declare { .. }
            | Statement::Assign { .. }
            | Statement::Get { .. }
    )
}

/// The nodes of expressions that are evaluated whatever the conditions in them are.
fn unconditional(nodes: &Nodes, roots: &[NodeId]) -> Set<NodeId> {
    let (mut found, mut rest) = (HashSet::default(), roots.to_vec());
    while let Some(id) = rest.pop() {
        if found.insert(id) {
            rest.extend(nodes.node(id).surely_evaluated());
        }
    }
    Set::sorted(found)
}

impl Pass<'_> {
    /// A list above the level of threads, or one of statements that stand in place there.
    fn above(&mut self, mut list: Vec<Statement<Physical>>) -> Vec<Statement<Physical>> {
        let bound: Vec<VariableId> = list.iter().filter_map(Statement::binds).collect();
        let (mut result, mut at) = (Vec::with_capacity(list.len()), 0);
        while at < list.len() {
            let own = list[at..].iter().take_while(|s| self.is_own(s)).count();
            if own == 0 {
                let statement = std::mem::replace(&mut list[at], Statement::Break);
                self.shared_out(statement, &mut result);
                at += 1;
                continue;
            }
            match self.region(&list, at..at + own) {
                Some(region) => {
                    for statement in &list[at..region.start] {
                        self.note(statement);
                        result.push(statement.clone());
                    }
                    self.both(&list[region.clone()], &mut result);
                    list[region.clone()].iter().for_each(|s| self.note(s));
                    at = region.end;
                }
                None => {
                    for statement in &list[at..at + own] {
                        match statement.lists().is_empty() {
                            true => result.push(statement.clone()),
                            false => self.both(std::slice::from_ref(statement), &mut result),
                        }
                        self.note(statement);
                    }
                    at += own;
                }
            }
        }
        bound.into_iter().for_each(|it| self.known.forget(it));
        result
    }

    /// Does each thread execute a statement by itself?
    fn is_own(&self, statement: &Statement<Physical>) -> bool {
        !self.is_shared_out(statement) && !synchronises(self.tables, statement)
    }

    /// Is a statement one whose lists are above the level of threads?
    fn is_shared_out(&self, statement: &Statement<Physical>) -> bool {
        match statement {
            // In a loop without barriers each thread goes its own way.
            Statement::Loop {
                kind: PhysicalLoop::Sequential(Level::Warp | Level::Block),
                ..
            } => synchronises(self.tables, statement),
            Statement::Loop { kind, .. } => matches!(
                kind,
                PhysicalLoop::Blocks
                    | PhysicalLoop::Ordered
                    | PhysicalLoop::Last
                    | PhysicalLoop::Warps
                    | PhysicalLoop::Sequential(Level::Grid)
            ),
            Statement::If { condition, .. } => self.uniformity.of(*condition) >= Level::Warp,
            _ => false,
        }
    }

    /// A statement that is no thread's own.
    fn shared_out(
        &mut self,
        mut statement: Statement<Physical>,
        result: &mut Vec<Statement<Physical>>,
    ) {
        if self.is_shared_out(&statement) {
            self.inside(&mut statement, Pass::above);
        }
        self.note(&statement);
        result.push(statement);
    }

    /// What a statement binds.
    fn note(&mut self, statement: &Statement<Physical>) {
        match statement {
            Statement::Let { variable, value } => self.known.name(*variable, *value),
            _ => statement
                .binds()
                .into_iter()
                .for_each(|it| self.known.forget(it)),
        }
    }

    /// The statements of a list, from the first of a thread's own that accesses memory to the last one,
    /// and to the last one that uses what they bind; none if there is no access, or threads wait for
    /// each other on the way.
    fn region(&self, list: &[Statement<Physical>], own: Range<usize>) -> Option<Range<usize>> {
        let accesses = |s: &Statement<Physical>| self.accesses_memory(s);
        let first = own.start + list[own.clone()].iter().position(accesses)?;
        let mut end = own.start + list[own.clone()].iter().rposition(accesses)? + 1;
        let (mut at, mut bound) = (first, Set::new());
        while at < end {
            if !self.is_own(&list[at]) {
                return None;
            }
            bound.extend(names(&list[at]));
            at += 1;
            let uses = |s: &Statement<Physical>| self.uses(s, &bound);
            if at == end
                && let Some(last) = list[end..].iter().rposition(uses)
            {
                end += last + 1;
            }
        }
        Some(first..end)
    }

    fn accesses_memory(&self, statement: &Statement<Physical>) -> bool {
        let mut found = false;
        statement.visit(&mut |inner| {
            let mut arrays = inner.mentions(&self.tables.nodes).into_iter();
            found |= arrays.any(|array| self.may_be_wide_at_all(array));
        });
        found
    }

    /// Does a statement, or one inside of it, use one of these names?
    fn uses(&self, statement: &Statement<Physical>, names: &Set<Name>) -> bool {
        let (nodes, mut found) = (&self.tables.nodes, false);
        let is_bound = |variable| names.contains(&Name::Variable(variable));
        statement.visit(&mut |inner| {
            let cell = match inner {
                Statement::Assign { cell, .. } | Statement::Get { cell, .. } => is_bound(*cell),
                _ => false,
            };
            let arrays = inner.mentions(nodes).into_iter();
            found |= cell
                || arrays.map(Name::Array).any(|array| names.contains(&array))
                || sums::mentions(nodes, &inner.nodes(), &is_bound);
        });
        found
    }

    /// Changes the lists of a statement, but the head of a `while`.
    fn inside(
        &mut self,
        statement: &mut Statement<Physical>,
        change: fn(&mut Self, Vec<Statement<Physical>>) -> Vec<Statement<Physical>>,
    ) {
        match statement {
            Statement::If {
                then, otherwise, ..
            } => {
                *then = change(self, std::mem::take(then));
                *otherwise = change(self, std::mem::take(otherwise));
            }
            Statement::While { head, body, .. } => {
                head.iter().for_each(|s| self.note(s));
                *body = change(self, std::mem::take(body));
                let bound = head.iter().filter_map(Statement::binds);
                bound.for_each(|it| self.known.forget(it));
            }
            Statement::Loop {
                counter,
                bounds,
                body,
                ..
            } => {
                self.known.count(self.tables, *counter, *bounds);
                *body = change(self, std::mem::take(body));
                self.known.forget(*counter);
            }
            _ => {}
        }
    }

    /// Statements with wide accesses where buffers are aligned, and as they are where they are not.
    fn both(&mut self, scalar: &[Statement<Physical>], result: &mut Vec<Statement<Physical>>) {
        let before = self.reached.len();
        let wide = self.below(scalar.to_vec());
        if self.reached.len() == before {
            return result.extend_from_slice(scalar);
        }
        let place = |array: &ArrayId| self.tables.array(*array).place;
        let is_global = |array: &ArrayId| matches!(place(array), ArrayPlace::Global(_));
        if !self.reached[before..].iter().any(is_global) {
            return result.extend(wide);
        }
        let mut otherwise = scalar.to_vec();
        if !otherwise.iter().any(|s| indexes_held(self.tables, s)) {
            otherwise.iter_mut().for_each(roll);
        }
        let aligned = Special::Aligned;
        result.push(Statement::If {
            condition: self.tables.nodes.add(Node::Special(aligned), aligned.ty()),
            then: wide,
            otherwise,
        });
    }

    /// A list that each thread executes by itself.
    fn below(&mut self, list: Vec<Statement<Physical>>) -> Vec<Statement<Physical>> {
        let mut with_groups = Vec::with_capacity(list.len());
        for statement in list {
            self.with_groups(statement, &mut with_groups);
        }
        let bound: Vec<VariableId> = with_groups.iter().filter_map(Statement::binds).collect();
        let (mut result, mut run) = (Vec::with_capacity(with_groups.len()), Vec::new());
        for mut statement in with_groups {
            if is_plain(&statement) {
                run.push(statement);
                continue;
            }
            result.extend(self.widened(std::mem::take(&mut run)));
            if !is_rolled(&statement) {
                self.inside(&mut statement, Pass::below);
            }
            result.push(statement);
        }
        result.extend(self.widened(run));
        bound.into_iter().for_each(|it| self.known.forget(it));
        result
    }

    /// A statement, as loops over groups where it is a loop that has them.
    fn with_groups(
        &mut self,
        statement: Statement<Physical>,
        result: &mut Vec<Statement<Physical>>,
    ) {
        let new = self.grouped(&statement).or_else(|| self.dealt(&statement));
        if let Some(new) = new {
            return new
                .into_iter()
                .for_each(|statement| self.with_groups(statement, result));
        }
        self.note(&statement);
        result.push(statement);
    }

    /// Returns `true` if one access may cover `elements` elements, from an index that is a multiple of that.
    fn may_be_wide(&self, array: ArrayId, elements: u32) -> bool {
        let info = self.tables.array(array);
        let bytes = elements * info.ty.bytes();
        let is_placed = matches!(info.place, ArrayPlace::Global(_));
        is_placed && info.ty != ScalarType::Bool && matches!(bytes, 4 | 8 | WIDEST)
    }

    fn may_be_wide_at_all(&self, array: ArrayId) -> bool {
        WIDTHS
            .into_iter()
            .any(|width| self.may_be_wide(array, width))
    }

    /// A held array with room for `elements` elements of the array `of`.
    fn held(&mut self, of: ArrayId, elements: u32) -> ArrayId {
        self.reached.push(of);
        let length = self.number(elements);
        let of = self.tables.array(of);
        let array = Array {
            name: format!("{}_part", of.name),
            ty: of.ty,
            length,
            place: ArrayPlace::Held,
            origin: Origin::UNKNOWN,
        };
        self.tables.add_array(array)
    }

    fn variable(&mut self, kind: VariableKind) -> VariableId {
        self.tables.add_variable(ScalarType::U32, kind)
    }

    fn number(&mut self, n: u32) -> NodeId {
        self.tables.nodes.add_literal(Literal::from(n))
    }

    /// An expression with other nodes in the place of some.
    fn replaced(&mut self, root: NodeId, new: &HashMap<NodeId, NodeId>) -> NodeId {
        self.tables
            .nodes
            .replaced(root, |_, id| new.get(&id).copied())
    }

    fn replace_all(&mut self, list: &mut [Statement<Physical>], new: &HashMap<NodeId, NodeId>) {
        if new.is_empty() {
            return;
        }
        for statement in list {
            for node in statement.nodes_mut() {
                *node = self.replaced(*node, new);
            }
            for inner in statement.lists_mut() {
                self.replace_all(inner, new);
            }
        }
    }

    /// Counts nodes that are looked at; returns `false` once they are too many.
    fn may_look_at(&self, nodes: usize) -> bool {
        let left = self.left.get().saturating_sub(nodes);
        self.left.set(left);
        left > 0
    }
}

/// What a statement binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Name {
    Variable(VariableId),
    Array(ArrayId),
}

fn names(statement: &Statement<Physical>) -> Set<Name> {
    let mut names = Set::new();
    statement.visit(&mut |inner| {
        names.extend(inner.binds().map(Name::Variable));
        names.extend(inner.begun_cell().map(Name::Variable));
        names.extend(inner.begins().map(Name::Array));
    });
    names
}

fn is_rolled(statement: &Statement<Physical>) -> bool {
    matches!(
        statement,
        Statement::Loop {
            unroll: Unroll::Never,
            ..
        }
    )
}

/// Do threads wait for each other in it, or does an array begin that they share?
fn synchronises(tables: &Tables, statement: &Statement<Physical>) -> bool {
    let mut found = false;
    statement.visit(&mut |inner| {
        found |= match inner.effect() {
            Effect::Waits(_) => true,
            Effect::Begins(array) => tables.array(array).place != ArrayPlace::Held,
            Effect::Counts(kind) => kind.is_of_blocks() || *kind == PhysicalLoop::Warps,
            // The lanes of a warp do.
            Effect::Follows(_) => true,
            Effect::Names(..)
            | Effect::Accesses(_)
            | Effect::AccessesWide(_)
            | Effect::Cell(..)
            | Effect::Chooses
            | Effect::Repeats
            | Effect::Leaves
            | Effect::Tells(_)
            | Effect::Combines(_)
            | Effect::Exchanges(_)
            | Effect::Gives(_) => false,
        };
    });
    found
}

/// Is an array that a thread holds accessed at an index that is no literal? It stays in registers only if every loop that
/// counts such an index is unrolled.
fn indexes_held(tables: &Tables, statement: &Statement<Physical>) -> bool {
    let (nodes, mut found) = (&tables.nodes, false);
    let is_held = |array: ArrayId| tables.array(array).place == ArrayPlace::Held;
    let is_counted = |array, index| is_held(array) && nodes.literal(index).is_none();
    statement.visit(&mut |inner| {
        let one = inner.accessed();
        found |= one.is_some_and(|one| is_counted(one.array, one.index));
        found |= inner.wide().is_some_and(|wide| is_held(wide.held));
        let all = nodes.post_order(&inner.nodes(), |_| false);
        found |= all.into_iter().any(|id| match nodes.node(id) {
            Node::Load { array, index } => is_counted(array, index),
            _ => false,
        });
    });
    found
}

/// Keeps the loops of a copy that is seldom executed rolled, unless the user asked for more.
fn roll(statement: &mut Statement<Physical>) {
    if let Statement::Loop {
        unroll: unroll @ Unroll::Free,
        ..
    } = statement
    {
        *unroll = Unroll::Never;
    }
    let inner = statement.lists_mut().into_iter().flatten();
    inner.for_each(roll);
}

#[cfg(test)]
mod tests;
