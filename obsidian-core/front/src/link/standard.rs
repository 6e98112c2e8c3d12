//! `use` of what is no kernels module: the constants of `f32` and `f64`, and the language itself.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Ident, UseTree};

use crate::error::Diagnostic;
use crate::error::catalogue;
use crate::names::CONSTANTS_OF_FLOATS;
use crate::syntax::HostType;

/// What a name of the standard library means.
#[derive(Clone, PartialEq, Debug)]
pub enum Standard {
    /// A constant, and its path.
    Constant(HostType, String),
    /// The module `consts` of a type.
    Constants(HostType),
    /// The module of a type.
    Float,
}

/// What a leaf of a `use` item takes.
#[derive(Clone, PartialEq, Debug)]
pub enum Taken {
    /// Something of the standard library, under a name.
    Standard(String, Standard),
    /// Something of the language, which rustc looks up.
    Language,
    /// Something of another kernels module.
    Module,
}

/// A leaf of a `use` item.
pub struct Leaf {
    /// What it takes, or what is wrong with it.
    pub what: Result<Taken, Diagnostic>,
    /// The leaf as written, with its path.
    pub tokens: TokenStream,
}

/// The leaves of a `use` item.
pub fn taken(item: &syn::ItemUse) -> Vec<Leaf> {
    let (mut leaves, root) = (Vec::new(), item.leading_colon.map(|colon| quote!(#colon)));
    in_tree(&item.tree, root.unwrap_or_default(), &[], &mut leaves);
    leaves
}

fn in_tree(tree: &UseTree, path: TokenStream, segments: &[String], leaves: &mut Vec<Leaf>) {
    match tree {
        UseTree::Path(inner) => {
            let ident = &inner.ident;
            let path = match segments {
                [] => quote!(#path #ident),
                _ => quote!(#path::#ident),
            };
            let segments = [segments, &[ident.to_string()]].concat();
            in_tree(&inner.tree, path, &segments, leaves);
        }
        UseTree::Group(group) => {
            let each = group.items.iter();
            each.for_each(|tree| in_tree(tree, path.clone(), segments, leaves));
        }
        UseTree::Name(leaf) => {
            leaves.extend(of_leaf(
                tree,
                &path,
                segments,
                Some((&leaf.ident, &leaf.ident)),
            ));
        }
        UseTree::Rename(leaf) => {
            leaves.extend(of_leaf(
                tree,
                &path,
                segments,
                Some((&leaf.ident, &leaf.rename)),
            ));
        }
        UseTree::Glob(_) => leaves.extend(of_leaf(tree, &path, segments, None)),
    }
}

/// What one leaf takes: of `*` each name that there is.
pub(super) fn of_leaf(
    tree: &UseTree,
    path: &TokenStream,
    segments: &[String],
    names: Option<(&Ident, &Ident)>,
) -> Vec<Leaf> {
    let tokens = match segments {
        [] => tree.to_token_stream(),
        _ => quote!(#path::#tree),
    };
    let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
    let one = |what| {
        vec![Leaf {
            what,
            tokens: tokens.clone(),
        }]
    };
    match segments.as_slice() {
        ["std" | "core", rest @ ..] => of_standard(rest, names)
            .into_iter()
            .map(|what| Leaf {
                what,
                tokens: tokens.clone(),
            })
            .collect(),
        ["alloc", ..] => one(Err(no_standard())),
        [
            "obsidian_rt" | "obsidian_core",
            "language" | "arrays" | "prelude",
        ] => {
            let renamed = names.is_some_and(|(name, here)| name != here);
            one(match renamed {
                true => Err(catalogue::unsupported_instead(
                    "another name for a name of the language is",
                    "use it under its own name",
                )),
                false => Ok(Taken::Language),
            })
        }
        ["obsidian_rt" | "obsidian_core", ..] => one(Err(catalogue::unsupported_instead(
            "`use` of what is no part of the language is",
            "a kernels module uses `obsidian_rt::language`, `obsidian_rt::arrays` and other kernels modules",
        ))),
        _ => one(Ok(Taken::Module)),
    }
}

fn no_standard() -> Diagnostic {
    catalogue::unsupported_instead(
        "`use` of the standard library is",
        "there are the constants of `std::f32::consts` and `std::f64::consts`; compute other values outside, and pass them as arguments",
    )
}

fn of_standard(
    segments: &[&str],
    names: Option<(&Ident, &Ident)>,
) -> Vec<Result<Taken, Diagnostic>> {
    let float = |name: &str| match name {
        "f32" | "f64" => HostType::from_name(name),
        _ => None,
    };
    let text = |name: &Ident| name.to_string();
    match (segments, names) {
        ([], Some((name, here))) if float(&text(name)).is_some() && name == here => {
            vec![Ok(Taken::Standard(text(here), Standard::Float))]
        }
        ([ty], Some((name, here))) if name == "consts" => match float(ty) {
            Some(ty) => vec![Ok(Taken::Standard(text(here), Standard::Constants(ty)))],
            None => vec![Err(no_standard())],
        },
        ([ty, "consts"], names) => {
            let Some(host) = float(ty) else {
                return vec![Err(no_standard())];
            };
            let constant = |name: &str, here: String| {
                let path = format!("std::{ty}::consts::{name}");
                Ok(Taken::Standard(here, Standard::Constant(host, path)))
            };
            match names {
                None => {
                    let all = CONSTANTS_OF_FLOATS.iter();
                    all.map(|(name, _)| constant(name, (*name).to_owned()))
                        .collect()
                }
                Some((name, here)) => {
                    let known: Vec<&str> =
                        CONSTANTS_OF_FLOATS.iter().map(|(name, _)| *name).collect();
                    let text = text(name);
                    vec![match known.contains(&text.as_str()) {
                        true => constant(&text, here.to_string()),
                        false => {
                            let module = format!("std::{ty}::consts");
                            Err(catalogue::not_in_module(&text, &module, &known))
                        }
                    }]
                }
            }
        }
        _ => vec![Err(no_standard())],
    }
}
