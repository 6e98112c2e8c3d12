//! Reading: from the tokens of a module to its [syntax](super::syntax) tree, with every name resolved.
//!
//! Everything that is not kernel language is reported here, at its token, so that the evaluator and the rewrite need to
//! know only what there is.

mod calls;
mod expressions;
mod items;
mod patterns;
mod scope;
mod sources;
mod tokens;
mod types;

pub use sources::Sources;
pub use tokens::check_tokens;

use std::collections::BTreeMap;

use quote::ToTokens;
use syn::spanned::Spanned;

use super::syntax::{Module, Name, Site};
use crate::error::{Diagnostic, Diagnostics};
use scope::Frame;

/// What reading gives.
#[derive(Debug)]
pub struct Reading {
    /// The tree, as far as it could be read.
    pub module: Module,
    /// The spans and pieces of input that it names.
    pub sources: Sources,
    /// What is not kernel language.
    pub mistakes: Option<Diagnostics>,
}

/// Reads the items of a `#[kernels]` module.
pub fn read_module(items: &[syn::Item]) -> Reading {
    let mut reader = Reader::default();
    reader.declare(items);
    let module = reader.items(items);
    reader.finish(module)
}

#[derive(Default)]
struct Reader {
    sources: Sources,
    mistakes: Vec<Diagnostic>,
    functions: BTreeMap<String, u32>,
    constants: BTreeMap<String, u32>,
    generics: Vec<Name>,
    frames: Vec<Frame>,
}

impl Reader {
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

    fn finish(self, module: Module) -> Reading {
        let origins = self.sources.origins().clone();
        let mistakes = (!self.mistakes.is_empty()).then(|| Diagnostics::new(self.mistakes, origins));
        Reading { module, sources: self.sources, mistakes }
    }
}

/// The text of a name, raw prefix and all.
fn name_of(ident: &syn::Ident) -> Name {
    ident.to_string().into()
}
