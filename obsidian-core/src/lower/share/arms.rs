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
//! whose condition says whether they do.
//!
//! Choices on one condition share an `if`: those of one statement, and those of the statements behind
//! it, as long as these only name values, or store to arrays that the choices do not load. So two
//! results of one function that are padded alike are computed together.
//!
//! It runs after a first round of sharing, which binds what it can without this, and before a last
//! one.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};

use super::Chains;
use crate::ir::{Kernel, Level, Levelled, LevelledLoop, Stage};
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
        repeating: HashMap::new(),
        chains,
        once,
        left,
    };
    kernel.body = arms.list(body, Level::Grid);
    arms.changed
}

/// From how many choices with loads inside of each other on a chain of them is bound for both arms of another.
const DEEP: u32 = 3;

/// How many such choices of an arm are looked at.
const MOST_NEAR: usize = 128;

/// How many statements behind one are looked at for choices on its conditions.
const MOST_BEHIND: usize = 8;

/// What comes in front of a statement.
#[derive(Default)]
struct Front {
    groups: Vec<Group>,
    /// What stands for the choices that have been put in front.
    stands_for: BTreeMap<NodeId, NodeId>,
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
    /// Binds in front of a choice what both arms need in any case, and deep choices that both may need: in
    /// the list of each arm they would be made again, and what they need in each of its own.
    fn in_front(
        &mut self,
        condition: NodeId,
        arms: [NodeId; 2],
        front: &mut Vec<Part>,
    ) -> [NodeId; 2] {
        let [first, second] = arms.map(|arm| self.certain(&[arm]));
        self.look();
        let loads = |id: &NodeId| self.choices[id.index()].is_some();
        let both = first.intersection(&second).copied();
        let both: HashSet<NodeId> = both.filter(loads).collect();
        let deep: HashSet<NodeId> = self.deep_in_both(arms).difference(&both).copied().collect();
        let Some(lowest) = both.union(&deep).min().copied() else {
            return arms;
        };
        // Operands come before what uses them: below the first of these there is none of them.
        let order = self.tables.nodes.post_order(&arms, |id| id < lowest);
        self.pay(order.len());
        let mut stands_for = BTreeMap::new();
        // Those that are part of no other.
        let mut inside = HashSet::new();
        for id in order.iter().rev().copied() {
            let is_deep = deep.contains(&id);
            let (part, is_one) = (inside.contains(&id), both.contains(&id) || is_deep);
            if part || is_one {
                inside.extend(self.tables.nodes.node(id).operands());
            }
            if part || !is_one {
                continue;
            }
            let ty = self.tables.nodes.ty(id);
            let variable = self.variable(ty, VariableKind::Let);
            *self.once |= is_deep;
            let value = match is_deep {
                true => self.where_needed(id, condition, arms),
                false => id,
            };
            front.push((Statement::Let { variable, value }, false));
            stands_for.insert(id, self.tables.nodes.add(Node::Variable(variable), ty));
        }
        arms.map(|arm| self.replace(arm, &stands_for))
    }

    /// Choices inside of others, of which both arms have uses, near to their tops. Made again for each use,
    /// a chain of such choices would double with each of its steps.
    fn deep_in_both(&mut self, arms: [NodeId; 2]) -> HashSet<NodeId> {
        if self.chains == Chains::ForEachUse {
            return HashSet::new();
        }
        let nodes = &self.tables.nodes;
        let is_deep = |id: &NodeId| self.choices[id.index()].is_some_and(|depth| depth >= DEEP);
        let near = |arm: NodeId| {
            let (mut near, mut next) = (vec![arm], 0);
            near.retain(is_deep);
            while let Some(id) = near.get(next).copied().filter(|_| near.len() < MOST_NEAR) {
                next += 1;
                for operand in nodes.node(id).operands().filter(is_deep) {
                    if !near.contains(&operand) {
                        near.push(operand);
                    }
                }
            }
            near
        };
        let [first, second] = arms.map(near);
        let both = first.iter().copied().filter(|id| second.contains(id));
        let is_choice = |id: &NodeId| matches!(nodes.node(*id), Node::Select { .. });
        let both = both.filter(is_choice).collect();
        self.pay(first.len() + second.len());
        both
    }

    /// A value that is needed in some cases of a choice: computed in these, and 0 in the others.
    ///
    /// Whether it is needed is found out by the conditions alone that are evaluated on the way to it, each
    /// of them in the cases in which the choice evaluates it.
    fn where_needed(&mut self, value: NodeId, condition: NodeId, arms: [NodeId; 2]) -> NodeId {
        let order = self.tables.nodes.post_order(&arms, |id| id < value);
        self.pay(order.len());
        let nodes = &mut self.tables.nodes;
        let [yes, no] = [true, false].map(|known| nodes.add_literal(Literal::from(known)));
        let mut needs = HashMap::from([(value, yes)]);
        for id in order {
            let of = |part: &NodeId| needs.get(part).copied().unwrap_or(no);
            let needed = match nodes.node(id) {
                _ if id == value => yes,
                Node::Select {
                    condition,
                    then,
                    otherwise,
                } => {
                    let [first, then, otherwise] =
                        [condition, then, otherwise].map(|part| of(&part));
                    let chosen = match (then == yes, otherwise == no) {
                        (true, true) => condition,
                        _ => nodes.select(condition, then, otherwise),
                    };
                    nodes.select(first, yes, chosen)
                }
                node => {
                    let parts: Vec<NodeId> = node.operands().map(|part| of(&part)).collect();
                    let either = |sum, part| nodes.select(part, yes, sum);
                    parts.into_iter().fold(no, either)
                }
            };
            needs.insert(id, needed);
        }
        let [then, otherwise] = arms.map(|arm| needs.get(&arm).copied().unwrap_or(no));
        let needed = nodes.select(condition, then, otherwise);
        let zero = nodes.add_literal(Literal::zero(nodes.ty(value)));
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
    fn certain(&mut self, roots: &[NodeId]) -> BTreeSet<NodeId> {
        let nodes = &self.tables.nodes;
        let mut certain = BTreeSet::new();
        let mut open: Vec<NodeId> = roots.to_vec();
        while let Some(id) = open.pop() {
            if certain.insert(id) {
                match nodes.node(id) {
                    Node::Select { condition, .. } => open.push(condition),
                    node => open.extend(node.operands()),
                }
            }
        }
        self.pay(certain.len());
        certain
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
        let mut found = BTreeSet::new();
        for (condition, own) in &own {
            let mut all = own.clone();
            all.extend(later.get(condition).into_iter().flatten());
            let arms: Vec<[NodeId; 2]> = all.iter().filter_map(|id| self.arms_of(*id)).collect();
            let [then, otherwise]: [Vec<NodeId>; 2] =
                [0, 1].map(|arm| arms.iter().map(|arms| arms[arm]).collect());
            let mut deep = arms.iter().map(|arms| self.deep_in_both(*arms).is_empty());
            let repeats = deep.any(|is_empty| !is_empty);
            if repeats || self.repeats(&then) || self.repeats(&otherwise) {
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
    fn certain_choices(&mut self, roots: &[NodeId]) -> BTreeMap<NodeId, Vec<NodeId>> {
        let mut found: BTreeMap<NodeId, Vec<NodeId>> = BTreeMap::new();
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
        own: &BTreeMap<NodeId, Vec<NodeId>>,
        statement: &Statement,
        behind: &[Part],
    ) -> BTreeMap<NodeId, Vec<NodeId>> {
        let mut found: BTreeMap<NodeId, Vec<NodeId>> = BTreeMap::new();
        let (mut bound, mut stored) = (HashSet::new(), HashSet::new());
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
        let mut used = HashSet::new();
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
        let arrays = HashSet::new();
        arms.iter().any(|arm| self.depends(*arm, &bound, &arrays))
    }

    /// The node with some nodes below it replaced.
    fn replace(&mut self, root: NodeId, stands_for: &BTreeMap<NodeId, NodeId>) -> NodeId {
        let Some(lowest) = stands_for.keys().next().copied() else {
            return root;
        };
        let mut new: HashMap<NodeId, NodeId> = HashMap::new();
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
