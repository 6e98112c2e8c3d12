//! What the compiler says about a mistake: one file for each mistake, named after it, and beside it what is printed.
//!
//! `TRYBUILD=overwrite cargo test -p obsidian-tests --test ui` writes the outputs anew; read them before you keep them.

#[test]
fn every_mistake_is_reported_once_and_in_the_users_words() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
