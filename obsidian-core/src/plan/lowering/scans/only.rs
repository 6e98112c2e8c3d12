//! Scans of which one result is used, as one thread computes them.
//!
//! ```text
//! inclusive_scan Block i < n { give x[i] } by .. into j < n v { if (j == last) { store total[0] = v } }
//! ```
//!
//! is what a CPU has to do of a scan, where blocks in order tell first what they come to ([`cut`](crate::plan::cut)). An operator
//! that is exactly associative makes it a reduction, in which what stands behind the result changes nothing. Any other operator keeps the order of a
//! scan, and what is done with results is done with one row alone.

use super::super::Lowering;
use super::super::collectives::Combining;
use super::super::lanes::names_only;
use crate::ir::{Collective, CollectiveOp, Levelled, Statement, substitute};
use crate::scalar::{BinaryOp, Literal, Node, NodeId};

impl Lowering<'_> {
    /// The number of the one result with which something is done, if that is known before the scan.
    pub(in super::super) fn only_result(&self, of: &Collective<Levelled>) -> Option<NodeId> {
        let [
            Statement::If {
                condition,
                otherwise,
                ..
            },
        ] = &of.body[..]
        else {
            return None;
        };
        let nodes = &self.tables.nodes;
        let Node::Binary {
            op: BinaryOp::Eq,
            left,
            right,
            ..
        } = nodes.node(*condition)
        else {
            return None;
        };
        let is_element = |id| nodes.node(id) == Node::Variable(of.element);
        let at = match (is_element(left), is_element(right)) {
            (true, false) => right,
            (false, true) => left,
            _ => return None,
        };
        let own: Vec<Node> = std::iter::once(of.element)
            .chain(of.result.iter().copied())
            .map(Node::Variable)
            .collect();
        let is_known = |id: &NodeId| {
            let node = nodes.node(*id);
            !node.is_load() && !own.contains(&node)
        };
        let all = nodes.post_order(&[at], |_| false);
        (otherwise.is_empty() && all.iter().all(is_known)).then_some(at)
    }

    /// A scan by an exactly associative operator as the reduction that gives its one result.
    pub(in super::super) fn as_reduction(
        &mut self,
        mut of: Collective<Levelled>,
        combining: &Combining,
        at: NodeId,
    ) -> Collective<Levelled> {
        let Some(identity) = self.identity(combining) else {
            return of;
        };
        let counter = self.tables.nodes.add(
            Node::Variable(of.counter),
            self.tables.variable(of.counter).ty,
        );
        let count = of.count;
        let nodes = &mut self.tables.nodes;
        let is_exclusive = of.op == CollectiveOp::ExclusiveScan;
        let is_before = if is_exclusive {
            BinaryOp::Lt
        } else {
            BinaryOp::Le
        };
        let is_in = nodes.binary(is_before, counter, at);
        if let Some(Statement::Give(_, values)) = of.source.last_mut() {
            for (value, nothing) in values.iter_mut().zip(&identity) {
                *value = nodes.select(is_in, *value, *nothing);
            }
        }
        if let [Statement::If { condition, .. }] = &mut of.body[..] {
            *condition = nodes.binary(BinaryOp::Lt, at, count);
        }
        substitute(nodes, &mut of.body, of.element, at);
        let elements = nodes.literal(count).map_or(0, Literal::u32);
        if is_exclusive && elements > 1 && names_only(&of.source) {
            // The last element stands before no result.
            of.count = nodes.add_literal(Literal::from(elements - 1));
        }
        of.op = CollectiveOp::Reduce;
        of.results = nodes.add_literal(Literal::from(1u32));
        of
    }
}
