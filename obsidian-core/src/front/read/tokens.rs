//! Looking at tokens before syn sees them: what would overflow its stack is refused.

use proc_macro2::{Span, TokenStream, TokenTree};

use crate::error::Diagnostic;
use crate::front::catalogue;

/// The deepest nesting of brackets.
pub const NESTING: usize = 128;
/// The longest chain of operators or calls without a `;`, a `,` or a bracket around.
pub const CHAIN: usize = 1024;

/// Finds the first place where tokens are nested too deep or chained too long.
pub fn check_tokens(tokens: &TokenStream) -> Option<(Span, Diagnostic)> {
    let mut open = vec![(tokens.clone(), 0)];
    while let Some((stream, depth)) = open.pop() {
        let mut links = 0;
        for token in stream {
            match token {
                TokenTree::Group(group) if depth + 1 > NESTING => {
                    return Some((group.span_open(), catalogue::too_deep("the nesting of brackets", NESTING)));
                }
                TokenTree::Group(group) => open.push((group.stream(), depth + 1)),
                TokenTree::Punct(punct) if matches!(punct.as_char(), ';' | ',') => links = 0,
                TokenTree::Punct(punct) => {
                    links += 1;
                    if links > CHAIN {
                        return Some((punct.span(), catalogue::too_deep("the number of operators in one expression", CHAIN)));
                    }
                }
                _ => {}
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) -> Option<String> {
        check_tokens(&text.parse().unwrap()).map(|(_, d)| d.message)
    }

    #[test]
    fn ordinary_code_passes() {
        assert_eq!(check("fn f() { ((a + b) * c) }"), None);
        assert_eq!(check(&format!("{}{}", "(".repeat(128), ")".repeat(128))), None);
    }

    #[test]
    fn deep_nesting_and_long_chains_are_refused() {
        assert!(check(&format!("{}{}", "(".repeat(129), ")".repeat(129))).unwrap().contains("128"));
        assert!(check(&"- ".repeat(1025)).unwrap().contains("1024"));
        assert_eq!(check(&"- 1, ".repeat(5000)), None);
    }
}
