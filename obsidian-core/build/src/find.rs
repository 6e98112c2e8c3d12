//! Finding the `#[kernels]` modules of a source file and of the files that it declares.

use std::path::{Path, PathBuf};

use syn::Item;

use crate::{Error, ErrorKind};
use obsidian_front::read::check_tokens;

/// A `#[kernels]` module.
pub(super) struct KernelModule {
    pub(super) name: String,
    pub(super) file: PathBuf,
    pub(super) items: Vec<Item>,
    /// Its path from the source file that the build script names, itself at the end.
    pub(super) path: Vec<String>,
    /// The number of that source file.
    pub(super) source: usize,
}

/// All modules of a file, in order; cargo is told to look at the file again when it changes.
pub(super) fn kernel_modules(file: &Path, source: usize) -> Result<Vec<KernelModule>, Error> {
    let mut search = Search {
        source,
        path: Vec::new(),
        found: Vec::new(),
    };
    let folder = file.parent().map(Path::to_owned).unwrap_or_default();
    search.read(file, &folder)?;
    Ok(search.found)
}

struct Search {
    source: usize,
    /// The modules around.
    path: Vec<String>,
    found: Vec<KernelModule>,
}

impl Search {
    fn read(&mut self, file: &Path, folder: &Path) -> Result<(), Error> {
        println!("cargo::rerun-if-changed={}", file.display());
        let text = std::fs::read_to_string(file)
            .map_err(|e| Error::new(ErrorKind::Source, format!("{}: {e}", file.display())))?;
        let wrong = |place: proc_macro2::Span, what: &dyn std::fmt::Display| {
            let start = place.start();
            Error::new(
                ErrorKind::Source,
                format!(
                    "{}:{}:{}: {what}",
                    file.display(),
                    start.line,
                    start.column + 1
                ),
            )
            .in_source()
        };
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let tokens: proc_macro2::TokenStream = text
            .parse()
            .map_err(|e: proc_macro2::LexError| wrong(e.span(), &e))?;
        if let Some((span, diagnostic)) = check_tokens(&tokens) {
            return Err(wrong(span, &diagnostic));
        }
        let parsed: syn::File = syn::parse2(tokens).map_err(|e| wrong(e.span(), &e))?;
        self.modules(&parsed.items, file, folder)
    }

    fn modules(&mut self, items: &[Item], file: &Path, folder: &Path) -> Result<(), Error> {
        for item in items {
            let Item::Mod(module) = item else { continue };
            let name = module.ident.to_string();
            let is_kernels = module.attrs.iter().any(|a| {
                a.path()
                    .segments
                    .last()
                    .is_some_and(|s| s.ident == "kernels")
            });
            self.path.push(name.clone());
            match &module.content {
                Some((_, items)) if is_kernels => {
                    let (items, path) = (items.clone(), self.path.clone());
                    self.found.push(KernelModule {
                        name,
                        file: file.to_owned(),
                        items,
                        path,
                        source: self.source,
                    });
                }
                Some((_, items)) => self.modules(items, file, &folder.join(&name))?,
                // A module in another file cannot have the attribute; the macro says so.
                None => {
                    let name = name.trim_start_matches("r#");
                    let beside = [
                        folder.join(format!("{name}.rs")),
                        folder.join(name).join("mod.rs"),
                    ];
                    if let Some(inner) = beside.iter().find(|path| path.is_file()) {
                        self.read(inner, &folder.join(name))?;
                    }
                }
            }
            self.path.pop();
        }
        Ok(())
    }
}
