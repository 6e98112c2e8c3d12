//! Diagnostics as `compile_error!` at the user's tokens.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::ToTokens;

use crate::error::{Diagnostic, Diagnostics, Site};
use crate::front::Sources;

/// An error from one token to another.
pub(super) fn error_at(first: Span, last: Span, diagnostic: &Diagnostic) -> TokenStream {
    let text = diagnostic.to_string();
    let at = |mut token: TokenTree, span| {
        token.set_span(span);
        token
    };
    let punct = |c, spacing| at(TokenTree::Punct(Punct::new(c, spacing)), first);
    let mut message = Group::new(Delimiter::Brace, TokenStream::from(at(TokenTree::Literal(Literal::string(&text)), last)));
    message.set_span(last);
    // `::core::compile_error! { "text" }`, from the first span to the last.
    TokenStream::from_iter([
        punct(':', Spacing::Joint),
        punct(':', Spacing::Alone),
        TokenTree::Ident(Ident::new("core", first)),
        punct(':', Spacing::Joint),
        punct(':', Spacing::Alone),
        TokenTree::Ident(Ident::new("compile_error", first)),
        punct('!', Spacing::Alone),
        TokenTree::Group(message),
    ])
}

/// An error at some tokens.
pub(super) fn error_tokens(tokens: &impl ToTokens, diagnostic: &Diagnostic) -> TokenStream {
    let mut stream = tokens.to_token_stream().into_iter();
    let first = stream.next().map_or_else(Span::call_site, |t| t.span());
    let last = stream.last().map_or(first, |t| t.span());
    error_at(first, last, diagnostic)
}

/// A syntax error, and the item as it was.
pub(super) fn with_item(error: &syn::Error, item: &TokenStream) -> TokenStream {
    let error = error.to_compile_error();
    quote::quote!(#error #item)
}

/// One error for each diagnostic.
pub(super) fn diagnostics(list: &Diagnostics, sources: &Sources) -> TokenStream {
    merged([(list, None)], sources)
}

/// One error for each mistake of several lists, each with the place of what has no place of its own: two kernels that reach
/// one mistake report it once.
pub(super) fn merged<'a>(lists: impl IntoIterator<Item = (&'a Diagnostics, Option<u32>)>, sources: &Sources) -> TokenStream {
    let mut seen = BTreeSet::new();
    let mut tokens = TokenStream::new();
    let all = lists.into_iter().flat_map(|(list, place)| list.iter().map(move |(diagnostic, site)| (diagnostic, site, place)));
    for (diagnostic, site, place) in all {
        let span = if let Some(Site::Span(n)) = site { Some(n) } else { place };
        if seen.insert((span, diagnostic.to_string())) {
            let (first, last) = span.map_or_else(|| (Span::call_site(), Span::call_site()), |n| sources.ends(n));
            tokens.extend(error_at(first, last, diagnostic));
        }
    }
    tokens
}
