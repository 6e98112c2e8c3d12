//! Reading: from the tokens of a module to its [syntax](super::syntax) tree, with every name
//! resolved.
//!
//! Everything that is not kernel language is reported here, at its token, so that the evaluator and
//! the rewrite need to know only what there is.

mod arrays;
mod attribute;
mod calls;
mod device;
mod ends;
mod expressions;
mod imports;
mod items;
mod local;
mod patterns;
mod scope;
mod sources;
mod tokens;
mod types;
mod unbounded;

pub use device::DeviceFunction;
pub use sources::Sources;
pub use tokens::check_tokens;

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::spanned::Spanned;

use super::link::{Linked, Standard};
use super::syntax::{Constant, Module, Name, Own, Site};
use crate::error::{Diagnostic, Diagnostics};
use crate::ordered::{Map, Set};
use imports::{Directory, Named};
use scope::Frame;

/// What reading gives.
#[derive(Debug)]
pub struct Reading {
    /// The tree, as far as it could be read.
    pub module: Module,
    /// The spans and pieces of input that it names.
    pub sources: Sources,
    /// The `use` items as Rust has them.
    pub uses: Vec<TokenStream>,
    /// What is not kernel language.
    pub mistakes: Option<Diagnostics>,
    /// The first thing that is wrong with a module that this one uses, and the number of the link
    /// that leads there. The module itself reports it, if it is of the same crate.
    pub foreign: Option<(usize, String)>,
    /// The names of the module's structs in which nothing is wrong.
    pub structs: Set<String>,
}

/// Reads the items of a `#[kernels]` module that uses no other.
pub fn read_module(items: &[syn::Item]) -> Reading {
    read_linked(&Linked::alone(items))
}

/// Reads a `#[kernels]` module, and what it uses.
pub fn read_linked(linked: &Linked) -> Reading {
    let (directory, mut reader) = (Directory::of(linked), Reader::default());
    let mut module = Module::default();
    let (mut uses, mut mistakes, mut foreign) = (Vec::new(), None, None);
    let structs = reader.definitions(&directory, linked);
    reader.signatures(&directory, linked, &structs);
    for (n, unit) in linked.units.iter().enumerate() {
        let imports = reader.enter_unit(&directory, n, linked);
        reader.structs.clone_from(&structs[n]);
        reader.items(&unit.items, &mut module);
        let wrong = std::mem::take(&mut reader.mistakes);
        if n == 0 {
            module.own = Own {
                functions: module.functions.len() as u32,
                constants: module.constants.len() as u32,
                sites: reader.sources.sites(),
            };
            (uses, mistakes) = (imports, Some(wrong).filter(|list| !list.is_empty()));
        } else if let (None, Some(first)) = (&foreign, wrong.first()) {
            foreign = Some((linked.first_link(n), first.message.clone()));
        }
    }
    module
        .constants
        .extend(reader.local_constants.drain(..).flatten());
    module.literals = super::infer::literals(&module);
    reader.recursion(&module);
    let circles = std::mem::take(&mut reader.mistakes);
    if mistakes.is_none() {
        mistakes = Some(circles).filter(|list| !list.is_empty());
    }
    let mistakes = mistakes.map(|list| Diagnostics::new(list, reader.sources.origins().clone()));
    Reading {
        module,
        sources: reader.sources,
        uses,
        mistakes,
        foreign,
        structs: reader.readable,
    }
}

#[derive(Default)]
struct Reader {
    sources: Sources,
    mistakes: Vec<Diagnostic>,
    functions: Map<String, u32>,
    constants: Map<String, u32>,
    /// The constants of all units as written.
    constant_items: Vec<syn::ItemConst>,
    /// Those of the unit that is read.
    own_constants: Set<u32>,
    /// The constants inside of functions, which come behind those of all units.
    local_constants: Vec<Option<Constant>>,
    /// The names of the standard library in scope.
    standard: Map<String, Standard>,
    /// The names of types in scope that `type` items give.
    aliases: Map<String, syn::Type>,
    /// The signatures of device functions, and the functions with a mistake in theirs.
    signatures: Map<u32, device::Signature>,
    unreadable: Set<u32>,
    /// The structs that the unit sees, and the names of the root's that could be read.
    structs: device::Structs,
    readable: Set<String>,
    /// The names of structs that contain themselves.
    circular: Set<String>,
    generics: Vec<Name>,
    /// The parameters of the function that is read of whose type nothing is known.
    unbounded: unbounded::Unbounded,
    /// Does the function that is read work on arrays of array programs?
    is_whole: bool,
    frames: Vec<Frame>,
    /// The path of the module that is read, empty for the root; is it in another crate?
    module: (Name, bool),
}

impl Reader {
    /// Turns to a unit: the names that it sees are its own and those of its `use` items, which are
    /// given back as Rust has them.
    fn enter_unit(
        &mut self,
        directory: &Directory<'_>,
        unit: usize,
        linked: &Linked,
    ) -> Vec<TokenStream> {
        let imports = directory.imports(unit);
        self.module = (linked.path_of(unit).into(), linked.is_foreign(unit));
        (self.functions, self.constants) = Default::default();
        self.own_constants = directory
            .own(unit)
            .filter_map(|(_, named)| match named {
                Named::Constant(n) => Some(n),
                Named::Function(_) | Named::Struct(_) => None,
            })
            .collect();
        // Its own names go before those that it takes in.
        let names = imports
            .names
            .iter()
            .map(|(name, named)| (name, *named))
            .chain(directory.own(unit));
        for (name, named) in names {
            match named {
                Named::Function(n) => drop(self.functions.insert(name.clone(), n)),
                Named::Constant(n) => drop(self.constants.insert(name.clone(), n)),
                Named::Struct(_) => {}
            }
        }
        for (tokens, mistake) in linked.units[unit].mistakes.iter().chain(&imports.mistakes) {
            self.refuse(tokens, mistake.clone());
        }
        self.standard = linked.units[unit].standard.iter().cloned().collect();
        let others = linked.units[unit].others.iter().cloned();
        imports.items.into_iter().chain(others).collect()
    }

    fn site(&mut self, tokens: &impl Spanned) -> Site {
        self.sources.site(tokens)
    }

    fn report(&mut self, site: Site, diagnostic: Diagnostic) {
        let origin = self.sources.origin(site);
        self.mistakes.push(diagnostic.at(origin));
    }

    fn refuse(&mut self, tokens: &impl ToTokens, diagnostic: Diagnostic) {
        let site = self.sources.whole(tokens);
        self.report(site, diagnostic);
    }
}

/// The text of a name, raw prefix and all.
fn name_of(ident: &syn::Ident) -> Name {
    ident.to_string().into()
}
