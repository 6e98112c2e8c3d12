//! Patterns, as they were.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::options::respan;
use super::Native;
use crate::front::syntax::{Name, Pattern, PatternKind, Site};

impl Native<'_> {
    /// A pattern.
    pub(super) fn pattern(&self, pattern: &Pattern) -> TokenStream {
        match &pattern.kind {
            PatternKind::Wild => quote!(_),
            PatternKind::Bind(_, name, mutable) => {
                let name = self.ident(name, pattern.site);
                let mutable = mutable.then(|| quote!(mut));
                quote!(#mutable #name)
            }
            PatternKind::Tuple(list) => {
                let list = list.iter().map(|p| self.pattern(p));
                quote!((#(#list,)*))
            }
            PatternKind::Or(list) => {
                let list = list.iter().map(|p| self.pattern(p));
                quote!(#(#list)|*)
            }
            PatternKind::Lit(_, text)
            | PatternKind::Constant(_, text)
            | PatternKind::Range(_, _, _, text) => self.text(text, pattern.site),
            PatternKind::Some(inner) => {
                let inner = self.pattern(inner);
                quote!(::core::option::Option::Some(#inner))
            }
            PatternKind::None => quote!(::core::option::Option::None),
            PatternKind::Ref(inner) => {
                let inner = self.pattern(inner);
                quote!(&#inner)
            }
        }
    }

    /// Tokens as they were written, at their place.
    pub(super) fn text(&self, text: &Name, site: Site) -> TokenStream {
        respan(text.parse().unwrap_or_default(), self.span(site))
    }
}
