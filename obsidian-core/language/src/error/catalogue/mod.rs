//! Every diagnostic about a user's program, as tables: one for each page of `obsidian_rt::errors`.
//!
//! A table begins with its page's title. Each id has the text of its paragraph, which is what it
//! means, a snippet with the mistake and one without, and then its messages: a row is a function with
//! its arguments, the line that says what is wrong, and the notes that say what to write instead. The
//! pages and their tests are made from the tables. All printers (macro, build script, run time) show
//! the same words, because all of them come from here.

use super::{Diagnostic, Kind};

/// A page about errors.
pub struct Page {
    /// The name of its file.
    pub name: &'static str,
    /// Its title, and what its errors have in common.
    pub title: &'static str,
    /// Its errors, in order.
    pub errors: &'static [Error],
}

/// What is known of an error by its id.
pub struct Error {
    /// The id, which its messages end with.
    pub id: &'static str,
    /// Whose fault it is.
    pub kind: Kind,
    /// What it means, and snippets with the mistake and without.
    pub text: &'static str,
    /// Its messages.
    pub messages: &'static [Message],
}

/// A message of an error, as the catalogue has it.
pub struct Message {
    /// The name of its function.
    pub name: &'static str,
    /// What is wrong, as Rust: a format string, or an expression with some.
    pub text: &'static str,
    /// The notes behind it, as Rust.
    pub notes: &'static [&'static str],
}

/// A line of a message: a format string, or an expression in parentheses.
macro_rules! line {
    (($line:expr)) => {
        Into::<String>::into($line)
    };
    ($line:literal) => {
        format!($line)
    };
}

/// The name of a [`Kind`].
macro_rules! kind {
    (mistake) => {
        Kind::Mistake
    };
    (limit) => {
        Kind::Limit
    };
    (bug) => {
        Kind::Bug
    };
}

/// A page: see [`self`].
macro_rules! errors {
    ($(#[doc = $title:literal])+ page $page:literal; $(
        $(#[doc = $text:literal])+
        $kind:ident $id:literal { $(
            $(#[doc = $doc:literal])+
            $name:ident($($arg:tt: $ty:ty),*) $([$(let $var:pat = $value:expr;)+])?
                => $message:tt $(, $note:tt)* $(then |$found:ident| $then:expr)?;
        )+ }
    )+) => {
        /// The page about these errors.
        pub(super) const PAGE: Page = Page {
            name: $page,
            title: concat!($($title, "\n"),+),
            errors: &[$(Error {
                id: $id,
                kind: kind!($kind),
                text: concat!($($text, "\n"),+),
                messages: &[$(Message {
                    name: stringify!($name),
                    text: stringify!($message),
                    notes: &[$(stringify!($note),)* $(stringify!($then))?],
                }),+],
            }),+],
        };

        $($(
            $(#[doc = $doc])+
            pub fn $name($($arg: $ty),*) -> Diagnostic {
                $($(let $var = $value;)+)?
                let found = Diagnostic::new($id, kind!($kind), line!($message))$(.note(line!($note)))*;
                $(let $found = found; let found = $then;)?
                found
            }
        )+)+
    };
}

mod arrays;
mod checks;
mod device;
mod functions;
mod language;
mod levels;
mod limits;
mod modules;
mod variants;
mod whole;

pub use {
    arrays::*, checks::*, device::*, functions::*, language::*, levels::*, limits::*, modules::*,
    variants::*, whole::*,
};

/// All pages, in order.
pub const PAGES: &[Page] = &[
    device::PAGE,
    arrays::PAGE,
    levels::PAGE,
    checks::PAGE,
    language::PAGE,
    functions::PAGE,
    modules::PAGE,
    variants::PAGE,
    limits::PAGE,
    whole::PAGE,
];

impl Page {
    /// The text of its file.
    pub fn text(&self) -> String {
        let plain = |text: &str| {
            let lines = text
                .lines()
                .map(|line| line.strip_prefix(' ').unwrap_or(line));
            lines.map(|line| format!("{line}\n")).collect::<String>()
        };
        let errors = self.errors.iter();
        let errors = errors.map(|error| format!("\n## `{}`\n\n{}", error.id, plain(error.text)));
        format!("\n{}{}", plain(self.title), errors.collect::<String>())
    }
}

/// A number with its noun: `no axes`, `1 axis`, `2 axes`.
fn count(n: usize, one: &str, several: &str) -> String {
    match n {
        0 => format!("no {several}"),
        1 => format!("1 {one}"),
        n => format!("{n} {several}"),
    }
}

/// The diagnostic with the known name that is nearest, if one is near, or with another note.
fn near(
    found: Diagnostic,
    name: &str,
    known: &[&str],
    otherwise: impl FnOnce() -> Option<String>,
) -> Diagnostic {
    let nearest = known.iter().map(|k| (distance(name, k), *k)).min();
    let near = nearest.filter(|(d, k)| {
        // Of a short name nothing else is near.
        let longest = name.len().max(k.len()).saturating_sub(1) / 2;
        *d <= (1 + k.len() / 4).min(longest)
    });
    let near = near.map(|(_, k)| format!("is it `{k}`?"));
    match near.or_else(otherwise) {
        Some(note) => found.note(note),
        None => found,
    }
}

/// The number of letters to insert, remove or replace.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let cost = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = cost.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

/// Names in a message, the first few of many.
fn listed(names: &[&str]) -> String {
    const MOST: usize = 100;
    let mut sorted = names.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    let first: Vec<String> = sorted
        .iter()
        .take(MOST)
        .map(|name| format!("`{name}`"))
        .collect();
    match sorted.len() > MOST {
        true => format!("{} and others", first.join(", ")),
        false => first.join(", "),
    }
}
