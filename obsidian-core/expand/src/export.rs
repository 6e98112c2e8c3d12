//! How the functions of one kernels module reach another.
//!
//! A macro sees its own tokens only. So every kernels module has a hidden module beside its
//! functions, `__kernels_module`, whose macro `source!` gives its tokens to a macro that it is
//! called with, and which leads on to the modules that it uses:
//!
//! ```text
//! mod user {
//!     pub use super::library::__kernels_module as __link0;      // the path is the user's, seen from where the user wrote it
//!     pub mod __kernels_module { pub use super::__link0 as link0; macro_rules! source { .. } }
//!     self::__link0::source! { [continue] tokens }              // becomes continue! { tokens { the library's tokens } }
//! }
//! ```
//!
//! The macro that goes on ([`kernels_linked`](super::kernels_linked)) asks in the same way for what
//! is still missing, such as `self::__link0::link2::source!`, and at the end expands the module.
//! All of it happens inside of the module, where relative paths mean what the user means by them. A
//! path that leads nowhere, or to a module that is not one of kernels, is one error of rustc's, at
//! that path.
//!
//! `#[macro_export]` puts a macro in the root of its crate: the macro of a `pub` module is named by
//! the hash of its tokens and its place, so that two modules with the same tokens are two macros.
//! Nobody calls it by that name, which would not be allowed: it is re-exported where it is defined.
//! The macro of another module is not exported, and serves within the crate.

use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream, TokenTree};
use quote::{format_ident, quote, quote_spanned};
use syn::Visibility;

use super::Arguments;
use obsidian_front::hash;
use obsidian_front::link::{Link, Unit};

/// The hidden module of a kernels module, and the way to those that it uses.
pub(super) fn export(
    unit: &Unit,
    name: &Ident,
    vis: &Visibility,
    items: &TokenStream,
) -> TokenStream {
    let (text, tokens) = (
        Literal::string(&unit.name),
        hash::without_docs(items.clone()),
    );
    let (head, name, seen) = match vis {
        Visibility::Public(_) => (
            quote!(#[macro_export]),
            global_name(unit, name),
            quote!(pub),
        ),
        _ => (quote!(), format_ident!("tokens"), quote!(pub(crate))),
    };
    let links = unit
        .links
        .iter()
        .enumerate()
        .map(|(n, link)| way_to(n, link));
    let onward = (0..unit.links.len()).map(|n| {
        let (here, there) = (format_ident!("__link{n}"), format_ident!("link{n}"));
        quote!(#[allow(unused_imports)] pub use super::#here as #there;)
    });
    quote! {
        #[doc(hidden)]
        pub mod __kernels_module {
            #[doc(hidden)]
            #[allow(unused_macros, non_local_definitions)]
            #head
            macro_rules! #name {
                ([$($callback:tt)*] $($state:tt)*) => { $($callback)*! { $($state)* { #text { #tokens } } } };
            }
            #[allow(unused_imports)]
            #seen use #name as source;
            #(#onward)*
        }
        #(#links)*
    }
}

/// `pub use path::__kernels_module as __link0;`, at the path's last segment, which is the one that
/// is wrong if it is wrong.
fn way_to(n: usize, link: &Link) -> TokenStream {
    let path = &link.path;
    let span = path
        .clone()
        .into_iter()
        .last()
        .map_or_else(Span::call_site, |t| t.span());
    let (there, here) = (
        Ident::new("__kernels_module", span),
        format_ident!("__link{n}", span = span),
    );
    quote_spanned!(span=> #[doc(hidden)] #[allow(unused_imports)] pub use #path::#there as #here;)
}

/// A name in the root of the crate that no other module has.
fn global_name(unit: &Unit, name: &Ident) -> Ident {
    let (span, place) = (name.span(), name.span().start());
    // The folder of the crate is left out: the same tokens give the same name wherever they are
    // compiled.
    let file = span.file();
    let file: Vec<&str> = file.rsplit(['/', '\\']).take(2).collect();
    let words = [
        unit.hash.clone(),
        unit.name.clone(),
        file.join("/"),
        place.line.to_string(),
        place.column.to_string(),
    ];
    format_ident!("__obsidian_{}", hash::of_words(words))
}

/// The module's tokens as a constant, for the build scripts of other crates.
pub(super) fn source(unit: &Unit, arguments: &Arguments, items: &TokenStream) -> TokenStream {
    // One of the user's own by that name is a mistake, and has been reported.
    if unit
        .items
        .iter()
        .any(|item| matches!(item, syn::Item::Const(constant) if constant.ident == "SOURCE"))
    {
        return TokenStream::new();
    }
    let library = arguments.path("generated::Library", Span::call_site());
    let text = Literal::string(&hash::without_docs(items.clone()).to_string());
    let uses = unit.links.iter().map(|link| {
        let path = &link.path;
        quote!(#path::SOURCE)
    });
    quote! {
        /// The tokens of this module: `.library(..)` of a build script takes them.
        pub const SOURCE: #library = #library { path: ::core::module_path!(), text: #text, uses: || ::std::vec![#(#uses),*] };
    }
}

/// What is carried from one expansion to the next.
pub(super) struct State {
    /// The arguments of `#[kernels(..)]`.
    pub(super) arguments: TokenStream,
    /// The name of the module.
    pub(super) name: String,
    /// Its items.
    pub(super) items: TokenStream,
    /// The units that it was given so far: name and items.
    pub(super) given: Vec<(String, TokenStream)>,
}

impl State {
    /// Reads what [`State::ask`] has written, and the unit that was asked for.
    pub(super) fn read(tokens: TokenStream) -> Option<State> {
        let mut groups = tokens.into_iter();
        let arguments = group(groups.next()?)?;
        let (name, items) = named(group(groups.next()?)?)?;
        let given = groups
            .map(|g| group(g).and_then(named))
            .collect::<Option<Vec<_>>>()?;
        Some(State {
            arguments,
            name,
            items,
            given,
        })
    }

    /// The call that gives the unit at the end of a way of links.
    pub(super) fn ask(&self, arguments: &Arguments, way: &[usize]) -> TokenStream {
        let (first, onward) = way
            .split_first()
            .map_or((0, [].as_slice()), |(first, onward)| (*first, onward));
        let first = format_ident!("__link{first}");
        let onward = onward.iter().map(|n| format_ident!("link{n}"));
        let callback = arguments.path("generated::kernels_linked", Span::call_site());
        let (given, name, items) = (&self.arguments, Literal::string(&self.name), &self.items);
        let units = self.given.iter().map(|(name, items)| {
            let name = Literal::string(name);
            quote!({ #name { #items } })
        });
        quote!(self::#first #(::#onward)*::source! { [#callback] { #given } { #name { #items } } #(#units)* })
    }
}

/// What is in braces.
fn group(token: TokenTree) -> Option<TokenStream> {
    match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
            Some(Group::stream(&group))
        }
        _ => None,
    }
}

/// A name and what is in braces behind it.
fn named(tokens: TokenStream) -> Option<(String, TokenStream)> {
    let mut tokens = tokens.into_iter();
    let name: syn::LitStr = syn::parse2(tokens.next()?.into()).ok()?;
    Some((name.value(), group(tokens.next()?)?))
}
