//! Expansion: tokens in, tokens out, for the macro and for the build script alike.
//!
//! A module is read once. From its tree come the native functions (`native`) and, for each kernel,
//! the evaluated program, its plan and its texts (`launch`). What went wrong comes back as
//! `compile_error!` at the user's tokens, and the functions that it concerns come back with their
//! signatures, so that the rest of the crate is not disturbed.
#![warn(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr
)]
#![doc(hidden)]

extern crate proc_macro;

mod arrays;
mod device;
mod engine;
mod export;
mod given_back;
mod launch;
mod native;
mod options;
mod report;
mod structs;
mod unmarked;
mod unread;

pub use engine::{
    Choose, Compiled, CompiledKernel, CompiledVariant, Located, compile_items_with,
    compile_linked_with,
};
pub use options::Arguments;

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use quote::quote;
use syn::Item;

use export::State;
use given_back::{give_back, give_back_but, signatures, unreadable};
use native::Native;
use obsidian_core::error::catalogue;
use obsidian_core::error::{Diagnostic, Site, internal};
use obsidian_front::link::{self, Linked, Linking, Unit};
use obsidian_front::read::check_tokens;
use obsidian_front::{Reading, read_linked, read_module};

/// Expands `#[kernels(..)]` on a module.
pub fn kernels(arguments: TokenStream, item: TokenStream) -> TokenStream {
    or_bug(|| module(arguments, item))
}

/// The tokens of a text that this crate has printed.
///
/// In a macro they are read by the compiler alone. `proc_macro2` reads a text itself before that, as the compiler does not come back from
/// one that is no Rust; unoptimised, that was a fifteenth of an expansion.
fn tokens_of(text: &str) -> TokenStream {
    if !proc_macro::is_available() {
        return text.parse().unwrap_or_default();
    }
    let tokens = text.parse::<proc_macro::TokenStream>();
    tokens.map(TokenStream::from).unwrap_or_default()
}

/// The tokens of an expansion, or those that report the internal error that ended it.
fn or_bug(expand: impl FnOnce() -> TokenStream) -> TokenStream {
    internal::caught(expand)
        .unwrap_or_else(|bug| report::error_at(Span::call_site(), Span::call_site(), &bug))
}

fn module(arguments: TokenStream, item: TokenStream) -> TokenStream {
    if let Some((span, diagnostic)) = check_tokens(&item) {
        return report::error_at(span, span, &diagnostic);
    }
    let given = arguments.clone();
    let arguments = match Arguments::parse(arguments) {
        Ok(arguments) => arguments,
        Err(error) => return report::with_item(&error, &item),
    };
    let module = match syn::parse2::<syn::ItemMod>(item.clone()) {
        Ok(module) => module,
        Err(error) => {
            let what = "`#[kernels]` goes on a module: `#[kernels] mod name { .. }`";
            let diagnostic = if is_module(&item) {
                catalogue::syntax(format!("the front end cannot read this: {error}"))
            } else {
                catalogue::bad_place(what)
            };
            if let Some(signatures) = signatures(&item, &arguments, &error, &diagnostic) {
                return signatures;
            }
            return report::with_item(
                &syn_error(error.span(), &diagnostic),
                &with_language(item, &arguments),
            );
        }
    };
    let Some((_, items)) = &module.content else {
        let what = "`#[kernels]` cannot see into a module in another file: write `mod name { .. }` here, or use the build script";
        return report::error_at(
            module.mod_token.span,
            module.ident.span(),
            &catalogue::bad_place(what),
        );
    };
    if let Some(attribute) = module.attrs.iter().find(|a| a.path().is_ident("cfg")) {
        return report::error_tokens(
            attribute,
            &catalogue::unsupported("`cfg` on a kernel module, below `#[kernels]`, is"),
        );
    }
    let (vis, ident) = (&module.vis, &module.ident);
    // Those at the beginning of the module stand before it: there they may follow ours.
    let attributes = module.attrs.iter().cloned().map(|mut attribute| {
        attribute.style = syn::AttrStyle::Outer;
        attribute
    });
    let unit = Unit::of(ident.to_string(), items);
    let tokens = quote!(#(#items)*);
    let export = export::export(&unit, ident, vis, &tokens);
    let body = if unit.mistakes.is_empty() {
        let state = State {
            arguments: given,
            name: unit.name.clone(),
            items: tokens,
            given: Vec::new(),
        };
        linked_or_ask(unit, &state, &arguments)
    } else {
        misused(unit, &arguments)
    };
    let (language, prelude) = (
        arguments.path("language", ident.span()),
        arguments.path("generated::prelude", ident.span()),
    );
    let lints = lints();
    // The prelude is named: the module around may be without it. The tokens that are handed on, and errors, come last: an editor looks
    // up what it completes where the user's token stands for the first time.
    quote! {
        #lints
        #(#attributes)*
        #vis mod #ident {
            #[allow(unused_imports)]
            use #prelude::*;
            #[allow(unused_imports)]
            use #language::*;
            #body
            #export
        }
    }
}

/// What rustc says of no module with kernels: the native copy has brackets that the macro adds, and clippy
/// judges code that nobody wrote. Everything else, unused names above all, reaches the user; what
/// the user's own attributes say comes later and counts more.
fn lints() -> TokenStream {
    quote! {
        #[allow(unused_parens, unused_braces, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
    }
}

/// Before each item of a module with a mistake: what the functions that are left out would have
/// used is not unused.
fn of_a_mistake() -> TokenStream {
    quote!(#[allow(unused)])
}

/// Expands `#[derive(Element)]` where no `#[kernels]` has read it.
pub fn element(item: TokenStream) -> TokenStream {
    let name = syn::parse2::<syn::DeriveInput>(item).map(|item| item.ident);
    let what = "`#[derive(Element)]` is read by `#[kernels]`: put the struct into the module whose device functions use it";
    let diagnostic = catalogue::bad_place(what);
    match name {
        Ok(name) => report::error_tokens(&name, &diagnostic),
        Err(error) => report::error_at(error.span(), error.span(), &diagnostic),
    }
}

/// Goes on with a module that has been given the tokens of another one: what the hidden macro
/// `source!` of a kernels module calls.
pub fn kernels_linked(tokens: TokenStream) -> TokenStream {
    or_bug(|| given_another(tokens))
}

fn given_another(tokens: TokenStream) -> TokenStream {
    let Some(state) = State::read(tokens) else {
        return report::error_at(
            Span::call_site(),
            Span::call_site(),
            &obsidian_core::error::catalogue::bug("the state of an expansion is lost"),
        );
    };
    let arguments = Arguments::parse(state.arguments.clone()).unwrap_or_default();
    linked_or_ask(unit_of(&state.name, &state.items), &state, &arguments)
}

/// The unit of tokens that have been read as items before.
fn unit_of(name: &str, items: &TokenStream) -> Unit {
    Unit::of(
        name,
        &syn::parse2::<syn::File>(items.clone())
            .map(|file| file.items)
            .unwrap_or_default(),
    )
}

/// The body of a module, or the question for the next module that it uses.
fn linked_or_ask(unit: Unit, state: &State, arguments: &Arguments) -> TokenStream {
    let source = export::source(&unit, arguments, &state.items);
    let given = state.given.iter().map(|(name, items)| unit_of(name, items));
    match link::link(unit.clone(), given) {
        Linking::Wanted(way) => state.ask(arguments, &way),
        Linking::Whole(linked) => {
            let body = expand_linked(&linked, arguments);
            quote!(#body #source)
        }
        Linking::TooMany => {
            let at = unit
                .links
                .first()
                .map(|link| link.path.clone())
                .unwrap_or_default();
            let wrong = (at, catalogue::too_many_modules(link::UNITS));
            misused(
                Unit {
                    mistakes: vec![wrong],
                    ..unit
                },
                arguments,
            )
        }
    }
}

/// A module whose `use` items are wrong: what they should have brought in is not known, so nothing
/// else is judged.
fn misused(unit: Unit, arguments: &Arguments) -> TokenStream {
    let errors: TokenStream = unit
        .mistakes
        .iter()
        .map(|(tokens, mistake)| report::error_tokens(tokens, mistake))
        .collect();
    let reading = read_module(&unit.items);
    let stubs = give_back(&unit.items, &reading, arguments);
    quote!(#stubs #errors)
}

/// Expands `#[kernel(..)]` on a free function.
pub fn kernel(arguments: TokenStream, item: TokenStream) -> TokenStream {
    or_bug(|| free_function(arguments, item))
}

fn free_function(arguments: TokenStream, item: TokenStream) -> TokenStream {
    if let Some((span, diagnostic)) = check_tokens(&item) {
        return report::error_at(span, span, &diagnostic);
    }
    let function: syn::ItemFn = match syn::parse2(item.clone()) {
        Ok(function) => function,
        Err(_) if syn::parse2::<syn::ItemMod>(item.clone()).is_ok() => return marked_module(item),
        Err(error) => {
            let diagnostic = catalogue::bad_place("`#[kernel]` goes on a function");
            return report::with_item(&syn_error(error.span(), &diagnostic), &item);
        }
    };
    let attribute: syn::Attribute = if arguments.is_empty() {
        syn::parse_quote!(#[kernel])
    } else {
        syn::parse_quote!(#[kernel(#arguments)])
    };
    if let Some(receiver) = function.sig.receiver() {
        let diagnostic =
            catalogue::bad_place("`#[kernel]` goes on a free function, not on a method");
        let error = report::error_tokens(receiver, &diagnostic);
        return quote!(#error #function);
    }
    let arguments = Arguments::default();
    let span = function.sig.ident.span();
    let (language, prelude) = (
        arguments.path("language", span),
        arguments.path("generated::prelude", span),
    );
    let (name, vis, mut marked) = (function.sig.ident.clone(), function.vis.clone(), function);
    let around = quote::format_ident!("kernel_{}", name, span = proc_macro2::Span::mixed_site());
    marked.attrs.push(attribute);
    marked.vis = syn::parse_quote!(pub);
    let body = expand_linked(&Linked::alone(&[Item::Fn(marked)]), &arguments);
    let lints = lints();
    // A module of its own has the language in scope, and nothing else.
    quote! {
        #[doc(hidden)]
        #lints
        mod #around {
            #[allow(unused_imports)]
            use #prelude::*;
            #[allow(unused_imports)]
            use #language::*;
            #body
        }
        #[allow(unused_imports)]
        #vis use #around::#name;
    }
}

/// A module with `#[kernel]`: it is one with `#[kernels]`, but for the letter.
fn marked_module(item: TokenStream) -> TokenStream {
    let what = "`#[kernel]` goes on a function, and `#[kernels]` on a module with such functions";
    let mut tokens = item
        .clone()
        .into_iter()
        .skip_while(|t| t.to_string() != "mod");
    let keyword = tokens.next().map_or_else(Span::call_site, |t| t.span());
    let name = tokens.next().map_or(keyword, |t| t.span());
    let error = report::error_at(keyword, name, &catalogue::bad_place(what));
    let module = module(TokenStream::new(), item);
    quote!(#module #error)
}

fn is_module(item: &TokenStream) -> bool {
    item.clone().into_iter().any(|t| t.to_string() == "mod")
}

/// A module that syn cannot read, with the language in scope, so that its types are not unknown on
/// top.
fn with_language(item: TokenStream, arguments: &Arguments) -> TokenStream {
    let tokens = item.into_iter().map(|token| match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
            let (language, inner) = (
                arguments.path("language", Span::call_site()),
                group.stream(),
            );
            let inner = quote!(#[allow(unused_imports)] use #language::*; #inner);
            let mut whole = Group::new(Delimiter::Brace, inner);
            whole.set_span(group.span());
            TokenTree::Group(whole)
        }
        other => other,
    });
    tokens.collect()
}

fn syn_error(span: proc_macro2::Span, diagnostic: &Diagnostic) -> syn::Error {
    syn::Error::new(span, diagnostic.to_string())
}

/// The items of a module, expanded.
fn expand_linked(linked: &Linked, arguments: &Arguments) -> TokenStream {
    let (reading, items) = (read_linked(linked), &linked.units[0].items);
    if let Some(mistakes) = &reading.mistakes {
        let errors = report::diagnostics(mistakes, &reading.sources);
        let sites: Vec<_> = mistakes.iter().filter_map(|(_, site)| site).collect();
        let own = reading.module.own_functions().iter();
        let own = own.filter(|f| f.kernel.is_some() || f.arrays.is_some());
        let read = own.map(|f| f.name.to_string()).collect();
        let unread = unread::functions(items, &sites, &reading.sources, &read);
        let stubs = give_back_but(items, &reading, arguments, &unread);
        let errors = unreadable(&unread, errors);
        return quote!(#stubs #errors);
    }
    if let Some((link, why)) = &reading.foreign {
        // A module of the same crate reports its own mistakes.
        let link = &linked.units[0].links[*link];
        let unreadable = || {
            report::error_tokens(
                &link.path,
                &catalogue::unreadable_library(&link.text(), why),
            )
        };
        let errors = (!link.is_local()).then(unreadable);
        let stubs = give_back(items, &reading, arguments);
        return quote!(#stubs #errors);
    }
    let Reading {
        module,
        sources,
        uses,
        structs,
        ..
    } = reading;
    let hash = linked.hash();
    let mut compiled = engine::compile_module(module, sources, &|_, limits| limits.into());
    compiled.quote_from(linked);
    let native = Native {
        sources: &compiled.sources,
        module: &compiled.module,
        arguments,
        literals: compiled.literals(),
    };
    let mut errors = report::kernels(&compiled);
    if !arguments.built {
        errors.extend(tuned_without_built(&compiled));
    }
    let broken = compiled.broken();
    let quiet = (!errors.is_empty()).then(of_a_mistake);
    let constants = compiled
        .module
        .own_constants()
        .iter()
        .map(|c| native.constant(c))
        .map(|item| quote!(#quiet #item));
    let functions = compiled
        .module
        .own_functions()
        .iter()
        .enumerate()
        .filter_map(|(n, f)| {
            if broken.contains(&(n as u32)) {
                if f.device.is_some() {
                    // Plain Rust is right, whatever became of it on the device.
                    let function = device::function(&native, n as u32, f);
                    return (f.range_of.is_none()).then_some(quote!(#quiet #function));
                }
                let (stub, whole) = (native.stub(f), native.function(f));
                Some(or_in_editor(
                    arguments,
                    &quote!(#quiet #stub),
                    &quote!(#quiet #whole),
                ))
            } else if f.device.is_some() {
                let function = device::function(&native, n as u32, f);
                (f.range_of.is_none()).then_some(quote!(#quiet #function))
            } else {
                let function = native.function(f);
                Some(quote!(#quiet #function))
            }
        });
    let uses = uses.iter().map(|item| quote!(#quiet #item));
    let sites: Vec<_> = compiled
        .mistakes()
        .filter_map(|m| m.site)
        .map(Site::Span)
        .collect();
    let read = compiled
        .module
        .own_functions()
        .iter()
        .map(|f| f.name.to_string())
        .collect();
    let unread = unread::functions(items, &sites, &compiled.sources, &read);
    let errors = unreadable(&unread, errors);
    let is_read = |k: &&CompiledKernel| {
        let name = &native.module.functions[k.function as usize].name;
        unread.iter().all(|item| item.sig.ident != **name)
    };
    let kernels = compiled.kernels.iter().filter(is_read).map(|k| {
        match native.module.functions[k.function as usize].arrays {
            Some(_) => arrays::module(&native, k, &hash),
            None => launch::module(&native, k, &hash),
        }
    });
    let index = (arguments.built && !compiled.kernels.is_empty()).then(|| launch::index(&native));
    let structs = structs::all(items, &structs, arguments);
    let hints = unmarked::hints(&native, &compiled, &linked.units[0]);
    quote!(#index #(#uses)* #(#constants)* #structs #(#functions)* #(#kernels)* #hints #errors)
}

/// A function with a mistake: without its body for rustc, which would say more of it, and with its body in an editor, which completes
/// what is being written there.
fn or_in_editor(arguments: &Arguments, stub: &TokenStream, whole: &TokenStream) -> TokenStream {
    let rt = arguments.path("generated", Span::call_site());
    quote!(#rt::or_in_editor! { { #stub } { #whole } })
}

/// An error at each tuned file that nothing reads.
fn tuned_without_built(compiled: &Compiled) -> TokenStream {
    let tuned = compiled
        .module
        .own_functions()
        .iter()
        .filter_map(|f| f.kernel.as_ref()?.tuned.as_ref());
    let error = |site| {
        let (first, last) = compiled.sources.ends(site);
        report::error_at(first, last, &catalogue::tuned_without_built())
    };
    tuned.map(|(_, site)| error(*site)).collect()
}
