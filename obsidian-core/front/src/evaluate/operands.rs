//! What to write where the two operands of an operator, or an argument and its parameter, differ in type.
//!
//! Only the expressions tell which of them is wrong: a literal has its suffix, a cast its type, and a number of the host can become one
//! of any type while the kernel is built.

use super::expressions::variable;
use super::value::pattern_name;
use super::{Eval, Frame, Machine, Value};
use crate::error::catalogue;
use crate::scalar::{BinaryOp, ScalarType};
use crate::syntax::{Expr, ExprKind, HostType, Lit, Site, Type};

impl Machine {
    /// Fails if an argument of the n-th function is a number of another type than its parameter.
    pub(super) fn numbers_of(
        &self,
        index: u32,
        exprs: &[Expr],
        values: &[Value],
        frame: &mut Frame<'_>,
    ) -> Eval<()> {
        let function = self.module.functions.get(index as usize);
        let parameters = function.iter().flat_map(|f| &f.parameters);
        for ((parameter, expr), value) in parameters.zip(exprs).zip(values) {
            if let (Some(Type::Exp(ty)), Value::Exp(e)) =
                (parameter.ty.as_ref().map(|ty| &ty.ty), value)
                && *ty != e.ty()
            {
                let what = match pattern_name(&parameter.pattern) {
                    Some(name) => format!("the parameter `{name}`"),
                    None => "this parameter".to_owned(),
                };
                let (wanted, found) = (ty.exp_name(), e.ty().exp_name());
                let wrong = catalogue::other_element(&what, &wanted, &found, variable(expr));
                return self.fail(expr.site, wrong);
            }
            if let Some(Type::Host(ty)) = parameter.ty.as_ref().map(|ty| &ty.ty) {
                self.is_of(*ty, value, ("an argument", variable(expr)), expr.site)?;
                self.learn(*ty, expr, frame);
            }
        }
        Ok(())
    }

    /// Fails if two numbers, one of the device at least, differ in type where they may not.
    pub(super) fn operands(
        &self,
        op: BinaryOp,
        (left, x): (&Expr, &Value),
        (right, y): (&Expr, &Value),
        at: Site,
    ) -> Eval<()> {
        if op.is_shift() {
            return Ok(());
        }
        let instead = match (x, y) {
            (Value::Tuple(_), Value::Tuple(_))
                if op.is_comparison() && (has_device(x) || has_device(y)) =>
            {
                Some(format!("compare their fields: `a.0 {} b.0`", op.name()))
            }
            (Value::Exp(x), Value::Exp(y)) if x.ty() != y.ty() => {
                Some(of_two((left, x.ty()), (right, y.ty())))
            }
            (Value::Exp(x), y) => of_host((right, y), (left, x.ty())),
            (x, Value::Exp(y)) => of_host((left, x), (right, y.ty())),
            _ => None,
        };
        let Some(instead) = instead else {
            return Ok(());
        };
        let (x, y) = (x.type_name(), y.type_name());
        self.fail(
            at,
            catalogue::mismatched_operands(op.name(), &x, &y, &instead),
        )
    }
}

/// Is a value one of the device, or a tuple with one?
fn has_device(value: &Value) -> bool {
    match value {
        Value::Exp(_) => true,
        Value::Tuple(fields) => fields.iter().any(has_device),
        _ => false,
    }
}

/// What to write for one of two device values: a cast has another type at once, and else the integer becomes a float.
fn of_two((left, x): (&Expr, ScalarType), (right, y): (&Expr, ScalarType)) -> String {
    let (x_name, y_name) = (x.exp_name(), y.exp_name());
    if is_cast(right) {
        return format!(
            "cast to the type of the left operand: write `as {x_name}` in place of `as {y_name}`"
        );
    }
    if is_cast(left) {
        return format!(
            "cast to the type of the right operand: write `as {y_name}` in place of `as {x_name}`"
        );
    }
    let cast = |side: &str, expr: &Expr, ty: &str| match variable(expr) {
        Some(name) => format!("cast the {side} operand: `({name} as {ty})`"),
        None => format!("cast the {side} operand: `(..) as {ty}`, in parentheses"),
    };
    match x.is_float() && !y.is_float() || x.is_float() == y.is_float() && x.bits() >= y.bits() {
        true => cast("right", right, &x_name),
        false => cast("left", left, &y_name),
    }
}

/// What to write for a number of the host beside a device value of a type.
fn of_host((expr, value): (&Expr, &Value), (other, ty): (&Expr, ScalarType)) -> Option<String> {
    let from = match value {
        Value::Int(_, Some(from)) | Value::Float(_, Some(from)) => *from,
        _ => return None,
    };
    if from == HostType::Scalar(ty) {
        return None;
    }
    Some(match (bare(expr), variable(expr)) {
        (ExprKind::Lit(Lit::Int(n, _), _), _) if ty.is_float() => {
            format!("write `{n}.0`, without a suffix: it has the type of the other operand")
        }
        (ExprKind::Lit(Lit::Int(n, _), _), _) => {
            format!("write `{n}`, without a suffix: it has the type of the other operand")
        }
        (ExprKind::Lit(Lit::Float(x, _), _), _) if ty.is_float() => {
            format!("write `{x:?}`, without a suffix: it has the type of the other operand")
        }
        (ExprKind::Lit(..), _) => {
            let to = from.scalar().exp_name();
            match variable(other) {
                Some(name) => format!("cast the value of the device: `({name} as {to})`"),
                None => format!("cast the value of the device: `(..) as {to}`, in parentheses"),
            }
        }
        (_, Some(name)) => format!("cast the number of the host: `({name} as {})`", ty.name()),
        (_, None) => format!(
            "cast the number of the host: `(..) as {}`, in parentheses",
            ty.name()
        ),
    })
}

fn is_cast(expr: &Expr) -> bool {
    matches!(bare(expr), ExprKind::Cast(..))
}

/// An expression without parentheses around it.
fn bare(expr: &Expr) -> &ExprKind {
    match &expr.kind {
        ExprKind::Paren(inner) => bare(inner),
        kind => kind,
    }
}
