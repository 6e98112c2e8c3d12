//! The tuned files that kernels name, as entries of the index.

use std::path::Path;

use crate::{Error, ErrorKind};
use obsidian_core::ordered::Map;
use obsidian_core::variants::{Chosen, Tuned, TunedError, fitting};
use obsidian_expand::Compiled;

/// What tuned files have chosen, by the name of a kernel's first variant; cargo is told to look at
/// the files again when they change.
pub(super) fn chosen(
    compiled: &Compiled,
    source: &Path,
    hash: &str,
) -> Result<Map<String, Vec<Chosen<String>>>, Error> {
    let mut all = Map::new();
    for kernel in &compiled.kernels {
        let function = &compiled.module.functions[kernel.function as usize];
        let Some((file, site)) = function.kernel.as_ref().and_then(|k| k.tuned.as_ref()) else {
            continue;
        };
        println!("cargo::rerun-if-changed={file}");
        let start = compiled.sources.span(*site).start();
        let name = function.name.trim_start_matches("r#");
        let wrong = |wrong: TunedError| {
            let place = format!("{}:{}:{}", source.display(), start.line, start.column + 1);
            let message = format!(
                "{place}: the tuned file of `{name}` does not fit\n{}",
                wrong.in_file(Path::new(&**file))
            );
            Error::new(ErrorKind::Tuned, message)
        };
        let tuned = Tuned::read(&**file).map_err(wrong)?;
        let declared: Vec<_> = kernel.variants.iter().map(|v| v.values.clone()).collect();
        let chosen = tuned
            .choices(name)
            .and_then(|choices| fitting(choices, &declared))
            .map_err(wrong)?;
        if tuned.source(name) != Some(hash) {
            println!(
                "cargo::warning={file} was tuned for another version of `{name}`: its choices are used, but tune again (hash {hash})"
            );
        }
        all.extend(
            kernel
                .variants
                .first()
                .map(|first| (first.name.clone(), chosen)),
        );
    }
    Ok(all)
}
