//! Arrays into which elements of another one go, each at a place that it tells itself.

use std::rc::Rc;

use super::generate::by_tiles;
use crate::arrays::any::AnyElement;
use crate::arrays::arr::product;
use crate::arrays::digits::BINS;
use crate::arrays::graph::{Kind, Node, NodeNumber, Permuted, Vouched, graph, note_below};
use crate::arrays::index::Index;
use crate::ir::AtomicOp;
use crate::library::{Mutable, new_shared_mutable};
use crate::program::{Block, Grid, Program, Thread, Trace, atomic_op, cond, for_all, pure};
use crate::scalar::{AnyExp, ArrayId, Exp, index, indexed_at, lit, select_exp, session};

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
    if permuted.counts {
        return counted(&arrays, &source, extents);
    }
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

/// Counts digits, those of each pass apart: a block has counters of its own, and adds them at last.
fn counted(arrays: &[ArrayId], source: &Rc<Node>, extents: Vec<Exp<u32>>) -> Program<Grid, ()> {
    let Some(array) = arrays.first().copied() else {
        return pure(());
    };
    let counters = BINS * source.types.len() as u32;
    let source = source.clone();
    by_tiles(product(&extents), TILE, move |numbers| {
        let (source, extents) = (source.clone(), extents.clone());
        let none = lit(0u32);
        new_shared_mutable(counters, none).and_then(move |own: Mutable<Exp<u32>, u32>| {
            let (source, extents, added) = (source.clone(), extents.clone(), own.clone());
            let all = numbers.each(move |number| {
                let (source, extents, own) = (source.clone(), extents.clone(), own.clone());
                Program::new(move |trace: &mut Trace<Thread>| {
                    let index = Index::numbered(number, &extents);
                    note_below(&index.coordinates, &extents);
                    for (pass, digit) in (0..).zip((source.element)(&index).0) {
                        let digit = digit.typed().unwrap_or_else(Exp::<u32>::poison);
                        let at = index::add(digit & (BINS - 1), pass * BINS);
                        own.atomic_add(at, 1u32).run(trace);
                    }
                })
            });
            all.and_then(move |()| {
                let own = added.clone();
                for_all(counters, move |k| {
                    own.read(k).and_then(move |count: Exp<u32>| {
                        let some = count.any();
                        let add = atomic_op(array, k, AtomicOp::Add, vec![some]).map(|_| ());
                        cond(count.ne(0u32), add, pure(()))
                    })
                })
            })
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
