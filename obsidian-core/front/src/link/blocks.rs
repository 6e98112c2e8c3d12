//! `use` of the building blocks, which are in scope in each kernels module, behind all functions of the user's.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Ident, Item, UseTree};

use super::Unit;
use crate::error::catalogue;
use crate::evaluate::blocks;

/// The path of their module.
pub(super) const PATH: [&str; 3] = ["obsidian_rt", "algorithms", "blocks"];

impl Unit {
    /// A `use` of building blocks, which are in scope in any case.
    pub(super) fn block(
        &mut self,
        tree: &UseTree,
        path: TokenStream,
        name: Option<&Ident>,
        here: Option<&Ident>,
    ) {
        let Some(name) = name else {
            return;
        };
        let known: Vec<&str> = blocks().collect();
        let text = name.to_string();
        let diagnostic = if !known.contains(&text.as_str()) {
            catalogue::not_in_module(&text, &PATH.join("::"), &known)
        } else if here != Some(name) {
            catalogue::unsupported_instead(
                "another name for a building block is",
                "call it in a function of that name",
            )
        } else {
            self.blocks.push((text, quote!(#path::#tree)));
            return;
        };
        self.mistakes.push((quote!(#path::#tree), diagnostic));
    }

    /// Reports building blocks that are named beside what may have the same name: in Rust the `use` counts, and here the language comes last.
    pub(super) fn report_hidden_blocks(&mut self) {
        let has_stars = self.imports.iter().any(|import| import.name.is_none());
        for (name, tokens) in std::mem::take(&mut self.blocks) {
            let is_own = self.items.iter().any(|item| match item {
                Item::Fn(function) => function.sig.ident == name.as_str(),
                _ => false,
            });
            if is_own || has_stars {
                let diagnostic = catalogue::unsupported_instead(
                    "`use` of one building block beside another function that may have its name is",
                    "write `use obsidian_rt::algorithms::blocks::*`, behind which your own functions come first",
                );
                self.mistakes.push((tokens, diagnostic));
            }
        }
    }
}
