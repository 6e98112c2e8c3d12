//! The first screen of the README: the CUDA beside its kernel is that kernel's.

#![allow(missing_docs, clippy::unwrap_used)]

use obsidian_tests::random::run::expand;

const README: &str = include_str!("../../../README.md");

/// The text between the first `open` and the next `close`.
fn between(open: &str, close: &str) -> &'static str {
    let (_, rest) = README.split_once(open).unwrap();
    rest.split_once(close).unwrap().0
}

#[test]
fn the_cuda_of_the_readme_is_that_of_its_kernel() {
    let kernel = expand(between("pub mod vectors {\n", "\n}\n")).unwrap();
    assert_eq!(kernel.cuda().trim(), between("```c\n", "```").trim());
}

/// The packages that would be published.
const PACKAGES: [&str; 3] = ["obsidian-core", "obsidian-macros", "obsidian-rt"];

/// A file of the repository.
fn file(path: &str) -> String {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    std::fs::read_to_string(root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn each_package_has_the_licences_of_the_repository() {
    for package in PACKAGES {
        for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
            assert_eq!(
                file(&format!("{package}/{licence}")),
                file(licence),
                "{package}/{licence}"
            );
        }
    }
}

#[test]
fn the_readme_of_the_runtime_names_its_features() {
    let manifest = file("obsidian-rt/Cargo.toml");
    let (_, features) = manifest.split_once("[features]\n").unwrap();
    let (features, _) = features.split_once("\n[").unwrap();
    let readme = file("obsidian-rt/README.md");
    for line in features.lines().filter(|line| !line.starts_with('#')) {
        let (name, _) = line.split_once(" = ").unwrap_or(("", ""));
        let is_named =
            name.is_empty() || name == "default" || readme.contains(&format!("`{name}`"));
        assert!(is_named, "{name}");
    }
    assert!(features.contains("default = [\"cuda\"]"));
}
