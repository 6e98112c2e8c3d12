//! Diagnostics as `compile_error!` at the user's tokens.

use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::ToTokens;

use super::Compiled;
use obsidian_core::error::{Diagnostic, Diagnostics, Site};
use obsidian_core::ordered::Set;
use obsidian_front::Sources;

/// An error from one token to another.
pub(super) fn error_at(first: Span, last: Span, diagnostic: &Diagnostic) -> TokenStream {
    let text = diagnostic.to_string();
    let at = |mut token: TokenTree, span| {
        token.set_span(span);
        token
    };
    let punct = |c, spacing| at(TokenTree::Punct(Punct::new(c, spacing)), first);
    let mut message = Group::new(
        Delimiter::Brace,
        TokenStream::from(at(TokenTree::Literal(Literal::string(&text)), last)),
    );
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

/// One error for each mistake of a reading.
pub(super) fn diagnostics(list: &Diagnostics, sources: &Sources) -> TokenStream {
    let mut tokens = TokenStream::new();
    for (diagnostic, site) in list.iter() {
        let span = if let Some(Site::Span(n)) = site {
            Some(n)
        } else {
            None
        };
        let (first, last) = span.map_or_else(
            || (Span::call_site(), Span::call_site()),
            |n| sources.ends(n),
        );
        tokens.extend(error_at(first, last, diagnostic));
    }
    tokens
}

/// One error for each mistake of the kernels: two kernels that reach one mistake report it once, as do the arrays of an array of tuples.
///
/// A mistake in a function of another module of the crate is shown there, with the line that called
/// it; one in another crate, whose text may not be at hand, is shown at the call.
pub(super) fn kernels(compiled: &Compiled) -> TokenStream {
    let (mut seen, mut tokens) = (Set::new(), TokenStream::new());
    for mistake in compiled.mistakes() {
        if !seen.insert((mistake.site, mistake.diagnostic.id)) {
            continue;
        }
        let ends = |site: Option<u32>| {
            site.map_or_else(
                || (Span::call_site(), Span::call_site()),
                |n| compiled.sources.ends(n),
            )
        };
        let Some((function, call)) = mistake.inside else {
            let (first, last) = ends(mistake.site);
            tokens.extend(error_at(first, last, &mistake.diagnostic));
            continue;
        };
        let line = |site: Option<u32>| ends(site).0.start().line;
        let (name, module) = (&function.name, &function.module);
        let (at, note) = if function.is_foreign {
            (
                call.or(mistake.site),
                format!(
                    "this is in `{name}` of `{module}`, line {} of its file, called here",
                    line(mistake.site)
                ),
            )
        } else {
            (
                mistake.site,
                format!(
                    "this is in `{name}` of `{module}`, called on line {} of the module that uses it",
                    line(call)
                ),
            )
        };
        // Placed where it is, and seen from the module: else the way through the macros is shown,
        // which is ours.
        let ((first, last), here) = (ends(at), ends(call).0);
        tokens.extend(error_at(
            first.resolved_at(here),
            last.resolved_at(here),
            &mistake.diagnostic.note(note),
        ));
    }
    tokens
}
