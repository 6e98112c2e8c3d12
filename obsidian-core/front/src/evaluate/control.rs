//! Control flow of the host, assignments, and `?`.

use std::rc::Rc;

use super::{Eval, Flow, Frame, Machine, Value};
use crate::error::catalogue;
use crate::ir::Level;
use crate::program::{AnyLevel, Program, Thread, assert_that, show_any};
use crate::scalar::BinaryOp;
use crate::syntax::{Block, Callee, Expr, ExprKind, Label, Name, Site, Stmt, UNTOLD};

/// A program of one thread, as a value.
fn unit(program: Program<Thread, ()>) -> Program<AnyLevel, Value> {
    let program: Program<AnyLevel, Value> = program.map(|()| Value::Unit).at_level();
    program.stamped(Some(Level::Thread))
}

/// The name of a label.
fn named(label: Option<&Label>) -> Option<Name> {
    label.map(|label| label.name.clone())
}

impl Machine {
    /// The value of a block.
    pub(super) fn block(self: &Rc<Self>, block: &Block, frame: &mut Frame<'_>) -> Eval {
        for (n, statement) in block.statements.iter().enumerate() {
            if let Err(flow) = self.statement(statement, frame) {
                let rest = &block.statements[n + 1..];
                self.spare_rest(rest, block.value.as_deref(), frame);
                return Err(flow);
            }
        }
        match &block.value {
            Some(value) => self.eval(value, frame),
            None => Ok(Value::Unit),
        }
    }

    fn statement(self: &Rc<Self>, statement: &Stmt, frame: &mut Frame<'_>) -> Eval<()> {
        match statement {
            Stmt::Expr(expr, _) => {
                let value = self.eval(expr, frame)?;
                if let (ExprKind::Assert(name, ..), Value::Program(_)) = (&expr.kind, &value) {
                    return self.fail(expr.site, catalogue::report_not_run(name));
                }
                self.dropped(&value);
                Ok(())
            }
            Stmt::Let { value: None, .. } | Stmt::Constant(_) | Stmt::Type(_) => Ok(()),
            Stmt::Let {
                pattern,
                ty,
                value: Some(expr),
                otherwise,
            } => {
                let mut value = self.eval(expr, frame)?;
                if let Some(ty) = ty {
                    value = self.coerce(value, &ty.ty, &frame.levels, expr.site)?;
                }
                match (self.matches(pattern, &value, frame)?, otherwise) {
                    (true, _) => Ok(()),
                    (false, Some(block)) => self.block(block, frame).map(drop),
                    (false, None) => {
                        self.wrong_kind("a value that matches this pattern", &value, pattern.site)
                    }
                }
            }
        }
    }

    /// Expressions that choose what runs next.
    pub(super) fn control(self: &Rc<Self>, expr: &Expr, frame: &mut Frame<'_>) -> Eval {
        let site = expr.site;
        match &expr.kind {
            ExprKind::Block(block) => self.block(block, frame),
            ExprKind::If(condition, then, otherwise) => {
                let value = self.eval(condition, frame)?;
                let what = if leaves_a_loop(then) { "break" } else { "if" };
                let holds = self.truth(value, what, condition.site)?;
                self.branch(holds, then, otherwise.as_deref(), frame)
            }
            ExprKind::IfLet(pattern, value, then, otherwise) => {
                let value = self.eval(value, frame)?;
                let holds = self.matches(pattern, &value, frame)?;
                self.branch(holds, then, otherwise.as_deref(), frame)
            }
            ExprKind::Match(value, _) => {
                let value = self.eval(value, frame)?;
                self.choose_arm(expr, &value, frame)
            }
            ExprKind::For(pattern, values, body, label) => {
                let items = self.eval(values, frame)?;
                self.repeat(values.site, || {
                    let items = self.items(&items, site)?;
                    if items.is_empty() {
                        self.spare_block(body, frame);
                    }
                    for (n, value) in items.iter().enumerate() {
                        self.step(site)?;
                        if !self.matches(pattern, value, frame)? {
                            return self.fail(
                                pattern.site,
                                catalogue::wrong_kind(
                                    "a value that matches this pattern",
                                    &value.kind(),
                                ),
                            );
                        }
                        if self.round(body, label.as_ref(), frame)? {
                            self.spare_values(&items[n + 1..]);
                            break;
                        }
                    }
                    Ok(Value::Unit)
                })
            }
            ExprKind::While(condition, body, label) => self.repeat(condition.site, || {
                loop {
                    let value = self.eval(condition, frame)?;
                    if !self.truth(value, "while", condition.site)? {
                        self.spare_block(body, frame);
                        return Ok(Value::Unit);
                    }
                    if self.round(body, label.as_ref(), frame)? {
                        return Ok(Value::Unit);
                    }
                }
            }),
            ExprKind::Loop(body, label) => self.repeat(site, || {
                loop {
                    self.step(site)?;
                    if self.round(body, label.as_ref(), frame)? {
                        return Ok(Value::Unit);
                    }
                }
            }),
            ExprKind::Break(label) => Err(Flow::Break(named(label.as_ref()))),
            ExprKind::Continue(label) => Err(Flow::Continue(named(label.as_ref()))),
            ExprKind::Return(value) => {
                let value = value
                    .as_ref()
                    .map_or(Ok(Value::Unit), |v| self.eval(v, frame))?;
                Err(Flow::Return(value))
            }
            ExprKind::Try(value, name) => {
                // An array of any length cannot be stored either, and that would come first.
                let level = frame.trace.as_ref().and_then(|trace| trace.level());
                if level == Some(Level::Grid) && is_stored(value) {
                    return self.fail(value.site, catalogue::no_shared_memory());
                }
                let value = self.eval(value, frame)?;
                self.run(value, name.as_deref(), site, frame)
            }
            ExprKind::Assign(target, value) => {
                let value = self.eval(value, frame)?;
                self.assign(target, value, frame)
            }
            ExprKind::AssignOp(op, target, value, at) => {
                let right = self.eval(value, frame)?;
                let left = self.place(target, frame)?.clone();
                self.literal_operand(*op, &left, (&**value, &right))?;
                let result = self.binary(*op, left, right, *at)?;
                *self.place(target, frame)? = result;
                Ok(Value::Unit)
            }
            ExprKind::Assert(name, arguments, text) => {
                self.assertion(name, arguments, text.as_deref(), site, frame)
            }
            _ => self.fail(site, catalogue::unsupported("this expression is")),
        }
    }

    fn branch(
        self: &Rc<Self>,
        holds: bool,
        then: &Block,
        otherwise: Option<&Expr>,
        frame: &mut Frame<'_>,
    ) -> Eval {
        if holds {
            otherwise
                .iter()
                .for_each(|branch| self.spare_expr(branch, frame));
            return self.block(then, frame);
        }
        self.spare_block(then, frame);
        otherwise.map_or(Ok(Value::Unit), |branch| self.eval(branch, frame))
    }

    fn choose_arm(self: &Rc<Self>, expr: &Expr, value: &Value, frame: &mut Frame<'_>) -> Eval {
        let ExprKind::Match(_, arms) = &expr.kind else {
            return Err(Flow::Stop);
        };
        for arm in arms {
            if !self.matches(&arm.pattern, value, frame)? {
                continue;
            }
            if let Some(guard) = &arm.guard {
                let holds = self.eval(guard, frame)?;
                if !self.truth(holds, "match", guard.site)? {
                    continue;
                }
            }
            for other in arms.iter().filter(|other| !std::ptr::eq(*other, arm)) {
                self.spare_expr(&other.body, frame);
            }
            return self.eval(&arm.body, frame);
        }
        self.fail(
            expr.site,
            catalogue::host_arithmetic("no arm of this `match` takes the value"),
        )
    }

    /// Runs a loop; should it not end, the message stands at the site.
    fn repeat(&self, site: Site, rounds: impl FnOnce() -> Eval) -> Eval {
        self.loops.borrow_mut().push((site, self.taken.get()));
        let result = rounds();
        self.loops.borrow_mut().pop();
        result
    }

    /// Assigns a value to a place, or its parts to several.
    fn assign(self: &Rc<Self>, target: &Expr, value: Value, frame: &mut Frame<'_>) -> Eval {
        match &target.kind {
            ExprKind::Discard => return Ok(Value::Unit),
            ExprKind::Paren(inner) => return self.assign(inner, value, frame),
            ExprKind::Tuple(targets) => {
                return match &value {
                    Value::Tuple(parts) if parts.len() == targets.len() => {
                        for (target, part) in targets.iter().zip(parts.iter()) {
                            self.assign(target, part.clone(), frame)?;
                        }
                        Ok(Value::Unit)
                    }
                    Value::Unit if targets.is_empty() => Ok(Value::Unit),
                    other => {
                        let wanted = format!("a tuple of {}", targets.len());
                        self.wrong_kind(&wanted, other, target.site)
                    }
                };
            }
            _ => {}
        }
        let value = match value {
            Value::Untyped(_) => value.like(self.place(target, frame)?),
            value => value,
        };
        *self.place(target, frame)? = value;
        Ok(Value::Unit)
    }

    /// One round of a loop; true if it ends with `break`.
    fn round(
        self: &Rc<Self>,
        body: &Block,
        label: Option<&Label>,
        frame: &mut Frame<'_>,
    ) -> Eval<bool> {
        let is_own = |to: &Option<Name>| match to {
            None => true,
            Some(name) => label.is_some_and(|label| label.name == *name),
        };
        match self.block(body, frame) {
            Ok(value) => {
                self.dropped(&value);
                Ok(false)
            }
            Err(Flow::Continue(to)) if is_own(&to) => Ok(false),
            Err(Flow::Break(to)) if is_own(&to) => Ok(true),
            Err(flow) => Err(flow),
        }
    }

    /// Runs the program that a body with `?` gives, whose last expression is at a site.
    pub(super) fn run_last(&self, value: Value, site: Site, frame: &mut Frame<'_>) -> Eval {
        match value {
            Value::Program(_) => self.run(value, None, site, frame),
            other => self.wrong_kind("a program at the end of a body with `?`", &other, site),
        }
    }

    /// Runs a program where `?` stands.
    pub(super) fn run(
        &self,
        value: Value,
        name: Option<&str>,
        site: Site,
        frame: &mut Frame<'_>,
    ) -> Eval {
        let program = match value {
            Value::Program(program) => program,
            Value::Poison => return Err(Flow::Stop),
            other => {
                return self.wrong_kind("a program, which `?` runs", &other, site);
            }
        };
        let Some(trace) = frame.trace.as_deref_mut() else {
            return self.fail(site, catalogue::unsupported("`?` outside of a program is"));
        };
        let result = match name {
            Some(name) => program.run_named(trace, name.trim_start_matches("r#")),
            None => program.run(trace),
        };
        if crate::scalar::failed() {
            Err(Flow::Stop)
        } else {
            Ok(result)
        }
    }

    /// The variable, or part of one, that an expression names.
    pub(super) fn place<'f>(
        self: &Rc<Self>,
        target: &Expr,
        frame: &'f mut Frame<'_>,
    ) -> Eval<&'f mut Value> {
        match &target.kind {
            ExprKind::Local(slot, _) => Ok(&mut frame.slots[*slot as usize]),
            ExprKind::Paren(inner) | ExprKind::Deref(inner) => self.place(inner, frame),
            ExprKind::Field(base, n) => {
                let whole = self.place(base, frame)?;
                let kind = whole.kind();
                match whole {
                    Value::Tuple(list) if (*n as usize) < list.len() => {
                        Ok(&mut Rc::make_mut(list)[*n as usize])
                    }
                    _ => self.fail(
                        target.site,
                        catalogue::wrong_kind(&format!("a tuple with a field {n}"), &kind),
                    ),
                }
            }
            ExprKind::Index(base, index) => {
                let position = self.eval(index, frame)?;
                let n = self.host_count(&position, "an index of a Vec", index.site)? as usize;
                let whole = self.place(base, frame)?;
                let kind = whole.kind();
                match whole {
                    Value::Vec(list) if n < list.len() => Ok(&mut Rc::make_mut(list)[n]),
                    _ => self.fail(
                        target.site,
                        catalogue::wrong_kind(&format!("a Vec with an element {n}"), &kind),
                    ),
                }
            }
            _ => self.fail(
                target.site,
                catalogue::unsupported("an assignment to this is"),
            ),
        }
    }

    fn assertion(
        self: &Rc<Self>,
        name: &str,
        arguments: &[Expr],
        text: Option<&str>,
        site: Site,
        frame: &mut Frame<'_>,
    ) -> Eval {
        let values = self.list(arguments, frame)?;
        let text = text.unwrap_or(UNTOLD);
        let (value, site) = match (name, values.as_slice()) {
            ("show", [Value::Exp(e)]) => {
                let program = self.at(site, || show_any(text, e.node()))?;
                return Ok(Value::Program(unit(program)));
            }
            ("show", [other]) => {
                let wanted = catalogue::wrong_kind("a device value", &other.kind());
                return self.fail(site, wanted);
            }
            ("assert", [value]) => (value.clone(), arguments[0].site),
            (_, [x, y]) => {
                let op = match name {
                    "assert_eq" => BinaryOp::Eq,
                    _ => BinaryOp::Ne,
                };
                (self.binary(op, x.clone(), y.clone(), site)?, site)
            }
            _ => (Value::Bool(false), site),
        };
        if let Value::Exp(e) = &value
            && let Some(condition) = e.typed::<bool>()
        {
            let program = self.at(site, || assert_that(condition, text))?;
            return Ok(Value::Program(unit(program)));
        }
        match self.truth(value, "assert", site)? {
            true => Ok(Value::Unit),
            false => self.fail(site, catalogue::assertion(text)),
        }
    }
}

/// Does a block end the loop around it, or a round of it?
fn leaves_a_loop(block: &Block) -> bool {
    let leaves = |expr: &Expr| matches!(expr.kind, ExprKind::Break(_) | ExprKind::Continue(_));
    let in_statement = |statement: &Stmt| match statement {
        Stmt::Expr(expr, _) => leaves(expr),
        Stmt::Let { .. } | Stmt::Constant(_) | Stmt::Type(_) => false,
    };
    block.statements.iter().any(in_statement) || block.value.as_deref().is_some_and(leaves)
}

/// Does a call store an array in shared memory?
fn is_stored(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Paren(inner) => is_stored(inner),
        ExprKind::Call(callee, _) => match &callee.kind {
            ExprKind::Path(Callee::Library(name), ..) => {
                matches!(&**name, "compute" | "compute_as" | "hold" | "to_mutable")
            }
            _ => false,
        },
        _ => false,
    }
}
