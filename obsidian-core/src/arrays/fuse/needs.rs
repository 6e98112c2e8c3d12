//! What a member needs.

use std::rc::Rc;

use super::Planner;
use crate::arrays::graph::{
    Control, Graph, Kind, Node, NodeNumber, Planned, Use, fresh, graph, in_an_element, nodes_of,
    note_below,
};
use crate::arrays::index::Index;
use crate::arrays::operator::acts;
use crate::arrays::{any::AnyElement, item::leaves};
use crate::ordered::{Map, Set};
use crate::scalar::{NodeId, session};

/// What a member needs.
#[derive(Default)]
pub(super) struct Needs {
    /// Nodes that are ready, and whether at its own index alone.
    pub(super) ready: Map<NodeNumber, bool>,
    /// Nodes that are computed.
    pub(super) computes: Set<NodeNumber>,
    /// Those of the nodes that are ready which only a number of the program is made of.
    pub(super) numbers: Set<NodeNumber>,
    /// Totals that are read as numbers, for it or for its length, and the arrays of loops whose changing extents such numbers are.
    pub(super) lengths: Set<NodeNumber>,
}

impl Planner {
    /// The node with the extents that a member goes over.
    pub(super) fn gone_over(&self, member: NodeNumber) -> NodeNumber {
        match self.nodes.get(member).map(|node| &node.kind) {
            Some(Kind::Fold(fold) | Kind::Scan(fold, _)) => fold.source,
            Some(Kind::Scatter { source, .. }) => *source,
            Some(Kind::Place { digits, .. }) => *digits,
            Some(Kind::Permute(permuted)) => permuted.source,
            _ => member,
        }
    }

    /// The totals whose numbers stand in expressions.
    fn totals_named(&self, roots: &[NodeId]) -> Set<NodeNumber> {
        let reads = graph(|graph| graph.reads.clone()).unwrap_or_default();
        if reads.is_empty() {
            return Set::new();
        }
        let all = session(|s| s.tables.nodes.post_order(roots, |_| false)).unwrap_or_default();
        let all: Set<NodeId> = all.into_iter().collect();
        let named = reads
            .iter()
            .filter(|(_, number)| all.contains(&number.node()));
        named.map(|(total, _)| *total).collect()
    }

    pub(super) fn space(&mut self, number: NodeNumber) -> (Vec<NodeId>, Index) {
        let Some(node) = self.nodes.get(number) else {
            return (Vec::new(), Index::fresh(0));
        };
        let key: Vec<NodeId> = node.extents.iter().map(|extent| extent.node()).collect();
        let rank = key.len();
        let index = self.spaces.entry(key.clone());
        let index = index.or_insert_with(|| Index::fresh(rank)).clone();
        note_below(&index.coordinates, &node.extents);
        (key, index)
    }

    /// Evaluates a node at an index, with all that is in memory ready but the node itself. The uses are new ones, and those of earlier
    /// evaluations with the same graph.
    pub(super) fn evaluate(&self, number: NodeNumber, index: &Index) {
        let ready = self.ready.clone();
        graph(|graph| {
            let planned = graph.planned.get_or_insert_with(Planned::default);
            // The evaluation has a scope of its own.
            planned.evaluate(number, ready, crate::program::open_scopes() + 1);
        });
        if let Some(node) = self.nodes.get(number) {
            self.run(node, index);
        }
    }

    /// Runs the function of a node's elements, and notes which numbers from memory are named in it.
    pub(super) fn run(&self, node: &Node, index: &Index) {
        self.noted(|| (node.element)(index));
    }

    /// Computes an element, and notes which numbers from memory are named in it.
    fn noted(&self, element: impl FnOnce() -> AnyElement) {
        let (fields, actions) = crate::program::ahead(element);
        let mut roots: Vec<NodeId> = leaves(&fields).iter().map(|leaf| leaf.node()).collect();
        nodes_of(&actions, &mut roots);
        graph(|graph| graph.named.extend(roots));
    }

    pub(super) fn take_uses() -> Vec<Use> {
        graph(Graph::take_uses).unwrap_or_default()
    }

    /// What a member needs, looked at on its own.
    pub(super) fn needs(&mut self, member: NodeNumber) -> Rc<Needs> {
        if let Some(known) = self.needs.get(&member) {
            return known.clone();
        }
        let needs = Rc::new(self.new_needs(member));
        if !has_forced() {
            self.needs.insert(member, needs.clone());
        }
        needs
    }

    fn new_needs(&mut self, member: NodeNumber) -> Needs {
        if let Some(scan) = self.is_total_of(member) {
            return Needs {
                ready: Map::from([(scan, false)]),
                ..Needs::default()
            };
        }
        let at = self.gone_over(member);
        let (_, index) = self.space(at);
        Self::take_uses();
        graph(|graph| graph.named.clear());
        self.evaluate_member(member, at, &index);
        let own = index.key();
        let mut needs = Needs::default();
        let mut roots = graph(|graph| std::mem::take(&mut graph.named)).unwrap_or_default();
        let extents = |number: NodeNumber| {
            let node = self.nodes.get(number);
            node.map_or(Vec::new(), |node| {
                node.extents.iter().map(|e| e.node()).collect()
            })
        };
        roots.extend(extents(at));
        for one in Self::take_uses() {
            roots.extend(&one.index);
            if one.ready {
                let is_own = one.index == own && one.depth == 0;
                let known = needs.ready.entry(one.node).or_insert(true);
                *known &= is_own;
            } else {
                needs.computes.insert(one.node);
            }
        }
        let whole = self.asked_as_a_whole(member).into_iter();
        needs.ready.extend(whole.map(|node| (node, false)));
        if let Some(Kind::Outcome(control)) = self.nodes.get(member).map(|node| &node.kind) {
            let control = graph(|graph| graph.controls.get(*control).cloned().flatten());
            if let Some(Some(Control::Repeat { times, .. })) = control {
                roots.push(times.node());
            }
        }
        // A number that is read from memory has to be there.
        for total in self.totals_named(&roots) {
            if !needs.ready.contains_key(&total) {
                needs.numbers.insert(total);
            }
            needs.ready.insert(total, false);
            needs.lengths.insert(total);
        }
        // How much a kernel has written where only it knows how much, is read behind it.
        if at != member {
            needs.lengths.extend(self.totals_named(&extents(member)));
        }
        needs
    }

    /// Evaluates what a member computes for an index of its space.
    pub(super) fn evaluate_member(&self, member: NodeNumber, at: NodeNumber, index: &Index) {
        // The source of a fold may be in memory; the fold itself is not its own source.
        match at == member {
            true => self.evaluate(member, index),
            false => self.evaluate_source(at, index),
        }
        self.evaluate_operator(member);
    }

    /// Evaluates what the operator of a fold or a scan reads besides its two elements.
    pub(super) fn evaluate_operator(&self, member: NodeNumber) {
        let Some(fold) = self.fold(member).filter(|fold| acts(fold)) else {
            return;
        };
        let types = self
            .nodes
            .get(fold.source)
            .map_or(&[][..], |node| &node.types);
        let (x, y) = (fresh(types), fresh(types));
        self.noted(|| in_an_element(|| (fold.operator)(&x, &y)));
    }

    pub(super) fn evaluate_source(&self, source: NodeNumber, index: &Index) {
        let none = self.nodes.len();
        let Some(node) = self.nodes.get(source).cloned() else {
            return;
        };
        self.evaluate(none, index);
        self.run(&node, index);
    }

    /// All members: the results, and what they need, by number.
    pub(super) fn members(&mut self, results: &[NodeNumber]) -> Map<NodeNumber, Rc<Needs>> {
        let mut members = Map::new();
        let mut open: Vec<NodeNumber> = results.to_vec();
        while let Some(member) = open.pop() {
            if members.contains_key(&member) {
                continue;
            }
            let needs = self.needs(member);
            let more = needs.ready.keys().chain(&needs.lengths).copied();
            open.extend(more.filter(|number| !self.is_input(*number)));
            members.insert(member, needs);
        }
        members
    }
}

/// Has an evaluation found that something has to be stored? What it has learnt holds only until that is.
pub(super) fn has_forced() -> bool {
    graph(|graph| !graph.must_store.is_empty()).unwrap_or(false)
}
