//! Two indices that differ although neither is known to be the smaller one: by their rows and
//! columns, by the rest that something leaves, and partners by exclusive or.
//!
//! *Claim.* [`Forms::differ_in_rows`] and [`Forms::differ_by_xor`] say yes only if the two indices are
//! different numbers wherever the facts of the point hold.
//!
//! *Rows and columns.* If both columns are at least 0 and below the width, then
//! `row * width + column` is one number for both only if the rows are equal and the columns are:
//! quotient and rest are unique. So it is enough that the columns differ where the rows are equal, or
//! the rows where the columns are.
//!
//! *Rests.* If `x % m` and `y % m` are equal, `m` divides `x - y`. Where equal rows and columns make
//! `x - y` a number that `m` does not divide, they are not equal. So red cells are none of the black ones.
//!
//! *Exclusive or.* `x == (y ^ k)` says the same as `y == (x ^ k)`, and `(x ^ k) == (y ^ k)` the same
//! as `x == y`. The other side may be known to differ: in a bitonic network under
//! `i < (i ^ k)`, of two threads the one with the smaller number has a partner that is above both.
//!
//! *Not covered.* Rows of a width that the length of the array is no product with; rests by what is no
//! number; one index of several exclusive ors.

use super::facts::{Kind, TOP};
use super::forms::Forms;
use super::poly::Poly;
use crate::scalar::BinaryOp;

/// Rests of one index that are compared with those of the other one.
const MOST_RESTS: usize = 8;

/// Two rows or columns.
type Both = [Poly; 2];

impl Forms<'_> {
    /// Do two indices differ, as elements of rows that lie one behind the other up to an end?
    pub(super) fn differ_in_rows(&mut self, x: &Poly, y: &Poly, end: &Poly) -> bool {
        let mut terms = end.terms();
        let (Some((product, _)), None) = (terms.next(), terms.next()) else {
            return false;
        };
        let widths: Vec<Poly> = product.iter().map(|atom| Poly::atom(*atom)).collect();
        widths.iter().any(|width| {
            self.aside(|forms| {
                let [one, other] = [x, y].map(|number| forms.row_and_column(number, width));
                one.into_iter().zip(other).any(|(x, y)| {
                    let (rows, columns) = ([x.0, y.0], [x.1, y.1]);
                    forms.differ_where(&rows, &columns)
                        || forms.differ_where(&columns, &rows)
                        || forms.rests_differ(&rows, &columns)
                })
            })
        })
    }

    /// The row and the column of an index, which is below the width.
    fn row_and_column(&mut self, number: &Poly, width: &Poly) -> Option<(Poly, Poly)> {
        let mut ways = self.in_quotients(number, width).into_iter();
        ways.find_map(|way| {
            let (row, column) = way.divide_by(width)?;
            let is_row = row != Poly::default() && self.is_inside(&column, width);
            is_row.then_some((row, column))
        })
    }

    /// Do two numbers differ where two others are equal?
    fn differ_where(&mut self, [a, b]: &Both, [x, y]: &Both) -> bool {
        self.aside(|forms| {
            let difference = x.sub(y);
            forms.facts.add(difference.scale(-1));
            forms.facts.add(difference);
            forms.differ(a, b)
        })
    }

    /// Are there two equal rests of numbers that would not leave the same if the rows were equal, and
    /// the columns?
    fn rests_differ(&mut self, rows: &Both, columns: &Both) -> bool {
        let [row, column] = [rows, columns].map(|[x, y]| x.sub(y));
        let rests = self.facts.rests();
        let from = rests.len().saturating_sub(MOST_RESTS);
        let rests = &rests[from..];
        let pairs = rests.iter().enumerate();
        let mut pairs = pairs.flat_map(|(n, one)| rests[..n].iter().map(move |other| (one, other)));
        pairs.any(|((a, x, m), (b, y, n))| {
            let difference = x.sub(y);
            let signs = [-1, 0, 1];
            let mut left = signs.into_iter().flat_map(|f| {
                let without = difference.plus(f, &row);
                signs.map(|g| without.plus(g, &column))
            });
            let apart = |left: Poly| left.as_number().is_some_and(|left| left % m != 0);
            m == n
                && left.any(apart)
                && self.equal(&Poly::atom(*a), &Poly::atom(*b))
                && self.fits(x)
                && self.fits(y)
        })
    }

    /// Do two indices differ, one or both of which are the partner of another index?
    pub(super) fn differ_by_xor(&mut self, x: &Poly, y: &Poly) -> bool {
        let partners = [x, y].map(|number| self.partner(number));
        match partners {
            [Some((a, k)), Some((b, other))] if k == other => self.differ(&a, &b),
            [None, Some((b, k))] => {
                let x = self.bits(BinaryOp::Xor, x, &k);
                self.differ(&b, &x)
            }
            [Some((a, k)), None] => {
                let y = self.bits(BinaryOp::Xor, y, &k);
                self.differ(&a, &y)
            }
            _ => false,
        }
    }

    /// The number `x` and `k` of an index that is `x ^ k`.
    fn partner(&self, index: &Poly) -> Option<(Poly, Poly)> {
        index.atoms().into_iter().find_map(|atom| {
            let Kind::Bits(BinaryOp::Xor, x, k) = self.facts.kind(atom) else {
                return None;
            };
            let above = index.sub(&Poly::atom(atom));
            let most = [x, k].map(|of| self.facts.range(of));
            let [Some((low, x_most)), Some((_, k_most))] = most else {
                return None;
            };
            // What lies above all bits of both stays; a number beyond 32 bits is none that is accessed.
            let most = u64::try_from(x_most.max(k_most)).ok()?;
            let most = Some(most).filter(|most| i128::from(*most) <= TOP)?;
            let unit = i128::from((most + 1).next_power_of_two());
            let stays = above.terms().all(|(_, factor)| factor % unit == 0);
            let apart = low >= 0 && stays && !above.mentions(atom);
            apart.then(|| (above.add(x), k.clone()))
        })
    }
}
