//! Issue 16, "must show": in a kernel's text a dropped `?` is always an error of the engine, and a
//! literal of the wrong kind that is not cast is an error of the engine or of rustc's, or gives the
//! same CUDA text; in the kernels of this repository and in random programs.
//!
//! All of them: `OBSIDIAN_FULL=1 cargo test --release -p obsidian-tests --test changed_texts --
//! --nocapture`; an ordinary run takes some of the random ones, and some of the literals.

#![allow(missing_docs, clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use obsidian_core::emit;
use obsidian_expand::compile_items_with;
use obsidian_tests::fuzz::seeds::pieces;
use obsidian_tests::fuzz::verdict::{Answer, judge};
use obsidian_tests::program::compile;
use obsidian_tests::random::generate::generate;
use obsidian_tests::sweep::{full, long};
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::Item;

/// The places of each `?` that runs a program, as bytes.
fn question_marks(tokens: TokenStream, found: &mut Vec<usize>) {
    let list: Vec<TokenTree> = tokens.into_iter().collect();
    for (n, token) in list.iter().enumerate() {
        match token {
            TokenTree::Punct(p) if p.as_char() == '?' => {
                // `?Sized` is a bound.
                let next = list.get(n + 1).map(ToString::to_string);
                if next.as_deref() != Some("Sized") {
                    found.push(p.span().byte_range().start);
                }
            }
            TokenTree::Group(group) => question_marks(group.stream(), found),
            _ => {}
        }
    }
}

/// A text with the token at a byte left out.
fn without(text: &str, at: usize) -> String {
    format!("{} {}", &text[..at], &text[at + 1..])
}

/// What `find` finds in the functions of a module that its kernels call, as bytes of the text. The
/// others are no part of a kernel, and rustc's lints see them.
fn reached(text: &str, find: fn(TokenStream, &mut Vec<usize>)) -> Vec<usize> {
    proc_macro2::extra::invalidate_current_thread_spans();
    let tokens: TokenStream = text.parse().unwrap();
    let first = tokens.clone().into_iter().next().unwrap();
    let start = first.span().byte_range().start;
    let module: syn::ItemMod = syn::parse2(tokens).unwrap();
    let items = module.content.unwrap().1;
    let compiled = compile_items_with(&items, &|_, limits| limits.into()).unwrap();
    let called: BTreeSet<u32> = compiled
        .kernels
        .iter()
        .flat_map(|kernel| kernel.reached.iter().copied())
        .collect();
    let functions = items.iter().filter_map(|item| match item {
        Item::Fn(function) => Some(&function.block),
        _ => None,
    });
    let mut found = Vec::new();
    for (n, body) in functions.enumerate() {
        if called.contains(&(n as u32)) {
            find(body.to_token_stream(), &mut found);
        }
    }
    found.iter().map(|at| at - start).collect()
}

/// Without the switches it is each eighth text.
fn part() -> usize {
    if long() { 1 } else { 8 }
}

/// Modules of one kernel each that the engine takes: those of the repository, and random ones.
fn texts() -> Vec<String> {
    let random = if full() { 2_000 } else { 100 };
    let random = (0..random).map(|seed| format!("pub mod m {{ {} }}", generate(seed).text()));
    let all = pieces().into_iter().chain(random).step_by(part());
    all.filter(|text| judge(text) == Ok(Answer::Code)).collect()
}

#[test]
fn a_dropped_question_mark_is_always_an_error() {
    let (mut dropped, mut by_id, mut accepted) = (0, BTreeMap::<String, u32>::new(), Vec::new());
    let texts = texts();
    for text in &texts {
        for at in reached(text, question_marks) {
            let changed = without(text, at);
            dropped += 1;
            match judge(&changed).unwrap() {
                Answer::Errors(list) => {
                    let id = list[0].lines().next().unwrap_or_default();
                    let id = id.rsplit_once(" [").map_or("other", |(_, id)| id);
                    *by_id
                        .entry(id.trim_end_matches(']').to_owned())
                        .or_default() += 1;
                }
                _ => accepted.push(changed),
            }
        }
    }
    println!(
        "{dropped} dropped in {} texts, {} left to rustc, the errors: {by_id:#?}",
        texts.len(),
        accepted.len()
    );
    // Code of closures that nothing calls is for rustc alone: a program has no elements.
    let taken = taken_by_rustc(&accepted);
    assert!(taken.is_empty(), "{}", taken.join("\n\n"));
    assert!(dropped >= 300 / part(), "{dropped}");
}

/// `lit(x)` has the type that `x` says. Where only a cast uses the value, each type is right.
const OWN_TYPE: &str = " in lit(..)";

/// The literals of a function, as bytes, without the fields of tuples.
fn literals(tokens: TokenStream, found: &mut Vec<usize>) {
    let mut before = String::new();
    for token in tokens {
        match &token {
            TokenTree::Literal(literal) if before != "." => {
                found.push(literal.span().byte_range().start);
            }
            TokenTree::Group(group) => literals(group.stream(), found),
            _ => {}
        }
        before = token.to_string();
    }
}

/// Literals of other kinds than one: an integer as a float and a boolean, a float as an integer,
/// other suffixes.
fn of_other_kinds(literal: &str) -> Vec<String> {
    let digits = literal.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '_');
    let (number, suffix) = literal.split_at(literal.len() - digits.len());
    let is_float = number.contains('.') || digits.starts_with('f');
    let whole = number.split('.').next().unwrap_or("1");
    let list: &[String] = &match (suffix, is_float) {
        ("", false) => vec![format!("{number}.0"), "true".to_owned()],
        ("", true) => vec![whole.to_owned(), "true".to_owned()],
        ("f32", _) => vec![format!("{number}f64"), format!("{whole}i32")],
        ("f64", _) => vec![format!("{number}f32"), format!("{whole}u32")],
        ("u32", _) => vec![format!("{number}i32"), format!("{number}.0f32")],
        ("i32", _) => vec![format!("{number}u32"), format!("{number}.0f32")],
        ("u8" | "u16" | "u64" | "i8" | "i16" | "i64" | "usize", _) => {
            vec![format!("{number}i32"), format!("{number}.0f64")]
        }
        _ => Vec::new(),
    };
    list.to_vec()
}

/// The end of a literal that begins at a byte.
fn end_of(text: &str, at: usize) -> usize {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let rest = &text[at..];
    let mut end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
    let after = rest[end..].strip_prefix('.');
    if let Some(after) = after.filter(|after| after.starts_with(|c: char| c.is_ascii_digit())) {
        end += 1 + after.find(|c| !is_part(c)).unwrap_or(after.len());
    }
    at + end
}

/// The CUDA text of a module's kernels, if the engine takes it.
fn cuda(text: &str) -> Option<String> {
    proc_macro2::extra::invalidate_current_thread_spans();
    let module: syn::ItemMod = syn::parse_str(text).ok()?;
    let items = module.content?.1;
    let compiled = compile_items_with(&items, &|_, limits| limits.into()).ok()?;
    if !compiled.located_mistakes().is_empty() {
        return None;
    }
    Some(
        compiled
            .plans()
            .map(|(_, plan, _)| emit::cuda(plan))
            .collect(),
    )
}

/// The modules of a list in which rustc finds nothing wrong, though the engine takes them.
fn taken_by_rustc(list: &[String]) -> Vec<String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("changed-texts");
    fs::create_dir_all(&folder).unwrap();
    let source = folder.join("batch.rs");
    // Each module is one line, so that the line of an error is the number of the module.
    let mut text = String::from("#![allow(warnings)] fn main() {}\n");
    for (n, module) in list.iter().enumerate() {
        let module = module
            .replace("pub mod m", &format!("pub mod m{n}"))
            .replace('\n', " ");
        text += "#[obsidian_tests::obsidian_rt::kernels(crate = ::obsidian_tests::obsidian_rt)] ";
        text += &module;
        text.push('\n');
    }
    fs::write(&source, text).unwrap();
    let said = match compile(&source, None) {
        Ok(_) => String::new(),
        Err(said) => said,
    };
    let lines: BTreeSet<usize> = said
        .split("batch.rs:")
        .skip(1)
        .filter_map(|rest| rest.split(':').next()?.parse().ok())
        .collect();
    let fine = list.iter().enumerate();
    fine.filter(|(n, _)| !lines.contains(&(n + 2)))
        .map(|(_, module)| module.clone())
        .collect()
}

#[test]
fn a_literal_of_the_wrong_kind_is_an_error_or_makes_no_difference() {
    let (mut changed, mut refused, mut same, mut other) = (0, 0, 0, Vec::new());
    let every = if full() { 1 } else { 5 };
    for text in texts() {
        let original = cuda(&text).unwrap();
        for at in reached(&text, literals)
            .into_iter()
            .skip(text.len() % every)
            .step_by(every)
        {
            let end = end_of(&text, at);
            // A cast takes a literal of any kind, and gives the one that is wanted.
            let after = text[end..].trim_start_matches([' ', ')']);
            if after.starts_with("as ") {
                continue;
            }
            for literal in of_other_kinds(&text[at..end]) {
                let (before, after) = (&text[..at], &text[end..]);
                let own = if before.trim_end_matches('-').ends_with("lit(") {
                    OWN_TYPE
                } else {
                    ""
                };
                let words = format!("/* {} is now {literal}{own} */", &text[at..end]);
                let text = format!("{before}{literal}{after} {words}");
                changed += 1;
                match cuda(&text) {
                    None => refused += 1,
                    Some(found) if found == original => same += 1,
                    Some(_) => other.push(text),
                }
            }
        }
    }
    let sample: Vec<String> = other
        .iter()
        .take(if full() { 2_000 } else { 60 })
        .cloned()
        .collect();
    let mut taken = taken_by_rustc(&sample);
    taken.retain(|text| !text.contains(OWN_TYPE));
    println!(
        "{changed} literals changed: {refused} refused by the engine, {same} make no difference, of {} others {} are taken by rustc",
        other.len(),
        taken.len()
    );
    assert!(taken.is_empty(), "{}", taken.join("\n\n"));
    assert!(
        changed >= 200 / part() && refused * 2 >= changed,
        "{refused} of {changed}"
    );
}
