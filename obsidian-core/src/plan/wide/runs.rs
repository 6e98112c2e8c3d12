//! Accesses of neighbouring elements by statements that follow each other.
//!
//! *Argument.* Statements of a run have no lists and no effect on other threads but their stores; they
//! are all executed, in their order. A load that a node stands for may come earlier: its index is
//! known there, and no statement of the run writes the array. A store may come later if no statement
//! on the way accesses its element: it accesses another array, or an element that differs by a number.
//! A value that is stored is still computed where it was.
//!
//! *Limits.* The statements with the accesses of a group are at most [`MOST_APART`] from each other, as
//! all the elements of a group are in registers between the first and the last.

use crate::hashed::HashMap;

use super::sums::mentions;
use super::{Pass, WIDTHS, unconditional};
use crate::error::Origin;
use crate::ir::{Direction, How, Physical, Statement, Wide};
use crate::ordered::{Map, Set};
use crate::scalar::{ArrayId, Node, NodeId, Sum, VariableId};

/// The most statements between the first and the last access of a group.
const MOST_APART: usize = 16;

/// One access of an element.
#[derive(Clone, Copy)]
struct Member {
    /// The load, or what is stored.
    node: NodeId,
    index: NodeId,
    /// The first statement of the run that has it.
    at: usize,
    origin: Origin,
}

/// Accesses of one array at indices that differ by numbers.
type Neighbours = Map<i64, Member>;

/// Accesses by array and sum without its number, in the order of the text.
#[derive(Default)]
struct Groups {
    list: Vec<(ArrayId, Neighbours)>,
    /// Only looked up in.
    known: HashMap<(ArrayId, Vec<(NodeId, i64)>), usize>,
}

impl Groups {
    fn add(&mut self, array: ArrayId, sum: Sum, member: Member) {
        let next = self.list.len();
        let number = *self.known.entry((array, sum.terms)).or_insert(next);
        if number == next {
            self.list.push((array, Neighbours::new()));
        }
        self.list[number].1.entry(sum.constant).or_insert(member);
    }
}

/// Accesses that become one.
#[derive(Clone)]
pub(super) struct Group {
    array: ArrayId,
    direction: Direction,
    members: Vec<Member>,
}

impl Group {
    /// The first and the last statement of the run that change.
    pub(super) fn range(&self) -> (usize, usize) {
        let at = || self.members.iter().map(|member| member.at);
        (at().min().unwrap_or(0), at().max().unwrap_or(0))
    }
}

impl Pass<'_> {
    /// A run with its wide accesses.
    pub(super) fn widened(
        &mut self,
        mut run: Vec<Statement<Physical>>,
    ) -> Vec<Statement<Physical>> {
        if run.is_empty() {
            return run;
        }
        let loads = self.groups(&run, Direction::Load);
        if !loads.is_empty() {
            run = self.with_loads(run, &loads);
        }
        let stores = self.groups(&run, Direction::Store);
        match stores.is_empty() {
            true => run,
            false => self.with_stores(run, &stores),
        }
    }

    /// The accesses of a run that may be wide.
    pub(super) fn groups(&self, run: &[Statement<Physical>], direction: Direction) -> Vec<Group> {
        let accesses = match direction {
            Direction::Load => self.loads(run),
            Direction::Store => self.stores(run),
        };
        let mut found = Vec::new();
        for (array, neighbours) in accesses.list {
            self.windows(run, (array, direction), neighbours, &mut found);
        }
        found
    }

    fn loads(&self, run: &[Statement<Physical>]) -> Groups {
        let nodes = &self.tables.nodes;
        let (mut groups, mut seen) = (Groups::default(), Set::new());
        for (at, statement) in run.iter().enumerate() {
            let sure = unconditional(nodes, &statement.nodes());
            if !self.may_look_at(sure.len()) {
                break;
            }
            for id in nodes.post_order(&statement.nodes(), |_| false) {
                let Node::Load { array, index } = nodes.node(id) else {
                    continue;
                };
                if !sure.contains(&id) || !seen.insert(id) || !self.may_be_wide_at_all(array) {
                    continue;
                }
                if let Some(sum) = self.known.sum(nodes, index) {
                    let member = Member {
                        node: id,
                        index,
                        at,
                        origin: nodes.origin(id),
                    };
                    groups.add(array, sum, member);
                }
            }
        }
        let written: Set<ArrayId> = run.iter().filter_map(Statement::writes).collect();
        groups.list.iter_mut().for_each(|(array, neighbours)| {
            if written.contains(array) {
                neighbours.clear();
            }
        });
        groups
    }

    fn stores(&self, run: &[Statement<Physical>]) -> Groups {
        let nodes = &self.tables.nodes;
        let mut groups = Groups::default();
        for (at, statement) in run.iter().enumerate() {
            if let Statement::Store {
                array,
                index,
                value,
                origin,
            } = statement
                && self.may_be_wide_at_all(*array)
                && let Some(sum) = self.known.sum(nodes, *index)
            {
                let member = Member {
                    node: *value,
                    index: *index,
                    at,
                    origin: *origin,
                };
                groups.add(*array, sum, member);
            }
        }
        groups
    }

    /// Groups of neighbours from an aligned one on, the widest first.
    fn windows(
        &self,
        run: &[Statement<Physical>],
        (array, direction): (ArrayId, Direction),
        mut neighbours: Neighbours,
        found: &mut Vec<Group>,
    ) {
        for width in WIDTHS {
            if neighbours.len() < 2 || !self.may_be_wide(array, width) {
                continue;
            }
            let starts: Vec<i64> = neighbours.keys().copied().collect();
            for start in starts {
                let all = start..start + i64::from(width);
                let members: Option<Vec<Member>> =
                    all.clone().map(|n| neighbours.get(&n).copied()).collect();
                let Some(members) = members else { continue };
                let group = Group {
                    array,
                    direction,
                    members,
                };
                if self.is_sound(run, &group, width) {
                    all.for_each(|n| {
                        neighbours.remove(&n);
                    });
                    found.push(group);
                }
            }
        }
    }

    /// Is the first element a multiple of the width, and may the accesses be done at once?
    fn is_sound(&self, run: &[Statement<Physical>], group: &Group, width: u32) -> bool {
        let (first, last) = group.range();
        let index = group.members[0].index;
        let sum = self.known.sum(&self.tables.nodes, index);
        if last - first > MOST_APART
            || !sum.is_some_and(|sum| self.known.is_multiple(self.tables, &sum, width))
        {
            return false;
        }
        match group.direction {
            Direction::Load => {
                // What the index is made of has to be known at the first of the loads.
                let later: Set<VariableId> =
                    run[first..].iter().filter_map(Statement::binds).collect();
                !mentions(&self.tables.nodes, &[index], &|variable| {
                    later.contains(&variable)
                })
            }
            Direction::Store => {
                let mut members = group.members.iter();
                members.all(|member| self.may_sink(run, group.array, member, last))
            }
        }
    }

    /// May a store be done behind a later statement of the run?
    fn may_sink(
        &self,
        run: &[Statement<Physical>],
        array: ArrayId,
        member: &Member,
        last: usize,
    ) -> bool {
        let nodes = &self.tables.nodes;
        let Some(own) = self.known.sum(nodes, member.index) else {
            return false;
        };
        let is_apart = |index: NodeId| {
            self.known
                .sum(nodes, index)
                .is_some_and(|other| other.terms == own.terms && other.constant != own.constant)
        };
        run[member.at + 1..=last].iter().all(|statement| {
            let accesses = match statement.accessed() {
                Some(accessed) if !matches!(accessed.how, How::Change(..)) => {
                    accessed.array != array || is_apart(accessed.index)
                }
                _ => statement.wide().is_none_or(|wide| wide.array != array),
            };
            accesses && !statement.loads(nodes).contains(&array)
        })
    }

    fn with_loads(
        &mut self,
        run: Vec<Statement<Physical>>,
        groups: &[Group],
    ) -> Vec<Statement<Physical>> {
        let (mut new, mut result) = (HashMap::default(), Vec::with_capacity(run.len()));
        for (at, statement) in run.into_iter().enumerate() {
            for group in groups.iter().filter(|group| group.range().0 == at) {
                let held = self.begun(group, &mut result);
                result.push(self.access(group, held));
                for (member, n) in group.members.iter().zip(0..) {
                    let (array, index) = (held, self.number(n));
                    let nodes = &mut self.tables.nodes;
                    let part = nodes.add(Node::Load { array, index }, nodes.ty(member.node));
                    new.insert(member.node, part);
                }
            }
            let mut one = [statement];
            self.replace_all(&mut one, &new);
            result.extend(one);
        }
        result
    }

    fn with_stores(
        &mut self,
        run: Vec<Statement<Physical>>,
        groups: &[Group],
    ) -> Vec<Statement<Physical>> {
        let mut result = Vec::with_capacity(run.len());
        let mut held: Vec<Option<ArrayId>> = vec![None; groups.len()];
        for (at, mut statement) in run.into_iter().enumerate() {
            for (group, held) in groups.iter().zip(&mut held) {
                if group.range().0 == at {
                    *held = Some(self.begun(group, &mut result));
                }
                let position = group.members.iter().position(|member| member.at == at);
                if let (Some(n), Some(held), Statement::Store { array, index, .. }) =
                    (position, *held, &mut statement)
                {
                    (*array, *index) = (held, self.number(n as u32));
                }
            }
            result.push(statement);
            for (group, held) in groups.iter().zip(&held) {
                if let (true, Some(held)) = (group.range().1 == at, held) {
                    result.push(self.access(group, *held));
                }
            }
        }
        result
    }

    /// Begins the held array of a group.
    fn begun(&mut self, group: &Group, result: &mut Vec<Statement<Physical>>) -> ArrayId {
        let array = self.held(group.array, group.members.len() as u32);
        result.push(Statement::Allocate { array, layout: () });
        array
    }

    fn access(&self, group: &Group, held: ArrayId) -> Statement<Physical> {
        let first = &group.members[0];
        Wide {
            direction: group.direction,
            array: group.array,
            index: first.index,
            held,
            origin: first.origin,
        }
        .statement()
    }
}
