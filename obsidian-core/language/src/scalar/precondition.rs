//! Preconditions: what a launch checks of lengths and arguments before the kernel runs.
//!
//! A launch computes both sides from the lengths of its buffers and from its arguments, and is
//! refused where the condition does not hold. The checks at compile time take it for granted.

use super::Constraint;
use super::arena::Requirement;
use super::{Exp, NodeId, here, report, session};
use crate::error::{Origin, catalogue};

/// A condition on lengths and arguments, for `require`.
///
/// [`Exp::equals`], [`Exp::at_least`] and [`Exp::multiple_of`] make it.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn rows(x: DPull<EU32>, width: EU32) -> DPush<Grid, EU32> {
///         let whole = x.len().multiple_of(width); // a precondition
///         require(whole);
///         x.chunks(64, 0).as_grid_map(|x| x.push()).take(x.len())
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 4])?;
/// assert!(example::rows::launch(&device, &x, 2).is_ok());
/// assert!(example::rows::launch(&device, &x, 3).is_err());
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[must_use = "a precondition is checked if `require` takes it: `require(n.at_least(1))`"]
#[derive(Clone, Copy, Debug)]
pub struct Precondition {
    length: NodeId,
    constraint: Constraint<NodeId>,
    origin: Origin,
}

impl Precondition {
    #[track_caller]
    fn new(length: Exp<u32>, constraint: Constraint<NodeId>) -> Self {
        let (length, origin) = (length.node(), here());
        Precondition {
            length,
            constraint,
            origin,
        }
    }
}

impl Exp<u32> {
    /// The condition that two lengths or arguments are equal, for `require`.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn products(x: DPull<EU32>, y: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         require(x.len().equals(y.len()));
    ///         generate(x.len(), |i| x[i] * y[i]).chunks(64, 0).as_grid_map(|x| x.push()).take(x.len())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let (x, y) = (device.upload(&[1, 2])?, device.upload(&[10, 20])?);
    /// assert_eq!(example::products::launch(&device, &x, &y)?.to_vec()?, [10, 40]);
    /// let longer = device.upload(&[1, 2, 3])?;
    /// assert!(example::products::launch(&device, &x, &longer).is_err());
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn equals(self, other: impl Into<Exp<u32>>) -> Precondition {
        Precondition::new(self, Constraint::Equal(other.into().node()))
    }

    /// The condition that a length or an argument is at least `n`, for `require`.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn edges(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         require(x.len().at_least(2));
    ///         generate(1, |_| x[0] + x[1]).to_dyn().chunks(64, 0).as_grid_map(|x| x.push()).take(lit(1))
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3])?;
    /// let result = example::edges::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [3]);
    /// let short = device.upload(&[1])?;
    /// assert!(example::edges::launch(&device, &short).is_err());
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn at_least(self, n: u32) -> Precondition {
        Precondition::new(self, Constraint::AtLeast(n))
    }

    /// The condition that a length or an argument is a multiple of another, for `require`. Only 0
    /// is a multiple of 0.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn doubled(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         require(x.len().multiple_of(2));
    ///         x.chunks(64, 0).as_grid_map(|x| x.map(|x| 2 * x).push()).take(x.len())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2])?;
    /// let result = example::doubled::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [2, 4]);
    /// let odd = device.upload(&[1])?;
    /// assert!(example::doubled::launch(&device, &odd).is_err());
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn multiple_of(self, divisor: impl Into<Exp<u32>>) -> Precondition {
        let divisor = divisor.into();
        let constraint = match divisor.as_literal() {
            Some(0) => Constraint::Equal(divisor.node()),
            Some(n) => Constraint::MultipleOf(n),
            None => Constraint::DividedBy(divisor.node()),
        };
        Precondition::new(self, constraint)
    }
}

/// Asks each launch of the kernel to check a condition on lengths and arguments.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     /// The products of the elements of two arrays, which are equally long.
///     #[kernel(threads = 256)]
///     pub fn products(x: DPull<EF32>, y: DPull<EF32>) -> DPush<Grid, EF32> {
///         require(x.len().equals(y.len()));
///         let products = generate(x.len(), |i| x[i] * y[i]);
///         products.chunks(256, 0.0).as_grid_map(|chunk| chunk.push()).take(x.len())
///     }
/// }
///
/// let device = Device::cpu();
/// let (x, y) = (device.upload(&[1.0, 2.0])?, device.upload(&[10.0, 20.0])?);
/// assert_eq!(example::products::launch(&device, &x, &y)?.to_vec()?, [10.0, 40.0]);
/// let longer = device.upload(&[1.0, 2.0, 3.0])?;
/// assert!(example::products::launch(&device, &x, &longer).is_err());
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
///
/// A launch that does not meet it fails before it runs, with both numbers in the error; the checks
/// at compile time rely on it. Where the call stands does not matter: under a condition of the
/// device, too, it is asked for at each launch.
pub fn require(precondition: Precondition) {
    let Precondition {
        length,
        constraint,
        origin,
    } = precondition;
    let known = session(|s| {
        let others = constraint.other().into_iter();
        let known = others
            .chain([&length])
            .all(|id| s.tables.known_at_launch(*id));
        if known {
            s.tables.requirements.push(Requirement {
                length,
                constraint,
                origin,
            });
        }
        known
    });
    if known == Some(false) {
        report(catalogue::no_precondition().at(origin));
    }
}
