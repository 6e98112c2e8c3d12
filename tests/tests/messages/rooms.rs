//! The rooms of `obsidian-core` and `obsidian-language`: each uses only rooms that stand above it in ARCHITECTURE. In `plan`
//! the same holds of its parts, by the table in `plan/mod.rs`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const ORDER: &[&str] = &[
    "hashed", "error", "scalar", "ir", "program", "array", "library", "reify", "lower", "plan",
    "simulate", "emit", "pipeline", "arrays",
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

/// The code of a file: without comments, and without what is for tests alone.
fn code(text: &str) -> String {
    let mut code = String::new();
    let mut lines = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    while let Some(line) = lines.next() {
        if line.trim_start() != "#[cfg(test)]" {
            code += line;
            code += "\n";
            continue;
        }
        // The item goes on to its `;`, or to the bracket at the beginning of its line.
        let depth = line.len() - line.trim_start().len();
        let ends = |line: &str| {
            line.len() > depth
                && line[..depth].trim().is_empty()
                && (line[depth..] == *"}" || line[depth..].starts_with("} "))
        };
        let mut is_first = true;
        for line in lines.by_ref() {
            let is_attribute = line.trim_start().starts_with("#[");
            if ends(line) || (is_first && !is_attribute && line.trim_end().ends_with(';')) {
                break;
            }
            is_first &= is_attribute;
        }
    }
    code
}

/// The names that stand directly behind a path in code, in `path::{..}` too.
fn behind(code: &str, path: &str) -> BTreeSet<String> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let mut names = BTreeSet::new();
    for (at, _) in code.match_indices(path) {
        if code[..at].ends_with(|c: char| is_name(c) || c == ':') {
            continue;
        }
        let rest = &code[at + path.len()..];
        let Some(list) = rest.strip_prefix('{') else {
            names.insert(rest.chars().take_while(|c| is_name(*c)).collect());
            continue;
        };
        let (mut depth, mut name) = (0, String::new());
        for c in list.chars() {
            match c {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                c if is_name(c) && depth == 0 => name.push(c),
                ':' if depth == 0 && !name.is_empty() => {
                    names.insert(std::mem::take(&mut name));
                    depth = 0;
                }
                ',' if depth == 0 => drop(names.insert(std::mem::take(&mut name))),
                _ => {}
            }
        }
        names.insert(name);
    }
    names
}

/// The rooms that a file names by `crate::room`, outside of its tests.
fn used(text: &str) -> BTreeSet<String> {
    let names = behind(&code(text), "crate::").into_iter();
    names
        .filter(|name| ORDER.contains(&name.as_str()))
        .collect()
}

/// The parts of `plan`, from the top of the table in `plan/mod.rs`.
const PLAN: &[&str] = &[
    "limits",
    "layout",
    "pattern",
    "analysis",
    "check",
    "launch_requirements",
    "cut",
    "lowering",
    "whole_tiles",
    "virtualise",
    "shared_layout",
    "dead_loads",
    "barriers",
    "placement",
    "simplify",
    "wide",
    "planned",
    "interface",
    "testing",
];

#[test]
fn a_part_of_plan_uses_only_parts_above_it() {
    let plan = Path::new(env!("CARGO_MANIFEST_DIR")).join("../obsidian-core/src/plan");
    let table: Vec<String> = fs::read_to_string(plan.join("mod.rs"))
        .unwrap()
        .lines()
        .filter_map(|line| line.strip_prefix("//! | `"))
        .flat_map(|row| row.split('|').next().unwrap_or_default().split(", "))
        .map(|name| name.trim_matches(|c| c == '`' || c == ' ').to_owned())
        .collect();
    assert_eq!(table, PLAN, "the table in plan/mod.rs");
    let mut found = Vec::new();
    files(&plan, &mut found);
    let (mut wrong, mut edges) = (Vec::new(), 0);
    for file in found {
        let inside = file.strip_prefix(&plan).unwrap();
        let parts: Vec<&str> = inside.iter().map(|part| part.to_str().unwrap()).collect();
        let part = parts[0].trim_end_matches(".rs");
        if part == "mod" || parts.iter().any(|part| part.starts_with("tests")) {
            continue;
        }
        let place = PLAN
            .iter()
            .position(|known| *known == part)
            .unwrap_or_else(|| panic!("{part} is no part of plan"));
        let code = code(&fs::read_to_string(&file).unwrap());
        let mut names = behind(&code, "crate::plan::");
        names.extend(behind(&code, &"super::".repeat(parts.len())));
        // What `mod.rs` hands on has no place of its own.
        names.retain(|name| name.starts_with(char::is_lowercase));
        for other in names {
            let Some(above) = PLAN.iter().position(|known| *known == other) else {
                continue;
            };
            edges += 1;
            if above > place {
                wrong.push(format!("{} uses {other}", inside.display()));
            }
        }
    }
    assert!(edges > 15, "only {edges} uses were found");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_room_uses_only_rooms_above_it() {
    let core = Path::new(env!("CARGO_MANIFEST_DIR")).join("../obsidian-core");
    let crates = [core.join("src"), core.join("language/src")];
    let mut found = Vec::new();
    for src in &crates {
        files(src, &mut found);
    }
    let mut wrong = Vec::new();
    let mut edges = 0;
    for file in found {
        let mut inside = crates.iter().filter_map(|src| file.strip_prefix(src).ok());
        let inside = inside.next().unwrap();
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
