//! Patterns, as they were.

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};

use super::super::options::respan;
use super::{Native, ident};
use obsidian_front::syntax::{Name, Pattern, PatternKind, Site};

impl Native<'_> {
    /// A pattern.
    pub(super) fn pattern(&self, pattern: &Pattern) -> TokenStream {
        self.any_pattern(pattern, true)
    }

    /// A pattern whose names are not `mut`.
    pub(super) fn unchanged_pattern(&self, pattern: &Pattern) -> TokenStream {
        self.any_pattern(pattern, false)
    }

    /// The `mut` before a name, at its place: lints are shown from there on.
    pub(super) fn keyword_mut(&self, pattern: &Pattern) -> TokenStream {
        quote_spanned!(self.sources.ends(pattern.site).0=> mut)
    }

    fn any_pattern(&self, pattern: &Pattern, changes: bool) -> TokenStream {
        match &pattern.kind {
            PatternKind::Wild => quote!(_),
            PatternKind::Bind(_, name, mutable) => {
                let name = self.bound(name, pattern.site);
                let mutable = (*mutable && changes).then(|| self.keyword_mut(pattern));
                quote!(#mutable #name)
            }
            PatternKind::Tuple(list) => {
                let list = list.iter().map(|p| self.any_pattern(p, changes));
                quote!((#(#list,)*))
            }
            PatternKind::Or(list) => {
                let list = list.iter().map(|p| self.any_pattern(p, changes));
                quote!(#(#list)|*)
            }
            PatternKind::Lit(_, text)
            | PatternKind::Constant(_, text)
            | PatternKind::Range(_, _, _, text) => self.text(text, pattern.site),
            PatternKind::Some(inner) => {
                let inner = self.any_pattern(inner, changes);
                quote!(::core::option::Option::Some(#inner))
            }
            PatternKind::None => quote!(::core::option::Option::None),
            PatternKind::Ref(inner) => {
                let inner = self.any_pattern(inner, changes);
                quote!(&#inner)
            }
        }
    }

    /// A name that a pattern binds, at its own place: the pattern ends in it.
    pub(super) fn bound(&self, name: &Name, site: Site) -> Ident {
        ident(name, self.sources.ends(site).1)
    }

    /// Tokens as they were written, at their place.
    pub(super) fn text(&self, text: &Name, site: Site) -> TokenStream {
        respan(text.parse().unwrap_or_default(), self.span(site))
    }
}
