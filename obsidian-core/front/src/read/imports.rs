//! Which function, constant or struct a name of a module means: its own, or one that a `use` item brings
//! in.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Item, Visibility};

use crate::error::Diagnostic;
use crate::error::catalogue;
use crate::link::{Import, Linked, Unit};
use crate::ordered::{Map, Set};

/// What a name means: the number of a function, constant or struct among those of all units.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Named {
    Function(u32),
    Constant(u32),
    Struct(u32),
}

/// What each unit of a program has itself, and whether others may use it.
pub(super) struct Directory<'a> {
    linked: &'a Linked,
    own: Vec<Map<String, (Named, bool)>>,
}

/// Why a name is not found.
enum Missing {
    Unknown,
    Private,
}

/// What the `use` items of a unit give.
#[derive(Debug, Default)]
pub(super) struct Imports {
    /// The names here.
    pub(super) names: Map<String, Named>,
    /// The items as Rust has them, `*` written out.
    pub(super) items: Vec<TokenStream>,
    /// What is wrong, and where.
    pub(super) mistakes: Vec<(TokenStream, Diagnostic)>,
}

fn is_public(vis: &Visibility) -> bool {
    // Who `pub(..)` lets in is rustc's to judge.
    !matches!(vis, Visibility::Inherited)
}

impl<'a> Directory<'a> {
    /// Numbers the functions, constants and structs of all units, in order.
    pub(super) fn of(linked: &'a Linked) -> Self {
        let (mut functions, mut constants, mut structs) = (0, 0, 0);
        let own = linked.units.iter().map(|unit| {
            let mut names = Map::new();
            for item in &unit.items {
                let (name, named, vis) = match item {
                    Item::Fn(item) => {
                        let number = functions;
                        // The kernel of a range comes behind its function, and has no name of its own.
                        functions += 1 + u32::from(super::device::is_range(item));
                        (&item.sig.ident, Named::Function(number), &item.vis)
                    }
                    Item::Const(item) => {
                        constants += 1;
                        (&item.ident, Named::Constant(constants - 1), &item.vis)
                    }
                    Item::Struct(item) => {
                        structs += 1;
                        (&item.ident, Named::Struct(structs - 1), &item.vis)
                    }
                    _ => continue,
                };
                names.insert(name.to_string(), (named, is_public(vis)));
            }
            names
        });
        let own = own.collect();
        Directory { linked, own }
    }

    /// The names that a unit has itself.
    pub(super) fn own(&self, unit: usize) -> impl Iterator<Item = (&String, Named)> {
        self.own[unit]
            .iter()
            .map(|(name, (named, _))| (name, *named))
    }

    /// What a name means for the users of a unit; `seen` are the questions that are open already.
    fn find(
        &self,
        unit: usize,
        name: &str,
        seen: &mut Set<(usize, String)>,
    ) -> Result<Named, Missing> {
        if let Some((named, public)) = self.own[unit].get(name) {
            return if *public {
                Ok(*named)
            } else {
                Err(Missing::Private)
            };
        }
        if !seen.insert((unit, name.to_owned())) {
            return Err(Missing::Unknown);
        }
        let imports = &self.linked.units[unit].imports;
        if let Some(import) = imports
            .iter()
            .find(|i| i.here.as_ref().is_some_and(|here| here == name))
        {
            let there = import
                .name
                .as_ref()
                .map(ToString::to_string)
                .unwrap_or_default();
            let found = self.find(self.linked.targets[unit][import.link], &there, seen);
            return if is_public(&import.vis) {
                found
            } else {
                found.and(Err(Missing::Private))
            };
        }
        let globs = imports
            .iter()
            .filter(|i| i.name.is_none() && is_public(&i.vis));
        globs
            .map(|i| self.find(self.linked.targets[unit][i.link], name, seen))
            .find(Result::is_ok)
            .unwrap_or(Err(Missing::Unknown))
    }

    /// The names that the users of a unit see.
    fn public(&self, unit: usize, seen: &mut Set<usize>) -> Set<String> {
        if !seen.insert(unit) {
            return Set::new();
        }
        let mut names: Set<String> = self.own[unit]
            .iter()
            .filter(|(_, (_, public))| *public)
            .map(|(name, _)| name.clone())
            .collect();
        for import in self.linked.units[unit]
            .imports
            .iter()
            .filter(|i| is_public(&i.vis))
        {
            match &import.here {
                Some(here) => drop(names.insert(here.to_string())),
                None => names.extend(self.public(self.linked.targets[unit][import.link], seen)),
            }
        }
        names
    }

    /// What the `use` items of a unit give.
    pub(super) fn imports(&self, unit: usize) -> Imports {
        let (mut imports, at) = (Imports::default(), &self.linked.units[unit]);
        for import in at.imports.iter().filter(|i| i.name.is_some()) {
            self.name(unit, import, &mut imports);
        }
        let mut stars: Map<String, (Named, usize)> = Map::new();
        for import in at.imports.iter().filter(|i| i.name.is_none()) {
            self.star(unit, import, &mut imports, &mut stars);
        }
        imports
            .names
            .extend(stars.into_iter().map(|(name, (named, _))| (name, named)));
        imports
    }

    /// `use path::name as here;`
    fn name(&self, unit: usize, import: &Import, imports: &mut Imports) {
        let (Some(name), Some(here)) = (&import.name, &import.here) else {
            return;
        };
        let (link, target) = (
            &self.linked.units[unit].links[import.link],
            self.linked.targets[unit][import.link],
        );
        let text = name.to_string();
        match self.find(target, &text, &mut Set::new()) {
            Ok(named) => {
                let (vis, path) = (&import.vis, &link.path);
                let renamed = (name != here).then(|| quote!(as #here));
                imports.items.push(quote!(#vis use #path::#name #renamed;));
                imports.names.insert(here.to_string(), named);
            }
            Err(Missing::Private) => imports.mistakes.push((
                name.to_token_stream(),
                catalogue::private_in_module(&text, &link.text()),
            )),
            Err(Missing::Unknown) => {
                let known = self.public(target, &mut Set::new());
                let known: Vec<&str> = known.iter().map(String::as_str).collect();
                imports.mistakes.push((
                    name.to_token_stream(),
                    catalogue::not_in_module(&text, &link.text(), &known),
                ));
            }
        }
    }

    /// `use path::*;`: what is named here otherwise goes before it. Written out, so that it also
    /// goes before the language.
    fn star(
        &self,
        unit: usize,
        import: &Import,
        imports: &mut Imports,
        stars: &mut Map<String, (Named, usize)>,
    ) {
        let at: &Unit = &self.linked.units[unit];
        let (link, target) = (
            &at.links[import.link],
            self.linked.targets[unit][import.link],
        );
        for name in self.public(target, &mut Set::new()) {
            let Ok(named) = self.find(target, &name, &mut Set::new()) else {
                continue;
            };
            if self.own[unit].contains_key(&name) || imports.names.contains_key(&name) {
                continue;
            }
            if let Some((other, first)) = stars.get(&name) {
                if *other != named {
                    let mistake =
                        catalogue::ambiguous_name(&name, &at.links[*first].text(), &link.text());
                    imports.mistakes.push((link.path.clone(), mistake));
                }
                continue;
            }
            let (vis, path) = (&import.vis, &link.path);
            let (ident, span) = (
                name.strip_prefix("r#"),
                link.path.clone().into_iter().last().map(|t| t.span()),
            );
            let span = span.unwrap_or_else(proc_macro2::Span::call_site);
            let ident = ident.map_or_else(
                || syn::Ident::new(&name, span),
                |raw| syn::Ident::new_raw(raw, span),
            );
            // The user has named all of them, and need not use each.
            imports
                .items
                .push(quote!(#[allow(unused_imports)] #vis use #path::#ident;));
            stars.insert(name, (named, import.link));
        }
    }
}
