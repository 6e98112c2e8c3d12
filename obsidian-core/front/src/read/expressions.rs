//! Expressions and blocks.

use quote::ToTokens;
use syn::{Expr as S, Stmt as SynStmt};

use super::scope::{Frame, is_captured};
use super::{Reader, name_of};
use crate::error::catalogue;
use crate::scalar::{BinaryOp, UnaryOp};
use crate::syntax::{
    Arm, BinOp, Block, Closure, Expr, ExprKind, HostType, Lit, Name, Parameter, Site, Stmt,
};

impl Reader {
    pub(super) fn block(&mut self, block: &syn::Block) -> Block {
        let site = self.end_of(block);
        self.enter();
        let outside = self.enter_items(block);
        let mut statements: Vec<Stmt> = block
            .stmts
            .iter()
            .filter_map(|s| self.statement(s))
            .collect();
        self.leave_items(outside);
        self.leave();
        let has_value = matches!(statements.last(), Some(Stmt::Expr(_, false)));
        let value = match has_value.then(|| statements.pop()).flatten() {
            Some(Stmt::Expr(value, _)) => Some(Box::new(value)),
            _ => None,
        };
        Block {
            statements,
            value,
            site,
        }
    }

    pub(super) fn enter(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.enter();
        }
    }

    pub(super) fn leave(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.leave();
        }
    }

    fn statement(&mut self, statement: &SynStmt) -> Option<Stmt> {
        match statement {
            SynStmt::Local(local) => Some(self.local(local)),
            // A lone `;`
            SynStmt::Expr(S::Verbatim(nothing), Some(_)) if nothing.is_empty() => None,
            SynStmt::Expr(expr, semi) => Some(Stmt::Expr(self.expr(expr), semi.is_some())),
            SynStmt::Macro(mac) => {
                let kind = self.macro_call(&mac.mac);
                let site = self.sources.whole(&mac.mac);
                Some(Stmt::Expr(Expr { site, kind }, mac.semi_token.is_some()))
            }
            SynStmt::Item(item) => self.local_item(item),
        }
    }

    fn local(&mut self, local: &syn::Local) -> Stmt {
        let (pattern, ty) = match &local.pat {
            syn::Pat::Type(typed) => (&*typed.pat, Some(self.type_use(&typed.ty))),
            pattern => (pattern, None),
        };
        let mut value = None;
        let mut otherwise = None;
        if let Some(init) = &local.init {
            let mut read = self.expr(&init.expr);
            if let (ExprKind::Try(_, name), syn::Pat::Ident(ident)) = (&mut read.kind, pattern) {
                *name = Some(name_of(&ident.ident));
            }
            value = Some(read);
            if let Some((_, diverge)) = &init.diverge {
                otherwise = Some(self.else_block(diverge));
            }
        }
        Stmt::Let {
            pattern: self.pattern(pattern),
            ty,
            value,
            otherwise,
        }
    }

    fn else_block(&mut self, diverge: &S) -> Block {
        match diverge {
            S::Block(block) => self.block(&block.block),
            other => {
                let value = Some(Box::new(self.expr(other)));
                Block {
                    statements: Vec::new(),
                    value,
                    site: self.sources.whole(other),
                }
            }
        }
    }

    pub(super) fn boxed(&mut self, expr: &S) -> Box<Expr> {
        Box::new(self.expr(expr))
    }

    pub(super) fn list<'a>(&mut self, list: impl IntoIterator<Item = &'a S>) -> Vec<Expr> {
        list.into_iter().map(|e| self.expr(e)).collect()
    }

    pub(super) fn expr(&mut self, expr: &S) -> Expr {
        let site = self.sources.expression(expr);
        let kind = match expr {
            S::Lit(lit) => match literal(&lit.lit) {
                Some(value) => ExprKind::Lit(value, lit.lit.to_token_stream().to_string().into()),
                None => self.no(expr, "this literal is"),
            },
            S::Path(path) => self.path(path),
            S::Group(group) => return self.expr(&group.expr),
            S::Paren(paren) => ExprKind::Paren(self.boxed(&paren.expr)),
            S::Tuple(tuple) => ExprKind::Tuple(self.list(&tuple.elems)),
            S::Array(array) => ExprKind::Array(self.list(&array.elems), false),
            S::Repeat(repeat) => {
                ExprKind::Repeat(self.boxed(&repeat.expr), self.boxed(&repeat.len), false)
            }
            S::Unary(unary) => self.unary(unary),
            S::Binary(binary) => self.binary(binary),
            S::Assign(assign) => self.assign(assign),
            S::Call(call) => self.call(call),
            S::MethodCall(call) => self.method(call),
            S::Index(index) => ExprKind::Index(self.boxed(&index.expr), self.boxed(&index.index)),
            S::Field(field) => self.field(field),
            S::Cast(cast) => self.cast(cast),
            S::Reference(reference) if reference.mutability.is_some() => {
                self.no_instead(expr, "`&mut` is", "give the new value back as a result")
            }
            S::Reference(reference) => ExprKind::Ref(self.boxed(&reference.expr)),
            S::Range(range) => {
                let start = range.start.as_ref().map(|e| self.boxed(e));
                let end = range.end.as_ref().map(|e| self.boxed(e));
                ExprKind::Range(
                    start,
                    end,
                    matches!(range.limits, syn::RangeLimits::Closed(_)),
                )
            }
            S::Closure(closure) => self.closure(closure),
            S::Try(inner) => self.try_expr(inner),
            S::Macro(mac) => self.macro_call(&mac.mac),
            _ => self.control(expr),
        };
        Expr { site, kind }
    }

    pub(super) fn no(&mut self, expr: &impl ToTokens, what: &str) -> ExprKind {
        let site = self.sources.whole(expr);
        self.report(site, catalogue::unsupported(what));
        ExprKind::Tuple(Vec::new())
    }

    pub(super) fn no_instead(
        &mut self,
        expr: &impl ToTokens,
        what: &str,
        instead: &str,
    ) -> ExprKind {
        self.refuse(expr, catalogue::unsupported_instead(what, instead));
        ExprKind::Tuple(Vec::new())
    }

    fn try_expr(&mut self, inner: &syn::ExprTry) -> ExprKind {
        let value = self.boxed(&inner.expr);
        match self.frames.last_mut() {
            Some(frame) => frame.delayed = true,
            None => return self.no(inner, "`?` outside of a function is"),
        }
        ExprKind::Try(value, None)
    }

    fn unary(&mut self, unary: &syn::ExprUnary) -> ExprKind {
        let value = self.boxed(&unary.expr);
        match unary.op {
            syn::UnOp::Deref(_) => ExprKind::Deref(value),
            syn::UnOp::Not(_) => ExprKind::Unary(UnaryOp::Not, value),
            syn::UnOp::Neg(_) => ExprKind::Unary(UnaryOp::Neg, value),
            _ => self.no(unary, "this operator is"),
        }
    }

    fn binary(&mut self, binary: &syn::ExprBinary) -> ExprKind {
        let site = self.site(&binary.op);
        let left = self.boxed(&binary.left);
        let lazy = matches!(binary.op, syn::BinOp::And(_) | syn::BinOp::Or(_));
        if lazy && leaves(&binary.right) {
            let what = "`?`, `return` and `break` to the right of `&&` and `||` are";
            let instead =
                "the right side may not run: write an `if` in an `if`, or a `let` before it";
            self.refuse(&binary.right, catalogue::unsupported_instead(what, instead));
        }
        let right = self.boxed(&binary.right);
        self.check_operands(&binary.op, &left, &right);
        match binary.op {
            syn::BinOp::And(_) => ExprKind::Binary(BinOp::AndAlso, left, right, site),
            syn::BinOp::Or(_) => ExprKind::Binary(BinOp::OrElse, left, right, site),
            op => match operator(op) {
                Some((op, false)) => ExprKind::Binary(BinOp::Device(op), left, right, site),
                Some((op, true)) => {
                    self.check_target(&left);
                    ExprKind::AssignOp(op, left, right, site)
                }
                None => self.no(binary, "this operator is"),
            },
        }
    }

    fn assign(&mut self, assign: &syn::ExprAssign) -> ExprKind {
        let (left, right) = (self.target(&assign.left), self.boxed(&assign.right));
        self.check_target(&left);
        ExprKind::Assign(left, right)
    }

    /// What is assigned to: `_` is nothing, and a tuple several places.
    fn target(&mut self, target: &S) -> Box<Expr> {
        let site = self.sources.expression(target);
        let kind = match target {
            S::Infer(_) => ExprKind::Discard,
            S::Paren(inner) => return self.target(&inner.expr),
            S::Tuple(list) => {
                let list = list.elems.iter().map(|one| *self.target(one));
                ExprKind::Tuple(list.collect())
            }
            other => return self.boxed(other),
        };
        Box::new(Expr { site, kind })
    }

    /// Refuses the change of a variable that a closure has only a copy of.
    pub(super) fn check_target(&mut self, target: &Expr) {
        match &target.kind {
            ExprKind::Local(slot, name) if is_captured(&self.frames, *slot) => {
                let name = name.clone();
                self.report(target.site, catalogue::captured_assignment(&name));
            }
            ExprKind::Index(base, _)
            | ExprKind::Field(base, _)
            | ExprKind::Paren(base)
            | ExprKind::Deref(base) => self.check_target(base),
            ExprKind::Tuple(list) => list.iter().for_each(|one| self.check_target(one)),
            _ => {}
        }
    }

    fn field(&mut self, field: &syn::ExprField) -> ExprKind {
        match &field.member {
            syn::Member::Unnamed(index) => ExprKind::Field(self.boxed(&field.base), index.index),
            syn::Member::Named(_) if is_of_cuda(&field.base) => {
                // `threadIdx.x`: the name is what is not known.
                self.expr(&field.base).kind
            }
            syn::Member::Named(name) => self.no_instead(
                name,
                "a named field is",
                "the fields of tuples have numbers: `pair.0`",
            ),
        }
    }

    fn cast(&mut self, cast: &syn::ExprCast) -> ExprKind {
        if matches!(*cast.ty, syn::Type::Infer(_)) {
            return self.no_instead(
                &cast.ty,
                "`as _` is",
                "nothing infers its type: name it, for example `x as f32`",
            );
        }
        ExprKind::Cast(self.boxed(&cast.expr), self.type_use(&cast.ty))
    }

    fn closure(&mut self, closure: &syn::ExprClosure) -> ExprKind {
        if let Some(token) = &closure.asyncness {
            return self.no_instead(token, "`async` is", "write a plain closure");
        }
        self.frames.push(Frame::new());
        let parameters = closure
            .inputs
            .iter()
            .map(|pat| {
                let ty = if let syn::Pat::Type(typed) = pat {
                    Some(self.type_use(&typed.ty))
                } else {
                    None
                };
                Parameter {
                    pattern: self.pattern(pat),
                    ty,
                }
            })
            .collect();
        let body = self.expr(&closure.body);
        let frame = self.frames.pop().unwrap_or_default();
        let slots = frame.slots();
        ExprKind::Closure(
            Closure {
                parameters,
                captures: frame.captures,
                body,
                delayed: frame.delayed,
                slots,
            }
            .into(),
        )
    }

    pub(super) fn arms(&mut self, arms: &[syn::Arm]) -> Vec<Arm> {
        arms.iter()
            .map(|arm| {
                self.enter();
                let (pat, guard) = match &arm.pat {
                    syn::Pat::Guard(guarded) => (&*guarded.pat, Some(&guarded.guard)),
                    pat => (pat, None),
                };
                let pattern = self.pattern(pat);
                let guard = guard.map(|g| self.expr(g));
                let body = self.expr(&arm.body);
                self.leave();
                Arm {
                    pattern,
                    guard,
                    body,
                }
            })
            .collect()
    }

    pub(super) fn local_value(&mut self, name: &Name) -> Option<ExprKind> {
        super::scope::resolve(&mut self.frames, name)
            .map(|slot| ExprKind::Local(slot, name.clone()))
    }

    pub(super) fn site_of(&mut self, tokens: &impl ToTokens) -> Site {
        self.sources.whole(tokens)
    }
}

/// Can this expression leave the function, or run a program?
fn leaves(expr: &S) -> bool {
    match expr {
        S::Try(_) | S::Return(_) | S::Break(_) | S::Continue(_) => true,
        S::Paren(inner) => leaves(&inner.expr),
        S::Unary(inner) => leaves(&inner.expr),
        S::Binary(inner) => leaves(&inner.left) || leaves(&inner.right),
        S::Call(call) => call.args.iter().any(leaves),
        S::MethodCall(call) => leaves(&call.receiver) || call.args.iter().any(leaves),
        S::Index(index) => leaves(&index.expr) || leaves(&index.index),
        S::Block(block) => block
            .block
            .stmts
            .iter()
            .any(|s| matches!(s, SynStmt::Expr(e, _) if leaves(e))),
        _ => false,
    }
}

/// The operator, and whether it assigns.
fn operator(op: syn::BinOp) -> Option<(BinaryOp, bool)> {
    use syn::BinOp as O;
    Some(match op {
        O::Add(_) => (BinaryOp::Add, false),
        O::Sub(_) => (BinaryOp::Sub, false),
        O::Mul(_) => (BinaryOp::Mul, false),
        O::Div(_) => (BinaryOp::Div, false),
        O::Rem(_) => (BinaryOp::Rem, false),
        O::BitXor(_) => (BinaryOp::Xor, false),
        O::BitAnd(_) => (BinaryOp::And, false),
        O::BitOr(_) => (BinaryOp::Or, false),
        O::Shl(_) => (BinaryOp::Shl, false),
        O::Shr(_) => (BinaryOp::Shr, false),
        O::Eq(_) => (BinaryOp::Eq, false),
        O::Lt(_) => (BinaryOp::Lt, false),
        O::Le(_) => (BinaryOp::Le, false),
        O::Ne(_) => (BinaryOp::Ne, false),
        O::Ge(_) => (BinaryOp::Ge, false),
        O::Gt(_) => (BinaryOp::Gt, false),
        O::AddAssign(_) => (BinaryOp::Add, true),
        O::SubAssign(_) => (BinaryOp::Sub, true),
        O::MulAssign(_) => (BinaryOp::Mul, true),
        O::DivAssign(_) => (BinaryOp::Div, true),
        O::RemAssign(_) => (BinaryOp::Rem, true),
        O::BitXorAssign(_) => (BinaryOp::Xor, true),
        O::BitAndAssign(_) => (BinaryOp::And, true),
        O::BitOrAssign(_) => (BinaryOp::Or, true),
        O::ShlAssign(_) => (BinaryOp::Shl, true),
        O::ShrAssign(_) => (BinaryOp::Shr, true),
        _ => return None,
    })
}

/// The value of a literal of the language.
pub(super) fn literal(lit: &syn::Lit) -> Option<Lit> {
    match lit {
        syn::Lit::Bool(value) => Some(Lit::Bool(value.value)),
        syn::Lit::Int(value) => {
            let suffix = suffix(value.suffix())?;
            if let Some(HostType::Scalar(ty)) = suffix
                && ty.is_float()
            {
                return Some(Lit::Float(value.base10_digits().parse().ok()?, suffix));
            }
            Some(Lit::Int(value.base10_parse::<i128>().ok()?, suffix))
        }
        syn::Lit::Float(value) => Some(Lit::Float(
            value.base10_parse().ok()?,
            suffix(value.suffix())?,
        )),
        syn::Lit::Str(value) => Some(Lit::Str(value.value().into())),
        _ => None,
    }
}

/// The type of a suffix; `None` if it is none of the language's.
fn suffix(text: &str) -> Option<Option<HostType>> {
    if text.is_empty() {
        Some(None)
    } else {
        HostType::from_name(text).map(Some)
    }
}

/// Is this one of the variables of a thread in CUDA?
fn is_of_cuda(expr: &S) -> bool {
    const NAMES: [&str; 4] = ["threadIdx", "blockIdx", "blockDim", "gridDim"];
    matches!(expr, S::Path(path) if NAMES.iter().any(|name| path.path.is_ident(name)))
}
