//! Expressions and statements of device functions.

use quote::ToTokens;
use syn::{BinOp as B, Expr as S, Stmt as SynStmt, UnOp};

use super::infer::T;
use super::{Body, Named, Read, Stop};
use crate::error::catalogue;
use crate::library::device::{Expr, NOWHERE, Num, Place, Stmt};
use crate::scalar::{BinaryOp, UnaryOp};

/// The operator of a binary expression, and whether it assigns.
pub(super) fn operator(op: &B) -> Option<(BinaryOp, bool)> {
    Some(match op {
        B::Add(_) => (BinaryOp::Add, false),
        B::Sub(_) => (BinaryOp::Sub, false),
        B::Mul(_) => (BinaryOp::Mul, false),
        B::Div(_) => (BinaryOp::Div, false),
        B::Rem(_) => (BinaryOp::Rem, false),
        B::BitAnd(_) => (BinaryOp::And, false),
        B::BitOr(_) => (BinaryOp::Or, false),
        B::BitXor(_) => (BinaryOp::Xor, false),
        B::Shl(_) => (BinaryOp::Shl, false),
        B::Shr(_) => (BinaryOp::Shr, false),
        B::Eq(_) => (BinaryOp::Eq, false),
        B::Ne(_) => (BinaryOp::Ne, false),
        B::Lt(_) => (BinaryOp::Lt, false),
        B::Le(_) => (BinaryOp::Le, false),
        B::Gt(_) => (BinaryOp::Gt, false),
        B::Ge(_) => (BinaryOp::Ge, false),
        B::AddAssign(_) => (BinaryOp::Add, true),
        B::SubAssign(_) => (BinaryOp::Sub, true),
        B::MulAssign(_) => (BinaryOp::Mul, true),
        B::DivAssign(_) => (BinaryOp::Div, true),
        B::RemAssign(_) => (BinaryOp::Rem, true),
        B::BitAndAssign(_) => (BinaryOp::And, true),
        B::BitOrAssign(_) => (BinaryOp::Or, true),
        B::BitXorAssign(_) => (BinaryOp::Xor, true),
        B::ShlAssign(_) => (BinaryOp::Shl, true),
        B::ShrAssign(_) => (BinaryOp::Shr, true),
        _ => return None,
    })
}

impl Body<'_> {
    /// A block, in a scope of its own.
    pub(super) fn block(&mut self, block: &syn::Block) -> Read<(Expr, T)> {
        self.scoped(|body| {
            let outside = body.reader.enter_items(block);
            let read = body.statements(&block.stmts);
            body.reader.leave_items(outside);
            read
        })
    }

    fn statements(&mut self, list: &[SynStmt]) -> Read<(Expr, T)> {
        let (mut statements, mut value, mut ends) = (Vec::new(), None, false);
        for (n, statement) in list.iter().enumerate() {
            let is_last = n + 1 == list.len();
            match statement {
                SynStmt::Local(local) => ends |= self.local(local, &mut statements)?,
                SynStmt::Expr(S::Verbatim(nothing), _) if nothing.is_empty() => {}
                SynStmt::Expr(expr, semi) => {
                    let (read, ty) = self.expr(expr)?;
                    let known = self.infer.known(&ty);
                    if is_last && semi.is_none() {
                        value = Some((read, known));
                        continue;
                    }
                    ends |= known == T::Never;
                    if semi.is_none() && !matches!(known, T::Never) {
                        self.unify(&T::UNIT, &ty, expr)?;
                    }
                    statements.push(Stmt::Expr(read));
                }
                SynStmt::Macro(mac) => {
                    let (read, ty) = self.macro_call(&mac.mac)?;
                    if is_last && mac.semi_token.is_none() {
                        value = Some((read, ty));
                        continue;
                    }
                    ends |= ty == T::Never;
                    statements.push(Stmt::Expr(read));
                }
                SynStmt::Item(item) => {
                    match item {
                        // Each use of a constant reads it, and each use of a type.
                        syn::Item::Const(_) => {}
                        syn::Item::Type(item) if item.generics.params.is_empty() => {}
                        syn::Item::Use(item) if self.is_last => self.reader.local_use(item),
                        syn::Item::Use(_) => {}
                        syn::Item::Static(item) => {
                            return self.refuse(
                                &item.static_token,
                                "a `static` is",
                                "write a `const`, or a `let`",
                            );
                        }
                        syn::Item::Fn(item) => {
                            return self.refuse(
                                &item.sig.ident,
                                "a function inside of a function is",
                                "write it in the module, with `#[device]`",
                            );
                        }
                        other => {
                            return self.refuse(
                                other,
                                "an item inside of a function is",
                                "there are `const`, `type` and `use`; write it in the module, or use a `let`",
                            );
                        }
                    }
                }
            }
        }
        let ty = match &value {
            _ if ends => T::Never,
            Some((_, ty)) => ty.clone(),
            None => T::UNIT,
        };
        let value = value.map(|(value, _)| Box::new(value));
        Ok((Expr::Block(statements, value), ty))
    }

    fn local(&mut self, local: &syn::Local, statements: &mut Vec<Stmt>) -> Read<bool> {
        let (pat, declared) = match &local.pat {
            syn::Pat::Type(typed) => match self.reader.device_type(&typed.ty) {
                Some(ty) => (&*typed.pat, Some(ty)),
                // `let x: Vec<_>` has been reported.
                None => return Err(Stop),
            },
            pat => (pat, None),
        };
        let Some(init) = &local.init else {
            let ty = match declared {
                Some(ty) => ty,
                None => self.infer.any(),
            };
            return self.later(pat, ty, statements).map(|()| false);
        };
        if let Some((token, _)) = &init.diverge {
            return self.refuse(token, "`let .. else` is", "write an `if` with a `return`");
        }
        if let (S::Closure(closure), syn::Pat::Ident(name)) = (&*init.expr, pat) {
            return self.closure(&name.ident, closure).map(|()| false);
        }
        let (value, found) = self.expr(&init.expr)?;
        let ty = match declared {
            Some(ty) => {
                self.unify(&ty, &found, &init.expr)?;
                ty
            }
            None => found.clone(),
        };
        if self.infer.known(&found) == T::Never {
            statements.push(Stmt::Expr(value));
            // Nothing comes behind it; the names exist.
            let ty = if ty == T::Never { T::UNIT } else { ty };
            self.later(pat, ty, statements)?;
            return Ok(true);
        }
        self.bind_pattern(pat, value, &ty, statements)?;
        Ok(false)
    }

    pub(super) fn boxed(&mut self, expr: &S) -> Read<(Box<Expr>, T)> {
        self.expr(expr).map(|(value, ty)| (Box::new(value), ty))
    }

    /// An expression and its type.
    pub(super) fn expr(&mut self, expr: &S) -> Read<(Expr, T)> {
        match expr {
            S::Paren(inner) => self.expr(&inner.expr),
            S::Group(inner) => self.expr(&inner.expr),
            S::Lit(lit) => self.literal(lit, false),
            S::Path(path) => self.path(path),
            S::Unary(unary) => self.unary(unary),
            S::Binary(binary) => self.binary(binary),
            S::Assign(assign) => self.assign(assign),
            S::Cast(cast) => self.cast(cast),
            S::Tuple(tuple) => {
                let list = tuple.elems.iter().map(|e| self.expr(e));
                let list = list.collect::<Read<Vec<_>>>()?;
                let (values, types) = list.into_iter().unzip();
                Ok((Expr::Tuple(values), T::Tuple(types)))
            }
            S::Array(array) => self.array(array),
            S::Repeat(repeat) => self.repeat(repeat),
            S::Field(field) => self.field(field),
            S::Struct(literal) => self.struct_literal(literal),
            S::Index(index) => self.index(index),
            S::Call(call) => self.call(call),
            S::MethodCall(call) => self.method(call),
            S::Macro(mac) => self.macro_call(&mac.mac),
            S::Reference(reference) => {
                if let Some(token) = &reference.mutability {
                    let and = &reference.and_token;
                    return self.refuse(
                        &quote::quote!(#and #token),
                        "`&mut` is",
                        "return the new value, and assign it: `x = f(x)`",
                    );
                }
                self.expr(&reference.expr)
            }
            S::Block(block) => {
                if let Some(label) = &block.label {
                    return self.refuse(
                        label,
                        "a label of a block is",
                        "use `loop` with `break`, or a function with `return`",
                    );
                }
                self.block(&block.block)
            }
            S::If(_)
            | S::Match(_)
            | S::While(_)
            | S::Loop(_)
            | S::ForLoop(_)
            | S::Break(_)
            | S::Continue(_)
            | S::Return(_) => self.control(expr),
            other => self.foreign(other),
        }
    }

    /// What is not part of device functions at all.
    fn foreign<A>(&mut self, expr: &S) -> Read<A> {
        let (what, instead) = match expr {
            S::Unsafe(block) => {
                return self.refuse(
                    &block.unsafe_token,
                    "`unsafe` is",
                    "write the expression without it: each index is checked",
                );
            }
            S::Try(inner) => {
                return self.refuse(
                    &inner.question_token,
                    "`?` is",
                    "return a number that says what went wrong, or `assert!` that nothing does",
                );
            }
            S::Async(block) => {
                return self.refuse(
                    &block.async_token,
                    "`async` is",
                    "write the statements themselves: they run in order",
                );
            }
            S::Await(inner) => {
                return self.refuse(
                    &inner.await_token,
                    "`.await` is",
                    "call a `#[device]` function: it runs to its end",
                );
            }
            S::Closure(_) => (
                "a closure that is not called by a name is",
                "bind it: `let f = |x: f32| ..;`, and call `f(1.0)`",
            ),
            S::Range(_) => (
                "a range outside of a `for` and a `match` is",
                "write `for i in a..b`, or compare the ends",
            ),
            S::Let(_) => (
                "`if let` is",
                "write `match` on an integer, or an `if` with a comparison",
            ),
            S::Const(_) => ("a `const` block is", "write a `const` in the module"),
            _ => (
                "this expression is",
                "the page `functions` of the tutorial lists what device functions have",
            ),
        };
        self.refuse(expr, what, instead)
    }

    fn path(&mut self, path: &syn::ExprPath) -> Read<(Expr, T)> {
        if let Some(name) = path.path.get_ident() {
            let text = name.to_string();
            match self.lookup(&text) {
                Some(Named::Variable(slot, ty, _)) => return Ok((Expr::Local(slot), ty)),
                Some(Named::Closure(_)) => {
                    return self.refuse(
                        name,
                        "a closure as a value is",
                        "call it where it stands, or write a `#[device]` function",
                    );
                }
                None => {}
            }
            if let Some(number) = self.reader.constants.get(&text).copied() {
                return self.constant(number, &path.path);
            }
            if self.reader.functions.contains_key(&text) {
                return self.refuse(
                    name,
                    "a function as a value is",
                    "call it: what runs has to be known while the crate compiles",
                );
            }
            if let Some(found) = self.path_constant(&path.path) {
                return Ok(found);
            }
            let near = self.names();
            let near: Vec<&str> = near.iter().map(String::as_str).collect();
            return self.fail(name, catalogue::device_unknown("value", &text, &near));
        }
        if let Some(found) = self.path_constant(&path.path) {
            return Ok(found);
        }
        let text = path.to_token_stream().to_string().replace(' ', "");
        self.fail(path, catalogue::device_unknown("value", &text, &[]))
    }

    /// The names of values in scope.
    pub(super) fn names(&self) -> Vec<String> {
        let scoped = self.scopes.iter().flat_map(|scope| scope.keys().cloned());
        scoped
            .chain(self.reader.constants.keys().cloned())
            .collect()
    }

    fn unary(&mut self, unary: &syn::ExprUnary) -> Read<(Expr, T)> {
        match &unary.op {
            UnOp::Neg(_) => {
                if let S::Lit(lit) = &*unary.expr
                    && let syn::Lit::Int(n) = &lit.lit
                    && !matches!(n.suffix(), "f32" | "f64")
                {
                    return self.literal(lit, true);
                }
                let (value, ty) = self.boxed(&unary.expr)?;
                self.number(&ty, &unary.expr, |n| {
                    n.is_float() || (n.is_integer() && n.scalar().is_signed())
                })?;
                Ok((Expr::Unary(UnaryOp::Neg, value), ty))
            }
            UnOp::Not(_) => {
                let (value, ty) = self.boxed(&unary.expr)?;
                self.number(&ty, &unary.expr, |n| !n.is_float())?;
                Ok((Expr::Unary(UnaryOp::Not, value), ty))
            }
            // References are gone.
            UnOp::Deref(_) => self.expr(&unary.expr),
            _ => self.refuse(
                unary,
                "this operator is",
                "the page `functions` of the tutorial lists what device functions have",
            ),
        }
    }

    /// Holds that a type is a number for which something holds.
    pub(super) fn number(
        &mut self,
        ty: &T,
        at: &impl ToTokens,
        holds: impl Fn(Num) -> bool,
    ) -> Read<Num> {
        let found = match (self.infer.known(ty), self.infer.number(ty)) {
            (T::Never, _) => Some(Num::I32),
            (_, Some(num)) if holds(num) => Some(num),
            _ => None,
        };
        match found {
            Some(num) => Ok(num),
            None if matches!(self.infer.known(ty), T::Struct(_)) => self.refuse(
                at,
                "an operator of a struct is",
                "compute with its fields, or call a `#[device]` function",
            ),
            None => {
                let name = self.infer.name(ty);
                self.fail(
                    at,
                    catalogue::device_types("a number that has this operator", &name),
                )
            }
        }
    }

    fn binary(&mut self, binary: &syn::ExprBinary) -> Read<(Expr, T)> {
        if matches!(binary.op, B::And(_) | B::Or(_)) {
            let (left, x) = self.boxed(&binary.left)?;
            let (right, y) = self.boxed(&binary.right)?;
            self.unify(&T::BOOL, &x, &binary.left)?;
            self.unify(&T::BOOL, &y, &binary.right)?;
            let value = match binary.op {
                B::And(_) => Expr::Both(left, right),
                _ => Expr::Either(left, right),
            };
            return Ok((value, T::BOOL));
        }
        let Some((op, assigns)) = operator(&binary.op) else {
            return self.refuse(
                binary,
                "this operator is",
                "the page `functions` of the tutorial lists what device functions have",
            );
        };
        if assigns {
            return self.assign_operator(op, binary);
        }
        let (left, x) = self.boxed(&binary.left)?;
        let (right, y) = self.boxed(&binary.right)?;
        let ty = self.operands(op, (&x, &binary.left), (&y, &binary.right))?;
        let place = self.place_of(op, &x, binary);
        Ok((Expr::Binary(op, left, right, place), ty))
    }

    /// The place of an operator that can go wrong: not of one of floats.
    pub(super) fn place_of(&mut self, op: BinaryOp, ty: &T, at: &impl ToTokens) -> Place {
        let place = self.place(at);
        let divides = matches!(op, BinaryOp::Div | BinaryOp::Rem);
        match self.infer.number(ty) {
            Some(num) if divides && num.is_float() => NOWHERE,
            _ => place,
        }
    }

    /// The type of an operator's result.
    pub(super) fn operands(
        &mut self,
        op: BinaryOp,
        (x, left): (&T, &S),
        (y, right): (&T, &S),
    ) -> Read<T> {
        if op.is_shift() {
            self.number(x, left, Num::is_integer)?;
            self.number(y, right, Num::is_integer)?;
            return Ok(x.clone());
        }
        self.unify(x, y, right)?;
        let fits = |num: Num| match op {
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => !num.is_float(),
            _ if op.is_comparison() => true,
            _ => num != Num::Bool,
        };
        if self.infer.known(x) != T::Never {
            // What nothing has told yet may be told by what follows.
            match self.infer.known(x) {
                T::Var(_) if self.infer.open_kind(x).is_none() => {}
                _ => drop(self.number(x, left, fits)?),
            }
        }
        Ok(if op.is_comparison() {
            T::BOOL
        } else {
            x.clone()
        })
    }
}
