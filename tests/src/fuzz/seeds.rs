//! The kernels modules of this repository, whole and in pieces.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::Item;

/// The tokens of a module below its `#[kernels]`, and the attribute's arguments.
#[derive(Clone, Debug)]
pub struct Module {
    /// Where it stands in the repository.
    pub file: PathBuf,
    /// The arguments of `#[kernels(..)]`.
    pub arguments: String,
    /// The module without that attribute, as it is written.
    pub text: String,
}

/// All Rust files in a folder of the repository, in order.
pub fn files(folder: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("..")
            .join(folder),
    ];
    while let Some(folder) = open.pop() {
        let Ok(list) = fs::read_dir(&folder) else {
            continue;
        };
        for path in list.filter_map(|entry| Some(entry.ok()?.path())) {
            if path.is_dir() && !path.ends_with("target") {
                open.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The kernels modules of a file; none, if it is not Rust.
pub fn modules_of(file: &Path) -> Vec<Module> {
    let text = fs::read_to_string(file).unwrap_or_default();
    let mut found = Vec::new();
    if let Ok(parsed) = text.parse::<TokenStream>() {
        search(parsed, &text, file, &mut found);
    }
    found
}

/// Looks for `#[kernels(..)] .. mod name { .. }`, also in what syn cannot read.
fn search(tokens: TokenStream, text: &str, file: &Path, found: &mut Vec<Module>) {
    let list: Vec<TokenTree> = tokens.into_iter().collect();
    let mut marked: Option<(String, usize)> = None;
    for token in &list {
        let TokenTree::Group(group) = token else {
            continue;
        };
        let mut inner = group.stream().into_iter();
        let first = inner.next().map(|t| t.to_string()).unwrap_or_default();
        match (&mut marked, group.delimiter()) {
            (_, proc_macro2::Delimiter::Bracket) if first == "kernels" => {
                let arguments = if let Some(TokenTree::Group(list)) = inner.next() {
                    list.stream().to_string()
                } else {
                    String::new()
                };
                marked = Some((arguments, group.span_close().byte_range().end));
            }
            (Some((arguments, start)), proc_macro2::Delimiter::Brace) => {
                let text = text
                    .get(*start..group.span_close().byte_range().end)
                    .unwrap_or_default();
                found.push(Module {
                    file: file.to_owned(),
                    arguments: std::mem::take(arguments),
                    text: text.to_owned(),
                });
                marked = None;
            }
            (None, proc_macro2::Delimiter::Brace) => search(group.stream(), text, file, found),
            _ => {}
        }
    }
}

/// Each kernel of the repository's examples and tests as a module of its own, with the functions
/// that it names.
pub fn pieces() -> Vec<String> {
    let modules = ["examples", "tests/tests"]
        .iter()
        .flat_map(|folder| files(folder))
        .flat_map(|file| modules_of(&file));
    sorted(modules.flat_map(|module| pieces_of(&module.text, is_kernel)))
}

/// Each device function of the repository as a module of its own, with the functions that it calls.
pub fn devices() -> Vec<String> {
    let modules = [
        "examples/offload/src",
        "examples/offload/tests",
        "tests/device/tests",
        "obsidian-rt/src/tutorial",
    ]
    .iter()
    .flat_map(|folder| files(folder))
    .flat_map(|file| modules_of(&file));
    sorted(modules.flat_map(|module| pieces_of(&module.text, is_device)))
}

fn sorted(pieces: impl Iterator<Item = String>) -> Vec<String> {
    let mut pieces: Vec<String> = pieces.collect();
    pieces.sort();
    pieces.dedup();
    pieces
}

fn pieces_of(text: &str, is_whole: fn(&Item) -> bool) -> Vec<String> {
    let Ok(module) = syn::parse_str::<syn::ItemMod>(text) else {
        return Vec::new();
    };
    let items = module.content.map(|(_, items)| items).unwrap_or_default();
    let wholes = items.iter().filter(|item| is_whole(item));
    wholes.map(|whole| piece(whole, &items)).collect()
}

fn is_device(item: &Item) -> bool {
    matches!(item, Item::Fn(f) if f.attrs.iter().any(|a| a.path().is_ident("device")))
}

fn is_kernel(item: &Item) -> bool {
    matches!(item, Item::Fn(f) if f.attrs.iter().any(|a| a.path().is_ident("kernel")))
}

/// A function, with what it names, directly or not.
fn piece(whole: &Item, items: &[Item]) -> String {
    let mut wanted = names(whole.to_token_stream());
    let mut kept = vec![false; items.len()];
    loop {
        let before = wanted.len();
        for (item, kept) in items.iter().zip(&mut kept) {
            let named = match item {
                Item::Fn(f) => {
                    let is_other = !std::ptr::eq(item, whole) && !is_kernel(item);
                    is_other && wanted.contains(&f.sig.ident.to_string())
                }
                Item::Const(c) => wanted.contains(&c.ident.to_string()),
                _ => false,
            };
            if named && !std::mem::replace(kept, true) {
                wanted.extend(names(item.to_token_stream()));
            }
        }
        if wanted.len() == before {
            break;
        }
    }
    let parts = items
        .iter()
        .zip(kept)
        .filter_map(|(item, kept)| kept.then_some(item));
    quote!(pub mod m { #(#parts)* #whole }).to_string()
}

fn names(tokens: TokenStream) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => drop(found.insert(ident.to_string())),
            TokenTree::Group(group) => found.extend(names(group.stream())),
            _ => {}
        }
    }
    found
}
