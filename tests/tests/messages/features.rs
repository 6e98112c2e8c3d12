//! The instructions that functions for newer processors are compiled with are those that the runtime asks the processor for.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

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
    let text = read("obsidian-core/src/expand/launch/variants.rs");
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
