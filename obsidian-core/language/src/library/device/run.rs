//! From the tree of a device function to what one thread does.
//!
//! A variable that changes is in cells; every other name is a value. A choice whose arms do nothing but
//! compute is a `select`, any other a branch. `break`, `continue` and an early `return` leave one loop
//! of the kernel at a time: a cell says which one they are for, and each loop on the way looks at it
//! ([`regions`](super::regions)).
//!
//! What panics on the host is a fault of the launch. On a GPU a thread goes on behind it, so loops
//! end once something went wrong: a cell remembers that, in functions where it may keep a loop alive.

use super::regions::Region;
use super::tree::{Code, Device, Expr, Num, Place, Slot};
use super::values::{Cells, Val};
use crate::error::internal;
use crate::ir::{Level, Report, ReportKind};
use crate::ordered::Set;
use crate::program::{Action, Thread, Trace, bound_any};
use crate::scalar::{AnyExp, Exp, Literal, ScalarType, VariableId, VariableKind, here, lit};

/// Runs something whose calls are then placed at the n-th place of the user's text.
pub type Placing<'a> = &'a dyn Fn(Place, &mut dyn FnMut());

/// What a variable is.
#[derive(Clone)]
pub(super) enum Variable {
    Unknown,
    Value(Val),
    Cells(Cells),
}

/// A function that is being compiled.
pub(super) struct Frame<'d> {
    pub(super) code: &'d Code,
    pub(super) variables: Vec<Variable>,
    /// The variables that something reads.
    pub(super) read: Set<Slot>,
    /// The loops around, outermost first; the first is the function itself.
    pub(super) regions: Vec<Region>,
    /// Which region is being left, and whether anything asks for it.
    pub(super) leaving: VariableId,
    pub(super) leaves_far: bool,
    /// Where an early `return` puts the result.
    result: Option<Cells>,
}

pub(super) struct Machine<'d> {
    device: &'d Device,
    places: Placing<'d>,
    /// Is set once something went wrong.
    faulted: Option<VariableId>,
    /// Is a value computed that nothing uses? Then no load may be left to who needs it.
    pub(super) unused: bool,
}

/// `None` where control does not come.
pub(super) type Maybe = Option<Val>;

/// What a device function does with arguments, and its result.
pub fn run(
    device: &Device,
    arguments: Vec<Val>,
    places: Placing<'_>,
    trace: &mut Trace<Thread>,
) -> Val {
    let mut machine = Machine {
        device,
        places,
        faulted: None,
        unused: false,
    };
    if super::faults::keeps_loops_alive(device) {
        let (cell, _) = bound_any(None, ScalarType::Bool, VariableKind::Cell);
        trace.push(Action::Declare {
            cell,
            value: lit(false).node(),
        });
        machine.faulted = Some(cell);
    }
    let first = device.code().map_or(0, |code| code.number);
    machine.call(first, arguments, trace)
}

impl<'d> Machine<'d> {
    fn call(&mut self, n: u32, arguments: Vec<Val>, trace: &mut Trace<Thread>) -> Val {
        let Some(code) = self.device.functions.iter().find(|f| f.number == n) else {
            internal::raise("a device function calls what is not there");
        };
        let mut frame = Frame {
            code,
            read: code.body.read(),
            variables: vec![Variable::Unknown; code.slots as usize],
            regions: vec![Region::function()],
            leaving: bound_any(None, ScalarType::U32, VariableKind::Cell).0,
            leaves_far: false,
            result: None,
        };
        for (variable, value) in frame.variables.iter_mut().zip(arguments) {
            *variable = Variable::Value(value);
        }
        let (value, actions) = trace.nested(Some(Level::Thread), |trace| {
            let value = self.expr(&code.body, true, &mut frame, trace);
            if let (Some(value), Some(result)) = (&value, &frame.result) {
                result.assign(value, trace);
            }
            value
        });
        if let Some(result) = &frame.result {
            result.declare(None, trace);
        }
        if frame.leaves_far {
            trace.push(Action::Declare {
                cell: frame.leaving,
                value: lit(0u32).node(),
            });
        }
        let is_left = frame.regions.first().is_some_and(|r| r.is_left());
        if is_left {
            super::regions::once(actions, trace);
        } else {
            trace.splice(actions);
        }
        match (&frame.result, value) {
            (Some(result), _) => result.get(trace),
            (None, Some(value)) => value,
            (None, None) => Val::zero(&code.result),
        }
    }

    /// Runs `f` placed in the user's text.
    pub(super) fn at<T>(&self, place: Place, f: impl FnOnce() -> T) -> T {
        let (mut f, mut result) = (Some(f), None);
        (self.places)(place, &mut || result = f.take().map(|f| f()));
        match result {
            Some(result) => result,
            None => internal::raise("a place of a device function was not used"),
        }
    }

    /// A fault, with these words, where a condition holds.
    pub(super) fn fault_if(
        &self,
        bad: Exp<bool>,
        text: &str,
        place: Place,
        trace: &mut Trace<Thread>,
    ) {
        if bad.as_literal() == Some(false) {
            return;
        }
        let report = self.report(text, place);
        trace.push(Action::Cond {
            condition: bad.node(),
            then: vec![report],
            otherwise: Vec::new(),
        });
        self.remember(bad, trace);
    }

    fn report(&self, text: &str, place: Place) -> Action {
        self.at(place, || {
            Action::Report(Report {
                kind: ReportKind::Failed,
                text: text.to_owned(),
                values: Vec::new(),
                origin: here(),
            })
        })
    }

    /// Notes that something went wrong.
    pub(super) fn remember(&self, bad: Exp<bool>, trace: &mut Trace<Thread>) {
        if let Some(cell) = self.faulted {
            let before = Cells::Num(Num::Bool, cell).get(trace).condition();
            trace.push(Action::AssignCell {
                cell,
                value: (before | bad).node(),
            });
        }
    }

    /// Holds where nothing went wrong so far; `None` if that is of no interest.
    pub(super) fn is_well(&self, trace: &mut Trace<Thread>) -> Option<Exp<bool>> {
        let cell = self.faulted?;
        Some(!Cells::Num(Num::Bool, cell).get(trace).condition())
    }

    fn list(
        &mut self,
        list: &'d [Expr],
        frame: &mut Frame<'d>,
        trace: &mut Trace<Thread>,
    ) -> Option<Vec<Val>> {
        list.iter()
            .map(|e| self.expr(e, false, frame, trace))
            .collect()
    }

    /// The value of an expression; one that `is_last` gives the result of the function.
    pub(super) fn expr(
        &mut self,
        expr: &'d Expr,
        is_last: bool,
        frame: &mut Frame<'d>,
        trace: &mut Trace<Thread>,
    ) -> Maybe {
        Some(match expr {
            Expr::Literal(num, bits) => {
                let value = AnyExp::literal(Literal::from_bits(num.scalar(), *bits));
                let narrow = (*num == Num::Usize).then(|| u32::try_from(*bits).ok());
                let narrow = narrow.flatten().map(|n| lit(n).any());
                Val::Num(*num, value, narrow)
            }
            Expr::Local(slot) => self.local(*slot, frame, trace),
            Expr::Field(of, n) => match self.expr(of, false, frame, trace)? {
                Val::Tuple(mut list) if (*n as usize) < list.len() => list.swap_remove(*n as usize),
                _ => internal::raise("a field of a device function is not there"),
            },
            Expr::Tuple(list) => Val::Tuple(self.list(list, frame, trace)?),
            Expr::Array(list) => Val::Array(self.list(list, frame, trace)?),
            Expr::Repeat(element, count) => {
                let element = self.expr(element, false, frame, trace)?;
                Val::Array(vec![element; *count as usize])
            }
            Expr::Index(of, index, place) => {
                let of = self.expr(of, false, frame, trace)?;
                let index = self.expr(index, false, frame, trace)?;
                self.element(&of, &index, *place, trace)
            }
            Expr::Len(of) => match self.expr(of, false, frame, trace)? {
                Val::Slice(slice) => Val::index(slice.length),
                Val::Array(list) => Val::index(lit(list.len() as u32)),
                _ => internal::raise("the length of what has none"),
            },
            Expr::Unary(op, value) => {
                let value = self.expr(value, false, frame, trace)?;
                super::operators::unary(*op, value)
            }
            Expr::Binary(op, left, right, place) => {
                let left = self.expr(left, false, frame, trace)?;
                let right = self.expr(right, false, frame, trace)?;
                self.binary(*op, &left, &right, *place, trace)
            }
            Expr::Both(left, right) => self.shortcut(true, left, right, frame, trace)?,
            Expr::Either(left, right) => self.shortcut(false, left, right, frame, trace)?,
            Expr::Cast(value, to) => {
                let value = self.expr(value, false, frame, trace)?;
                super::operators::cast(&value, *to)
            }
            Expr::Made(made, list, place) => {
                let list = self.list(list, frame, trace)?;
                super::operators::made(self, (*made, *place), &list, trace)
            }
            Expr::Powi(value, exponent) => match self.expr(value, false, frame, trace)? {
                Val::Num(num, value, _) => Val::num(num, value.powi(*exponent as i32)),
                other => other,
            },
            Expr::OfBits(op, value, to) => match self.expr(value, false, frame, trace)? {
                Val::Num(_, value, _) => Val::num(*to, AnyExp::unary(*op, value)),
                other => other,
            },
            Expr::Call(n, list) => {
                let list = self.list(list, frame, trace)?;
                self.call(*n, list, trace)
            }
            Expr::If(condition, then, otherwise) => {
                let condition = self.expr(condition, false, frame, trace)?.condition();
                return self.choice(
                    condition,
                    (then, otherwise.as_deref()),
                    is_last,
                    frame,
                    trace,
                );
            }
            Expr::Block(statements, value) => {
                return self.block(statements, value.as_deref(), is_last, frame, trace);
            }
            Expr::While(id, condition, body) => {
                self.while_loop(*id, Some(condition), body, frame, trace);
                Val::Tuple(Vec::new())
            }
            Expr::Loop(id, gives, body) => {
                let cells = gives.as_ref().map(Cells::of);
                if let Some(cells) = &cells {
                    cells.declare(None, trace);
                }
                self.while_or_loop(*id, None, body, cells.clone(), frame, trace);
                match cells {
                    Some(cells) => cells.get(trace),
                    // A loop that nothing leaves gives nothing.
                    None if !leaves(body, *id) => return None,
                    None => Val::Tuple(Vec::new()),
                }
            }
            Expr::For(id, slots, range, body) => {
                self.for_loop(*id, slots, range, body, frame, trace)?
            }
            Expr::Break(id, value) => {
                if let Some(value) = value {
                    let value = self.expr(value, false, frame, trace)?;
                    if let Some(cells) = frame.value_of(*id) {
                        cells.assign(&value, trace);
                    }
                }
                frame.leave_loop(*id, trace);
                return None;
            }
            Expr::Continue(id) => {
                frame.leave_round(*id, trace);
                return None;
            }
            Expr::Return(value) => {
                let value = match value {
                    Some(value) => self.expr(value, false, frame, trace)?,
                    None => Val::Tuple(Vec::new()),
                };
                self.give(&value, is_last, frame, trace);
                return None;
            }
            Expr::Assign(slot, steps, value) => {
                let value = self.expr(value, false, frame, trace)?;
                self.assign(*slot, steps, &value, frame, trace)?;
                Val::Tuple(Vec::new())
            }
            Expr::Fail(text, place) => {
                let report = self.report(text, *place);
                trace.push(report);
                self.remember(lit(true), trace);
                let zero = Val::zero(&frame.code.result);
                self.give(&zero, is_last, frame, trace);
                return None;
            }
        })
    }

    /// Gives the result of the function, and leaves it.
    pub(super) fn give(
        &mut self,
        value: &Val,
        is_last: bool,
        frame: &mut Frame<'d>,
        trace: &mut Trace<Thread>,
    ) {
        let code = frame.code;
        let result = frame.result.get_or_insert_with(|| Cells::of(&code.result));
        result.assign(value, trace);
        if !is_last {
            frame.leave(0, trace);
        }
    }

    fn local(&self, slot: Slot, frame: &Frame<'d>, trace: &mut Trace<Thread>) -> Val {
        match frame.variables.get(slot as usize) {
            Some(Variable::Value(value)) => value.clone(),
            Some(Variable::Cells(cells)) => cells.get(trace),
            _ => internal::raise("a variable of a device function has no value"),
        }
    }
}

impl Frame<'_> {
    pub(super) fn set(&mut self, slot: Slot, variable: Variable) {
        if let Some(place) = self.variables.get_mut(slot as usize) {
            *place = variable;
        }
    }
}

/// Does a `break` leave the loop?
fn leaves(body: &Expr, id: u32) -> bool {
    body.any(&|e| matches!(e, Expr::Break(n, _) if *n == id))
}
