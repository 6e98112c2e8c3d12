//! Each expression of a tree.

use super::syntax::{Block, Expr, ExprKind, Stmt};

/// Calls `f` for each expression of a statement.
pub(crate) fn in_statement(statement: &Stmt, f: &mut dyn FnMut(&Expr)) {
    match statement {
        Stmt::Expr(expr, _) => in_expr(expr, f),
        Stmt::Let {
            value, otherwise, ..
        } => {
            value.iter().for_each(|e| in_expr(e, f));
            otherwise.iter().for_each(|b| in_block(b, f));
        }
        Stmt::Constant(_) | Stmt::Type(_) => {}
    }
}

fn in_block(block: &Block, f: &mut dyn FnMut(&Expr)) {
    block.statements.iter().for_each(|s| in_statement(s, f));
    block.value.iter().for_each(|e| in_expr(e, f));
}

/// Calls `f` for an expression and each expression inside of it, but for what closures do.
pub(crate) fn in_expr(expr: &Expr, f: &mut dyn FnMut(&Expr)) {
    f(expr);
    match &expr.kind {
        ExprKind::Local(..)
        | ExprKind::Closure(_)
        | ExprKind::Lit(..)
        | ExprKind::Constant(..)
        | ExprKind::HostConstant(..)
        | ExprKind::Path(..)
        | ExprKind::None
        | ExprKind::Break(_)
        | ExprKind::Continue(_)
        | ExprKind::Discard => {}
        ExprKind::Unary(_, x)
        | ExprKind::Deref(x)
        | ExprKind::Ref(x)
        | ExprKind::Field(x, _)
        | ExprKind::Cast(x, _)
        | ExprKind::Try(x, _)
        | ExprKind::Paren(x) => in_expr(x, f),
        ExprKind::Binary(_, x, y, _)
        | ExprKind::Assign(x, y)
        | ExprKind::AssignOp(_, x, y, _)
        | ExprKind::Index(x, y)
        | ExprKind::Repeat(x, y, _) => [x, y].into_iter().for_each(|e| in_expr(e, f)),
        ExprKind::Call(callee, list) => {
            in_expr(callee, f);
            list.iter().for_each(|e| in_expr(e, f));
        }
        ExprKind::Method {
            receiver,
            arguments,
            ..
        } => {
            in_expr(receiver, f);
            arguments.iter().for_each(|e| in_expr(e, f));
        }
        ExprKind::Range(x, y, _) => [x, y].into_iter().flatten().for_each(|e| in_expr(e, f)),
        ExprKind::Tuple(list) | ExprKind::Array(list, _) | ExprKind::Assert(_, list, _) => {
            list.iter().for_each(|e| in_expr(e, f));
        }
        ExprKind::Return(value) => value.iter().for_each(|e| in_expr(e, f)),
        _ => in_branches(expr, f),
    }
}

/// The same for expressions with blocks.
fn in_branches(expr: &Expr, f: &mut dyn FnMut(&Expr)) {
    match &expr.kind {
        ExprKind::Block(block) | ExprKind::Loop(block, _) => in_block(block, f),
        ExprKind::If(condition, then, otherwise)
        | ExprKind::IfLet(_, condition, then, otherwise) => {
            in_expr(condition, f);
            in_block(then, f);
            otherwise.iter().for_each(|e| in_expr(e, f));
        }
        ExprKind::For(_, head, body, _) | ExprKind::While(head, body, _) => {
            in_expr(head, f);
            in_block(body, f);
        }
        ExprKind::Match(value, arms) => {
            in_expr(value, f);
            for arm in arms {
                arm.guard.iter().for_each(|e| in_expr(e, f));
                in_expr(&arm.body, f);
            }
        }
        _ => {}
    }
}
