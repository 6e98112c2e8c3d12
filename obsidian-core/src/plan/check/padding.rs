//! Arrays whose rows begin further apart than they are long, as `compute_as` stores them.
//!
//! *Claim.* An index `x + x / row * gap` that does not wrap is never an element `e` with
//! `e % (row + gap) >= row`, and two numbers `x` give two elements.
//!
//! *Proof.* With `x = q * row + r` and `r < row` the index is `q * (row + gap) + r`.
//!
//! So where all accesses have such an index, the elements in the gaps are no part of the array as
//! the user sees it: nothing has to write them, and if the others are as many as the writes, which
//! differ, each is written.
//!
//! *Not covered.* Indices of another form, such as those that folding has changed.

use super::forms::Forms;
use super::samples::Sample;
use super::sites::{Site, Sites};
use crate::scalar::{Array, ArrayId, ArrayPlace, BinaryOp, Node, NodeId};

/// Rows of `row` elements, and behind each a gap that an index does not reach.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Rows {
    row: i128,
    gap: i128,
}

impl Rows {
    /// The rows that the index of an access keeps to.
    pub(super) fn of(forms: &Forms<'_>, site: &Site) -> Option<Rows> {
        let (a, b) = operands(forms, site.index, BinaryOp::Add)?;
        let rows = skipped(forms, a, b).or_else(|| skipped(forms, b, a));
        rows.filter(|_| site.exact || site.promises.inside)
    }

    /// Is an element in a gap?
    pub(super) fn skip(self, element: i128) -> bool {
        element.rem_euclid(self.row + self.gap) >= self.row
    }

    /// How many of the first elements of an array are in no gap.
    fn elements(self, length: i128) -> i128 {
        let pitch = self.row + self.gap;
        length / pitch * self.row + (length % pitch).min(self.row)
    }
}

/// The number of elements of an array that are in no gap, if all its accesses keep to the same rows.
pub(super) fn elements(forms: &Forms<'_>, sites: &Sites, id: ArrayId) -> Option<i128> {
    let accesses = sites.list.iter().filter(|site| site.array == id);
    let mut all = accesses.map(|site| Rows::of(forms, site));
    let rows = all.next()??;
    let array = forms.tables.arrays.get(id.0 as usize)?;
    if is_global(array) {
        return None;
    }
    let length = forms.number(array.length, &Sample::new())?;
    all.all(|other| other == Some(rows))
        .then(|| rows.elements(length.into()))
}

/// May a load read this element of its array, where nothing else is known of it?
pub(super) fn may_load(forms: &Forms<'_>, load: &Site, element: i128) -> bool {
    !Rows::of(forms, load).is_some_and(|rows| rows.skip(element))
}

/// Does the caller see the elements of an array?
fn is_global(array: &Array) -> bool {
    matches!(array.place, ArrayPlace::Global(_))
}

/// The rows of an index `x + skipped`, if `skipped` is `x / row * gap` or `x / row`.
fn skipped(forms: &Forms<'_>, x: NodeId, skipped: NodeId) -> Option<Rows> {
    let (quotient, gap) = match operands(forms, skipped, BinaryOp::Mul) {
        Some((quotient, gap)) => (quotient, number(forms, gap)?),
        None => (skipped, 1),
    };
    let (of, row) = operands(forms, quotient, BinaryOp::Div)?;
    let row = number(forms, row)?;
    let same = named(forms, of) == named(forms, x);
    (same && row > 0 && gap > 0).then_some(Rows { row, gap })
}

/// The operands of exact arithmetic of the library.
fn operands(forms: &Forms<'_>, node: NodeId, wanted: BinaryOp) -> Option<(NodeId, NodeId)> {
    match forms.tables.nodes.node(named(forms, node)) {
        Node::Binary {
            op,
            exact: true,
            left,
            right,
        } if op == wanted => Some((left, right)),
        _ => None,
    }
}

fn number(forms: &Forms<'_>, node: NodeId) -> Option<i128> {
    let node = named(forms, node);
    forms.tables.nodes.literal(node)?.as_integer()
}

/// What a name stands for, at the end of all names.
fn named(forms: &Forms<'_>, mut node: NodeId) -> NodeId {
    while let Node::Variable(variable) = forms.tables.nodes.node(node) {
        let Some(value) = forms.names.get(&variable) else {
            break;
        };
        node = *value;
    }
    node
}
