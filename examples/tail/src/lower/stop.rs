//! Why the lowering of a program stops before its end.

use crate::mistake::Mistake;
use crate::syntax::Span;

/// Why lowering stops.
#[derive(Clone, Debug)]
pub enum Stop {
    /// Something is wrong with the program.
    Mistake(Mistake),
    /// The host needs a value that what is lowered so far computes.
    Demand,
    /// The host needs a value that differs from one iteration of a loop to the next.
    Varies(Span),
}

impl Stop {
    /// A mistake at a place.
    pub fn wrong(span: Span, message: impl Into<String>) -> Self {
        Stop::Mistake(Mistake::new(span, message))
    }
}

impl From<Mistake> for Stop {
    fn from(mistake: Mistake) -> Self {
        Stop::Mistake(mistake)
    }
}
