//! Casts, arrays, and parts of values.

use quote::ToTokens;
use syn::{Expr as S, Member, UnOp};

use super::infer::T;
use super::{Body, Read, Stop};
use crate::error::catalogue;
use crate::library::device::{Expr, Num, way};

impl Body<'_> {
    pub(super) fn cast(&mut self, cast: &syn::ExprCast) -> Read<(Expr, T)> {
        let (value, from) = self.boxed(&cast.expr)?;
        let to = match &*cast.ty {
            syn::Type::Infer(_) => {
                return self.refuse(
                    &cast.ty,
                    "a cast to a type that is left out is",
                    "write the type, for example `as f32`",
                );
            }
            ty => self.reader.device_type(ty).ok_or(Stop)?,
        };
        let T::Num(to) = to else {
            return self.refuse(
                &cast.ty,
                "a cast to anything but a number is",
                "cast the numbers",
            );
        };
        // A literal takes the type that it is cast to, as Rust has it.
        if let Some(is_float) = self.infer.open_kind(&from)
            && is_literal(&cast.expr)
            && is_float == to.is_float()
            && to != Num::Bool
        {
            self.infer.unify(&from, &T::Num(to));
        }
        self.number(&from, &cast.expr, |_| true)?;
        Ok((Expr::Cast(value, to), T::Num(to)))
    }

    pub(super) fn array(&mut self, array: &syn::ExprArray) -> Read<(Expr, T)> {
        let element = self.infer.any();
        let mut values = Vec::new();
        for expr in &array.elems {
            let (value, ty) = self.expr(expr)?;
            self.unify(&element, &ty, expr)?;
            values.push(value);
        }
        self.no_slice(&element, array)?;
        self.short(values.len() as u64, array)?;
        let ty = T::Array(Box::new(element), values.len() as u32);
        self.small(&self.ty(&ty), array)?;
        Ok((Expr::Array(values), ty))
    }

    pub(super) fn short(&mut self, length: u64, at: &impl ToTokens) -> Read<()> {
        let most = super::signature::MOST_ELEMENTS;
        if length > u64::from(most) {
            let what = format!("an array of {length} elements, more than {most}, is");
            let instead = "each element is a register: pass a longer table as a `&[T]`";
            return self.refuse(at, &what, instead);
        }
        Ok(())
    }

    pub(super) fn repeat(&mut self, repeat: &syn::ExprRepeat) -> Read<(Expr, T)> {
        let (value, ty) = self.boxed(&repeat.expr)?;
        self.no_slice(&ty, repeat)?;
        let Some(n) = super::literals::length(self.reader, &repeat.len) else {
            return self.refuse(
                &repeat.len,
                "an array whose length is computed is",
                "write its length as a number or as a constant of the module",
            );
        };
        self.short(n.into(), repeat)?;
        let ty = T::Array(Box::new(ty), n);
        self.small(&self.ty(&ty), repeat)?;
        Ok((Expr::Repeat(value, n), ty))
    }

    pub(super) fn field(&mut self, field: &syn::ExprField) -> Read<(Expr, T)> {
        let (value, ty) = self.boxed(&field.base)?;
        let (way, ty) = self.member(&ty, &field.member, field)?;
        let part = |value, field| Expr::Field(Box::new(value), field);
        Ok((way.into_iter().fold(*value, part), ty))
    }

    /// The fields of the tree that lead to a field of a tuple or struct, and its type.
    pub(super) fn member(
        &mut self,
        ty: &T,
        member: &syn::Member,
        at: &impl ToTokens,
    ) -> Read<(Vec<u32>, T)> {
        match (self.infer.known(ty), member) {
            (T::Struct(of), _) => {
                let n = self.field_of(&of, member)?;
                Ok((way(n, of.fields.len()), of.fields[n].ty.clone()))
            }
            (T::Tuple(list), Member::Unnamed(index)) if (index.index as usize) < list.len() => {
                let ty = list[index.index as usize].clone();
                Ok((vec![index.index], ty))
            }
            (other, member) => {
                let name = self.infer.name(&other);
                let wanted = match member {
                    Member::Named(field) => format!("a struct with a field `{field}`"),
                    Member::Unnamed(index) => format!("a tuple with a field {}", index.index),
                };
                self.fail(at, catalogue::device_types(&wanted, &name))
            }
        }
    }

    pub(super) fn index(&mut self, index: &syn::ExprIndex) -> Read<(Expr, T)> {
        if matches!(&*index.index, S::Range(_)) {
            return self.refuse(
                index,
                "a slice of a slice is",
                "pass the slice, and the number of its first element",
            );
        }
        let (of, ty) = self.boxed(&index.expr)?;
        let (at, number) = self.boxed(&index.index)?;
        self.unify(&T::Num(Num::Usize), &number, &index.index)?;
        let (element, is_slice) = match self.infer.known(&ty) {
            T::Array(element, _) => (*element, false),
            T::Slice(element) => (*element, true),
            other => {
                let name = self.infer.name(&other);
                return self.fail(
                    &index.expr,
                    catalogue::device_types("a slice or an array", &name),
                );
            }
        };
        let place = self.place(index);
        let value = Expr::Index(of, at, place);
        let value = match is_slice {
            true => self.loaded(value, &element),
            false => value,
        };
        Ok((value, element))
    }
}

fn is_literal(expr: &S) -> bool {
    match expr {
        S::Lit(_) => true,
        S::Paren(inner) => is_literal(&inner.expr),
        S::Group(inner) => is_literal(&inner.expr),
        S::Unary(inner) => matches!(inner.op, UnOp::Neg(_)) && is_literal(&inner.expr),
        _ => false,
    }
}
