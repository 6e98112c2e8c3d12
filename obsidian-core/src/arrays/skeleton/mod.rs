//! Skeletons: the kernels of array programs, as programs of the kernel language.

mod fold;
mod generate;
mod operator;
mod scan;

pub(super) use fold::{Folded, fold_narrow, fold_parts, fold_rest, fold_rows, fold_short, pieces};
pub(super) use generate::generate;
pub(super) use operator::facts;
pub(super) use scan::{scan_carries, scan_narrow, scan_pieces, scan_row, scan_rows};

use super::graph::{NodeNumber, graph};
use super::index::Index;
use crate::array::store_any;
use crate::program::{Thread, Trace};
use crate::scalar::{ArrayId, Exp};

/// A member that is written, and the arrays that it is written to.
pub(super) type Output = (NodeNumber, Vec<ArrayId>);

/// Writes elements of members at an index, whose number in memory is `number`.
fn write(outputs: &[Output], index: &Index, number: Exp<u32>, trace: &mut Trace<Thread>) {
    for (node, arrays) in outputs {
        let element = graph(|graph| graph.node(*node).map(|node| node.element.clone()));
        let Some(element) = element.flatten() else {
            continue;
        };
        for (leaf, array) in element(index).0.into_iter().zip(arrays) {
            store_any(*array, number, leaf, trace);
        }
    }
}
