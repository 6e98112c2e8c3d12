//! Which part of which control each member belongs to.

use std::rc::Rc;

use super::Planner;
use super::needs::Needs;
use crate::arrays::graph::{Control, Kind, NodeNumber, graph};
use crate::ordered::{Map, Set};

/// A part of a control: its number, and which of its two parts. What a loop does in each iteration is its second part.
pub(in crate::arrays) type Region = (usize, usize);

type Members = Map<NodeNumber, Rc<Needs>>;

impl Planner {
    /// The innermost part that each member stands in. In a loop is what depends on its state; in an arm of a choice what has been
    /// made there.
    pub(super) fn regions(&self, members: &Members) -> Map<NodeNumber, Region> {
        let controls = graph(|graph| graph.controls.clone()).unwrap_or_default();
        let mut regions: Map<NodeNumber, Region> = Map::new();
        // The parts around a control, as far as they are known. Controls are numbered by their beginnings, so that inner ones have higher numbers.
        let mut around: Map<usize, Set<Region>> = Map::new();
        for (member, needs) in members {
            let mut all = arms(&controls, *member);
            for ready in needs.ready.keys() {
                all.extend(match self.nodes.get(*ready).map(|node| &node.kind) {
                    Some(Kind::State(control)) => Some((*control, 1)),
                    _ => regions.get(ready).copied(),
                });
            }
            let inner: Vec<Region> = all.iter().copied().collect();
            for (control, _) in inner {
                all.extend(around.get(&control).into_iter().flatten());
            }
            if let Some(Kind::Outcome(control)) = self.nodes.get(*member).map(|node| &node.kind) {
                all.extend(around.get(control).into_iter().flatten());
                all.retain(|(outer, _)| outer < control);
            }
            let Some(own) = all.pop_last() else {
                continue;
            };
            regions.insert(*member, own);
            around.entry(own.0).or_default().extend(all);
        }
        for (number, control) in controls.iter().enumerate() {
            if let Some(Control::While { condition, .. }) = control {
                set_apart(number, *condition, members, &mut regions);
            }
        }
        // What a permutation changes is new in each iteration.
        for (member, node) in self.nodes.iter().enumerate() {
            let Kind::Permute(permuted) = &node.kind else {
                continue;
            };
            match regions.get(&member).copied() {
                Some(region) => regions.insert(permuted.changed, region),
                None => regions.remove(&permuted.changed),
            };
        }
        regions
    }

    /// Does a node depend on the state of a loop?
    pub(super) fn depends_on(
        &mut self,
        node: NodeNumber,
        control: usize,
        regions: &Map<NodeNumber, Region>,
    ) -> bool {
        let needs = self.needs(node);
        let mut ready = needs.ready.keys();
        ready.any(
            |ready| match self.nodes.get(*ready).map(|node| &node.kind) {
                Some(Kind::State(own)) => *own >= control,
                _ => regions.get(ready).is_some_and(|(own, _)| *own >= control),
            },
        )
    }
}

/// The arms of choices in which a node has been made.
fn arms(controls: &[Option<Control>], node: NodeNumber) -> Set<Region> {
    let mut all = Set::new();
    for (number, control) in controls.iter().enumerate() {
        if let Some(Control::If { parts, .. }) = control {
            let part = parts.iter().position(|(made, _)| made.contains(&node));
            all.extend(part.map(|part| (number, part)));
        }
    }
    all
}

/// Makes what the condition of a loop needs in each iteration its first part.
fn set_apart(
    control: usize,
    condition: NodeNumber,
    members: &Members,
    regions: &mut Map<NodeNumber, Region>,
) {
    let (mut open, mut seen) = (vec![condition], Set::new());
    while let Some(member) = open.pop() {
        if !seen.insert(member) {
            continue;
        }
        if let Some(region) = regions.get_mut(&member)
            && *region == (control, 1)
        {
            *region = (control, 0);
        }
        if let Some(needs) = members.get(&member) {
            open.extend(needs.ready.keys());
        }
    }
}
