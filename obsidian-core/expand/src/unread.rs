//! What stands in the place of functions that could not be read, so that a mistake is one error.
//!
//! A kernel with a mistake in its signature has a launch that nobody knows the types of. Each use of it would be an error of rustc's on top. Before:
//! `pub fn f(x: &[f32]) -> ..` and `compile_error!`. After: a module `f` with constants `launch` and so on, of a type whose number is computed by that
//! `compile_error!`. Of such a type rustc says nothing more: it takes whatever it is given, and gives whatever is wanted.
//!
//! Of a module that syn cannot read rustc has said so, because it reads a module before it gives it to a macro. The mistake is in a body nearly always:
//! without the bodies, the signatures are there for all who call them.

use proc_macro2::{Delimiter, Group, Literal, TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::{Item, ItemFn};

use obsidian_core::error::{Diagnostic, Site};
use obsidian_core::ordered::Set;
use obsidian_front::Sources;

/// What the modules beside kernels, array programs and ranges have.
const NAMES: &[&str] = &[
    "CUDA",
    "compute",
    "compute_host",
    "compute_into",
    "kernel",
    "kernels",
    "launch",
    "launch_into",
    "launch_kernel",
    "launch_variant",
    "program",
    "run",
    "run_into",
    "schedule",
    "variants",
];

/// The functions with a module beside them in whose signature a mistake is, at one of the sites; of those that were `read` as such, and of others.
pub(super) fn functions<'i>(
    items: &'i [Item],
    sites: &[Site],
    sources: &Sources,
    read: &Set<String>,
) -> Vec<&'i ItemFn> {
    let places = sites.iter().filter_map(|site| match site {
        Site::Span(n) => {
            let first = sources.ends(*n).0;
            Some((first.file(), first.start()))
        }
        Site::Native(_) | Site::Text(_) => None,
    });
    let places: Vec<_> = places.collect();
    let has_mistake = |item: &ItemFn| {
        let (first, last) = (item.sig.fn_token.span, item.block.brace_token.span.open());
        let (file, range) = (first.file(), first.start()..last.start());
        places
            .iter()
            .any(|(f, place)| *f == file && range.contains(place))
    };
    let functions = items.iter().filter_map(|item| match item {
        Item::Fn(item) => Some(item),
        _ => None,
    });
    let has_module = |item: &ItemFn| item.attrs.iter().any(is_of_a_module);
    let is_unread = |item: &&ItemFn| {
        has_module(item) && (has_mistake(item) || !read.contains(&item.sig.ident.to_string()))
    };
    functions.filter(is_unread).collect()
}

/// Does an attribute make a module beside its function?
fn is_of_a_module(attribute: &syn::Attribute) -> bool {
    let path = attribute.path();
    let is_range = || match &attribute.meta {
        syn::Meta::List(list) => list.tokens.to_string().starts_with("range"),
        _ => false,
    };
    path.is_ident("kernel") || path.is_ident("arrays") || path.is_ident("device") && is_range()
}

/// The errors of a module, and the modules of functions that have not been read.
pub(super) fn modules(unread: &[&ItemFn], errors: &TokenStream) -> TokenStream {
    let modules = unread.iter().map(|item| {
        let (vis, name) = (&item.vis, &item.sig.ident);
        let names = NAMES.iter().map(|name| format_ident!("{name}"));
        quote! {
            #[doc(hidden)]
            #[allow(warnings, unused, clippy::all)]
            #vis mod #name {
                #(pub const #names: super::obsidian_unread::Unread = super::obsidian_unread::Known;)*
            }
        }
    });
    quote! {
        #[doc(hidden)]
        #[allow(warnings, unused, clippy::all)]
        mod obsidian_unread {
            // A constant, and not an argument, as editors look into constants.
            const ERRORS: ::core::primitive::usize = { #errors 0 };
            pub struct Known<const N: ::core::primitive::usize>;
            pub type Unread = Known<{ ERRORS }>;
        }
        #(#modules)*
    }
}

/// The tokens of a module without the bodies of its functions.
pub(super) fn without_bodies(module: TokenStream) -> TokenStream {
    let tokens = module.into_iter().map(|token| match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
            let mut is_function = false;
            let inner = group.stream().into_iter().map(|token| match token {
                TokenTree::Ident(ident) => {
                    is_function |= ident == "fn";
                    TokenTree::Ident(ident)
                }
                TokenTree::Group(body)
                    if body.delimiter() == Delimiter::Brace && std::mem::take(&mut is_function) =>
                {
                    regrouped(&body, TokenStream::new())
                }
                other => other,
            });
            regrouped(&group, inner.collect())
        }
        other => other,
    });
    tokens.collect()
}

fn regrouped(group: &Group, inner: TokenStream) -> TokenTree {
    let mut whole = Group::new(group.delimiter(), inner);
    whole.set_span(group.span());
    TokenTree::Group(whole)
}

/// What rustc has said of the tokens of a module, once more where it has said nothing: as a lint, which comes after all errors and is not shown then.
pub(super) fn if_rustc_can(error: &syn::Error, diagnostic: &Diagnostic) -> TokenStream {
    let (text, span) = (Literal::string(&diagnostic.to_string()), error.span());
    let unread = quote::quote_spanned!(span=> unread());
    quote! {
        #[doc(hidden)]
        const _: () = {
            #[must_use = #text]
            pub struct Syntax;
            fn unread() -> Syntax {
                Syntax
            }
            #[deny(unused_must_use)]
            #[allow(dead_code)]
            fn read() {
                #unread;
            }
        };
    }
}
