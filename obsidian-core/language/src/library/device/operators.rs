//! Operators and functions of numbers, as Rust has them.

use super::run::Machine;
use super::tree::{Made, Num, Place};
use super::values::Val;
use crate::program::{Thread, Trace};
use crate::scalar::{AnyExp, BinaryOp, Exp, Literal, ScalarType, UnaryOp, lit};

fn boolean(value: AnyExp) -> Exp<bool> {
    value.typed().unwrap_or_else(Exp::poison)
}

pub(super) fn unary(op: UnaryOp, value: Val) -> Val {
    match value {
        Val::Num(num, value, _) => Val::num(num, AnyExp::unary(op, value)),
        other => other,
    }
}

/// A `usize` as an index of 32 bits: one that does not fit is the largest, which no array has.
pub(super) fn index(value: &Val) -> Exp<u32> {
    match value {
        Val::Num(_, _, Some(narrow)) => narrow.typed().unwrap_or_else(Exp::poison),
        Val::Num(_, wide, None) if wide.ty() == ScalarType::U64 => {
            let most = AnyExp::literal(Literal::from(u64::from(u32::MAX)));
            let index = AnyExp::binary(BinaryOp::Min, *wide, most).cast(ScalarType::U32);
            index.typed().unwrap_or_else(Exp::poison)
        }
        _ => Exp::poison(),
    }
}

pub(super) fn cast(value: &Val, to: Num) -> Val {
    let Val::Num(from, wide, narrow) = value else {
        return value.clone();
    };
    let fits = matches!(from, Num::Bool | Num::U8 | Num::U16 | Num::U32);
    match (narrow, to) {
        (Some(narrow), Num::Usize) => Val::Num(Num::Usize, *wide, Some(*narrow)),
        (Some(narrow), _) => Val::num(to, narrow.cast(to.scalar())),
        (None, Num::Usize) if fits => {
            let narrow = wide.cast(ScalarType::U32);
            Val::Num(to, wide.cast(ScalarType::U64), Some(narrow))
        }
        _ => Val::num(to, wide.cast(to.scalar())),
    }
}

pub(super) fn binary(op: BinaryOp, left: &Val, right: &Val) -> Val {
    let (Val::Num(num, x, narrow), Val::Num(other, y, narrow_y)) = (left, right) else {
        return left.clone();
    };
    let gives = if op.is_comparison() { Num::Bool } else { *num };
    if op.is_shift() {
        let distance = match narrow_y {
            Some(narrow) => *narrow,
            None => y.cast(ScalarType::U32),
        };
        let value = AnyExp::binary(op, *x, distance);
        let short = narrow.filter(|_| {
            op == BinaryOp::Shr && distance.as_literal().is_some_and(|d| d.bits() < 32)
        });
        let narrow = short.map(|x| AnyExp::binary(op, x, distance));
        return Val::Num(gives, value, narrow);
    }
    debug_assert_eq!(num, other);
    if let (Some(a), Some(b)) = (narrow, narrow_y) {
        let stays = matches!(
            op,
            BinaryOp::Div
                | BinaryOp::Rem
                | BinaryOp::And
                | BinaryOp::Or
                | BinaryOp::Xor
                | BinaryOp::Min
                | BinaryOp::Max
        );
        if op.is_comparison() {
            return Val::num(Num::Bool, AnyExp::binary(op, *a, *b));
        }
        if stays {
            let narrow = AnyExp::binary(op, *a, *b);
            return Val::Num(*num, narrow.cast(ScalarType::U64), Some(narrow));
        }
    }
    Val::num(gives, AnyExp::binary(op, *x, *y))
}

/// A function that is made of operators.
pub(super) fn made(
    machine: &Machine<'_>,
    (made, place): (Made, Place),
    list: &[Val],
    trace: &mut Trace<Thread>,
) -> Val {
    let numbers: Vec<(Num, AnyExp)> = list
        .iter()
        .filter_map(|v| match v {
            Val::Num(num, value, _) => Some((*num, *value)),
            _ => None,
        })
        .collect();
    let Some((num, x)) = numbers.first().copied() else {
        return Val::Tuple(Vec::new());
    };
    let second = numbers.get(1).map_or(x, |(_, y)| *y);
    let third = numbers.get(2).map_or(x, |(_, y)| *y);
    let count = |op| Val::num(Num::U32, AnyExp::unary(op, x).cast(ScalarType::U32));
    let same = |value| Val::num(num, value);
    let distance = || second.typed::<u32>().unwrap_or_else(Exp::poison);
    match made {
        Made::Recip => same(x.recip()),
        Made::Fract => same(AnyExp::binary(
            BinaryOp::Sub,
            x,
            AnyExp::unary(UnaryOp::Trunc, x),
        )),
        Made::IsNan => Val::num(Num::Bool, AnyExp::binary(BinaryOp::Ne, x, x)),
        Made::MulAdd => same(AnyExp::mul_add(x, second, third)),
        Made::Clamp => {
            let compare = |op, a, b| boolean(AnyExp::binary(op, a, b));
            let bad = !compare(BinaryOp::Le, second, third);
            machine.fault_if(bad, super::faults::CLAMP, place, trace);
            let low = AnyExp::select(compare(BinaryOp::Lt, x, second), second, x);
            same(AnyExp::select(
                compare(BinaryOp::Gt, low, third),
                third,
                low,
            ))
        }
        Made::RotateLeft => same(x.rotate_left(distance())),
        Made::RotateRight => same(x.rotate_left(lit(0u32) - distance())),
        Made::AbsDiff => {
            let value = x.abs_diff(second);
            let num = Num::ALL
                .into_iter()
                .find(|n| n.scalar() == value.ty())
                .unwrap_or(num);
            // Of two `usize`, it is one again.
            Val::num(
                match (numbers[0].0, num) {
                    (Num::Usize | Num::Isize, Num::U64) => Num::Usize,
                    (_, num) => num,
                },
                value,
            )
        }
        Made::DivEuclid => {
            machine.division(BinaryOp::Div, num, (x, second, None), place, trace);
            same(x.div_euclid(second))
        }
        Made::RemEuclid => {
            machine.division(BinaryOp::Rem, num, (x, second, None), place, trace);
            same(x.rem_euclid(second))
        }
        Made::SaturatingAdd => same(x.saturating_add(second)),
        Made::SaturatingSub => same(x.saturating_sub(second)),
        Made::SaturatingMul => same(x.saturating_mul(second)),
        Made::CountOnes => count(UnaryOp::CountOnes),
        Made::LeadingZeros => count(UnaryOp::LeadingZeros),
        Made::TrailingZeros => count(UnaryOp::TrailingZeros),
    }
}
