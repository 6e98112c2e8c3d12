//! Issue 16, "must show": a dropped `?` anywhere in a kernel's text is an error of the engine, in
//! the kernels of this repository and in random programs.
//!
//! All of them: `OBSIDIAN_FULL=1 cargo test --release -p obsidian-tests --test changed_texts --
//! --nocapture`; an ordinary run takes some.

#![allow(missing_docs, clippy::unwrap_used)]

use std::collections::BTreeMap;

use obsidian_tests::fuzz::seeds::pieces;
use obsidian_tests::fuzz::verdict::{Answer, judge};
use obsidian_tests::random::generate::generate;
use obsidian_tests::sweep::full;
use proc_macro2::{TokenStream, TokenTree};

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

/// Modules of one kernel each that the engine takes: those of the repository, and random ones.
fn texts() -> Vec<String> {
    let random = if full() { 2_000 } else { 60 };
    let random = (0..random).map(|seed| format!("pub mod m {{ {} }}", generate(seed).text()));
    let all = pieces().into_iter().chain(random);
    let every = if full() { 1 } else { 7 };
    all.filter(|text| text.contains('?'))
        .enumerate()
        .filter_map(|(n, text)| (n % every == 0).then_some(text))
        .filter(|text| judge(text) == Ok(Answer::Code))
        .collect()
}

#[test]
fn a_dropped_question_mark_is_always_an_error() {
    let (mut dropped, mut by_id, mut accepted) = (0, BTreeMap::<String, u32>::new(), Vec::new());
    let texts = texts();
    for text in &texts {
        let mut places = Vec::new();
        proc_macro2::extra::invalidate_current_thread_spans();
        question_marks(text.parse().unwrap(), &mut places);
        // The spans of a first text begin at some offset.
        let first = places.first().map_or(0, |at| at - text.find('?').unwrap());
        for at in places {
            let changed = without(text, at - first);
            dropped += 1;
            match judge(&changed).unwrap() {
                Answer::Errors(list) => {
                    let id = list[0].lines().next().unwrap_or_default();
                    let id = id.rsplit_once(" [").map_or("other", |(_, id)| id);
                    *by_id.entry(id.trim_end_matches(']').to_owned()).or_default() += 1;
                }
                _ => accepted.push(changed),
            }
        }
    }
    println!(
        "{dropped} dropped in {} texts, {} accepted, the errors: {by_id:#?}",
        texts.len(),
        accepted.len()
    );
    assert!(dropped >= 100, "{dropped}");
    assert!(accepted.is_empty(), "{}", accepted.join("\n\n"));
}
