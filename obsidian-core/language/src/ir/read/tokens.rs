//! The tokens of a kernel's text: words (names and literals), single brackets and commas, runs of
//! other signs.

use super::{ReadError, Result};

pub(super) struct Tokens<'t> {
    list: Vec<(&'t str, usize)>,
    at: usize,
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$')
}

/// Bytes of the token at the start of a text that is not empty.
fn length(text: &str) -> usize {
    let first = text.chars().next().unwrap_or(' ');
    let after_sign = text.strip_prefix('-').unwrap_or(text);
    let is_number =
        after_sign.starts_with(|c: char| c.is_ascii_digit()) || after_sign.starts_with("inf_");
    if first == '"' {
        return quoted(text);
    }
    if matches!(first, '(' | ')' | '[' | ']' | '{' | '}' | ',') {
        return 1;
    }
    if !is_number && (!is_word(first) || first == '.') {
        return text
            .find(|c: char| c.is_whitespace() || "()[]{},".contains(c) || (is_word(c) && c != '.'))
            .unwrap_or(text.len());
    }
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        let sign = c == '-' && (at == 0 || (is_number && before == 'e'));
        if !(is_word(c) || sign || (c == ':' && text.starts_with("nan:"))) {
            return at;
        }
        before = c;
    }
    text.len()
}

/// Bytes of a text in quotes, these included.
fn quoted(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '"' if !escaped => return at + 1,
            _ => escaped = c == '\\' && !escaped,
        }
    }
    text.len()
}

/// What `{:?}` has made of a text, back again.
fn unquoted(token: &str) -> Option<String> {
    let inner = token.strip_prefix('"')?.strip_suffix('"')?;
    let (mut text, mut rest) = (String::new(), inner.chars());
    while let Some(c) = rest.next() {
        if c != '\\' {
            text.push(c);
            continue;
        }
        text.push(match rest.next()? {
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            '0' => '\0',
            'u' => {
                let code: String = rest.by_ref().skip(1).take_while(|c| *c != '}').collect();
                char::from_u32(u32::from_str_radix(&code, 16).ok()?)?
            }
            other => other,
        });
    }
    Some(text)
}

impl<'t> Tokens<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let mut list = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let mut rest = line.trim_start();
            while !rest.is_empty() {
                let (token, after) = rest.split_at(length(rest));
                list.push((token, number + 1));
                rest = after.trim_start();
            }
        }
        Tokens { list, at: 0 }
    }

    /// The token that is `n` after the next one; empty at the end.
    pub(super) fn ahead(&self, n: usize) -> &'t str {
        self.list.get(self.at + n).map_or("", |token| token.0)
    }

    pub(super) fn peek(&self) -> &'t str {
        self.ahead(0)
    }

    pub(super) fn next(&mut self) -> Result<&'t str> {
        match self.list.get(self.at) {
            Some((token, _)) => {
                self.at += 1;
                Ok(token)
            }
            None => {
                self.at += 1;
                self.error("more text")
            }
        }
    }

    pub(super) fn expect(&mut self, token: &str) -> Result<()> {
        if self.next()? == token {
            Ok(())
        } else {
            self.error(&format!("`{token}`"))
        }
    }

    /// Passes over a token if it is the next one.
    pub(super) fn skip(&mut self, token: &str) -> bool {
        let found = self.peek() == token;
        self.at += usize::from(found);
        found
    }

    /// A text in quotes, as Rust writes it.
    pub(super) fn text(&mut self) -> Result<String> {
        let token = self.next()?;
        match unquoted(token) {
            Some(text) => Ok(text),
            None => self.error("a text"),
        }
    }

    pub(super) fn number(&mut self) -> Result<u32> {
        self.next()?.parse().or_else(|_| self.error("a number"))
    }

    /// The error that something else than the token just taken was expected.
    pub(super) fn error<T>(&self, expected: &str) -> Result<T> {
        let found = self.at.checked_sub(1).and_then(|at| self.list.get(at));
        let line = found.or(self.list.last()).map_or(1, |token| token.1);
        let message = format!(
            "expected {expected}, found `{}`",
            found.map_or("the end", |token| token.0)
        );
        Err(ReadError { message, line })
    }
}
