//! What is known of places in the order of digits, and of counts of digits.
//!
//! *Claim.* A result of a rank of `n` elements is below `n`, and no two results are equal; a result of a count is at most `n`. The
//! same holds of the elements of an array that has them.
//!
//! *Proof.* The first is what the collectives [are](crate::ir::Collective). An array has them if the list of the results stores result `j` as
//! its element `j`, and nothing else writes it; it is read where it is complete.
//!
//! So two rounds of a loop access different elements if the index is such a result, or the element of such an array that has the counter of
//! the loop as its number, and between that loop and the beginning of the accessed array there is no other loop. The array of places
//! is the same in all rounds: it begins and is stored outside of that loop. That holds of several accesses in the loop if all of them are at
//! the same places, and of no others: places of different orders may be equal.

use super::forms::Forms;
use super::sites::{Access, AtPlaces, Site, Sites, Step};
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

    /// The counter of the loop in whose rounds an index differs, if it is a place; and the array that has the places.
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

/// Notes of each access of a stored array whether it is at places, and at which.
pub(super) fn at_places(forms: &Forms<'_>, found: &mut Sites) {
    if forms.ranks.results.is_empty() {
        return;
    }
    let places: Vec<_> = found
        .list
        .iter()
        .map(|site| places_of(forms, found, site))
        .collect();
    for (site, places) in found.list.iter_mut().zip(places) {
        site.at_places = places;
    }
}

/// The places that an access is at.
fn places_of(forms: &Forms<'_>, found: &Sites, site: &Site) -> Option<AtPlaces> {
    let nodes = &forms.tables.nodes;
    let (counter, array) = forms.ranks.place_of(nodes, &forms.names, site.index)?;
    let begun = found.begun.get(&site.array)?;
    let steps = site.path.iter().enumerate().skip(*begun);
    let mut loops = steps.filter(|(_, step)| !matches!(step, Step::When(..)));
    let (Some((at, Step::Loop(number))), None) = (loops.next(), loops.next()) else {
        return None;
    };
    let around = found.loops.get(*number)?;
    let is_same = array.is_none_or(|array| is_outside(found, array, (at, *number)));
    (around.variable == counter && is_same).then_some(AtPlaces {
        number: *number,
        array,
    })
}

/// Does an array begin outside of a loop, which is the one `at` a place of a path that leads through it, and is it stored there?
fn is_outside(found: &Sites, array: ArrayId, (at, number): (usize, usize)) -> bool {
    let begins = found.begun.get(&array).is_some_and(|begun| *begun <= at);
    let mut stores = found
        .of_array(array)
        .filter(|site| site.access == Access::Write);
    begins && stores.all(|site| !site.path.contains(&Step::Loop(number)))
}
