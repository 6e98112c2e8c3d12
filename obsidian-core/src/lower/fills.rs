//! Finds the fill of `chunks` where it becomes part of an output.
//!
//! Pieces of any length are a number of whole pieces, and `chunks` fills the last one. Where such a piece is mapped and pushed to
//! where it came from, and no `take` cuts the result, 100 elements in pieces of 64 give 128: a plausible result with elements that
//! the user did not write. `.padded()` says that they are meant.
//!
//! A mistake is a store to an output, under no condition, whose value is a choice of the fill at the very index at which it is
//! stored. A condition on the way to the store, as `take` makes it, may cut the fill off, so it is no mistake. Neither is a value
//! that is combined with others on the way: a variable of a loop, or an element that is read from memory. A fill that reaches the
//! output at another index, reversed for instance, is not found.
//!
//! It runs on what `strip` gives: `share` gives names to choices, or makes statements of them.

use rustc_hash::FxHashSet;

use crate::error::{Diagnostic, Origin, catalogue};
use crate::ir::{Kernel, Levelled, Statement};
use crate::ordered::Map;
use crate::scalar::{ArrayPlace, Fill, Node, NodeId, Nodes, Role, Sum, Tables, Taken};

/// The fills that become part of an output: a mistake for each call of `chunks`.
pub fn fills(kernel: &Kernel<Levelled>) -> Vec<Diagnostic> {
    let mut found = Found {
        tables: &kernel.tables,
        places: Map::new(),
    };
    if !kernel.tables.fills.is_empty() {
        found.list(&kernel.body);
    }
    let mistake = |(chunks, (stored, n)): (Origin, (Origin, u32))| {
        let wrong = catalogue::fill_in_output(n).at(chunks);
        match chunks == stored {
            true => wrong,
            false => wrong.also(stored, "stored here"),
        }
    };
    found.places.into_iter().map(mistake).collect()
}

struct Found<'k> {
    tables: &'k Tables,
    /// Where `chunks` is called, with where the fill is stored and the size of the pieces.
    places: Map<Origin, (Origin, u32)>,
}

impl Found<'_> {
    fn list(&mut self, list: &[Statement<Levelled>]) {
        for statement in list {
            match statement {
                Statement::Store {
                    array,
                    index,
                    value,
                    origin,
                } => {
                    let place = self.tables.array(*array).place;
                    if place == ArrayPlace::Global(Role::Output) {
                        self.stored(*index, *value, *origin);
                    }
                }
                // What stands under a condition may be cut off by it.
                Statement::If { .. } | Statement::While { .. } => {}
                other => other.lists().into_iter().for_each(|list| self.list(list)),
            }
        }
    }

    /// Looks for a fill in what is stored at an index.
    fn stored(&mut self, index: NodeId, value: NodeId, origin: Origin) {
        let nodes = &self.tables.nodes;
        let mut place = None;
        let mut is_at = |other: NodeId| {
            other == index
                || *place.get_or_insert_with(|| terms(nodes, index)) == terms(nodes, other)
        };
        let fills = choices(nodes, value, &self.tables.fills);
        let Some(fill) = fills.into_iter().find(|fill| is_at(fill.index)) else {
            return;
        };
        if !self.tables.padded.iter().any(|meant| is_at(*meant)) {
            self.places
                .entry(fill.origin)
                .or_insert((origin, fill.pieces));
        }
    }
}

/// The fills among which a value chooses.
fn choices(nodes: &Nodes, value: NodeId, fills: &Map<NodeId, Fill>) -> Vec<Fill> {
    let (mut rest, mut seen, mut found) = (vec![value], FxHashSet::default(), Vec::new());
    while let Some(id) = rest.pop() {
        if !seen.insert(id) {
            continue;
        }
        match nodes.node(id) {
            Node::Load { .. } => {}
            node => {
                if let Node::Select { condition, .. } = node {
                    found.extend(fills.get(&condition).copied());
                }
                rest.extend(node.operands());
            }
        }
    }
    found
}

/// The most nodes of an index that are looked at.
const MOST: usize = 1000;

/// An index as a sum, its terms in order; what is too long is a term itself.
fn terms(nodes: &Nodes, index: NodeId) -> (Vec<(NodeId, i64)>, i64) {
    let sum = Sum::of(nodes, index, MOST, |id| match nodes.node(id) {
        Node::Binary { exact: true, .. } => Taken::Apart,
        _ => Taken::Whole,
    });
    let mut sum = sum.map_or_else(|| Sum::of_node(index), |(sum, _)| sum);
    sum.terms.sort_unstable();
    (sum.terms, sum.constant)
}
