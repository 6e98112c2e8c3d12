//! Looking at tokens before syn sees them: what would overflow the compiler's stack is refused.
//!
//! Brackets are not all that nests. `- - - x`, `|a| |b| |c| x`, `return return x`, `if if a { .. }
//! { .. }`, `x()()()`, `a as u8 as u8` and `else if` chains are as deep as they are long. Every
//! token that carries an expression or a type on costs some of a budget, by what the parser and the
//! printer of the native copy need for it, unoptimised, on a stack of 8 MiB: half of that is used
//! at most. A bracket costs what is in it. What ends a statement, an item or an element begins
//! anew.

use std::iter::Peekable;

use proc_macro2::{Delimiter, Group, Punct, Spacing, Span, TokenStream, TokenTree};

use crate::error::Diagnostic;
use crate::error::catalogue;

/// The deepest nesting of brackets.
pub const NESTING: usize = 128;
/// The budget of one expression: a binary operator costs 1, a method call 2, a keyword such as `if`
/// 3, a closure or a `-` in front 6 or 7.
pub const BUDGET: usize = 512;

/// The longest number: syn takes a time that grows with the square of its digits.
pub const DIGITS: usize = 1024;

type Wrong = (Span, Diagnostic);

/// Finds the first place where tokens are nested too deep or chained too long.
pub fn check_tokens(tokens: &TokenStream) -> Option<Wrong> {
    nesting(tokens).or_else(|| cost(tokens.clone()).err())
}

/// Finds a bracket that is nested too deep, or a number that is too long. It does not recurse: the
/// input may be anything.
fn nesting(tokens: &TokenStream) -> Option<Wrong> {
    let mut open = vec![(tokens.clone(), 0)];
    while let Some((stream, depth)) = open.pop() {
        for token in stream {
            match token {
                TokenTree::Group(group) if depth == NESTING => {
                    return Some((
                        group.span_open(),
                        catalogue::too_deep("the nesting of brackets", NESTING),
                    ));
                }
                TokenTree::Group(group) => open.push((group.stream(), depth + 1)),
                TokenTree::Literal(literal) if is_long_number(&literal.to_string()) => {
                    return Some((
                        literal.span(),
                        catalogue::too_deep("the number of digits", DIGITS),
                    ));
                }
                _ => {}
            }
        }
    }
    None
}

fn is_long_number(literal: &str) -> bool {
    literal.len() > DIGITS && literal.starts_with(|c: char| c.is_ascii_digit())
}

/// The cost of the dearest expression among the tokens.
fn cost(tokens: TokenStream) -> Result<usize, Wrong> {
    let (mut chain, mut dearest) = (Chain::default(), 0);
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let span = token.span();
        if is_attribute(&token, &mut tokens) {
            continue;
        }
        chain.add(&token)?;
        dearest = dearest.max(chain.total());
        if chain.total() > BUDGET {
            return Err((span, catalogue::too_long()));
        }
        if ends(&token, tokens.peek()) {
            chain = Chain::default();
        }
    }
    Ok(dearest)
}

/// Takes an attribute's brackets away: a hundred lines of documentation are no deeper than one.
fn is_attribute(
    token: &TokenTree,
    rest: &mut Peekable<proc_macro2::token_stream::IntoIter>,
) -> bool {
    let is_hash = matches!(token, TokenTree::Punct(punct) if punct.as_char() == '#');
    is_hash && rest.next_if(|next| matches!(next, TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket)).is_some()
}

/// Does an expression end behind this token?
fn ends(token: &TokenTree, next: Option<&TokenTree>) -> bool {
    match token {
        TokenTree::Punct(punct) => matches!(punct.as_char(), ';' | ','),
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => match next {
            Some(TokenTree::Ident(next)) => next != "else" && next != "as",
            Some(TokenTree::Punct(next)) => next.as_char() == '#',
            Some(TokenTree::Literal(_)) => true,
            Some(TokenTree::Group(_)) | None => false,
        },
        _ => false,
    }
}

/// What an expression or type has had so far.
struct Chain {
    /// What its own tokens cost.
    links: usize,
    /// What the dearest of its brackets costs.
    inside: usize,
    /// Is an operand to come, so that an operator here stands in front of it?
    open: bool,
    /// The characters so far of an operator between operands.
    operator: usize,
    /// The last character, if it was an operator's.
    last: Option<char>,
}

impl Default for Chain {
    fn default() -> Self {
        Chain {
            links: 0,
            inside: 0,
            open: true,
            operator: 0,
            last: None,
        }
    }
}

impl Chain {
    fn total(&self) -> usize {
        self.links + self.inside
    }

    fn add(&mut self, token: &TokenTree) -> Result<(), Wrong> {
        match token {
            TokenTree::Group(group) => self.group(group)?,
            TokenTree::Ident(ident) => match ident.to_string().as_str() {
                "as" | "async" | "break" | "else" | "for" | "if" | "in" | "loop" | "match"
                | "move" | "return" | "unsafe" | "while" | "yield" => {
                    (self.links, self.open) = (self.links + 3, true);
                }
                "const" | "dyn" | "impl" | "mut" | "ref" => {}
                _ => self.open = false,
            },
            TokenTree::Literal(_) => self.open = false,
            TokenTree::Punct(punct) => return self.punct(punct),
        }
        (self.operator, self.last) = (0, None);
        Ok(())
    }

    fn group(&mut self, group: &Group) -> Result<(), Wrong> {
        self.inside = self.inside.max(2 + cost(group.stream())?);
        // Behind an operand it is a call, an index or a body.
        self.links += usize::from(!self.open);
        self.open = false;
        Ok(())
    }

    fn punct(&mut self, punct: &Punct) -> Result<(), Wrong> {
        let c = punct.as_char();
        self.links += match c {
            '\'' | ',' | ';' | '$' => 0,
            '>' if self.last == Some('-') => 4,
            '>' => 0,
            '<' => 4,
            '.' | '?' => 1,
            _ if (1..3).contains(&self.operator) => 0,
            _ if self.open => 6,
            _ => 1,
        };
        let between = !self.open || self.operator > 0;
        self.operator = if between && punct.spacing() == Spacing::Joint {
            self.operator + 1
        } else {
            0
        };
        (self.last, self.open) = (Some(c), c != '?');
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) -> Option<String> {
        check_tokens(&text.parse().unwrap()).map(|(_, d)| d.message)
    }

    fn deepest(text: &str) -> usize {
        cost(text.parse().unwrap()).unwrap()
    }

    #[test]
    fn ordinary_code_passes() {
        assert_eq!(check("fn f() { ((a + b) * c) }"), None);
        assert_eq!(
            check(&format!("{}{}", "(".repeat(128), ")".repeat(128))),
            None
        );
        assert_eq!(check(&format!("a {}", "+ 1 ".repeat(BUDGET))), None);
        // The brackets of a call cost something too.
        assert_eq!(
            check(&format!("a {}", ".b() ".repeat(BUDGET / 2 - 1))),
            None
        );
    }

    #[test]
    fn deep_nesting_and_long_chains_are_refused() {
        assert!(
            check(&format!("{}{}", "(".repeat(129), ")".repeat(129)))
                .unwrap()
                .contains("128")
        );
        let deep = |one: &str| check(&one.repeat(BUDGET + 1)).is_some();
        for one in [
            "- ", "!", "& ", "* ", "|a| ", "|| ", "move || ", "if ", "return ", "+ x ", ".f()",
            "()", "[0]", "? ", "as u8 ", "= x ", "Vec<",
        ] {
            assert!(deep(one), "{one}");
        }
        assert!(deep("-> impl Fn() ") && deep("else if a { } ") && deep("*const "));
    }

    #[test]
    fn what_is_long_and_not_deep_passes() {
        for flat in [
            "- 1, ",
            "a = b; ",
            "#[doc = \"a\"] ",
            "fn f(x: u32) -> u32 { x } ",
            "for i in 0..1 { } ",
            "0 => { } ",
        ] {
            assert_eq!(check(&flat.repeat(5000)), None, "{flat}");
        }
    }

    #[test]
    fn a_chain_is_as_deep_as_its_brackets_and_what_follows_them() {
        assert_eq!(deepest("a + b == c && d"), 3);
        assert_eq!(deepest("(a + b).f().g()"), 4 + 2 + 1);
        assert_eq!(deepest("f(a, b + c, d)"), 1 + 2 + 1);
        assert!(check(&format!("{}a{}", "(".repeat(100), ".f().f())".repeat(100))).is_some());
    }
}
