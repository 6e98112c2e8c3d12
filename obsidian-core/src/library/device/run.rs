//! From the tree of a device function to what one thread does.
//!
//! A variable that changes is in cells; every other name is a value. A choice whose arms do nothing but
//! compute is a `select`, any other a branch. `break`, `continue` and an early `return` leave one loop
//! of the kernel at a time: a cell says which one they are for, and each loop on the way looks at it
//! ([`regions`](super::regions)).
//!
//! What panics on the host is a fault of the launch. On a GPU a thread goes on behind it, so loops
//! end once something went wrong: a cell remembers that, in functions where it may keep a loop alive.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::regions::Region;
use super::tree::{Code, Device, Expr, Num, Place, Range, Slot, Step, Stmt, Ty};
use super::values::{Cells, Slice, Val};
use crate::error::internal;
use crate::ir::{Level, Report, ReportKind};
use crate::program::{Action, Thread, Trace, bound_any};
use crate::scalar::{
    AnyExp, BinaryOp, Exp, Literal, ScalarType, VariableId, VariableKind, here, lit,
};

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
    variables: Vec<Variable>,
    /// The variables that something reads.
    read: BTreeSet<Slot>,
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
    unused: bool,
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
    fn is_well(&self, trace: &mut Trace<Thread>) -> Option<Exp<bool>> {
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
    fn give(
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

    /// Statements and a value. Behind an `if` whose arm leaves the function, the rest is the other arm.
    fn block(
        &mut self,
        statements: &'d [Stmt],
        value: Option<&'d Expr>,
        is_last: bool,
        frame: &mut Frame<'d>,
        trace: &mut Trace<Thread>,
    ) -> Maybe {
        for (n, statement) in statements.iter().enumerate() {
            match statement {
                Stmt::Expr(Expr::If(condition, then, None)) if is_last && gone(then) => {
                    let condition = self.expr(condition, false, frame, trace)?.condition();
                    let rest = &statements[n + 1..];
                    let ((), then) = trace.nested(Some(Level::Thread), |trace| {
                        if let Some(value) = self.expr(then, true, frame, trace) {
                            self.give(&value, true, frame, trace);
                        }
                    });
                    let ((), otherwise) = trace.nested(Some(Level::Thread), |trace| {
                        if let Some(value) = self.block(rest, value, true, frame, trace) {
                            self.give(&value, true, frame, trace);
                        }
                    });
                    trace.push(Action::Cond {
                        condition: condition.node(),
                        then,
                        otherwise,
                    });
                    return None;
                }
                Stmt::Expr(expr) => {
                    self.used(!is_value(expr), expr, frame, trace)?;
                }
                Stmt::Let(slot, changes, ty, value) => {
                    let is_read = frame.read.contains(slot);
                    let value = match value {
                        Some(value) => Some(self.used(is_read, value, frame, trace)?),
                        None => None,
                    };
                    let variable = match value {
                        Some(value) if !changes || value.has_slice() => Variable::Value(value),
                        value => {
                            let cells = Cells::of(ty);
                            cells.declare(value.as_ref(), trace);
                            Variable::Cells(cells)
                        }
                    };
                    frame.set(*slot, variable);
                }
            }
        }
        match value {
            Some(value) => self.expr(value, is_last, frame, trace),
            None => Some(Val::Tuple(Vec::new())),
        }
    }

    /// A value that is used, or not.
    fn used(
        &mut self,
        is_used: bool,
        expr: &'d Expr,
        frame: &mut Frame<'d>,
        trace: &mut Trace<Thread>,
    ) -> Maybe {
        let before = self.unused;
        self.unused = before || !is_used;
        let value = self.expr(expr, false, frame, trace);
        self.unused = before;
        value
    }

    fn choice(
        &mut self,
        condition: Exp<bool>,
        (then, otherwise): (&'d Expr, Option<&'d Expr>),
        is_last: bool,
        frame: &mut Frame<'d>,
        trace: &mut Trace<Thread>,
    ) -> Maybe {
        let unit = || Some(Val::Tuple(Vec::new()));
        if let Some(known) = condition.as_literal() {
            return match (known, otherwise) {
                (true, _) => self.expr(then, is_last, frame, trace),
                (false, Some(otherwise)) => self.expr(otherwise, is_last, frame, trace),
                (false, None) => unit(),
            };
        }
        let returns = |e: &Expr| e.any(&|e| matches!(e, Expr::Return(_) | Expr::Fail(..)));
        let ends = is_last && (returns(then) || otherwise.is_some_and(returns));
        let mut arm = |expr: Option<&'d Expr>, frame: &mut Frame<'d>| {
            trace.nested(Some(Level::Thread), |trace| {
                let value = match expr {
                    Some(expr) => self.expr(expr, ends, frame, trace),
                    None => unit(),
                };
                match value {
                    Some(value) if ends => {
                        self.give(&value, true, frame, trace);
                        None
                    }
                    value => value,
                }
            })
        };
        let (then, mut first) = arm(Some(then), frame);
        let (otherwise, mut second) = arm(otherwise, frame);
        if let (Some(x), Some(y)) = (&then, &otherwise)
            && first.iter().chain(&second).all(only_reads)
            && !x.has_slice()
        {
            trace.splice(first);
            trace.splice(second);
            return Some(Val::select(condition, x, y));
        }
        let like = then.as_ref().or(otherwise.as_ref());
        let cells = like.map(Cells::like);
        if let Some(cells) = &cells {
            cells.declare(None, trace);
            for (value, actions) in [(&then, &mut first), (&otherwise, &mut second)] {
                if let Some(value) = value {
                    let ((), more) = trace.nested(Some(Level::Thread), |trace| {
                        cells.assign(value, trace);
                    });
                    actions.extend(more);
                }
            }
        }
        trace.push(Action::Cond {
            condition: condition.node(),
            then: first,
            otherwise: second,
        });
        cells.map(|cells| cells.get(trace))
    }

    /// `&&`, or `||`: the right side is evaluated only where it is needed.
    fn shortcut(
        &mut self,
        is_and: bool,
        left: &'d Expr,
        right: &'d Expr,
        frame: &mut Frame<'d>,
        trace: &mut Trace<Thread>,
    ) -> Maybe {
        let left = self.expr(left, false, frame, trace)?.condition();
        if let Some(known) = left.as_literal() {
            if known == is_and {
                return self.expr(right, false, frame, trace);
            }
            return Some(Val::num(Num::Bool, left.any()));
        }
        let (right, actions) = trace.nested(Some(Level::Thread), |trace| {
            self.expr(right, false, frame, trace)
        });
        let op = if is_and { BinaryOp::And } else { BinaryOp::Or };
        if let Some(right) = &right
            && actions.iter().all(only_reads)
        {
            trace.splice(actions);
            let value = AnyExp::binary(op, left.any(), right.condition().any());
            return Some(Val::num(Num::Bool, value));
        }
        let cells = Cells::of(&Ty::Num(Num::Bool));
        cells.declare(Some(&Val::num(Num::Bool, left.any())), trace);
        let ((), more) = trace.nested(Some(Level::Thread), |trace| {
            if let Some(right) = &right {
                cells.assign(right, trace);
            }
        });
        let actions: Vec<Action> = actions.into_iter().chain(more).collect();
        let (then, otherwise) = if is_and {
            (actions, Vec::new())
        } else {
            (Vec::new(), actions)
        };
        trace.push(Action::Cond {
            condition: left.node(),
            then,
            otherwise,
        });
        Some(cells.get(trace))
    }

    fn while_loop(
        &mut self,
        id: u32,
        condition: Option<&'d Expr>,
        body: &'d Expr,
        frame: &mut Frame<'d>,
        trace: &mut Trace<Thread>,
    ) {
        self.while_or_loop(id, condition, body, None, frame, trace);
    }

    fn while_or_loop(
        &mut self,
        id: u32,
        condition: Option<&'d Expr>,
        body: &'d Expr,
        gives: Option<Cells>,
        frame: &mut Frame<'d>,
        trace: &mut Trace<Thread>,
    ) {
        frame.regions.push(Region::of_loop(id, gives));
        let (holds, head) = trace.nested(Some(Level::Thread), |trace| {
            let holds = match condition {
                Some(condition) => self
                    .expr(condition, false, frame, trace)
                    .map_or(lit(false), |value| value.condition()),
                None => lit(true),
            };
            match self.is_well(trace) {
                Some(well) => holds & well,
                None => holds,
            }
        });
        let body = self.rounds(id, body, frame, trace);
        trace.push(Action::SeqWhile {
            head,
            condition: holds.node(),
            body,
        });
        frame.behind(trace);
    }

    /// The actions of a round of a loop.
    fn rounds(
        &mut self,
        id: u32,
        body: &'d Expr,
        frame: &mut Frame<'d>,
        trace: &mut Trace<Thread>,
    ) -> Vec<Action> {
        let continues = body.any(&|e| matches!(e, Expr::Continue(n) if *n == id));
        let ((), actions) = trace.nested(Some(Level::Thread), |trace| {
            if !continues {
                self.expr(body, false, frame, trace);
                return;
            }
            frame.regions.push(Region::of_round(id));
            let ((), round) = trace.nested(Some(Level::Thread), |trace| {
                self.expr(body, false, frame, trace);
            });
            super::regions::once(round, trace);
            frame.behind(trace);
        });
        actions
    }

    fn for_loop(
        &mut self,
        id: u32,
        slots: &'d [Slot],
        range: &'d Range,
        body: &'d Expr,
        frame: &mut Frame<'d>,
        trace: &mut Trace<Thread>,
    ) -> Maybe {
        let counted = match range {
            Range::Numbers(from, to, inclusive, reversed, step, place) => {
                let from = self.expr(from, false, frame, trace)?;
                let to = self.expr(to, false, frame, trace)?;
                let step = match step {
                    Some(step) => Some(self.expr(step, false, frame, trace)?),
                    None => None,
                };
                let range = super::counting::Numbers {
                    from,
                    to,
                    inclusive: *inclusive,
                    reversed: *reversed,
                    step,
                    place: *place,
                };
                range.counted(self, trace)
            }
            Range::Elements(of) | Range::Numbered(of) => {
                let of = self.expr(of, false, frame, trace)?;
                let numbered = matches!(range, Range::Numbered(_));
                super::counting::elements(of, numbered)
            }
        };
        let count = match self.is_well(trace) {
            Some(well) => crate::scalar::select_exp(well, counted.count, lit(0)),
            None => counted.count,
        };
        frame.regions.push(Region::of_loop(id, None));
        let (counter, k) = crate::program::counter();
        let ((), body) = trace.nested(Some(Level::Thread), |trace| {
            for (slot, value) in slots.iter().zip((counted.values)(k)) {
                frame.set(*slot, Variable::Value(value));
            }
            let actions = self.rounds(id, body, frame, trace);
            trace.splice(actions);
        });
        trace.push(Action::SeqFor {
            counter,
            count: count.node(),
            body,
        });
        frame.behind(trace);
        Some(Val::Tuple(Vec::new()))
    }

    fn assign(
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
    fn assign_element(
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

    fn assign_where(
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
    fn inside(
        &self,
        index: &Val,
        length: u32,
        place: Place,
        trace: &mut Trace<Thread>,
    ) -> Exp<u32> {
        let index = super::operators::index(index);
        let bad = !index.lt(length);
        let text = format!("index out of bounds: the array has {length} elements");
        self.fault_if(bad, &text, place, trace);
        index
    }

    /// An element of an array or a slice.
    fn element(&mut self, of: &Val, index: &Val, place: Place, trace: &mut Trace<Thread>) -> Val {
        match of {
            Val::Array(list) => {
                let index = self.inside(index, list.len() as u32, place, trace);
                super::counting::chosen(list, index)
            }
            Val::Slice(slice) => self.load(slice, super::operators::index(index), place, trace),
            _ => internal::raise("an index of what has no elements"),
        }
    }

    fn load(
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
                self.fault_if(bad, "index out of bounds", place, trace);
            }
            let value = element();
            // Read here, whatever becomes of the value.
            let cells = Cells::like(&value);
            cells.declare(Some(&value), trace);
            self.remember(bad, trace);
            return cells.get(trace);
        }
        self.fault_if(bad, "index out of bounds", place, trace);
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
    fn binary(
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

    fn division(
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
        let text = if divides {
            "attempt to divide by zero"
        } else {
            "attempt to calculate the remainder with a divisor of zero"
        };
        self.fault_if(compare(BinaryOp::Eq, divisor, zero), text, place, trace);
        let scalar = num.scalar();
        let least = scalar.range().filter(|(low, _)| *low < 0);
        if let Some((low, _)) = least
            && let (Some(least), Some(minus_one)) =
                (Literal::integer(scalar, low), Literal::integer(scalar, -1))
        {
            let bad = compare(BinaryOp::Eq, x, AnyExp::literal(least))
                & compare(BinaryOp::Eq, y, AnyExp::literal(minus_one));
            let text = if divides {
                "attempt to divide with overflow"
            } else {
                "attempt to calculate the remainder with overflow"
            };
            self.fault_if(bad, text, place, trace);
        }
    }
}

impl Frame<'_> {
    fn set(&mut self, slot: Slot, variable: Variable) {
        if let Some(place) = self.variables.get_mut(slot as usize) {
            *place = variable;
        }
    }
}

/// Is it an expression for its value?
fn is_value(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::Index(..)
            | Expr::Field(..)
            | Expr::Binary(..)
            | Expr::Unary(..)
            | Expr::Cast(..)
            | Expr::Made(..)
            | Expr::Tuple(_)
            | Expr::Array(_)
            | Expr::Both(..)
            | Expr::Either(..)
            | Expr::Call(..)
    )
}

/// Does an action only name the value of a cell?
fn only_reads(action: &Action) -> bool {
    matches!(action, Action::GetCell { .. })
}

/// Does control never come behind an expression?
fn gone(expr: &Expr) -> bool {
    match expr {
        Expr::Return(_) | Expr::Break(..) | Expr::Continue(_) | Expr::Fail(..) => true,
        Expr::Block(statements, value) => {
            let statement = |s: &Stmt| match s {
                Stmt::Let(_, _, _, value) => value.as_ref().is_some_and(gone),
                Stmt::Expr(value) => gone(value),
            };
            statements.iter().any(statement) || value.as_deref().is_some_and(gone)
        }
        Expr::If(_, then, Some(otherwise)) => gone(then) && gone(otherwise),
        _ => false,
    }
}

/// Does a `break` leave the loop?
fn leaves(body: &Expr, id: u32) -> bool {
    body.any(&|e| matches!(e, Expr::Break(n, _) if *n == id))
}
