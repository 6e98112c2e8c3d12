//! What is wrong with a launch.

use std::fmt;

/// What kind of thing is wrong.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// Two accesses conflict, and nothing orders them.
    Race,
    /// A barrier that some thread of its scope does not reach.
    Barrier,
    /// A read of memory where this array stores nothing yet, or where another array stored since.
    Undefined,
    /// An element outside of its array.
    Outside,
    /// An element of an output that nobody wrote.
    Unwritten,
    /// An element of an output that was written twice.
    Twice,
    /// A loop over blocks whose iterations do not all run, each once.
    Blocks,
    /// Several elements at once, at an address that is no multiple of their bytes.
    Unaligned,
}

impl Kind {
    const fn words(self) -> &'static str {
        match self {
            Kind::Race => "not ordered",
            Kind::Barrier => "barrier",
            Kind::Undefined => "undefined",
            Kind::Outside => "outside",
            Kind::Unwritten => "never written",
            Kind::Twice => "written twice",
            Kind::Blocks => "blocks",
            Kind::Unaligned => "not aligned",
        }
    }
}

/// One thing that is wrong; for a race, one pair of statements, with the first threads that met.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Finding {
    /// What kind of thing.
    pub kind: Kind,
    /// The statements, and an example.
    pub words: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind.words(), self.words)
    }
}
