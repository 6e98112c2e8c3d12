//! Blocks that ask for what earlier ones have: all combine in the same way, and what they give changes nothing.
//!
//! Where blocks are not there together, what a block gives is computed before all else, by the statements that it
//! [needs](crate::plan::analysis::slice); so none of these may be a change of the kernel's arrays.

use crate::error::{Diagnostic, catalogue};
use crate::ir::{CollectiveOp, Kernel, Levelled, LevelledLoop, Statement};
use crate::plan::analysis::slice::{operator, slice};
use crate::scalar::{Node, VariableId};

/// What is wrong with the ordered loops of a kernel.
pub(super) fn order(kernel: &Kernel<Levelled>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for statement in &kernel.body {
        if let Statement::Loop {
            kind: LevelledLoop::Ordered,
            counter,
            body,
            ..
        } = statement
        {
            found.extend(of_blocks(kernel, *counter, body));
        }
    }
    found
}

fn of_blocks(
    kernel: &Kernel<Levelled>,
    block: VariableId,
    body: &[Statement<Levelled>],
) -> Option<Diagnostic> {
    let tables = &kernel.tables;
    let follows = |s: &Statement<Levelled>| {
        s.collective()
            .is_some_and(|of| of.op == CollectiveOp::Earlier)
    };
    let at = body.iter().position(follows)?;
    let of = body[at].collective()?;
    let before = body[..at].to_vec();
    let own = operator(of);
    let all = slice(tables, &before, &own);
    let mut roots = Vec::new();
    let lists = all.list.iter().chain(&own);
    lists.for_each(|s| s.visit(&mut |inner| roots.extend(inner.nodes())));
    let of_block = tables.nodes.post_order(&roots, |_| false);
    let of_block = of_block
        .into_iter()
        .any(|id| tables.nodes.node(id) == Node::Variable(block));
    if of_block || !all.list.iter().all(|s| s.named().is_some()) {
        return Some(catalogue::earlier_differs().at(of.origin));
    }
    let given = slice(tables, &before, &of.source);
    let (array, origin) = given.needed.first()?;
    let name = &tables.array(*array).name;
    Some(catalogue::earlier_changes(name).at(*origin))
}
