//! Which nodes of a program are stored, and which are computed by one kernel.
//!
//! What has to be computed are the results, the folds that they need, and the arrays that are stored. Each of these *members* joins the
//! kernel of another one where that saves a pass over memory, or gets a kernel of its own:
//!
//! - folds over rows of equal extents are one kernel (*horizontal*);
//! - an array that needs folds at its own index alone is written by the kernel that folds (*behind*);
//! - an array that reads what a fold reads, at the same index, is written by its loop (*tapped*);
//! - an array that needs scans at its own index alone is written by the kernel that scans;
//! - arrays of equal extents that share a source are one kernel.
//!
//! An array between members is computed wherever it is needed, unless that costs more than storing it: if the elements of one kernel need
//! it at several indices, or several kernels do.

mod group;
mod needs;
mod regions;
mod sweep;

use std::rc::Rc;

pub(super) use self::group::{Form, Group};
use self::group::{in_order, joins, shares};
use self::needs::{Needs, has_forced};
pub(super) use self::regions::Region;
use self::sweep::how_often;
use super::Settings;
use super::graph::{Control, Kind, Most, Node, NodeNumber, Planned, graph, stored_bytes};
use super::index::Index;
use super::skeleton::{acts, facts};
use super::weight::weight;
use crate::ordered::{Map, Set};
use crate::scalar::NodeId;

/// The most bytes of the elements that one kernel folds: blocks store some of each.
const MOST_OF_FOLDS: u32 = 128;
/// The most bytes of the elements that one kernel scans.
const MOST_OF_SCANS: u32 = 8;

/// The kernels of a program, in an order in which they can run, and why arrays are stored.
#[derive(Debug)]
pub(super) struct Fused {
    pub(super) groups: Vec<Group>,
    pub(super) why: Map<NodeNumber, String>,
}

/// Decides about the program whose graph is current.
pub(super) fn fuse(results: &[NodeNumber], settings: Settings) -> Fused {
    let mut planner = Planner::new(settings);
    if !planner.sweep(results) {
        return Fused {
            groups: Vec::new(),
            why: planner.why,
        };
    }
    loop {
        let groups = planner.groups(results);
        let Some((node, why)) = planner.next_stored(&groups) else {
            return Fused {
                groups: planner.in_order(groups),
                why: planner.why,
            };
        };
        planner.store(node, why);
    }
}

struct Planner {
    nodes: Vec<Rc<Node>>,
    settings: Settings,
    /// Arrays that are stored.
    stored: Set<NodeNumber>,
    why: Map<NodeNumber, String>,
    /// The part of a control that each member stands in.
    regions: Map<NodeNumber, Region>,
    /// Nodes whose elements are in memory, whatever the planner stores; and with what it stores.
    given: Rc<Set<NodeNumber>>,
    ready: Rc<Set<NodeNumber>>,
    /// An index for each list of extents.
    spaces: Map<Vec<NodeId>, Index>,
    /// What nodes need, as far as it has been looked at with what is stored.
    needs: Map<NodeNumber, Rc<Needs>>,
    /// What kernels compute how often, by their members.
    counts: Map<[Vec<NodeNumber>; 3], Map<NodeNumber, u64>>,
    /// The arrays that read one element of another one, and which.
    links: Map<NodeNumber, NodeNumber>,
    /// What elements cost to compute where nothing on the way is stored by the planner, and the nodes that cost most.
    weights: Map<NodeNumber, u64>,
    heavy: Rc<Set<NodeNumber>>,
}

impl Planner {
    fn new(settings: Settings) -> Self {
        let nodes = graph(|graph| graph.nodes.clone()).unwrap_or_default();
        let stored = |(_, node): &(usize, &Rc<Node>)| match node.kind {
            Kind::Stored => true,
            Kind::Delayed { inline } => !inline && !settings.fuse,
            _ => false,
        };
        let stored = nodes.iter().enumerate().filter(stored);
        let stored: Set<NodeNumber> = stored.map(|(number, _)| number).collect();
        let is_given =
            |(number, node): &(usize, &Rc<Node>)| stored.contains(number) || node.kind.is_ready();
        let given = nodes.iter().enumerate().filter(is_given);
        let given: Rc<Set<NodeNumber>> = Rc::new(given.map(|(number, _)| number).collect());
        Planner {
            ready: given.clone(),
            given,
            stored,
            nodes,
            settings,
            why: Map::new(),
            regions: Map::new(),
            spaces: Map::new(),
            needs: Map::new(),
            counts: Map::new(),
            links: Map::new(),
            weights: Map::new(),
            heavy: Rc::default(),
        }
    }

    /// Stores an array, and forgets what has been learnt of those that compute it.
    fn store(&mut self, node: NodeNumber, why: String) {
        self.stored.insert(node);
        Rc::make_mut(&mut self.ready).insert(node);
        self.why.insert(node, why);
        self.needs
            .retain(|_, needs| !needs.computes.contains(&node));
        self.counts.retain(|_, counts| !counts.contains_key(&node));
    }

    /// Refuses results that a part of a control makes, and that are not what the control gives.
    fn refuse_parts(&self, results: &[NodeNumber]) {
        for result in results {
            let Some(node) = self.nodes.get(*result) else {
                continue;
            };
            let is_state = matches!(node.kind, Kind::State(_));
            if (is_state || self.regions.contains_key(result)) && !crate::scalar::failed() {
                let wrong = crate::error::catalogue::array_of_a_round(node.operator);
                crate::scalar::report(wrong.at(node.origin));
            }
        }
    }

    /// The groups in an order in which they can run.
    fn in_order(&self, groups: Vec<Group>) -> Vec<Group> {
        in_order(groups).unwrap_or_else(|group| {
            let member = group
                .folds
                .iter()
                .chain(&group.each)
                .chain(&group.behind)
                .next();
            if let Some(node) = member.and_then(|member| self.nodes.get(*member)) {
                let wrong = crate::error::catalogue::array_of_a_round(node.operator);
                crate::scalar::report(wrong.at(node.origin));
            }
            Vec::new()
        })
    }

    /// The fold of a fold or a scan.
    fn fold(&self, number: NodeNumber) -> Option<Rc<super::graph::Fold>> {
        self.nodes.get(number)?.kind.fold().cloned()
    }

    /// How a kernel of a fold or a scan goes over its elements.
    fn form(&self, number: NodeNumber) -> Form {
        match self.nodes.get(number).map(|node| &node.kind) {
            Some(Kind::Fold(fold)) => Form::Fold {
                commutative: facts(fold).is_some(),
            },
            Some(Kind::Scan(_, order)) => Form::Scan(*order),
            Some(Kind::Place { .. }) => Form::Place,
            Some(Kind::Permute(_)) => Form::Permute,
            Some(Kind::Outcome(control)) => Form::Control(*control),
            _ => Form::Generate,
        }
    }

    /// The scan whose total a node is.
    fn is_total_of(&self, number: NodeNumber) -> Option<NodeNumber> {
        match self.nodes.get(number)?.kind {
            Kind::Total(scan) => Some(scan),
            _ => None,
        }
    }

    /// Is an array in memory before the part that reads it runs?
    fn is_input(&self, number: NodeNumber) -> bool {
        let node = self.nodes.get(number);
        node.is_some_and(|node| {
            matches!(node.kind, Kind::Input | Kind::Literal(_) | Kind::State(_))
        })
    }

    fn groups(&mut self, results: &[NodeNumber]) -> Vec<Group> {
        let members = self.members(results);
        self.regions = self.regions(&members);
        self.refuse_parts(results);
        let mut groups: Vec<Group> = Vec::new();
        let mut home: Map<NodeNumber, usize> = Map::new();
        for (member, needs) in &members {
            let before: Set<usize> = needs
                .ready
                .keys()
                .filter_map(|n| home.get(n).copied())
                .collect();
            let of_scan = self.is_total_of(*member).and_then(|scan| home.get(&scan));
            let place = match (of_scan, self.fold(*member)) {
                (Some(group), _) => Some((*group, Role::Behind)),
                (None, Some(fold)) => {
                    self.place_fold(&groups, &home, (*member, &fold), needs, &before)
                }
                (None, None) if self.form(*member) == Form::Generate => {
                    self.place_array(&groups, &home, *member, needs, &before)
                }
                (None, None) => self.control_of(*member, &groups),
            };
            let (number, role) = place.unwrap_or_else(|| {
                groups.push(self.new_group(*member));
                let role = match self.form(*member) {
                    Form::Generate => Role::Each,
                    _ => Role::Fold,
                };
                (groups.len() - 1, role)
            });
            let form = self.form(*member);
            let acts = self.fold(*member).is_some_and(|fold| acts(&fold));
            if let Some(group) = groups.get_mut(number) {
                group.acts |= acts;
                match role {
                    Role::Fold => {
                        group.form = form;
                        group.folds.push(*member);
                    }
                    Role::Each => group.add_each(*member, needs),
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

    /// The group of a control that a member is given by.
    fn control_of(&self, member: NodeNumber, groups: &[Group]) -> Option<(usize, Role)> {
        let form = self.form(member);
        let is_own = |group: &Group| matches!(form, Form::Control(_)) && group.form == form;
        Some((groups.iter().position(is_own)?, Role::Fold))
    }

    fn new_group(&mut self, member: NodeNumber) -> Group {
        let space = self.gone_over(member);
        let (space_key, _) = self.space(space);
        Group {
            form: self.form(member),
            space,
            space_key,
            folds: Vec::new(),
            acts: false,
            each: Vec::new(),
            after_scans: Set::new(),
            behind: Vec::new(),
            region: self.regions.get(&member).copied(),
            written: Set::new(),
            reads: Set::new(),
            reads_behind: Set::new(),
            reads_late: Set::new(),
            needs: Set::new(),
            computes: Set::new(),
            touches: Set::new(),
        }
    }

    /// The kernel of another member that a fold or a scan joins.
    fn place_fold(
        &mut self,
        groups: &[Group],
        home: &Map<NodeNumber, usize>,
        (member, fold): (NodeNumber, &super::graph::Fold),
        needs: &Needs,
        before: &Set<usize>,
    ) -> Option<(usize, Role)> {
        let form = self.form(member);
        let region = self.regions.get(&member).copied();
        let (key, _) = self.space(fold.source);
        let bytes = |number: &NodeNumber| {
            let node = self.nodes.get(*number);
            node.map_or(0, |node| stored_bytes(&node.types))
        };
        let together = |group: &Group| {
            let own: u32 = group.folds.iter().map(bytes).sum();
            own + bytes(&member)
        };
        let fits = |number: usize, group: &Group| {
            let kind = match group.form {
                Form::Generate => !key.is_empty() && shares(group, needs),
                Form::Fold { .. } => group.form == form && together(group) <= MOST_OF_FOLDS,
                // A block stores the elements of all its scans; a thread that scans a row has them in registers.
                Form::Scan(order) => {
                    group.form == form && (order.in_order || together(group) <= MOST_OF_SCANS)
                }
                Form::Place | Form::Permute | Form::Control(_) => false,
            };
            kind && self.settings.horizontal
                && group.region == region
                && group.space_key == key
                && joins(groups, home, number, needs, before, &group.known_to_folds())
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
        home: &Map<NodeNumber, usize>,
        member: NodeNumber,
        needs: &Needs,
        before: &Set<usize>,
    ) -> Option<(usize, Role)> {
        let (key, _) = self.space(self.gone_over(member));
        let region = self.regions.get(&member).copied();
        let is_behind = |number: usize, group: &Group| {
            let outer = group.space_key.len().saturating_sub(1);
            let own = group.known_behind();
            self.settings.fuse
                && group.region == region
                && !group.folds.is_empty()
                && !own.is_empty()
                && group.space_key.get(..outer) == Some(&key[..])
                && before.contains(&number)
                && joins(groups, home, number, needs, before, &own)
        };
        let is_beside = |number: usize, group: &Group| {
            self.settings.horizontal
                && group.region == region
                && !matches!(group.form, Form::Permute | Form::Control(_))
                && group.space_key == key
                && (group.form != Form::Place && shares(group, needs) || before.contains(&number))
                && joins(groups, home, number, needs, before, &group.known_at_each())
        };
        // The places of an order are never stored for what is moved to them.
        let node = self.nodes.get(member);
        let order = node.and_then(|node| match node.kind {
            Kind::Scatter { order, .. } => order,
            _ => None,
        });
        let of_order = order.and_then(|places| home.get(&places).copied());
        let of_order = of_order.filter(|number| {
            let group = groups.get(*number);
            group.is_some_and(|group| {
                joins(groups, home, *number, needs, before, &group.known_at_each())
            })
        });
        if let Some(number) = of_order {
            return Some((number, Role::Each));
        }
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
        home: &Map<NodeNumber, usize>,
        members: &Map<NodeNumber, Rc<Needs>>,
        results: &[NodeNumber],
    ) {
        let mut written: Set<NodeNumber> = results.iter().copied().collect();
        written.extend(members.values().flat_map(|needs| needs.lengths.clone()));
        // What folds and scans read of their own kernel.
        let mut combined = Set::new();
        for (member, needs) in members.iter().rev() {
            if self.fold(*member).is_some() || combined.contains(member) {
                let ready = needs.ready.keys().copied();
                combined.extend(ready.filter(|ready| home.get(ready) == home.get(member)));
            }
        }
        for (member, needs) in members {
            let own = home.get(member);
            for ready in needs.ready.keys() {
                if self.is_input(*ready) || home.get(ready) != own {
                    let group = own.and_then(|own| groups.get_mut(*own));
                    if let Some(group) = group.filter(|_| !needs.numbers.contains(ready)) {
                        group.reads_of(*member, &combined).insert(*ready);
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
        let mut paths: Map<NodeNumber, u64> = Map::new();
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
            if let Some(why) = self.is_worth_storing(number, count) {
                return Some((number, why));
            }
        }
        None
    }

    /// Is an array that is computed so often better stored? Then why.
    fn is_worth_storing(&mut self, number: NodeNumber, count: u64) -> Option<String> {
        let node = self.nodes.get(number)?.clone();
        if count <= 1 {
            return None;
        }
        let weight = self.weight_of(number);
        let bytes: u64 = node.types.iter().map(|ty| u64::from(ty.bytes())).sum();
        let is_worth_it = weight.saturating_mul(count - 1) > 8 + 4 * bytes;
        if !is_worth_it || (node.extents.is_empty() && weight < 100) {
            return None;
        }
        let cost = match weight {
            HEAVY => format!("{HEAVY} or more"),
            weight => weight.to_string(),
        };
        let name = self.called(number);
        Some(format!(
            "{name} is stored: an element costs {cost}, and is needed {count} times"
        ))
    }

    /// What an element costs to compute where the planner has stored nothing on the way: at most [`HEAVY`]. It is looked at no further
    /// than that, nor beyond an element that is known to cost as much.
    fn weight_of(&mut self, number: NodeNumber) -> u64 {
        if let Some(weight) = self.weights.get(&number) {
            return *weight;
        }
        let Some(node) = self.nodes.get(number).cloned() else {
            return 0;
        };
        // A link of a chain costs what it does itself, and the rest of the chain.
        let rest = self.links.get(&number);
        let rest = rest.and_then(|read| self.weights.get(read)).copied();
        let planned = Planned {
            ready: self.given.clone(),
            alone: rest.map(|_| number),
            most: Some(Most {
                left: HEAVY as u32,
                heavy: self.heavy.clone(),
                is_over: false,
            }),
            ..Planned::default()
        };
        Self::take_uses();
        let forced = graph(|graph| {
            graph.planned = Some(planned);
            graph.must_store.clone()
        });
        let weight = weight(&node);
        let is_over = graph(|graph| {
            // How deep it is here is no reason to store anything.
            graph.must_store = forced.unwrap_or_default();
            let planned = graph.planned.take()?;
            planned.most.map(|most| most.is_over)
        });
        let weight = match is_over.flatten() {
            Some(true) => HEAVY,
            _ => weight.saturating_add(rest.unwrap_or(0)).min(HEAVY),
        };
        if weight == HEAVY {
            Rc::make_mut(&mut self.heavy).insert(number);
        }
        self.weights.insert(number, weight);
        weight
    }

    fn called(&self, number: NodeNumber) -> String {
        let operator = self.nodes.get(number).map_or("", |node| node.operator);
        format!("`{operator}` ({number})")
    }

    fn may_store(&self, number: NodeNumber) -> bool {
        let is_delayed = |node: &Rc<Node>| matches!(node.kind, Kind::Delayed { inline: false });
        self.nodes.get(number).is_some_and(is_delayed) && !self.stored.contains(&number)
    }

    /// What does not depend on the state of a loop around the kernel would be computed again in each iteration.
    fn in_loops(&mut self, group: &Group, counts: &mut Map<NodeNumber, u64>) {
        let Some((control, _)) = group.region else {
            return;
        };
        let is_loop = graph(|graph| {
            let control = graph.controls.get(control).and_then(Option::as_ref);
            control.is_some_and(|control| !matches!(control, Control::If { .. }))
        });
        if is_loop != Some(true) {
            return;
        }
        let regions = self.regions.clone();
        for (node, count) in counts {
            if !self.depends_on(*node, control, &regions) {
                *count *= ITERATIONS;
            }
        }
    }

    /// How often a kernel computes an element of each array that is not stored, for one element of its space.
    fn paths(&mut self, group: &Group) -> Map<NodeNumber, u64> {
        let (_, index) = self.space(group.space);
        let outer = index.outer();
        Self::take_uses();
        let key = [&group.folds, &group.each, &group.behind].map(Clone::clone);
        if let Some(known) = self.counts.get(&key) {
            let mut counts = known.clone();
            self.in_loops(group, &mut counts);
            return counts;
        }
        if !group.folds.is_empty() {
            let sources = group.folds.iter().map(|member| self.gone_over(*member));
            let sources: Set<NodeNumber> = sources.collect();
            sources
                .iter()
                .for_each(|source| self.evaluate_source(*source, &index));
            group
                .folds
                .iter()
                .for_each(|fold| self.evaluate_operator(*fold));
        }
        // A scan combines the elements of a long row once for the pieces, and once more for its results. A piece is counted before its places
        // are found.
        let passes = match group.form {
            Form::Scan(_) | Form::Place => 2,
            Form::Control(_) => return Map::new(),
            Form::Generate | Form::Fold { .. } | Form::Permute => 1,
        };
        let of_sources = graph(|graph| graph.planned.as_ref().map_or(0, |own| own.uses.len()));
        for (members, index) in [(&group.each, &index), (&group.behind, &outer)] {
            members
                .iter()
                .for_each(|member| self.evaluate_member(*member, self.gone_over(*member), index));
        }
        let rank = group.space_key.len();
        let mut counts: Map<NodeNumber, u64> = Map::new();
        let mut seen = Set::new();
        for (position, one) in Self::take_uses().into_iter().enumerate() {
            if one.ready || !seen.insert((one.node, one.index.clone())) {
                continue;
            }
            let own_rank = self
                .nodes
                .get(one.node)
                .map_or(rank, |node| node.extents.len());
            let is_repeated = own_rank < rank && !group.behind.contains(&one.node);
            let is_outer = own_rank < rank && one.index == outer.key() && !group.folds.is_empty();
            let count = how_often(one.depth, is_repeated && !is_outer);
            let count = match Some(position) < of_sources {
                true => passes * count,
                false => count,
            };
            *counts.entry(one.node).or_default() += count;
        }
        if !has_forced() {
            self.counts.insert(key, counts.clone());
        }
        self.in_loops(group, &mut counts);
        counts
    }
}

/// How many iterations of a loop are assumed when it is decided what is stored before it.
const ITERATIONS: u64 = 4;

/// What an element costs at least where it does not matter how much more: any second use is worth storing it.
const HEAVY: u64 = 1000;

#[derive(Clone, Copy, Debug)]
enum Role {
    Fold,
    Each,
    Behind,
}
