//! Statements, and choices between them.

use super::run::{Frame, Machine, Maybe, Variable};
use super::tree::{Expr, Num, Stmt, Ty};
use super::values::{Cells, Val};
use crate::ir::Level;
use crate::program::{Action, Thread, Trace};
use crate::scalar::{AnyExp, BinaryOp, Exp};

impl<'d> Machine<'d> {
    /// Statements and a value. Behind an `if` whose arm leaves the function, the rest is the other arm.
    pub(super) fn block(
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
    pub(super) fn used(
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

    pub(super) fn choice(
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
    pub(super) fn shortcut(
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
