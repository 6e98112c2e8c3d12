//! What editors need of an expansion. They look up what is under the cursor where its token stands for the first time, and that has to be in
//! the function; `.ci/editor` asks rust-analyzer itself.

use proc_macro2::TokenStream;

fn expanded(text: &str) -> String {
    let tokens = text.parse().expect("a module is made of tokens");
    obsidian_expand::kernels(TokenStream::new(), tokens).to_string()
}

fn at(text: &str, what: &str) -> usize {
    text.find(what)
        .unwrap_or_else(|| panic!("`{what}` is not in {text}"))
}

/// A kernel with these words in front of its result.
fn kernel(words: &str) -> String {
    format!(
        "mod m {{ #[kernel(threads = 32)] pub fn k(watched: DPull<EU32>) -> DPush<Grid, EU32> {{ {words} watched.split_up(32).as_grid_map(|run| run.push()) }} \
         pub fn other(run: Pull<EU32>) -> Pull<EU32> {{ run.reverse() }} }}"
    )
}

#[test]
fn a_function_comes_before_what_repeats_its_tokens() {
    let whole = expanded(&kernel(""));
    assert!(!whole.contains("compile_error"));
    assert!(at(&whole, "watched") < at(&whole, "macro_rules"));
    assert!(!whole.contains("or_in_editor"));
}

#[test]
fn a_function_with_a_mistake_has_its_body_for_editors_and_none_for_rustc() {
    // Found by the evaluator, and found while it is read.
    for words in [
        "let _ = watched.split_up(0);",
        "let _ = watched.unfinished;",
    ] {
        let text = expanded(&kernel(words));
        let (either, error) = (at(&text, "or_in_editor"), at(&text, "compile_error"));
        assert!(either < error && error < at(&text, "macro_rules"), "{text}");
        let (stub, whole) = text[either..error]
            .split_once("} { ")
            .expect("there are two forms");
        assert!(stub.contains("unreachable"), "{stub}");
        let own = words.trim_start_matches("let _ = watched.");
        let own = own.split(['(', ';']).next().expect("a name");
        assert!(!stub.contains(own) && whole.contains(own), "{text}");
    }
}
