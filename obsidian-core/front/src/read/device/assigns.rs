//! Assignments.

use syn::Expr as S;

use super::infer::T;
use super::{Body, Named, Read};
use crate::error::catalogue;
use crate::library::device::{Expr, Num, Slot, Step, Stmt};
use crate::scalar::BinaryOp;

/// What is assigned to: a variable, and the way to the part of it.
struct Target {
    slot: Slot,
    steps: Vec<Step>,
    ty: T,
    /// The indices on the way, each computed once in front of it.
    before: Vec<Stmt>,
}

impl Body<'_> {
    fn target(&mut self, expr: &S) -> Read<Target> {
        match expr {
            S::Paren(inner) => self.target(&inner.expr),
            S::Path(path) => {
                let Some(name) = path.path.get_ident().map(ToString::to_string) else {
                    return self.refuse(path, "an assignment to this is", "assign to a `let mut`");
                };
                match self.lookup(&name) {
                    Some(Named::Variable(slot, ty, true)) => Ok(Target {
                        slot,
                        steps: Vec::new(),
                        ty,
                        before: Vec::new(),
                    }),
                    Some(Named::Variable(..)) => {
                        let words = format!("`{name}` does not change: write `let mut {name}`");
                        self.fail(path, catalogue::bad_device(&words))
                    }
                    _ => self.refuse(
                        path,
                        "an assignment to anything but a variable of the function is",
                        "return the value",
                    ),
                }
            }
            S::Field(field) => {
                let mut target = self.target(&field.base)?;
                let (way, ty) = self.member(&target.ty, &field.member, field)?;
                target.steps.extend(way.into_iter().map(Step::Field));
                target.ty = ty;
                Ok(target)
            }
            S::Index(index) => {
                if let S::Path(path) = &*index.expr
                    && let Some(name) = path.path.get_ident()
                    && let Some(Named::Variable(_, ty, _)) = self.lookup(&name.to_string())
                    && matches!(self.infer.known(&ty), T::Slice(_))
                {
                    return self.refuse(
                        index,
                        "an assignment to an element of a slice is",
                        "slices are inputs: return the new value, an element of a range",
                    );
                }
                let mut target = self.target(&index.expr)?;
                let (at, number) = self.expr(&index.index)?;
                self.unify(&T::Num(Num::Usize), &number, &index.index)?;
                let T::Array(element, _) = self.infer.known(&target.ty) else {
                    let name = self.infer.name(&target.ty);
                    return self.fail(&index.expr, catalogue::device_types("an array", &name));
                };
                let (slot, place) = (self.slot(), self.place(index));
                let ty = self.ty(&T::Num(Num::Usize));
                target.before.push(Stmt::Let(slot, false, ty, Some(at)));
                target
                    .steps
                    .push(Step::Element(Box::new(Expr::Local(slot)), place));
                target.ty = *element;
                Ok(target)
            }
            S::Unary(inner) if matches!(inner.op, syn::UnOp::Deref(_)) => self.refuse(
                expr,
                "an assignment through a reference is",
                "assign to the variable, or return the value",
            ),
            other => self.refuse(other, "an assignment to this is", "assign to a `let mut`"),
        }
    }

    /// `x = y`: the value is computed first, then the indices of the place.
    pub(super) fn assign(&mut self, assign: &syn::ExprAssign) -> Read<(Expr, T)> {
        let (value, found) = self.expr(&assign.right)?;
        if let S::Tuple(_) | S::Infer(_) = without_parentheses(&assign.left) {
            return self.assign_several(&assign.left, value, found, &assign.right);
        }
        let target = self.target(&assign.left)?;
        let wanted = target.ty.clone();
        self.unify(&wanted, &found, &assign.right)?;
        let known = self.infer.known(&found);
        if known == T::Never {
            return Ok((value, T::Never));
        }
        if target.before.is_empty() {
            let assign = Expr::Assign(target.slot, target.steps, Box::new(value));
            return Ok((assign, T::UNIT));
        }
        let (slot, ty) = (self.slot(), self.ty(&wanted));
        let mut statements = vec![Stmt::Let(slot, false, ty, Some(value))];
        statements.extend(target.before);
        let assign = Expr::Assign(target.slot, target.steps, Box::new(Expr::Local(slot)));
        statements.push(Stmt::Expr(assign));
        Ok((Expr::Block(statements, None), T::UNIT))
    }

    /// `(x, y) = (y, x)`: the value is computed first, then its parts are assigned from the left.
    fn assign_several(&mut self, left: &S, value: Expr, found: T, at: &S) -> Read<(Expr, T)> {
        if self.infer.known(&found) == T::Never {
            return Ok((value, T::Never));
        }
        let slot = self.slot();
        let mut parts = Vec::new();
        let wanted = self.parts_of(left, Expr::Local(slot), &mut parts)?;
        self.unify(&wanted, &found, at)?;
        let ty = self.ty(&wanted);
        let mut statements = vec![Stmt::Let(slot, false, ty, Some(value))];
        statements.extend(parts);
        Ok((Expr::Block(statements, None), T::UNIT))
    }

    /// Assigns the parts of a value; and the type that it has to have.
    fn parts_of(&mut self, left: &S, value: Expr, parts: &mut Vec<Stmt>) -> Read<T> {
        match without_parentheses(left) {
            S::Infer(_) => Ok(self.infer.any()),
            S::Tuple(tuple) => {
                let mut types = Vec::new();
                for (n, one) in tuple.elems.iter().enumerate() {
                    let part = Expr::Field(Box::new(value.clone()), n as u32);
                    types.push(self.parts_of(one, part, parts)?);
                }
                Ok(T::Tuple(types))
            }
            one => {
                let target = self.target(one)?;
                parts.extend(target.before);
                let assign = Expr::Assign(target.slot, target.steps, Box::new(value));
                parts.push(Stmt::Expr(assign));
                Ok(target.ty)
            }
        }
    }

    /// `x += y`
    pub(super) fn assign_operator(
        &mut self,
        op: BinaryOp,
        binary: &syn::ExprBinary,
    ) -> Read<(Expr, T)> {
        let (value, found) = self.expr(&binary.right)?;
        let target = self.target(&binary.left)?;
        let wanted = target.ty.clone();
        self.operands(op, (&wanted, &binary.left), (&found, &binary.right))?;
        let place = self.place_of(op, &wanted, binary);
        let (slot, ty) = (self.slot(), self.ty(&found));
        let mut statements = vec![Stmt::Let(slot, false, ty, Some(value))];
        statements.extend(target.before);
        let mut old = Expr::Local(target.slot);
        for step in &target.steps {
            old = match step {
                Step::Field(n) => Expr::Field(Box::new(old), *n),
                Step::Element(index, place) => Expr::Index(Box::new(old), index.clone(), *place),
            };
        }
        let new = Expr::Binary(op, Box::new(old), Box::new(Expr::Local(slot)), place);
        statements.push(Stmt::Expr(Expr::Assign(
            target.slot,
            target.steps,
            Box::new(new),
        )));
        Ok((Expr::Block(statements, None), T::UNIT))
    }
}

fn without_parentheses(expr: &S) -> &S {
    match expr {
        S::Paren(inner) => without_parentheses(&inner.expr),
        S::Group(inner) => without_parentheses(&inner.expr),
        other => other,
    }
}
