//! What the compiler says about a mistake: a folder for each diagnostic, called by its id (`rustc` for those that the types give), in it one
//! file for each mistake, named after it, and beside it what is printed.
//!
//! Of most of them the macro alone, called from here, says what is printed, at the same places; of these rustc is given a sample, and all with `OBSIDIAN_LONG=1`.
//!
//! `TRYBUILD=overwrite cargo test -p obsidian-tests --test ui -- --ignored` writes the outputs anew; read them before you keep them.

use std::fs;
use std::path::{Path, PathBuf};

use obsidian_expand::{kernel, kernels};
use obsidian_tests::fuzz::seeds::files;
use obsidian_tests::fuzz::verdict::errors;
use obsidian_tests::proposals::one_program;
use quote::ToTokens;

/// For most cases the macro, called from here, already says just what rustc prints: of those, rustc is given one of this number.
const SAMPLE: usize = 6;

#[test]
#[ignore = "long, it builds the library once more: .ci/run runs it"]
fn every_mistake_is_reported_once_and_in_the_users_words() {
    let cases = trybuild::TestCases::new();
    let all = ["OBSIDIAN_LONG", "TRYBUILD"]
        .iter()
        .any(|name| std::env::var_os(name).is_some())
        || std::env::args().any(|word| word.starts_with("trybuild="));
    if all {
        cases.compile_fail("tests/ui/*/*.rs");
    } else {
        let files = files("tests/tests/ui");
        let (known, others): (Vec<_>, Vec<_>) =
            files.iter().partition(|file| says_what_is_printed(file));
        println!(
            "{} cases by the macro alone, but every {SAMPLE}th; {} by rustc",
            known.len(),
            others.len()
        );
        for file in known.iter().step_by(SAMPLE).chain(&others) {
            // As the outputs name it.
            let inside = file.iter().rev().take(2).collect::<Vec<_>>();
            let names = inside.into_iter().rev();
            cases.compile_fail(names.fold(PathBuf::from("tests/ui"), |path, name| path.join(name)));
        }
    }
    // What messages propose, which rustc has to accept too: the cases with it in place are modules of one program.
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("proposals.rs");
    fs::write(&program, one_program()).expect("temporary files can be written");
    cases.pass(program);
}

/// An error: its text without indents, its line and its column.
type Said = (String, usize, usize);

/// What the macro says of the modules of a file; none if that is not all that rustc would look at.
fn said_by_the_macro(file: &Path) -> Option<Vec<Said>> {
    let parsed = syn::parse_file(&fs::read_to_string(file).ok()?).ok()?;
    let mut said = Vec::new();
    for item in parsed.items {
        let syn::Item::Mod(mut module) = item else {
            continue;
        };
        let is_ours = |attribute: &syn::Attribute| attribute.path().is_ident("kernels");
        let place = module.attrs.iter().position(is_ours)?;
        let arguments = match module.attrs.remove(place).meta {
            syn::Meta::List(list) => list.tokens,
            _ => proc_macro2::TokenStream::new(),
        };
        for (text, span) in errors(kernels(arguments, module.into_token_stream())) {
            let start = span.start();
            said.push((without_indents(&text), start.line, start.column + 1));
        }
    }
    Some(said)
}

fn without_indents(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    lines.join("\n")
}

/// What a file with output says; none if something in it is not of the macro.
fn said_by_rustc(output: &str) -> Option<Vec<Said>> {
    let mut said = Vec::new();
    for part in output.split("\n\n").filter(|part| !part.trim().is_empty()) {
        let (text, places) = part.strip_prefix("error: ")?.split_once("--> ")?;
        let place = places.lines().next()?;
        let mut numbers = place.rsplit(':').map(str::parse::<usize>);
        let (column, line) = (numbers.next()?.ok()?, numbers.next()?.ok()?);
        said.push((without_indents(text.trim_end()), line, column));
    }
    Some(said)
}

/// Does the macro alone say just what stands in the file beside a case?
fn says_what_is_printed(file: &Path) -> bool {
    let output = fs::read_to_string(file.with_extension("stderr")).unwrap_or_default();
    let sorted = |said: Option<Vec<Said>>| {
        let mut said = said?;
        said.sort();
        Some(said)
    };
    let printed = sorted(said_by_rustc(&output));
    printed.is_some() && printed == sorted(said_by_the_macro(file))
}

#[test]
fn most_cases_are_of_the_macro_alone() {
    let files = files("tests/tests/ui");
    let known = files
        .iter()
        .filter(|file| says_what_is_printed(file))
        .count();
    assert!(known * 10 > files.len() * 8, "{known} of {}", files.len());
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
