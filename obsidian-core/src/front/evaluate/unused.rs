//! Programs that are made and never run: an error, because everything they do is lost in silence.
//!
//! Every program that a call gives gets a note of its use ([`Watch`]). Running it, or making
//! another program of it, marks the note; what is unmarked when the kernel is complete is reported
//! at the call that gave it last. A variable, a tuple, a list or `let _` that holds a program does not use it.
//!
//! Conditions of the host choose code, and the code that is not chosen may be the one that uses a
//! program made before: `if N > 4 { p } else { q }`. The programs in variables that such code names
//! are spared, unless they are also the value of a statement.

use super::value::ClosureValue;
use super::{Frame, Machine, Value};
use crate::error::catalogue;
use crate::front::syntax::{Block, Expr, ExprKind, Site, Slot, Stmt};
use crate::ordered::Map;
use crate::program::Watch;
use crate::scalar::{failed, report, with_site};

impl Machine {
    /// The value of a call that the user wrote at a site.
    pub(super) fn given(&self, value: Value, site: Site) -> Value {
        if self.is_any_unused() {
            each_watch(&value, &mut |watch| watch.given_by(site));
        }
        self.watched(value, site)
    }

    /// The value of a call; a program is watched from now on.
    pub(super) fn watched(&self, value: Value, site: Site) -> Value {
        self.forget_used();
        let Value::Program(program) = value else {
            return value;
        };
        Value::Program(program.watched(|| {
            let watch = Watch::new(site);
            self.made.borrow_mut().push(watch.clone());
            watch
        }))
    }

    /// Forgets the programs made last that have been used.
    fn forget_used(&self) {
        let mut made = self.made.borrow_mut();
        while made.last().is_some_and(Watch::is_used) {
            made.pop();
        }
    }

    /// Are there programs that have not been used so far?
    fn is_any_unused(&self) -> bool {
        self.forget_used();
        !self.made.borrow().is_empty()
    }

    /// The value of a statement: nothing has it any more.
    pub(super) fn dropped(&self, value: &Value) {
        if self.is_any_unused() {
            each_watch(value, &mut |watch| watch.mark_dropped());
        }
    }

    /// A list of which the code left early by a condition of the host.
    pub(super) fn spare_values(&self, values: &[Value]) {
        if self.is_any_unused() {
            values
                .iter()
                .for_each(|value| each_watch(value, &mut |watch| watch.spare()));
        }
    }

    /// What a closure has taken, which is called as often as its receiver likes.
    pub(super) fn spare_taken(&self, function: &Value) {
        if let Value::Closure(closure) = function {
            let ClosureValue { taken, .. } = &**closure;
            self.spare_values(taken);
        }
    }

    /// Code that is not chosen.
    pub(super) fn spare_expr(&self, expr: &Expr, frame: &Frame<'_>) {
        if self.is_any_unused() {
            in_expr(expr, &mut |slot| spare_slot(slot, frame));
        }
    }

    /// A block that is not chosen.
    pub(super) fn spare_block(&self, block: &Block, frame: &Frame<'_>) {
        self.spare_rest(&block.statements, block.value.as_deref(), frame);
    }

    /// The rest of a block that was left.
    pub(super) fn spare_rest(&self, statements: &[Stmt], value: Option<&Expr>, frame: &Frame<'_>) {
        if self.is_any_unused() {
            let mut seen = |slot| spare_slot(slot, frame);
            statements.iter().for_each(|s| in_statement(s, &mut seen));
            value.iter().for_each(|e| in_expr(e, &mut seen));
        }
    }

    /// Reports the programs that were never run, each at the call that gave it last.
    pub(super) fn report_unused(&self) {
        if failed() {
            return;
        }
        let mut lost: Map<(Site, bool), usize> = Map::new();
        for watch in self.made.borrow().iter().filter(|watch| watch.is_lost()) {
            *lost.entry((watch.site(), watch.is_executed())).or_default() += 1;
        }
        for ((site, is_executed), count) in lost {
            with_site(site, || {
                report(catalogue::unused_program(count, is_executed))
            });
        }
    }
}

fn spare_slot(slot: Slot, frame: &Frame<'_>) {
    if let Some(value) = frame.slots.get(slot as usize) {
        each_watch(value, &mut |watch| watch.spare());
    }
}

/// Calls `f` for each program in a value.
fn each_watch(value: &Value, f: &mut dyn FnMut(&Watch)) {
    match value {
        Value::Program(program) => program.watch().into_iter().for_each(f),
        Value::Tuple(list) | Value::Vec(list) | Value::Iter(list) => {
            list.iter().for_each(|value| each_watch(value, f));
        }
        Value::Option(Some(value)) => each_watch(value, f),
        Value::Closure(closure) => closure.taken.iter().for_each(|value| each_watch(value, f)),
        _ => {}
    }
}

/// Calls `f` for each variable that a statement names.
fn in_statement(statement: &Stmt, f: &mut dyn FnMut(Slot)) {
    match statement {
        Stmt::Expr(expr, _) => in_expr(expr, f),
        Stmt::Let {
            value, otherwise, ..
        } => {
            value.iter().for_each(|e| in_expr(e, f));
            otherwise.iter().for_each(|b| in_block(b, f));
        }
    }
}

fn in_block(block: &Block, f: &mut dyn FnMut(Slot)) {
    block.statements.iter().for_each(|s| in_statement(s, f));
    block.value.iter().for_each(|e| in_expr(e, f));
}

/// Calls `f` for each variable that an expression names.
fn in_expr(expr: &Expr, f: &mut dyn FnMut(Slot)) {
    match &expr.kind {
        ExprKind::Local(slot, _) => f(*slot),
        ExprKind::Lit(..)
        | ExprKind::Constant(..)
        | ExprKind::HostConstant(..)
        | ExprKind::Path(..)
        | ExprKind::None
        | ExprKind::Break
        | ExprKind::Continue => {}
        ExprKind::Unary(_, x)
        | ExprKind::Deref(x)
        | ExprKind::Ref(x)
        | ExprKind::Field(x, _)
        | ExprKind::Cast(x, _)
        | ExprKind::Try(x, _)
        | ExprKind::Paren(x) => in_expr(x, f),
        ExprKind::Binary(_, x, y, _)
        | ExprKind::Assign(x, y)
        | ExprKind::AssignOp(_, x, y, _)
        | ExprKind::Index(x, y)
        | ExprKind::Repeat(x, y, _) => [x, y].into_iter().for_each(|e| in_expr(e, f)),
        ExprKind::Call(callee, list) => {
            in_expr(callee, f);
            list.iter().for_each(|e| in_expr(e, f));
        }
        ExprKind::Method {
            receiver,
            arguments,
            ..
        } => {
            in_expr(receiver, f);
            arguments.iter().for_each(|e| in_expr(e, f));
        }
        ExprKind::Range(x, y, _) => [x, y].into_iter().flatten().for_each(|e| in_expr(e, f)),
        ExprKind::Tuple(list) | ExprKind::Array(list, _) | ExprKind::Assert(_, list, _) => {
            list.iter().for_each(|e| in_expr(e, f));
        }
        ExprKind::Closure(closure) => closure.captures.iter().for_each(|(slot, ..)| f(*slot)),
        ExprKind::Return(value) => value.iter().for_each(|e| in_expr(e, f)),
        _ => in_branches(expr, f),
    }
}

/// Calls `f` for each variable that an expression with blocks names.
fn in_branches(expr: &Expr, f: &mut dyn FnMut(Slot)) {
    match &expr.kind {
        ExprKind::Block(block) | ExprKind::Loop(block) => in_block(block, f),
        ExprKind::If(condition, then, otherwise)
        | ExprKind::IfLet(_, condition, then, otherwise) => {
            in_expr(condition, f);
            in_block(then, f);
            otherwise.iter().for_each(|e| in_expr(e, f));
        }
        ExprKind::For(_, head, body) | ExprKind::While(head, body) => {
            in_expr(head, f);
            in_block(body, f);
        }
        ExprKind::Match(value, arms) => {
            in_expr(value, f);
            for arm in arms {
                arm.guard.iter().for_each(|e| in_expr(e, f));
                in_expr(&arm.body, f);
            }
        }
        _ => {}
    }
}
