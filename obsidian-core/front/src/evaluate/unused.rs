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
use crate::ordered::Map;
use crate::program::Watch;
use crate::scalar::{failed, report, with_site};
use crate::syntax::{Block, Expr, ExprKind, Site, Slot, Stmt};
use crate::visit;

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
            visit::in_expr(expr, &mut |expr| spare_named(expr, frame));
        }
    }

    /// A block that is not chosen.
    pub(super) fn spare_block(&self, block: &Block, frame: &Frame<'_>) {
        self.spare_rest(&block.statements, block.value.as_deref(), frame);
    }

    /// The rest of a block that was left.
    pub(super) fn spare_rest(&self, statements: &[Stmt], value: Option<&Expr>, frame: &Frame<'_>) {
        if self.is_any_unused() {
            let mut seen = |expr: &Expr| spare_named(expr, frame);
            statements
                .iter()
                .for_each(|s| visit::in_statement(s, &mut seen));
            value.iter().for_each(|e| visit::in_expr(e, &mut seen));
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

/// Spares what the variables hold that an expression itself names.
fn spare_named(expr: &Expr, frame: &Frame<'_>) {
    match &expr.kind {
        ExprKind::Local(slot, _) => spare_slot(*slot, frame),
        ExprKind::Closure(closure) => {
            closure
                .captures
                .iter()
                .for_each(|(slot, ..)| spare_slot(*slot, frame));
        }
        _ => {}
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
