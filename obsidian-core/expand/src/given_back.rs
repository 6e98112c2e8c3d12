//! What comes back of a module with a mistake: what other code may name, and nothing that is ever run.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Item;

use super::native::Native;
use super::{
    Arguments, arrays, launch, lints, of_a_mistake, or_in_editor, structs, syn_error, unread,
};
use obsidian_core::error::Diagnostic;
use obsidian_front::{Reading, elements, read_module};

/// The functions of a module that could not be read: their signatures, and bodies that are never
/// run.
pub(super) fn give_back(items: &[Item], reading: &Reading, arguments: &Arguments) -> TokenStream {
    give_back_but(items, reading, arguments, &[])
}

/// The errors, and what stands beside functions that could not be read.
pub(super) fn unreadable(unread: &[&syn::ItemFn], errors: TokenStream) -> TokenStream {
    match unread {
        [] => errors,
        unread => unread::modules(unread, &errors),
    }
}

/// The same without the modules beside some functions.
pub(super) fn give_back_but(
    items: &[Item],
    reading: &Reading,
    arguments: &Arguments,
    unread: &[&syn::ItemFn],
) -> TokenStream {
    let (quiet, native) = (
        of_a_mistake(),
        Native {
            sources: &reading.sources,
            module: &reading.module,
            arguments,
            literals: Default::default(),
        },
    );
    let kept = items
        .iter()
        .filter(|item| !matches!(item, Item::Fn(_) | Item::Const(_) | Item::Struct(_)))
        .filter(|item| !matches!(item, Item::Macro(_)))
        .map(elements::stripped_item)
        .map(with_the_language_inside);
    let structs = structs::all(items, &reading.structs, arguments);
    let constants = items
        .iter()
        .filter(|item| matches!(item, Item::Const(_)))
        .map(|item| quote!(#quiet #item));
    let functions = items
        .iter()
        .filter_map(|item| {
            if let Item::Fn(f) = item {
                Some(f)
            } else {
                None
            }
        })
        .map(|f| {
            let attributes = f.attrs.iter().filter(|a| {
                !obsidian_front::OWN_ATTRIBUTES
                    .iter()
                    .any(|own| a.path().is_ident(own))
            });
            let (vis, mut sig, block) = (&f.vis, f.sig.clone(), &f.block);
            (sig.asyncness, sig.constness, sig.abi) = (None, None, None);
            // A `self` has been reported, and rustc would do it again.
            let inputs = std::mem::take(&mut sig.inputs);
            let is_value = |input: &syn::FnArg| matches!(input, syn::FnArg::Typed(_));
            sig.inputs = inputs.into_iter().filter(is_value).collect();
            sig.safety = syn::Safety::Default;
            let start = quote!(#quiet #(#attributes)* #vis #sig);
            let stub = quote!(#start { ::core::unreachable!() });
            or_in_editor(arguments, &stub, &quote!(#start #block))
        });
    let uses = reading.uses.iter().map(|item| quote!(#quiet #item));
    let kernels = reading
        .module
        .own_functions()
        .iter()
        .filter(|f| f.kernel.is_some() || f.arrays.is_some())
        .filter(|f| unread.iter().all(|item| item.sig.ident != *f.name))
        .map(|f| match f.arrays {
            Some(_) => arrays::stub(&native, f),
            None => launch::stub(&native, f),
        });
    quote!(#(#uses)* #(#constants)* #structs #(#functions)* #(#kernels)* #(#kept)*)
}

/// A module in a module has been refused: what it names is in scope, so that rustc says nothing of it.
fn with_the_language_inside(mut item: Item) -> Item {
    if let Item::Mod(module) = &mut item
        && let Some((_, items)) = &mut module.content
    {
        items.push(syn::parse_quote!(
            #[allow(unused_imports)]
            use super::*;
        ));
    }
    item
}

/// A module of which only the signatures can be read.
pub(super) fn signatures(
    item: &TokenStream,
    arguments: &Arguments,
    error: &syn::Error,
    diagnostic: &Diagnostic,
) -> Option<TokenStream> {
    let module: syn::ItemMod = syn::parse2(unread::without_bodies(item.clone())).ok()?;
    let (_, items) = module.content?;
    let reading = read_module(&items);
    let (vis, ident) = (&module.vis, &module.ident);
    let (stubs, lints) = (give_back(&items, &reading, arguments), lints());
    let [language, prelude] =
        ["language", "generated::prelude"].map(|path| arguments.path(path, ident.span()));
    // Outside of rustc, nothing else reports it.
    let error = match proc_macro::is_available() {
        true => unread::if_rustc_can(error, diagnostic),
        false => syn_error(error.span(), diagnostic).to_compile_error(),
    };
    Some(quote! {
        #lints
        #vis mod #ident {
            #[allow(unused_imports)]
            use #prelude::*;
            #[allow(unused_imports)]
            use #language::*;
            #stubs
            #error
        }
    })
}
