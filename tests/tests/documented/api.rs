//! What a user of the runtime can name, and what its documentation says.
//!
//! Functions, types, traits, macros and the methods of types are found in the sources, by following `pub use` from the root of
//! the runtime. A trait is one entry with its methods. Functions that a `macro_rules!` makes are found by their tokens: in an
//! invocation, each name behind doc comments; in a definition, each `pub fn` that has its own.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use syn::{Attribute, ImplItem, Item, Type};

use super::tree::{Target, Tree, is_hidden, is_public, is_test};

/// A public item.
pub struct Entry {
    /// Its name, behind that of its type.
    pub name: String,
    /// Its file below the root of the repository, and the line.
    pub place: String,
    /// Its documentation.
    pub text: String,
    /// Its `#[doc(alias = "..")]`.
    pub aliases: Vec<String>,
}

impl Entry {
    /// Whether a fenced block of the documentation is compiled and run.
    pub fn has_example(&self) -> bool {
        let mut is_open = false;
        let fences = self
            .text
            .lines()
            .filter_map(|line| line.trim().strip_prefix("```"));
        let mut runs = false;
        for info in fences {
            is_open = !is_open;
            runs |= is_open
                && info
                    .split(',')
                    .all(|word| matches!(word.trim(), "" | "rust" | "should_panic"));
        }
        runs
    }
}

/// All entries, sorted by place.
pub fn entries(root: &Path) -> Vec<Entry> {
    let tree = Tree::read(root);
    let mut reached = BTreeSet::new();
    let mut modules = BTreeSet::new();
    reach(&tree, tree.root("obsidian_rt"), &mut reached, &mut modules);
    let mut found = Found {
        root,
        entries: BTreeMap::new(),
    };
    let holders: BTreeSet<usize> = reached.iter().map(|(module, _)| *module).collect();
    for (id, module) in tree.modules.iter().enumerate() {
        for item in &module.items {
            found.item(&tree, id, item, &reached);
            match item {
                Item::Macro(made)
                    if holders.contains(&id) && !made.mac.path.is_ident("thread_local") =>
                {
                    found.made(&module.file, made);
                }
                _ => {}
            }
        }
    }
    found.entries.into_values().collect()
}

/// Gathers the items that a module and the modules in it make public.
fn reach(
    tree: &Tree,
    module: usize,
    reached: &mut BTreeSet<(usize, String)>,
    seen: &mut BTreeSet<usize>,
) {
    if !seen.insert(module) {
        return;
    }
    for (_, target) in tree.public(module) {
        match target {
            Target::Module(inner) => reach(tree, inner, reached, seen),
            Target::Item(module, name) => {
                reached.insert((module, name));
            }
        }
    }
}

struct Found<'a> {
    root: &'a Path,
    /// By file and line.
    entries: BTreeMap<(String, usize, String), Entry>,
}

impl Found<'_> {
    fn add(&mut self, file: &Path, name: &Ident, owner: Option<&str>, docs: (String, Vec<String>)) {
        let file = file
            .strip_prefix(self.root)
            .unwrap_or(file)
            .display()
            .to_string();
        let line = name.span().start().line;
        let name = match owner {
            Some(owner) => format!("{owner}::{name}"),
            None => name.to_string(),
        };
        let entry = Entry {
            name: name.clone(),
            place: format!("{file}:{line}"),
            text: docs.0,
            aliases: docs.1,
        };
        self.entries.insert((file, line, name), entry);
    }

    fn item(
        &mut self,
        tree: &Tree,
        module: usize,
        item: &Item,
        reached: &BTreeSet<(usize, String)>,
    ) {
        let file = &tree.modules[module].file;
        let is_reached = |name: &Ident| reached.contains(&(module, name.to_string()));
        let (name, attributes) = match item {
            Item::Fn(f) => (&f.sig.ident, &f.attrs),
            Item::Struct(s) => (&s.ident, &s.attrs),
            Item::Enum(e) => (&e.ident, &e.attrs),
            Item::Trait(t) => (&t.ident, &t.attrs),
            Item::Type(t) => (&t.ident, &t.attrs),
            Item::Impl(block) if block.trait_.is_none() => {
                let Type::Path(ty) = &*block.self_ty else {
                    return;
                };
                let path: Vec<String> = ty
                    .path
                    .segments
                    .iter()
                    .map(|s| s.ident.to_string())
                    .collect();
                let is_public_type =
                    tree.resolve(module, &path)
                        .into_iter()
                        .any(|target| match target {
                            Target::Item(home, name) => reached.contains(&(home, name)),
                            Target::Module(_) => false,
                        });
                if !is_public_type || is_test(&block.attrs) {
                    return;
                }
                let owner = path.last().cloned().unwrap_or_default();
                for inner in &block.items {
                    if let ImplItem::Fn(f) = inner
                        && is_public(&f.vis)
                        && !is_hidden(&f.attrs)
                    {
                        self.add(file, &f.sig.ident, Some(&owner), docs(file, &f.attrs));
                    }
                }
                return;
            }
            _ => return,
        };
        if is_reached(name) {
            self.add(file, name, None, docs(file, attributes));
        }
    }

    /// What a macro of a module makes.
    fn made(&mut self, file: &Path, made: &syn::ItemMacro) {
        let is_definition = made.mac.path.is_ident("macro_rules");
        self.tokens(file, made.mac.tokens.clone(), is_definition);
    }

    fn tokens(&mut self, file: &Path, tokens: TokenStream, is_definition: bool) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        let mut attributes = Vec::new();
        while let Some(token) = tokens.get(at) {
            at += 1;
            match (token, tokens.get(at)) {
                (TokenTree::Punct(hash), Some(TokenTree::Group(group)))
                    if hash.as_char() == '#' && group.delimiter() == Delimiter::Bracket =>
                {
                    attributes.push(group.stream());
                    at += 1;
                    continue;
                }
                (TokenTree::Ident(word), Some(TokenTree::Ident(kind)))
                    if word == "pub"
                        && !attributes.is_empty()
                        && ["fn", "type", "struct"].iter().any(|k| kind == k) =>
                {
                    let name = tokens[at + 1..].iter().find_map(|token| match token {
                        TokenTree::Ident(name) => Some(name),
                        _ => None,
                    });
                    if let Some(name) = name {
                        self.add_tokens(file, name, &attributes);
                    }
                }
                (TokenTree::Ident(name), _) if !is_definition && !attributes.is_empty() => {
                    self.add_tokens(file, name, &attributes);
                }
                (TokenTree::Group(group), _) => self.tokens(file, group.stream(), is_definition),
                _ => {}
            }
            attributes.clear();
        }
    }

    fn add_tokens(&mut self, file: &Path, name: &Ident, attributes: &[TokenStream]) {
        let attributes: Vec<Attribute> = attributes
            .iter()
            .filter_map(|inner| {
                let meta = syn::parse2(inner.clone()).ok()?;
                Some(Attribute {
                    pound_token: Default::default(),
                    style: syn::AttrStyle::Outer,
                    bracket_token: Default::default(),
                    meta,
                })
            })
            .collect();
        let docs = docs(file, &attributes);
        if !docs.0.is_empty() {
            self.add(file, name, None, docs);
        }
    }
}

/// The text of doc comments, and the aliases.
fn docs(file: &Path, attributes: &[Attribute]) -> (String, Vec<String>) {
    let (mut text, mut aliases) = (String::new(), Vec::new());
    for attribute in attributes {
        match &attribute.meta {
            syn::Meta::NameValue(pair) if pair.path.is_ident("doc") => {
                let tokens = quote::quote!(#pair).to_string();
                if tokens.contains("include_str") {
                    for name in literals(quote::quote!(#pair)) {
                        let path = file.parent().unwrap_or(file).join(name);
                        text.push_str(&fs::read_to_string(path).unwrap_or_default());
                    }
                } else {
                    let value = &pair.value;
                    text.push_str(&literals(quote::quote!(#value)).concat());
                }
                text.push('\n');
            }
            syn::Meta::List(list)
                if list.path.is_ident("doc") && list.tokens.to_string().contains("alias") =>
            {
                aliases.extend(literals(list.tokens.clone()));
            }
            _ => {}
        }
    }
    (text, aliases)
}

/// The strings among tokens.
fn literals(tokens: TokenStream) -> Vec<String> {
    let mut found = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Literal(literal) => {
                if let Ok(text) = syn::parse_str::<syn::LitStr>(&literal.to_string()) {
                    found.push(text.value());
                }
            }
            TokenTree::Group(group) => found.extend(literals(group.stream())),
            _ => {}
        }
    }
    found
}
