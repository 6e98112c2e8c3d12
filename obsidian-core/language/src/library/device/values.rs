//! What a device function computes with: device values, tuples and arrays of them, and slices.

use std::rc::Rc;

use super::tree::{Num, Ty};
use crate::program::{Action, Thread, Trace, bound_any};
use crate::scalar::{AnyExp, Exp, Literal, ScalarType, VariableId, VariableKind};

/// A value while a device function is compiled.
#[derive(Clone)]
pub enum Val {
    /// A number. One of type `usize` that fits 32 bits has a copy of 32 bits too, which is cheaper to
    /// compute with.
    Num(Num, AnyExp, Option<AnyExp>),
    /// A tuple.
    Tuple(Vec<Val>),
    /// An array of known length.
    Array(Vec<Val>),
    /// A slice.
    Slice(Rc<Slice>),
}

/// The elements of a slice.
pub struct Slice {
    /// How many there are.
    pub length: Exp<u32>,
    /// An element; the index is below the length, or vouched for.
    pub at: Box<dyn Fn(Exp<u32>) -> Val>,
    /// Is it an input of the kernel, each access of which is checked when the kernel runs?
    pub is_checked: bool,
}

/// The cells of a variable that changes.
#[derive(Clone)]
pub(super) enum Cells {
    Num(Num, VariableId),
    Tuple(Vec<Cells>),
    Array(Vec<Cells>),
}

impl Val {
    /// A number of a type whose device value is known.
    pub fn num(num: Num, value: AnyExp) -> Val {
        Val::Num(num, value, None)
    }

    /// A `usize` of 32 bits.
    pub fn index(value: Exp<u32>) -> Val {
        let value = value.any();
        Val::Num(Num::Usize, value.cast(ScalarType::U64), Some(value))
    }

    /// A value of a type without which nothing goes on after a mistake of the program when it runs.
    pub(super) fn zero(ty: &Ty) -> Val {
        match ty {
            Ty::Num(num) => {
                let zero = AnyExp::literal(Literal::zero(num.scalar()));
                Val::Num(*num, zero, None)
            }
            Ty::Tuple(list) => Val::Tuple(list.iter().map(Val::zero).collect()),
            Ty::Array(element, length) => {
                let zero = Val::zero(element);
                Val::Array(vec![zero; *length as usize])
            }
            Ty::Slice(element) => {
                let element = element.clone();
                Val::Slice(Rc::new(Slice {
                    length: crate::scalar::lit(0),
                    at: Box::new(move |_| Val::zero(&element)),
                    is_checked: false,
                }))
            }
        }
    }

    /// The numbers that it is made of, in order.
    pub fn leaves(&self, list: &mut Vec<AnyExp>) {
        match self {
            Val::Num(_, value, _) => list.push(*value),
            Val::Tuple(inner) | Val::Array(inner) => inner.iter().for_each(|v| v.leaves(list)),
            Val::Slice(_) => {}
        }
    }

    /// Two values of one shape, joined number by number.
    pub(super) fn zip(&self, other: &Val, f: &mut dyn FnMut(AnyExp, AnyExp) -> AnyExp) -> Val {
        match (self, other) {
            (Val::Num(num, x, narrow), Val::Num(_, y, other)) => {
                let narrow = match (narrow, other) {
                    (Some(x), Some(y)) => Some(f(*x, *y)),
                    _ => None,
                };
                Val::Num(*num, f(*x, *y), narrow)
            }
            (Val::Tuple(x), Val::Tuple(y)) => {
                Val::Tuple(x.iter().zip(y).map(|(x, y)| x.zip(y, f)).collect())
            }
            (Val::Array(x), Val::Array(y)) => {
                Val::Array(x.iter().zip(y).map(|(x, y)| x.zip(y, f)).collect())
            }
            _ => self.clone(),
        }
    }

    /// Returns `true` if a slice is part of it.
    pub(super) fn has_slice(&self) -> bool {
        match self {
            Val::Num(..) => false,
            Val::Tuple(list) | Val::Array(list) => list.iter().any(Val::has_slice),
            Val::Slice(_) => true,
        }
    }

    /// One of two values.
    pub(super) fn select(condition: Exp<bool>, then: &Val, otherwise: &Val) -> Val {
        then.zip(otherwise, &mut |x, y| AnyExp::select(condition, x, y))
    }

    /// A `bool` as a condition.
    pub(super) fn condition(&self) -> Exp<bool> {
        match self {
            Val::Num(_, value, _) => value.typed().unwrap_or_else(Exp::poison),
            _ => Exp::poison(),
        }
    }
}

impl Cells {
    /// New cells for values of a type; they are not declared yet.
    pub(super) fn of(ty: &Ty) -> Cells {
        match ty {
            Ty::Num(num) => Cells::Num(*num, bound_any(None, num.scalar(), VariableKind::Cell).0),
            Ty::Tuple(list) => Cells::Tuple(list.iter().map(Cells::of).collect()),
            Ty::Array(element, length) => {
                Cells::Array((0..*length).map(|_| Cells::of(element)).collect())
            }
            Ty::Slice(_) => Cells::Tuple(Vec::new()),
        }
    }

    /// New cells for values like this one.
    pub(super) fn like(value: &Val) -> Cells {
        match value {
            Val::Num(num, ..) => Cells::of(&Ty::Num(*num)),
            Val::Tuple(list) => Cells::Tuple(list.iter().map(Cells::like).collect()),
            Val::Array(list) => Cells::Array(list.iter().map(Cells::like).collect()),
            Val::Slice(_) => Cells::Tuple(Vec::new()),
        }
    }

    /// Begins the cells with a value, or with zeros.
    pub(super) fn declare(&self, value: Option<&Val>, trace: &mut Trace<Thread>) {
        match (self, value) {
            (Cells::Num(num, cell), value) => {
                let value = match value {
                    Some(Val::Num(_, value, _)) => *value,
                    _ => AnyExp::literal(Literal::zero(num.scalar())),
                };
                trace.push(Action::Declare {
                    cell: *cell,
                    value: value.node(),
                });
            }
            (Cells::Tuple(list) | Cells::Array(list), value) => {
                for (n, cells) in list.iter().enumerate() {
                    let part = match value {
                        Some(Val::Tuple(values) | Val::Array(values)) => values.get(n),
                        _ => None,
                    };
                    cells.declare(part, trace);
                }
            }
        }
    }

    /// Changes the cells.
    pub(super) fn assign(&self, value: &Val, trace: &mut Trace<Thread>) {
        match (self, value) {
            (Cells::Num(_, cell), Val::Num(_, value, _)) => trace.push(Action::AssignCell {
                cell: *cell,
                value: value.node(),
            }),
            (Cells::Tuple(list), Val::Tuple(values)) | (Cells::Array(list), Val::Array(values)) => {
                for (cells, value) in list.iter().zip(values) {
                    cells.assign(value, trace);
                }
            }
            _ => {}
        }
    }

    /// The present value.
    pub(super) fn get(&self, trace: &mut Trace<Thread>) -> Val {
        match self {
            Cells::Num(num, cell) => {
                let (variable, value) = bound_any(None, num.scalar(), VariableKind::Let);
                trace.push(Action::GetCell {
                    variable,
                    cell: *cell,
                });
                Val::Num(*num, value, None)
            }
            Cells::Tuple(list) => Val::Tuple(list.iter().map(|c| c.get(trace)).collect()),
            Cells::Array(list) => Val::Array(list.iter().map(|c| c.get(trace)).collect()),
        }
    }
}

impl Val {
    /// A device value as an argument of a type: a `usize` comes as 32 or 64 bits.
    pub fn given(num: Num, value: AnyExp) -> Option<Val> {
        if num == Num::Usize && value.ty() == ScalarType::U32 {
            return value.typed().map(Val::index);
        }
        (value.ty() == num.scalar()).then(|| Val::num(num, value))
    }

    /// Stands for a value that a mistake has made impossible.
    pub fn impossible(ty: &Ty) -> Val {
        Val::zero(ty)
    }

    /// A slice that is an input of the kernel, whose accesses are checked when it runs.
    pub fn checked(self) -> Val {
        let Val::Slice(slice) = self else {
            return self;
        };
        Val::Slice(Rc::new(Slice {
            length: slice.length,
            at: Box::new(move |i| (slice.at)(i)),
            is_checked: true,
        }))
    }
}
