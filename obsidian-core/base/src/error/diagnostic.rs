//! One diagnostic, and the list that a stage reports.

use std::fmt;

use super::{Origin, Origins, Site};

/// Whose fault it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The user's program is wrong.
    Mistake,
    /// The program may be right, but it goes beyond a limit that is documented.
    Limit,
    /// The compiler is wrong.
    Bug,
}

/// One thing that is wrong, where it is, and what to do about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// The name of this diagnostic in the catalogue of the compiler, and on the pages about errors.
    pub id: &'static str,
    /// Whose fault it is.
    pub kind: Kind,
    /// What is wrong, in the user's words, on one line.
    pub message: String,
    /// What to write instead, and other facts, a line each.
    pub notes: Vec<String>,
    /// Where it is.
    pub origin: Origin,
    /// What else it is about, each with what it is: "the other access".
    pub others: Vec<(Origin, &'static str)>,
}

impl Diagnostic {
    /// A diagnostic without notes or place.
    pub fn new(id: &'static str, kind: Kind, message: impl Into<String>) -> Self {
        Diagnostic {
            id,
            kind,
            message: message.into(),
            notes: Vec::new(),
            origin: Origin::UNKNOWN,
            others: Vec::new(),
        }
    }

    /// The same at a place.
    #[must_use]
    pub fn at(mut self, origin: Origin) -> Self {
        self.origin = origin;
        self
    }

    /// The same with another place that it is about, unless that is where it is.
    #[must_use]
    pub fn also(mut self, origin: Origin, what: &'static str) -> Self {
        if origin != self.origin && origin != Origin::UNKNOWN {
            self.others.push((origin, what));
        }
        self
    }

    /// The same with one more note.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            // By its id a reader finds the paragraph about it in the documentation.
            Kind::Mistake | Kind::Limit => write!(f, "{} [{}]", self.message, self.id)?,
            Kind::Bug => write!(f, "a bug in Obsidian, please report it: {}", self.message)?,
        }
        self.notes.iter().try_for_each(|note| write!(f, "\n{note}"))
    }
}

/// What a stage found wrong: at least one diagnostic, in the order in which they were found.
#[derive(Clone, Debug)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    origins: Origins,
}

impl Diagnostics {
    /// The diagnostics of one stage, with the origins that place them.
    pub fn new(list: Vec<Diagnostic>, origins: Origins) -> Self {
        Diagnostics { list, origins }
    }

    /// Each diagnostic with its site.
    pub fn iter(&self) -> impl Iterator<Item = (&Diagnostic, Option<Site>)> {
        self.list.iter().map(|d| (d, self.origins.site(d.origin)))
    }

    /// What else a diagnostic is about, with the sites.
    pub fn others(
        &self,
        diagnostic: &Diagnostic,
    ) -> impl Iterator<Item = (&'static str, Option<Site>)> {
        let others = diagnostic.others.iter();
        others.map(|(origin, what)| (*what, self.origins.site(*origin)))
    }

    /// The first diagnostic, if there is one.
    pub fn first(&self) -> Option<&Diagnostic> {
        self.list.first()
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, diagnostic) in self.list.iter().enumerate() {
            if n > 0 {
                writeln!(f)?;
            }
            if let Some(place) = self.origins.place(diagnostic.origin) {
                write!(f, "{place}: ")?;
            }
            write!(f, "{diagnostic}")?;
            for (origin, what) in &diagnostic.others {
                if let Some(place) = self.origins.place(*origin) {
                    write!(f, "\n{what}: {place}")?;
                }
            }
        }
        Ok(())
    }
}

impl std::error::Error for Diagnostics {}
