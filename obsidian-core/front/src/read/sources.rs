//! The spans and pieces of input that a tree names by number.

use proc_macro2::{Delimiter, LineColumn, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::spanned::Spanned;

use super::ends;
use crate::error::{Origin, Origins, Site as ErrorSite};
use crate::syntax::{Site, Snippet};

/// Spans and snippets, by number. They stay on the thread of the macro.
#[derive(Debug, Default)]
pub struct Sources {
    spans: Vec<(Span, Span)>,
    snippets: Vec<TokenStream>,
    origins: Origins,
    /// The tokens that were read, to quote from.
    inputs: Vec<TokenStream>,
}

/// The most characters that a message quotes of one place.
const LONGEST_QUOTE: usize = 80;

impl Sources {
    /// The number of the span from the first to the last of some tokens.
    pub fn site(&mut self, tokens: &impl Spanned) -> Site {
        let span = tokens.span();
        self.add(span, span)
    }

    /// The number of the span from the first to the last token of an expression, type or pattern.
    pub fn whole(&mut self, tokens: &impl ToTokens) -> Site {
        let mut stream = tokens.to_token_stream().into_iter();
        let first = stream.next().map_or_else(|| self.latest(), |t| t.span());
        let last = stream.last().map_or(first, |t| t.span());
        self.add(first, last)
    }

    /// The number of the span of an expression, from its first to its last token.
    pub(super) fn expression(&mut self, expr: &syn::Expr) -> Site {
        let first = ends::first(expr).unwrap_or_else(|| self.latest());
        self.add(first, ends::last(expr).unwrap_or(first))
    }

    /// The end of the last place, which is near to what has no tokens of its own.
    fn latest(&self) -> Span {
        self.spans
            .last()
            .map_or_else(Span::call_site, |(_, last)| *last)
    }

    fn add(&mut self, first: Span, last: Span) -> Site {
        self.spans.push((first, last));
        self.spans.len() as Site - 1
    }

    /// The number of sites so far.
    pub fn sites(&self) -> Site {
        self.spans.len() as Site
    }

    /// The number of a piece of input.
    pub fn snippet(&mut self, tokens: impl ToTokens) -> Snippet {
        self.snippets.push(tokens.to_token_stream());
        self.snippets.len() as Snippet - 1
    }

    /// The first and the last token's span.
    pub fn ends(&self, site: Site) -> (Span, Span) {
        self.spans
            .get(site as usize)
            .copied()
            .unwrap_or_else(|| (Span::call_site(), Span::call_site()))
    }

    /// The span of the first token.
    pub fn span(&self, site: Site) -> Span {
        self.ends(site).0
    }

    /// A piece of input.
    pub fn tokens(&self, snippet: Snippet) -> TokenStream {
        self.snippets
            .get(snippet as usize)
            .cloned()
            .unwrap_or_default()
    }

    /// Keeps the tokens that the sites are in, for messages that quote them.
    pub fn quote_from(&mut self, inputs: impl IntoIterator<Item = TokenStream>) {
        self.inputs.extend(inputs);
    }

    /// The line of a site and its text, if it can be quoted: "line 9: `io.write(b, b)`".
    pub fn quoted(&self, site: Site) -> String {
        let (first, last) = self.ends(site);
        let line = format!("line {}", first.start().line);
        // On a stable compiler spans cannot be joined: the tokens between them are looked for.
        let text = match first.join(last).and_then(|span| span.source_text()) {
            Some(text) => text,
            None => {
                let mut found = TokenStream::new();
                for input in &self.inputs {
                    within(
                        input.clone(),
                        &first.file(),
                        (first.start(), last.end()),
                        &mut found,
                    );
                }
                as_written(found)
            }
        };
        let text: Vec<&str> = text.split_whitespace().collect();
        match text.join(" ") {
            text if text.is_empty() => line,
            text if text.chars().count() > LONGEST_QUOTE => {
                let start: String = text.chars().take(LONGEST_QUOTE).collect();
                format!("{line}: `{start} ..`")
            }
            text => format!("{line}: `{text}`"),
        }
    }

    /// The origin of a site.
    pub fn origin(&mut self, site: Site) -> Origin {
        self.origins.add(ErrorSite::Span(site))
    }

    /// The origins made so far.
    pub fn origins(&self) -> &Origins {
        &self.origins
    }
}

/// Tokens with spaces where the user wrote some.
pub(super) fn as_written(tokens: TokenStream) -> String {
    let mut parts = Vec::new();
    spread(tokens.clone(), &mut parts);
    let mut text = String::new();
    let mut end: Option<LineColumn> = None;
    for (part, from, to) in parts {
        match end {
            // A macro has made them, or they have no places.
            Some(end) if end > from || from == to => return tokens.to_string(),
            Some(end) if end < from => text.push(' '),
            _ => {}
        }
        text += &part;
        end = Some(to);
    }
    text
}

/// Tokens without groups, each with its start and end.
fn spread(tokens: TokenStream, parts: &mut Vec<(String, LineColumn, LineColumn)>) {
    for tree in tokens {
        let span = tree.span();
        let (start, end) = (span.start(), span.end());
        let TokenTree::Group(group) = tree else {
            parts.push((tree.to_string(), start, end));
            continue;
        };
        let (open, close) = match group.delimiter() {
            Delimiter::Parenthesis => ("(", ")"),
            Delimiter::Brace => ("{", "}"),
            Delimiter::Bracket => ("[", "]"),
            Delimiter::None => {
                spread(group.stream(), parts);
                continue;
            }
        };
        // A group that was made anew has one span for both of its brackets.
        let (mut behind, mut before) = (start, end);
        behind.column += 1;
        before.column = before.column.saturating_sub(1);
        parts.push((open.to_owned(), start, behind));
        spread(group.stream(), parts);
        parts.push((close.to_owned(), before, end));
    }
}

/// Collects the tokens of a file from one position to another.
fn within(
    tokens: TokenStream,
    file: &str,
    (from, to): (LineColumn, LineColumn),
    found: &mut TokenStream,
) {
    for tree in tokens {
        let span = tree.span();
        let (start, end) = (span.start(), span.end());
        if span.file() == file && from <= start && end <= to {
            found.extend([tree]);
        } else if let TokenTree::Group(group) = tree {
            within(group.stream(), file, (from, to), found);
        }
    }
}
