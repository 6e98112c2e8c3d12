//! The arguments of `#[kernels(..)]`.

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Meta, Token};

use obsidian_core::error::catalogue;

/// What `#[kernels(..)]` says.
#[derive(Clone, Debug)]
pub struct Arguments {
    /// The path of the runtime crate: `crate = path`, else `::obsidian_rt`.
    krate: TokenStream,
    /// Take in what the build script has compiled: `built`.
    pub built: bool,
}

impl Default for Arguments {
    fn default() -> Self {
        Arguments {
            krate: quote::quote!(::obsidian_rt),
            built: false,
        }
    }
}

impl Arguments {
    /// Reads the arguments.
    ///
    /// # Errors
    /// Anything but `built` and `crate = path`.
    pub fn parse(tokens: TokenStream) -> syn::Result<Self> {
        let mut arguments = Arguments::default();
        // `crate` is a keyword, which a meta path may be too.
        for meta in Punctuated::<Meta, Token![,]>::parse_terminated.parse2(tokens)? {
            match &meta {
                Meta::Path(path) if path.is_ident("built") => arguments.built = true,
                Meta::NameValue(pair) if pair.path.is_ident("crate") => {
                    let value = &pair.value;
                    arguments.krate = quote::quote!(#value);
                }
                other => {
                    let what = catalogue::bad_attribute_of_module();
                    return Err(syn::Error::new_spanned(other, what.to_string()));
                }
            }
        }
        Ok(arguments)
    }

    /// A path in the runtime crate, placed at a span.
    pub fn path(&self, inner: &str, span: Span) -> TokenStream {
        let krate = respan(self.krate.clone(), span);
        let inner: TokenStream = inner.parse().unwrap_or_default();
        let inner = respan(inner, span);
        quote_spanned!(span=> #krate::#inner)
    }
}

/// The same tokens at another place.
pub(super) fn respan(tokens: TokenStream, span: Span) -> TokenStream {
    tokens
        .into_iter()
        .map(|mut token| {
            token.set_span(span);
            token
        })
        .collect()
}
