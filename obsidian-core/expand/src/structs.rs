//! Structs with `#[derive(Element)]`: as the user has written them, and how they are taken apart into numbers.

use proc_macro2::{Literal, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Item, ItemStruct, Member};

use super::Arguments;
use obsidian_core::library::device::{grouped, way};
use obsidian_core::ordered::Set;
use obsidian_front::elements;

/// The structs of a module; those in which nothing is wrong are elements.
pub(super) fn all(items: &[Item], whole: &Set<String>, arguments: &Arguments) -> TokenStream {
    let structs = items.iter().filter_map(|item| match item {
        Item::Struct(item) => Some(item),
        _ => None,
    });
    let each = structs.map(|item| {
        let stripped = elements::stripped(item);
        let is_whole = whole.contains(&item.ident.to_string());
        let taken_apart = is_whole.then(|| fields(item, arguments));
        quote!(#stripped #taken_apart)
    });
    each.collect()
}

/// `impl Fields for Body`
fn fields(item: &ItemStruct, arguments: &Arguments) -> TokenStream {
    let name = &item.ident;
    let of = arguments.path("Fields", Span::call_site());
    let members: Vec<Member> = item.fields.members().collect();
    let count = members.len();
    let types = item.fields.iter().map(|field| {
        let ty = &field.ty;
        quote_spanned!(name.span()=> <#ty as #of>::Row)
    });
    let values = members.iter().map(|member| quote!(#of::row(self.#member)));
    let tuple = |list: Vec<TokenStream>| quote!((#(#list),*));
    let row = grouped(types.collect(), &tuple);
    let value = grouped(values.collect(), &tuple);
    let back = members.iter().enumerate().map(|(n, member)| {
        let way = way(n, count).into_iter().map(Literal::u32_unsuffixed);
        quote!(#member: #of::of_row(row #(.#way)*))
    });
    quote! {
        #[allow(warnings, unused, clippy::all)]
        impl #of for #name {
            type Row = #row;
            #[inline]
            fn row(self) -> <Self as #of>::Row {
                #value
            }
            #[inline]
            fn of_row(row: <Self as #of>::Row) -> Self {
                Self { #(#back),* }
            }
        }
    }
}
