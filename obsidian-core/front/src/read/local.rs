//! Items inside of functions: constants, names of types, and `use` of the constants of `f32` and `f64`
//! and of the language.
//!
//! They are in scope in the whole block that they stand in, in front of them too, and end with it.

use quote::ToTokens;
use syn::Item;

use super::Reader;
use super::scope::Frame;
use crate::error::catalogue;
use crate::link::{Standard, Taken, taken};
use crate::ordered::Map;
use crate::syntax::Stmt;

/// What the names of a block's items meant outside of it.
pub(super) struct Outside {
    constants: Map<String, u32>,
    standard: Map<String, Standard>,
    aliases: Map<String, syn::Type>,
}

impl Reader {
    /// Brings the items of a block into scope; what is wrong with them is reported where they stand.
    pub(super) fn enter_items(&mut self, block: &syn::Block) -> Option<Outside> {
        let items = || {
            block.stmts.iter().filter_map(|statement| match statement {
                syn::Stmt::Item(item) => Some(item),
                _ => None,
            })
        };
        items().next()?;
        let outside = Outside {
            constants: self.constants.clone(),
            standard: self.standard.clone(),
            aliases: self.aliases.clone(),
        };
        for item in items() {
            match item {
                Item::Const(item) => {
                    let number = self.constant_items.len() as u32;
                    self.constant_items.push(item.clone());
                    self.own_constants.insert(number);
                    self.local_constants.push(None);
                    self.constants.insert(item.ident.to_string(), number);
                }
                Item::Type(item) if item.generics.params.is_empty() => {
                    self.aliases
                        .insert(item.ident.to_string(), (*item.ty).clone());
                }
                Item::Use(item) => {
                    for one in taken(item) {
                        if let Ok(Taken::Standard(name, standard)) = one.what {
                            self.standard.insert(name, standard);
                        }
                    }
                }
                _ => {}
            }
        }
        Some(outside)
    }

    /// Leaves the block whose items were brought into scope.
    pub(super) fn leave_items(&mut self, outside: Option<Outside>) {
        if let Some(outside) = outside {
            self.constants = outside.constants;
            self.standard = outside.standard;
            self.aliases = outside.aliases;
        }
    }

    /// An item inside of a function, as a statement.
    pub(super) fn local_item(&mut self, item: &Item) -> Option<Stmt> {
        match item {
            Item::Const(item) => {
                let number = *self.constants.get(&item.ident.to_string())?;
                // The value sees constants alone, as in Rust.
                let around = std::mem::replace(&mut self.frames, vec![Frame::new()]);
                let constant = self.constant(item);
                self.frames = around;
                let first = self.constant_items.len() - self.local_constants.len();
                let place = (number as usize).checked_sub(first);
                if let Some(slot) = place.and_then(|n| self.local_constants.get_mut(n)) {
                    *slot = Some(constant);
                }
                Some(Stmt::Constant(number))
            }
            Item::Type(item) if item.generics.params.is_empty() => {
                self.type_use(&item.ty);
                Some(Stmt::Type(self.sources.snippet(item)))
            }
            Item::Type(item) => {
                let what = "a name of a type with parameters is";
                self.refuse(&item.generics, catalogue::unsupported(what));
                None
            }
            Item::Use(item) => {
                self.local_use(item);
                None
            }
            item => {
                let (what, instead) = refusal(item);
                self.refuse(item, catalogue::unsupported_instead(what, instead));
                None
            }
        }
    }

    /// Reports what is wrong with a `use` inside of a function.
    pub(super) fn local_use(&mut self, item: &syn::ItemUse) {
        for one in taken(item) {
            match one.what {
                Ok(Taken::Standard(..) | Taken::Language) => {}
                Ok(Taken::Module) => self.refuse(
                    &one.tokens,
                    catalogue::unsupported_instead(
                        "`use` of another kernels module inside of a function is",
                        "put it at the beginning of the module",
                    ),
                ),
                Err(mistake) => self.refuse(&one.tokens, mistake),
            }
        }
    }

    /// A type in which the names that `type` items give are replaced by what they stand for.
    pub(super) fn without_aliases(&self, ty: &syn::Type) -> Option<syn::Type> {
        if self.aliases.is_empty() {
            return None;
        }
        let (tokens, found) = self.replaced(ty.to_token_stream(), 0);
        found.then(|| syn::parse2(tokens).ok()).flatten()
    }

    fn replaced(
        &self,
        tokens: proc_macro2::TokenStream,
        depth: u32,
    ) -> (proc_macro2::TokenStream, bool) {
        use proc_macro2::{Delimiter, Group, TokenTree};
        let (mut found, mut behind_path) = (false, false);
        let tokens = tokens.into_iter().map(|token| {
            let is_free = !std::mem::replace(
                &mut behind_path,
                matches!(&token, TokenTree::Punct(punct) if punct.as_char() == ':'),
            );
            match token {
                TokenTree::Ident(name) if is_free && depth < 16 => {
                    match self.aliases.get(&name.to_string()) {
                        Some(ty) => {
                            found = true;
                            let (inner, _) = self.replaced(ty.to_token_stream(), depth + 1);
                            TokenTree::Group(Group::new(Delimiter::None, inner))
                        }
                        None => TokenTree::Ident(name),
                    }
                }
                TokenTree::Group(group) => {
                    let (inner, is_found) = self.replaced(group.stream(), depth);
                    found |= is_found;
                    let mut whole = Group::new(group.delimiter(), inner);
                    whole.set_span(group.span());
                    TokenTree::Group(whole)
                }
                other => other,
            }
        });
        let tokens = tokens.collect();
        (tokens, found)
    }
}

/// What is said of an item that no function has.
pub(super) fn refusal(item: &Item) -> (&'static str, &'static str) {
    match item {
        Item::Fn(_) => (
            "a function inside of a function is",
            "put it into the kernel module, or use a closure",
        ),
        Item::Static(_) => ("a `static` is", "write a `const`, or a `let`"),
        _ => (
            "an item inside of a function is",
            "there are `const`, `type` and `use`; put it into the kernel module, or use a closure",
        ),
    }
}
