//! Stored arrays that need no shared memory of their own.
//!
//! Before: a physical kernel without mistakes, and the lifetimes of its arrays. After: the same with
//! fewer shared arrays.
//!
//! - An array whose every access is by the thread that owns the element is in [`registers`]: of a tree
//!   reduction on `T` threads, all stages of more than `T` elements.
//! - A stage that stores an array where it is the last to read another one, at the same index in the same
//!   thread, [overwrites](stage) that: `store b[i] = (a[i] + a[(i + 64_u32)])` becomes
//!   `store a[i] = (a[i] + a[(i + 64_u32)])`. An element that it would store where it is already is not
//!   stored: half of the elements of each stage of Sklansky's scan.
//!
//! A stage is one `ForAll`. Both arrays are begun in its list, so that each time the list is executed
//! both are new; the stage is the last statement that mentions the one, and the first that mentions the
//! other. They have elements of one type, and the new one is not longer.
//!
//! Indices that the user vouches for prove nothing: an array with one of those stays where it is, so that
//! the simulator notices a promise that is broken.
//!
//! It is done only where it does not cost anything: never more bytes, and never more barriers, at any
//! depth of loops, neither of the block nor of all; but 20 KB less are worth one that is in no loop of the block. Everything is tried together, then each chain of stages
//! by itself.
//!
//! It runs before `shared_layout`, which then sees fewer arrays, and before `barriers`, which decides
//! anew by the bytes that are accessed. What follows finds ordinary arrays, some of them stored more than
//! once, so the simulator, the emitters and their tests treat them like any other. The CPU runs the lowered
//! kernel, where every array has its own memory.

mod cost;
mod reads;
mod registers;
mod rewrite;
mod stage;

use super::Limits;
use super::analysis::lanes::Lanes;
use super::analysis::phases::{Part, Phases};
use super::analysis::{Asked, Liveness};
use super::layout::{Home, Placement, SharedMap};
use crate::ir::uniform::Uniformity;
use crate::ir::{Kernel, Level, Physical, PhysicalLoop, Statement, WARP};
use crate::ordered::{Map, Set};
use crate::scalar::{ArrayId, ArrayPlace, Node, NodeId, Promised};
use cost::Cost;
use registers::held;
use rewrite::{Over, rewritten, root};
use stage::overwritten;

/// Chains of stages that are tried one by one.
const MOST_TRIES: usize = 16;

/// A kernel with its arrays in their places.
#[derive(Clone, Debug)]
pub struct Placed {
    /// The kernel.
    pub kernel: Kernel<Physical>,
    /// How long each array is needed that is left in shared memory or in registers.
    pub lives: Liveness,
    /// The arrays whose elements may be stored more than once.
    pub changing: Set<ArrayId>,
    /// What has become of the others.
    pub placements: Vec<Placement>,
    /// The layout of shared memory and the kernel with its barriers, where they had to be worked out to know what it costs.
    pub laid_out: Option<(SharedMap, Kernel<Physical>)>,
}

impl Placed {
    /// Each array in shared memory of its own.
    pub fn apart(kernel: Kernel<Physical>, lives: Liveness, changing: Set<ArrayId>) -> Placed {
        Placed {
            kernel,
            lives,
            changing,
            placements: Vec::new(),
            laid_out: None,
        }
    }
}

/// Holds arrays in registers, and lets stages overwrite their input, where that is proved to change
/// nothing and costs nothing. `changing` are the arrays that are read while they change.
///
/// `asked` are the arrays that the user holds, with their layouts. Those that stay in shared memory are
/// reported as such.
pub fn placement(
    kernel: Kernel<Physical>,
    (lives, changing): (Liveness, Set<ArrayId>),
    asked: &Asked,
    limits: Limits,
) -> Placed {
    let mut placed = placed(kernel, (lives, changing), asked, limits);
    let known: Set<ArrayId> = placed.placements.iter().map(|one| one.array).collect();
    let tables = &placed.kernel.tables;
    let is_left = |array: &&ArrayId| {
        !known.contains(array) && tables.array(**array).place == ArrayPlace::Shared
    };
    let left = asked.keys().filter(is_left).copied();
    let left: Vec<Placement> = left
        .map(|array| Placement {
            array,
            home: Home::Shared,
        })
        .collect();
    placed.placements.extend(left);
    placed
}

fn placed(
    kernel: Kernel<Physical>,
    (lives, changing): (Liveness, Set<ArrayId>),
    asked: &Asked,
    limits: Limits,
) -> Placed {
    let mut plain = Placed::apart(kernel, lives, changing);
    let is_shared = |array: &ArrayId| plain.kernel.tables.array(*array).place == ArrayPlace::Shared;
    if !plain.lives.lives.keys().any(is_shared) {
        return plain;
    }
    let vouched = vouched(&plain.kernel);
    let held = held(&plain, &vouched, asked, limits);
    let mut starts = vec![plain.clone()];
    if !held.placements.is_empty() {
        starts.insert(0, held);
    }
    let mut cost = None;
    for mut start in starts {
        let found = match leaves_warps_out(&start.kernel) {
            true => Over::new(),
            false => Finder::new(&start.kernel, &vouched).find(),
        };
        if found.is_empty() && start.placements.is_empty() {
            continue;
        }
        let cost = cost.get_or_insert_with(|| Cost::of(&mut plain, limits));
        let mut all = in_place(&start, &found);
        if Cost::of(&mut all, limits).is_better(cost) {
            return all;
        }
        if start.placements.is_empty() {
            let own = cost.clone();
            return chain_by_chain(plain, &found, own, limits);
        }
        let own = Cost::of(&mut start, limits);
        if own.is_better(cost) {
            return chain_by_chain(start, &found, own, limits);
        }
    }
    plain
}

/// Are there programs of warps that the threads behind the last whole warp leave out? To `barriers` the
/// way around them is one that all threads may go, so a barrier in them would be asked for that orders
/// nothing.
fn leaves_warps_out(kernel: &Kernel<Physical>) -> bool {
    let mut warps = false;
    for statement in &kernel.body {
        statement.visit(&mut |statement| {
            let kind = match statement {
                Statement::Loop { kind, .. } => Some(*kind),
                _ => None,
            };
            warps |= kind == Some(PhysicalLoop::Warps);
        });
    }
    warps && kernel.threads > WARP && !kernel.threads.is_multiple_of(WARP)
}

/// Takes the chains of stages that cost nothing, one after the other.
fn chain_by_chain(start: Placed, found: &Over, mut cost: Cost, limits: Limits) -> Placed {
    let (mut best, mut taken) = (None, Over::new());
    for chain in chains(found).into_iter().take(MOST_TRIES) {
        let mut more = taken.clone();
        more.extend(chain);
        let mut next = in_place(&start, &more);
        let new = Cost::of(&mut next, limits);
        if new.is_better(&cost) {
            (best, taken, cost) = (Some(next), more, new);
        }
    }
    best.unwrap_or(start)
}

/// The arrays that get the place of one and the same other one, together.
fn chains(found: &Over) -> Vec<Over> {
    let mut chains: Map<ArrayId, Over> = Map::new();
    for (array, over) in found {
        let chain = chains.entry(root(found, *array)).or_default();
        chain.insert(*array, over.clone());
    }
    chains.into_values().collect()
}

/// The kernel with stages that overwrite their input.
fn in_place(start: &Placed, over: &Over) -> Placed {
    let (kernel, lives) = rewritten(start.kernel.clone(), start.lives.clone(), over);
    let mut changing = start.changing.clone();
    changing.extend(over.keys().map(|array| root(over, *array)));
    let mut placements = start.placements.clone();
    placements.extend(over.iter().map(|(array, (_, copies))| Placement {
        array: *array,
        home: Home::Over {
            array: root(over, *array),
            leaves_copies_out: !copies.is_empty(),
        },
    }));
    Placed {
        kernel,
        lives,
        changing,
        placements,
        laid_out: None,
    }
}

/// Looks for stages that may overwrite their input.
struct Finder<'k> {
    kernel: &'k Kernel<Physical>,
    phases: Phases<'k>,
    lanes: Lanes<'k>,
    /// Arrays with an access that the user vouches for.
    vouched: &'k Set<ArrayId>,
    found: Over,
}

impl<'k> Finder<'k> {
    fn new(kernel: &'k Kernel<Physical>, vouched: &'k Set<ArrayId>) -> Self {
        Finder {
            kernel,
            phases: Phases::new(kernel, Uniformity::new(kernel)),
            lanes: Lanes::of_block(kernel),
            vouched,
            found: Over::new(),
        }
    }

    fn find(mut self) -> Over {
        let body = &self.kernel.body;
        if self.shared(body, true) < 2 {
            return self.found;
        }
        self.grid(body);
        self.found
    }

    /// How many shared arrays a list begins, with those of the lists inside of it.
    fn shared(&self, list: &[Statement<Physical>], inside: bool) -> usize {
        let mut number = 0;
        let mut look = |s: &Statement<Physical>| number += usize::from(self.begins(s).is_some());
        for statement in list {
            if inside {
                statement.visit(&mut look);
            } else {
                look(statement);
            }
        }
        number
    }

    /// The shared array that a statement begins.
    fn begins(&self, statement: &Statement<Physical>) -> Option<ArrayId> {
        let is_shared =
            |array: &ArrayId| self.kernel.tables.array(*array).place == ArrayPlace::Shared;
        statement.begins().filter(is_shared)
    }

    /// The lists above the loops over blocks.
    fn grid(&mut self, list: &[Statement<Physical>]) {
        for statement in list {
            let is_blocks = statement.counts().is_some_and(PhysicalLoop::is_of_blocks);
            for inner in statement.lists() {
                if is_blocks {
                    self.list(inner, Level::Block);
                } else {
                    self.grid(inner);
                }
            }
        }
    }

    /// A list at the level of a scope, and those inside of it.
    fn list(&mut self, list: &[Statement<Physical>], scope: Level) {
        let parts = self.phases.split(list, scope);
        if self.shared(list, false) >= 2 {
            self.stages(list, &parts, scope);
        }
        let mut rest = list;
        for (part, length) in parts {
            let (statements, others) = rest.split_at(length);
            rest = others;
            for statement in statements.iter().filter(|_| part == Part::Structure) {
                let inside = match statement {
                    Statement::Loop {
                        kind: PhysicalLoop::Warps,
                        ..
                    } => Level::Warp,
                    _ => scope,
                };
                for inner in statement.lists() {
                    self.list(inner, inside);
                }
            }
        }
    }

    /// The stages of a list.
    fn stages(&mut self, list: &[Statement<Physical>], parts: &[(Part, usize)], scope: Level) {
        let own: Set<ArrayId> = list.iter().filter_map(|s| self.begins(s)).collect();
        let mut range: Map<ArrayId, [usize; 2]> = Map::new();
        let (mut rest, mut phases) = (list, Vec::new());
        for (number, (part, length)) in parts.iter().enumerate() {
            let (statements, others) = rest.split_at(*length);
            rest = others;
            phases.push((*part == Part::Phase).then_some(statements));
            for array in self.mentioned(statements, &own) {
                range.entry(array).or_insert([number; 2])[1] = number;
            }
        }
        // By phase, those that are mentioned there for the last time and those that are for the first.
        let mut ends: Map<usize, [Vec<ArrayId>; 2]> = Map::new();
        for (array, [first, last]) in range {
            if first != last && !self.vouched.contains(&array) {
                ends.entry(last).or_default()[0].push(array);
                ends.entry(first).or_default()[1].push(array);
            }
        }
        for (number, [dying, born]) in ends {
            if let Some(phase) = phases[number] {
                self.phase(phase, dying, born, scope);
            }
        }
    }

    /// The arrays among some that statements access.
    fn mentioned(&self, statements: &[Statement<Physical>], among: &Set<ArrayId>) -> Set<ArrayId> {
        let mut found = Set::new();
        for statement in statements {
            statement.visit(&mut |s| {
                if s.begins().is_none() {
                    let mentions = s.mentions(&self.kernel.tables.nodes);
                    found.extend(mentions.intersection(among));
                }
            });
        }
        found
    }

    /// Finds for each new array of a phase one that it may overwrite.
    fn phase(
        &mut self,
        phase: &[Statement<Physical>],
        mut dying: Vec<ArrayId>,
        born: Vec<ArrayId>,
        scope: Level,
    ) {
        let tables = &self.kernel.tables;
        for to in born {
            let new = tables.array(to);
            let fits = |from: &ArrayId| {
                let old = tables.array(*from);
                old.ty == new.ty && tables.stored_length(old) >= tables.stored_length(new)
            };
            let found = dying.iter().enumerate().filter(|(_, from)| fits(from));
            let found = found.take(MOST_INPUTS).find_map(|(at, from)| {
                let copies = overwritten(self.kernel, &self.lanes, phase, [*from, to], scope);
                copies.ok().map(|copies| (at, *from, copies))
            });
            if let Some((at, from, copies)) = found {
                dying.remove(at);
                self.found.insert(to, (from, copies));
            }
        }
    }
}

/// Arrays that are tried for one new array.
const MOST_INPUTS: usize = 4;

/// The arrays with an access at an index that the user vouches for.
fn vouched(kernel: &Kernel<Physical>) -> Set<ArrayId> {
    let (nodes, names) = (&kernel.tables.nodes, kernel.lets());
    let (mut promised, mut found) = (Promised::default(), Set::new());
    let mut look = |array: ArrayId, index: NodeId| {
        let promises = promised.of(nodes, index, |variable| names.get(&variable).copied());
        if promises.inside || promises.distinct {
            found.insert(array);
        }
    };
    let mut roots = Vec::new();
    for statement in &kernel.body {
        statement.visit(&mut |s| {
            roots.extend(s.nodes());
            if let Statement::Store { array, index, .. }
            | Statement::Read { array, index, .. }
            | Statement::Atomic { array, index, .. } = s
            {
                look(*array, *index);
            }
        });
    }
    for id in nodes.post_order(&roots, |_| false) {
        if let Node::Load { array, index } = nodes.node(id) {
            look(array, index);
        }
    }
    found
}

#[cfg(test)]
mod tests;
