//! Which nodes of a program are stored, and which are computed by one kernel.
//!
//! What has to be computed are the results, the folds that they need, and the arrays that are stored. Each of these *members* joins the
//! kernel of another one where that saves a pass over memory, or gets a kernel of its own:
//!
//! - folds over rows of equal extents are one kernel (*horizontal*);
//! - an array that needs folds at its own index alone is written by the kernel that folds (*behind*);
//! - an array that reads what a fold reads, at the same index, is written by its loop (*tapped*);
//! - arrays of equal extents that share a source are one kernel.
//!
//! An array between members is computed wherever it is needed, unless that costs more than storing it: if the elements of one kernel need
//! it at several indices, or several kernels do.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::graph::{Graph, Kind, Node, NodeNumber, Planned, Use, graph};
use super::index::Index;
use super::program::Settings;
use super::skeleton::facts;
use super::weight::weight;
use crate::scalar::NodeId;

/// How a kernel goes over its elements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// Each element on its own.
    Generate,
    /// By folding rows.
    Fold {
        /// May elements be combined in any order?
        commutative: bool,
    },
}

/// What one kernel computes.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) form: Form,
    /// A node with the extents that are gone over: of a fold its source.
    pub(super) space: NodeNumber,
    space_key: Vec<NodeId>,
    /// The folds.
    pub(super) folds: Vec<NodeNumber>,
    /// Arrays of the extents that are gone over.
    pub(super) each: Vec<NodeNumber>,
    /// Arrays of the extents of the folds' results.
    pub(super) behind: Vec<NodeNumber>,
    /// The members that are written to memory.
    pub(super) written: BTreeSet<NodeNumber>,
    /// The nodes that are read from memory, but for those of `behind`.
    pub(super) reads: BTreeSet<NodeNumber>,
    /// The nodes that are read from memory for `behind`.
    pub(super) reads_behind: BTreeSet<NodeNumber>,
    /// The groups that have to run before.
    needs: BTreeSet<usize>,
    /// The nodes that are computed in it, its members too.
    pub(super) computes: BTreeSet<NodeNumber>,
    /// These, and what its members find ready.
    touches: BTreeSet<NodeNumber>,
}

/// The kernels of a program, in an order in which they can run, and why arrays are stored.
#[derive(Debug)]
pub(super) struct Fused {
    pub(super) groups: Vec<Group>,
    pub(super) why: BTreeMap<NodeNumber, String>,
}

/// Decides about the program whose graph is current.
pub(super) fn fuse(results: &[NodeNumber], settings: Settings) -> Fused {
    let mut planner = Planner::new(settings);
    loop {
        let groups = planner.groups(results);
        let Some((node, why)) = planner.next_stored(&groups) else {
            return Fused {
                groups: in_order(groups),
                why: planner.why,
            };
        };
        planner.stored.insert(node);
        planner.why.insert(node, why);
    }
}

struct Planner {
    nodes: Vec<Rc<Node>>,
    settings: Settings,
    /// Arrays that are stored.
    stored: BTreeSet<NodeNumber>,
    why: BTreeMap<NodeNumber, String>,
    /// An index for each list of extents.
    spaces: BTreeMap<Vec<NodeId>, Index>,
}

/// What a member needs: nodes that are ready, and whether at its own index alone.
struct Needs {
    ready: BTreeMap<NodeNumber, bool>,
    computes: BTreeSet<NodeNumber>,
}

impl Planner {
    fn new(settings: Settings) -> Self {
        let nodes = graph(|graph| graph.nodes.clone()).unwrap_or_default();
        let stored = |(_, node): &(usize, &Rc<Node>)| match node.kind {
            Kind::Stored => true,
            Kind::Delayed { inline } => !inline && !settings.fuse,
            Kind::Input | Kind::Fold(_) => false,
        };
        let stored = nodes.iter().enumerate().filter(stored);
        Planner {
            stored: stored.map(|(number, _)| number).collect(),
            nodes,
            settings,
            why: BTreeMap::new(),
            spaces: BTreeMap::new(),
        }
    }

    fn is_fold(&self, number: NodeNumber) -> Option<Rc<super::graph::Fold>> {
        match &self.nodes.get(number)?.kind {
            Kind::Fold(fold) => Some(fold.clone()),
            _ => None,
        }
    }

    fn is_input(&self, number: NodeNumber) -> bool {
        let node = self.nodes.get(number);
        node.is_some_and(|node| matches!(node.kind, Kind::Input))
    }

    fn space(&mut self, number: NodeNumber) -> (Vec<NodeId>, Index) {
        let Some(node) = self.nodes.get(number) else {
            return (Vec::new(), Index::fresh(0));
        };
        let key: Vec<NodeId> = node.extents.iter().map(|extent| extent.node()).collect();
        let rank = key.len();
        let index = self.spaces.entry(key.clone());
        let index = index.or_insert_with(|| Index::fresh(rank)).clone();
        super::graph::note_below(&index.coordinates, &node.extents);
        (key, index)
    }

    /// Evaluates a node at an index, with all that is in memory ready but the node itself. The uses are new ones, and those of earlier
    /// evaluations with the same graph.
    fn evaluate(&self, number: NodeNumber, index: &Index) {
        let ready = |ready: &NodeNumber| {
            *ready != number
                && (self.stored.contains(ready)
                    || self.is_fold(*ready).is_some()
                    || self.is_input(*ready))
        };
        let ready = (0..self.nodes.len()).filter(ready).collect();
        graph(|graph| {
            let planned = graph.planned.get_or_insert_with(Planned::default);
            planned.ready = ready;
            // The evaluation has a scope of its own.
            planned.base = crate::program::open_scopes() + 1;
        });
        if let Some(node) = self.nodes.get(number) {
            let (_, _) = crate::program::ahead(|| (node.element)(index));
        }
    }

    fn take_uses() -> Vec<Use> {
        graph(Graph::take_uses).unwrap_or_default()
    }

    /// What a member needs, looked at on its own.
    fn needs(&mut self, member: NodeNumber) -> Needs {
        let at = self.is_fold(member).map_or(member, |fold| fold.source);
        let (_, index) = self.space(at);
        Self::take_uses();
        self.evaluate_member(member, at, &index);
        let own = index.key();
        let mut needs = Needs {
            ready: BTreeMap::new(),
            computes: BTreeSet::new(),
        };
        for one in Self::take_uses() {
            if one.ready {
                let is_own = one.index == own && one.depth == 0;
                let known = needs.ready.entry(one.node).or_insert(true);
                *known &= is_own;
            } else {
                needs.computes.insert(one.node);
            }
        }
        needs
    }

    /// Evaluates what a member computes for an index of its space.
    fn evaluate_member(&self, member: NodeNumber, at: NodeNumber, index: &Index) {
        // The source of a fold may be in memory; the fold itself is not its own source.
        match at == member {
            true => self.evaluate(member, index),
            false => self.evaluate_source(at, index),
        }
    }

    fn evaluate_source(&self, source: NodeNumber, index: &Index) {
        let none = self.nodes.len();
        let Some(node) = self.nodes.get(source).cloned() else {
            return;
        };
        self.evaluate(none, index);
        let _ = crate::program::ahead(|| (node.element)(index));
    }

    /// All members: the results, and what they need, by number.
    fn members(&mut self, results: &[NodeNumber]) -> BTreeMap<NodeNumber, Needs> {
        let mut members = BTreeMap::new();
        let mut open: Vec<NodeNumber> = results.to_vec();
        while let Some(member) = open.pop() {
            if members.contains_key(&member) {
                continue;
            }
            let needs = self.needs(member);
            let more = needs.ready.keys().copied();
            open.extend(more.filter(|number| !self.is_input(*number)));
            members.insert(member, needs);
        }
        members
    }

    fn groups(&mut self, results: &[NodeNumber]) -> Vec<Group> {
        let members = self.members(results);
        let mut groups: Vec<Group> = Vec::new();
        let mut home: BTreeMap<NodeNumber, usize> = BTreeMap::new();
        for (member, needs) in &members {
            let before: BTreeSet<usize> = needs
                .ready
                .keys()
                .filter_map(|n| home.get(n).copied())
                .collect();
            let place = match self.is_fold(*member) {
                Some(fold) => self.place_fold(&groups, &home, &fold, needs, &before),
                None => self.place_array(&groups, &home, *member, needs, &before),
            };
            let (number, role) = place.unwrap_or_else(|| {
                groups.push(self.new_group(*member));
                let role = match self.is_fold(*member) {
                    Some(_) => Role::Fold,
                    None => Role::Each,
                };
                (groups.len() - 1, role)
            });
            let fold = self.is_fold(*member);
            if let Some(group) = groups.get_mut(number) {
                match role {
                    Role::Fold => {
                        if let (Form::Generate, Some(fold)) = (&group.form, &fold) {
                            group.form = Form::Fold {
                                commutative: facts(fold).is_some(),
                            };
                        }
                        group.folds.push(*member);
                    }
                    Role::Each => group.each.push(*member),
                    Role::Behind => group.behind.push(*member),
                }
                group
                    .needs
                    .extend(before.iter().filter(|other| **other != number));
                group.computes.extend(&needs.computes);
                group.computes.insert(*member);
                group.touches.extend(&group.computes);
                group.touches.extend(needs.ready.keys());
            }
            home.insert(*member, number);
        }
        self.note_memory(&mut groups, &home, &members, results);
        groups
    }

    fn new_group(&mut self, member: NodeNumber) -> Group {
        let fold = self.is_fold(member);
        let space = fold.as_ref().map_or(member, |fold| fold.source);
        let (space_key, _) = self.space(space);
        Group {
            form: match &fold {
                Some(fold) => Form::Fold {
                    commutative: facts(fold).is_some(),
                },
                None => Form::Generate,
            },
            space,
            space_key,
            folds: Vec::new(),
            each: Vec::new(),
            behind: Vec::new(),
            written: BTreeSet::new(),
            reads: BTreeSet::new(),
            reads_behind: BTreeSet::new(),
            needs: BTreeSet::new(),
            computes: BTreeSet::new(),
            touches: BTreeSet::new(),
        }
    }

    /// The kernel of another member that a fold joins.
    fn place_fold(
        &mut self,
        groups: &[Group],
        home: &BTreeMap<NodeNumber, usize>,
        fold: &super::graph::Fold,
        needs: &Needs,
        before: &BTreeSet<usize>,
    ) -> Option<(usize, Role)> {
        let commutative = facts(fold).is_some();
        let (key, _) = self.space(fold.source);
        let fits = |number: usize, group: &Group| {
            let kind = match group.form {
                Form::Fold { commutative: own } => own == commutative,
                Form::Generate => !key.is_empty() && shares(group, needs),
            };
            kind && self.settings.horizontal
                && group.space_key == key
                && joins(groups, home, number, needs, before, &group.each)
        };
        let found = groups
            .iter()
            .enumerate()
            .find(|(number, group)| fits(*number, group));
        found.map(|(number, _)| (number, Role::Fold))
    }

    /// The kernel of another member that an array joins.
    fn place_array(
        &mut self,
        groups: &[Group],
        home: &BTreeMap<NodeNumber, usize>,
        member: NodeNumber,
        needs: &Needs,
        before: &BTreeSet<usize>,
    ) -> Option<(usize, Role)> {
        let (key, _) = self.space(member);
        let is_behind = |number: usize, group: &Group| {
            let outer = group.space_key.len().saturating_sub(1);
            let own: Vec<NodeNumber> = group.folds.iter().chain(&group.behind).copied().collect();
            self.settings.fuse
                && !group.folds.is_empty()
                && group.space_key.get(..outer) == Some(&key[..])
                && before.contains(&number)
                && joins(groups, home, number, needs, before, &own)
        };
        let is_beside = |number: usize, group: &Group| {
            self.settings.horizontal
                && group.space_key == key
                && (shares(group, needs) || before.contains(&number))
                && joins(groups, home, number, needs, before, &group.each)
        };
        let mut each = groups.iter().enumerate();
        let behind = each.find(|(number, group)| is_behind(*number, group));
        if let Some((number, _)) = behind {
            return Some((number, Role::Behind));
        }
        let beside = groups
            .iter()
            .enumerate()
            .find(|(number, group)| is_beside(*number, group));
        beside.map(|(number, _)| (number, Role::Each))
    }

    /// Which members are written, and what each kernel reads.
    fn note_memory(
        &self,
        groups: &mut [Group],
        home: &BTreeMap<NodeNumber, usize>,
        members: &BTreeMap<NodeNumber, Needs>,
        results: &[NodeNumber],
    ) {
        let mut written: BTreeSet<NodeNumber> = results.iter().copied().collect();
        for (member, needs) in members {
            let own = home.get(member);
            for ready in needs.ready.keys() {
                if self.is_input(*ready) || home.get(ready) != own {
                    if let Some(group) = own.and_then(|own| groups.get_mut(*own)) {
                        match group.behind.contains(member) {
                            true => group.reads_behind.insert(*ready),
                            false => group.reads.insert(*ready),
                        };
                    }
                    written.insert(*ready);
                }
            }
        }
        for (member, number) in home {
            if let Some(group) = groups.get_mut(*number)
                && (written.contains(member) || self.stored.contains(member))
            {
                group.written.insert(*member);
            }
        }
    }

    /// The next array to store, and why.
    fn next_stored(&mut self, groups: &[Group]) -> Option<(NodeNumber, String)> {
        let mut paths: BTreeMap<NodeNumber, u64> = BTreeMap::new();
        for group in groups {
            for (node, count) in self.paths(group) {
                *paths.entry(node).or_default() += count;
            }
        }
        let forced = graph(|graph| std::mem::take(&mut graph.must_store)).unwrap_or_default();
        let mut forced = forced.into_iter().filter(|(node, _)| self.may_store(*node));
        if let Some((node, why)) = forced.next_back() {
            return Some((node, format!("{} is stored: {why}", self.called(node))));
        }
        if !self.settings.share {
            return None;
        }
        let candidates = paths.into_iter().rev().filter(|(_, count)| *count > 1);
        for (number, count) in candidates {
            if !self.may_store(number) {
                continue;
            }
            let Some(node) = self.nodes.get(number) else {
                continue;
            };
            graph(|graph| graph.planned = Some(Planned::default()));
            self.evaluate(number, &Index::fresh(node.extents.len()));
            Self::take_uses();
            let weight = weight(node);
            let bytes: u64 = node.types.iter().map(|ty| u64::from(ty.bytes())).sum();
            let is_worth_it = weight.saturating_mul(count - 1) > 8 + 4 * bytes;
            if is_worth_it && (!node.extents.is_empty() || weight >= 100) {
                let name = self.called(number);
                let why = format!(
                    "{name} is stored: an element costs {weight}, and is needed {count} times"
                );
                return Some((number, why));
            }
        }
        None
    }

    fn called(&self, number: NodeNumber) -> String {
        let operator = self.nodes.get(number).map_or("", |node| node.operator);
        format!("`{operator}` ({number})")
    }

    fn may_store(&self, number: NodeNumber) -> bool {
        let is_delayed = |node: &Rc<Node>| matches!(node.kind, Kind::Delayed { inline: false });
        self.nodes.get(number).is_some_and(is_delayed) && !self.stored.contains(&number)
    }

    /// How often a kernel computes an element of each array that is not stored, for one element of its space.
    fn paths(&mut self, group: &Group) -> BTreeMap<NodeNumber, u64> {
        let (_, index) = self.space(group.space);
        let mut outer = index.coordinates.clone();
        outer.pop();
        let outer = Index::of(outer);
        Self::take_uses();
        if !group.folds.is_empty() {
            let folds = group.folds.iter().filter_map(|fold| self.is_fold(*fold));
            let sources: BTreeSet<NodeNumber> = folds.map(|fold| fold.source).collect();
            sources
                .iter()
                .for_each(|source| self.evaluate_source(*source, &index));
        }
        group
            .each
            .iter()
            .for_each(|member| self.evaluate(*member, &index));
        group
            .behind
            .iter()
            .for_each(|member| self.evaluate(*member, &outer));
        let rank = group.space_key.len();
        let mut counts: BTreeMap<NodeNumber, u64> = BTreeMap::new();
        let mut seen = BTreeSet::new();
        for one in Self::take_uses() {
            if one.ready || !seen.insert((one.node, one.index.clone())) {
                continue;
            }
            let own_rank = self
                .nodes
                .get(one.node)
                .map_or(rank, |node| node.extents.len());
            let is_repeated = own_rank < rank && !group.behind.contains(&one.node);
            let is_outer = own_rank < rank && one.index == outer.key() && !group.folds.is_empty();
            let count = match (one.depth, is_repeated && !is_outer) {
                (0, false) => 1,
                (0, true) => 4,
                _ => 16,
            };
            *counts.entry(one.node).or_default() += count;
        }
        counts
    }
}

#[derive(Clone, Copy, Debug)]
enum Role {
    Fold,
    Each,
    Behind,
}

/// Does a member read or compute anything that a group does?
fn shares(group: &Group, needs: &Needs) -> bool {
    let all = needs.ready.keys().chain(&needs.computes);
    let mut known = all.filter(|node| group.touches.contains(node));
    known.next().is_some()
}

/// Can a member join a group: does it need nothing of it but `own` members, at its own index, and nothing that needs the group?
fn joins(
    groups: &[Group],
    home: &BTreeMap<NodeNumber, usize>,
    number: usize,
    needs: &Needs,
    before: &BTreeSet<usize>,
    own: &[NodeNumber],
) -> bool {
    let of_group = needs
        .ready
        .iter()
        .filter(|(node, _)| home.get(node) == Some(&number));
    let mut wrong = of_group.filter(|(node, at_own)| !**at_own || !own.contains(node));
    if wrong.next().is_some() {
        return false;
    }
    let (mut open, mut seen) = (before.iter().copied().collect::<Vec<_>>(), BTreeSet::new());
    while let Some(other) = open.pop() {
        if other == number || !seen.insert(other) {
            continue;
        }
        let Some(group) = groups.get(other) else {
            continue;
        };
        if group.needs.contains(&number) {
            return false;
        }
        open.extend(&group.needs);
    }
    true
}

/// The groups, each behind those that it needs.
fn in_order(groups: Vec<Group>) -> Vec<Group> {
    let mut done = BTreeSet::new();
    let mut order = Vec::new();
    while done.len() < groups.len() {
        let is_next = |number: &usize| {
            !done.contains(number)
                && groups
                    .get(*number)
                    .is_some_and(|group| group.needs.is_subset(&done))
        };
        let Some(next) = (0..groups.len()).find(is_next) else {
            break;
        };
        done.insert(next);
        order.extend(groups.get(next).cloned());
    }
    order
}
