//! The instructions that functions for newer processors are compiled with are those that the runtime asks the processor for. And what a feature
//! of the crate leaves out is known by name, so that rustc can say which feature.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use obsidian_tests::fuzz::seeds::files;
use quote::ToTokens;

fn read(file: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    fs::read_to_string(root.join(file)).expect("a source file can be read")
}

/// What stands behind each start, up to an end.
fn between<'t>(text: &'t str, start: &'t str, end: &'t str) -> impl Iterator<Item = &'t str> {
    let parts = text.split(start).skip(1);
    parts.map(move |part| part.split(end).next().unwrap_or_default())
}

/// The features of a constant of the macro.
fn compiled(name: &str) -> BTreeSet<String> {
    let text = read("obsidian-core/expand/src/launch/variants.rs");
    let list = between(&text, &format!("const {name}: &str ="), ";")
        .next()
        .map(str::to_owned);
    let list = list.expect("the constant is there");
    let list = list.split('"').nth(1).expect("a text");
    list.split(',').map(str::to_owned).collect()
}

/// The features that a function of the runtime asks for.
fn asked(function: &str) -> BTreeSet<String> {
    let text = read("obsidian-rt/src/generated/source.rs");
    let body = between(&text, &format!("fn {function}() -> bool {{"), "\n}")
        .next()
        .map(str::to_owned);
    let body = body.expect("the function is there");
    between(&body, "has!(\"", "\"").map(str::to_owned).collect()
}

#[test]
fn processors_are_asked_for_what_functions_need() {
    let (wide, widest) = (asked("has_wide"), asked("has_widest"));
    assert!(wide.contains("avx2") && widest.contains("avx512f"));
    assert_eq!(compiled("WIDE_FEATURES"), wide);
    // It asks for all of `has_wide` first.
    assert_eq!(compiled("WIDEST_FEATURES"), &wide | &widest);
}

/// The names in the braces behind each `pub use`, or behind its last `::`.
fn used(text: &str) -> BTreeSet<String> {
    let all = between(text, "pub use ", ";");
    let names = all.flat_map(|path| match path.split_once('{') {
        Some((_, list)) => list.trim_end_matches('}').split(',').collect::<Vec<_>>(),
        None => path.rsplit("::").take(1).collect(),
    });
    let names = names.map(|name| name.trim().to_owned());
    names.filter(|name| !name.is_empty()).collect()
}

#[test]
fn without_the_feature_every_algorithm_is_named() {
    let there = used(&read("obsidian-rt/src/algorithms/mod.rs"));
    assert!(there.len() > 50, "{} names", there.len());
    assert_eq!(used(&read("obsidian-rt/src/algorithms/absent.rs")), there);
}

/// The number of type parameters of the functions of a file whose first one is a level.
fn of_a_level(text: &str) -> Vec<(String, usize)> {
    let file: syn::File = syn::parse_str(text).expect("a source file is Rust");
    let functions = file.items.iter().filter_map(|item| match item {
        // Functions without a page are the compiler's.
        syn::Item::Fn(item)
            if matches!(item.vis, syn::Visibility::Public(_))
                && item
                    .attrs
                    .iter()
                    .all(|attr| !attr.meta.to_token_stream().to_string().contains("hidden")) =>
        {
            Some(&item.sig)
        }
        _ => None,
    });
    let levels = functions.filter_map(|sig| {
        let types: Vec<_> = sig.generics.type_params().collect();
        let is_level = types.first().is_some_and(|ty| ty.ident == "L");
        is_level.then(|| (sig.ident.to_string(), types.len()))
    });
    levels.collect()
}

#[test]
fn a_turbofish_of_a_level_has_as_many_types_as_its_function() {
    let known = read("obsidian-core/front/src/names.rs");
    let files =
        ["library", "program"].map(|room| files(&format!("obsidian-core/language/src/{room}")));
    let texts = files
        .concat()
        .into_iter()
        .map(|file| fs::read_to_string(file).expect("a source file can be read"));
    let of_a_level: BTreeMap<String, usize> = texts.flat_map(|text| of_a_level(&text)).collect();
    let (_, table) = known.split_once("OF_A_LEVEL").expect("the table");
    let (table, _) = table.split_once("];").expect("the end of the table");
    let rows: Vec<_> = between(table, "    (\"", ")")
        .map(|row| row.split_once("\", ").expect("a row"))
        .collect();
    assert!(rows.len() > 20, "{rows:?}");
    for (name, count) in rows {
        assert_eq!(
            of_a_level.get(name).map(ToString::to_string).as_deref(),
            Some(count),
            "`{name}`"
        );
    }
}
