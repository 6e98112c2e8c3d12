//! Which literals are device values, and of which type: inference by unification over the tree.
//!
//! Rust's own `0.0` is a number of the host. Where a device value is wanted, a literal is one, as if
//! `lit(..)` were around it, and so is a constant, such as `f32::MAX`. Every expression has a type
//! with unknowns (`unify`); each construct of the language relates the types of its parts
//! (`walk`, `patterns`), and the types of functions come from the user's signatures and from
//! those of the library (`signatures`). What depends on a type that is found later, a method or an
//! operator, waits until it is known (`solve`).
//!
//! A literal is a device value
//! 1. if its type is unified with one, or
//! 2. if nothing decides that, and it stands where an element does: the literal in `generate(n, |_| 0.0)`.
//!
//! Everything else is a value of the host. The whole module is one problem, so functions that no
//! kernel calls have their literals too. The evaluator takes from here which literals are device
//! values; the native copy prints `lit::<f32>(0.0)` for the same ones.

mod instance;
mod library;
mod methods;
mod patterns;
mod scheme;
mod signatures;
mod solve;
mod unify;
mod walk;

pub use scheme::{Bounded, Head, Scheme};

use super::syntax::{Expr, ExprKind, HostType, Lit, Module, Site};
use crate::ordered::Map;
use crate::scalar::UnaryOp;

/// What a literal is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placed {
    /// Is it a value of the device?
    pub is_device: bool,
    /// Its type, where that is known.
    pub ty: Option<HostType>,
}

/// The literals and constants of a module, and the calls of `lit`.
pub(super) fn literals(module: &Module) -> Map<Site, Placed> {
    let mut walk = walk::Walk::new(module);
    for (n, function) in module.functions.iter().enumerate() {
        walk.function(n as u32, function);
    }
    walk.solved()
}

/// The type of a function or method of the library, the receiver first: of a type, as [`rows`](super::evaluate::rows) names it.
pub fn signature(of: &str, name: &str) -> Option<Scheme> {
    library::Library::default().signature(of, name)
}

/// The names that the inference knows, by the types of their receivers.
pub fn names() -> Vec<(&'static str, &'static str)> {
    library::names()
}

/// Is the expression a literal, maybe a negative one?
pub fn is_literal(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Lit(lit, _) => !matches!(lit, Lit::Str(_)),
        ExprKind::Unary(UnaryOp::Neg, inner) => {
            matches!(inner.kind, ExprKind::Lit(Lit::Int(..) | Lit::Float(..), _))
        }
        ExprKind::Paren(inner) => is_literal(inner),
        _ => false,
    }
}

/// Is the expression a constant, such as `f32::MAX` or one of the module?
pub fn is_constant(expr: &Expr) -> bool {
    matches!(
        expr.kind,
        ExprKind::HostConstant(..) | ExprKind::Constant(..)
    )
}
