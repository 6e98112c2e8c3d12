//! What is wrong with a kernel of several variants: each mistake once, with the values that lead to
//! it.

use super::CompiledKernel;
use obsidian_core::error::{Diagnostic, Site};
use obsidian_core::variants::text;
use obsidian_front::Sources;

/// A mistake that some variants share: the first and the last of them, how many have it, and
/// whether all say the same of it.
struct Shared<'a> {
    diagnostic: &'a Diagnostic,
    site: Option<Site>,
    /// What else it is about, in words.
    others: Vec<String>,
    first: usize,
    last: usize,
    variants: usize,
    is_equal: bool,
}

/// The mistakes of a kernel, in the order in which its variants found them.
///
/// Two variants have the same mistake if it has the same name and place; its words may have other
/// numbers in them.
pub(super) fn of_kernel(
    kernel: &CompiledKernel,
    sources: &Sources,
) -> Vec<(Diagnostic, Option<Site>)> {
    let mut found: Vec<Shared<'_>> = Vec::new();
    let other = |(what, site): (&str, Option<Site>)| match site {
        Some(Site::Span(n)) => format!("{what} is on {}", sources.quoted(n)),
        Some(Site::Native(location)) => format!("{what} is at {location}"),
        Some(Site::Text(_)) | None => format!("{what} has no place of its own"),
    };
    for (n, variant) in kernel.variants.iter().enumerate() {
        let Err(list) = &variant.plan else { continue };
        let before = found.len();
        for (diagnostic, site) in list.iter() {
            // Of one variant all are kept: one place may have two mistakes of a kind.
            match found[..before]
                .iter_mut()
                .find(|s| (s.diagnostic.id, s.site) == (diagnostic.id, site))
            {
                Some(shared) => {
                    shared.variants += usize::from(shared.last != n);
                    shared.last = n;
                    shared.is_equal &= shared.diagnostic.message == diagnostic.message;
                }
                None => found.push(Shared {
                    diagnostic,
                    site,
                    others: list.others(diagnostic).map(other).collect(),
                    first: n,
                    last: n,
                    variants: 1,
                    is_equal: true,
                }),
            }
        }
    }
    found
        .into_iter()
        .map(|shared| (noted(kernel, &shared), shared.site))
        .collect()
}

/// The mistake with a note of the values, unless they play no part in it.
fn noted(kernel: &CompiledKernel, shared: &Shared<'_>) -> Diagnostic {
    let mut diagnostic = shared.diagnostic.clone();
    // In front of what to do about it.
    diagnostic.notes.splice(0..0, shared.others.iter().cloned());
    let everywhere = shared.variants == kernel.variants.len() && shared.is_equal;
    match kernel.variants.get(shared.first) {
        Some(variant) if !everywhere => {
            let others = match shared.variants - 1 {
                0 => String::new(),
                1 => ", and in another variant".to_owned(),
                n => format!(", and in {n} other variants"),
            };
            diagnostic.note(format!(
                "this is so with `{}`{others}",
                text(&variant.values)
            ))
        }
        _ => diagnostic,
    }
}
