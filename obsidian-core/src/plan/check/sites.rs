//! All accesses of a kernel, each with the loops and conditions around it.
//!
//! One walk over the statements, with the facts of each point. Of each access it is seen right
//! there whether its index lies in the array; what the other checks need is kept in a table.

use std::rc::Rc;

use crate::hashed::HashSet;

use super::claims::Claims;
use super::forms::Forms;
use super::invariants::Bounds;
use super::poly::{Atom, Poly};
use super::ranks;
use crate::error::Origin;
use crate::ir::{Collective, Kernel, Layout, Level, Levelled, LevelledLoop, Statement};
use crate::ordered::{Map, Set};
use crate::plan::analysis::memory::Update;
use crate::plan::analysis::uses::used;
use crate::scalar::{ArrayId, Node, NodeId, Promised, Promises, VariableId};

/// What is done to an element.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Access {
    /// A load of an array that is not written any more.
    Load,
    /// A read of an array that changes.
    Read,
    Write,
    Atomic,
}

/// Who executes the rounds of a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rounds {
    Blocks,
    Warps,
    /// The threads of a level.
    Threads(Level),
    /// One after another.
    InOrder,
}

impl Rounds {
    /// What a message calls one of them.
    pub(super) fn word(self) -> &'static str {
        match self {
            Rounds::Blocks => "block",
            Rounds::Warps => "warp",
            Rounds::Threads(_) => "thread",
            Rounds::InOrder => "round",
        }
    }
}

/// A loop.
#[derive(Clone, Debug)]
pub(super) struct Around {
    pub(super) variable: VariableId,
    pub(super) atom: Atom,
    pub(super) count: NodeId,
    pub(super) length: Poly,
    pub(super) rounds: Rounds,
    /// Have its blocks an order? Then a real block takes whichever comes next.
    pub(super) ordered: bool,
    /// Does its block run when all others are done?
    pub(super) last: bool,
    /// May it end before its count?
    pub(super) breaks: bool,
}

/// What stands around an access, from the outside.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Step {
    /// A loop, by its number.
    Loop(usize),
    /// A condition holds, or does not.
    When(NodeId, bool),
    /// The body of a `while`, or what is repeated an unknown number of times.
    Repeated,
}

/// Places that the rounds of a loop access, each another one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct AtPlaces {
    /// The number of the loop.
    pub(super) number: usize,
    /// The array that has the places; none if they are the results that the loop has.
    pub(super) array: Option<ArrayId>,
}

/// One access in the text.
#[derive(Clone, Debug)]
pub(super) struct Site {
    /// Its number in the list.
    pub(super) number: usize,
    pub(super) array: ArrayId,
    pub(super) access: Access,
    /// What an atomic operation does.
    pub(super) update: Option<Update>,
    pub(super) index: NodeId,
    /// The index as a polynomial.
    pub(super) poly: Poly,
    /// What the user promises about the index.
    pub(super) promises: Promises,
    /// Is it at the places of an order? Two rounds of the loop that have the same places access different elements.
    pub(super) at_places: Option<AtPlaces>,
    /// Is all exact arithmetic in its index exact, under the conditions around it?
    pub(super) exact: bool,
    /// Is the index proved to lie in the array?
    pub(super) inside: bool,
    pub(super) path: Vec<Step>,
    /// Does it stand in an arm of a choice between values?
    pub(super) in_arm: bool,
    pub(super) origin: Origin,
}

/// What the walk found.
#[derive(Default)]
pub(super) struct Sites {
    pub(super) loops: Vec<Around>,
    pub(super) list: Vec<Site>,
    /// The accesses of each array, by their numbers, once the walk is over.
    by_array: Map<ArrayId, Vec<usize>>,
    /// The number of steps around the beginning of each stored array.
    pub(super) begun: Map<ArrayId, usize>,
    /// The level at which each stored array is begun, and its layout.
    pub(super) layouts: Map<ArrayId, (Level, Layout)>,
    /// Lengths that have to be equal.
    pub(super) claims: Claims,
    /// Numbers of rounds that a launch can compute, and that may wrap in the kernel.
    pub(super) wrapping: Vec<(NodeId, Origin)>,
    /// Sums and products in other numbers of rounds, which a launch can compute, and may wrap.
    pub(super) doubtful: Vec<(NodeId, Origin)>,
}

/// Steps of a path that are one step of work.
const PATH: u64 = 8;

impl Sites {
    /// The accesses of an array.
    pub(super) fn of_array(&self, array: ArrayId) -> impl Iterator<Item = &Site> {
        let numbers = self.by_array.get(&array).into_iter().flatten();
        numbers.map(|n| &self.list[*n])
    }

    /// The loops in a path, each with its place.
    pub(super) fn around<'s>(
        &'s self,
        path: &'s [Step],
    ) -> impl Iterator<Item = (usize, &'s Around)> + Clone {
        path.iter()
            .enumerate()
            .filter_map(|(place, step)| match *step {
                Step::Loop(number) => Some((place, &self.loops[number])),
                _ => None,
            })
    }

    /// The counters of the loops in a path.
    pub(super) fn counters(&self, path: &[Step]) -> Set<Atom> {
        self.around(path).map(|(_, around)| around.atom).collect()
    }

    /// The loop at a place of a path.
    pub(super) fn at(&self, path: &[Step], place: usize) -> Option<&Around> {
        match path.get(place) {
            Some(Step::Loop(number)) => self.loops.get(*number),
            _ => None,
        }
    }
}

/// Walks over a kernel.
pub(super) fn sites<'k>(kernel: &'k Kernel<Levelled>, forms: &mut Forms<'k>) -> Sites {
    let mut walk = Walk {
        kernel,
        forms,
        found: Sites {
            claims: Claims::of(&kernel.tables),
            ..Sites::default()
        },
        path: Vec::new(),
        arms: 0,
        loading: Map::new(),
        used: used(kernel),
        promised: Promised::default(),
    };
    walk.found.claims.start(walk.forms);
    walk.list(&kernel.body);
    let mut found = walk.found;
    for site in &found.list {
        found
            .by_array
            .entry(site.array)
            .or_default()
            .push(site.number);
    }
    ranks::at_places(forms, &mut found);
    found
}

struct Walk<'w, 'k> {
    kernel: &'k Kernel<Levelled>,
    forms: &'w mut Forms<'k>,
    found: Sites,
    path: Vec<Step>,
    /// The arms of choices between values that are in it.
    arms: usize,
    /// Which expressions have a load in them.
    loading: Map<NodeId, bool>,
    /// Variables that something is made of.
    used: Set<VariableId>,
    promised: Promised,
}

impl Walk<'_, '_> {
    fn list(&mut self, list: &[Statement<Levelled>]) {
        list.iter().for_each(|statement| self.statement(statement));
    }

    /// Walks over a list behind a step, and forgets what was learnt there.
    fn inside(&mut self, step: Step, list: &[Statement<Levelled>]) {
        let mark = self.forms.enter();
        self.path.push(step);
        if let Step::When(condition, holds) = step {
            self.forms.assume(condition, holds);
        }
        self.list(list);
        self.path.pop();
        self.forms.leave(mark);
    }

    fn statement(&mut self, statement: &Statement<Levelled>) {
        if self.forms.facts.work.is_over() {
            return;
        }
        let roots = statement.nodes();
        if self.forms.facts.work.sparing {
            self.forms.look(&roots);
        }
        // The condition of a `while` is known behind its head, each time anew.
        if !statement.evaluates_behind_its_head() {
            self.loads(&roots);
        }
        self.stored(statement);
        match statement {
            Statement::Let { variable, value } => {
                Rc::make_mut(&mut self.forms.names).insert(*variable, *value);
            }
            Statement::Allocate { array, layout } => {
                self.found.begun.insert(*array, self.path.len());
                self.found.layouts.insert(*array, (self.level(), *layout));
            }
            Statement::If {
                condition,
                then,
                otherwise,
            } => {
                self.inside(Step::When(*condition, true), then);
                // What one side assigns is in no cell of the other side.
                self.forms.forget_cells(&[then]);
                self.inside(Step::When(*condition, false), otherwise);
                self.forms.forget_cells(&[then, otherwise]);
            }
            Statement::Declare { cell, value } | Statement::Assign { cell, value } => {
                self.forms.assigned(*cell, *value);
            }
            Statement::Get { variable, cell } => self.forms.read_cell(*variable, *cell),
            Statement::While {
                head,
                condition,
                body,
            } => {
                let lists = statement.lists();
                let candidates = self.forms.candidates(&lists);
                self.forms.forget_cells(&lists);
                let kept = self
                    .forms
                    .settle(candidates, [head, body], Some(*condition));
                let mark = self.forms.enter();
                self.path.push(Step::Repeated);
                self.list(head);
                self.loads(&[*condition]);
                self.inside(Step::When(*condition, true), body);
                self.path.pop();
                self.forms.leave(mark);
                self.forms.behind_loop(&lists, &kept);
            }
            Statement::Loop {
                kind,
                counter,
                bounds: [count],
                body,
                ..
            } => self.counted(*kind, *counter, *count, body),
            Statement::Collective(_, of) => self.collective(of),
            // The accesses of three of them are looked at in `stored`.
            Statement::Store { .. }
            | Statement::Atomic { .. }
            | Statement::Read { .. }
            | Statement::Break
            | Statement::Report(_)
            | Statement::Wait { .. }
            | Statement::Give(..) => {}
            Statement::Wide(never, _)
            | Statement::Shuffle(never, _)
            | Statement::Earlier(never, _) => match *never {},
        }
        self.bound(statement);
    }

    /// The access of a statement, other than loads.
    fn stored(&mut self, statement: &Statement<Levelled>) {
        use Statement::{Atomic, Read, Store};
        let access = match statement {
            Store { .. } => Access::Write,
            Atomic { .. } => Access::Atomic,
            _ => Access::Read,
        };
        if let Store {
            array,
            index,
            origin,
            ..
        }
        | Read {
            array,
            index,
            origin,
            ..
        }
        | Atomic {
            array,
            index,
            origin,
            ..
        } = statement
        {
            self.access(*array, access, *index, *origin);
        }
        if let Atomic {
            op,
            operands,
            result,
            ..
        } = statement
        {
            let is_used = result.is_some_and(|old| self.used.contains(&old));
            let update = Update::new(&self.kernel.tables.nodes, *op, operands, is_used);
            let site = self.found.list.last_mut();
            site.into_iter().for_each(|site| site.update = Some(update));
        }
    }

    /// Variables that a statement binds.
    fn bound(&mut self, statement: &Statement<Levelled>) {
        let bound = statement.binds().filter(|_| statement.lists().is_empty());
        let Some(variable) = bound else { return };
        self.found.claims.bind(self.forms, variable);
    }

    /// The level of the list that is walked over.
    fn level(&self) -> Level {
        let rounds = |step: &Step| match step {
            Step::Loop(n) => Some(self.found.loops[*n].rounds),
            Step::When(..) | Step::Repeated => None,
        };
        let all = self.path.iter().rev().filter_map(rounds);
        let mut units = all.filter(|rounds| *rounds != Rounds::InOrder);
        match units.next() {
            None => Level::Grid,
            Some(Rounds::Blocks) => Level::Block,
            Some(Rounds::Warps) => Level::Warp,
            Some(Rounds::Threads(_) | Rounds::InOrder) => Level::Thread,
        }
    }

    /// A collective is two loops over the threads of its level: one makes the elements, the other
    /// has the results. The operator accesses no array.
    fn collective(&mut self, of: &Collective<Levelled>) {
        let each = LevelledLoop::ForAll(of.level);
        self.counted(each, of.counter, of.count, &of.source);
        let mark = self.forms.enter();
        self.list(&of.combine);
        self.forms.leave(mark);
        self.forms.forget_cells(&[&of.combine]);
        for own in [&of.left, &of.right, &of.result].into_iter().flatten() {
            self.found.claims.bind(self.forms, *own);
        }
        self.counted(each, of.element, of.results, &of.body);
    }

    fn counted(
        &mut self,
        kind: LevelledLoop,
        variable: VariableId,
        count: NodeId,
        body: &Vec<Statement<Levelled>>,
    ) {
        let rounds = match kind {
            LevelledLoop::Distribute(Level::Block) | LevelledLoop::Ordered | LevelledLoop::Last => {
                Rounds::Blocks
            }
            LevelledLoop::Distribute(_) => Rounds::Warps,
            LevelledLoop::ForAll(level) if level > Level::Thread => Rounds::Threads(level),
            LevelledLoop::ForAll(_) | LevelledLoop::Sequential(_) => Rounds::InOrder,
        };
        let mark = self.forms.enter();
        let always = self.path.iter().all(|step| matches!(step, Step::Loop(_)));
        let known = self.found.wrapping.iter().any(|(other, _)| *other == count);
        if always && !known && self.forms.may_wrap(count) {
            let origin = self.kernel.tables.nodes.origin(count);
            self.found.wrapping.push((count, origin));
        } else if always && !known {
            let nodes = &self.kernel.tables.nodes;
            for part in self.forms.doubtful(count) {
                self.found.doubtful.push((part, nodes.origin(part)));
            }
        }
        let length = self.forms.value(count);
        let candidates = match rounds {
            Rounds::InOrder => self.forms.candidates(&[body]),
            _ => Bounds::new(),
        };
        self.forms.forget_cells(&[body]);
        let number = self.found.loops.len();
        self.forms.has_rounds(count);
        let atom = self.forms.counter(variable, number as u32, &length, count);
        let breaks =
            matches!(kind, LevelledLoop::Sequential(_)) && body.iter().any(Statement::may_leave);
        self.found.loops.push(Around {
            variable,
            atom,
            count,
            length,
            rounds,
            ordered: kind == LevelledLoop::Ordered,
            last: kind == LevelledLoop::Last,
            breaks,
        });
        self.found.claims.bind(self.forms, variable);
        let kept = self.forms.settle(candidates, [&[], body], None);
        self.inside(Step::Loop(number), body);
        self.found.claims.unbind(variable);
        self.forms.leave(mark);
        self.forms.behind_loop(&[body], &kept);
    }

    fn access(&mut self, array: ArrayId, access: Access, index: NodeId, origin: Origin) {
        if !self.forms.facts.work.is_over() {
            self.forms.facts.work.at = origin;
        }
        // Each access keeps its path: below a nest of choices all of them together are its square.
        self.forms.facts.work.steps(self.path.len() as u64 / PATH);
        let mut poly = self.forms.ring(index);
        let names = &self.forms.names;
        let promises = self
            .promised
            .of(&self.kernel.tables.nodes, index, |variable| {
                names.get(&variable).copied()
            });
        let inside = self.is_inside(array, index, &mut poly);
        let exact = inside || !self.forms.is_inexact(index);
        self.found.list.push(Site {
            number: self.found.list.len(),
            array,
            access,
            update: None,
            index,
            poly,
            promises,
            at_places: None,
            exact,
            inside,
            path: self.path.clone(),
            in_arm: self.arms > 0,
            origin,
        });
    }

    /// Is an index inside of its array? Then the polynomial is the very number that it is.
    fn is_inside(&mut self, array: ArrayId, index: NodeId, poly: &mut Poly) -> bool {
        let Some(array) = self.kernel.tables.arrays.get(array.0 as usize) else {
            return false;
        };
        let length = self.forms.value(array.length);
        let exact = !self.forms.is_inexact(index);
        if exact && self.forms.is_soon_inside(poly, &length) {
            return true;
        }
        // Rows and columns have shorter proofs than what they are composed to.
        if let Some(number) = self.forms.in_rows(index, &length) {
            *poly = number;
            return true;
        }
        exact && self.forms.is_inside(poly, &length)
    }

    /// The loads in expressions, each under the conditions of the `select`s around it.
    fn loads(&mut self, roots: &[NodeId]) {
        let mut seen = Seen::default();
        self.forms.facts.work.begin();
        roots
            .iter()
            .for_each(|root| self.loads_of(*root, &mut seen));
    }

    fn loads_of(&mut self, id: NodeId, seen: &mut Seen) {
        // A stack of our own for all but arms: expressions may be deeper than the thread's stack.
        let mut stack = vec![id];
        while let Some(id) = stack.pop() {
            if !self.forms.facts.work.visit() {
                return;
            }
            if !seen.insert(id) {
                continue;
            }
            let node = self.kernel.tables.nodes.node(id);
            match node {
                Node::Load { array, index } => {
                    let origin = self.kernel.tables.nodes.origin(id);
                    self.access(array, Access::Load, index, origin);
                    stack.push(index);
                }
                Node::Select {
                    condition,
                    then,
                    otherwise,
                } if self.has_load(then) || self.has_load(otherwise) => {
                    stack.push(condition);
                    for (arm, holds) in [(then, true), (otherwise, false)] {
                        let mark = self.forms.enter();
                        self.path.push(Step::When(condition, holds));
                        self.arms += 1;
                        self.forms.assume(condition, holds);
                        // What is seen in an arm is not seen elsewhere: there it stands under other
                        // conditions.
                        let before = seen.log.len();
                        self.loads_of(arm, seen);
                        seen.forget(before);
                        self.arms -= 1;
                        self.path.pop();
                        self.forms.leave(mark);
                    }
                }
                _ => stack.extend(node.operands()),
            }
        }
    }

    /// Is there a load in an expression? What is known of a part is kept: arms may be nested as
    /// deep as there are nodes.
    fn has_load(&mut self, id: NodeId) -> bool {
        let (nodes, known) = (&self.kernel.tables.nodes, &mut self.loading);
        for part in nodes.post_order(&[id], |part| known.contains_key(&part)) {
            let node = nodes.node(part);
            let loads = node.is_load()
                || node
                    .operands()
                    .any(|operand| known.get(&operand) == Some(&true));
            known.insert(part, loads);
        }
        known.get(&id) == Some(&true)
    }
}

/// The expressions that have been seen in a statement.
#[derive(Default)]
struct Seen {
    all: HashSet<NodeId>,
    log: Vec<NodeId>,
}

impl Seen {
    /// Is it seen for the first time?
    fn insert(&mut self, id: NodeId) -> bool {
        let new = self.all.insert(id);
        self.log.extend(new.then_some(id));
        new
    }

    /// Forgets all but the first `from` nodes.
    fn forget(&mut self, from: usize) {
        for id in self.log.drain(from..) {
            self.all.remove(&id);
        }
    }
}
