//! Whole tiles apart from the rest.
//!
//! Before and after: a lowered kernel. Where threads go through a tile of an array and compare each
//! index with a bound, as `b * 4096 + i < n`, the loop is there twice afterwards: without the
//! comparisons for a tile that is whole, and as it was for the others.
//!
//! ```text
//! if (b * 4096 < n) & (n - b * 4096 > 4095) { forall Block i < 4096 { .. } }
//! else { forall Block i < 4096 rolled { .. } }
//! ```
//!
//! The condition is uniform: it has no counter of the loop in it. Loads of a whole tile depend on
//! no comparison, so a compiler may have many of them under way at once.
//!
//! *Argument.* A comparison that goes is one of `low + k` modulo 2^32 with a bound `y`, where `low`
//! and `y` are the same for all iterations and `k` is 0 to `width`. With `low < y` and `y - low >
//! width` nothing wraps, and `low + k < y` for each `k`; it does not matter whether the arithmetic is
//! exact. In the same way `low + k > y` for each `k`, if `low > y` and `low` is at most 2^32 - 1 -
//! `width`; and so for `<=` and `>=`. A clamp goes like a comparison: `min(low + k,
//! y)` is `low + k` if that is at most `y`. What is below `n` is at most `n - 1`, also where `n - 1`
//! wraps. The row `i / 32` and the column `i % 32` of a counter are numbers from 0 on, each with its
//! largest. Both copies compute the same; only the questions differ.
//!
//! *Limits.* Loops have a number of rounds that is known when the kernel is compiled, and factors of
//! counters are numbers. A loop in which a thread makes fewer than [`LEAST`] comparisons stays as it
//! is: there the test costs what it saves.
//!
//! It runs after `check`, whose proofs are about the loop as it was written, and before `virtualise`,
//! which deals out the iterations of each copy by itself.

mod guards;

use crate::ir::{Kernel, Level, LevelledLoop, Lowered, Statement, Unroll, WARP};
use crate::ordered::Map;
use crate::scalar::{ArrayPlace, Literal, Node, NodeId, Nodes, Tables, VariableId};
use guards::{Guards, Outcome, Scope};

/// The least number of comparisons of a thread for which a tile is told apart.
const LEAST: u64 = 4;

/// Tells whole tiles from others, for blocks of `threads` threads.
pub fn whole_tiles(mut kernel: Kernel<Lowered>, threads: u32) -> Kernel<Lowered> {
    let mut pass = Pass {
        tables: &mut kernel.tables,
        threads,
    };
    pass.list(&mut kernel.body);
    kernel
}

struct Pass<'k> {
    tables: &'k mut Tables,
    threads: u32,
}

impl Pass<'_> {
    fn list(&mut self, list: &mut [Statement<Lowered>]) {
        for statement in list {
            match statement {
                Statement::Loop {
                    kind: LevelledLoop::ForAll(level),
                    ..
                } => {
                    let level = *level;
                    self.for_all(level, statement);
                }
                _ => statement
                    .lists_mut()
                    .into_iter()
                    .for_each(|inner| self.list(inner)),
            }
        }
    }

    /// A loop over threads: how often a thread goes round is known here, and nowhere inside.
    fn for_all(&mut self, level: Level, statement: &mut Statement<Lowered>) {
        let scope = Scope::of(&self.tables.nodes, statement);
        let threads = match level {
            Level::Warp => self.threads.min(WARP),
            Level::Thread => 1,
            _ => self.threads,
        };
        let Statement::Loop {
            bounds: [count],
            body,
            ..
        } = &mut *statement
        else {
            return;
        };
        let Some(count) = self.tables.nodes.literal(*count).map(Literal::u32) else {
            return;
        };
        let rounds = u64::from(count.div_ceil(threads));
        // In one round the tile is told apart where the comparisons are, so that no more than that is
        // there twice. An array is allocated once, so what allocates one is never there twice.
        let is_copied = rounds > 1 && !allocates(body);
        if is_copied || !self.inside(&scope, body) {
            self.tell_apart(&scope, statement, u64::from(count), rounds);
        }
    }

    /// Tells tiles apart in a list, if one statement of it makes all comparisons, and binds nothing.
    fn inside(&mut self, scope: &Scope, list: &mut [Statement<Lowered>]) -> bool {
        let nodes = &self.tables.nodes;
        let with_guards = |s: &&mut Statement<Lowered>| Guards::of(nodes, scope, s).count > 0;
        let mut found = list.iter_mut().filter(with_guards);
        let (Some(only), None) = (found.next(), found.next()) else {
            return false;
        };
        if only.binds().is_some() && !only.is_loop() || only.begun_cell().is_some() {
            return false;
        }
        self.tell_apart(scope, only, 1, 1);
        true
    }

    /// Puts two copies in the place of a statement: of its comparisons a thread makes as many in
    /// `rounds` as there are in `all`.
    fn tell_apart(
        &mut self,
        scope: &Scope,
        statement: &mut Statement<Lowered>,
        all: u64,
        rounds: u64,
    ) {
        let nodes = &mut self.tables.nodes;
        let guards = Guards::of(nodes, scope, statement);
        if guards.count / all.max(1) * rounds < LEAST || allocates(std::slice::from_ref(statement))
        {
            return;
        }
        let Some(condition) = guards.whole(nodes) else {
            return;
        };
        let mut rest = statement.clone();
        if !holds_arrays(self.tables, &rest) {
            roll(&mut rest);
        }
        let mut copy = Copy {
            nodes: &mut self.tables.nodes,
            outcomes: &guards.outcomes,
            names: Map::new(),
        };
        let mut whole = Vec::new();
        copy.add(statement.clone(), &mut whole);
        *statement = Statement::If {
            condition,
            then: whole,
            otherwise: vec![rest],
        };
    }
}

fn allocates(list: &[Statement<Lowered>]) -> bool {
    let begins = |inner: &Statement<Lowered>| inner.begins().is_some();
    list.iter().any(|statement| statement.has(&begins))
}

/// Is an array accessed that a thread holds? It stays in registers only if no loop over it is rolled.
fn holds_arrays(tables: &Tables, statement: &Statement<Lowered>) -> bool {
    let mut held = false;
    statement.visit(&mut |inner| {
        let arrays = inner.mentions(&tables.nodes).into_iter();
        held |= arrays
            .into_iter()
            .any(|id| tables.array(id).place == ArrayPlace::Held);
    });
    held
}

fn roll(statement: &mut Statement<Lowered>) {
    if let Statement::Loop { unroll, .. } = statement {
        *unroll = Unroll::Never;
    }
    let inner = statement.lists_mut().into_iter().flatten();
    inner.for_each(roll);
}

/// A copy in which comparisons are decided.
struct Copy<'k> {
    nodes: &'k mut Nodes,
    /// What each comparison and clamp is.
    outcomes: &'k Map<NodeId, Outcome>,
    /// Names that stand for a literal now.
    names: Map<VariableId, NodeId>,
}

impl Copy<'_> {
    fn list(&mut self, list: Vec<Statement<Lowered>>) -> Vec<Statement<Lowered>> {
        let mut result = Vec::with_capacity(list.len());
        for statement in list {
            self.add(statement, &mut result);
        }
        result
    }

    fn add(&mut self, mut statement: Statement<Lowered>, result: &mut Vec<Statement<Lowered>>) {
        for node in statement.nodes_mut() {
            *node = self.expression(*node);
        }
        match statement {
            Statement::Let { variable, value } if self.nodes.literal(value).is_some() => {
                self.names.insert(variable, value);
                result.push(Statement::Let { variable, value });
            }
            Statement::If {
                condition,
                then,
                otherwise,
            } => match self.nodes.literal(condition).map(Literal::bool) {
                Some(true) => result.extend(self.list(then)),
                Some(false) => result.extend(self.list(otherwise)),
                None => result.push(Statement::If {
                    condition,
                    then: self.list(then),
                    otherwise: self.list(otherwise),
                }),
            },
            mut other => {
                for list in other.lists_mut() {
                    *list = self.list(std::mem::take(list));
                }
                result.push(other);
            }
        }
    }

    /// An expression, in which what is decided makes other comparisons into some that are.
    fn expression(&mut self, root: NodeId) -> NodeId {
        let mut new: Map<NodeId, NodeId> = Map::new();
        for id in self.nodes.post_order(&[root], |_| false) {
            let made = match self.nodes.node(id) {
                Node::Variable(variable) => self.names.get(&variable).copied().unwrap_or(id),
                _ => self.nodes.rebuild(id, |_, operand| new[&operand]),
            };
            let outcome = self.outcomes.get(&id).map(|outcome| (outcome, id));
            let outcome = outcome.or_else(|| Some((self.outcomes.get(&made)?, made)));
            let made = match outcome {
                Some((Outcome::Decided(holds), _)) => self.nodes.add_literal(Literal::from(*holds)),
                Some((Outcome::Operand(position), guard)) => {
                    let operand = self.nodes.node(guard).operands().nth(*position);
                    operand.map_or(made, |operand| {
                        new.get(&operand).copied().unwrap_or(operand)
                    })
                }
                None => made,
            };
            new.insert(id, made);
        }
        new[&root]
    }
}

#[cfg(test)]
mod tests;
