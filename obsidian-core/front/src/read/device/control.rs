//! Control flow of device functions.

use syn::{Expr as S, Pat};

use super::infer::T;
use super::{Around, Body, Read};
use crate::error::catalogue;
use crate::library::device::{Expr, Num, Range, Slot, Stmt};

impl Body<'_> {
    pub(super) fn control(&mut self, expr: &S) -> Read<(Expr, T)> {
        match expr {
            S::If(choice) => self.choice(choice),
            S::Match(choice) => self.match_on(choice),
            S::While(repeat) => {
                let id = self.enter(repeat.label.as_ref(), None);
                let condition = self.condition(&repeat.cond)?;
                let body = self.body(&repeat.body)?;
                self.around.pop();
                Ok((Expr::While(id, condition, body), T::UNIT))
            }
            S::Loop(repeat) => {
                let gives = self.infer.any();
                let id = self.enter(repeat.label.as_ref(), Some(gives.clone()));
                let body = self.body(&repeat.body)?;
                self.around.pop();
                let left = body.any(&|e| matches!(e, Expr::Break(n, _) if *n == id));
                let valued = body.any(&|e| matches!(e, Expr::Break(n, Some(_)) if *n == id));
                let ty = match (left, valued) {
                    (false, _) => T::Never,
                    (true, false) => T::UNIT,
                    (true, true) => gives.clone(),
                };
                self.no_slice(&gives, &repeat.loop_token)?;
                let gives = valued.then(|| self.ty(&gives));
                Ok((Expr::Loop(id, gives, body), ty))
            }
            S::ForLoop(repeat) => self.for_loop(repeat),
            S::Break(leave) => self.break_loop(leave),
            S::Continue(next) => {
                let id = self.loop_of(next.label.as_ref(), next)?;
                Ok((Expr::Continue(id), T::Never))
            }
            S::Return(give) => {
                if self.closures > 0 {
                    return self.refuse(
                        give,
                        "`return` in a closure is",
                        "write the value at the end of the closure, or a `#[device]` function",
                    );
                }
                let result = self.result.clone();
                let value = match &give.expr {
                    Some(value) => {
                        let (read, ty) = self.boxed(value)?;
                        self.unify(&result, &ty, value)?;
                        Some(Box::new(self.given(*read, value)))
                    }
                    None => {
                        self.unify(&result, &T::UNIT, give)?;
                        None
                    }
                };
                Ok((Expr::Return(value), T::Never))
            }
            other => self.refuse(
                other,
                "this expression is",
                "the page `functions` of the tutorial lists what device functions have",
            ),
        }
    }

    pub(super) fn condition(&mut self, expr: &S) -> Read<Box<Expr>> {
        if let S::Let(inner) = expr {
            return self.refuse(
                inner,
                "`if let` is",
                "write `match` on an integer, or an `if` with a comparison",
            );
        }
        let (condition, ty) = self.boxed(expr)?;
        self.unify(&T::BOOL, &ty, expr)?;
        Ok(condition)
    }

    fn body(&mut self, block: &syn::Block) -> Read<Box<Expr>> {
        let (body, ty) = self.block(block)?;
        self.unify(&T::UNIT, &ty, &super::last_of(block))?;
        Ok(Box::new(body))
    }

    fn enter(&mut self, label: Option<&syn::Label>, gives: Option<T>) -> u32 {
        let id = self.loops;
        self.loops += 1;
        self.around.push(Around {
            id,
            label: label.map(|l| l.name.ident.to_string()),
            is_loop: gives.is_some(),
            gives,
        });
        id
    }

    fn loop_of(&mut self, label: Option<&syn::Lifetime>, at: &impl quote::ToTokens) -> Read<u32> {
        let wanted = label.map(|l| l.ident.to_string());
        let found = self.around.iter().rev().find(|around| match &wanted {
            Some(label) => around.label.as_ref() == Some(label),
            None => true,
        });
        match found.map(|around| around.id) {
            Some(id) => Ok(id),
            None => self.fail(
                at,
                catalogue::bad_device("there is no such loop around this"),
            ),
        }
    }

    fn break_loop(&mut self, leave: &syn::ExprBreak) -> Read<(Expr, T)> {
        let id = self.loop_of(leave.label.as_ref(), leave)?;
        let around = self.around.iter().rev().find(|around| around.id == id);
        let (gives, is_loop) = around.map_or((None, false), |a| (a.gives.clone(), a.is_loop));
        let value = match (&leave.expr, gives) {
            (Some(value), Some(gives)) if is_loop => {
                let (read, ty) = self.boxed(value)?;
                self.unify(&gives, &ty, value)?;
                Some(read)
            }
            (Some(value), _) => {
                let words = "`break` with a value leaves a `loop`";
                return self.fail(value, catalogue::bad_device(words));
            }
            (None, _) => None,
        };
        Ok((Expr::Break(id, value), T::Never))
    }

    fn choice(&mut self, choice: &syn::ExprIf) -> Read<(Expr, T)> {
        let condition = self.condition(&choice.cond)?;
        let (then, x) = self.block(&choice.then_branch)?;
        let Some((_, otherwise)) = &choice.else_branch else {
            self.unify(&T::UNIT, &x, &super::last_of(&choice.then_branch))?;
            return Ok((Expr::If(condition, Box::new(then), None), T::UNIT));
        };
        let (read, y) = self.expr(otherwise)?;
        self.unify(&x, &y, otherwise)?;
        let ty = if self.infer.known(&x) == T::Never {
            y
        } else {
            x
        };
        self.no_slice(&ty, choice)?;
        let value = Expr::If(condition, Box::new(then), Some(Box::new(read)));
        Ok((value, ty))
    }

    pub(super) fn no_slice(&mut self, ty: &T, at: &impl quote::ToTokens) -> Read<()> {
        if self.infer.has_slice(ty) {
            return self.refuse(
                at,
                "a choice of slices is",
                "choose between elements: `if c { a[i] } else { b[i] }`",
            );
        }
        Ok(())
    }

    /// `match`, as a chain of `if`.
    fn match_on(&mut self, choice: &syn::ExprMatch) -> Read<(Expr, T)> {
        let (value, ty) = self.expr(&choice.expr)?;
        let (slot, shape) = (self.slot(), self.ty(&ty));
        let before = Stmt::Let(slot, false, shape, Some(value));
        let result = self.infer.any();
        let mut arms: Vec<(Option<Expr>, Expr)> = Vec::new();
        let mut all_never = true;
        for arm in &choice.arms {
            let (pat, guard) = match &arm.pat {
                Pat::Guard(guarded) => (&*guarded.pat, Some(&*guarded.guard)),
                pat => (pat, None),
            };
            let read = self.scoped(|body| {
                let mut names = Vec::new();
                let test = body.test(pat, &Expr::Local(slot), &ty, &mut names)?;
                let guard = match guard {
                    Some(guard) => Some(*body.condition(guard)?),
                    None => None,
                };
                let (value, found) = body.expr(&arm.body)?;
                body.unify(&result, &found, &arm.body)?;
                let never = body.infer.known(&found) == T::Never;
                // The names are there for the guard and for the value.
                let with = |value: Expr| {
                    if names.is_empty() {
                        value
                    } else {
                        Expr::Block(names.clone(), Some(Box::new(value)))
                    }
                };
                let guard = guard.map(with);
                let test = match (test, guard) {
                    (test, None) => test,
                    (None, guard) => guard,
                    (Some(test), Some(guard)) => Some(Expr::Both(Box::new(test), Box::new(guard))),
                };
                Ok((test, with(value), never))
            });
            let (test, value, never) = read?;
            all_never &= never;
            arms.push((test, value));
        }
        let Some((_, last)) = arms.pop() else {
            return self.refuse(choice, "a `match` without arms is", "write an arm");
        };
        // Rust holds that the arms take every value: the last one takes what is left.
        let chain = arms
            .into_iter()
            .rev()
            .fold(last, |rest, (test, value)| match test {
                Some(test) => Expr::If(Box::new(test), Box::new(value), Some(Box::new(rest))),
                None => value,
            });
        let ty = if all_never { T::Never } else { result };
        self.no_slice(&ty, choice)?;
        Ok((Expr::Block(vec![before], Some(Box::new(chain))), ty))
    }

    fn for_loop(&mut self, repeat: &syn::ExprForLoop) -> Read<(Expr, T)> {
        let (range, types, is_slice) = self.range(&repeat.expr)?;
        let id = self.enter(repeat.label.as_ref(), None);
        let slots: Vec<u32> = types.iter().map(|_| self.slot()).collect();
        let body = self.scoped(|body| {
            let mut before = Vec::new();
            let slots = match is_slice {
                true => body.elements(slots.clone(), &types, &mut before),
                false => slots.clone(),
            };
            match (slots.as_slice(), strip(&repeat.pat)) {
                ([slot], pat) => body.bind_parameter(pat, *slot, &types[0], &mut before)?,
                (slots, Pat::Tuple(tuple)) if tuple.elems.len() == slots.len() => {
                    for ((pat, slot), ty) in tuple.elems.iter().zip(slots).zip(&types) {
                        body.bind_parameter(pat, *slot, ty, &mut before)?;
                    }
                }
                (_, pat) => {
                    return body.refuse(
                        pat,
                        "this pattern of `enumerate` is",
                        "write `for (i, x) in ..`",
                    );
                }
            }
            let block = body.body(&repeat.body)?;
            Ok(if before.is_empty() {
                block
            } else {
                Box::new(Expr::Block(before, Some(block)))
            })
        });
        self.around.pop();
        Ok((Expr::For(id, slots, range, body?), T::UNIT))
    }

    /// The variables of a loop over a slice as its body has them: the last one, an element, is loaded.
    fn elements(&mut self, mut slots: Vec<Slot>, types: &[T], before: &mut Vec<Stmt>) -> Vec<Slot> {
        if let (Some(slot), Some(ty)) = (slots.last_mut(), types.last().map(|ty| self.ty(ty)))
            && ty.has_array()
        {
            let value = ty.loaded(Expr::Local(*slot));
            *slot = self.slot();
            before.push(Stmt::Let(*slot, false, ty, Some(value)));
        }
        slots
    }

    /// What a `for` loop goes through, the types of what it gives, and whether it is a slice.
    fn range(&mut self, expr: &S) -> Read<(Range, Vec<T>, bool)> {
        let (mut inner, mut reversed, mut step, mut numbered) = (expr, false, None, false);
        loop {
            match inner {
                S::Paren(of) => inner = &of.expr,
                S::Reference(of) if of.mutability.is_none() => inner = &of.expr,
                S::MethodCall(call) => match (call.method.to_string().as_str(), call.args.len()) {
                    ("rev", 0) if !reversed && step.is_none() => {
                        reversed = true;
                        inner = &call.receiver;
                    }
                    ("rev", 0) => {
                        let what = "`rev` of such a range is";
                        return self.refuse(&call.method, what, "write `(a..b).rev().step_by(n)`");
                    }
                    ("step_by", 1) if step.is_none() && !reversed => {
                        step = call.args.first();
                        inner = &call.receiver;
                        // Behind `step_by`, `rev` may stand.
                        if let S::MethodCall(before) = strip_paren(inner)
                            && before.method == "rev"
                        {
                            reversed = true;
                            inner = &before.receiver;
                        }
                    }
                    ("enumerate", 0) if !numbered && !reversed && step.is_none() => {
                        numbered = true;
                        inner = &call.receiver;
                    }
                    ("iter" | "into_iter" | "copied" | "cloned", 0) => inner = &call.receiver,
                    (name, _) => {
                        let what = format!("the iterator `{name}` is");
                        return self.refuse(
                            &call.method,
                            &what,
                            "there are ranges, with `rev` and `step_by`, and slices and arrays, with `iter` and `enumerate`",
                        );
                    }
                },
                _ => break,
            }
        }
        if let S::Range(range) = inner {
            return self.numbers(range, (reversed, step, numbered), expr);
        }
        let (of, ty) = self.boxed(inner)?;
        let (element, is_slice) = match self.infer.known(&ty) {
            T::Array(element, _) => (*element, false),
            T::Slice(element) => (*element, true),
            other => {
                let name = self.infer.name(&other);
                return self.fail(
                    inner,
                    catalogue::device_types("a range, a slice or an array", &name),
                );
            }
        };
        if reversed || step.is_some() {
            return self.refuse(
                expr,
                "`rev` or `step_by` of elements is",
                "count with a range, and index",
            );
        }
        if numbered {
            let types = vec![T::Num(Num::Usize), element];
            return Ok((Range::Numbered(of), types, is_slice));
        }
        Ok((Range::Elements(of), vec![element], is_slice))
    }

    fn numbers(
        &mut self,
        range: &syn::ExprRange,
        (reversed, step, numbered): (bool, Option<&S>, bool),
        at: &S,
    ) -> Read<(Range, Vec<T>, bool)> {
        let (Some(start), Some(end)) = (&range.start, &range.end) else {
            return self.refuse(
                range,
                "a range without both ends is",
                "write `a..b`, or a `loop` with a `break`",
            );
        };
        if numbered {
            return self.refuse(
                at,
                "`enumerate` of a range is",
                "count with the range itself",
            );
        }
        let (from, x) = self.boxed(start)?;
        let (to, y) = self.boxed(end)?;
        self.unify(&x, &y, end)?;
        if !matches!(self.infer.known(&x), T::Var(_)) {
            self.number(&x, start, Num::is_integer)?;
        }
        let step = match step {
            Some(step) => {
                let (read, ty) = self.boxed(step)?;
                self.unify(&T::Num(Num::Usize), &ty, step)?;
                Some(read)
            }
            None => None,
        };
        let inclusive = matches!(range.limits, syn::RangeLimits::Closed(_));
        let place = self.place(range);
        let range = Range::Numbers(from, to, inclusive, reversed, step, place);
        Ok((range, vec![x], false))
    }
}

fn strip(pat: &Pat) -> &Pat {
    match pat {
        Pat::Paren(inner) => strip(&inner.pat),
        other => other,
    }
}

fn strip_paren(expr: &S) -> &S {
    match expr {
        S::Paren(inner) => strip_paren(&inner.expr),
        other => other,
    }
}
