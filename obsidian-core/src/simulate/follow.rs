//! What earlier blocks have, combined in the order of [`CollectiveOp::Earlier`](crate::ir::CollectiveOp::Earlier).
//!
//! Blocks of an ordered loop run in ascending order here, so everything is there when a block asks for it.

use super::execute::Machine;
use super::lanes::Active;
use super::program::{Follow, Source};
use super::{Fault, FaultKind};
use crate::ir::{GROUP, WARP};

/// The components of an element.
type Value = Vec<u64>;

/// What the blocks so far have, for one of the elements of each.
#[derive(Clone, Debug)]
pub(super) struct Followed {
    initial: Value,
    /// The block that comes next.
    next: u32,
    /// The initial value and all groups before that of `next`.
    before: Value,
    /// The blocks of its group before it.
    group: Vec<Value>,
}

impl<'a> Machine<'a> {
    pub(super) fn follow(&mut self, of: &'a Follow, active: &Active) -> Result<(), Fault> {
        for value in of.own.iter().chain([&of.element]) {
            self.used(*value, active, of.origin, || {
                "what a block has for later ones".to_owned()
            })?;
        }
        let block = self.virtual_block;
        let place = block % GROUP;
        let mut states = Vec::with_capacity(active.len());
        let mut own: Vec<Value> = Vec::with_capacity(active.len());
        for thread in &active.threads {
            let element = self.cells.get(of.element, *thread);
            let initial = self.values(&of.cells, *thread);
            let parts = of.own.iter();
            own.push(parts.map(|part| self.cells.get(*part, *thread)).collect());
            states.push((element, self.state(of, (element, block), initial)?));
        }
        self.are_apart(of, &states, &own, active)?;
        let members = (0..place as usize).map(|n| {
            let of_thread = states.iter().map(|(_, state)| state.group[n].clone());
            of_thread.collect()
        });
        let members: Vec<Vec<Value>> = members.collect();
        let group = self.tree(of, members, active)?;
        let before: Vec<Value> = states.iter().map(|(_, s)| s.before.clone()).collect();
        let found = match &group {
            None => before.clone(),
            Some(group) => self.combined(of, &before, group, active)?,
        };
        let after = match &group {
            Some(group) if place + 1 == GROUP => {
                let all = self.combined(of, group, &own, active)?;
                self.combined(of, &before, &all, active)?
            }
            _ => before,
        };
        for (n, (element, mut state)) in states.into_iter().enumerate() {
            state.next = block + 1;
            state.before.clone_from(&after[n]);
            match place + 1 < GROUP {
                true => state.group.push(own[n].clone()),
                false => state.group.clear(),
            }
            self.followed.insert((of.counter, element), state);
            self.set(&of.cells, active.threads[n], &found[n]);
        }
        Ok(())
    }

    /// What is known when a block comes to it. Where only some blocks run, those that do not have the initial value.
    fn state(
        &self,
        of: &Follow,
        (element, block): (u64, u32),
        initial: Value,
    ) -> Result<Followed, Fault> {
        let known = self.followed.get(&(of.counter, element));
        let next = known.map_or(0, |known| known.next);
        if next != block && self.memory.written.is_none() {
            let message = format!(
                "block {block} combines element {element} of what earlier blocks have, and block {next} comes next"
            );
            return Err(self.fault(FaultKind::Divergence, message, None));
        }
        if known.is_some_and(|known| known.initial != initial) {
            let message = format!("the initial value of block {block} is not that of the others");
            return Err(self.fault(FaultKind::Divergence, message, None));
        }
        Ok(match known {
            Some(known) if known.next == block => known.clone(),
            _ => Followed {
                next: block,
                before: initial.clone(),
                group: vec![initial.clone(); (block % GROUP) as usize],
                initial,
            },
        })
    }

    /// Do the lanes of one warp have the same, or threads elements of their own?
    fn are_apart(
        &self,
        of: &Follow,
        states: &[(u64, Followed)],
        own: &[Value],
        active: &Active,
    ) -> Result<(), Fault> {
        let mut elements: Vec<u64> = states.iter().map(|(element, _)| *element).collect();
        elements.sort_unstable();
        elements.dedup();
        let holds = match of.by_lanes {
            true => {
                active.warps() == 1
                    && active.len() == WARP as usize
                    && elements.len() == 1
                    && own.iter().all(|value| *value == own[0])
            }
            false => elements.len() == active.len(),
        };
        if holds {
            return Ok(());
        }
        let message = "the threads that combine what earlier blocks have are not a warp with one element, nor have they elements of their own";
        Err(self.fault(
            FaultKind::Divergence,
            message,
            active.threads.first().copied(),
        ))
    }

    /// The balanced tree over neighbours; nothing of no values.
    fn tree(
        &mut self,
        of: &'a Follow,
        mut values: Vec<Vec<Value>>,
        active: &Active,
    ) -> Result<Option<Vec<Value>>, Fault> {
        while values.len() > 1 {
            let mut next = Vec::with_capacity(values.len().div_ceil(2));
            for pair in values.chunks(2) {
                next.push(match pair {
                    [left, right] => self.combined(of, left, right, active)?,
                    alone => alone[0].clone(),
                });
            }
            values = next;
        }
        Ok(values.pop())
    }

    /// What each thread has, combined with what comes later.
    fn combined(
        &mut self,
        of: &'a Follow,
        left: &[Value],
        right: &[Value],
        active: &Active,
    ) -> Result<Vec<Value>, Fault> {
        for (n, thread) in active.threads.iter().enumerate() {
            self.set(&of.cells, *thread, &left[n]);
            self.set(&of.right, *thread, &right[n]);
        }
        self.list(&of.combine, active.clone())?;
        let threads = active.threads.iter();
        Ok(threads
            .map(|thread| self.values(&of.cells, *thread))
            .collect())
    }

    fn values(&self, columns: &[u32], thread: u32) -> Value {
        let columns = columns.iter();
        columns
            .map(|column| self.cells.get(Source::column(*column), thread))
            .collect()
    }

    fn set(&mut self, columns: &[u32], thread: u32, value: &[u64]) {
        for (column, bits) in columns.iter().zip(value) {
            self.cells.set(*column, thread, *bits);
        }
    }
}
