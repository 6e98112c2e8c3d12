//! Range of an index that is composed of a row and a column: a row that is clamped, wrapped around,
//! halved or guarded is no counter, and its product with the width no product of counters.
//!
//! *Claim.* [`Forms::in_rows`] answers only if the index is at least 0 and below the end, and all
//! exact arithmetic in it is exact.
//!
//! *Argument.* If `row <= height - 1` and `column <= width - 1`, then `row * width + column` is at
//! most `(height - 1) * width + width - 1`, which is `height * width - 1`; and `height * width` is no
//! more than the end. As a column is below the width, the width is not 0. If row and column are at
//! least 0, so is the index. Planes are rows of rows: a row of `depth * height` rows is in turn a plane
//! and a row.
//!
//! What the polynomial says is the index modulo 2^32: sums and products are followed as in
//! [`forms`](super::forms). As it lies below the end, which is a `u32`, it is the very number. Where the user's own sum may
//! wrap around, `let y = tile * 8 + i` under `y < height`, the row is the number that `y` is, and not
//! the sum.
//!
//! *Method.* The index is divided by a width: one that it is multiplied with, that the end is a
//! product with, or that something was divided by. `height` is the end divided by the width, or what
//! the quotient of the end was found to be. A column that is negative lies in the row before. An index that was itself divided by the width,
//! `y = i / width` and `x = i % width`, is `y * width + x` first. Row and column are each proved to be
//! below their ends by [`prove`](super::prove), or composed in turn.
//!
//! A product or sum of the index that is at least 0 and no more than the index, or than a row or
//! a column of it, is a number of 32 bits: that shows that exact arithmetic is exact.
//!
//! *Not covered.* Rows of a pitch that no product in the index has; a row or column that is inside only
//! together with the other one (`y + x < height`).

use crate::hashed::{HashMap, HashSet};

use super::facts::Facts;
use super::forms::Forms;
use super::poly::{Atom, Poly};
use crate::scalar::{BinaryOp, Node, NodeId};

/// Widths that an index is divided by.
const MOST_WIDTHS: usize = 6;
/// Axes beyond the first two.
const MOST_PLANES: u32 = 2;

/// An index that is taken apart.
struct Parts {
    widths: Vec<Poly>,
    /// What the sums and products are that the index is made of, modulo 2^32.
    sums: HashMap<NodeId, Poly>,
    /// Numbers of 32 bits: the index, its rows and its columns.
    inside: Vec<Poly>,
}

impl Forms<'_> {
    /// Is an index at least 0 and below an end, by its rows and columns? Then the number that it is,
    /// and all exact arithmetic in it is exact.
    pub(super) fn in_rows(&mut self, index: NodeId, end: &Poly) -> Option<Poly> {
        let factors = self.factors_in(index);
        let widths = self.widths(&factors, end);
        if widths.is_empty() {
            return None;
        }
        self.aside(|forms| {
            let wrapping = forms.ring(index);
            let mut parts = Parts {
                widths,
                sums: HashMap::default(),
                inside: Vec::new(),
            };
            let own = forms.taken_apart(index, &mut parts);
            let mut ways = vec![wrapping];
            ways.extend(own.filter(|own| *own != ways[0]));
            ways.into_iter().find(|number| {
                parts.inside = vec![number.clone()];
                forms.is_composed(number, end, &mut parts, MOST_PLANES)
                    && forms.is_exact_in(index, &parts)
            })
        })
    }

    /// The factors of the products that an index is the sum of, or its rows are.
    fn factors_in(&self, index: NodeId) -> Vec<NodeId> {
        let (mut stack, mut seen) = (vec![index], HashSet::default());
        let mut found = Vec::new();
        while let Some(id) = stack.pop() {
            if !seen.insert(id) {
                continue;
            }
            match self.tables.nodes.node(id) {
                Node::Variable(variable) => stack.extend(self.names.get(&variable)),
                Node::Unary { op, value } if op.is_promise() => stack.push(value),
                Node::Binary {
                    op, left, right, ..
                } if is_ring(op) => {
                    if op == BinaryOp::Mul {
                        found.extend([right, left]);
                    }
                    stack.extend([left, right]);
                }
                _ => {}
            }
        }
        found
    }

    /// What may be the width of an index's rows.
    fn widths(&mut self, factors: &[NodeId], end: &Poly) -> Vec<Poly> {
        let mut found: Vec<Poly> = factors.iter().map(|factor| self.ring(*factor)).collect();
        let mut terms = end.terms();
        if let (Some((product, _)), None) = (terms.next(), terms.next()) {
            found.extend(product.iter().map(|atom| Poly::atom(*atom)));
        }
        found.extend(self.facts.divisors());
        let mut widths: Vec<Poly> = Vec::new();
        for width in found {
            let is_new = width.as_number().is_none() && !widths.contains(&width);
            if is_new && widths.len() < MOST_WIDTHS && !self.heights(end, &width).is_empty() {
                widths.push(width);
            }
        }
        widths
    }

    /// An index as the sum of rows and a column that are the numbers of their expressions, modulo
    /// 2^32: a sum that may wrap around is looked into only where a row is in it.
    fn taken_apart(&mut self, id: NodeId, parts: &mut Parts) -> Option<Poly> {
        if let Some(known) = parts.sums.get(&id) {
            return Some(known.clone());
        }
        match self.tables.nodes.node(id) {
            Node::Variable(variable) if !self.counters.contains_key(&variable) => {
                match self.names.get(&variable).copied() {
                    Some(value) => self.taken_apart(value, parts),
                    None => Some(self.value(id)),
                }
            }
            Node::Unary { op, value } if op.is_promise() => self.taken_apart(value, parts),
            Node::Binary {
                op, left, right, ..
            } if is_ring(op) && self.has_row(id, &parts.widths) => {
                let [x, y] = [left, right].map(|side| self.taken_apart(side, parts));
                let sum = match op {
                    BinaryOp::Add => x?.add(&y?),
                    BinaryOp::Sub => x?.sub(&y?),
                    _ => x?.times(&y?)?,
                };
                parts.sums.insert(id, sum.clone());
                Some(sum)
            }
            _ => Some(self.value(id)),
        }
    }

    /// Is an expression the product of a row and a width, or a sum of such?
    fn has_row(&mut self, id: NodeId, widths: &[Poly]) -> bool {
        match self.tables.nodes.node(id) {
            Node::Variable(variable) if !self.counters.contains_key(&variable) => {
                let value = self.names.get(&variable).copied();
                value.is_some_and(|value| self.has_row(value, widths))
            }
            Node::Unary { op, value } if op.is_promise() => self.has_row(value, widths),
            Node::Binary {
                op: BinaryOp::Mul,
                left,
                right,
                ..
            } => [left, right]
                .into_iter()
                .any(|side| widths.contains(&self.ring(side))),
            Node::Binary {
                op: BinaryOp::Add | BinaryOp::Sub,
                left,
                right,
                ..
            } => self.has_row(left, widths) || self.has_row(right, widths),
            _ => false,
        }
    }

    /// How many rows of a width are below an end.
    fn heights(&self, end: &Poly, width: &Poly) -> Vec<Poly> {
        let exact = end.divide_exactly(width).into_iter();
        let quotients = self.facts.quotients_of(end).filter_map(|(atom, divisor)| {
            let rows = divisor.divide_exactly(width)?;
            rows.times(&Poly::atom(atom))
        });
        exact.chain(quotients).collect()
    }

    fn is_composed(&mut self, number: &Poly, end: &Poly, parts: &mut Parts, planes: u32) -> bool {
        for width in parts.widths.clone() {
            for number in self.in_quotients(number, &width) {
                let Some((row, column)) = number.divide_by(&width) else {
                    continue;
                };
                // Columns that are counted from the end of a row: `y * width + (width - 1 - x)`.
                let (row, column) = match self.prove(&Poly::number(-1).sub(&column)) {
                    true => (row.shift(-1), column.add(&width)),
                    false => (row, column),
                };
                if row == Poly::default() {
                    continue;
                }
                for height in self.heights(end, &width) {
                    let known = parts.inside.len();
                    if self.lies_in(&column, &width, parts, planes)
                        && self.lies_in(&row, &height, parts, planes)
                    {
                        parts.inside.extend([row, column]);
                        return true;
                    }
                    // A width of no row may be no number of 32 bits.
                    parts.inside.truncate(known);
                }
            }
        }
        false
    }

    fn lies_in(&mut self, number: &Poly, end: &Poly, parts: &mut Parts, planes: u32) -> bool {
        self.is_inside(number, end)
            || planes > 0 && self.is_composed(number, end, parts, planes - 1)
    }

    /// A number as it is, and with `x / width * width + x % width` in the place of an `x` in it.
    pub(super) fn in_quotients(&mut self, number: &Poly, width: &Poly) -> Vec<Poly> {
        let mut all = vec![number.clone()];
        let atoms = number.atoms();
        for x in self.facts.divided_by(width) {
            let rest = number.sub(&x);
            let fewer = x
                .top()
                .is_some_and(|top| atoms.contains(&top) && !rest.mentions(top));
            if !fewer || !self.fits(&x) {
                continue;
            }
            let not_0 = self.is_positive(width);
            let none = Poly::default();
            let [quotient, left] =
                [true, false].map(|whole| self.parts_of(&x, width, whole, not_0, &none));
            let whole = width.times(&quotient);
            all.extend(whole.map(|whole| rest.add(&whole).add(&left)));
        }
        all
    }

    /// Is all exact arithmetic in an index exact? Each sum and product in it is no more than a number
    /// of 32 bits, and all else is the number that it is.
    fn is_exact_in(&mut self, index: NodeId, parts: &Parts) -> bool {
        let open = self.inexact_in(index, usize::MAX);
        // A sum of sums is exact if these are numbers of 32 bits too.
        open.iter().all(|id| parts.sums.contains_key(id))
            && (open.is_empty()
                || parts.sums.values().all(|sum| {
                    self.fits(sum)
                        || self.prove(sum)
                            && parts.inside.iter().any(|most| self.prove(&most.sub(sum)))
                }))
    }
}

/// Is it an operator that a polynomial follows?
fn is_ring(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul)
}

impl Facts {
    /// The quotients of a number, with what it was divided by.
    fn quotients_of(&self, x: &Poly) -> impl Iterator<Item = (Atom, &Poly)> {
        self.quotients()
            .filter_map(move |(atom, own, y)| (own == x).then_some((atom, y)))
    }

    /// What was divided by a number.
    fn divided_by(&self, width: &Poly) -> Vec<Poly> {
        let own = self.quotients().filter(|(_, _, y)| *y == width);
        own.map(|(_, x, _)| x.clone()).collect()
    }

    /// What something was divided by.
    fn divisors(&self) -> Vec<Poly> {
        self.quotients().map(|(_, _, y)| y.clone()).collect()
    }
}
