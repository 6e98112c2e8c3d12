//! What a message says to write is accepted, in the program that it is said of.
//!
//! A ui case has lines such as ``// Write `x as EF32` in place of `x`.`` at its end. What they say is done here, and the program is expanded again:
//! nothing may be wrong with it any more. Each message of the catalogue that proposes code has such a case.

use std::collections::BTreeSet;

use obsidian_core::error::catalogue::{Message, PAGES};
use obsidian_tests::fuzz::verdict::errors;
use obsidian_tests::proposals::tried_cases;
use proc_macro2::TokenStream;

/// Messages that propose code, of which no case tries it, and why. It only gets shorter.
const UNTRIED: &[(&str, &str)] = &[
    (
        "divide_first",
        "of sequences, whose programs are built while the program runs: `obsidian-rt/tests/sequence/arrays.rs`",
    ),
    ("element_of_other_types", "of programs of any type"),
    (
        "element_too_large",
        "a program that large has a line for each array",
    ),
    ("extent_of_data", "of array programs that are closures"),
    (
        "host_value",
        "a variable of the host is a device value where it is used as one",
    ),
    ("needed_too_often", "a program that large takes long"),
    (
        "not_by_rows",
        "of sequences, whose programs are built while the program runs: `obsidian-rt/tests/sequence/in_chunks.rs`",
    ),
    ("no_order_of_axes", "of array programs that are closures"),
    ("other_rank", "of programs of any rank"),
    ("rounds_of_data", "of array programs that are closures"),
    ("too_many_axes", "of programs of any rank"),
    ("tuned_without_a_path", "a build script reads the file"),
    ("untyped_float", "few floats differ by how they are rounded"),
];

/// What the engine says of the kernels of a program.
fn mistakes(program: &str) -> Vec<String> {
    let file: syn::File = syn::parse_str(program).unwrap_or_else(|e| panic!("{e}: {program}"));
    let expanded = file.items.iter().filter_map(|item| {
        let attributes = match item {
            syn::Item::Mod(item) => &item.attrs,
            syn::Item::Fn(item) => &item.attrs,
            _ => return None,
        };
        let own = attributes
            .iter()
            .find(|a| a.path().is_ident("kernels") || a.path().is_ident("kernel"))?;
        let arguments = match &own.meta {
            syn::Meta::List(list) => list.tokens.clone(),
            _ => TokenStream::new(),
        };
        let mut item = item.clone();
        let expand = match &mut item {
            syn::Item::Mod(item) => {
                item.attrs.retain(|a| !a.path().is_ident("kernels"));
                obsidian_expand::kernels
            }
            syn::Item::Fn(item) => {
                item.attrs.retain(|a| !a.path().is_ident("kernel"));
                obsidian_expand::kernel
            }
            _ => return None,
        };
        Some(errors(expand(arguments, quote::quote!(#item))))
    });
    expanded.flatten().map(|(message, _)| message).collect()
}

#[test]
fn what_a_message_proposes_is_accepted_in_its_program() {
    let mut wrong = Vec::new();
    for case in tried_cases() {
        let found = mistakes(&case.text);
        if !found.is_empty() {
            wrong.push(format!("{}: {}", case.file.display(), found.join("\n")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(
        tried_cases().len() >= 50,
        "{} proposals",
        tried_cases().len()
    );
}

/// The string literals in a piece of Rust.
fn literals(rust: &str) -> Vec<String> {
    fn collect(tokens: TokenStream, found: &mut Vec<String>) {
        for token in tokens {
            match token {
                proc_macro2::TokenTree::Group(group) => collect(group.stream(), found),
                token => {
                    let text = syn::parse2::<syn::LitStr>(token.into());
                    found.extend(text.map(|text| text.value()));
                }
            }
        }
    }
    let mut found = Vec::new();
    collect(rust.parse().expect("the catalogue is Rust"), &mut found);
    found
}

/// The fixed parts of a format string.
fn parts(format: &str) -> impl Iterator<Item = &str> {
    let pieces = format.split('{').enumerate();
    pieces.map(|(n, part)| match n {
        0 => part,
        _ => part.split_once('}').map_or("", |(_, rest)| rest),
    })
}

/// Has a format string words of its own?
fn has_words(format: &str) -> bool {
    parts(format).map(str::len).sum::<usize>() > 8
}

/// Does a line have the parts of a format string, in order?
fn is_made_of(line: &str, format: &str) -> bool {
    let mut rest = line;
    parts(format).all(|part| match rest.find(part) {
        Some(at) => {
            rest = &rest[at + part.len()..];
            true
        }
        None => false,
    })
}

/// Is a part of a note code that one could write?
fn proposes_code(message: &Message) -> bool {
    let notes = message.notes.iter().flat_map(|note| literals(note));
    let quoted = notes.flat_map(|note| {
        note.split('`')
            .skip(1)
            .step_by(2)
            .map(str::to_owned)
            .collect::<Vec<_>>()
    });
    quoted
        .into_iter()
        .any(|code| code.contains(['(', '[', '.', ' ', '<', '#']))
}

#[test]
fn every_message_with_a_proposal_has_a_case_that_tries_it() {
    let tried = tried_cases();
    let said: Vec<&str> = tried.iter().flat_map(|case| case.said.lines()).collect();
    let mut untried = BTreeSet::new();
    for error in PAGES.iter().flat_map(|page| page.errors) {
        for message in error
            .messages
            .iter()
            .filter(|message| proposes_code(message))
        {
            let formats = literals(message.text);
            let formats: Vec<_> = formats.iter().filter(|format| has_words(format)).collect();
            let is_said = |line: &&str| match formats.as_slice() {
                // Its words are an argument.
                [] => line.ends_with(&format!("[{}]", error.id)),
                formats => formats.iter().any(|format| is_made_of(line, format)),
            };
            if !said.iter().any(is_said) {
                untried.insert(message.name);
            }
        }
    }
    let listed: BTreeSet<&str> = UNTRIED.iter().map(|(name, _)| *name).collect();
    let missing: Vec<_> = untried.difference(&listed).collect();
    assert!(
        missing.is_empty(),
        "no case tries what these say: {missing:?}"
    );
    let stale: Vec<_> = listed.difference(&untried).collect();
    assert!(stale.is_empty(), "these are tried: {stale:?}");
}
