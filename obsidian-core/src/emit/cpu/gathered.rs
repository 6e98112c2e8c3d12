//! Arrays that a kernel only combines values with, by atomic operations whose old values it does not use.
//!
//! Claim: if all accesses to an array are such operations of one operator that is exactly associative and
//! commutative, a block may combine its values with elements of its own, which begin with the identity, and
//! these may be merged into the array at the end of the launch, by the same operator. Nobody sees an element
//! before that: every read of the array would be an access of another kind.

use crate::ir::{Kernel, Lowered, Statement};
use crate::scalar::{ArrayId, BinaryOp};

/// The operator that merges own elements into the array; `None` if the array has to be shared.
pub(super) fn operator(kernel: &Kernel<Lowered>, array: ArrayId) -> Option<BinaryOp> {
    let mut operators = Vec::new();
    for statement in &kernel.body {
        statement.visit(&mut |inner| {
            if inner.mentions(&kernel.tables.nodes).contains(&array) {
                operators.push(of(kernel, inner, array));
            }
        });
    }
    let first = (*operators.first()?)?;
    let is_one = operators.iter().all(|op| *op == Some(first));
    let has_identity = first.identity(kernel.tables.array(array).ty).is_some();
    (is_one && has_identity).then_some(first)
}

/// The operator of an access whose old value is not used.
fn of(kernel: &Kernel<Lowered>, access: &Statement<Lowered>, array: ArrayId) -> Option<BinaryOp> {
    let Statement::Atomic {
        array: changed,
        op,
        result: None,
        ..
    } = access
    else {
        return None;
    };
    if *changed != array || access.loads(&kernel.tables.nodes).contains(&array) {
        return None;
    }
    op.combines()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::read;
    use crate::scalar::ArrayId;

    /// The operator for an array of a type that 1,000 blocks change by `body`.
    fn found(ty: &str, body: &str) -> Option<BinaryOp> {
        let text = format!(
            "kernel k {{ parameter 0 y: {ty}[length(y)] inout parameter 1 out: {ty}[1000_u32] output
             distribute Block b < 1000_u32 {{ forall Block i < 1_u32 {{ {body} }} }} }}"
        );
        let kernel = read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        operator(&kernel, ArrayId(0))
    }

    #[test]
    fn what_is_only_combined_by_one_operator_is_gathered() {
        let add = "atomic add y[b] (1_u32)";
        assert_eq!(found("u32", add), Some(BinaryOp::Add));
        let both = format!("{add} atomic sub y[0_u32] (b)");
        assert_eq!(found("u32", &both), Some(BinaryOp::Add));
        assert_eq!(found("i64", "atomic max y[b] (1_i64)"), Some(BinaryOp::Max));
        assert_eq!(
            found("u32", "if (b < 9_u32) { atomic xor y[b] (b) }"),
            Some(BinaryOp::Xor)
        );
    }

    #[test]
    fn what_anybody_may_see_is_not() {
        let add = "atomic add y[b] (1_u32)";
        for other in [
            "read v = y[b] store out[b] = v",
            "store y[b] = 1_u32",
            "atomic max y[b] (b)",
            "atomic old = add y[b] (b) store out[b] = old",
            "atomic exchange y[b] (b)",
            "atomic inc y[b] (b)",
        ] {
            assert_eq!(found("u32", &format!("{add} {other}")), None, "{other}");
        }
        // Not exactly associative.
        assert_eq!(found("f32", "atomic add y[b] (1.0_f32)"), None);
        // Not mentioned at all.
        assert_eq!(found("u32", "store out[b] = b"), None);
    }
}
