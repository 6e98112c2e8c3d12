//! `#[derive(Element)]` as tokens: `#[kernels]` reads it, and rustc does not see it.

use syn::punctuated::Punctuated;
use syn::{ItemStruct, Path, Token};

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
pub(crate) fn stripped(item: &ItemStruct) -> ItemStruct {
    let has_owned = item.fields.iter().any(is_owned);
    let is_kept = |name: &str| name != NAME && !(name == "Copy" && has_owned);
    let mut stripped = item.clone();
    for attribute in &mut stripped.attrs {
        let Some(all) = list(attribute) else {
            continue;
        };
        if let syn::Meta::List(meta) = &mut attribute.meta {
            let kept = all.iter().filter(|path| is_kept(&last(path)));
            meta.tokens = quote::quote!(#(#kept),*);
        }
    }
    stripped
}
