//! Elements that lanes read of each other's registers: shuffles.
//!
//! Before: a lowered kernel, in which arrays that a warp holds are in shared memory. After: the same, where a lane reads
//! only elements that it owns, and takes others by a [`Shuffle`]:
//!
//! ```text
//! forall Warp i < 32_u32 { store out[i] = (h[i] + h[(i ^ 1_u32)]) }
//! ```
//!
//! becomes
//!
//! ```text
//! forall Warp i < 32_u32 { shuffle x = h[i] lane ((i ^ 1_u32) & 31_u32) store out[i] = (h[i] + x) }
//! ```
//!
//! `placement` then finds that each access is by the owner, and puts the array into registers. A comparison of an element with those of
//! all other lanes is one shuffle, too ([`equal`]).
//!
//! *Claim.* Each lane gets the element that it asked for. *Argument.* Element `e` has one owner and one slot
//! ([`Layout::place`]). A shuffle takes the value of one slot, so a read is a shuffle for each slot that the element
//! may be in, and a choice. Nothing writes the array after it is complete, so a read may stand earlier than the
//! user wrote it: outside of conditions, in front of the statement, where all lanes come to it. Lanes that
//! do not execute the loop are filled up, and take a value that nothing uses.
//!
//! # Limits
//! - A read stays in shared memory, with the array, where its index depends on what a condition or a loop of one
//!   lane binds, or where more than [`MOST_SHUFFLES`](reads::MOST_SHUFFLES) slots come into question.
//! - A loop that is not a multiple of 32 and changes mutable arrays or binds what atomic operations
//!   give stays as it is.

mod equal;
mod indices;
mod reads;

use std::cell::RefCell;

use crate::ir::{How, Kernel, Layout, Level, LevelledLoop, Lowered, Statement, WARP};
use crate::ordered::{Map, Set};
use crate::plan::analysis::Asked;
use crate::scalar::{ArrayId, BinaryOp, Literal, Node, NodeId, Promised, Tables, VariableId};

type List = Vec<Statement<Lowered>>;

/// Puts shuffles in place of what lanes read of each other, on blocks of whole warps.
pub(super) fn shuffled(
    mut kernel: Kernel<Lowered>,
    asked: &Asked,
    threads: u32,
) -> Kernel<Lowered> {
    let of_warps = asked.iter().filter(|(_, (level, _))| *level == Level::Warp);
    let layouts: Map<ArrayId, Layout> = of_warps.map(|(id, (_, layout))| (*id, *layout)).collect();
    if layouts.is_empty() || threads < WARP {
        return kernel;
    }
    let names = kernel.lets();
    let body = std::mem::take(&mut kernel.body);
    let mut pass = Pass {
        tables: &mut kernel.tables,
        layouts,
        names,
    };
    kernel.body = pass.list(body);
    kernel
}

struct Pass<'k> {
    tables: &'k mut Tables,
    /// The arrays that warps hold.
    layouts: Map<ArrayId, Layout>,
    /// What variables of the kernel stand for.
    names: Map<VariableId, NodeId>,
}

/// A loop over the lanes of a warp.
struct Lanes {
    counter: NodeId,
    /// Iterations, with those that fill up the last warp.
    filled: u32,
    /// Nothing if all lanes of each round have an iteration.
    guard: Option<NodeId>,
    /// What the loop binds, which may differ between lanes. A cell occurs in no expression.
    bound: Set<VariableId>,
    /// The rounds of loops of one lane inside of it, by their counters, where that is a number.
    rounds: Map<VariableId, u32>,
}

/// What the statements so far have taken from other lanes.
type Taken = Map<NodeId, NodeId>;

/// The variables that are bound inside of a condition, with their values where these are known.
type Inner = Map<VariableId, Option<NodeId>>;

impl Pass<'_> {
    fn list(&mut self, list: List) -> List {
        list.into_iter().map(|s| self.statement(s)).collect()
    }

    fn statement(&mut self, mut statement: Statement<Lowered>) -> Statement<Lowered> {
        if let Statement::Loop {
            kind: LevelledLoop::ForAll(Level::Warp),
            counter,
            bounds: [count],
            body,
            ..
        } = &mut statement
        {
            if let Some(n) = self.tables.nodes.literal(*count).map(Literal::u32)
                && let Some(filled) = self.of_lanes(*counter, n, body)
            {
                *count = self.tables.nodes.add_literal(filled.into());
            }
            return statement;
        }
        for inner in statement.lists_mut() {
            *inner = self.list(std::mem::take(inner));
        }
        statement
    }

    /// Puts shuffles into a loop of `n` iterations. Returns how many iterations it has then, if there are any.
    fn of_lanes(&mut self, counter: VariableId, n: u32, body: &mut List) -> Option<u32> {
        let filled = n.checked_next_multiple_of(WARP)?;
        let mut bound = Set::from([counter]);
        let (mut others, mut roots, mut rounds) = (false, Vec::new(), Map::new());
        for statement in body.iter() {
            statement.visit(&mut |s| {
                bound.extend(s.binds());
                roots.extend(s.nodes());
                if let Statement::Loop {
                    counter,
                    bounds: [count],
                    ..
                } = s
                    && let Some(count) = self.tables.nodes.literal(*count)
                {
                    rounds.insert(*counter, count.u32());
                }
                others |= s.accessed().is_some_and(|accessed| match accessed.how {
                    How::Read(_) => true,
                    How::Change(_, _, result) => result.is_some(),
                    How::Write(_) => false,
                });
            });
        }
        let nodes = &self.tables.nodes;
        let is_held = |id: &NodeId| matches!(nodes.node(*id), Node::Load { array, .. } if self.layouts.contains_key(&array));
        if n == 0 || !nodes.post_order(&roots, |_| false).iter().any(is_held) {
            return None;
        }
        let is_ragged = filled != n;
        if is_ragged && others {
            return None;
        }
        let i = self.variable(counter);
        let guard = is_ragged.then(|| {
            let n = self.number(n);
            self.tables.nodes.binary(BinaryOp::Lt, i, n)
        });
        let lanes = Lanes {
            counter: i,
            filled,
            guard,
            bound,
            rounds,
        };
        let list = self.lanes(&lanes, body.clone(), &mut Taken::new());
        if !list.iter().any(Statement::has_shuffle) {
            return None;
        }
        *body = list;
        Some(filled)
    }

    /// A list that all lanes come to.
    fn lanes(&mut self, of: &Lanes, list: List, taken: &mut Taken) -> List {
        let mut result = List::new();
        for mut statement in list {
            // As the user wrote it: what is taken from another lane differs between lanes.
            let is_uniform = match &statement {
                Statement::Loop {
                    bounds: [count], ..
                } => self.is_uniform(of, *count),
                _ => false,
            };
            self.in_front(of, &mut statement, taken, &mut result);
            if let Statement::Loop {
                kind: LevelledLoop::Sequential(_) | LevelledLoop::ForAll(Level::Thread),
                body,
                ..
            } = &mut statement
                && is_uniform
                && !body.iter().any(leaves)
            {
                *body = self.lanes(of, std::mem::take(body), &mut taken.clone());
                if body.iter().any(Statement::has_shuffle) {
                    result.push(statement);
                    continue;
                }
            }
            self.guarded(of, statement, &mut result);
        }
        result
    }

    /// A statement, for the lanes that have an iteration.
    fn guarded(&mut self, of: &Lanes, mut statement: Statement<Lowered>, result: &mut List) {
        let Some(condition) = of.guard else {
            return result.push(statement);
        };
        match &mut statement {
            Statement::Let { value, .. } | Statement::Declare { value, .. } => {
                if !self.is_total(*value) {
                    *value = self.or_zero(condition, *value);
                }
            }
            Statement::Get { .. } | Statement::Allocate { .. } | Statement::Break => {}
            _ => match result.last_mut() {
                Some(Statement::If {
                    condition: c,
                    then,
                    otherwise,
                }) if *c == condition && otherwise.is_empty() => {
                    return then.push(statement);
                }
                _ => {
                    statement = Statement::If {
                        condition,
                        then: vec![statement],
                        otherwise: Vec::new(),
                    };
                }
            },
        }
        result.push(statement);
    }

    /// Takes all that a statement, and the lists of its conditions, read of other lanes, in front of it.
    fn in_front(
        &mut self,
        of: &Lanes,
        statement: &mut Statement<Lowered>,
        taken: &mut Taken,
        result: &mut List,
    ) {
        if statement.evaluates_behind_its_head() {
            return;
        }
        for root in statement.nodes_mut() {
            *root = self.replaced(of, *root, None, taken, result);
        }
        if let Statement::If {
            then, otherwise, ..
        } = statement
        {
            for list in [then, otherwise] {
                self.arm(of, list, &mut Inner::new(), taken, result);
            }
        }
    }

    /// The list of a condition: reads whose indices are known outside of it.
    fn arm(
        &mut self,
        of: &Lanes,
        list: &mut List,
        inner: &mut Inner,
        taken: &mut Taken,
        result: &mut List,
    ) {
        for statement in list {
            if !statement.is_loop() {
                for root in statement.nodes_mut() {
                    *root = self.replaced(of, *root, Some(inner), taken, result);
                }
            }
            match statement {
                Statement::Let { variable, value } => drop(inner.insert(*variable, Some(*value))),
                Statement::If {
                    then, otherwise, ..
                } => {
                    for list in [then, otherwise] {
                        self.arm(of, list, &mut inner.clone(), taken, result);
                    }
                }
                other => other.visit(&mut |s| {
                    inner.extend(s.binds().map(|variable| (variable, None)));
                }),
            }
        }
    }

    /// An expression with what shuffles give in place of other lanes' elements. `inner` are the variables that are
    /// not bound where the shuffles stand, with their values.
    fn replaced(
        &mut self,
        of: &Lanes,
        root: NodeId,
        inner: Option<&Inner>,
        taken: &mut Taken,
        result: &mut List,
    ) -> NodeId {
        let always = self.always(root);
        let mut made: Map<NodeId, NodeId> = Map::new();
        let (nodes, all) = (&self.tables.nodes, RefCell::new(Vec::new()));
        let order = nodes.post_order(&[root], |id| {
            let compared = self.compared(of, id);
            all.borrow_mut()
                .extend(compared.map(|compared| (id, compared)));
            compared.is_some()
        });
        // In the order of the expression, which does not depend on the numbers of its nodes.
        for (id, compared) in all.into_inner() {
            let lanes = self.equal(of, (id, compared), taken, result);
            made.insert(id, lanes);
        }
        for id in order {
            let old = self.tables.nodes.node(id);
            let mut node = old;
            node.operands_mut(|operand| *operand = made.get(operand).copied().unwrap_or(*operand));
            let mut new = id;
            if node != old {
                let (ty, origin) = (self.tables.nodes.ty(id), self.tables.nodes.origin(id));
                new = self.tables.nodes.add(node, ty);
                self.tables.nodes.place(new, origin);
            }
            if let Node::Load { array, index } = node
                && let Some(layout) = self.layouts.get(&array).copied()
                && !self.is_own(of, layout, index)
                && !self.is_checked(index)
                && let Some(index) = self.outside(index, inner)
                && let Some(index) =
                    self.for_all_lanes(of, index, inner.is_none() && always.contains(&id))
            {
                let place = (array, layout, self.tables.nodes.origin(id));
                new = self.read(of, place, index, taken, result).unwrap_or(new);
            }
            made.insert(id, new);
        }
        made.get(&root).copied().unwrap_or(root)
    }
}

impl Pass<'_> {
    /// Does the text check an index? A shuffle would give another lane's element where it is outside, so such a read is one of shared memory.
    fn is_checked(&self, index: NodeId) -> bool {
        let names = |variable| self.names.get(&variable).copied();
        self.tables.nodes.keeps_promises()
            && Promised::default()
                .of(&self.tables.nodes, index, names)
                .inside
    }
}

/// Does a statement leave a loop around it?
fn leaves(statement: &Statement<Lowered>) -> bool {
    statement.has(&Statement::leaves)
}

#[cfg(test)]
mod tests;
