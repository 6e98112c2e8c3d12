//! The README: the CUDA beside its kernel is that kernel's, and it says of GPUs and of bits what the other first pages say.

#![allow(missing_docs, clippy::unwrap_used)]

use obsidian_tests::random::run::expand;

const README: &str = include_str!("../../../README.md");

/// The text between the first `open` and the next `close`.
fn between(open: &str, close: &str) -> &'static str {
    let (_, rest) = README.split_once(open).unwrap();
    rest.split_once(close).unwrap().0
}

/// The reduction has a hundred lines of text, of which the README shows some.
#[test]
fn the_cuda_of_the_readme_is_of_its_kernel() {
    let kernel = expand(between("pub mod sums {\n", "\n}\n")).unwrap();
    let shown = between("```c\n", "```");
    assert!(kernel.cuda().contains(shown), "{}", kernel.cuda());
    assert!(shown.lines().count() >= 15);
}

#[test]
fn the_readme_is_short() {
    assert!(README.lines().count() < 200);
}

/// A text in one line, without what marks a comment of documentation.
fn words(text: &str) -> String {
    text.split_whitespace()
        .filter(|word| *word != "//!")
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn the_first_pages_say_the_same_of_gpus_and_bits() {
    for page in ["README.md", "obsidian-rt/src/lib.rs", "CHANGELOG.md"] {
        let page = (page, words(&file(page)));
        for sentence in [
            "On an NVIDIA H100, 2,852 checks of kernels, array programs and algorithms found no wrong result; 60 more were not run for want of time.",
            "The only GPUs it targets are NVIDIA's.",
            "Integers and `+ - * /` of floats give the same bits on CUDA, the CPU and the simulator.",
            "`exp`, `ln`, `sin` and their like give the same bits on the CPU and the simulator; CUDA's are within the units in the last place that NVIDIA states.",
        ] {
            assert!(page.1.contains(sentence), "{}: {sentence}", page.0);
        }
    }
}

/// FNV-1a of the file of `obsidian-rt/tests/bits`, whose bits change with a line in the changelog only.
#[test]
fn the_changelog_has_the_fingerprint_of_the_blessed_bits() {
    let bits = file("obsidian-rt/tests/bits/blessed.txt");
    let hash = bits.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    });
    let fingerprint = format!("(fingerprint {hash:016x})");
    assert!(file("CHANGELOG.md").contains(&fingerprint), "{fingerprint}");
}

/// The packages that would be published.
const PACKAGES: [&str; 9] = [
    "obsidian-core",
    "obsidian-core/base",
    "obsidian-core/build",
    "obsidian-core/expand",
    "obsidian-core/front",
    "obsidian-core/language",
    "obsidian-core/toolchain",
    "obsidian-macros",
    "obsidian-rt",
];

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
