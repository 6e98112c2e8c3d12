//! The threads that reach a statement, in all rounds of the loops around it, with the values that
//! variables have there.
//!
//! A *lane* is one thread in one round of each loop. Entering a branch keeps the lanes for which
//! the condition holds, entering a loop makes a lane of each round. Where a condition or a bound is
//! not known, all lanes stay and the counter is not known, so that there are never fewer lanes than
//! there are executions.
//!
//! Bounded: no more than [`MOST_POINTS`] lanes at one place, and [`MOST_VALUES`] values in a
//! kernel; beyond, nothing is known.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use crate::hashed::HashMap;

use super::columns::{Column, column};
use super::points::MOST_POINTS;
use crate::ir::{Kernel, Physical, WARP};
use crate::ordered::Map;
use crate::scalar::{Node, NodeId, Special, VariableId};

/// The most values that are worked out for one kernel.
const MOST_VALUES: usize = 1 << 22;

/// Lanes; those inside a branch or a loop know those that they were made of.
pub(in crate::plan) struct Lanes<'a> {
    kernel: &'a Kernel<Physical>,
    size: usize,
    outer: Option<Outer<'a>>,
    /// What is bound here; nothing is known of `None`.
    variables: Map<VariableId, Option<Column>>,
    // Only looked up in, never walked.
    columns: RefCell<HashMap<NodeId, Option<Column>>>,
    threads: Column,
    /// Values that may still be worked out.
    budget: Rc<Cell<usize>>,
}

/// What lanes were made of.
struct Outer<'a> {
    lanes: &'a Lanes<'a>,
    /// For each lane the one out there; none if they are the same.
    from: Option<Rc<[u32]>>,
}

impl Outer<'_> {
    fn take(&self, column: Column) -> Column {
        match (&self.from, column) {
            (Some(from), Column::Each(values)) => {
                Column::Each(from.iter().map(|&lane| values[lane as usize]).collect())
            }
            (_, column) => column,
        }
    }
}

impl<'a> Lanes<'a> {
    /// Each thread of a block once.
    pub(in crate::plan) fn of_block(kernel: &'a Kernel<Physical>) -> Self {
        let size = kernel.threads;
        Lanes {
            kernel,
            size: size as usize,
            outer: None,
            variables: Map::new(),
            columns: RefCell::default(),
            threads: if size == 1 {
                Column::Same(0)
            } else {
                Column::Each((0..u64::from(size)).collect())
            },
            budget: Rc::new(Cell::new(MOST_VALUES)),
        }
    }

    /// How many there are.
    pub(in crate::plan) fn len(&self) -> usize {
        self.size
    }

    /// The thread of a lane.
    pub(in crate::plan) fn thread(&self, lane: usize) -> u32 {
        self.threads.at(lane) as u32
    }

    /// The thread of each lane.
    pub(super) fn threads(&self) -> &Column {
        &self.threads
    }

    /// Gives a variable its value.
    pub(in crate::plan) fn bind(&mut self, variable: VariableId, value: Option<Column>) {
        self.variables.insert(variable, value);
    }

    /// The value of a node in each lane, if it is known.
    pub(in crate::plan) fn value(&self, root: NodeId) -> Option<Column> {
        let nodes = &self.kernel.tables.nodes;
        if let Some(known) = self.columns.borrow().get(&root) {
            return known.clone();
        }
        let order = nodes.post_order(&[root], |id| self.columns.borrow().contains_key(&id));
        for id in order {
            let value = match nodes.node(id) {
                Node::Variable(variable) => self.variable(variable),
                Node::Special(special) => self.special(special),
                _ => column(nodes, id, self.size, |id| {
                    self.columns.borrow().get(&id).cloned().flatten()
                }),
            };
            let value = value.filter(|value| self.pay(value));
            self.columns.borrow_mut().insert(id, value);
        }
        self.columns.borrow().get(&root).cloned().flatten()
    }

    /// Is there anything left to pay for a value?
    fn pay(&self, value: &Column) -> bool {
        let price = if matches!(value, Column::Each(_)) {
            self.size
        } else {
            1
        };
        let left = self.budget.get().checked_sub(price);
        self.budget.set(left.unwrap_or(0));
        left.is_some()
    }

    fn variable(&self, variable: VariableId) -> Option<Column> {
        match (self.variables.get(&variable), &self.outer) {
            (Some(known), _) => known.clone(),
            (None, Some(outer)) => outer
                .lanes
                .variable(variable)
                .map(|value| outer.take(value)),
            (None, None) => None,
        }
    }

    fn special(&self, special: Special) -> Option<Column> {
        let of_thread = |f: fn(u64) -> u64| match &self.threads {
            Column::Same(thread) => Column::Same(f(*thread)),
            Column::Each(threads) => {
                Column::Each(threads.iter().map(|thread| f(*thread)).collect())
            }
        };
        match special {
            Special::ThreadIndex => Some(self.threads.clone()),
            Special::WarpIndex => Some(of_thread(|thread| thread / u64::from(WARP))),
            Special::LaneIndex => Some(of_thread(|thread| thread % u64::from(WARP))),
            Special::BlockIndex | Special::GridSize | Special::Aligned => None,
        }
    }

    /// These lanes in a scope of their own.
    pub(in crate::plan) fn inside(&'a self) -> Lanes<'a> {
        self.made_of(None)
    }

    fn made_of(&'a self, from: Option<Rc<[u32]>>) -> Lanes<'a> {
        let outer = Outer { lanes: self, from };
        Lanes {
            kernel: self.kernel,
            size: outer.from.as_ref().map_or(self.size, |from| from.len()),
            threads: outer.take(self.threads.clone()),
            outer: Some(outer),
            variables: Map::new(),
            columns: RefCell::default(),
            budget: self.budget.clone(),
        }
    }

    /// The lanes that find a condition true, or false; all of them where it is not known.
    pub(in crate::plan) fn when(&'a self, condition: NodeId, wanted: bool) -> Lanes<'a> {
        match self.value(condition) {
            Some(Column::Each(found)) => self.those(|lane| (found[lane] != 0) == wanted),
            Some(Column::Same(found)) if (found != 0) == wanted => self.inside(),
            Some(Column::Same(_)) => self.made_of(Some(Rc::default())),
            None => self.inside(),
        }
    }

    /// The lanes that have a round of a loop at all; all of them where it is not known. The counter
    /// has no value.
    pub(in crate::plan) fn with_a_round(&'a self, [start, end, _]: [NodeId; 3]) -> Lanes<'a> {
        match (self.value(start), self.value(end)) {
            (Some(start), Some(end)) => self.those(|lane| start.at(lane) < end.at(lane)),
            _ => self.inside(),
        }
    }

    /// The value of a variable, if it is one in all lanes.
    pub(in crate::plan) fn value_of(&self, variable: VariableId) -> Option<u64> {
        let values = self.variable(variable)?;
        let first = values.at(0);
        (0..self.size)
            .all(|lane| values.at(lane) == first)
            .then_some(first)
    }

    /// The lanes that have an n-th round of a loop, counted from 0; none if the bounds are not known.
    /// Each thread is there once, so that rounds can be looked at in their order.
    pub(in crate::plan) fn round(
        &'a self,
        counter: VariableId,
        [start, end, step]: [NodeId; 3],
        n: u64,
    ) -> Option<Lanes<'a>> {
        let (start, end, step) = (self.value(start)?, self.value(end)?, self.value(step)?);
        let left = self.budget.get().checked_sub(self.size)?;
        self.budget.set(left);
        if let (Column::Same(start), Column::Same(end), Column::Same(step)) = (&start, &end, &step)
            && *step > 0
        {
            // All lanes count alike, so what the counter decides is one value for all.
            let at = n.saturating_mul(*step).saturating_add(*start);
            let mut inside = match at < *end {
                true => self.inside(),
                false => self.made_of(Some(Rc::default())),
            };
            inside.bind(counter, Some(Column::Same(at)));
            return Some(inside);
        }
        let at = |lane| {
            n.saturating_mul(step.at(lane))
                .saturating_add(start.at(lane))
        };
        if (0..self.size).any(|lane| step.at(lane) == 0) {
            return None;
        }
        let counts = Column::Each((0..self.size).map(at).collect());
        let mut inside = self.those(|lane| at(lane) < end.at(lane));
        let counts = inside.outer.as_ref().map(|outer| outer.take(counts));
        inside.bind(counter, counts);
        Some(inside)
    }

    fn those(&'a self, wanted: impl Fn(usize) -> bool) -> Lanes<'a> {
        let mut chosen = Vec::with_capacity(self.size);
        chosen.extend((0..self.size as u32).filter(|&lane| wanted(lane as usize)));
        if chosen.len() == self.size {
            self.inside()
        } else {
            self.made_of(Some(chosen.into()))
        }
    }

    /// The lanes in the rounds of a loop.
    pub(super) fn rounds(&'a self, counter: VariableId, bounds: [NodeId; 3]) -> Lanes<'a> {
        let mut inside = match self.all_rounds(bounds) {
            Some((from, counts)) => {
                let mut inside = self.made_of(Some(from));
                inside.bind(counter, Some(Column::Each(counts)));
                inside
            }
            None => self.inside(),
        };
        inside.variables.entry(counter).or_insert(None);
        inside
    }

    /// For each round of each lane the lane and the counter; none if they are not known or too
    /// many.
    fn all_rounds(&self, [start, end, step]: [NodeId; 3]) -> Option<(Rc<[u32]>, Rc<[u64]>)> {
        let (start, end, step) = (self.value(start)?, self.value(end)?, self.value(step)?);
        let (mut from, mut counts) = (Vec::with_capacity(self.size), Vec::with_capacity(self.size));
        for lane in 0..self.size {
            let (mut at, end, step) = (start.at(lane), end.at(lane), step.at(lane));
            while at < end {
                from.push(lane as u32);
                counts.push(at);
                if step == 0 || counts.len() as u64 > MOST_POINTS {
                    return None;
                }
                at += step;
            }
        }
        let left = self.budget.get().checked_sub(counts.len())?;
        self.budget.set(left);
        Some((from.into(), counts.into()))
    }
}
