//! Loops of one thread that go through neighbouring elements, a group of iterations at a time.
//!
//! ```text
//! for k in 0 .. 16 { .. x[e + k] .. }
//! ```
//!
//! becomes, with a held array `w` of 4 elements,
//!
//! ```text
//! for g in 0 .. 4 { w = x[e + 4 * g ..]; for u in 0 .. 4 { .. w[u] .. } }
//! ```
//!
//! and in the same way a group of stores comes after the iterations of its group. Where `e` is no multiple,
//! or 16 is no multiple of 4, the first iterations stand by themselves, and so do the last ones.
//!
//! *Argument.* The iterations are done in their order, and each does what it did. The elements of a
//! group are loaded before its first iteration instead of in their own iterations. That changes no
//! value, as nothing in between writes them: either no statement of the loop writes the array, or
//! each access of it in iteration `k` is of the element `e + k`, so that only an element's own
//! iteration writes it, and reads then find it in `w`. Stores come later by the same reasoning. What
//! another thread does to these elements is ordered with this one by barriers only, and there is none
//! in a loop of one thread; loops with atomics, inner loops that may wait for another thread, and
//! loops that may be left early stay as they are. Each element of a group is accessed in its
//! iteration unconditionally, so nothing is accessed that was not.

use crate::hashed::HashMap;

use super::sums::{mentions, without};
use super::{Pass, WIDTHS, indexes_held, is_plain, unconditional};
use crate::error::Origin;
use crate::ir::{Direction, Level, Physical, PhysicalLoop, Statement, Unroll, Wide};
use crate::ordered::{Map, Set};
use crate::scalar::{
    ArrayId, BinaryOp, Literal, Node, NodeId, ScalarType, Sum, VariableId, VariableKind,
};

/// Statements of a body of which copies are made.
const MOST_STATEMENTS: usize = 64;

/// A loop of one thread over a known number of iterations.
pub(super) struct Counted<'s> {
    pub(super) counter: VariableId,
    start: u32,
    count: u32,
    unroll: Unroll,
    pub(super) body: &'s [Statement<Physical>],
    /// How many there are in the body.
    statements: usize,
    /// What the body binds.
    pub(super) inside: Set<VariableId>,
}

/// One access of the body.
pub(super) struct Access {
    array: ArrayId,
    pub(super) index: NodeId,
    what: What,
    /// Is it done in each iteration?
    always: bool,
    origin: Origin,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    /// A node.
    Load(NodeId),
    Read,
    Store,
}

/// The accesses of one element for each iteration.
pub(super) struct Stream {
    pub(super) array: ArrayId,
    /// The index without the counter.
    pub(super) sum: Sum,
    /// The index of one of the accesses.
    index: NodeId,
    loads: Vec<NodeId>,
    is_loaded: bool,
    is_stored: bool,
    origin: Origin,
}

/// How the iterations of a loop are dealt with: some by themselves, then whole groups, then the rest
/// by themselves.
#[derive(Clone, Copy)]
struct Split {
    before: u32,
    groups: u32,
    group: u32,
    after: u32,
}

impl Split {
    fn new(count: u32, group: u32, before: u32) -> Option<Split> {
        let rest = count.checked_sub(before)?;
        Some(Split {
            before,
            groups: rest / group,
            group,
            after: rest % group,
        })
    }

    /// Accesses of one stream that are saved. Where one iteration is missing in front of the first
    /// group, as a fold begins with its first element, that element is accessed before the loop.
    fn saved(&self) -> u32 {
        let begun = u32::from(self.before + 1 == self.group);
        (self.groups + begun) * (self.group - 1)
    }

    /// Iterations that stand by themselves.
    fn single(&self) -> u32 {
        self.before + self.after
    }
}

impl Pass<'_> {
    /// The statements in the place of a loop; `None` if it has no wide access.
    pub(super) fn grouped(
        &mut self,
        statement: &Statement<Physical>,
    ) -> Option<Vec<Statement<Physical>>> {
        self.counted(statement)?;
        let spelt = self.spelt_out(statement);
        let counted = self.counted(&spelt)?;
        let accesses = self.accesses(counted.body)?;
        let streams = self.streams(&counted, &accesses);
        let mut best: Option<(u32, Split, Vec<&Stream>)> = None;
        for group in WIDTHS {
            let before = streams
                .iter()
                .filter_map(|stream| self.offset(&counted, stream, group));
            for before in before.collect::<Set<u32>>() {
                let Some(split) = Split::new(counted.count, group, before) else {
                    continue;
                };
                let fits = |s: &&Stream| self.offset(&counted, s, group) == Some(before);
                let chosen: Vec<&Stream> = streams.iter().filter(fits).collect();
                let saved = split.saved() * chosen.len() as u32;
                let copies = split.single() as usize * counted.statements;
                let is_better = best.as_ref().is_none_or(|(most, ..)| *most < saved);
                if saved > 0 && is_better && copies <= MOST_STATEMENTS {
                    best = Some((saved, split, chosen));
                }
            }
        }
        let (_, split, chosen) = best?;
        Some(self.rewritten(&counted, &chosen, split))
    }

    pub(super) fn counted<'s>(&self, statement: &'s Statement<Physical>) -> Option<Counted<'s>> {
        let Statement::Loop {
            kind: PhysicalLoop::Sequential(Level::Thread),
            counter,
            bounds,
            unroll: unroll @ (Unroll::Free | Unroll::Always),
            body,
        } = statement
        else {
            return None;
        };
        let number = |node: NodeId| self.tables.nodes.literal(node).map(Literal::u32);
        let (start, end, step) = (number(bounds[0])?, number(bounds[1])?, number(bounds[2])?);
        let count = end.checked_sub(start)?;
        let (mut inside, mut statements) = (Set::new(), 0);
        for inner in body {
            inner.visit(&mut |inner| {
                statements += 1;
                inside.extend(inner.binds());
                if let Statement::Declare { cell, .. } = inner {
                    inside.insert(*cell);
                }
            });
        }
        (step == 1 && statements <= MOST_STATEMENTS).then_some(Counted {
            counter: *counter,
            start,
            count,
            unroll: *unroll,
            body,
            statements,
            inside,
        })
    }

    /// All accesses of a body; `None` if something in it may wait, end the loop, or be repeated.
    pub(super) fn accesses(&self, body: &[Statement<Physical>]) -> Option<Vec<Access>> {
        let mut found = Vec::new();
        self.add_accesses(body, true, &mut found)?;
        Some(found)
    }

    fn add_accesses(
        &self,
        list: &[Statement<Physical>],
        always: bool,
        found: &mut Vec<Access>,
    ) -> Option<()> {
        let nodes = &self.tables.nodes;
        for statement in list {
            let roots = statement.nodes();
            let sure = unconditional(nodes, &roots);
            if !self.may_look_at(sure.len()) {
                return None;
            }
            for id in nodes.post_order(&roots, |_| false) {
                if let Node::Load { array, index } = nodes.node(id) {
                    found.push(Access {
                        array,
                        index,
                        what: What::Load(id),
                        always: always && sure.contains(&id),
                        origin: nodes.origin(id),
                    });
                }
            }
            match statement {
                Statement::Store {
                    array,
                    index,
                    origin,
                    ..
                }
                | Statement::Read {
                    array,
                    index,
                    origin,
                    ..
                } => {
                    let is_store = matches!(statement, Statement::Store { .. });
                    found.push(Access {
                        array: *array,
                        index: *index,
                        what: if is_store { What::Store } else { What::Read },
                        always,
                        origin: *origin,
                    });
                }
                Statement::If {
                    then, otherwise, ..
                } => {
                    self.add_accesses(then, false, found)?;
                    self.add_accesses(otherwise, false, found)?;
                }
                _ if is_plain(statement) => {}
                _ => return None,
            }
        }
        Some(())
    }

    /// The accesses that may become wide, by array and element, in the order of the text.
    pub(super) fn streams(&self, counted: &Counted<'_>, accesses: &[Access]) -> Vec<Stream> {
        let mut streams: Vec<Stream> = Vec::new();
        let mut seen = Set::new();
        for access in accesses {
            let ty = self.tables.array(access.array).ty;
            if ty == ScalarType::Bool || !seen.insert(access.array) {
                continue;
            }
            let all = accesses.iter().filter(|a| a.array == access.array);
            let all: Vec<&Access> = all.collect();
            if all.iter().any(|access| access.what == What::Store) {
                streams.extend(self.stored(counted, &all));
            } else {
                self.loaded(counted, &all, &mut streams);
            }
        }
        streams
    }

    /// The streams of an array that nothing in the loop writes.
    fn loaded(&self, counted: &Counted<'_>, all: &[&Access], streams: &mut Vec<Stream>) {
        let first = streams.len();
        for access in all.iter().filter(|access| access.always) {
            let Some(stream) = self.stream(counted, access) else {
                continue;
            };
            let same = |known: &&mut Stream| known.sum == stream.sum;
            match streams[first..].iter_mut().find(same) {
                Some(known) => known.loads.extend(stream.loads),
                None => streams.push(stream),
            }
        }
        for access in all {
            let (Some(stream), What::Load(_)) = (self.stream(counted, access), access.what) else {
                continue;
            };
            let same = |known: &&mut Stream| known.sum == stream.sum;
            if let Some(known) = streams[first..].iter_mut().find(same) {
                known.loads.extend(stream.loads);
            }
        }
    }

    /// The stream of an array that the loop writes: all of it is one, and no access has a condition.
    fn stored(&self, counted: &Counted<'_>, all: &[&Access]) -> Option<Stream> {
        let mut streams = all.iter().map(|access| self.stream(counted, access));
        let mut one = streams.next()??;
        let same = streams.all(|other| other.is_some_and(|other| other.sum == one.sum));
        let simple = |access: &&Access| access.always && !matches!(access.what, What::Load(_));
        (same && all.iter().all(simple)).then(|| {
            one.is_loaded = all[0].what == What::Read;
            one.is_stored = true;
            one
        })
    }

    /// An access as a stream, if its index goes up by 1 with the loop and is known before it.
    pub(super) fn stream(&self, counted: &Counted<'_>, access: &Access) -> Option<Stream> {
        let nodes = &self.tables.nodes;
        let sum = self.known.sum(nodes, access.index)?;
        let inside = |variable: VariableId| counted.inside.contains(&variable);
        let sum = without(nodes, &sum, counted.counter, &inside)?;
        let loads = match access.what {
            What::Load(id) => vec![id],
            What::Read | What::Store => Vec::new(),
        };
        (!mentions(nodes, &[access.index], &inside)).then_some(Stream {
            array: access.array,
            sum,
            index: access.index,
            loads,
            is_loaded: access.what != What::Store,
            is_stored: false,
            origin: access.origin,
        })
    }

    /// The number of iterations before the first whose element is a multiple of the group's size.
    pub(super) fn offset(&self, counted: &Counted<'_>, stream: &Stream, group: u32) -> Option<u32> {
        if !self.may_be_wide(stream.array, group) {
            return None;
        }
        let mut first = stream.sum.clone();
        first.constant += i64::from(counted.start);
        let offset = (-first.constant).rem_euclid(i64::from(group));
        first.constant += offset;
        let is_multiple = self.known.is_multiple(self.tables, &first, group);
        u32::try_from(offset).ok().filter(|_| is_multiple)
    }

    /// Iterations by themselves, the loop over groups or the only group, and iterations by themselves.
    fn rewritten(
        &mut self,
        counted: &Counted<'_>,
        streams: &[&Stream],
        split: Split,
    ) -> Vec<Statement<Physical>> {
        let Split {
            before,
            groups,
            group,
            after,
        } = split;
        let first = counted.start + before;
        let mut result = Vec::new();
        (counted.start..first).for_each(|k| self.iteration(counted, k, &mut result));
        let outer = self.variable(VariableKind::Counter);
        let [zero, one, size, end, first_node] =
            [0, 1, group, groups, first].map(|n| self.number(n));
        let nodes = &mut self.tables.nodes;
        let begin = match groups {
            0 | 1 => first_node,
            _ => {
                let outer = nodes.add(Node::Variable(outer), ScalarType::U32);
                let done = nodes.exact(BinaryOp::Mul, outer, size);
                nodes.exact(BinaryOp::Add, done, first_node)
            }
        };
        match groups {
            0 => {}
            1 => result.extend(self.one_group(counted, streams, (begin, group))),
            _ => {
                // What is held is in registers only if each iteration is a copy.
                let holds = counted.body.iter().any(|s| indexes_held(self.tables, s));
                result.push(Statement::Loop {
                    kind: PhysicalLoop::Sequential(Level::Thread),
                    counter: outer,
                    bounds: [zero, end, one],
                    unroll: match holds {
                        true => Unroll::Always,
                        false => counted.unroll,
                    },
                    body: self.one_group(counted, streams, (begin, group)),
                });
            }
        }
        let done = first + groups * group;
        (done..done + after).for_each(|k| self.iteration(counted, k, &mut result));
        result
    }

    /// One iteration by itself, whose names are its own.
    fn iteration(&mut self, counted: &Counted<'_>, k: u32, result: &mut Vec<Statement<Physical>>) {
        let mut names: Map<VariableId, VariableId> = Map::new();
        let mut new = HashMap::default();
        for old in &counted.inside {
            self.tables
                .variables
                .push(self.tables.variable(*old).clone());
            let fresh = VariableId(self.tables.variables.len() as u32 - 1);
            names.insert(*old, fresh);
            let ty = self.tables.variable(*old).ty;
            let [old, fresh] =
                [*old, fresh].map(|name| self.tables.nodes.add(Node::Variable(name), ty));
            new.insert(old, fresh);
        }
        let counter = Node::Variable(counted.counter);
        let counter = self.tables.nodes.add(counter, ScalarType::U32);
        new.insert(counter, self.number(k));
        let mut body = counted.body.to_vec();
        self.replace_all(&mut body, &new);
        body.iter_mut()
            .for_each(|statement| rename(statement, &names));
        result.extend(body);
    }

    /// The iterations of a group, from one on.
    pub(super) fn one_group(
        &mut self,
        counted: &Counted<'_>,
        streams: &[&Stream],
        (first, group): (NodeId, u32),
    ) -> Vec<Statement<Physical>> {
        let inner = self.variable(VariableKind::Counter);
        let [zero, one, size] = [0, 1, group].map(|n| self.number(n));
        let nodes = &mut self.tables.nodes;
        let inner_node = nodes.add(Node::Variable(inner), ScalarType::U32);
        let counter_node = nodes.add(Node::Variable(counted.counter), ScalarType::U32);
        let here = nodes.exact(BinaryOp::Add, first, inner_node);
        let mut body = counted.body.to_vec();
        let (mut before, mut after) = (Vec::new(), Vec::new());
        let mut new = HashMap::from_iter([(counter_node, here)]);
        for stream in streams {
            let index = self.replaced(stream.index, &HashMap::from_iter([(counter_node, first)]));
            let array = self.held(stream.array, group);
            before.push(Statement::Allocate { array, layout: () });
            let wide = |direction| {
                Wide {
                    direction,
                    array: stream.array,
                    index,
                    held: array,
                    origin: stream.origin,
                }
                .statement()
            };
            before.extend(stream.is_loaded.then(|| wide(Direction::Load)));
            after.extend(stream.is_stored.then(|| wide(Direction::Store)));
            let (ty, index) = (self.tables.array(array).ty, inner_node);
            for load in &stream.loads {
                new.insert(
                    *load,
                    self.tables.nodes.add(Node::Load { array, index }, ty),
                );
            }
            self.through(&mut body, counted, stream, (array, inner_node));
        }
        self.replace_all(&mut body, &new);
        before.push(Statement::Loop {
            kind: PhysicalLoop::Sequential(Level::Thread),
            counter: inner,
            bounds: [zero, size, one],
            unroll: Unroll::Always,
            body,
        });
        before.extend(after);
        before
    }

    /// Lets the statements of a stream access the held array.
    fn through(
        &self,
        list: &mut [Statement<Physical>],
        counted: &Counted<'_>,
        stream: &Stream,
        (held, inner): (ArrayId, NodeId),
    ) {
        for statement in list {
            if let Statement::Store { array, index, .. } | Statement::Read { array, index, .. } =
                statement
                && *array == stream.array
                && self.is_of(counted, stream, *index)
            {
                (*array, *index) = (held, inner);
            }
            for inner_list in statement.lists_mut() {
                self.through(inner_list, counted, stream, (held, inner));
            }
        }
    }

    fn is_of(&self, counted: &Counted<'_>, stream: &Stream, index: NodeId) -> bool {
        let nodes = &self.tables.nodes;
        let inside = |variable: VariableId| counted.inside.contains(&variable);
        let sum = self.known.sum(nodes, index);
        sum.and_then(|sum| without(nodes, &sum, counted.counter, &inside))
            .is_some_and(|sum| sum == stream.sum)
    }
}

/// Gives other names to what a statement binds, changes or reads of cells.
fn rename(statement: &mut Statement<Physical>, names: &Map<VariableId, VariableId>) {
    match statement {
        Statement::Let { variable, .. } | Statement::Read { variable, .. } => {
            new_name(variable, names)
        }
        Statement::Declare { cell, .. } | Statement::Assign { cell, .. } => new_name(cell, names),
        Statement::Get { variable, cell } => {
            new_name(variable, names);
            new_name(cell, names);
        }
        _ => {}
    }
    let inner = statement.lists_mut().into_iter().flatten();
    inner.for_each(|statement| rename(statement, names));
}

fn new_name(variable: &mut VariableId, names: &Map<VariableId, VariableId>) {
    if let Some(name) = names.get(variable) {
        *variable = *name;
    }
}
