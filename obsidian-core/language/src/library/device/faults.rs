//! Where a fault may keep a loop alive.

use super::tree::{Device, Expr, Made, NOWHERE, Num, Range};
use crate::scalar::BinaryOp;

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
