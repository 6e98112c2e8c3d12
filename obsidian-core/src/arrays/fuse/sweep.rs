//! Stores arrays that one kernel would compute often, before any element is computed as a whole.
//!
//! A chain of stencils of which nothing is stored asks for its first array at exponentially many indices. So what is stored is
//! decided array by array, from the last one made to the first: all that use an array are decided before it. An element is only ever
//! looked at *alone*, in terms of the arrays that it reads itself, which count as ready. Of each array the sweep knows at which
//! indices each member asks for it. An array that is worth it is stored, and is a member from then on, which asks at its own index.
//! Through any other one its users ask for what it reads: it is looked at alone at each of their indices.
//!
//! - *Claim.* Each array is looked at once for each index at which a member asks for it, and an array that is asked for often and not
//!   stored is a cheap one, or [`inline`](crate::arrays::Arr::inline). So the work is linear in the graph.
//! - *What it leaves.* Uses by several kernels add up only where it is known which members share a kernel. The loop in [`fuse`](super::fuse())
//!   does that, on what is left. The sweep counts the uses by one member, of which a kernel has no less.
//! - *Limits.* An array that is `inline` has no bound; 16,384 indices of one array are the error `arrays-too-large`.

use crate::hashed::HashSet;

use super::{Form, Planner};
use crate::arrays::graph::{Control, Kind, NodeNumber, Planned, Use, graph};
use crate::arrays::index::Index;
use crate::error::catalogue;
use crate::ordered::{Map, Set};
use crate::scalar::{NodeId, report};

/// The most indices at which a member may ask for an array that is not stored.
const MOST_INDICES: usize = 1 << 14;

/// An index at which a member asks for an array.
struct Asked {
    at: Index,
    key: Vec<NodeId>,
    /// In how many loops inside of an element.
    depth: usize,
}

/// What one member asks for of an array: each index once.
#[derive(Default)]
struct AllAsked {
    list: Vec<Asked>,
    keys: HashSet<Vec<NodeId>>,
}

/// What each member asks for of one array.
type Uses = Map<NodeNumber, AllAsked>;

/// What is left to be decided.
#[derive(Default)]
struct Sweep {
    open: Map<NodeNumber, Uses>,
    members: Set<NodeNumber>,
}

impl Sweep {
    /// Notes what a member reads through an array that it asks for in some loops.
    fn pass(&mut self, member: NodeNumber, depth: usize, used: Use) {
        let asked = Asked {
            at: used.at,
            key: used.index,
            depth: depth + used.depth,
        };
        self.ask(member, used.node, asked);
    }

    fn ask(&mut self, member: NodeNumber, node: NodeNumber, asked: Asked) {
        let known = self.open.entry(node).or_default();
        let known = known.entry(member).or_default();
        if known.keys.insert(asked.key.clone()) {
            known.list.push(asked);
        }
    }
}

impl Planner {
    /// Decides what is stored because one member needs it often. Gives whether the program is small enough to go on.
    pub(super) fn sweep(&mut self, results: &[NodeNumber]) -> bool {
        if !self.settings.share {
            return true;
        }
        self.weigh(results);
        let mut sweep = Sweep::default();
        for result in results {
            self.begin(*result, &mut sweep);
        }
        while let Some((node, uses)) = sweep.open.pop_last() {
            if !self.decide(node, uses, &mut sweep) {
                return false;
            }
        }
        graph(|graph| graph.planned = None);
        true
    }

    /// Makes a node a member: what it goes over is asked for at the index of its space.
    fn begin(&mut self, member: NodeNumber, sweep: &mut Sweep) {
        if !sweep.members.insert(member) || self.is_input(member) {
            return;
        }
        for other in self.asked_as_a_whole(member) {
            self.begin(other, sweep);
        }
        if matches!(self.form(member), Form::Control(_)) || self.is_total_of(member).is_some() {
            return;
        }
        let source = self.gone_over(member);
        let (_, at) = self.space(source);
        let key = at.key();
        let asked = Asked { at, key, depth: 0 };
        sweep.ask(member, source, asked);
        // No node has this number, so all that the operator of a fold reads is ready.
        let read = self.looked_at(self.nodes.len(), || self.evaluate_operator(member));
        read.into_iter()
            .for_each(|used| sweep.pass(member, 0, used));
    }

    /// The other members that a member needs, wherever it reads them.
    pub(super) fn asked_as_a_whole(&self, member: NodeNumber) -> Vec<NodeNumber> {
        match self.nodes.get(member).map(|node| &node.kind) {
            Some(Kind::Total(scan)) => vec![*scan],
            Some(Kind::Place { counts, .. }) => vec![*counts],
            Some(Kind::Permute(permuted)) => vec![permuted.changed],
            Some(Kind::Outcome(control)) => {
                let control = graph(|graph| graph.controls.get(*control).cloned().flatten());
                control
                    .flatten()
                    .as_ref()
                    .map_or(Vec::new(), Control::needs)
            }
            _ => Vec::new(),
        }
    }

    /// Stores an array, or passes on what is asked through it.
    fn decide(&mut self, number: NodeNumber, uses: Uses, sweep: &mut Sweep) -> bool {
        let Some(node) = self.nodes.get(number).cloned() else {
            return true;
        };
        if node.kind.is_ready() {
            self.begin(number, sweep);
            return true;
        }
        let count = uses
            .iter()
            .map(|(member, asked)| self.count(number, *member, &asked.list));
        let count = count.max().unwrap_or(0);
        if self.may_store(number)
            && let Some(why) = self.is_worth_storing(number, count)
        {
            self.store(number, why);
        }
        if self.stored.contains(&number) {
            // It is computed once, at its own index.
            sweep.members.insert(number);
            let (_, at) = self.space(number);
            self.pass_on(
                number,
                number,
                vec![Asked {
                    key: at.key(),
                    at,
                    depth: 0,
                }],
                sweep,
            );
            return true;
        }
        for (member, asked) in uses {
            if asked.list.len() > MOST_INDICES {
                let wrong = catalogue::needed_too_often(node.operator, MOST_INDICES);
                report(wrong.at(node.origin));
                return false;
            }
            self.pass_on(member, number, asked.list, sweep);
        }
        true
    }

    /// What a member asks for through a node at some indices.
    fn pass_on(
        &mut self,
        member: NodeNumber,
        number: NodeNumber,
        asked: Vec<Asked>,
        sweep: &mut Sweep,
    ) {
        for one in asked {
            let read = self.alone(number, &one.at);
            read.into_iter()
                .for_each(|used| sweep.pass(member, one.depth, used));
        }
    }

    /// What an element of a node reads itself.
    fn alone(&self, number: NodeNumber, at: &Index) -> Vec<Use> {
        self.looked_at(number, || {
            if let Some(node) = self.nodes.get(number) {
                self.run(node, at);
            }
        })
    }

    /// What an evaluation reads where all nodes but one are ready.
    fn looked_at(&self, number: NodeNumber, evaluate: impl FnOnce()) -> Vec<Use> {
        Self::take_uses();
        graph(|graph| {
            let planned = graph.planned.get_or_insert_with(Planned::default);
            planned.look_at_alone(number, crate::program::open_scopes() + 1);
        });
        evaluate();
        graph(|graph| graph.named.clear());
        let uses = Self::take_uses();
        uses.into_iter().filter(|one| one.ready).collect()
    }

    /// How often a member computes an element of a node for one element of its space.
    fn count(&mut self, number: NodeNumber, member: NodeNumber, asked: &[Asked]) -> u64 {
        let (rank, own_rank) = {
            let rank = |node: NodeNumber| self.nodes.get(node).map_or(0, |node| node.extents.len());
            (rank(self.gone_over(member)), rank(number))
        };
        let is_fold = self.form(member) != Form::Generate;
        let (_, space) = self.space(self.gone_over(member));
        let outer = space.outer().key();
        let of_one = |one: &Asked| {
            let is_outer = is_fold && one.key == outer;
            how_often(one.depth, own_rank < rank && !is_outer)
        };
        asked.iter().map(of_one).sum()
    }

    /// Weighs all arrays that the results need, those that others read first.
    fn weigh(&mut self, results: &[NodeNumber]) {
        let mut reached = Set::new();
        let mut open = results.to_vec();
        while let Some(number) = open.pop() {
            if !reached.insert(number) {
                continue;
            }
            open.extend(self.asked_as_a_whole(number));
            let source = self.gone_over(number);
            match source == number {
                true => {
                    let is_computed = |node: &std::rc::Rc<_>| !is_ready(node);
                    if self.nodes.get(number).is_some_and(is_computed) {
                        let (_, at) = self.space(number);
                        let read = self.alone(number, &at);
                        open.extend(read.iter().map(|used| used.node));
                        if let [only] = &read[..]
                            && only.depth == 0
                        {
                            self.links.insert(number, only.node);
                        }
                    }
                }
                false => open.push(source),
            }
        }
        for number in reached.iter() {
            if self.may_store(*number) {
                self.weight_of(*number);
            }
        }
    }
}

fn is_ready(node: &crate::arrays::graph::Node) -> bool {
    node.kind.is_ready()
}

/// How often an element is computed for one use: in a loop, or again for each of the elements of a row.
pub(super) fn how_often(depth: usize, is_repeated: bool) -> u64 {
    match (depth, is_repeated) {
        (0, false) => 1,
        (0, true) => 4,
        _ => 16,
    }
}
