//! What one kernel computes, and what may join it.

use super::{Needs, Region};
use crate::arrays::graph::{NodeNumber, Order, room_for};
use crate::ordered::{Map, Set};
use crate::scalar::NodeId;

/// How a kernel goes over its elements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::arrays) enum Form {
    /// Each element on its own.
    Generate,
    /// By folding rows.
    Fold {
        /// May elements be combined in any order?
        commutative: bool,
    },
    /// By scanning rows.
    Scan(Order),
    /// By finding the places of elements in the order of their digits, tile by tile.
    Place,
    /// Each element on its own, by changing elements of another array.
    Permute,
    /// No kernel, but a control, whose parts have kernels.
    Control(usize),
}

impl Form {
    /// Has the kernel its results at the places of the elements that it goes over?
    pub(in crate::arrays) fn gives_each(&self) -> bool {
        matches!(self, Form::Scan(_) | Form::Place)
    }

    /// Is it a fold that may combine elements in any order?
    pub(in crate::arrays) fn is_any_order(&self) -> bool {
        matches!(
            self,
            Form::Fold {
                commutative: true,
                ..
            }
        )
    }
}

/// What one kernel computes.
#[derive(Clone, Debug)]
pub(in crate::arrays) struct Group {
    pub(in crate::arrays) form: Form,
    /// A node with the extents that are gone over: of a fold its source.
    pub(in crate::arrays) space: NodeNumber,
    pub(in crate::arrays) space_key: Vec<NodeId>,
    /// The folds, the scans, or what is counted or placed.
    pub(in crate::arrays) folds: Vec<NodeNumber>,
    /// Does an operator of the folds or scans more than compute an expression of its two elements?
    pub(in crate::arrays) acts: bool,
    /// Arrays of the extents that are gone over.
    pub(in crate::arrays) each: Vec<NodeNumber>,
    /// Those of them that need scans of the kernel.
    pub(in crate::arrays) after_scans: Set<NodeNumber>,
    /// Arrays of the extents of the folds' results: of scans their totals, too.
    pub(in crate::arrays) behind: Vec<NodeNumber>,
    /// The members that are written to memory.
    pub(in crate::arrays) written: Set<NodeNumber>,
    /// The nodes that are read from memory, but for the following ones.
    pub(in crate::arrays) reads: Set<NodeNumber>,
    /// The nodes that are read from memory for `behind`.
    pub(in crate::arrays) reads_behind: Set<NodeNumber>,
    /// The nodes that are read from memory for arrays beside scans, which nothing combines.
    pub(in crate::arrays) reads_late: Set<NodeNumber>,
    /// The part of a control that it stands in.
    pub(in crate::arrays) region: Option<Region>,
    /// The groups that have to run before.
    pub(in crate::arrays) needs: Set<usize>,
    /// The nodes that are computed in it, its members too.
    pub(in crate::arrays) computes: Set<NodeNumber>,
    /// These, and what its members find ready.
    pub(in crate::arrays) touches: Set<NodeNumber>,
}

impl Group {
    /// All that it computes into memory or for its own members.
    pub(in crate::arrays) fn members(&self) -> impl Iterator<Item = NodeNumber> {
        [&self.folds, &self.each, &self.behind]
            .into_iter()
            .flatten()
            .copied()
    }

    /// The members that an array of the extents that are gone over may need, at its own index.
    pub(super) fn known_at_each(&self) -> Vec<NodeNumber> {
        let own = match self.form.gives_each() {
            true => self.folds.as_slice(),
            false => &[],
        };
        self.each.iter().chain(own).copied().collect()
    }

    /// The members that a fold or a scan may need, at its own index: what is made of scans is there when all of them are.
    pub(super) fn known_to_folds(&self) -> Vec<NodeNumber> {
        let each = self.each.iter().copied();
        each.filter(|member| !self.after_scans.contains(member))
            .collect()
    }

    /// Notes an array of the extents that are gone over.
    pub(super) fn add_each(&mut self, member: NodeNumber, needs: &Needs) {
        let mut ready = needs.ready.keys();
        let is_scan =
            |node: &NodeNumber| matches!(self.form, Form::Scan(_)) && self.folds.contains(node);
        if ready.any(|node| is_scan(node) || self.after_scans.contains(node)) {
            self.after_scans.insert(member);
        }
        self.each.push(member);
    }

    /// The members that an array behind the rows may need, at its own index.
    pub(super) fn known_behind(&self) -> Vec<NodeNumber> {
        let folds = match self.form {
            Form::Fold { .. } => self.folds.as_slice(),
            _ => &[],
        };
        self.behind.iter().chain(folds).copied().collect()
    }

    /// The nodes that are read from memory for a member. `combined` are the members that folds and scans read.
    pub(super) fn reads_of(
        &mut self,
        member: NodeNumber,
        combined: &Set<NodeNumber>,
    ) -> &mut Set<NodeNumber> {
        let is_beside_scans = matches!(self.form, Form::Scan(_)) && self.each.contains(&member);
        if self.behind.contains(&member) {
            &mut self.reads_behind
        } else if is_beside_scans && !combined.contains(&member) {
            &mut self.reads_late
        } else {
            &mut self.reads
        }
    }
}

/// Does a member read or compute anything that a group does?
pub(super) fn shares(group: &Group, needs: &Needs) -> bool {
    let all = needs.ready.keys().chain(&needs.computes);
    let mut known = all.filter(|node| group.touches.contains(node));
    known.next().is_some()
}

/// Can a member join a group: does it need nothing of it but `own` members, at its own index, and nothing that needs the group?
pub(super) fn joins(
    groups: &[Group],
    home: &Map<NodeNumber, usize>,
    number: usize,
    needs: &Needs,
    before: &Set<usize>,
    own: &[NodeNumber],
) -> bool {
    let of_group = needs
        .ready
        .iter()
        .filter(|(node, _)| home.get(node) == Some(&number));
    // What a kernel scatters is at other places than where it is computed.
    let is_known = |node: NodeNumber| own.contains(&node) && room_for(node) == node;
    let mut wrong = of_group.filter(|(node, at_own)| !**at_own || !is_known(**node));
    if wrong.next().is_some() {
        return false;
    }
    let (mut open, mut seen) = (before.iter().copied().collect::<Vec<_>>(), Set::new());
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

/// The groups, each behind those that it needs. Those of the parts of a control stand right in front of it, the first part first.
///
/// A group that has no place if there is no such order: it needs what an iteration of a loop makes, and is not in the loop.
pub(super) fn in_order(groups: Vec<Group>) -> Result<Vec<Group>, Box<Group>> {
    let mut ordering = Ordering {
        groups: &groups,
        done: Set::new(),
        order: Vec::new(),
    };
    ordering.add_part(None);
    let Ordering { done, order, .. } = ordering;
    let mut all = groups.iter().enumerate();
    match all.find(|(number, _)| !done.contains(number)) {
        Some((_, group)) => Err(Box::new(group.clone())),
        None => Ok(order
            .into_iter()
            .filter_map(|number| groups.get(number).cloned())
            .collect()),
    }
}

struct Ordering<'g> {
    groups: &'g [Group],
    done: Set<usize>,
    order: Vec<usize>,
}

impl Ordering<'_> {
    fn add_part(&mut self, region: Option<Region>) {
        let groups = self.groups;
        let is_own = |(_, group): &(usize, &Group)| group.region == region;
        let own: Vec<(usize, &Group)> = groups.iter().enumerate().filter(is_own).collect();
        loop {
            let is_next = |(number, _): &&(usize, &Group)| {
                !self.done.contains(number) && self.needs(*number).is_subset(&self.done)
            };
            let Some((next, group)) = own.iter().find(is_next) else {
                return;
            };
            if let Form::Control(control) = group.form {
                self.add_part(Some((control, 0)));
                self.add_part(Some((control, 1)));
            }
            self.done.insert(*next);
            self.order.push(*next);
        }
    }

    /// The groups outside of its parts that a group needs.
    fn needs(&self, number: usize) -> Set<usize> {
        let inside = self.inside(number);
        let all = inside.iter().filter_map(|one| self.groups.get(*one));
        let needs: Set<usize> = all.flat_map(|group| group.needs.iter().copied()).collect();
        needs.difference(&inside).copied().collect()
    }

    /// A group, and all groups of its parts.
    fn inside(&self, number: usize) -> Set<usize> {
        let (mut all, mut open) = (Set::new(), vec![number]);
        while let Some(one) = open.pop() {
            all.insert(one);
            if let Some(Form::Control(control)) = self.groups.get(one).map(|group| &group.form) {
                let parts = self.groups.iter().enumerate();
                let of_control = |(_, group): &(usize, &Group)| {
                    group.region.is_some_and(|(own, _)| own == *control)
                };
                open.extend(parts.filter(of_control).map(|(number, _)| number));
            }
        }
        all
    }
}
