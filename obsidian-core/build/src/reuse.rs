//! The modules that a kernels module uses, found among those of the crate and the libraries that
//! the build script was given.

use crate::find::KernelModule;
use crate::{Error, ErrorKind};
use obsidian_core::source::Library;
use obsidian_front::link::{self, Link, Linked, Linking, Unit};

/// What a way of links leads to.
#[derive(Clone, Copy)]
enum Place {
    /// The n-th module of the crate.
    Own(usize),
    /// A module of another crate.
    Other(Library),
}

/// Where modules are looked for.
pub(super) struct Shelf<'a> {
    pub(super) modules: &'a [KernelModule],
    pub(super) libraries: &'a [Library],
}

impl Shelf<'_> {
    /// The n-th module of the crate with all that it uses.
    pub(super) fn linked(&self, module: usize) -> Result<Linked, Error> {
        let (root, mut given) = (self.unit(Place::Own(module))?, Vec::new());
        loop {
            match link::link(root.clone(), given.clone()) {
                Linking::Whole(linked) => return Ok(linked),
                Linking::TooMany => {
                    let file = &self.modules[module].file;
                    let message = format!(
                        "{}: {}",
                        file.display(),
                        obsidian_core::error::catalogue::too_many_modules(link::UNITS)
                    );
                    return Err(Error::new(ErrorKind::Kernel, message).in_source());
                }
                Linking::Wanted(way) => {
                    let end = way.iter().try_fold(Place::Own(module), |place, number| {
                        self.follow(place, *number)
                    })?;
                    given.push(self.unit(end)?);
                }
            }
        }
    }

    fn unit(&self, place: Place) -> Result<Unit, Error> {
        match place {
            Place::Own(n) => Ok(Unit::of(&self.modules[n].name, &self.modules[n].items)),
            Place::Other(library) => {
                let name = library.path.rsplit("::").next().unwrap_or_default();
                let file = syn::parse_file(library.text)
                    .map_err(|e| Error::new(ErrorKind::Source, format!("{}: {e}", library.path)))?;
                Ok(Unit::of(name, &file.items))
            }
        }
    }

    /// What a link of a module leads to.
    fn follow(&self, place: Place, number: usize) -> Result<Place, Error> {
        match place {
            Place::Other(library) => {
                let unknown = || {
                    Error::new(
                        ErrorKind::Setup,
                        format!("`{}` uses a module that it does not name", library.path),
                    )
                };
                (library.uses)()
                    .get(number)
                    .copied()
                    .map(Place::Other)
                    .ok_or_else(unknown)
            }
            Place::Own(n) => {
                let module = &self.modules[n];
                let unit = Unit::of(&module.name, &module.items);
                let unknown = || {
                    Error::new(
                        ErrorKind::Setup,
                        format!("`{}` uses a module that it does not name", module.name),
                    )
                };
                self.find(module, unit.links.get(number).ok_or_else(unknown)?)
            }
        }
    }

    /// The module of a path: first by its place in the crate, then by its name, if only one has it.
    ///
    /// A guess that is wrong does no harm: `#[kernels(built)]` compares the hash, which covers what
    /// is used.
    fn find(&self, module: &KernelModule, link: &Link) -> Result<Place, Error> {
        let last = link.segments.last().map(String::as_str).unwrap_or_default();
        if link.is_local() {
            let wanted = absolute(module, &link.segments);
            let exact = self
                .modules
                .iter()
                .position(|m| m.source == module.source && Some(&m.path) == wanted.as_ref());
            let named: Vec<usize> = (0..self.modules.len())
                .filter(|n| self.modules[*n].name == last)
                .collect();
            let only = if let [only] = named.as_slice() {
                Some(*only)
            } else {
                None
            };
            return exact.or(only).map(Place::Own).ok_or_else(|| {
                let advice = format!("name the file of `{last}` by `.source(\"src/..\")`, and write its own path, without re-exports");
                missing(module, link, &advice)
            });
        }
        let text = link.text();
        let named = || {
            self.libraries
                .iter()
                .filter(|l| l.path.rsplit("::").next() == Some(last))
        };
        let exact = self.libraries.iter().find(|l| l.path == text);
        exact.or_else(|| named().next().filter(|_| named().count() == 1)).map(|l| Place::Other(*l)).ok_or_else(|| {
            let advice = format!("write `.library({text}::SOURCE)`, with its crate among the build-dependencies too");
            missing(module, link, &advice)
        })
    }
}

fn missing(module: &KernelModule, link: &Link, advice: &str) -> Error {
    let start = link
        .path
        .clone()
        .into_iter()
        .next()
        .map_or_else(proc_macro2::Span::call_site, |t| t.span())
        .start();
    let (file, path) = (module.file.display(), link.text());
    let message = format!(
        "{file}:{}:{}: the build script does not know the kernel module `{path}`\n{advice}",
        start.line,
        start.column + 1
    );
    Error::new(ErrorKind::Setup, message)
}

/// The path from the root of the crate, if there is one.
fn absolute(module: &KernelModule, segments: &[String]) -> Option<Vec<String>> {
    let mut path = module.path.clone();
    for segment in segments {
        match segment.as_str() {
            "crate" => path.clear(),
            "self" => {}
            "super" => drop(path.pop()?),
            name => path.push(name.to_owned()),
        }
    }
    Some(path)
}
