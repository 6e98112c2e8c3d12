//! What is known of places in the order of digits, and of counts of digits.
//!
//! *Claim.* A result of a rank of `n` elements is below `n`, and no two results are equal; a result of a count is at most `n`. The
//! same holds of the elements of an array that has them.
//!
//! *Proof.* The first is what the collectives [are](crate::ir::Collective). An array has them if the list of the results stores result `j` as
//! its element `j`, and nothing else writes it; it is read where it is complete.
//!
//! So the indices of a store are distinct if each is such a result, or the element of such an array that has the counter of the
//! loop as its number, and between that loop and the beginning of the array that is written there is no other loop. The array of places
//! is the same in all rounds: it begins and is stored outside of that loop. All of that says nothing of two stores: places of different
//! orders may be equal.

use super::forms::Forms;
use super::sites::{Access, Site, Sites, Step};
use crate::ir::{CollectiveOp, How, Kernel, Levelled};
use crate::ordered::{Map, Set};
use crate::scalar::{ArrayId, Node, NodeId, Nodes, VariableId};

/// The results of a count or a rank.
#[derive(Clone, Copy, Debug)]
struct Results {
    /// The largest number that one can be.
    most: i128,
    /// Is none equal to another?
    distinct: bool,
    /// The counter of the list that has them.
    element: VariableId,
}

/// Those of a kernel.
#[derive(Clone, Default, Debug)]
pub(super) struct Ranks {
    results: Map<VariableId, Results>,
    arrays: Map<ArrayId, Results>,
}

impl Ranks {
    pub(super) fn of(kernel: &Kernel<Levelled>) -> Self {
        let nodes = &kernel.tables.nodes;
        let mut ranks = Ranks::default();
        let (mut written, mut again) = (Set::new(), Set::new());
        for statement in &kernel.body {
            statement.visit(&mut |inner| {
                if let Some(array) = inner.writes()
                    && !written.insert(array)
                {
                    again.insert(array);
                }
                let Some(of) = inner.collective() else { return };
                let n = nodes.literal(of.count).map_or(0, |n| i128::from(n.u32()));
                let (most, distinct) = match of.op {
                    CollectiveOp::Count { .. } => (n, false),
                    CollectiveOp::Rank { .. } => (n - 1, true),
                    CollectiveOp::Reduce
                    | CollectiveOp::InclusiveScan
                    | CollectiveOp::ExclusiveScan
                    | CollectiveOp::Sort
                    | CollectiveOp::Earlier => return,
                };
                let [variable] = of.result[..] else { return };
                let element = of.element;
                let results = Results {
                    most,
                    distinct,
                    element,
                };
                ranks.results.insert(variable, results);
                let is = |id, variable| nodes.node(id) == Node::Variable(variable);
                ranks.arrays.extend(of.body.iter().filter_map(|s| {
                    let stored = s.accessed()?;
                    let How::Write(value) = stored.how else {
                        return None;
                    };
                    let has = is(stored.index, element) && is(value, variable);
                    has.then_some((stored.array, results))
                }));
            });
        }
        let begins: Set<ArrayId> = begun(kernel);
        ranks
            .arrays
            .retain(|array, _| begins.contains(array) && !again.contains(array));
        ranks
    }

    /// The largest number that a value can be, if it is one of the results.
    pub(super) fn most(&self, node: Node) -> Option<i128> {
        if let Node::Variable(variable) = node {
            return self.results.get(&variable).map(|results| results.most);
        }
        let Node::Load { array, .. } = node else {
            return None;
        };
        self.arrays.get(&array).map(|results| results.most)
    }

    /// The counter of the loop in whose iterations an index differs, if it is a place; and the array that has the places.
    fn place_of(
        &self,
        nodes: &Nodes,
        names: &Map<VariableId, NodeId>,
        index: NodeId,
    ) -> Option<(VariableId, Option<ArrayId>)> {
        let named = |mut id: NodeId| {
            while let Node::Variable(variable) = nodes.node(id)
                && let Some(value) = names.get(&variable)
            {
                id = *value;
            }
            nodes.node(id)
        };
        let index = named(index);
        if let Node::Variable(variable) = index {
            let results = self.results.get(&variable)?;
            return results.distinct.then_some((results.element, None));
        }
        let Node::Load { array, index } = index else {
            return None;
        };
        self.arrays.get(&array).filter(|of| of.distinct)?;
        let Node::Variable(counter) = named(index) else {
            return None;
        };
        Some((counter, Some(array)))
    }
}

/// The arrays that the kernel begins.
fn begun(kernel: &Kernel<Levelled>) -> Set<ArrayId> {
    let mut begun = Set::new();
    for statement in &kernel.body {
        statement.visit(&mut |inner| begun.extend(inner.begins()));
    }
    begun
}

/// Marks the stores whose indices are places as distinct.
pub(super) fn distinct_places(forms: &Forms<'_>, found: &mut Sites) {
    let nodes = &forms.tables.nodes;
    if forms.ranks.results.is_empty() {
        return;
    }
    let is_change = |site: &&Site| matches!(site.access, Access::Write | Access::Atomic);
    let places: Vec<usize> = found
        .list
        .iter()
        .filter(is_change)
        .filter(|site| {
            let place = forms.ranks.place_of(nodes, &forms.names, site.index);
            let (Some((counter, array)), Some(begun)) = (place, found.begun.get(&site.array))
            else {
                return false;
            };
            let loops = site.path.iter().enumerate().skip(*begun);
            let mut loops = loops.filter(|(_, step)| !matches!(step, Step::When(..)));
            let (Some((at, Step::Loop(number))), None) = (loops.next(), loops.next()) else {
                return false;
            };
            let is_own = found.loops.get(*number).map(|around| around.variable) == Some(counter);
            is_own && array.is_none_or(|array| is_outside(found, array, (at, *number)))
        })
        .filter(|site| found.of_array(site.array).filter(is_change).count() == 1)
        .map(|site| site.number)
        .collect();
    for number in places {
        found.list[number].is_at_places = true;
    }
}

/// Does an array begin outside of a loop, which is the one `at` a place of a path that leads through it, and is it stored there?
fn is_outside(found: &Sites, array: ArrayId, (at, number): (usize, usize)) -> bool {
    let begins = found.begun.get(&array).is_some_and(|begun| *begun <= at);
    let mut stores = found
        .of_array(array)
        .filter(|site| site.access == Access::Write);
    begins && stores.all(|site| !site.path.contains(&Step::Loop(number)))
}
