//! What the threads of a level do together, from the order that the documentation states.

use obsidian_core::scalar::{BinaryOp, Literal, meaning};

use super::{Machine, Value, array};
use crate::scan_order::scanned;

/// Booleans as the bits of a number.
fn mask(bits: impl IntoIterator<Item = bool>) -> u32 {
    bits.into_iter()
        .zip(0..)
        .map(|(bit, i)| u32::from(bit) << i)
        .sum()
}

/// The places of elements in the order of their digits, the numbers below `bins`, and how many there are of each.
fn ranked(bins: u32, list: &[Value]) -> Value {
    if list.iter().any(|x| matches!(x, Value::Undefined)) {
        let none = |n: usize| array(vec![Value::Undefined; n]);
        return Value::Tuple(vec![none(list.len()), none(bins as usize)]);
    }
    let digits: Vec<u32> = list.iter().map(|x| x.scalar().u32() % bins).collect();
    let mut order: Vec<usize> = (0..digits.len()).collect();
    order.sort_by_key(|i| digits[*i]);
    let mut places = vec![0; digits.len()];
    for (place, element) in (0u32..).zip(order) {
        places[element] = place;
    }
    let counts = (0..bins).map(|d| digits.iter().filter(|x| **x == d).count() as u32);
    let numbers = |all: Vec<u32>| {
        let all = all.into_iter().map(|n| Value::Scalar(Literal::from(n)));
        array(all.collect())
    };
    Value::Tuple(vec![numbers(places), numbers(counts.collect())])
}

impl Machine {
    /// A reduction, a scan or a sort.
    pub(super) fn together(&mut self, name: &str, arguments: &[Value]) -> Option<Value> {
        Some(match (name, arguments) {
            ("any" | "all" | "ballot" | "match_any", [a])
                if a.list().iter().any(|x| matches!(x, Value::Undefined)) =>
            {
                match name {
                    "match_any" => array(vec![Value::Undefined; a.list().len()]),
                    _ => Value::Undefined,
                }
            }
            ("any" | "all" | "ballot", [a]) => {
                let bits: Vec<bool> = a.list().iter().map(|x| x.scalar().bool()).collect();
                Value::Scalar(match name {
                    "any" => Literal::from(bits.contains(&true)),
                    "all" => Literal::from(!bits.contains(&false)),
                    _ => Literal::from(mask(bits)),
                })
            }
            ("match_any", [a]) => {
                let list = a.list();
                let equal = |x: &Value| {
                    let same = |y: &Value| meaning::binary(BinaryOp::Eq, y.scalar(), x.scalar());
                    Value::Scalar(Literal::from(mask(list.iter().map(|y| same(y).bool()))))
                };
                array(list.iter().map(equal).collect())
            }
            ("rank_by_digit", [bits, a]) => ranked(1 << bits.number(), a.list()),
            ("reduce", [f, a]) => array(vec![self.reduced(f, a.list())]),
            ("inclusive_scan", [f, a]) => {
                array(scanned(a.list(), None, |x, y| self.call(f, &[x, y])))
            }
            ("exclusive_scan", [f, initial, a]) => {
                array(scanned(a.list(), Some(initial), |x, y| {
                    self.call(f, &[x, y])
                }))
            }
            ("earlier", [f, initial, own]) => array(self.earlier(f, initial, own.list())),
            ("sort", [before, a]) => array(self.merge_exchange(before, a.list().to_vec())),
            _ => return None,
        })
    }

    /// What earlier blocks have, element by element: groups of 32 from the left, behind the initial value, and the tree over those of the
    /// block's own group.
    fn earlier(&mut self, f: &Value, initial: &Value, own: &[Value]) -> Vec<Value> {
        let mut blocks = self.order.take().expect("blocks have an order");
        let mut found = Vec::with_capacity(own.len());
        for element in 0..own.len() {
            let all: Vec<Value> = blocks.iter().map(|block| block[element].clone()).collect();
            let whole = all.len() / 32 * 32;
            let mut before = initial.clone();
            for group in all[..whole].chunks(32) {
                let part = self.reduced(f, &group[..31]);
                let total = self.call(f, &[part, group[31].clone()]);
                before = self.call(f, &[before, total]);
            }
            let part = &all[whole..];
            if !part.is_empty() {
                let part = self.reduced(f, part);
                before = self.call(f, &[before, part]);
            }
            found.push(before);
        }
        blocks.push(own.to_vec());
        self.order = Some(blocks);
        found
    }

    /// All elements combined: rows from the left, and the rows in a balanced tree.
    fn reduced(&mut self, f: &Value, list: &[Value]) -> Value {
        let mut fold = |row: &[Value]| {
            let each = row.iter().cloned();
            each.reduce(|x, y| self.call(f, &[x, y]))
        };
        let row = list.len().div_ceil(256).max(1);
        let mut rows: Vec<Value> = list.chunks(row).filter_map(&mut fold).collect();
        while rows.len() > 1 {
            rows = rows.chunks(2).filter_map(&mut fold).collect();
        }
        rows.pop().expect("a collective of some elements")
    }

    /// Knuth's algorithm 5.2.2M. `before` need not be an order, so the steps are part of what it means.
    fn merge_exchange(&mut self, before: &Value, mut list: Vec<Value>) -> Vec<Value> {
        let n = list.len();
        let t = n.next_power_of_two().trailing_zeros();
        for k in (0..t).rev() {
            let p = 1 << k;
            let (mut q, mut r, mut d) = (1 << (t - 1), 0, p);
            loop {
                for i in (0..n - d).filter(|i| i & p == r) {
                    let swapped = [list[i + d].clone(), list[i].clone()];
                    if self.call(before, &swapped).truth() {
                        list.swap(i, i + d);
                    }
                }
                if q == p {
                    break;
                }
                (d, q, r) = (q - p, q / 2, p);
            }
        }
        list
    }
}
