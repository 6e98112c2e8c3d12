//! The rooms of `obsidian-core`: each uses only rooms that stand above it in ARCHITECTURE.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const ORDER: &[&str] = &[
    "error",
    "source",
    "variants",
    "scalar",
    "ir",
    "program",
    "array",
    "library",
    "lower",
    "plan",
    "simulate",
    "emit",
    "pipeline",
    "front",
    "expand",
    "toolchain",
    "build",
];

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

/// The rooms that a file names by `crate::room`, outside of its tests.
fn used(text: &str) -> BTreeSet<String> {
    let code: Vec<&str> = text
        .lines()
        .take_while(|l| !l.starts_with("#[cfg(test)]"))
        .filter(|l| !l.trim_start().starts_with("//"))
        .collect();
    let code = code.join("\n");
    let names = code.match_indices("crate::").map(|(at, _)| {
        let rest = &code[at + "crate::".len()..];
        rest.chars()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect::<String>()
    });
    names
        .filter(|name| ORDER.contains(&name.as_str()))
        .collect()
}

#[test]
fn a_room_uses_only_rooms_above_it() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("../obsidian-core/src");
    let mut found = Vec::new();
    files(&src, &mut found);
    let mut wrong = Vec::new();
    let mut edges = 0;
    for file in found {
        let inside = file.strip_prefix(&src).unwrap();
        let room = inside
            .components()
            .next()
            .unwrap()
            .as_os_str()
            .to_str()
            .unwrap()
            .trim_end_matches(".rs")
            .to_owned();
        let name = inside.file_stem().unwrap().to_str().unwrap();
        if room == "lib"
            || name.contains("test")
            || inside
                .components()
                .any(|c| c.as_os_str() == "tests" || c.as_os_str() == "values")
        {
            continue;
        }
        let place = ORDER
            .iter()
            .position(|r| *r == room)
            .unwrap_or_else(|| panic!("{room} is no room of ARCHITECTURE"));
        for other in used(&fs::read_to_string(&file).unwrap()) {
            edges += 1;
            if ORDER.iter().position(|r| *r == other).unwrap() > place {
                wrong.push(format!("{} uses {other}", inside.display()));
            }
        }
    }
    assert!(
        edges > 100,
        "only {edges} uses were found: is this test looking at the right folder?"
    );
    assert!(wrong.is_empty(), "{wrong:#?}");
}
