//! Choices whose arms compute something twice become statements.
//!
//! Before: `x = select(c, f(a[i]) * f(a[i]), 0)`, where the load must not happen unless `c` holds,
//! so that `f(a[i])` has nowhere to be bound. After: a cell, an `if` that sets it in lists of their
//! own, and a `get`; in those lists it can be bound. Only where an arm has a load, and computes
//! something more than once, and only in programs of single threads, where cells can be. Other
//! choices stay expressions. What both arms compute is bound in front of the choice, which may then
//! stay one.
//!
//! A chain of choices that both arms may use, though not in any case, is made in front of them, in an `if` of its own
//! whose condition says whether they do. Limits: two chains that use each other step by step, as the parts of a state
//! do, still double, since each is made for itself.
//!
//! Choices on one condition share an `if`: those of one statement, and those of the statements behind
//! it, as long as these only name values, or store to arrays that the choices do not load. So two
//! results of one function that are padded alike are computed together.
//!
//! It runs after a first round of sharing, which binds what it can without this, and before a last
//! one.

use std::collections::VecDeque;

use crate::hashed::{HashMap, HashSet};

use super::Chains;
use crate::ir::{Kernel, Level, Levelled, LevelledLoop, Stage};
use crate::ordered::{Map, Set};
use crate::scalar::{
    ArrayId, Literal, Node, NodeId, Nodes, ScalarType, Tables, VariableId, VariableKind,
};

type Statement = crate::ir::Statement<Levelled>;

/// A statement, and whether its choices have been put in front of it.
type Part = (Statement, bool);

/// Turns such choices into statements; false if there are none.
///
/// `left` is how many more nodes are looked at; 0 if that was too few. `once` is set if a chain of choices is
/// made in front of both arms.
pub(super) fn arms(
    kernel: &mut Kernel<Levelled>,
    chains: Chains,
    left: &mut usize,
    once: &mut bool,
) -> bool {
    let body = std::mem::take(&mut kernel.body);
    let mut arms = Arms {
        tables: &mut kernel.tables,
        changed: false,
        choices: Vec::new(),
        repeating: HashMap::default(),
        chains,
        once,
        left,
    };
    kernel.body = arms.list(body, Level::Grid);
    arms.changed
}

/// A chain of at least so many choices with loads, one inside of the other, is made once for both arms of
/// another choice.
const DEEP: u32 = 3;

/// How many choices that end such a chain are looked at in each arm, from the top.
const MOST_NEAR: usize = 128;

/// How many statements behind one are looked at for choices on its conditions.
const MOST_BEHIND: usize = 8;

/// What comes in front of a statement.
#[derive(Default)]
struct Front {
    groups: Vec<Group>,
    /// What stands for the choices that have been put in front.
    stands_for: Map<NodeId, NodeId>,
}

/// Choices on one condition, which are one `if`.
struct Group {
    condition: NodeId,
    /// In front of it.
    lets: Vec<Part>,
    chosen: Vec<Chosen>,
}

struct Chosen {
    cell: VariableId,
    variable: VariableId,
    then: NodeId,
    otherwise: NodeId,
}

impl Group {
    fn new(condition: NodeId) -> Self {
        Group {
            condition,
            lets: Vec::new(),
            chosen: Vec::new(),
        }
    }

    fn statements(mut self, tables: &mut Tables) -> Vec<Part> {
        let mut parts = std::mem::take(&mut self.lets);
        if self.chosen.is_empty() {
            return parts;
        }
        for Chosen { cell, .. } in &self.chosen {
            let zero = Literal::zero(tables.variable(*cell).ty);
            let value = tables.nodes.add_literal(zero);
            parts.push((Statement::Declare { cell: *cell, value }, true));
        }
        let assigned = |value: fn(&Chosen) -> NodeId| {
            let assign = |chosen: &Chosen| Statement::Assign {
                cell: chosen.cell,
                value: value(chosen),
            };
            self.chosen.iter().map(assign).collect()
        };
        let chosen = Statement::If {
            condition: self.condition,
            then: assigned(|chosen| chosen.then),
            otherwise: assigned(|chosen| chosen.otherwise),
        };
        parts.push((chosen, true));
        parts.extend(self.chosen.iter().map(|chosen| {
            let (variable, cell) = (chosen.variable, chosen.cell);
            (Statement::Get { variable, cell }, true)
        }));
        parts
    }
}

impl Front {
    fn statements(self, tables: &mut Tables) -> Vec<Part> {
        let groups = self.groups.into_iter();
        groups.flat_map(|group| group.statements(tables)).collect()
    }
}

struct Arms<'t> {
    tables: &'t mut Tables,
    changed: bool,
    /// By node: if it contains a load, how many choices with one are in it, one inside of the other.
    /// Known of the nodes that there were when it was last asked for.
    choices: Vec<Option<u32>>,
    /// Of some nodes, whether they compute something with a load twice. Only looked up in, never walked.
    repeating: HashMap<NodeId, bool>,
    chains: Chains,
    once: &'t mut bool,
    left: &'t mut usize,
}

impl Arms<'_> {
    fn list(&mut self, list: Vec<Statement>, level: Level) -> Vec<Statement> {
        let mut result = Vec::with_capacity(list.len());
        // What is put in front of a statement may have choices itself, and so on: a stack of our own.
        let mut open: Vec<Part> = list.into_iter().rev().map(|s| (s, false)).collect();
        while let Some((mut statement, is_split)) = open.pop() {
            // The condition of a `while` belongs behind its head.
            let is_while = matches!(statement, Statement::While { .. });
            if level == Level::Thread && !is_while && !is_split {
                let front = self.split(&mut statement, &mut open);
                if !front.is_empty() {
                    open.push((statement, true));
                    open.extend(front.into_iter().rev());
                    continue;
                }
            }
            let inside = match &statement {
                Statement::Loop { kind, .. } if !matches!(kind, LevelledLoop::Sequential(_)) => {
                    Levelled::inside(*kind)
                }
                Statement::Collective(..) => Level::Thread,
                _ => level,
            };
            for inner in statement.lists_mut() {
                *inner = self.list(std::mem::take(inner), inside);
            }
            result.push(statement);
        }
        result
    }

    /// The choices of a statement, as what comes in front of it. The statements behind it, the next
    /// one last, may lose choices on the same conditions to it.
    fn split(&mut self, statement: &mut Statement, behind: &mut [Part]) -> Vec<Part> {
        let found = self.choices(statement, behind);
        if found.is_empty() {
            return Vec::new();
        }
        self.changed = true;
        let mut front = Front::default();
        for choice in &found {
            let condition = |id: NodeId| self.tables.nodes.node(id).operands().next();
            let alike = |other: &&NodeId| condition(**other) == condition(*choice);
            let is_alone = found.iter().filter(alike).nth(1).is_none();
            self.put_in_front(*choice, is_alone, &mut front);
        }
        let behind = behind.iter_mut().rev().take(MOST_BEHIND);
        for statement in std::iter::once(statement).chain(behind.map(|(statement, _)| statement)) {
            for node in statement.nodes_mut() {
                *node = self.replace(*node, &front.stands_for);
            }
        }
        front.statements(self.tables)
    }

    /// Makes a choice a statement; if no other is on its condition, and all that it computes twice is
    /// what both of its arms need, it only binds that.
    fn put_in_front(&mut self, choice: NodeId, is_alone: bool, front: &mut Front) {
        let Node::Select {
            condition,
            then,
            otherwise,
        } = self.tables.nodes.node(choice)
        else {
            return;
        };
        let [condition, then, otherwise] =
            [condition, then, otherwise].map(|node| self.replace(node, &front.stands_for));
        let joined = front
            .groups
            .iter()
            .rposition(|group| group.condition == condition);
        let joined = joined.filter(|at| !self.mentions(&[then, otherwise], &front.groups[*at..]));
        let at = joined.unwrap_or_else(|| {
            front.groups.push(Group::new(condition));
            front.groups.len() - 1
        });
        let group = &mut front.groups[at];
        let [then, otherwise] = self.in_front(condition, [then, otherwise], &mut group.lets);
        let ty = self.tables.nodes.ty(choice);
        self.look();
        let stays = is_alone && !self.repeats(&[then]) && !self.repeats(&[otherwise]);
        let value = if stays {
            self.tables.nodes.select(condition, then, otherwise)
        } else {
            let cell = self.variable(ty, VariableKind::Cell);
            let variable = self.variable(ty, VariableKind::Let);
            group.chosen.push(Chosen {
                cell,
                variable,
                then,
                otherwise,
            });
            self.tables.nodes.add(Node::Variable(variable), ty)
        };
        front.stands_for.insert(choice, value);
    }
    /// Binds in front of a choice what would be made again in the list of each of its arms.
    fn in_front(
        &mut self,
        condition: NodeId,
        arms: [NodeId; 2],
        front: &mut Vec<Part>,
    ) -> [NodeId; 2] {
        let arms = self.needed_in_both(arms, front);
        match self.chains {
            Chains::Once => self.maybe_in_both(condition, arms, front),
            Chains::ForEachUse => arms,
        }
    }

    /// Binds what both arms need in any case.
    fn needed_in_both(&mut self, arms: [NodeId; 2], front: &mut Vec<Part>) -> [NodeId; 2] {
        let [first, second] = arms.map(|arm| self.certain(&[arm]));
        self.look();
        let loads = |id: &NodeId| self.choices[id.index()].is_some();
        let both = first.iter().filter(|id| second.contains(*id)).copied();
        let both: HashSet<NodeId> = both.filter(loads).collect();
        let Some(lowest) = both.iter().min().copied() else {
            return arms;
        };
        // Operands come before what uses them: below the first of these there is none of them.
        let order = self.tables.nodes.post_order(&arms, |id| id < lowest);
        self.pay(order.len());
        let mut stands_for = Map::new();
        // Those that are part of no other.
        let mut inside = HashSet::default();
        for id in order.iter().rev().copied() {
            let (part, is_one) = (inside.contains(&id), both.contains(&id));
            if part || is_one {
                inside.extend(self.tables.nodes.node(id).operands());
            }
            if part || !is_one {
                continue;
            }
            stands_for.insert(id, self.bound(id, front));
        }
        arms.map(|arm| self.replace(arm, &stands_for))
    }

    /// Binds deep choices that both arms may need, those that are used outside of the others of them. Made
    /// again for each use, a chain of such choices would double with each of its steps.
    fn maybe_in_both(
        &mut self,
        condition: NodeId,
        mut arms: [NodeId; 2],
        front: &mut Vec<Part>,
    ) -> [NodeId; 2] {
        self.look();
        let deep = self.deep_in_both(arms);
        let Some(lowest) = deep.iter().min().copied() else {
            return arms;
        };
        let is_left_out = |id| id < lowest || deep.contains(&id);
        let order = self.tables.nodes.post_order(&arms, is_left_out);
        self.pay(order.len());
        let nodes = &self.tables.nodes;
        let parts = order.iter().flat_map(|id| nodes.node(*id).operands());
        let used = parts.chain(arms).filter(|id| deep.contains(id));
        // Operands first: one that is part of another is there when that one is made.
        let used: Set<NodeId> = used.collect();
        let mut stands_for = Map::new();
        for id in used {
            let choice = self.replace(id, &stands_for);
            arms = arms.map(|arm| self.replace(arm, &stands_for));
            let needed = self.where_needed(choice, condition, arms);
            stands_for.insert(id, self.bound(needed, front));
            stands_for.insert(choice, stands_for[&id]);
            *self.once = true;
        }
        arms.map(|arm| self.replace(arm, &stands_for))
    }

    /// A name for a value, bound in front.
    fn bound(&mut self, value: NodeId, front: &mut Vec<Part>) -> NodeId {
        let ty = self.tables.nodes.ty(value);
        let variable = self.variable(ty, VariableKind::Let);
        front.push((Statement::Let { variable, value }, false));
        self.tables.nodes.add(Node::Variable(variable), ty)
    }

    /// Deep choices of which both arms have uses, near to their tops.
    fn deep_in_both(&mut self, arms: [NodeId; 2]) -> HashSet<NodeId> {
        let nodes = &self.tables.nodes;
        let is_deep = |id: &NodeId| self.choices[id.index()].is_some_and(|depth| depth >= DEEP);
        let near = |arm: NodeId| {
            let (mut near, mut next) = (vec![arm], 0);
            near.retain(is_deep);
            let mut seen: HashSet<NodeId> = near.iter().copied().collect();
            while let Some(id) = near.get(next).copied().filter(|_| near.len() < MOST_NEAR) {
                next += 1;
                let parts = nodes.node(id).operands().filter(is_deep);
                near.extend(parts.filter(|part| seen.insert(*part)));
            }
            seen
        };
        let [first, second] = arms.map(near);
        let both = first.iter().filter(|id| second.contains(*id)).copied();
        let is_choice = |id: &NodeId| nodes.node(*id).is_choice();
        let both = both.filter(is_choice).collect();
        self.pay(first.len() + second.len());
        both
    }

    /// A value that is needed in some cases of a choice: computed in these, and 0 in the others.
    ///
    /// Whether it is needed is found out by the conditions alone that are evaluated on the way to it, each
    /// of them in the cases in which the choice evaluates it. A condition that may need the value itself is asked
    /// only where it does not, so 0 serves it as well.
    fn where_needed(&mut self, value: NodeId, condition: NodeId, arms: [NodeId; 2]) -> NodeId {
        let order = self.tables.nodes.post_order(&arms, |id| id < value);
        self.pay(order.len());
        let zero = Literal::zero(self.tables.nodes.ty(value));
        let zero = self.tables.nodes.add_literal(zero);
        let without = Map::from([(value, zero)]);
        let [yes, no] =
            [true, false].map(|known| self.tables.nodes.add_literal(Literal::from(known)));
        let mut needs = HashMap::from_iter([(value, yes)]);
        for id in order.into_iter().filter(|id| *id != value) {
            let node = self.tables.nodes.node(id);
            let of = |part: NodeId| needs.get(&part).copied().unwrap_or(no);
            let needed = match node {
                Node::Select {
                    condition,
                    then,
                    otherwise,
                } => {
                    let [first, then, otherwise] = [condition, then, otherwise].map(of);
                    let condition = match first == no {
                        true => condition,
                        false => self.replace(condition, &without),
                    };
                    let nodes = &mut self.tables.nodes;
                    let chosen = match (then == yes, otherwise == no) {
                        (true, true) => condition,
                        _ => nodes.select(condition, then, otherwise),
                    };
                    nodes.select(first, yes, chosen)
                }
                _ => {
                    let nodes = &mut self.tables.nodes;
                    let parts = node.operands().map(of);
                    parts.fold(no, |sum, part| nodes.select(part, yes, sum))
                }
            };
            needs.insert(id, needed);
        }
        let [then, otherwise] = arms.map(|arm| needs.get(&arm).copied().unwrap_or(no));
        let nodes = &mut self.tables.nodes;
        let needed = nodes.select(condition, then, otherwise);
        nodes.select(needed, value, zero)
    }

    /// Finds out what is not known yet of the nodes that there are.
    fn look(&mut self) {
        let nodes = &self.tables.nodes;
        for id in nodes.ids_from(self.choices.len()) {
            let node = nodes.node(id);
            let parts = node
                .operands()
                .filter_map(|part| self.choices[part.index()]);
            let inside = parts.max();
            self.choices.push(match node {
                Node::Load { .. } => Some(inside.unwrap_or(0)),
                Node::Select { .. } => inside.map(|choices| choices + 1),
                _ => inside,
            });
        }
    }

    fn pay(&mut self, nodes: usize) {
        *self.left = self.left.saturating_sub(nodes);
    }

    fn variable(&mut self, ty: ScalarType, kind: VariableKind) -> VariableId {
        self.tables.add_variable(ty, kind)
    }

    /// What is computed in any case.
    fn certain(&mut self, roots: &[NodeId]) -> Set<NodeId> {
        let nodes = &self.tables.nodes;
        let mut certain = HashSet::default();
        let mut open: Vec<NodeId> = roots.to_vec();
        while let Some(id) = open.pop() {
            if certain.insert(id) {
                open.extend(nodes.node(id).surely_evaluated());
            }
        }
        self.pay(certain.len());
        Set::sorted(certain)
    }

    /// The choices of a statement, and of those behind it, that become statements: those that are made
    /// in any case and compute something twice, in an arm or together with others on their condition.
    /// Inner ones first.
    fn choices(&mut self, statement: &Statement, behind: &[Part]) -> Vec<NodeId> {
        if *self.left == 0 {
            return Vec::new();
        }
        self.look();
        let roots = statement.nodes();
        let own = self.certain_choices(&roots);
        if own.is_empty() {
            return Vec::new();
        }
        let later = self.choices_behind(&own, statement, behind);
        let mut found = Set::new();
        for (condition, own) in &own {
            let mut all = own.clone();
            all.extend(later.get(condition).into_iter().flatten());
            let arms: Vec<[NodeId; 2]> = all.iter().filter_map(|id| self.arms_of(*id)).collect();
            let [then, otherwise]: [Vec<NodeId>; 2] =
                [0, 1].map(|arm| arms.iter().map(|arms| arms[arm]).collect());
            let is_once = self.chains == Chains::Once;
            let chains = is_once && arms.iter().any(|arms| !self.deep_in_both(*arms).is_empty());
            if chains || self.repeats(&then) || self.repeats(&otherwise) {
                found.extend(all);
            }
        }
        let Some(lowest) = found.first().copied().filter(|_| found.len() > 1) else {
            return found.into_iter().collect();
        };
        let roots: Vec<NodeId> = roots.into_iter().chain(found.iter().copied()).collect();
        let order = self.tables.nodes.post_order(&roots, |id| id < lowest);
        self.pay(order.len());
        order.into_iter().filter(|id| found.contains(id)).collect()
    }

    /// The choices that are made in any case and have loads in their arms, by condition.
    fn certain_choices(&mut self, roots: &[NodeId]) -> Map<NodeId, Vec<NodeId>> {
        let mut found: Map<NodeId, Vec<NodeId>> = Map::new();
        for id in self.certain(roots) {
            let Node::Select { condition, .. } = self.tables.nodes.node(id) else {
                continue;
            };
            let mut arms = self.arms_of(id).into_iter().flatten();
            if arms.any(|arm| self.choices[arm.index()].is_some()) {
                found.entry(condition).or_default().push(id);
            }
        }
        found
    }

    fn arms_of(&self, choice: NodeId) -> Option<[NodeId; 2]> {
        match self.tables.nodes.node(choice) {
            Node::Select {
                then, otherwise, ..
            } => Some([then, otherwise]),
            _ => None,
        }
    }

    /// The choices of statements behind this one that may be made here: on conditions that it has a
    /// choice on, of values that are there, and of elements that nothing in between writes.
    fn choices_behind(
        &mut self,
        own: &Map<NodeId, Vec<NodeId>>,
        statement: &Statement,
        behind: &[Part],
    ) -> Map<NodeId, Vec<NodeId>> {
        let mut found: Map<NodeId, Vec<NodeId>> = Map::new();
        let (mut bound, mut stored) = (HashSet::default(), HashSet::default());
        let mut passed = statement;
        for (statement, _) in behind.iter().rev().take(MOST_BEHIND) {
            match passed {
                Statement::Let { variable, .. } => bound.insert(*variable),
                Statement::Store { array, .. } => stored.insert(*array),
                _ => break,
            };
            passed = statement;
            if !matches!(statement, Statement::Let { .. } | Statement::Store { .. }) {
                break;
            }
            for (condition, mut choices) in self.certain_choices(&statement.nodes()) {
                let Some(own) = own.get(&condition) else {
                    continue;
                };
                choices.retain(|id| !own.contains(id) && !self.depends(*id, &bound, &stored));
                found.entry(condition).or_default().extend(choices);
            }
        }
        found
    }

    /// Does a node use one of these variables, or load from one of these arrays?
    fn depends(
        &mut self,
        node: NodeId,
        variables: &HashSet<VariableId>,
        arrays: &HashSet<ArrayId>,
    ) -> bool {
        let order = self.tables.nodes.post_order(&[node], |_| false);
        self.pay(order.len());
        order
            .into_iter()
            .any(|id| match self.tables.nodes.node(id) {
                Node::Variable(variable) => variables.contains(&variable),
                Node::Load { array, .. } => arrays.contains(&array),
                _ => false,
            })
    }

    /// Do some arms, which are all computed or none of them, use something that depends on a load
    /// more than once?
    fn repeats(&mut self, arms: &[NodeId]) -> bool {
        let single = match arms {
            [arm] => Some(*arm),
            _ => None,
        };
        if let Some(known) = single.and_then(|arm| self.repeating.get(&arm)) {
            return *known;
        }
        let nodes = &self.tables.nodes;
        let loads = |part: &NodeId| self.choices[part.index()].is_some();
        // From the top: where steps use each other twice, the first of them says so.
        let mut open: VecDeque<NodeId> = arms.iter().copied().filter(loads).collect();
        let mut used = HashSet::default();
        let mut repeats = false;
        while let Some(id) = open.pop_front().filter(|_| !repeats) {
            for operand in nodes.node(id).operands().filter(loads) {
                repeats |= !used.insert(operand) || self.repeating.get(&operand) == Some(&true);
                open.push_back(operand);
            }
        }
        self.pay(used.len());
        if let Some(arm) = single {
            self.repeating.insert(arm, repeats);
        }
        repeats
    }

    /// Do these use a value that is bound behind the lets of the first of these groups?
    fn mentions(&mut self, arms: &[NodeId], groups: &[Group]) -> bool {
        let chosen = groups.iter().flat_map(|group| &group.chosen);
        let lets = groups.iter().skip(1).flat_map(|group| &group.lets);
        let lets = lets.filter_map(|(statement, _)| statement.binds());
        let bound = chosen.map(|chosen| chosen.variable).chain(lets).collect();
        let arrays = HashSet::default();
        arms.iter().any(|arm| self.depends(*arm, &bound, &arrays))
    }

    /// The node with some nodes below it replaced.
    fn replace(&mut self, root: NodeId, stands_for: &Map<NodeId, NodeId>) -> NodeId {
        let Some(lowest) = stands_for.keys().next().copied() else {
            return root;
        };
        let mut new: HashMap<NodeId, NodeId> = HashMap::default();
        let of = |new: &HashMap<NodeId, NodeId>, id: NodeId| {
            let known = stands_for.get(&id).or_else(|| new.get(&id));
            known.copied().unwrap_or(id)
        };
        let is_left_out = |id| id < lowest || stands_for.contains_key(&id);
        let order = self.tables.nodes.post_order(&[root], is_left_out);
        self.pay(order.len());
        for id in order {
            let rebuild = |_: &mut Nodes, operand| of(&new, operand);
            let made = self.tables.nodes.rebuild(id, rebuild);
            new.insert(id, made);
        }
        of(&new, root)
    }
}
