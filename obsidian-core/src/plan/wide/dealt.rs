//! Loops whose iterations are dealt out to threads, with neighbouring iterations for each thread.
//!
//! ```text
//! for rounds j in 0 .. 4 { i = j * T + thread; out[e + i] = f(x[e + i]) }
//! ```
//!
//! becomes, for each thread, a loop over 4 neighbouring iterations, which [`loops`](super::loops) makes
//! wide:
//!
//! ```text
//! for u in 0 .. 4 { i = thread * 4 + u; .. }
//! ```
//!
//! *Argument.* The iterations of such a loop are independent of each other, so it does not matter which
//! thread does which, as long as nothing else in the kernel relies on it. Here the loop reads inputs
//! only, which nobody writes, and writes outputs only, which nobody reads and where no element is
//! written twice. A body is a function of its iteration `i`: `j` and the thread's index occur in it as
//! `j * T + thread` alone, times a number. A loop that folds is one of a single thread, and no such loop.
//!
//! *Limits.* All accesses have to become wide, apart from those of elements that are the same for all
//! iterations: neighbouring threads then access neighbouring groups, where they accessed neighbours.

use crate::hashed::HashMap;

use super::loops::{Access, Counted, Stream};
use super::sums::{Known, mentions};
use super::{Pass, WIDTHS, is_plain};
use crate::ir::{CellUse, How, Level, Physical, PhysicalLoop, Statement, Unroll, WARP};
use crate::ordered::Set;
use crate::scalar::{
    ArrayPlace, BinaryOp, Literal, Node, NodeId, Role, ScalarType, Special, VariableId,
    VariableKind,
};

/// Nodes of a body that is made over.
const MOST_NODES: usize = 256;

/// The iterations of a loop over threads.
struct Rounds {
    /// The counter of the rounds, and the index of the thread.
    counter: NodeId,
    thread: NodeId,
    threads: u32,
    /// The new iteration.
    iteration: NodeId,
}

impl Pass<'_> {
    /// The statements in the place of a loop over threads; `None` if it has no wide access.
    pub(super) fn dealt(
        &mut self,
        statement: &Statement<Physical>,
    ) -> Option<Vec<Statement<Physical>>> {
        let Statement::Loop {
            kind: PhysicalLoop::Rounds(level),
            counter,
            bounds,
            unroll: Unroll::Free,
            body,
        } = statement
        else {
            return None;
        };
        let number = |node: NodeId| self.tables.nodes.literal(node).map(Literal::u32);
        let (Some(0), Some(rounds), Some(1)) =
            (number(bounds[0]), number(bounds[1]), number(bounds[2]))
        else {
            return None;
        };
        let roots: Vec<NodeId> = body.iter().flat_map(Statement::nodes).collect();
        let parts = self.tables.nodes.post_order(&roots, |_| false);
        let is_small = parts.len() <= MOST_NODES && self.may_look_at(parts.len());
        let independent = |statement| self.is_independent(statement);
        if !is_small
            || !body.iter().all(independent)
            || !self.is_shared_by(*level, *counter, body, &parts)
        {
            return None;
        }
        WIDTHS
            .into_iter()
            .filter(|group| rounds.is_multiple_of(*group))
            .find_map(|group| self.dealt_by(*level, (*counter, rounds / group), body, group))
    }

    /// Does a statement read inputs only, and write outputs only?
    fn is_independent(&self, statement: &Statement<Physical>) -> bool {
        let place = |array| self.tables.array(array).place;
        let loads = statement.loads(&self.tables.nodes).into_iter();
        let only_inputs = loads
            .map(place)
            .all(|place| place == ArrayPlace::Global(Role::Input));
        let only_outputs = match statement.accessed() {
            Some(accessed) => match accessed.how {
                How::Write(_) => place(accessed.array) == ArrayPlace::Global(Role::Output),
                How::Read(_) => false,
                How::Change(..) => is_plain(statement),
            },
            None => is_plain(statement),
        };
        only_inputs && only_outputs
    }

    /// Is what a body uses of the statements around it the same for all threads of the level?
    fn is_shared_by(
        &self,
        level: Level,
        counter: VariableId,
        body: &[Statement<Physical>],
        parts: &[NodeId],
    ) -> bool {
        let own: Set<VariableId> = body.iter().flat_map(bound).collect();
        let is_cell_of_others = |statement: &Statement<Physical>| match statement.cell() {
            Some((cell, CellUse::Changes(_) | CellUse::Names(_))) => !own.contains(&cell),
            Some((_, CellUse::Begins(_))) | None => false,
        };
        let is_same = |id: &NodeId| match self.tables.nodes.node(*id) {
            Node::Variable(variable) => {
                variable == counter || own.contains(&variable) || self.uniformity.of(*id) >= level
            }
            _ => true,
        };
        !body.iter().any(is_cell_of_others) && parts.iter().all(is_same)
    }

    fn dealt_by(
        &mut self,
        level: Level,
        (counter, rounds): (VariableId, u32),
        body: &[Statement<Physical>],
        group: u32,
    ) -> Option<Vec<Statement<Physical>>> {
        let (threads, index) = match level {
            Level::Warp => (self.threads.min(WARP), Special::LaneIndex),
            _ => (self.threads, Special::ThreadIndex),
        };
        let (outer, inner) = (
            self.variable(VariableKind::Counter),
            self.variable(VariableKind::Counter),
        );
        let [zero, one, size, end, width] = [0, 1, group, rounds, threads].map(|n| self.number(n));
        let nodes = &mut self.tables.nodes;
        let [outer_node, inner_node, counter] = [outer, inner, counter]
            .map(|variable| nodes.add(Node::Variable(variable), ScalarType::U32));
        let thread = nodes.add(Node::Special(index), index.ty());
        let done = nodes.exact(BinaryOp::Mul, outer_node, width);
        let first = match rounds {
            1 => thread,
            _ => nodes.exact(BinaryOp::Add, done, thread),
        };
        let first = nodes.exact(BinaryOp::Mul, first, size);
        let iteration = nodes.exact(BinaryOp::Add, first, inner_node);
        let of = Rounds {
            counter,
            thread,
            threads,
            iteration,
        };
        let (mut body, mut memo) = (body.to_vec(), HashMap::default());
        for statement in &mut body {
            for node in statement.nodes_mut() {
                *node = self.over(&of, *node, &mut memo)?;
            }
        }
        let each = Statement::Loop {
            kind: PhysicalLoop::Sequential(Level::Thread),
            counter: inner,
            bounds: [zero, size, one],
            unroll: Unroll::Free,
            body,
        };
        let counted = self.counted(&each)?;
        let accesses = self.accesses(counted.body)?;
        let streams = self.streams(&counted, &accesses);
        if !self.all_wide(&counted, &accesses, &streams, group) {
            return None;
        }
        let chosen: Vec<&Stream> = streams.iter().collect();
        let all = self.one_group(&counted, &chosen, (zero, group));
        Some(match rounds {
            1 => all,
            _ => vec![Statement::Loop {
                kind: PhysicalLoop::Rounds(level),
                counter: outer,
                bounds: [zero, end, one],
                unroll: Unroll::Free,
                body: all,
            }],
        })
    }

    /// Is each access one of a stream that begins with a group, or the same for all of them?
    fn all_wide(
        &self,
        counted: &Counted<'_>,
        accesses: &[Access],
        streams: &[Stream],
        group: u32,
    ) -> bool {
        let is_wide = |stream: &Stream| self.offset(counted, stream, group) == Some(0);
        let inside = |variable| variable == counted.counter || counted.inside.contains(&variable);
        let is_covered = |access: &Access| {
            let own = self.stream(counted, access);
            let is_known = own.is_some_and(|own| {
                let same = |s: &Stream| s.array == own.array && s.sum == own.sum;
                streams.iter().any(same)
            });
            is_known || !mentions(&self.tables.nodes, &[access.index], &inside)
        };
        !streams.is_empty() && streams.iter().all(is_wide) && accesses.iter().all(is_covered)
    }

    /// An expression over the new iteration; `None` if it depends on the round or the thread in another
    /// way.
    fn over(
        &mut self,
        of: &Rounds,
        id: NodeId,
        memo: &mut HashMap<NodeId, NodeId>,
    ) -> Option<NodeId> {
        if let Some(known) = memo.get(&id) {
            return Some(*known);
        }
        if !self.depends(of, id) {
            return Some(id);
        }
        let new = match self.sum_over(of, id, memo) {
            Some(new) => new,
            None => {
                let operands: Set<NodeId> = self.tables.nodes.node(id).operands().collect();
                if operands.is_empty() {
                    return None;
                }
                let mut new = HashMap::default();
                for operand in operands {
                    new.insert(operand, self.over(of, operand, memo)?);
                }
                self.tables.nodes.rebuild(id, |_, operand| new[&operand])
            }
        };
        memo.insert(id, new);
        Some(new)
    }

    fn depends(&self, of: &Rounds, id: NodeId) -> bool {
        let parts = self.tables.nodes.post_order(&[id], |_| false);
        parts.into_iter().any(|part| {
            part == of.counter
                || matches!(
                    self.tables.nodes.node(part),
                    Node::Special(Special::ThreadIndex | Special::LaneIndex | Special::WarpIndex)
                )
        })
    }

    /// A sum with the old iteration, times a number, as one with the new iteration.
    fn sum_over(
        &mut self,
        of: &Rounds,
        id: NodeId,
        memo: &mut HashMap<NodeId, NodeId>,
    ) -> Option<NodeId> {
        let nodes = &self.tables.nodes;
        let Node::Binary {
            op: BinaryOp::Add,
            exact: true,
            ..
        } = nodes.node(id)
        else {
            return None;
        };
        // Names stay whole: each term is a part of the expression.
        let sum = Known::default().sum(nodes, id)?;
        let factor = |of: NodeId| {
            let mut terms = sum.terms.iter();
            terms.find(|(id, _)| *id == of).map(|(_, factor)| *factor)
        };
        let times = factor(of.thread)?;
        let is_iteration = factor(of.counter)? == times.checked_mul(i64::from(of.threads))?;
        let adds = sum.constant >= 0 && sum.terms.iter().all(|(_, factor)| *factor > 0);
        if !is_iteration || !adds {
            return None;
        }
        let (mut new, mut added) = (self.times(of.iteration, times)?, 2);
        // In the order of the text: the numbers of nodes have no meaning.
        let order = self.tables.nodes.post_order(&[id], |_| false);
        for part in order {
            let term = sum.terms.iter().find(|(id, _)| *id == part);
            let Some((term, factor)) = term.filter(|(id, _)| *id != of.thread && *id != of.counter)
            else {
                continue;
            };
            let term = self.over(of, *term, memo)?;
            let term = self.times(term, *factor)?;
            new = self.tables.nodes.exact(BinaryOp::Add, term, new);
            added += 1;
        }
        if added != sum.terms.len() {
            return None;
        }
        let constant = self.number(u32::try_from(sum.constant).ok()?);
        Some(self.tables.nodes.exact(BinaryOp::Add, new, constant))
    }

    fn times(&mut self, node: NodeId, factor: i64) -> Option<NodeId> {
        let factor = self.number(u32::try_from(factor).ok()?);
        Some(self.tables.nodes.exact(BinaryOp::Mul, node, factor))
    }
}

/// What a plain statement binds.
fn bound(statement: &Statement<Physical>) -> impl Iterator<Item = VariableId> {
    statement.binds().into_iter().chain(statement.begun_cell())
}
