//! Programs of which the host knows less: vectors that are written out, and `iota`, are stored on the device.

use tail::syntax::{Binding, Expr, ExprKind, Function, Operator};

/// The program with `mem` around each vector that is written out and each `iota`.
pub fn opaque(expr: &Expr) -> Expr {
    let kind = match &expr.kind {
        ExprKind::Constant(_) | ExprKind::Variable(_) | ExprKind::Operator(_) => expr.kind.clone(),
        ExprKind::Call(operator, items) => {
            let call = ExprKind::Call(operator.clone(), items.iter().map(opaque).collect());
            match operator.name.starts_with("iota") {
                true => stored(call, expr),
                false => call,
            }
        }
        ExprKind::Vector(items) => {
            let vector = ExprKind::Vector(items.iter().map(opaque).collect());
            if items.is_empty() {
                vector
            } else {
                stored(vector, expr)
            }
        }
        ExprKind::Tuple(items) => ExprKind::Tuple(items.iter().map(opaque).collect()),
        ExprKind::Let(bindings, body) => {
            let bound = |binding: &Binding| Binding {
                value: opaque(&binding.value),
                ..binding.clone()
            };
            ExprKind::Let(bindings.iter().map(bound).collect(), Box::new(opaque(body)))
        }
        ExprKind::Function(function) => ExprKind::Function(
            Function {
                body: opaque(&function.body),
                ..function.as_ref().clone()
            }
            .into(),
        ),
        ExprKind::If(parts) => ExprKind::If(Box::new([0, 1, 2].map(|n| opaque(&parts[n])))),
    };
    Expr {
        kind,
        span: expr.span,
    }
}

fn stored(kind: ExprKind, expr: &Expr) -> ExprKind {
    let operator = Operator {
        name: "mem".to_owned(),
        instance: None,
        span: expr.span,
    };
    let span = expr.span;
    ExprKind::Call(operator, vec![Expr { kind, span }])
}
