//! Arrays into which elements of another one go, each at a place that it tells itself.

use super::generate::one_by_one;
use crate::arrays::arr::product;
use crate::arrays::graph::{Kind, NodeNumber, graph, note_below};
use crate::arrays::index::Index;
use crate::program::{Grid, Program, Thread, Trace, atomic_op, cond, pure};
use crate::scalar::{Exp, indexed_at};

/// Elements of a block.
const TILE: u32 = 1024;

/// Combines elements with those of an array that is there, one after the other: in any order, as the operators give the same bits in all.
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
        Some((permuted, arrays, source, graph.vouched))
    });
    let Some(Some((permuted, arrays, source, vouched))) = found else {
        return pure(());
    };
    // What is outside is a fault, in a kernel that looks for it.
    graph(|graph| graph.guarded = true);
    one_by_one(product(&extents), TILE, move |number| {
        let (permuted, arrays) = (permuted.clone(), arrays.clone());
        let (source, extents) = (source.clone(), extents.clone());
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
            let place = match vouched {
                true => indexed_at(permuted.origin, || place.unchecked()),
                false => place,
            };
            let (permuted, arrays, element) = (permuted.clone(), arrays.clone(), element.to_vec());
            let all = Program::new(move |trace: &mut Trace<Thread>| {
                let changes = arrays.iter().zip(&permuted.operations).zip(&element);
                for ((array, op), value) in changes {
                    indexed_at(permuted.origin, || {
                        atomic_op(*array, place, *op, vec![*value]).run(trace);
                    });
                }
            });
            cond(is_there, all, pure(())).run(trace);
        })
    })
}
