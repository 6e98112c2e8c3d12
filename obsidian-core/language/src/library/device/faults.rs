//! Faults: their words, and where one may keep a loop alive.

use super::tree::{Device, Expr, Made, NOWHERE, Num, Range};
use crate::scalar::BinaryOp;

/// What a fault of an index of a slice says: the words of the host, without its numbers.
pub const OUTSIDE: &str = "index out of bounds";
/// A fault of a quotient.
pub const QUOTIENT: [&str; 2] = [
    "attempt to divide by zero",
    "attempt to divide with overflow",
];
/// A fault of a remainder.
pub const REMAINDER: [&str; 2] = [
    "attempt to calculate the remainder with a divisor of zero",
    "attempt to calculate the remainder with overflow",
];
/// A fault of `clamp`.
pub const CLAMP: &str = "assertion failed: min <= max";
/// A fault of `step_by`.
pub const STEP: &str = "assertion failed: step != 0";
/// A fault of a loop.
pub const TOO_MANY: &str = "a loop of more than 4294967295 rounds";

/// What a fault of an index of an array says.
pub fn outside_of(length: u32) -> String {
    format!("{OUTSIDE}: the array has {length} elements")
}

/// Can a function fail, and has it a loop whose end depends on what was computed? Then a thread of a GPU
/// that goes on behind a fault, with zeros for what it could not read, may never end.
pub(super) fn keeps_loops_alive(device: &Device) -> bool {
    let any = |holds: &dyn Fn(&Expr) -> bool| device.functions.iter().any(|f| f.body.any(holds));
    any(&can_fail)
        && any(&|e| match e {
            Expr::While(..) | Expr::Loop(..) => true,
            Expr::For(_, _, Range::Numbers(from, to, _, _, step, _), _) => {
                let ends = [Some(from), Some(to), step.as_ref()];
                let open =
                    |e: &Expr| !matches!(e, Expr::Literal(..) | Expr::Len(_) | Expr::Local(_));
                let parameters = device.functions.iter().map(|f| f.parameters.len());
                let parameters = parameters.min().unwrap_or_default() as u32;
                let changes = |e: &Expr| matches!(e, Expr::Local(slot) if *slot >= parameters);
                ends.into_iter().flatten().any(|e| open(e) || changes(e))
            }
            _ => false,
        })
}

/// Can it be a fault by itself?
pub(super) fn can_fail(expr: &Expr) -> bool {
    match expr {
        Expr::Index(..) | Expr::Fail(..) => true,
        Expr::Assign(_, steps, _) => !steps.is_empty(),
        Expr::Binary(BinaryOp::Div | BinaryOp::Rem, _, right, place) => {
            *place != NOWHERE
                && !matches!(
                    &**right,
                    Expr::Literal(num, bits) if *bits != 0 && *bits != minus_one(*num)
                )
        }
        Expr::Made(Made::Clamp | Made::DivEuclid | Made::RemEuclid, ..) => true,
        Expr::For(_, _, Range::Numbers(..), _) => true,
        _ => false,
    }
}

fn minus_one(num: Num) -> u64 {
    let bits = num.scalar().bits();
    if bits == 64 {
        u64::MAX
    } else {
        (1 << bits) - 1
    }
}
