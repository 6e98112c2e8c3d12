//! Putting a kernels module together with those that it takes functions from.
//!
//! A [`Unit`] is the tokens of one module: its functions, constants and structs, and what its `use` items
//! name. The macro sees one module's tokens at a time, the build script has them all; both ask
//! [`link`], which says which unit it wants next, as the way from the root: the third `use`d module
//! of the first one is `[0, 2]`. The order of asking is fixed, so that both come to the same
//! [`Linked`].
//!
//! Modules may use each other in a circle, as in Rust. A unit is known by the hash of its tokens,
//! but only where nothing else decides what it means: among those that lead to it (a circle), or if
//! it uses nothing itself. So two versions of a crate, each with the same module over another
//! basis, stay apart.

mod blocks;
mod standard;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Ident, Item, UseTree, Visibility};

pub use standard::{Leaf, Standard, Taken, taken};

use super::hash;
use crate::error::Diagnostic;
use crate::error::catalogue;

/// The largest number of modules that one takes functions from, those behind them among them.
pub const UNITS: usize = 48;

/// One kernels module.
#[derive(Clone)]
pub struct Unit {
    /// Its name.
    pub name: String,
    /// Its functions, constants and structs, and what does not belong there.
    pub items: Vec<Item>,
    /// The modules that its `use` items name, each once.
    pub links: Vec<Link>,
    /// What it takes from them.
    pub imports: Vec<Import>,
    /// The `use` items that are not what they have to be.
    pub mistakes: Vec<(TokenStream, Diagnostic)>,
    /// The names of the standard library that its `use` items bring in.
    pub standard: Vec<(String, Standard)>,
    /// The `use` items of what is no kernels module, as Rust has them.
    pub others: Vec<TokenStream>,
    /// The building blocks that a `use` names.
    pub blocks: Vec<(String, TokenStream)>,
    /// The hash of its tokens.
    pub hash: String,
}

/// A module that a `use` item names.
#[derive(Clone, Debug)]
pub struct Link {
    /// Its path as written.
    pub path: TokenStream,
    /// The path's segments.
    pub segments: Vec<String>,
}

/// One name that a `use` item brings in.
#[derive(Clone)]
pub struct Import {
    /// The number of the link.
    pub link: usize,
    /// Who may use it from here.
    pub vis: Visibility,
    /// Its name there; none for `*`.
    pub name: Option<Ident>,
    /// Its name here.
    pub here: Option<Ident>,
}

impl Link {
    /// Is the path one in the crate of the module that names it?
    pub fn is_local(&self) -> bool {
        self.segments
            .first()
            .is_some_and(|first| matches!(first.as_str(), "crate" | "self" | "super"))
    }

    /// The path as a text.
    pub fn text(&self) -> String {
        self.segments.join("::")
    }
}

impl Unit {
    /// The unit of a module's items.
    pub fn of(name: impl Into<String>, items: &[Item]) -> Unit {
        let (name, hash) = (name.into(), hash::of(items));
        let mut unit = Unit {
            name,
            items: Vec::new(),
            links: Vec::new(),
            imports: Vec::new(),
            mistakes: Vec::new(),
            standard: Vec::new(),
            others: Vec::new(),
            blocks: Vec::new(),
            hash,
        };
        for item in items {
            match item {
                Item::Use(item) => {
                    if let Some(attribute) = item.attrs.iter().find(|a| !a.path().is_ident("doc")) {
                        let diagnostic = catalogue::unsupported("an attribute on `use` is");
                        unit.mistakes
                            .push((attribute.to_token_stream(), diagnostic));
                    }
                    let root = if item.leading_colon.is_some() {
                        quote!(::)
                    } else {
                        quote!()
                    };
                    unit.tree(&item.tree, root, Vec::new(), &item.vis);
                }
                other => unit.items.push(other.clone()),
            }
        }
        unit.report_hidden_blocks();
        unit
    }

    /// Reads a part of a `use` item, after the segments before it.
    fn tree(&mut self, tree: &UseTree, path: TokenStream, segments: Vec<String>, vis: &Visibility) {
        match tree {
            UseTree::Path(inner) => {
                let (ident, mut segments) = (&inner.ident, segments);
                let path = if segments.is_empty() {
                    quote!(#path #ident)
                } else {
                    quote!(#path::#ident)
                };
                segments.push(ident.to_string());
                self.tree(&inner.tree, path, segments, vis);
            }
            UseTree::Group(group) => group
                .items
                .iter()
                .for_each(|tree| self.tree(tree, path.clone(), segments.clone(), vis)),
            UseTree::Name(leaf) => self.leaf(
                tree,
                (path, segments),
                Some(&leaf.ident),
                Some(&leaf.ident),
                vis,
            ),
            UseTree::Rename(leaf) => self.leaf(
                tree,
                (path, segments),
                Some(&leaf.ident),
                Some(&leaf.rename),
                vis,
            ),
            UseTree::Glob(_) => self.leaf(tree, (path, segments), None, None, vis),
        }
    }

    fn leaf(
        &mut self,
        tree: &UseTree,
        (path, segments): (TokenStream, Vec<String>),
        name: Option<&Ident>,
        here: Option<&Ident>,
        vis: &Visibility,
    ) {
        let first = segments.first().map(String::as_str).unwrap_or_default();
        if segments == blocks::PATH {
            return self.block(tree, path, name, here);
        }
        let nowhere = segments
            .iter()
            .all(|s| matches!(s.as_str(), "crate" | "self" | "super"));
        let nowhere = nowhere || name.is_some_and(|name| name == "self");
        let names = name.zip(here);
        for leaf in standard::of_leaf(tree, &path, &segments, names) {
            match leaf.what {
                Ok(Taken::Standard(name, standard)) => self.standard.push((name, standard)),
                Ok(Taken::Language) => {}
                Ok(Taken::Module) if nowhere => {
                    let wrong = catalogue::bad_use(&segments.join("::"));
                    self.mistakes.push((leaf.tokens, wrong));
                }
                Ok(Taken::Module) => return self.import((path, segments), (name, here), vis),
                Err(wrong) => self.mistakes.push((leaf.tokens, wrong)),
            }
        }
        if first != "crate" && !nowhere {
            self.others
                .push(quote!(#[allow(unused_imports)] #vis use #path::#tree;));
        }
    }

    /// A name of another kernels module.
    fn import(
        &mut self,
        (path, segments): (TokenStream, Vec<String>),
        (name, here): (Option<&Ident>, Option<&Ident>),
        vis: &Visibility,
    ) {
        let link = self
            .links
            .iter()
            .position(|l| l.segments == segments)
            .unwrap_or_else(|| {
                self.links.push(Link { path, segments });
                self.links.len() - 1
            });
        self.imports.push(Import {
            link,
            vis: vis.clone(),
            name: name.cloned(),
            here: here.cloned(),
        });
    }
}

/// A module with all that it uses.
#[derive(Clone)]
pub struct Linked {
    /// The units, the root first.
    pub units: Vec<Unit>,
    /// For each unit the units of its links.
    pub targets: Vec<Vec<usize>>,
}

/// What [`link`] comes to.
#[derive(Clone)]
pub enum Linking {
    /// Everything is there.
    Whole(Linked),
    /// The unit at the end of this way of links is wanted next.
    Wanted(Vec<usize>),
    /// There are more than [`UNITS`].
    TooMany,
}

/// Puts a module together with the units it was given so far, in the order in which they were
/// wanted.
pub fn link(root: Unit, given: impl IntoIterator<Item = Unit>) -> Linking {
    let mut given = given.into_iter();
    let mut linked = Linked {
        units: vec![root],
        targets: Vec::new(),
    };
    // Where each unit was first named: by which unit, and by which of its links.
    let mut named: Vec<Option<(usize, usize)>> = vec![None];
    let mut at = 0;
    while at < linked.units.len() {
        linked.targets.push(Vec::new());
        for number in 0..linked.units[at].links.len() {
            let Some(unit) = given.next() else {
                return Linking::Wanted(way(&named, at, number));
            };
            let known = known(&linked, &named, at, &unit);
            linked.targets[at].push(known.unwrap_or(linked.units.len()));
            if known.is_none() {
                linked.units.push(unit);
                named.push(Some((at, number)));
            }
        }
        if linked.units.len() > UNITS {
            return Linking::TooMany;
        }
        at += 1;
    }
    Linking::Whole(linked)
}

/// The links from the root to one of a unit.
fn way(named: &[Option<(usize, usize)>], unit: usize, number: usize) -> Vec<usize> {
    let mut way = vec![number];
    let mut at = unit;
    while let Some((by, number)) = named[at] {
        way.push(number);
        at = by;
    }
    way.reverse();
    way
}

/// The unit that a new one named by `at` is.
fn known(
    linked: &Linked,
    named: &[Option<(usize, usize)>],
    at: usize,
    unit: &Unit,
) -> Option<usize> {
    if unit.links.is_empty() {
        return linked
            .units
            .iter()
            .position(|u| u.hash == unit.hash && u.name == unit.name);
    }
    let mut up = Some(at);
    while let Some(n) = up {
        if linked.units[n].hash == unit.hash && linked.units[n].name == unit.name {
            return Some(n);
        }
        up = named[n].map(|(by, _)| by);
    }
    None
}

impl Linked {
    /// A module that uses no other.
    pub fn alone(items: &[Item]) -> Linked {
        Linked {
            units: vec![Unit::of("", items)],
            targets: vec![Vec::new()],
        }
    }

    /// The unit and link that lead to a unit first.
    fn named_by(&self, unit: usize) -> Option<(usize, usize)> {
        let mut by = self.targets.iter().enumerate();
        by.find_map(|(by, targets)| {
            targets
                .iter()
                .position(|target| *target == unit)
                .map(|link| (by, link))
        })
        .filter(|_| unit != 0)
    }

    /// The path that leads to a unit, as it is written where it is named first; empty for the root.
    pub fn path_of(&self, unit: usize) -> String {
        self.named_by(unit)
            .map(|(by, link)| self.units[by].links[link].text())
            .unwrap_or_default()
    }

    /// Does the way to a unit lead out of the crate?
    pub fn is_foreign(&self, unit: usize) -> bool {
        let mut at = unit;
        while let Some((by, link)) = self.named_by(at) {
            if !self.units[by].links[link].is_local() {
                return true;
            }
            at = by;
        }
        false
    }

    /// The link of the root that leads to a unit.
    pub fn first_link(&self, unit: usize) -> usize {
        let mut at = unit;
        while let Some((by, link)) = self.named_by(at) {
            if by == 0 {
                return link;
            }
            at = by;
        }
        0
    }

    /// The hash of everything: of a module that uses no other it is that of its tokens.
    pub fn hash(&self) -> String {
        if self.units.len() == 1 && self.targets[0].is_empty() {
            return self.units[0].hash.clone();
        }
        let units = self.units.iter().zip(&self.targets);
        hash::of_words(units.flat_map(|(unit, targets)| {
            [unit.hash.clone()]
                .into_iter()
                .chain(targets.iter().map(ToString::to_string))
        }))
    }
}
