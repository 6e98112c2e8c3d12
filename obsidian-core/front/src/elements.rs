//! `#[derive(Element)]` as tokens: `#[kernels]` reads it, and rustc does not see it.

use syn::punctuated::Punctuated;
use syn::{Item, ItemStruct, Path, Token};

/// The name of the derive.
const NAME: &str = "Element";

fn list(attribute: &syn::Attribute) -> Option<Punctuated<Path, Token![,]>> {
    if !attribute.path().is_ident("derive") {
        return None;
    }
    attribute.parse_args_with(Punctuated::parse_terminated).ok()
}

fn last(path: &Path) -> String {
    let last = path.segments.last();
    last.map(|segment| segment.ident.to_string())
        .unwrap_or_default()
}

/// Is a struct marked as an element?
pub(crate) fn is_element(item: &ItemStruct) -> bool {
    derived(item).iter().any(|name| name == NAME)
}

/// The names of what a struct derives.
pub(crate) fn derived(item: &ItemStruct) -> Vec<String> {
    let lists = item.attrs.iter().filter_map(list);
    lists.flatten().map(|path| last(&path)).collect()
}

/// Types that are never `Copy`: of a field of one the mistake has been reported.
const OWNED: &[&str] = &["Arc", "Box", "Rc", "String", "Vec", "VecDeque"];

fn is_owned(field: &syn::Field) -> bool {
    match &field.ty {
        syn::Type::Path(path) => OWNED.contains(&last(&path.path).as_str()),
        _ => false,
    }
}

/// The struct as rustc sees it: without this derive.
pub fn stripped(item: &ItemStruct) -> ItemStruct {
    let mut stripped = item.clone();
    strip(&mut stripped.attrs, item.fields.iter().any(is_owned));
    // A struct that contains itself has been reported.
    if let syn::Fields::Named(fields) = &mut stripped.fields {
        let is_itself = |field: &syn::Field| matches!(&field.ty, syn::Type::Path(path) if path.path.is_ident(&item.ident));
        let kept = fields.named.iter().filter(|field| !is_itself(field));
        fields.named = kept.cloned().collect();
    }
    stripped
}

/// An item with a mistake as rustc sees it.
pub fn stripped_item(item: &Item) -> Item {
    let mut stripped = item.clone();
    match &mut stripped {
        Item::Enum(item) => strip(&mut item.attrs, false),
        Item::Union(item) => strip(&mut item.attrs, false),
        _ => {}
    }
    stripped
}

fn strip(attributes: &mut [syn::Attribute], has_owned: bool) {
    let is_kept = |name: &str| name != NAME && !(name == "Copy" && has_owned);
    for attribute in attributes {
        let Some(all) = list(attribute) else {
            continue;
        };
        if let syn::Meta::List(meta) = &mut attribute.meta {
            let kept = all.iter().filter(|path| is_kept(&last(path)));
            meta.tokens = quote::quote!(#(#kept),*);
        }
    }
}
