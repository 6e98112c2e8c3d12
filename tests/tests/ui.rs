//! What the compiler says about a mistake: a folder for each diagnostic, called by its id (`rustc` for those that the types give), in it one
//! file for each mistake, named after it, and beside it what is printed.
//!
//! `TRYBUILD=overwrite cargo test -p obsidian-tests --test ui -- --ignored` writes the outputs anew; read them before you keep them.

use std::fs;
use std::path::Path;

use obsidian_core::expand::{kernel, kernels};
use obsidian_tests::proposals::one_program;

#[test]
#[ignore = "long, it builds the library once more: .ci/run runs it"]
fn every_mistake_is_reported_once_and_in_the_users_words() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/*/*.rs");
    // What messages propose, which rustc has to accept too: the cases with it in place are modules of one program.
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("proposals.rs");
    fs::write(&program, one_program()).expect("temporary files can be written");
    cases.pass(program);
}

/// Arguments and items that no one would write.
const BROKEN: &[(&str, &str)] = &[
    ("", ""),
    (",", "mod m {}"),
    ("threads", "fn f() {}"),
    ("threads = ", "fn f() {}"),
    ("threads = -1", "fn f() {}"),
    ("threads = 99999999999999999999", "fn f() {}"),
    ("threads = 1.5", "fn f() {}"),
    ("threads = []", "fn f() {}"),
    (
        "n = [1, [2]]",
        "fn f(n: u32, x: DPull<EI32>) -> DPush<Grid, EI32> { x.push() }",
    ),
    (
        "n = -[1], n = --1",
        "fn f(n: i8, x: DPull<EI32>) -> DPush<Grid, EI32> { x.push() }",
    ),
    ("tuned = 3, tuned", "fn f(n: u32) {}"),
    ("a::n = 3", "fn f(n: u32) {}"),
    ("crate", "mod m {}"),
    ("crate = ", "mod m {}"),
    ("= = { } [", "mod m {}"),
    ("", "mod"),
    ("", "mod m"),
    ("", "mod m;"),
    ("", "mod m { fn }"),
    ("", "mod m { #[kernel] fn f(); }"),
    ("", "mod m { #[kernel(] ) fn f() {} }"),
    ("", "mod m { #[kernel] struct S; }"),
    ("", "mod m { #[kernel = 3] fn f() {} }"),
    ("", "mod m { #[kernel] fn f() {} #[kernel] fn f() {} }"),
    ("", "mod m { #[kernel] fn f(self) -> DPush<Grid, EI32> {} }"),
    (
        "",
        "mod m { #[kernel] fn f(_: DPull<EI32>) -> DPush<Grid, EI32> {} }",
    ),
    (
        "",
        "mod m { #[kernel] fn f((a, b): DPull<EI32>) -> DPush<Grid, EI32> { a } }",
    ),
    ("", "mod m { #[kernel] fn f() -> DPush<Grid> { } }"),
    ("", "mod m { #[kernel] fn f() -> Push { } }"),
    ("", "mod m { #[kernel] fn f() -> DPush<Grid, ()> { f() } }"),
    (
        "",
        "mod m { #[kernel] fn f() -> DPush<Grid, EI32> { return; break; continue; } }",
    ),
    (
        "",
        "mod m { const C: u32 = C; #[kernel] fn f() -> DPush<Grid, EI32> { C } }",
    ),
    ("", "mod m { const C: u32 = 1 / 0; }"),
    (
        "",
        "mod m { #[kernel] fn r#loop(r#fn: DPull<EI32>) -> DPush<Grid, EI32> { r#fn } }",
    ),
    (
        "",
        "mod m { fn f(x: [[[(); 0]; 0]; 0]) { let (((_))) = x; } }",
    ),
    (
        "",
        "mod m { macro_rules! x { () => {} } extern crate core; type T = u32; static S: u32 = 1; union U { x: u32 } }",
    ),
    ("", "struct S { x: u32 }"),
    ("", "impl S { fn f(&self) {} }"),
    ("", "fn f(&self) {}"),
    ("", "fn f<'a, const N: usize>(x: &'a u32) -> impl Sized {}"),
    ("", "} {"),
    ("", "\"text\" 'c' 1.0e300 \u{1F600}"),
];

#[test]
fn broken_tokens_are_errors_and_never_a_panic() {
    for (arguments, item) in BROKEN {
        // What is no token stream at all never reaches a macro.
        if let (Ok(arguments), Ok(item)) = (arguments.parse(), item.parse()) {
            let (a, b) = (
                kernels(Clone::clone(&arguments), Clone::clone(&item)),
                kernel(arguments, item),
            );
            println!("{}\n{}", a, b);
        }
    }
}
