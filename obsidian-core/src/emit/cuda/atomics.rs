//! Atomic operations: which ones CUDA has for which type, and how they are called.

use crate::ir::AtomicOp;
use crate::scalar::ScalarType::{self, F32, F64, I32, I64, U32, U64};

/// A call: `$p` is the address of the element, `$a` and `$b` are the operands.
struct Row(AtomicOp, &'static [ScalarType], &'static str);

const ROWS: &[Row] = {
    use AtomicOp::*;
    &[
        Row(Add, &[I32, U32, U64, F32, F64], "atomicAdd($p, $a)"),
        Row(
            Add,
            &[I64],
            "(long long)atomicAdd((unsigned long long*)$p, (unsigned long long)$a)",
        ),
        Row(Sub, &[I32, U32], "atomicSub($p, $a)"),
        Row(Sub, &[U64], "atomicAdd($p, 0ull - $a)"),
        Row(
            Sub,
            &[I64],
            "(long long)atomicAdd((unsigned long long*)$p, 0ull - (unsigned long long)$a)",
        ),
        Row(Sub, &[F32, F64], "atomicAdd($p, -$a)"),
        Row(Inc, &[U32], "atomicInc($p, $a)"),
        Row(Dec, &[U32], "atomicDec($p, $a)"),
        Row(Min, &[I32, U32, I64, U64], "atomicMin($p, $a)"),
        Row(Max, &[I32, U32, I64, U64], "atomicMax($p, $a)"),
        Row(And, &[I32, U32, U64], "atomicAnd($p, $a)"),
        Row(
            And,
            &[I64],
            "(long long)atomicAnd((unsigned long long*)$p, (unsigned long long)$a)",
        ),
        Row(Or, &[I32, U32, U64], "atomicOr($p, $a)"),
        Row(
            Or,
            &[I64],
            "(long long)atomicOr((unsigned long long*)$p, (unsigned long long)$a)",
        ),
        Row(Xor, &[I32, U32, U64], "atomicXor($p, $a)"),
        Row(
            Xor,
            &[I64],
            "(long long)atomicXor((unsigned long long*)$p, (unsigned long long)$a)",
        ),
        Row(Exchange, &[I32, U32, U64, F32], "atomicExch($p, $a)"),
        Row(
            Exchange,
            &[I64],
            "(long long)atomicExch((unsigned long long*)$p, (unsigned long long)$a)",
        ),
        Row(
            Exchange,
            &[F64],
            "__longlong_as_double((long long)atomicExch((unsigned long long*)$p, (unsigned long long)__double_as_longlong($a)))",
        ),
        Row(CompareExchange, &[I32, U32, U64], "atomicCAS($p, $a, $b)"),
        Row(
            CompareExchange,
            &[I64],
            "(long long)atomicCAS((unsigned long long*)$p, (unsigned long long)$a, (unsigned long long)$b)",
        ),
        Row(
            CompareExchange,
            &[F32],
            "__int_as_float(atomicCAS((int*)$p, __float_as_int($a), __float_as_int($b)))",
        ),
        Row(
            CompareExchange,
            &[F64],
            "__longlong_as_double((long long)atomicCAS((unsigned long long*)$p, (unsigned long long)__double_as_longlong($a), (unsigned long long)__double_as_longlong($b)))",
        ),
    ]
};

fn find(op: AtomicOp, ty: ScalarType) -> Option<&'static str> {
    ROWS.iter()
        .find(|row| row.0 == op && row.1.contains(&ty))
        .map(|row| row.2)
}

/// Can the element type be changed by this atomic operation? `CompareExchange` of floats compares
/// their bits.
pub fn has_atomic(op: AtomicOp, ty: ScalarType) -> bool {
    find(op, ty).is_some()
}

/// The call, for an address and operands in text that binds tightly.
pub(super) fn call(
    op: AtomicOp,
    ty: ScalarType,
    address: &str,
    operands: &[String],
) -> Option<String> {
    let operand = |n: usize| operands.get(n).map_or("0", String::as_str);
    let (mut out, mut rest) = (String::new(), find(op, ty)?);
    while let Some((before, after)) = rest.split_once('$') {
        out.push_str(before);
        out.push_str(match after.chars().next() {
            Some('p') => address,
            Some('a') => operand(0),
            _ => operand(1),
        });
        rest = after.get(1..).unwrap_or_default();
    }
    out.push_str(rest);
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_offers_what_cuda_has() {
        for op in AtomicOp::ALL {
            for ty in ScalarType::ALL {
                assert_eq!(
                    op.accepts(ty),
                    has_atomic(op, ty),
                    "{op:?} of {}",
                    ty.name()
                );
            }
        }
    }
}
