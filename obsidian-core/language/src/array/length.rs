//! Lengths, which are the shapes of lists: static (`u32`, known at compile time) and dynamic (`Exp<u32>`, known at launch).

use super::shape::{Shape, nth};
use crate::error::{Diagnostic, Origin, catalogue};
use crate::scalar::{
    Claim, Constraint, Exp, NodeId, Requirement, here, index, lit, report, session,
};

/// Asks that a launch check a length.
#[track_caller]
#[doc(hidden)]
pub fn require(length: Exp<u32>, constraint: Constraint<NodeId>) {
    let (length, origin) = (length.node(), here());
    session(|s| {
        s.tables.requirements.push(Requirement {
            length,
            constraint,
            origin,
        })
    });
}

/// Asks that a launch check a length, if it knows that length.
#[track_caller]
#[doc(hidden)]
pub fn require_if_known(length: Exp<u32>, constraint: Constraint<NodeId>) {
    let node = length.node();
    if session(|s| s.tables.known_at_launch(node)) == Some(true) {
        require(length, constraint);
    }
}

/// The one length of arrays that `what` takes element by element, with a static one preferred.
///
/// Static lengths that differ are a mistake; lengths that a launch knows are compared there; the
/// check has to prove that all others are equal.
#[track_caller]
#[doc(hidden)]
pub fn common<S: Length>(what: &str, lengths: &[&S]) -> S {
    let lengths: Vec<(S, Origin)> = lengths
        .iter()
        .map(|length| ((*length).clone(), Origin::UNKNOWN))
        .collect();
    common_of(what, &lengths)
}

/// [`common`] of lengths with the places of their arrays.
#[track_caller]
#[doc(hidden)]
pub fn common_of<S: Length>(what: &str, lengths: &[(S, Origin)]) -> S {
    let fixed = lengths.iter().find(|(length, _)| length.fixed().is_some());
    let Some((first, place)) = fixed.or(lengths.first()) else {
        return S::from_exp(lit(0));
    };
    let origin = here();
    for (other, other_place) in lengths {
        let places = [*place, *other_place];
        match (first.fixed(), other.fixed()) {
            (Some(first), Some(other)) if first == other => {}
            (Some(first), Some(other)) => {
                let wrong = catalogue::unequal_lengths(what, first, other).at(origin);
                report(of_arrays(wrong, places));
                break;
            }
            _ => {
                let nodes = [first.exp().node(), other.exp().node()];
                same(what, nodes, origin, places);
            }
        }
    }
    first.clone()
}

/// A mistake about the lengths of two arrays, with the places of both.
#[doc(hidden)]
pub fn of_arrays(wrong: Diagnostic, [one, other]: [Origin; 2]) -> Diagnostic {
    let wrong = wrong.also(one, "one array");
    if one == other {
        return wrong;
    }
    wrong.also(other, "the other array")
}

/// Asks that two lengths be equal: at launch if that knows them, else of the check.
fn same(what: &str, [first, other]: [NodeId; 2], origin: Origin, places: [Origin; 2]) {
    if first == other {
        return;
    }
    session(|s| {
        let tables = &mut s.tables;
        if tables.known_at_launch(first) && tables.known_at_launch(other) {
            tables.requirements.push(Requirement {
                length: other,
                constraint: Constraint::Equal(first),
                origin,
            });
        } else {
            tables.claims.push(Claim {
                left: first,
                right: other,
                what: what.to_owned(),
                origin,
                places,
            });
        }
    });
}

/// The length of an array, in elements: the paper's `ASize`.
///
/// Arithmetic on lengths is exact: they fit a `u32`.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     fn doubled<S: Length>(x: Pull<EU32, S>) -> Pull<EU32, S> {
///         x.map(|x| 2 * x)
///     }
///
///     #[kernel(threads = 64)]
///     pub fn both(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         doubled(x).split_up(2).as_grid_map(|x| x.push())
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2])?;
/// let result = example::both::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [2, 4]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a length",
    note = "lengths are u32 (static) and EU32 (dynamic)"
)]
pub trait Length: Shape<Size = Self, Index = Exp<u32>> + Clone + 'static {
    /// The length as a device value.
    fn exp(&self) -> Exp<u32>;
    /// The length, if it is known at compile time.
    fn fixed(&self) -> Option<u32>;
    /// A length of this type, if `value` is static or this type is dynamic.
    fn from_exp(value: Exp<u32>) -> Self;

    /// `self + other`.
    #[must_use]
    #[track_caller]
    fn plus(&self, other: &Self) -> Self {
        if let (Some(x), Some(y)) = (self.fixed(), other.fixed())
            && x.checked_add(y).is_none()
        {
            report(catalogue::too_many_elements());
        }
        Self::from_exp(index::add(self.exp(), other.exp()))
    }

    /// `self - other`; `other` is not larger.
    #[must_use]
    fn minus(&self, other: &Self) -> Self {
        Self::from_exp(index::sub(self.exp(), other.exp()))
    }

    /// `self * n`.
    #[must_use]
    #[track_caller]
    fn times(&self, n: u32) -> Self {
        if self.fixed().is_some_and(|x| x.checked_mul(n).is_none()) {
            report(catalogue::too_many_elements());
        }
        Self::from_exp(index::mul(self.exp(), n))
    }

    /// `self * other`.
    #[must_use]
    #[track_caller]
    fn product(&self, other: &Self) -> Self {
        if let (Some(x), Some(y)) = (self.fixed(), other.fixed())
            && x.checked_mul(y).is_none()
        {
            report(catalogue::too_many_elements());
        }
        Self::from_exp(index::mul(self.exp(), other.exp()))
    }

    /// `self / n`, rounded down.
    #[must_use]
    fn over(&self, n: u32) -> Self {
        Self::from_exp(index::div(self.exp(), n))
    }

    /// The smaller one.
    #[must_use]
    fn least(&self, other: &Self) -> Self {
        match (self.fixed(), other.fixed()) {
            (Some(x), Some(y)) => Self::from_exp(lit(x.min(y))),
            _ => Self::from_exp(self.exp().min(other.exp())),
        }
    }

    /// The number of pieces of `n` elements; a mistake, now or at launch, if something is left.
    #[must_use]
    #[track_caller]
    fn pieces(&self, n: u32) -> Self {
        if n == 0 {
            report(catalogue::empty_pieces());
            return Self::from_exp(lit(0));
        }
        match self.fixed() {
            Some(length) if length % n != 0 => report(catalogue::does_not_divide(n, length)),
            Some(_) => {}
            None => require(self.exp(), Constraint::MultipleOf(n)),
        }
        self.over(n)
    }
}

impl<N: Length> Shape for N {
    type Size = N;
    type Index = Exp<u32>;

    fn sizes(&self) -> Vec<N> {
        vec![self.clone()]
    }
    fn each(&self, mut f: impl FnMut(usize, N) -> N) -> Self {
        f(0, self.clone())
    }
    fn index(numbers: &[Exp<u32>]) -> Exp<u32> {
        nth(numbers, 0)
    }
    fn numbers(index: &Exp<u32>) -> Vec<Exp<u32>> {
        vec![*index]
    }
}

impl Length for u32 {
    fn exp(&self) -> Exp<u32> {
        lit(*self)
    }
    fn fixed(&self) -> Option<u32> {
        Some(*self)
    }
    fn from_exp(value: Exp<u32>) -> Self {
        value.as_literal().unwrap_or(0)
    }
}

impl Length for Exp<u32> {
    fn exp(&self) -> Exp<u32> {
        *self
    }
    fn fixed(&self) -> Option<u32> {
        self.as_literal()
    }
    fn from_exp(value: Exp<u32>) -> Self {
        value
    }
}

/// What can be given as a height or width of type `S`: a `u32` for both kinds.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a height or width here",
    note = "they are u32 (static) or EU32 (dynamic)"
)]
pub trait Extent<S> {
    /// The height or width.
    fn extent(self) -> S;
}

impl Extent<u32> for u32 {
    fn extent(self) -> u32 {
        self
    }
}

impl Extent<Exp<u32>> for u32 {
    fn extent(self) -> Exp<u32> {
        lit(self)
    }
}

impl Extent<Exp<u32>> for Exp<u32> {
    fn extent(self) -> Exp<u32> {
        self
    }
}

impl Extent<Len> for Len {
    fn extent(self) -> Len {
        self
    }
}

/// A length that is static or dynamic; which, is known only when the front end runs.
#[derive(Clone, Copy, Debug)]
pub enum Len {
    /// Known at compile time.
    Static(u32),
    /// Known at launch.
    Dynamic(Exp<u32>),
}

impl Length for Len {
    fn exp(&self) -> Exp<u32> {
        match self {
            Len::Static(n) => lit(*n),
            Len::Dynamic(n) => *n,
        }
    }
    fn fixed(&self) -> Option<u32> {
        match self {
            Len::Static(n) => Some(*n),
            // As with `Exp<u32>`: of a dynamic type, but known.
            Len::Dynamic(n) => n.as_literal(),
        }
    }
    fn from_exp(value: Exp<u32>) -> Self {
        value.as_literal().map_or(Len::Dynamic(value), Len::Static)
    }
}
