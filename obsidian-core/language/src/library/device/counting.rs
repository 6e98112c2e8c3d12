//! What a `for` loop counts: numbers and elements.

use super::faults;
use super::operators;
use super::run::Machine;
use super::tree::{Num, Place};
use super::values::Val;
use crate::program::{Thread, Trace};
use crate::scalar::{AnyExp, BinaryOp, Exp, Literal, ScalarType, index, lit, select_exp};

/// The rounds of a loop, and what its variables are in a round.
pub(super) struct Counted {
    pub(super) count: Exp<u32>,
    pub(super) values: Box<dyn Fn(Exp<u32>) -> Vec<Val>>,
}

/// A range of numbers.
pub(super) struct Numbers {
    pub(super) from: Val,
    pub(super) to: Val,
    pub(super) inclusive: bool,
    pub(super) reversed: bool,
    pub(super) step: Option<Val>,
    pub(super) place: Place,
}

fn boolean(op: BinaryOp, x: AnyExp, y: AnyExp) -> Exp<bool> {
    AnyExp::binary(op, x, y).typed().unwrap_or_else(Exp::poison)
}

fn number(value: u64) -> AnyExp {
    AnyExp::literal(Literal::from(value))
}

impl Numbers {
    /// The rounds, `(to - from)`, in 64 bits where the type has them.
    pub(super) fn counted(&self, machine: &Machine<'_>, trace: &mut Trace<Thread>) -> Counted {
        let (Val::Num(num, from, low), Val::Num(_, to, high)) = (&self.from, &self.to) else {
            return none();
        };
        let num = *num;
        // Both ends of 32 bits: so is everything between.
        if let (Some(low), Some(high), false, None) = (low, high, self.inclusive, &self.step) {
            let low: Exp<u32> = low.typed().unwrap_or_else(Exp::poison);
            let high: Exp<u32> = high.typed().unwrap_or_else(Exp::poison);
            let count = if low.as_literal() == Some(0) {
                high
            } else {
                select_exp(low.lt(high), high - low, lit(0))
            };
            let reversed = self.reversed;
            return Counted {
                count,
                values: Box::new(move |k| {
                    let value = match (reversed, low.as_literal()) {
                        (true, _) => high - 1u32 - k,
                        (false, Some(0)) => k,
                        (false, _) => low + k,
                    };
                    vec![Val::index(value)]
                }),
            };
        }
        let order = if self.inclusive {
            BinaryOp::Le
        } else {
            BinaryOp::Lt
        };
        let some = boolean(order, *from, *to);
        // The distance is right in 64 bits, whatever the signs: less than 2^64, and without sign.
        let wide = |value: AnyExp| {
            if num.scalar().is_signed() {
                value.cast(ScalarType::I64).cast(ScalarType::U64)
            } else {
                value.cast(ScalarType::U64)
            }
        };
        let distance = AnyExp::binary(BinaryOp::Sub, wide(*to), wide(*from));
        // The distance from the first to the last number.
        let last = if self.inclusive {
            distance
        } else {
            AnyExp::binary(BinaryOp::Sub, distance, number(1))
        };
        let step = self.step.as_ref().map(|step| match step {
            Val::Num(_, step, _) => *step,
            _ => number(1),
        });
        let last = match step {
            Some(step) => {
                let bad = boolean(BinaryOp::Eq, step, number(0));
                machine.fault_if(bad, faults::STEP, self.place, trace);
                AnyExp::binary(BinaryOp::Div, last, step)
            }
            None => last,
        };
        let most = number(u64::from(u32::MAX) - 1);
        if num.scalar().bits() == 64 || self.inclusive {
            let bad = some & boolean(BinaryOp::Gt, last, most);
            machine.fault_if(bad, faults::TOO_MANY, self.place, trace);
        }
        let count = last
            .cast(ScalarType::U32)
            .typed()
            .unwrap_or_else(Exp::poison)
            + 1u32;
        let fits = boolean(BinaryOp::Le, last, most);
        let count = select_exp(some & fits, count, lit(0));
        let (from, to, reversed, inclusive) = (*from, *to, self.reversed, self.inclusive);
        let scalar = num.scalar();
        Counted {
            count,
            values: Box::new(move |k| {
                let k = k.any().cast(ScalarType::U64);
                let offset = match step {
                    Some(step) => AnyExp::binary(BinaryOp::Mul, k, step),
                    None => k,
                };
                let offset = offset.cast(scalar);
                let value = if reversed {
                    let one = AnyExp::literal(Literal::one(scalar));
                    let top = if inclusive {
                        to
                    } else {
                        AnyExp::binary(BinaryOp::Sub, to, one)
                    };
                    AnyExp::binary(BinaryOp::Sub, top, offset)
                } else {
                    AnyExp::binary(BinaryOp::Add, from, offset)
                };
                vec![Val::num(num, value)]
            }),
        }
    }
}

fn none() -> Counted {
    Counted {
        count: lit(0),
        values: Box::new(|_| Vec::new()),
    }
}

/// The elements of an array or slice; with their numbers, if `numbered`.
pub(super) fn elements(of: Val, numbered: bool) -> Counted {
    let count = match &of {
        Val::Slice(slice) => slice.length,
        Val::Array(list) => lit(list.len() as u32),
        _ => return none(),
    };
    Counted {
        count,
        values: Box::new(move |k| {
            let element = match &of {
                Val::Slice(slice) if slice.is_checked => (slice.at)(k),
                Val::Slice(slice) => (slice.at)(k.unchecked()),
                Val::Array(list) => chosen(list, k),
                other => other.clone(),
            };
            if numbered {
                vec![Val::index(k), element]
            } else {
                vec![element]
            }
        }),
    }
}

/// Element `index` of a list; the last one, if it is beyond.
pub(super) fn chosen(list: &[Val], index: Exp<u32>) -> Val {
    if let Some(n) = index.as_literal() {
        let n = (n as usize).min(list.len().saturating_sub(1));
        return list.get(n).cloned().unwrap_or(Val::Tuple(Vec::new()));
    }
    let mut list = list.iter().enumerate().rev();
    let Some((_, last)) = list.next() else {
        return Val::Tuple(Vec::new());
    };
    list.fold(last.clone(), |rest, (n, value)| {
        Val::select(index.eq(n as u32), value, &rest)
    })
}

/// The coordinates of element `i` of a range.
pub(super) fn coordinates(i: Exp<u32>, extents: &[Exp<u32>], num: Num) -> Val {
    let typed = |value: Exp<u32>| operators::cast(&Val::index(value), num);
    let mut rest = i;
    let mut found = Vec::new();
    for extent in extents.iter().skip(1).rev() {
        found.push(typed(index::rem(rest, *extent)));
        rest = index::div(rest, *extent);
    }
    found.push(typed(rest));
    found.reverse();
    match <[Val; 1]>::try_from(found) {
        Ok([one]) => one,
        Err(several) => Val::Tuple(several),
    }
}
