//! Patterns of `let`, parameters and `match`.

use syn::{Expr as S, Pat};

use super::infer::T;
use super::{Body, Named, Read};
use crate::error::catalogue;
use crate::library::device::{Expr, Num, Slot, Stmt};
use crate::scalar::BinaryOp;

impl Body<'_> {
    /// Binds the names of a pattern to a value.
    pub(super) fn bind_pattern(
        &mut self,
        pat: &Pat,
        value: Expr,
        ty: &T,
        statements: &mut Vec<Stmt>,
    ) -> Read<()> {
        match pat {
            Pat::Paren(inner) => self.bind_pattern(&inner.pat, value, ty, statements),
            Pat::Reference(inner) => self.bind_pattern(&inner.pat, value, ty, statements),
            Pat::Type(typed) => self.bind_pattern(&typed.pat, value, ty, statements),
            Pat::Wild(_) => {
                statements.push(Stmt::Expr(value));
                Ok(())
            }
            Pat::Ident(ident) if ident.by_ref.is_none() && ident.subpat.is_none() => {
                let changes = ident.mutability.is_some();
                if changes {
                    self.no_slice(ty, pat)?;
                }
                let (slot, shape) = (self.slot(), self.ty_of(ty, pat)?);
                statements.push(Stmt::Let(slot, changes, shape, Some(value)));
                self.bind(
                    ident.ident.to_string(),
                    Named::Variable(slot, ty.clone(), changes),
                );
                Ok(())
            }
            Pat::Tuple(_) | Pat::Slice(_) | Pat::Struct(_) | Pat::TupleStruct(_) => {
                let (slot, shape) = (self.slot(), self.ty(ty));
                statements.push(Stmt::Let(slot, false, shape, Some(value)));
                self.bind_parameter(pat, slot, ty, statements)
            }
            other => self.refuse(
                other,
                "this pattern is",
                "there are names, `_`, tuples and structs in a `let`",
            ),
        }
    }

    /// Binds the names of a pattern to the parts of a variable.
    pub(super) fn bind_parameter(
        &mut self,
        pat: &Pat,
        slot: Slot,
        ty: &T,
        statements: &mut Vec<Stmt>,
    ) -> Read<()> {
        match pat {
            Pat::Paren(inner) => self.bind_parameter(&inner.pat, slot, ty, statements),
            Pat::Reference(inner) => self.bind_parameter(&inner.pat, slot, ty, statements),
            Pat::Type(typed) => self.bind_parameter(&typed.pat, slot, ty, statements),
            Pat::Wild(_) => Ok(()),
            Pat::Ident(ident)
                if ident.by_ref.is_none()
                    && ident.subpat.is_none()
                    && ident.mutability.is_none() =>
            {
                let named = Named::Variable(slot, ty.clone(), false);
                self.bind(ident.ident.to_string(), named);
                Ok(())
            }
            Pat::Tuple(tuple) => {
                let types: Vec<T> = match self.infer.known(ty) {
                    T::Tuple(list) if list.len() == tuple.elems.len() => list,
                    T::Var(_) => {
                        let list: Vec<T> = tuple.elems.iter().map(|_| self.infer.any()).collect();
                        self.unify(ty, &T::Tuple(list.clone()), pat)?;
                        list
                    }
                    other => {
                        let name = self.infer.name(&other);
                        let wanted = format!("a tuple of {}", tuple.elems.len());
                        return self.fail(pat, catalogue::device_types(&wanted, &name));
                    }
                };
                for (n, (pat, ty)) in tuple.elems.iter().zip(&types).enumerate() {
                    if let Pat::Rest(rest) = pat {
                        return self.refuse(
                            rest,
                            "`..` in a pattern is",
                            "name each field, or `_`",
                        );
                    }
                    let value = Expr::Field(Box::new(Expr::Local(slot)), n as u32);
                    self.bind_pattern(pat, value, ty, statements)?;
                }
                Ok(())
            }
            Pat::Struct(_) | Pat::TupleStruct(_) => self.bind_struct(pat, slot, ty, statements),
            Pat::Slice(slice) => {
                let T::Array(element, length) = self.infer.known(ty) else {
                    let name = self.infer.name(ty);
                    return self.fail(pat, catalogue::device_types("an array", &name));
                };
                if length as usize != slice.elems.len()
                    || slice.elems.iter().any(|pat| matches!(pat, Pat::Rest(_)))
                {
                    let what = "a pattern of some elements of an array is";
                    return self.refuse(pat, what, "name each element, or index it");
                }
                for (n, pat) in slice.elems.iter().enumerate() {
                    let (place, n) = (self.place(pat), Expr::Literal(Num::Usize, n as u64));
                    let value = Expr::Index(Box::new(Expr::Local(slot)), Box::new(n), place);
                    self.bind_pattern(pat, value, &element, statements)?;
                }
                Ok(())
            }
            other => self.bind_pattern(other, Expr::Local(slot), ty, statements),
        }
    }

    /// `let x;`: the names get their values later.
    pub(super) fn later(&mut self, pat: &Pat, ty: T, statements: &mut Vec<Stmt>) -> Read<()> {
        match pat {
            Pat::Ident(ident) if ident.by_ref.is_none() && ident.subpat.is_none() => {
                self.no_slice(&ty, pat)?;
                let (slot, shape) = (self.slot(), self.ty_of(&ty, pat)?);
                statements.push(Stmt::Let(slot, true, shape, None));
                self.bind(ident.ident.to_string(), Named::Variable(slot, ty, true));
                Ok(())
            }
            Pat::Wild(_) => Ok(()),
            other => self.refuse(
                other,
                "a `let` of several names without a value is",
                "write a `let` for each name",
            ),
        }
    }

    /// When a pattern of `match` takes a variable of a type; `None` if it takes everything. Names go into
    /// `statements`.
    pub(super) fn test(
        &mut self,
        pat: &Pat,
        value: &Expr,
        ty: &T,
        statements: &mut Vec<Stmt>,
    ) -> Read<Option<Expr>> {
        let compare = |op, right: Expr, place| {
            Expr::Binary(op, Box::new(value.clone()), Box::new(right), place)
        };
        match pat {
            Pat::Paren(inner) => self.test(&inner.pat, value, ty, statements),
            Pat::Wild(_) => Ok(None),
            Pat::Lit(lit) => {
                let (right, found) = self.literal(lit, false)?;
                self.matched(ty, &found, pat)?;
                let place = self.place(pat);
                Ok(Some(compare(BinaryOp::Eq, right, place)))
            }
            Pat::Range(range) => {
                let mut tests = Vec::new();
                if let Some(start) = &range.start {
                    let right = self.bound(start, ty)?;
                    let place = self.place(pat);
                    tests.push(compare(BinaryOp::Ge, right, place));
                }
                if let Some(end) = &range.end {
                    let right = self.bound(end, ty)?;
                    let op = match range.limits {
                        syn::RangeLimits::HalfOpen(_) => BinaryOp::Lt,
                        syn::RangeLimits::Closed(_) => BinaryOp::Le,
                    };
                    let place = self.place(pat);
                    tests.push(compare(op, right, place));
                }
                let mut tests = tests.into_iter();
                let first = tests.next();
                Ok(tests.fold(first, |all, next| {
                    all.map(|all| Expr::Both(Box::new(all), Box::new(next)))
                }))
            }
            Pat::Or(or) => {
                let mut all: Option<Expr> = None;
                for case in &or.cases {
                    let before = statements.len();
                    let Some(test) = self.test(case, value, ty, statements)? else {
                        return Ok(None);
                    };
                    if statements.len() > before {
                        return self.refuse(
                            pat,
                            "a name in `|` patterns is",
                            "write an arm for each",
                        );
                    }
                    all = Some(match all {
                        None => test,
                        Some(all) => Expr::Either(Box::new(all), Box::new(test)),
                    });
                }
                Ok(all)
            }
            Pat::Path(path) if path.path.get_ident().is_none() => {
                match self.path_constant(&path.path) {
                    Some((right, found)) => {
                        self.matched(ty, &found, pat)?;
                        let place = self.place(pat);
                        Ok(Some(compare(BinaryOp::Eq, right, place)))
                    }
                    None => {
                        self.refuse(pat, "this pattern is", "match integers, `bool` and tuples")
                    }
                }
            }
            Pat::Ident(ident) if self.reader.constants.contains_key(&ident.ident.to_string()) => {
                let number = self.reader.constants[&ident.ident.to_string()];
                let path = syn::Path::from(ident.ident.clone());
                let (right, found) = self.constant(number, &path)?;
                self.matched(ty, &found, pat)?;
                let place = self.place(pat);
                Ok(Some(compare(BinaryOp::Eq, right, place)))
            }
            Pat::Ident(ident) if ident.subpat.is_none() && ident.by_ref.is_none() => {
                self.bind_pattern(pat, value.clone(), ty, statements)?;
                Ok(None)
            }
            Pat::Ident(ident) if ident.by_ref.is_none() => {
                let named = syn::PatIdent {
                    subpat: None,
                    ..ident.clone()
                };
                self.bind_pattern(&Pat::Ident(named), value.clone(), ty, statements)?;
                match &ident.subpat {
                    Some((_, inner)) => self.test(inner, value, ty, statements),
                    None => Ok(None),
                }
            }
            Pat::Struct(_) => self.test_struct(pat, value, ty, statements),
            Pat::TupleStruct(inner) if self.is_struct(&inner.path) => {
                self.test_struct(pat, value, ty, statements)
            }
            Pat::Tuple(tuple) => {
                let list = match self.infer.known(ty) {
                    T::Tuple(list) if list.len() == tuple.elems.len() => list,
                    other => {
                        let name = self.infer.name(&other);
                        let wanted = format!("a tuple of {}", tuple.elems.len());
                        return self.fail(pat, catalogue::device_types(&wanted, &name));
                    }
                };
                let mut all: Option<Expr> = None;
                for (n, (pat, ty)) in tuple.elems.iter().zip(&list).enumerate() {
                    if let Pat::Rest(rest) = pat {
                        return self.refuse(
                            rest,
                            "`..` in a pattern is",
                            "name each field, or `_`",
                        );
                    }
                    let field = Expr::Field(Box::new(value.clone()), n as u32);
                    if let Some(test) = self.test(pat, &field, ty, statements)? {
                        all = Some(match all {
                            None => test,
                            Some(all) => Expr::Both(Box::new(all), Box::new(test)),
                        });
                    }
                }
                Ok(all)
            }
            other => self.refuse(
                other,
                "this pattern is",
                "match integers, `bool`, and tuples and structs of them",
            ),
        }
    }

    fn matched(&mut self, ty: &T, found: &T, pat: &Pat) -> Read<()> {
        self.unify(ty, found, pat)?;
        if self.infer.number(ty).is_some_and(Num::is_float) {
            return self.refuse(pat, "a float in a pattern is", "compare with `if`");
        }
        Ok(())
    }

    fn bound(&mut self, end: &S, ty: &T) -> Read<Expr> {
        let (right, found) = self.expr(end)?;
        self.unify(ty, &found, end)?;
        if self.infer.number(ty).is_some_and(Num::is_float) {
            return self.refuse(end, "a float in a pattern is", "compare with `if`");
        }
        Ok(right)
    }
}
