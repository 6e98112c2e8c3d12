//! How values lie in buffers: a number for each buffer.
//!
//! An element of a slice or of a range is a tuple of numbers there, in which tuples stand. The device's arrays
//! become tuples of their elements, as buffers have fixed fields only; and as a tuple has at most
//! [`WIDTH`] fields, more of them are a tuple of tuples. One value by itself is no tuple.
//!
//! ```text
//! struct Body { at: [f32; 3], mass: f32 }     a value ([f32; 3], f32), stored as ((f32, f32, f32), f32)
//! ```

use super::tree::{Expr, Num, Place, Ty};

/// The most fields of a tuple.
pub const WIDTH: usize = 8;

/// Several things as one, by a function that makes a tuple of 2 to [`WIDTH`].
pub fn grouped<A>(mut list: Vec<A>, tuple: &dyn Fn(Vec<A>) -> A) -> Option<A> {
    if list.len() <= 1 {
        return list.pop();
    }
    if list.len() <= WIDTH {
        return Some(tuple(list));
    }
    let (mut groups, mut rest) = (Vec::new(), list.into_iter());
    loop {
        let group: Vec<A> = rest.by_ref().take(WIDTH).collect();
        match grouped(group, tuple) {
            Some(group) => groups.push(group),
            None => return grouped(groups, tuple),
        }
    }
}

/// The fields that lead to the n-th of some [grouped] things.
pub fn way(n: usize, count: usize) -> Vec<u32> {
    match count {
        0 | 1 => Vec::new(),
        2..=WIDTH => vec![n as u32],
        _ => {
            let (group, first) = (n / WIDTH, n - n % WIDTH);
            let mut way = way(group, count.div_ceil(WIDTH));
            way.extend(self::way(n - first, WIDTH.min(count - first)));
            way
        }
    }
}

/// The n-th of `count` values that are grouped in one.
pub fn part(value: Expr, n: usize, count: usize) -> Expr {
    let fields = way(n, count).into_iter();
    fields.fold(value, |value, field| Expr::Field(Box::new(value), field))
}

impl Ty {
    /// The type of a value that is stored.
    pub fn stored(&self) -> Ty {
        match self {
            Ty::Num(_) | Ty::Slice(_) => self.clone(),
            Ty::Tuple(list) => Ty::Tuple(list.iter().map(Ty::stored).collect()),
            Ty::Array(element, n) => {
                let list = vec![element.stored(); *n as usize];
                grouped(list, &Ty::Tuple).unwrap_or(Ty::Tuple(Vec::new()))
            }
        }
    }

    /// Returns `true` if an array is part of it.
    pub fn has_array(&self) -> bool {
        match self {
            Ty::Num(_) | Ty::Slice(_) => false,
            Ty::Tuple(list) => list.iter().any(Ty::has_array),
            Ty::Array(..) => true,
        }
    }

    /// The value of this type that a stored one is.
    pub fn loaded(&self, stored: Expr) -> Expr {
        match self {
            _ if !self.has_array() => stored,
            Ty::Tuple(list) => {
                let fields = list.iter().zip(0..);
                let field = |n| Expr::Field(Box::new(stored.clone()), n);
                Expr::Tuple(fields.map(|(ty, n)| ty.loaded(field(n))).collect())
            }
            Ty::Array(element, n) => {
                let count = *n as usize;
                let elements = (0..count).map(|k| element.loaded(part(stored.clone(), k, count)));
                Expr::Array(elements.collect())
            }
            Ty::Num(_) | Ty::Slice(_) => stored,
        }
    }

    /// What is stored of a value of this type.
    pub fn unloaded(&self, value: Expr, place: Place) -> Expr {
        match self {
            _ if !self.has_array() => value,
            Ty::Tuple(list) => {
                let fields = list.iter().zip(0..);
                let field = |n| Expr::Field(Box::new(value.clone()), n);
                Expr::Tuple(fields.map(|(ty, n)| ty.unloaded(field(n), place)).collect())
            }
            Ty::Array(element, n) => {
                let at = |k| {
                    let index = Box::new(Expr::Literal(Num::Usize, u64::from(k)));
                    Expr::Index(Box::new(value.clone()), index, place)
                };
                let elements = (0..*n).map(|k| element.unloaded(at(k), place));
                grouped(elements.collect(), &Expr::Tuple).unwrap_or(Expr::Tuple(Vec::new()))
            }
            Ty::Num(_) | Ty::Slice(_) => value,
        }
    }

    /// The numbers of a stored value, each with the fields that lead to it.
    pub fn numbers(&self) -> Vec<(Vec<u32>, Num)> {
        match self {
            Ty::Num(num) => vec![(Vec::new(), *num)],
            Ty::Tuple(list) => {
                let parts = (0..).zip(list).flat_map(|(n, ty)| {
                    let inner = ty.numbers().into_iter();
                    inner.map(move |(way, num)| ([vec![n], way].concat(), num))
                });
                parts.collect()
            }
            Ty::Array(..) => self.stored().numbers(),
            Ty::Slice(_) => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_to_a_number_leads_to_it() {
        for count in 1..=200usize {
            let list: Vec<Expr> = (0..count)
                .map(|n| Expr::Literal(Num::U32, n as u64))
                .collect();
            let all = grouped(list.clone(), &Expr::Tuple).unwrap();
            for (n, wanted) in list.iter().enumerate() {
                let found = way(n, count).into_iter().fold(&all, |at, field| match at {
                    Expr::Tuple(list) => &list[field as usize],
                    other => other,
                });
                assert_eq!(found, wanted, "{n} of {count}");
            }
        }
    }

    #[test]
    fn an_array_is_stored_as_a_tuple_and_loaded_as_an_array() {
        let f32 = Ty::Num(Num::F32);
        let ty = Ty::Tuple(vec![Ty::Array(Box::new(f32.clone()), 3), f32.clone()]);
        let three = Ty::Tuple(vec![f32.clone(); 3]);
        assert_eq!(ty.stored(), Ty::Tuple(vec![three, f32]));
        let Expr::Tuple(fields) = ty.loaded(Expr::Local(7)) else {
            panic!("no tuple");
        };
        assert!(matches!(&*fields, [Expr::Array(list), Expr::Field(_, 1)] if list.len() == 3));
        let ways: Vec<Vec<u32>> = ty.numbers().into_iter().map(|(way, _)| way).collect();
        assert_eq!(ways, [vec![0, 0], vec![0, 1], vec![0, 2], vec![1]]);
    }
}
