//! Programs of which the host knows less: vectors that are written out, and `iota`, are stored on the device.

use tail::syntax::{Binding, Expr, ExprKind, Function, Operator};

/// The program with `mem` around each vector that is written out and each `iota`.
///
/// Shapes in the function of a `power` stay as they are: the host would need them in each iteration, and lower and build the loop anew as often.
pub fn opaque(expr: &Expr) -> Expr {
    hidden(expr, false)
}

fn hidden(expr: &Expr, in_loop: bool) -> Expr {
    let own = |expr: &Expr| hidden(expr, in_loop);
    let kind = match &expr.kind {
        ExprKind::Constant(_) | ExprKind::Variable(_) | ExprKind::Operator(_) => expr.kind.clone(),
        ExprKind::Call(operator, items) => {
            let name = operator.name.as_str();
            let item = |(n, item): (usize, &Expr)| match (name, n) {
                ("power", 0) => hidden(item, true),
                ("reshape", 0) if in_loop => item.clone(),
                _ => own(item),
            };
            let items = items.iter().enumerate().map(item).collect();
            let call = ExprKind::Call(operator.clone(), items);
            match name.starts_with("iota") {
                true => stored(call, expr),
                false => call,
            }
        }
        ExprKind::Vector(items) => {
            let vector = ExprKind::Vector(items.iter().map(own).collect());
            if items.is_empty() {
                vector
            } else {
                stored(vector, expr)
            }
        }
        ExprKind::Tuple(items) => ExprKind::Tuple(items.iter().map(own).collect()),
        ExprKind::Let(bindings, body) => {
            let bound = |binding: &Binding| Binding {
                value: own(&binding.value),
                ..binding.clone()
            };
            ExprKind::Let(bindings.iter().map(bound).collect(), Box::new(own(body)))
        }
        ExprKind::Function(function) => ExprKind::Function(
            Function {
                body: own(&function.body),
                ..function.as_ref().clone()
            }
            .into(),
        ),
        ExprKind::If(parts) => ExprKind::If(Box::new([0, 1, 2].map(|n| own(&parts[n])))),
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
