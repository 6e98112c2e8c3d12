//! Indices of elements: coordinates, the number of the element where it is known, and whether the index is inside.

use std::rc::Rc;

use super::graph::{NodeNumber, Vouched, extents_of, graph};
use super::lifted::Axis;
use crate::program::counter;
use crate::scalar::{Exp, NodeId, index, lit, select_exp};

/// The index of an element.
#[derive(Clone)]
pub struct Index {
    pub coordinates: Vec<Exp<u32>>,
    /// The number of the element, in rows.
    flat: Option<Exp<u32>>,
    /// Whether it is inside, if that is not certain. What it is used for then reads no other element.
    pub inside: Option<Exp<bool>>,
    /// Is that the condition that the number of the element is below the length of the array?
    by_length: bool,
    /// What it was before the coordinates of open axes were taken away, if it is as it was then.
    pub whole: Option<Rc<Whole>>,
}

/// An index with the coordinates of open axes in front: see [`Lifting`](super::lifted::Lifting).
pub struct Whole {
    pub axes: Vec<Axis>,
    pub index: Index,
}

impl Index {
    /// The index of an element of a vector that the user asks for, and that may be outside.
    pub(super) fn in_vector(i: Exp<u32>, length: Exp<u32>) -> Self {
        Index {
            coordinates: vec![i],
            flat: Some(i),
            inside: Some(i.lt(length)),
            by_length: true,
            whole: None,
        }
    }

    /// An index whose coordinates are below the extents.
    #[doc(hidden)]
    pub fn of(coordinates: Vec<Exp<u32>>) -> Self {
        Index {
            coordinates,
            flat: None,
            inside: None,
            by_length: false,
            whole: None,
        }
    }

    /// The index of the element with a number.
    #[doc(hidden)]
    pub fn numbered(number: Exp<u32>, extents: &[Exp<u32>]) -> Self {
        let mut coordinates = Vec::new();
        let mut rest = number;
        for (axis, extent) in extents.iter().enumerate().rev() {
            if axis == 0 {
                coordinates.push(rest);
            } else {
                coordinates.push(index::rem(rest, *extent));
                rest = index::div(rest, *extent);
            }
        }
        coordinates.reverse();
        Index {
            coordinates,
            flat: Some(number),
            inside: None,
            by_length: false,
            whole: None,
        }
    }

    /// An index of new variables, for looking at what an element is made of.
    #[doc(hidden)]
    pub fn fresh(rank: usize) -> Self {
        Index::of((0..rank).map(|_| counter().1).collect())
    }

    /// Other coordinates that are inside if this index is.
    pub(super) fn moved(&self, coordinates: Vec<Exp<u32>>) -> Self {
        Index {
            coordinates,
            flat: None,
            inside: self.inside,
            by_length: false,
            whole: None,
        }
    }

    /// The index of the row that it is in.
    #[doc(hidden)]
    pub fn outer(&self) -> Self {
        let mut coordinates = self.coordinates.clone();
        coordinates.pop();
        Index::of(coordinates)
    }

    /// The same element of an array of other extents.
    pub(super) fn reshaped(&self, from: &[Exp<u32>], to: &[Exp<u32>]) -> Self {
        let number = self.number(from);
        Index {
            inside: self.inside,
            ..Index::numbered(number, to)
        }
    }

    /// The same under a condition more.
    pub(super) fn guarded(mut self, condition: Exp<bool>) -> Self {
        self.inside = Some(match self.inside {
            Some(inside) => inside & condition,
            None => condition,
        });
        self.by_length = false;
        self.whole = None;
        self
    }

    /// The number of the element, in rows.
    #[doc(hidden)]
    pub fn number(&self, extents: &[Exp<u32>]) -> Exp<u32> {
        if let Some(flat) = self.flat {
            return flat;
        }
        let mut pairs = self.coordinates.iter().zip(extents);
        let Some((first, _)) = pairs.next() else {
            return lit(0);
        };
        pairs.fold(*first, |number, (coordinate, extent)| {
            index::add(index::mul(number, *extent), *coordinate)
        })
    }

    /// Where the element is in the memory of a node.
    pub(super) fn in_memory(&self, node: NodeNumber) -> Exp<u32> {
        let number = self.number(&extents_of(node));
        let vouched = graph(|graph| {
            graph.guarded |= self.inside.is_some();
            graph.vouched
        });
        let number = match self.inside {
            Some(_) if self.by_length => number,
            Some(inside) => select_exp(inside, number, lit(u32::MAX)),
            None => number,
        };
        // Whether a number is inside, the lengths tell; a promise about one is needed only under a condition.
        let is_told = self.inside.is_none() && number.as_literal().is_some();
        if vouched.is_some_and(|vouched| vouched >= Vouched::Reads) && !is_told {
            number.unchecked()
        } else {
            number
        }
    }

    /// What tells indices apart.
    #[doc(hidden)]
    pub fn key(&self) -> Vec<NodeId> {
        let inside = self.inside.map(Exp::node);
        let coordinates = self.coordinates.iter().map(|coordinate| coordinate.node());
        coordinates.chain(inside).collect()
    }
}
