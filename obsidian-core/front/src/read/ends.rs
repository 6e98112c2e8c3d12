//! The first and the last token of an expression, found along its edges: the tokens of all of it,
//! asked for at every level of a long chain, would make reading quadratic.

use proc_macro2::Span;
use quote::ToTokens;
use syn::Expr as E;

/// The place of the first token, brackets as a whole.
pub(super) fn first(mut expr: &E) -> Option<Span> {
    loop {
        expr = match expr {
            E::Binary(e) if e.attrs.is_empty() => &e.left,
            E::Assign(e) if e.attrs.is_empty() => &e.left,
            E::MethodCall(e) if e.attrs.is_empty() => &e.receiver,
            E::Call(e) if e.attrs.is_empty() => &e.func,
            E::Index(e) if e.attrs.is_empty() => &e.expr,
            E::Field(e) if e.attrs.is_empty() => &e.base,
            E::Try(e) if e.attrs.is_empty() => &e.expr,
            E::Cast(e) if e.attrs.is_empty() => &e.expr,
            E::Unary(e) if e.attrs.is_empty() => return first_token(&e.op),
            E::Reference(e) if e.attrs.is_empty() => return Some(e.and_token.span),
            E::If(e) if e.attrs.is_empty() => return Some(e.if_token.span),
            E::Paren(e) if e.attrs.is_empty() => return Some(e.paren_token.span.join()),
            E::Array(e) if e.attrs.is_empty() => return Some(e.bracket_token.span.join()),
            E::Block(e) if e.attrs.is_empty() && e.label.is_none() => {
                return Some(e.block.brace_token.span.join());
            }
            E::Closure(e) if is_plain(e) => return Some(e.inputs_begin.span),
            E::Return(e) if e.attrs.is_empty() => return Some(e.return_token.span),
            E::Match(e) if e.attrs.is_empty() => return Some(e.match_token.span),
            other => return first_token(other),
        };
    }
}

/// The place of the last token, brackets as a whole.
pub(super) fn last(mut expr: &E) -> Option<Span> {
    loop {
        expr = match expr {
            E::Binary(e) => &e.right,
            E::Assign(e) => &e.right,
            E::Unary(e) => &e.expr,
            E::Reference(e) => &e.expr,
            E::Closure(e) => &e.body,
            E::If(e) => match &e.else_branch {
                Some((_, otherwise)) => otherwise,
                None => return Some(e.then_branch.brace_token.span.join()),
            },
            E::Return(e) => match &e.expr {
                Some(value) => value,
                None => return Some(e.return_token.span),
            },
            E::MethodCall(e) => return Some(e.paren_token.span.join()),
            E::Call(e) => return Some(e.paren_token.span.join()),
            E::Index(e) => return Some(e.bracket_token.span.join()),
            E::Try(e) => return Some(e.question_token.span),
            E::Field(e) => return last_token(&e.member),
            E::Cast(e) => return last_token(&e.ty),
            E::Paren(e) => return Some(e.paren_token.span.join()),
            E::Array(e) => return Some(e.bracket_token.span.join()),
            E::Block(e) => return Some(e.block.brace_token.span.join()),
            E::Match(e) => return Some(e.brace_token.span.join()),
            other => return last_token(other),
        };
    }
}

/// Does the closure begin with its parameters?
fn is_plain(closure: &syn::ExprClosure) -> bool {
    let begins =
        closure.attrs.is_empty() && closure.lifetimes.is_none() && closure.constness.is_none();
    begins && closure.asyncness.is_none() && closure.capture.is_none()
}

fn first_token(tokens: &impl ToTokens) -> Option<Span> {
    tokens
        .to_token_stream()
        .into_iter()
        .next()
        .map(|t| t.span())
}

fn last_token(tokens: &impl ToTokens) -> Option<Span> {
    tokens
        .to_token_stream()
        .into_iter()
        .last()
        .map(|t| t.span())
}
