//! Finds the fill of `chunks`, and the rows and columns that `cover` repeats, where they become part of an output.
//!
//! Where a piece of an array of any length is mapped and pushed to where it came from, and no `take` cuts the result, 100 elements in
//! pieces of 64 give 128: a plausible result with elements that the user did not write. Tiles of 8 by 32 that cover 37 rows of 53
//! give 40 rows of 64 without `crop`. `.padded()` says that they are meant.
//!
//! A mistake is a store to an output, under no condition, whose value is a choice of the fill at the very index at which it is
//! stored, or an element at an index that stays within the array while that at which it is stored does not. A condition on the way to
//! the store, as `take` and `crop` make it, may cut the fill off, so it is no mistake. Neither is a value that is combined with others
//! on the way: a variable of a loop, or an element that is read from shared memory. A fill that reaches the output at another index,
//! reversed for instance, is not found.
//!
//! It runs on what `strip` gives: `share` gives names to choices, or makes statements of them.

use crate::hashed::HashSet;

use crate::error::{Diagnostic, Origin, catalogue};
use crate::ir::{Kernel, Levelled, Statement};
use crate::ordered::Map;
use crate::scalar::{
    ArrayPlace, BinaryOp, Fill, FillPlace, Node, NodeId, Nodes, Role, Sum, Tables, Taken,
};

/// The fills that become part of an output: a mistake for each call of `chunks` or `cover`.
pub fn fills(kernel: &Kernel<Levelled>) -> Vec<Diagnostic> {
    let mut found = Found {
        tables: &kernel.tables,
        places: Map::new(),
    };
    if !kernel.tables.fills.is_empty() {
        found.list(&kernel.body);
    }
    let mistake = |(made, (stored, place)): (Origin, (Origin, FillPlace))| {
        let wrong = match place {
            FillPlace::Pieces { length, .. } => catalogue::fill_in_output(length),
            FillPlace::Tiles { size, .. } => catalogue::edge_in_output(size.0, size.1),
        };
        match made == stored {
            true => wrong.at(made),
            false => wrong.at(made).also(stored, "the store to the output"),
        }
    };
    found.places.into_iter().map(mistake).collect()
}

struct Found<'k> {
    tables: &'k Tables,
    /// Where `chunks` or `cover` is called, with where the fill is stored and what it is.
    places: Map<Origin, (Origin, FillPlace)>,
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
                    if self.tables.array(*array).place == ArrayPlace::Global(Role::Output) {
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
        let fills = choices(self.tables, value);
        if fills.is_empty() {
            return;
        }
        let stored = terms(nodes, index);
        let Some(fill) = fills.iter().find(|fill| is_at(nodes, &stored, fill.place)) else {
            return;
        };
        let meant = |index: NodeId| is_at(nodes, &terms(nodes, index), fill.place);
        if !self.tables.padded.iter().any(|index| meant(*index)) {
            self.places
                .entry(fill.origin)
                .or_insert((origin, fill.place));
        }
    }
}

/// The fills among which a value chooses, by a condition or by where it is read in an array of the launch.
fn choices(tables: &Tables, value: NodeId) -> Vec<Fill> {
    let (mut rest, mut seen, mut found) = (vec![value], HashSet::default(), Vec::new());
    while let Some(id) = rest.pop() {
        if !seen.insert(id) {
            continue;
        }
        found.extend(tables.fills.get(&id).into_iter().flatten());
        match tables.nodes.node(id) {
            Node::Load { array, .. } if !is_global(tables.array(array).place) => {}
            node => rest.extend(node.operands()),
        }
    }
    found
}

fn is_global(place: ArrayPlace) -> bool {
    matches!(place, ArrayPlace::Global(_))
}

/// Is an index that of a fill, as if the array went on?
fn is_at(nodes: &Nodes, index: &Terms, place: FillPlace) -> bool {
    match place {
        FillPlace::Pieces { index: at, .. } => *index == terms(nodes, at),
        FillPlace::Tiles {
            row, column, all, ..
        } => {
            is_in_rows(nodes, index, (row, column), all.1)
                || is_in_rows(nodes, index, (column, row), all.0)
        }
    }
}

/// Is an index that of a row and a column, in rows of a width that is known, or only at launch?
fn is_in_rows(
    nodes: &Nodes,
    index: &Terms,
    (row, column): (NodeId, NodeId),
    width: Option<u32>,
) -> bool {
    // An index of all elements, cut into a row and a column.
    let cut = [(BinaryOp::Div, row), (BinaryOp::Rem, column)];
    if let [Some((x, width)), Some(other)] = cut.map(|(op, id)| operands(nodes, op, id))
        && other == (x, width)
    {
        return *index == terms(nodes, x);
    }
    let (row, column) = (terms(nodes, row), terms(nodes, column));
    if let Some(width) = width {
        return *index == plus(nodes, &column, &row, width.into());
    }
    let start = plus(nodes, index, &column, -1);
    let ([(product, 1)], 0) = (start.0.as_slice(), start.1) else {
        return false;
    };
    let factors = operands(nodes, BinaryOp::Mul, *product).into_iter();
    let mut factors = factors.flat_map(|(x, y)| [x, y]);
    factors.any(|factor| terms(nodes, factor) == row)
}

/// A sum and a multiple of another one.
fn plus(nodes: &Nodes, (left, n): &Terms, (right, m): &Terms, times: i64) -> Terms {
    let mut sum: Map<NodeId, i64> = left.iter().copied().collect();
    for (id, factor) in right {
        let known = sum.entry(*id).or_default();
        *known = known.wrapping_add(factor.wrapping_mul(times));
    }
    let terms = sum.into_iter().filter(|(_, factor)| *factor != 0);
    put_together(
        nodes,
        (terms.collect(), n.wrapping_add(m.wrapping_mul(times))),
    )
}

/// A sum, its terms in order.
type Terms = (Vec<(NodeId, i64)>, i64);

/// The most nodes of an index that are looked at.
const MOST: usize = 1000;

/// An index as a sum; what is too long is a term itself.
fn terms(nodes: &Nodes, index: NodeId) -> Terms {
    let sum = Sum::of(nodes, index, MOST, |id| match nodes.node(id) {
        Node::Binary { exact: true, .. } => Taken::Apart,
        _ => Taken::Whole,
    });
    let sum = sum.map_or_else(|| Sum::of_node(index), |(sum, _)| sum);
    put_together(nodes, (sum.terms, sum.constant))
}

/// A sum in which no quotient stands with its rest, its terms in order.
fn put_together(nodes: &Nodes, (mut terms, constant): Terms) -> Terms {
    while let Some((quotient, rest, whole)) = parts(nodes, &terms) {
        terms.retain(|(id, _)| *id != quotient && *id != rest);
        terms.push(whole);
    }
    terms.sort_unstable();
    (terms, constant)
}

/// The operands of an operator, if a node is one.
fn operands(nodes: &Nodes, op: BinaryOp, id: NodeId) -> Option<(NodeId, NodeId)> {
    match nodes.node(id) {
        Node::Binary {
            op: found,
            left,
            right,
            ..
        } if found == op => Some((left, right)),
        _ => None,
    }
}

/// A quotient and its rest in a sum, `n * d * (x / d) + n * (x % d)`, and the `n * x` that they are together.
fn parts(nodes: &Nodes, terms: &[(NodeId, i64)]) -> Option<(NodeId, NodeId, (NodeId, i64))> {
    terms.iter().find_map(|(rest, n)| {
        let (x, d) = operands(nodes, BinaryOp::Rem, *rest)?;
        let size = nodes.literal(d)?.as_integer()?;
        let quotient = terms.iter().find(|(id, m)| {
            operands(nodes, BinaryOp::Div, *id) == Some((x, d))
                && i128::from(*m) == i128::from(*n) * size
        })?;
        let is_new = terms.iter().all(|(id, _)| *id != x);
        is_new.then_some((quotient.0, *rest, (x, *n)))
    })
}
