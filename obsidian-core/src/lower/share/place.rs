//! Where each node is bound, if it is.
//!
//! Nodes are looked at from the last to the first, so that a node's users are placed before it: a
//! node that is bound uses its operands once, in front of the statement where it is bound; a node
//! that is not bound uses them at each of its uses.

use super::facts::{Facts, ListId, Loads, Spot};
use crate::ir::{Kernel, Levelled};
use crate::ordered::{Map, Set};
use crate::scalar::{Node, NodeId, Nodes};

/// How many nodes of an arm are looked at for what both arms of a choice compute.
const MOST_IN_ARM: usize = 24;

/// Nodes to be bound, by place, operands before their users.
pub(super) type Bindings = Map<Spot, Vec<NodeId>>;

/// The uses of one node in front of one statement.
#[derive(Clone, Copy, Default)]
struct Count {
    /// How many there are; 2 stands for more.
    uses: u32,
    /// Is it computed in any case: by a use outside of the arms of `select`, or in both arms of one?
    certain: bool,
}

type Uses = Map<Spot, Count>;

pub(super) fn place(kernel: &Kernel<Levelled>, facts: &Facts) -> Bindings {
    let nodes = &kernel.tables.nodes;
    let mut placer = Placer {
        nodes,
        facts,
        uses: vec![Uses::new(); nodes.len()],
        spots: vec![Vec::new(); nodes.len()],
    };
    for item in &facts.uses {
        placer.add(
            item.node,
            item.spot,
            Count {
                uses: 1,
                certain: true,
            },
        );
    }
    for id in nodes.ids().collect::<Vec<_>>().into_iter().rev() {
        let node = nodes.node(id);
        let uses = std::mem::take(&mut placer.uses[id.index()]);
        if node.is_leaf() || uses.is_empty() {
            continue;
        }
        let rest = match (facts.homes[id.index()], facts.guarded[id.index()]) {
            (None, _) => uses,
            (Some(home), false) => placer.free(id, home, uses),
            (Some(_), true) => placer.guarded(id, uses),
        };
        placer.pass_on(node, &rest);
        for spot in placer.spots[id.index()].clone() {
            placer.pass_on(
                node,
                &Uses::from([(
                    spot,
                    Count {
                        uses: 1,
                        certain: true,
                    },
                )]),
            );
        }
    }
    placer.in_order(kernel)
}

struct Placer<'f> {
    nodes: &'f Nodes,
    facts: &'f Facts,
    uses: Vec<Uses>,
    /// Where each node is bound.
    spots: Vec<Vec<Spot>>,
}

impl Placer<'_> {
    fn add(&mut self, node: NodeId, spot: Spot, count: Count) {
        let known = self.uses[node.index()].entry(spot).or_default();
        known.uses = (known.uses + count.uses).min(2);
        known.certain |= count.certain;
    }

    /// What a node that is computed at these places uses.
    fn pass_on(&mut self, node: Node, uses: &Uses) {
        let arms = if let Node::Select {
            then, otherwise, ..
        } = node
        {
            [Some(then), Some(otherwise)]
        } else {
            [None; 2]
        };
        // What both arms compute is computed in any case.
        let both = match arms {
            [Some(then), Some(otherwise)] => self.in_both(then, otherwise),
            _ => Vec::new(),
        };
        for (&spot, &count) in uses.iter().filter(|(_, count)| count.certain) {
            let Count { certain, .. } = count;
            for id in &both {
                self.add(*id, spot, Count { uses: 0, certain });
            }
        }
        for (&spot, &count) in uses {
            for (n, operand) in node.operands().enumerate() {
                let arm = n > 0 && arms.contains(&Some(operand));
                self.add(
                    operand,
                    spot,
                    Count {
                        uses: count.uses,
                        certain: count.certain && !arm,
                    },
                );
            }
        }
    }

    /// Nodes with loads that two arms both compute, whichever way their own choices go. Not all of them,
    /// if the arms are large.
    fn in_both(&self, then: NodeId, otherwise: NodeId) -> Vec<NodeId> {
        let loads = |arm: NodeId| self.facts.loads[arm.index()] != Loads::None;
        if !loads(then) || !loads(otherwise) {
            return Vec::new();
        }
        let [first, second] = [then, otherwise].map(|arm| self.certain(arm));
        first.into_iter().filter(|id| second.contains(id)).collect()
    }

    /// The nodes with loads that a node computes in any case, from the top.
    fn certain(&self, top: NodeId) -> Vec<NodeId> {
        let mut certain = vec![top];
        let mut next = 0;
        while let Some(id) = certain.get(next).copied().filter(|_| next < MOST_IN_ARM) {
            next += 1;
            let node = self.nodes.node(id);
            let most = if node.is_choice() { 1 } else { 3 };
            for operand in node.operands().take(most) {
                let loads = self.facts.loads[operand.index()] != Loads::None;
                let is_new = loads && !certain.contains(&operand);
                certain.extend(is_new.then_some(operand));
            }
        }
        certain
    }

    fn common(&self, a: Spot, b: Spot) -> Spot {
        let lists = &self.facts.lists;
        let (mut a, mut b) = (a, b);
        while a.list != b.list {
            let higher = if lists[a.list].depth >= lists[b.list].depth {
                &mut a
            } else {
                &mut b
            };
            let Some(parent) = lists[higher.list].parent else {
                break;
            };
            *higher = parent;
        }
        a.min(b)
    }

    /// Places a node that may be computed anywhere; gives back the uses that remain its own.
    fn free(&mut self, id: NodeId, home: Spot, uses: Uses) -> Uses {
        let Some(lowest) = uses.keys().copied().reduce(|a, b| self.common(a, b)) else {
            return uses;
        };
        let (mut at, mut best) = (lowest, lowest);
        while at.list != home.list {
            let list = &self.facts.lists[at.list];
            let Some(parent) = list.parent else { break };
            at = parent;
            if list.is_loop {
                best = at;
            }
        }
        if best == lowest && uses.values().map(|count| count.uses).sum::<u32>() < 2 {
            return uses;
        }
        self.spots[id.index()].push(best);
        Uses::new()
    }

    /// Places a guarded node in front of statements that compute it in any case; gives back the
    /// uses that remain its own.
    fn guarded(&mut self, id: NodeId, mut uses: Uses) -> Uses {
        let certain = uses.iter().filter(|(_, count)| count.certain);
        let moved = certain.filter_map(|(spot, _)| self.out_of_loops(id, *spot));
        let moved: Set<Spot> = moved.collect();
        for spot in &moved {
            uses.entry(*spot).or_default().certain = true;
        }
        // The first place of each list, as it serves all that later ones could; outer lists first.
        let mut first: Map<(usize, ListId), usize> = Map::new();
        for (spot, _) in uses.iter().filter(|(_, count)| count.certain) {
            let depth = self.facts.lists[spot.list].depth;
            first.entry((depth, spot.list)).or_insert(spot.position);
        }
        let below = self.below(&uses);
        for ((_, list), position) in first {
            let spot = Spot { list, position };
            if !uses.contains_key(&spot) {
                continue;
            }
            let inside = below.get(&list).into_iter().flatten();
            let served = inside.filter(|(at, _)| *at >= position);
            let served: Vec<Spot> = served.map(|(_, other)| *other).collect();
            let counts = served.iter().filter_map(|other| uses.get(other));
            if counts.map(|count| count.uses).sum::<u32>() > 1 || moved.contains(&spot) {
                for other in &served {
                    uses.remove(other);
                }
                self.spots[id.index()].push(spot);
            }
        }
        uses
    }

    /// The place in front of the outermost loop in which a guarded node, which is computed at a place
    /// in any case, does not change; none if that is the place itself.
    fn out_of_loops(&self, id: NodeId, spot: Spot) -> Option<Spot> {
        let (home, loads) = (self.facts.homes[id.index()]?, self.facts.loads[id.index()]);
        let Loads::From(array) = loads else {
            return None;
        };
        let mut at = spot;
        while at.list != home.list {
            let list = &self.facts.lists[at.list];
            let same = list.rounds.as_ref().is_some_and(|rounds| {
                at.position <= rounds.leaves && !rounds.writes.contains(&array)
            });
            match list.parent {
                Some(parent) if same => at = parent,
                _ => break,
            }
        }
        (at != spot).then_some(at)
    }

    /// The uses in each list and below it, with the positions at which the list has them.
    fn below(&self, uses: &Uses) -> Map<ListId, Vec<(usize, Spot)>> {
        let mut below: Map<ListId, Vec<(usize, Spot)>> = Map::new();
        for use_spot in uses.keys() {
            let mut at = Some(*use_spot);
            while let Some(spot) = at {
                let list = below.entry(spot.list).or_default();
                list.push((spot.position, *use_spot));
                at = self.facts.lists[spot.list].parent;
            }
        }
        below
    }

    /// The bindings of each place in the order in which the text first comes to the nodes.
    fn in_order(&self, kernel: &Kernel<Levelled>) -> Bindings {
        let roots: Vec<NodeId> = self.facts.uses.iter().map(|item| item.node).collect();
        let mut bindings = Bindings::new();
        for id in kernel.tables.nodes.post_order(&roots, |_| false) {
            for &spot in &self.spots[id.index()] {
                bindings.entry(spot).or_default().push(id);
            }
        }
        bindings
    }
}
