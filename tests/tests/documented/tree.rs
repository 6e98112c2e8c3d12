//! The modules of the crates as their sources have them, and what a path in them names.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use syn::{Attribute, Item, UseTree};

/// The crates that a user of the runtime meets, and their folders.
const CRATES: &[(&str, &str)] = &[
    ("obsidian_rt", "obsidian-rt/src"),
    ("obsidian_core", "obsidian-core/src"),
    ("obsidian_language", "obsidian-core/language/src"),
    ("obsidian_base", "obsidian-core/base/src"),
    ("obsidian_toolchain", "obsidian-core/toolchain/src"),
    ("obsidian_macros", "obsidian-macros/src"),
];

/// A module of a crate.
pub struct Module {
    pub file: PathBuf,
    pub items: Vec<Item>,
    /// Is it declared by `pub mod`?
    is_public: bool,
    parent: Option<usize>,
    root: usize,
    children: BTreeMap<String, usize>,
}

/// What a name stands for.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Target {
    Module(usize),
    /// An item by the module that declares it, and its name there.
    Item(usize, String),
}

/// All modules of the crates.
#[derive(Default)]
pub struct Tree {
    pub modules: Vec<Module>,
    roots: BTreeMap<String, usize>,
    /// What names mean that were looked up before.
    known: RefCell<BTreeMap<(usize, String), Vec<Target>>>,
}

/// A path that a `use` brings into scope: under a name, or all that is in it.
struct Import {
    path: Vec<String>,
    name: Option<String>,
}

impl Tree {
    /// Reads the crates of the repository that lies at `root`.
    pub fn read(root: &Path) -> Tree {
        let mut tree = Tree::default();
        for (name, folder) in CRATES {
            let folder = root.join(folder);
            let file = folder.join("lib.rs");
            let items = parsed(&file);
            let id = tree.add((file, items, true), None, &folder);
            tree.roots.insert((*name).to_owned(), id);
        }
        tree
    }

    /// The root module of a crate.
    pub fn root(&self, name: &str) -> usize {
        self.roots[name]
    }

    /// Adds a module, whose modules in files of their own lie in `folder`.
    fn add(
        &mut self,
        (file, items, is_public_module): (PathBuf, Vec<Item>, bool),
        parent: Option<usize>,
        folder: &Path,
    ) -> usize {
        let id = self.modules.len();
        let root = parent.map_or(id, |parent| self.modules[parent].root);
        let inner: Vec<_> = items
            .iter()
            .filter_map(|item| match item {
                Item::Mod(module) if !is_test(&module.attrs) => {
                    let content = module.content.as_ref().map(|(_, items)| items.clone());
                    Some((module.ident.to_string(), content, is_public(&module.vis)))
                }
                _ => None,
            })
            .collect();
        self.modules.push(Module {
            file: file.clone(),
            items,
            is_public: is_public_module,
            parent,
            root,
            children: BTreeMap::new(),
        });
        for (name, content, is_public) in inner {
            let below = folder.join(&name);
            let (file, items) = match content {
                Some(items) => (file.clone(), items),
                None => {
                    let own = folder.join(format!("{name}.rs"));
                    let file = if own.exists() {
                        own
                    } else {
                        below.join("mod.rs")
                    };
                    let items = parsed(&file);
                    (file, items)
                }
            };
            let child = self.add((file, items, is_public), Some(id), &below);
            self.modules[id].children.insert(name, child);
        }
        id
    }

    /// What a path means in a module.
    pub fn resolve(&self, module: usize, path: &[String]) -> Vec<Target> {
        self.resolved(module, path, &mut Vec::new())
    }

    fn resolved(
        &self,
        module: usize,
        path: &[String],
        seen: &mut Vec<(usize, String)>,
    ) -> Vec<Target> {
        let Some((first, rest)) = path.split_first() else {
            return vec![Target::Module(module)];
        };
        let here = &self.modules[module];
        let found = match first.as_str() {
            "crate" => vec![Target::Module(here.root)],
            "self" => vec![Target::Module(module)],
            "super" => here.parent.map(Target::Module).into_iter().collect(),
            name => match self.roots.get(name) {
                Some(root) => vec![Target::Module(*root)],
                None => self.named(module, name, seen),
            },
        };
        if rest.is_empty() {
            return found;
        }
        let mut all = Vec::new();
        for target in found {
            if let Target::Module(inner) = target {
                all.extend(self.resolved(inner, rest, seen));
            }
        }
        all
    }

    /// What a name means in a module: what it declares, and what it imports.
    fn named(&self, module: usize, name: &str, seen: &mut Vec<(usize, String)>) -> Vec<Target> {
        let key = (module, name.to_owned());
        if let Some(known) = self.known.borrow().get(&key) {
            return known.clone();
        }
        if seen.contains(&key) {
            return Vec::new();
        }
        let is_first = seen.is_empty();
        seen.push(key.clone());
        let here = &self.modules[module];
        let mut found: Vec<_> = here
            .children
            .get(name)
            .copied()
            .map(Target::Module)
            .into_iter()
            .collect();
        if declared(&here.items).any(|(own, _)| own == name) {
            found.push(Target::Item(module, name.to_owned()));
        }
        for import in here.items.iter().flat_map(imports) {
            match &import.name {
                Some(known) if known == name => {
                    found.extend(self.resolved(module, &import.path, seen))
                }
                Some(_) => {}
                None => {
                    for target in self.resolved(module, &import.path, seen) {
                        if let Target::Module(inner) = target {
                            found.extend(self.named(inner, name, seen));
                        }
                    }
                }
            }
        }
        found.sort();
        found.dedup();
        // Below another look-up, what leads back to it was left out.
        if is_first {
            seen.clear();
            self.known.borrow_mut().insert(key, found.clone());
        }
        found
    }

    /// The public names of a module and what they stand for, without hidden ones.
    pub fn public(&self, module: usize) -> Vec<(String, Target)> {
        let mut found = Vec::new();
        self.add_public(module, &mut found, &mut Vec::new());
        found
    }

    fn add_public(&self, module: usize, found: &mut Vec<(String, Target)>, seen: &mut Vec<usize>) {
        if seen.contains(&module) {
            return;
        }
        seen.push(module);
        let here = &self.modules[module];
        for (name, attributes) in declared(&here.items) {
            if !is_hidden(attributes) {
                found.push((name.clone(), Target::Item(module, name)));
            }
        }
        for item in &here.items {
            match item {
                Item::Mod(inner) if is_public(&inner.vis) && !is_hidden(&inner.attrs) => {
                    let name = inner.ident.to_string();
                    if let Some(child) = here.children.get(&name) {
                        found.push((name, Target::Module(*child)));
                    }
                }
                Item::Use(used) if is_public(&used.vis) && !is_hidden(&used.attrs) => {
                    for import in imports(item) {
                        let targets = self.resolve(module, &import.path);
                        match import.name {
                            Some(name) => {
                                // A function has the name of a private module now and then.
                                let can_be_named = |target: &Target| match target {
                                    Target::Module(inner) => self.modules[*inner].is_public,
                                    Target::Item(..) => true,
                                };
                                let named = targets.into_iter().filter(can_be_named);
                                found.extend(named.map(|target| (name.clone(), target)))
                            }
                            None => {
                                for target in targets {
                                    if let Target::Module(inner) = target {
                                        self.add_public(inner, found, seen);
                                    }
                                }
                            }
                        }
                    }
                }
                _ => {}
            }
        }
    }
}

fn parsed(file: &Path) -> Vec<Item> {
    let text = fs::read_to_string(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    syn::parse_file(&text)
        .unwrap_or_else(|e| panic!("{}: {e}", file.display()))
        .items
}

/// The names of the items of a module that are no modules and no imports, if they are public there.
pub fn declared(items: &[Item]) -> impl Iterator<Item = (String, &[Attribute])> {
    items.iter().filter_map(|item| {
        let (vis, name, attributes) = match item {
            Item::Fn(f) => (&f.vis, &f.sig.ident, &f.attrs),
            Item::Struct(s) => (&s.vis, &s.ident, &s.attrs),
            Item::Enum(e) => (&e.vis, &e.ident, &e.attrs),
            Item::Trait(t) => (&t.vis, &t.ident, &t.attrs),
            Item::Type(t) => (&t.vis, &t.ident, &t.attrs),
            _ => return None,
        };
        is_public(vis).then_some((name.to_string(), attributes.as_slice()))
    })
}

fn imports(item: &Item) -> Vec<Import> {
    fn add(tree: &UseTree, path: &mut Vec<String>, found: &mut Vec<Import>) {
        match tree {
            UseTree::Path(part) => {
                path.push(part.ident.to_string());
                add(&part.tree, path, found);
                path.pop();
            }
            UseTree::Name(name) => {
                let name = name.ident.to_string();
                let mut path = path.clone();
                // `use a::b::{self}` is `use a::b`.
                if name != "self" {
                    path.push(name);
                }
                let name = path.last().cloned();
                found.push(Import { path, name });
            }
            UseTree::Rename(renamed) => {
                let mut path = path.clone();
                path.push(renamed.ident.to_string());
                let name = Some(renamed.rename.to_string());
                found.push(Import { path, name });
            }
            UseTree::Glob(_) => found.push(Import {
                path: path.clone(),
                name: None,
            }),
            UseTree::Group(group) => group.items.iter().for_each(|tree| add(tree, path, found)),
        }
    }
    let mut found = Vec::new();
    if let Item::Use(used) = item {
        add(&used.tree, &mut Vec::new(), &mut found);
    }
    found
}

pub fn is_public(vis: &syn::Visibility) -> bool {
    matches!(vis, syn::Visibility::Public(_))
}

/// `#[doc(hidden)]`
pub fn is_hidden(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let syn::Meta::List(list) = &attribute.meta else {
            return false;
        };
        list.path.is_ident("doc") && list.tokens.to_string().contains("hidden")
    })
}

/// `#[cfg(test)]`, or what stands in for a feature that is switched off.
pub fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let syn::Meta::List(list) = &attribute.meta else {
            return false;
        };
        let condition = list.tokens.to_string();
        let stands_in = ["not (feature", "any (not (feature"];
        list.path.is_ident("cfg")
            && (condition == "test" || stands_in.iter().any(|start| condition.starts_with(start)))
    })
}
