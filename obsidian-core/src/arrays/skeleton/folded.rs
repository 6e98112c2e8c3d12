//! The folds or scans of one kernel, together.

use std::cell::Cell;
use std::rc::Rc;

use super::any_order::AnyOrder;
use super::fold::THREADS;
use super::{acts, facts};
use crate::arrays::any::AnyElement;
use crate::arrays::graph::{
    Fold, Kind, NodeNumber, Operator, Order, graph, keep, note_below, stored_bytes,
};
use crate::arrays::index::Index;
use crate::arrays::one_of;
use crate::program::scope;
use crate::scalar::{Exp, ScalarType, index};

/// Elements of a piece of a row that is folded.
const PIECE: u32 = 4096;

/// The folds of one kernel, as one fold of all their components.
#[derive(Clone)]
pub(in crate::arrays) struct Folded {
    pub(super) folds: Vec<One>,
    /// The neutral elements, if elements may be combined in any order.
    pub(super) neutral: Option<AnyElement>,
    /// If they are scans, how they go over a row.
    pub(super) order: Option<Order>,
    /// Does an operator read arrays, run a loop or assert?
    pub(super) acts: bool,
}

#[derive(Clone)]
pub(super) struct One {
    pub(super) number: NodeNumber,
    pub(super) fold: Rc<Fold>,
    source: Rc<dyn Fn(&Index) -> AnyElement>,
    types: Vec<ScalarType>,
}

impl Folded {
    /// The folds with these numbers.
    pub(in crate::arrays) fn of(numbers: &[NodeNumber]) -> Self {
        let order = Cell::new(None);
        let one = |number: &NodeNumber| {
            let node = graph(|graph| graph.node(*number)).flatten()?;
            let fold = node.kind.fold()?;
            if let Kind::Scan(_, own) = node.kind {
                order.set(Some(own));
            }
            let source = graph(|graph| graph.node(fold.source)).flatten()?;
            Some(One {
                number: *number,
                fold: fold.clone(),
                source: source.element.clone(),
                types: source.types.clone(),
            })
        };
        let folds: Vec<One> = numbers.iter().filter_map(one).collect();
        let neutral: Option<Vec<AnyElement>> = folds.iter().map(|one| facts(&one.fold)).collect();
        let neutral =
            neutral.map(|all| AnyElement(all.into_iter().flat_map(|one| one.0).collect()));
        let order = order.get();
        // Where elements are combined in order, nothing may stand in front of the first one that the program has not put there.
        let in_order = order.is_some_and(|order| order.in_order);
        let neutral = neutral.filter(|_| !in_order);
        let acts = neutral.is_none() && folds.iter().any(|one| acts(&one.fold));
        Folded {
            folds,
            neutral,
            order,
            acts,
        }
    }

    /// The types of all components.
    pub(in crate::arrays) fn types(&self) -> Vec<ScalarType> {
        self.folds
            .iter()
            .flat_map(|one| one.types.clone())
            .collect()
    }

    /// The index of the element of a row that is combined as number `j`.
    pub(super) fn index(&self, row: &[Exp<u32>], extents: &[Exp<u32>], j: Exp<u32>) -> Index {
        let place = extents.last().map_or(j, |width| self.place(*width, j));
        let coordinates: Vec<_> = row.iter().copied().chain([place]).collect();
        // A literal place means the same in all kernels, and is inside only where the row is long enough.
        if j.as_literal().is_none() {
            note_below(&coordinates, extents);
        }
        Index::of(coordinates)
    }

    /// The place in a row of this width of the element that is combined as number `j`.
    pub(super) fn place(&self, width: Exp<u32>, j: Exp<u32>) -> Exp<u32> {
        match self.order.is_some_and(|order| order.backwards) {
            true => index::sub(index::sub(width, 1), j),
            false => j,
        }
    }

    pub(super) fn sources(&self, index: &Index) -> AnyElement {
        let all = self.folds.iter().flat_map(|one| (one.source)(index).0);
        AnyElement(all.collect())
    }

    /// The components of all folds, by fold.
    pub(super) fn split(&self, fields: &AnyElement) -> Vec<AnyElement> {
        let mut rest = fields.0.iter().copied();
        let part = |one: &One| AnyElement(rest.by_ref().take(one.types.len()).collect());
        self.folds.iter().map(part).collect()
    }

    pub(super) fn operator(&self) -> Operator {
        let this = self.clone();
        Rc::new(move |x, y| {
            let pairs = this.split(x).into_iter().zip(this.split(y));
            let combined = pairs.zip(&this.folds);
            AnyElement(
                combined
                    .flat_map(|((x, y), one)| (one.fold.operator)(&x, &y).0)
                    .collect(),
            )
        })
    }

    /// The results at the index of a row, of what its elements give, if it has some.
    pub(super) fn finish(&self, has: Option<Exp<bool>>, folded: &AnyElement, row: &Index) {
        for (value, one) in self.split(folded).into_iter().zip(&self.folds) {
            let value = match (&one.fold.initial, has) {
                (None, _) => value,
                (Some(initial), None) => (one.fold.operator)(initial, &value),
                (Some(initial), Some(has)) => one_of(
                    has,
                    || (one.fold.operator)(initial, &value),
                    || initial.clone(),
                ),
            };
            keep(one.number, row.key(), scope(), value);
        }
    }
}

impl Folded {
    /// The fold, if elements may be combined in any order.
    pub(super) fn any_order(&self) -> Option<AnyOrder> {
        self.neutral.clone().map(|neutral| AnyOrder {
            neutral,
            operator: self.operator(),
        })
    }

    /// How many elements of a long row a block scans, where blocks have an order: 64 bytes for each thread.
    pub(super) fn tile(&self) -> u32 {
        THREADS * (64 / stored_bytes(&self.types())).max(1)
    }

    /// How many elements of a long row a block folds or scans.
    pub(in crate::arrays) fn piece(&self) -> u32 {
        self.order.map_or(PIECE, |order| THREADS * order.items)
    }
}
