//! Skeletons: the kernels of array programs, as programs of the kernel language.

mod any_order;
mod digits;
mod few;
mod fold;
mod folded;
mod generate;
mod in_steps;
mod permute;
mod runs;
mod scan;

pub(super) use super::operator::{acts, facts};
pub(super) use any_order::MANY;
pub(super) use digits::find_places;
pub(super) use few::sort_few;
pub(super) use fold::{
    fold_in_lanes, fold_narrow, fold_once, fold_parts, fold_row_parts, fold_row_rests, fold_rows,
    fold_short, pieces, row_pieces,
};
pub(super) use folded::Folded;
pub(super) use generate::generate;
pub(super) use permute::permute;
pub(super) use scan::{scan_carries, scan_narrow, scan_pieces, scan_row, scan_rows, scan_tiles};

use super::any::AnyElement;
use super::graph::{Kind, NodeNumber, Vouched, graph};
use super::index::Index;
use crate::array::store_any;
use crate::program::{Program, Thread, Trace, cond, pure};
use crate::scalar::{ArrayId, Exp};

/// A member that is written, and the arrays that it is written to.
pub(super) type Output = (NodeNumber, Vec<ArrayId>);

/// Writes elements of members at an index, whose number in memory is `number`.
///
/// The number is below that of the elements, which the launch has held to 32 bits: each coordinate is below its extent. Where extents are sums of
/// many terms their product is too long for a proof, and then it is vouched for.
fn write(outputs: &[Output], index: &Index, number: Exp<u32>, trace: &mut Trace<Thread>) {
    let vouched =
        graph(|graph| graph.vouched) == Some(Vouched::All) && number.as_literal().is_none();
    let number = if vouched { number.unchecked() } else { number };
    for (node, arrays) in outputs {
        let Some(node) = graph(|graph| graph.node(*node)).flatten() else {
            continue;
        };
        match node.kind {
            Kind::Scatter { source, .. } => scatter(source, arrays, index, trace),
            _ => store((node.element)(index), arrays, number, trace),
        }
    }
}

fn store(fields: AnyElement, arrays: &[ArrayId], number: Exp<u32>, trace: &mut Trace<Thread>) {
    for (leaf, array) in fields.0.into_iter().zip(arrays) {
        store_any(*array, number, leaf, trace);
    }
}

/// Writes an element of a source to its place, if it has one. The program has made the places so that each is there once.
fn scatter(source: NodeNumber, arrays: &[ArrayId], index: &Index, trace: &mut Trace<Thread>) {
    let node = graph(|graph| graph.node(source)).flatten();
    let Some(fields) = node.map(|node| (node.element)(index)) else {
        return;
    };
    let (Some(is_there), Some(place)) = (
        fields.0.first().and_then(|is_there| is_there.typed()),
        fields.0.get(1).and_then(|place| place.typed::<u32>()),
    ) else {
        return;
    };
    crate::scalar::session(|s| {
        s.tables.written_whole.extend(arrays);
        s.tables.written_in_part.extend(arrays);
    });
    let element = AnyElement(fields.0.into_iter().skip(2).collect());
    let arrays = arrays.to_vec();
    let stored = Program::new(move |trace: &mut Trace<Thread>| {
        let place = place.unchecked().distinct();
        store(element.clone(), &arrays, place, trace);
    });
    cond(is_there, stored, pure(())).run(trace);
}
