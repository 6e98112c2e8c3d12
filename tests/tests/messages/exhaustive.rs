//! What a new statement, node, element type or collective is told to by the compiler: a `match` over one of these enums with an arm for the rest stays silent, and so does
//! `matches!`. How many there are may only become fewer, and is written here.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use obsidian_tests::fuzz::seeds::files;
use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The enums, and how many silent places there are beside those of [`LISTED`].
const KNOWN: [(&str, usize); 5] = [
    ("Statement", 106),
    // The questions whether it is a loop, leaves one, or is evaluated behind its head, and whether a list has shuffles.
    ("Effect", 4),
    ("Node", 151),
    ("ScalarType", 0),
    ("Collective", 0),
];

/// The files with a place that may be silent, and why.
const LISTED: [(&str, &str, &str); 2] = [
    (
        "ScalarType",
        "obsidian-core/src/simulate/evaluate.rs",
        "faster ways for the types that most kernels compute with; all others go the way behind it",
    ),
    (
        "ScalarType",
        "obsidian-rt/src/backend/columns/operators.rs",
        "divisions of 32 bits in a faster way; all others go the way behind it",
    ),
];

/// Is it a name?
fn is_ident(token: Option<&TokenTree>, name: &str) -> bool {
    matches!(token, Some(TokenTree::Ident(ident)) if ident == name)
}

fn is_punct(token: Option<&TokenTree>, c: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == c)
}

/// A pattern without its guard, which compares, as `==` does elsewhere; unless there are patterns in it.
fn unguarded(pattern: &[TokenTree]) -> &[TokenTree] {
    let guard = pattern.iter().position(|token| is_ident(Some(token), "if"));
    let (own, guard) = pattern.split_at(guard.unwrap_or(pattern.len()));
    match guard.iter().any(|token| is_ident(Some(token), "let")) {
        true => pattern,
        false => own,
    }
}

/// The enum whose variants a pattern names, also in what stands in brackets.
fn named(pattern: &[TokenTree]) -> Option<&'static str> {
    pattern.iter().enumerate().find_map(|(n, token)| {
        if let TokenTree::Group(group) = token {
            return named(&group.stream().into_iter().collect::<Vec<_>>());
        }
        let own = KNOWN.iter().find(|(name, _)| is_ident(Some(token), name))?;
        is_punct(pattern.get(n + 1), ':').then_some(own.0)
    })
}

/// The patterns of the arms of a `match`.
fn patterns(body: TokenStream) -> Vec<Vec<TokenTree>> {
    let tokens: Vec<TokenTree> = body.into_iter().collect();
    let (mut all, mut rest) = (Vec::new(), tokens.as_slice());
    while !rest.is_empty() {
        let arrow =
            (0..rest.len()).find(|n| is_punct(rest.get(*n), '=') && is_punct(rest.get(n + 1), '>'));
        let Some(arrow) = arrow else { break };
        let (pattern, value) = rest.split_at(arrow);
        all.push(pattern.to_vec());
        let value = value.get(2..).unwrap_or_default();
        // A block ends an arm, and so does a comma.
        let is_block = matches!(value.first(), Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace)
            && !is_punct(value.get(1), '.')
            && !is_punct(value.get(1), '?');
        let end = match is_block {
            true => 1,
            false => value
                .iter()
                .position(|token| is_punct(Some(token), ','))
                .unwrap_or(value.len()),
        };
        rest = value.get(end..).unwrap_or_default();
        if is_punct(rest.first(), ',') {
            rest = rest.get(1..).unwrap_or_default();
        }
    }
    all
}

/// Does a pattern take everything?
fn takes_all(pattern: &[TokenTree]) -> bool {
    match pattern {
        [TokenTree::Ident(ident)] => {
            let name = ident.to_string();
            name == "_" || name.starts_with(|c: char| c.is_ascii_lowercase())
        }
        _ => false,
    }
}

/// The silent places in some tokens: the enum, and the line.
fn silent(tokens: TokenStream, found: &mut Vec<(&'static str, usize)>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (n, token) in tokens.iter().enumerate() {
        let line = token.span().start().line;
        if is_ident(Some(token), "match") {
            let body =
                tokens
                    .get(n + 1..)
                    .unwrap_or_default()
                    .iter()
                    .find_map(|token| match token {
                        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                            Some(group.stream())
                        }
                        _ => None,
                    });
            let patterns = body.map(patterns).unwrap_or_default();
            let name = patterns
                .iter()
                .find_map(|pattern| named(unguarded(pattern)));
            if let Some(name) = name.filter(|_| patterns.iter().any(|pattern| takes_all(pattern))) {
                found.push((name, line));
            }
        }
        if is_ident(Some(token), "matches")
            && is_punct(tokens.get(n + 1), '!')
            && let Some(TokenTree::Group(group)) = tokens.get(n + 2)
            && let Some(name) = named(&group.stream().into_iter().collect::<Vec<_>>())
        {
            found.push((name, line));
        }
        if let TokenTree::Group(group) = token {
            silent(group.stream(), found);
        }
    }
}

#[test]
fn silent_places_become_fewer() {
    let mut all: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut unlisted = LISTED.to_vec();
    for file in ["obsidian-core", "obsidian-rt/src"]
        .into_iter()
        .flat_map(files)
    {
        let inside = file.strip_prefix(&root).unwrap_or(&file);
        if inside.components().any(|part| {
            ["tests", "benches", "examples"]
                .iter()
                .any(|name| part.as_os_str() == *name)
        }) || inside
            .file_stem()
            .is_some_and(|name| name.to_string_lossy().ends_with("tests"))
        {
            continue;
        }
        let text = fs::read_to_string(&file).expect("files can be read");
        let Ok(tokens) = text.parse::<TokenStream>() else {
            continue;
        };
        let mut found = Vec::new();
        silent(tokens, &mut found);
        // The inference of types has nodes of its own.
        if inside.starts_with("obsidian-core/front/src/infer") {
            found.retain(|(name, _)| *name != "Node");
        }
        for (listed, file, _) in LISTED {
            let first = |(name, _): &(&str, usize)| *name == listed && inside == Path::new(file);
            if let Some(at) = found.iter().position(first) {
                found.remove(at);
                unlisted.retain(|(_, own, _)| *own != file);
            }
        }
        for (name, line) in found {
            all.entry(name)
                .or_default()
                .push(format!("{}:{line}", inside.display()));
        }
    }
    assert!(unlisted.is_empty(), "no longer silent: {unlisted:?}");
    for (name, known) in KNOWN {
        let places = all.get(name).map_or(&[][..], Vec::as_slice);
        assert!(
            places.len() <= known,
            "{} places that are silent about a new `{name}`, and {known} are known; write out its variants:\n{}",
            places.len(),
            places.join("\n")
        );
        assert_eq!(
            places.len(),
            known,
            "fewer places are silent about a new `{name}`: write it in `KNOWN`"
        );
    }
}
