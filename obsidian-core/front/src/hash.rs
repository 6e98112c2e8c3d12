//! The hash of a module's tokens: it tells whether what a build script has compiled is what the
//! macro sees.
//!
//! Spacing and documentation do not count: a macro and a file reader show them differently. Nor
//! does `tuned = ".."` in `#[kernel(..)]`: a tuned file has the hash of the tokens that it is for,
//! and begins to be named when it is there.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::ToTokens;
use syn::Item;

/// The hash of items, as 16 hexadecimal digits.
pub fn of(items: &[Item]) -> String {
    let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
    for item in items {
        hash.stream(item.to_token_stream());
    }
    format!("{:016x}", hash.0)
}

/// The hash of a list of words.
pub fn of_words(words: impl IntoIterator<Item = String>) -> String {
    let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
    words
        .into_iter()
        .for_each(|word| hash.bytes(word.as_bytes()));
    format!("{:016x}", hash.0)
}

/// Tokens without their documentation.
pub fn without_docs(tokens: TokenStream) -> TokenStream {
    let mut kept = Vec::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        if is_hash(&token) && tokens.peek().is_some_and(is_doc) {
            tokens.next();
            continue;
        }
        kept.push(match token {
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), without_docs(group.stream()));
                inner.set_span(group.span());
                TokenTree::Group(inner)
            }
            other => other,
        });
    }
    kept.into_iter().collect()
}

/// FNV-1a with 64 bits: short, and the same in every process.
struct Fnv(u64);

impl Fnv {
    fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes.iter().chain(&[0]) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    /// `[kernel(..)]`, after its `#`: the options that count, each ended by a comma.
    fn kernel(&mut self, attribute: TokenTree) {
        let TokenTree::Group(attribute) = attribute else {
            return;
        };
        self.bytes(b"[");
        for token in attribute.stream() {
            match token {
                TokenTree::Group(options) if options.delimiter() == Delimiter::Parenthesis => {
                    for option in without_tuned(options.stream()) {
                        self.stream(option.into_iter().collect());
                        self.bytes(b",");
                    }
                }
                other => self.stream(other.into()),
            }
        }
        self.bytes(b"]");
    }

    fn stream(&mut self, tokens: TokenStream) {
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            if is_hash(&token) && tokens.peek().is_some_and(is_doc) {
                tokens.next();
                continue;
            }
            if is_hash(&token)
                && let Some(attribute) = tokens.next_if(is_kernel)
            {
                self.bytes(b"#");
                self.kernel(attribute);
                continue;
            }
            match token {
                TokenTree::Group(group) => {
                    let (open, close) = brackets(group.delimiter());
                    self.bytes(open.as_bytes());
                    self.stream(group.stream());
                    self.bytes(close.as_bytes());
                }
                other => self.bytes(other.to_string().as_bytes()),
            }
        }
    }
}

fn is_kernel(token: &TokenTree) -> bool {
    match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket => {
            matches!(group.stream().into_iter().next(), Some(TokenTree::Ident(i)) if i == "kernel")
        }
        _ => false,
    }
}

/// The options of `#[kernel(..)]` without `tuned`.
fn without_tuned(options: TokenStream) -> Vec<Vec<TokenTree>> {
    let all: Vec<TokenTree> = options.into_iter().collect();
    let options = all.split(|token| matches!(token, TokenTree::Punct(p) if p.as_char() == ','));
    let is_kept = |option: &&[TokenTree]| match option.first() {
        Some(TokenTree::Ident(name)) => name != "tuned",
        first => first.is_some(),
    };
    options.filter(is_kept).map(<[TokenTree]>::to_vec).collect()
}

fn is_hash(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(p) if p.as_char() == '#')
}

fn is_doc(token: &TokenTree) -> bool {
    match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket => {
            matches!(group.stream().into_iter().next(), Some(TokenTree::Ident(i)) if i == "doc")
        }
        _ => false,
    }
}

/// The brackets of a group.
pub(super) fn brackets(delimiter: Delimiter) -> (&'static str, &'static str) {
    match delimiter {
        Delimiter::Parenthesis => ("(", ")"),
        Delimiter::Brace => ("{", "}"),
        Delimiter::Bracket => ("[", "]"),
        Delimiter::None => ("", ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(text: &str) -> String {
        of(&syn::parse_file(text).unwrap().items)
    }

    #[test]
    fn spacing_and_documentation_do_not_count() {
        assert_eq!(hash("fn f(){a+b}"), hash("/// Text.\nfn f ( ) { a + b }"));
    }

    #[test]
    fn the_name_of_a_tuned_file_does_not_count() {
        let with = |attribute: &str| hash(&format!("#[{attribute}] fn f() {{}}"));
        assert_eq!(
            with("kernel(threads = 64)"),
            with("kernel(threads = 64, tuned = \"a, b\")")
        );
        assert_eq!(with("kernel"), with("kernel(tuned = \"x\")"));
        assert_eq!(
            with("kernel(n = [1, 2], m = 3)"),
            with("kernel(n = [1, 2], tuned = \"x\", m = 3,)")
        );
        let others = [
            "kernel",
            "kernel(threads = 64)",
            "kernel(threads = 65)",
            "kernel(n = 64)",
            "kernel(n = 64, m = 1)",
            "kernels",
        ];
        let all: crate::ordered::Set<String> =
            others.iter().map(|attribute| with(attribute)).collect();
        assert_eq!(all.len(), others.len());
    }

    #[test]
    fn every_token_counts() {
        assert_ne!(hash("fn f() { a + b }"), hash("fn f() { a + c }"));
        assert_ne!(hash("fn f() { (a) }"), hash("fn f() { [a] }"));
        assert_ne!(hash("fn f() { ab }"), hash("fn f() { a.b }"));
    }
}
