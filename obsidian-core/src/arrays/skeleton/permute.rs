//! Arrays into which elements of another one go, each at a place that it tells itself.

use std::rc::Rc;

use super::generate::by_tiles;
use crate::arrays::any::AnyElement;
use crate::arrays::arr::product;
use crate::arrays::graph::{Kind, NodeNumber, Permuted, Vouched, graph, note_below};
use crate::arrays::index::Index;
use crate::ir::AtomicOp;
use crate::library::{Mutable, new_shared_mutable};
use crate::program::{Block, Grid, Program, Thread, Trace, atomic_op, cond, for_all, pure};
use crate::scalar::{AnyExp, ArrayId, Exp, indexed_at, lit, select_exp, session};

/// Elements of a block.
const TILE: u32 = 8192;
/// The most elements of a block's own.
const OWN: u32 = 1024;
/// The most bytes of a block's own elements.
const OWN_BYTES: u32 = 8192;

/// Combines elements with those of an array that is there, one after the other: in any order, as the operators give the same bits in all.
///
/// Atomic operations on one element of the device's memory run one after the other. So where the array is short, each block has elements
/// of its own in shared memory, and combines them with the array at last.
pub(in crate::arrays) fn permute(
    members: &[NodeNumber],
    extents: Vec<Exp<u32>>,
) -> Program<Grid, ()> {
    let found = graph(|graph| {
        let mut nodes = members.iter().filter_map(|member| graph.node(*member));
        let permuted = nodes.find_map(|node| match &node.kind {
            Kind::Permute(permuted) => Some(permuted.clone()),
            _ => None,
        })?;
        let arrays = graph.arrays.get(&permuted.changed)?.clone();
        let source = graph.node(permuted.source)?;
        Some((permuted, arrays, source, graph.vouched >= Vouched::Reads))
    });
    let Some(Some((permuted, arrays, source, vouched))) = found else {
        return pure(());
    };
    // What is outside is a fault, in a kernel that looks for it.
    graph(|graph| graph.guarded = true);
    let changed = Changed::of(&permuted, arrays);
    let each = {
        let (changed, extents) = (changed.clone(), extents.clone());
        move |own: Option<&Own>, number: Exp<u32>| -> Program<Thread, ()> {
            let (source, extents) = (source.clone(), extents.clone());
            let (permuted, changed, own) = (permuted.clone(), changed.clone(), own.cloned());
            Program::new(move |trace: &mut Trace<Thread>| {
                let index = Index::numbered(number, &extents);
                note_below(&index.coordinates, &extents);
                let fields = (source.element)(&index).0;
                let [is_there, place, element @ ..] = fields.as_slice() else {
                    return;
                };
                let (Some(is_there), Some(place)) = (is_there.typed(), place.typed::<u32>()) else {
                    return;
                };
                let checked = match vouched {
                    true => indexed_at(permuted.origin, || place.unchecked()),
                    false => place,
                };
                let mut all = changed.combine(&changed.arrays, checked, element);
                if let Some(own) = &own {
                    let is_own = place.lt(changed.limit(own.len())) & place.lt(own.len());
                    all = cond(
                        is_own,
                        changed.combine(&arrays_of(own), place, element),
                        all,
                    );
                }
                cond(is_there, all, pure(())).run(trace);
            })
        }
    };
    by_tiles(product(&extents), TILE, move |numbers| {
        let (changed, each) = (changed.clone(), each.clone());
        let Some((count, neutral)) = changed.own() else {
            return numbers.each(move |number| each(None, number));
        };
        new_shared_mutable(count, neutral).and_then(move |own: Own| {
            let (each, changed, kept) = (each.clone(), changed.clone(), own.clone());
            let all = numbers.each(move |number| each(Some(&own), number));
            all.and_then(move |()| changed.merge(kept.clone()))
        })
    })
}

/// The elements of a block, in shared memory.
type Own = Mutable<AnyElement, u32>;

fn arrays_of(own: &Own) -> Vec<ArrayId> {
    own.handle().iter().map(|(array, _)| *array).collect()
}

/// The array that changes.
#[derive(Clone)]
struct Changed {
    permuted: Rc<Permuted>,
    /// One for each component.
    arrays: Vec<ArrayId>,
    length: Exp<u32>,
}

impl Changed {
    fn of(permuted: &Rc<Permuted>, arrays: Vec<ArrayId>) -> Self {
        let first = arrays.first().copied();
        let length = first.and_then(|array| session(|s| s.tables.array(array).length));
        Changed {
            permuted: permuted.clone(),
            arrays,
            length: length.map_or(lit(0), Exp::from_node),
        }
    }

    /// Combines an element with that at a place of arrays.
    fn combine(
        &self,
        arrays: &[ArrayId],
        place: Exp<u32>,
        element: &[AnyExp],
    ) -> Program<Thread, ()> {
        let (permuted, arrays, element) =
            (self.permuted.clone(), arrays.to_vec(), element.to_vec());
        Program::new(move |trace: &mut Trace<Thread>| {
            let changes = arrays.iter().zip(&permuted.operations).zip(&element);
            for ((array, op), value) in changes {
                indexed_at(permuted.origin, || {
                    atomic_op(*array, place, *op, vec![*value]).run(trace);
                });
            }
        })
    }

    /// How many elements a block has of its own, and what they are at first; nothing if the array is known to be longer, or has none.
    fn own(&self) -> Option<(u32, AnyElement)> {
        let types = session(|s| {
            let each = self.arrays.iter();
            each.map(|array| s.tables.array(*array).ty)
                .collect::<Vec<_>>()
        })?;
        let bytes: u32 = types.iter().map(|ty| ty.bytes()).sum();
        let most = OWN.min(OWN_BYTES.checked_div(bytes)?);
        let count = match self.length.as_literal() {
            Some(length) => (1..=most).contains(&length).then_some(length)?,
            None => most,
        };
        let operations = self.permuted.operations.iter().zip(&types);
        let neutral = operations.map(|(op, ty)| {
            // What blocks have subtracted would have to be added.
            let op = op.combines().filter(|_| *op != AtomicOp::Sub)?;
            op.identity(*ty).map(AnyExp::literal)
        });
        Some((count, AnyElement(neutral.collect::<Option<_>>()?)))
    }

    /// Places below it have an element of the block's own, where a block has this many: all if these are enough, and none otherwise.
    fn limit(&self, count: u32) -> Exp<u32> {
        match self.length.as_literal() {
            Some(_) => self.length,
            None => select_exp(self.length.le(count), self.length, lit(0)),
        }
    }

    /// Combines the elements of a block with the array.
    fn merge(&self, own: Own) -> Program<Block, ()> {
        let (changed, count) = (self.clone(), own.len());
        for_all(self.length.min(count), move |k| {
            let (changed, own) = (changed.clone(), own.clone());
            let is_own = k.lt(changed.length) & k.lt(count) & changed.length.le(count);
            let merged = own
                .read(k)
                .and_then(move |fields: AnyElement| changed.combine(&changed.arrays, k, &fields.0));
            cond(is_own, merged, pure(()))
        })
    }
}
