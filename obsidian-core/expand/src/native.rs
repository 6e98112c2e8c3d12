//! The native copy: the functions of a module as ordinary Rust over the typed library.
//!
//! Before: kernel language. After: Rust in which comparisons, conditions, reads at an index and
//! casts are calls of the library's staged functions, every read of a local variable is a clone,
//! closures take clones of what they name, and a function with `?` becomes a delayed program. rustc
//! checks types and levels on it, at the user's spans.

mod expressions;
mod patterns;

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};

use super::Arguments;
use obsidian_core::ordered::Map;
use obsidian_front::Sources;
use obsidian_front::evaluate::Known;
use obsidian_front::syntax::{
    Block, Closure, Constant, Expr, ExprKind, Function, Module, Name, Parameter, Pattern,
    PatternKind, Site, TypeUse,
};

/// Prints a module.
pub(super) struct Native<'a> {
    pub(super) sources: &'a Sources,
    pub(super) module: &'a Module,
    pub(super) arguments: &'a Arguments,
    /// The literals that are device values, and their types.
    pub(super) literals: Map<Site, Known>,
}

/// Where an expression is printed.
#[derive(Clone, Copy)]
struct Place {
    /// In a function or closure with `?`?
    delayed: bool,
    /// In the value of a constant, where only Rust's own operators can be?
    constant: bool,
}

impl Native<'_> {
    pub(super) fn span(&self, site: Site) -> Span {
        self.sources.span(site)
    }

    /// A name at a site.
    pub(super) fn ident(&self, name: &Name, site: Site) -> Ident {
        ident(name, self.span(site))
    }

    /// A path in the runtime crate, placed at a site.
    pub(super) fn path(&self, inner: &str, site: Site) -> TokenStream {
        self.arguments.path(inner, self.span(site))
    }

    /// A constant.
    pub(super) fn constant(&self, constant: &Constant) -> TokenStream {
        let (head, name) = (
            self.sources.tokens(constant.head),
            self.ident(&constant.name, constant.site),
        );
        let ty = self.sources.tokens(constant.ty.snippet);
        let value = self.expr(
            &constant.value,
            Place {
                delayed: false,
                constant: true,
            },
        );
        // At the user's name, where lints about the item are shown.
        quote_spanned!(name.span()=> #head const #name: #ty = #value;)
    }

    /// A function, up to its body. In a library, rustc makes machine code of each public function that is not `inline`, called or not; natively
    /// kernels seldom are, and theirs is half of what a release build of such a crate costs.
    fn signature(&self, function: &Function) -> TokenStream {
        let (head, name) = (
            self.sources.tokens(function.head),
            self.ident(&function.name, function.site),
        );
        let generics = function.generics.iter().map(|g| {
            let (name, bounds) = (
                self.ident(&g.name, g.site),
                g.bounds.map(|b| self.sources.tokens(b)),
            );
            let bounds = bounds.map(|b| quote!(#b +));
            // rustc proposes to go on behind the last bound that the user can see: where there are some, it is not one of ours.
            let own = match g.bounds {
                Some(_) => name.span().resolved_at(Span::call_site()),
                None => name.span(),
            };
            let kept = quote_spanned!(own=> ::core::clone::Clone + 'static);
            quote!(#name: #bounds #kept)
        });
        let generics = if function.generics.is_empty() {
            quote!()
        } else {
            quote!(<#(#generics),*>)
        };
        let parameters = function
            .parameters
            .iter()
            .map(|p| self.parameter(p, function.delayed));
        let result = self.kept_type(&function.result);
        let bounds = function.bounds.map(|b| self.sources.tokens(b));
        let keyword = quote_spanned!(name.span()=> fn);
        let inline = (!says_inline(head.clone())).then(|| quote!(#[inline]));
        quote!(#inline #head #keyword #name #generics (#(#parameters),*) -> #result #bounds)
    }

    /// The visibility of a function, for the module beside it.
    pub(super) fn visibility(&self, function: &Function) -> TokenStream {
        self.sources.tokens(function.vis)
    }

    /// A function whose body is never run.
    pub(super) fn stub(&self, function: &Function) -> TokenStream {
        let signature = self.signature(function);
        quote!(#signature { ::core::unreachable!() })
    }

    /// A function.
    pub(super) fn function(&self, function: &Function) -> TokenStream {
        let signature = self.signature(function);
        let place = Place {
            delayed: function.delayed,
            constant: false,
        };
        if !function.delayed {
            let body = self.result_of(&function.body, place);
            return quote!(#signature #body);
        }
        let again = function.parameters.iter().map(|p| self.rebind(&p.pattern));
        let body = self.delayed_block(&function.body);
        let program = self.delayed(quote!(#(#again)* #body), function.site);
        quote!(#signature { #program })
    }

    /// The body of a function. A variable that is its result is copied before rustc compares its type with the function's: else it would
    /// compare those of references, at a line of the standard library.
    fn result_of(&self, block: &Block, place: Place) -> TokenStream {
        let Some(
            value @ Expr {
                kind: ExprKind::Local(..),
                ..
            },
        ) = block.value.as_deref()
        else {
            return self.block(block, place);
        };
        let (statements, copy) = (
            self.statements(&block.statements, place),
            self.expr(value, place),
        );
        let (span, own) = (
            self.span(value.site),
            Ident::new("own_copy", self.span(value.site)),
        );
        let value = quote_spanned!(span=> { let #own = #copy; #own });
        quote_spanned!(self.span(block.site)=> { #statements #value })
    }

    /// A program that runs a body.
    fn delayed(&self, body: TokenStream, site: Site) -> TokenStream {
        let (delayed, ty, trace) = (
            self.path("generated::delayed", site),
            self.path("generated::Trace", site),
            trace(),
        );
        quote!(#delayed(move |#trace: &mut #ty<_>| { #body }))
    }

    /// The statements of a body with `?`, whose value is a program that is run.
    fn delayed_block(&self, block: &Block) -> TokenStream {
        let place = Place {
            delayed: true,
            constant: false,
        };
        let statements = self.statements(&block.statements, place);
        match &block.value {
            Some(value) => {
                let (value, run) = (self.expr(value, place), self.run(value.site));
                quote!(#statements (#value) #run)
            }
            None => statements,
        }
    }

    /// `.run(trace)`
    fn run(&self, site: Site) -> TokenStream {
        let trace = trace();
        quote_spanned!(self.span(site)=> .run(#trace))
    }

    /// A parameter of a function; of one whose program binds it again, and changes that.
    fn parameter(&self, parameter: &Parameter, is_rebound: bool) -> TokenStream {
        let pattern = if is_rebound {
            self.unchanged_pattern(&parameter.pattern)
        } else {
            self.pattern(&parameter.pattern)
        };
        match &parameter.ty {
            Some(ty) => {
                let ty = self.kept_type(ty);
                quote!(#pattern: #ty)
            }
            None => pattern,
        }
    }

    /// The type of a parameter or result: what is called can be cloned and kept.
    fn kept_type(&self, ty: &TypeUse) -> TokenStream {
        let tokens = self.sources.tokens(ty.snippet);
        match syn::parse2::<syn::Type>(tokens.clone()) {
            Ok(mut parsed) if tokens.to_string().contains("impl") => {
                keep_functions(&mut parsed);
                quote!(#parsed)
            }
            _ => tokens,
        }
    }

    /// A copy of every variable that a pattern binds, to be used by a program that may run again.
    fn rebind(&self, pattern: &Pattern) -> TokenStream {
        match &pattern.kind {
            PatternKind::Bind(_, name, mutable) => {
                let name = self.bound(name, pattern.site);
                let mutable = mutable.then(|| self.keyword_mut(pattern));
                quote!(let #mutable #name = ::core::clone::Clone::clone(&#name);)
            }
            PatternKind::Tuple(list) | PatternKind::Or(list) => {
                list.iter().map(|p| self.rebind(p)).collect()
            }
            PatternKind::Some(inner) | PatternKind::Ref(inner) => self.rebind(inner),
            _ => quote!(),
        }
    }

    /// A closure that takes copies of what it names.
    fn closure(&self, closure: &Closure, site: Site) -> TokenStream {
        let parameters = closure
            .parameters
            .iter()
            .map(|p| self.parameter(p, closure.delayed));
        let copies: TokenStream = closure
            .captures
            .iter()
            .map(|(_, _, name)| {
                let name = ident(name, self.span(site));
                quote!(let #name = ::core::clone::Clone::clone(&#name);)
            })
            .collect();
        let place = Place {
            delayed: closure.delayed,
            constant: false,
        };
        let body = if closure.delayed {
            let again = closure.parameters.iter().map(|p| self.rebind(&p.pattern));
            let (value, run) = (self.delayed_value(&closure.body), copies.clone());
            let program = self.delayed(quote!(#(#again)* #value), site);
            quote!({ #run #program })
        } else {
            self.expr(&closure.body, place)
        };
        if closure.captures.is_empty() {
            quote!(move |#(#parameters),*| #body)
        } else {
            quote!({ #copies move |#(#parameters),*| #body })
        }
    }

    /// The body of a closure with `?`.
    fn delayed_value(&self, body: &Expr) -> TokenStream {
        if let ExprKind::Block(block) = &body.kind {
            return self.delayed_block(block);
        }
        let (value, run) = (
            self.expr(
                body,
                Place {
                    delayed: true,
                    constant: false,
                },
            ),
            self.run(body.site),
        );
        quote!((#value) #run)
    }
}

/// Has the user said whether a function is inline?
fn says_inline(head: TokenStream) -> bool {
    head.into_iter().any(|token| match token {
        TokenTree::Group(attribute) => {
            let name = attribute.stream().into_iter().next();
            matches!(name, Some(TokenTree::Ident(name)) if name == "inline")
        }
        TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

/// Adds to every `impl` in a type that it can be cloned and kept.
fn keep_functions(ty: &mut syn::Type) {
    match ty {
        syn::Type::ImplTrait(function) => {
            let span = function.impl_token.span.resolved_at(Span::call_site());
            function
                .bounds
                .push(syn::parse_quote_spanned!(span=> ::core::clone::Clone));
            function
                .bounds
                .push(syn::parse_quote_spanned!(span=> 'static));
        }
        syn::Type::Paren(inner) => keep_functions(&mut inner.elem),
        syn::Type::Reference(inner) => {
            keep_functions(&mut inner.elem);
            if let syn::Type::ImplTrait(function) = &*inner.elem {
                *inner.elem = syn::parse_quote!((#function));
            }
        }
        syn::Type::Array(inner) => keep_functions(&mut inner.elem),
        syn::Type::Slice(inner) => keep_functions(&mut inner.elem),
        syn::Type::Tuple(tuple) => tuple.elems.iter_mut().for_each(keep_functions),
        syn::Type::Path(path) => {
            for segment in &mut path.path.segments {
                if let syn::PathArguments::AngleBracketed(list) = &mut segment.arguments {
                    for argument in &mut list.args {
                        if let syn::GenericArgument::Type(ty) = argument {
                            keep_functions(ty);
                        }
                    }
                }
            }
        }
        _ => {}
    }
}

/// The trace of the program around; a name that user code cannot see.
fn trace() -> Ident {
    Ident::new("trace", Span::mixed_site())
}

/// A name, raw or not.
pub(super) fn ident(name: &str, span: Span) -> Ident {
    match name.strip_prefix("r#") {
        Some(raw) => Ident::new_raw(raw, span),
        None => Ident::new(name, span),
    }
}
