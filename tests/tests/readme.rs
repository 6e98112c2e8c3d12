//! The first screen of the README: the CUDA beside its kernel is that kernel's.

#![allow(missing_docs, clippy::unwrap_used)]

use obsidian_tests::random::run::expand;

const README: &str = include_str!("../../README.md");

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

#[test]
fn the_first_screen_says_what_was_seen_on_a_gpu_and_what_is_slower_than_its_peer() {
    let first: Vec<&str> = README.lines().take(15).collect();
    let first = first.join(" ");
    for words in [
        "On an NVIDIA H200",
        "a sort 13 to 21 times as long",
        "The only GPUs it targets are NVIDIA's",
    ] {
        assert!(first.contains(words), "{words}");
    }
}
