//! Patterns, and the names that they bind.

use quote::ToTokens;
use syn::{Expr, Pat};

use super::expressions::literal;
use super::{Reader, name_of};
use crate::error::catalogue;
use crate::syntax::{Bound, Lit, Pattern, PatternKind};

impl Reader {
    pub(super) fn pattern(&mut self, pat: &Pat) -> Pattern {
        // The place of a pattern is without its type.
        if let Pat::Type(typed) = pat {
            return self.pattern(&typed.pat);
        }
        let site = self.sources.whole(pat);
        Pattern {
            site,
            kind: self.pattern_kind(pat),
        }
    }

    fn pattern_kind(&mut self, pat: &Pat) -> PatternKind {
        match pat {
            Pat::Wild(_) => PatternKind::Wild,
            Pat::Paren(inner) => self.pattern_kind(&inner.pat),
            Pat::Type(typed) => self.pattern_kind(&typed.pat),
            Pat::Reference(inner) => PatternKind::Ref(Box::new(self.pattern(&inner.pat))),
            Pat::Tuple(tuple) => {
                PatternKind::Tuple(tuple.elems.iter().map(|p| self.pattern(p)).collect())
            }
            Pat::Lit(lit) => match literal(&lit.lit) {
                Some(value) => PatternKind::Lit(value, lit.to_token_stream().to_string().into()),
                None => self.no_pattern(pat),
            },
            Pat::Range(range) => self.range_pattern(range),
            Pat::Or(or) => self.or_pattern(or),
            Pat::Ident(ident) if ident.by_ref.is_some() || ident.subpat.is_some() => {
                self.no_pattern(pat)
            }
            Pat::Ident(ident) => {
                let name = name_of(&ident.ident);
                if &*name == "None" {
                    return PatternKind::None;
                }
                if let Some(n) = self.constants.get(&*name) {
                    return PatternKind::Constant(*n, name);
                }
                match self.frames.last_mut() {
                    Some(frame) => PatternKind::Bind(
                        frame.bind(name.clone()),
                        name,
                        ident.mutability.is_some(),
                    ),
                    None => self.no_pattern(pat),
                }
            }
            Pat::Path(path) if path.path.is_ident("None") => PatternKind::None,
            Pat::Path(path) => match path
                .path
                .get_ident()
                .and_then(|i| self.constants.get(&i.to_string()))
            {
                Some(n) => PatternKind::Constant(*n, path.to_token_stream().to_string().into()),
                None => self.no_pattern(pat),
            },
            Pat::TupleStruct(some) if some.path.is_ident("Some") && some.elems.len() == 1 => {
                PatternKind::Some(Box::new(self.pattern(&some.elems[0])))
            }
            _ => self.no_pattern(pat),
        }
    }

    fn no_pattern(&mut self, pat: &Pat) -> PatternKind {
        self.refuse(pat, catalogue::unsupported("this pattern is"));
        PatternKind::Wild
    }

    /// All alternatives bind the same names; they share the variables of the first.
    fn or_pattern(&mut self, or: &syn::PatOr) -> PatternKind {
        let cases: Vec<Pattern> = or.cases.iter().map(|p| self.pattern(p)).collect();
        if cases.iter().any(binds) {
            self.refuse(
                or,
                catalogue::unsupported("a name inside of `|` patterns is"),
            );
        }
        PatternKind::Or(cases)
    }

    fn range_pattern(&mut self, range: &syn::PatRange) -> PatternKind {
        let text = range.to_token_stream().to_string().into();
        let end = |reader: &mut Self, side: Option<&Expr>| {
            let side = side?;
            let bound = integer(side).map(Bound::Int).or_else(|| {
                reader
                    .constants
                    .get(&name_of_path(side)?)
                    .copied()
                    .map(Bound::Constant)
            });
            if bound.is_none() {
                reader.refuse(
                    range,
                    catalogue::unsupported(
                        "a range pattern of anything but integers and constants is",
                    ),
                );
            }
            bound
        };
        let low = end(self, range.start.as_deref());
        let high = end(self, range.end.as_deref());
        PatternKind::Range(
            low,
            high,
            matches!(range.limits, syn::RangeLimits::Closed(_)),
            text,
        )
    }
}

/// The value of an integer literal, with its sign.
fn integer(expr: &Expr) -> Option<i128> {
    match expr {
        Expr::Lit(lit) => match literal(&lit.lit)? {
            Lit::Int(n, _) => Some(n),
            _ => None,
        },
        Expr::Unary(syn::ExprUnary {
            op: syn::UnOp::Neg(_),
            expr,
            ..
        }) => integer(expr).map(|n| -n),
        _ => None,
    }
}

fn name_of_path(expr: &Expr) -> Option<String> {
    if let Expr::Path(path) = expr {
        path.path.get_ident().map(ToString::to_string)
    } else {
        None
    }
}

fn binds(pattern: &Pattern) -> bool {
    match &pattern.kind {
        PatternKind::Bind(..) => true,
        PatternKind::Tuple(list) | PatternKind::Or(list) => list.iter().any(binds),
        PatternKind::Some(inner) | PatternKind::Ref(inner) => binds(inner),
        _ => false,
    }
}
