//! Indices of global arrays as sums in 64 bits: `input[(size_t)block * 4096 + thread + 512]`.
//!
//! A sum in 32 bits may wrap for all that the compiler knows, so it computes each address anew. Exact
//! arithmetic does not wrap where it is used, and may be done in 64 bits: then addresses that are a
//! number apart share one base, and the number goes into the instruction.

use crate::ordered::Map;
use crate::scalar::{Node, NodeId, Nodes, Sum, Taken};

/// Nodes of an index that are taken apart.
const MOST_NODES: usize = 64;
/// Terms of such a sum.
const MOST_TERMS: usize = 8;

/// An index as a sum, with what is added first; `None` if it is a single node, or too large. Nodes
/// that have a name here stay whole.
pub(super) fn sum(nodes: &Nodes, named: &Map<NodeId, String>, index: NodeId) -> Option<Sum> {
    let taken = |id| match nodes.node(id) {
        _ if named.contains_key(&id) => Taken::Whole,
        Node::Binary { exact: true, .. } => Taken::Apart,
        Node::Unary { op, value } if op.is_promise() => Taken::Named(value),
        _ => Taken::Whole,
    };
    let (mut sum, _) = Sum::of(nodes, index, MOST_NODES, taken)?;
    sum.terms.sort_by_key(|(_, factor)| *factor < 0);
    let is_sum = sum.terms.len() > 1 || sum.constant != 0 || sum.terms.iter().any(|(_, n)| *n != 1);
    // A sum begins with what is added.
    let begins = sum.terms.first().is_some_and(|(_, factor)| *factor > 0);
    (is_sum && begins && sum.terms.len() <= MOST_TERMS).then_some(sum)
}

#[cfg(test)]
mod tests {
    use crate::emit::cuda;
    use crate::emit::testing::Builder;
    use crate::scalar::{BinaryOp, ScalarType};

    #[test]
    fn addresses_have_64_bits_and_end_in_a_number() {
        let mut b = Builder::new("k", 32);
        let x = b.input("x", ScalarType::U32);
        let count = b.length(x);
        let out = b.output("out", ScalarType::U32, count);
        b.sequential(count, |b, i| {
            let [two, four] = [2, 4].map(|n| b.lit(n));
            let row = b.exact(BinaryOp::Mul, i, four);
            let next = b.exact(BinaryOp::Add, row, two);
            let wrapping = b.raw(BinaryOp::Add, i, two);
            let (first, second) = (b.load(x, next), b.load(x, wrapping));
            let sum = b.raw(BinaryOp::Add, first, second);
            b.store(out, i, sum);
        });
        let text = cuda(&b.plan());
        let line = "out[i] = x[(size_t)i * 4 + 2] + x[i + 2];";
        assert!(text.contains(line), "{text}");
    }

    #[test]
    fn what_no_loop_counts_is_added_up_in_32_bits() {
        let mut b = Builder::new("k", 32);
        let x = b.input("x", ScalarType::U32);
        let count = b.length(x);
        let out = b.output("out", ScalarType::U32, count);
        b.sequential(count, |b, i| {
            let two = b.lit(2);
            let thread = b.thread();
            let row = b.exact(BinaryOp::Mul, count, count);
            let at = b.exact(BinaryOp::Add, row, thread);
            let counted = b.exact(BinaryOp::Add, at, i);
            let next = b.exact(BinaryOp::Add, counted, two);
            let value = b.load(x, next);
            b.store(out, at, value);
        });
        let text = cuda(&b.plan());
        let line = "out[x_len * x_len + thread] = x[(size_t)(x_len * x_len + thread) + i + 2];";
        assert!(text.contains(line), "{text}");
    }

    #[test]
    fn leaves_alone_are_added_up_in_32_bits() {
        let mut b = Builder::new("k", 32);
        let x = b.input("x", ScalarType::U32);
        let count = b.length(x);
        let out = b.output("out", ScalarType::U32, count);
        let thread = b.thread();
        let at = b.exact(BinaryOp::Add, count, thread);
        let value = b.load(x, at);
        b.store(out, thread, value);
        let text = cuda(&b.plan());
        assert!(text.contains("out[thread] = x[x_len + thread];"), "{text}");
    }
}
