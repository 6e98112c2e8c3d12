//! What is wrong with a program, and where.

use crate::syntax::Span;

/// A mistake in a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mistake {
    /// Where it is.
    pub span: Span,
    /// What it is.
    pub message: String,
}

impl Mistake {
    /// A mistake at a place.
    pub fn new(span: Span, message: impl Into<String>) -> Self {
        let message = message.into();
        Mistake { span, message }
    }

    /// The line and the column of its beginning, both from 1; a column is a character.
    pub fn place(&self, text: &str) -> (usize, usize) {
        let start = self.span.start.min(text.len());
        let before = text.get(..start).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
        (line, column)
    }

    /// The message with its place and its line, of which at most 100 characters are shown.
    pub fn shown(&self, file: &str, text: &str) -> String {
        let (line, column) = self.place(text);
        let whole: Vec<char> = text.lines().nth(line - 1).unwrap_or("").chars().collect();
        let start = column.saturating_sub(60);
        let part: String = whole.iter().skip(start).take(100).collect();
        let length = text.get(self.span.start..self.span.end).unwrap_or("");
        let length = length.lines().next().unwrap_or("").chars().count().max(1);
        let at = column - 1 - start;
        let marks = "^".repeat(length.min(100_usize.saturating_sub(at)).max(1));
        let place = format!("{file}:{line}:{column}");
        format!(
            "{place}: {}\n  {part}\n  {}{marks}",
            self.message,
            " ".repeat(at)
        )
    }
}
