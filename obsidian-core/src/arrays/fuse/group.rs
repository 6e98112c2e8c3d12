//! What one kernel computes, and what may join it.

use std::collections::{BTreeMap, BTreeSet};

use super::Needs;
use crate::arrays::graph::{NodeNumber, Order, room_for};
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
}

/// What one kernel computes.
#[derive(Clone, Debug)]
pub(in crate::arrays) struct Group {
    pub(in crate::arrays) form: Form,
    /// A node with the extents that are gone over: of a fold its source.
    pub(in crate::arrays) space: NodeNumber,
    pub(in crate::arrays) space_key: Vec<NodeId>,
    /// The folds, or the scans.
    pub(in crate::arrays) folds: Vec<NodeNumber>,
    /// Arrays of the extents that are gone over.
    pub(in crate::arrays) each: Vec<NodeNumber>,
    /// Those of them that need scans of the kernel.
    pub(in crate::arrays) after_scans: BTreeSet<NodeNumber>,
    /// Arrays of the extents of the folds' results: of scans their totals, too.
    pub(in crate::arrays) behind: Vec<NodeNumber>,
    /// The members that are written to memory.
    pub(in crate::arrays) written: BTreeSet<NodeNumber>,
    /// The nodes that are read from memory, but for the following ones.
    pub(in crate::arrays) reads: BTreeSet<NodeNumber>,
    /// The nodes that are read from memory for `behind`.
    pub(in crate::arrays) reads_behind: BTreeSet<NodeNumber>,
    /// The nodes that are read from memory for arrays beside scans, which nothing combines.
    pub(in crate::arrays) reads_late: BTreeSet<NodeNumber>,
    /// The groups that have to run before.
    pub(in crate::arrays) needs: BTreeSet<usize>,
    /// The nodes that are computed in it, its members too.
    pub(in crate::arrays) computes: BTreeSet<NodeNumber>,
    /// These, and what its members find ready.
    pub(in crate::arrays) touches: BTreeSet<NodeNumber>,
}

impl Group {
    /// The members that an array of the extents that are gone over may need, at its own index.
    pub(super) fn known_at_each(&self) -> Vec<NodeNumber> {
        let scans = match self.form {
            Form::Scan(_) => self.folds.as_slice(),
            Form::Generate | Form::Fold { .. } => &[],
        };
        self.each.iter().chain(scans).copied().collect()
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
            Form::Generate | Form::Scan(_) => &[],
        };
        self.behind.iter().chain(folds).copied().collect()
    }

    /// The nodes that are read from memory for a member. `combined` are the members that folds and scans read.
    pub(super) fn reads_of(
        &mut self,
        member: NodeNumber,
        combined: &BTreeSet<NodeNumber>,
    ) -> &mut BTreeSet<NodeNumber> {
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
    // What a kernel scatters is at other places than where it is computed.
    let is_known = |node: NodeNumber| own.contains(&node) && room_for(node) == node;
    let mut wrong = of_group.filter(|(node, at_own)| !**at_own || !is_known(**node));
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
pub(super) fn in_order(groups: Vec<Group>) -> Vec<Group> {
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
