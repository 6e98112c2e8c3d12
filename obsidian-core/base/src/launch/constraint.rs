//! What must hold of a length.

/// What must hold of a length when the kernel is launched. Other lengths are of type `L`: nodes
/// where a kernel is built, formulas where it is launched.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Constraint<L> {
    /// It can be computed: no step is below 0 or above `u32::MAX`. All others ask for that too.
    Fits,
    /// It is at least this number, which the user asks for.
    AtLeast(u32),
    /// It is at least this number, because the kernel accesses the element before it.
    Reaches(u32),
    /// It is a multiple of this number, which is at least 1.
    MultipleOf(u32),
    /// It is a multiple of another length; 0 divides only 0.
    DividedBy(L),
    /// It is another length.
    Equal(L),
}

impl<L> Constraint<L> {
    /// The other length, if there is one.
    pub const fn other(&self) -> Option<&L> {
        match self {
            Constraint::DividedBy(other) | Constraint::Equal(other) => Some(other),
            Constraint::Fits
            | Constraint::AtLeast(_)
            | Constraint::Reaches(_)
            | Constraint::MultipleOf(_) => None,
        }
    }

    /// The same with the other length given in another way.
    ///
    /// # Errors
    /// Those of `f`.
    pub fn try_map<M, E>(&self, f: impl FnOnce(&L) -> Result<M, E>) -> Result<Constraint<M>, E> {
        Ok(match self {
            Constraint::Fits => Constraint::Fits,
            Constraint::AtLeast(n) => Constraint::AtLeast(*n),
            Constraint::Reaches(n) => Constraint::Reaches(*n),
            Constraint::MultipleOf(n) => Constraint::MultipleOf(*n),
            Constraint::DividedBy(other) => Constraint::DividedBy(f(other)?),
            Constraint::Equal(other) => Constraint::Equal(f(other)?),
        })
    }
}
