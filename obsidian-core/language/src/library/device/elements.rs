//! Elements of arrays and slices, parts of variables, and divisions: what can be a fault.

use std::rc::Rc;

use super::faults;
use super::run::{Frame, Machine, Variable};
use super::tree::{Num, Place, Slot, Step};
use super::values::{Cells, Slice, Val};
use crate::error::internal;
use crate::ir::Level;
use crate::program::{Action, Thread, Trace};
use crate::scalar::{AnyExp, BinaryOp, Exp, Literal, here};

impl<'d> Machine<'d> {
    pub(super) fn assign(
        &mut self,
        slot: Slot,
        steps: &'d [Step],
        value: &Val,
        frame: &mut Frame<'d>,
        trace: &mut Trace<Thread>,
    ) -> Option<()> {
        let Some(Variable::Cells(mut cells)) = frame.variables.get(slot as usize).cloned() else {
            internal::raise("a device function changes what does not change");
        };
        for (n, step) in steps.iter().enumerate() {
            cells = match (step, cells) {
                (Step::Field(n), Cells::Tuple(mut list)) if (*n as usize) < list.len() => {
                    list.swap_remove(*n as usize)
                }
                (Step::Element(index, place), Cells::Array(list)) => {
                    let index = self.expr(index, false, frame, trace)?;
                    return self.assign_element(
                        list,
                        (&index, *place),
                        &steps[n + 1..],
                        value,
                        frame,
                        trace,
                    );
                }
                _ => internal::raise("a device function changes a part that is not there"),
            };
        }
        cells.assign(value, trace);
        Some(())
    }

    /// Assigns to element `index` of an array, or to a part of it: each element gets its old value, but
    /// that one.
    pub(super) fn assign_element(
        &mut self,
        list: Vec<Cells>,
        (index, place): (&Val, Place),
        steps: &'d [Step],
        value: &Val,
        frame: &mut Frame<'d>,
        trace: &mut Trace<Thread>,
    ) -> Option<()> {
        let index = self.inside(index, list.len() as u32, place, trace);
        // Further indices are evaluated once.
        let mut further = Vec::new();
        for step in steps {
            further.push(match step {
                Step::Field(n) => (Some(*n), None, 0),
                Step::Element(index, place) => {
                    let index = self.expr(index, false, frame, trace)?;
                    (None, Some(index), *place)
                }
            });
        }
        for (n, cells) in list.iter().enumerate() {
            let chosen = index.eq(n as u32);
            if chosen.as_literal() == Some(false) {
                continue;
            }
            self.assign_where(chosen, cells, &further, value, trace);
        }
        Some(())
    }

    pub(super) fn assign_where(
        &mut self,
        chosen: Exp<bool>,
        cells: &Cells,
        steps: &[(Option<u32>, Option<Val>, Place)],
        value: &Val,
        trace: &mut Trace<Thread>,
    ) {
        let Some(((field, index, place), rest)) = steps.split_first() else {
            let old = cells.get(trace);
            cells.assign(&Val::select(chosen, value, &old), trace);
            return;
        };
        match (field, index, cells) {
            (Some(n), _, Cells::Tuple(list)) if (*n as usize) < list.len() => {
                self.assign_where(chosen, &list[*n as usize], rest, value, trace);
            }
            (_, Some(index), Cells::Array(list)) => {
                let index = self.inside(index, list.len() as u32, *place, trace);
                for (n, cells) in list.iter().enumerate() {
                    self.assign_where(chosen & index.eq(n as u32), cells, rest, value, trace);
                }
            }
            _ => internal::raise("a device function changes a part that is not there"),
        }
    }

    /// An index of an array of known length, with a fault where it is outside.
    pub(super) fn inside(
        &self,
        index: &Val,
        length: u32,
        place: Place,
        trace: &mut Trace<Thread>,
    ) -> Exp<u32> {
        let index = super::operators::index(index);
        let bad = !index.lt(length);
        self.fault_if(bad, &faults::outside_of(length), place, trace);
        index
    }

    /// An element of an array or a slice.
    pub(super) fn element(
        &mut self,
        of: &Val,
        index: &Val,
        place: Place,
        trace: &mut Trace<Thread>,
    ) -> Val {
        match of {
            Val::Array(list) => {
                let index = self.inside(index, list.len() as u32, place, trace);
                super::counting::chosen(list, index)
            }
            Val::Slice(slice) => self.load(slice, super::operators::index(index), place, trace),
            _ => internal::raise("an index of what has no elements"),
        }
    }

    pub(super) fn load(
        &mut self,
        slice: &Rc<Slice>,
        index: Exp<u32>,
        place: Place,
        trace: &mut Trace<Thread>,
    ) -> Val {
        let element = || {
            let index = index.unchecked();
            self.at(place, || {
                crate::scalar::indexed_at(here(), || (slice.at)(index))
            })
        };
        let bad = !index.lt(slice.length);
        if slice.is_checked {
            if self.unused {
                self.fault_if(bad, faults::OUTSIDE, place, trace);
            }
            let value = element();
            // Read here, whatever becomes of the value.
            let cells = Cells::like(&value);
            cells.declare(Some(&value), trace);
            self.remember(bad, trace);
            return cells.get(trace);
        }
        self.fault_if(bad, faults::OUTSIDE, place, trace);
        let (value, mut actions) = trace.nested::<Thread, _>(Some(Level::Thread), |_| element());
        let cells = Cells::like(&value);
        cells.declare(None, trace);
        let ((), more) = trace.nested(Some(Level::Thread), |trace| cells.assign(&value, trace));
        actions.extend(more);
        trace.push(Action::Cond {
            condition: (!bad).node(),
            then: actions,
            otherwise: Vec::new(),
        });
        cells.get(trace)
    }

    /// An operator of two values; what panics on the host is a fault.
    pub(super) fn binary(
        &self,
        op: BinaryOp,
        left: &Val,
        right: &Val,
        place: Place,
        trace: &mut Trace<Thread>,
    ) -> Val {
        if let (BinaryOp::Div | BinaryOp::Rem, Val::Num(num, x, _), Val::Num(_, y, narrow)) =
            (op, left, right)
            && num.is_integer()
        {
            self.division(op, *num, (*x, *y, *narrow), place, trace);
        }
        super::operators::binary(op, left, right)
    }

    pub(super) fn division(
        &self,
        op: BinaryOp,
        num: Num,
        (x, y, narrow): (AnyExp, AnyExp, Option<AnyExp>),
        place: Place,
        trace: &mut Trace<Thread>,
    ) {
        let divides = op == BinaryOp::Div;
        let compare = |op, x: AnyExp, y: AnyExp| {
            let value = AnyExp::binary(op, x, y);
            value.typed::<bool>().unwrap_or_else(Exp::poison)
        };
        let divisor = narrow.unwrap_or(y);
        let zero = AnyExp::literal(Literal::zero(divisor.ty()));
        let [by_zero, overflow] = match divides {
            true => faults::QUOTIENT,
            false => faults::REMAINDER,
        };
        self.fault_if(compare(BinaryOp::Eq, divisor, zero), by_zero, place, trace);
        let scalar = num.scalar();
        let least = scalar.range().filter(|(low, _)| *low < 0);
        if let Some((low, _)) = least
            && let (Some(least), Some(minus_one)) =
                (Literal::integer(scalar, low), Literal::integer(scalar, -1))
        {
            let bad = compare(BinaryOp::Eq, x, AnyExp::literal(least))
                & compare(BinaryOp::Eq, y, AnyExp::literal(minus_one));
            self.fault_if(bad, overflow, place, trace);
        }
    }
}
